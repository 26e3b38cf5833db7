//! Short strings, for which the careful step costs as much as eight characters do.
//!
//! Up to eight bytes are one word in a register, and are converted character by character. In longer strings, the ASCII at the start is
//! converted in sixteen bytes, as two words: each is widened to one store, or to two for UTF-32; the last sixteen overlap those before. Up
//! to 128 bytes are first tested for being ASCII, all together: if they are, there is no loop, and if not, nothing has been converted yet.

use super::{State, width};
use crate::kernel::generic::few_steps::{Step, are_few, few_steps};
use crate::kernel::shared::character::{read_character, write_character};
use crate::kernel::shared::short_text::partial_words;
use crate::kernel::vector::Vector;
use crate::unicode::{CorrectedForm, Form, Utf8Form};
use core::marker::PhantomData;

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

    /// Converts the ASCII at the start of an input of at least 16 bytes, 16 at a time; but all or nothing of a few times 16.
    ///
    /// # Safety
    /// As for [`State::run`].
    #[inline(always)]
    pub(super) unsafe fn ascii<V: Vector, const WIDE: bool, const SWAP: bool>(&mut self) {
        let (src, room) = (self.src, self.room);
        if src.len() > room {
            return;
        }
        if are_few(src.len(), 16) {
            // SAFETY: the caller's promise.
            if unsafe { self.few_of_ascii::<V, WIDE, SWAP>() } {
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
                let [first, second] = two_words(src.as_ptr().add(at));
                if (first | second) & HIGH != 0 {
                    return;
                }
                widen::<V, WIDE, SWAP>([first, second], self.dst.add(width(WIDE) * at), 8);
            }
            self.at = at + 16;
            self.written = self.at;
            self.ascii = self.at;
        }
    }

    /// Converts a text of [few steps](few_steps) of 16 bytes, if it is ASCII; says whether it is.
    ///
    /// # Safety
    /// As for [`State::run`]; and the steps must be few, and there must be room for all.
    #[inline(always)]
    unsafe fn few_of_ascii<V: Vector, const WIDE: bool, const SWAP: bool>(&self) -> bool {
        let (src, dst) = (self.src.as_ptr(), self.dst);
        // SAFETY: all steps are within the text, and there is room for as many units.
        unsafe {
            let mut asked = Asked { src, all: 0 };
            asked.step(0);
            if asked.all & HIGH != 0 {
                return false;
            }
            few_steps(&mut asked, self.src.len(), 16);
            if asked.all & HIGH != 0 {
                return false;
            }
            few_steps(&mut Widening::<V, WIDE, SWAP> { src, dst, vector: PhantomData }, self.src.len(), 16);
            true
        }
    }

    /// Converts a text of [few steps](few_steps) of a vector, if it is ASCII; says whether it is.
    ///
    /// # Safety
    /// As for [`State::run`]; and the steps must be few, and there must be room for all.
    #[inline(always)]
    pub(super) unsafe fn few_vectors_of_ascii<V: Vector, const WIDE: bool, const SWAP: bool>(&self) -> bool {
        let (src, dst) = (self.src.as_ptr(), self.dst);
        // SAFETY: all steps are within the text, and there is room for as many units.
        unsafe {
            let mut asked = AskedVectors { src, all: V::load(src) };
            if asked.all.any_sign_bit() {
                return false;
            }
            few_steps(&mut asked, self.src.len(), V::LEN);
            if asked.all.any_sign_bit() {
                return false;
            }
            few_steps(
                &mut WideningVectors::<V, WIDE, SWAP> { src, dst, vector: PhantomData },
                self.src.len(),
                V::LEN,
            );
            true
        }
    }
}

/// What is asked whether it is ASCII, in vectors.
struct AskedVectors<V> {
    src: *const u8,
    /// All vectors or'ed together.
    all: V,
}

impl<V: Vector> Step for AskedVectors<V> {
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.all = self.all.or(V::load(self.src.add(at))) };
    }
}

/// What is written as units, in vectors.
struct WideningVectors<V, const WIDE: bool, const SWAP: bool> {
    src: *const u8,
    dst: *mut u8,
    vector: PhantomData<V>,
}

impl<V: Vector, const WIDE: bool, const SWAP: bool> Step for WideningVectors<V, WIDE, SWAP> {
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise; and there is room for as many units as there are bytes.
        unsafe { V::load(self.src.add(at)).store_widened::<WIDE, SWAP>(self.dst.add(width(WIDE) * at)) };
    }
}

/// The top bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// What is asked whether it is ASCII.
struct Asked {
    src: *const u8,
    /// All words or'ed together.
    all: u64,
}

impl Step for Asked {
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise.
        let [first, second] = unsafe { two_words(self.src.add(at)) };
        self.all |= first | second;
    }
}

/// What is written as units.
struct Widening<V, const WIDE: bool, const SWAP: bool> {
    src: *const u8,
    dst: *mut u8,
    vector: PhantomData<V>,
}

impl<V: Vector, const WIDE: bool, const SWAP: bool> Step for Widening<V, WIDE, SWAP> {
    #[inline(always)]
    unsafe fn step(&mut self, at: usize) {
        // SAFETY: the caller's promise; and there is room for as many units as there are bytes.
        unsafe { widen::<V, WIDE, SWAP>(two_words(self.src.add(at)), self.dst.add(width(WIDE) * at), 8) };
    }
}

/// Two words.
///
/// # Safety
/// Sixteen bytes must be readable.
#[inline(always)]
unsafe fn two_words(src: *const u8) -> [u64; 2] {
    // SAFETY: the caller's promise.
    unsafe { src.cast::<[[u8; 8]; 2]>().read() }.map(u64::from_le_bytes)
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
    if len > state.room || (words[0] | words[1]) & HIGH != 0 {
        return false;
    }
    // SAFETY: there is room for `len` units.
    unsafe { widen::<V, WIDE, SWAP>(words, state.dst, len - 8) };
    state.at = len;
    state.written = len;
    true
}
