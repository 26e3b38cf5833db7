//! What Python's handlers make of ill-formed bytes.
//!
//! The forms of a string are written at once where it is known what they will be: for UTF-8, ASCII and UTF-16. All others become
//! generalized UTF-8 first.

use core::mem::MaybeUninit;

use runecast::Scheme;

use super::{Own, STANDS, hexadecimal};

/// An ill-formed text in generalized UTF-8, with what `replace`, `ignore` or `backslashreplace` writes for each ill-formed sequence.
pub(crate) fn decoded(own: Own, scheme: Scheme, src: &[u8]) -> Option<Vec<u8>> {
    if !matches!(own, Own::Replace | Own::Ignore | Own::Backslash) {
        return None;
    }
    let mut text = Vec::with_capacity(src.len());
    let mut rest = src;
    while !rest.is_empty() {
        // Only what is well-formed is converted, so that many errors do not make it slow.
        let (good, ill_formed) = match scheme.validate(rest) {
            Ok(()) => (rest.len(), 0),
            Err(error) => (error.at, error.len),
        };
        // An error means that it is no character.
        scheme.transcode_append(Scheme::GeneralizedUtf8, rest.get(..good)?, &mut text).ok()?;
        match own {
            Own::Replace if ill_formed > 0 => text.extend_from_slice("\u{FFFD}".as_bytes()),
            Own::Backslash => {
                let ill_formed = rest.get(good..good + ill_formed)?;
                ill_formed.iter().for_each(|byte| escape(*byte, &mut text));
            }
            _ => {}
        }
        rest = rest.get(good + ill_formed..)?;
    }
    Some(text)
}

/// What `backslashreplace` writes for a byte.
#[inline]
fn escape(byte: u8, text: &mut Vec<u8>) {
    let mut escaped = [0; STANDS];
    let len = hexadecimal::<2>(b'x', byte.into(), &mut escaped);
    text.extend_from_slice(&escaped[..len]);
}

/// Text of ASCII or UTF-8 all of whose characters are ASCII, with what `ignore` or `backslashreplace` writes for all else; nothing, if
/// there are other characters.
pub(crate) fn decoded_ascii(own: Own, scheme: Scheme, src: &[u8]) -> Option<Vec<u8>> {
    // Whether there is a character: one that is well-formed is one wherever it stands.
    let is_character = |at: usize| {
        let len = match src[at] {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return false,
        };
        scheme != Scheme::Ascii
            && src.get(at..at + len).is_some_and(|some| core::str::from_utf8(some).is_ok())
    };
    // Most texts that are not this have such a character close to the beginning.
    if !matches!(own, Own::Ignore | Own::Backslash) || (0..src.len().min(64)).any(is_character) {
        return None;
    }
    let mut text = Vec::with_capacity(src.len() + 8);
    let (mut begin, mut at) = (0, 0);
    while let Some(rest) = src.get(at..).filter(|rest| !rest.is_empty()) {
        // Thirty-two bytes at once, which are looked at in words; a mask says where the first is that is not ASCII.
        let ascii = match rest.first_chunk::<32>() {
            Some(some) => {
                let (words, _) = some.as_chunks::<8>();
                let high = |word: &[u8; 8]| u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
                match words.iter().fold(0, |all, word| all | high(word)) {
                    0 => 32,
                    _ => words
                        .iter()
                        .position(|word| high(word) != 0)
                        .map_or(32, |index| 8 * index + high(&words[index]).trailing_zeros() as usize / 8),
                }
            }
            None => rest.iter().position(|byte| *byte >= 0x80).unwrap_or(rest.len()),
        };
        at += ascii;
        if ascii == rest.len() || src[at] < 0x80 {
            continue;
        }
        text.extend_from_slice(&src[begin..at]);
        while let Some(byte @ 0x80..) = src.get(at).copied() {
            if is_character(at) {
                return None;
            }
            if own == Own::Backslash {
                escape(byte, &mut text);
            }
            at += 1;
        }
        begin = at;
    }
    text.extend_from_slice(src.get(begin..)?);
    Some(text)
}

/// Bytes of UTF-8 behind an error that are converted one by one, since the next error may be among them.
/// (With 64, Russian with an error behind every 75 bytes took twice as long as with CPython.)
const NEAR: usize = 256;

/// Up to so many bytes no kernel is called.
const FEW: usize = 128;

