//! How much work the tests do.
//!
//! There are three sizes. `full` is everything. `default` has every class: each alignment, each boundary, each engine, each
//! pair of encodings, all strings of one and two bytes, all scalar values; but of the millions of strings that are alike
//! only a sample. `small`, for emulators, which are some ten to fifty times slower, has every class too, with less of each.
//!
//! A sample is every n-th of the same strings, where n shares no factor with the lengths of the loops and so
//! comes by all of them.
//!
//! `RUNECAST_TEST_SCALE` says which. Without it x86-64 is taken to be native and gets `default`; every other architecture is
//! taken to be emulated and gets `small`.

use std::sync::OnceLock;

/// How much is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As little as meets every class.
    Small,
    /// What a minute has time for.
    Default,
    /// Everything.
    Full,
}

/// How much is to be done in this run.
pub fn scale() -> Scale {
    static SCALE: OnceLock<Scale> = OnceLock::new();
    *SCALE.get_or_init(|| match std::env::var("RUNECAST_TEST_SCALE").as_deref() {
        Ok("small") => Scale::Small,
        Ok("default") => Scale::Default,
        Ok("full") => Scale::Full,
        Ok(other) => panic!("RUNECAST_TEST_SCALE is {other:?}: expected full, default or small"),
        Err(_) if !cfg!(target_arch = "x86_64") || cfg!(miri) => Scale::Small,
        Err(_) => Scale::Default,
    })
}

/// Whether this is the smallest run.
pub fn small() -> bool {
    scale() == Scale::Small
}

/// The step of a loop: 1 in a full run, or one of these.
pub fn step(default: usize, small: usize) -> usize {
    size(1, default, small)
}

/// A number for each size of run.
pub fn size(full: usize, default: usize, small: usize) -> usize {
    match scale() {
        Scale::Full => full,
        Scale::Default => default,
        Scale::Small => small,
    }
}
