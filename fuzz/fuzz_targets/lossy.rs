//! The program of the target `lossy`; `src/targets/lossy.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::lossy;

fuzz_target!(|input: &[u8]| lossy::run(input));
