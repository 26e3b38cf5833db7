//! Lines of a reader.
//!
//! Bytes are read into a buffer, and the lines are scanned where they lie; only the line that the buffer cuts is moved to its
//! start. A line that does not fit doubles the buffer.
//!
//! A reader may give a few bytes at a time of a line that is long. What has been searched for line ends is not searched again, unless
//! as much has come since: then only what is new is, until there is a line end. So the whole takes time in proportion to its
//! length, however it is cut. (Where more comes than there was, as in any file, one scan of both is quicker than two.)
//!
//! Smaller buffers, which would stay in the first level of cache, are slower: where the whole took 16.5 GB/s (ASCII, lines of 80 bytes, Zen
//! 5), 4, 8, 16 and 32 KiB at a time took 12.1, 14.0, 15.2 and 15.9. The copy into the buffer is not what costs: alone it does 128 GB/s.

use core::convert::Infallible;
use core::ops::ControlFlow;
use std::io::{Error, ErrorKind, Read, Result};

use super::{LineEnds, RecordError, lines};
use crate::unicode::codec::incomplete_suffix;
use crate::unicode::{IllFormed, Utf8, saturating_offset};

/// Bytes of the buffer at first.
const CAPACITY: usize = 64 << 10;

/// Reads lines from a reader of bytes, and validates them in the same pass.
///
/// The lines are those of [`lines`](lines()): each is text or an error of its own, without its line end. It has a buffer of 64 KiB,
/// so the reader needs none; a line that does not fit makes it larger, unless [`limit`](Self::limit) forbids that.
///
/// ```
/// use runecast::scan::LineReader;
///
/// let mut count = 0;
/// LineReader::new("ein\nzwei\n".as_bytes()).for_each(|line| {
///     assert!(line.is_ok_and(|line| line.contains("ei")));
///     count += 1;
/// })?;
/// assert_eq!(count, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    inner: R,
    ends: LineEnds,
    limit: usize,
    buffer: Vec<u8>,
    /// How much of the buffer was read.
    filled: usize,
    /// How much of that was passed on before somebody stopped.
    passed: usize,
    /// How much of what is behind that has no line end.
    searched: usize,
    /// The offset in the text of what was not passed on.
    offset: u64,
    /// Whether the rest of a line is left out, since it is too long.
    skips: bool,
    ended: bool,
    /// Whether there may be whole lines in the buffer, as somebody has stopped.
    stopped: bool,
}

/// A line, or what is wrong with it.
type Line<'a> = core::result::Result<&'a str, RecordError>;

impl<R> LineReader<R> {
    /// The lines of `inner`, which end with LF or CR LF and may have any length.
    #[must_use]
    #[inline]
    pub const fn new(inner: R) -> Self {
        LineReader {
            inner,
            ends: LineEnds::LINE_FEED,
            limit: usize::MAX,
            buffer: Vec::new(),
            filled: 0,
            passed: 0,
            searched: 0,
            offset: 0,
            skips: false,
            ended: false,
            stopped: false,
        }
    }

    /// The same, with these line ends.
    #[must_use]
    #[inline]
    pub fn ends(mut self, ends: LineEnds) -> Self {
        self.ends = ends;
        self
    }

