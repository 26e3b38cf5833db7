//! An error in the input, and where it is.

use runecast::IllFormed;

use crate::position::Position;

/// An error, and where it is in the whole input.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// The offset of its first byte.
    pub at: u64,
    /// Line and column, if they are known.
    pub position: Option<Position>,
    /// The error itself; its own offset is that in some piece of the input and means nothing here.
    pub error: IllFormed,
}
