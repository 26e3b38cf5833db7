//! What a scan looks for: sets of bytes, in the forms that kernels need.
//!
//! Any set of ASCII bytes costs the same: two lookups of sixteen entries, or one of 128 with AVX-512. A set of one byte is a
//! comparison, which is cheaper, and may be any byte.

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

/// Bytes of a line: one mask.
pub(crate) const LINE: usize = 64;

/// Lines of a section.
pub(in crate::kernel) const SECTION: usize = 64;

/// Lines that are scanned at once, at most.
pub(crate) const MOST_LINES: usize = 4 * SECTION;
