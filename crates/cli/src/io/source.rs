//! The inputs: files, directories, standard input.
//!
//! [`Sources`] turns the arguments into an iterator over things to read, in the order of the command
//! line, and inside a directory in the order of names: two runs over the same tree report the
//! same in the same order. What cannot be read is an item of it too (a [`Refusal`]),
//! so that one bad argument never keeps the others from being read.
//!
//! **Why files are not memory-mapped.** A mapped file that another process shortens kills the
//! reader with SIGBUS at the first page that is gone; no check beforehand helps, and a tool that
//! is run on log files will meet one. So every input is read, in chunks that stay in the L2
//! cache; a file that shrinks is simply shorter. This has a price, on files that are in the page
//! cache already: where it was measured, `read` brought 8.8 GB/s to one core and a mapping 12.4, since
//! `read` copies each byte once. Several threads that read different parts of a file ([`read_at`]) make up
//! for it; a mapping would need them as well to go faster.
//!
//! A regular file can be read twice, a pipe cannot. That is the only difference between inputs
//! that the rest of the program knows: [`Input::Seekable`] or not.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Read, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use crate::io::name::{Name, is_dash};
use crate::io::pipe::enlarge;

/// Something to read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// What to call it.
    pub(crate) name: Name,
    /// Its size, where that is known beforehand.
    pub(crate) size: Option<u64>,
}

/// Something that cannot be read, and why.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// What it is called.
    pub(crate) name: Name,
    /// The reason.
    pub(crate) why: io::Error,
}

/// An open input.
pub(crate) enum Input {
    /// A regular file, read from its beginning.
    Seekable(File),
    /// A pipe, a device, standard input: what has been read is gone.
    Stream(Box<dyn Read + Send>),
}

impl Input {
    /// Reads what there is, at most a whole `buffer`; 0 at the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::Seekable(file) => read_retrying(file, buffer),
            Input::Stream(stream) => read_retrying(stream, buffer),
        }
    }

    /// Looks at the first `length` bytes, or as many as there are. Afterwards the input is as if
    /// nothing had been read.
    pub(crate) fn peek(self, length: usize) -> io::Result<(Vec<u8>, Input)> {
        let mut head = Vec::with_capacity(length);
        match self {
            _ if length == 0 => Ok((head, self)),
            Input::Seekable(mut file) => {
                (&mut file).take(length as u64).read_to_end(&mut head)?;
                file.rewind()?;
                Ok((head, Input::Seekable(file)))
            }
            Input::Stream(stream) => {
                let mut beginning = stream.take(length as u64);
                beginning.read_to_end(&mut head)?;
                let again = io::Cursor::new(head.clone()).chain(beginning.into_inner());
                Ok((head, Input::Stream(Box::new(again))))
            }
        }
    }
}

/// Reads, and tries again if a signal interrupts. To have read more than there is room for is an error.
pub(crate) fn read_retrying(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(count) if count > buffer.len() => {
                let room = buffer.len();
                return Err(io::Error::other(format!(
                    "a reader says that it has read {count} of {room} bytes"
                )));
            }
            result => return result,
        }
    }
}

