//! The inputs: files, directories, standard input.
//!
//! [`Sources`] turns the arguments into an iterator over things to read, in the order of the command
//! line, and inside a directory in the order of names: two runs over the same tree report the
//! same in the same order. Below a directory, hidden files and what `.gitignore` and its like exclude are left out unless
//! they are asked for, as by ripgrep, and always the files that this program is writing; what is named is always read. What cannot be read is an item of it too (a [`Refusal`]),
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

use std::collections::HashSet;
use std::fs::{self, File};
#[cfg(not(any(unix, windows)))]
use std::io::Seek as _;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};
use runecast::Scheme;

use crate::io::closed;
use crate::io::file_state::FileId;
use crate::io::name::{Name, is_dash};
use crate::io::os_error::{innermost, plain};
use crate::io::pipe::enlarge;
use crate::io::temporary::is_ours;

/// Something to read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// What to call it.
    pub(crate) name: Name,
    /// Its size, where that is known beforehand.
    pub(crate) size: Option<u64>,
    /// The directory below which it was found, if it was not named.
    pub(crate) root: Option<Arc<Path>>,
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
}

/// Looks at the beginning of a stream, for as long as more is wanted than what came, or to its end. Afterwards it is as if nothing had been
/// read.
pub(crate) fn peek(
    mut stream: Box<dyn Read + Send>,
    wants_more: impl Fn(&[u8]) -> bool,
) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let (mut head, mut room) = (Vec::new(), [0; Scheme::LONGEST_MARK]);
    while wants_more(&head) {
        match read_retrying(&mut stream, &mut room)? {
            0 => return Ok((head.clone(), Box::new(io::Cursor::new(head)))),
            count => head.extend_from_slice(&room[..count]),
        }
    }
    let again = io::Cursor::new(head.clone()).chain(stream);
    Ok((head, Box::new(again)))
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

    /// All of a file from a place on.
    pub(crate) fn behind(file: &Arc<File>, at: u64) -> Self {
        Reread { file: Arc::clone(file), at, end: u64::MAX }
    }
}

