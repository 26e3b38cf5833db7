//! Long text: the [loops](crate::kernel::shared::lines) over groups and sections of lines, which of them comes first, what they prefetch,
//! and what they leave over.
//!
//! On CPUs whose prefetchers follow streams, text from memory is handled by [`Far`], except for its first 64 KiB, which go through
//! the usual loops.

use super::far::Far;
use super::groups::OfGroups;
use super::pieces::Pieces;
use super::sections::{EITHER, OfSections};
use super::{PIECE, SMALL, longest};
use crate::kernel::cpu::Model;
use crate::kernel::generic::BLOCK;
use crate::kernel::shared::lines::{
    self, Bounds, FAR, FAR_AHEAD, GROUP, Next, Run, SECTION, STREAMED, drive,
};
use crate::kernel::shared::opaque::opaque;
use crate::kernel::shared::turns::first_turn;
use crate::kernel::vector::{Operation, Vector};

/// Lines that are looked at to find out what a long text is like.
const SAMPLES: u32 = 4;

/// The rest of an input from `at` on, with more than [`LEAST_LEFT`](super::pieces::LEAST_LEFT) behind that, and a piece before it: the loops for long text, and
/// what these leave over. The text before is well-formed, except that its last character may be incomplete. Which loop is first, four lines
/// decide: of what is ahead, if the text is `fresh`, or of the piece before, since there may be errors ahead, which say nothing.
pub(super) struct Rest<'a, const CORRECTED: bool> {
    pub(super) src: &'a [u8],
    pub(super) at: usize,
    pub(super) fresh: bool,
}

impl<const CORRECTED: bool> Operation for Rest<'_, CORRECTED> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> usize {
        let Rest { src, at, fresh } = self;
        let fresh = fresh && !SMALL;
        // SAFETY: the caller's promise; this is the instruction set, and the samples are within `src`, as is `end`.
        unsafe {
            let ahead = (src.len() - at - BLOCK).min(SECTION);
            let (from, span) = if fresh { (at, ahead) } else { (at - PIECE, PIECE - BLOCK) };
            let mut p = src.as_ptr().add(from);
            let (mut quiet, mut greatest) = (0, V::splat(0));
            let mut left = u64::from(SAMPLES);
            // Opaque, or LLVM writes the loop out.
            while opaque(left) != 0 {
                left -= 1;
                let mut line = V::load(p);
                for vector in 1..BLOCK / V::LEN {
                    line = line.max(V::load(p.add(vector * V::LEN)));
                }
                quiet += u32::from(!line.any_sign_bit());
                greatest = greatest.max(line);
                p = p.wrapping_add(span / SAMPLES as usize);
            }
            let next = match quiet {
                // Of ASCII nothing is known.
                SAMPLES => Next::GroupsOfThree,
                1.. if fresh => Next::sections(longest(greatest).0),
                _ => Next::groups(longest(greatest).0),
            };
            // At an aligned address.
            let at = at - (src.as_ptr() as usize + at) % V::LEN;
            let far = V::LEN > 16 && src.len() > STREAMED && Model::current().takes_streams();
            // The loops leave a group or less.
            let end = if far { first_turn(src.as_ptr(), at) + GROUP } else { src.len() };
            to_the_end::<V, CORRECTED>(src, at, next, end)
        }
    }
}

/// The loops for long text from `at` on, `next` first, and what they leave over; but from `end` on [`Far`], and then these loops again.
///
/// # Safety
/// As for [`Operation::run`] and [`drive`]; `end` must be in `src`, behind `at`, or its length.
#[inline(always)]
unsafe fn to_the_end<V: Vector, const CORRECTED: bool>(
    src: &[u8],
    mut at: usize,
    next: Next,
    mut end: usize,
) -> usize {
    loop {
        // SAFETY: the caller's promise. `Far` stops where a loop may begin, as well.
        unsafe {
            match drive::<Lines<V>, CORRECTED>(src.split_at_unchecked(end).0, at, next) {
                Ok(to) if end == src.len() => {
                    return V::apart(Pieces::<CORRECTED> { src, at: to, most: end, fresh: false });
                }
                Ok(to) => at = V::apart(Far::<CORRECTED> { src, at: to }),
                Err(boundary) => return boundary,
            }
        }
        end = src.len();
    }
}

