//! The program of the target `scan`; `src/targets/scan.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::scan;

fuzz_target!(|input: scan::Input<'_>| scan::run(input));
