//! Rank and select: how much there is before a place in the text, and at which place so much is reached.
//!
//! Every question about offsets is one of these two. Characters, units of UTF-16, bytes of UTF-8 and line
//! breaks are all counted by a [`Weights`]: a small weight that each code unit has, by itself and by the
//! unit before it. *Rank* is the sum of the weights before a place; *select* is the first place whose
//! weight goes beyond a sum. Both are one walk, [`seek`](crate::kernel::dispatch::rank::seek): forward while the sum stays within a
//! limit. Without a limit that is a count; with one it goes on chunk by chunk, looks closely at the chunk
//! that goes beyond, and finishes in its masks. The comparison with the limit costs one predicted branch
//! per chunk, too little for counts to have a loop of their own.
//!
//! The weights are such that nothing behind a unit need be looked at: in a pair of surrogates the low one
//! knows that it is the second, and of CR LF the LF. So a walk may begin anywhere, if it may look at one
//! unit before. What is asked between CR and LF is then for the caller to put right, as are places in the
//! middle of a character.
//!
//! [`profile`](crate::kernel::dispatch::rank::profile) is the same sum for each of several stretches of the same length: it feeds the index.

use core::marker::PhantomData;

use crate::kernel::shared::Progress;
use crate::unicode::{Unit, is_high, is_low};

/// What is counted, in units of which text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Characters of UTF-8: all bytes but continuation bytes.
    Chars8,
    /// Units of UTF-16 that UTF-8 stands for: two for the lead of four bytes.
    Units8,
    /// Line breaks in UTF-8: CR, and LF that is not behind one.
    Breaks8,
    /// Characters of UTF-16: all units but the second halves of pairs.
    Chars16,
    /// Bytes of UTF-8 that UTF-16 stands for: one for the second half of a pair, and three for every
    /// other surrogate.
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

    /// Whether the weight of a unit is a matter of the unit before, too.
    const LOOKS_BACK: bool;

    /// The weight of a unit behind another; in front of the first, 0 will do.
    fn weight(before: u32, unit: u32) -> usize;
}

macro_rules! measures {
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

measures! {
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

/// Whether a line break begins here.
#[inline(always)]
fn is_break(before: u32, unit: u32) -> bool {
    let (lf, cr) = (u32::from(b'\n'), u32::from(b'\r'));
    (unit == cr) | (unit == lf) & (before != cr)
}

/// Whether this is the second half of a pair.
#[inline(always)]
fn is_second(before: u32, unit: u32) -> bool {
    is_low(unit) & is_high(before)
}

/// Stretches of a text, and where their sums go.
pub(in crate::kernel) struct Profile<'a, A, B, C> {
    src: *const u8,
    len: usize,
    from: usize,
    stretch: usize,
    sums: &'a mut [[u16; 3]],
    measures: PhantomData<(A, B, C)>,
}

impl<'a, A: Weights, B: Weights<Unit = A::Unit>, C: Weights<Unit = A::Unit>> Profile<'a, A, B, C> {
    pub(in crate::kernel) fn new(
        src: &[A::Unit],
        from: usize,
        stretch: usize,
        sums: &'a mut [[u16; 3]],
    ) -> Self {
        Profile { src: src.as_ptr().cast(), len: src.len(), from, stretch, sums, measures: PhantomData }
    }

    /// Lets `count` count each stretch: of a text, from one place to another, both within it.
    #[inline(always)]
    pub(in crate::kernel) fn each(self, count: impl Fn(*const u8, usize, usize) -> [usize; 3]) {
        let mut from = self.from;
        for sums in self.sums {
            let to = from.saturating_add(self.stretch).min(self.len);
            *sums = count(self.src, from, to).map(|sum| sum as u16);
            from = to;
        }
    }
}

/// Units that are weighed side by side: the compiler turns them into whatever vectors there are.
const ROW: usize = 64;

/// Rows whose weights are added up lane by lane: up to three each, and a lane may be a byte.
const ROWS: usize = 16;

/// The walk without vectors.
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
    // SAFETY: it is asked for units before `to`.
    let unit = |at: usize| unsafe { src.add(at).read_unaligned() }.value();
    let weight = |at: usize| M::weight(if M::LOOKS_BACK && at > 0 { unit(at - 1) } else { 0 }, unit(at));
    let (mut at, mut sum) = (from, 0);
    if M::LOOKS_BACK && at == 0 && at < to {
        // So that there is always a unit before.
        let first = weight(0);
        if first > limit {
            return Progress { read: 0, written: 0 };
        }
        (at, sum) = (1, first);
    }
    for rows in [ROWS, 1] {
        while to - at >= rows * ROW {
            // SAFETY: so many units are left, and one before where the measure looks back.
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

/// The weight of so many rows, [`ROWS`] at most.
///
/// # Safety
/// They must be readable at `p`, and a unit before if the measure looks back.
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
