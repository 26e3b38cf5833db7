//! How far a kernel came, and the trait of plain loops, which return the same.

/// How far a conversion came: always whole characters, in code units of the slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Code units of the source that were converted.
    pub read: usize,
    /// Code units of the target that were written.
    pub written: usize,
}

/// A plain loop, which the compiler vectorises for an instruction set.
pub(crate) trait Plain {
    /// Runs it. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// As the loop itself states.
    unsafe fn run(self) -> Progress;
}
