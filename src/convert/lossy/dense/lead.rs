//! Lead bytes that stand alone although a continuation byte follows: after E0, ED, F0 and F4 not all of these are allowed, and after C0, C1
//! and F5..FF none.
//!
//! A codec takes some 10 ns to say that such a byte is ill-formed, and the continuation byte behind it is a sequence by itself: runs
//! of `E0 80` and `C0 80` were among the patterns that took longest. Which second bytes may follow is a bit in one of four numbers, one
//! each for 80..8F, 90..9F, A0..AF and B0..BF, since no rule tells more of them apart. A test compares this with the codecs.
//!
//! (To read whole characters in this way, the length by arithmetic from four bytes, was slower than the codecs: 6 instead of 5 ns for
//! a byte of `E0 80`. Where the next sequence begins then depends on the bytes of this one, and the processor cannot begin with it. A
//! codec has branches, which are foreseen in whatever repeats itself.)

use crate::convert::Replacement;
use crate::unicode::Variant;

/// Whether [`stands_alone`] knows sequences of this encoding, of which so much is replaced as one: the maximal subpart. In
/// Corrected UTF-8 all lead bytes take all continuation bytes. (WebAssembly asks the codecs: what is loaded over a network should be small.)
#[inline(always)]
pub(super) const fn serves(source: Variant, replacement: Replacement) -> bool {
    let by_subpart = !matches!(source, Variant::Utf8) || matches!(replacement, Replacement::Whatwg);
    source.has_leads()
        && !matches!(source, Variant::CorrectedUtf8)
        && by_subpart
        && !cfg!(target_arch = "wasm32")
}

/// The lead bytes from the first of these to the last: C0 is the lowest bit.
const fn span(first: u8, last: u8) -> u64 {
    (u64::MAX >> (63 - (last - first))) << (first - 0xC0)
}

/// Whether this lead byte is ill-formed by itself, with this continuation byte behind it.
#[inline(always)]
pub(super) const fn stands_alone(source: Variant, lead: u8, second: u8) -> bool {
    let [overlong, most, above] = match source {
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
        Cesu8, Encoding, GeneralizedUtf8, Kind, Mutf8, Utf8, WobblyCesu8, WobblyMutf8, Wtf8,
    };

    fn agrees<E: Encoding<Unit = u8>>() {
        for lead in 0xC0..=0xFF {
            for second in 0x80..=0xBF {
                // What follows may be missing, or anything.
                let texts: [&[u8]; 5] = [
                    &[lead, second],
                    &[lead, second, 0x41],
                    &[lead, second, 0x80],
                    &[lead, second, 0xBF, 0xBF],
                    &[lead, second, 0x80, 0xED, 0xB0, 0x80],
                ];
                let alone = |text: &[u8]| E::decode(text).is_err_and(|fault| fault.len() == 1);
                if stands_alone(E::VARIANT, lead, second) {
                    assert!(texts.into_iter().all(alone), "{lead:X} {second:X}");
                    assert!(E::decode(texts[0]).is_err_and(|fault| fault.kind() != Kind::Reserved));
                } else {
                    let left_to_codec = lead == 0xC0;
                    assert!(left_to_codec || !texts.into_iter().any(alone), "{lead:X} {second:X}");
                }
            }
        }
    }

    #[test]
    fn what_stands_alone_is_what_the_codecs_say() {
        agrees::<Utf8>();
        agrees::<Wtf8>();
        agrees::<GeneralizedUtf8>();
        agrees::<Cesu8>();
        agrees::<WobblyCesu8>();
        agrees::<Mutf8>();
        agrees::<WobblyMutf8>();
    }
}
