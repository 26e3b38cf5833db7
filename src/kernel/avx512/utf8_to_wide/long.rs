//! More than 64 bytes: the sparse loop, and the changes between the loops.

use super::super::arch::*;
use super::super::utf8::OpenLeads;
use super::super::{BLOCK, Progress};
use super::loops::{End, ascii, convert, dense, widen};
use super::planes::Window;
use super::short::short;
use super::step::{Step, open_at, step};
use super::{Buffers, Position};

/// A loop takes over when the steps that are not ASCII outnumber the blocks of ASCII by this many.
const DENSE_LEAD: usize = 4;

avx512! {
    /// More than 64 bytes.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    pub(super) unsafe fn long<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>) -> Progress {
        let src = buffers.src;
        let mut position = Position { at: 0, written: 0 };
        // SAFETY: the caller's promise; and the dense loops begin behind whole steps.
        unsafe {
            while let Some(longest) = sparse::<WIDE, SWAP, CORRECTED>(buffers, &mut position) {
                let mut mode = longest.max(2);
                loop {
                    let entered = position.at;
                    let end = match mode {
                        2 => dense::<2, WIDE, SWAP, CORRECTED>(buffers, &mut position),
                        3 => dense::<3, WIDE, SWAP, CORRECTED>(buffers, &mut position),
                        _ => dense::<4, WIDE, SWAP, CORRECTED>(buffers, &mut position),
                    };
                    // (If a loop converts nothing, what comes before it is exact.)
                    if mode > 2 && position.at > entered && is_misplaced(src, position.at) {
                        return without_last_character::<WIDE>(buffers, position);
                    }
                    if end != End::Quiet {
                        break;
                    }
                    mode -= 1;
                }
            }
        }
        Progress { read: position.at, written: position.written }
    }

    /// Text of any kind, as long as most of it is ASCII, or little is left of the input or the output. Returns
    /// `None` at the end, and otherwise the length of the longest of the last characters.
    ///
    /// # Safety
    /// As for the kernel.
    #[inline(never)]
    unsafe fn sparse<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, position: &mut Position) -> Option<u32> {
        let src = buffers.src;
        let mut now = *position;
        let mut before = OpenLeads::before(src, now.at);
        let mut surplus = 0usize;
        let mut most = 0;
        // Whether ASCII seems to follow; then no character is incomplete.
        let mut try_ascii = before.is_closed();
        loop {
            let mut blocks = 0;
            while try_ascii && src.len() - now.at >= BLOCK && buffers.room - now.written >= BLOCK {
                // SAFETY: these bytes are in `src`, and there is room for as many units.
                let passed = unsafe {
                    let p = src.as_ptr().add(now.at);
                    if _mm512_movepi8_mask(_mm512_loadu_si512(p.cast())) != 0 {
                        break;
                    }
                    if blocks == 4 {
                        ascii::<WIDE, SWAP>(buffers, now)
                    } else {
                        widen::<WIDE, SWAP>(p, buffers.unit::<WIDE>(now.written));
                        BLOCK
                    }
                };
                now = Position { at: now.at + passed, written: now.written + passed };
                blocks += 1;
            }
            surplus = surplus.saturating_sub(blocks);
            if surplus == 0 {
                most = 0;
            }
            // SAFETY: the caller's promise.
            if let Some(longest) = unsafe { one_block::<WIDE, SWAP, CORRECTED>(buffers, &mut now) } {
                most = most.max(longest);
                surplus += 1;
                if surplus >= DENSE_LEAD && buffers.is_long_after(now) {
                    *position = now;
                    return Some(most);
                }
                // The last eight bytes.
                try_ascii = src[now.at - 8..now.at].is_ascii();
                continue;
            }
            if now.at > 0 {
                before = OpenLeads::before(src, now.at);
            }
            if now.at == src.len() {
                *position = open_at::<WIDE>(src, now, before);
                return None;
            }
            if src.len() - now.at < BLOCK {
                let now = open_at::<WIDE>(src, now, before);
                if src.len() - now.at < BLOCK {
                    // SAFETY: the caller's promise.
                    let Progress { read, written } = unsafe {
                        let rest = src.as_ptr().add(now.at);
                        short::<WIDE, SWAP, CORRECTED>(rest, src.len() - now.at, buffers.unit::<WIDE>(now.written), buffers.room - now.written)
                    };
                    *position = Position { at: now.at + read, written: now.written + written };
                    return None;
                }
            }
            // SAFETY: the caller's promise.
            match unsafe { step::<WIDE, SWAP, CORRECTED>(buffers, &mut now, before) } {
                Step::Stop(stop) => {
                    *position = stop;
                    return None;
                }
                Step::Whole { before: open, non_ascii, longest } => {
                    before = open;
                    most = most.max(longest);
                    surplus += usize::from(non_ascii != 0);
                    if surplus >= DENSE_LEAD && buffers.is_long_after(now) {
                        *position = now;
                        return Some(most);
                    }
                    try_ascii = non_ascii >> (BLOCK - 8) == 0;
                }
            }
        }
    }

    /// Converts a block behind the first, if it is whole and well-formed, and there is room: returns the length of its
    /// longest character, or 2 if that is less.
    ///
    /// # Safety
    /// As for the kernel; and everything before `position` must be well-formed.
    #[inline]
    unsafe fn one_block<const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(buffers: &Buffers<'_>, position: &mut Position) -> Option<u32> {
        let Position { at, written } = *position;
        if at < 3 || buffers.src.len() - at <= BLOCK || buffers.room - written < BLOCK {
            return None;
        }
        let (mut error, mut needed) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        // SAFETY: the block is within `src`, with three bytes before it and one behind, and fits.
        let (count, most) = unsafe {
            let p = buffers.src.as_ptr().add(at);
            let to = buffers.unit::<WIDE>(written);
            let window = Window::at(p);
            // The bytes three positions earlier include those before the block.
            let highest = _mm512_max_epu8(window.bytes, window.prev3);
            if _mm512_cmpge_epu8_mask(highest, _mm512_set1_epi8(0xF0u8 as i8)) == 0 {
                (convert::<3, WIDE, SWAP, CORRECTED>(&window, p, to, &mut error, &mut needed), 3)
            } else {
                (convert::<4, WIDE, SWAP, CORRECTED>(&window, p, to, &mut error, &mut needed), 4)
            }
        };
        if _mm512_movepi8_mask(error) != 0 || is_misplaced(buffers.src, at + BLOCK) {
            return None;
        }
        *position = Position { at: at + BLOCK, written: written + count };
        Some(if _mm512_movepi8_mask(needed) != 0 { most } else { most - 1 })
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
