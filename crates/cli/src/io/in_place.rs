//! A file that is worked on where it is: nothing is written before something differs.
//!
//! Most files of a tree need no change: they are well-formed already, or ASCII in both encodings. As long as what comes
//! out is what went in, byte for byte, there is nothing to write: no temporary file, no backup, no new time of modification;
//! and nothing to refuse, if the file is read-only or an older backup is in the way. At the first piece that differs the
//! [`AtomicOutput`] is made, and begins with a copy of what was the same.

use std::ffi::OsString;
use std::fs;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use crate::io::atomic_output::{AtomicOutput, Losses, Replaceable};
use crate::io::file_state::FileState;
use crate::io::preview::Preview;
use crate::io::source::Reread;

/// The file.
pub(crate) struct InPlace {
    path: PathBuf,
    suffix: Option<OsString>,
    /// To be read again; an empty file need not be.
    original: Option<Arc<File>>,
    /// As it was opened.
    state: FileState,
    /// So many bytes came out as they went in.
    same: u64,
    output: Option<AtomicOutput>,
    /// What would change, if that is all that is wanted.
    preview: Option<Box<Preview>>,
}

/// What became of the file.
pub(crate) enum Change {
    /// Nothing.
    None,
    /// This would change, and was not to.
    Wanted(Box<Preview>),
    /// It was replaced, and has not kept all that it had besides its text.
    Replaced(Losses),
}

/// Why nothing else is worked on where it is.
pub(crate) fn not_regular() -> io::Error {
    io::Error::other("is not a regular file, and --in-place needs one")
}

impl InPlace {
    /// At the beginning of a file that was opened, and is kept under its name and this suffix if it has to be
    /// replaced.
    pub(crate) fn new(
        path: PathBuf,
        suffix: Option<OsString>,
        opened: Option<(FileState, Option<Arc<File>>)>,
        rehearsal: bool,
    ) -> io::Result<InPlace> {
        let Some((state, original)) = opened.filter(|_| fs::metadata(&path).is_ok_and(|file| file.is_file()))
        else {
            return Err(not_regular());
        };
        let preview = rehearsal.then(Box::default);
        Ok(InPlace { path, suffix, original, state, same: 0, output: None, preview })
    }

    /// Writes a piece, which came of these bytes of the file, or of others, if there are none. All pieces come in order.
    pub(crate) fn write(&mut self, text: &[u8], original: Option<&[u8]>) -> io::Result<()> {
        if let Some(preview) = &mut self.preview {
            let changed = preview.changes;
            preview.add(text, original, self.original.as_ref())?;
            if preview.changes && !changed {
                Replaceable::of(&self.path, self.suffix.as_deref())?;
            }
            return Ok(());
        }
        let output = match &mut self.output {
            Some(output) => output,
            None if original == Some(text) => {
                self.same += text.len() as u64;
                return Ok(());
            }
            none => {
                let mut output =
                    AtomicOutput::in_place(&self.path, self.suffix.as_deref(), self.state.clone())?;
                if self.same > 0 && self.original.is_none() {
                    return Err(io::Error::other("reports a size of 0, but is not empty"));
                }
                if let Some(original) = &self.original {
                    io::copy(&mut Reread::new(original, self.same).take(self.same), output.file())?;
                }
                none.insert(output)
            }
        };
        output.write(text)
    }

    /// All has come: what there is to write is on the disk, and the file is still the one that was opened.
    pub(crate) fn settle(&self) -> io::Result<()> {
        self.output.as_ref().map_or(Ok(()), AtomicOutput::settle)
    }

    /// All has come.
    pub(crate) fn commit(self) -> io::Result<Change> {
        if let Some(mut preview) = self.preview {
            preview.end()?;
            return Ok(if preview.changes { Change::Wanted(preview) } else { Change::None });
        }
        self.output.map_or(Ok(Change::None), |output| output.commit().map(Change::Replaced))
    }
}
