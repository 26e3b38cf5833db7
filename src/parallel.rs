//! One huge text on all cores (feature `rayon`).
//!
//! A text is cut into blocks, which are processed in any order, by any thread. Three things make the result the same as that of
//! the serial functions, to the last bit.
//!
//! *Cuts are character boundaries.* In UTF-8 and its variants every byte that is not a continuation byte begins something new;
//! in UTF-16 every unit that is not a low surrogate does; in Corrected UTF-8 every recognised lead byte; and two surrogates that may be one character are kept together. So a
//! decoder that comes to a cut from the front has decoded everything up to it.
//!
//! *The first error wins.* All blocks before it are well-formed, so that the serial function would have reached the beginning
//! of its block. That function is then called for the block and the next one: an error at the end of a block also depends on what
//! follows, but not on more than a few units of it. What was converted is given back before.
//!
//! *Every block knows where its output begins.* Lengths are counted first, which is much faster than conversion, and summed up.
//! Then each block is converted into its own part of one vector, which is never initialised. An ill-formed block of a lossy
//! conversion is not counted: it is converted at once, and copied when its offset is known.
//!
//! A block may have characters that the target lacks. What a lossy conversion writes for them is mostly as long as was counted, a
//! question mark in Latin-1 or ASCII, so that the block is converted once more, lossily, into the same part. Where it is not, with
//! [`Policy::Omit`] or for code points beyond Unicode, all lengths are counted once more, by conversions; on all cores, too.
//!
//! Blocks are a quarter of a megabyte: large enough that distributing them costs nothing, and small enough for the cache of a
//! core. A text of one block is not cut, and no other thread is involved: it is for the serial functions, which validate while they
//! convert, and write each unit where it stays. (Ill-formed text of one block was validated, converted, and then copied. Where it
//! grew to eight times its length, the second vector alone took as long as the conversion.)

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use rayon::prelude::*;

use crate::convert::{
    Policy, Reason, TranscodeError, transcode_append_on, transcode_lossy_append_on, transcode_lossy_len_on,
    transcode_lossy_uninit_on, transcode_uninit_on, transcoded_len_on,
};
use crate::kernel::Engine;
use crate::output;
use crate::unicode::codec::corrected::{is_recognized, reserved_continuation};
use crate::unicode::{Encoding, Family, IllFormed, Unit, Variant, cast, is_high, is_low};
use crate::validate::validate_on;

/// Bytes of a block; few for tests.
const BLOCK: usize = if cfg!(test) { 64 } else { 256 << 10 };

/// More continuation bytes than any sequence has that is one replacement, in any encoding and by any policy; but for reserved ones.
const MAX_CONTINUATION: usize = 16;

/// [`par_validate`] with this engine.
pub(crate) fn par_validate_on<E: Encoding>(engine: Engine, src: &[E::Unit]) -> Result<(), IllFormed> {
    let blocks = Blocks::<E>::new(src, |at| cut::<E>(src, at));
    if blocks.is_one() {
        return validate_on::<E>(engine, src);
    }
    let is_ill_formed = |block: &usize| validate_on::<E>(engine, blocks.get(*block)).is_err();
    let Some(block) = blocks.numbers().find_first(is_ill_formed) else {
        return Ok(());
    };
    let from = blocks.cuts[block];
    validate_on::<E>(engine, &src[from..]).map_err(|error| moved(error, from))
}

/// [`par_transcode_to_vec`] with this engine.
pub(crate) fn par_transcode_to_vec_on<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
) -> Result<Vec<D::Unit>, TranscodeError> {
    let blocks = Blocks::<S>::new(src, |at| cut::<S>(src, at));
    if blocks.is_one() {
        let mut dst = Vec::new();
        return transcode_append_on::<S, D>(engine, src, &mut dst).map(|_| dst);
    }
    let lens: Vec<usize> =
        blocks.numbers().map(|block| transcoded_len_on::<S, D>(engine, blocks.get(block))).collect();
    let mut dst = Vec::with_capacity(total(&lens));
    let convert = |block, room: &mut [MaybeUninit<D::Unit>]| {
        transcode_uninit_on::<S, D>(engine, blocks.get(block), room) == Ok(room.len())
    };
    let Some(block) = fill(&mut dst, &lens, convert) else {
        return Ok(dst);
    };
    drop(dst);
    // Everything before it has been converted; the serial function finds the error.
    let (from, written) = (blocks.cuts[block], lens[..block].iter().sum::<usize>());
    let end = blocks.cuts.get(block + 2).copied().unwrap_or(src.len());
    match transcode_append_on::<S, D>(engine, &src[from..end], &mut Vec::new()) {
        Err(error) => Err(TranscodeError {
            read: error.read + from,
            written: error.written + written,
            reason: match error.reason {
                Reason::IllFormed(error) => Reason::IllFormed(moved(error, from)),
                Reason::Unrepresentable { at, character } => {
                    Reason::Unrepresentable { at: at + from, character }
                }
                Reason::UnrepresentableCodePoint { at, code_point } => {
                    Reason::UnrepresentableCodePoint { at: at + from, code_point }
                }
                Reason::OutputFull => Reason::OutputFull,
            },
            ..error
        }),
        // Only if the length is not what was counted.
        Ok(_) => {
            let mut dst = Vec::new();
            transcode_append_on::<S, D>(engine, src, &mut dst).map(|_| dst)
        }
    }
}

