//! The program of the target `lines`; `src/targets/lines.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::lines;

fuzz_target!(|input: &[u8]| lines::run(input));
