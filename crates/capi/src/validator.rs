//! Validators: texts that come in chunks and are only validated, without a handle.
//!
//! The library's validator is a number beside an encoding, and so is this one: a caller keeps it where it likes,
//! copies it to return to an earlier position, and never frees it. The number is opaque.

use std::ffi::c_void;

use runecast::{AnyValidator, IllFormed};

use crate::boundary::{guard, input};
use crate::encoding::scheme;
use crate::types::{Codes, EncodingNumber, Outcome};

/// Checks a text that comes in chunks. It is made by runecast_validator_new(), or by setting `encoding` and
/// all else to 0; it may be copied, and is never freed.
///
/// In eight bytes it counts those of a text in UTF-8 to 2^45, in UTF-16, UTF-32 and WTF-16 to 2^39, and in the other
/// encodings that write several bytes for a character (CESU-8, modified UTF-8, WTF-8, generalized UTF-8, the wobbly
/// ones, Corrected UTF-8) to 2^33. What is ill-formed behind that is found, but its place is said to be there: in texts
/// of more than 8 GiB count the chunks yourself, or use a stream.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Validator {
    /// The encoding of the text.
    pub encoding: EncodingNumber,
    /// 0.
    pub reserved: u32,
    /// What the library has to know.
    pub state: u64,
}

impl Validator {
    fn inner(&self) -> Option<AnyValidator> {
        scheme(self.encoding).map(|scheme| AnyValidator::from_state(scheme, self.state))
    }
}

fn told(result: Result<(), IllFormed>, read: usize) -> Outcome {
    match result {
        Ok(()) => Outcome::ok(read, 0),
        Err(error) => Outcome::wrong(error),
    }
}

/// A validator at the beginning of a text.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_validator_new(encoding: EncodingNumber) -> Validator {
    Validator { encoding, reserved: 0, state: 0 }
}

/// Checks the next chunk, which may end in the middle of a character. Where it is ill-formed, `at` is the place
/// in the whole text, as far as a validator counts, and may lie before this chunk; the validator is then as it was
/// before.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_validator_push(
    validator: *mut Validator,
    src: *const c_void,
    len: usize,
) -> Outcome {
    // SAFETY: the contract of the header: it is null, or a validator that nobody else uses.
    let validator = unsafe { validator.as_mut() };
    // SAFETY: the contract of the header.
    let src = unsafe { input(src, len) };
    let (Some(validator), Some(src)) = (validator, src) else {
        return Outcome::of(Codes::RunecastBadArgument);
    };
    let Some(mut inner) = validator.inner() else { return Outcome::of(Codes::RunecastBadArgument) };
    guard(
        || Outcome::of(Codes::RunecastInternal),
        || {
            let result = inner.push(src);
            validator.state = inner.state();
            told(result, src.len())
        },
    )
}

/// Says that there are no more chunks: an error if the text ends in the middle of a character.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_validator_finish(validator: *const Validator) -> Outcome {
    // SAFETY: the contract of the header: it is null, or a validator that nobody else uses.
    let validator = unsafe { validator.as_ref() };
    let Some(inner) = validator.and_then(Validator::inner) else {
        return Outcome::of(Codes::RunecastBadArgument);
    };
    guard(|| Outcome::of(Codes::RunecastInternal), || told(inner.finish(), 0))
}

/// How many bytes are known to be well-formed: all that were pushed, but for those of an incomplete character. Exact as
/// far as a validator counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_validator_offset(validator: *const Validator) -> u64 {
    // SAFETY: the contract of the header: it is null, or a validator that nobody else uses.
    let inner = unsafe { validator.as_ref() }.and_then(Validator::inner);
    guard(|| 0, || inner.map_or(0, |inner| inner.offset()))
}

/// How many bytes wait for what comes after them: so many at the end of what was pushed are not text yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_validator_waiting(validator: *const Validator) -> usize {
    // SAFETY: the contract of the header: it is null, or a validator that nobody else uses.
    let inner = unsafe { validator.as_ref() }.and_then(Validator::inner);
    guard(|| 0, || inner.map_or(0, |inner| inner.waiting()))
}
