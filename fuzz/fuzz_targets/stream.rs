//! The program of the target `stream`; `src/targets/stream.rs` says what it asks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runecast_fuzz::targets::stream;

fuzz_target!(|input: stream::Case<'_>| stream::run(input));
