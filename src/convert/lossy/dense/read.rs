//! The first of the two loops: it decodes.
//!
//! In every encoding of lead bytes and continuation bytes a byte is a character or an ill-formed sequence *by itself*, unless it is a
//! lead byte with a continuation byte behind it: whatever else a codec might say of it, the maximal subpart is that byte, and so every
//! [`Replacement`] replaces it alone. Of random bytes nearly all are of that kind. A test compares this with the codecs.
//!
//! Characters of two and of three bytes are read without a codec, too: a call for each took a third of the time for runs of surrogates.

use super::{CONTINUES, COUNTED, ILL_FORMED, LONE, MOST, Piece, Pieces, RESERVED, lead, may_join};
use crate::convert::lossy::{REPLACEMENT, holds_surrogates, unpaired};
use crate::convert::replacement::Answer;
use crate::convert::{Policy, Replacement};
use crate::unicode::codec;
use crate::unicode::codec::corrected::{is_recognized, reserved_continuation};
use crate::unicode::{Encoding, Fault, Kind, Unit, Variant, Wtf8, cast};

/// How a source is read.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// Whether something is written for each byte or unit of what is ill-formed.
    each: bool,
    /// Whether two surrogates that would be a pair in the target are read as that character.
    pairs: bool,
    /// Whether a unit of the target can be a surrogate.
    surrogates: bool,
    /// How much of UTF-8 is replaced as one.
    replacement: Replacement,
    /// Whether a reserved sequence may go on at the beginning.
    in_reserved: bool,
    /// Whether two surrogates between which something is left out have to be kept apart.
    apart: bool,
    /// The bytes of a unit of the target.
    unit: usize,
}

impl Reading {
    /// For a conversion by `policy`.
    #[inline]
    pub(crate) fn new(source: Variant, target: Variant, policy: Policy<'_>) -> Reading {
        let surrogates = holds_surrogates(target);
        let (each, replacement) = match policy {
            Policy::Replace(replacement) => (false, replacement),
            Policy::Escape(escape) => (escape.is_of_each(source, surrogates), Replacement::Whatwg),
            _ => (false, Replacement::Whatwg),
        };
        let apart = source.has_surrogates() && may_join(target, policy);
        let (pairs, unit) = (target.pairs_up(), target.unit());
        Reading { each, pairs, surrogates, replacement, in_reserved: false, apart, unit }
    }

    /// The same, where a reserved sequence may go on at the beginning.
    #[inline]
    pub(super) fn inside(self, in_reserved: bool) -> Reading {
        Reading { in_reserved, ..self }
    }

    /// Whether two surrogates between which something is left out have to be kept apart.
    #[inline]
    pub(crate) fn holds_apart(self) -> bool {
        self.apart
    }

    /// The bytes of a unit of the target, of which its memory may consist.
    #[inline]
    pub(super) fn unit(self) -> usize {
        self.unit
    }

    /// Whether something is written for each byte or unit of what is ill-formed.
    #[inline]
    pub(super) fn each(self) -> bool {
        self.each
    }
}

/// The most bytes after the first of a reserved sequence that are one piece.
const LONGEST: usize = 1 << 15;

/// What the byte at the start of a text is, of which `next` is the next byte or anything else below 80, if it stands alone.
#[inline(always)]
const fn alone(variant: Variant, byte: u8, next: u8) -> Option<Piece> {
    // The highest bit, of numbers: of conditions a compiler makes branches.
    let lead = byte & byte << 1;
    let continuation = next & !(next << 1);
    let begins = if matches!(variant, Variant::Ascii) { 0 } else { lead & continuation & 0x80 };
    let reserved = (matches!(variant, Variant::CorrectedUtf8) & (byte >= 0xFE)) as u8;
    if begins | reserved != 0 {
        return None;
    }
    let nul = (variant.two_byte_nul() & (byte == 0)) as u8;
    let flags = ((byte >> 7 | nul) as u16).wrapping_neg() & (ILL_FORMED | COUNTED);
    Some(Piece::new(byte as u32, 1, flags))
}

/// The character of two bytes at the start of a text, if `byte` is a lead byte of such, and `next` known to be a continuation byte.
#[inline(always)]
const fn of_two_bytes(variant: Variant, byte: u8, next: u8) -> Option<Piece> {
    let corrected = matches!(variant, Variant::CorrectedUtf8);
    if byte >= 0xE0 || (byte < 0xC2 && !corrected) {
        return None;
    }
    let bits = (byte as u32 & 0x1F) << 6 | next as u32 & 0x3F;
    Some(Piece::new(if corrected { bits + 0xA0 } else { bits }, 2, 0))
}

