//! From the masks of a block to the places where it is cut: which lines have a bit at all, and which delimiters are not quoted.
//!
//! A delimiter is quoted if the number of quotes up to it is odd. For the 64 bytes of a line that is the exclusive or of all bits up to
//! each bit, in six shifts. Only the top bit is carried from one line to the next, so the shifts wait for nothing: those of eight lines
//! are done at once, and then chained.
//!
//! The result is also the carry-less product of the mask and all ones. Time for each line of 64 bytes, in a loop that does nothing else, on
//! Zen 5: one line after the other 1.25 ns, eight lines at once 0.76 ns, and with `pclmulqdq` 0.65 ns. That instruction is in no level of
//! x86-64 and optional on AArch64, so it would have to be detected separately, for a difference that does not show in quoted records: with
//! AVX2, 30.2 GB/s and 30.3 GB/s.

use crate::kernel::shared::wanted::{MOST_LINES, SECTION};
use crate::kernel::shared::{Plain, Progress};

/// A bit for each line that has a bit, 64 lines to a word.
pub(crate) type Busy = [u64; MOST_LINES / SECTION];

/// Finds the lines that have a bit.
pub(in crate::kernel) struct FindBusy<'a> {
    pub masks: &'a [[u64; 1]; MOST_LINES],
    pub busy: &'a mut Busy,
}

impl Plain for FindBusy<'_> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        for (busy, masks) in self.busy.iter_mut().zip(self.masks.as_chunks::<SECTION>().0) {
            *busy =
                masks.iter().enumerate().fold(0, |busy, (line, [mask])| busy | u64::from(*mask != 0) << line);
        }
        Progress { read: MOST_LINES, written: 0 }
    }
}

/// Leaves out delimiters between quotes; by shifts.
pub(in crate::kernel) struct Unquote<'a> {
    /// For each line, delimiters and quotes.
    pub both: &'a [[u64; 2]],
    /// All ones if the lines begin between quotes; then the same for the line behind them.
    pub inside: &'a mut u64,
    pub masks: &'a mut [[u64; 1]],
}

impl Plain for Unquote<'_> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        self.by_shifts()
    }
}

impl Unquote<'_> {
    /// Does it.
    #[inline(always)]
    pub(in crate::kernel) fn by_shifts(self) -> Progress {
        let Unquote { both, inside, masks } = self;
        let (eights, rest) = both.as_chunks::<8>();
        let (masks_of_eights, masks_of_rest) = masks.as_chunks_mut::<8>();
        for (both, masks) in eights.iter().zip(masks_of_eights) {
            unquote(both, inside, masks);
        }
        for (both, masks) in rest.iter().zip(masks_of_rest) {
            unquote(core::array::from_ref(both), inside, core::array::from_mut(masks));
        }
        Progress { read: both.len(), written: 0 }
    }
}

/// The same for some lines.
#[inline(always)]
fn unquote<const LINES: usize>(both: &[[u64; 2]; LINES], inside: &mut u64, masks: &mut [[u64; 1]; LINES]) {
    let quoted = both.map(|[_, mut quoted]| {
        for shift in [1, 2, 4, 8, 16, 32] {
            quoted ^= quoted << shift;
        }
        quoted
    });
    for ((mask, [delimiters, _]), quoted) in masks.iter_mut().zip(both).zip(quoted) {
        *mask = [delimiters & !(quoted ^ *inside)];
        *inside ^= 0_u64.wrapping_sub(quoted >> 63);
    }
}
