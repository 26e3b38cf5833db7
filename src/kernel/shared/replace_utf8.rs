//! UTF-8 with every ill-formed sequence replaced by U+FFFD, in one pass that validates and copies.
//!
//! # Chunks
//! A *chunk* of four registers is loaded, stored, and then judged: as ASCII, or as UTF-8 by the test of the validation, which looks
//! back at the three bytes before each byte and needs nothing else. As long as there is no error, the output is the copy that has
//! been stored. Whether a chunk is first tested for ASCII alone depends on the chunks before it ([`Adaptive`]), and on whether a
//! character may be open before it. If a chunk that should be ASCII is not, the text is judged as UTF-8 from the first byte that is
//! not ASCII.
//!
//! # Bytes by themselves
//! After ASCII no character is open. So if the next byte cannot begin a sequence (80 to C1 and F5 to FF), it is a maximal subpart by
//! itself whatever follows it: it is replaced without looking at anything else, and the next chunk begins right after it. Most errors in
//! text that is mostly ASCII are of this kind.
//!
//! # Windows
//! At any other error, and where errors are dense, a *window* of 64 bytes is placed so that the first byte that breaks a rule is
//! its fourth: no sequence begins more than three bytes before that byte. Within it every byte is classified by masks, one bit for
//! each. A character is complete if the last of its continuation bytes is one and is where it belongs. Every other byte above 7F is
//! either the first byte of a maximal subpart, which becomes the three bytes of U+FFFD, or one of its other bytes, which is
//! dropped. ([`plan`] is Table 3-7 once more, in another form; the tests compare it with the codec.)
//!
//! The last three bytes of a window only serve as lookahead. So what follows begins 61 bytes after the start of the window, *whatever the
//! verdict*: the next chunk is loaded and judged in the meantime, and only its stores wait. It looks back at three bytes of the window as
//! they were read, which is right unless one of them was replaced. In that case the next window begins at the character boundary that the
//! verdict yields. If errors are neither rare nor dense, blocks of 64 bytes replace the chunks. If they are dense, windows follow each
//! other at a distance that does not depend on any verdict ([`dense`]).
//!
//! How a window with many errors is written depends on the instruction set: `avx512/replace_utf8.rs` gives each byte three slots and
//! compresses, `generic/replace_utf8.rs` looks up a shuffle for each four bytes.
//!
//! # Text without errors
//! Unless it is ASCII, such text is left to the caller after 4 KiB, who validates and copies it. The validation has cheaper tests for
//! characters of two and three bytes, and skips ASCII without a branch: with vectors of 16 and 32 bytes, a chunk takes up to twice as
//! long here as there.
//!
//! # Policies with more to write
//! [`survey`] examines only the first window of a text, for policies that write something other than U+FFFD, or that divide
//! ill-formed bytes in another way: it tells them where the ill-formed sequences are, without a branch for each.
//!
//! # Figures
//! AMD Zen 4 (AVX-512), 160 KiB into a slice, ns per KiB: this code; its predecessor, which validated and copied until an error and
//! then replaced block by block until some blocks were well-formed; encoding_rs. After the semicolon, from a separate run: this code
//! with AVX2.
//!
//! | errors | German | log (ASCII) | Russian | Chinese |
//! |---|---|---|---|---|
//! | none | 36, 34, 41; 39 | 18, 27, 27; 19 | 37, 36, 76; 37 | 45, 44, 76; 56 |
//! | each 1021 bytes | 62, 99, 64; 65 | 37, 58, 48; 40 | 68, 192, 164; 84 | 67, 201, 160; 87 |
//! | 1 to 2042 bytes apart | 62, 84, 63; 65 | 37, 64, 48; 38 | 72, 166, 142; 96 | 71, 169, 151; 86 |
//! | each 200 bytes | 158, 124, 148; 168 | 145, 96, 129; 135 | 178, 200, 296; 208 | 179, 214, 368; 210 |
//! | each 64 bytes | 225, 210, 380; 232 | 222, 208, 371; 215 | 273, 250, 1623; 313 | 294, 313, 1255; 329 |
//!
//! AMD EPYC (Zen 5), 160 KiB into a `String`, GB/s: the best of std, encoding_rs and bstr; this code with AVX-512, before bytes by
//! themselves were replaced without a window and before a chunk that turned out not to be ASCII was judged as text from there on;
//! this code now.
//!
//! | errors | log (ASCII) | Rust sources | English | German | tweets | Hindi |
//! |---|---|---|---|---|---|---|
//! | each 1021 bytes | 40, 43, 61 | 36, 39, 54 | 30, 27, 29 | 23, 25, 25 | 18, 25, 27 | 9.7, 22, 23 |
//! | each 200 bytes | 20, 8.7, 25 | 19, 8.8, 22 | 15, 8.4, 13 | 12, 8.3, 8.8 | 7.2, 8.0, 9.1 | 4.2, 6.7, 6.4 |
//! | each 64 bytes | 7.8, 6.3, 8.2 | 7.5, 6.3, 7.8 | 6.3, 5.7, 5.7 | 5.4, 5.1, 4.9 | 2.9, 5.6, 5.1 | 1.2, 3.6, 3.5 |
//! | each 17 bytes | 2.9, 4.3, 4.2 | 2.7, 4.3, 4.1 | 2.5, 4.1, 4.0 | 2.2, 4.0, 3.7 | 2.0, 4.1, 3.9 | 1.1, 3.8, 3.6 |
//!
//! (The last two rows have changed since: [`dense`].)
//!
//! With AVX2 the log with an error each 200 bytes went from 8.6 to 25, with SSE4.2 from 7.6 to 22.
//!
//! # What did not help
//! - Replacing bytes by themselves without a window where they are dense: half the speed with an error each 17 bytes, as each has
//!   to be found before the next chunk can begin. Doing so in text that is judged as UTF-8, after an error within the 195 bytes
//!   before, did not help either.
//! - Writing a window with two or three errors by compression, as is done with more errors (AVX-512): a tenth slower with an error
//!   each 32 bytes, 4 % faster with random gaps.
//! - A fixed number of turns for the errors of a window, to save the misprediction: half as slow again if there is one error.
//! - Selecting the length of a window's output without a branch between the common case (one byte is replaced) and the others: 20 %
//!   slower on ASCII with an error in each KiB, since all stores wait for it.
//! - Selecting the end of a window without a branch: what follows then waits for the verdict, which took a third longer.
//! - Computing the masks of all registers of an ASCII chunk before the branch: 3 ns less per error, but 3 ns more per KiB in the
//!   first-level cache.
//! - Windows one after the other, without blocks between them, if there is an error each 200 bytes: a third slower.
//! - If errors are dense, writing windows with one error and with none in the same way, without a branch: 2 to 8 % slower with an error
//!   each 64 and 200 bytes.
//! - With an error each 200 bytes, not using the windows for dense errors for text that has few characters other than ASCII: AVX-512 is
//!   as slow on German and tweets as with these windows (8.7 GB/s; 9.2 before there were such windows), and 4 % slower on Polish words.
//! - Deciding whether errors are dense only after a window that has errors, or putting the loops for rare errors into a function that
//!   makes no calls, so that its constants stay in registers: up to 3 % faster with an error in each KiB of text other than ASCII, but as
//!   much slower on a log with an error each 64 and 200 bytes. The order of the machine code seems to make as much of a difference.

