//! The borrowed string of WTF-8, and how bytes become one. What it can do is in `wtf8`.

/// A borrowed string of WTF-8.
///
/// Strings are ordered by their code points, which is not the order of their units of UTF-16.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Wtf8 {
    pub(crate) bytes: [u8],
}

/// Bytes of WTF-8 as a string of it: callers have seen that they are. That they were not would be wrong,
/// and nothing worse: nothing relies on it for memory to be safe.
#[inline]
pub(crate) fn wtf8(bytes: &[u8]) -> &Wtf8 {
    // SAFETY: `Wtf8` is `repr(transparent)` over `[u8]`, and any bytes are sound in it.
    unsafe { &*(core::ptr::from_ref(bytes) as *const Wtf8) }
}
