//! The program of the target `capi`; `src/targets/capi.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::capi;

fuzz_target!(|input: capi::Case<'_>| capi::run(input));
