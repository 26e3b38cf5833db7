//! The program of the target `segments`; `src/targets/segments.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::segments;

fuzz_target!(|input: segments::Score| segments::run(input));
