//! What Unicode text *is*: encodings and their families, the errors, and how one character is read and written.
//!
//! - [`encoding`]: the encodings, as types.
//! - [`unit`](mod@unit): the integers that are code units.
//! - [`family`]: the one classification: which encoding it is, with its byte order and what it allows, and its family.
//! - [`form`]: a family and a byte order as a type, by which kernels are looked up.
//! - [`surrogate`]: the surrogate code points.
//! - [`error`]: the rules that text can break, by name.
//! - [`codec`]: one reference codec per encoding, line by line beside its specification. Only codecs *name* what is wrong with a
//!   sequence.
//!
//! Nothing here uses another part of the crate, and nothing here tries to be fast.

pub(crate) mod codec;
mod encoding;
mod error;
mod family;
mod form;
mod surrogate;
mod unit;

pub use encoding::{
    Ascii, Cesu8, CorrectedUtf8, Encoding, GeneralizedUtf8, Latin1, Mutf8, Utf8, Utf16, Utf16Be, Utf16Le,
    Utf32, Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16, Wtf16Be, Wtf16Le,
};
pub(crate) use error::{Fault, saturating_offset};
pub use error::{IllFormed, Kind};
pub(crate) use family::{Family, Order, Variant};
pub(crate) use form::{Bytes, Cesu8Form, CorrectedForm, Form, Utf8Form, Utf16Form, Utf32Form};
pub(crate) use surrogate::{is_high, is_low, is_surrogate, joined};
pub use unit::CodeUnit;
pub(crate) use unit::{Unit, cast, cast_mut};