/// When the loops change, and how far ahead they prefetch.
pub(super) struct Plan {
    pub(super) bounds: Bounds,
    /// From a line of a group on.
    pub(super) groups: usize,
    /// Whether ASCII is prefetched.
    pub(super) ascii_from_memory: bool,
    /// From a line of a section on, while it is detected; with vectors of more than 16 bytes only for text from memory.
    pub(super) detected: usize,
    /// How many bytes each line that is judged in a section prefetches: of the section after the next, from where its detection
    /// stops. If 0, one line again and again.
    pub(super) judged: usize,
}

/// What is in a cache.
static NEAR: Plan = Plan {
    bounds: Bounds { period: 8, mixed: 3, dense: 53 },
    groups: 8 * BLOCK,
    ascii_from_memory: false,
    detected: 16 * BLOCK,
    judged: 2 * BLOCK,
};

/// What is in memory.
static PREFETCHED: Plan =
    Plan { groups: FAR_AHEAD, ascii_from_memory: true, detected: FAR_AHEAD, judged: 0, ..NEAR };

impl Plan {
    /// For a text of `len` bytes.
    ///
    /// Text from memory takes prefetches as far ahead as memory needs to answer, and no others. AMD EPYC (Zen 5), 64 MiB, 18
    /// texts: AVX2 27 → 37 GB/s in the mean (German handbook 32 → 49, HTML 23 → 41, log 29 → 41), SSE4.2 21 → 25, where the
    /// arithmetic is the limit. Where prefetches stand in the way, there are none: AVX2 has another loop there, [`Far`], and with
    /// smaller vectors the memory is hardly the limit.
    #[inline(never)]
    pub(super) fn of(len: usize) -> &'static Plan {
        #[cfg(test)]
        if tests::PREFETCHES.load(core::sync::atomic::Ordering::Relaxed) {
            return &PREFETCHED;
        }
        if len <= FAR || Model::current().takes_streams() { &NEAR } else { &PREFETCHED }
    }
}

/// The loops for long text.
struct Lines<V>(core::marker::PhantomData<V>);

impl<V: Vector, const CORRECTED: bool> lines::Lines<CORRECTED> for Lines<V> {
    #[inline(always)]
    unsafe fn groups<const MOST: usize>(src: &[u8], at: usize, _dense: bool) -> Run {
        // SAFETY: the caller's promise.
        unsafe { V::apart(OfGroups::<MOST, CORRECTED> { src, at }) }
    }

