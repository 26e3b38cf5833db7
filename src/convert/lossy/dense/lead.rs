//! Lead bytes that no character begins with although a continuation byte follows: after E0, ED, F0 and F4 not all of these are allowed, and
//! after C0, C1 and F5..FF none; and after the others there may be too few.
//!
//! A codec takes some 10 ns to say that such a sequence is ill-formed: runs of `E0 80`, `C0 80` and `E2 82` were among the patterns that
//! took longest. Which second bytes may follow is a bit in one of four numbers, one
//! each for 80..8F, 90..9F, A0..AF and B0..BF, since no rule tells more of them apart. A test compares this with the codecs.
//!
//! (To read whole characters in this way, the length by arithmetic from four bytes, was slower than the codecs: 6 instead of 5 ns for
//! a byte of `E0 80`. Where the next sequence begins then depends on the bytes of this one, and the processor cannot begin with it. A
//! codec has branches, which are foreseen in whatever repeats itself.)

use crate::convert::Replacement;
use crate::unicode::{Variant, is_high};

/// Whether [`subpart`] knows sequences of this encoding, of which so much is replaced as one: the maximal subpart. (WebAssembly asks the
/// codecs: what is loaded over a network should be small.)
#[inline(always)]
pub(super) const fn serves(source: Variant, replacement: Replacement) -> bool {
    let by_subpart = !matches!(source, Variant::Utf8) || matches!(replacement, Replacement::Whatwg);
    source.has_leads() && by_subpart && !cfg!(target_arch = "wasm32")
}

/// The lead bytes from the first of these to the last: C0 is the lowest bit.
const fn span(first: u8, last: u8) -> u64 {
    (u64::MAX >> (63 - (last - first))) << (first - 0xC0)
}

/// The length of the ill-formed sequence at the start of a text, which is a lead byte with a continuation byte behind it; 0 if it may be a
/// character, or something else that the codec knows. It is at most three.
#[inline(always)]
pub(super) fn subpart(source: Variant, text: &[u8]) -> usize {
    let [lead, second, ref rest @ ..] = *text else { return 0 };
    if stands_alone(source, lead, second) {
        return 1;
    }
    let continues = |at: usize| matches!(rest.get(at), Some(0x80..=0xBF));
    let reserved = matches!(source, Variant::CorrectedUtf8) && lead >= 0xFE;
    if lead < 0xE0 || reserved {
        return 0;
    }
    if !continues(0) {
        return 2;
    }
    if lead >= 0xF0 {
        return if continues(1) { 0 } else { 3 };
    }
    // A surrogate, which is ill-formed unless it is the first of a pair.
    let holds_pairs = matches!(source, Variant::Cesu8 { wobbly: false } | Variant::Mutf8 { wobbly: false });
    let paired = || second < 0xB0 && matches!(rest, [_, 0xED, 0xB0..=0xBF, 0x80..=0xBF, ..]);
    if holds_pairs && lead == 0xED && second >= 0xA0 && !paired() { 3 } else { 0 }
}

/// The character of three bytes at the start of a text, if [`subpart`] found nothing ill-formed there, and the codec need not be asked
/// whether it is the first half of a pair.
#[inline(always)]
pub(super) const fn of_three_bytes(source: Variant, text: &[u8]) -> Option<u32> {
    let [lead @ 0xE0..=0xEF, second, third, ref rest @ ..] = *text else { return None };
    let bits = (lead as u32 & 0xF) << 12 | (second as u32 & 0x3F) << 6 | third as u32 & 0x3F;
    if matches!(source, Variant::CorrectedUtf8) {
        return Some(bits + if bits < 0xD800 - 0x8A0 { 0x8A0 } else { 0x10A0 });
    }
    let may_pair = is_high(bits) && matches!(rest, [] | [0xED] | [0xED, 0xB0..=0xBF, ..]);
    if may_pair { None } else { Some(bits) }
}

/// Whether this lead byte is ill-formed by itself, with this continuation byte behind it.
#[inline(always)]
pub(super) const fn stands_alone(source: Variant, lead: u8, second: u8) -> bool {
    let [overlong, most, above] = match source {
        // There all of these take all continuation bytes.
        Variant::CorrectedUtf8 => return false,
        Variant::Cesu8 { .. } | Variant::Mutf8 { .. } => [0; 3],
        _ => [span(0xF0, 0xF0), span(0xF1, 0xF3), span(0xF4, 0xF4)],
    };
    let every = span(0xC2, 0xDF) | span(0xE1, 0xEC) | span(0xEE, 0xEF) | most;
    let (e0, ed) = (span(0xE0, 0xE0), span(0xED, 0xED));
    let surrogates = if matches!(source, Variant::Utf8) { 0 } else { ed };
    // (Or something else than U+0000, which the codec knows.)
    let nul = if source.two_byte_nul() { span(0xC0, 0xC0) } else { 0 };
    let begins = [
        every | ed | above | nul,
        every | ed | overlong,
        every | e0 | overlong | surrogates,
        every | e0 | overlong | surrogates,
    ];
    begins[(second >> 4 & 3) as usize] >> (lead & 0x3F) & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::{
        Cesu8, CorrectedUtf8, Encoding, GeneralizedUtf8, Kind, Mutf8, Utf8, WobblyCesu8, WobblyMutf8, Wtf8,
    };

    fn agrees<E: Encoding<Unit = u8>>() {
        // What follows may be missing, or anything.
        let more: [&[u8]; 12] = [
            &[],
            &[0x41],
            &[0xED],
            &[0x80],
            &[0x80, 0x41],
            &[0x80, 0xE0],
            &[0x80, 0x80],
            &[0xBF, 0xBF, 0xBF],
            &[0x80, 0xED, 0xB0],
            &[0x80, 0xED, 0xB0, 0x41],
            &[0x80, 0xED, 0xB0, 0x80],
            &[0x80, 0xED, 0xA0, 0x80],
        ];
        for lead in 0xC0..=0xFF {
            for second in 0x80..=0xBF {
                let mut alone = true;
                for more in more {
                    let text = [&[lead, second], more].concat();
                    let len = subpart(E::VARIANT, &text);
                    if len == 0
                        && let Some(point) = of_three_bytes(E::VARIANT, &text)
                    {
                        assert_eq!(E::decode(&text).ok(), Some((point, 3)), "{text:X?}");
                    }
                    match E::decode(&text) {
                        Err(fault) if len > 0 => {
                            assert_eq!(fault.len(), len, "{text:X?}");
                            assert_ne!(fault.kind(), Kind::Reserved, "{text:X?}");
                        }
                        // Of C0, of longer sequences, and of surrogates where each is a character, the codec knows more.
                        Err(fault) => assert!(fault.len() >= 3 || matches!(lead, 0xC0 | 0xFE..), "{text:X?}"),
                        Ok(_) => assert_eq!(len, 0, "{text:X?}"),
                    }
                    alone &= len == 1;
                }
                assert_eq!(alone, stands_alone(E::VARIANT, lead, second), "{lead:X} {second:X}");
            }
        }
    }

    #[test]
    fn what_is_ill_formed_is_what_the_codecs_say() {
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