    /// The same; a line of more than `limit` bytes, without its line end, is an error. No more of it is kept than the
    /// limit and 64 KiB.
    #[must_use]
    #[inline]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The offset in the text of the line that is next; behind a line that is too long, perhaps only of the rest of it. To go on
    /// later, at a line where somebody has stopped, another reader has to begin there.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use runecast::scan::LineReader;
    ///
    /// let log = b"eins\r\nzwei\ndrei\n";
    /// let mut reader = LineReader::new(&log[..]);
    /// let _ = reader.try_for_each(|line| if line == Ok("zwei") { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })?;
    /// let from = reader.offset();
    /// assert_eq!(&log[from as usize..], b"drei\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The inner reader. It is ahead of the lines.
    #[inline]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> LineReader<R> {
    /// Calls `each` for every line that is left. Offsets in errors are those in the whole text.
    ///
    /// # Errors
    /// Those of the reader, but for `Interrupted`. No line is lost: another call goes on.
    #[inline]
    pub fn for_each(&mut self, mut each: impl FnMut(core::result::Result<&str, RecordError>)) -> Result<()> {
        let mut each = |line: Line<'_>| {
            each(line);
            ControlFlow::<Infallible>::Continue(())
        };
        self.go::<_, true>(&mut each).map(|_| ())
    }

    /// The same, until `each` breaks off. No line is lost: another call goes on behind the line that it has broken off with. (Each call
    /// begins to scan anew: to break off at every line costs much more than one call.)
    ///
    /// # Errors
    /// As there.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use runecast::scan::{LineReader, RecordError};
    ///
    /// let mut reader = LineReader::new(&b"ein\nzw\xFFei\ndrei\n"[..]);
    /// let first_error = reader.try_for_each(|line| match line {
    ///     Ok(_) => ControlFlow::Continue(()),
    ///     Err(RecordError::IllFormed(error)) => ControlFlow::Break(error.at),
    ///     Err(_) => unreachable!("there is no limit"),
    /// })?;
    /// assert_eq!(first_error, ControlFlow::Break(6));
    ///
    /// let mut rest = Vec::new();
    /// reader.for_each(|line| rest.extend(line.map(str::to_owned)))?;
    /// assert_eq!(rest, ["drei"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn try_for_each<B>(
        &mut self,
        mut each: impl FnMut(core::result::Result<&str, RecordError>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>> {
        self.go::<_, false>(&mut each)
    }

    /// Both of these: the first never breaks off, so it takes `ALL` lines that are complete in one go.
    #[inline]
    fn go<B, const ALL: bool>(
        &mut self,
        each: &mut impl FnMut(Line<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>> {
        while self.stopped || !self.ended {
            if !self.stopped {
                self.fill()?;
            }
            let flow = self.pass::<B, ALL>(each);
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads more into the buffer.
    fn fill(&mut self) -> Result<()> {
        if self.buffer.len() < 2 * self.filled || self.buffer.is_empty() {
            // Of a line that is too long there is no use for more. (There may be more here, if the limit has been set since.)
            let most = self.limit.max(self.filled).saturating_add(CAPACITY);
            let len = (2 * self.buffer.len()).max(CAPACITY).min(most);
            self.buffer.reserve_exact(len.saturating_sub(self.buffer.len()));
            self.buffer.resize(len.max(self.buffer.len()), 0);
        }
        let room = &mut self.buffer[self.filled..];
        loop {
            match self.inner.read(room) {
                Ok(fresh) if fresh > room.len() => {
                    return Err(Error::other(
                        "the inner reader says that it has read more than it was asked for",
                    ));
                }
                Ok(fresh) => {
                    self.filled += fresh;
                    self.ended = fresh == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Passes on the lines that are complete.
    fn pass<B, const ALL: bool>(
        &mut self,
        each: &mut impl FnMut(Line<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let filled = &self.buffer[self.passed..self.filled];
        // What the next bytes may change waits: the beginning of a character, or of a line end.
        let known = match filled {
            _ if self.ended => filled,
            [known @ .., b'\r'] => known,
            _ => &filled[..filled.len() - incomplete_suffix::<Utf8>(filled)],
        };
        let (mut done, mut flow) = (0, ControlFlow::Continue(()));
        if self.ended || self.skips || self.may_have_line_end(known) {
            let mut lines = lines(known).ends(self.ends).limit(self.limit);
            if self.skips {
                self.skips = lines.next_ended().is_none();
            }
            done = known.len();
            if !self.skips {
                let offset = self.offset;
                let mut pass_on = |line: Line<'_>| each(line.map_err(|error| behind(error, offset)));
                if ALL {
                    flow = lines.fold_ended(flow, &mut |_, line| pass_on(line));
                }
                while !ALL
                    && flow.is_continue()
                    && let Some(line) = lines.next_ended()
                {
                    flow = pass_on(line);
                }
                if self.ended
                    && flow.is_continue()
                    && let Some(last) = lines.next()
                {
                    flow = pass_on(last);
                }
                done = lines.offset();
            }
        }
        // A carriage return may still belong to the line end.
        if !self.ended && flow.is_continue() && known.len() - done > self.limit {
            flow = each(Err(behind(RecordError::TooLong { at: done, limit: self.limit }, self.offset)));
            (done, self.skips) = (known.len(), true);
        }
        self.stopped = flow.is_break();
        self.searched = if self.stopped { 0 } else { known.len() - done };
        self.offset = self.offset.saturating_add(done as u64);
        self.passed += done;
        // (Not for each line that somebody stops at.)
        if !self.stopped && self.passed > 0 {
            self.buffer.copy_within(self.passed..self.filled, 0);
            self.filled -= self.passed;
            self.passed = 0;
        }
        flow
    }

    /// Whether there may be a line end in `known`, the beginning of the buffer.
    #[inline]
    fn may_have_line_end(&self, known: &[u8]) -> bool {
        let fresh = known.get(self.searched..).unwrap_or_default();
        // (What waited is not searched yet, so that no line end is cut between the two.)
        self.searched <= fresh.len() || has_line_end(fresh, self.ends)
    }
}

/// Whether there is a line end. (Apart, so that the caller does not hold the state of two scans.)
#[cold]
#[inline(never)]
fn has_line_end(text: &[u8], ends: LineEnds) -> bool {
    lines(text).ends(ends).next_ended().is_some()
}

/// The same error in a longer text, in which the searched part begins at `offset`.
fn behind(error: RecordError, offset: u64) -> RecordError {
    match error {
        RecordError::IllFormed(error) => RecordError::IllFormed(IllFormed::behind(error, offset)),
        RecordError::TooLong { at, limit } => {
            RecordError::TooLong { at: saturating_offset(offset, at), limit }
        }
    }
}
