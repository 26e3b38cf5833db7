//! The program of the target `detect`; `src/targets/detect.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::detect;

fuzz_target!(|input: detect::Input| detect::run(input));
