//! Validators that remember an error until the end.
//!
//! runecast's [`Validator`] returns an error with the chunk that contains it. simdutf8's say nothing before the end, so the
//! error is kept here, and nothing is read any more after it.
//!
//! # Blocks of 64 bytes
//! A parser gives one block at a time, between its own work on it: simd-json does. simdutf8's code is then inlined into the
//! parser's loop, with its state in vectors. A call of a kernel for 64 bytes would cost more than the work. So a block of ASCII
//! is recognised here, in some instructions that are inlined, and other blocks are collected: a copy of 64 bytes costs
//! little, and the kernel gets [`COLLECTED`] bytes at once.

use runecast::{Utf8, Validator};

use crate::basic::Utf8Error;

/// The size of a block.
const BLOCK: usize = 64;

/// How many bytes are collected before they are validated: less, and the calls cost more than their work; more, and a short
/// text pays for the zeros that are written first.
const COLLECTED: usize = 32 * BLOCK;

/// Chunks of any size.
pub struct Chunks {
    validator: Validator<Utf8>,
    failed: bool,
}

impl Chunks {
    #[inline]
    pub fn new() -> Chunks {
        Chunks { validator: Validator::new(), failed: false }
    }

    /// Takes the next chunk.
    #[inline]
    pub fn update(&mut self, input: &[u8]) {
        if !self.failed {
            self.failed = self.validator.push(input).is_err();
        }
    }

    /// Whether nothing is left over from what was taken: neither an error nor the beginning of a character.
    #[inline]
    fn is_at_boundary(&self) -> bool {
        !self.failed && self.validator.waiting() == 0
    }

    /// Ends the text.
    #[inline]
    pub fn finalize(self) -> Result<(), Utf8Error> {
        if self.failed { Err(Utf8Error) } else { self.validator.finish().map_err(|_| Utf8Error) }
    }
}

/// Chunks whose sizes are multiples of 64.
pub struct Blocks {
    chunks: Chunks,
    /// From the first block on that is not ASCII: many texts have none.
    collected: Option<[u8; COLLECTED]>,
    /// How many of them are to be validated.
    len: usize,
    /// Whether a block of ASCII changes nothing: nothing is collected, and the text so far ends with a whole character.
    skips_ascii: bool,
}

impl Blocks {
    #[inline]
    pub fn new() -> Blocks {
        Blocks { chunks: Chunks::new(), collected: None, len: 0, skips_ascii: true }
    }

    /// What is to be collected is not written before it is needed.
    #[cold]
    fn zeros() -> [u8; COLLECTED] {
        [0; COLLECTED]
    }

    /// Takes the next blocks.
    ///
    /// # Panics
    /// If `input.len()` is not a multiple of 64.
    #[inline(always)]
    pub fn update(&mut self, input: &[u8]) {
        let (blocks, rest) = input.as_chunks::<BLOCK>();
        assert!(rest.is_empty(), "Input size must be a multiple of 64.");
        if let [block] = blocks {
            self.take(block);
        } else {
            self.flush();
            self.chunks.update(input);
            self.skips_ascii = self.chunks.is_at_boundary();
        }
    }

    /// Takes one block.
    #[inline(always)]
    fn take(&mut self, block: &[u8; BLOCK]) {
        if self.skips_ascii && block.iter().fold(0, |bits, byte| bits | byte) < 0x80 {
            return;
        }
        let collected = self.collected.get_or_insert_with(Self::zeros);
        // The length is a multiple of 64, and less than the size: `flush` sees to that.
        if let Some(place) = collected.get_mut(self.len..).and_then(|free| free.first_chunk_mut()) {
            *place = *block;
            self.len += BLOCK;
            self.skips_ascii = false;
        }
        if self.len == COLLECTED {
            self.flush();
        }
    }

    /// Validates what was collected.
    #[inline(never)]
    fn flush(&mut self) {
        if let Some(collected) = &self.collected {
            self.chunks.update(&collected[..self.len]);
            self.len = 0;
            self.skips_ascii = self.chunks.is_at_boundary();
        }
    }

    /// Takes what remains, and ends the text.
    #[inline]
    pub fn finalize(mut self, remaining: &[u8]) -> Result<(), Utf8Error> {
        self.flush();
        self.chunks.update(remaining);
        self.chunks.finalize()
    }
}
