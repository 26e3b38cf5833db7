//! UTF-8 to UTF-16 and UTF-32 over any vector: byte planes at a fixed stride.
//!
//! A step takes one vector, wherever characters begin or end, and a code unit belongs to the last byte of its
//! character. What that means for the bytes is in [`units`], the loops for long inputs are in [`loops`]; here are the
//! step that handles every case, and the control flow between the loops.
//!
//! The careful step looks back at zeros at the start of the input. Its last vector ends with the input and overlaps the one before
//! it, whose units are masked off; an input shorter than a vector is assembled from smaller loads. The step stores exactly as many
//! units as fit, and stops at the character boundary before an error. With everything around it, it costs some 20 ns, so the
//! shortest strings are converted differently, in [`mod@short`].
//!
//! A step treats a byte as the end of a character if the next byte is not a continuation byte. That is right as long as the text is
//! well-formed. Otherwise there may be one unit too many or too few for the bytes right before the error: a truncated character may
//! have a unit, and a character followed by an extra continuation byte may have none. The careful step corrects that.
//!
//! Measured, each against simdutf restricted to the same instruction set (256 KiB of text):
//!
//! | | AVX2, to UTF-16 | to UTF-32 | SSE4.2, to UTF-16 | to UTF-32 |
//! |---|---|---|---|---|
//! | two bytes (Greek, Cyrillic, Arabic, Hebrew) | 2.9–3.3 | 2.5–2.7 | 2.6–3.0 | 2.2–2.6 |
//! | mixed Latin, Vietnamese | 2.6–6.3 | 2.4–5.2 | 2.4–4.7 | 2.3–4.0 |
//! | Hindi, Korean | 3.3–3.9 | 2.8–3.4 | 2.6–2.9 | 2.1–2.4 |
//! | Chinese, Japanese, Thai | 1.7–2.1 | 1.4–1.9 | 1.2–1.7 | 1.1–1.4 |
//! | emoji | 4.6 | 2.0 | 3.3 | 1.5 |
//! | ASCII, English | 1.0–1.05 | 1.4–1.5 | 1.0–1.4 | 1.5–2.3 |
//!
//! ASCII is limited by its stores; a loop for it that looked at more than the bytes was half as fast. On Zen 5 with AVX2, it was limited by
//! having a decision for each 64 bytes: long runs now have a loop of four vectors, which took a log from 36 to 51 GB/s (simdutf: 55) and
//! English from 27 to 32 (16). Aligning the stores helps with AVX2 and costs a quarter with SSE4.2. For short strings of 9 to 16 bytes that
//! are not ASCII, encoding_rs is still up to twice as fast, and strings of up to 3 bytes take some 3 ns longer than in std: the call of the
//! kernel.

mod corrected;
mod loops;
mod short;
mod units;

use super::few_steps::are_few;
use super::utf8::{Lookups, longest};
use super::{BLOCK, Progress};
use crate::kernel::shared::adaptive::{End, Mode};
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::{Span, low_bits};
use crate::kernel::vector::{Operation, Vector};
use crate::unicode::{CorrectedForm, Form, Utf16Form, Utf32Form};

use loops::{Sparse, Two, UpTo};
use short::short_ascii;
use units::{Units, Window, ends_before};

/// UTF-8 to UTF-16; see the contract of the kernels.
pub(in crate::kernel) struct Utf8ToUtf16<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for Utf8ToUtf16<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { State::<false>::new(&self.0).start::<V, Utf16Form<SWAP>, false, SWAP>() }
    }
}

/// UTF-8 to UTF-32; see the contract of the kernels.
pub(in crate::kernel) struct Utf8ToUtf32<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for Utf8ToUtf32<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { State::<false>::new(&self.0).start::<V, Utf32Form<SWAP>, true, SWAP>() }
    }
}

/// Corrected UTF-8 to UTF-16; see the contract of the kernels.
pub(in crate::kernel) struct CorrectedToUtf16<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for CorrectedToUtf16<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { State::<true>::new(&self.0).start::<V, Utf16Form<SWAP>, false, SWAP>() }
    }
}

