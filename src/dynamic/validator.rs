//! Validation, chunk by chunk, in an encoding chosen at run time.
//!
//! The state of a [`Validator`] is a number, whose meaning depends on its type. Here that number is kept beside a [`Scheme`],
//! and each call is that of the type. The number can be read and restored, for those who keep it where no Rust type can be,
//! as the C interface does.

use core::fmt;

use crate::dynamic::{Scheme, with_type};
use crate::stream::Validator;
use crate::unicode::IllFormed;

/// Checks text that arrives in chunks: a [`Validator`] for an encoding chosen at run time. It never allocates.
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

    /// The validator that had this [`state`](Self::state). 0 is the beginning of a text. Any number is some state, if not a
    /// meaningful one.
    #[must_use]
    #[inline]
    pub const fn from_state(scheme: Scheme, state: u64) -> Self {
        AnyValidator { scheme, state: if state == 0 { 1 } else { state } }
    }

    /// The offset and the waiting units, as a number.
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

    /// As [`Validator::push`].
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

    /// As [`Validator::finish`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn finish(self) -> Result<(), IllFormed> {
        with_type!(self.scheme, E => Validator::<E>::from_state(self.state).finish())
    }

    /// As [`Validator::waiting`].
    #[must_use]
    #[inline]
    pub const fn waiting(&self) -> usize {
        with_type!(self.scheme, E => Validator::<E>::from_state(self.state).waiting())
    }

    /// As [`Validator::offset`].
    #[must_use]
    #[inline]
    pub const fn offset(&self) -> u64 {
        with_type!(self.scheme, E => Validator::<E>::from_state(self.state).offset())
    }

    /// As [`Validator::complete_prefix`].
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
