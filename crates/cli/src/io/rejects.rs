//! The file for what is left out of texts: it has that before they are replaced.
//!
//! What `repair --drop-lines` leaves out of a file in place is nowhere else once that file has been replaced. So it is on the disk
//! before, under the name of the file for it. Until then it is in a temporary file that nobody sees: after an error the file for it is what
//! it was, and it never has anything of a text whose output is given up.
//!
//! The temporary file takes the name when the first such text is replaced. What follows is collected in a second one, and appended for
//! each text as a whole: to make a new file each time would cost the square of their number. If there is no room for it, what was
//! appended is cut off again.
//!
//! A pipe, a device and standard output have all of it at once, and nothing can be taken back there.

use std::fs::{self, File};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::NamedTempFile;

use crate::io::atomic_output::{AtomicOutput, Losses, Published};
use crate::io::close::close;
use crate::io::interrupt::{RemovedOnInterrupt, removed_on_interrupt, uninterrupted};
use crate::io::name::Name;
use crate::io::output::{Output, Refused};
use crate::io::temporary::{FOR_US, temporary_beside};

/// The file.
pub(crate) struct Rejects {
    name: Name,
    to: To,
    /// How much was written for the present text, or since the last one that was replaced.
    pending: u64,
    losses: Losses,
}

enum To {
    /// What was written is there.
    Direct(Output),
    /// The file is what it was, and this will take its place.
    Unnamed(AtomicOutput),
    /// The file has what was left out of the texts that were replaced so far.
    Named(Named),
    /// It could not be written.
    Broken,
}

/// The file, and what will be appended to it.
struct Named {
    path: PathBuf,
    file: File,
    length: u64,
    further: Option<(NamedTempFile, RemovedOnInterrupt)>,
}

impl Rejects {
    /// Opens it.
    pub(crate) fn open(path: &Path) -> Result<Rejects, Refused> {
        let (output, name) = Output::open(path)?;
        let to = match output {
            Output::Atomic(file) => To::Unnamed(file),
            output => To::Direct(output),
        };
        Ok(Rejects { name, to, pending: 0, losses: Losses::new() })
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &Name {
        &self.name
    }

    /// Whether anything was written that is not kept yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending > 0
    }

    /// What the file that it has replaced had besides its text and it has not, since this was asked last.
    pub(crate) fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
    }

    /// Writes a piece.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pending += bytes.len() as u64;
        match &mut self.to {
            To::Direct(output) => output.write(bytes, None),
            To::Unnamed(file) => file.write(bytes),
            To::Named(Named { path, further, .. }) => {
                let (file, _) = match further {
                    Some(further) => further,
                    none => none.insert(removed_on_interrupt(|| temporary_beside(path, FOR_US))?),
                };
                file.as_file_mut().write_all(bytes)
            }
            To::Broken => Err(broken()),
        }
    }

    /// What was written since the last text that was replaced belongs to one that is not.
    pub(crate) fn take_back(&mut self) {
        if self.pending == 0 {
            return;
        }
        match &mut self.to {
            To::Direct(_) | To::Broken => {}
            To::Unnamed(file) => {
                let file = file.file();
                if file.set_len(0).and_then(|()| file.rewind()).is_err() {
                    self.to = To::Broken;
                }
            }
            To::Named(named) => named.further = None,
        }
        self.pending = 0;
    }

    /// The text is going to be replaced of which that is: now it is on the disk, and under its name.
    pub(crate) fn keep(&mut self) -> io::Result<()> {
        if self.pending == 0 {
            return Ok(());
        }
        self.to = match std::mem::replace(&mut self.to, To::Broken) {
            To::Direct(mut output) => {
                output.flush()?;
                To::Direct(output)
            }
            To::Unnamed(file) => {
                let Published { path, file, losses } = file.publish()?;
                self.losses.extend(losses);
                To::Named(Named { path, file, length: self.pending, further: None })
            }
            To::Named(mut named) => {
                let appended = named.append(self.pending);
                self.to = To::Named(named);
                appended?;
                self.pending = 0;
                return Ok(());
            }
            To::Broken => return Err(broken()),
        };
        self.pending = 0;
        Ok(())
    }

    /// All texts have ended, and nothing was wrong, or what was can no longer be taken back. If nothing was left out, the file is empty.
    pub(crate) fn close(mut self) -> Result<Losses, Refused> {
        let closed = match (self.pending, std::mem::replace(&mut self.to, To::Broken)) {
            (_, To::Direct(output)) => output.commit().map(drop),
            (_, To::Unnamed(file)) => file.commit().map(|losses| self.losses.extend(losses)),
            (0, To::Named(named)) => close(named.file),
            (pending, To::Named(mut named)) => named.append(pending).and_then(|()| close(named.file)),
            (_, To::Broken) => Err(broken()),
        };
        closed.map(|()| self.losses).map_err(|why| (self.name, why))
    }
}

impl Named {
    /// Appends what was collected: all of it, or nothing.
    fn append(&mut self, pending: u64) -> io::Result<()> {
        let Named { path, file, length, further: Some((further, _)) } = self else { return Ok(()) };
        if Handle::from_path(path)? != Handle::from_file(file.try_clone()?)? {
            return Err(io::Error::other("was replaced by another file in the meantime"));
        }
        let further = further.as_file_mut();
        further.rewind()?;
        uninterrupted(|| {
            let copied = io::copy(&mut Read::by_ref(further).take(pending), file);
            let synced = copied.and_then(|_| file.sync_all());
            if synced.is_err() {
                // (What cannot be cut off belongs to a text that is left as it is.)
                let _ = file.set_len(*length);
                let _ = file.seek(SeekFrom::Start(*length));
            }
            synced
        })?;
        *length += pending;
        further.set_len(0)?;
        further.rewind()
    }
}

fn broken() -> io::Error {
    io::Error::other("could not be written earlier")
}

/// Whether two paths lead to the same file, which need not exist.
pub(crate) fn is_same_place(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let beside =
            || Some(fs::canonicalize(directory.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?));
        fs::canonicalize(path).ok().or_else(beside)
    };
    one == other || whole(one).is_some_and(|one| whole(other) == Some(one))
}
