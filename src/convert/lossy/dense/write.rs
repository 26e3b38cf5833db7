//! The second of the two loops: it encodes.
//!
//! A character of one unit and what stands for an ill-formed byte have a slot each, which is a number in either case: so the next slot
//! begins behind as many units as count, and no branch depends on which of the two it is. Everything else has one.
//!
//! What counts as a replacement is counted here, where each piece is in a register. (To count the marks of the array afterwards cost a
//! fifth of the time of a value of seven bytes: compilers read several pieces at once, which waits until the last of them has left
//! the store queue.)

use super::{CONTINUES, COUNTED, ILL_FORMED, LONE, Piece, Written};
use crate::convert::lossy::write::{Encode, put_points, put_text, substitute, surrogate};
use crate::convert::lossy::{REPLACEMENT, encode, holds_surrogates};
use crate::convert::{Escape, Policy};
use crate::output::{self, OutputCursor};
use crate::unicode::codec::Units;
use crate::unicode::{Encoding, Family, Order, Unit, Variant, is_surrogate};

/// Eight-byte words of the longest slot.
const WORDS: usize = 4;

/// A pointer to [`encode`].
pub(crate) type Pointer<U> = fn(u32, bool) -> Option<Units<U>>;

/// What is written for ill-formed pieces, in the encoding that it is for.
#[derive(Clone, Copy)]
pub(crate) enum Writes<'p> {
    /// The same units for each, so many.
    Same([u64; WORDS], usize),
    /// Nothing, and nothing for what the encoding has no form for.
    Nothing,
    /// A text that is longer.
    Text(&'p str),
    /// `\xE9` for a byte.
    Backslash,
    /// A code point for each.
    Point(Escape, Variant),
    /// `\uD800` or longer for a unit of so many bytes.
    Unit(usize),
}

impl<'p> Writes<'p> {
    /// What `policy` writes in the encoding `target`, from one of this variant with units of so many bytes.
    pub(crate) fn new<U: Unit>(
        encode: Pointer<U>,
        target: Variant,
        (source, width): (Variant, usize),
        policy: Policy<'p>,
    ) -> Self {
        if let Policy::With(text) = policy
            && let Some(words) = ascii::<U>(target, text)
        {
            return Writes::Same(words, text.len() * target.unit() / size_of::<U>());
        }
        let mut units = [U::of(0); 8 * WORDS];
        let most = 8 * WORDS / size_of::<U>();
        let mut output = OutputCursor::new(output::as_uninit(&mut units[..most]));
        let fits = match policy {
            Policy::Escape(Escape::Backslash) if width == 1 => return Writes::Backslash,
            Policy::Escape(Escape::Backslash) => return Writes::Unit(width),
            Policy::Escape(escape) if escape.depends(source, holds_surrogates(target)) => {
                return Writes::Point(escape, source);
            }
            Policy::Escape(_) | Policy::Replace(_) if beyond(target, REPLACEMENT) == 0 => {
                // Without the codec: a stream may ask for it with each call.
                let words = [number::<U>(target, REPLACEMENT), 0, 0, 0];
                return Writes::Same(words, target.unit() / size_of::<U>());
            }
            Policy::Escape(_) | Policy::Replace(_) => output.put(&substitute(encode)),
            Policy::With(text) => put_text(encode, text, &mut output),
            Policy::Omit => return Writes::Nothing,
            Policy::DropAtTheRiskOfJoining => true,
        };
        let count = output.written();
        match policy {
            Policy::With(text) if !fits => Writes::Text(text),
            _ => Writes::Same(packed(&units[..count]), count),
        }
    }
}

impl Writes<'_> {
    /// Whether there is something for each piece, so that a full output has no room for any.
    #[inline]
    pub(super) fn are_some(&self) -> bool {
        !matches!(self, Writes::Nothing | Writes::Same(_, 0))
    }

    /// How many units that is for one, at least.
    #[inline]
    pub(super) fn len(&self) -> usize {
        match *self {
            Writes::Same(_, count) => count,
            Writes::Unit(2) => 6,
            Writes::Unit(_) => 10,
            Writes::Backslash => 4,
            _ => 1,
        }
    }
}