/// Corrected UTF-8 to UTF-32; see the contract of the kernels.
pub(in crate::kernel) struct CorrectedToUtf32<const SWAP: bool>(pub Span);

impl<const SWAP: bool> Operation for CorrectedToUtf32<SWAP> {
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { State::<true>::new(&self.0).start::<V, Utf32Form<SWAP>, true, SWAP>() }
    }
}

/// The state of a conversion. All bytes before `at` are well-formed, except that the last character may be incomplete,
/// and the units that belong to them are written.
#[derive(Clone, Copy)]
struct State<'a, const CORRECTED: bool> {
    src: &'a [u8],
    dst: *mut u8,
    room: usize,
    at: usize,
    written: usize,
    /// Where the last vector of only ASCII ended, or the last segment of the portable loops.
    ascii: usize,
}

/// Up to this many bytes are tried as ASCII before anything else is called, and more of them, by whole vectors, in what is called. (There are
/// vectors of 32 bytes. AVX2, 200 bytes of ASCII: 13 GB/s by words, 29 by vectors; AMD Zen 5.)
const fn short<V: Vector>() -> usize {
    if V::LEN > 16 && are_few(2 * V::LEN, V::LEN) { 2 * V::LEN } else { 256 }
}

/// Bytes of Corrected UTF-8 that the portable loops convert, where the vector loops cannot.
const SEGMENT: usize = 96;

/// [`State::run`] as a separate function, so that only longer inputs pay for saving registers and loading constants.
struct Outlined<'a, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(State<'a, CORRECTED>);

impl<const WIDE: bool, const SWAP: bool, const CORRECTED: bool> Operation
    for Outlined<'_, WIDE, SWAP, CORRECTED>
{
    type Output = Progress;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.0.run::<V, WIDE, SWAP>() }
    }
}

/// Bytes of a unit.
#[inline]
const fn width(wide: bool) -> usize {
    if wide { 4 } else { 2 }
}

impl<'a, const CORRECTED: bool> State<'a, CORRECTED> {
    /// The beginning.
    ///
    /// # Safety
    /// `len` bytes must be readable at `src`, for as long as the result is used.
    #[inline(always)]
    unsafe fn new(span: &'a Span) -> Self {
        // SAFETY: the caller's promise.
        let src = unsafe { core::slice::from_raw_parts(span.src, span.len) };
        State { src, dst: span.dst, room: span.room, at: 0, written: 0, ascii: 0 }
    }

    /// Whether there are enough bytes for another block of the loops and one byte behind it, and room for as many units
    /// as a block can have.
    #[inline(always)]
    fn has_block(&self) -> bool {
        self.src.len() - self.at > BLOCK && self.room - self.written >= BLOCK
    }

    /// Converts everything; short ASCII without another call.
    ///
    /// # Safety
    /// As for [`Operation::run`]; and `room` units of `D` must be writable at `dst`.
    #[inline(always)]
    unsafe fn start<V: Vector, D: Form, const WIDE: bool, const SWAP: bool>(mut self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe {
            match self.src.len() {
                ..=8 => {
                    if !short_ascii::<V, WIDE, SWAP, CORRECTED>(&mut self) {
                        self.tiny::<D>();
                    }
                    return Progress { read: self.at, written: self.written };
                }
                9..16 if short_ascii::<V, WIDE, SWAP, CORRECTED>(&mut self) => {}
                16.. if self.src.len() <= short::<V>() => self.ascii::<V, WIDE, SWAP>(),
                _ => {}
            }
            if self.at == self.src.len() {
                return Progress { read: self.at, written: self.written };
            }
            V::enter(Outlined::<WIDE, SWAP, CORRECTED>(self))
        }
    }

