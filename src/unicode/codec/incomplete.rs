//! What the end of a piece leaves open: the units that must wait, since what they mean may depend on what comes next.
//!
//! They are the beginning of a character, and a surrogate before it that may be half of a pair. They are counted from a lead
//! byte that announces more than there is, whether or not it is already known to go wrong; never are there too few of them.

use super::corrected;
use crate::unicode::{Encoding, Kind, Variant, cast, is_high};

/// How many units at the end of `src` have to wait if more will follow. `src` has to begin where a unit of the form does.
#[inline]
pub(crate) fn incomplete_suffix<E: Encoding>(src: &[E::Unit]) -> usize {
    match E::VARIANT {
        Variant::Ascii | Variant::Latin1 => 0,
        Variant::Utf8 => of_utf8(cast(src)),
        Variant::CorrectedUtf8 => corrected::incomplete_suffix(cast(src)),
        variant if variant.has_leads() => {
            let bytes: &[u8] = cast(src);
            let open = match bytes {
                // The first of the two bytes of U+0000.
                [.., 0xC0] if variant.two_byte_nul() => 1,
                _ => of_utf8(bytes),
            };
            // Behind a high surrogate there may be a low one, or the beginning of it.
            match bytes[..bytes.len() - open] {
                [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF] if open < 3 => open + 3,
                _ => open,
            }
        }
        variant => {
            let each = variant.unit() / size_of::<E::Unit>();
            let whole = src.len() / each * each;
            let last = &src[whole.saturating_sub(each)..];
            let waits = |last| match E::decode(last) {
                // Where it is well-formed without another behind it.
                Ok((point, _)) => is_high(point),
                Err(fault) => fault.kind() == Kind::Incomplete,
            };
            if !last.is_empty() && waits(last) { last.len() } else { src.len() - whole }
        }
    }
}

/// That of UTF-8.
#[inline]
pub(crate) fn of_utf8(bytes: &[u8]) -> usize {
    from_last_lead(bytes, 4, |lead| match lead {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    })
}

/// The bytes from the last one that is no continuation byte, if `announced` says that it begins more than there is; a form
/// has `longest` bytes at most. A character, and whatever is replaced together, is one byte and then continuation bytes.
#[inline]
pub(crate) fn from_last_lead(bytes: &[u8], longest: usize, announced: impl Fn(u8) -> usize) -> usize {
    let behind = bytes.iter().rev().take(longest).take_while(|byte| matches!(byte, 0x80..=0xBF));
    let open = behind.count() + 1;
    match bytes.iter().rev().nth(open - 1) {
        Some(lead) if announced(*lead) > open => open,
        _ => 0,
    }
}
