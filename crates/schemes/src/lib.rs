//! The encodings that UTF-8 could have become, and what damage does to each of them.
//!
//! The essay *Inventing UTF-8* by Evyl Blue designs an encoding step by step, from LEB128 by way of four
//! schemes with counters to UTF-8, and rejects each step for what a lost or an inserted byte does to it. Here
//! every step is a codec that can be run, so that the argument can be recomputed; `runecast lab` prints the
//! tables. In the order of the essay, with two more at its side (the first and the last):
//!
//! | name | scheme | lead byte, bytes behind it | bits | bytes |
//! |---|---|---|---|---|
//! | [`leb128`](Leb128) | LEB128 as compilers write it | `1xxxxxxx`… `0xxxxxxx` | 32 | 5 |
//! | [`tagged`](Tagged) | LEB128 as the essay writes it | `0xxxxxxx`, `1xxxxxxx` | 32 | 5 |
//! | [`naive`](Naive) | a counter in each byte | `1cccxxxx`, `1cccxxxx` | 24 | 6 |
//! | [`start`](StartBit) | a start bit and a counter in each byte | `10cccxxx`, `11cccxxx` | 21 | 7 |
//! | [`one`](OneCounter) | one counter, in the lead byte | `10cccxxx`, `11xxxxxx` | 32 | 6 |
//! | [`unary`](Unary) | the counter in unary digits | `10xxxxxx`, `xxxxxxxx` | 32 | 5 |
//! | [`cleared`](Cleared) | the same without its second row | `110xxxxx`, `10xxxxxx` | 32 | 7 |
//! | [`rfc2044`](Rfc2044) | RFC 2044, the layout of FSS-UTF | `110xxxxx`, `10xxxxxx` | 31 | 6 |
//! | [`utf8`](Utf8) | UTF-8 | `110xxxxx`, `10xxxxxx` | U+10FFFF | 4 |
//! | [`corrected`](Corrected) | Corrected UTF-8 | `110xxxxx`, `10xxxxxx` | 8421109F | 6 |
//!
//! The exact layout of each is in its own documentation. All of them encode ASCII as itself. A codec is a
//! few lines of scalar code that follow the description and nothing else; the fast UTF-8 of this project is
//! the crate `runecast`, with which the tests compare.
//!
//! ```
//! use runecast_schemes::{Naive, Scheme, Tagged};
//!
//! assert_eq!(Tagged.encode(33577).unwrap().bytes(), [0x29, 0x86, 0x82]);
//! // Without its last byte that is another number.
//! assert_eq!(Tagged.decode(&[0x29, 0x86]).unwrap().unwrap().value, 809);
//! // Without its first byte, so is this.
//! assert_eq!(Naive.decode(&[0xA2, 0x93, 0x88]).unwrap().unwrap().value, 2098);
//! ```
//!
//! # What a decoder accepts
//!
//! What the description of a scheme forbids, and no more. So the schemes before UTF-8 accept forms that are
//! longer than they need be (`29 80` is 41 in `tagged`), for nothing in the essay refuses them until it comes
//! to "Removing nonsense". [`Strict`] refuses them in any scheme.
//!
//! Values are `u32`, more than Unicode needs. Bits above these are an error ([`Fault::TooLarge`]), although
//! some of the layouts would go on.
//!
//! # Damage
//!
//! [`damage`] makes every single-byte deletion, insertion, substitution and swap of neighbours in a sample and
//! says what became of the text: whether the damage is noticed, how many characters are lost that were not
//! hit, and whether the decoder finds back into step. [`remarks`] lists where the essay slips.

#![no_std]

extern crate alloc;

mod corrected;
mod counter;
pub mod damage;
mod leb128;
pub mod remarks;
mod unary;
mod utf8;

use core::fmt;

pub use corrected::{Corrected, MAGIC};
pub use counter::{Naive, OneCounter, StartBit};
pub use leb128::{Leb128, Tagged};
pub use unary::{Cleared, Rfc2044, Unary};
pub use utf8::Utf8;

/// Every scheme, in the order of the essay.
pub const ALL: [&dyn Scheme; 10] =
    [&Leb128, &Tagged, &Naive, &StartBit, &OneCounter, &Unary, &Cleared, &Rfc2044, &Utf8, &Corrected];

/// The scheme with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Scheme> {
    ALL.into_iter().find(|scheme| scheme.name() == name)
}

/// A way to write numbers as bytes, one behind the other, so that they can be read back.
pub trait Scheme: Sync {
    /// A short name, in lower case.
    fn name(&self) -> &'static str;

    /// What it is, in a few words.
    fn title(&self) -> &'static str;

