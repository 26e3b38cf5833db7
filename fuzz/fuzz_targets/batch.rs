//! The program of the target `batch`; `src/targets/batch.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::batch;

fuzz_target!(|input: &[u8]| batch::run(input));
