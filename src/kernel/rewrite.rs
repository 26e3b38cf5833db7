//! Between UTF-8 and CESU-8: the bytes that differ, and a copy of all others.
//!
//! Four bytes become six, or six become four; in modified UTF-8 00 becomes C0 80, or the other way round.
//! Nothing here knows what else is in order: these loops run over text that has been checked, or their
//! output will be.
//!
//! Long stretches without such bytes go by blocks, in which the compiler turns words into vectors; then by
//! words of eight bytes, which are stored as they are: a flag in the top bit of a byte tells where
//! something is to be rewritten, and it is written over what has been stored. Where one such character
//! follows another, as emoji do, the next is read without waiting for a word with flags: what it costs then
//! is the arithmetic.

use super::Progress;
use super::convert::Plain;

/// The top bit of every byte of a word.
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

/// In the top bit of each byte, whether it is F0 or more. The other bits are noise.
#[inline(always)]
pub(super) const fn leads_of_four(word: u64) -> u64 {
    word & word << 1 & word << 2 & word << 3
}

/// In the top bit of each byte, whether it is 0. The other bits are noise.
#[inline(always)]
pub(super) const fn zeros(word: u64) -> u64 {
    !((word & !HIGH).wrapping_add(!HIGH) | word)
}

/// In the top bit of each byte, whether it is this one. The other bits are noise.
#[inline(always)]
const fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ u64::from_ne_bytes([byte; 8]))
}

/// Words of a block.
const WORDS: usize = 16;

/// Bytes that go by words behind a character that was rewritten.
const NEAR: usize = 64;

/// From UTF-8, which is in order, to CESU-8; with `NUL` to modified UTF-8.
pub(super) struct Widen<const NUL: bool> {
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
}

/// From CESU-8 to UTF-8; with `NUL` from modified UTF-8.
pub(super) struct Narrow<const NUL: bool> {
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
}

impl<const NUL: bool> Widen<NUL> {
    /// Of the `len` bytes at `src`, which are whole characters, into `room` bytes at `dst`.
    pub(super) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Widen { src, len, dst, room }
    }
}

impl<const NUL: bool> Narrow<NUL> {
    /// Of the `len` bytes at `src` into `room` bytes at `dst`.
    pub(super) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Narrow { src, len, dst, room }
    }
}

/// The word at `p`, its first byte the lowest.
///
/// # Safety
/// There must be eight bytes.
#[inline(always)]
unsafe fn word(p: *const u8) -> u64 {
    // SAFETY: the caller's promise.
    u64::from_le(unsafe { p.cast::<u64>().read_unaligned() })
}

/// Writes a word, its lowest byte first.
///
/// # Safety
/// There must be room for eight bytes.
#[inline(always)]
unsafe fn put(p: *mut u8, word: u64) {
    // SAFETY: the caller's promise.
    unsafe { p.cast::<u64>().write_unaligned(word.to_le()) }
}

/// The six bytes of the two surrogates of a character of four bytes, the first byte the lowest.
#[inline(always)]
const fn six(four: u32) -> u64 {
    let four = four.swap_bytes();
    // What is above U+FFFF, in twenty bits: 4, 6, 4 and 6 of them.
    let bits = (four >> 6 & 0x1C_0000 | four >> 4 & 0x3_F000 | four >> 2 & 0xFC0 | four & 0x3F) - 0x1_0000;
    let bits = bits as u64;
    0x80B0_ED80_A0ED | bits >> 8 & 0x0F00 | (bits & 0xFC00) << 6 | (bits & 0x3C0) << 26 | (bits & 0x3F) << 40
}

/// The four bytes of a character of two surrogates, if it is one.
#[inline(always)]
const fn four(six: u64) -> Option<u32> {
    if six & 0xC0F0_FFC0_F0FF != 0x80B0_ED80_A0ED {
        return None;
    }
    let bits = (six & 0x0F00) << 8 | six >> 6 & 0xFC00 | six >> 26 & 0x3C0 | six >> 40 & 0x3F;
    let point = bits as u32 + 0x1_0000;
    let bytes = 0xF080_8080
        | (point & 0x1C_0000) << 6
        | (point & 0x3_F000) << 4
        | (point & 0xFC0) << 2
        | point & 0x3F;
    Some(bytes.swap_bytes())
}

