//! The program of the target `double_reads`; `src/targets/double_reads.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::double_reads;

fuzz_target!(|input: double_reads::Case<'_>| double_reads::run(input));