mod dense;

pub(in crate::kernel) use dense::replace_dense;

use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::opaque::opaque;

/// The result of a replacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced {
    /// Bytes read, up to a character boundary or to the end of a maximal subpart.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// How many U+FFFD were written.
    pub replaced: usize,
    /// The offset of the first byte replaced; meaningless if there is none.
    pub first: usize,
}

impl Replaced {
    /// Before the first block.
    pub(in crate::kernel) const NOTHING: Replaced = Replaced { read: 0, written: 0, replaced: 0, first: 0 };
}

/// The UTF-8 to read, and where the output goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplaceUtf8 {
    /// The first byte.
    pub src: *const u8,
    /// How many there are.
    pub len: usize,
    /// Where the first byte of the output goes.
    pub dst: *mut u8,
    /// How many bytes of output fit.
    pub room: usize,
    /// Whether each byte of a maximal subpart is replaced by a U+FFFD of its own.
    pub each_byte: bool,
}

impl ReplaceUtf8 {
    /// The result without vectors: nothing was read.
    #[inline]
    pub(in crate::kernel) fn unsupported(self) -> Replaced {
        Replaced::NOTHING
    }
}

/// Bytes of a block, and of a window.
pub(in crate::kernel) const BLOCK: usize = 64;

/// Bytes of room required for a window with errors: it may become three times as long, and is written in pieces of up to a register.
pub(crate) const ROOM: usize = 256;

