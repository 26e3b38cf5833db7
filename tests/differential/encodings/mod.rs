//! Every pair of encodings, on every engine.
//!
//! One program, for what takes time is to compile the conversions: what needs them all is together.
//!
//! - `transcode`: conversion against the oracle.
//! - `replace`: repair against models, and against what real programs did.
//! - `around`: what is particular to WTF-8, CESU-8 and their like.
//! - `corrected`: what is particular to Corrected UTF-8.
//! - `pairs`, `expected`: every pair as a value; what a conversion has to say, and the canaries around its output.
//!   (A program that has the table in it compiles all of the pairs, whether or not it uses them.)

mod around;
pub mod corrected;
mod expected;
mod pairs;
pub mod replace;
mod transcode;