/// The character at the start of a text, which is not ASCII, and its length, if there is one.
#[inline]
fn character(text: &[u8]) -> Option<(u32, usize)> {
    let low =
        |at: usize| text.get(at).filter(|byte| **byte & 0xC0 == 0x80).map(|byte| u32::from(byte & 0x3F));
    let first = u32::from(*text.first()?);
    match first {
        0xC2..=0xDF => Some(((first & 0x1F) << 6 | low(1)?, 2)),
        0xE0..=0xEF => {
            let point = (first & 0xF) << 12 | low(1)? << 6 | low(2)?;
            (point >= 0x800 && point & !0x7FF != 0xD800).then_some((point, 3))
        }
        0xF0..=0xF4 => {
            let point = (first & 7) << 18 | low(1)? << 12 | low(2)? << 6 | low(3)?;
            (0x1_0000..=0x10_FFFF).contains(&point).then_some((point, 4))
        }
        _ => None,
    }
}

/// Converts UTF-8 to the units of a string, `WIDTH` bytes each, with U+FFFD for ill-formed sequences, the surrogates that stand for their
/// bytes, or those that they are: how many units were written, and whether anything was ill-formed. Nothing, if the handler does not
/// know what to write. There must be room for a unit for each byte; and no character above U+FFFF, if units have two bytes.
///
/// A kernel converts what is well-formed, but some bytes behind an error are converted one by one, for another may be close, and a kernel
/// takes some 50 ns to begin.
pub(crate) fn units_of_utf8<const WIDTH: usize>(
    own: Own,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<(usize, bool)> {
    let to = if WIDTH == 2 { Scheme::Utf16Le } else { Scheme::Utf32Le };
    let (mut at, mut written, mut any) = (0, 0, false);
    let mut near = if src.len() <= FEW { src.len() } else { 0 };
    while at < src.len() {
        if at >= near {
            let room = dst.get_mut(written * WIDTH..)?;
            let (read, bytes) = match Scheme::Utf8.transcode_partial_uninit(to, &src[at..], room) {
                Ok(progress) => (progress.read, progress.written),
                Err(error) => (error.read, error.written),
            };
            (at, written) = (at + read, written + bytes / WIDTH);
            near = at + NEAR;
        }
        let (places, _) = dst.as_chunks_mut::<WIDTH>();
        let unit = |point: u32| -> [MaybeUninit<u8>; WIDTH] {
            let bytes = point.to_le_bytes();
            core::array::from_fn(|at| MaybeUninit::new(bytes[at]))
        };
        while at < near {
            let Some(rest) = src.get(at..).filter(|rest| !rest.is_empty()) else { break };
            if let Some(some) = rest.first_chunk::<8>()
                && u64::from_ne_bytes(*some) & 0x8080_8080_8080_8080 == 0
            {
                let places = places.get_mut(written..)?.first_chunk_mut::<8>()?;
                *places = some.map(|byte| unit(byte.into()));
                (at, written) = (at + 8, written + 8);
                continue;
            }
            if rest[0] < 0x80 {
                *places.get_mut(written)? = unit(rest[0].into());
                (at, written) = (at + 1, written + 1);
                continue;
            }
            if let Some((point, len)) = character(rest) {
                *places.get_mut(written)? = unit(point);
                (at, written) = (at + len, written + 1);
                continue;
            }
            any = true;
            let (point, len) = match (own, rest) {
                // The rest of a sequence is ill-formed as well.
                (Own::Escape, _) => (0xDC00 | u32::from(rest[0]), 1),
                (Own::Pass, [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..]) => {
                    (0xD000 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F), 3)
                }
                (Own::Replace, _) => {
                    let few = &rest[..rest.len().min(4)];
                    let error = core::str::from_utf8(few).err().filter(|error| error.valid_up_to() == 0)?;
                    (0xFFFD, error.error_len().unwrap_or(few.len()))
                }
                _ => return None,
            };
            *places.get_mut(written)? = unit(point);
            (at, written) = (at + len, written + 1);
            near = near.max(at + NEAR);
        }
    }
    Some((written, any))
}

/// What UTF-16 is made of.
pub(crate) struct Survey {
    /// The bits of all units that are no surrogates.
    pub(crate) bits: u16,
    pub(crate) surrogates: usize,
    /// How many of these are high ones before a low one.
    pub(crate) pairs: usize,
}

/// The value of a unit of UTF-16 in this order.
#[inline(always)]
fn value<const BIG: bool>(unit: [u8; 2]) -> u16 {
    if BIG { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) }
}