/// Reads a part of a file, wherever others read at the same time, and tries again if a signal interrupts.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    loop {
        #[cfg(unix)]
        let result = std::os::unix::fs::FileExt::read_at(file, buffer, at);
        #[cfg(windows)]
        let result = std::os::windows::fs::FileExt::seek_read(file, buffer, at);
        #[cfg(not(any(unix, windows)))]
        let result = { &*file }.seek(io::SeekFrom::Start(at)).and_then(|_| { &*file }.read(buffer));
        match result {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A file from its beginning, or a part of it, independent of all others who read it.
pub(crate) struct Reread {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Reread {
    /// The first `length` bytes of a file.
    pub(crate) fn new(file: &Arc<File>, length: u64) -> Self {
        Reread { file: Arc::clone(file), at: 0, end: length }
    }
}

impl Read for Reread {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buffer.len());
        let read = read_at(&self.file, &mut buffer[..most], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Source {
    /// Opens it. Opening a named pipe waits for a writer.
    pub(crate) fn open(&self) -> io::Result<Input> {
        let Name::Path(path) = &self.name else {
            enlarge(io::stdin());
            return Ok(Input::Stream(Box::new(io::stdin())));
        };
        let file = File::open(path)?;
        if file.metadata()?.is_file() {
            return Ok(Input::Seekable(file));
        }
        enlarge(&file);
        Ok(Input::Stream(Box::new(file)))
    }
}

/// All inputs, in the order in which they are read.
#[derive(Clone)]
pub(crate) struct Sources {
    files: Vec<PathBuf>,
    /// Whether directories are read; `None` if the command cannot read them at all.
    recursive: Option<bool>,
}

impl Sources {
    /// These files, and with `recursive` those below directories; or standard input if none is named.
    pub(crate) fn new(files: &[PathBuf], recursive: bool) -> Self {
        Sources { files: or_stdin(files), recursive: Some(recursive) }
    }

    /// These files, none of which may be a directory; or standard input if none is named.
    pub(crate) fn only_files(files: &[PathBuf]) -> Self {
        Sources { files: or_stdin(files), recursive: None }
    }

    /// Whether a person is expected to type the input.
    pub(crate) fn typed(&self) -> bool {
        self.files.iter().any(|file| is_dash(file)) && io::stdin().is_terminal()
    }

    /// The sum of the sizes, if all arguments are regular files.
    pub(crate) fn total_size(&self) -> Option<u64> {
        self.files
            .iter()
            .map(|file| fs::metadata(file).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len()))
            .sum()
    }

    /// Each of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<Source, Refusal>> + Send + use<> {
        let recursive = self.recursive;
        self.files.clone().into_iter().flat_map(move |file| expand(&file, recursive))
    }
}

/// What an argument stands for.
type Expanded = Box<dyn Iterator<Item = Result<Source, Refusal>> + Send>;

fn expand(file: &Path, recursive: Option<bool>) -> Expanded {
    if is_dash(file) {
        return one(Ok(Source { name: Name::Stdin, size: None }));
    }
    let name = Name::Path(file.into());
    match fs::metadata(file) {
        Err(why) => one(Err(Refusal { name, why })),
        Ok(metadata) if !metadata.is_dir() => {
            one(Ok(Source { name, size: metadata.is_file().then_some(metadata.len()) }))
        }
        Ok(_) if recursive == Some(true) => Box::new(below(file)),
        Ok(_) => {
            let advice = if recursive.is_some() { "; -r reads the files below it" } else { "" };
            let why = io::Error::other(format!("is a directory{advice}"));
            one(Err(Refusal { name, why }))
        }
    }
}

fn one(item: Result<Source, Refusal>) -> Expanded {
    Box::new(std::iter::once(item))
}

fn or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() { vec![PathBuf::from("-")] } else { files.to_vec() }
}

/// The regular files below a directory, sorted by name within each directory.
fn below(directory: &Path) -> impl Iterator<Item = Result<Source, Refusal>> + Send + use<> {
    let root = directory.to_path_buf();
    WalkDir::new(directory).sort_by_file_name().into_iter().filter_map(move |entry| match entry {
        Ok(entry) if entry.file_type().is_file() => {
            let size = None;
            Some(Ok(Source { name: Name::Path(entry.into_path().into()), size }))
        }
        Ok(_) => None,
        Err(error) => {
            let path = error.path().unwrap_or(&root).to_path_buf();
            let why = error.into_io_error().unwrap_or_else(|| io::Error::other("a loop of links"));
            Some(Err(Refusal { name: Name::Path(path.into()), why }))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says that it has read more than it was given room for.
    struct Liar;

    impl Read for Liar {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            Ok(buffer.len() + 1)
        }
    }

    #[test]
    fn a_reader_that_lies_about_its_count_is_an_error() {
        let error = Input::Stream(Box::new(Liar)).read(&mut [0; 10]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Other);
    }
}
