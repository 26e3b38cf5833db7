//! A file as output that is either complete or not there.
//!
//! A file is written under another name in the same directory and takes its own name only when all
//! is well, by a rename, which is atomic. So whoever opens it sees the old text or the new one, and
//! after an error, a full disk, Ctrl-C or a crash it is what it was. A symbolic link stays one and the file
//! behind it is replaced. Its new text is on the disk before the old one is let go.
//!
//! A file that is replaced keeps its permissions, its owner and group, and its extended attributes, which on Linux include
//! access control lists. What the system does not allow to be kept is said, and so is that the other names of a file
//! with several (hard links) keep the old text. A file that the user may not write is not replaced, although the directory
//! would allow it.
//!
//! A backup is the old file itself, under a second name, made just before the first one is taken
//! over. An older backup is never overwritten.
//!
//! A file that is replaced by what came of its own text has to be the one that was read: if it has been written to or
//! replaced since then ([`FileState`]), it is left as it is. There is a moment between that look and the rename in which
//! a change would be lost, as there is with every program that replaces files; and who keeps the old file open goes
//! on writing to that.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::io::close::close;
use crate::io::file_state::FileState;
use crate::io::interrupt::{RemovedOnInterrupt, removed_on_interrupt};
use crate::io::name::Name;
use crate::io::temporary::{FOR_US, temporary_beside};

/// A file that does not have its name yet.
pub(crate) struct AtomicOutput {
    temporary: NamedTempFile,
    guard: RemovedOnInterrupt,
    to: PathBuf,
    replaces: bool,
    backup: Option<PathBuf>,
    /// As it has to be when it is replaced.
    state: Option<FileState>,
    /// What is not kept.
    losses: Losses,
}

/// What a file that was replaced has not kept, each in a sentence without its subject.
pub(crate) type Losses = Vec<String>;

impl AtomicOutput {
    /// A new file with these permissions, less what the umask takes away.
    pub(crate) fn creating(path: &Path, mode: u32) -> io::Result<AtomicOutput> {
        let (temporary, guard) = removed_on_interrupt(|| temporary_beside(path, mode))?;
        let (to, losses) = (path.into(), Losses::new());
        Ok(AtomicOutput { temporary, guard, to, replaces: false, backup: None, state: None, losses })
    }

    /// A file that takes the place of another one, which is kept under its name and this suffix, if there is one.
    pub(crate) fn replacing(path: &Path, suffix: Option<&OsStr>) -> io::Result<AtomicOutput> {
        let Replaceable { to, metadata, backup } = Replaceable::of(path, suffix)?;
        let (temporary, guard) = removed_on_interrupt(|| temporary_beside(&to, FOR_US))?;
        let mut losses = Losses::new();
        let mut permissions = metadata.permissions();
        keep_besides(&to, &metadata, temporary.as_file(), &mut permissions, &mut losses);
        temporary.as_file().set_permissions(permissions)?;
        Ok(AtomicOutput { temporary, guard, to, replaces: true, backup, state: None, losses })
    }

    /// The input itself as it was opened, of which a backup is kept if there is a suffix for it.
    pub(crate) fn in_place(
        path: &Path,
        suffix: Option<&OsStr>,
        state: FileState,
    ) -> io::Result<AtomicOutput> {
        Ok(AtomicOutput { state: Some(state), ..AtomicOutput::replacing(path, suffix)? })
    }

    /// Writes a piece.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.temporary.as_file_mut().write_all(bytes)
    }

    /// Where further pieces can be written.
    pub(crate) fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// All is written: if another file is replaced, it is on the disk, and that one is still as it has to be.
    pub(crate) fn settle(&self) -> io::Result<()> {
        if self.replaces {
            self.temporary.as_file().sync_all()?;
        }
        if self.state.as_ref().is_some_and(|state| !state.is_still(&self.to)) {
            return Err(io::Error::other(
                "was changed by another program in the meantime, and was not replaced",
            ));
        }
        Ok(())
    }

    /// All is written, and the file gets its name.
    pub(crate) fn commit(self) -> io::Result<Losses> {
        self.settle()?;
        let AtomicOutput { temporary, guard: _guard, to, backup, losses, .. } = self;
        let (file, temporary) = temporary.into_parts();
        close(file)?;
        if let Some(backup) = &backup {
            keep(&to, backup)?;
        }
        temporary.persist(&to).map_err(|failure| {
            if let Some(backup) = &backup {
                let _ = fs::remove_file(backup);
            }
            failure.error
        })?;
        Ok(losses)
    }

    /// The file gets its name with what was written so far, which is on the disk then. It is not closed: more can be written to its end.
    pub(crate) fn publish(self) -> io::Result<Published> {
        let AtomicOutput { temporary, guard: _guard, to: path, losses, .. } = self;
        temporary.as_file().sync_all()?;
        let file = temporary.persist(&path).map_err(|failure| failure.error)?;
        // And so is its name, where a directory can be opened.
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let _ = File::open(directory.unwrap_or(Path::new("."))).and_then(|directory| directory.sync_all());
        Ok(Published { path, file, losses })
    }
}

