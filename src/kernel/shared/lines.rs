//! Long UTF-8: lines of 64 bytes, in groups or in sections.
//!
//! Real text changes its kind every few dozen bytes: markup around paragraphs, a word in another script, an emoji. If a loop is fast
//! on one kind of text and is left when the text changes, each change costs a misprediction, and a second look at the chunk that the
//! loop has refused. That was the first design here (loops for ASCII, two bytes, three without E0 and ED, three, and four; each ran
//! until it refused a chunk of 256 bytes). Two things have taken its place.
//!
//! *A level instead of loops for scripts*: the test of a line has a parameter, the length of the longest character that it accepts,
//! two, three or four bytes. A level gives way to a higher one when it has refused something, and to a lower one when the greatest
//! byte of the last lines shows that the lower one would suffice.
//!
//! *Two ways to go through the lines.* Groups of four lines are for text of one kind: a group of ASCII is skipped, and any other
//! group is judged as a whole; if most lines are not ASCII, groups may be *dense*, and then nothing is skipped. Sections of 64
//! lines are for text in which lines of ASCII alternate with others: the lines that are not ASCII are found without a branch, as a
//! word of 64 bits. Only these lines are judged, in a loop over the bits, with one test for the errors of all of them. The end of
//! that loop is the only branch in a section that depends on the text.
//!
//! Sections have no level of two bytes. It made one text faster, a list of Polish words, by 15 % (AVX-512) to 35 % (SSE4.2), and each
//! program larger by 6 KB.
//!
//! [`Groups`] decides after every eight or sixteen groups ([`Bounds`]) whether sections would be faster, and [`Sections`] the
//! opposite. Groups are also used for short text, and for the first 2 KiB: where errors are frequent, most of the work on a section
//! is lost. (With sections only in texts of 16 KiB or more, and after their first 4 KiB, German text of 16 KiB lost 15 to 40 %.
//! Lowering the level in groups only after four periods, instead of after each, cost 15 % on a list of Polish words.)
//!
//! # Seams
//! A line is judged together with the three bytes before it, so nothing is lost between two lines of the same level, whichever way
//! they were found. But the lower levels look back only one or two bytes. That suffices as long as the line before had no longer
//! characters, which its own test would have refused. So wherever a level begins, and after everything that was accepted at a higher
//! one, the bytes before are tested: [`is_beyond`]. (Without that, F0 9F 98 before a line of ASCII would pass, if that line is the
//! first at a lower level.)

use super::boundary::boundary_before;

/// Where a text begins: what is to be expected of its first few KiB.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Start {
    /// Where somebody's text does: mostly it has no errors at all.
    OfText,
    /// Behind an error: the next one is often near, and then most of the work on a section is lost.
    BehindError,
}

/// How far a loop came, and what is next. It fits into two registers; through memory, an error cost two nanoseconds more.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Run {
    pub(in crate::kernel) at: usize,
    pub(in crate::kernel) next: Next,
}

/// What is next.
#[derive(Clone, Copy)]
pub(in crate::kernel) enum Next {
    /// Groups, at the level of two bytes.
    GroupsOfTwo,
    /// Groups, at the level of three bytes.
    GroupsOfThree,
    /// Groups, at the level of four bytes.
    GroupsOfFour,
    /// Dense groups, at the level of two bytes.
    #[cfg_attr(not(target_feature = "sse2"), allow(dead_code, reason = "other vectors have no dense groups"))]
    DenseOfTwo,
    /// Dense groups, at the level of three bytes.
    #[cfg_attr(not(target_feature = "sse2"), allow(dead_code, reason = "other vectors have no dense groups"))]
    DenseOfThree,
    /// Dense groups, at the level of four bytes.
    #[cfg_attr(not(target_feature = "sse2"), allow(dead_code, reason = "other vectors have no dense groups"))]
    DenseOfFour,
    /// Sections, of which the first presumably has no characters of four bytes.
    SectionsOfThree,
    /// Sections, of which the first presumably has characters of four bytes.
    SectionsOfFour,
    /// Nothing: not more than a group is left.
    End,
    /// Nothing: there is an error, and `at` is the boundary before it.
    IllFormed,
}

impl Next {
    /// Groups with characters of up to so many bytes.
    #[inline(always)]
    pub(in crate::kernel) fn groups(longest: usize) -> Next {
        match longest {
            ..=2 => Next::GroupsOfTwo,
            3 => Next::GroupsOfThree,
            _ => Next::GroupsOfFour,
        }
    }

    /// The same, but dense groups in place of groups, if `dense`.
    #[inline(always)]
    #[cfg_attr(not(target_feature = "sse2"), allow(dead_code, reason = "other vectors have no dense groups"))]
    pub(in crate::kernel) fn dense_if(self, dense: bool) -> Next {
        match self {
            Next::GroupsOfTwo if dense => Next::DenseOfTwo,
            Next::GroupsOfThree if dense => Next::DenseOfThree,
            Next::GroupsOfFour if dense => Next::DenseOfFour,
            next => next,
        }
    }

