//! Encodings that are known when the program runs (feature `dynamic`).
//!
//! Elsewhere an encoding is a type, and only the pairs that a program names are compiled. Here an encoding is a value, so that
//! everything must be there for all of them. That takes a while to compile, and is behind a feature for that.
//!
//! - [`scheme`]: encodings and their names as values.
//! - [`path`]: the way from one to another: direct, or by a pivot.
//! - [`one_shot`]: whole texts; [`lengths`]: how long they become.
//! - [`transcoder`], [`validator`]: texts in chunks.

mod lengths;
mod one_shot;
mod path;
mod scheme;
mod transcoder;
mod validator;

#[cfg(feature = "alloc")]
pub(crate) use path::Pair;
pub(crate) use scheme::with_type;
pub use scheme::{Label, Scheme, UnknownLabel};
pub use transcoder::AnyTranscoder;
pub use validator::AnyValidator;