/// Bytes that must be readable at a window: it is looked one byte ahead, and copied in pieces that begin within it.
const REACH: usize = 2 * BLOCK + 1;

/// How far a window reaches back to bytes that are written already: to the lead byte of the longest sequence.
pub(in crate::kernel) const BACK: usize = 3;

/// Bytes that a window replaces: characters that begin there end within the window.
const WIDTH: usize = BLOCK - BACK;

/// What an instruction set provides.
///
/// # Safety
/// All functions need the instruction set, and addresses at which as many bytes are readable and writable as they say.
pub(in crate::kernel) trait Blocks {
    /// Bytes of a chunk, some blocks.
    const CHUNK: usize;

    /// Whether few errors of a window among dense ones are cheaper written one by one.
    const FEW_ONE_BY_ONE: bool;

    /// Copies a chunk; returns the index of the first byte that is not ASCII, if there is one.
    unsafe fn copy_ascii(from: *const u8, to: *mut u8) -> Option<usize>;

    /// Copies a chunk. The three bytes before it are readable, and well-formed but for the end.
    unsafe fn copy_text(from: *const u8, to: *mut u8) -> Chunk;

    /// Copies a block as it is.
    unsafe fn copy_block(from: *const u8, to: *mut u8);

    /// Copies so many bytes, up to a block; returns whether they are ASCII.
    unsafe fn copy_part(from: *const u8, to: *mut u8, len: usize) -> bool;

    /// Copies a block. Returns whether it is well-formed but for the end, and so are the three bytes before it, which are readable;
    /// or, if `ascii`, whether all of them are ASCII.
    unsafe fn copy_well_formed(from: *const u8, to: *mut u8, ascii: bool) -> bool;

    /// Fills `end` with so many bytes, up to two blocks.
    unsafe fn stage(from: *const u8, len: usize, end: &mut End);

    /// The classes of a block, behind which one more byte is readable.
    unsafe fn masks(from: *const u8) -> ByteMasks;

    /// The same for what is left of a text, less than [`REACH`] bytes. It may use `end`.
    unsafe fn masks_near_end(from: *const u8, left: usize, end: &mut End) -> ByteMasks;

    /// Writes a block by a plan, where there is [`ROOM`].
    unsafe fn write(from: *const u8, plan: &Plan, to: *mut u8);

    /// Calls [`replace_dense`], in a function of its own where the loops around it are slower otherwise.
    unsafe fn replace_dense(input: ReplaceUtf8, done: Replaced) -> (Replaced, bool);
}

/// What a chunk is.
#[derive(Clone, Copy)]
pub(in crate::kernel) enum Chunk {
    /// It is ASCII, and no character is open before it.
    Ascii,
    /// There is no error in it, except that the last character may be incomplete.
    WellFormed,
    /// This is the index of the first byte that breaks a rule.
    IllFormed(usize),
}

/// A copy of the end of the text, with zeros behind it: more than [`REACH`].
#[repr(align(64))]
pub(in crate::kernel) struct End(pub [u8; 3 * BLOCK]);

