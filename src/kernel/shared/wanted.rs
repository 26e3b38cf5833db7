//! What a scan looks for: sets of bytes, in the forms that kernels need.
//!
//! Any set of ASCII bytes costs the same: two lookups of sixteen entries, or one of 128 with AVX-512. A set of one byte takes a
//! comparison, which is cheaper, and the byte need not be ASCII.

/// A set of ASCII bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Members {
    /// A bit for each byte.
    pub(crate) bits: u128,
    /// The same by the low four bits of a byte: for each of their values, a bit for each value of the three bits above.
    pub(in crate::kernel) rows: [u8; 16],
}

impl Members {
    /// The bytes whose bits are set.
    #[inline]
    pub(crate) const fn new(bits: u128) -> Members {
        let mut rows = [0; 16];
        let mut byte = 0;
        while byte < 128 {
            rows[byte % 16] |= ((bits >> byte) as u8 & 1) << (byte / 16);
            byte += 1;
        }
        Members { bits, rows }
    }
}

/// `N` sets to look for at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<const N: usize> {
    pub(in crate::kernel) sets: [Members; N],
    /// The bytes, where each set is a single one.
    pub(in crate::kernel) bytes: [u8; N],
    /// Whether each set is a single byte.
    pub(in crate::kernel) single: bool,
}

impl<const N: usize> Wanted<N> {
    #[inline]
    pub(crate) fn new(sets: [Members; N]) -> Wanted<N> {
        let single = sets.iter().all(|set| set.bits.is_power_of_two());
        // The empty set has no lowest bit; it is not a single byte either.
        Wanted { sets, bytes: sets.map(|set| set.bits.trailing_zeros() as u8 & 0x7F), single }
    }

    /// Single bytes, whichever they are.
    #[inline]
    pub(crate) fn bytes(bytes: [u8; N]) -> Wanted<N> {
        Wanted { sets: [Members::new(0); N], bytes, single: true }
    }
}

/// What is expected of the next lines: that they are as the last ones were. It matters for speed only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// The length of the longest character.
    pub(in crate::kernel) longest: usize,
    /// How many lines are not ASCII.
    pub(in crate::kernel) others: Others,
}

/// How many lines are not ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::kernel) enum Others {
    None,
    Some,
    /// Nearly all lines.
    Most,
}

impl Expected {
    /// Of a text of which nothing is known.
    pub(crate) const UNKNOWN: Expected = Expected { longest: 3, others: Others::None };

    /// Of a line that is all there is.
    pub(crate) const ANYTHING: Expected = Expected { longest: 4, others: Others::Most };
}

/// What the sections of a scan have shown.
///
/// A level refuses a section with one longer character, which costs as much again; but to judge all sections at a higher level costs
/// a little for each. One in eight is where both cost the same.
#[cfg(target_feature = "sse2")]
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Survey {
    most: usize,
    sections: u32,
    threes: u32,
    fours: u32,
    lines: u32,
    judged: u32,
    /// Whether the last section was judged at the highest level.
    pub(in crate::kernel) refused_last: bool,
}

#[cfg(target_feature = "sse2")]
impl Survey {
    /// At a level of `most` bytes.
    #[inline(always)]
    pub(in crate::kernel) fn new(most: usize) -> Survey {
        Survey { most, sections: 0, threes: 0, fours: 0, lines: 0, judged: 0, refused_last: false }
    }

    /// A section was judged, and its longest character had so many bytes.
    #[inline(always)]
    pub(in crate::kernel) fn section(&mut self, longest: usize) {
        self.sections += 1;
        self.threes += u32::from(longest > 2);
        self.fours += u32::from(longest > 3);
    }

    /// These lines of `count` were judged.
    #[inline(always)]
    pub(in crate::kernel) fn judged(&mut self, which: u64, count: usize) {
        self.judged += which.count_ones();
        self.lines += count as u32;
    }

    /// A line was looked at, and may have been ASCII.
    #[inline(always)]
    pub(in crate::kernel) fn samples(&mut self, ascii: bool) {
        self.judged += u32::from(!ascii);
        self.lines += 1;
    }

    /// What to expect of the next lines.
    #[inline(always)]
    pub(in crate::kernel) fn expected(&self) -> Expected {
        let longest = match () {
            // Nothing was judged, and so nothing is known.
            () if self.sections == 0 => self.most,
            () if self.fours * 8 > self.sections => 4,
            () if self.threes * 8 > self.sections => 3,
            () => 2,
        };
        let others = match self.judged {
            0 => Others::None,
            judged if judged * 64 > self.lines * 54 => Others::Most,
            _ => Others::Some,
        };
        Expected { longest, others }
    }
}

/// Bytes of a line: one mask.
pub(crate) const LINE: usize = 64;

/// Lines of a section.
pub(in crate::kernel) const SECTION: usize = 64;

/// Lines that are scanned at once, at most.
pub(crate) const MOST_LINES: usize = 4 * SECTION;
