//! The program of the target `transcode`; `src/targets/transcode.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::transcode;

fuzz_target!(|input: &[u8]| transcode::run(input));