/// The index of the lowest bit of four masks, which follow each other; 256 if there is none. (Without branches: which mask it
/// is cannot be predicted.)
#[inline(always)]
pub(in crate::kernel) fn first_of(masks: [u64; 4]) -> usize {
    let [a, b, c, d] = masks;
    let index = |at: u32, mask: u64| at + mask.trailing_zeros();
    let late = if c == 0 { index(192, d) } else { index(128, c) };
    let early = if a == 0 { index(64, b) } else { index(0, a) };
    (if a | b == 0 { late } else { early }) as usize
}

/// The classes of the bytes of a block that are not ASCII: a bit for each byte, the first the lowest.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct ByteMasks {
    /// All of them.
    pub high: u64,
    /// Continuation bytes: 80..BF.
    pub tail: u64,
    /// Continuation bytes that the lead byte before them allows.
    pub second: u64,
    /// E0..FF
    pub threes: u64,
    /// F0..FF
    pub fours: u64,
}

/// What the bytes of a block are, but for those of sequences that begin before it or end behind it: a bit for each.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Classes {
    /// The lead bytes of whole characters.
    pub complete: u64,
    /// All bytes of these.
    pub characters: u64,
    /// Continuation bytes where they belong, of whole characters or not.
    pub behind_lead: u64,
}

impl ByteMasks {
    /// Joins bytes to sequences.
    #[inline(always)]
    pub(in crate::kernel) fn classes(&self) -> Classes {
        let ByteMasks { tail, second, threes, fours, .. } = *self;
        // Third and fourth bytes where they belong.
        let third = threes << 2 & second << 1 & tail;
        let fourth = fours << 3 & third << 1 & tail;
        let complete = (second >> 1 & !threes) | (threes & !fours & third >> 2) | (fours & fourth >> 3);
        let characters = complete | complete << 1 | (complete & threes) << 2 | (complete & fours) << 3;
        Classes { complete, characters, behind_lead: second | third | fourth }
    }
}

/// The most errors in a window that are handled one by one.
const FEW: u32 = 3;

/// How a window is written.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Plan {
    /// The bytes that become U+FFFD.
    pub begins: u64,
    /// The bytes that are dropped, including those after `taken`.
    pub dropped: u64,
    /// How many bytes of the window are read.
    pub taken: usize,
    /// Whether the last three of these are as they were: then what follows can be judged by looking back at them. Otherwise the
    /// window ends at a character boundary.
    pub joined: bool,
}

impl Plan {
    /// Whether just the byte is replaced that the window was placed for.
    #[inline(always)]
    fn is_alone(&self) -> bool {
        self.begins == 1 << BACK && self.joined && self.dropped == !0 << WIDTH
    }

    /// Writes a window in which just that byte is replaced; returns the number of bytes.
    ///
    /// # Safety
    /// As for [`write_few`](Plan::write_few).
    #[inline(always)]
    unsafe fn write_alone<B: Blocks>(from: *const u8, to: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            B::copy_block(from, to);
            to.add(BACK).cast::<[u8; 4]>().write([0xEF, 0xBF, 0xBD, 0]);
            B::copy_block(from.add(BACK + 1), to.add(BACK + 3));
        }
        WIDTH + 2
    }

    /// The number of bytes that a window becomes.
    #[inline(always)]
    fn written(&self) -> usize {
        let count = |mask: u64| mask.count_ones() as usize;
        BLOCK + 2 * count(self.begins) - count(self.dropped)
    }

    /// Writes a window with few errors, but at least one: the bytes between them are copied, a whole block each time.
    ///
    /// # Safety
    /// [`REACH`] bytes must be readable, and [`ROOM`] bytes writable.
    #[inline(always)]
    unsafe fn write_few<B: Blocks>(&self, from: *const u8, mut to: *mut u8) {
        // SAFETY: the caller's promise: a block and three bytes for each of few errors.
        unsafe {
            B::copy_block(from, to);
            let mut read = 0;
            let mut begins = self.begins;
            while begins != 0 {
                let at = begins.trailing_zeros() as usize;
                begins &= begins - 1;
                to = to.add(at - read);
                to.cast::<[u8; 4]>().write([0xEF, 0xBF, 0xBD, 0]);
                to = to.add(3);
                // After the error, and after the bytes dropped with it.
                let after = !(self.dropped >> at >> 1);
                read = at + 1 + after.trailing_zeros() as usize;
                B::copy_block(from.add(read), to);
            }
        }
    }
}