    /// Converts everything from `at` on.
    ///
    /// # Safety
    /// As for [`Operation::run`]; and `room` units must be writable at `dst`.
    #[inline(always)]
    unsafe fn run<V: Vector, const WIDE: bool, const SWAP: bool>(mut self) -> Progress {
        if self.src.len() > short::<V>() && are_few(self.src.len(), V::LEN) && self.src.len() <= self.room {
            // SAFETY: the caller's promise; the steps are few, and there is room.
            if unsafe { self.few_vectors_of_ascii::<V, WIDE, SWAP>() } {
                return Progress { read: self.src.len(), written: self.src.len() };
            }
        }
        loop {
            // SAFETY: the caller's promise.
            let mut mode = match unsafe { self.step::<V, WIDE, SWAP>() } {
                Ok(mode) => mode,
                // The step does not handle all of Corrected UTF-8.
                Err(progress) if CORRECTED => {
                    // SAFETY: as above.
                    if !unsafe { self.portable_segment::<WIDE, SWAP>(progress) } {
                        return Progress { read: self.at, written: self.written };
                    }
                    if !self.has_block() || self.at < 3 {
                        continue;
                    }
                    Mode::Four
                }
                Err(progress) => return progress,
            };
            while self.has_block() {
                // SAFETY: as above; at least a vector is before `at`, and `mode` keeps to the rules about characters
                // that are incomplete there.
                let (state, end) = unsafe {
                    match mode {
                        Mode::Sparse => V::enter(Sparse::<WIDE, SWAP, CORRECTED>(self)),
                        Mode::Two => V::enter(Two::<WIDE, SWAP, CORRECTED>(self)),
                        Mode::Plain | Mode::Three => V::enter(UpTo::<WIDE, SWAP, 3, CORRECTED>(self)),
                        Mode::Four => V::enter(UpTo::<WIDE, SWAP, 4, CORRECTED>(self)),
                    }
                };
                self = state;
                mode = match end {
                    End::Refused => break,
                    End::Sparse => Mode::Sparse,
                    End::Dense(longest) => longest.mode(),
                    End::Quiet if mode == Mode::Four => Mode::Three,
                    End::Quiet => Mode::Two,
                };
            }
        }
    }

    /// Converts a segment behind `progress` with the portable loops; says whether that read anything and more is left.
    ///
    /// # Safety
    /// As for [`run`](State::run).
    #[inline(always)]
    unsafe fn portable_segment<const WIDE: bool, const SWAP: bool>(&mut self, progress: Progress) -> bool {
        let Progress { read, written } = progress;
        let segment = Span {
            src: self.src[read..].as_ptr(),
            len: SEGMENT.min(self.src.len() - read),
            dst: self.dst.wrapping_add(width(WIDE) * written),
            room: self.room - written,
        };
        // SAFETY: the caller's promise.
        let more = unsafe {
            if WIDE {
                segment.plainly_apart::<CorrectedForm, Utf32Form<SWAP>>()
            } else {
                segment.plainly_apart::<CorrectedForm, Utf16Form<SWAP>>()
            }
        };
        self.at = read + more.read;
        self.written = written + more.written;
        self.ascii = self.at;
        more.read > 0 && self.at < self.src.len()
    }

