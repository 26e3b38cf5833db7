//! Promises of the API that need no kernel to be kept: what is borrowed, what a `Debug` says, where a stream stands.
//!
//! The differential tests compare all ways to convert a text. These are the other functions, each of which is a line or two: those that
//! pass everything on to another, comparisons, conversions between types, names, messages, hints. Each test was written because a change
//! of the library went unnoticed (`tests/mutants/README.md`), and says with plain values what is expected.
//!
//! - `columns`: values one after the other, and views.
//! - `display`: bytes in a message.
//! - `engine`: the methods of an [`Engine`](runecast::Engine).
//! - `files`: whole files as strings.
//! - `index`: maps of offsets.
//! - `policies`: what stands for what is ill-formed, and how long that is.
//! - `repertoire`: which characters a text has.
//! - `scans`: lines, records, chunks.
//! - `streams`: what waits in a stream, and what is there after a restart.
//! - `unchanged`: which conversions borrow.
//! - `words`: names and messages.
//! - `wtf8`: strings with surrogates.

#[path = "../common/memory.rs"]
#[allow(dead_code, reason = "other programs use other parts of it")]
mod memory;

mod columns;
mod display;
mod engine;
mod errors;
mod files;
mod index;
mod owned;
mod policies;
mod repertoire;
mod scans;
mod streams;
mod unchanged;
mod words;
mod wtf8;

#[global_allocator]
static ALLOCATOR: memory::Watched = memory::Watched;
