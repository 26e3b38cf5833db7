//! Short texts, of fewer bytes than one or two registers hold, without a branch on their length.
//!
//! The lengths of keys, names and words are unpredictable, so each branch on them may cost as much as all of the work. So [`is_ascii`]
//! reads in three sizes at once, each by loads that overlap, and if the text is too short for a size, it reads zeros instead.
//!
//! Loads that leave words out (AVX2) need even less. The processor does not touch what a mask leaves out; but *QEMU's user emulation does*
//! (7.2: it loads the whole register, and then applies the mask), and that is how containers for x86 run on other machines. If the next
//! page is not mapped, QEMU faults. So such a load is made only if the whole register is [within a page](is_within_page) that holds a byte
//! of the text; since an empty text has no byte, [zeros](readable) are loaded for it.

use core::hint::select_unpredictable as choose;

/// Zeros that are within a page, as they are aligned to their size. (Not a `static`, whose name would be among those of steps in machine
/// code.)
#[repr(align(64))]
struct Zeros([u8; 64]);

/// Where 64 zeros are.
#[inline(always)]
fn zeros() -> *const u8 {
    const { &Zeros([0; 64]) }.0.as_ptr()
}

/// Where bytes of this text are; if it is empty, where zeros are.
#[inline(always)]
pub(in crate::kernel) fn readable(src: &[u8]) -> *const u8 {
    choose(src.is_empty(), zeros(), src.as_ptr())
}

/// Whether `len` bytes from `p` on, up to 64, are in one page of memory: if one of them can be read, all can, even if a program must not.
#[inline(always)]
pub(in crate::kernel) fn is_within_page(p: *const u8, len: usize) -> bool {
    // There are larger pages, but no smaller ones.
    const PAGE: usize = 4096;
    p.addr() % PAGE <= PAGE - len
}

/// Up to this many bytes [`is_ascii`] takes.
pub(in crate::kernel) const SHORT: usize = 32;

/// Whether a text of up to [`SHORT`] bytes is ASCII.
#[inline(always)]
pub(in crate::kernel) fn is_ascii(src: &[u8]) -> bool {
    let (p, len) = (readable(src), src.len());
    debug_assert!(len <= SHORT);
    // SAFETY: of the text, words of eight bytes are read if it has eight, words of four if it has four, and bytes if it has one; zeros
    // otherwise.
    unsafe {
        let few = p.read() | p.add(len / 2).read() | p.add(len.saturating_sub(1)).read();
        let from = choose(len < 4, zeros(), p);
        let word = |at: usize| u32::from_ne_bytes(from.add(at).cast::<[u8; 4]>().read());
        let words = word(0) | word(len.saturating_sub(4));
        let from = choose(len < 8, zeros(), p);
        let long = |at: usize| u64::from_ne_bytes(from.add(at).cast::<[u8; 8]>().read());
        // Of sixteen bytes and more, two from each end; of all 32, those at 0, 16, 8 and 24.
        let (inner, last) = (len / 16 * 8, len.saturating_sub(8));
        let all = long(0) | long(inner) | long(last - inner) | long(last);
        (all | u64::from(words) | u64::from(few)) & 0x8080_8080_8080_8080 == 0
    }
}

/// What is behind the last whole word of four of the `len` bytes at `p`, up to three bytes, followed by zeros; without a branch.
///
/// # Safety
/// They must be readable.
#[inline(always)]
pub(in crate::kernel) unsafe fn behind_words(p: *const u8, len: usize) -> u32 {
    // SAFETY: two bytes behind the words, if there are two or three, and the last byte, if there is one or three; or zeros.
    unsafe {
        let two = choose(len & 2 != 0, p.wrapping_add(len / 4 * 4), zeros()).cast::<[u8; 2]>().read();
        let one = choose(len & 1 != 0, p.wrapping_add(len).wrapping_sub(1), zeros()).read();
        u32::from(u16::from_le_bytes(two)) | u32::from(one) << (8 * (len & 2))
    }
}

/// Fewer than 16 bytes as two words, followed by zeros, from loads that overlap.
#[inline(always)]
pub(in crate::kernel) fn partial_words(src: &[u8]) -> [u64; 2] {
    let n = src.len();
    if let (Some(first), Some(last)) = (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        // `last` overlaps `first` by 16 - n bytes. They are dropped in two shifts, since they may be all 8.
        let drop = 8 * (15 - n) as u32;
        return [u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> drop >> 8];
    }
    if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk::<4>()) {
        // Where the two overlap they are equal, so `or` joins them.
        let [first, last] = [first, last].map(|word| u64::from(u32::from_le_bytes(*word)));
        return [first | last << (8 * (n - 4)), 0];
    }
    if n == 0 {
        return [0, 0];
    }
    // A single byte is first, middle and last; of two, the second is middle and last.
    let [first, middle, last] = [0, n / 2, n - 1].map(|at| u64::from(src[at]) << (8 * at));
    [first | middle | last, 0]
}

#[cfg(test)]
mod tests {
    use super::{SHORT, behind_words, is_ascii, readable};

    #[test]
    fn every_byte_of_every_length_counts() {
        for len in 0..=SHORT {
            let mut text = [b'a'; SHORT];
            // What is behind the text is not ASCII.
            text[len..].fill(0xFF);
            assert!(is_ascii(&text[..len]), "{len}");
            for at in 0..len {
                for byte in [0x80, 0xC3, 0xFF] {
                    text[at] = byte;
                    assert!(!is_ascii(&text[..len]), "{len} {at} {byte}");
                }
                text[at] = b'a';
            }
        }
    }

    #[test]
    fn behind_whole_words() {
        let text: [u8; 16] = core::array::from_fn(|at| 0xF0 + at as u8);
        for len in 0..=text.len() {
            let text = &text[..len];
            let mut expected = [0; 4];
            for (to, from) in expected.iter_mut().zip(&text[len / 4 * 4..]) {
                *to = *from;
            }
            // SAFETY: the bytes of the text are readable.
            let word = unsafe { behind_words(readable(text), len) };
            assert_eq!(word.to_le_bytes(), expected, "{len}");
        }
    }
}
