//! Where the errors of a text are, for callers that want all of them.
//!
//! Validating the text after an error finds the next error, but loses what was learned about the lines after that. So after an error, text
//! is read in sections of 64 lines. In one pass, a kernel finds the bytes of a section at which a rule is broken; each byte is judged by
//! the bytes before it, whether or not there was an error among them. This ends with the first section that has no errors: from there on,
//! text is validated again, which is faster, until there is another error. The first error of a text does not start it, because mostly
//! there is no other.
//!
//! Whether a byte breaks a rule depends on the byte itself and on the three bytes before it. So from three bytes after an error on,
//! this pass finds the same errors as a decoder that starts again after each error. The three bytes are left to the caller.
//!
//! If errors are few and everything else is ASCII, the pass is replaced by a search for the end of the ASCII: with an error in each KiB at
//! equal distances, each takes 12 ns instead of 18, and at random distances as long as before.
//!
//! With errors at random distances, 1 KiB in the mean, all of them are found 1.45 times as fast as by starting validation again after
//! each, in the mean of ten texts (AVX2 1.7, SSE4.2 1.6), with 256 bytes 1.8 times (2.0, 1.9); at equal distances, which a branch
//! predictor learns by heart, 1.06 times (AMD Zen 5).
//!
//! - Looking up the errors of each line that has some later, instead of recording them in the one pass, took 3 to 5 ns more per
//!   error.
//! - With places for all 64 lines, an iterator had 600 bytes, and moving it took ten nanoseconds.
//! - With sections from the first error on, a text of some hundred bytes, in which there is mostly no other error, took twice as
//!   long.

use core::mem::MaybeUninit;

use super::by_isa;
use super::validate::{Start, ascii_prefix, utf8_valid_prefix};
#[cfg(target_feature = "sse2")]
use crate::kernel::avx512;
use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::lines::{LINE, Places, lines_of_errors};
use crate::kernel::{Engine, Isa, generic};

/// With more errors in a section than these, sections are faster than to look for the end of ASCII.
const FEW: u32 = 6;

/// So many errors in ASCII, and in the mean so far from each other, are as many as that. (Nearer ones take fewer instructions as ends of
/// ASCII.)
const MANY: u8 = 8;
const CLOSE: core::ops::Range<usize> = 64..256;

/// Modules for the web are to be small, and do without sections.
pub(crate) const SMALL: bool = cfg!(target_family = "wasm");

/// The bytes before a byte that decide whether it breaks a rule.
pub(crate) const MOST_BEFORE: usize = 3;

/// What is known of the errors of a text of UTF-8 that are still to come. Always used with the same text.
#[derive(Clone, Debug)]
pub(crate) struct Errors {
    way: Way,
    /// How many errors there were since text was validated without any, or since the end of ASCII is looked for; and from where on.
    count: u8,
    since: usize,
    /// The first line of the section, and what follows its last one: 0 if there is no section.
    section: usize,
    end: usize,
    /// Whether all of it is ASCII, but for a few lines with errors.
    ascii: bool,
    /// The lines of it that have errors and are still to come, at which of their bytes these are, and the number of the first.
    lines: u64,
    places: Places,
    first: usize,
    /// The line that was taken last, and at which of its bytes there are errors that are still to come.
    line: usize,
    here: u64,
}

/// How the next error is found.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// By validation of the text behind the last.
    Validation,
    /// As the end of ASCII.
    Ascii,
    /// By sections.
    Sections,
}

impl Errors {
    /// Of nothing yet.
    #[inline]
    pub(crate) const fn new() -> Errors {
        Errors {
            way: Way::Validation,
            count: 0,
            since: 0,
            section: 0,
            end: 0,
            ascii: false,
            lines: 0,
            places: [MaybeUninit::uninit(); 16],
            first: 0,
            line: 0,
            here: 0,
        }
    }

    /// The next character boundary from `at` on, such that all between is well-formed, and an error is there or a few characters
    /// behind it; the length of `src` if there is no error.
    ///
    /// At `at` there must be a boundary, and there must be no error in the [`reach`](Errors::reach) before it.
    #[inline]
    pub(crate) fn next(&mut self, engine: Engine, src: &[u8], at: usize) -> usize {
        if SMALL {
            let ascii = matches!(core::mem::replace(&mut self.way, Way::Ascii), Way::Ascii);
            let start = Start::BehindError;
            let rest = &src[at..];
            return at
                + if ascii { ascii_prefix(engine, rest) } else { utf8_valid_prefix(engine, rest, start) };
        }
        match self.way {
            Way::Ascii => {
                self.count = self.count.saturating_add(1);
                if self.count == MANY && judges_lines(engine) {
                    let close = CLOSE.contains(&((at - self.since) / usize::from(MANY)));
                    self.go_by(if close { Way::Sections } else { Way::Ascii }, at);
                }
                at + ascii_prefix(engine, &src[at..])
            }
            Way::Validation => {
                // For one error, sections are not worth their beginning.
                if self.count == 0 || !judges_lines(engine) {
                    self.go_by(Way::Ascii, at);
                } else {
                    self.way = Way::Sections;
                }
                at + utf8_valid_prefix(engine, &src[at..], Start::BehindError)
            }
            Way::Sections => self.in_sections::<true>(engine, src, at),
        }
    }

