//! A text that is longer than this memory: JavaScript hands it over, chunk by chunk.

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "text")]
unsafe extern "C" {
    /// Writes what comes next of the text, at most `len` bytes, to `at`, and returns how many it wrote.
    fn read(at: *mut u8, len: usize) -> usize;
}

/// Reads what comes next of the text; 0 at its end.
#[cfg(target_family = "wasm")]
pub(crate) fn more(buffer: &mut [u8]) -> usize {
    // SAFETY: `js/runecast.js` writes within these bytes, which nobody else sees meanwhile. It calls no function of
    // this module in between.
    let read = unsafe { read(buffer.as_mut_ptr(), buffer.len()) };
    read.min(buffer.len())
}

/// There is nobody to ask.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn more(_buffer: &mut [u8]) -> usize {
    0
}
