//! Which file it is, and whether it is still as it was.
//!
//! A file can be reached by many names: twice on the command line, by a link, below a directory that is named as well.
//! On Unix it is one file if device and inode are the same. Elsewhere the standard library does not tell these, and
//! its canonical path stands for it.
//!
//! A file that others write to may change at any moment. It counts as unchanged as long as it is the same file, of the
//! same size, last modified at the same time.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Which file it is.
#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileId(u64, u64);

/// Which file it is.
#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileId(std::path::PathBuf);

impl FileId {
    /// Of the file that a path leads to.
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> io::Result<FileId> {
        Ok(FileId::of_metadata(&fs::metadata(path)?))
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt as _;
        FileId(metadata.dev(), metadata.ino())
    }

    /// Of the file that a path leads to.
    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path) -> io::Result<FileId> {
        fs::canonicalize(path).map(FileId)
    }
}

/// What changes when a file is written to, or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    #[cfg(unix)]
    id: FileId,
    size: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// Of a file that is open, or of one with a name.
    pub(crate) fn of(metadata: &Metadata) -> FileState {
        FileState {
            #[cfg(unix)]
            id: FileId::of_metadata(metadata),
            size: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }

    /// Whether the file with this name is this one, unchanged.
    pub(crate) fn is_still(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|metadata| FileState::of(&metadata) == *self)
    }
}
