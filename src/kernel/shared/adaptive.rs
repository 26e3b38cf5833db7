//! Adaptive loops: which loop validates the next chunk of UTF-8.
//!
//! Text stays of one kind for long spans: a Russian page has no three-byte characters, a log has little but ASCII. So every vector
//! kernel has several loops, each the cheapest for some kind of text, and stays in one of them until that loop rejects a chunk or
//! finds that it is no longer the best. This file holds the rules for switching, once for all instruction sets; the loops are in the
//! kernels.
//!
//! *Sparse* skips ASCII and accepts any other text too. It branches on ASCII, which pays as long as most of the text is ASCII. The
//! other loops branch only at the end of a chunk, and differ in the characters that they accept: *two* bytes, *plain* ones of three,
//! *three*, *four*.
//!
//! Two rules are not about speed, but about how far a loop looks back: *two* never follows a chunk that may end inside a character of
//! three or four bytes, and *three* never one that may end inside a character of four bytes.

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel) enum Mode {
    /// Any characters; fastest if most are ASCII.
    Sparse,
    /// Up to two bytes.
    Two,
    /// Up to three bytes, without the lead bytes that restrict the second byte: E0, ED.
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
    /// The chunk at `at` has characters that the loop does not accept, or is ill-formed.
    Refused,
    /// There is an error, and this is the character boundary before it.
    IllFormed(usize),
    /// The last chunks did not need this mode, or no whole chunk is left.
    Quiet,
    /// The last chunks were mostly ASCII.
    Sparse,
    /// The last chunks were not mostly ASCII; and the longest character of the last one.
    Dense(Longest),
}

/// After so many chunks that a cheaper loop would have accepted, that loop is tried: if it then rejects a chunk, that and two
/// mispredicted branches cost what some ten chunks gain.
const PATIENCE: u32 = 16;

/// By how many the sparse chunks must outnumber the others before a loop gives way to the sparse one, and the dense chunks before
/// the sparse loop gives way. On the wrong kind of text the sparse loop costs less: a predicted branch more, against a whole chunk
/// of useless work.
const SPARSE_LEAD: u32 = 3;
const DENSE_LEAD: u32 = 12;

/// What the last chunks of a loop were like.
#[derive(Clone, Copy, Default)]
pub(in crate::kernel) struct Recent {
    quiet: u32,
    lead: u32,
}

impl Recent {
    /// For the loops for one kind of text: records an accepted chunk, whether it needed the mode, and whether the sparse loop
    /// would have been fast on it. Returns why the loop should end, if it should.
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

    /// For the sparse loop: records a chunk on which it was slow (`dense`) or fast. Returns whether the loop should end.
    #[inline(always)]
    pub(in crate::kernel) fn sparse(&mut self, dense: bool) -> bool {
        self.leads_by(DENSE_LEAD, dense)
    }

    /// For the sparse loop: records a number of chunks on which it was fast.
    #[inline(always)]
    pub(in crate::kernel) fn passed(&mut self, chunks: usize) {
        self.lead = self.lead.saturating_sub(chunks.min(DENSE_LEAD as usize) as u32);
    }

    /// Counts chunks of the other kind against those of the loop's own kind.
    #[inline(always)]
    fn leads_by(&mut self, enough: u32, other: bool) -> bool {
        self.lead = if other { self.lead + 1 } else { self.lead.saturating_sub(1) };
        self.lead == enough
    }
}

/// The loops of one instruction set. Each runs while more than [`STEP`](AdaptiveLoops::STEP) bytes are left, and accepts whole
/// chunks of that size.
pub(in crate::kernel) trait AdaptiveLoops {
    /// Bytes of a chunk.
    const STEP: usize;

    /// Inspects the chunk at `at`, which a loop has rejected: `Err` is the character boundary before the error in it. At least two
    /// more blocks of 64 bytes follow the chunk.
    ///
    /// # Safety
    /// As for [`sparse`](AdaptiveLoops::sparse).
    unsafe fn look(src: &[u8], at: usize) -> Result<Longest, usize>;

    /// [`Mode::Sparse`].
    ///
    /// # Safety
    /// As for the kernels; and `at` must be within `src`, and at least 3 on an instruction set that looks back by loading earlier
    /// bytes.
    unsafe fn sparse(src: &[u8], at: usize) -> Run;

    /// [`Mode::Two`].
    ///
    /// # Safety
    /// As for [`sparse`](AdaptiveLoops::sparse); and `at` must not be 0.
    unsafe fn two(src: &[u8], at: usize) -> Run;

    /// [`Mode::Plain`]. Where that is no cheaper, this is the loop of [`Mode::Three`].
    ///
    /// # Safety
    /// As for [`sparse`](AdaptiveLoops::sparse).
    unsafe fn plain(src: &[u8], at: usize) -> Run;

    /// [`Mode::Three`] and [`Mode::Four`].
    ///
    /// # Safety
    /// As for [`sparse`](AdaptiveLoops::sparse).
    unsafe fn up_to<const MOST: u32>(src: &[u8], at: usize) -> Run;
}

impl Longest {
    /// The mode for the text after such a chunk.
    #[inline]
    pub(in crate::kernel) fn mode(self) -> Mode {
        match self.0 {
            ..=2 => Mode::Two,
            3 => Mode::Plain,
            _ => Mode::Four,
        }
    }
}

/// Drives the loops over the chunks of `src` from `at` on. `Ok` is the offset of the first chunk that is not whole: the text before
/// it is well-formed, except that its last character may be incomplete. `Err` is the character boundary before an error.
///
/// # Safety
/// As for [`AdaptiveLoops::sparse`]; and `mode` must keep to the two rules above.
#[inline(always)]
pub(in crate::kernel) unsafe fn drive<M: AdaptiveLoops>(
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
            // Not worth it for a few bytes, which the caller inspects anyway.
            (_, End::Refused) if src.len() - at <= M::STEP + 2 * 64 => break,
            (_, End::Refused) => {
                // SAFETY: as above, and there are enough bytes.
                let longest = unsafe { M::look(src, at)? };
                at += M::STEP;
                match (mode, longest.mode()) {
                    // It was rejected for E0 or ED, then.
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
