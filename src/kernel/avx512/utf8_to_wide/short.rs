//! Up to 64 bytes, and a few blocks: no loop except over the blocks, and no branch except for the kind of text.

use super::super::arch::*;
use super::super::memory::{PAGE, low_bits};
use super::super::registers::{Table, load_table};
use super::super::{BLOCK, Progress};
use super::join::{compress, store_exactly};
use super::long::steps;
use super::loops::{convert, convert_if_it_fits, errors, nothing, second_bytes, tables, widen};
use super::planes::{Planes, Window, planes, shifted};
use super::step::{Step, first, open_at, step};
use super::{Buffers, Position};
use crate::kernel::avx512::utf8::OpenLeads;
use crate::kernel::shared::boundary::boundary_before;

/// For each lane, the least lead byte that requires more bytes than are left of the register.
static LAST_LEADS: Table = {
    let mut bytes = [0xFF; BLOCK];
    (bytes[BLOCK - 3], bytes[BLOCK - 2], bytes[BLOCK - 1]) = (0xF0, 0xE0, 0xC0);
    Table(bytes)
};

avx512! {
    /// A few blocks: more than 64 bytes, and up to [`LONG`](super::LONG).
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    pub(super) unsafe fn medium<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>) -> Progress {
        let len = buffers.src.len();
        let p = buffers.src.as_ptr();
        let last = len - BLOCK;
        // SAFETY: the blocks are within `src`; and as many units are written as there is room for.
        unsafe {
            let mut highest = _mm512_loadu_si512(p.add(last).cast());
            for at in (0..last).step_by(BLOCK) {
                highest = _mm512_max_epu8(highest, _mm512_loadu_si512(p.add(at).cast()));
            }
            if _mm512_movepi8_mask(highest) == 0 && len <= buffers.room {
                for at in (0..last).step_by(BLOCK) {
                    widen::<WIDE, SWAP>(p.add(at), buffers.unit::<WIDE>(at));
                }
                widen::<WIDE, SWAP>(p.add(last), buffers.unit::<WIDE>(last));
                return Progress { read: len, written: len };
            }
            let fours = _mm512_cmpge_epu8_mask(highest, _mm512_set1_epi8(0xF0u8 as i8));
            let start = Position { at: 0, written: 0 };
            let written = if fours == 0 {
                blocks::<3, WIDE, SWAP, CORRECTED>(buffers, start)
            } else {
                blocks::<4, WIDE, SWAP, CORRECTED>(buffers, start)
            };
            match written {
                Ok(written) => Progress { read: len, written },
                Err(stop) => steps::<WIDE, SWAP, CORRECTED>(buffers, start, stop, OpenLeads::default()),
            }
        }
    }

    /// Converts the blocks from `start` to the end; returns the number of units written in all. If there is an error, not enough room, or a
    /// character of more than `MOST` bytes, it returns for [`steps`] how far there is none. A character may continue in the next block, as a
    /// unit belongs to the last byte of its character.
    ///
    /// # Safety
    /// As for the kernel; there must be more than 64 bytes in all, and one behind `start`; and `start` must be 0 or at
    /// least 3, with well-formed text before it.
    #[inline]
    pub(super) unsafe fn blocks<const MOST: u32, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, start: Position) -> Result<usize, Position> {
        let Buffers { src, room, .. } = *buffers;
        let p = src.as_ptr();
        let mut found = nothing();
        let tables = tables::<MOST, WIDE, SWAP>();
        let Position { mut at, mut written } = start;
        let mut checked = start;
        while src.len() - at > BLOCK {
            // An error is not looked for further than need be: behind it, all of this is for nothing. (Asked after four blocks, text of 200 to
            // 900 bytes with an error took 1.2 times as long to repair, and clean text 0.98 times as long; AMD EPYC, Zen 4.)
            if _mm512_movepi8_mask(found.error) != 0 {
                return Err(checked);
            }
            checked = Position { at, written };
            // SAFETY: a block and a byte behind it are left; and there is room for its units, or it is asked.
            unsafe {
                let p = p.add(at);
                let window = if at == 0 { Window::first(_mm512_loadu_si512(p.cast())) } else { Window::at(p) };
                let to = buffers.unit::<WIDE>(written);
                let space = room - written;
                written += if space >= BLOCK {
                    convert::<MOST, WIDE, SWAP, CORRECTED>(&tables, p, &window, to, &mut found)
                } else {
                    match convert_if_it_fits::<MOST, WIDE, SWAP, CORRECTED>(&tables, p, &window, to, space, &mut found) {
                        Some(count) => count,
                        None => return Err(checked),
                    }
                };
            }
            at += BLOCK;
        }
        // SAFETY: the rest is 1 to 64 bytes, with more than three before them.
        unsafe {
            let lanes = low_bits(src.len() - at);
            let window = Window::partial(p.add(at), lanes, !0);
            let (planes, units, errors) = last_planes::<MOST, WIDE, CORRECTED>(&window, lanes);
            let count = units.count_ones() as usize;
            if errors | _mm512_movepi8_mask(found.error) != 0 || count > room - written {
                return Err(checked);
            }
            let to = buffers.unit::<WIDE>(written);
            store_exactly::<WIDE, SWAP>(&compress(&planes, units), to, count, room - written);
            Ok(written + count)
        }
    }

    /// For the last bytes of a text, which are in `lanes` and have characters of up to `MOST` bytes: the planes of
    /// their units, the lanes that have a unit, and the lanes with errors.
    #[inline]
    fn last_planes<const MOST: u32, const WIDE: bool, const CORRECTED: bool>(window: &Window, lanes: u64) -> (Planes, u64, u64) {
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let rule_errors = errors::<MOST, CORRECTED>(window, second_bytes::<MOST>(), &mut _mm512_setzero_si512());
        // A byte that is missing at the end shows in the lane behind, if there is one; if not, no lead byte may stand
        // in the last lanes.
        let open = _mm512_cmpge_epu8_mask(window.bytes, load_table(&LAST_LEADS));
        let errors = _mm512_movepi8_mask(rule_errors) | open;
        // A character of one or two bytes ends with any byte but a lead byte, the others before the next character.
        let mut units = if MOST == 2 {
            _mm512_mask_cmplt_epu8_mask(lanes, window.bytes, splat(0xC0))
        } else {
            !(_mm512_cmplt_epi8_mask(window.bytes, splat(0xC0)) >> 1) & lanes
        };
        if MOST == 4 && !WIDE {
            units |= _mm512_cmpge_epu8_mask(window.prev2, splat(0xF0));
        }
        let next = if CORRECTED { shifted(window.bytes, 1) } else { window.bytes };
        let planes = planes::<MOST, WIDE, CORRECTED>(window, next);
        let errors = errors | planes.unsupported & lanes;
        (planes, units, errors)
    }

    /// Up to 64 bytes, from a character boundary on: without a branch but for whether they are ASCII, and for the
    /// longest character.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline]
    pub(super) unsafe fn short<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        if len == 0 {
            return Progress::default();
        }
        // SAFETY: the caller's promise; masked lanes are not read (but would be slow on another page).
        unsafe {
            let lanes = low_bits(len);
            let near_page_end = (src as usize % PAGE).wrapping_sub(3) > PAGE - BLOCK - 3;
            let bytes = if near_page_end {
                first(core::slice::from_raw_parts(src, len))
            } else {
                _mm512_maskz_loadu_epi8(lanes, src.cast())
            };
            let (planes, read, count) = if _mm512_movepi8_mask(bytes) == 0 {
                (Planes { low: bytes, high: _mm512_setzero_si512(), top: None, unsupported: 0 }, len, len)
            } else {
                let window = if near_page_end { Window::first(bytes) } else { Window::partial(src, lanes, 0) };
                let at_least = |byte: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(byte as i8)) != 0;
                let (planes, mut units, errors) = if !at_least(0xE0) {
                    last_planes::<2, WIDE, CORRECTED>(&window, lanes)
                } else if !at_least(0xF0) {
                    last_planes::<3, WIDE, CORRECTED>(&window, lanes)
                } else {
                    last_planes::<4, WIDE, CORRECTED>(&window, lanes)
                };
                let mut read = len;
                if errors != 0 {
                    // What Corrected UTF-8 leaves to the codec is no such place.
                    if CORRECTED {
                        return careful::<WIDE, SWAP, CORRECTED>(src, len, dst, room);
                    }
                    let flagged = len.min(errors.trailing_zeros() as usize);
                    read = boundary_before(core::slice::from_raw_parts(src, len), flagged);
                    // The last byte of the last character has a unit, even if a continuation byte too many is next.
                    let before = low_bits(read);
                    units = units & before | before & !(before >> 1);
                }
                (compress(&planes, units), read, units.count_ones() as usize)
            };
            if count > room {
                return careful::<WIDE, SWAP, CORRECTED>(src, len, dst, room);
            }
            store_exactly::<WIDE, SWAP>(&planes, dst, count, room);
            Progress { read, written: count }
        }
    }

    /// Up to 64 bytes with too little room, or of Corrected UTF-8 with an error.
    ///
    /// # Safety
    /// As for the kernel.
    #[cold]
    #[inline(never)]
    unsafe fn careful<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Progress {
        // SAFETY: the caller's promise.
        let buffers = Buffers { src: unsafe { core::slice::from_raw_parts(src, len) }, dst, room };
        let mut position = Position { at: 0, written: 0 };
        // SAFETY: the caller's promise.
        let position = match unsafe { step::<WIDE, SWAP, CORRECTED>(&buffers, &mut position, OpenLeads::default()) } {
            Step::Stop(stop) => stop,
            Step::Whole(before) => open_at::<WIDE>(buffers.src, position, before),
        };
        Progress { read: position.at, written: position.written }
    }
}
