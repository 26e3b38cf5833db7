//! The characters that a policy replaces although they are well-formed: the noncharacters, by [`Replacement::Perl5`].
//!
//! A kernel would copy them, so each call of a kernel ends before the next offset at which there may be one.

use crate::convert::{Policy, Replacement};
use crate::unicode::{Encoding, Variant, cast};

/// The search for characters that a policy replaces although they are well-formed.
pub(super) struct RejectedCharacters<'a> {
    policy: Policy<'a>,
    /// The next offset at which there may be one, if known.
    at: Option<usize>,
}

impl<'a> RejectedCharacters<'a> {
    /// For a conversion by `policy`.
    pub(super) const fn new(policy: Policy<'a>) -> Self {
        RejectedCharacters { policy, at: None }
    }

    /// Whether `scalar`, from UTF-8, is replaced.
    #[inline]
    pub(super) fn contains<S: Encoding>(&self, scalar: u32) -> bool {
        match (S::VARIANT, self.policy) {
            (Variant::Utf8, Policy::Replace(replacement)) => replacement.rejects(scalar),
            _ => false,
        }
    }

    /// An offset before which there is no such character, from `read` on.
    #[inline]
    pub(super) fn next<S: Encoding>(&mut self, src: &[S::Unit], read: usize) -> usize {
        match (S::VARIANT, self.policy) {
            (Variant::Utf8, Policy::Replace(Replacement::Perl5)) => {
                if self.at.is_none_or(|at| at < read) {
                    self.at = Some(read + noncharacter(cast(&src[read..])));
                }
                self.at.unwrap_or(src.len())
            }
            _ => src.len(),
        }
    }
}

/// The first offset in `bytes` at which a noncharacter may begin, or their length.
///
/// In UTF-8, U+FDD0..U+FDEF are EF B7 90..AF, and those at the end of a plane end in BF BE or BF BF, after EF or a continuation byte
/// that ends in F. Where such bytes are part of something else, the codec decides.
#[inline]
fn noncharacter(bytes: &[u8]) -> usize {
    let is_one = |bytes: &[u8]| match bytes {
        [0xEF, 0xB7, 0x90..=0xAF] => true,
        [lead, 0xBF, 0xBE | 0xBF] => *lead == 0xEF || *lead & 0xCF == 0x8F,
        _ => false,
    };
    // Both kinds have B7 or BF as the second of three bytes: blocks without these are skipped in vectors.
    let mut begin = 0;
    for block in bytes.chunks(64) {
        let middle = block.iter().fold(false, |any, byte| any | matches!(byte, 0xB7 | 0xBF));
        if middle {
            let from = begin.max(1) - 1;
            let to = bytes.len().min(begin + block.len() + 1);
            if let Some(index) = bytes[from..to].windows(3).position(is_one) {
                // Of a character of four bytes, these are the last three.
                let at = from + index;
                return if bytes[at] == 0xEF { at } else { at.max(1) - 1 };
            }
        }
        begin += block.len();
    }
    bytes.len()
}
