//! The program of the target `corrected`; `src/targets/corrected.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::corrected;

fuzz_target!(|input: &[u8]| corrected::run(input));
