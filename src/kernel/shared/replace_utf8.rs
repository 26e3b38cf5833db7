//! UTF-8 with every ill-formed sequence replaced by U+FFFD, in blocks of 64 bytes without a branch for an error: text with dense
//! errors takes no longer than text with few.
//!
//! A block that begins at a character boundary is classified by masks, one bit for each byte. Comparisons find the lead bytes of two,
//! three and four, and the continuation bytes; shifts of these masks against each other find whether a continuation byte stands where
//! a lead byte allows it; and a character is complete if the last of its bytes is such a byte. Every other byte above 7F is either the
//! first byte of a maximal subpart, which becomes the three bytes of U+FFFD, or one of its other bytes, which is dropped.
//! ([`plan_block`] is Table 3-7 once more, in another form; the tests compare it with the codec.)
//!
//! Writing such a block is a matter of the instruction set: `avx512/replace_utf8.rs` gives each byte three slots and compresses,
//! `generic/replace_utf8.rs` looks up a shuffle for each four bytes.
//!
//! The predecessor, a loop over std's chunks, ran at 0.3 GB/s on text in which every second character was ill-formed, because each
//! error mispredicts a branch.

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

    /// Records a block that was written by `plan`, as `written` bytes.
    #[inline(always)]
    pub(in crate::kernel) fn note(&mut self, plan: &BlockPlan, written: usize) {
        if self.replaced == 0 {
            self.first = self.read + plan.begins.trailing_zeros() as usize;
        }
        self.replaced += plan.begins.count_ones() as usize;
        self.read += plan.taken;
        self.written += written;
    }
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

/// Bytes of a block.
pub(in crate::kernel) const BLOCK: usize = 64;

/// Bytes of room required for a block: it may become three times as long, and is written in pieces of up to a register.
pub(in crate::kernel) const ROOM: usize = 256;

/// Successive blocks without an error after which other kernels are faster.
pub(in crate::kernel) const QUIET: usize = 6;

/// The classes of the bytes of a block that are not ASCII: a bit for each byte, the first the lowest.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct ByteMasks {
    /// All of them.
    pub high: u64,
    /// Continuation bytes: 80..BF.
    pub tail: u64,
    /// Lead bytes: C2..F4.
    pub leads: u64,
    /// Lead bytes of three and four: E0..F4.
    pub leads34: u64,
    /// Lead bytes of four: F0..F4.
    pub leads4: u64,
    /// Second bytes out of the range that their lead byte allows: after E0, ED, F0, F4.
    pub out_of_range: u64,
}

/// The most errors in a block that are handled one by one.
pub(in crate::kernel) const FEW: u32 = 3;

/// How a block is written.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct BlockPlan {
    /// The bytes that become U+FFFD.
    pub begins: u64,
    /// The bytes that are dropped, including those after `taken`.
    pub dropped: u64,
    /// How many bytes of the block are read.
    pub taken: usize,
}

impl BlockPlan {
    /// Writes a block with few errors, but at least one: the bytes between them are copied, a whole block each time. Returns the
    /// number of bytes written.
    ///
    /// # Safety
    /// `copy` must write a block of bytes, read from the given offset in this block; [`ROOM`] bytes must be writable at `to`.
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
            // After the error, and after the bytes dropped with it.
            let after = !(self.dropped >> at >> 1);
            from = at + 1 + after.trailing_zeros() as usize;
        }
        if from < self.taken {
            // SAFETY: as above.
            copy(from, unsafe { to.add(written) });
            written += self.taken - from;
        }
        written
    }
}

/// Plans the first `len` bytes of a block. Unless they are the `last` of the text, that is the whole block, and a character that its
/// end cuts off is not read.
#[inline(always)]
pub(in crate::kernel) fn plan_block(masks: ByteMasks, len: usize, last: bool, each_byte: bool) -> BlockPlan {
    let ByteMasks { high, tail, leads, leads34, leads4, out_of_range } = masks;
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

    // Lead bytes so close to the end that their character would extend past it. Whether it does is not tested: the
    // next block waits for this result, and may begin at any lead byte.
    let at = |from_end: usize| 1_u64 << (BLOCK - from_end);
    let open = (leads & at(1)) | (leads34 & at(2)) | (leads4 & at(3));
    let taken = if last || open == 0 { len } else { open.trailing_zeros() as usize };
    let rest = if taken == BLOCK { 0 } else { !0 << taken };
    let (begins, dropped) = if each_byte { (begins | dropped, 0) } else { (begins, dropped) };
    BlockPlan { begins: begins & !rest, dropped: dropped | rest, taken }
}
