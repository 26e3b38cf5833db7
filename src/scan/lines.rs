//! Lines and records: text cut at the bytes that a scan has found.
//!
//! Each line is a part of the text that the scan has found to be well-formed, so it is not checked again. Only where there was
//! an error in the block of a line, the line is validated by itself: the error is that of this line, and the lines after it
//! are what they would be without it.
//!
//! Quoted records are cut where a delimiter is not inside of quotes: where the number of quotes before it is even. The kernels find that
//! for a block at once, and which lines have a cut at all.
//!
//! From a cut to the next it is a bit in a word, or the next word that has one, which is a bit in a word of these: so there is no loop
//! over words without a bit, whose length nobody can predict. (A list of offsets for some cuts at once, as
//! [`positions`](super::positions()) makes it, took a quarter longer.)
//!
//! An iterator that keeps this state in memory takes 5 ns for each record on Zen 5, however short it is. So `fold`, which is what `for_each`,
//! `sum` and `count` call, is a loop of its own, with the state in registers: 2 ns.
//!
//! The line ends of Unicode that are not ASCII, NEL, LS and PS, begin with the bytes C2 and E2. These are searched for as bytes, and
//! what follows them is looked at.

use core::fmt;
use core::iter::FusedIterator;

use super::{ByteSet, wanted};
use crate::blocks::{Block, Blocks, FEW_LINES, Masks, Rows};
use crate::kernel::dispatch::scan::{Busy, busy, unquote};
use crate::kernel::{Engine, LINE, MOST_LINES, Wanted};
use crate::text::{passed_text, text_until_error};
use crate::unicode::IllFormed;

/// The lines of `src`, without their line ends.
///
/// A line ends with a line feed; a carriage return before it is part of the line end. The text after the last line feed is a line,
/// too, unless it is empty. These are the lines of [`str::lines`]; [`Lines::ends`] adds other line ends, such as the carriage return by
/// itself, which ends a line for the module [`index`](mod@crate::index).
///
/// Each item is a line, or an error for that line alone: the lines after it are not affected. The text is validated in the pass that
/// searches for the line ends. Nothing is allocated, but some 5 KB of stack are used, and up to 26 KB with other line ends.
///
/// ```
/// use runecast::scan::{RecordError, lines};
///
/// let mut lines = lines(b"one\r\ntw\xC3\xB3\nthr\xFFee\nfour");
/// assert_eq!(lines.next(), Some(Ok("one")));
/// assert_eq!(lines.next(), Some(Ok("twó")));
/// assert!(matches!(lines.next(), Some(Err(RecordError::IllFormed(error))) if error.at == 13));
/// assert_eq!(lines.next(), Some(Ok("four")));
/// assert_eq!(lines.next(), None);
/// ```
#[inline]
pub fn lines(src: &[u8]) -> Lines<'_> {
    lines_on(Engine::current(), src)
}

/// [`lines()`], with the kernels of this engine.
#[inline]
pub(crate) fn lines_on(engine: Engine, src: &[u8]) -> Lines<'_> {
    let blocks = Blocks::new(engine, src, wanted(&[ByteSet::LINE_FEED]), 0);
    Lines { cuts: Cuts::new(Source::One(blocks)), ends: LineEnds::LINE_FEED }
}

/// The records of `src` that end with a byte of `delimiters`, without it.
///
/// As with [`lines`](lines()), the text after the last delimiter is a record, too, unless it is empty, and each item is a record, or an error
/// for that record alone. With [`Records::quoted`], delimiters between quotes do not end a record. Nothing is allocated.
///
/// ```
/// use runecast::scan::{ByteSet, records};
///
/// let values: Result<Vec<_>, _> = records("α;β;γ".as_bytes(), ByteSet::new(b";").unwrap()).collect();
/// assert_eq!(values, Ok(vec!["α", "β", "γ"]));
///
/// let text = b"1,\"two\nlines\"\n2,one\n";
/// let rows = records(text, ByteSet::LINE_FEED).quoted(ByteSet::new(b"\"").unwrap());
/// assert_eq!(rows.map(Result::unwrap).collect::<Vec<_>>(), ["1,\"two\nlines\"", "2,one"]);
/// ```
#[inline]
pub fn records(src: &[u8], delimiters: ByteSet) -> Records<'_> {
    records_on(Engine::current(), src, delimiters)
}

