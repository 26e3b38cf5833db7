//! Bytes in and out of the process: files, pipes, standard streams, and their names.
//!
//! Nothing here knows what text is, or what the command line looks like.

pub(crate) mod atomic_output;
pub(crate) mod close;
pub(crate) mod closed;
pub(crate) mod file_state;
pub(crate) mod in_place;
pub(crate) mod interrupt;
pub(crate) mod name;
pub(crate) mod os_error;
pub(crate) mod output;
pub(crate) mod outputs;
pub(crate) mod pipe;
pub(crate) mod preview;
pub(crate) mod rejects;
pub(crate) mod source;
mod temporary;
pub(crate) mod visited;
