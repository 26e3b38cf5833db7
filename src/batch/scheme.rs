//! Conversions of arrays between encodings that are known when the program runs.

use alloc::vec::Vec;

use super::Offset;
use super::convert::Converted;
use super::error::BatchError;
use super::validate::in_order;
use super::validity::Validity;
use super::work::{Conversion, Kept, Otherwise, convert};
use crate::convert::{Policy, Reason, Repaired};
use crate::dynamic::{Pair, Scheme, with_type};
use crate::kernel::Engine;
use crate::kernel::dispatch::offsets::Offsets;
use crate::output::OutputCursor;

/// Between schemes.
#[derive(Clone, Copy)]
struct Any {
    from: Scheme,
    to: Scheme,
    pair: Pair,
}

impl Any {
    #[inline]
    fn new(from: Scheme, to: Scheme) -> Any {
        Any { from, to, pair: Pair::of(from, to) }
    }
}

impl Conversion for Any {
    type From = u8;
    type To = u8;

    #[inline]
    fn kept(self) -> Kept {
        Kept::between(self.from.variant(), self.to.variant())
    }

    fn in_order<P: Offset>(self, engine: Engine, values: &[u8], places: Offsets<'_, P>) -> Option<usize> {
        with_type!(self.from, E => in_order::<E, P>(engine, values, places))
    }

    #[inline]
    fn len(self, _: Engine, values: &[u8]) -> usize {
        self.from.transcoded_len(self.to, values)
    }

    #[inline(always)]
    fn drive(self, engine: Engine, src: &[u8], output: &mut OutputCursor<'_, u8>) -> (usize, Option<Reason>) {
        self.pair.go(engine, src, output)
    }

    #[inline]
    fn append(self, engine: Engine, src: &[u8], dst: &mut Vec<u8>) -> Result<(), Reason> {
        self.pair.append(engine, src, dst).map(drop).map_err(|error| error.reason)
    }

    #[inline]
    fn append_lossy(self, engine: Engine, src: &[u8], dst: &mut Vec<u8>, policy: Policy<'_>) -> Repaired {
        self.pair.append_lossy(engine, src, dst, policy)
    }
}

impl Scheme {
    /// Converts every value of an array by itself from this scheme to the scheme `to`:
    /// [`transcode_offsets`](crate::batch::transcode_offsets).
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use runecast::Scheme;
    ///
    /// let new = Scheme::Latin1.transcode_offsets::<i32>(Scheme::Utf8, b"caf\xE9noir", &[0, 4, 8], None)?;
    /// assert_eq!(new.values, "cafénoir".as_bytes());
    /// assert_eq!(new.offsets, [0, 5, 9]);
    /// # Ok::<(), runecast::batch::BatchError>(())
    /// ```
    pub fn transcode_offsets<O: Offset>(
        self,
        to: Scheme,
        values: &[u8],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
    ) -> Result<Converted<u8, O>, BatchError> {
        self.transcode_offsets_or(to, values, offsets, validity, Err)
    }

    /// The same, but `refused` hears of each value that is not in order, or has no form in `to`. What it returns ends
    /// the conversion, or lets it go on: then the value is empty in the new array.
    ///
    /// # Errors
    /// What `refused` returns, and whatever is wrong with more than a value.
    ///
    /// ```
    /// use runecast::Scheme;
    ///
    /// let mut lost = Vec::new();
    /// let new = Scheme::Utf8.transcode_offsets_or::<i32>(Scheme::Utf16Le, b"a\xFFb", &[0, 1, 2, 3], None, |error| {
    ///     lost.push(error.index);
    ///     Ok(())
    /// })?;
    /// assert_eq!((new.values, new.offsets), (b"a\0b\0".to_vec(), vec![0, 2, 2, 4]));
    /// assert_eq!(lost, [1]);
    /// # Ok::<(), runecast::batch::BatchError>(())
    /// ```
    pub fn transcode_offsets_or<O: Offset>(
        self,
        to: Scheme,
        values: &[u8],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        mut refused: impl FnMut(BatchError) -> Result<(), BatchError>,
    ) -> Result<Converted<u8, O>, BatchError> {
        let otherwise = Otherwise::Refused(&mut refused);
        convert(Engine::current(), Any::new(self, to), values, offsets, validity, otherwise)
    }

    /// The same, by `policy` where a value is ill-formed:
    /// [`transcode_offsets_lossy`](crate::batch::transcode_offsets_lossy).
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use runecast::{Replacement, Scheme};
    ///
    /// let (values, offsets) = (b"a\0\0\xD8b\0", [0, 4, 6]);
    /// let new = Scheme::Utf16Le
    ///     .transcode_offsets_lossy::<i64>(Scheme::Utf8, values, &offsets, None, Replacement::Whatwg)?;
    /// assert_eq!((new.values, new.offsets), ("a\u{FFFD}b".into(), vec![0, 4, 5]));
    /// # Ok::<(), runecast::batch::BatchError>(())
    /// ```
    pub fn transcode_offsets_lossy<'p, O: Offset>(
        self,
        to: Scheme,
        values: &[u8],
        offsets: &[impl Offset],
        validity: Option<Validity<'_>>,
        policy: impl Into<Policy<'p>>,
    ) -> Result<Converted<u8, O>, BatchError> {
        let otherwise = Otherwise::Policy(policy.into());
        convert(Engine::current(), Any::new(self, to), values, offsets, validity, otherwise)
    }
}
