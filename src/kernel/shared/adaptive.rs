//! Sticky modes: which loop validates the next chunk of UTF-8.
//!
//! Text stays what it is for long stretches: a Russian page has no three-byte characters, a log
//! has hardly a character but ASCII. So every vector kernel has several loops, each the cheapest
//! for some kind of text, and stays in one of them until that loop refuses a chunk or finds that
//! it is not the best any more. This file holds the rules of changing, once for all instruction
//! sets; the loops are theirs.
//!
//! *Sparse* passes over what is ASCII and knows everything else too. It branches on that, which is
//! worth it as long as most of the text is ASCII. The other loops have no branch but at the end of
//! a chunk, and differ in the characters that they know: *two* bytes, *plain* ones of three,
//! *three*, *four*.
//!
//! Two rules are not about speed, but about how far a loop looks back: *two* never follows a chunk
//! that may leave a character of three or four bytes open, and *three* never one that may leave
//! four bytes open.

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel) enum Mode {
    /// Mostly ASCII, and anything in between.
    Sparse,
    /// Up to two bytes.
    Two,
    /// Up to three bytes, but no lead that is particular about its second byte: E0, ED.
    Plain,
    /// Up to three bytes.
    Three,
    /// Anything.
    Four,
}

/// What a chunk holds: the length of its longest character, from 1 to 4.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Longest(pub(in crate::kernel) u32);

/// How far a loop came: the chunks before `at` are accepted.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Run {
    pub(in crate::kernel) at: usize,
    pub(in crate::kernel) end: End,
}

/// Why a loop stopped.
#[derive(Clone, Copy)]
pub(in crate::kernel) enum End {
    /// It does not know what the chunk at `at` is made of, or the chunk is ill-formed.
    Refused,
    /// There is an error: the character boundary before it.
    IllFormed(usize),
    /// The last chunks did not need this mode; or there is no whole chunk left.
    Quiet,
    /// The last chunks were mostly ASCII.
    Sparse,
    /// The last chunks were not; and what the last of them holds.
    Dense(Longest),
}

/// After so many chunks that a cheaper loop would have accepted, that loop is tried: a chunk that
/// is then refused, and two mispredicted branches, cost what some ten chunks gain.
const PATIENCE: u32 = 16;

/// By so many the chunks that look sparse must outnumber the others before a loop gives way to
/// the sparse one, and the dense ones the others before that gives way. It is the smaller evil on
/// the wrong kind of text: a predicted branch more, against a whole chunk for nothing.
const SPARSE_LEAD: u32 = 3;
const DENSE_LEAD: u32 = 12;

/// What a loop has seen of late.
#[derive(Clone, Copy, Default)]
pub(in crate::kernel) struct Recent {
    quiet: u32,
    lead: u32,
}

impl Recent {
    /// For the loops that know one kind of text: takes note of an accepted chunk, whether the mode
    /// was needed for it and whether the sparse loop would have been quick with it. Says so when
    /// it is time to go.
    #[inline(always)]
    pub(in crate::kernel) fn dense(&mut self, needed: bool, sparse: bool) -> Option<End> {
        self.quiet = if needed { 0 } else { self.quiet + 1 };
        if self.leads_by(SPARSE_LEAD, sparse) {
            Some(End::Sparse)
        } else if self.quiet == PATIENCE {
            Some(End::Quiet)
        } else {
            None
        }
    }

    /// For the sparse loop: takes note of a chunk that it was slow or quick with. Says so when it
    /// is time to go.
    #[inline(always)]
    pub(in crate::kernel) fn sparse(&mut self, dense: bool) -> bool {
        self.leads_by(DENSE_LEAD, dense)
    }

    /// For the sparse loop: takes note of so many chunks that it was quick with.
    #[inline(always)]
    pub(in crate::kernel) fn passed(&mut self, chunks: usize) {
        self.lead = self.lead.saturating_sub(chunks.min(DENSE_LEAD as usize) as u32);
    }

