//! Every pair of encodings, on every engine.
//!
//! One program, for what takes time is to compile the conversions: what needs them all is together.
//!
//! - `transcode`: conversion against the oracle.
//! - `replace`: repair against models, and against what real programs did.
//! - `around`: what is particular to WTF-8, CESU-8 and their like.
//! - `corrected`: what is particular to Corrected UTF-8.

#[path = "../common/mod.rs"]
mod common;

mod around;
mod corrected;
mod replace;
mod transcode;
