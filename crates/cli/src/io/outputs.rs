//! Which output belongs to which input.
//!
//! With `--in-place` and `--output-dir` each input has its own, which is committed or not when that input ends. Otherwise
//! there is one for all of them: what comes out of the inputs stands in it one after the other, as with `cat`, and a file
//! as output is committed only if nothing was wrong with any of them.
//!
//! An output that is its own input is refused, however it is spelt: by a link, through standard
//! input or output. With a file as output it would do no harm, but `--in-place` is there for that; with
//! standard output the program would read what it has written.
//!
//! What is left out of inputs may have a [file of its own](Rejects): it has that before an output is committed, and only then. What is
//! written to a pipe cannot be taken back, and so what was left out on the way there is kept as well.
//!
//! Below an output directory a file stands as it stood below the directory that was named, and a file that was named stands
//! directly in it. Two inputs whose outputs would be the same are refused, but for the first; and so is an output in the place of another
//! input, or below a directory that is read.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::io::file_state::FileId;
use crate::io::in_place::{Change, not_regular};
use crate::io::name::Name;
use crate::io::os_error::plain;
use crate::io::output::{Destination, OpenedFile, Output, Refused, is_same};
use crate::io::preview::Preview;
use crate::io::rejects::{Rejects, is_same_place};
use crate::io::source::{Refusal, Reserved, Source, Sources};
use crate::io::visited::Visited;

/// The outputs.
pub(crate) struct Outputs {
    destination: Destination,
    /// What --in-place does to a file.
    verb: &'static str,
    /// Whether there is only one input, whose end is that of the output.
    single: bool,
    open: Option<(Output, Name)>,
    /// Something was wrong, and the file that all inputs go to will not be committed.
    failed: bool,
    /// The one output cannot be written.
    broken: bool,
    /// There was an input.
    begun: bool,
    visited: Visited,
    /// What was written below an output directory: the names, and the files, which may have other names as well.
    written: HashSet<PathBuf>,
    written_files: HashSet<FileId>,
    /// What must not be written there.
    reserved: Reserved,
    /// What is to be said about files that were replaced.
    remarks: Vec<(Name, String)>,
    /// Whether it is only said what would be changed in place, and what that is.
    rehearsal: bool,
    previews: Vec<(Name, Preview)>,
    /// What has that which is left out.
    rejects: Option<Rejects>,
    /// What was written to the present output cannot be taken back.
    direct: bool,
}

/// What becomes of an output when an input ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disposition {
    /// It is committed.
    Commit,
    /// It is discarded: something was wrong.
    Discard,
}

impl Outputs {
    /// For these inputs, one or several.
    pub(crate) fn new(
        sources: &Sources,
        destination: Destination,
        single: bool,
        verb: &'static str,
        rehearsal: bool,
    ) -> Self {
        let reserved = match destination {
            Destination::Directory(_) => sources.reserved(),
            _ => Reserved::default(),
        };
        Outputs {
            destination,
            reserved,
            verb,
            single,
            open: None,
            failed: false,
            broken: false,
            begun: false,
            visited: Visited::default(),
            written: HashSet::new(),
            written_files: HashSet::new(),
            remarks: Vec::new(),
            rehearsal,
            previews: Vec::new(),
            rejects: None,
            direct: false,
        }
    }

    /// The same, with a file for what is left out.
    pub(crate) fn with_rejects(self, rejects: Option<Rejects>) -> Self {
        Outputs { rejects, ..self }
    }

    /// The inputs: where they are replaced, each file once, no backups, and what is no regular file refused.
    pub(crate) fn inputs(
        &self,
        sources: &Sources,
    ) -> Box<dyn Iterator<Item = Result<Source, Refusal>> + Send> {
        match &self.destination {
            Destination::InPlace(suffix) => {
                Box::new(self.visited.only_new(suffix.clone(), sources.iter()).map(only_regular))
            }
            _ => Box::new(sources.iter()),
        }
    }

    /// How many backups were no inputs, and with which suffix.
    pub(crate) fn backups(&self) -> Option<(u64, &OsString)> {
        match (&self.destination, self.visited.backups()) {
            (Destination::InPlace(Some(suffix)), count @ 1..) => Some((count, suffix)),
            _ => None,
        }
    }

    /// The file that is written for an input, if it is one and not the input itself.
    fn file(&self, input: &Source) -> io::Result<Option<PathBuf>> {
        match (&self.destination, &input.name) {
            (Destination::File(path), _) => Ok(Some(path.clone())),
            (Destination::Directory(directory), Name::Path(path)) => {
                let path = Path::new(path);
                let below = match &input.root {
                    Some(root) => path.strip_prefix(root).ok(),
                    None => path.file_name().map(Path::new),
                };
                let below = below
                    .ok_or_else(|| io::Error::other("has no name that could be used below --output-dir"))?;
                Ok(Some(directory.join(below)))
            }
            (Destination::Directory(_), _) => {
                Err(io::Error::other("has no name, and --output-dir needs one"))
            }
            (Destination::Stdout | Destination::InPlace(_), _) => Ok(None),
        }
    }

