//! Conversion in chunks, in constant memory.
//!
//! The input goes through a [`Window`] as for [`scan`](crate::scan). Each chunk is converted by itself, into a
//! buffer of its own: that is [`Conversion`]. In order, a [`Passage`] follows, which hands what came out
//! to the [`Outlet`]. The first error ends it: what comes before has gone out by then, and it is the outlet's
//! business whether anyone will see it.
//!
//! If source and target are the same, nothing is copied: the window is validated and goes out as it
//! is. That makes a conversion that only takes a mark away as fast as a copy.
//!
//! Lines and columns are counted in UTF-8, since that is what a [`Cursor`] reads. So for a pair
//! without it the text is converted once more for the cursor: along the way in a stream, and in a
//! file only if an error was found, from the beginning up to there.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::sync::Arc;

use runecast::{IllFormed, Policy, Reason};
use runecast_explain::{Cursor, Place};

use crate::crew::Work;
use crate::encoding::{Scheme, length, width};
use crate::feed::Opened;
use crate::scan::Broken;
use crate::source::Reread;
use crate::window::{CHUNK, Flow, Rule, Window};

/// From where to where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// What the input is.
    pub(crate) from: Scheme,
    /// What the output is to be.
    pub(crate) to: Scheme,
    /// So many bytes at the beginning are a byte order mark that is to be left out.
    pub(crate) skip: usize,
    /// Whether the output begins with a byte order mark, besides what comes from the input.
    pub(crate) mark: bool,
}

impl Route {
    /// The mark that is to be written.
    pub(crate) fn mark(&self) -> &'static [u8] {
        if self.mark { self.to.mark() } else { b"" }
    }
}

/// Finds the route for an input by its beginning.
pub(crate) type Look = Box<dyn Fn(&[u8]) -> Route + Send + Sync>;

/// Who takes the output.
pub(crate) trait Outlet {
    /// The next piece: whole characters.
    fn take(&mut self, text: &[u8]) -> io::Result<()>;
    /// So many more bytes have been read, and what they were converted to was handed out.
    fn proceeded(&mut self, bytes: u64) -> io::Result<()>;
}

/// What is wrong with a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is none.
    IllFormed(IllFormed),
    /// The target has no form for it.
    Unrepresentable(char),
    /// The target has no form for it, and it is no character: a surrogate.
    UnrepresentableCodePoint(u32),
}

/// An error, and where it is in the whole input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The offset of its first byte.
    pub(crate) at: u64,
    /// Line and column, if they are wanted.
    pub(crate) place: Option<Place>,
    /// What is wrong; an offset in it is that in some window and means nothing here.
    pub(crate) flaw: Flaw,
    /// The bytes that show it.
    pub(crate) bytes: Vec<u8>,
}

/// Converts chunks.
pub(crate) struct Conversion {
    /// From where to where.
    pub(crate) look: Look,
    /// Whether an error needs a line and a column.
    pub(crate) places: bool,
    /// Whether what cannot be converted is left out, and no error.
    pub(crate) omits: bool,
}

/// What came of a chunk.
#[derive(Default)]
pub(crate) struct Converted {
    output: Vec<u8>,
    /// The output is the piece itself.
    same: bool,
    /// So much of the piece was converted.
    read: usize,
    /// Why not more.
    reason: Option<Reason>,
    /// What was left out: how much, and where it was first.
    omitted: u64,
    first: Option<usize>,
    /// A way over what was converted, in a stream.
    way: Option<Cursor>,
    scratch: Vec<u8>,
}

impl Converted {
    /// What it was converted to.
    pub(crate) fn text<'a>(&'a self, window: &'a Window) -> &'a [u8] {
        if self.same { &window.piece()[..self.read] } else { &self.output }
    }

