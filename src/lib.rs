//! runecast
#![cfg_attr(not(feature = "std"), no_std)]
#[cfg(feature = "alloc")]
extern crate alloc;

mod chunks;
mod compat;
mod encoding;
mod illformed;
mod kernel;
mod machine;
mod sink;
mod validate;

pub use chunks::{Utf8Chunk, Utf8Chunks, utf8_chunks};
pub use compat::{Utf8Error, ascii_prefix, from_utf8, from_utf8_mut, is_ascii, is_utf8};
pub use encoding::{Encoding, Utf8};
pub use illformed::{IllFormed, Kind};
pub use kernel::{Engine, Isa, Unavailable, UnknownIsa};
pub use validate::{IllFormedSequences, ill_formed, validate};