    /// Counts chunks of the other kind against chunks of the loop's own.
    #[inline(always)]
    fn leads_by(&mut self, enough: u32, other: bool) -> bool {
        self.lead = if other { self.lead + 1 } else { self.lead.saturating_sub(1) };
        self.lead == enough
    }
}

/// The loops of one instruction set. Each goes on while more than [`STEP`](Modes::STEP) bytes are
/// left, and accepts whole chunks of that size.
pub(in crate::kernel) trait Modes {
    /// Bytes of a chunk.
    const STEP: usize;

    /// Looks closely at the chunk at `at`, which a loop has refused: `Err` is the character boundary
    /// before the error in it. There are two blocks of 64 bytes more behind the chunk.
    ///
    /// # Safety
    /// As for [`sparse`](Modes::sparse).
    unsafe fn look(src: &[u8], at: usize) -> Result<Longest, usize>;

    /// [`Mode::Sparse`].
    ///
    /// # Safety
    /// As for the kernels; and `at` must be within `src`, and at least 3 on an instruction set
    /// that looks back by loads.
    unsafe fn sparse(src: &[u8], at: usize) -> Run;

    /// [`Mode::Two`].
    ///
    /// # Safety
    /// As for [`sparse`](Modes::sparse); and `at` must not be 0.
    unsafe fn two(src: &[u8], at: usize) -> Run;

    /// [`Mode::Plain`]. An instruction set on which that is no cheaper takes [`Mode::Three`].
    ///
    /// # Safety
    /// As for [`sparse`](Modes::sparse).
    unsafe fn plain(src: &[u8], at: usize) -> Run;

    /// [`Mode::Three`] and [`Mode::Four`].
    ///
    /// # Safety
    /// As for [`sparse`](Modes::sparse).
    unsafe fn up_to<const MOST: u32>(src: &[u8], at: usize) -> Run;
}

impl Longest {
    /// The mode to go on with behind a chunk that holds this.
    #[inline]
    pub(in crate::kernel) fn mode(self) -> Mode {
        match self.0 {
            ..=2 => Mode::Two,
            3 => Mode::Plain,
            _ => Mode::Four,
        }
    }
}

/// Drives the loops over the chunks of `src` from `at` on: `Ok` is the first chunk that is not
/// whole, before which all is well-formed, save a character still open there; `Err` is the
/// character boundary before an error.
///
/// # Safety
/// As for [`Modes::sparse`]; and `mode` must keep to the two rules above.
#[inline(always)]
pub(in crate::kernel) unsafe fn drive<M: Modes>(
    src: &[u8],
    mut at: usize,
    mut mode: Mode,
) -> Result<usize, usize> {
    while src.len() - at > M::STEP {
        // SAFETY: the caller's promise; `at` only grows, and stays within `src`.
        let run = unsafe {
            match mode {
                Mode::Sparse => M::sparse(src, at),
                Mode::Two => M::two(src, at),
                Mode::Plain => M::plain(src, at),
                Mode::Three => M::up_to::<3>(src, at),
                Mode::Four => M::up_to::<4>(src, at),
            }
        };
        at = run.at;
        mode = match (mode, run.end) {
            (_, End::IllFormed(boundary)) => return Err(boundary),
            // Not worth it for a few bytes, which the caller looks at closely anyway.
            (_, End::Refused) if src.len() - at <= M::STEP + 2 * 64 => break,
            (_, End::Refused) => {
                // SAFETY: as above, and there are enough bytes.
                let longest = unsafe { M::look(src, at)? };
                at += M::STEP;
                match (mode, longest.mode()) {
                    // Refused for a particular lead, then.
                    (Mode::Plain | Mode::Three, Mode::Plain) => Mode::Three,
                    (_, next) => next,
                }
            }
            (_, End::Sparse) => Mode::Sparse,
            (_, End::Dense(longest)) => longest.mode(),
            (Mode::Plain | Mode::Three, End::Quiet) => Mode::Two,
            (_, End::Quiet) => Mode::Plain,
        };
    }
    Ok(at)
}