impl Read for Reread {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buffer.len());
        if most == 0 {
            return Ok(0);
        }
        let read = read_at(&self.file, &mut buffer[..most], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Source {
    /// Opens it. Opening a named pipe waits for a writer.
    pub(crate) fn open(&self) -> io::Result<Input> {
        let Name::Path(path) = &self.name else {
            closed::stdin()?;
            enlarge(io::stdin());
            return Ok(Input::Stream(Box::new(io::stdin())));
        };
        closed::behind(path.as_ref())?;
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
    /// The list of files that cannot be read, and why.
    refused: Option<(Name, io::ErrorKind, String)>,
    /// Which files of directories are read; `None` if the command cannot read them at all.
    walk: Option<Walk>,
}

/// Which files of a directory are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    /// Any of them.
    pub(crate) recursive: bool,
    /// Hidden ones as well.
    pub(crate) hidden: bool,
    /// Those as well that `.gitignore` and its like exclude.
    pub(crate) ignored: bool,
    /// What looks like no text, as well.
    pub(crate) binary: bool,
    /// Only those that match one of these patterns, if there are any; and what matches one that begins with `!` is left
    /// out.
    pub(crate) patterns: Vec<String>,
}

impl Sources {
    /// These files, and those below directories that are walked; or standard input if none is named.
    pub(crate) fn new(files: &[PathBuf], walk: Walk) -> Self {
        Sources { files: or_stdin(files), refused: None, walk: Some(walk) }
    }

    /// The same files, of which some may be patterns that no shell has replaced by names.
    #[cfg(windows)]
    pub(crate) fn expanding(files: &[PathBuf], walk: Walk) -> Self {
        let files: Vec<_> =
            files.iter().flat_map(|file| matching(file).unwrap_or(vec![file.clone()])).collect();
        Sources::new(&files, walk)
    }

    /// The same: here shells replace patterns.
    #[cfg(not(windows))]
    pub(crate) fn expanding(files: &[PathBuf], walk: Walk) -> Self {
        Sources::new(files, walk)
    }

    /// The files that a list names, each name with a NUL byte behind it; `-` is standard input.
    pub(crate) fn listed(list: &Path, walk: Walk) -> Self {
        let mut names = Vec::new();
        let (name, read) = match is_dash(list) {
            true => (Name::Stdin, closed::stdin().and_then(|()| io::stdin().lock().read_to_end(&mut names))),
            false => {
                (Name::Path(list.into()), File::open(list).and_then(|mut list| list.read_to_end(&mut names)))
            }
        };
        let files: Option<Vec<_>> = match names.strip_suffix(b"\0").unwrap_or(&names) {
            b"" if names.is_empty() => Some(Vec::new()),
            names => names.split(|byte| *byte == 0).map(path_of).collect(),
        };
        let again = || is_dash(list) && files.iter().flatten().any(|file| is_dash(file));
        let refused = match (read, &files) {
            (Err(why), _) => Some((name, why.kind(), plain(&why))),
            (Ok(_), Some(files)) if is_of_lines(&names, files) => {
                let why = "has no NUL byte: each name must end with one, as those of `find -print0` and `git ls-files -z`";
                Some((name, io::ErrorKind::InvalidData, why.to_owned()))
            }
            (Ok(_), Some(_)) if again() => {
                let why = "is read from standard input and also names it (write ./- for a file named -)";
                Some((name, io::ErrorKind::InvalidInput, why.to_owned()))
            }
            (Ok(_), None) => {
                let why = "contains a name that is empty, or that is not valid on this system";
                Some((name, io::ErrorKind::InvalidData, why.to_owned()))
            }
            (Ok(_), Some(_)) => None,
        };
        let files = if refused.is_some() { Vec::new() } else { files.unwrap_or_default() };
        Sources { files, refused, walk: Some(walk) }
    }

    /// These files, none of which may be a directory; or standard input if none is named.
    pub(crate) fn only_files(files: &[PathBuf]) -> Self {
        Sources { files: or_stdin(files), refused: None, walk: None }
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

    /// What must not be written to while these are read.
    pub(crate) fn reserved(&self) -> Reserved {
        let mut reserved = Reserved::default();
        for file in self.files.iter().filter(|file| !is_dash(file)) {
            match file.is_dir() {
                true => reserved.trees.extend(fs::canonicalize(file)),
                false => reserved.files.extend(FileId::of(file)),
            }
        }
        reserved
    }

    /// Whether files that are found below directories are left out if they look like no text.
    pub(crate) fn passes_over_binaries(&self) -> bool {
        self.walk.as_ref().is_some_and(|walk| !walk.binary)
    }

    /// Whether a file below a directory has to match a pattern.
    pub(crate) fn wants_a_match(&self) -> bool {
        let wanted = |walk: &Walk| walk.patterns.iter().any(|pattern| !pattern.starts_with('!'));
        self.walk.as_ref().is_some_and(wanted)
    }

    /// Each of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<Source, Refusal>> + Send + use<> {
        let walk = self.walk.clone();
        let refused = self
            .refused
            .clone()
            .map(|(name, kind, why)| Err(Refusal { name, why: io::Error::new(kind, why) }));
        let files = self.files.clone().into_iter();
        refused.into_iter().chain(files.flat_map(move |file| expand(&file, walk.as_ref())))
    }
}

/// What must not be written to: each file that was named, and whatever is below a directory that was.
#[derive(Default)]
pub(crate) struct Reserved {
    files: HashSet<FileId>,
    trees: Vec<PathBuf>,
}

impl Reserved {
    /// Whether this file, which need not exist, is such a one.
    pub(crate) fn has(&self, file: &Path) -> bool {
        FileId::of(file).is_ok_and(|id| self.files.contains(&id))
            || !self.trees.is_empty()
                && leads_to(file).is_some_and(|there| self.trees.iter().any(|tree| there.starts_with(tree)))
    }
}

/// Where a path leads to, which need not exist: through the links that are there, and out of directories that are yet to be made.
pub(crate) fn leads_to(path: &Path) -> Option<PathBuf> {
    std::path::absolute(path).ok().map(|path| resolve(&path))
}

fn resolve(path: &Path) -> PathBuf {
    if let Ok(there) = fs::canonicalize(path) {
        return there;
    }
    let (Some(parent), Some(last)) = (path.parent(), path.components().next_back()) else {
        return path.to_owned();
    };
    let mut there = resolve(parent);
    if last == Component::ParentDir {
        there.pop();
    } else {
        there.push(last);
    }
    fs::canonicalize(&there).unwrap_or(there)
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    (!name.is_empty()).then(|| std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(name).ok().filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// Whether a list has a name in each line, rather than one name in which there are line feeds.
fn is_of_lines(names: &[u8], files: &[PathBuf]) -> bool {
    memchr::memchr(b'\0', names).is_none()
        && memchr::memchr(b'\n', names).is_some()
        && files.iter().all(|file| fs::symlink_metadata(file).is_err())
}

/// What an argument stands for.
type Expanded = Box<dyn Iterator<Item = Result<Source, Refusal>> + Send>;

fn expand(file: &Path, walk: Option<&Walk>) -> Expanded {
    if is_dash(file) {
        return one(Ok(Source { name: Name::Stdin, size: None, root: None }));
    }
    let name = Name::Path(file.into());
    match fs::metadata(file) {
        Err(why) => one(Err(Refusal { name, why })),
        Ok(metadata) if !metadata.is_dir() => {
            let size = metadata.is_file().then_some(metadata.len());
            one(Ok(Source { name, size, root: None }))
        }
        Ok(_) => match walk {
            Some(walk) if walk.recursive => below(file, walk),
            _ => {
                let advice = if walk.is_some() { "; -r reads the files below it" } else { "" };
                let why = io::Error::other(format!("is a directory{advice}"));
                one(Err(Refusal { name, why }))
            }
        },
    }
}

fn one(item: Result<Source, Refusal>) -> Expanded {
    Box::new(std::iter::once(item))
}

fn or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() { vec![PathBuf::from("-")] } else { files.to_vec() }
}

/// The regular files below a directory, sorted by name within each directory.
fn below(directory: &Path, walk: &Walk) -> Expanded {
    let root: Arc<Path> = directory.into();
    let overrides = match overrides(directory, &walk.patterns) {
        Ok(overrides) => overrides,
        Err(why) => {
            return one(Err(Refusal { name: Name::Path(directory.into()), why: io::Error::other(why) }));
        }
    };
    let mut builder = WalkBuilder::new(directory);
    builder.standard_filters(!walk.ignored).hidden(!walk.hidden).overrides(overrides).follow_links(false);
    builder.sort_by_file_name(|one, other| one.cmp(other));
    Box::new(builder.build().filter_map(move |entry| match entry {
        Ok(entry) if is_ours(entry.file_name().as_encoded_bytes()) => None,
        Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
            let root = Some(Arc::clone(&root));
            Some(Ok(Source { name: Name::Path(entry.into_path().into()), size: None, root }))
        }
        Ok(_) => None,
        Err(error) => {
            let path = path_in(&error).unwrap_or(&root).to_path_buf();
            let why = error
                .into_io_error()
                .map_or_else(|| io::Error::other("is part of a loop of links"), innermost);
            Some(Err(Refusal { name: Name::Path(path.into()), why }))
        }
    }))
}

/// The patterns that say which files are read.
fn overrides(directory: &Path, patterns: &[String]) -> Result<Override, ignore::Error> {
    let mut builder = OverrideBuilder::new(directory);
    for pattern in patterns {
        builder.add(pattern)?;
    }
    builder.build()
}

/// The files whose names match a pattern, in the order of names, if it is one: `*` and `?` in the last part of a path, which no name has
/// on Windows.
#[cfg(any(windows, test))]
fn matching(pattern: &Path) -> Option<Vec<PathBuf>> {
    let name = pattern.file_name()?.to_str()?;
    if !name.contains(['*', '?']) || name.starts_with('!') {
        return None;
    }
    let mut builder = OverrideBuilder::new("");
    builder.case_insensitive(true).ok()?.add(&ignore_pattern(name)).ok()?;
    let wanted = builder.build().ok()?;
    let directory = pattern.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = fs::read_dir(directory.unwrap_or(Path::new("."))).ok()?.flatten();
    let mut names: Vec<_> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()))
        .map(|entry| entry.file_name())
        .filter(|name| wanted.matched(name, false).is_whitelist())
        .collect();
    names.sort();
    (!names.is_empty()).then(|| names.iter().map(|name| pattern.with_file_name(name)).collect())
}