/// The slot of a text that fits into one, if all of its characters are one unit of the same value: without the codec, since a stream
/// may ask for it with each call.
#[inline]
fn ascii<U: Unit>(target: Variant, text: &str) -> Option<[u64; WORDS]> {
    let unit = target.unit();
    let is_one_unit = |byte: u8| byte.is_ascii() && beyond(target, byte.into()) == 0;
    if cfg!(target_arch = "wasm32") || text.len() * unit > 8 * WORDS || !text.bytes().all(is_one_unit) {
        return None;
    }
    let mut words = [0; WORDS];
    for (at, byte) in text.bytes().enumerate() {
        words[at * unit / 8] |= number::<U>(target, byte.into()) << (8 * (at * unit % 8));
    }
    Some(words)
}

/// Writes the characters of a text, all or none, with the substitute for those that `D` has no form for: in one slot where possible.
#[inline]
pub(crate) fn put_text_in<D: Encoding>(text: &str, output: &mut OutputCursor<'_, D::Unit>) -> bool {
    // Where there is hardly any room, not even tried: each character takes a unit at least.
    let each = D::VARIANT.unit() / size_of::<D::Unit>();
    let spare = output.spare().len();
    if spare < each * text.len() && spare < each * text.chars().count() {
        return false;
    }
    match ascii::<D::Unit>(D::VARIANT, text) {
        Some(words) => output.put_slot(words, text.len() * D::VARIANT.unit() / size_of::<D::Unit>()),
        None => put_text(encode::<D>, text, output),
    }
}

/// Units as a slot, the first in the lowest bits.
#[inline(always)]
fn packed<U: Unit, const N: usize>(units: &[U]) -> [u64; N] {
    let mut words = [0; N];
    let each = 8 / size_of::<U>();
    for (at, unit) in units.iter().enumerate() {
        words[at / each] |= u64::from(unit.value()) << (8 * size_of::<U>() * (at % each));
    }
    words
}

/// The code unit of this value, as the number that its units of the slice are, the first in the lowest bits.
#[inline(always)]
fn number<U: Unit>(target: Variant, value: u32) -> u64 {
    let number = match target {
        Variant::Utf16(Order::Big) | Variant::Wtf16(Order::Big) | Variant::Utf32(Order::Big)
            if size_of::<U>() == 1 =>
        {
            value.swap_bytes() >> (32 - 8 * target.unit())
        }
        _ => value,
    };
    number.into()
}

/// Nothing but zero if a character is one unit of the same value: a number, since of conditions a compiler makes branches.
#[inline(always)]
const fn beyond(target: Variant, point: u32) -> u32 {
    let surrogate = (point.wrapping_sub(0xD800) < 0x800) as u32;
    match target {
        Variant::Latin1 => point >> 8,
        Variant::Utf16(_) => point >> 16 | surrogate,
        Variant::Wtf16(_) => point >> 16,
        Variant::Utf32(_) => (point >= 0x11_0000) as u32 | surrogate,
        Variant::Mutf8 { .. } => point >> 7 | (point == 0) as u32,
        _ => point >> 7,
    }
}

/// The slot of a character that has two bytes.
#[inline(always)]
const fn two_bytes(target: Variant, point: u32) -> Option<u64> {
    let (first, offset) = match target {
        Variant::CorrectedUtf8 => (0xA0, 0xA0),
        _ => (0x80, 0),
    };
    let bits = point.wrapping_sub(offset) as u64;
    if !target.has_leads() || point < first || bits >= 0x800 {
        return None;
    }
    Some((0xC0 | bits >> 6) | (0x80 | bits & 0x3F) << 8)
}

/// The slot of a character that has three bytes and is no surrogate.
#[inline(always)]
const fn three_bytes(target: Variant, point: u32) -> Option<u64> {
    let in_three = point >= 0x800 && point < 0x1_0000 && !is_surrogate(point);
    if !target.has_leads() || matches!(target, Variant::CorrectedUtf8) || !in_three {
        return None;
    }
    let point = point as u64;
    Some((0xE0 | point >> 12) | (0x80 | point >> 6 & 0x3F) << 8 | (0x80 | point & 0x3F) << 16)
}

