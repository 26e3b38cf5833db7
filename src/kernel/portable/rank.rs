//! Rank and select: how much precedes an offset in the text, and at which offset a given amount is reached.
//!
//! Every question about offsets is one of these two. Characters, units of UTF-16, bytes of UTF-8 and line breaks are all counted by
//! [`Weights`]: a small weight for each code unit, determined by the unit and the one before it. *Rank* is the sum of the weights
//! before an offset; *select* is the first offset whose weight makes the sum exceed a limit. Both are one loop,
//! [`seek`](crate::kernel::dispatch::rank::seek): forward while the sum stays within the limit. Without a limit that is a count; with
//! one, the loop goes chunk by chunk, and finishes inside the chunk that exceeds the limit, by its masks. The comparison with the
//! limit costs one predicted branch per chunk, too little for counts to have a loop of their own.
//!
//! A weight never depends on the units after it: in a surrogate pair it is the low surrogate that is recognised as the second of two,
//! and in CR LF the LF. So a loop may begin anywhere if it may look at the unit before. The caller has to adjust offsets between CR
//! and LF, and inside a character.
//!
//! [`profile`](crate::kernel::dispatch::rank::profile) computes the same sums for several segments of equal length, for the index.

use core::marker::PhantomData;

use crate::kernel::shared::Progress;
use crate::unicode::{Unit, is_high, is_low};

/// What is counted, in units of which text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Characters in UTF-8: all bytes but continuation bytes.
    Chars8,
    /// The length in units of UTF-16 of UTF-8: two for the lead byte of four.
    Units8,
    /// Line breaks in UTF-8: CR, and LF that does not follow one.
    Breaks8,
    /// Characters in UTF-16: all units but the low surrogates of pairs.
    Chars16,
    /// The length in bytes of UTF-8 of UTF-16: one for the low surrogate of a pair, and three for every other surrogate.
    Bytes16,
    /// Line breaks in UTF-16.
    Breaks16,
}

/// What is counted, as a type.
pub(crate) trait Weights {
    /// The unit of the text.
    type Unit: Unit;

    /// What is counted.
    const COUNTED: Counted;

    /// Whether the weight of a unit depends on the unit before it.
    const LOOKS_BACK: bool;

    /// The weight of a unit after the unit `before`, which is 0 for the first.
    fn weight(before: u32, unit: u32) -> usize;
}

macro_rules! weights {
    ($($name:ident, $unit:ty, $looks_back:literal, |$before:pat_param, $value:ident| $weight:expr;)*) => {$(
        #[doc = concat!("[`Counted::", stringify!($name), "`].")]
        #[derive(Debug)]
        pub(crate) struct $name;

        impl Weights for $name {
            type Unit = $unit;
            const COUNTED: Counted = Counted::$name;
            const LOOKS_BACK: bool = $looks_back;

            #[inline(always)]
            fn weight($before: u32, $value: u32) -> usize {
                $weight
            }
        }
    )*};
}

weights! {
    Chars8, u8, false, |_, unit| usize::from(unit as u8 as i8 >= -64);
    Units8, u8, false, |_, unit| usize::from(unit as u8 as i8 >= -64) + usize::from(unit >= 0xF0);
    Breaks8, u8, true, |before, unit| usize::from(is_break(before, unit));
    Chars16, u16, true, |before, unit| usize::from(!is_second(before, unit));
    Bytes16, u16, true, |before, unit| {
        let more = usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
        1 + if is_second(before, unit) { 0 } else { more }
    };
    Breaks16, u16, true, |before, unit| usize::from(is_break(before, unit));
}

/// Whether a line break begins at `unit`.
#[inline(always)]
fn is_break(before: u32, unit: u32) -> bool {
    let (lf, cr) = (u32::from(b'\n'), u32::from(b'\r'));
    (unit == cr) | (unit == lf) & (before != cr)
}

