//! What a command came to: the exit code.
//!
//! 0 for "all well-formed", 1 for "something is ill-formed", 2 for "could not do all that was asked". The greatest
//! wins, for a script that sees a 1 may rely on it that every input was looked at.

/// What a command came to, in the order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything is well-formed.
    Clean = 0,
    /// Something is ill-formed.
    IllFormed = 1,
    /// Something could not be done: a wrong argument, a file that cannot be read.
    Failed = 2,
}
