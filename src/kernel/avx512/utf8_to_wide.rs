//! UTF-8 to UTF-16 and UTF-32 on AVX-512: byte planes at a fixed stride.
//!
//! Each step takes 64 bytes, wherever characters begin or end. A code unit belongs to the *last* byte
//! of its character, which sees the bytes before it through loads one, two and three bytes back; of a
//! surrogate pair the high one belongs to the third byte and the low one to the fourth. So the low
//! and the high bytes of all code units are computed at once, in two planes, for every position,
//! whether a unit belongs there or not; then both planes are compressed to the positions that have
//! one, and interleaved. For UTF-32 there is a third plane, for the bits above the basic plane, and
//! what was interleaved is widened. Nothing waits for the step before it but the place of the output.
//!
//! Validity is the rule of the validation next door: continuation bytes stand where leads ask for
//! them, and second bytes are looked up by their leads. At an error the units of the whole characters
//! before it are still written.
//!
//! # Corrected UTF-8
//! It is the same with an offset added to the bits, as a number in two planes: the lowest byte of all
//! offsets is A0, for everything that is not ASCII; what it carries goes to the high bytes, with 8 for
//! three bytes, 10 for those from D000 on (there, and not before, are the characters behind the
//! surrogates) and 10 for four. Rule (2) is gone. Of four bytes on the way to UTF-16 the high surrogate,
//! which belongs to the third byte, needs what the last ten bits carry, and so a look at the fourth.
//! Three bytes may be a supplementary character, U+10000..U+1109F: for UTF-32 they are like any other,
//! for UTF-16 these few scripts are left to the machine, as are code points beyond U+10FFFF.
//!
//! # The way of an input
//! Up to 64 bytes are [`short`]: one look under a mask, without a branch but for the kind of text. A few
//! blocks are [`medium`], which is the same for each of them: as a unit belongs to the last byte of its
//! character, the places of the blocks are fixed, and none waits for where the one before ended. Longer text begins with [`sparse`], which passes over ASCII and takes what is not ASCII
//! block by block. Where such blocks come one after the other it hands over to one of the three
//! [`loops`], for characters of up to two, three or four bytes, which have no branch on the text but at
//! the end of a chunk. A loop gives the chunk back that it does not know, gives way to the next cheaper
//! one when it is not needed any more, and to [`sparse`] when chunks are ASCII. Whatever is ill-formed,
//! or too much for the output, is for a [`step`] that knows everything and how to end.
//!
//! # Measured
//! Against simdutf's AVX-512 kernel, 256 KiB on an Emerald Rapids, in GB/s: to UTF-16 two-byte scripts
//! 13 to 17.7 (2.2 to 2.5 times as fast), three-byte ones 14.5 to 15.2 (2.9 to 3.0), emoji 8.8 (2.5 to
//! 3.1), French 13.3 (2.8), German 13.7 (1.9), Czech 12.6 (2.1), Vietnamese 13.4 (3.6), ASCII 22 (1.05 to
//! 1.1); to UTF-32 two-byte scripts 11 to 12 (3.6 to 3.9), three-byte ones 13 (4.0), emoji 9 to 10 (2.8 to
//! 3.2), mixed Latin 8.3 to 8.9 (2.1 to 2.9), ASCII 10.9 (1.07 to 1.13), which is what the second level
//! of cache takes. HTML is at 1.04, JSON at 0.85: it changes its kind every other block. Short strings
//! take 5 ns in ASCII (1.3 times as fast), 9 in Chinese (1.26), 9 in Russian (0.9), 12 in emoji (1.4).

mod join;
mod look;
mod loops;
mod step;

use super::arch::*;
use super::ends::low;
use super::{BLOCK, PAGE, Progress};

use join::{Planes, Table, compress, load, store_exactly};
use look::{Look, planes, shifted};
use loops::{End, ascii, convert, dense, widen, wrong};
use step::{Before, Step, first, open_at, step};

/// What is to be converted, and where to.
struct Text<'a> {
    src: &'a [u8],
    dst: *mut u8,
    /// For how many units there is room.
    room: usize,
}

