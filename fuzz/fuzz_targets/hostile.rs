//! The program of the target `hostile`; `src/targets/hostile.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::hostile;

fuzz_target!(|input: hostile::Case<'_>| hostile::run(input));
