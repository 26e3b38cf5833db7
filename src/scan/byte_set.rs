//! Sets of ASCII bytes.

use core::fmt;

use crate::kernel::Members;

/// A set of ASCII bytes to search for.
///
/// It is made at compile time, if it is a constant. Any set costs the same, however many bytes it has; only a set of a single byte
/// costs less. There is no set with a byte that is not ASCII, for such a byte is no character in UTF-8.
///
/// ```
/// use runecast::scan::ByteSet;
///
/// /// What ends a run of ordinary characters in a JSON string.
/// const STOPS: ByteSet = ByteSet::new(b"\"\\").unwrap().or(ByteSet::CONTROL);
///
/// assert!(STOPS.contains(b'"') && STOPS.contains(b'\n') && !STOPS.contains(b'a'));
/// assert_eq!(STOPS.len(), 34);
/// assert_eq!(ByteSet::new("é".as_bytes()), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteSet {
    pub(super) members: Members,
}

impl ByteSet {
    /// No byte.
    pub const EMPTY: ByteSet = ByteSet::of(0);

    /// The line feed.
    pub const LINE_FEED: ByteSet = ByteSet::of(1 << b'\n');

    /// All bytes below 20 (hexadecimal). DEL is not among them.
    pub const CONTROL: ByteSet = ByteSet::of(0xFFFF_FFFF);

    /// These bytes; `None` if one of them is not ASCII.
    #[must_use]
    pub const fn new(bytes: &[u8]) -> Option<ByteSet> {
        let mut bits = 0;
        let mut at = 0;
        while at < bytes.len() {
            if !bytes[at].is_ascii() {
                return None;
            }
            bits |= 1 << bytes[at];
            at += 1;
        }
        Some(ByteSet::of(bits))
    }

    /// All bytes from `first` to `last`, and no byte if `last` is less than `first`; `None` if `last` is not ASCII.
    #[must_use]
    pub const fn range(first: u8, last: u8) -> Option<ByteSet> {
        if !last.is_ascii() {
            return None;
        }
        if first > last {
            return Some(ByteSet::EMPTY);
        }
        Some(ByteSet::of(u128::MAX >> (127 - last) & u128::MAX << first))
    }

    /// The bytes of both sets.
    #[must_use]
    pub const fn or(self, other: ByteSet) -> ByteSet {
        ByteSet::of(self.members.bits | other.members.bits)
    }

    /// The bytes of this set that are not in `other`.
    #[must_use]
    pub const fn without(self, other: ByteSet) -> ByteSet {
        ByteSet::of(self.members.bits & !other.members.bits)
    }

    /// Whether `byte` belongs to the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, byte: u8) -> bool {
        byte.is_ascii() && self.members.bits >> (byte & 0x7F) & 1 == 1
    }

    /// How many different bytes it has.
    #[must_use]
    pub const fn len(self) -> usize {
        self.members.bits.count_ones() as usize
    }

    /// Whether it has no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.members.bits == 0
    }

    /// The set of these bits.
    const fn of(bits: u128) -> ByteSet {
        ByteSet { members: Members::new(bits) }
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = (0..=0x7F_u8).filter(|byte| self.contains(*byte)).map(char::from);
        f.debug_set().entries(members).finish()
    }
}
