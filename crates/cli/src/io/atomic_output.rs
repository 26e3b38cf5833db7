//! A file as output that is either complete or not there.
//!
//! A file is written under another name in the same directory and takes its own name only when all
//! is well, by a rename, which is atomic. So whoever opens it sees the old text or the new one, and
//! after an error, a full disk, Ctrl-C or a crash it is what it was. A file that is replaced keeps its
//! permissions and, where the system allows it, its owner; a symbolic link stays one and the file
//! behind it is replaced; the other names of a file with several (hard links) keep the old text. Its
//! new text is on the disk before the old one is let go.
//!
//! A backup is the old file itself, under a second name, made just before the first one is taken
//! over. An older backup is never overwritten.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::io::interrupt::{RemovedOnInterrupt, remove_on_interrupt};
use crate::io::name::Name;

/// A file that does not have its name yet.
pub(crate) struct AtomicOutput {
    temporary: NamedTempFile,
    guard: RemovedOnInterrupt,
    to: PathBuf,
    replaces: bool,
    backup: Option<PathBuf>,
}

impl AtomicOutput {
    /// A new file.
    pub(crate) fn creating(path: &Path) -> io::Result<AtomicOutput> {
        let temporary = temporary_beside(path, true)?;
        let guard = remove_on_interrupt(temporary.path());
        Ok(AtomicOutput { temporary, guard, to: path.into(), replaces: false, backup: None })
    }

    /// A file that takes the place of another one, which is kept under its name and this suffix, if there is one.
    pub(crate) fn replacing(
        path: &Path,
        metadata: &fs::Metadata,
        suffix: Option<&OsStr>,
    ) -> io::Result<AtomicOutput> {
        let to = fs::canonicalize(path)?;
        let backup = suffix.map(|suffix| {
            let mut name = to.clone().into_os_string();
            name.push(suffix);
            PathBuf::from(name)
        });
        if let Some(backup) = &backup {
            // Said before the work rather than after it; `keep` makes sure.
            if fs::symlink_metadata(backup).is_ok() {
                return Err(exists(backup));
            }
        }
        if metadata.permissions().readonly() {
            return Err(io::Error::other("is read-only"));
        }
        let temporary = temporary_beside(&to, false)?;
        let guard = remove_on_interrupt(temporary.path());
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // Only root may give files away, and a group must be one's own: if not, it is ours now.
            let _ = fchown(temporary.as_file(), Some(metadata.uid()), Some(metadata.gid()));
        }
        temporary.as_file().set_permissions(metadata.permissions())?;
        Ok(AtomicOutput { temporary, guard, to, replaces: true, backup })
    }

    /// The input itself, of which a backup is kept if there is a suffix for it.
    pub(crate) fn in_place(path: &Path, suffix: Option<&OsStr>) -> io::Result<AtomicOutput> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("is no regular file, which --in-place needs"));
        }
        AtomicOutput::replacing(path, &metadata, suffix)
    }

    /// Writes a piece.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.temporary.as_file_mut().write_all(bytes)
    }

    /// All is written, and the file gets its name.
    pub(crate) fn commit(self) -> io::Result<()> {
        let AtomicOutput { temporary, guard: _guard, to, replaces, backup } = self;
        if replaces {
            temporary.as_file().sync_all()?;
        }
        if let Some(backup) = &backup {
            keep(&to, backup)?;
        }
        temporary.persist(&to).map(drop).map_err(|failure| {
            if let Some(backup) = &backup {
                let _ = fs::remove_file(backup);
            }
            failure.error
        })
    }
}

/// Gives a file a second name, which must be free; or copies it, where files have only one.
fn keep(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(path, backup) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(backup)),
        Err(_) => {
            let copy = temporary_beside(backup, false)?;
            io::copy(&mut File::open(path)?, &mut copy.as_file())?;
            copy.as_file().set_permissions(fs::metadata(path)?.permissions())?;
            copy.as_file().sync_all()?;
            copy.persist_noclobber(backup).map(drop).map_err(|failure| failure.error)
        }
        Ok(()) => Ok(()),
    }
}

fn exists(backup: &Path) -> io::Error {
    let name = Name::Path(backup.into());
    io::Error::new(io::ErrorKind::AlreadyExists, format!("the backup {name} exists already"))
}

/// A temporary file in the directory of `path`: for everyone as a new file is, or for us alone.
fn temporary_beside(path: &Path, public: bool) -> io::Result<NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".runecast-");
    #[cfg(unix)]
    if public {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less what the umask takes away
    }
    #[cfg(not(unix))]
    let _ = public;
    builder.tempfile_in(directory.unwrap_or(Path::new("."))).map_err(|error| {
        // Without the temporary name, which comes behind the number and means nothing to anyone.
        let text = error.to_string();
        let why = text.split(" (os error ").next().unwrap_or(&text);
        io::Error::new(error.kind(), format!("no file can be made in its directory: {why}"))
    })
}
