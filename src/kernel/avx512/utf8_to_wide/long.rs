//! More than a few blocks: the loops, and what comes before, between and after them.
//!
//! The text begins with a [`step`], because nothing is before it, unless it begins with ASCII. Another step converts up to the end
//! of the output if the loops cannot, and up to the error if they refuse a chunk. The last blocks are converted like a short text,
//! and where that stops, [`steps`] continue.

use super::super::arch::*;
use super::super::utf8::OpenLeads;
use super::super::{BLOCK, Progress};
use super::loops::{End, ascii, mixed, widen};
use super::short::blocks;
use super::step::{Step, open_at, step};
use super::{Buffers, CHUNK, Position};

avx512! {
    /// More than a few blocks.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    pub(super) unsafe fn long<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>) -> Progress {
        let src = buffers.src;
        let mut position = Position { at: 0, written: 0 };
        let mut before = OpenLeads::default();
        let mut most = 2;
        if src.len() >= CHUNK && buffers.room >= CHUNK && is_ascii(&src[..CHUNK]) {
            // SAFETY: there is a chunk of ASCII, and it fits.
            let passed = unsafe { ascii::<WIDE, SWAP>(buffers, position) };
            position = Position { at: passed, written: passed };
        }
        let mut is_stuck = position.at == 0;
        loop {
            if is_stuck {
                // SAFETY: the caller's promise.
                match unsafe { step::<WIDE, SWAP, CORRECTED>(buffers, &mut position, before) } {
                    Step::Stop(stop) => return stop.progress(),
                    Step::Whole(leads) => {
                        before = leads;
                        most = most.max(2 + u32::from(leads.threes != 0) + u32::from(leads.fours != 0));
                    }
                }
            }
            is_stuck = true;
            if buffers.has_chunk_after(position) {
                most = most.max(least(src, position.at));
                // Whether what comes before `position` is exact, whatever follows there.
                let mut exact = true;
                loop {
                    // SAFETY: the caller's promise; the loop looks back as far as `least` says.
                    let end = unsafe {
                        match most {
                            2 => mixed::<2, WIDE, SWAP, CORRECTED>(buffers, &mut position, &mut exact),
                            3 => mixed::<3, WIDE, SWAP, CORRECTED>(buffers, &mut position, &mut exact),
                            _ => mixed::<4, WIDE, SWAP, CORRECTED>(buffers, &mut position, &mut exact),
                        }
                    };
                    let next = match end {
                        End::Short => most,
                        // SAFETY: a chunk is left.
                        End::Refused => unsafe { longest(src, position.at) },
                        End::Quiet => least(src, position.at).max(most - 1),
                    };
                    if end == End::Short || end == End::Refused && next <= most {
                        break;
                    }
                    most = next;
                }
                if !exact && is_misplaced(src, position.at) {
                    return without_last_character::<WIDE>(buffers, position);
                }
                before = OpenLeads::before(src, position.at);
            }
            if position.at == src.len() {
                return open_at::<WIDE>(src, position, before).progress();
            }
            // What is left is short, or would have more room in the loops than there is: just that of the text, for example.
            if !buffers.has_chunk_after(position) {
                // SAFETY: a block is before what is left; the rest is the caller's promise.
                return unsafe {
                    match rest::<WIDE, SWAP, CORRECTED>(buffers, position, before, most) {
                        Ok(written) => Progress { read: src.len(), written },
                        Err(stop) => steps::<WIDE, SWAP, CORRECTED>(buffers, position, stop, before),
                    }
                };
            }
        }
    }

    /// Converts step by step what is behind `position`, to which [`blocks`] has come from `start`: to the end, to an error, or as far as there
    /// is room. `before` are the lead bytes before `start`.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    pub(super) unsafe fn steps<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, start: Position, mut position: Position, mut before: OpenLeads) -> Progress {
        let src = buffers.src;
        if position.at > start.at {
            if is_misplaced(src, position.at) {
                return without_last_character::<WIDE>(buffers, position);
            }
            before = OpenLeads::before(src, position.at);
        }
        while position.at < src.len() {
            // SAFETY: the caller's promise.
            match unsafe { step::<WIDE, SWAP, CORRECTED>(buffers, &mut position, before) } {
                Step::Stop(stop) => return stop.progress(),
                Step::Whole(leads) => before = leads,
            }
        }
        open_at::<WIDE>(src, position, before).progress()
    }

    /// Converts the rest of the text, or as much as there is room for, as [`blocks`] does.
    ///
    /// # Safety
    /// As for the kernel; and a block must be before `position`, in which `before` are the lead bytes.
    #[inline]
    unsafe fn rest<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, position: Position, before: OpenLeads, most: u32) -> Result<usize, Position> {
        let Buffers { src, room, .. } = *buffers;
        let left = src.len() - position.at;
        let written = position.written + left;
        if left <= CHUNK && before.is_closed() && (CHUNK..=room).contains(&written) && src.len() >= CHUNK && is_ascii(&src[src.len() - CHUNK..]) {
            // SAFETY: there is room from `written - CHUNK` to `written`. Each byte of the last chunk is a unit, those before
            // `position` too, and these are written once more.
            unsafe {
                let p = src.as_ptr().add(src.len() - CHUNK);
                widen::<WIDE, SWAP>(p, buffers.unit::<WIDE>(written - CHUNK));
                widen::<WIDE, SWAP>(p.add(BLOCK), buffers.unit::<WIDE>(written - BLOCK));
            }
            return Ok(written);
        }
        // SAFETY: the caller's promise.
        unsafe {
            match most {
                4 => blocks::<4, WIDE, SWAP, CORRECTED>(buffers, position),
                _ => blocks::<3, WIDE, SWAP, CORRECTED>(buffers, position),
            }
        }
    }

    /// Whether a chunk is ASCII.
    #[inline]
    fn is_ascii(chunk: &[u8]) -> bool {
        let p = chunk[..CHUNK].as_ptr();
        // SAFETY: a chunk is two blocks.
        let (first, second) = unsafe { (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.add(BLOCK).cast())) };
        _mm512_movepi8_mask(_mm512_or_si512(first, second)) == 0
    }

    /// The length of the longest character of a chunk at `at`, or 2 if that is less; a character that begins in the
    /// three bytes before the chunk counts.
    ///
    /// # Safety
    /// The chunk must be in `src`, with three bytes before it.
    #[inline]
    unsafe fn longest(src: &[u8], at: usize) -> u32 {
        let mut highest = _mm512_setzero_si512();
        for from in [at - 3, at, at + CHUNK - BLOCK] {
            // SAFETY: the caller's promise.
            highest = _mm512_max_epu8(highest, unsafe { _mm512_loadu_si512(src.as_ptr().add(from).cast()) });
        }
        let some = |least: u8| u32::from(_mm512_cmpge_epu8_mask(highest, _mm512_set1_epi8(least as i8)) != 0);
        2 + some(0xE0) + some(0xF0)
    }

    /// The least length of characters that a loop must handle at `at`, 2 to 4: it must not begin behind a lead byte
    /// further back than it looks.
    #[inline]
    fn least(src: &[u8], at: usize) -> u32 {
        let (second, third) = (src[at - 2], src[at - 3]);
        if second >= 0xF0 || third >= 0xF0 { 4 } else { 2 + u32::from(second >= 0xE0) }
    }

    /// Whether the byte at `at` breaks rule (1): a continuation byte that is not required, or another byte where one
    /// is.
    #[inline]
    fn is_misplaced(src: &[u8], at: usize) -> bool {
        at < src.len() && (src[at] & 0xC0 == 0x80) == OpenLeads::before(src, at).is_closed()
    }

    /// Takes back the last character before `position`, where the byte at `position` [`is_misplaced`]. That byte
    /// decides for the loops where a character ends: for a whole character they have not written the last unit then,
    /// and for a truncated one they have written a unit.
    #[cold]
    #[inline(never)]
    fn without_last_character<const WIDE: bool>(buffers: &Buffers<'_>, position: Position) -> Progress {
        let begins = |byte: &u8| byte & 0xC0 != 0x80;
        let read = buffers.src[..position.at].iter().rposition(begins).unwrap_or(0);
        // For four bytes there is a high surrogate.
        let one = begins(&buffers.src[position.at]) || !WIDE && buffers.src[read] >= 0xF0;
        Progress { read, written: position.written - usize::from(one) }
    }
}
