//! An allocator that counts what a thread allocates, and refuses to if it is told to.
//!
//! A test program that uses it says so: `#[global_allocator] static ALLOCATOR: memory::Watched = memory::Watched;`. Each thread has
//! counts of its own, so that tests beside each other do not mix.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocator of the system, watched.
pub struct Watched;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Bytes allocated and not freed by this thread. (What another one has allocated may be freed here.)
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static KEEPS_SIZE: Cell<bool> = const { Cell::new(false) };
}

fn count(bytes: isize) {
    LIVE.set(LIVE.get() + bytes);
    PEAK.set(PEAK.get().max(LIVE.get()));
    ALLOCATIONS.set(ALLOCATIONS.get() + usize::from(bytes > 0));
}

// SAFETY: all is done by the allocator of the system, with what the caller promises; or nothing is, which is allowed.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as for this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as for this function.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as for this function.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size < layout.size() && KEEPS_SIZE.get() {
            return std::ptr::null_mut();
        }
        count(size as isize - layout.size() as isize);
        // SAFETY: as for this function.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// How often `work` allocates, in this thread.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// The most bytes that this thread had at once during `work`, besides those from before.
pub fn peak(work: impl FnOnce()) -> usize {
    let before = LIVE.get();
    PEAK.set(before);
    work();
    (PEAK.get() - before) as usize
}

/// Does `work` without ever making an allocation smaller.
pub fn without_shrinking<T>(work: impl FnOnce() -> T) -> T {
    KEEPS_SIZE.set(true);
    let result = work();
    KEEPS_SIZE.set(false);
    result
}
