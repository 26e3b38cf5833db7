//! The C interface of runecast.
//!
//! What a C program sees is `include/runecast.h`, which cbindgen makes from these files: the comments of
//! the public items here are that page's, and written for its readers. This essay is for those who change it.
//!
//! # One form for all texts
//! A text is an encoding, an address and a length in bytes, whatever its unit: a number that is always in bytes
//! cannot be in the wrong unit, and a `const void *` takes `char *` and `uint16_t *` without a cast. So the
//! interface uses those functions of the library that take encodings as values (`Scheme`, `AnyTranscoder`,
//! `AnyValidator`), and instantiates no pair of encodings of its own but UTF-8 to UTF-16LE and back, for whole
//! texts. Functions that look at a text return a number; those that can fail return a [`types::Outcome`], by
//! value. There is no hidden state: no last error, nothing but the choice of kernels.
//!
//! # What crosses the boundary
//! Everything from the other side is a number until it has been looked at. An `enum` of Rust must never have a
//! value that it does not name, so the enumerations of the header are declared for C alone, and parameters are
//! `uint32_t`: a wrong one is `RUNECAST_BAD_ARGUMENT`, not undefined behaviour. Addresses become slices in one
//! place, [`boundary`], which also refuses what no slice of Rust may be: a null pointer with a length, a length
//! above half of the address space, an output that overlaps its input. Outputs are not assumed to be initialised.
//!
//! No panic is known, and none crosses: each call runs inside `catch_unwind`, and comes back as
//! `RUNECAST_INTERNAL` (or 0, from functions that return a number). Where unwinding is compiled out (`panic =
//! "abort"`) the process ends instead. What that costs a call that does not panic could not be measured: 15 bytes
//! were validated in 6.7 ns with it, and in 7.0 without.
//!
//! # Stability
//! Functions, numbers and the order of fields stay as they are for as long as `RUNECAST_ABI_VERSION` does; new
//! numbers may be added. `tests/abi.c` repeats all of them as literals, so that a change is noticed.
//!
//! # What was left out
//! Handles for texts in native units: the names `RUNECAST_UTF16`, `RUNECAST_UTF32` and `RUNECAST_WTF16` stand
//! for the byte order of the machine, which is all that there is to a form in bytes. Allocators of
//! the caller: what allocates makes a stream, or a map of offsets.

mod boundary;
mod check;
mod convert;
mod detect;
mod encoding;
mod engine;
mod lengths;
mod map;
mod message;
mod offset;
mod policy;
mod stream;
mod types;
mod validator;
