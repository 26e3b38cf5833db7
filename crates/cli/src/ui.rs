//! What is between the program and its user: arguments, streams, the progress bar, and the words and pictures that
//! several commands share.

pub(crate) mod arguments;
pub(crate) mod console;
pub(crate) mod error_line;
pub(crate) mod json;
pub(crate) mod outcome;
pub(crate) mod picture;
pub(crate) mod progress;
pub(crate) mod size;
pub(crate) mod wrap;