    /// Sections, of which the first presumably has characters of up to so many bytes.
    #[inline(always)]
    pub(in crate::kernel) fn sections(longest: usize) -> Next {
        match longest {
            ..=3 => Next::SectionsOfThree,
            _ => Next::SectionsOfFour,
        }
    }
}

/// The loops of an instruction set. All are for UTF-8 or, if `CORRECTED`, Corrected UTF-8.
pub(in crate::kernel) trait Lines<const CORRECTED: bool> {
    /// Text of one kind, group by group: characters of up to `MOST` bytes; `dense`, if most lines are not ASCII, which a loop may ignore.
    ///
    /// # Safety
    /// As for [`drive`].
    unsafe fn groups<const MOST: usize>(src: &[u8], at: usize, dense: bool) -> Run;

    /// Text in which ASCII alternates with other characters, section by section; `four`, if the first presumably has
    /// characters of four bytes.
    ///
    /// # Safety
    /// As for [`drive`]; and more than a group must be left, or the section has no lines.
    unsafe fn sections(src: &[u8], at: usize, four: bool) -> Run;
}

/// Validates the lines of `src` from `at` on, as `next` says at first. `Ok` is the offset behind the last whole group, or `at` if not
/// more than a group is left: the text before it is well-formed, except that its last character may be incomplete. `Err` is the
/// character boundary before an error.
///
/// # Safety
/// As for the kernels; and `at` must be at least 3, and less than the length of `src`. The text before it must be well-formed, except
/// that its last character may be incomplete.
#[inline(always)]
pub(in crate::kernel) unsafe fn drive<L: Lines<CORRECTED>, const CORRECTED: bool>(
    src: &[u8],
    mut at: usize,
    mut next: Next,
) -> Result<usize, usize> {
    // Not for sections, which pass over what is less than that; and the loops leave more when they change.
    if src.len() - at <= GROUP {
        return Ok(at);
    }
    loop {
        // SAFETY: the caller's promise; a loop goes on from where the one before stopped, and changes to sections only if more than a
        // group is left.
        let run = unsafe {
            match next {
                Next::GroupsOfTwo | Next::DenseOfTwo => {
                    L::groups::<2>(src, at, matches!(next, Next::DenseOfTwo))
                }
                Next::GroupsOfThree | Next::DenseOfThree => {
                    L::groups::<3>(src, at, matches!(next, Next::DenseOfThree))
                }
                Next::GroupsOfFour | Next::DenseOfFour => {
                    L::groups::<4>(src, at, matches!(next, Next::DenseOfFour))
                }
                Next::SectionsOfThree | Next::SectionsOfFour => {
                    L::sections(src, at, matches!(next, Next::SectionsOfFour))
                }
                Next::End => return Ok(at),
                Next::IllFormed => return Err(at),
            }
        };
        (at, next) = (run.at, run.next);
    }
}

/// The three bytes before `at`, which is at least 3. (For less, bytes that every level refuses, instead of a panic that each loop would
/// have to contain.)
#[inline(always)]
pub(in crate::kernel) fn before(src: &[u8], at: usize) -> [u8; 3] {
    src.get(at.wrapping_sub(3)..at).and_then(<[u8]>::first_chunk).copied().unwrap_or([0xFF; 3])
}

/// The length of `src`, or, if its last character is incomplete, the boundary before that.
#[inline(always)]
pub(in crate::kernel) fn closed(src: &[u8]) -> usize {
    let [third, second, first] = before(src, src.len());
    let open = first >= 0xC0 || second >= 0xE0 || third >= 0xF0;
    if open { last_boundary(src) } else { src.len() }
}

/// The boundary before the last character of `src`, which is incomplete.
#[cold]
#[inline(never)]
fn last_boundary(src: &[u8]) -> usize {
    boundary_before(src, src.len())
}

/// Whether a character that began before `at`, which is at least 3, may continue where a level of `most` bytes does not look
/// back to its lead byte: then what follows has to be judged at the highest level.
#[inline(always)]
pub(in crate::kernel) fn is_beyond(src: &[u8], at: usize, most: usize) -> bool {
    let [third, second, _] = before(src, at);
    match most {
        2 => second >= 0xE0 || third >= 0xF0,
        3 => second >= 0xF0 || third >= 0xF0,
        _ => false,
    }
}

/// Whether no character begins at `at`, where one must begin, by that byte and the one behind it. For most errors in ASCII that is
/// enough; where it is not, no is the answer.
#[inline(always)]
pub(in crate::kernel) fn begins_nothing(src: &[u8], at: usize) -> bool {
    match src.get(at..) {
        Some([first, second, ..]) => !(0xC2..=0xF4).contains(first) | (second & 0xC0 != 0x80),
        _ => true,
    }
}