/// The slot of a character above U+FFFF, and how many units it has, where these are two surrogates, or four bytes.
#[inline(always)]
fn supplementary<U: Unit>(target: Variant, point: u32) -> Option<(u64, usize)> {
    if !(0x1_0000..0x11_0000).contains(&point) {
        return None;
    }
    let last = |shift: u32| u64::from(0x80 | point >> shift & 0x3F);
    match target.family() {
        Family::Utf16 => {
            let bits = point - 0x1_0000;
            let [high, low] =
                [0xD800 | bits >> 10, 0xDC00 | bits & 0x3FF].map(|unit| number::<U>(target, unit));
            Some((high | low << 16, 4 / size_of::<U>()))
        }
        Family::Utf8 => {
            let lead = u64::from(0xF0 | point >> 18);
            Some((lead | last(12) << 8 | last(6) << 16 | last(0) << 24, 4))
        }
        _ => None,
    }
}

/// The slot of U+FFFD, and how many units it has, for a surrogate that has no form.
#[inline(always)]
fn without_form<U: Unit>(target: Variant, point: u32) -> Option<(u64, usize)> {
    if !is_surrogate(point) {
        return None;
    }
    match target {
        Variant::Utf8 => three_bytes(target, REPLACEMENT).map(|slot| (slot, 3)),
        Variant::Utf16(_) | Variant::Utf32(_) => {
            Some((number::<U>(target, REPLACEMENT), target.unit() / size_of::<U>()))
        }
        _ => None,
    }
}

/// The slot of `\xE9`.
#[inline(always)]
fn backslash<U: Unit>(target: Variant, byte: u8) -> [u64; 2] {
    let bytes = u64::from(u32::from_le_bytes(Escape::backslash(byte)));
    // Each byte at the place of a unit, and there at that of its lowest byte in the order of the target.
    let shift = number::<U>(target, 1).trailing_zeros();
    match target.unit() {
        1 => [bytes, 0],
        2 => {
            let halves = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF;
            [((halves | halves << 8) & 0x00FF_00FF_00FF_00FF) << shift, 0]
        }
        _ => {
            let two = |bytes: u64| (bytes & 0xFF | (bytes & 0xFF00) << 24) << shift;
            [two(bytes), two(bytes >> 16)]
        }
    }
}

/// The slot of `\uD800`.
#[inline]
fn backslash_unit<U: Unit>(target: Variant, unit: u16) -> [u64; WORDS] {
    let (high, low) = (Escape::backslash((unit >> 8) as u8), Escape::backslash(unit as u8));
    let mut words = [0; WORDS];
    for (at, byte) in [b'\\', b'u', high[2], high[3], low[2], low[3]].into_iter().enumerate() {
        let bit = 8 * target.unit() * at;
        words[bit / 64] |= number::<U>(target, byte.into()) << (bit % 64);
    }
    words
}

/// Writes pieces as far as there is room, and marks those that `D` has no form for. Of a sequence of several it writes all or none.
pub(crate) fn write<D: Encoding>(
    pieces: &mut [Piece],
    writes: &Writes<'_>,
    output: &mut OutputCursor<'_, D::Unit>,
) -> Written {
    if cfg!(target_arch = "wasm32") {
        // One loop for all encodings instead of five for each: what is loaded over a network should be small.
        return write_others(encode::<D> as Pointer<D::Unit>, D::VARIANT, pieces, output, writes);
    }
    // Units of the slice in a code unit.
    let each = D::VARIANT.unit() / size_of::<D::Unit>();
    match *writes {
        // (There a high surrogate and what is behind it may belong together.)
        Writes::Same(_, 0) | Writes::Nothing if matches!(D::VARIANT, Variant::Wtf8) => {
            write_others(encode::<D>, D::VARIANT, pieces, output, writes)
        }
        Writes::Same([word, ..], count) if count <= 8 / size_of::<D::Unit>() => {
            write_slots::<D, 1, false>(pieces, output, |_| ([word], count))
        }
        Writes::Same(words, count) => write_slots::<D, WORDS, false>(pieces, output, |_| (words, count)),
        Writes::Nothing => write_slots::<D, 1, true>(pieces, output, |_| ([0], 0)),
        Writes::Backslash if const { D::VARIANT.unit() <= 2 } => {
            write_slots::<D, 1, false>(pieces, output, |byte| {
                let [slot, _] = backslash::<D::Unit>(D::VARIANT, byte as u8);
                ([slot], 4 * each)
            })
        }
        Writes::Backslash => write_slots::<D, 2, false>(pieces, output, |byte| {
            (backslash::<D::Unit>(D::VARIANT, byte as u8), 4 * each)
        }),
        Writes::Point(escape, source) if holds_surrogates(D::VARIANT) => {
            write_slots::<D, 1, false>(pieces, output, |value| {
                let point = escape.point_for(source, value, true);
                ([number::<D::Unit>(D::VARIANT, point.into())], each)
            })
        }
        // (That is a byte 80..FF, of UTF-8 or ASCII.)
        Writes::Point(escape, _) if const { writes_as_utf8(D::VARIANT) } => {
            let table = escape.table();
            write_slots::<D, 1, false>(pieces, output, |byte| {
                let (bytes, len) = table.utf8_of(byte as u8);
                ([u32::from_le_bytes(bytes).into()], len)
            })
        }
        _ => write_others(encode::<D>, D::VARIANT, pieces, output, writes),
    }
}