/// [`records`], with the kernels of this engine.
#[inline]
pub(crate) fn records_on(engine: Engine, src: &[u8], delimiters: ByteSet) -> Records<'_> {
    let blocks = Blocks::new(engine, src, wanted(&[delimiters]), 0);
    Records { cuts: Cuts::new(Source::One(blocks)), delimiters }
}

/// What ends a line: always a line feed, and a carriage return with a line feed; and other line ends, if they are wanted.
///
/// ```
/// use runecast::scan::{LineEnds, lines};
///
/// let text = "one\rtwo\u{85}three\u{2028}four";
/// assert_eq!(lines(text.as_bytes()).count(), 1);
/// assert_eq!(lines(text.as_bytes()).ends(LineEnds::LINE_FEED.with_carriage_return()).count(), 2);
/// assert_eq!(lines(text.as_bytes()).ends(LineEnds::UNICODE).count(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineEnds {
    carriage_return: bool,
    next_line: bool,
    separators: bool,
}

impl LineEnds {
    /// LF and CR LF only.
    pub const LINE_FEED: LineEnds = LineEnds { carriage_return: false, next_line: false, separators: false };

    /// LF, CR LF, CR, NEL (U+0085), LS (U+2028) and PS (U+2029): the mandatory breaks of Unicode (UAX #14), but for VT and FF.
    pub const UNICODE: LineEnds = LineEnds { carriage_return: true, next_line: true, separators: true };

    /// And CR by itself.
    #[must_use]
    #[inline]
    pub const fn with_carriage_return(self) -> LineEnds {
        LineEnds { carriage_return: true, ..self }
    }

    /// And NEL, U+0085.
    #[must_use]
    #[inline]
    pub const fn with_next_line(self) -> LineEnds {
        LineEnds { next_line: true, ..self }
    }

    /// And LS, U+2028, and PS, U+2029.
    #[must_use]
    #[inline]
    pub const fn with_separators(self) -> LineEnds {
        LineEnds { separators: true, ..self }
    }

    /// The length of the line end at the start of `text`, which begins with one of its first bytes; 0 if it is none.
    #[inline]
    fn len_of(self, text: &[u8]) -> usize {
        match text {
            [b'\r', b'\n', ..] if self.carriage_return => 2,
            [b'\r', ..] => usize::from(self.carriage_return),
            [b'\n', ..] => 1,
            [0xC2, 0x85, ..] if self.next_line => 2,
            [0xE2, 0x80, 0xA8 | 0xA9, ..] if self.separators => 3,
            _ => 0,
        }
    }
}

/// Why a line or record is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// Its first ill-formed sequence, with the offset in the whole text.
    IllFormed(IllFormed),
    /// It is longer than allowed. Whether it is well-formed is not said.
    TooLong {
        /// The offset of the record in the text, in bytes.
        at: usize,
        /// The length that a record may have, in bytes.
        limit: usize,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::IllFormed(error) => fmt::Display::fmt(error, f),
            RecordError::TooLong { at, limit } => {
                write!(f, "the line or record at byte {at} is longer than {limit} bytes")
            }
        }
    }
}

impl core::error::Error for RecordError {}

#[cfg(feature = "std")]
impl From<RecordError> for std::io::Error {
    /// Of the kind `InvalidData`, with the [`IllFormed`] in it if the text is that.
    #[inline]
    fn from(error: RecordError) -> std::io::Error {
        match error {
            RecordError::IllFormed(error) => error.into(),
            RecordError::TooLong { .. } => std::io::Error::new(std::io::ErrorKind::InvalidData, error),
        }
    }
}

/// The lines of a text, created by [`lines`](lines()).
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless consumed"]
pub struct Lines<'a> {
    cuts: Cuts<'a>,
    ends: LineEnds,
}