/// Bytes of a section, and the most of a text that is judged as one.
pub(in crate::kernel) const SECTION: usize = 64 * LINE;

/// The most that is judged as two, wherever in memory it begins.
pub(in crate::kernel) const TWO_SECTIONS: usize = 2 * SECTION - LINE;

/// Bytes of a line.
pub(in crate::kernel) const LINE: usize = 64;

/// Lines of a group, and its bytes.
pub(in crate::kernel) const LINES: usize = 4;
pub(in crate::kernel) const GROUP: usize = LINES * LINE;

/// Where one way becomes faster than the other, which depends on the instruction set.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Bounds {
    /// Groups after which it is asked what kind of text they were.
    pub(in crate::kernel) period: u32,
    /// Of eight groups, or the lines sampled of them, as many must be ASCII for sections to be faster.
    pub(in crate::kernel) mixed: u32,
    /// Of a section's 64 lines, as many must be judged for groups to be faster.
    pub(in crate::kernel) dense: u32,
}

/// Bytes that must be left for sections: the first has nothing to overlap with.
const FEWEST: usize = 2048;

/// At which bytes lines have errors, one bit for each: as many as were written, from the first on. (Not many: it is part of an iterator,
/// and iterators are moved. With one for each line of a section, that took longer than a short text.)
pub(in crate::kernel) type Places = [core::mem::MaybeUninit<u64>; 16];

/// The lines of `src` from `at` on that are asked together which of them have errors.
#[inline(always)]
pub(in crate::kernel) fn lines_of_errors(src: &[u8], at: usize) -> usize {
    (src.len().saturating_sub(at) / LINE).min(64)
}

/// The lines of a section that begins so many bytes before the end of the text: as many as a word has bits, if there is a byte
/// behind them.
#[inline(always)]
pub(in crate::kernel) fn lines_of_section(left: usize) -> usize {
    (left.saturating_sub(1) / LINE).min(64)
}

/// What the last groups were.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Groups {
    period: u32,
    left: u32,
    ascii: u32,
    quiet: u32,
}

impl Groups {
    /// None yet, of so many.
    #[inline(always)]
    pub(in crate::kernel) fn of(period: u32) -> Groups {
        Groups { period, left: period, ascii: 0, quiet: 0 }
    }

    /// So many bytes were groups of ASCII.
    #[inline(always)]
    pub(in crate::kernel) fn skipped(&mut self, bytes: usize) {
        // As many as matter; of more than 2³² groups the sums below would overflow.
        let groups = (bytes / GROUP).min(1 << 16) as u32;
        self.ascii += groups;
        self.left = self.left.saturating_sub(groups);
    }

    /// So many groups were not ASCII, but a line that was sampled of them may have been.
    #[inline(always)]
    pub(in crate::kernel) fn judged(&mut self, groups: u32, quiet: bool) {
        self.quiet += if quiet { groups } else { 0 };
        self.left = self.left.saturating_sub(groups);
    }

    /// Whether fewer were ASCII than `mixed` of eight, so that sections would not be faster.
    #[inline(always)]
    pub(in crate::kernel) fn are_dense(&self, mixed: u32) -> bool {
        8 * (self.ascii + self.quiet) < mixed * self.period
    }

    /// Whether the groups were enough to ask [`next`](Groups::next).
    #[inline(always)]
    pub(in crate::kernel) fn are_enough(&self) -> bool {
        self.left == 0
    }

    /// Something better than groups of characters of up to `most` bytes, where the longest of some samples had `longest`, and so
    /// many bytes are left, by whether these groups [are dense](Groups::are_dense).
    #[inline(always)]
    pub(in crate::kernel) fn next(
        &self,
        dense: bool,
        most: usize,
        longest: usize,
        left: usize,
    ) -> Option<Next> {
        let longest = longest.min(most);
        if self.ascii < self.period && !dense && left > FEWEST {
            Some(Next::sections(most))
        } else if self.ascii < self.period / 2 && longest < most {
            Some(Next::groups(longest))
        } else {
            None
        }
    }
}

/// Text that is longer is presumably not in a cache, but in memory, and all that counts is how steadily it is asked for, which the
/// [CPU](crate::kernel::cpu::Model) decides.
///
/// In a cache of the third level of 32 MiB, what is best for memory is slower: HTML 26 GB/s instead of 37 on AMD Zen 4, all text
/// 60 instead of 88 in the mean on Zen 5 (AVX-512).
pub(in crate::kernel) const FAR: usize = 8 << 20;

