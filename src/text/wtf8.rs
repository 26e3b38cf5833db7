//! The borrowed string of WTF-8, and how bytes become one. Its methods are in `wtf8`.

/// A borrowed string of WTF-8.
///
/// Strings compare by their code points, which is not the order of their units in UTF-16.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Wtf8 {
    pub(crate) bytes: [u8],
}

/// Bytes, which callers have validated, as a string of WTF-8. Ill-formed bytes would give wrong results, but memory safety does not
/// depend on them.
#[inline]
pub(crate) fn wtf8(bytes: &[u8]) -> &Wtf8 {
    // SAFETY: `Wtf8` is `repr(transparent)` over `[u8]`, and any bytes are sound in it.
    unsafe { &*(core::ptr::from_ref(bytes) as *const Wtf8) }
}
