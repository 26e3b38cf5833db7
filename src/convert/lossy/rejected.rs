//! The characters that a policy replaces although they are well-formed: the noncharacters, by [`Replacement::Perl5`].
//!
//! A kernel would copy them, so each call of a kernel ends before the next offset at which there may be one. The search goes little
//! further than there is room for: the conversion stops there, and the next call begins anew. (It went to the next such offset, however
//! far that was: mostly to the end of the text, for every call. With windows four times as long as the room, a stream with outputs of 64
//! bytes looked at every byte four times.)

use crate::convert::{Policy, Replacement};
use crate::unicode::{Encoding, Variant, cast};

/// The search for characters that a policy replaces although they are well-formed.
pub(super) struct RejectedCharacters {
    /// The behaviour, if the policy is one. (A copy of the policy is made of two stores by one load, which waits for them: 4 ns.)
    replacement: Option<Replacement>,
    /// The offset up to which none begins.
    clear: usize,
    /// Whether one may begin there.
    found: bool,
}

/// Bytes in which one is searched for at once.
const WINDOW: usize = 4096;

/// So many bytes of a window are not worth a call of a kernel.
const REST: usize = 64;

/// The last bytes of a window, with which one may begin that ends behind it.
const OPEN: usize = 3;

/// So many bytes more than there is room for are searched: then it is the room at which a kernel stops, and not the end of the window.
const AHEAD: usize = 8;

impl RejectedCharacters {
    /// For a conversion by `policy`.
    pub(super) const fn new(policy: Policy<'_>) -> Self {
        let replacement = if let Policy::Replace(replacement) = policy { Some(replacement) } else { None };
        RejectedCharacters { replacement, clear: 0, found: false }
    }

    /// Whether `scalar`, from UTF-8, is replaced.
    #[inline]
    pub(super) fn contains<S: Encoding>(&self, scalar: u32) -> bool {
        match (S::VARIANT, self.replacement) {
            (Variant::Utf8, Some(replacement)) => replacement.rejects(scalar),
            _ => false,
        }
    }

    /// An offset before which there is no such character, from `read` on. `room` is that of the output, in bytes: a
    /// character has about as many in any encoding.
    #[inline]
    pub(super) fn next<S: Encoding>(&mut self, src: &[S::Unit], read: usize, room: usize) -> usize {
        match (S::VARIANT, self.replacement) {
            (Variant::Utf8, Some(Replacement::Perl5)) => self.search(cast(src), read, room),
            _ => src.len(),
        }
    }

    fn search(&mut self, src: &[u8], read: usize, room: usize) -> usize {
        let known = self.clear >= read && (self.found || self.clear == src.len());
        if !known && self.clear < read.saturating_add(room.min(REST)) {
            let window = &src[read..src.len().min(read + room.saturating_add(AHEAD).min(WINDOW))];
            let clear = noncharacter(window);
            self.found = clear < window.len();
            let whole = read + window.len() == src.len();
            self.clear = read + if self.found || whole { clear } else { clear - OPEN };
        }
        self.clear
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