/// Where text from memory is read at several places [in turns](super::turns), from so many bytes on. (Text of 8 to 16 MiB that was just
/// written is often in the third level of cache, where validation like that takes up to twice as long.)
#[cfg_attr(not(target_feature = "sse2"), allow(dead_code, reason = "no other CPU is known to gain by it"))]
pub(in crate::kernel) const STREAMED: usize = 2 * FAR;

/// How far ahead text from memory is prefetched: as much as arrives while a line is on its way. AMD Zen 5, AVX-512, GB/s: by
/// nothing or 1 KiB 34, 4 KiB 41, 8 KiB 47, 16 KiB 51, and no more by 24 or 32; into the first level of cache or the second makes
/// no difference.
pub(in crate::kernel) const FAR_AHEAD: usize = 256 * LINE;

/// By how many lines too much sections may have had to judge, added up, before groups follow: a section with fewer
/// lines than the [bound](Bounds::dense) takes from the sum. (A sum, and not a mean: one dense section says little,
/// but a hundred that have a few lines too many cost as much. With 24 instead of 40, German handbooks lost 2 to 8 %,
/// and with a mean of the last sections as much.)
const ENOUGH: u32 = 40;

/// The first section of a text from so many bytes on has a quarter of the lines, and the next one a half. If there is an error in the first
/// KiB, less has been detected and judged in vain: at 350 to 1050 bytes of 64 KiB it is found 1.4 times as early, at 1000 to 3000 bytes
/// 1.3 times, and text without one takes as long (AVX-512, AMD Zen 4). With an eighth at first it took 1.02 times as long.
const GROWING: usize = 4 * SECTION;
const FIRST: u32 = 3;

/// What a section with a character of four bytes counts, against those without, and the most that is counted. (A
/// section that its level refuses is judged twice, which costs four times as much as a level that is too high.)
const FOUR: u32 = 4;
const MOST_FOURS: u32 = 4 * FOUR;

/// What the last sections were.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sections {
    /// By how much too many lines had to be judged.
    excess: u32,
    /// How many had characters of four bytes, the last ones more than those before.
    fours: u32,
    quiet: u32,
    /// How often the section to be judged would have to be doubled to have 64 lines; and the one that was detected.
    judged: u32,
    growth: u32,
}

impl Sections {
    /// None yet, of `src` from `at` on; `four`, if the first presumably has characters of four bytes. (If it has them and that was not
    /// known, the next presumably has them as well, so it counts more than one later on: HTML of 16 KiB is 1.1 times
    /// as fast with AVX2.)
    #[inline(always)]
    pub(in crate::kernel) fn new(four: bool, src: &[u8], at: usize) -> Sections {
        let growth = if at < SECTION && src.len() > GROWING { FIRST } else { 0 };
        Sections { excess: ENOUGH / 2, fours: if four { MOST_FOURS } else { 1 }, quiet: 0, judged: 0, growth }
    }

    /// The lines of the next section, which begins so many bytes before the end of the text. It is detected before the last is judged.
    #[inline(always)]
    pub(in crate::kernel) fn lines(&mut self, left: usize) -> usize {
        self.judged = self.growth;
        self.growth = self.growth.saturating_sub(1);
        lines_of_section(left).min(64 >> self.growth)
    }

    /// The longest character of a section had so many bytes, as far as is known. (A rare emoji should cost one section, and not the level.)
    #[inline(always)]
    pub(in crate::kernel) fn had(&mut self, longest: usize) {
        self.fours =
            if longest > 3 { (self.fours + FOUR).min(MOST_FOURS) } else { self.fours.saturating_sub(1) };
    }

    /// Whether the next presumably has characters of four bytes, if it has from this count on.
    #[inline(always)]
    pub(in crate::kernel) fn have_four(&self, from: u32) -> bool {
        self.fours >= from
    }

    /// Whether groups would be faster, after a section in which these lines were judged: if too many were, or none in two. (One
    /// such line in a long run of ASCII should not cost the sections: that made Rust sources slower by a tenth.) A section that has grown to
    /// a half or a quarter counts as a whole one: a list of Polish words of 64 KiB lost 5 % otherwise (AVX-512, AMD Zen 4).
    #[inline(always)]
    pub(in crate::kernel) fn uniform(&mut self, bounds: Bounds, judged: u64) -> bool {
        self.excess = (self.excess + (judged.count_ones() << self.judged)).saturating_sub(bounds.dense);
        self.quiet = if judged == 0 { self.quiet + u32::from(self.judged == 0) } else { 0 };
        // (Without a branch, here and where it is asked, each program is 200 bytes smaller.)
        self.are_dense() | (self.quiet == 2)
    }

    /// Whether so many lines must be judged that groups would be faster.
    #[inline(always)]
    pub(in crate::kernel) fn are_dense(&self) -> bool {
        self.excess >= ENOUGH
    }
}
