//! The gate before the kernels: the tiniest inputs need none.
//!
//! Keys, tags and tokens are short and ASCII. A call costs them more than the work does, so this is
//! inlined into its callers: two loads that overlap. It answers in 0.7 ns where the call takes 2,
//! and costs half a nanosecond where it cannot answer. As an early return by length, then a chain of
//! loads: a `match` on the length became a jump through a table, and cost a nanosecond.
//!
//! For conversions the gate is [`tiny`], the same for every pair: units that stay what they are, by
//! blocks that overlap, and otherwise one character or two, one by one. There std is compiled into its
//! caller, too, and takes a nanosecond or two for a character; with the call of a kernel, and what it
//! returns looked at, that was four to twelve. How long a text is worth it differs: where nothing has
//! to be checked even 64 units are; but where a text may turn out not to be ASCII, the gate must be small.
//! Sixteen bytes of UTF-8 in it were three nanoseconds quicker for ASCII of any one length, and five
//! slower for everything else: the steps of the ladder are branches, which lengths that differ mispredict,
//! and masked loads are none.

use crate::kernel::generic::widen::Widen;
use crate::kernel::shared::character::{read_character, write_character};
use crate::unicode::{Form, Unit};

/// The gate for the tiniest: whether `bytes` is at most 16 bytes of ASCII, found without a call, by
/// loads that overlap. `false` says nothing.
#[inline(always)]
pub(crate) fn tiny_ascii(bytes: &[u8]) -> bool {
    if bytes.len() > 16 {
        return false;
    }
    let all = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last))
    } else if let [first, .., last] = bytes {
        u64::from(first | bytes[1] | last)
    } else {
        bytes.first().map_or(0, |byte| u64::from(*byte))
    };
    all & 0x8080_8080_8080_8080 == 0
}

/// The gate for conversions: all of a tiny text, converted without a call; how many units that are.
/// `None` says nothing.
///
/// # Safety
/// As for [`convert`](super::convert::convert).
#[inline(always)]
pub(crate) unsafe fn tiny<S: Form, D: Form>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Option<usize> {
    // Encodings with longer characters have rules that are not looked at here.
    if S::MOST > 4 || D::MOST > 4 {
        return None;
    }
    let widen = Widen::<S, D, true>::new(src, len, dst, room);
    let most = Widen::<S, D, true>::SHORT;
    if len > most || len > room {
        return None;
    }
    // SAFETY: the caller's promise, and there is room for as many units.
    unsafe {
        if widen.convert_short() {
            Some(len)
        } else if len * size_of::<S::Unit>() <= 2 * size_of::<S::Unit>().max(2) {
            characters::<S, D>(src.cast(), len, dst.cast(), room)
        } else {
            None
        }
    }
}

/// Up to four units, character by character: how many units they become.
///
/// # Safety
/// As for [`tiny`].
#[inline(always)]
unsafe fn characters<S: Form, D: Form>(
    src: *const S::Unit,
    len: usize,
    dst: *mut D::Unit,
    room: usize,
) -> Option<usize> {
    let bytes = size_of::<S::Unit>() == 1;
    // SAFETY: there are so many bytes.
    let word = if bytes { unsafe { up_to_four(src.cast(), len) } } else { 0 };
    let (mut at, mut written) = (0, 0);
    while at < len {
        // SAFETY: units before `len` are read, and what is read as a character is local, and zero behind
        // them, which belongs to no character of several units. There is room for any character.
        unsafe {
            let (scalar, read) = if bytes {
                read_character::<S>((word >> (8 * at)).to_le_bytes().as_ptr().cast())
            } else {
                let next = if at + 1 < len { src.add(at + 1).read_unaligned() } else { S::Unit::of(0) };
                read_character::<S>([src.add(at).read_unaligned(), next].as_ptr())
            };
            if read == 0 || room - written < D::MOST {
                return None;
            }
            let units = write_character::<D>(dst.add(written), scalar);
            if units == 0 {
                return None;
            }
            at += read;
            written += units;
        }
    }
    Some(written)
}

/// The `len` bytes at `p`, one to four, the first lowest, and zeros above.
///
/// # Safety
/// They must be readable.
#[inline(always)]
unsafe fn up_to_four(p: *const u8, len: usize) -> u32 {
    // SAFETY: the caller's promise; the bytes read are within those.
    unsafe {
        match len {
            4.. => u32::from_le_bytes(p.cast::<[u8; 4]>().read()),
            _ => {
                let [first, middle, last] =
                    [0, len / 2, len - 1].map(|at| (8 * at, u32::from(p.add(at).read())));
                first.1 << first.0 | middle.1 << middle.0 | last.1 << last.0
            }
        }
    }
}
