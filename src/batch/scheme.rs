//! Conversions of columns between encodings chosen at run time.

use alloc::vec::Vec;

use super::Offset;
use super::conversion::{Conversion, OnError, Unchanged, convert};
use super::convert::Converted;
use super::error::BatchError;
use super::validate::well_formed_count;
use super::validity::Validity;
use crate::convert::{Policy, Reason, Repaired, ShortTexts};
use crate::dynamic::{Path, Scheme, with_type};
use crate::kernel::Engine;
use crate::kernel::dispatch::offsets::Offsets;
use crate::output::OutputCursor;

/// A conversion between schemes.
#[derive(Clone, Copy)]
struct Dynamic {
    from: Scheme,
    to: Scheme,
    path: Path,
}

impl Dynamic {
    #[inline]
    fn new(from: Scheme, to: Scheme) -> Dynamic {
        Dynamic { from, to, path: Path::new(from, to) }
    }
}

impl Conversion for Dynamic {
    type From = u8;
    type To = u8;

    #[inline]
    fn unchanged(self) -> Unchanged {
        Unchanged::between::<u8, u8>(self.from.variant(), self.to.variant())
    }

    fn well_formed_count<P: Offset>(
        self,
        engine: Engine,
        values: &[u8],
        offsets: Offsets<'_, P>,
    ) -> Option<usize> {
        with_type!(self.from, E => well_formed_count::<E, P>(engine, values, offsets))
    }

    #[inline]
    fn len(self, _: Engine, values: &[u8]) -> usize {
        self.from.transcoded_len(self.to, values)
    }

    #[inline(always)]
    fn convert(
        self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
    ) -> (usize, Option<Reason>) {
        self.path.convert(engine, src, output)
    }

    #[inline]
    fn append(self, engine: Engine, src: &[u8], dst: &mut Vec<u8>) -> Result<(), Reason> {
        self.path.append(engine, src, dst).map(drop).map_err(|error| error.reason)
    }

    #[inline]
    fn append_lossy(self, engine: Engine, src: &[u8], dst: &mut Vec<u8>, policy: Policy<'_>) -> Repaired {
        self.path.append_lossy(engine, src, dst, policy)
    }

    fn short_texts(self, policy: Policy<'_>) -> Option<ShortTexts<'_, u8, u8>> {
        self.path.short_texts(policy)
    }
}

impl Scheme {
    /// Converts every value of an array by itself from this scheme to the scheme `to`: as
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

    /// The same, but calls `refused` for each value that is ill-formed, or has a character that `to` cannot represent. If it
    /// returns `Ok`, the value is empty in the new array.
    ///
    /// # Errors
    /// The first that `refused` returns, and all that are not about the text of a value.
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
        let on_error = OnError::Call(&mut refused);
        convert(Engine::current(), Dynamic::new(self, to), values, offsets, validity, on_error)
    }

    /// The same, and replaces ill-formed sequences as `policy` says: as
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
        let on_error = OnError::Replace(policy.into());
        convert(Engine::current(), Dynamic::new(self, to), values, offsets, validity, on_error)
    }
}
