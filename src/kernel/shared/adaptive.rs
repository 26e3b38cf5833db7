//! Adaptive loops: which loop converts the next chunk of UTF-8.
//!
//! Text stays of one kind for long spans: a Russian page has no three-byte characters, a log has little but ASCII. So some conversions
//! have several loops, each the cheapest for some kind of text, and stay in one of them until that loop rejects a chunk or finds that
//! it is no longer the best. This file holds the rules for switching, once for all instruction sets; the loops are in the kernels.
//! (Validation had such loops, too, but no longer needs them: see [`lines`](super::lines).)
//!
//! *Sparse* skips ASCII and accepts any other text too. It branches on ASCII, which pays as long as most of the text is ASCII. The
//! other loops branch only at the end of a chunk, and differ in the characters that they accept: *two* bytes, *three*, *four*.

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
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel) struct Longest(pub(in crate::kernel) usize);

/// Why a loop stopped.
#[derive(Clone, Copy)]
pub(in crate::kernel) enum End {
    /// The next chunk has characters that the loop does not accept, or is ill-formed.
    Refused,
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