    /// Converts the next vector, or what is left: `Ok` is the loop to go on with, `Err` the end.
    ///
    /// # Safety
    /// As for [`run`](State::run).
    #[inline(always)]
    unsafe fn step<V: Vector, const WIDE: bool, const SWAP: bool>(&mut self) -> Result<Mode, Progress> {
        let (src, at) = (self.src, self.at);
        // SAFETY: loads are of whole vectors within `src`, or partial; stores are of units that fit.
        unsafe {
            let (base, window) = if src.len() < V::LEN {
                (0, Window::at_start(V::load_partial(src)))
            } else {
                let base = at.min(src.len() - V::LEN);
                (base, Window::within(src, base))
            };
            let end = src.len().min(base + V::LEN);
            let new = low_bits(end - base) & !low_bits(at - base);
            let mut stop = None;
            let (mut units, mut bits);
            let ascii = !window.bytes.or(window.prev3).any_sign_bit();
            if ascii {
                units = Units::of_ascii(window.bytes);
                bits = new;
            } else {
                // A character ends where the next byte begins one: that may be the byte behind the vector, or the end
                // of the input.
                let begins = u64::from(window.bytes.greater_signed(V::splat(0xBF)).sign_bits());
                let next = src.get(end).is_none_or(|byte| byte & 0xC0 != 0x80);
                let ends = begins >> 1 | u64::from(next) << (V::LEN - 1);
                units = Units::new::<WIDE, 4, CORRECTED>(&window);
                if CORRECTED {
                    units = units.skip_surrogates().0;
                }
                bits = (ends | u64::from(units.high_surrogates)) & new;

                let mut error;
                if CORRECTED {
                    let lookups = Lookups::<V>::corrected_basic();
                    error = lookups.pair_errors(window.bytes, window.prev1, window.continues());
                    let fours = window.prev2.max(window.prev3).at_least(V::splat(0xF0));
                    error = error.or(window.supplementary()).or(fours);
                } else {
                    let lookups = Lookups::<V>::new::<false>();
                    error = lookups.pair_errors(window.bytes, window.prev1, window.continues());
                }
                let flagged = if CORRECTED {
                    // What the step does not handle may be before `at`, too.
                    let error = V::splat(0xFF).and_not(error.equal(V::splat(0)));
                    let errors = u64::from(error.sign_bits()) & !low_bits(at - base);
                    (errors.trailing_zeros() as usize).min(end - base)
                } else {
                    error.first_nonzero().min(end - base)
                };
                if base + flagged < end || end == src.len() && ends_before(src, end) != end {
                    let mut boundary = boundary_before(src, base + flagged);
                    // A character with an extra continuation byte behind it: its end was not recognised, unless all was
                    // ASCII.
                    if CORRECTED && at == self.ascii {
                        boundary = boundary.max(at);
                    } else if src.get(boundary).is_some_and(|byte| byte & 0xC0 == 0x80) && boundary >= 4 {
                        boundary -= 4;
                    } else if boundary + 1 == at && at == self.ascii {
                        boundary = at;
                    }
                    bits &= low_bits(boundary.saturating_sub(base));
                    stop = Some(boundary);
                }
            }

            let room = self.room - self.written;
            let mut count = bits.count_ones() as usize;
            if count > room {
                while count > room {
                    bits &= !(1 << bits.ilog2());
                    count -= 1;
                }
                // Do not split a surrogate pair.
                if bits != 0 && u64::from(units.high_surrogates) >> bits.ilog2() & 1 != 0 {
                    bits &= !(1 << bits.ilog2());
                    count -= 1;
                }
                stop = Some(if bits == 0 { ends_before(src, at) } else { base + bits.ilog2() as usize + 1 });
            }
            let dst = self.dst.add(width(WIDE) * self.written);
            units.pack::<WIDE, SWAP>(bits as u32).store_exactly(dst, room);
            self.written += count;
            self.at = end;
            if ascii {
                self.ascii = end;
            }
            if let Some(boundary) = stop {
                return Err(Progress {
                    read: boundary,
                    written: self.written - self.excess_units::<WIDE>(at, boundary),
                });
            }
            if end == src.len() {
                return Err(Progress { read: end, written: self.written });
            }
            Ok(if ascii { Mode::Sparse } else { longest(window.bytes).mode() })
        }
    }

    /// How many of the units written for bytes before `at` do not belong to characters before `boundary`.
    #[inline(always)]
    fn excess_units<const WIDE: bool>(&self, at: usize, boundary: usize) -> usize {
        if boundary >= at {
            return 0;
        }
        // For four bytes, the high surrogate is written with the third. And a unit is written for any byte that is
        // followed by the beginning of a character, which here is the error.
        let half = !WIDE && boundary + 3 <= at && self.src[boundary] >= 0xF0;
        usize::from(half || self.src[at] & 0xC0 != 0x80)
    }
}
