//! Each file once, where files are replaced, and no backups.
//!
//! A conversion in place is not one to be done twice. So each file is worked on once, however many ways lead to it
//! ([`FileId`]); and what `--in-place=SUFFIX` has kept of a file is not worked on by a second run with that SUFFIX,
//! whether a directory or a pattern of the shell has brought it: it is all there is of the old text.
//!
//! The other names of a file (hard links) are no second visit once the first has been replaced: they have the old text,
//! and are a file of their own from then on.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::io::file_state::FileId;
use crate::io::name::Name;
use crate::io::source::{Refusal, Source};

/// The files that were worked on; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visited(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    files: HashSet<FileId>,
    backups: u64,
}

impl Visited {
    /// The inputs without those that were worked on before, and without backups that have this suffix.
    pub(crate) fn only_new<I>(
        &self,
        suffix: Option<OsString>,
        inputs: I,
    ) -> impl Iterator<Item = Result<Source, Refusal>> + Send + use<I>
    where
        I: Iterator<Item = Result<Source, Refusal>> + Send,
    {
        let visited = self.clone();
        inputs.filter(move |input| match input {
            Ok(Source { name: Name::Path(path), .. }) => visited.is_new(path.as_ref(), suffix.as_deref()),
            _ => true,
        })
    }

    /// How many backups were left out.
    pub(crate) fn backups(&self) -> u64 {
        self.with(|state| state.backups)
    }

    /// A file was replaced: what is there now has been worked on, and what was there may still have other names.
    pub(crate) fn replaced(&self, path: &Path, old: Option<FileId>) {
        let new = FileId::of(path).ok();
        self.with(|state| {
            old.map(|old| state.files.remove(&old));
            state.files.extend(new);
        });
    }

    fn is_new(&self, path: &Path, suffix: Option<&OsStr>) -> bool {
        if suffix.is_some_and(|suffix| is_backup(path, suffix)) {
            self.with(|state| state.backups += 1);
            return false;
        }
        // What cannot be looked at is reported by whoever opens it.
        FileId::of(path).map_or(true, |id| self.with(|state| state.files.insert(id)))
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether a file has the name of a backup, and there is the file of which it would be one.
fn is_backup(path: &Path, suffix: &OsStr) -> bool {
    let (Some(name), Some(directory)) = (path.file_name(), path.parent()) else { return false };
    let original = name.as_encoded_bytes().strip_suffix(suffix.as_encoded_bytes());
    original.and_then(name_of).is_some_and(|original| directory.join(original).is_file())
}

#[cfg(unix)]
fn name_of(bytes: &[u8]) -> Option<&OsStr> {
    use std::os::unix::ffi::OsStrExt as _;
    (!bytes.is_empty()).then(|| OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn name_of(bytes: &[u8]) -> Option<&OsStr> {
    std::str::from_utf8(bytes).ok().filter(|name| !name.is_empty()).map(OsStr::new)
}
