//! Between UTF-8 and CESU-8: the bytes that differ are rewritten, and all others copied.
//!
//! Four bytes become six, or six become four; in modified UTF-8 00 becomes C0 80, and back. These loops do not validate: the input
//! has been validated already, or the output will be. But no address depends on that: whatever the bytes are, and whatever they
//! become between two reads, all accesses are within the input and the room.
//!
//! Long spans without special bytes are copied in blocks, which the compiler vectorises. If a block of 64 bytes has special bytes,
//! it is first turned into a mask with a bit for each byte to rewrite, and the loop goes from bit to bit: the next one is known
//! before the last one is done, and the bytes between them are copied without a branch on their count. Close to the ends, the loop
//! goes by words of eight bytes, which are stored unchanged, and a flag in the top bit of a byte tells where to write over them.
//! With words alone, each must be done before the start of the next is known, which took twice the time on emoji.

use crate::kernel::shared::{Plain, Progress};

/// The top bit of every byte of a word.
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

/// In the top bit of each byte, whether it is F0 or more. The other bits are undefined.
#[inline(always)]
pub(super) const fn leads_of_four(word: u64) -> u64 {
    word & word << 1 & word << 2 & word << 3
}

/// In the top bit of each byte, whether it is 0. The other bits are undefined.
#[inline(always)]
pub(super) const fn zeros(word: u64) -> u64 {
    !((word & !HIGH).wrapping_add(!HIGH) | word)
}

/// In the top bit of each byte, whether it equals `byte`. The other bits are undefined.
#[inline(always)]
const fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ u64::from_ne_bytes([byte; 8]))
}

/// Words of a block.
const WORDS: usize = 16;

/// Bytes after a rewritten character that are copied by words.
const AFTER_SPECIAL: usize = 64;

/// From well-formed UTF-8 to CESU-8; with `NUL`, to modified UTF-8.
pub(in crate::kernel) struct ToCesu8<const NUL: bool> {
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
}

/// From CESU-8 to UTF-8; with `NUL`, from modified UTF-8.
pub(in crate::kernel) struct FromCesu8<const NUL: bool> {
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
}

impl<const NUL: bool> ToCesu8<NUL> {
    /// From the `len` bytes at `src`, which are whole characters, to at most `room` bytes at `dst`.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        ToCesu8 { src, len, dst, room }
    }
}

impl<const NUL: bool> FromCesu8<NUL> {
    /// From the `len` bytes at `src` to at most `room` bytes at `dst`.
    pub(in crate::kernel) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        FromCesu8 { src, len, dst, room }
    }
}

