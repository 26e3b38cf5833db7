//! Files that have no name of their own yet, and those that a killed run has left behind.
//!
//! A program that is killed by SIGKILL, or with the machine, leaves its temporary file. The next run that writes into
//! the same directory removes it, if it is certain that it is one of ours and that nobody writes it any more: the name
//! is of the form that we give (`.runecast-`, twelve letters or digits, `.partial`), it is a regular file of the
//! same user with that one name, and nobody has it locked. Whoever writes one has; the lock ends with the process, however it
//! ends. Between the creation of a file and its lock another run may take it for a leftover; so who has locked a
//! file looks whether it still has its name, and otherwise makes a new one.
//!
//! Locks are those of `flock` (on the standard library's terms). Where the file system has none, nothing is removed.

#[cfg(unix)]
use std::collections::HashSet;
#[cfg(unix)]
use std::fs;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::{LazyLock, Mutex, PoisonError};

use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".runecast-";
const SUFFIX: &str = ".partial";
/// Characters between the two.
const RANDOM: usize = 12;

/// The permissions of a new file for everyone, less what the umask takes away; and of one for us alone.
pub(crate) const FOR_EVERYONE: u32 = 0o666;
/// See [`FOR_EVERYONE`].
pub(crate) const FOR_US: u32 = 0o600;

/// A temporary file in the directory of `path`, with these permissions, where there are such.
pub(crate) fn temporary_beside(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    #[cfg(unix)]
    remove_leftovers(directory);
    create(directory, mode).map_err(|error| {
        // Without the temporary name, which comes behind the number and means nothing to anyone.
        let text = error.to_string();
        let why = text.split(" (os error ").next().unwrap_or(&text);
        io::Error::new(error.kind(), format!("cannot create a file in its directory: {why}"))
    })
}

fn create(directory: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    loop {
        let file = builder.tempfile_in(directory)?;
        #[cfg(unix)]
        if file.as_file().try_lock().is_ok() && !has_name(&file) {
            continue;
        }
        return Ok(file);
    }
}

/// Whether a file has still the name under which it was created.
#[cfg(unix)]
fn has_name(file: &NamedTempFile) -> bool {
    file.as_file().metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

/// Removes what killed runs have left in a directory; once in a run.
#[cfg(unix)]
fn remove_leftovers(directory: &Path) {
    static DONE: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
    if !DONE.lock().unwrap_or_else(PoisonError::into_inner).insert(directory.into()) {
        return;
    }
    let user = nix::unistd::geteuid().as_raw();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if is_ours(entry.file_name().as_encoded_bytes()) {
            // What cannot be removed stays.
            let _ = remove_leftover(&entry.path(), user);
        }
    }
}

/// Whether a name is of the form that we give.
pub(crate) fn is_ours(name: &[u8]) -> bool {
    let random = name.strip_prefix(PREFIX.as_bytes()).and_then(|name| name.strip_suffix(SUFFIX.as_bytes()));
    random.is_some_and(|random| random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric))
}

#[cfg(unix)]
fn remove_leftover(path: &Path, user: u32) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_file() || found.uid() != user || found.nlink() != 1 {
        return Ok(());
    }
    let file = fs::File::open(path)?;
    let opened = file.metadata()?;
    if (opened.dev(), opened.ino()) == (found.dev(), found.ino()) && file.try_lock().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}
