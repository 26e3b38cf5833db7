//! The map: sums taken once, so that each question costs a few cache misses.
//!
//! The text is cut into blocks of 512 bytes. For each of three things (characters, units of the other
//! encoding, line breaks) the map holds the sum before every block: in two bytes, counted from
//! the beginning of the block's group of 64, whose own sum has eight. That makes 1.2 % of the text. *Rank* is a
//! sum of the group, one of the block, and a walk over the part of a block. The three loads do not wait for
//! each other.
//!
//! *Select* has to find the block by the sum. For every 2048th character or unit, and every 256th line break,
//! the map has the number of its block (a *hint*); between two hints it searches by halves. Characters have
//! at most four bytes, so that there are never more than 17 blocks between two hints: four or five steps. Between two
//! hints of lines there may be any number of blocks if lines are long; the steps are the logarithm of that
//! number, never more than 21 in a text of 1 GiB. The hints take up to 0.4 % of the text, and in a text
//! of nothing but line breaks 0.8 % (of UTF-8), or 1.6 % (of UTF-16) more.
//!
//! Of a block in which every unit is an ASCII character the sums of it and the next say so, and the text is
//! not looked at: that spares the one miss that goes to memory, for the sums of 1 GiB are
//! mostly found in the last-level cache.
//!
//! Blocks of 256 bytes would cost twice the memory for a walk of two cache lines less on average, which lie
//! beside the one that is waited for anyway.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::ruler::Ruler;
use super::{Text, Unit};
use crate::kernel::rank::{Counted, Measure};
use crate::kernel::{Engine, Progress};

/// Bytes of a block.
const BLOCK: usize = 512;

/// Blocks of a group: so few that no sum within one is above 65,535.
const GROUP: usize = 64;

/// Characters, or units, from hint to hint.
const HINT: usize = 2048;

/// Line breaks from hint to hint.
const HINT_OF_BREAKS: usize = 256;

/// An index of a text, for [offsets](crate::index) in constant time.
///
/// It is made in one pass, holds some 1.6 % of the text's size in memory (never more than 4 %, and two hundred
/// bytes), and answers in some tens of nanoseconds, which are mostly a cache miss into the text. The methods
/// are those of the [module](crate::index), with the same rounding.
///
/// A map does not hold the text: that is given with each question, and the caller knows where it lives. It has to be the
/// text that the map was made of. With any other text, also the same text after a change, the answers are
/// meaningless, but there is no panic.
///
/// ```
/// use runecast::index::{OffsetMap, Position, Unit};
///
/// let text = "ᚱūna 🪨\n".repeat(1000);
/// let map = OffsetMap::new(&text[..]);
/// assert_eq!(map.utf16_offset(&text, 13_500), 8_000);
/// assert_eq!(map.at_utf16(&text, 8_000), 13_496);
/// assert_eq!(map.position(&text, 13_500, Unit::Char), Position { line: 1000, column: 0 });
/// ```
pub struct OffsetMap<T: Text + ?Sized> {
    engine: Engine,
    /// Of the text, in its own units.
    len: usize,
    chars: Sums,
    other: Sums,
    breaks: Sums,
    text: PhantomData<fn(&T)>,
}

/// The sums of one measure.
#[derive(Clone, Default)]
struct Sums {
    /// Before each group.
    groups: Vec<u64>,
    /// Before each block and at the end, from the beginning of its group.
    blocks: Vec<u16>,
    /// The block of each so-manieth.
    hints: Vec<u32>,
    /// Of the text.
    all: usize,
}

impl Sums {
    fn with_capacity(blocks: usize) -> Sums {
        Sums {
            groups: Vec::with_capacity(blocks / GROUP + 1),
            blocks: Vec::with_capacity(blocks + 1),
            ..Sums::default()
        }
    }

    /// The sum before a block.
    #[inline]
    fn before(&self, block: usize) -> usize {
        self.groups[block / GROUP] as usize + usize::from(self.blocks[block])
    }

    /// Takes the sums of the next blocks, of one group.
    fn extend(&mut self, sums: &[u16], each: usize) {
        let begin = self.all;
        self.groups.push(begin as u64);
        for &sum in sums {
            let block = self.blocks.len();
            self.blocks.push((self.all - begin) as u16);
            self.all += usize::from(sum);
            while self.hints.len() * each < self.all {
                self.hints.push(u32::try_from(block).unwrap_or(u32::MAX));
            }
        }
    }

    /// Takes note that there are no more blocks.
    fn finish(&mut self) {
        let begin = match self.groups.last() {
            Some(begin) if !self.blocks.len().is_multiple_of(GROUP) => *begin,
            _ => {
                self.groups.push(self.all as u64);
                self.all as u64
            }
        };
        self.blocks.push((self.all as u64 - begin) as u16);
        self.hints.shrink_to_fit();
    }

    /// The last block before which the sum is not above `n`, which is below the sum of all.
    #[inline]
    fn block_of(&self, n: usize, each: usize) -> usize {
        let last = self.blocks.len() - 2;
        // Hints beyond 2 TiB are only lower bounds.
        let hint =
            |at: usize| self.hints.get(at).filter(|hint| **hint != u32::MAX).map(|hint| *hint as usize);
        let mut block = self.hints[n / each] as usize;
        let mut blocks = hint(n / each + 1).unwrap_or(last) - block + 1;
        while blocks > 1 {
            let half = blocks / 2;
            if self.before(block + half) <= n {
                block += half;
            }
            blocks -= half;
        }
        block
    }