/// Looks at UTF-16: block by block, each a loop of which a compiler makes vectors.
pub(crate) fn survey<const BIG: bool>(units: &[[u8; 2]]) -> Survey {
    let mut found = Survey { bits: 0, surrogates: 0, pairs: 0 };
    let behind = units.get(1..).unwrap_or_default();
    for (index, block) in units.chunks(128).enumerate() {
        let (mut bits, mut surrogates) = (0, 0_u16);
        for unit in block {
            let unit = value::<BIG>(*unit);
            let is = unit & 0xF800 == 0xD800;
            bits |= if is { 0 } else { unit };
            surrogates += u16::from(is);
        }
        found.bits |= bits;
        found.surrogates += usize::from(surrogates);
        if surrogates > 0 {
            let mut pairs = 0_u16;
            for (high, low) in block.iter().zip(behind.get(index * 128..).unwrap_or_default()) {
                let is_high = value::<BIG>(*high) & 0xFC00 == 0xD800;
                pairs += u16::from(is_high & (value::<BIG>(*low) & 0xFC00 == 0xDC00));
            }
            found.pairs += usize::from(pairs);
        }
    }
    found
}

/// Puts the characters that a handler writes for a surrogate that is not one of a pair.
#[inline]
fn put_for_surrogate<const BIG: bool>(
    own: Own,
    unit: [u8; 2],
    mut put: impl FnMut(u32) -> Option<()>,
) -> Option<()> {
    match own {
        Own::Replace => put(0xFFFD),
        Own::Ignore => Some(()),
        Own::Pass => put(value::<BIG>(unit).into()),
        Own::Backslash => unit.iter().try_for_each(|byte| {
            let mut text = [0; STANDS];
            let len = hexadecimal::<2>(b'x', (*byte).into(), &mut text);
            text[..len].iter().try_for_each(|letter| put((*letter).into()))
        }),
        _ => None,
    }
}

/// Writes units of UTF-16 that are no pairs as characters of `WIDTH` bytes, with what a handler writes for each surrogate; how many
/// characters there are. `dst` must have room for them.
pub(crate) fn units_of_utf16<const BIG: bool, const WIDTH: usize>(
    own: Own,
    units: &[[u8; 2]],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (places, _) = dst.as_chunks_mut::<WIDTH>();
    let character = |point: u32| -> [MaybeUninit<u8>; WIDTH] {
        let bytes = point.to_le_bytes();
        core::array::from_fn(|at| MaybeUninit::new(bytes[at]))
    };
    let mut written = 0;
    for block in units.chunks(64) {
        let is = |unit: &[u8; 2]| value::<BIG>(*unit) & 0xF800 == 0xD800;
        if !block.iter().fold(false, |any, unit| any | is(unit)) {
            for (place, unit) in places.get_mut(written..written + block.len())?.iter_mut().zip(block) {
                *place = character(value::<BIG>(*unit).into());
            }
            written += block.len();
            continue;
        }
        for unit in block {
            let mut put = |point: u32| -> Option<()> {
                *places.get_mut(written)? = character(point);
                written += 1;
                Some(())
            };
            let point = value::<BIG>(*unit);
            if point & 0xF800 != 0xD800 || own == Own::Pass {
                put(point.into())?;
                continue;
            }
            put_for_surrogate::<BIG>(own, *unit, put)?;
        }
    }
    Some(written)
}

/// Writes UTF-16 as UTF-32LE, with what a handler writes for each surrogate that is not one of a pair; how many characters there are.
pub(crate) fn wide_units_of_utf16(
    own: Own,
    scheme: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (mut at, mut written) = (0, 0);
    loop {
        let room = dst.get_mut(written..)?;
        let error = match scheme.transcode_partial_uninit(Scheme::Utf32Le, src.get(at..)?, room) {
            Ok(progress) => {
                return (at + progress.read == src.len()).then_some((written + progress.written) / 4);
            }
            Err(error) => error,
        };
        (at, written) = (at + error.read, written + error.written);
        let unit = src.get(at..)?.first_chunk::<2>()?;
        let (places, _) = dst.as_chunks_mut::<4>();
        let put = |point: u32| -> Option<()> {
            *places.get_mut(written / 4)? = point.to_le_bytes().map(MaybeUninit::new);
            written += 4;
            Some(())
        };
        match scheme {
            Scheme::Utf16Be => put_for_surrogate::<true>(own, *unit, put)?,
            _ => put_for_surrogate::<false>(own, *unit, put)?,
        }
        at += 2;
    }
}

/// UTF-32 with surrogates, as `surrogatepass` has it, in the byte order of this machine.
pub(crate) fn passed(scheme: Scheme, src: &[u8]) -> Option<Vec<u8>> {
    let value = match scheme {
        Scheme::Utf32Le => u32::from_le_bytes,
        Scheme::Utf32Be => u32::from_be_bytes,
        _ => return None,
    };
    let (units, []) = src.as_chunks() else { return None };
    let above = units.iter().fold(false, |any, unit| any | (value(*unit) > 0x10_FFFF));
    (!above).then(|| units.iter().flat_map(|unit| value(*unit).to_ne_bytes()).collect())
}
