//! Short strings, for which the careful step costs as much as eight characters do.
//!
//! Up to eight bytes are one word in a register, and are converted character by character. In longer strings, the ASCII
//! at the start is converted in sixteen bytes, as two words: each is widened to one store, or to two for UTF-32; the
//! last sixteen overlap those before. Up to 128 bytes are asked first whether they are ASCII, all together: then there is no loop.

use super::{State, width};
use crate::kernel::shared::character::{read_character, write_character};
use crate::kernel::shared::short_text::partial_words;
use crate::kernel::vector::Vector;
use crate::unicode::{CorrectedForm, Form, Utf8Form};

impl<const CORRECTED: bool> State<'_, CORRECTED> {
    /// Converts an input of up to eight bytes, as far as it is well-formed and fits.
    ///
    /// # Safety
    /// `room` units of `D` must be writable at `dst`.
    #[inline(always)]
    pub(super) unsafe fn tiny<D: Form>(&mut self) {
        let [mut word, _] = partial_words(self.src);
        while self.at < self.src.len() {
            // SAFETY: four bytes are readable, zeros behind the last; and there is room for the units.
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
    /// As for [`State::run`].
    #[inline(always)]
    pub(super) unsafe fn ascii<V: Vector, const WIDE: bool, const SWAP: bool>(&mut self) {
        let (src, room) = (self.src, self.room);
        if src.len() > room {
            return;
        }
        // (Modules for the web are to be small.)
        if !cfg!(target_family = "wasm") && src.len() <= 128 {
            // SAFETY: the caller's promise.
            if unsafe { self.ascii_of_eight::<V, WIDE, SWAP>() } {
                self.at = src.len();
                self.written = self.at;
                self.ascii = self.at;
            }
            return;
        }
        while self.at < src.len() {
            let at = self.at.min(src.len() - 16);
            // SAFETY: sixteen bytes are readable at `at`, and there is room for as many units.
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

    /// Converts two, four or eight times 16 bytes of ASCII, the last of which end with the text; says whether it is ASCII.
    ///
    /// # Safety
    /// As for [`State::run`]; and there must be 16 bytes, and no more than eight times as many, and room for them.
    #[inline(always)]
    unsafe fn ascii_of_eight<V: Vector, const WIDE: bool, const SWAP: bool>(&self) -> bool {
        let (src, len) = (self.src.as_ptr(), self.src.len());
        let at = |index: usize| (len - 16).min(index * 16);
        // SAFETY: sixteen bytes are readable at each of these places, and there is room for as many units.
        unsafe {
            if joined(src, 0) & HIGH != 0 {
                return false;
            }
            let mut all = joined(src, at(8));
            if len > 32 {
                all |= joined(src, at(1)) | joined(src, at(2));
            }
            if len > 64 {
                all |= joined(src, at(3)) | joined(src, at(4)) | joined(src, at(5)) | joined(src, at(6));
            }
            if all & HIGH != 0 {
                return false;
            }
            self.widen_at::<V, WIDE, SWAP>(0);
            self.widen_at::<V, WIDE, SWAP>(at(8));
            if len > 32 {
                self.widen_at::<V, WIDE, SWAP>(at(1));
                self.widen_at::<V, WIDE, SWAP>(at(2));
            }
            if len > 64 {
                self.widen_at::<V, WIDE, SWAP>(at(3));
                self.widen_at::<V, WIDE, SWAP>(at(4));
                self.widen_at::<V, WIDE, SWAP>(at(5));
                self.widen_at::<V, WIDE, SWAP>(at(6));
            }
            true
        }
    }

    /// Writes the 16 bytes at `at` as units.
    ///
    /// # Safety
    /// They must be readable, and there must be room for them at the same place.
    #[inline(always)]
    unsafe fn widen_at<V: Vector, const WIDE: bool, const SWAP: bool>(&self, at: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let words = self.src.as_ptr().add(at).cast::<[[u8; 8]; 2]>().read().map(u64::from_le_bytes);
            widen::<V, WIDE, SWAP>(words, self.dst.add(width(WIDE) * at), 8);
        }
    }
}

/// The top bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The two words at `at`, by `or`.
///
/// # Safety
/// Sixteen bytes must be readable there.
#[inline(always)]
unsafe fn joined(src: *const u8, at: usize) -> u64 {
    // SAFETY: the caller's promise.
    let [first, second] = unsafe { src.add(at).cast::<[[u8; 8]; 2]>().read() }.map(u64::from_ne_bytes);
    first | second
}

/// Stores the bytes of two words as units at `p`, those of the second word `distance` units behind those of the first.
///
/// # Safety
/// As for [`Vector`]; and there must be room for them.
#[inline(always)]
unsafe fn widen<V: Vector, const WIDE: bool, const SWAP: bool>(words: [u64; 2], p: *mut u8, distance: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = V::splat(0);
        let bytes = V::from_words([words[0], words[1], 0, 0]);
        let halves = if SWAP { zero.zip(bytes) } else { bytes.zip(zero) };
        for (i, words) in halves.into_iter().enumerate() {
            let p = p.add(width(WIDE) * distance * i);
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

/// Converts 8 to 16 bytes of ASCII, by two words that overlap; says whether that was possible.
///
/// # Safety
/// As for [`State::run`].
#[inline(always)]
pub(super) unsafe fn short_ascii<V: Vector, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(
    state: &mut State<'_, CORRECTED>,
) -> bool {
    let (Some(first), Some(last)) = (state.src.first_chunk::<8>(), state.src.last_chunk::<8>()) else {
        return false;
    };
    let words = [u64::from_le_bytes(*first), u64::from_le_bytes(*last)];
    let len = state.src.len();
    if len > state.room || (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0 {
        return false;
    }
    // SAFETY: there is room for `len` units.
    unsafe { widen::<V, WIDE, SWAP>(words, state.dst, len - 8) };
    state.at = len;
    state.written = len;
    true
}
