//! The short-input path: inputs of a few bytes need no kernel.
//!
//! Keys, tags and tokens are short and ASCII. A call costs more than the work on them, so this path is inlined into its callers:
//! [`short_text::is_ascii`], which takes 1.8 ns for any length up to 32 bytes. It has no branch on the length, whose misprediction would
//! cost more than the call. With AVX-512 there is only the call: its kernel has one masked load for any length up to 63, and does not cost
//! much more, whatever the text. Intel Granite Rapids, `from_utf8`, ns for each of 4000 strings; "branches" is a chain of loads chosen by
//! the length, as it was here before:
//!
//! | bytes | ASCII: AVX-512 / AVX2, branches | German and ASCII | Arabic | tweets |
//! |---|---|---|---|---|
//! | 1 to 8 | 2.7 / 1.8, 4.7 | 3.0 / 2.2, 4.8 | 3.3 / 6.8, 8.6 | 2.9 / 2.4, 4.9 |
//! | 1 to 15 | 2.7 / 1.8, 5.3 | 3.2 / 2.4, 5.6 | 3.2 / 6.9, 8.8 | 3.1 / 2.5, 5.8 |
//! | 1 to 31 | 2.8 / 1.8, 7.3 | 3.7 / 3.1, 8.2 | 3.2 / 6.8, 9.7 | 3.4 / 2.9, 8.2 |
//! | 1 to 64 | 2.8 / 5.2, 6.9 | 4.5 / 7.3, 8.4 | 3.6 / 9.2, 9.7 | 3.9 / 6.9, 8.0 |
//! | all 12 | 2.7 / 1.8, 0.7 | 3.3 / 2.5, 1.6 | 3.3 / 6.8, 5.6 | 3.0 / 2.6, 1.6 |
//!
//! (With AVX-512 the path would take 1.9 ns for ASCII of 1 to 31 bytes, but 4.6 for Arabic, and 4.8 to 6.4 for 1 to 64 bytes.)
//!
//! For conversions the path is [`convert_short`], the same for every pair: units that keep their values, in overlapping blocks, and
//! otherwise one or two characters, one by one. std's conversions are compiled into their callers, too, and take a nanosecond or two for a
//! character; calling a kernel and testing its result took four to twelve. The longest input of this path differs: if nothing has to be
//! checked, it may have 64 units; but if the text may turn out not to be ASCII, the path must be small. With sixteen bytes of UTF-8 in it,
//! ASCII was three nanoseconds faster as long as all texts had the same length, and everything else was five slower: the path branches on
//! the length, and these branches are mispredicted if lengths vary, whereas masked loads have no branches. So with AVX-512 the path is not
//! taken to bytes, nor from UTF-8 to UTF-16. Intel Granite Rapids, ns for each of 4000 strings, before and now:
//!
//! | | 1 to 15 characters, ASCII | Arabic, or of Latin-1 | all 3 of ASCII |
//! |---|---|---|---|
//! | UTF-16 to UTF-8 | 3.8, 2.9 | 6.0, 4.6 | 2.0, 3.0 |
//! | UTF-16 to Latin-1 | 7.5, 4.0 | 6.8, 4.0 | 1.5, 4.0 |
//! | Latin-1 to UTF-8 | 3.2, 2.5 | 5.6, 4.5 | 1.2, 2.5 |
//! | UTF-8 to Latin-1 | 4.7, 3.8 | 5.3, 4.7 | 1.3, 3.8 |
//! | UTF-8 to UTF-16 | 4.3, 3.0 | 6.7, 7.0 | 1.2, 3.0 |
//!
//! (Conversions of up to 16 units without a branch, whose stores go to scratch memory if the text is too short for them, took 5 ns from
//! and to Latin-1 instead of 8 to 12, but 7 to 10 instead of 6 to 7 from and to UTF-16, and 3 to 9 more if the text is not ASCII.)
//!
//! (From UTF-8 to UTF-16, strings of 1 to 64 characters take 1.03 to 1.15 times as long as before, and those of 1 to 8 ASCII
//! characters 0.6 times. To UTF-32, and between wider units, it lost as much as it gained.)

use crate::kernel::generic::widen::Widen;
use crate::kernel::shared::character::{read_character, write_character};
use crate::kernel::shared::{opaque, short_text};
use crate::kernel::{Engine, Isa};
use crate::unicode::{Form, Unit};

/// Whether there are kernels of AVX-512, where the CPU has it.
const HAS_AVX512: bool = cfg!(target_feature = "sse2");

/// Whether `bytes` is a few bytes of ASCII, found without a call. `false` means unknown.
#[inline(always)]
pub(crate) fn is_short_ascii(engine: Engine, bytes: &[u8]) -> bool {
    if HAS_AVX512 && engine.isa() == Isa::Avx512 {
        // Or LLVM asks for the length first, which no predictor knows.
        opaque::branch();
        return false;
    }
    bytes.len() <= short_text::SHORT && short_text::is_ascii(bytes)
}

/// Converts all of a short text without a call; returns the units written. `None` means that the kernel must do it.
///
/// # Safety
/// As for [`convert`](super::convert::convert).
#[inline(always)]
pub(crate) unsafe fn convert_short<S: Form, D: Form>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Option<usize> {
    // Encodings with longer characters have rules that this path does not know.
    if S::MOST > 4 || D::MOST > 4 {
        return None;
    }
    let (from, to) = (size_of::<S::Unit>(), size_of::<D::Unit>());
    let has_masks = !Widen::<S, D, true>::UNCHECKED && (to == 1 || from == 1 && to == 2);
    if HAS_AVX512 && has_masks && Engine::has_chosen(Isa::Avx512) {
        opaque::branch();
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

/// Converts up to four units, character by character; returns the units written.
///
/// # Safety
/// As for [`convert_short`].
#[inline(always)]
unsafe fn characters<S: Form, D: Form>(
    src: *const S::Unit,
    len: usize,
    dst: *mut D::Unit,
    room: usize,
) -> Option<usize> {
    let bytes = size_of::<S::Unit>() == 1;
    // SAFETY: `len` bytes are readable.
    let word = if bytes { unsafe { up_to_four(src.cast(), len) } } else { 0 };
    let (mut at, mut written) = (0, 0);
    while at < len {
        // SAFETY: only units before `len` are read. The character is decoded from a local array, in which zeros follow
        // them, which are part of no character of several units. There is room for any character.
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

/// The `len` bytes at `p`, one to four, the first in the lowest bits, and zeros above.
///
/// # Safety
/// They must be readable.
#[inline(always)]
unsafe fn up_to_four(p: *const u8, len: usize) -> u32 {
    // SAFETY: the caller's promise; only these bytes are read.
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
