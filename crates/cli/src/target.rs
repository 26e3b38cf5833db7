//! Where output goes: standard output, or a file that is either complete or not there.
//!
//! A file is written under another name in the same directory and takes its own name only when all
//! is well, by a rename, which is atomic. So whoever opens it sees the old text or the new one, and
//! after an error, a full disk, Ctrl-C or a crash it is what it was. A file that is replaced keeps its
//! permissions and, where the system lets us, its owner; a symbolic link stays one and the file
//! behind it is replaced; the other names of a file with several (hard links) keep the old text. Its
//! new text is on the disk before the old one is let go.
//!
//! A backup is the old file itself, under a second name, made just before the first one is taken
//! over. An older backup is never overwritten.
//!
//! What cannot be renamed (a device, a named pipe) is written to as it is.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::NamedTempFile;

use crate::grammar::Writing;
use crate::interrupt::{Watch, watch};
use crate::name::Name;
use crate::source::{is_stdin, widen};

/// An open output.
pub(crate) enum Target {
    /// Standard output, through the standard library.
    #[cfg(not(unix))]
    Stdout,
    /// A device or a pipe; or standard output, whatever that is.
    Through(File),
    /// A file to be.
    Pending(Pending),
}

/// A file that does not have its name yet.
pub(crate) struct Pending {
    temporary: NamedTempFile,
    watch: Watch,
    to: PathBuf,
    replaces: bool,
    backup: Option<PathBuf>,
}

/// An output that cannot be written: its name, or that of the input that is to blame, and why.
pub(crate) type Refused = (Name, io::Error);

impl Target {
    /// The output for an input, as the command line has it, and what to call it.
    pub(crate) fn choose(writing: &Writing, input: &Name) -> Result<(Target, Name), Refused> {
        let output = writing.output.as_deref().filter(|output| !is_stdin(output));
        let (target, name) = match (&writing.in_place, input, output) {
            (Some(suffix), Name::Path(path), _) => {
                let suffix = (!suffix.is_empty()).then_some(suffix.as_os_str());
                (Target::in_place(path.as_ref(), suffix), input.clone())
            }
            (_, _, Some(path)) => (Target::file(path), Name::Path(path.into())),
            _ => (Target::stdout(), Name::Stdin),
        };
        match target {
            Ok(target) => Ok((target, name)),
            Err(why) => Err((name, why)),
        }
    }

    /// An output that has no input, and what to call it.
    pub(crate) fn new(path: &Path) -> Result<(Target, Name), Refused> {
        let (target, name) = match is_stdin(path) {
            true => (Target::stdout(), Name::Stdin),
            false => (Target::file(path), Name::Path(path.into())),
        };
        target.map(|target| (target, name.clone())).map_err(|why| (name, why))
    }

    /// Standard output, as it is: the library's own would look for the last line feed in each piece, and write
    /// what is behind it by itself.
    #[cfg(unix)]
    fn stdout() -> io::Result<Target> {
        use std::os::fd::AsFd as _;
        let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        widen(&file);
        Ok(Target::Through(file))
    }

    /// Standard output. A console has a write of its own here.
    #[cfg(not(unix))]
    fn stdout() -> io::Result<Target> {
        Ok(Target::Stdout)
    }

    /// The file of that name, new or not.
    fn file(path: &Path) -> io::Result<Target> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => replacement(path, &metadata, None),
            Ok(metadata) if metadata.is_dir() => Err(io::Error::other("is a directory")),
            Ok(_) => {
                let file = fs::OpenOptions::new().write(true).open(path)?;
                widen(&file);
                Ok(Target::Through(file))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if path.file_name().is_none() || fs::symlink_metadata(path).is_ok() {
                    // A link to nowhere: creating what it points to might surprise.
                    return Err(error);
                }
                let temporary = beside(path, true)?;
                let watch = watch(temporary.path());
                let to = path.into();
                Ok(Target::Pending(Pending { temporary, watch, to, replaces: false, backup: None }))
            }
            Err(error) => Err(error),
        }
    }

    /// The input itself, of which a backup is kept if there is a suffix for it.
    fn in_place(path: &Path, suffix: Option<&OsStr>) -> io::Result<Target> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("is no regular file, which --in-place needs"));
        }
        replacement(path, &metadata, suffix)
    }

    /// Writes a piece.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            #[cfg(not(unix))]
            Target::Stdout => io::stdout().lock().write_all(bytes),
            Target::Through(file) => file.write_all(bytes),
            Target::Pending(pending) => pending.temporary.as_file_mut().write_all(bytes),
        }
    }

    /// Lets a reader at the other end have what was written so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self {
            #[cfg(not(unix))]
            Target::Stdout => io::stdout().lock().flush(),
            Target::Through(_) | Target::Pending(_) => Ok(()),
        }
    }

    /// All is written, and now it counts. A target that is dropped instead leaves nothing behind.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Target::Pending(Pending { temporary, watch: _watch, to, replaces, backup }) = self else {
            return Ok(());
        };
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

/// A file that takes the place of another one.
fn replacement(path: &Path, metadata: &fs::Metadata, suffix: Option<&OsStr>) -> io::Result<Target> {
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
    let temporary = beside(&to, false)?;
    let watch = watch(temporary.path());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        // Only root may give files away, and a group must be one's own: if not, it is ours now.
        let _ = fchown(temporary.as_file(), Some(metadata.uid()), Some(metadata.gid()));
    }
    temporary.as_file().set_permissions(metadata.permissions())?;
    Ok(Target::Pending(Pending { temporary, watch, to, replaces: true, backup }))
}

/// Gives a file a second name, which must be free; or copies it, where files have only one.
fn keep(path: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(path, backup) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(backup)),
        Err(_) => {
            let copy = beside(backup, false)?;
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
fn beside(path: &Path, public: bool) -> io::Result<NamedTempFile> {
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

/// Whether an input and an output (`None` is standard output) are the same regular file.
pub(crate) fn is_same(input: &Name, output: Option<&Path>) -> bool {
    // Only a regular file is opened for this: opening a pipe would wait, and take from it.
    let open = |path: &Path| {
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file()).then(|| Handle::from_path(path))
    };
    let input = match input {
        Name::Stdin => Some(Handle::stdin()),
        Name::Path(path) => open(path.as_ref()),
        Name::Inline(_) => None,
    };
    let output = match output {
        None => Some(Handle::stdout()),
        Some(path) => open(path),
    };
    match (input, output) {
        (Some(Ok(input)), Some(Ok(output))) => {
            input == output && input.as_file().metadata().is_ok_and(|metadata| metadata.is_file())
        }
        // What cannot be opened will be complained about by whoever needs it.
        _ => false,
    }
}