/// Reads `most` pieces or the rest of a sequence more, but no further than `src`; returns how many they are, and how many units.
pub(crate) fn read<S: Encoding>(
    src: &[S::Unit],
    reading: Reading,
    most: usize,
    pieces: &mut Pieces,
) -> (usize, usize) {
    if cfg!(target_arch = "wasm32") {
        // One loop for all encodings: what is loaded over a network should be small.
        return read_by(decode::<S> as Decode<S::Unit>, S::VARIANT, src, reading, most, pieces);
    }
    read_by(decode::<S>, S::VARIANT, src, reading, most, pieces)
}

/// A pointer to [`decode`].
type Decode<U> = fn(&[U], bool) -> Result<(u32, usize), Fault>;

/// The codec; if `pairs`, two surrogates that would be a pair in UTF-16 are read as that character.
#[inline]
fn decode<S: Encoding>(src: &[S::Unit], pairs: bool) -> Result<(u32, usize), Fault> {
    match S::VARIANT {
        // (WTF-8 is one of those in which surrogates pair up.)
        Variant::GeneralizedUtf8 if pairs => codec::read::<S, Wtf8>(src),
        _ => S::decode(src),
    }
}

/// [`read`], by the codec of this variant.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn read_by<U: Unit>(
    decode: impl Fn(&[U], bool) -> Result<(u32, usize), Fault>,
    source: Variant,
    src: &[U],
    reading: Reading,
    most: usize,
    pieces: &mut Pieces,
) -> (usize, usize) {
    let Reading { each, pairs, surrogates, replacement, mut in_reserved, .. } = reading;
    let most = most.min(MOST);
    let (mut at, mut count) = (0, 0);
    let knows = lead::serves(source, replacement);
    // Whether the byte before stood alone.
    let mut alone_before = false;
    while count < most && at < src.len() {
        let rest = &src[at..];
        if source.has_leads() || matches!(source, Variant::Ascii) {
            let bytes: &[u8] = cast(rest);
            if matches!(source, Variant::CorrectedUtf8) && in_reserved && each {
                in_reserved = !is_recognized(&bytes[0]);
                if in_reserved {
                    pieces[count] = Piece::new(bytes[0].into(), 1, ILL_FORMED | RESERVED);
                    (at, count) = (at + 1, count + 1);
                    continue;
                }
            }
            let next = bytes.get(1).copied().unwrap_or(0);
            if let Some(piece) = alone(source, bytes[0], next) {
                pieces[count] = piece;
                (at, count) = (at + 1, count + 1);
                if core::mem::replace(&mut alone_before, true) {
                    // There may be many: they have a loop for themselves, without the bounds of all others.
                    let room = pieces[count..most].iter_mut();
                    let mut alike = 0;
                    for ((to, byte), next) in room.zip(&bytes[1..]).zip(bytes.get(2..).unwrap_or(&[])) {
                        *to = match alone(source, *byte, *next) {
                            Some(piece) => piece,
                            // A lead byte that does although a continuation byte follows: of a run of surrogates each is one.
                            None if knows && lead::stands_alone(source, *byte, *next) => {
                                Piece::new(u32::from(*byte), 1, ILL_FORMED | COUNTED)
                            }
                            None => break,
                        };
                        alike += 1;
                    }
                    (at, count) = (at + alike, count + alike);
                }
                continue;
            }
            alone_before = false;
            // (WebAssembly asks the codecs.)
            if !cfg!(target_arch = "wasm32")
                && let Some(character) = of_two_bytes(source, bytes[0], next)
            {
                pieces[count] = character;
                (at, count) = (at + 2, count + 1);
                continue;
            }
            if knows {
                let len = lead::subpart(source, bytes);
                alone_before = len == 1;
                if each && len > 0 {
                    // All three are written, and `len` of them count.
                    let third = bytes.get(2).copied().unwrap_or(0);
                    pieces[count] = Piece::new(bytes[0].into(), 1, ILL_FORMED | COUNTED);
                    pieces[count + 1] = Piece::new(next.into(), 1, ILL_FORMED | CONTINUES);
                    pieces[count + 2] = Piece::new(third.into(), 1, ILL_FORMED | CONTINUES);
                    (at, count) = (at + len, count + len);
                    continue;
                }
                if len > 0 {
                    pieces[count] = Piece::new(REPLACEMENT, len, ILL_FORMED | COUNTED);
                    (at, count) = (at + len, count + 1);
                    continue;
                }
                if let Some(point) = lead::of_three_bytes(source, bytes) {
                    pieces[count] = Piece::new(point, 3, 0);
                    (at, count) = (at + 3, count + 1);
                    continue;
                }
            }
        }
        let fault = match decode(rest, pairs) {
            Ok((value, len)) => {
                let rejected = matches!(source, Variant::Utf8) && replacement.rejects(value);
                let flags = if rejected { ILL_FORMED | COUNTED } else { 0 };
                pieces[count] = Piece::new(value, len, flags);
                (at, count) = (at + len, count + 1);
                continue;
            }
            Err(fault) => fault,
        };
        let mut len = fault.len();
        if matches!(source, Variant::Utf8) {
            match replacement.answer(cast(rest), len) {
                Answer::Surrogate(value, bytes) if surrogates => {
                    pieces[count] = Piece::new(value, bytes, LONE);
                    (at, count) = (at + bytes, count + 1);
                    continue;
                }
                Answer::Replaced(bytes) | Answer::Surrogate(_, bytes) => len = bytes,
            }
        }
        let mut flags = ILL_FORMED | COUNTED;
        if matches!(source, Variant::CorrectedUtf8) && fault.kind() == Kind::Reserved {
            in_reserved = true;
            flags |= RESERVED;
            if !each {
                // All of it is one, as far as a piece goes.
                let bytes: &[u8] = cast(&rest[1..]);
                if bytes.first().is_some_and(|byte| !is_recognized(byte)) {
                    len += reserved_continuation(&bytes[..bytes.len().min(LONGEST)]);
                }
                pieces[count] = Piece::new(REPLACEMENT, len, flags);
                (at, count) = (at + len, count + 1);
                if len > LONGEST {
                    break;
                }
                continue;
            }
        }
        if each {
            for unit in &rest[..len] {
                pieces[count] = Piece::new(unit.value(), 1, flags);
                count += 1;
                flags = ILL_FORMED | CONTINUES;
            }
        } else {
            let value = unpaired(source, cast(&rest[..len])).unwrap_or(REPLACEMENT);
            pieces[count] = Piece::new(value, len, flags);
            count += 1;
        }
        at += len;
    }
    (count, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::{
        Ascii, Cesu8, CorrectedUtf8, GeneralizedUtf8, Mutf8, Utf8, WobblyCesu8, WobblyMutf8,
    };

    fn agrees<E: Encoding<Unit = u8>>() {
        let mut count = 0;
        for first in 0..=0xFF {
            for second in [None].into_iter().chain((0..=0xFF).map(Some)) {
                let text: &[u8] = &[first, second.unwrap_or(0)];
                let text = &text[..1 + usize::from(second.is_some())];
                let Some(piece) = alone(E::VARIANT, first, second.unwrap_or(0)) else { continue };
                count += 1;
                assert_eq!((piece.value(), piece.len()), (first.into(), 1));
                match E::decode(text) {
                    Ok(decoded) => assert_eq!((decoded, piece.0 >> 48), ((first.into(), 1), 0), "{text:X?}"),
                    Err(fault) => {
                        assert_eq!(fault.len(), 1, "{text:X?}");
                        assert_ne!(fault.kind(), Kind::Reserved, "{text:X?}");
                        assert_eq!(piece.0 >> 48, u64::from(ILL_FORMED | COUNTED), "{text:X?}");
                        if matches!(E::VARIANT, Variant::Utf8) {
                            let alike = |by: Replacement| by.answer(text, 1) == Answer::Replaced(1);
                            assert!(Replacement::ALL.into_iter().all(alike), "{text:X?}");
                        }
                    }
                }
            }
        }
        assert!(count > 0xE000, "most do: {count}");
        for first in 0xC0..=0xFF {
            for second in 0x80..=0xBF {
                let decoded = E::decode(&[first, second]).ok().filter(|(_, len)| *len == 2);
                let Some(piece) = of_two_bytes(E::VARIANT, first, second) else {
                    let is_nul = decoded.is_some_and(|(point, _)| point == 0);
                    assert!(decoded.is_none() || is_nul || matches!(E::VARIANT, Variant::Ascii));
                    continue;
                };
                if !matches!(E::VARIANT, Variant::Ascii) {
                    assert_eq!(decoded, Some((piece.value(), piece.len())), "{first:X} {second:X}");
                }
            }
        }
    }

    #[test]
    fn what_stands_alone_is_what_the_codecs_say() {
        agrees::<Ascii>();
        agrees::<Utf8>();
        agrees::<Wtf8>();
        agrees::<GeneralizedUtf8>();
        agrees::<Cesu8>();
        agrees::<WobblyCesu8>();
        agrees::<Mutf8>();
        agrees::<WobblyMutf8>();
        agrees::<CorrectedUtf8>();
    }
}
