//! Validation, chunk by chunk, of an encoding that is known when the program runs.
//!
//! A [`Validator`] is a number, and what the number means is its type's. So here is the number with a
//! [`Scheme`] beside it, and each call is that of the type: there is nothing else to it. The number can be had and
//! given back, for those who keep it where no type of Rust can be: the C interface is one.

use core::fmt;

use crate::dynamic::{Scheme, with_type};
use crate::stream::Validator;
use crate::unicode::IllFormed;

/// Checks a text that comes in chunks: a [`Validator`] of an encoding that is known when the program runs.
///
/// ```
/// use runecast::{AnyValidator, Scheme};
///
/// let mut validator = AnyValidator::new(Scheme::Utf16Le);
/// validator.push(b"r\0u")?;
/// validator.push(b"\0\x6B\x01")?;
/// validator.push(b"\x3E\xD8")?; // a high surrogate
/// assert_eq!((validator.offset(), validator.waiting()), (6, 2));
/// assert_eq!(validator.finish().unwrap_err().at, 6);
/// # Ok::<(), runecast::IllFormed>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnyValidator {
    scheme: Scheme,
    state: u64,
}

impl AnyValidator {
    /// At the beginning of a text in this scheme.
    #[must_use]
    #[inline]
    pub const fn new(scheme: Scheme) -> Self {
        AnyValidator { scheme, state: 1 }
    }

    /// One that stands where the other stood whose [`state`](Self::state) this is. 0 is the beginning of a text;
    /// and any number is some state, if not one that means anything.
    #[must_use]
    #[inline]
    pub const fn from_state(scheme: Scheme, state: u64) -> Self {
        AnyValidator { scheme, state: if state == 0 { 1 } else { state } }
    }

    /// Where it stands, and what waits, as a number.
    #[must_use]
    #[inline]
    pub const fn state(self) -> u64 {
        self.state
    }

    /// The encoding.
    #[must_use]
    #[inline]
    pub const fn scheme(self) -> Scheme {
        self.scheme
    }

    /// [`Validator::push`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), IllFormed> {
        with_type!(self.scheme, E => {
            let mut validator = Validator::<E>::from_state(self.state);
            validator.push(chunk)?;
            self.state = validator.state();
            Ok(())
        })
    }

    /// [`Validator::finish`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn finish(self) -> Result<(), IllFormed> {
        with_type!(self.scheme, E => Validator::<E>::from_state(self.state).finish())
    }

    /// [`Validator::waiting`].
    #[must_use]
    #[inline]
    pub const fn waiting(&self) -> usize {
        with_type!(self.scheme, E => Validator::<E>::from_state(self.state).waiting())
    }

    /// [`Validator::offset`].
    #[must_use]
    #[inline]
    pub const fn offset(&self) -> u64 {
        with_type!(self.scheme, E => Validator::<E>::from_state(self.state).offset())
    }

    /// [`Validator::complete_prefix`].
    #[must_use]
    #[inline]
    pub const fn complete_prefix(&self, chunk: &[u8]) -> usize {
        chunk.len().saturating_sub(self.waiting())
    }
}

impl fmt::Debug for AnyValidator {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyValidator")
            .field("scheme", &self.scheme)
            .field("offset", &self.offset())
            .field("waiting", &self.waiting())
            .finish()
    }
}
