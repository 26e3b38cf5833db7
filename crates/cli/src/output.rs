//! Which output belongs to which input.
//!
//! With `--in-place` each input has its own, which counts or not when that input ends. Otherwise there is one for
//! all of them: what comes out of the inputs stands in it one after the other, as with `cat`, and a file
//! as output counts only if nothing was wrong with any of them.
//!
//! An output that is its own input is refused, however it is spelt: by a link, through standard
//! input or output. With a file as output it would do no harm; but whoever means it can say
//! `--in-place`, and into standard output it would eat what it reads.

use std::io;
use std::path::PathBuf;

use crate::grammar::{Inputs, Writing};
use crate::name::Name;
use crate::source::is_stdin;
use crate::target::{Refused, Target, is_same};

/// The outputs.
pub(crate) struct Outputs {
    writing: Writing,
    /// What --in-place does to a file.
    verb: &'static str,
    /// The only input, whose end is that of the output.
    single: bool,
    open: Option<(Target, Name)>,
    /// Something was wrong, and the file that all inputs go to will not count.
    failed: bool,
}

/// What becomes of an output when an input ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It counts.
    Counts,
    /// It is given up: something was wrong, or there was nothing to do.
    GivenUp,
}

impl Outputs {
    /// As the command line has them.
    pub(crate) fn new(writing: &Writing, inputs: &Inputs, verb: &'static str) -> Self {
        let single = inputs.files.len() < 2 && !inputs.recursive;
        Outputs { writing: writing.clone(), verb, single, open: None, failed: false }
    }

    /// The file that is written, if it is one.
    fn file(&self) -> Option<&PathBuf> {
        self.writing.output.as_ref().filter(|output| !is_stdin(output))
    }

    /// Whether an error is one of standard output.
    pub(crate) fn to_stdout(&self) -> bool {
        self.writing.to_stdout()
    }

    /// Whether each input has its own.
    pub(crate) fn in_place(&self) -> bool {
        self.writing.in_place.is_some()
    }

    /// An input begins: whether its output does, too. Refused are the output, or the input because of it.
    pub(crate) fn begin(&mut self, input: &Name) -> Result<bool, Option<Refused>> {
        if !self.in_place() && is_same(input, self.file().map(PathBuf::as_path)) {
            self.failed = true;
            let why = format!("is input and output at once; --in-place {}s a file where it is", self.verb);
            return Err(Some((input.clone(), io::Error::other(why))));
        }
        if self.open.is_some() {
            return Ok(false);
        }
        if self.failed && !self.in_place() {
            return Err(None); // it has been said
        }
        match Target::choose(&self.writing, input) {
            Ok(open) => {
                self.open = Some(open);
                Ok(true)
            }
            Err(refused) => {
                self.failed = true;
                Err(Some(refused))
            }
        }
    }

    /// Writes a piece.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), |(target, _)| target.write(bytes))
    }

    /// Lets a reader at the other end have what was written so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), |(target, _)| target.flush())
    }

    /// It cannot be written: what it is called.
    pub(crate) fn give_up(&mut self) -> Option<Name> {
        self.failed = true;
        self.open.take().map(|(_, name)| name)
    }

    /// An input has ended.
    pub(crate) fn end(&mut self, fate: Fate) -> Result<(), Refused> {
        if self.in_place() || self.single {
            return match (self.open.take(), fate) {
                (Some((target, name)), Fate::Counts) => target.finish().map_err(|why| (name, why)),
                (Some((mut target, name)), Fate::GivenUp) => target.flush().map_err(|why| (name, why)),
                (None, _) => Ok(()),
            };
        }
        self.failed |= fate == Fate::GivenUp;
        self.flush().map_err(|why| (self.give_up().unwrap_or(Name::Stdin), why))
    }

    /// An input could not be read at all.
    pub(crate) fn miss(&mut self) {
        self.failed = true;
    }

    /// All inputs have ended.
    pub(crate) fn close(&mut self) -> Result<(), Refused> {
        match self.open.take() {
            Some((target, name)) if !self.failed => target.finish().map_err(|why| (name, why)),
            _ => Ok(()),
        }
    }
}