    /// Goes on behind what stopped the conversion of a piece, as often as that happens.
    fn leave_out(&mut self, Route { from, to, .. }: Route, piece: &[u8]) {
        while let Some(reason) = self.reason.take() {
            if self.same {
                self.output.extend_from_slice(&piece[..self.read]);
                self.same = false;
            }
            self.first = self.first.or(Some(self.read));
            self.omitted += 1;
            let rest = &piece[self.read..];
            // At least a byte: this is the one loop that an odd answer could keep here forever.
            let length = match reason {
                Reason::IllFormed(error) => error.len,
                Reason::Unrepresentable { character, .. } => width(from, character),
                _ => length(from, rest),
            };
            let rest = &rest[length.max(1).min(rest.len())..];
            self.read = piece.len();
            if let Err(error) = from.transcode_append(to, rest, &mut self.output) {
                self.read -= rest.len() - error.read;
                self.reason = Some(error.reason);
            }
        }
    }
}

impl Work for Conversion {
    type Context = Route;
    type Done = Converted;
    const HEAD: usize = Scheme::LONGEST_MARK;

    fn look(&self, head: &[u8]) -> (Route, Rule) {
        let route = (self.look)(head);
        (route, Rule { from: route.from, policy: Policy::default(), skip: route.skip })
    }

    fn work(&self, input: &Opened<Route>, window: &Window, done: &mut Converted) {
        let Route { from, to, .. } = input.context;
        let piece = window.piece();
        // An error at the end is judged by what is behind it, too.
        let judge = |read: usize| match from.validate(&window.whole()[read..]) {
            Err(error) if read + error.at < piece.len() => Some(error),
            _ => None,
        };
        done.output.clear();
        done.same = from == to;
        (done.read, done.reason) = (piece.len(), None);
        if done.same {
            if let Some(error) = judge(0) {
                (done.read, done.reason) = (error.at, Some(Reason::IllFormed(error)));
            }
        } else if let Err(error) = from.transcode_append(to, piece, &mut done.output) {
            let reason = match error.reason {
                Reason::IllFormed(here) => Reason::IllFormed(judge(error.read).unwrap_or(here)),
                reason => reason,
            };
            (done.read, done.reason) = (error.read, Some(reason));
        }
        (done.omitted, done.first) = (0, None);
        if self.omits {
            done.leave_out(input.context, piece);
        }
        done.way = (self.places && input.file.is_none()).then(|| {
            let mut way = Cursor::new();
            if to == Scheme::Utf8 && done.first.is_none() {
                way.pass_text(done.text(window));
            } else {
                done.scratch.resize(SCRATCH, 0);
                follow(&mut way, from, &piece[..done.first.unwrap_or(done.read)], &mut done.scratch);
            }
            way
        });
    }
}

/// Memory for what is converted only to be counted.
pub(crate) const SCRATCH: usize = 16 * 1024;

/// What a passage comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Bytes read.
    pub(crate) bytes: u64,
    /// Sequences and characters left out.
    pub(crate) omitted: u64,
    /// The offset of the first of them.
    pub(crate) first: Option<u64>,
    /// Its line and column, if they are wanted.
    pub(crate) place: Option<Place>,
}

/// A passage of one input.
pub(crate) struct Passage {
    /// What it has come to.
    pub(crate) sum: Sum,
    places: bool,
    /// It stops at the first thing left out.
    cursor: Option<Cursor>,
}

impl Passage {
    /// At the beginning.
    pub(crate) fn new(places: bool, input: &Opened<Route>) -> Self {
        let cursor = (places && input.file.is_none()).then(|| beginning(&input.context));
        Passage { sum: Sum::default(), places, cursor }
    }

