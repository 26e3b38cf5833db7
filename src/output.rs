//! The output of a conversion, and the only module that commits a length.
//!
//! A kernel may write anything between the units that it reports as written and the end of the output; so uncommitted memory is
//! `MaybeUninit`, and no `&mut str` is ever handed to a kernel.

#![allow(unsafe_code, reason = "the only place where a length is committed")]

use core::mem::MaybeUninit;

use crate::unicode::{Unit, codec::Units};

/// An output: its memory, and how much of it has been written.
pub(crate) struct OutputCursor<'a, U> {
    dst: &'a mut [MaybeUninit<U>],
    written: usize,
}

impl<'a, U: Unit> OutputCursor<'a, U> {
    pub(crate) fn new(dst: &'a mut [MaybeUninit<U>]) -> Self {
        OutputCursor { dst, written: 0 }
    }

    /// The units written so far, which are initialised.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// The memory that is not written yet.
    pub(crate) fn spare(&mut self) -> &mut [MaybeUninit<U>] {
        &mut self.dst[self.written..]
    }

    /// Commits the first `units` of the spare part as written.
    ///
    /// # Safety
    /// They must be initialised.
    pub(crate) unsafe fn advance(&mut self, units: usize) {
        debug_assert!(units <= self.dst.len() - self.written);
        self.written += units;
    }

    /// What has been written.
    #[inline]
    pub(crate) fn text(&self) -> &[U] {
        let written = &self.dst[..self.written];
        // SAFETY: that many units are initialised, as `advance` demands and the other functions see to; and both types have the same
        // layout.
        unsafe { &*(core::ptr::from_ref(written) as *const [U]) }
    }

