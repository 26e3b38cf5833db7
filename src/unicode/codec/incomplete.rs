//! The incomplete suffix of a chunk: the units at its end that must wait, because their meaning may depend on what comes next.
//!
//! They are the start of a character, and a surrogate before it that may be half of a pair. They are counted from a lead byte that
//! announces more bytes than there are, whether or not the sequence is already known to be ill-formed; the count is never too low, and
//! at most six. (A [`Policy`](crate::Policy) knows which of them can be decided all the same.) Units of a reserved sequence are not
//! counted.

use super::corrected;
use crate::unicode::{Encoding, Kind, Variant, cast, is_high};

/// How many units at the end of `src` have to wait if more will follow. `src` must begin at a unit of the form.
#[inline]
pub(crate) fn incomplete_suffix<E: Encoding>(src: &[E::Unit]) -> usize {
    match E::VARIANT {
        Variant::Ascii | Variant::Latin1 => 0,
        Variant::Utf8 => of_utf8(cast(src)),
        Variant::CorrectedUtf8 => corrected::incomplete_character(cast(src)),
        variant if variant.has_leads() => {
            let bytes: &[u8] = cast(src);
            let open = match bytes {
                // The first of the two bytes of U+0000.
                [.., 0xC0] if variant.two_byte_nul() => 1,
                _ => of_utf8(bytes),
            };
            // A low surrogate may follow a high one, or its start may.
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
                // Only in WTF-16: there a high surrogate is well-formed by itself.
                Ok((point, _)) => is_high(point),
                Err(fault) => fault.kind() == Kind::Incomplete,
            };
            if !last.is_empty() && waits(last) { last.len() } else { src.len() - whole }
        }
    }
}

/// The same for UTF-8.
#[inline]
pub(crate) fn of_utf8(bytes: &[u8]) -> usize {
    from_last_lead(bytes, 4, |lead| match lead {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    })
}

/// The length of the suffix of UTF-8 that begins with a byte C0..FF, whether or not that is a lead byte, and is shorter than that byte
/// announces. What is before it does not depend on what follows.
#[inline]
pub(crate) fn open_suffix(bytes: &[u8]) -> usize {
    from_last_lead(bytes, 4, |lead| match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    })
}

/// The length of the suffix that begins with the last byte that is not a continuation byte, if `announced` says that its sequence is
/// longer; sequences have at most `longest` bytes. A character, and any sequence that is replaced as one, is one byte followed by
/// continuation bytes.
#[inline]
pub(crate) fn from_last_lead(bytes: &[u8], longest: usize, announced: impl Fn(u8) -> usize) -> usize {
    let continuations = bytes.iter().rev().take(longest).take_while(|byte| matches!(byte, 0x80..=0xBF));
    let open = continuations.count() + 1;
    match bytes.iter().rev().nth(open - 1) {
        Some(lead) if announced(*lead) > open => open,
        _ => 0,
    }
}