    #[inline(always)]
    unsafe fn sections(src: &[u8], at: usize, four: bool) -> Run {
        // SAFETY: the caller's promise.
        unsafe {
            match four {
                _ if V::LEN == 16 => V::apart(OfSections::<EITHER, CORRECTED> { src, at, four }),
                false => V::apart(OfSections::<3, CORRECTED> { src, at, four }),
                true => V::apart(OfSections::<4, CORRECTED> { src, at, four }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicBool, Ordering};

    use super::super::{FEW, PIECE};
    use super::{Next, to_the_end};
    use crate::kernel::Engine;
    use crate::kernel::dispatch::validate::utf8_valid_prefix;
    use crate::kernel::shared::lines::Start;
    use crate::kernel::vector::{Operation, Vector};

    /// Whether all texts have the plan for what is in memory. (Other tests may run meanwhile: what they find is the same.)
    pub(super) static PREFETCHES: AtomicBool = AtomicBool::new(false);

    /// ASCII of kilobytes, other text, and both in turns, with errors, by the plan for texts of many megabytes.
    #[test]
    fn prefetches_change_nothing() {
        let parts =
            ["a".repeat(3000), "é".repeat(1500), "語".repeat(1000), "😀".repeat(300), "aé語".repeat(50)];
        let lines: Vec<String> =
            (0..300).map(|i| if i % 3 == 0 { "ü".repeat(32) } else { "b".repeat(64) }).collect();
        let whole =
            [parts.concat(), lines.concat(), parts.concat(), "c".repeat(9000), lines.concat()].concat();
        let mut bytes = whole.clone().into_bytes();
        PREFETCHES.store(true, Ordering::Relaxed);
        for place in (0..bytes.len()).step_by(if cfg!(miri) { 15_001 } else { 37 }).chain([bytes.len()]) {
            let good = bytes.get(place).copied();
            if good.is_some() {
                bytes[place] = 0xFF;
            }
            let expected = core::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
            for engine in Engine::available() {
                let prefix = utf8_valid_prefix(engine, &bytes, Start::OfText);
                let exact = (expected.saturating_sub(3)..=expected).contains(&prefix);
                assert!(
                    exact && whole.is_char_boundary(prefix),
                    "{prefix}, not {expected}, {}",
                    engine.isa()
                );
            }
            if let Some(good) = good {
                bytes[place] = good;
            }
        }
        PREFETCHES.store(false, Ordering::Relaxed);
    }

    /// So many bytes go the usual way first. (Fewer than elsewhere, as the test takes minutes in an emulator otherwise.)
    const BEFORE_FAR: usize = 4 << 10;

    /// [`to_the_end`] of text from memory, whatever this CPU is. Nothing without vectors.
    struct FromMemory<'a>(&'a [u8], Next);

    impl Operation for FromMemory<'_> {
        type Output = Option<usize>;

        #[inline(always)]
        unsafe fn run<V: Vector>(self) -> Option<usize> {
            // SAFETY: this is inside of the root, and a piece of ASCII is before the place.
            Some(unsafe { to_the_end::<V, false>(self.0, PIECE, self.1, PIECE + BEFORE_FAR) })
        }
    }

    fn ask(text: &[u8]) {
        let expected = core::str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
        let all = [
            Next::SectionsOfThree,
            Next::SectionsOfFour,
            Next::GroupsOfTwo,
            Next::GroupsOfThree,
            Next::GroupsOfFour,
        ];
        for (first, next) in all.into_iter().enumerate() {
            for engine in Engine::available() {
                // SAFETY: the operation asks for nothing more.
                #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
                let end =
                    unsafe { crate::kernel::vector::by_isa!(engine; None, FromMemory(text, next), None) };
                let end = end.unwrap_or(expected);
                assert_eq!(end, expected, "{} of {} bytes, way {first}, {}", end, text.len(), engine.isa());
            }
        }
    }

    /// Whatever is left over behind the windows of two streams: from nothing to a few groups.
    #[test]
    fn text_from_memory_ends_anywhere() {
        // Characters in each line, in each third, and in none; behind a piece of ASCII.
        for every in [1, 3, usize::MAX] {
            let mut text = "a".repeat(PIECE);
            let end = PIECE + BEFORE_FAR + (16 << 10);
            while text.len() < end + 1200 {
                let special = (text.len() / 64).is_multiple_of(every);
                text.push_str(if special { "\u{E9}" } else { "ab" });
                text.push_str(&"a".repeat(62));
            }
            let step = if cfg!(miri) { 601 } else { 1 };
            for len in (end - 300..end + 1000).step_by(step) {
                let bytes = &mut text.as_bytes()[..len].to_vec();
                if core::str::from_utf8(bytes).is_ok() {
                    ask(bytes);
                }
                if len % 13 == 0 {
                    // Each place is the turn of every fourth of these lengths.
                    for place in (len - 2 * FEW + len / 13 % 4..len).step_by(4) {
                        let good = core::mem::replace(&mut bytes[place], 0xFF);
                        ask(bytes);
                        bytes[place] = good;
                    }
                }
            }
        }
    }
}