/// The flags of a block of eight words, a bit for each byte, the first the lowest.
#[inline(always)]
fn flag_bits(flags: impl Fn(usize) -> u64) -> u64 {
    let mut bits = 0;
    for word in 0..8 {
        // The eight flags of a word, in adjacent bits.
        let those = (u64::from_le(flags(8 * word) & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= those << (8 * word);
    }
    bits
}

/// Bytes, and room, past a block of 64: copies may be longer than needed.
const SLACK: usize = 72;

/// Copies `len` bytes, at most 64; it may copy more.
///
/// # Safety
/// 64 bytes must be readable at `src` and writable at `dst`.
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

/// The word at `p`, its first byte in the lowest bits.
///
/// # Safety
/// Eight bytes must be readable at `p`.
#[inline(always)]
pub(super) unsafe fn word(p: *const u8) -> u64 {
    // SAFETY: the caller's promise.
    u64::from_le(unsafe { p.cast::<u64>().read_unaligned() })
}

/// Writes a word, its lowest byte first.
///
/// # Safety
/// Eight bytes must be writable at `p`.
#[inline(always)]
unsafe fn put(p: *mut u8, word: u64) {
    // SAFETY: the caller's promise.
    unsafe { p.cast::<u64>().write_unaligned(word.to_le()) }
}

/// The six bytes of the surrogate pair of a character of four bytes; the first byte is in the lowest bits on both sides. The bits
/// move in three groups; the ten bits of the high surrogate are those of the code point less 10000, hence the subtraction.
#[inline(always)]
const fn encode_pair(four: u32) -> u64 {
    let four = four as u64;
    let bits = (four & 0x0F07) << 10 | (four & 0x30_3000) >> 4 | (four & 0xFF0F_0000) << 16;
    bits + (0x00B0_ED80_A0ED - 0x0100)
}

/// The four bytes of the character of a surrogate pair, if the six bytes are one: the inverse.
#[inline(always)]
const fn decode_pair(six: u64) -> Option<u32> {
    if six & 0xC0F0_FFC0_F0FF != 0x80B0_ED80_A0ED {
        return None;
    }
    let six = six + 0x0100;
    let bits = (six & 0x3C_1C00) >> 10 | (six & 0x3_0300) << 4 | six >> 16 & 0xFF0F_0000;
    Some(bits as u32 | 0x0080_80F0)
}

impl<const NUL: bool> Plain for ToCesu8<NUL> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let ToCesu8 { src, len, dst, room } = self;
        let (mut at, mut to) = (0, 0);
        // The end of the last rewritten character.
        let mut rewritten_to = 0;
        // SAFETY: blocks, words and characters are read within the `len` bytes, and writes are within the room, whatever the
        // bytes are. In a block of 64 a flag moves `at` forward, past its byte at least and to at most three bytes behind
        // the block, and `to` by at most two bytes for each of those: there is slack for both, and for a copy from there.
        unsafe {
            'all: while len - at >= 8 && room - to >= 16 {
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
                    let mut special = flag_bits(|offset| {
                        let bytes = src.add(begin + offset).cast::<u64>().read_unaligned();
                        if NUL { leads_of_four(bytes) | zeros(bytes) } else { leads_of_four(bytes) }
                    });
                    if special == 0 {
                        break;
                    }
                    while special != 0 {
                        let next = begin + special.trailing_zeros() as usize;
                        special &= special - 1;
                        // Inside what has just been rewritten: the text is not what was validated.
                        if next < at {
                            break 'all;
                        }
                        let before = next - at;
                        copy(src.add(at), dst.add(to), before);
                        to += before;
                        if NUL && *src.add(next) == 0 {
                            dst.add(to).cast::<[u8; 2]>().write([0xC0, 0x80]);
                            at = next + 1;
                            to += 2;
                        } else {
                            let character = src.add(next).cast::<u32>().read_unaligned();
                            put(dst.add(to), encode_pair(u32::from_le(character)));
                            at = next + 4;
                            to += 6;
                        }
                        rewritten_to = at;
                    }
                    let after = (begin + 64).saturating_sub(at);
                    copy(src.add(at), dst.add(to), after);
                    at += after;
                    to += after;
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
                            if len - at < 4 {
                                break 'all;
                            }
                            let character = src.add(at).cast::<u32>().read_unaligned();
                            put(dst.add(to), encode_pair(u32::from_le(character)));
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
                    stop = at + AFTER_SPECIAL;
                    rewritten_to = at;
                }
            }
            // A word may end inside a character. Bytes copied unchanged can be given back one by one: in
            // well-formed text, up to three.
            let least = rewritten_to.max(at.saturating_sub(3));
            while at > least && at < len && *src.add(at) & 0xC0 == 0x80 {
                at -= 1;
                to -= 1;
            }
        }
        Progress { read: at, written: to }
    }
}

impl<const NUL: bool> FromCesu8<NUL> {
    /// In the top bit of each byte, whether it is special; `next` holds the byte after each.
    #[inline(always)]
    const fn flags(bytes: u64, next: u64) -> u64 {
        // After ED, A0..AF belong to a high surrogate: two bits of a continuation byte tell. A low surrogate without a
        // high one is found when the output is validated.
        let flags = leads_of_four(bytes) | equal(bytes, 0xED) & next << 2 & !(next << 3);
        if NUL { flags | equal(bytes, 0xC0) | zeros(bytes) } else { flags }
    }
}

