//! Validation: the loop around kernel and codec.
//!
//! The kernel runs until something is not well-formed, and stops at a character boundary before it. The codec decodes the one
//! character there: if it is well-formed, the kernel continues after it; if not, the codec's error is the result. The same loop,
//! continued after each error, finds all of them.

use crate::bridge;
use crate::kernel::dispatch::errors::{Errors, MOST_BEFORE, SMALL};
use crate::kernel::dispatch::validate::Start;
use crate::kernel::{Engine, dispatch};
use crate::unicode::codec::Codec as _;
use crate::unicode::{Encoding, Family, IllFormed, Utf8, Variant, cast, is_surrogate};

/// [`validate`](fn@crate::validate), with the kernels of this engine.
///
/// # Errors
/// The first ill-formed sequence.
#[inline]
pub(crate) fn validate_on<E: Encoding>(engine: Engine, src: &[E::Unit]) -> Result<(), IllFormed> {
    let at = valid_prefix::<E>(engine, src, Start::OfText);
    if at == src.len() { Ok(()) } else { resume::<E>(engine, src, at) }
}

/// [`ill_formed`], with the kernels of this engine.
#[inline]
pub(crate) fn ill_formed_on(engine: Engine, src: &[u8]) -> IllFormedSequences<'_> {
    IllFormedSequences { engine, src, at: 0, behind: 0, errors: Errors::new() }
}

/// The rest of a validation, from the boundary `at` at which the kernel stopped.
#[cold]
#[inline(never)]
fn resume<E: Encoding>(engine: Engine, src: &[E::Unit], mut at: usize) -> Result<(), IllFormed> {
    while at < src.len() {
        match E::decode(&src[at..]) {
            Ok((_, len)) => at += len,
            Err(fault) => return Err(E::error(fault, src, at)),
        }
        // Surrogates, which a kernel leaves to the codec, are often next to each other.
        while const { E::VARIANT.has_surrogates() }
            && at < src.len()
            && let Ok((point, len)) = E::decode(&src[at..])
            && is_surrogate(point)
        {
            at += len;
        }
        at += valid_prefix::<E>(engine, &src[at..], Start::BehindError);
    }
    Ok(())
}

/// The kernel: the length of a well-formed prefix, which ends at a character boundary at or before the first error.
#[inline]
pub(crate) fn valid_prefix<E: Encoding>(engine: Engine, src: &[E::Unit], start: Start) -> usize {
    // Constant conditions, so that only the kernel of this encoding is compiled.
    if const { matches!(E::VARIANT.family(), Family::Utf8) } {
        dispatch::validate::utf8_valid_prefix(engine, cast(src), start)
    } else if const { matches!(E::VARIANT.family(), Family::Ascii) } {
        dispatch::validate::ascii_prefix(engine, cast(src))
    } else if const { matches!(E::VARIANT.family(), Family::Latin1) } {
        src.len()
    } else if const { matches!(E::VARIANT.family(), Family::Corrected) } {
        dispatch::validate::corrected_valid_prefix(engine, cast(src), start)
    } else if const { matches!(E::VARIANT, Variant::Wtf16(_)) } {
        // Any units are well-formed; a part of one at the end is left to the codec.
        src.len() - src.len() % (2 / size_of::<E::Unit>())
    } else {
        bridge::valid_prefix::<E>(engine, src)
    }
}

/// Checks that `src` is well-formed in the encoding `E`.
///
/// The empty text is well-formed. Nothing is allocated, and nothing after the first error is reported. The result is the same on
/// every CPU; it never panics.
///
/// # Errors
/// The first ill-formed sequence: its offset and length in code units of `src`, and the rule that it breaks. Everything before
/// [`IllFormed::at`] is well-formed. For UTF-8 the length is that of the maximal subpart, as in Unicode 3.9, "U+FFFD Substitution of
/// Maximal Subparts", and in the WHATWG Encoding Standard's UTF-8 decoder. A character cut off by the end of `src` is
/// [`Kind::Incomplete`](crate::Kind::Incomplete).
///
/// ```
/// use runecast::{Kind, Utf8, validate};
///
/// assert!(validate::<Utf8>("rūna".as_bytes()).is_ok());
///
/// let error = validate::<Utf8>(b"r\xC5\xABna\xED\xA0\x80").unwrap_err();
/// assert_eq!((error.at, error.len, error.kind), (5, 1, Kind::Surrogate));
/// ```
#[inline]
pub fn validate<E: Encoding>(src: &[E::Unit]) -> Result<(), IllFormed> {
    validate_on::<E>(Engine::current(), src)
}

/// All ill-formed sequences of UTF-8 in `src`, from the first to the last: each maximal subpart by itself (Unicode 3.9), as a decoder
/// that follows the WHATWG Encoding Standard replaces them, with one U+FFFD for each.
///
/// The iterator is lazy and allocates nothing; between errors the kernels run at full speed. Offsets are in bytes from the start of
/// `src`. It never panics.
///
/// ```
/// use runecast::{Kind, ill_formed};
///
/// let found: Vec<_> = ill_formed(b"a\xFFb\xE2\x82").map(|e| (e.at, e.len, e.kind)).collect();
/// assert_eq!(found, [(1, 1, Kind::InvalidLead), (3, 2, Kind::Incomplete)]);
/// ```
#[inline]
pub fn ill_formed(src: &[u8]) -> IllFormedSequences<'_> {
    ill_formed_on(Engine::current(), src)
}

/// An iterator over the ill-formed sequences of a text, created by [`ill_formed`].
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless consumed"]
pub struct IllFormedSequences<'a> {
    engine: Engine,
    src: &'a [u8],
    at: usize,
    /// The end of the last error. What is near it, the codec is asked for: a kernel may read it as behind the error, and not as the
    /// beginning of a text.
    behind: usize,
    errors: Errors,
}

impl<'a> IllFormedSequences<'a> {
    /// All of the text.
    #[inline]
    pub(crate) const fn src(&self) -> &'a [u8] {
        self.src
    }

    /// The end of the last error, or of the text if there is no other.
    #[inline]
    pub(crate) const fn passed(&self) -> usize {
        self.at
    }

    /// Whether no kernel is to be asked what is next: so near the last error, or since it is an error for certain, what is left of a
    /// character without its lead byte.
    #[inline]
    fn is_near(&self) -> bool {
        let is_tail = || self.src[self.at] & 0xC0 == 0x80;
        !SMALL && (self.at < self.behind + self.errors.reach() || self.at == self.behind && is_tail())
    }
}

impl Iterator for IllFormedSequences<'_> {
    type Item = IllFormed;

    #[inline]
    fn next(&mut self) -> Option<IllFormed> {
        let src = self.src;
        // Mostly there are only ASCII characters.
        if self.errors.reach() == MOST_BEFORE
            && self.at == self.behind
            && let Some([first, second, third]) = src[self.at..].first_chunk::<MOST_BEFORE>()
            && (first | second | third).is_ascii()
        {
            self.at += MOST_BEFORE;
        }
        while self.at < src.len() {
            if !self.is_near() {
                self.at = self.errors.next(self.engine, src, self.at);
                if self.at == src.len() {
                    break;
                }
            }
            match Utf8::decode(&src[self.at..]) {
                Ok((_, len)) => {
                    self.errors.is_character();
                    self.at += len;
                }
                Err(fault) => {
                    let error = Utf8::error(fault, src, self.at);
                    self.at += fault.len();
                    self.behind = self.at;
                    return Some(error);
                }
            }
        }
        None
    }
}

impl core::iter::FusedIterator for IllFormedSequences<'_> {}
