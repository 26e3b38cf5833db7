//! UTF-8 with every ill-formed sequence replaced by U+FFFD, in blocks of 64 bytes without a branch for
//! an error: text in which errors are dense takes no longer than text in which they are not.
//!
//! A block that begins at a character boundary is judged by masks, one bit for each byte. Which bytes
//! are leads of two, three and four, and which are continuation bytes, is found by comparisons; whether
//! a continuation byte stands where a lead allows it follows from shifts of these masks against each
//! other; and a lead is complete if the last of its bytes is such a one. What remains is either the first
//! byte of a maximal subpart, which becomes the three bytes of U+FFFD, or one of its other bytes, which
//! goes. ([`judge`] is Table 3-7 once more, in another form; the tests hold it to the machine.)
//!
//! Writing such a block is a matter of the instruction set: `avx512/replace_utf8.rs` gives each byte three
//! slots and compresses, `generic/replace_utf8.rs` looks up a shuffle for each four bytes.
//!
//! What was there before, a loop over std's chunks, ran at 0.3 GB/s on text in which every second
//! character was bad, for each error is a surprise to the branch predictor.

/// What became of a stretch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced {
    /// Bytes that are done with: up to a character boundary, or to the end of a maximal subpart.
    pub read: usize,
    /// Bytes that were written.
    pub written: usize,
    /// How many U+FFFD are among them.
    pub replaced: usize,
    /// Which byte the first of them stands for; meaningless if there is none.
    pub first: usize,
}

impl Replaced {
    /// Nothing yet.
    pub(in crate::kernel) const NOTHING: Replaced = Replaced { read: 0, written: 0, replaced: 0, first: 0 };

    /// Takes note of a block of which `verdict` has been executed, and `written` bytes came out.
    #[inline(always)]
    pub(in crate::kernel) fn note(&mut self, verdict: &Verdict, written: usize) {
        if self.replaced == 0 {
            self.first = self.read + verdict.begins.trailing_zeros() as usize;
        }
        self.replaced += verdict.begins.count_ones() as usize;
        self.read += verdict.taken;
        self.written += written;
    }
}

/// A stretch of UTF-8 and where it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplaceUtf8 {
    /// The first byte.
    pub src: *const u8,
    /// How many there are.
    pub len: usize,
    /// Where the first byte of the output goes.
    pub dst: *mut u8,
    /// For how many bytes there is room.
    pub room: usize,
    /// Whether each byte of a maximal subpart is replaced by itself.
    pub each_byte: bool,
}

impl ReplaceUtf8 {
    /// What becomes of it without vectors: nothing.
    #[inline]
    pub(in crate::kernel) fn untouched(self) -> Replaced {
        Replaced::NOTHING
    }
}

/// Bytes of a block.
pub(in crate::kernel) const BLOCK: usize = 64;

/// Bytes of room without which no block is begun: it may become three times as long, and is written in
/// pieces of up to a register.
pub(in crate::kernel) const ROOM: usize = 256;

/// Blocks in succession without an error after which others can go on faster.
pub(in crate::kernel) const QUIET: usize = 6;

/// The bytes of a block that are not ASCII, by what they may be: a bit for each, the first the lowest.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Kinds {
    /// All of them.
    pub high: u64,
    /// Continuation bytes: 80..BF.
    pub tail: u64,
    /// Leads: C2..F4.
    pub leads: u64,
    /// Leads of three or four bytes: E0..F4.
    pub leads34: u64,
    /// Leads of four bytes: F0..F4.
    pub leads4: u64,
    /// Continuation bytes that are out of the range for the lead before them: behind E0, ED, F0, F4.
    pub out_of_range: u64,
}

/// Errors in a block up to which they are gone to one by one.
pub(in crate::kernel) const FEW: u32 = 3;

/// What is to be done with a block.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Verdict {
    /// The bytes that become U+FFFD.
    pub begins: u64,
    /// The bytes that go, those behind `taken` included.
    pub dropped: u64,
    /// How many bytes are done with.
    pub taken: usize,
}

impl Verdict {
    /// Writes a block with few errors, of which there is at least one: what is between them is copied, a
    /// whole block each time. Returns how many bytes that are.
    ///
    /// # Safety
    /// `copy` must write a block of bytes from the place in this one that it is given; there must be
    /// [`ROOM`] at `to`.
    #[inline(always)]
    pub(in crate::kernel) unsafe fn write_few(
        &self,
        mut copy: impl FnMut(usize, *mut u8),
        to: *mut u8,
    ) -> usize {
        let (mut from, mut written) = (0, 0);
        let mut begins = self.begins;
        while begins != 0 {
            let at = begins.trailing_zeros() as usize;
            begins &= begins - 1;
            // SAFETY: the caller's promise: a block and three bytes for each of few errors.
            unsafe {
                copy(from, to.add(written));
                written += at - from;
                to.add(written).cast::<[u8; 4]>().write([0xEF, 0xBF, 0xBD, 0]);
            }
            written += 3;
            // Behind the error, and behind what goes with it.
            let behind = !(self.dropped >> at >> 1);
            from = at + 1 + behind.trailing_zeros() as usize;
        }
        if from < self.taken {
            // SAFETY: as above.
            copy(from, unsafe { to.add(written) });
            written += self.taken - from;
        }
        written
    }
}

/// Judges the first `len` bytes of a block, all of it if they are not the `last` ones; then a character
/// that is cut by its end is not taken.
#[inline(always)]
pub(in crate::kernel) fn judge(kinds: Kinds, len: usize, last: bool, each_byte: bool) -> Verdict {
    let Kinds { high, tail, leads, leads34, leads4, out_of_range } = kinds;
    // Second, third and fourth bytes where they belong.
    let second = leads << 1 & tail & !out_of_range;
    let third = leads34 << 2 & second << 1 & tail;
    let fourth = leads4 << 3 & third << 1 & tail;
    let complete =
        (leads & !leads34 & second >> 1) | (leads34 & !leads4 & third >> 2) | (leads4 & fourth >> 3);
    let characters = complete | complete << 1 | (complete & leads34) << 2 | (complete & leads4) << 3;
    let behind_lead = second | third | fourth;
    let begins = high & !characters & !behind_lead;
    let dropped = behind_lead & !characters;

    // A lead so close to the end that its character would go on behind it. Whether it does is not asked
    // here: the next block waits for this answer, and may begin at any lead.
    let at = |from_end: usize| 1_u64 << (BLOCK - from_end);
    let open = (leads & at(1)) | (leads34 & at(2)) | (leads4 & at(3));
    let taken = if last || open == 0 { len } else { open.trailing_zeros() as usize };
    let rest = if taken == BLOCK { 0 } else { !0 << taken };
    let (begins, dropped) = if each_byte { (begins | dropped, 0) } else { (begins, dropped) };
    Verdict { begins: begins & !rest, dropped: dropped | rest, taken }
}
