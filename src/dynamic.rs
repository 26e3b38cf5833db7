//! Encodings chosen at run time (feature `dynamic`).
//!
//! Elsewhere an encoding is a type, and only the pairs that a program names are compiled. Here an encoding is a value, so that
//! the code for all of them has to be there. That costs compile time, and is why it needs a feature.
//!
//! - [`scheme`]: encodings and their names as values.
//! - [`path`]: the path from one encoding to another: direct, or through a pivot.
//! - [`one_shot`]: whole texts; [`lengths`]: the length of their conversions.
//! - [`transcoder`], [`validator`]: text in chunks.

mod lengths;
mod one_shot;
mod path;
mod scheme;
mod transcoder;
mod validator;

#[cfg(feature = "alloc")]
pub(crate) use path::Path;
pub(crate) use scheme::with_type;
pub use scheme::{Label, Scheme, UnknownLabel};
pub use transcoder::AnyTranscoder;
pub use validator::AnyValidator;
