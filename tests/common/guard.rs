//! Bytes against a page that must not be touched.
//!
//! The memory is three pieces in a row: a page without access, some pages of room, a page without
//! access. Input that ends exactly where the room ends, or begins where it begins, turns one byte
//! read too far into a fault, which no test can overlook.

use std::ptr::{self, NonNull};
use std::slice;

/// Room between two forbidden pages.
pub struct Guarded {
    base: NonNull<u8>,
    page: usize,
    room: usize,
}

impl Guarded {
    /// Room for at least `capacity` bytes.
    pub fn new(capacity: usize) -> Guarded {
        // SAFETY: asks the system for a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("the size of a page");
        let room = capacity.max(1).next_multiple_of(page);
        let total = room + 2 * page;
        // SAFETY: a new private mapping at an address of the system's choice.
        let base = unsafe {
            libc::mmap(ptr::null_mut(), total, libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANON, -1, 0)
        };
        assert!(base != libc::MAP_FAILED, "no memory for guard pages: {}", std::io::Error::last_os_error());
        let base = NonNull::new(base.cast::<u8>()).expect("a mapping is never at address 0");
        let guarded = Guarded { base, page, room };
        // SAFETY: the range lies within the mapping and begins and ends at a page.
        let opened =
            unsafe { libc::mprotect(guarded.start().cast(), room, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(opened, 0, "guard pages: {}", std::io::Error::last_os_error());
        guarded
    }

    /// `bytes`, ending where the room ends.
    pub fn at_end(&mut self, bytes: &[u8]) -> &[u8] {
        self.put(self.room - bytes.len(), bytes)
    }

    /// `bytes`, beginning where the room begins.
    pub fn at_start(&mut self, bytes: &[u8]) -> &[u8] {
        self.put(0, bytes)
    }

    /// The last `len` bytes of the room, to be written to.
    pub fn end_mut(&mut self, len: usize) -> &mut [u8] {
        let at = self.room - len;
        &mut self.all()[at..]
    }

    /// The first `len` bytes of the room, to be written to.
    pub fn start_mut(&mut self, len: usize) -> &mut [u8] {
        &mut self.all()[..len]
    }

    fn put(&mut self, at: usize, bytes: &[u8]) -> &[u8] {
        let slot = &mut self.all()[at..][..bytes.len()];
        slot.copy_from_slice(bytes);
        slot
    }

    fn all(&mut self) -> &mut [u8] {
        // SAFETY: the room is readable and writable, initialised (by the system, to zero) and
        // borrowed through `self` alone.
        unsafe { slice::from_raw_parts_mut(self.start(), self.room) }
    }

    fn start(&self) -> *mut u8 {
        // SAFETY: the mapping is longer than a page.
        unsafe { self.base.as_ptr().add(self.page) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping was made in `new` with this address and length, and no slice of it
        // outlives `self`.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.room + 2 * self.page) };
    }
}
