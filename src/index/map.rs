//! The map: sums that are computed once, so that each question costs only a few cache misses.
//!
//! The text is cut into blocks of 512 bytes. For each of three weights (characters, units of the other encoding, line breaks) the
//! map holds the sum before every block, in two bytes. These sums are counted from the beginning of the block's group of 64 blocks;
//! the sum before the group has eight bytes. Together that is 1.2 % of the text. *Rank* is the sum before the group, the sum before
//! the block, and a count in part of the block. The three loads do not wait for each other.
//!
//! *Select* has to find the block by the sum. For every 2048th character or unit, and every 256th line break, the map has the index
//! of its block (a *hint*); between two hints it uses binary search. Characters have at most four bytes, so there are never more
//! than 17 blocks between two hints, which take four or five steps. Between two hints of lines there may be any number of blocks if
//! lines are long; the number of steps is the logarithm of that number, never more than 21 in a text of 1 GiB. The hints take up to
//! 0.4 % of the text, and in a text of nothing but line breaks 1.6 % (UTF-8) or 0.8 % (UTF-16) more.
//!
//! The sums before a block and the next one tell whether every unit of the block is an ASCII character. If so, the text is not
//! read. That saves the one cache miss that goes to memory, because the sums of 1 GiB are mostly found in the last-level cache.
//!
//! A question costs as much as its cache misses, and those of the sums and of the text overlap as long as no address depends on
//! another load. So an index in the middle of a character is rounded after the count, by subtracting the weight of that character
//! from the sum. Rounding it first, without a branch, made the count wait for the text, which took half as long again. With blocks
//! of 256 bytes fewer cache lines are read, but the map takes twice the memory, and was no faster. Nor was it faster to look for
//! the beginning of a line in the part of the block that was counted.

use alloc::alloc::handle_alloc_error;
use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::fmt;
use core::marker::PhantomData;

use super::rank_select::RankSelect;
use super::{Text, Unit};
use crate::kernel::dispatch::rank::{Counted, Weights};
use crate::kernel::{Engine, Progress, dispatch};

/// The size of a block, in bytes.
const BLOCK: usize = 512;

/// The number of blocks in a group, which is small enough that no sum within a group exceeds 65,535.
const GROUP: usize = 64;

/// The weights, as indices into the sums.
const CHARS: usize = 0;
const OTHER: usize = 1;
const BREAKS: usize = 2;

/// The index of a weight.
#[inline]
const fn weight_index<M: Weights>() -> usize {
    match M::COUNTED {
        Counted::Chars8 | Counted::Chars16 => CHARS,
        Counted::Units8 | Counted::Bytes16 => OTHER,
        Counted::Breaks8 | Counted::Breaks16 => BREAKS,
    }
}

/// The distance between two hints, for each weight.
const HINT_DISTANCE: [usize; 3] = [2048, 2048, 256];

/// An index of a text, for [offsets](crate::index) in constant time.
///
/// It is made in one pass, takes some 1.6 % of the text's size in memory (never more than 4 % plus three hundred bytes), and
/// answers in some tens of nanoseconds, most of which are spent on a cache miss in the text. The methods are the functions of the
/// [module](crate::index), with the same rounding. Only [`new`](Self::new), [`try_new`](Self::try_new),
/// [`with_engine`](Self::with_engine) and `clone` allocate.
///
/// A map does not hold the text, which has to be passed with each question. It must be the text that the map was made from. With
/// any other text, including the same text after a change, the answers are meaningless, but there is no panic.
///
/// ```
/// use runecast::index::{OffsetMap, Position, Unit};
///
/// let text = "ᚱūna 🪨\n".repeat(1000);
/// let map = OffsetMap::new(&text[..]);
/// assert_eq!(map.utf16_offset(&text, 13_000), 8_000);
/// assert_eq!(map.at_utf16(&text, 8_000), 13_000);
/// assert_eq!(map.position(&text, 13_000, Unit::Char), Position { line: 1000, column: 0 });
/// ```
pub struct OffsetMap<T: Text + ?Sized> {
    engine: Engine,
    /// The length of the text, in its own units.
    len: usize,
    sums: Sums,
    text: PhantomData<fn(&T)>,
}