impl Text<'_> {
    /// Where the unit number `index` goes.
    #[inline(always)]
    fn unit<const WIDE: bool>(&self, index: usize) -> *mut u8 {
        self.dst.wrapping_add(if WIDE { 4 } else { 2 } * index)
    }

    /// Whether a chunk of the loops is left behind `place`, of the input and of the output.
    #[inline(always)]
    fn is_long_after(&self, place: Place) -> bool {
        self.src.len() - place.at > LONG && self.room - place.written >= LONG
    }
}

/// How far a conversion came: the units of all characters that end before `at` are written, and the
/// high surrogate of an open one whose third byte is before `at`.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    written: usize,
}

/// Bytes, and units, that must be left for the loops.
const LONG: usize = 4 * BLOCK;

/// By so many the steps that are not ASCII must outnumber the blocks that are before a loop takes over.
const DENSE_LEAD: usize = 4;

/// From which byte on a lead asks for more bytes than are left of the register.
static LAST_LEADS: Table = {
    let mut bytes = [0xFF; BLOCK];
    (bytes[BLOCK - 3], bytes[BLOCK - 2], bytes[BLOCK - 1]) = (0xF0, 0xE0, 0xC0);
    Table(bytes)
};

avx512! {
    /// UTF-8 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf8_to_utf16<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<false, SWAP, false>(src, len, dst, room) }
    }

    /// UTF-8 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn utf8_to_utf32<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<true, SWAP, false>(src, len, dst, room) }
    }

    /// Corrected UTF-8 to UTF-16; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn corrected_to_utf16<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<false, SWAP, true>(src, len, dst, room) }
    }

    /// Corrected UTF-8 to UTF-32; see the contract of the kernels.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, and `room` units writable at `dst`.
    pub(in crate::kernel) unsafe fn corrected_to_utf32<const SWAP: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { utf8_to_wide::<true, SWAP, true>(src, len, dst, room) }
    }

    /// Converts `len` bytes at `src` to at most `room` units at `dst`, of UTF-32 if `WIDE` and else of
    /// UTF-16; see the contract of the kernels. With `SWAP` the bytes of each unit are in the order
    /// that is not this machine's.
    ///
    /// # Safety
    /// So many bytes must be readable, and so many units writable, at any alignment.
    #[inline]
    unsafe fn utf8_to_wide<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            if len <= BLOCK {
                short::<WIDE, SWAP, CORRECTED>(src, len, dst, room)
            } else {
                more::<WIDE, SWAP, CORRECTED>(src, len, dst, room)
            }
        }
    }

    /// More than 64 bytes. (A function of its own, so that the shortest have nothing to set up.)
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn more<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            let src = core::slice::from_raw_parts(src, len);
            let text = Text { src, dst, room };
            if len <= LONG { medium::<WIDE, SWAP, CORRECTED>(&text) } else { long::<WIDE, SWAP, CORRECTED>(&text) }
        }
    }

    /// A few blocks: more than 64 bytes, and up to [`LONG`].
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn medium<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(text: &Text<'_>) -> Progress {
        let len = text.src.len();
        let p = text.src.as_ptr();
        let last = len - BLOCK;
        // SAFETY: the blocks are within `src`; and as many units are written as there is room for.
        unsafe {
            let mut highest = _mm512_loadu_si512(p.add(last).cast());
            for at in (0..last).step_by(BLOCK) {
                highest = _mm512_max_epu8(highest, _mm512_loadu_si512(p.add(at).cast()));
            }
            if _mm512_movepi8_mask(highest) == 0 && len <= text.room {
                for at in (0..last).step_by(BLOCK) {
                    widen::<WIDE, SWAP>(p.add(at), text.unit::<WIDE>(at));
                }
                widen::<WIDE, SWAP>(p.add(last), text.unit::<WIDE>(last));
                return Progress { read: len, written: len };
            }
            let fours = _mm512_cmpge_epu8_mask(highest, _mm512_set1_epi8(0xF0u8 as i8));
            let written =
                if fours == 0 { blocks::<3, WIDE, SWAP, CORRECTED>(text) } else { blocks::<4, WIDE, SWAP, CORRECTED>(text) };
            match written {
                Some(written) => Progress { read: len, written },
                None => long::<WIDE, SWAP, CORRECTED>(text),
            }
        }
    }

    /// All of a few blocks, how many units that are; unless something is wrong, or there is not enough
    /// room. Characters that reach over into the next block are no matter, for a unit belongs to the last
    /// byte of its character; so the places of the blocks are known beforehand.
    ///
    /// # Safety
    /// As for the kernel; and there must be more than 64 bytes, with characters of up to `MOST`.
    #[inline]
    unsafe fn blocks<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(text: &Text<'_>) -> Option<usize> {
        let Text { src, room, .. } = *text;
        let p = src.as_ptr();
        let (mut error, mut needed) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        let (mut at, mut written) = (0, 0);
        while src.len() - at > BLOCK {
            if room - written < BLOCK {
                return None;
            }
            // SAFETY: there is a block and a byte behind it, and room for a block's units.
            unsafe {
                let p = p.add(at);
                let look = if at == 0 { Look::first(_mm512_loadu_si512(p.cast())) } else { Look::at(p) };
                let to = text.unit::<WIDE>(written);
                written += convert::<MOST, WIDE, SWAP, CORRECTED>(&look, p, to, &mut error, &mut needed);
            }
            at += BLOCK;
        }
        // SAFETY: the rest is up to 64 bytes, not none, with more than three before them.
        unsafe {
            let lanes = low(src.len() - at);
            let look = Look::some(p.add(at), lanes, !0);
            let (planes, units, errors) = judged::<MOST, WIDE, CORRECTED>(&look, lanes);
            let count = units.count_ones() as usize;
            if errors | _mm512_movepi8_mask(error) != 0 || count > room - written {
                return None;
            }
            let to = text.unit::<WIDE>(written);
            store_exactly::<WIDE, SWAP>(&compress(&planes, units), to, count, room - written);
            Some(written + count)
        }
    }

    /// The planes of the units of the bytes in `lanes`, which are the last ones and have characters of up to
    /// `MOST` bytes; in which lanes there are units; and those of bytes that break a rule.
    #[inline]
    unsafe fn judged<const MOST: u32, const WIDE: bool, const CORRECTED: bool>(look: &Look, lanes: u64) -> (Planes, u64, u64) {
        let all = |byte: u8| _mm512_set1_epi8(byte as i8);
        let wrong = wrong::<MOST, CORRECTED>(look, &mut _mm512_setzero_si512());
        // What is missing at the end is noticed at the byte behind it, if there is a lane for that: if not,
        // no lead may stand in the last lanes.
        let open = _mm512_cmpge_epu8_mask(look.bytes, load(&LAST_LEADS));
        let errors = _mm512_movepi8_mask(wrong) | open;
        // A character of one or two bytes ends with any byte but a lead, the others before the next one.
        let mut units = if MOST == 2 {
            _mm512_mask_cmplt_epu8_mask(lanes, look.bytes, all(0xC0))
        } else {
            !(_mm512_cmplt_epi8_mask(look.bytes, all(0xC0)) >> 1) & lanes
        };
        if MOST == 4 && !WIDE {
            units |= _mm512_cmpge_epu8_mask(look.two, all(0xF0));
        }
        let next = if CORRECTED { shifted(look.bytes, 1) } else { look.bytes };
        let planes = planes::<MOST, WIDE, CORRECTED>(look, next);
        let errors = errors | planes.beyond & lanes;
        (planes, units, errors)
    }

    /// Up to 64 bytes, beginning with a character: in a straight line but for the question whether they are
    /// ASCII and whether some character has four bytes.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    unsafe fn short<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        if len == 0 {
            return Progress::default();
        }
        // SAFETY: the caller's promise; masked lanes are not read, but must not be on another page.
        unsafe {
            let lanes = low(len);
            let near_edge = (src as usize % PAGE).wrapping_sub(3) > PAGE - BLOCK - 3;
            let bytes = if near_edge {
                first(core::slice::from_raw_parts(src, len))
            } else {
                _mm512_maskz_loadu_epi8(lanes, src.cast())
            };
            let (planes, count) = if _mm512_movepi8_mask(bytes) == 0 {
                (Planes { low: bytes, high: _mm512_setzero_si512(), top: None, beyond: 0 }, len)
            } else {
                let look = if near_edge { Look::first(bytes) } else { Look::some(src, lanes, 0) };
                let at_least = |byte: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(byte as i8)) != 0;
                let (planes, units, errors) = if !at_least(0xE0) {
                    judged::<2, WIDE, CORRECTED>(&look, lanes)
                } else if !at_least(0xF0) {
                    judged::<3, WIDE, CORRECTED>(&look, lanes)
                } else {
                    judged::<4, WIDE, CORRECTED>(&look, lanes)
                };
                if errors != 0 {
                    return closely::<WIDE, SWAP, CORRECTED>(src, len, dst, room);
                }
                (compress(&planes, units), units.count_ones() as usize)
            };
            if count > room {
                return closely::<WIDE, SWAP, CORRECTED>(src, len, dst, room);
            }
            store_exactly::<WIDE, SWAP>(&planes, dst, count, room);
            Progress { read: len, written: count }
        }
    }

    /// Up to 64 bytes, with an error, or too many for the output.
    ///
    /// # Safety
    /// As for the kernel.
    #[cold]
    #[inline(never)]
    unsafe fn closely<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        let text = Text { src: unsafe { core::slice::from_raw_parts(src, len) }, dst, room };
        let mut place = Place { at: 0, written: 0 };
        // SAFETY: the caller's promise.
        let place = match unsafe { step::<WIDE, SWAP, CORRECTED>(&text, &mut place, Before::default()) } {
            Step::Stop(stop) => stop,
            Step::Whole { before, .. } => open_at::<WIDE>(text.src, place, before),
        };
        Progress { read: place.at, written: place.written }
    }

    /// More than 64 bytes.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn long<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(text: &Text<'_>) -> Progress {
        let src = text.src;
        let mut place = Place { at: 0, written: 0 };
        // SAFETY: the caller's promise; and what is dense is behind whole steps.
        unsafe {
            while let Some(longest) = sparse::<WIDE, SWAP, CORRECTED>(text, &mut place) {
                let mut mode = longest.max(2);
                loop {
                    let entered = place.at;
                    let end = match mode {
                        2 => dense::<2, WIDE, SWAP, CORRECTED>(text, &mut place),
                        3 => dense::<3, WIDE, SWAP, CORRECTED>(text, &mut place),
                        _ => dense::<4, WIDE, SWAP, CORRECTED>(text, &mut place),
                    };
                    // (What comes before a loop that gets nowhere is exact.)
                    if mode > 2 && place.at > entered && is_misplaced(src, place.at) {
                        return before_last::<WIDE>(text, place);
                    }
                    if end != End::Quiet {
                        break;
                    }
                    mode -= 1;
                }
            }
        }
        Progress { read: place.at, written: place.written }
    }

    /// Text of any kind, as long as most of it is ASCII or the input or the output is nearly at its
    /// end: `None` if it ends here. Otherwise the length of the longest of the last characters.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn sparse<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(text: &Text<'_>, place: &mut Place) -> Option<u32> {
        let src = text.src;
        let mut now = *place;
        let mut before = Before::at(src, now.at);
        let mut lead = 0usize;
        let mut most = 0;
        // Whether it looks like ASCII from here on; then nothing is open.
        let mut try_ascii = before.is_closed();
        loop {
            let mut blocks = 0;
            while try_ascii && src.len() - now.at >= BLOCK && text.room - now.written >= BLOCK {
                // SAFETY: these bytes are in `src`, and there is room for as many units.
                let passed = unsafe {
                    let p = src.as_ptr().add(now.at);
                    if _mm512_movepi8_mask(_mm512_loadu_si512(p.cast())) != 0 {
                        break;
                    }
                    if blocks == 4 {
                        ascii::<WIDE, SWAP>(text, now)
                    } else {
                        widen::<WIDE, SWAP>(p, text.unit::<WIDE>(now.written));
                        BLOCK
                    }
                };
                now = Place { at: now.at + passed, written: now.written + passed };
                blocks += 1;
            }
            lead = lead.saturating_sub(blocks);
            if lead == 0 {
                most = 0;
            }
            // SAFETY: three bytes are before a block that is not the first; and the caller's promise.
            if let Some(longest) = unsafe { one_block::<WIDE, SWAP, CORRECTED>(text, &mut now) } {
                most = most.max(longest);
                lead += 1;
                if lead >= DENSE_LEAD && text.is_long_after(now) {
                    *place = now;
                    return Some(most);
                }
                // Eight bytes of ASCII.
                try_ascii = src[now.at - 8..now.at].is_ascii();
                continue;
            }
            if now.at > 0 {
                before = Before::at(src, now.at);
            }
            if now.at == src.len() {
                *place = open_at::<WIDE>(src, now, before);
                return None;
            }
            if src.len() - now.at < BLOCK {
                let now = open_at::<WIDE>(src, now, before);
                if src.len() - now.at < BLOCK {
                    // SAFETY: the caller's promise.
                    let Progress { read, written } = unsafe {
                        let rest = src.as_ptr().add(now.at);
                        short::<WIDE, SWAP, CORRECTED>(rest, src.len() - now.at, text.unit::<WIDE>(now.written), text.room - now.written)
                    };
                    *place = Place { at: now.at + read, written: now.written + written };
                    return None;
                }
            }
            // SAFETY: the caller's promise.
            match unsafe { step::<WIDE, SWAP, CORRECTED>(text, &mut now, before) } {
                Step::Stop(stop) => {
                    *place = stop;
                    return None;
                }
                Step::Whole { before: open, signs, longest } => {
                    before = open;
                    most = most.max(longest);
                    lead += usize::from(signs != 0);
                    if lead >= DENSE_LEAD && text.is_long_after(now) {
                        *place = now;
                        return Some(most);
                    }
                    try_ascii = signs >> (BLOCK - 8) == 0;
                }
            }
        }
    }

    /// Converts a block behind the first, if it is whole, there is room, and nothing is wrong with it:
    /// then the length of its longest character, or 2.
    ///
    /// # Safety
    /// As for the kernel; and all before `place` must be well-formed, if there is anything.
    #[inline]
    unsafe fn one_block<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(text: &Text<'_>, place: &mut Place) -> Option<u32> {
        let Place { at, written } = *place;
        if at < 3 || text.src.len() - at <= BLOCK || text.room - written < BLOCK {
            return None;
        }
        let (mut error, mut needed) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        // SAFETY: the block is within `src`, with three bytes before it and one behind, and fits.
        let (count, most) = unsafe {
            let p = text.src.as_ptr().add(at);
            let to = text.unit::<WIDE>(written);
            let look = Look::at(p);
            // Of the bytes three further back, those before the block are among them.
            let highest = _mm512_max_epu8(look.bytes, look.three);
            if _mm512_cmpge_epu8_mask(highest, _mm512_set1_epi8(0xF0u8 as i8)) == 0 {
                (convert::<3, WIDE, SWAP, CORRECTED>(&look, p, to, &mut error, &mut needed), 3)
            } else {
                (convert::<4, WIDE, SWAP, CORRECTED>(&look, p, to, &mut error, &mut needed), 4)
            }
        };
        if _mm512_movepi8_mask(error) != 0 || is_misplaced(text.src, at + BLOCK) {
            return None;
        }
        *place = Place { at: at + BLOCK, written: written + count };
        Some(if _mm512_movepi8_mask(needed) != 0 { most } else { most - 1 })
    }

    /// Whether the byte at `at` breaks rule (1): a continuation byte that nothing asks for, or none
    /// where one is asked for.
    #[inline]
    fn is_misplaced(src: &[u8], at: usize) -> bool {
        at < src.len() && (src[at] & 0xC0 == 0x80) == Before::at(src, at).is_closed()
    }

    /// The place before the last character before `place`, whose next byte [`is_misplaced`]. The loops
    /// take that byte's word for where a character ends: of a whole one they have not written the last
    /// unit then, and for one cut short they have written a unit.
    #[cold]
    #[inline(never)]
    fn before_last<const WIDE: bool>(text: &Text<'_>, place: Place) -> Progress {
        let begins = |byte: &u8| byte & 0xC0 != 0x80;
        let read = text.src[..place.at].iter().rposition(begins).unwrap_or(0);
        // Of four bytes there is a high surrogate.
        let one = begins(&text.src[place.at]) || !WIDE && text.src[read] >= 0xF0;
        Progress { read, written: place.written - usize::from(one) }
    }
}