/// Plans a window. The bytes of `known` are not replaced if they are continuation bytes: then they belong to a character that
/// begins before the window. Of a text's last window `last` is the number of its bytes. If `whole`, the window ends at a character
/// boundary in any case.
#[inline(always)]
fn plan(masks: ByteMasks, known: u64, last: Option<usize>, each_byte: bool, whole: bool) -> Plan {
    let ByteMasks { high, tail, threes, fours, .. } = masks;
    let Classes { characters, behind_lead, .. } = masks.classes();
    let mut begins = high & !characters & !behind_lead & !(tail & known);
    let mut dropped = behind_lead & !characters;
    if each_byte {
        begins |= dropped;
        dropped = 0;
    }
    let joined = (begins | dropped) >> (WIDTH - BACK) & ((1 << BACK) - 1) == 0;
    let (taken, joined) = match last {
        Some(len) => (len, false),
        None if joined && !whole => (WIDTH, true),
        None => {
            // Lead bytes so close to the end that their character would extend past it. (Opaque, so that there is a branch. Selected
            // without one, the next window would have to wait for this one's verdict.)
            let at = |from_end: usize| 1 << (BLOCK - from_end);
            let open = opaque((high & !tail & at(1)) | (threes & at(2)) | (fours & at(3)));
            (open.trailing_zeros() as usize, false)
        }
    };
    let rest = if taken == BLOCK { 0 } else { !0 << taken };
    Plan { begins: begins & !rest, dropped: dropped | rest, taken, joined }
}

/// What is ill-formed at the start of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survey {
    /// How many bytes it is about: up to a block, to a character boundary or to the end of a maximal subpart.
    pub len: usize,
    /// The first bytes of maximal subparts: a bit for each byte of these, the first the lowest.
    pub begins: u64,
    /// The other bytes of maximal subparts.
    pub others: u64,
}

/// What is ill-formed in the first window of a text. For policies that have more to write than a U+FFFD, in text with dense errors: the
/// masks find them with no branch for each.
///
/// # Safety
/// `len` bytes must be readable; and the instruction set of `B` is required.
#[inline(always)]
pub(in crate::kernel) unsafe fn survey<B: Blocks>(src: *const u8, len: usize) -> Survey {
    // SAFETY: the caller's promise.
    let masks = unsafe {
        if len >= REACH { B::masks(src) } else { B::masks_near_end(src, len, &mut End([0; 3 * BLOCK])) }
    };
    let plan = plan(masks, 0, (len <= BLOCK).then_some(len), false, true);
    let rest = if plan.taken == BLOCK { 0 } else { !0 << plan.taken };
    Survey { len: plan.taken, begins: plan.begins, others: plan.dropped & !rest }
}

/// Which of the two loops over chunks is the faster.
#[derive(Clone, Copy)]
struct Adaptive {
    /// Whether chunks are expected to be ASCII.
    ascii: bool,
    /// From 0, for ASCII, to [`MOST`](Adaptive::MOST).
    level: u32,
}

impl Adaptive {
    const MOST: u32 = 12;
    const STEP: u32 = 6;

    #[inline(always)]
    fn new(ascii: bool) -> Adaptive {
        Adaptive { ascii, level: if ascii { 0 } else { Adaptive::MOST } }
    }

    /// A chunk or a window was ASCII.
    #[inline(always)]
    fn saw_ascii(&mut self) {
        self.level = self.level.saturating_sub(1);
        self.ascii |= self.level == 0;
    }