/// A file that has its name, and is still open.
pub(crate) struct Published {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// It, at its end.
    pub(crate) file: File,
    /// What it has not of the file whose place it has taken.
    pub(crate) losses: Losses,
}

/// A file that may be replaced, as far as that is known before.
pub(crate) struct Replaceable {
    to: PathBuf,
    metadata: fs::Metadata,
    backup: Option<PathBuf>,
}

impl Replaceable {
    /// The file behind a path, which would be kept under its name and this suffix, if there is one; or why it may not be replaced.
    pub(crate) fn of(path: &Path, suffix: Option<&OsStr>) -> io::Result<Replaceable> {
        let to = fs::canonicalize(path)?;
        let metadata = fs::metadata(&to)?;
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
        #[cfg(unix)]
        if !may_write(&to) {
            return Err(io::Error::other("you have no permission to write to it"));
        }
        Ok(Replaceable { to, metadata, backup })
    }
}

/// Whether we may write to a file, by its permissions and by its access control list.
#[cfg(unix)]
fn may_write(path: &Path) -> bool {
    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, AtFlags};
    use nix::unistd::{AccessFlags, faccessat};
    // Android asks for the real user, who is the effective one there.
    #[cfg(target_os = "android")]
    let flags = AtFlags::empty();
    #[cfg(not(target_os = "android"))]
    let flags = AtFlags::AT_EACCESS;
    match faccessat(AT_FDCWD, path, AccessFlags::W_OK, flags) {
        // Some systems cannot tell for the effective user.
        Err(Errno::EINVAL | Errno::ENOSYS) => fs::OpenOptions::new().write(true).open(path).is_ok(),
        result => result.is_ok(),
    }
}

/// Gives the new file what the old one has besides its text.
#[cfg(unix)]
fn keep_besides(
    old: &Path,
    metadata: &fs::Metadata,
    new: &File,
    permissions: &mut fs::Permissions,
    losses: &mut Losses,
) {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    use xattr::FileExt as _;

    let mine = new.metadata().map(|metadata| (metadata.uid(), metadata.gid())).ok();
    let (owner, group) = (metadata.uid(), metadata.gid());
    if mine != Some((owner, group)) && fchown(new, Some(owner), Some(group)).is_err() {
        // Only root may give files away, and a group must be one's own.
        if mine.is_none_or(|(mine, _)| mine != owner) {
            losses.push("belongs to you now".to_owned());
        }
        if mine.is_none_or(|(_, mine)| mine != group) && fchown(new, None, Some(group)).is_err() {
            losses.push("belongs to another group now".to_owned());
            // Whose members may do no more than they could when they were none.
            let mode = permissions.mode();
            permissions.set_mode(mode & !0o070 | (mode & 0o007) << 3 & mode);
        }
        // What ran with the rights of its owner must not run with those of another one.
        permissions.set_mode(permissions.mode() & 0o1777);
    }
    // Lists that the directory gives to new files would allow others what the old one did not; its own follow.
    let _ = new.remove_xattr("system.posix_acl_access");
    for name in xattr::list(old).into_iter().flatten() {
        let kept = xattr::get(old, &name).is_ok_and(|value| {
            let Some(value) = value else { return true };
            new.set_xattr(&name, &value).is_ok()
                || new.get_xattr(&name).is_ok_and(|there| there.as_ref() == Some(&value))
        });
        if !kept {
            let name = Name::Path(name);
            losses.push(format!("has lost its attribute {name}, which could not be set"));
        }
    }
    if metadata.nlink() > 1 {
        losses.push("has other names (hard links), which keep the old text".to_owned());
    }
}

/// Gives the new file what the old one has besides its text: here there is nothing that we know of.
#[cfg(not(unix))]
fn keep_besides(_: &Path, _: &fs::Metadata, _: &File, _: &mut fs::Permissions, _: &mut Losses) {}

/// Gives a file a second name, which must be free; or copies it, where files have only one.
fn keep(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(path, backup) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(backup)),
        Err(_) => {
            let copy = temporary_beside(backup, FOR_US)?;
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
    io::Error::new(io::ErrorKind::AlreadyExists, format!("the backup {name} already exists"))
}
