//! Generalized UTF-8 and WTF-8, one code point at a time.
//!
//! *Generalized UTF-8* has the table of UTF-8 except for one row: ED allows every continuation byte, as its neighbours do, so that
//! the surrogates have a form as well:
//!
//! | code points    | 1st byte | 2nd byte | 3rd byte |
//! |----------------|----------|----------|----------|
//! | U+D800..U+DBFF | ED       | A0..AF   | 80..BF   |
//! | U+DC00..U+DFFF | ED       | B0..BF   | 80..BF   |
//!
//! *WTF-8* has the same rows, and one more rule: a high surrogate must not stand directly before a low one, because these two are a
//! supplementary character, which has four bytes. So every text in UTF-16 with unpaired surrogates has exactly one form. Such a pair is
//! one ill-formed sequence of six bytes, from the high surrogate on; a high surrogate alone is a code point, whatever follows it,
//! although more input may still make it part of a pair.
//!
//! (An early draft of the WTF-8 specification has a mistake in its decoding of surrogates: it subtracts DC00 from the unit that it
//! calls *U*, which is the first of the two, and multiplies a value that it does not name. The code point is 10000 + (high − D800)
//! × 400 + (low − DC00).)

use super::{Codec, Units, utf8};
use crate::unicode::{Fault, GeneralizedUtf8, IllFormed, Kind, Utf8Form, Variant, Wtf8, is_high, is_low};

impl Codec for GeneralizedUtf8 {
    const VARIANT: Variant = Variant::GeneralizedUtf8;
    type Form = Utf8Form;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        utf8::decode::<true>(src)
    }

    #[inline]
    fn encode(point: u32) -> Option<Units<u8>> {
        Some(utf8::encode(point))
    }

    #[inline]
    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::VARIANT, src, at)
    }
}

impl Codec for Wtf8 {
    const VARIANT: Variant = Variant::Wtf8;
    type Form = Utf8Form;

    #[inline]
    fn decode(src: &[u8]) -> Result<(u32, usize), Fault> {
        let (point, len) = utf8::decode::<true>(src)?;
        if is_high(point)
            && src.len() > len
            && matches!(utf8::decode::<true>(&src[len..]), Ok((low, _)) if is_low(low))
        {
            return Err(Fault::new(6, Kind::SurrogatePair));
        }
        Ok((point, len))
    }

    #[inline]
    fn encode(point: u32) -> Option<Units<u8>> {
        Some(utf8::encode(point))
    }

    #[inline]
    fn error(fault: Fault, src: &[u8], at: usize) -> IllFormed {
        fault.at_byte(Self::VARIANT, src, at)
    }
}
