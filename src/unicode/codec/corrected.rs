//! Corrected UTF-8, one character at a time, as its specification of 2022 gives it. A sequence of two bytes or more encodes its bits
//! *plus an offset*, so that each has a code point of its own:
//!
//! | byte sequence                         | offset   | code points        |
//! |---------------------------------------|----------|--------------------|
//! | 00 … 7F                               | 0        | 0 … 7F             |
//! | C0 80 … DF BF                         | A0       | A0 … 89F           |
//! | E0 80 80 … EC BD 9F                   | 8A0      | 8A0 … D7FF         |
//! | EC BD A0 … EF BF BF                   | 10A0     | E000 … 1109F       |
//! | F0 80 80 80 … F7 BF BF BF             | 110A0    | 110A0 … 21109F     |
//! | F8 80 80 80 80 … FB BF BF BF BF       | 2110A0   | 2110A0 … 421109F   |
//! | FC 80 80 80 80 80 … FD BF BF BF BF BF | 42110A0  | 42110A0 … 8421109F |
//!
//! So no sequence is overlong, and only its structure can be wrong: it must be a lead byte followed by as many continuation bytes
//! as the lead byte announces. The C1 controls and the surrogates lie between two rows and have no form. Code points above U+10FFFF
//! have a form here and in no other encoding.
//!
//! If there are too few continuation bytes, the maximal subpart is the part of the sequence that is there, as in UTF-8; an
//! unexpected continuation byte is a maximal subpart by itself.
//!
//! # FE and FF
//! No sequence begins with FE or FF yet. The specification asks to treat such a sequence not as wrong but as *reserved*, and to let
//! it extend until the next recognised lead byte. The recognised lead bytes are those of the table, 00..7F and C0..FD; so
//! continuation bytes and further bytes FE and FF belong to the sequence, without a limit. It cannot be decoded, so it stops a
//! conversion, as one sequence and with a [`Kind`] of its own. It does so at the end of the input as well, where more of it might
//! follow.
//!
//! The first byte shows that a sequence is reserved, but only the next lead byte shows where it ends. So the [`Fault`] has the length of
//! the first byte, however often it is asked for, and code that continues skips the rest with [`reserved_continuation`]: each byte is
//! looked at once. Only the error for a caller has the whole length, as far as the input goes. (Earlier the fault had the whole length,
//! in 32 bits. A conversion that ran out of room within a sequence then looked at all of it again, and a sequence of 2³² bytes had the
//! length 0.)
//!
//! # U+0000
//! It has the form 00, which a document may contain in its magic number only. That is a rule about documents, not about sequences:
//! this codec accepts it like any other character, and [`corrected::lint`](crate::corrected::lint) finds it.
//!
//! # Measured
//! Time of these kernels divided by that of our kernels for UTF-8, same text, 128 KiB on an Emerald Rapids. AVX-512: validation 1.0;
//! to UTF-16 and UTF-32 two-byte scripts 1.15 to 1.3, three-byte ones 1.3 to 1.37, emoji 1.55; from UTF-16 1.15 to 1.45, from UTF-32
//! 1.15 to 1.5. AVX2: validation 0.9; to UTF-16 and UTF-32 1.2 and 1.45, emoji 1.75; from them 1.2 to 1.4 and 1.6. (From them, emoji
//! took 8 times as long while characters of four bytes went through the plain loops, which is no longer so; they have not been
//! measured since.) To and from UTF-8 a text goes through UTF-16, which takes two to three and a half times as long as UTF-8 to
//! UTF-16.

use super::{Codec, Units};
use crate::unicode::{CorrectedForm, CorrectedUtf8, Fault, IllFormed, Kind, Variant};

/// The offset to add to the bits of a sequence, by its length.
const OFFSETS: [u32; 7] = [0, 0, 0xA0, 0x8A0, 0x1_10A0, 0x21_10A0, 0x421_10A0];

/// The bits of the first three-byte sequence whose offset skips the surrogates.
const BEHIND_SURROGATES: u32 = 0xD800 - 0x8A0;