/// A pattern as it stands in .gitignore, where `#` would begin a comment, and `!` is for those that leave out.
pub(crate) fn ignore_pattern(pattern: &str) -> String {
    let pattern = pattern.trim_start_matches('!');
    if pattern.starts_with('#') { format!("\\{pattern}") } else { pattern.to_owned() }
}

/// What is wrong with a pattern. One that says nothing would be passed over, and all files be read.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), String> {
    let mut builder = OverrideBuilder::new(".");
    let built = builder.add(&ignore_pattern(pattern)).and_then(|builder| builder.build());
    match built {
        Ok(overrides) if overrides.is_empty() || pattern.trim().is_empty() => {
            Err("an empty pattern matches no name".to_owned())
        }
        built => built.map(drop).map_err(|why| why.to_string()),
    }
}

/// The path that an error is about.
fn path_in(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_in(err),
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
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
    fn patterns_are_names_where_no_shell_knows_them() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for name in ["a.log", "B.LOG", "c.txt", "ab", "[x].log"] {
            fs::write(directory.path().join(name), b"").expect("a file");
        }
        fs::create_dir(directory.path().join("d.log")).expect("a directory");
        let found = |pattern: &str| {
            let paths = matching(&directory.path().join(pattern))?;
            let names = paths.iter().map(|path| {
                assert_eq!(path.parent(), Some(directory.path()));
                path.file_name().and_then(|name| name.to_str()).map(str::to_owned)
            });
            names.collect::<Option<Vec<_>>>()
        };
        let some = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(found("*.log"), some(&["B.LOG", "[x].log", "a.log"]));
        assert_eq!(found("?.txt"), some(&["c.txt"]));
        assert_eq!(found("a*"), some(&["a.log", "ab"]));
        for none in ["a.log", "*.none", "none/*", "!*", "."] {
            assert_eq!(found(none), None, "{none}");
        }
    }

    #[test]
    fn a_reader_that_lies_about_its_count_is_an_error() {
        let error = Input::Stream(Box::new(Liar)).read(&mut [0; 10]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Other);
    }
}
