//! What the tests stand on.
//!
//! - [`reference`]: a decoder written straight from Table 3-7, which shares nothing with `src/`.
//! - [`check`]: the claims of the library, put as one function that takes any bytes: the truth
//!   about them is found once, and every engine that this CPU can run has to tell it.
//! - [`texts`]: well-formed text of every width, what can be wrong with it, and a small generator
//!   of pseudo-random numbers, so that a failure comes back at the next run.
//! - [`lines`]: text in lines, which lead the loops for long text from one way to another.
//! - [`place`] and `guard`: where bytes lie. The first puts them at every alignment between
//!   neighbours that tempt a kernel to read too far, the second against pages that must not be
//!   touched at all.
//! - [`oracle`]: encodings read and written by the book.
//! - [`scale`]: how much work a test does, which is less where the CPU is emulated.
//!
//! A test asks for engines by [`check::engines`] and never by name, so a new kernel is covered on
//! the day it enters the list.

#![allow(dead_code, reason = "every test binary compiles all of this and uses a part of it")]

pub mod check;
#[cfg(unix)]
pub mod guard;
pub mod lines;
pub mod oracle;
pub mod place;
pub mod reference;
pub mod rows;
pub mod scale;
pub mod texts;