impl<'a> Lines<'a> {
    /// The same lines from the beginning, with these line ends.
    #[inline]
    pub fn ends(self, ends: LineEnds) -> Lines<'a> {
        let (engine, src) = self.cuts.source.engine_and_src();
        let source = if ends == LineEnds::LINE_FEED {
            Source::One(Blocks::new(engine, src, wanted(&[ByteSet::LINE_FEED]), 0))
        } else if ends == LineEnds::LINE_FEED.with_carriage_return() {
            let both = const { ByteSet::new(b"\n\r").unwrap() };
            Source::One(Blocks::new(engine, src, wanted(&[both]), 0))
        } else {
            Source::Unicode(Blocks::new(engine, src, Wanted::bytes([b'\n', b'\r', 0xC2, 0xE2]), 0))
        };
        Lines { cuts: Cuts { limit: self.cuts.limit, ..Cuts::new(source) }, ends }
    }

    /// The same lines; one of more than `limit` bytes, without its line end, is an error.
    #[inline]
    pub fn limit(mut self, limit: usize) -> Lines<'a> {
        self.cuts.limit = limit;
        self
    }

    /// The offset of the next line in the text.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> usize {
        self.cuts.start
    }

    /// The next line, if it has a line end.
    #[inline]
    pub(super) fn next_ended(&mut self) -> Option<Result<&'a str, RecordError>> {
        let cuts = &mut self.cuts;
        loop {
            let at = cuts.next_cut()?;
            if self.ends == LineEnds::LINE_FEED {
                let carriage_return = at > cuts.start && cuts.src[at - 1] == b'\r';
                return Some(cuts.take(at - usize::from(carriage_return), at + 1));
            }
            // The line feed of a line end that has been taken.
            if at < cuts.start {
                continue;
            }
            let len = self.ends.len_of(&cuts.src[at..]);
            if len == 0 {
                continue;
            }
            // Where a carriage return alone does not end a line, one before a line feed is part of the line end.
            let with_return = cuts.src[at] == b'\n' && at > cuts.start && cuts.src[at - 1] == b'\r';
            return Some(cuts.take(at - usize::from(with_return), at + len));
        }
    }

    /// Gives `each` all lines that are left and have a line end, with what it returned before.
    #[inline]
    pub(super) fn fold_ended<B>(
        &mut self,
        mut value: B,
        each: &mut impl FnMut(B, Result<&'a str, RecordError>) -> B,
    ) -> B {
        if self.ends == LineEnds::LINE_FEED {
            return self.cuts.fold::<B, true>(value, each);
        }
        while let Some(line) = self.next_ended() {
            value = each(value, line);
        }
        value
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<&'a str, RecordError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.next_ended().or_else(|| self.cuts.last())
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, value: B, mut each: F) -> B {
        let value = self.fold_ended(value, &mut each);
        match self.cuts.last() {
            Some(line) => each(value, line),
            None => value,
        }
    }
}

impl FusedIterator for Lines<'_> {}

/// The records of a text, created by [`records`].
#[derive(Clone, Debug)]
#[must_use = "iterators do nothing unless consumed"]
pub struct Records<'a> {
    cuts: Cuts<'a>,
    delimiters: ByteSet,
}

impl<'a> Records<'a> {
    /// The same records from the beginning, but a delimiter ends one only where the number of bytes of `quotes` before it, in the
    /// whole text, is even. So `""` in a quoted field is what it is in CSV, a quote. The quotes stay part of the record. (A byte that
    /// is in both sets counts itself: every second one of them ends a record.)
    #[inline]
    pub fn quoted(self, quotes: ByteSet) -> Records<'a> {
        let (engine, src) = self.cuts.source.engine_and_src();
        let blocks = Blocks::new(engine, src, wanted(&[self.delimiters, quotes]), 0);
        let cuts = Cuts { limit: self.cuts.limit, ..Cuts::new(Source::Quoted(blocks, 0)) };
        Records { cuts, delimiters: self.delimiters }
    }

    /// The same records; one of more than `limit` bytes is an error.
    #[inline]
    pub fn limit(mut self, limit: usize) -> Records<'a> {
        self.cuts.limit = limit;
        self
    }

    /// The offset of the next record in the text.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> usize {
        self.cuts.start
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<&'a str, RecordError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.cuts.next_cut() {
            Some(at) => Some(self.cuts.take(at, at + 1)),
            None => self.cuts.last(),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, value: B, mut each: F) -> B {
        let value = self.cuts.fold::<B, false>(value, &mut each);
        match self.cuts.last() {
            Some(record) => each(value, record),
            None => value,
        }
    }
}

impl FusedIterator for Records<'_> {}