    /// Whether an error is one of standard output.
    pub(crate) fn to_stdout(&self) -> bool {
        self.destination == Destination::Stdout
    }

    /// Whether each input is replaced by its output.
    pub(crate) fn in_place(&self) -> bool {
        matches!(self.destination, Destination::InPlace(_))
    }

    /// Whether a directory is made that stands for the one that is read.
    pub(crate) fn makes_copies(&self) -> bool {
        matches!(self.destination, Destination::Directory(_))
    }

    /// Whether nothing is left of the text of an input behind it.
    pub(crate) fn keeps_no_input(&self) -> bool {
        self.destination == Destination::InPlace(None)
    }

    /// Whether the output of an input ends with it.
    pub(crate) fn end_with_inputs(&self) -> bool {
        self.has_own() || self.single
    }

    /// Whether each input has its own, or is its own.
    fn has_own(&self) -> bool {
        self.in_place() || matches!(self.destination, Destination::Directory(_))
    }

    /// An input begins: whether its output does, too. Refused are the output, or the input because of it; or
    /// nothing, if that was reported before.
    pub(crate) fn begin(
        &mut self,
        source: &Source,
        opened: Option<OpenedFile>,
    ) -> Result<bool, Option<Refused>> {
        self.begun = true;
        let input = &source.name;
        let file = self.file(source).map_err(|why| Some((input.clone(), why)))?;
        if !self.in_place() && is_same(input, file.as_deref()) {
            self.failed = true;
            let why = format!("is both input and output; use --in-place to {} it in place", self.verb);
            return Err(Some((input.clone(), io::Error::other(why))));
        }
        if self.open.is_some() {
            return Ok(false);
        }
        if self.broken && !self.has_own() {
            return Err(None);
        }
        let chosen = match (&self.destination, file) {
            (Destination::Directory(_), Some(file)) => {
                self.make_way(&file).map_err(|why| Some((input.clone(), why)))?;
                Output::beside(&file, input)
            }
            (destination, _) => Output::choose(destination, input, opened, self.rehearsal),
        };
        match chosen {
            Ok(open) => {
                self.direct = open.0.is_direct();
                self.open = Some(open);
                Ok(true)
            }
            Err(refused) => {
                self.broken = true;
                Err(Some(refused))
            }
        }
    }

    /// A file below the output directory is written: it is the only one of that name, and there is a directory for it.
    fn make_way(&mut self, file: &Path) -> io::Result<()> {
        let name = || Name::Path(file.into());
        // By another name, too: some file systems do not distinguish cases.
        let is_written = || FileId::of(file).is_ok_and(|id| self.written_files.contains(&id));
        if self.written.contains(file) || is_written() {
            return Err(io::Error::other(format!("would be written to {}, like an earlier input", name())));
        }
        if self.reserved.has(file) {
            let why = format!(
                "would be written to {}, which is an input or below a directory that is read",
                name()
            );
            return Err(io::Error::other(why));
        }
        if let Some(Name::Path(rejects)) = self.rejects.as_ref().map(Rejects::name)
            && is_same_place(file, rejects.as_ref())
        {
            let why = format!("would be written to {}, which is the FILE of --rejects", name());
            return Err(io::Error::other(why));
        }
        self.written.insert(file.to_owned());
        file.parent().map_or(Ok(()), |directory| {
            let shown = || Name::Path(directory.into());
            fs::create_dir_all(directory).map_err(|why| {
                let what = plain(&why);
                io::Error::new(why.kind(), format!("cannot create the directory {}: {what}", shown()))
            })
        })
    }