    #[inline]
    fn go_by(&mut self, way: Way, at: usize) {
        (self.way, self.count, self.since) = (way, u8::from(matches!(way, Way::Ascii)), at);
    }

    /// How many bytes [`next`](Errors::next) looks back, so that as many behind an error are the caller's. Another call may change it.
    #[inline]
    pub(crate) fn reach(&self) -> usize {
        if !SMALL && matches!(self.way, Way::Sections) { MOST_BEFORE } else { 0 }
    }

    /// What begins where [`next`](Errors::next) stopped is a character.
    #[inline]
    pub(crate) fn is_character(&mut self) {
        if let Way::Ascii = self.way {
            self.way = Way::Validation;
        }
    }

    /// [`next`](Errors::next), by sections.
    #[inline(never)]
    fn in_sections<const LAZY: bool>(&mut self, engine: Engine, src: &[u8], at: usize) -> usize {
        loop {
            let passed = at.saturating_sub(self.line);
            self.here &= if passed < LINE { u64::MAX << passed } else { 0 };
            if self.here != 0 {
                let flagged = self.line + self.here.trailing_zeros() as usize;
                return boundary(src, flagged).max(at);
            }
            if self.lines != 0 {
                self.line = self.section + LINE * self.lines.trailing_zeros() as usize;
                self.lines &= self.lines - 1;
                // SAFETY: the kernel has written as many as there are lines.
                self.here = unsafe { self.places[self.first].assume_init() };
                self.first += 1;
                continue;
            }

            let from = if self.end > at { boundary(src, self.end).max(at) } else { at };
            // At an aligned address, if there are three bytes before that.
            let aligned = || at.saturating_sub((src.as_ptr() as usize + at) % LINE).max(3);
            let start = if self.end != 0 { self.end } else { aligned() };
            let lines = lines_of_errors(src, start);
            if self.ascii || at < 3 || lines == 0 {
                self.end = 0;
                if !core::mem::take(&mut self.ascii) {
                    return from + utf8_valid_prefix(engine, &src[from..], Start::BehindError);
                }
                self.go_by(Way::Ascii, from);
                return from + ascii_prefix(engine, &src[from..]);
            }
            // SAFETY: all of this was asked; without a kernel for them there are no sections.
            let (with, judged) =
                unsafe { jump_to_errors_of_lines::<LAZY>(src, start, &mut self.places, engine) };
            // As many as there are places for may not be all: then the section ends with the last.
            let count = with.count_ones();
            let full = count as usize == self.places.len();
            let lines = if full { 64 - with.leading_zeros() as usize } else { lines };
            (self.section, self.end) = (start, start + LINE * lines);
            (self.lines, self.first) = (with, 0);
            self.ascii = with == judged && count <= FEW;
            if count == 0 {
                let from = boundary(src, self.end).max(at);
                (self.way, self.count, self.end, self.ascii) = (Way::Validation, 0, 0, false);
                return self.next(engine, src, from);
            }
        }
    }
}

/// The last boundary at or before `flagged`, where an error was found, if there is none in the three bytes before it.
#[inline]
fn boundary(src: &[u8], flagged: usize) -> usize {
    if src[flagged - 1].is_ascii() { flagged } else { boundary_before(src, flagged) }
}

/// Whether this engine has a kernel for sections. (Without vectors a section takes no less time than to validate it.)
#[inline]
fn judges_lines(engine: Engine) -> bool {
    !SMALL && engine.isa() != Isa::Scalar
}

/// Which of the lines of `src` from `at` on have errors, and which were judged, since they are not ASCII or follow one that is not: one bit
/// for each of the [`lines_of_errors`]. At which of its bytes a line has errors is written to `places`, one after the other for the
/// lines that have some.
///
/// # Safety
/// There must be three bytes before `at`, and a line behind it, and the engine must be one that [`judges_lines`].
#[inline(never)]
unsafe fn jump_to_errors_of_lines<const LAZY: bool>(
    src: &[u8],
    at: usize,
    places: &mut Places,
    engine: Engine,
) -> (u64, u64) {
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: the caller's promise; the engine proves the instruction set.
    unsafe {
        by_isa!(
            engine;
            avx512::errors_of_lines::<LAZY>(src, at, places),
            generic::ErrorsOfLines { src, at, places },
            unreachable!(),
        )
    }
}