    /// A chunk or a window had well-formed characters of other kinds.
    #[inline(always)]
    fn saw_others(&mut self) {
        self.level = (self.level + if self.ascii { Adaptive::STEP } else { 1 }).min(Adaptive::MOST);
        self.ascii &= self.level < Adaptive::MOST;
    }
}

/// Bytes from one error to the next below which windows are cheaper than chunks.
const NEAR: usize = 195;

/// Bytes from one byte replaced by itself to the next below which windows are cheaper than chunks.
const NEAR_LONE: usize = 40;

/// Bytes without an error after which text other than ASCII is left to others: to validate it, then copy it, is faster if it is long.
const LONG: usize = 4096;

/// So many bytes are not left to others.
const LEAST_LEFT: usize = 1024;

/// Windows in succession with errors after which errors are dense.
const DENSE: u32 = 2;

/// In ASCII they are so only if the last one came within so many bytes: each 200 bytes, blocks between windows cost less there.
const CLOSE: usize = 128;

/// Windows without an error after which chunks are tried again.
const QUIET: usize = 5;

/// Copies the text with its ill-formed sequences replaced, until its end; or until there is less than [`ROOM`], or it has been
/// well-formed for long.
///
/// # Safety
/// The input must be readable, the output writable, and they must not overlap; and the instruction set of `B` is required.
#[inline(always)]
pub(in crate::kernel) unsafe fn replace<B: Blocks>(input: ReplaceUtf8) -> Replaced {
    let ReplaceUtf8 { src, len, dst, room, each_byte } = input;
    let mut done = Replaced::NOTHING;
    // Whether the three bytes before are well-formed but for the end, and were copied.
    let mut joined = false;
    let mut adaptive = Adaptive::new(true);
    // Whether the next chunk is first judged as ASCII: only if no character is open before it.
    let mut ascii = true;
    // Chunks since an error.
    let mut quiet = LONG / B::CHUNK;
    // The ends of the last window and of the last error, how many errors in succession were near the one before, windows to come, and
    // how many of the last had errors.
    let (mut behind_window, mut behind_error, mut near, mut windows, mut bad) = (0, 0, 0, 0, 0);
    // Whether the last error of a window was close behind the one before.
    let mut close = false;
    let mut end = End([0; 3 * BLOCK]);
    while done.read < len {
        let (left, space) = (len - done.read, room - done.written);
        if bad >= DENSE && (close || !adaptive.ascii) && left >= REACH && space >= ROOM {
            // SAFETY: there is a window, room for it, and more than one was read before it.
            let others = unsafe {
                let (passed, others) = B::replace_dense(input, done);
                done = passed;
                others
            };
            if others {
                adaptive.saw_others();
            } else {
                adaptive.saw_ascii();
            }
            (joined, ascii) = (false, adaptive.ascii);
            (bad, quiet, near, windows) = (0, 0, 0, 0);
            (behind_window, behind_error) = (done.read, done.read);
            continue;
        }
        // Where a window begins.
        let mut begin = if joined { done.read - BACK } else { done.read };
        if windows == 0 && (joined || ascii) && left > B::CHUNK && space >= B::CHUNK {
            let mut chunks = (left - 1).min(space) / B::CHUNK;
            let (quick, before) = (adaptive.ascii, done.read);
            if !quick && quiet < LONG / B::CHUNK {
                chunks = chunks.min(LONG / B::CHUNK - quiet);
            } else if !quick && left > LEAST_LEFT {
                break;
            }
            // SAFETY: so many chunks are left, and room for them. The first is expected to be ASCII if it begins at a boundary.
            let found = unsafe { copy_chunks::<B>(src, dst, chunks, &mut done, &mut adaptive, &mut ascii) };
            joined |= done.read > before;
            quiet += if quick { 0 } else { (done.read - before) / B::CHUNK };
            bad = 0;
            let Some(index) = found else { continue };
            // Nothing is open behind ASCII. (In text judged as such, only the byte before says so. There a window for each of several
            // errors costs less.)
            let closed = if ascii {
                !joined || index > 0
            } else {
                // SAFETY: text begins behind bytes that were read.
                let before = unsafe { src.add(done.read + index).sub(1).read() };
                before.is_ascii() && done.read + index >= behind_error + NEAR
            };
            // SAFETY: that byte was copied with its chunk.
            if closed && unsafe { replace_lone(src, dst, room, index, &mut done) } {
                (joined, ascii, quiet) = (false, true, 0);
                near = if done.read < behind_error + NEAR_LONE { near + 1 } else { 0 };
                if near >= 2 {
                    windows = QUIET;
                }
                behind_error = done.read;
                continue;
            }
            if ascii && (joined || index >= BACK) {
                // So many bytes of ASCII. What follows is text.
                done.read += index;
                done.written += index;
                (joined, ascii) = (true, false);
                continue;
            }
            begin = if joined { done.read + index - BACK } else { done.read };
            near = if begin < behind_window + NEAR { near + 1 } else { 0 };
            if near >= 2 {
                windows = QUIET;
            }
        } else if joined && bad < 2 && left > BLOCK && space >= BLOCK {
            let most = (left - 1).min(space) / BLOCK;
            let blocks = if windows == 0 { most } else { most.min(windows) };
            // SAFETY: so many blocks are left, and room for them; and three bytes are before each.
            let copied = unsafe {
                let (from, to) = (src.add(done.read), dst.add(done.written));
                let copy = |block: usize| {
                    let at = block * BLOCK;
                    B::copy_well_formed(from.add(at), to.add(at), adaptive.ascii)
                };
                let mut copied = 0;
                while copied < blocks && copy(copied) {
                    copied += 1;
                }
                copied
            };
            done.read += copied * BLOCK;
            done.written += copied * BLOCK;
            windows = windows.saturating_sub(copied);
            ascii = adaptive.ascii;
            if copied == blocks {
                continue;
            }
            begin = done.read - BACK;
        }

        // SAFETY: `begin` is within the text, behind or up to three bytes before `read`, which were copied.
        let (from, to) = unsafe { (src.add(begin), dst.add(done.written + begin - done.read)) };
        let (left, space) = (len - begin, room - (done.written + begin - done.read));
        // SAFETY: there are as many bytes left, and it is as much room, as the conditions say.
        unsafe {
            if left <= BLOCK && space >= left && adaptive.ascii && B::copy_part(from, to, left) {
                done.written = done.written + begin + left - done.read;
                done.read = len;
                joined = false;
                break;
            }
            let near_end = left < REACH;
            let masks = if near_end { B::masks_near_end(from, left, &mut end) } else { B::masks(from) };
            let known = if joined { (1 << BACK) - 1 } else { 0 };
            let plan = plan(masks, known, (left <= BLOCK).then_some(left), each_byte, bad >= DENSE);
            if masks.high & !(plan.begins | plan.dropped) == 0 {
                adaptive.saw_ascii();
            } else if done.read == 0 {
                adaptive = Adaptive::new(false);
            } else {
                adaptive.saw_others();
            }
            let written = if plan.begins == 0 {
                windows = windows.saturating_sub(1);
                bad = 0;
                if space >= BLOCK && !near_end {
                    B::copy_block(from, to);
                } else if space >= plan.taken {
                    B::copy_part(from, to, plan.taken);
                } else {
                    break;
                }
                plan.taken
            } else {
                if windows > 0 {
                    // Where one error is alone in ASCII, chunks are cheaper.
                    let alone = adaptive.ascii && plan.begins.is_power_of_two();
                    windows = if alone { windows - 1 } else { QUIET };
                }
                (bad, quiet) = (bad + 1, 0);
                if space < ROOM {
                    break;
                }
                let from = if near_end {
                    B::stage(from, left.min(2 * BLOCK), &mut end);
                    end.0.as_ptr()
                } else {
                    from
                };
                if plan.is_alone() {
                    // A branch instead of a calculation: what follows need not wait for it.
                    Plan::write_alone::<B>(from, to)
                } else if plan.begins.count_ones() <= FEW {
                    plan.write_few::<B>(from, to);
                    plan.written()
                } else {
                    B::write(from, &plan, to);
                    plan.written()
                }
            };
            done.written = done.written + begin - done.read + written;
            if done.replaced == 0 {
                done.first = begin + plan.begins.trailing_zeros() as usize;
            }
            done.replaced += plan.begins.count_ones() as usize;
            done.read = begin + plan.taken;
            joined = plan.joined;
            ascii = adaptive.ascii;
            behind_window = done.read;
            if plan.begins != 0 {
                close = begin + (plan.begins.trailing_zeros() as usize) < behind_error + CLOSE;
                behind_error = begin + BLOCK - plan.begins.leading_zeros() as usize;
            }
        }
    }
    if joined {
        // Back to a character boundary. (The last window of a text is not joined.)
        // SAFETY: so many bytes are readable.
        let boundary = boundary_before(unsafe { core::slice::from_raw_parts(src, done.read) }, done.read);
        done.written -= done.read - boundary;
        done.read = boundary;
    }
    done
}

