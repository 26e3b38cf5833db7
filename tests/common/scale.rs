//! How much work the tests do.
//!
//! On a CPU of its own, everything. On an emulated one, some fifty times less: the sizes are cut
//! and never the classes, by taking every n-th of the same strings, where n shares no factor with
//! the lengths of the loops and so comes by all of them.
//!
//! `RUNECAST_TEST_SCALE` says `full` or `small`; without it, x86-64 is taken to be native and
//! every other architecture to be emulated.

use std::sync::OnceLock;

/// Whether the work is to be cut.
pub fn small() -> bool {
    static SMALL: OnceLock<bool> = OnceLock::new();
    *SMALL.get_or_init(|| match std::env::var("RUNECAST_TEST_SCALE").as_deref() {
        Ok("small") => true,
        Ok("full") => false,
        Ok(other) => panic!("RUNECAST_TEST_SCALE is {other:?}: expected full or small"),
        Err(_) => !cfg!(target_arch = "x86_64") || cfg!(miri),
    })
}

/// The step of a loop: 1, or `cut` where the work is to be cut.
pub fn step(cut: usize) -> usize {
    if small() { cut } else { 1 }
}

/// The first number where all is done, the second where the work is to be cut.
pub fn size(full: usize, cut: usize) -> usize {
    if small() { cut } else { full }
}
