//! The memory through which an input goes, chunk by chunk.
//!
//! A character may be cut by the end of a chunk. Its bytes, five at most in any encoding, or twelve of
//! the longest form that a behaviour of `repair` knows, are moved in front of the place where the next
//! chunk will lie, and the window to be worked on begins with them. The chunk itself is always read to the same, page-aligned address, which is what the
//! kernel's copying likes best:
//!
//! ```text
//!     ....ttt|cccccccccccccccccccccccccccccc|
//!         ^tail ^ chunk, page-aligned
//!         '--------- window ----------------'
//! ```

use std::io;

use crate::source::Input;

/// The size of a chunk: small enough to stay in the L2 cache between the `read` that fills it and
/// the kernel that walks over it, and large enough that the system call is lost in the noise.
pub(crate) const CHUNK: usize = 256 * 1024;

/// The longest beginning of a character, or of what passed for one in Perl, that can be left over from a
/// chunk.
pub(crate) const LONGEST_TAIL: usize = 12;

/// A page, on most machines.
const ALIGNMENT: usize = 4096;

/// The window; it can be used again for the next input.
pub(crate) struct Window {
    storage: Vec<u8>,
    chunk: usize,
    capacity: usize,
    begin: usize,
    end: usize,
}

impl Window {
    /// For chunks of `capacity` bytes.
    pub(crate) fn new(capacity: usize) -> Self {
        let storage = vec![0; ALIGNMENT + LONGEST_TAIL + capacity];
        // The first aligned address with room for a tail before it.
        let chunk = LONGEST_TAIL + storage[LONGEST_TAIL..].as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Window { storage, chunk, capacity, begin: chunk, end: chunk }
    }

    /// Keeps the last `tail` bytes, twelve at most, and reads a chunk behind them: the number of
    /// bytes read, 0 at the end.
    pub(crate) fn refill(&mut self, input: &mut Input, tail: usize) -> io::Result<usize> {
        debug_assert!(tail <= LONGEST_TAIL);
        self.storage.copy_within(self.end - tail..self.end, self.chunk - tail);
        (self.begin, self.end) = (self.chunk - tail, self.chunk);
        let fresh = input.read(&mut self.storage[self.chunk..self.chunk + self.capacity])?;
        self.end += fresh;
        Ok(fresh)
    }

    /// What is in it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.storage[self.begin..self.end]
    }
}