    /// The bytes of a value: the shortest form, and the only one that is ever written. `None` if it
    /// has none.
    fn encode(&self, value: u32) -> Option<Form>;

    /// The value at the beginning of `bytes`, or what is wrong there. `None` if there are no bytes.
    ///
    /// A decoder has no memory: what it says depends on `bytes` alone. Whether a step is good or bad, it has
    /// a length of at least one, and the next step begins behind it.
    fn decode(&self, bytes: &[u8]) -> Option<Step>;

    /// How many bits at the top of byte `index` of a well-formed `form` are not part of the value.
    fn tag_bits(&self, form: &[u8], index: usize) -> u32;
}

/// One step of a decoder.
pub type Step = Result<Decoded, IllFormed>;

/// A value that was decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The value.
    pub value: u32,
    /// The number of bytes.
    pub len: usize,
}

/// Bytes that are no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// What is wrong.
    pub fault: Fault,
    /// The number of bytes that the decoder passes over, at least one: as far as they were the beginning of
    /// something.
    pub len: usize,
}

/// What can be wrong with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A byte that continues a sequence, where none is open.
    Stray,
    /// A sequence ends before its last byte.
    Truncated,
    /// A byte that begins nothing.
    NeverUsed,
    /// Not the form that is written: a longer one, or a lone byte with a counter of zero in place of ASCII.
    Overlong,
    /// A surrogate, U+D800 to U+DFFF.
    Surrogate,
    /// Above what the scheme can stand for.
    TooLarge,
    /// Reserved for the future: neither well-formed nor wrong.
    Reserved,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Stray => "stray byte",
            Fault::Truncated => "truncated",
            Fault::NeverUsed => "never used",
            Fault::Overlong => "overlong",
            Fault::Surrogate => "surrogate",
            Fault::TooLarge => "too large",
            Fault::Reserved => "reserved",
        })
    }
}

/// The bytes of one value: 1 to 7 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    bytes: [u8; 7],
    len: u8,
}

impl Form {
    /// A form of `len` bytes, given by their places.
    fn of(len: usize, byte: impl Fn(usize) -> u8) -> Form {
        debug_assert!((1..=7).contains(&len));
        let mut bytes = [0; 7];
        for (index, place) in bytes.iter_mut().enumerate().take(len) {
            *place = byte(index);
        }
        Form { bytes, len: len as u8 }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// A scheme in which a value has one form only, the one that is written: every other is [`Fault::Overlong`].
///
/// `Strict(&Rfc2044)` is FSS-UTF as its authors proposed it, where "only the shortest" was legal from the
/// beginning; RFC 2044 tells the encoder which form to write, and is silent about decoders.
#[derive(Clone, Copy)]
pub struct Strict<'a>(pub &'a dyn Scheme);

impl Scheme for Strict<'_> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn title(&self) -> &'static str {
        self.0.title()
    }

    fn encode(&self, value: u32) -> Option<Form> {
        self.0.encode(value)
    }

    fn decode(&self, bytes: &[u8]) -> Option<Step> {
        let step = self.0.decode(bytes)?;
        Some(step.and_then(|decoded| match self.0.encode(decoded.value) {
            Some(form) if form.bytes() == &bytes[..decoded.len] => Ok(decoded),
            _ => Err(IllFormed { fault: Fault::Overlong, len: decoded.len }),
        }))
    }

    fn tag_bits(&self, form: &[u8], index: usize) -> u32 {
        self.0.tag_bits(form, index)
    }
}

/// The steps of a decoder through a text.
#[derive(Clone)]
pub struct Steps<'a> {
    scheme: &'a dyn Scheme,
    bytes: &'a [u8],
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = self.scheme.decode(self.bytes)?;
        self.bytes = &self.bytes[length(step)..];
        Some(step)
    }
}

/// Decodes a text, step by step.
#[must_use]
pub fn steps<'a>(scheme: &'a dyn Scheme, bytes: &'a [u8]) -> Steps<'a> {
    Steps { scheme, bytes }
}

/// The number of bytes that a step takes.
#[must_use]
pub fn length(step: Step) -> usize {
    step.map_or_else(|error| error.len, |decoded| decoded.len)
}

/// A good step.
fn good(value: u32, len: usize) -> Step {
    Ok(Decoded { value, len })
}

/// A bad step.
fn bad<T>(fault: Fault, len: usize) -> Result<T, IllFormed> {
    Err(IllFormed { fault, len })
}

/// A good step, if the value fits.
fn fit(value: u64, len: usize) -> Step {
    u32::try_from(value).map_or_else(|_| bad(Fault::TooLarge, len), |value| good(value, len))
}

/// The number of bytes at the beginning of `bytes` of which this is true.
fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| is(byte)).count()
}
