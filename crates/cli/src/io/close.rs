//! To close a file, and hear of it.
//!
//! The standard library closes files without looking at what the system says. File systems of a network, and quotas, say only then that
//! there was no room for what was written.

use std::fs::File;
use std::io;

/// Closes a file: some file systems say only then that there was no room for what was written.
#[cfg(unix)]
pub(crate) fn close(file: File) -> io::Result<()> {
    match nix::unistd::close(file) {
        Err(why) if why != nix::errno::Errno::EINTR => Err(why.into()),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
pub(crate) fn close(_: File) -> io::Result<()> {
    Ok(())
}