    fn size(&self) -> usize {
        size_of_val(&self.groups[..]) + size_of_val(&self.blocks[..]) + size_of_val(&self.hints[..])
    }
}

impl<T: Text + ?Sized> OffsetMap<T> {
    /// Units of a block.
    const UNITS: usize = BLOCK / size_of::<T::Code>();

    /// Makes the map of a text, in one pass.
    #[must_use]
    pub fn new(text: &T) -> Self {
        OffsetMap::with_engine(Engine::current(), text)
    }

    /// [`new`](OffsetMap::new), with the kernels of `engine`, which then answers, too.
    #[must_use]
    pub fn with_engine(engine: Engine, text: &T) -> Self {
        fn group<M: Measure>(
            engine: Engine,
            units: &[M::Unit],
            block: usize,
            blocks: usize,
            sums: &mut Sums,
        ) {
            let stretch = BLOCK / size_of::<M::Unit>();
            let mut of_blocks = [0; GROUP];
            let of_blocks = &mut of_blocks[..GROUP.min(blocks - block)];
            engine.profile::<M>(units, block * stretch, stretch, of_blocks);
            sums.extend(of_blocks, hint::<M>());
        }
        let units = text.units();
        let blocks = units.len().div_ceil(Self::UNITS);
        let [mut chars, mut other, mut breaks] = [(); 3].map(|()| Sums::with_capacity(blocks));
        for block in (0..blocks).step_by(GROUP) {
            group::<T::Chars>(engine, units, block, blocks, &mut chars);
            group::<T::Other>(engine, units, block, blocks, &mut other);
            group::<T::Breaks>(engine, units, block, blocks, &mut breaks);
        }
        for sums in [&mut chars, &mut other, &mut breaks] {
            sums.finish();
        }
        OffsetMap { engine, len: units.len(), chars, other, breaks, text: PhantomData }
    }

    /// The length of the text, in `unit`.
    #[must_use]
    pub fn len(&self, unit: Unit) -> usize {
        match unit {
            _ if unit == T::OWN => self.len,
            Unit::Char => self.chars.all,
            _ => self.other.all,
        }
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many lines the text has: one more than line breaks.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.breaks.all + 1
    }

    /// The bytes of memory that the map takes.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.chars.size() + self.other.size() + self.breaks.size()
    }

    /// The sums of a measure.
    #[inline]
    fn sums<M: Measure>(&self) -> &Sums {
        match M::COUNTED {
            Counted::Chars8 | Counted::Chars16 => &self.chars,
            Counted::Units8 | Counted::Bytes16 => &self.other,
            Counted::Breaks8 | Counted::Breaks16 => &self.breaks,
        }
    }

    /// Whether each unit of a block is a character, and weighs one.
    #[inline]
    fn is_plain<M: Measure>(&self, block: usize) -> bool {
        let weight = |sums: &Sums| sums.before(block + 1) - sums.before(block);
        weight(&self.chars) == Self::UNITS
            && (M::COUNTED == <T::Chars as Measure>::COUNTED || weight(self.sums::<M>()) == Self::UNITS)
    }
}

/// From hint to hint of a measure.
#[inline]
const fn hint<M: Measure>() -> usize {
    match M::COUNTED {
        Counted::Breaks8 | Counted::Breaks16 => HINT_OF_BREAKS,
        _ => HINT,
    }
}

impl<T: Text + ?Sized> Ruler for OffsetMap<T> {
    const SHORT: usize = 1024;

    #[inline]
    fn engine(&self) -> Engine {
        self.engine
    }

    #[inline]
    fn rank<M: Measure>(&self, units: &[M::Unit], at: usize) -> usize {
        let block = (at / Self::UNITS).min(self.len.div_ceil(Self::UNITS));
        let begin = block * Self::UNITS;
        let before = self.sums::<M>().before(block);
        if at == begin {
            return before;
        }
        if at < self.len
            && !matches!(M::COUNTED, Counted::Breaks8 | Counted::Breaks16)
            && self.is_plain::<M>(block)
        {
            return before + at - begin;
        }
        before + self.engine.seek::<M>(units, begin, at, usize::MAX).written
    }

    #[inline]
    fn select<M: Measure>(&self, units: &[M::Unit], n: usize) -> Progress {
        let sums = self.sums::<M>();
        if n >= sums.all {
            return Progress { read: units.len(), written: sums.all };
        }
        let block = sums.block_of(n, hint::<M>());
        let (begin, before) = (block * Self::UNITS, sums.before(block));
        let plain = !matches!(M::COUNTED, Counted::Breaks8 | Counted::Breaks16) && self.is_plain::<M>(block);
        if plain && self.len == units.len() {
            return Progress { read: begin + n - before, written: n };
        }
        let found = self.engine.seek::<M>(units, begin, begin + Self::UNITS, n - before);
        Progress { read: found.read, written: before + found.written }
    }

    #[inline]
    fn is_even(&self, at: usize) -> bool {
        at < self.len && self.is_plain::<T::Chars>(at / Self::UNITS)
    }
}

impl<T: Text + ?Sized> Clone for OffsetMap<T> {
    fn clone(&self) -> Self {
        OffsetMap {
            engine: self.engine,
            len: self.len,
            chars: self.chars.clone(),
            other: self.other.clone(),
            breaks: self.breaks.clone(),
            text: PhantomData,
        }
    }
}

impl<T: Text + ?Sized> fmt::Debug for OffsetMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OffsetMap")
            .field("len", &self.len)
            .field("chars", &self.chars.all)
            .field("lines", &self.lines())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}