/// [`par_transcode_lossy_to_vec`] with this engine.
#[must_use]
pub(crate) fn par_transcode_lossy_to_vec_on<'p, S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    policy: impl Into<Policy<'p>>,
) -> Vec<D::Unit> {
    let policy = policy.into();
    lossy_in_blocks::<S, D>(engine, src, policy).unwrap_or_else(|| {
        let mut dst = Vec::new();
        transcode_lossy_append_on::<S, D>(engine, src, &mut dst, policy);
        dst
    })
}

/// Converts block by block; `None` if that is for the serial function.
fn lossy_in_blocks<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    policy: Policy<'_>,
) -> Option<Vec<D::Unit>> {
    // Where sequences are dropped, two surrogates may become neighbours and join.
    if matches!(D::VARIANT, Variant::Wtf8) && policy.drops() {
        return None;
    }
    let blocks = Blocks::<S>::new(src, |at| {
        let at = cut::<S>(src, at);
        at - policy.waiting::<S>(&src[..at])
    });
    if blocks.is_one() {
        return None;
    }
    // The length of a well-formed block, or the conversion of an ill-formed one.
    let mut converted: Vec<Result<usize, Vec<D::Unit>>> = blocks
        .numbers()
        .map(|block| {
            let src = blocks.get(block);
            if !policy.refuses_characters() && validate_on::<S>(engine, src).is_ok() {
                return Ok(transcoded_len_on::<S, D>(engine, src));
            }
            let mut dst = Vec::new();
            transcode_lossy_append_on::<S, D>(engine, src, &mut dst, policy);
            Err(dst)
        })
        .collect();
    for is_counted in [true, false] {
        // What is written for characters that the target lacks is not as long as they were counted.
        if !is_counted {
            blocks.numbers().zip(&mut converted).for_each(|(block, converted)| {
                if let Ok(len) = converted {
                    *len = transcode_lossy_len_on::<S, D>(engine, blocks.get(block), policy).written;
                }
            });
        }
        let len = |block: &Result<usize, Vec<D::Unit>>| block.as_ref().map_or_else(Vec::len, |len| *len);
        let lens: Vec<usize> = converted.iter().map(len).collect();
        let mut dst = Vec::with_capacity(total(&lens));
        let failed = fill(&mut dst, &lens, |block, room| match &converted[block] {
            Ok(_) => {
                let (src, all) = (blocks.get(block), room.len());
                transcode_uninit_on::<S, D>(engine, src, room) == Ok(all)
                    || transcode_lossy_uninit_on::<S, D>(engine, src, room, policy)
                        .is_ok_and(|repaired| repaired.written == all)
            }
            Err(units) => {
                let mut output = output::OutputCursor::new(room);
                output.push(units)
            }
        });
        if failed.is_none() {
            return Some(dst);
        }
    }
    None
}

/// The error, so many units further on.
#[inline]
fn moved(mut error: IllFormed, by: usize) -> IllFormed {
    error.at += by;
    error
}

/// A text cut into blocks.
struct Blocks<'a, E: Encoding> {
    src: &'a [E::Unit],
    /// Where each block begins, and where the last ends.
    cuts: Vec<usize>,
}

impl<'a, E: Encoding> Blocks<'a, E> {
    /// Cuts it. `cut` turns an offset into that of a character boundary nearby.
    fn new(src: &'a [E::Unit], cut: impl Fn(usize) -> usize) -> Self {
        let step = BLOCK / size_of::<E::Unit>();
        let mut cuts = alloc::vec![0];
        let mut at = step;
        while at < src.len() {
            let boundary = cut(at);
            if boundary >= src.len() {
                break;
            }
            if cuts.last().is_some_and(|last| *last < boundary) {
                cuts.push(boundary);
            }
            // The boundary may be far behind; what is before it has been searched.
            at = at.max(boundary) + step;
        }
        cuts.push(src.len());
        Blocks { src, cuts }
    }

    /// Whether there is only one.
    fn is_one(&self) -> bool {
        self.cuts.len() == 2
    }

    fn get(&self, block: usize) -> &'a [E::Unit] {
        &self.src[self.cuts[block]..self.cuts[block + 1]]
    }

    fn numbers(&self) -> impl IndexedParallelIterator<Item = usize> + use<E> {
        (0..self.cuts.len() - 1).into_par_iter()
    }
}

