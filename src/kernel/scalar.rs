//! No vectors: eight bytes at a time in an ordinary register, on any CPU.
//!
//! The ASCII test is the classic one: a word of ASCII has no top bit set. Two words to a step keep
//! the loop bound by loads and not by branches. Everything else goes character by character
//! through one table-driven step, which is written for speed but follows the machine's rows; it
//! stops at the first byte that it does not understand, and the machine says why.

use crate::kernel::Engine;

/// The top bit of every byte.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The length of the ASCII prefix.
#[inline(never)]
pub(super) fn ascii_prefix(src: &[u8]) -> usize {
    let mut at = 0;
    while let Some(pair) = src.get(at..at + 16) {
        let (low, high) = pair.split_at(8);
        let (low, high) = (word(low), word(high));
        if (low | high) & HIGH_BITS != 0 {
            break;
        }
        at += 16;
    }
    while let Some(bytes) = src.get(at..at + 8) {
        let high = word(bytes) & HIGH_BITS;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + src[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8]))
}

#[inline(never)]
pub(super) fn utf8_valid_prefix(src: &[u8]) -> usize {
    let _ = Engine::current;
    core::str::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len)
}