/// What is scanned for.
#[derive(Clone, Debug)]
enum Source<'a> {
    /// One set of bytes.
    One(Blocks<'a, 1>),
    /// Delimiters and quotes; all ones inside of quotes.
    Quoted(Blocks<'a, 2>, u64),
    /// The first bytes of all line ends.
    Unicode(Blocks<'a, 4>),
}

impl<'a> Source<'a> {
    #[inline]
    fn engine_and_src(&self) -> (Engine, &'a [u8]) {
        match self {
            Source::One(blocks) => (blocks.engine(), blocks.src()),
            Source::Quoted(blocks, _) => (blocks.engine(), blocks.src()),
            Source::Unicode(blocks) => (blocks.engine(), blocks.src()),
        }
    }
}

/// Lines whose masks are surveyed at once: as many as a word has bits.
const SECTION: usize = 64;

/// Where a text is to be cut, and the texts between.
#[derive(Clone)]
struct Cuts<'a> {
    source: Source<'a>,
    src: &'a [u8],
    /// Well-formed text, and where it begins.
    text: &'a str,
    text_at: usize,
    /// The offset of the next record.
    start: usize,
    limit: usize,
    /// The bits of a line that are left, and the offset of the line.
    rest: u64,
    line_at: usize,
    /// The lines of a section that are left and have bits, the first line of the next section, and such lines of all sections.
    busy: u64,
    section: usize,
    sections: Busy,
    block: Block,
    masks: Masks<1>,
}

impl<'a> Cuts<'a> {
    #[inline]
    fn new(source: Source<'a>) -> Self {
        let (_, src) = source.engine_and_src();
        Cuts {
            source,
            src,
            text: "",
            text_at: 0,
            start: 0,
            limit: usize::MAX,
            rest: 0,
            line_at: 0,
            busy: 0,
            section: 0,
            sections: Busy::default(),
            block: Block { at: 0, lines: 0 },
            masks: [[0]; MOST_LINES],
        }
    }

    /// The offset of the next bit.
    #[inline]
    fn next_cut(&mut self) -> Option<usize> {
        if self.rest == 0 {
            if self.busy == 0 && !self.next_section::<true>() {
                return None;
            }
            let line = self.section - SECTION + self.busy.trailing_zeros() as usize;
            self.busy &= self.busy - 1;
            self.rest = self.masks[line % MOST_LINES][0];
            self.line_at = self.block.at + line * LINE;
        }
        let at = self.line_at + self.rest.trailing_zeros() as usize;
        self.rest &= self.rest.wrapping_sub(1);
        Some(at)
    }

    /// Gives `each` all records that have an end and are left, with what it returned before. If `RETURNS`, a carriage return before an
    /// end belongs to it.
    ///
    /// The same as [`next_cut`](Self::next_cut) and [`take`](Self::take) again and again, but what these keep in memory is in
    /// registers.
    #[inline]
    fn fold<B, const RETURNS: bool>(
        &mut self,
        mut value: B,
        each: &mut impl FnMut(B, Result<&'a str, RecordError>) -> B,
    ) -> B {
        while self.rest != 0 || self.busy != 0 || self.next_section::<true>() {
            let (src, text, text_at, limit) = (self.src, self.text, self.text_at, self.limit);
            let (mut start, mut rest, mut busy) = (self.start, self.rest, self.busy);
            let (mut line_at, section) = (self.line_at, self.section - SECTION);
            loop {
                if rest == 0 {
                    if busy == 0 {
                        break;
                    }
                    let line = section + busy.trailing_zeros() as usize;
                    busy &= busy - 1;
                    rest = self.masks[line % MOST_LINES][0];
                    line_at = self.block.at + line * LINE;
                }
                let at = line_at + rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                let end = at - usize::from(RETURNS && at > start && src[at - 1] == b'\r');
                let next = core::mem::replace(&mut start, at + 1);
                // Where the record begins before the text, the range is far behind it. Each of both ends has a call of its own: in
                // a result that is put together here and taken apart there, the text goes through memory.
                value = match text.get(next.wrapping_sub(text_at)..end.wrapping_sub(text_at)) {
                    Some(record) if record.len() <= limit => each(value, Ok(record)),
                    _ => each(value, self.record(next, end)),
                };
            }
            (self.start, self.rest, self.busy) = (start, 0, 0);
        }
        value
    }

    /// Finds the next lines that have bits: whether there are any. Like the kernels, this is generic only so that it is not compiled
    /// before it is used.
    #[inline(never)]
    fn next_section<const LAZY: bool>(&mut self) -> bool {
        while self.busy == 0 {
            if self.section >= self.block.lines && !self.next_block::<LAZY>() {
                return false;
            }
            // Masks behind the last line are those of another block.
            let known = u64::MAX >> (SECTION - (self.block.lines - self.section).min(SECTION));
            self.busy = self.sections[self.section / SECTION] & known;
            self.section += SECTION;
        }
        true
    }

    /// Scans the next block: whether there is one.
    #[inline(never)]
    fn next_block<const LAZY: bool>(&mut self) -> bool {
        let masks = &mut self.masks;
        let (block, text) = match &mut self.source {
            Source::One(blocks) => (blocks.next(masks, |_| true), passed_text(blocks)),
            Source::Quoted(blocks, inside) => {
                (next_unquoted::<LAZY>(blocks, inside, masks), passed_text(blocks))
            }
            Source::Unicode(blocks) => (next_of_four::<LAZY>(blocks, masks), passed_text(blocks)),
        };
        (self.text_at, self.text) = text;
        let Some(block) = block else { return false };
        let (engine, _) = self.source.engine_and_src();
        // (To ask all masks would take as long as a short text.)
        let sections = if block.lines <= FEW_LINES {
            let bits = self.masks[..block.lines].iter().enumerate();
            let mut sections = Busy::default();
            sections[0] = bits.fold(0, |busy, (line, [mask])| busy | u64::from(*mask != 0) << line);
            sections
        } else {
            busy(engine, &self.masks)
        };
        (self.block, self.section, self.sections) = (block, 0, sections);
        block.lines > 0
    }

    /// The record that ends before `end`, and the next one begins at `next`.
    #[inline]
    fn take(&mut self, end: usize, next: usize) -> Result<&'a str, RecordError> {
        let start = core::mem::replace(&mut self.start, next);
        self.record(start, end)
    }

    /// The record from `start` to `end`.
    #[inline]
    fn record(&self, start: usize, end: usize) -> Result<&'a str, RecordError> {
        if end - start > self.limit {
            return Err(RecordError::TooLong { at: start, limit: self.limit });
        }
        if start >= self.text_at
            && let Some(text) = self.text.get(start - self.text_at..end - self.text_at)
        {
            return Ok(text);
        }
        self.check::<true>(start, end)
    }

    /// The last record, which has no end.
    #[inline]
    fn last(&mut self) -> Option<Result<&'a str, RecordError>> {
        let end = self.src.len();
        (self.start < end).then(|| self.take(end, end))
    }

    /// A record with an error near it. The first byte of what ends it is looked at, too, since it may say which rule is broken.
    #[cold]
    #[inline(never)]
    fn check<const LAZY: bool>(&self, start: usize, end: usize) -> Result<&'a str, RecordError> {
        let (engine, _) = self.source.engine_and_src();
        let (text, error) = text_until_error(engine, &self.src[start..self.src.len().min(end + 1)]);
        match (text.get(..end - start), error) {
            (None, Some(mut error)) => {
                error.at += start;
                Err(RecordError::IllFormed(error))
            }
            (text, _) => Ok(text.unwrap_or_default()),
        }
    }
}

