//! Sticky modes: which loop validates the next chunk of UTF-8.
//!
//! Text stays what it is for long stretches: a Russian page has no three-byte characters, a log
//! has no character but ASCII. So every vector kernel has up to four loops, each the cheapest that
//! knows characters up to some length, and stays in one of them until that loop refuses a chunk or
//! finds that it was not needed for a while. This file holds the rules of changing, once for all
//! instruction sets; the loops are theirs.
//!
//! Two rules are not about speed. Mode 1 sees nothing but its own bytes, so it follows only a
//! chunk that is ASCII through and through. Mode 2 looks back one byte, so it never follows a chunk
//! in which a character of three or four bytes began.

/// A loop, by the longest character that it knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    One,
    Two,
    Three,
    Four,
}

/// How far a loop came: the chunks before `at` are accepted.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) at: usize,
    pub(super) end: End,
}

/// Why a loop stopped.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// It does not know what the chunk at `at` is made of, or the chunk is ill-formed.
    Refused,
    /// The last chunks were ASCII.
    Ascii,
    /// The last chunks did not need this mode; or there is no whole chunk left.
    Quiet,
}

/// After so many chunks that a cheaper loop would have accepted, that loop is tried: a chunk that
/// is then refused, and two mispredicted branches, cost what some ten chunks gain.
const PATIENCE: u32 = 16;

/// After so many chunks of ASCII in a row, mode 1 is tried.
const PATIENCE_ASCII: u32 = 2;

/// What a loop has seen of late.
#[derive(Clone, Copy, Default)]
pub(super) struct Quiet {
    short: u32,
    ascii: u32,
}

impl Quiet {
    /// Takes note of an accepted chunk: whether the mode was needed for it, and whether it held
    /// anything but ASCII. Says so when it is time to go.
    #[inline(always)]
    pub(super) fn note(&mut self, needed: bool, ascii: bool) -> Option<End> {
        if needed {
            *self = Quiet::default();
            return None;
        }
        self.short += 1;
        self.ascii = if ascii { self.ascii + 1 } else { 0 };
        if self.ascii == PATIENCE_ASCII {
            Some(End::Ascii)
        } else if self.short == PATIENCE {
            Some(End::Quiet)
        } else {
            None
        }
    }
}

/// The loops of one instruction set. Each goes on while more than [`STEP`](Modes::STEP) bytes are
/// left, and accepts whole chunks of that size.
pub(super) trait Modes {
    /// Bytes of a chunk.
    const STEP: usize;

    /// Mode 1: returns the first chunk that is not ASCII, or is not whole.
    ///
    /// # Safety
    /// As for the kernels; and `at` must be within `src`.
    unsafe fn ascii(src: &[u8], at: usize) -> usize;

    /// Mode 2.
    ///
    /// # Safety
    /// As for [`ascii`](Modes::ascii); and `at` must be at least 3.
    unsafe fn two(src: &[u8], at: usize) -> Run;

    /// Modes 3 and 4.
    ///
    /// # Safety
    /// As for [`two`](Modes::two).
    unsafe fn up_to<const MOST: u32>(src: &[u8], at: usize) -> Run;
}

/// Drives the loops over the chunks of `src` from `at` on: returns the first that mode 4 refuses,
/// or that is not whole. What is before it is well-formed, save a character still open there.
///
/// # Safety
/// As for [`Modes::two`]; and `mode` must keep to the two rules above.
#[inline(always)]
pub(super) unsafe fn drive<M: Modes>(src: &[u8], mut at: usize, mut mode: Mode) -> usize {
    // Where mode 1 goes when it meets something: back to what the text was made of.
    let mut usual = if mode == Mode::One { Mode::Two } else { mode };
    while src.len() - at > M::STEP {
        // SAFETY: the caller's promise; `at` only grows, and stays within `src`.
        let run = unsafe {
            match mode {
                Mode::One => {
                    at = M::ascii(src, at);
                    mode = usual;
                    continue;
                }
                Mode::Two => M::two(src, at),
                Mode::Three => M::up_to::<3>(src, at),
                Mode::Four => M::up_to::<4>(src, at),
            }
        };
        at = run.at;
        mode = match (mode, run.end) {
            (Mode::Four, End::Refused) => return at,
            (_, End::Ascii) => Mode::One,
            (Mode::Three, End::Refused) => Mode::Four,
            (Mode::Three, End::Quiet) => Mode::Two,
            _ => Mode::Three,
        };
        if mode != Mode::One {
            usual = mode;
        }
    }
    at
}
