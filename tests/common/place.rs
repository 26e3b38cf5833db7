//! Bytes at a chosen alignment, between neighbours that tempt.
//!
//! A kernel that reads past its input goes unnoticed as long as what it finds there is harmless.
//! Here it is not: behind the input stand continuation bytes, which would complete a character
//! that is cut short, and in front of it lead bytes, which would swallow a continuation byte.

/// What the input is aligned to: no vector is wider.
pub const UNIT: usize = 64;

/// Room for bytes at every alignment.
pub struct Place {
    room: Vec<u8>,
    capacity: usize,
}

impl Place {
    /// Room for up to `capacity` bytes.
    pub fn new(capacity: usize) -> Place {
        Place { room: vec![0; capacity + 4 * UNIT], capacity }
    }

    /// `bytes`, at `offset` (less than [`UNIT`]) behind a multiple of [`UNIT`].
    pub fn at(&mut self, offset: usize, bytes: &[u8]) -> &[u8] {
        self.at_mut(offset, bytes)
    }

    /// [`at`](Self::at), to be changed there.
    pub fn at_mut(&mut self, offset: usize, bytes: &[u8]) -> &mut [u8] {
        assert!(bytes.len() <= self.capacity && offset < UNIT);
        let aligned = self.room.as_ptr().align_offset(UNIT);
        let begin = aligned + UNIT + offset;
        let end = begin + bytes.len();
        self.room[begin - UNIT..begin].fill(0xF1);
        self.room[begin..end].copy_from_slice(bytes);
        self.room[end..end + UNIT].fill(0x80);
        &mut self.room[begin..end]
    }
}