/// Whether characters of the basic multilingual plane are the same bytes as in UTF-8, but for U+0000.
const fn writes_as_utf8(target: Variant) -> bool {
    target.has_leads() && !matches!(target, Variant::CorrectedUtf8)
}

/// [`write()`], where an ill-formed piece has a slot, and so many units of it count. If `OMITS`, what `D` has no form for is left out.
#[inline(always)]
fn write_slots<D: Encoding, const N: usize, const OMITS: bool>(
    pieces: &mut [Piece],
    output: &mut OutputCursor<'_, D::Unit>,
    ill_formed: impl Fn(u32) -> ([u64; N], usize),
) -> Written {
    output.with_copy(|output| put_slots::<D, N, OMITS>(pieces, output, ill_formed))
}

/// The same, to a cursor that nothing else knows of.
#[inline(always)]
fn put_slots<D: Encoding, const N: usize, const OMITS: bool>(
    pieces: &mut [Piece],
    output: &mut OutputCursor<'_, D::Unit>,
    ill_formed: impl Fn(u32) -> ([u64; N], usize),
) -> Written {
    let (mut at, mut replaced) = (0, 0);
    loop {
        at += output.put_slots(&mut pieces[at..], |piece| {
            let slot = slot::<D, N, OMITS>(piece, &ill_formed)?;
            replaced += piece.flags(COUNTED);
            Some(slot)
        });
        // One that has no slot, or for which there may be too little room.
        let Some(piece) = pieces.get_mut(at) else { break };
        let fits = match slot::<D, N, OMITS>(piece, &ill_formed) {
            Some((slot, len)) => output.put_slot(slot, len),
            None => output.with_copy(|output| put_other(encode::<D>, piece, output, OMITS)),
        };
        if !fits {
            // Of a sequence all or none.
            while pieces[at].is(CONTINUES) {
                at -= 1;
                output.rewind(output.written() - ill_formed(pieces[at].value()).1);
                replaced -= pieces[at].flags(COUNTED);
            }
            break;
        }
        replaced += piece.flags(COUNTED);
        at += 1;
    }
    Written { pieces: at, replaced: replaced as usize }
}

/// The slot of a piece, and how many units of it count; `None` if none of these forms is its. If it is a replacement, it is marked.
#[inline(always)]
fn slot<D: Encoding, const N: usize, const OMITS: bool>(
    piece: &mut Piece,
    ill_formed: impl Fn(u32) -> ([u64; N], usize),
) -> Option<([u64; N], usize)> {
    let each = D::VARIANT.unit() / size_of::<D::Unit>();
    let word = |word: u64| {
        let mut slot = [0; N];
        slot[0] = word;
        slot
    };
    // All ones if it is ill-formed.
    let mut all = u64::from(piece.is(ILL_FORMED)).wrapping_neg();
    let given = piece.value();
    let mut value = given;
    let mut other = u64::from(beyond(D::VARIANT, value));
    if const { matches!(D::VARIANT, Variant::Ascii | Variant::Latin1) } {
        // Then it has no form.
        let none = u64::from(other != 0) & !all;
        value = if none != 0 { '?'.into() } else { value };
        if OMITS {
            all |= none.wrapping_neg();
        }
        *piece = Piece(piece.0 | (none * (u64::from(COUNTED) << 48)));
        other = 0;
    }
    // (Where no unit is a surrogate, no piece is to be one.)
    let lone = if const { holds_surrogates(D::VARIANT) } { piece.flags(LONE) } else { 0 };
    if (other & !all) | lone == 0 {
        let (mut slot, count) = ill_formed(given);
        slot[0] = (slot[0] & all) | (number::<D::Unit>(D::VARIANT, value) & !all);
        return Some((slot, (count & all as usize) | (each & !all as usize)));
    }
    if let Some(slot) = two_bytes(D::VARIANT, value) {
        return Some((word(slot), 2));
    }
    if let Some(slot) = three_bytes(D::VARIANT, value) {
        return Some((word(slot), 3));
    }
    if let Some((slot, count)) = supplementary::<D::Unit>(D::VARIANT, value) {
        return Some((word(slot), count));
    }
    if !OMITS
        && !piece.is(LONE)
        && let Some((slot, count)) = without_form::<D::Unit>(D::VARIANT, value)
    {
        *piece = piece.with(COUNTED);
        return Some((word(slot), count));
    }
    None
}

