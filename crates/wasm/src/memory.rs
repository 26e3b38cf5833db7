//! The input, the output, and what a call amounted to.
//!
//! Numbers are left in a static of atomics. WebAssembly without threads makes plain loads and stores of them; and a
//! static that may be written needs no `unsafe`, and never moves.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

/// What there is between calls: buffers, whose contents are those of the last call.
#[derive(Default)]
pub(crate) struct Memory {
    /// What JavaScript wrote. Its length is room: how much of it counts, each call says.
    pub(crate) input: Vec<u8>,
    /// What the call wrote.
    pub(crate) output: Vec<u8>,
    /// So many bytes of the input are the output, if not what was written.
    pub(crate) answer: Option<usize>,
    /// The text that the policy of that kind writes.
    #[cfg(feature = "engine")]
    pub(crate) replacement: String,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Calls `work` on the memory, and leaves the address of the output in the outcome.
pub(crate) fn with<T>(work: impl FnOnce(&mut Memory) -> T) -> T {
    MEMORY.with_borrow_mut(|memory| {
        memory.output.clear();
        memory.answer = None;
        let result = work(memory);
        let output = memory.answer.map_or(&memory.output[..], |len| memory.input(len));
        Field::Output.set(output.as_ptr().addr());
        Field::Written.set(output.len());
        result
    })
}

impl Memory {
    /// The first `len` bytes of the input, or all there are.
    pub(crate) fn input(&self, len: usize) -> &[u8] {
        &self.input[..len.min(self.input.len())]
    }
}

/// The numbers that a call leaves, by their places in [`outcome`]. `js/runecast.js` has the same list.
#[cfg_attr(not(feature = "engine"), allow(dead_code, reason = "the small module has fewer functions"))]
#[derive(Clone, Copy)]
#[repr(usize)]
pub(crate) enum Field {
    /// Where the output is.
    Output,
    /// How many bytes it has.
    Written,
    /// How many bytes of the input are done with.
    Read,
    /// Bytes for a unit of a string: 2, or 1; 0 if all of them are ASCII.
    Width,
    /// How many replacements were made; characters, of a count.
    Replaced,
    /// Where the first of them was made, or [`NOWHERE`]; units of UTF-16, of a count.
    First,
    /// Where an error is; bytes of UTF-8, of a count.
    At,
    /// How long it is; or the code point that the target has no form for.
    Len,
}

/// No place.
#[cfg(feature = "engine")]
pub(crate) const NOWHERE: usize = u32::MAX as usize;

static OUTCOME: [AtomicU32; 8] = [const { AtomicU32::new(0) }; 8];

impl Field {
    /// Leaves a number. All of them are offsets in a memory of 4 GiB, or smaller.
    pub(crate) fn set(self, value: usize) {
        OUTCOME[self as usize].store(value as u32, Ordering::Relaxed);
    }
}

/// Where the numbers are: eight of 32 bits.
#[unsafe(no_mangle)]
extern "C" fn outcome() -> *const AtomicU32 {
    OUTCOME.as_ptr()
}

/// Makes room for an input of so many bytes, and says where; null if there is no memory. What was in the input may
/// be lost.
#[unsafe(no_mangle)]
extern "C" fn input(len: usize) -> *mut u8 {
    MEMORY.with_borrow_mut(|Memory { input, .. }| {
        if input.len() < len {
            // Nothing is copied to a greater place, since nothing of it is needed.
            *input = Vec::new();
            if input.try_reserve_exact(len).is_err() {
                return std::ptr::null_mut();
            }
            input.resize(len, 0);
        }
        input.as_mut_ptr()
    })
}

/// Gives the buffers back to the allocator. WebAssembly cannot give memory back to its host.
#[unsafe(no_mangle)]
extern "C" fn release() {
    MEMORY.take();
}
