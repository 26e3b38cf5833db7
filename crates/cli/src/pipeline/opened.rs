//! An input that was opened, and what is known about it.
//!
//! A regular file that is not empty can be read at any place by any thread ([`Opened::file`]); everything else is
//! a stream and has one reader. An empty file counts as a stream too: it may be one that the system generates
//! while it is read, as below `/proc`.
//!
//! A file is as long as it was when it was opened: what is appended later is not read, and if it becomes shorter it
//! ends there.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use runecast::Scheme;

use crate::io::file_state::FileState;
use crate::io::output::OpenedFile;
use crate::io::source::{Input, Reread, Source, peek};
use crate::pipeline::legacy::Decoding;
use crate::pipeline::retrace::find_in_file;
use crate::pipeline::window::{Rule, Window};

/// An input that was opened.
pub(crate) struct Opened<C> {
    /// What it is called, and how large.
    pub(crate) source: Source,
    /// What the command has found out about it.
    pub(crate) context: C,
    /// The file, if it can be read again.
    pub(crate) file: Option<Arc<File>>,
    /// A regular file as it was opened.
    pub(crate) state: Option<FileState>,
    /// The same, if it is not empty, though its bytes are not those that are worked on.
    original: Option<Arc<File>>,
    /// What became of it so far, if it is decoded before it is worked on.
    pub(crate) decoding: Option<Arc<Decoding>>,
    /// What decides where its chunks are cut.
    pub(crate) rule: Rule,
    /// The bytes of a file.
    pub(crate) size: u64,
    finished: AtomicBool,
}

impl<C> Opened<C> {
    /// With what was found at its beginning.
    pub(crate) fn new(
        source: Source,
        context: C,
        rule: Rule,
        Beginning { size, state, file: original, .. }: Beginning,
        decoding: Option<Arc<Decoding>>,
    ) -> Opened<C> {
        let file = original.clone().filter(|_| decoding.is_none());
        let finished = AtomicBool::new(false);
        Opened { source, context, file, state, original, decoding, rule, size, finished }
    }

    /// The piece in a window as it stands in the input, if that is what it is.
    pub(crate) fn original<'a>(&self, window: &'a Window) -> Option<&'a [u8]> {
        let piece = window.piece();
        let end = window.at() + piece.len() as u64;
        self.decoding.as_ref().is_none_or(|decoding| decoding.is_same_before(end)).then_some(piece)
    }

    /// The place in the input, and the bytes, of a character at a place in the UTF-8 that was made of it; or nothing, if it is not
    /// decoded.
    pub(crate) fn find(&self, decoded: u64) -> io::Result<Option<(u64, Vec<u8>)>> {
        match (&self.decoding, &self.original) {
            (None, _) => Ok(None),
            (Some(decoding), Some(file)) => find_in_file(file, self.size, decoding.encoding, decoded),
            (Some(decoding), None) => Ok(decoding.find(decoded)),
        }
    }

    /// How many bytes of it were read, if so many were worked on.
    pub(crate) fn bytes_read(&self, worked_on: u64) -> u64 {
        self.decoding.as_ref().map_or(worked_on, |decoding| decoding.bytes_read())
    }

    /// What it takes to work on it where it is: a regular file.
    pub(crate) fn to_replace(&self) -> Option<OpenedFile> {
        self.state.clone().map(|state| (state, self.original.clone()))
    }

    /// Whether no more of it is wanted.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }

    /// No more of it is wanted, or there is no more of it.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }
}

/// An open input and its first bytes.
pub(crate) struct Beginning {
    /// The first bytes.
    pub(crate) head: Vec<u8>,
    /// The bytes of a file.
    pub(crate) size: u64,
    /// A regular file as it was opened.
    pub(crate) state: Option<FileState>,
    /// A regular file that is not empty.
    pub(crate) file: Option<Arc<File>>,
    /// Anything else, from its first byte on.
    pub(crate) reader: Option<Box<dyn Read + Send>>,
}

impl Beginning {
    /// Looks at the beginning: as much as a byte order mark can have, or of a stream what comes until no more is wanted.
    pub(crate) fn of(input: Input, wants_more: impl Fn(&[u8]) -> bool) -> io::Result<Beginning> {
        let (stream, state): (Box<dyn Read + Send>, _) = match input {
            Input::Seekable(file) => {
                let metadata = file.metadata()?;
                let (size, state) = (metadata.len(), Some(FileState::of(&metadata)));
                if size > 0 {
                    let (file, mut head) = (Arc::new(file), Vec::new());
                    let most = if wants_more(&head) { Scheme::LONGEST_MARK } else { 0 };
                    Reread::new(&file, most as u64).read_to_end(&mut head)?;
                    return Ok(Beginning { head, size, state, file: Some(file), reader: None });
                }
                (Box::new(file), state)
            }
            Input::Stream(stream) => (stream, None),
        };
        let (head, reader) = peek(stream, wants_more)?;
        Ok(Beginning { head, size: 0, state, file: None, reader: Some(reader) })
    }
}
