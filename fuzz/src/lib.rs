//! What the fuzz targets ask, and what they stand on, compiled once.
//!
//! Each target was a program of its own before, and each compiled for itself what it calls of the library: for four instruction sets
//! and many pairs of encodings, with the counters of libFuzzer and the checks of AddressSanitizer, most of it in several of them. Now that
//! code is in this library. Nothing in it is generic where a target begins, so that no program compiles it again; a program is a
//! call, and the linker drops what it does not need, the counters of that included.
//!
//! The models, the texts and the memory are those of the tests. They, and the modules of the C interface, name each other from
//! the root, so they are here by the names that they have there.

pub mod choices;
pub mod targets;
pub mod texts;

#[path = "../../tests/common/mod.rs"]
pub mod common;
#[path = "../../tests/differential/encodings/corrected/model.rs"]
pub mod corrected_model;
#[path = "../../tests/differential/encodings/expected.rs"]
pub mod expected;
#[allow(clippy::len_without_is_empty, reason = "no test asks whether a text is empty")]
#[path = "../../tests/differential/index/model.rs"]
pub mod index_model;
#[path = "../../tests/differential/encodings/pairs.rs"]
pub mod pairs;
#[path = "../../tests/differential/encodings/replace/model.rs"]
pub mod replace_model;

// The C interface: its package makes libraries for C only, which cannot be depended on.
#[path = "../../crates/capi/src/boundary.rs"]
mod boundary;
#[path = "../../crates/capi/src/check.rs"]
mod check;
#[path = "../../crates/capi/src/convert.rs"]
mod convert;
#[path = "../../crates/capi/src/detect.rs"]
mod detect;
#[path = "../../crates/capi/src/encoding.rs"]
mod encoding;
#[path = "../../crates/capi/src/engine.rs"]
mod engine;
#[path = "../../crates/capi/src/lengths.rs"]
mod lengths;
#[path = "../../crates/capi/src/map.rs"]
mod map;
#[path = "../../crates/capi/src/message.rs"]
mod message;
#[path = "../../crates/capi/src/offset.rs"]
mod offset;
#[path = "../../crates/capi/src/policy.rs"]
mod policy;
#[path = "../../crates/capi/src/stream.rs"]
mod stream;
#[path = "../../crates/capi/src/types.rs"]
mod types;
#[path = "../../crates/capi/src/validator.rs"]
mod validator;
