//! Between UTF-8 and CESU-8: the bytes that differ, and a copy of all others.
//!
//! Four bytes become six, or six become four; in modified UTF-8 00 becomes C0 80, or the other way round.
//! Nothing here knows what else is in order: these loops run over text that has been checked, or their
//! output will be.
//!
//! Long stretches without such bytes go by blocks, in which the compiler turns words into vectors. Where
//! there are some, a block of 64 bytes is first turned into a bit for each byte that is to be rewritten, and
//! then it is gone from bit to bit: the next one is known before the last one is done, and the bytes
//! between them are copied without asking how many they are. Close to the ends it goes by words of eight
//! bytes, which are stored as they are, and a flag in the top bit of a byte tells where to write over
//! them. These words alone, where each has to be waited for before it is known where the next begins,
//! took twice the time on emoji.

use crate::kernel::shared::{Plain, Progress};

/// The top bit of every byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// In the top bit of each byte, whether it is F0 or more. The other bits are noise.
#[inline(always)]
const fn leads_of_four(word: u64) -> u64 {
    word & word << 1 & word << 2 & word << 3
}

/// In the top bit of each byte, whether it is 0. The other bits are noise.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
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
pub(in crate::kernel) struct Widen<const NUL: bool> {
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
}

/// From CESU-8 to UTF-8; with `NUL` from modified UTF-8.
pub(in crate::kernel) struct Narrow<const NUL: bool> {
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
}

impl<const NUL: bool> Widen<NUL> {
    /// Of the `len` bytes at `src`, which are whole characters, into `room` bytes at `dst`.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Widen { src, len, dst, room }
    }
}

impl<const NUL: bool> Narrow<NUL> {
    /// Of the `len` bytes at `src` into `room` bytes at `dst`.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Narrow { src, len, dst, room }
    }
}

/// A bit for each byte of a block of eight words whose flag is set, the first the lowest.
#[inline(always)]
fn bits(flags: impl Fn(usize) -> u64) -> u64 {
    let mut bits = 0;
    for word in 0..8 {
        // The flags of a word, one beside the other.
        let those = (u64::from_le(flags(8 * word) & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= those << (8 * word);
    }
    bits
}

/// Bytes, and room, beyond a block of 64: for copies that are longer than they need be.
const SLACK: usize = 72;

/// Copies `len` bytes, up to 64; it may be more that is copied.
///
/// # Safety
/// There must be 64 bytes, and room for them.
#[inline(always)]
unsafe fn copy(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        dst.cast::<[u8; 16]>().write(src.cast::<[u8; 16]>().read());
        if len > 16 {
            dst.add(16).cast::<[u8; 48]>().write(src.add(16).cast::<[u8; 48]>().read());
        }
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

/// The six bytes of the two surrogates of a character of four bytes, the first byte the lowest in both.
/// The bits move in three groups; the first surrogate's ten are of a number that is 40 less.
#[inline(always)]
const fn six(four: u32) -> u64 {
    let four = four as u64;
    let bits = (four & 0x0F07) << 10 | (four & 0x30_3000) >> 4 | (four & 0xFF0F_0000) << 16;
    bits + (0x00B0_ED80_A0ED - 0x0100)
}

/// The four bytes of a character of two surrogates, if it is one: the same the other way round.
#[inline(always)]
const fn four(six: u64) -> Option<u32> {
    if six & 0xC0F0_FFC0_F0FF != 0x80B0_ED80_A0ED {
        return None;
    }
    let six = six + 0x0100;
    let bits = (six & 0x3C_1C00) >> 10 | (six & 0x3_0300) << 4 | six >> 16 & 0xFF0F_0000;
    Some(bits as u32 | 0x0080_80F0)
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
                while len - at >= 64 + SLACK && room - to >= 128 + SLACK {
                    let begin = at;
                    let mut places = bits(|place| {
                        let bytes = src.add(begin + place).cast::<u64>().read_unaligned();
                        if NUL { leads_of_four(bytes) | zeros(bytes) } else { leads_of_four(bytes) }
                    });
                    if places == 0 {
                        break;
                    }
                    while places != 0 {
                        let place = begin + places.trailing_zeros() as usize;
                        places &= places - 1;
                        let before = place - at;
                        copy(src.add(at), dst.add(to), before);
                        to += before;
                        if NUL && *src.add(place) == 0 {
                            dst.add(to).cast::<[u8; 2]>().write([0xC0, 0x80]);
                            at = place + 1;
                            to += 2;
                        } else {
                            let character = src.add(place).cast::<u32>().read_unaligned();
                            put(dst.add(to), six(u32::from_le(character)));
                            at = place + 4;
                            to += 6;
                        }
                    }
                    let behind = (begin + 64).saturating_sub(at);
                    copy(src.add(at), dst.add(to), behind);
                    at += behind;
                    to += behind;
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
        // Behind ED, A0..AF belong to a high surrogate, by two bits of a continuation byte. A low one without
        // it is found when the output is checked.
        let flags = leads_of_four(bytes) | equal(bytes, 0xED) & next << 2 & !(next << 3);
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
                while len - at >= 64 + SLACK && room - to >= 64 + SLACK {
                    let begin = at;
                    let mut places = bits(|place| {
                        let here = src.add(begin + place);
                        let bytes = here.cast::<u64>().read_unaligned();
                        Self::flags(bytes, here.add(1).cast::<u64>().read_unaligned())
                    });
                    if places == 0 {
                        break;
                    }
                    while places != 0 {
                        let place = begin + places.trailing_zeros() as usize;
                        places &= places - 1;
                        // Within what has just been rewritten, if that is ill-formed.
                        if place < at {
                            break 'all;
                        }
                        let before = place - at;
                        copy(src.add(at), dst.add(to), before);
                        at += before;
                        to += before;
                        if let Some(character) = four(word(src.add(at))) {
                            dst.add(to).cast::<u32>().write_unaligned(character.to_le());
                            at += 6;
                            to += 4;
                        } else if NUL && *src.add(at) == 0xC0 && *src.add(at + 1) == 0x80 {
                            dst.add(to).write(0);
                            at += 2;
                            to += 1;
                        } else {
                            break 'all;
                        }
                        floor = at;
                    }
                    let behind = (begin + 64).saturating_sub(at);
                    copy(src.add(at), dst.add(to), behind);
                    at += behind;
                    to += behind;
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
