//! What a kernel says when it stops, and the plain loops, which say it as well.

/// How far a kernel came: whole characters, in code units of the source and of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Code units of the source that were converted.
    pub read: usize,
    /// Code units of the target that were written.
    pub written: usize,
}

/// A loop that the compiler is to vectorise for an instruction set.
pub(crate) trait Plain {
    /// Runs it. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// What the loop itself asks for.
    unsafe fn run(self) -> Progress;
}
