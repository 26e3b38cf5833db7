//! Everything that is compared with something that knows better: the standard library, other crates, models that were
//! written straight from the specifications, and tables of what others have published.
//!
//! One program, for the time goes into compiling: the conversions between all pairs of encodings are compiled once,
//! and whatever needs them is here. Programs of their own are only what needs a process of its own (`engines`),
//! an optimised build (`instructions`) or other features (`features`).
//!
//! - `reference`: who checks the checker.
//! - `exhaustive`, `boundary`, `segments`, `long_text`, `guard_pages`, `properties`: UTF-8 is judged rightly, on every engine.
//! - `behaviours`: the examples that others have published.
//! - `wide_units`: the same for UTF-16 and UTF-32.
//! - `encodings`: conversion and repair between all pairs.
//! - `scan`: masks, positions and lines from the pass that validates.
//! - `stream`: texts in chunks.
//! - `batch`, `chars`, `index`, `wtf8`: arrays, characters, offsets, strings of WTF-8.
//! - `codegen`: no intrinsic has become a call.
//! - `dynamic`: encodings that are known at run time only.
//!
//! How much each test does depends on `RUNECAST_TEST_SCALE`: see `common/scale.rs`.

#[path = "../common/mod.rs"]
mod common;

mod all_errors;
mod ascii_runs;
mod batch;
mod behaviours;
mod boundary;
#[cfg(unix)]
mod changing_text;
mod chars;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod codegen;
#[cfg(feature = "dynamic")]
mod dynamic;
mod encodings;
mod exhaustive;
#[cfg(unix)]
mod guard_pages;
mod index;
mod long_text;
mod properties;
mod reference;
mod scan;
mod segments;
mod stream;
mod wide_units;
mod wtf8;