/// [`write()`] for everything, with a branch for each piece.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn write_others<U: Unit>(
    encode: impl Encode<U>,
    target: Variant,
    pieces: &mut [Piece],
    output: &mut OutputCursor<'_, U>,
    writes: &Writes<'_>,
) -> Written {
    let omits = matches!(writes, Writes::Nothing);
    let mut replaced = 0;
    // Where the sequence begins, in pieces and in the output, and the replacements before it.
    let mut begin = (0, output.written(), 0);
    for (at, piece) in pieces.iter_mut().enumerate() {
        if !piece.is(CONTINUES) {
            begin = (at, output.written(), replaced);
        }
        let fits = if piece.is(ILL_FORMED) {
            put_ill_formed(encode, target, piece.value(), writes, output)
        } else {
            put_other(encode, piece, output, omits)
        };
        if !fits {
            output.rewind(begin.1);
            return Written { pieces: begin.0, replaced: begin.2 };
        }
        replaced += usize::from(piece.is(COUNTED));
    }
    Written { pieces: pieces.len(), replaced }
}

/// Writes what stands for an ill-formed piece.
#[inline]
fn put_ill_formed<U: Unit>(
    encode: impl Encode<U>,
    target: Variant,
    value: u32,
    writes: &Writes<'_>,
    output: &mut OutputCursor<'_, U>,
) -> bool {
    let each = target.unit() / size_of::<U>();
    match *writes {
        Writes::Same(words, count) => output.put_slot(words, count),
        Writes::Nothing => true,
        Writes::Text(text) => put_text(encode, text, output),
        Writes::Backslash => output.put_slot(backslash::<U>(target, value as u8), 4 * each),
        Writes::Point(escape, source) => {
            let point = escape.point_for(source, value, holds_surrogates(target));
            put_points(encode, &[point], output)
        }
        Writes::Unit(2) if !cfg!(target_arch = "wasm32") => {
            output.put_slot(backslash_unit::<U>(target, value as u16), 6 * each)
        }
        Writes::Unit(width) => {
            let (two, four) = ((value as u16).to_ne_bytes(), value.to_ne_bytes());
            let unit = if width == 2 { &two[..] } else { &four[..] };
            put_points(encode, Escape::Backslash.points(target, width, unit, false).as_slice(), output)
        }
    }
}