    /// Calls `work` with a copy of this cursor, and takes over how much that has written. Where a loop has the copy for itself, the count
    /// stays in a register. Behind a reference it is in memory: each step then waits for the step before to store it, some eight cycles
    /// on Zen 4.
    #[inline(always)]
    pub(crate) fn with_copy<T>(&mut self, work: impl FnOnce(&mut OutputCursor<'_, U>) -> T) -> T {
        let mut copy = OutputCursor { dst: &mut *self.dst, written: self.written };
        let value = work(&mut copy);
        self.written = copy.written;
        value
    }

    /// Takes back what was written since `written` units were.
    #[inline]
    pub(crate) fn rewind(&mut self, written: usize) {
        self.written = self.written.min(written);
    }

    /// Writes the units of one character, all of them or none. (Not inlined into what is loaded over a network, which should be small.)
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn put(&mut self, units: &Units<U>) -> bool {
        self.put_slot([units.number()], units.len())
    }

    /// Writes the first `len` units of a slot, all of them or none; and the others too, where there is room. A slot is a number, of which
    /// the lowest bits are the first unit: as an array it would be written to memory in parts and read back as a whole, for which a CPU
    /// waits until the parts have left the store queue.
    #[inline(always)]
    pub(crate) fn put_slot<const WORDS: usize>(&mut self, slot: [u64; WORDS], len: usize) -> bool {
        let units = const { 8 / size_of::<U>() };
        let unit = |at: usize| U::of((slot[at / units] >> (8 * size_of::<U>() * (at % units))) as u32);
        let room = self.dst.len() - self.written;
        if cfg!(target_endian = "little") && room >= WORDS * units {
            // As words: of a loop over units a compiler makes a store for each of them. (And by a pointer: as a part of the slice its two
            // ends would be compared, which is a sixth of the loop over slots.)
            // SAFETY: no more than `dst.len()` units are ever written, as `advance` demands and the other functions see to. Behind these
            // there are `room` units, which have at least as many bytes as the words, since `units` of them are a word; and any bits are
            // units, which are unsigned integers.
            unsafe { self.dst.as_mut_ptr().add(self.written).cast::<[u64; WORDS]>().write_unaligned(slot) };
            self.written += len.min(WORDS * units);
            return true;
        }
        match self.dst.get_mut(self.written..self.written + WORDS * units) {
            Some(room) => {
                for (at, to) in room.iter_mut().enumerate() {
                    to.write(unit(at));
                }
                self.written += len.min(WORDS * units);
                true
            }
            None => {
                let Some(room) = self.dst.get_mut(self.written..self.written + len) else { return false };
                for (at, to) in room.iter_mut().enumerate() {
                    to.write(unit(at));
                }
                self.written += len;
                true
            }
        }
    }

    /// Writes a slot for each of these pieces, as [`put_slot`](Self::put_slot) does, up to the first that has none, and of no more pieces than
    /// there is room for whole slots; returns for how many. So the room is asked for once, and not for each of them.
    #[inline(always)]
    pub(crate) fn put_slots<P, const WORDS: usize>(
        &mut self,
        pieces: &mut [P],
        mut slot: impl FnMut(&mut P) -> Option<([u64; WORDS], usize)>,
    ) -> usize {
        let units = const { WORDS * (8 / size_of::<U>()) };
        if cfg!(target_endian = "big") {
            return 0;
        }
        let most = pieces.len().min((self.dst.len() - self.written) / units);
        let mut written = self.written;
        let mut count = 0;
        for piece in &mut pieces[..most] {
            let Some((slot, len)) = slot(piece) else { break };
            // SAFETY: behind `self.written` there is room for `most` slots of so many units, and each of those before this one has taken
            // no more than one slot. As in `put_slot`, so many units have as many bytes as the words, and any bits are units.
            unsafe { self.dst.as_mut_ptr().add(written).cast::<[u64; WORDS]>().write_unaligned(slot) };
            written += len.min(units);
            count += 1;
        }
        self.written = written;
        count
    }

    /// Writes the first `len` of these units, all of them or none: a few at once, where more may be read and written.
    #[inline]
    pub(crate) fn push_first(&mut self, units: &[U], len: usize) -> bool {
        const MOST: usize = 32;
        if len <= MOST
            && let Some(from) = units.first_chunk::<MOST>()
            && let Some(to) =
                self.dst.get_mut(self.written..).and_then(|spare| spare.first_chunk_mut::<MOST>())
        {
            *to = from.map(MaybeUninit::new);
            self.written += len;
            return true;
        }
        self.push(&units[..len])
    }

    /// Writes these units, all of them or none.
    #[inline]
    pub(crate) fn push(&mut self, units: &[U]) -> bool {
        let Some(room) = self.dst.get_mut(self.written..self.written + units.len()) else {
            return false;
        };
        for (to, unit) in room.iter_mut().zip(units) {
            to.write(*unit);
        }
        self.written += units.len();
        true
    }
}

/// Initialised memory as memory that is only written to.
#[inline]
pub(crate) fn as_uninit<U: Unit>(dst: &mut [U]) -> &mut [MaybeUninit<U>] {
    // SAFETY: both types have the same layout. Nothing uninitialised is ever written through the result: kernels and
    // `OutputCursor` write initialised units only, and any bit pattern is a unit.
    unsafe { &mut *(core::ptr::from_mut(dst) as *mut [MaybeUninit<U>]) }
}

/// Calls `write` with the spare capacity of `dst`, and extends `dst` by as many units as it returns.
///
/// A kernel may store less than a register by a mask. What that leaves out may be in the next page; and if that page has never been
/// touched, or must not be, the processor finds out only in microcode that nothing is stored there, which takes 80 ns, each time. The last
/// object of a heap is at such a place, and a string that is made and dropped again and again is that object each time. So a small output
/// that ends there is written on the stack, and copied. (Intel Granite Rapids, AVX-512, strings of 1 to 15 units from UTF-16 to UTF-8 in
/// new vectors: 18 ns, and 55 where this happened. The same test in the kernels costs 0.3 to 2 ns for each string.)
#[cfg(feature = "alloc")]
pub(crate) fn append<U, T>(
    dst: &mut alloc::vec::Vec<U>,
    write: impl FnOnce(&mut [MaybeUninit<U>]) -> (usize, T),
) -> (usize, T) {
    let spare = dst.spare_capacity_mut();
    let room = spare.len();
    const { assert!(align_of::<U>() <= align_of::<u64>()) };
    let mut aside = [const { MaybeUninit::<u64>::uninit() }; SMALL / 8];
    let is_aside = size_of_val(spare) <= SMALL && ends_before_page(spare.as_ptr_range().end.addr());
    let output = if is_aside {
        // SAFETY: there is room for so many units, uninitialised as well, and words are aligned for all of them.
        unsafe { core::slice::from_raw_parts_mut(aside.as_mut_ptr().cast(), room) }
    } else {
        &mut *spare
    };
    let (written, value) = write(output);
    assert!(written <= room);
    if is_aside {
        let written = written * size_of::<U>();
        // SAFETY: both have that many bytes, and are apart.
        unsafe {
            core::ptr::copy_nonoverlapping(aside.as_ptr().cast::<u8>(), spare.as_mut_ptr().cast(), written);
        }
    }
    // SAFETY: callers return what an `OutputCursor` over the output has written, which is there now.
    unsafe { dst.set_len(dst.len() + written) };
    (written, value)
}

/// Bytes of an output that is small.
#[cfg(feature = "alloc")]
const SMALL: usize = 256;

/// Whether fewer bytes than a register of a kernel has are left from this address to the end of a page, and be it none.
#[cfg(feature = "alloc")]
#[inline]
fn ends_before_page(address: usize) -> bool {
    const PAGE: usize = 4096;
    const LARGEST_REGISTER: usize = 64;
    address.wrapping_neg() % PAGE < LARGEST_REGISTER
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots of `WORDS` words, by some plain lines: no more than fit as a whole, up to the first that there is none of.
    fn agrees<U: Unit, const WORDS: usize>() {
        let units = WORDS * 8 / size_of::<U>();
        let lens = [3, 0, units, 1, 2, 1, units + 1, 2, usize::MAX, 1];
        let slot: Vec<U> = (1..=units as u32).map(U::of).collect();
        let words: [u64; WORDS] = core::array::from_fn(|word| {
            let each = 8 / size_of::<U>();
            let unit = |at: usize| u64::from(slot[word * each + at].value()) << (8 * size_of::<U>() * at);
            (0..each).map(unit).sum()
        });
        for room in 0..11 * units {
            let (mut expected, mut count) = (Vec::new(), 0);
            for len in lens.into_iter().take(room / units) {
                if len == usize::MAX {
                    break;
                }
                expected.extend_from_slice(&slot[..len.min(units)]);
                count += 1;
            }
            let mut memory = vec![U::of(0x7F); room + 64];
            let mut output = OutputCursor::new(as_uninit(&mut memory[..room]));
            let put = output.put_slots(&mut lens.clone(), |len| (*len < usize::MAX).then_some((words, *len)));
            let written = output.written();
            assert_eq!((put, written), (count, expected.len()), "{room}");
            assert!(memory[..written] == expected && memory[room..].iter().all(|unit| unit.value() == 0x7F));
        }
    }

    #[cfg(target_endian = "little")]
    #[test]
    fn slots_end_where_there_may_be_too_little_room() {
        agrees::<u8, 1>();
        agrees::<u8, 4>();
        agrees::<u16, 1>();
        agrees::<u16, 2>();
        agrees::<u32, 4>();
    }

    #[test]
    fn appended_wherever_the_room_ends() {
        let mut aside = 0;
        for capacity in (300..10_000).step_by(4) {
            let mut vector = Vec::with_capacity(capacity);
            vector.resize(vector.capacity() - 100, b'x');
            let spare = vector.spare_capacity_mut().as_ptr_range();
            let (_, start) = append(&mut vector, |output| {
                for (to, from) in output.iter_mut().zip(b"appended") {
                    to.write(*from);
                }
                (8, output.as_ptr())
            });
            let is_aside = start != spare.start;
            assert_eq!(is_aside, spare.end.addr().wrapping_neg() % 4096 < 64);
            aside += usize::from(is_aside);
            let (before, appended) = vector.split_at(vector.len() - 8);
            assert!(before.ends_with(&[b'x'; 16]));
            assert_eq!(appended, b"appended");
        }
        assert_ne!(aside, 0);
    }
}