impl Codec for CorrectedUtf8 {
    const VARIANT: Variant = Variant::CorrectedUtf8;
    type Form = CorrectedForm;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        let lead = src[0];
        let len = match lead {
            0x00..=0x7F => return Ok((u32::from(lead), 1)),
            0x80..=0xBF => return Err(Fault::new(1, Kind::UnexpectedContinuation)),
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF7 => 4,
            0xF8..=0xFB => 5,
            0xFC..=0xFD => 6,
            0xFE..=0xFF => return Err(Fault::new(1, Kind::Reserved)),
        };
        let mut bits = u32::from(lead) & (0x7F >> len);
        for at in 1..len {
            match src.get(at) {
                None => return Err(Fault::new(at, Kind::Incomplete)),
                Some(byte @ 0x80..=0xBF) => bits = bits << 6 | u32::from(byte & 0x3F),
                Some(_) => return Err(Fault::new(at, Kind::Truncated)),
            }
        }
        let gap = if len == 3 && bits >= BEHIND_SURROGATES { 0x800 } else { 0 };
        Ok((bits + OFFSETS[len] + gap, len))
    }

    #[inline]
    fn encode(point: u32) -> Option<Units<u8>> {
        // The rows again, the other way round.
        let (len, bits) = match point {
            0x0..=0x7F => return Some(Units::new([point as u8])),
            0x80..=0x9F | 0xD800..=0xDFFF => return None,
            0xA0..=0x89F => (2, point - 0xA0),
            0x8A0..=0xD7FF => (3, point - 0x8A0),
            0xE000..=0x1_109F => (3, point - 0x10A0),
            0x1_10A0..=0x21_109F => (4, point - 0x1_10A0),
            0x21_10A0..=0x421_109F => (5, point - 0x21_10A0),
            0x421_10A0..=0x8421_109F => (6, point - 0x421_10A0),
            0x8421_10A0.. => return None,
        };
        // As many one bits as there are bytes, and a zero bit; the top bit that the loop sets is one of the ones.
        let mut number = u64::from(!(0xFF_u8 >> len));
        for at in 0..len {
            number |= u64::from(0x80 | bits >> (6 * (len - 1 - at)) & 0x3F) << (8 * at);
        }
        Some(Units::of(number, len))
    }

    #[inline]
    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::VARIANT, src, at)
    }
}

/// How many bytes at the start of `src` continue a reserved sequence that precedes it.
#[inline]
pub(crate) fn reserved_continuation(src: &[u8]) -> usize {
    // Blocks without a lead byte are skipped with vectors.
    let (blocks, _) = src.as_chunks::<32>();
    let passed = |block: &&[u8; 32]| !block.iter().fold(false, |any, byte| any | is_recognized(byte));
    let at = 32 * blocks.iter().take_while(passed).count();
    src[at..].iter().position(is_recognized).map_or(src.len(), |more| at + more)
}

/// Whether a byte is a recognised lead byte, before which a reserved sequence ends.
#[inline]
pub(crate) fn is_recognized(byte: &u8) -> bool {
    matches!(byte, 0x00..=0x7F | 0xC0..=0xFD)
}

/// How many bytes at the end of `src` are an incomplete character.
#[inline]
pub(crate) fn incomplete_character(src: &[u8]) -> usize {
    super::incomplete::from_last_lead(src, 6, |lead| match lead {
        0xC0..=0xFD => lead.leading_ones() as usize,
        _ => 1,
    })
}

/// How many bytes at the end of `src` have to wait if more will follow, for a caller that keeps no state: an incomplete character, or
/// a reserved sequence of any length.
#[inline]
pub(crate) fn incomplete_suffix(src: &[u8]) -> usize {
    let from = src.iter().rposition(is_recognized).unwrap_or(0);
    // FE or FF may follow the last lead byte; from the first of these on, all bytes are one sequence.
    match src[from..].iter().position(|byte| *byte >= 0xFE) {
        Some(reserved) => src.len() - from - reserved,
        None => incomplete_character(src),
    }
}