impl<const NUL: bool> Plain for FromCesu8<NUL> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let FromCesu8 { src, len, dst, room } = self;
        let (mut at, mut to) = (0, 0);
        // The end of the last rewritten character.
        let mut rewritten_to = 0;
        // SAFETY: all reads are within the `len` bytes, including the one byte after a block or a word; writes are
        // within the room.
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
                    let mut special = flag_bits(|offset| {
                        let here = src.add(begin + offset);
                        let bytes = here.cast::<u64>().read_unaligned();
                        Self::flags(bytes, here.add(1).cast::<u64>().read_unaligned())
                    });
                    if special == 0 {
                        break;
                    }
                    while special != 0 {
                        let next = begin + special.trailing_zeros() as usize;
                        special &= special - 1;
                        // Inside what has just been rewritten: the text is ill-formed.
                        if next < at {
                            break 'all;
                        }
                        let before = next - at;
                        copy(src.add(at), dst.add(to), before);
                        at += before;
                        to += before;
                        if let Some(character) = decode_pair(word(src.add(at))) {
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
                        rewritten_to = at;
                    }
                    let after = (begin + 64).saturating_sub(at);
                    copy(src.add(at), dst.add(to), after);
                    at += after;
                    to += after;
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
                        if let Some(character) = decode_pair(word(src.add(at))) {
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
                    stop = at + AFTER_SPECIAL;
                    rewritten_to = at;
                }
            }
            // A word may end inside a character. Bytes copied unchanged can be given back one by one: in
            // well-formed text, up to three.
            let least = rewritten_to.max(at.saturating_sub(3));
            while at > least && at < len && *src.add(at) & 0xC0 == 0x80 {
                at -= 1;
                to -= 1;
            }
        }
        Progress { read: at, written: to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop over `src`, with `room` bytes for its output; checks what it says it has done, and the bytes on both sides of that
    /// room.
    fn within<P: Plain>(
        src: &[u8],
        room: usize,
        new: impl FnOnce(*const u8, usize, *mut u8, usize) -> P,
    ) -> Vec<u8> {
        const CANARY: usize = 4096;
        // At the end of its memory, where a tool sees a read beyond.
        let src: Box<[u8]> = src.into();
        let mut memory = vec![0xA5; CANARY + room + CANARY];
        // SAFETY: the source has so many bytes, and there is so much room.
        let moved = unsafe {
            let dst = memory.as_mut_ptr().add(CANARY);
            new(src.as_ptr(), src.len(), dst, room).run()
        };
        assert!(moved.read <= src.len() && moved.written <= room, "{moved:?} of {}, room {room}", src.len());
        let (before, rest) = memory.split_at(CANARY);
        let (output, behind) = rest.split_at(room);
        assert!(before.iter().chain(behind).all(|byte| *byte == 0xA5), "{src:X?}, room {room}");
        output[..moved.written].to_vec()
    }

    /// What has been validated may be something else when it is rewritten, if somebody writes to it meanwhile. For these loops
    /// that is the same as any bytes at all.
    #[test]
    fn bytes_that_nobody_has_validated_move_no_address_out_of_bounds() {
        let some = [0x00, 0x41, 0x7F, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xED, 0xF0, 0xF4, 0xFF];
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = |end: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 33) as usize % end
        };
        for round in 0..60_000 {
            let len = random(if round % 4 == 0 { 20 } else { 420 });
            let rare = 1 + random(40);
            let mut src: Vec<u8> =
                (0..len).map(|_| if random(rare) == 0 { some[random(some.len())] } else { b'a' }).collect();
            // Leads at the end, and runs of one byte.
            if let Some(last) = src.last_mut()
                && round % 3 == 0
            {
                *last = 0xF0;
            }
            if round % 5 == 0 {
                let byte = some[random(some.len())];
                src.iter_mut().skip(random(100)).take(random(200)).for_each(|to| *to = byte);
            }
            let room = match round % 3 {
                0 => random(len + 1),
                1 => len,
                _ => 2 * len + 256,
            };
            within(&src, room, ToCesu8::<false>::new);
            within(&src, room, ToCesu8::<true>::new);
            within(&src, room, FromCesu8::<false>::new);
            within(&src, room, FromCesu8::<true>::new);
        }
    }

    /// So that the test above is one of these loops, and not of nothing.
    #[test]
    fn text_is_rewritten() {
        let text = "plain, \u{16B1}, \u{1FAA8}; ".repeat(20);
        let cesu8 = within(text.as_bytes(), 1000, ToCesu8::<false>::new);
        assert!(
            cesu8.len() > 380 && cesu8.starts_with(b"plain, \xE1\x9A\xB1, \xED\xA0\xBE\xED\xBA\xA8; plain")
        );
        let utf8 = within(&cesu8, 1000, FromCesu8::<false>::new);
        assert!(utf8.len() > 300 && text.as_bytes().starts_with(&utf8));
    }
}