/// The sums of each weight.
#[derive(Clone, Default)]
struct Sums {
    /// The sum before each group.
    groups: Vec<[u64; 3]>,
    /// The sum before each block and at the end, counted from the beginning of its group.
    blocks: Vec<[u16; 3]>,
    /// The index of the block of each hint.
    hints: [Vec<u32>; 3],
    /// The sum of the whole text.
    all: [usize; 3],
}

impl Sums {
    /// Appends a group, given the sums of its blocks. There is room for these, but not for hints.
    #[inline]
    fn extend(&mut self, sums: &[[u16; 3]]) -> Result<(), TryReserveError> {
        let begin = self.all;
        self.groups.push(begin.map(|sum| sum as u64));
        for of_block in sums {
            let block = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
            let mut before = [0; 3];
            for weight in [CHARS, OTHER, BREAKS] {
                before[weight] = (self.all[weight] - begin[weight]) as u16;
                self.all[weight] += usize::from(of_block[weight]);
                while self.hints[weight].len() * HINT_DISTANCE[weight] < self.all[weight] {
                    self.hints[weight].try_reserve(1)?;
                    self.hints[weight].push(block);
                }
            }
            self.blocks.push(before);
        }
        Ok(())
    }

    /// The sum of a weight before a block.
    #[inline]
    fn before(&self, weight: usize, block: usize) -> usize {
        self.groups[block / GROUP][weight] as usize + usize::from(self.blocks[block][weight])
    }

    /// The sum of a weight in a block.
    #[inline]
    fn within(&self, weight: usize, block: usize) -> usize {
        self.before(weight, block + 1) - self.before(weight, block)
    }

    /// The last block before which the sum is at most `n`; `n` is below the sum of the whole text.
    #[inline]
    fn block_of(&self, weight: usize, n: usize) -> usize {
        let hints = &self.hints[weight];
        let (hint, last) = (n / HINT_DISTANCE[weight], self.blocks.len() - 2);
        let mut block = hints[hint] as usize;
        // Hints beyond 2 TiB are only lower bounds.
        let next = hints.get(hint + 1).filter(|next| **next != u32::MAX).map_or(last, |next| *next as usize);
        let mut blocks = next - block + 1;
        while blocks > 1 {
            let half = blocks / 2;
            if self.before(weight, block + half) <= n {
                block += half;
            }
            blocks -= half;
        }
        block
    }
}

/// Returns the memory that was reserved for more hints, if there is memory for a copy: `shrink_to_fit` ends the process if there is
/// none.
fn shrink(hints: &mut Vec<u32>) {
    let mut exact = Vec::new();
    if hints.len() < hints.capacity() && exact.try_reserve_exact(hints.len()).is_ok() {
        exact.extend_from_slice(hints);
        *hints = exact;
    }
}

impl<T: Text + ?Sized> OffsetMap<T> {
    /// The number of units in a block.
    const UNITS: usize = BLOCK / size_of::<T::Code>();

    /// Makes the map of a text, in one pass.
    #[must_use]
    pub fn new(text: &T) -> Self {
        OffsetMap::with_engine(Engine::current(), text)
    }

    /// As [`new`](OffsetMap::new), with the kernels of `engine`, which the map uses for its answers as well.
    #[must_use]
    pub fn with_engine(engine: Engine, text: &T) -> Self {
        // What a `Vec` does if it finds no memory.
        Self::try_with_engine(engine, text)
            .unwrap_or_else(|_| handle_alloc_error(Layout::for_value(text.units())))
    }

    /// As [`new`](OffsetMap::new), but if there is no memory for the map, it returns an error instead of ending the process.
    ///
    /// ```
    /// use runecast::index::OffsetMap;
    ///
    /// let map = OffsetMap::try_new("ᚱūna")?;
    /// assert_eq!(map.utf16_offset("ᚱūna", 5), 2);
    /// # Ok::<(), std::collections::TryReserveError>(())
    /// ```
    ///
    /// # Errors
    /// There is no memory for the map.
    pub fn try_new(text: &T) -> Result<Self, TryReserveError> {
        Self::try_with_engine(Engine::current(), text)
    }

