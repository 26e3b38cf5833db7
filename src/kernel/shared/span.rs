//! Where a conversion reads and writes.

/// The memory of a conversion: four words, which stay in registers on their way to a kernel.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Span {
    /// The first unit of the source, of any alignment.
    pub src: *const u8,
    /// Units of the form to read.
    pub len: usize,
    /// Where the first unit of the target goes, of any alignment.
    pub dst: *mut u8,
    /// Units of the form that fit.
    pub room: usize,
}