/// Writes a character of any length, or the substitute for it, or if `omits` nothing for what has no form.
#[inline]
fn put_other<U: Unit>(
    encode: impl Encode<U>,
    piece: &mut Piece,
    output: &mut OutputCursor<'_, U>,
    omits: bool,
) -> bool {
    if piece.is(LONE) {
        return output.put(&surrogate(encode, piece.value()));
    }
    let units = encode(piece.value(), false);
    if units.is_none() {
        *piece = piece.with(COUNTED);
        if omits {
            return true;
        }
    }
    output.put(&units.unwrap_or_else(|| substitute(encode)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::codec;
    use crate::unicode::{
        Ascii, Cesu8, CorrectedUtf8, GeneralizedUtf8, Latin1, Mutf8, Utf8, Utf16, Utf16Be, Utf16Le, Utf32,
        Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16, Wtf16Be, Wtf16Le,
    };

    fn agrees<D: Encoding>() {
        for point in 0..0x11_1000 {
            if beyond(D::VARIANT, point) == 0 {
                let units = D::encode(point).expect("it has one unit");
                let units: Vec<_> = units.iter().collect();
                assert_eq!(size_of_val(&units[..]), D::VARIANT.unit(), "{point:X}");
                assert_eq!([number::<D::Unit>(D::VARIANT, point)], packed(&units), "{point:X}");
            }
        }
        for point in 0..0x11_1000 {
            if let Some(slot) = two_bytes(D::VARIANT, point) {
                let units: Vec<_> = D::encode(point).expect("it has two bytes").iter().collect();
                assert_eq!((units.len(), [slot]), (2, packed(&units)), "{point:X}");
            }
        }
        for point in 0..0x11_1000 {
            if let Some(slot) = three_bytes(D::VARIANT, point) {
                let units: Vec<_> = D::encode(point).expect("it has three bytes").iter().collect();
                assert_eq!((units.len(), [slot]), (3, packed(&units)), "{point:X}");
            }
            if let Some((slot, count)) = supplementary::<D::Unit>(D::VARIANT, point) {
                let units: Vec<_> = D::encode(point).expect("it is a character").iter().collect();
                assert_eq!((units.len(), [slot]), (count, packed(&units)), "{point:X}");
            }
            if let Some((slot, count)) = without_form::<D::Unit>(D::VARIANT, point) {
                assert!(codec::write::<D>(point).is_none(), "{point:X}");
                let units: Vec<_> = substitute(encode::<D>).iter().collect();
                assert_eq!((count, [slot]), (units.len(), packed(&units)), "{point:X}");
            }
        }
        for byte in 0..=0xFF {
            let mut units = [D::Unit::of(0); 16];
            let most = 16 / size_of::<D::Unit>();
            let mut output = OutputCursor::new(output::as_uninit(&mut units[..most]));
            for character in format!("\\x{byte:02X}").chars() {
                assert!(output.put(&D::encode(character.into()).expect("all have ASCII")));
            }
            assert_eq!(backslash::<D::Unit>(D::VARIANT, byte), packed(&units[..most]), "{byte:X}");
        }
        for unit in [0, 0xD800, 0xDBFF, 0xDC00, 0xDEA8, 0xFFFF] {
            let encode = |character: char| D::encode(character.into()).expect("all have ASCII");
            let units: Vec<_> = format!("\\u{unit:04X}").chars().map(encode).collect();
            let units: Vec<D::Unit> = units.iter().flat_map(|units| units.iter()).collect();
            assert_eq!(backslash_unit::<D::Unit>(D::VARIANT, unit), packed(&units), "{unit:X}");
        }
        for text in [
            "",
            "?",
            "<text>",
            "eight by",
            "a text of 32 bytes, no more than",
            "\0",
            "é",
            "a text that no slot has room for",
        ] {
            let units: Vec<_> = text
                .chars()
                .map(|point| crate::convert::lossy::character(encode::<D>, point.into()))
                .collect();
            let units: Vec<D::Unit> = units.iter().flat_map(|units| units.iter()).collect();
            let width = size_of::<D::Unit>();
            let writes = Writes::new(encode::<D>, D::VARIANT, (D::VARIANT, width), Policy::With(text));
            match writes {
                Writes::Same(words, count) => {
                    assert_eq!((words, count), (packed(&units), units.len()), "{text}");
                }
                Writes::Text(same) => assert!(same == text && units.len() * width > 8 * WORDS, "{text}"),
                _ => panic!("{text}"),
            }
        }
    }

    #[test]
    fn slots_are_what_the_codecs_write() {
        agrees::<Ascii>();
        agrees::<Latin1>();
        agrees::<Utf8>();
        agrees::<Wtf8>();
        agrees::<GeneralizedUtf8>();
        agrees::<Cesu8>();
        agrees::<WobblyCesu8>();
        agrees::<Mutf8>();
        agrees::<WobblyMutf8>();
        agrees::<CorrectedUtf8>();
        agrees::<Utf16>();
        agrees::<Utf16Le>();
        agrees::<Utf16Be>();
        agrees::<Wtf16>();
        agrees::<Wtf16Le>();
        agrees::<Wtf16Be>();
        agrees::<Utf32>();
        agrees::<Utf32Le>();
        agrees::<Utf32Be>();
    }
}