impl<const NUL: bool> Plain for Widen<NUL> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let Widen { src, len, dst, room } = self;
        let (mut at, mut to) = (0, 0);
        // SAFETY: blocks, words and characters are read within `len` bytes, of which a lead of four is
        // followed by three; what is written, is within the room.
        unsafe {
            while len - at >= 8 && room - to >= 16 {
                while len - at >= 8 * WORDS && room - to >= 8 * WORDS {
                    let words = src.add(at).cast::<[u64; WORDS]>().read_unaligned();
                    dst.add(to).cast::<[u64; WORDS]>().write_unaligned(words);
                    let mut flags = words.iter().fold(0, |all, word| all | leads_of_four(*word));
                    if NUL {
                        flags |= words.iter().fold(0, |all, word| all | zeros(*word));
                    }
                    if flags & HIGH != 0 {
                        break;
                    }
                    at += 8 * WORDS;
                    to += 8 * WORDS;
                }
                let mut stop = at + 8 * WORDS;
                while at < stop && len - at >= 8 && room - to >= 16 {
                    let bytes = word(src.add(at));
                    put(dst.add(to), bytes);
                    let mut flags = leads_of_four(bytes);
                    if NUL {
                        flags |= zeros(bytes);
                    }
                    flags &= HIGH;
                    if flags == 0 {
                        at += 8;
                        to += 8;
                        continue;
                    }
                    let before = flags.trailing_zeros() as usize / 8;
                    at += before;
                    to += before;
                    while at < len && room - to >= 8 {
                        let lead = *src.add(at);
                        if lead >= 0xF0 {
                            let character = src.add(at).cast::<u32>().read_unaligned();
                            put(dst.add(to), six(u32::from_le(character)));
                            at += 4;
                            to += 6;
                        } else if NUL && lead == 0 {
                            dst.add(to).cast::<[u8; 2]>().write([0xC0, 0x80]);
                            at += 1;
                            to += 2;
                        } else {
                            break;
                        }
                    }
                    stop = at + NEAR;
                }
            }
            // Words end anywhere. What was copied as it is can be given back as it is.
            while at < len && *src.add(at) & 0xC0 == 0x80 {
                at -= 1;
                to -= 1;
            }
        }
        Progress { read: at, written: to }
    }
}

impl<const NUL: bool> Narrow<NUL> {
    /// In the top bit of each byte, whether it is special; `next` has the byte behind each.
    #[inline(always)]
    const fn flags(bytes: u64, next: u64) -> u64 {
        // Behind ED a continuation byte with its sixth bit set belongs to a surrogate.
        let flags = leads_of_four(bytes) | equal(bytes, 0xED) & next << 2;
        if NUL { flags | equal(bytes, 0xC0) | zeros(bytes) } else { flags }
    }
}

impl<const NUL: bool> Plain for Narrow<NUL> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let Narrow { src, len, dst, room } = self;
        let (mut at, mut to) = (0, 0);
        // Where the last character ends that was rewritten.
        let mut floor = 0;
        // SAFETY: all is read within `len` bytes, with one more behind a block or a word; and what is
        // written, is within the room.
        unsafe {
            'all: while len - at > 8 && room - to >= 16 {
                while len - at > 8 * WORDS && room - to >= 8 * WORDS {
                    let words = src.add(at).cast::<[u64; WORDS]>().read_unaligned();
                    let next = src.add(at + 1).cast::<[u64; WORDS]>().read_unaligned();
                    dst.add(to).cast::<[u64; WORDS]>().write_unaligned(words);
                    let mut flags = 0;
                    for i in 0..WORDS {
                        flags |= Self::flags(words[i], next[i]);
                    }
                    if flags & HIGH != 0 {
                        break;
                    }
                    at += 8 * WORDS;
                    to += 8 * WORDS;
                }
                let mut stop = at + 8 * WORDS;
                while at < stop && len - at > 8 && room - to >= 16 {
                    let bytes = word(src.add(at));
                    put(dst.add(to), bytes);
                    let flags = Self::flags(bytes, word(src.add(at + 1))) & HIGH;
                    if flags == 0 {
                        at += 8;
                        to += 8;
                        continue;
                    }
                    let before = flags.trailing_zeros() as usize / 8;
                    at += before;
                    to += before;
                    let here = (at, to);
                    while len - at >= 8 && room - to >= 4 {
                        if let Some(character) = four(word(src.add(at))) {
                            dst.add(to).cast::<u32>().write_unaligned(character.to_le());
                            at += 6;
                            to += 4;
                        } else if NUL && *src.add(at) == 0xC0 && *src.add(at + 1) == 0x80 {
                            dst.add(to).write(0);
                            at += 2;
                            to += 1;
                        } else {
                            break;
                        }
                    }
                    if here == (at, to) {
                        // It is ill-formed, or too close to the end.
                        break 'all;
                    }
                    stop = at + NEAR;
                    floor = at;
                }
            }
            // Words end anywhere, and what was copied as it is can be given back as it is: in text that is
            // in order, up to three bytes.
            let least = floor.max(at.saturating_sub(3));
            while at > least && at < len && *src.add(at) & 0xC0 == 0x80 {
                at -= 1;
                to -= 1;
            }
        }
        Progress { read: at, written: to }
    }
}
