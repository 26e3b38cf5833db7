//! The program of the target `validate`; `src/targets/validate.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::validate;

fuzz_target!(|input: &[u8]| validate::run(input));
