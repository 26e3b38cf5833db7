//! The program of the target `index`; `src/targets/index.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::index;

fuzz_target!(|input: index::Questions| index::run(input));
