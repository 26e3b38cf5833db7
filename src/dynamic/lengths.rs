//! Lengths and counts of texts whose encodings are chosen at run time.
//!
//! A length is a sum of small weights over code units, and the weight of a unit depends on little: its value, and the family
//! of the target. Byte order does not matter, nor do unpaired surrogates. So the sixteen schemes are nine targets, and only
//! the sums of their forms are compiled: about a quarter of what all pairs would take.
//!
//! The length of a lossy conversion cannot be summed up so. The conversion is done, into a buffer that is discarded.

use super::{Scheme, with_type};
use crate::convert::{self, Policy, Repaired, Repertoire};
use crate::dynamic::AnyTranscoder;
use crate::unicode::codec::{self, Codec as _};
use crate::unicode::{
    CorrectedUtf8, GeneralizedUtf8, Utf8, Utf16Le, Utf32, Utf32Le, Variant, WobblyCesu8, Wtf8,
};

impl Scheme {
    /// The classification of the encoding.
    #[inline]
    pub(crate) const fn variant(self) -> Variant {
        with_type!(self, E => E::VARIANT)
    }

    /// The number of characters in `src`: as [`count`](crate::count()).
    ///
    /// ```
    /// assert_eq!(runecast::Scheme::Utf16Be.count(b"\0h\0i"), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn count(self, src: &[u8]) -> usize {
        with_type!(self, E => convert::count::<E>(src))
    }

    /// The smallest repertoire that holds `src`: as [`repertoire`](crate::repertoire()).
    #[must_use]
    #[inline]
    pub fn repertoire(self, src: &[u8]) -> Repertoire {
        with_type!(self, E => convert::repertoire::<E>(src))
    }

    /// Whether all characters of `src` are in `repertoire`: as [`fits`](crate::fits()).
    #[must_use]
    #[inline]
    pub fn fits(self, src: &[u8], repertoire: Repertoire) -> bool {
        with_type!(self, E => convert::fits::<E>(src, repertoire))
    }

    /// The length of the character or ill-formed sequence at the start of `src`; 0 if `src` is empty.
    ///
    /// ```
    /// use runecast::Scheme;
    ///
    /// assert_eq!(Scheme::Utf8.step("🪨!".as_bytes()), 4);
    /// assert_eq!(Scheme::Utf8.step(b"\xE2\x82!"), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn step(self, src: &[u8]) -> usize {
        if src.is_empty() {
            return 0;
        }
        with_type!(self, E => codec::step_len::<E>(src))
    }

    /// The number of bytes that a conversion of `src` to the scheme `to` writes, if `src` is well-formed and `to` can represent
    /// every character: as [`transcoded_len`](crate::transcoded_len()).
    ///
    /// ```
    /// use runecast::Scheme;
    ///
    /// assert_eq!(Scheme::Utf8.transcoded_len(Scheme::Utf16Le, "a🪨".as_bytes()), 6);
    /// ```
    #[must_use]
    #[inline]
    pub fn transcoded_len(self, to: Scheme, src: &[u8]) -> usize {
        use convert::transcoded_len;
        with_type!(self, S => match to {
            Scheme::Utf8 => transcoded_len::<S, Utf8>(src),
            Scheme::Wtf8 => transcoded_len::<S, Wtf8>(src),
            Scheme::GeneralizedUtf8 => transcoded_len::<S, GeneralizedUtf8>(src),
            Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Wtf16Le | Scheme::Wtf16Be => {
                transcoded_len::<S, Utf16Le>(src)
            }
            Scheme::Utf32Le | Scheme::Utf32Be => transcoded_len::<S, Utf32Le>(src),
            // A unit for each character.
            Scheme::Latin1 | Scheme::Ascii => transcoded_len::<S, Utf32>(src),
            Scheme::Cesu8 | Scheme::WobblyCesu8 => transcoded_len::<S, WobblyCesu8>(src),
            Scheme::Mutf8 | Scheme::WobblyMutf8 => transcoded_len::<S, crate::unicode::WobblyMutf8>(src),
            Scheme::CorrectedUtf8 => transcoded_len::<S, CorrectedUtf8>(src),
        })
    }

    /// An upper bound of the bytes that any well-formed text of so many bytes has in the scheme `to`; it saturates. As
    /// [`max_transcoded_len`](crate::max_transcoded_len()).
    ///
    /// ```
    /// use runecast::Scheme;
    ///
    /// assert_eq!(Scheme::Utf16Le.max_transcoded_len(Scheme::Utf8, 20), 30);
    /// assert_eq!(Scheme::Latin1.max_transcoded_len(Scheme::Utf16Le, 20), 40);
    /// ```
    #[must_use]
    #[inline]
    pub const fn max_transcoded_len(self, to: Scheme, bytes: usize) -> usize {
        // Units are bytes on both sides.
        convert::bound(self.variant(), 1, to.variant(), 1, bytes)
    }

    /// What a lossy conversion of `src` to the scheme `to` by `policy` would do: how many bytes it writes, how many
    /// replacements it makes, and where the first is. As [`transcode_lossy_len`](crate::transcode_lossy_len()).
    ///
    /// ```
    /// use runecast::{Replacement, Scheme};
    ///
    /// let repaired = Scheme::Utf8.transcode_lossy_len(Scheme::Utf16Le, b"a\xFFb", Replacement::Whatwg);
    /// assert_eq!((repaired.written, repaired.replaced, repaired.first), (6, 1, Some(1)));
    /// ```
    #[must_use]
    pub fn transcode_lossy_len<'p>(
        self,
        to: Scheme,
        mut src: &[u8],
        policy: impl Into<Policy<'p>>,
    ) -> Repaired {
        let mut transcoder = AnyTranscoder::lossy(self, to, policy);
        let mut scratch = [core::mem::MaybeUninit::uninit(); 4096];
        let mut repaired = Repaired::default();
        loop {
            let step = transcoder.transcode_uninit(src, &mut scratch, true);
            repaired.written = repaired.written.saturating_add(step.written);
            repaired.replaced += step.replaced;
            repaired.first = repaired.first.or(step.first);
            src = &src[step.read..];
            if step.is_done() {
                return repaired;
            }
        }
    }
}
