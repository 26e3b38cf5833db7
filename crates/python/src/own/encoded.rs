//! What Python's handlers make of characters that have no form in an encoding.
//!
//! Where there are none for some 64 characters, a kernel or a loop of which a compiler makes vectors is at work. All else is written
//! one by one into a place on the stack, since the next error may be close.

use core::mem::MaybeUninit;

use runecast::{Scheme, Utf8, Utf16, Utf32};

use super::{Own, STANDS, surrogate};
use crate::text::View;

/// A text in a scheme in which some of its characters have no form, with what a handler writes for each of these.
pub(crate) fn encoded(own: Own, view: View<'_>, to: Scheme) -> Option<Vec<u8>> {
    match (to, own, view) {
        (Scheme::Latin1 | Scheme::Ascii, Own::Pass, _) => None,
        (Scheme::Latin1 | Scheme::Ascii, ..) => {
            let most = if to == Scheme::Ascii { 0x7F } else { 0xFF };
            match view {
                View::Ascii(units) | View::One(units) => bytes_of(own, units, most),
                View::Two(units) => bytes_of(own, units, most),
                View::Four(units) => bytes_of(own, units, most),
            }
        }
        (Scheme::Utf32Le | Scheme::Utf32Be, Own::Pass, _) => {
            let little = to == Scheme::Utf32Le;
            let unit = |point: u32| if little { point.to_le_bytes() } else { point.to_be_bytes() };
            Some(view.points().flat_map(unit).collect())
        }
        (Scheme::Utf8, _, View::Two(units)) => {
            utf8_of(own, units, |units, utf8| runecast::transcode_uninit::<Utf16, Utf8>(units, utf8).ok())
        }
        (Scheme::Utf8, _, View::Four(units)) => {
            utf8_of(own, units, |units, utf8| runecast::transcode_uninit::<Utf32, Utf8>(units, utf8).ok())
        }
        _ => in_pieces(own, view, to),
    }
}

/// Whether it holds for any unit: block by block, each a loop without an exit, of which a compiler makes vectors.
#[inline]
pub(crate) fn any<U: Copy>(units: &[U], is: impl Fn(U) -> bool) -> bool {
    units.chunks(1024).any(|block| block.iter().fold(false, |any, unit| any | is(*unit)))
}

/// A byte for each unit, or what a handler writes for those above `most`.
fn bytes_of<U: Copy + Into<u32>>(own: Own, units: &[U], most: u32) -> Option<Vec<u8>> {
    // Without a branch: there may be one for every other character.
    if own == Own::Replace {
        let byte = |unit: &U| {
            let point = (*unit).into();
            if point <= most { point as u8 } else { b'?' }
        };
        return Some(units.iter().map(byte).collect());
    }
    let mut bytes = Vec::with_capacity(units.len());
    let mut aside = [0; STANDS * (BLOCK + 1)];
    for block in units.chunks(BLOCK) {
        if any(block, |unit| unit.into() > most) {
            let byte = |point: u32| (point <= most).then_some(([point as u8, 0, 0, 0], 1));
            one_by_one(own, block, &mut aside, &mut bytes, byte)?;
        } else {
            bytes.extend(block.iter().map(|unit| (*unit).into() as u8));
        }
    }
    Some(bytes)
}

/// Units that are written one by one, if one of them needs a handler.
const BLOCK: usize = 64;

/// Room for what becomes of a block.
type Aside = [u8; STANDS * (BLOCK + 1)];

/// Appends the form that each unit of a block has, or what a handler writes for it.
#[inline]
fn one_by_one<U: Copy + Into<u32>>(
    own: Own,
    block: &[U],
    aside: &mut Aside,
    bytes: &mut Vec<u8>,
    form: impl Fn(u32) -> Option<([u8; 4], usize)>,
) -> Option<()> {
    let mut len = 0;
    // Some write the same for all.
    let same = if matches!(own, Own::Replace | Own::Ignore) { own.stands(0) } else { None };
    let (groups, rest) = block.as_chunks::<8>();
    let one = |unit: U, aside: &mut Aside, len: usize| -> Option<usize> {
        let point = unit.into();
        Some(match form(point) {
            Some((bytes, more)) => {
                *aside.get_mut(len..)?.first_chunk_mut()? = bytes;
                len + more
            }
            None => {
                let (stands, more) = match (own, same) {
                    (_, Some(same)) => same,
                    // What there may be much of, in few instructions.
                    (Own::Escape, _) if matches!(point, 0xDC80..=0xDCFF) => {
                        *aside.get_mut(len)? = point as u8;
                        return Some(len + 1);
                    }
                    (Own::Pass, _) if point & !0x7FF == 0xD800 => {
                        *aside.get_mut(len..)?.first_chunk_mut()? = surrogate(point);
                        return Some(len + 3);
                    }
                    _ => own.stands(point)?,
                };
                *aside.get_mut(len..)?.first_chunk_mut()? = stands;
                len + more
            }
        })
    };
    for group in groups {
        if group.iter().fold(0, |all, unit| all | (*unit).into()) < 0x80 {
            *aside.get_mut(len..)?.first_chunk_mut()? = group.map(|unit| unit.into() as u8);
            len += 8;
        } else {
            for unit in group {
                len = one(*unit, aside, len)?;
            }
        }
    }
    for unit in rest {
        len = one(*unit, aside, len)?;
    }
    bytes.extend_from_slice(aside.get(..len)?);
    Some(())
}