/// Whether `unit` is the low surrogate of a pair.
#[inline(always)]
fn is_second(before: u32, unit: u32) -> bool {
    is_low(unit) & is_high(before)
}

/// Segments of a text, and where their sums go.
pub(in crate::kernel) struct Profile<'a, A, B, C> {
    src: *const u8,
    len: usize,
    from: usize,
    segment: usize,
    sums: &'a mut [[u16; 3]],
    weights: PhantomData<(A, B, C)>,
}

impl<'a, A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>> Profile<'a, A, B, C> {
    pub(in crate::kernel) fn new(
        src: &[A::Unit],
        from: usize,
        segment: usize,
        sums: &'a mut [[u16; 3]],
    ) -> Self {
        Profile { src: src.as_ptr().cast(), len: src.len(), from, segment, sums, weights: PhantomData }
    }

    /// Calls `count` for each segment, with the text, and with the start and the end of the segment, both within the text.
    #[inline(always)]
    pub(in crate::kernel) fn each(self, count: impl Fn(*const u8, usize, usize) -> [usize; 3]) {
        let mut from = self.from;
        for sums in self.sums {
            let to = from.saturating_add(self.segment).min(self.len);
            *sums = count(self.src, from, to).map(|sum| sum as u16);
            from = to;
        }
    }
}

/// Units whose weights are summed lane by lane, which the compiler vectorises.
const ROW: usize = 64;

/// Rows that are summed at a time: a weight is at most three, and a lane may be a byte.
const ROWS: usize = 16;

/// The loop without vectors.
///
/// # Safety
/// `to` units must be readable at `src`, and `from` must not be greater.
pub(in crate::kernel) unsafe fn plain<M: Weights>(
    src: *const u8,
    from: usize,
    to: usize,
    limit: usize,
) -> Progress {
    let src = src.cast::<M::Unit>();
    // SAFETY: it is called for offsets less than `to`.
    let unit = |at: usize| unsafe { src.add(at).read_unaligned() }.value();
    let weight = |at: usize| M::weight(if M::LOOKS_BACK && at > 0 { unit(at - 1) } else { 0 }, unit(at));
    let (mut at, mut sum) = (from, 0);
    if M::LOOKS_BACK && at == 0 && at < to {
        // From here on there is always a unit before.
        let first = weight(0);
        if first > limit {
            return Progress { read: 0, written: 0 };
        }
        (at, sum) = (1, first);
    }
    for rows in [ROWS, 1] {
        while to - at >= rows * ROW {
            // SAFETY: so many units are left, and one precedes them if the weight looks back.
            let weight = unsafe { weigh_rows::<M>(src.add(at), rows) };
            if weight > limit - sum {
                break;
            }
            (at, sum) = (at + rows * ROW, sum + weight);
        }
    }
    while at < to {
        let weight = weight(at);
        if weight > limit - sum {
            break;
        }
        (at, sum) = (at + 1, sum + weight);
    }
    Progress { read: at, written: sum }
}

/// The weight of `rows` rows, at most [`ROWS`].
///
/// # Safety
/// They must be readable at `p`, and the unit before them if the weight looks back.
#[inline(always)]
unsafe fn weigh_rows<M: Weights>(p: *const M::Unit, rows: usize) -> usize {
    let mut lanes = [M::Unit::of(0); ROW];
    for row in 0..rows {
        // SAFETY: the caller's promise.
        let (units, before) = unsafe {
            let p = p.add(row * ROW);
            let before = p.wrapping_sub(usize::from(M::LOOKS_BACK));
            (p.cast::<[M::Unit; ROW]>().read_unaligned(), before.cast::<[M::Unit; ROW]>().read_unaligned())
        };
        for (lane, (unit, before)) in lanes.iter_mut().zip(units.into_iter().zip(before)) {
            *lane = M::Unit::of(lane.value() + M::weight(before.value(), unit.value()) as u32);
        }
    }
    lanes.iter().map(|lane| lane.value() as usize).sum()
}