    /// Writes a piece, which came of these bytes of the input; if that is not known, of none.
    pub(crate) fn write(&mut self, bytes: &[u8], original: Option<&[u8]>) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), |(output, _)| output.write(bytes, original))
    }

    /// Writes a piece of the present input to the file for what is left out, if there is one.
    pub(crate) fn reject(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        let Some(rejects) = &mut self.rejects else { return Ok(()) };
        rejects.write(bytes).map_err(|why| (rejects.name().clone(), why))
    }

    /// Whether what was written of inputs that have ended cannot be taken back, although something is wrong with one.
    fn is_final(&self) -> bool {
        self.direct && !self.has_own()
    }

    /// The present output is discarded, and so is what was left out on the way to it.
    fn take_back_rejects(&mut self) {
        if !self.is_final()
            && let Some(rejects) = &mut self.rejects
        {
            rejects.take_back();
        }
    }

    /// Lets a reader at the other end have what was written so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), |(output, _)| output.flush())
    }

    /// The open output cannot be written, and is dropped: what it is called.
    pub(crate) fn abandon(&mut self) -> Option<Name> {
        self.broken = true;
        self.take_back_rejects();
        self.open.take().map(|(_, name)| name)
    }

    /// An input has ended: whether its output is not what it was, as far as is known.
    pub(crate) fn end(&mut self, disposition: Disposition) -> Result<bool, Refused> {
        if self.end_with_inputs() {
            return match (self.open.take(), disposition) {
                (Some(open), Disposition::Commit) => self.commit(open),
                (Some((mut output, name)), Disposition::Discard) => {
                    self.take_back_rejects();
                    output.flush().map(|()| true).map_err(|why| (name, why))
                }
                (None, _) => Ok(true),
            };
        }
        self.failed |= disposition == Disposition::Discard;
        self.flush().map(|()| true).map_err(|why| (self.abandon().unwrap_or(Name::Stdin), why))
    }

    fn commit(&mut self, (output, name): (Output, Name)) -> Result<bool, Refused> {
        self.keep_rejects(&output, &name).inspect_err(|_| self.take_back_rejects())?;
        let path = match (&name, self.in_place()) {
            (Name::Path(path), true) => Some(Path::new(path).to_owned()),
            _ => None,
        };
        let old = path.as_ref().and_then(|path| FileId::of(path).ok());
        let change = output.commit();
        if let (Destination::Directory(_), Name::Path(path), Ok(_)) = (&self.destination, &name, &change) {
            self.written_files.extend(FileId::of(path.as_ref()));
        }
        match change {
            Ok(Change::None) => Ok(false),
            Ok(Change::Wanted(preview)) => {
                self.previews.push((name, *preview));
                Ok(true)
            }
            Ok(Change::Replaced(losses)) => {
                if let Some(path) = path {
                    self.visited.replaced(&path, old);
                }
                self.remarks.extend(losses.into_iter().map(|loss| (name.clone(), loss)));
                Ok(true)
            }
            Err(why) => Err((name, why)),
        }
    }

    /// An output is going to be committed: first what was left out on the way to it is safe.
    fn keep_rejects(&mut self, output: &Output, name: &Name) -> Result<(), Refused> {
        let is_final = self.is_final();
        let Some(rejects) = self.rejects.as_mut().filter(|rejects| !is_final && rejects.is_pending()) else {
            return Ok(());
        };
        output.settle().map_err(|why| (name.clone(), why))?;
        rejects.keep().map_err(|why| (rejects.name().clone(), why))?;
        self.remarks.extend(rejects.take_losses().into_iter().map(|loss| (rejects.name().clone(), loss)));
        Ok(())
    }

    /// All inputs have ended, and the outputs are closed: the file for what is left out has what there is, if all went well. Otherwise
    /// it has what belongs to outputs that were committed, or cannot be taken back; if that is nothing, it is what it was.
    pub(crate) fn close_rejects(&mut self, well: bool) -> Result<(), Refused> {
        let is_there = self.is_final() && !self.broken;
        let keeps = |rejects: &Rejects| well || is_there && rejects.is_pending();
        let Some(rejects) = self.rejects.take().filter(keeps) else { return Ok(()) };
        let name = rejects.name().clone();
        let losses = rejects.close()?;
        self.remarks.extend(losses.into_iter().map(|loss| (name.clone(), loss)));
        Ok(())
    }

    /// What is to be said about files that were replaced since this was asked last: the name, and a sentence about it.
    pub(crate) fn take_remarks(&mut self) -> Vec<(Name, String)> {
        std::mem::take(&mut self.remarks)
    }

    /// What would change in files since this was asked last.
    pub(crate) fn take_previews(&mut self) -> Vec<(Name, Preview)> {
        std::mem::take(&mut self.previews)
    }

    /// An input could not be read at all.
    pub(crate) fn input_failed(&mut self) {
        self.failed = true;
    }

    /// All inputs have ended.
    pub(crate) fn close(&mut self) -> Result<(), Refused> {
        let open = match (self.open.take(), &self.destination) {
            _ if self.failed || self.broken => return Ok(()),
            // Of no input comes an empty file, and not the one that was there before.
            (None, Destination::File(path)) if !self.begun => Output::open(path)?,
            (None, _) => return Ok(()),
            (Some(open), _) => open,
        };
        self.commit(open).map(drop)
    }
}

/// Refuses what cannot be replaced before it is opened: to open a named pipe is to wait for somebody who writes to it.
fn only_regular(input: Result<Source, Refusal>) -> Result<Source, Refusal> {
    let source = input?;
    match &source.name {
        // What cannot be looked at is reported by whoever opens it.
        Name::Path(path) if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) => {
            Err(Refusal { name: source.name, why: not_regular() })
        }
        _ => Ok(source),
    }
}