/// A character in UTF-8; nothing, if it is a surrogate.
#[inline]
fn utf8(point: u32) -> Option<([u8; 4], usize)> {
    let low = |shift: u32| 0x80 | (point >> shift & 0x3F) as u8;
    if point & !0x7FF == 0xD800 {
        return None;
    }
    Some(match point {
        0..=0x7F => ([point as u8, 0, 0, 0], 1),
        0x80..=0x7FF => ([0xC0 | (point >> 6) as u8, low(0), 0, 0], 2),
        0x800..=0xFFFF => ([0xE0 | (point >> 12) as u8, low(6), low(0), 0], 3),
        _ => ([0xF0 | (point >> 18) as u8, low(12), low(6), low(0)], 4),
    })
}

/// UTF-8, or what a handler writes for surrogates: block by block where there are some, and by a kernel where there are none.
fn utf8_of<U: Copy + Into<u32>>(
    own: Own,
    units: &[U],
    kernel: impl Fn(&[U], &mut [MaybeUninit<u8>]) -> Option<usize>,
) -> Option<Vec<u8>> {
    let is = |unit: U| unit.into() & !0x7FF == 0xD800;
    let mut bytes = Vec::with_capacity(units.len() + 8);
    let mut aside = [0; STANDS * (BLOCK + 1)];
    let mut rest = units;
    while !rest.is_empty() {
        let clean = rest.chunks(BLOCK).take(PIECE / BLOCK).take_while(|block| !any(block, is));
        let (clean, more) = rest.split_at(clean.map(<[U]>::len).sum());
        if !clean.is_empty() {
            // No character has more bytes.
            bytes.reserve(4 * clean.len());
            let room: &mut [MaybeUninit<u8>] = bytes.spare_capacity_mut();
            let written = kernel(clean, room)?.min(room.len());
            // SAFETY: as many bytes are written behind those that were there before as it says, and there is room for them.
            unsafe { bytes.set_len(bytes.len() + written) };
        }
        let (block, more) = match clean.len() {
            // What ends there may not end at a surrogate.
            PIECE.. => (&[][..], more),
            _ => more.split_at(more.len().min(BLOCK)),
        };
        one_by_one(own, block, &mut aside, &mut bytes, utf8)?;
        rest = more;
    }
    Some(bytes)
}

/// A text in generalized UTF-8.
pub(crate) fn generalized(view: View<'_>) -> Option<Vec<u8>> {
    encoded(Own::Pass, view, Scheme::Utf8)
}

/// Characters that are converted at once, at most.
const PIECE: usize = 2048;

/// The same in an encoding of Unicode, piece by piece: what is not a surrogate is converted up to whatever has no form.
fn in_pieces(own: Own, view: View<'_>, to: Scheme) -> Option<Vec<u8>> {
    let units = crate::decode::in_units(to);
    if to.has_surrogates() || own == Own::Pass || (units && own == Own::Escape) {
        return None;
    }
    let (from, src) = view.source();
    let (width, len) = (view.width(), view.len());
    let mut bytes: Vec<u8> = Vec::with_capacity(len);
    // Where the next surrogate is, of units that could otherwise be taken for a pair.
    let (mut at, mut surrogate) = (0, None);
    while at < len {
        let next = match (view, surrogate) {
            (View::Two(_), Some(next)) if at <= next => next,
            (View::Two(units), _) => next_surrogate(units, at),
            _ => len,
        };
        surrogate = Some(next);
        let end = next.min(at + PIECE);
        if at < end {
            let piece = src.get(at * width..end * width)?;
            bytes.reserve(from.max_transcoded_len(to, piece.len()));
            let room: &mut [MaybeUninit<u8>] = bytes.spare_capacity_mut();
            let (read, written) = match from.transcode_partial_uninit(to, piece, room) {
                Ok(progress) => (progress.read, progress.written),
                Err(error) => (error.read, error.written),
            };
            let written = written.min(room.len());
            // SAFETY: as many bytes are written behind those that were there before as it says, and there is room for them.
            unsafe { bytes.set_len(bytes.len() + written) };
            at += read / width;
            if at == end && end < next {
                continue;
            }
        }
        let Some(point) = view.get(at) else { break };
        let (stands, len) = own.stands(point)?;
        if units {
            Scheme::Latin1.transcode_append(to, stands.get(..len)?, &mut bytes).ok()?;
        } else {
            bytes.extend_from_slice(stands.get(..len)?);
        }
        at += 1;
    }
    Some(bytes)
}

/// The place of the first surrogate from a place on, or the end.
pub(crate) fn next_surrogate(units: &[u16], at: usize) -> usize {
    let is = |unit: &u16| unit & 0xF800 == 0xD800;
    let mut begin = at;
    for block in units.get(at..).unwrap_or_default().chunks(64) {
        if block.iter().fold(false, |any, unit| any | is(unit)) {
            return begin + block.iter().position(is).unwrap_or(0);
        }
        begin += block.len();
    }
    units.len()
}