    fn try_with_engine(engine: Engine, text: &T) -> Result<Self, TryReserveError> {
        let units = text.units();
        let blocks = units.len().div_ceil(Self::UNITS);
        let mut sums = Sums::default();
        sums.groups.try_reserve_exact(blocks / GROUP + 1)?;
        sums.blocks.try_reserve_exact(blocks + 1)?;
        for block in (0..blocks).step_by(GROUP) {
            let mut group = [[0; 3]; GROUP];
            let group = &mut group[..GROUP.min(blocks - block)];
            dispatch::rank::profile::<T::Chars, T::Other, T::Breaks>(
                engine,
                units,
                block * Self::UNITS,
                Self::UNITS,
                group,
            );
            sums.extend(group)?;
        }
        // The end of the text is a block as well, in the last group or in one of its own.
        if blocks.is_multiple_of(GROUP) {
            sums.extend(&[])?;
        }
        let begin = sums.groups[blocks / GROUP];
        let end = [CHARS, OTHER, BREAKS].map(|weight| (sums.all[weight] as u64 - begin[weight]) as u16);
        sums.blocks.push(end);
        sums.hints.iter_mut().for_each(shrink);
        Ok(OffsetMap { engine, len: units.len(), sums, text: PhantomData })
    }

    /// The length of the text, in `unit`.
    #[must_use]
    pub fn len(&self, unit: Unit) -> usize {
        match unit {
            _ if unit == T::OWN_UNIT => self.len,
            Unit::Char => self.sums.all[CHARS],
            _ => self.sums.all[OTHER],
        }
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of lines: one more than line breaks.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.sums.all[BREAKS] + 1
    }

    /// How much memory the map takes, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let Sums { groups, blocks, hints, .. } = &self.sums;
        let hints: usize = hints.iter().map(|hints| hints.capacity() * size_of::<u32>()).sum();
        size_of::<Self>() + size_of_val(&groups[..]) + size_of_val(&blocks[..]) + hints
    }

    /// Whether each unit of a block is a character whose weight is one.
    #[inline]
    fn is_uniform(&self, weight: usize, block: usize) -> bool {
        weight != BREAKS
            && self.sums.within(CHARS, block) == Self::UNITS
            && (weight == CHARS || self.sums.within(weight, block) == Self::UNITS)
    }
}

impl<T: Text + ?Sized> RankSelect for OffsetMap<T> {
    const SHORT_COUNT: usize = 1024;

    #[inline]
    fn engine(&self) -> Engine {
        self.engine
    }

    #[inline]
    fn rank<M: Weights>(&self, units: &[M::Unit], at: usize) -> usize {
        let block = (at / Self::UNITS).min(self.len.div_ceil(Self::UNITS));
        let begin = block * Self::UNITS;
        let before = self.sums.before(weight_index::<M>(), block);
        if at == begin {
            return before;
        }
        if at < self.len && self.is_uniform(weight_index::<M>(), block) {
            return before + at - begin;
        }
        before + dispatch::rank::seek::<M>(self.engine, units, begin, at, usize::MAX).written
    }

    #[inline]
    fn select<M: Weights>(&self, units: &[M::Unit], n: usize) -> Progress {
        let weight = weight_index::<M>();
        if n >= self.sums.all[weight] {
            return Progress { read: units.len(), written: self.sums.all[weight] };
        }
        let block = self.sums.block_of(weight, n);
        let (begin, before) = (block * Self::UNITS, self.sums.before(weight, block));
        if self.len == units.len() && self.is_uniform(weight, block) {
            return Progress { read: begin + n - before, written: n };
        }
        let found = dispatch::rank::seek::<M>(self.engine, units, begin, begin + Self::UNITS, n - before);
        Progress { read: found.read, written: before + found.written }
    }

    #[inline]
    fn is_one_unit_per_char(&self, at: usize) -> bool {
        at < self.len && self.is_uniform(CHARS, at / Self::UNITS)
    }
}

impl<T: Text + ?Sized> Clone for OffsetMap<T> {
    fn clone(&self) -> Self {
        OffsetMap { engine: self.engine, len: self.len, sums: self.sums.clone(), text: PhantomData }
    }
}

impl<T: Text + ?Sized> fmt::Debug for OffsetMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OffsetMap")
            .field("len", &self.len)
            .field("chars", &self.sums.all[CHARS])
            .field("lines", &self.lines())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}
