//! Blocks: a text is validated and searched for sets of bytes, block by block.
//!
//! The kernel writes the masks of whole lines of 64 bytes, and looks at the three bytes before them. So the first line and the
//! last, if it is not whole, are copied between zeros; all others lie in the text.
//!
//! The bytes that are searched for are ASCII, and ill-formed sequences hold no ASCII. So masks do not depend on errors: they
//! are written first, for the whole block; and if the kernel then says that there is an error in it, validation by kernel and
//! codec finds all errors of the block, from the last character boundary on. That costs a block 16 KiB of validation, but
//! nothing else, and there is no second rule of what is well-formed.
//!
//! Of the text before it, it is known from where on it is well-formed. So a line of text in it needs no other check: see
//! [`passed_text`](crate::text::passed_text).

use crate::kernel::{Engine, Expected, LINE, MOST_LINES, Wanted, dispatch};
use crate::unicode::codec::incomplete::open_suffix;
use crate::unicode::{IllFormed, Utf8};
use crate::validate::validate_on;

/// Texts of so many lines are copied as a whole: one call of the kernel, and one copy, in place of two or three.
pub(crate) const FEW_LINES: usize = 4;

/// The masks of a block, a row for each line.
pub(crate) type Masks<const N: usize> = [[u64; N]; MOST_LINES];

/// Masks for the blocks of one text: a short text does not wait until many rows are zeros.
pub(crate) enum Rows<const N: usize> {
    Few([[u64; N]; FEW_LINES]),
    Many(Masks<N>),
}

impl<const N: usize> Rows<N> {
    /// For a text of `len` bytes.
    #[inline]
    pub(crate) fn new(len: usize) -> Self {
        if len <= FEW_LINES * LINE {
            Rows::Few([[0; N]; FEW_LINES])
        } else {
            Rows::Many([[0; N]; MOST_LINES])
        }
    }

    /// All of them.
    #[inline]
    pub(crate) fn all(&mut self) -> &mut [[u64; N]] {
        match self {
            Rows::Few(masks) => masks,
            Rows::Many(masks) => masks,
        }
    }
}

/// A text, as far as it was scanned.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<'a, const N: usize> {
    engine: Engine,
    src: &'a [u8],
    wanted: Wanted<N>,
    /// Where the next block begins.
    at: usize,
    /// The text from here to `passed` is well-formed, both being character boundaries.
    clear: usize,
    passed: usize,
    expected: Expected,
    /// Bytes at the start that are known to end a character.
    skip: usize,
    stopped: bool,
}

/// A block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Where it begins.
    pub(crate) at: usize,
    /// How many lines it has.
    pub(crate) lines: usize,
}

impl<'a, const N: usize> Blocks<'a, N> {
    /// Before the first block of `src`. The first `skip` bytes, three at most, are continuation bytes of a character that began
    /// elsewhere.
    #[inline]
    pub(crate) fn new(engine: Engine, src: &'a [u8], wanted: Wanted<N>, skip: usize) -> Self {
        let skip = skip.min(src.len()).min(3);
        Blocks {
            engine,
            src,
            wanted,
            at: 0,
            clear: skip,
            passed: skip,
            expected: Expected::UNKNOWN,
            skip,
            stopped: false,
        }
    }