    /// The next chunk; or the error that ends it.
    pub(crate) fn take(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &Converted,
        outlet: &mut impl Outlet,
    ) -> Result<Option<Stop>, Broken> {
        outlet.take(done.text(window)).map_err(Broken::Output)?;
        if let (Some(cursor), Some(way)) = (&mut self.cursor, &done.way) {
            cursor.pass(way);
        }
        let from = input.context.from;
        let (piece, at) = (window.piece(), done.read);
        self.sum.bytes += window.fresh();
        self.sum.omitted += done.omitted;
        if let (None, Some(first)) = (self.sum.first, done.first) {
            let first = window.at() + first as u64;
            self.sum.first = Some(first);
            self.sum.place = self.place(input, first).map_err(Broken::Input)?;
            self.cursor = None;
        }
        let (flaw, bytes) = match done.reason {
            None => {
                outlet.proceeded(window.fresh()).map_err(Broken::Output)?;
                return Ok(None);
            }
            Some(Reason::IllFormed(error)) => (Flaw::IllFormed(error), error.evidence().to_vec()),
            Some(Reason::Unrepresentable { character, .. }) => {
                let end = piece.len().min(at + width(from, character));
                (Flaw::Unrepresentable(character), piece[at..end].to_vec())
            }
            Some(Reason::UnrepresentableCodePoint { code_point, .. }) => {
                let end = at + length(from, &piece[at..]);
                (Flaw::UnrepresentableCodePoint(code_point), piece[at..end].to_vec())
            }
            // The library may know more reasons one day; this program does not ask for them.
            Some(_) => return Err(Broken::Input(io::Error::other("cannot be converted"))),
        };
        let at = window.at() + at as u64;
        let place = self.place(input, at).map_err(Broken::Input)?;
        outlet.proceeded(window.fresh()).map_err(Broken::Output)?;
        Ok(Some(Stop { at, place, flaw, bytes }))
    }

    /// The place of the first thing that is wrong, if it is wanted: the cursor of a stream is there.
    fn place(&self, input: &Opened<Route>, at: u64) -> io::Result<Option<Place>> {
        Ok(match (&self.cursor, &input.file) {
            (Some(cursor), _) => Some(cursor.place()),
            (None, Some(file)) if self.places => Some(count_again(file, input.context.from, at)?.place()),
            _ => None,
        })
    }
}

/// A cursor at the beginning of a stream: behind its mark, which counts even if it is left out.
pub(crate) fn beginning(route: &Route) -> Cursor {
    let mut cursor = Cursor::new();
    if route.skip > 0 {
        cursor.pass_text("\u{FEFF}".as_bytes());
    }
    cursor
}

/// Leads a cursor over a text in any encoding, up to where it is cut or ill-formed: the number of
/// bytes that were passed.
pub(crate) fn follow(cursor: &mut Cursor, from: Scheme, bytes: &[u8], scratch: &mut [u8]) -> usize {
    if from == Scheme::Utf8 {
        cursor.pass_text(bytes);
        return bytes.len();
    }
    let mut at = 0;
    while at < bytes.len() {
        let (read, written, stopped) = match from.transcode_partial(Scheme::Utf8, &bytes[at..], scratch) {
            Ok(progress) => (progress.read, progress.written, progress.read == 0),
            // As wide as any character.
            Err(error) if matches!(error.reason, Reason::UnrepresentableCodePoint { .. }) => {
                cursor.pass_text(&scratch[..error.written]);
                cursor.pass_text("\u{FFFD}".as_bytes());
                (error.read + length(from, &bytes[at + error.read..]), 0, false)
            }
            Err(error) => (error.read, error.written, true),
        };
        cursor.pass_text(&scratch[..written]);
        at += read;
        if stopped {
            break;
        }
    }
    at
}

/// Leads a cursor over the first `length` bytes of a file.
///
/// If the file has changed in the meantime, line and column are those of a text that is gone.
pub(crate) fn count_again(file: &Arc<File>, from: Scheme, length: u64) -> io::Result<Cursor> {
    let rule = Rule { from, policy: Policy::default(), skip: 0 };
    let mut flow = Flow::new(Box::new(Reread::new(file, length)), &rule);
    let (mut cursor, mut window) = (Cursor::new(), Window::new(CHUNK));
    let mut scratch = vec![0; SCRATCH];
    loop {
        window.follow(&mut flow, &rule)?;
        let passed = follow(&mut cursor, from, window.piece(), &mut scratch);
        if window.is_last() || passed < window.piece().len() {
            return Ok(cursor);
        }
    }
}