impl fmt::Debug for Cuts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuts").field("start", &self.start).field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Scans the next block for delimiters that are not between quotes. (In a function of its own, and so is the next, as their rows take
/// stack that others need not have.)
#[inline(never)]
fn next_unquoted<const LAZY: bool>(
    blocks: &mut Blocks<'_, 2>,
    inside: &mut u64,
    masks: &mut Masks<1>,
) -> Option<Block> {
    let mut rows = Rows::new(blocks.src().len());
    let both = rows.all();
    let block = blocks.next(both, |_| true);
    let lines = lines_of(block);
    unquote(blocks.engine(), &both[..lines], inside, &mut masks[..lines]);
    block
}

/// Scans the next block for any of four bytes.
#[inline(never)]
fn next_of_four<const LAZY: bool>(blocks: &mut Blocks<'_, 4>, masks: &mut Masks<1>) -> Option<Block> {
    let mut rows = Rows::new(blocks.src().len());
    let firsts = rows.all();
    let block = blocks.next(firsts, |_| true);
    for (mask, [a, b, c, d]) in masks.iter_mut().zip(firsts).take(lines_of(block)) {
        *mask = [*a | *b | *c | *d];
    }
    block
}

#[inline]
fn lines_of(block: Option<Block>) -> usize {
    block.map_or(0, |block| block.lines)
}
