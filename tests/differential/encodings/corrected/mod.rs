//! Corrected UTF-8 against a model of its own.
//!
//! - `documents`: the magic number, lints, C1 controls, repair.
//! - `table`: the specification's table and what it says beside it; every code point; every short string.
//! - `pairs`: conversions from and to everything else, on every engine.
//! - `huge`: reserved sequences of more than four GiB.
//! - `streams`: the same in chunks, cut anywhere, above all in reserved sequences.

mod documents;
mod huge;
mod model;
mod pairs;
pub mod streams;
mod table;
