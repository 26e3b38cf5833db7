//! An open output: standard output, a device or pipe, or a file that is replaced as a whole.
//!
//! Regular files are written as [`AtomicOutput`]s, and inputs that are replaced as [`InPlace`]. What cannot be renamed (a device, a named pipe) is written
//! to directly, and so is standard output, whatever it is and by whichever name: `-o /dev/stdout` after `>> log` goes on in that file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use same_file::Handle;

use crate::io::atomic_output::{AtomicOutput, Losses};
use crate::io::close::close;
use crate::io::closed;
use crate::io::file_state::FileState;
use crate::io::in_place::{Change, InPlace};
use crate::io::name::{Name, is_dash};
use crate::io::pipe::enlarge;
use crate::io::temporary::FOR_EVERYONE;

/// Where the command line wants the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Standard output.
    Stdout,
    /// One file or device for all inputs.
    File(PathBuf),
    /// For each input a file below this directory.
    Directory(PathBuf),
    /// The input itself; its old text is kept under its name with this suffix, if there is one.
    InPlace(Option<OsString>),
}

/// An open output.
pub(crate) enum Output {
    /// Standard output, through the standard library.
    #[cfg(not(unix))]
    Stdout,
    /// A device or a pipe; or standard output, whatever that is.
    Direct(File),
    /// A file that gets its name at the end.
    Atomic(AtomicOutput),
    /// The input, if something has to be changed.
    InPlace(InPlace),
}

/// A regular file as it was opened, and how to read it again, unless it is empty.
pub(crate) type OpenedFile = (FileState, Option<Arc<File>>);

/// An output that cannot be written: its name, or that of the input that is to blame, and why.
pub(crate) type Refused = (Name, io::Error);

impl Output {
    /// The output for an input, and what to call it.
    pub(crate) fn choose(
        destination: &Destination,
        input: &Name,
        opened: Option<OpenedFile>,
        rehearsal: bool,
    ) -> Result<(Output, Name), Refused> {
        let (output, name) = match (destination, input) {
            (Destination::InPlace(suffix), Name::Path(path)) => {
                let output = InPlace::new(path.into(), suffix.clone(), opened, rehearsal);
                (output.map(Output::InPlace), input.clone())
            }
            (Destination::File(path), _) => return Output::open(path),
            (Destination::InPlace(_), _) => {
                (Err(io::Error::other("is not a file that --in-place can replace")), input.clone())
            }
            _ => (Output::stdout(), Name::Stdin),
        };
        match output {
            Ok(output) => Ok((output, name)),
            Err(why) => Err((name, why)),
        }
    }

    /// An output that has no input, and what to call it.
    pub(crate) fn open(path: &Path) -> Result<(Output, Name), Refused> {
        match is_dash(path) {
            true => Output::stdout().map(|output| (output, Name::Stdin)).map_err(|why| (Name::Stdin, why)),
            false => Output::named(path, FOR_EVERYONE),
        }
    }

    /// The file of that name; if it is new, who could not read the input cannot read it, either, and what could be executed
    /// still can.
    pub(crate) fn beside(path: &Path, input: &Name) -> Result<(Output, Name), Refused> {
        Output::named(path, mode_for(input))
    }

    fn named(path: &Path, mode: u32) -> Result<(Output, Name), Refused> {
        let name = || Name::Path(path.into());
        Output::file(path, mode).map(|output| (output, name())).map_err(|why| (name(), why))
    }

    /// Standard output, as it is: that of the standard library would look for the last line feed in each piece,
    /// and write what is behind it separately.
    #[cfg(unix)]
    fn stdout() -> io::Result<Output> {
        use std::os::fd::AsFd as _;
        let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        enlarge(&file);
        Ok(Output::Direct(file))
    }

    /// Standard output. Here a console has a write function of its own.
    #[cfg(not(unix))]
    fn stdout() -> io::Result<Output> {
        Ok(Output::Stdout)
    }

