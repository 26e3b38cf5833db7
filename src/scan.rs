//! Validation and search in one pass: is it UTF-8, and where are the bytes that a parser needs?
//!
//! A program that cuts text into records, lines or tokens often reads each byte two or three times: to find the delimiters, to
//! validate the pieces, and to count. [`scan`] does this in one pass. You give it sets of ASCII bytes, and for every 64 bytes of text
//! it calls you with one mask for each set, in which a bit stands for each byte that belongs to the set; [`positions()`] gives offsets
//! instead. Both stop at the first ill-formed sequence, with the same [`IllFormed`] as [`validate`](crate::validate()), and keep what
//! they have found before it.
//!
//! | you want | call |
//! |---|---|
//! | masks of a slice | [`scan`]; [`scan_all`], which continues after errors |
//! | offsets, into a slice or a vector | [`positions()`], [`positions_append`] |
//! | masks of text that arrives in chunks | [`Scanner`] |
//! | lines, as `&str` | [`lines()`], with [`LineEnds`] and a limit |
//! | records between other bytes, or with quotes, as in CSV | [`records`] |
//! | lines of a reader | [`LineReader`] |
//!
//! ```
//! use runecast::scan::{ByteSet, scan};
//!
//! const FIELDS: ByteSet = ByteSet::new(b",\n").unwrap();
//! const QUOTE: ByteSet = ByteSet::new(b"\"").unwrap();
//!
//! let mut fields = 0;
//! scan("naïve,\"ā\"\n".as_bytes(), &[FIELDS, QUOTE], |at, [ends, quotes]| {
//!     assert_eq!((at, ends, quotes), (0, 1 << 6 | 1 << 11, 1 << 7 | 1 << 10));
//!     fields += ends.count_ones();
//! })?;
//! assert_eq!(fields, 2);
//! # Ok::<(), runecast::IllFormed>(())
//! ```
//!
//! # How it works
//! The bytes that are searched for are ASCII, and ill-formed sequences contain no ASCII. So validation and search are independent:
//! the masks are the same whatever is wrong with the text, and nothing special has to be done to continue after an error.
//!
//! In blocks of 16 KiB, the kernel loads each line of 64 bytes once to compute its masks, and whether it is ASCII; then it
//! judges the lines that are not, which are still in the first level of cache. That is the work of validation with a comparison
//! and a store more in a loop that waits for memory. The lists below, and lines and records, are made of the masks of each
//! block, while these are in the cache, too.
//!
//! Nothing is allocated, except by the function that appends to a vector, and by [`LineReader`]; nothing panics. A program that does
//! not call these functions does not contain them.

mod byte_set;
mod lines;
mod positions;
#[cfg(feature = "std")]
mod reader;
mod scanner;

use crate::blocks::{Blocks, Rows};
use crate::kernel::{Engine, LINE, Wanted};
use crate::unicode::IllFormed;

pub use byte_set::ByteSet;
pub use lines::{LineEnds, Lines, RecordError, Records, lines, records};
pub(crate) use lines::{lines_on, records_on};
#[cfg(feature = "alloc")]
pub use positions::positions_append;
#[cfg(feature = "alloc")]
pub(crate) use positions::positions_append_on;
pub(crate) use positions::positions_on;
pub use positions::{Found, Position, positions};
#[cfg(feature = "std")]
pub use reader::LineReader;
pub use scanner::Scanner;

/// The sets, as the kernels know them.
#[inline]
fn wanted<const N: usize>(sets: &[ByteSet; N]) -> Wanted<N> {
    Wanted::new(sets.map(|set| set.members))
}

/// Validates `src` and finds the bytes of some sets.
///
/// `each` is called for each 64 bytes, from the first to the last, with their offset in `src` and a mask for each set: bit `n` is
/// set if the byte at this offset plus `n` belongs to the set. Bits behind the end of `src` are clear. `N` sets are found at once;
/// those of a single byte cost the least.
///
/// Nothing is allocated. The masks of 256 lines are on the stack: `N` times 2 KiB.
///
/// # Errors
/// The first ill-formed sequence, as [`validate`](crate::validate()) returns it. `each` has then been called for the bytes before
/// it, and for none behind it; bits from the error on are clear. The calls may run up to 16 KiB behind validation, so an error
/// may be found before they have all been made, but they are made before it is returned.
///
/// ```
/// use runecast::scan::{ByteSet, scan};
///
/// let mut lines = 0;
/// let error = scan(b"one\ntwo\n\xFF\n", &[ByteSet::LINE_FEED], |_, [ends]| lines += ends.count_ones());
/// assert_eq!((lines, error.unwrap_err().at), (2, 8));
/// ```
#[inline]
pub fn scan<const N: usize>(
    src: &[u8],
    sets: &[ByteSet; N],
    each: impl FnMut(usize, [u64; N]),
) -> Result<(), IllFormed> {
    scan_on(Engine::current(), src, sets, each)
}

/// As [`scan`], but it goes on behind errors: `each` is called for all of `src`, and `ill_formed` for each ill-formed sequence, as
/// [`ill_formed`](crate::ill_formed()) finds them, from the first to the last.
///
/// The calls of `ill_formed` may be up to 16 KiB ahead of those of `each`, or some bytes behind them.
///
/// ```
/// use runecast::scan::{ByteSet, scan_all};
///
/// let (mut lines, mut errors) = (0, Vec::new());
/// scan_all(
///     b"one\n\xFF\n",
///     &[ByteSet::LINE_FEED],
///     |_, [ends]| lines += ends.count_ones(),
///     |error| errors.push(error.at),
/// );
/// assert_eq!((lines, errors), (2, vec![4]));
/// ```
#[inline]
pub fn scan_all<const N: usize>(
    src: &[u8],
    sets: &[ByteSet; N],
    each: impl FnMut(usize, [u64; N]),
    ill_formed: impl FnMut(IllFormed),
) {
    scan_all_on(Engine::current(), src, sets, each, ill_formed);
}

/// [`scan`], with the kernels of this engine.
#[inline]
pub(crate) fn scan_on<const N: usize>(
    engine: Engine,
    src: &[u8],
    sets: &[ByteSet; N],
    each: impl FnMut(usize, [u64; N]),
) -> Result<(), IllFormed> {
    let mut first = None;
    drive(Blocks::new(engine, src, wanted(sets), 0), each, |error| {
        first = Some(error);
        false
    });
    first.map_or(Ok(()), Err)
}

/// [`scan_all`], with the kernels of this engine.
#[inline]
pub(crate) fn scan_all_on<const N: usize>(
    engine: Engine,
    src: &[u8],
    sets: &[ByteSet; N],
    each: impl FnMut(usize, [u64; N]),
    mut ill_formed: impl FnMut(IllFormed),
) {
    drive(Blocks::new(engine, src, wanted(sets), 0), each, |error| {
        ill_formed(error);
        true
    });
}

/// All blocks, line by line. `ill_formed` says whether to go on.
#[inline]
fn drive<const N: usize>(
    mut blocks: Blocks<'_, N>,
    mut each: impl FnMut(usize, [u64; N]),
    mut ill_formed: impl FnMut(IllFormed) -> bool,
) {
    let mut rows = Rows::new(blocks.src().len());
    let masks = rows.all();
    while let Some(block) = blocks.next(masks, &mut ill_formed) {
        for (line, masks) in masks[..block.lines].iter().enumerate() {
            each(block.at + line * LINE, *masks);
        }
    }
}
