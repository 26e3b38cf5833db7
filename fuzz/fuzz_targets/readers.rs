//! The program of the target `readers`; `src/targets/readers.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::readers;

fuzz_target!(|input: readers::Case<'_>| readers::run(input));