/// Behind ASCII that was copied: if the byte there, this many behind what was read, is one that no sequence begins with, then it is a
/// maximal subpart by itself whatever follows, and is replaced. Returns whether it is.
///
/// # Safety
/// The byte must be readable and what was read before it written; `room` bytes must be writable.
#[inline(always)]
unsafe fn replace_lone(src: *const u8, dst: *mut u8, room: usize, index: usize, done: &mut Replaced) -> bool {
    let (at, to) = (done.read + index, done.written + index);
    // SAFETY: the caller's promise.
    let byte = unsafe { src.add(at).read() };
    // 80..C1 and F5..FF: with 0B added the latter are the smallest.
    if byte.wrapping_add(0x0B) >= 0xCD || room - to < 4 {
        return false;
    }
    // SAFETY: there is room for them.
    unsafe { dst.add(to).cast::<[u8; 4]>().write([0xEF, 0xBF, 0xBD, 0]) };
    if done.replaced == 0 {
        done.first = at;
    }
    *done = Replaced { read: at + 1, written: to + 3, replaced: done.replaced + 1, ..*done };
    true
}

/// Copies so many chunks, or those before an error, or before something that one of the loops leaves to others; then returns the
/// index of the first such byte, counted from the end of what was read. `ascii` says whether the next chunk is judged as ASCII.
///
/// # Safety
/// They must be readable and writable from where `done` says. The three bytes before must be well-formed, but for the end; or `ascii`
/// is set, and it is a boundary.
#[inline(always)]
unsafe fn copy_chunks<B: Blocks>(
    src: *const u8,
    dst: *mut u8,
    chunks: usize,
    done: &mut Replaced,
    adaptive: &mut Adaptive,
    ascii: &mut bool,
) -> Option<usize> {
    // SAFETY: what was read and written is within both.
    let (mut from, mut to) = unsafe { (src.add(done.read), dst.add(done.written)) };
    let mut left = chunks;
    let mut found = None;
    while left > 0 {
        // SAFETY: there is a chunk left, and the rest is the caller's promise: a chunk that is passed leaves well-formed text,
        // but for the end.
        unsafe {
            if *ascii {
                found = B::copy_ascii(from, to);
                if found.is_some() {
                    break;
                }
                adaptive.saw_ascii();
                *ascii = adaptive.ascii;
            } else {
                match B::copy_text(from, to) {
                    Chunk::Ascii => {
                        adaptive.saw_ascii();
                        *ascii = adaptive.ascii;
                    }
                    // (Its last character may be open.)
                    Chunk::WellFormed => adaptive.saw_others(),
                    Chunk::IllFormed(index) => {
                        found = Some(index);
                        break;
                    }
                }
            }
            from = from.add(B::CHUNK);
            to = to.add(B::CHUNK);
        }
        left -= 1;
    }
    done.read += (chunks - left) * B::CHUNK;
    done.written += (chunks - left) * B::CHUNK;
    found
}