    /// The text.
    #[inline]
    pub(crate) fn src(&self) -> &'a [u8] {
        self.src
    }

    /// What the last blocks have shown to be well-formed text. All of them, unless there was an error.
    #[inline]
    pub(crate) fn well_formed(&self) -> core::ops::Range<usize> {
        self.clear..self.passed
    }

    /// The engine that scans.
    #[inline]
    pub(crate) fn engine(&self) -> Engine {
        self.engine
    }

    /// Scans the next block, of as many lines as there are `masks`, or [`MOST_LINES`]; `None` behind the last one. Each error in it is given to `found`, which says whether to go on. If not,
    /// the block ends with the bytes before the error, and is the last.
    #[inline]
    pub(crate) fn next(
        &mut self,
        masks: &mut [[u64; N]],
        found: impl FnMut(IllFormed) -> bool,
    ) -> Option<Block> {
        let at = self.at;
        if at >= self.src.len() || self.stopped {
            return None;
        }
        let lines = (self.src.len() - at).div_ceil(LINE).min(MOST_LINES).min(masks.len());
        let end = self.src.len().min(at + lines * LINE);
        let well_formed = self.scan(at, &mut masks[..lines]);
        self.at = end;
        // What is before the block was looked at; it has to be free of errors.
        if well_formed && (at < LINE || self.clear + 3 <= at) {
            self.passed = end - open_suffix(&self.src[self.clear..end]);
            return Some(Block { at, lines });
        }
        let lines = self.look(masks, Block { at, lines }, end, found);
        Some(Block { at, lines })
    }

    /// The masks of these lines, and whether they are free of errors; at the end of the text, also of a character that is cut off.
    #[inline]
    fn scan(&mut self, at: usize, masks: &mut [[u64; N]]) -> bool {
        if at == 0 && self.src.len() <= FEW_LINES * LINE {
            let well_formed = self.copied::<{ (1 + FEW_LINES) * LINE }>(0, masks);
            return well_formed && (!self.src.len().is_multiple_of(LINE) || open_suffix(self.src) == 0);
        }
        let (mut next, mut well_formed) = (at, true);
        let mut masks = &mut masks[..];
        if at == 0 {
            let [first, rest @ ..] = masks else { return true };
            well_formed = self.copied::<{ 2 * LINE }>(0, core::slice::from_mut(first));
            (next, masks) = (LINE.min(self.src.len()), rest);
        }
        let whole = (self.src.len() - next) / LINE;
        let (lines, last) = masks.split_at_mut(whole.min(masks.len()));
        if !lines.is_empty() {
            match dispatch::scan::scan(self.engine, self.src, next, &self.wanted, lines, self.expected) {
                Some(expected) => self.expected = expected,
                None => well_formed = false,
            }
            next += lines.len() * LINE;
        }
        if let [last, ..] = last {
            well_formed &= self.copied::<{ 2 * LINE }>(next, core::slice::from_mut(last));
        } else if next == self.src.len() && next % LINE == 0 {
            well_formed &= open_suffix(self.src) == 0;
        }
        well_formed
    }

    /// The same for the lines from `at` on, of which the first is that of the text or the last is not whole, copied between zeros into `BYTES`: a
    /// line more than there are.
    #[inline]
    fn copied<const BYTES: usize>(&mut self, at: usize, masks: &mut [[u64; N]]) -> bool {
        let mut text = [0; BYTES];
        let len = (LINE * masks.len()).min(self.src.len() - at);
        let before = at.min(LINE);
        text[LINE - before..LINE + len].copy_from_slice(&self.src[at - before..at + len]);
        let skip = if at == 0 { self.skip } else { 0 };
        text[LINE..LINE + skip].fill(0);
        let text = &text[..LINE + LINE * masks.len()];
        let scanned = dispatch::scan::scan(self.engine, text, LINE, &self.wanted, masks, Expected::ANYTHING);
        if let [first, ..] = masks {
            first.iter_mut().for_each(|mask| *mask &= !0 << skip);
        }
        if let [.., last] = masks
            && !len.is_multiple_of(LINE)
        {
            last.iter_mut().for_each(|mask| *mask &= !0 >> (LINE - len % LINE));
        }
        scanned.is_some()
    }

    /// All errors between the last character boundary and the end of the block. Returns how many lines of the block remain.
    #[cold]
    #[inline(never)]
    fn look(
        &mut self,
        masks: &mut [[u64; N]],
        block: Block,
        end: usize,
        mut found: impl FnMut(IllFormed) -> bool,
    ) -> usize {
        let mut at = self.passed;
        while let Err(error) = validate_on::<Utf8>(self.engine, &self.src[at..end]) {
            if error.is_incomplete() && end < self.src.len() {
                self.passed = at + error.at;
                return block.lines;
            }
            let mut error = error;
            error.at += at;
            self.passed = error.at;
            if !found(error) {
                self.stopped = true;
                // The error may have begun before the block.
                let kept = error.at.saturating_sub(block.at);
                let lines = kept.div_ceil(LINE);
                if let Some(last) = masks[..lines].last_mut()
                    && kept % LINE != 0
                {
                    last.iter_mut().for_each(|mask| *mask &= (1 << (kept % LINE)) - 1);
                }
                return lines;
            }
            at = error.at + error.len;
            self.clear = at;
        }
        self.passed = end;
        block.lines
    }
}
