//! What short strings need not pay for: the careful step costs as much as eight characters.
//!
//! Up to eight bytes are one word in a register, and go character by character. Of longer strings the
//! ASCII at the start goes by sixteen bytes, as two words, of which each is widened to one store, or of
//! UTF-32 two; the last sixteen overlap those before.

use super::{Work, width};
use crate::kernel::shared::character::{read_character, write_character};
use crate::kernel::vector::{Vector, partial_words};
use crate::unicode::{CorrectedForm, Form, Utf8Form};

impl<const CORRECTED: bool> Work<'_, CORRECTED> {
    /// Converts an input of up to eight bytes, as far as it is in order and fits.
    ///
    /// # Safety
    /// There must be `room` units of `D` at `dst`.
    #[inline(always)]
    pub(super) unsafe fn tiny<D: Form>(&mut self) {
        let [mut word, _] = partial_words(self.src);
        while self.at < self.src.len() {
            // SAFETY: four bytes are readable, zeros behind the last; the units go to an array for two.
            let (len, units) = unsafe {
                let (scalar, len) = {
                    let bytes = (word as u32).to_le_bytes();
                    if CORRECTED {
                        read_character::<CorrectedForm>(bytes.as_ptr())
                    } else {
                        read_character::<Utf8Form>(bytes.as_ptr())
                    }
                };
                let units = if scalar < D::SINGLE { 1 } else { D::MOST };
                if len == 0 || units > self.room - self.written {
                    return;
                }
                let dst = self.dst.cast::<D::Unit>().add(self.written);
                if units == D::MOST {
                    write_character::<D>(dst, scalar);
                } else {
                    dst.write_unaligned(D::unit(scalar));
                }
                (len, units)
            };
            word >>= 8 * len;
            self.at += len;
            self.written += units;
        }
    }

    /// Converts the ASCII at the start of an input of at least 16 bytes, 16 at a time.
    ///
    /// # Safety
    /// As for [`Work::run`].
    #[inline(always)]
    pub(super) unsafe fn ascii<V: Vector, const WIDE: bool, const SWAP: bool>(&mut self) {
        let (src, room) = (self.src, self.room);
        if src.len() > room {
            return;
        }
        while self.at < src.len() {
            let at = self.at.min(src.len() - 16);
            // SAFETY: sixteen bytes are left behind `at`, and there is room for as many units.
            unsafe {
                let [first, second] =
                    src.as_ptr().add(at).cast::<[[u8; 8]; 2]>().read().map(u64::from_le_bytes);
                if (first | second) & 0x8080_8080_8080_8080 != 0 {
                    return;
                }
                widen::<V, WIDE, SWAP>([first, second], self.dst.add(width(WIDE) * at), 8);
            }
            self.at = at + 16;
            self.written = self.at;
            self.ascii = self.at;
        }
    }
}

/// Stores the bytes of two words as units at `p`, those of the second `apart` units behind the first.
///
/// # Safety
/// As for [`Vector`]; and there must be room for them.
#[inline(always)]
unsafe fn widen<V: Vector, const WIDE: bool, const SWAP: bool>(words: [u64; 2], p: *mut u8, apart: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = V::splat(0);
        let bytes = V::from_words([words[0], words[1], 0, 0]);
        let halves = if SWAP { zero.zip(bytes) } else { bytes.zip(zero) };
        for (i, words) in halves.into_iter().enumerate() {
            let p = p.add(width(WIDE) * apart * i);
            if WIDE {
                let [a, b] = if SWAP { zero.zip_words(words) } else { words.zip_words(zero) };
                a.store_lane::<0>(p);
                b.store_lane::<0>(p.add(16));
            } else {
                words.store_lane::<0>(p);
            }
        }
    }
}

/// Converts 8 to 16 bytes of ASCII, by two words that overlap; says whether it was that.
///
/// # Safety
/// As for [`Work::run`].
#[inline(always)]
pub(super) unsafe fn short_ascii<V: Vector, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(
    work: &mut Work<'_, CORRECTED>,
) -> bool {
    let (Some(first), Some(last)) = (work.src.first_chunk::<8>(), work.src.last_chunk::<8>()) else {
        return false;
    };
    let words = [u64::from_le_bytes(*first), u64::from_le_bytes(*last)];
    let len = work.src.len();
    if len > work.room || (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0 {
        return false;
    }
    // SAFETY: there is room for so many units.
    unsafe { widen::<V, WIDE, SWAP>(words, work.dst, len - 8) };
    work.at = len;
    work.written = len;
    true
}
