//! The program of the target `chunks`; `src/targets/chunks.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::chunks;

fuzz_target!(|input: &[u8]| chunks::run(input));
