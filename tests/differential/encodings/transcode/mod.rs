//! Conversion: every pair of encodings, on every engine, against the oracle.
//!
//! The loops are over [`PAIRS`](crate::encodings::pairs::PAIRS) and [`engines`](crate::common::check::engines), so
//! that a kernel or an encoding is covered on the day it enters the list.
//!
//! - `oracle`: the oracle itself against the standard library.
//! - `scalars`: every character, alone and among others; the neighbours at the boundaries of encodings.
//! - `errors`: everything that can be wrong, at every offset.
//! - `names`: the names of the standard library; the order of bytes.
//! - `outputs`: outputs of every size; alignments.
//! - `lengths`: counts, lengths, repertoires.
//! - `forms`: the functions that take no engine; round trips; mixes at random.
//! - `tiny`: the shortest texts, of every length, into outputs of every size.
//! - `guarded`: inputs and outputs against forbidden pages.

mod errors;
mod forms;
#[cfg(unix)]
mod guarded;
mod lengths;
mod names;
mod oracle;
mod outputs;
mod scalars;
mod text;
mod tiny;