    /// The file of that name: if it is new, with these permissions.
    fn file(path: &Path, mode: u32) -> io::Result<Output> {
        closed::behind(path)?;
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => match open_already(path) {
                Some(output) => output,
                None => AtomicOutput::replacing(path, None).map(Output::Atomic),
            },
            Ok(metadata) if metadata.is_dir() => Err(io::Error::other("is a directory")),
            Ok(_) => {
                let file = fs::OpenOptions::new().write(true).open(path)?;
                enlarge(&file);
                Ok(Output::Direct(file))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if path.file_name().is_none() || fs::symlink_metadata(path).is_ok() {
                    // A dangling link: creating the file it points to might surprise.
                    return Err(error);
                }
                AtomicOutput::creating(path, mode).map(Output::Atomic)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes a piece, which came of these bytes of the input; if that is not known, of none.
    pub(crate) fn write(&mut self, bytes: &[u8], original: Option<&[u8]>) -> io::Result<()> {
        match self {
            #[cfg(not(unix))]
            Output::Stdout => io::stdout().lock().write_all(bytes),
            Output::Direct(file) => file.write_all(bytes),
            Output::Atomic(file) => file.write(bytes),
            Output::InPlace(file) => file.write(bytes, original),
        }
    }

    /// Lets a reader at the other end have what was written so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self {
            #[cfg(not(unix))]
            Output::Stdout => io::stdout().lock().flush(),
            Output::Direct(_) | Output::Atomic(_) | Output::InPlace(_) => Ok(()),
        }
    }

    /// Whether what is written is there at once, and cannot be taken back.
    pub(crate) fn is_direct(&self) -> bool {
        !matches!(self, Output::Atomic(_) | Output::InPlace(_))
    }

    /// All is written, and what can be known before a file gets its name is right.
    pub(crate) fn settle(&self) -> io::Result<()> {
        match self {
            Output::Atomic(file) => file.settle(),
            Output::InPlace(file) => file.settle(),
            _ => Ok(()),
        }
    }

    /// All is written: a file gets its name. An atomic output that is dropped instead leaves nothing behind.
    pub(crate) fn commit(mut self) -> io::Result<Change> {
        self.flush()?;
        match self {
            Output::Atomic(file) => file.commit().map(Change::Replaced),
            Output::InPlace(file) => file.commit(),
            Output::Direct(file) => close(file).map(|()| Change::Replaced(Losses::new())),
            #[cfg(not(unix))]
            Output::Stdout => Ok(Change::Replaced(Losses::new())),
        }
    }
}

/// The permissions of a new file that is made of this input. We may write it in any case: it may be written again.
#[cfg(unix)]
fn mode_for(input: &Name) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    let Name::Path(path) = input else { return FOR_EVERYONE };
    let permissions = fs::metadata(path).map(|metadata| metadata.permissions());
    permissions.map_or(FOR_EVERYONE, |permissions| permissions.mode() & 0o777 | 0o200)
}

/// There are none.
#[cfg(not(unix))]
fn mode_for(_: &Name) -> u32 {
    FOR_EVERYONE
}

/// A file that this program was started with as standard output or error, or with another number: it is not replaced, but written to where
/// whoever opened it has got to.
#[cfg(unix)]
fn open_already(path: &Path) -> Option<io::Result<Output>> {
    use std::os::fd::AsFd as _;

    let same = |handle: io::Result<Handle>| {
        handle.is_ok_and(|handle| Handle::from_path(path).is_ok_and(|file| file == handle))
    };
    if same(Handle::stdout()) {
        return Some(Output::stdout());
    }
    if same(Handle::stderr()) {
        return Some(io::stderr().as_fd().try_clone_to_owned().map(|file| Output::Direct(file.into())));
    }
    let numbered = path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    numbered.then(|| fs::OpenOptions::new().append(true).open(path).map(Output::Direct))
}

#[cfg(not(unix))]
fn open_already(_: &Path) -> Option<io::Result<Output>> {
    None
}

/// Whether a path leads to where standard output goes: a file or a pipe, or a terminal. A device is not meant: what is written to that twice is
/// not mixed.
pub(crate) fn is_stdout(path: &Path) -> bool {
    let is_open = || is_same(&Name::Path(path.into()), None);
    #[cfg(unix)]
    let is_linked = || {
        use std::os::fd::AsFd as _;
        use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
        let Ok(stdout) = io::stdout().as_fd().try_clone_to_owned() else { return false };
        let (stdout, there) = (File::from(stdout).metadata(), fs::metadata(path));
        let (Ok(stdout), Ok(there)) = (stdout, there) else { return false };
        let device = there.file_type().is_char_device() || there.file_type().is_block_device();
        !device && (stdout.dev(), stdout.ino()) == (there.dev(), there.ino())
    };
    #[cfg(not(unix))]
    let is_linked = || false;
    is_dash(path) || is_open() || is_linked()
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
        // What cannot be opened is reported by whoever needs it.
        _ => false,
    }
}