/// A character boundary at or near `at`; the end, if there is none.
fn cut<E: Encoding>(src: &[E::Unit], at: usize) -> usize {
    let bytes: &[u8] = cast(src);
    let each = E::VARIANT.unit() / size_of::<E::Unit>();
    let at = at - at % each;
    match (E::VARIANT, E::VARIANT.family()) {
        (Variant::Utf16(order) | Variant::Wtf16(order), _) => {
            let unit = |at: usize| src.get(at..at + each).map(|unit| order.value(cast(unit)));
            let within = unit(at).is_some_and(is_low) && at >= each && unit(at - each).is_some_and(is_high);
            if within { at - each } else { at }
        }
        (_, Family::Ascii | Family::Latin1 | Family::Utf32) => at,
        _ => {
            let reserves = matches!(E::VARIANT, Variant::CorrectedUtf8);
            let begins = |at: &usize| match reserves {
                true => is_recognized(&bytes[*at]),
                false => bytes[*at] & 0xC0 != 0x80,
            };
            let at = match (at.saturating_sub(MAX_CONTINUATION)..=at).rev().find(begins) {
                Some(near) => near,
                // A reserved sequence may extend over any number of blocks.
                None if reserves => at + reserved_continuation(&bytes[at..]),
                // After so many continuation bytes, the next one is a sequence by itself.
                None => at,
            };
            // A low surrogate in three bytes, and a high one before it.
            match (&bytes[..at], &bytes[at..]) {
                ([.., 0xED, 0xA0..=0xAF, _], [0xED, 0xB0..=0xBF, ..]) => at - 3,
                _ => at,
            }
        }
    }
}

/// The sum of some lengths, or the greatest `usize`, which no vector can have.
fn total(lens: &[usize]) -> usize {
    lens.iter().fold(0, |sum, len| sum.saturating_add(*len))
}

/// Lets `write` fill parts of these lengths of an empty vector. Returns the number of the first part that it did not fill; then
/// the vector stays empty.
fn fill<U: Unit + Send>(
    dst: &mut Vec<U>,
    lens: &[usize],
    write: impl Fn(usize, &mut [MaybeUninit<U>]) -> bool + Sync,
) -> Option<usize> {
    let total = total(lens);
    output::append(dst, |mut spare| {
        let mut rooms = Vec::with_capacity(lens.len());
        for len in lens {
            let (room, rest) = spare.split_at_mut(*len);
            rooms.push(room);
            spare = rest;
        }
        let work = |(block, room): (usize, &mut [MaybeUninit<U>])| (!write(block, room)).then_some(block);
        let failed = rooms.into_par_iter().enumerate().find_map_first(work);
        (if failed.is_none() { total } else { 0 }, failed)
    })
    .1
}

/// As [`validate`](crate::validate()), on all cores: the same result.
///
/// Blocks are distributed by [rayon], in the pool from which this is called. A list of them is allocated.
///
/// # Errors
/// As for [`validate`](crate::validate()).
///
/// [rayon]: https://docs.rs/rayon
///
/// ```
/// use runecast::{Utf8, par_validate};
///
/// let mut text = "rúna ".repeat(200_000).into_bytes();
/// assert!(par_validate::<Utf8>(&text).is_ok());
///
/// text[900_001] = 0xFF;
/// assert_eq!(par_validate::<Utf8>(&text).unwrap_err().at, 900_001);
/// ```
pub fn par_validate<E: Encoding>(src: &[E::Unit]) -> Result<(), IllFormed> {
    par_validate_on::<E>(Engine::current(), src)
}

/// As [`transcode_to_vec`](crate::transcode_to_vec()), on all cores: the same result.
///
/// # Errors
/// As for [`transcode_to_vec`](crate::transcode_to_vec).
///
/// ```
/// use runecast::{Utf8, Utf16, par_transcode_to_vec};
///
/// let text = "rúna ".repeat(200_000);
/// let units = par_transcode_to_vec::<Utf8, Utf16>(text.as_bytes())?;
/// assert!(units.into_iter().eq(text.encode_utf16()));
/// # Ok::<(), runecast::TranscodeError>(())
/// ```
pub fn par_transcode_to_vec<S: Encoding, D: Encoding>(
    src: &[S::Unit],
) -> Result<Vec<D::Unit>, TranscodeError> {
    par_transcode_to_vec_on::<S, D>(Engine::current(), src)
}

/// As [`transcode_lossy_to_vec`](crate::transcode_lossy_to_vec()), on all cores: the same result.
///
/// ```
/// use runecast::{Replacement, Utf8, par_transcode_lossy_to_vec};
///
/// let text = b"r\xFAna ".repeat(200_000);
/// let repaired = par_transcode_lossy_to_vec::<Utf8, Utf8>(&text, Replacement::Whatwg);
/// assert_eq!(repaired, String::from_utf8_lossy(&text).as_bytes());
/// ```
#[must_use]
pub fn par_transcode_lossy_to_vec<'p, S: Encoding, D: Encoding>(
    src: &[S::Unit],
    policy: impl Into<Policy<'p>>,
) -> Vec<D::Unit> {
    par_transcode_lossy_to_vec_on::<S, D>(Engine::current(), src, policy)
}
