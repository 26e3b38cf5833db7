//! The memory in which a chunk of an input lies.
//!
//! A character may be cut by the end of a chunk. Its bytes, five at most in any encoding, or twelve of
//! the longest form that a behaviour of `repair` knows, wait for the next chunk and are worked on with that.
//! How many have to wait is a question to the library, which needs to see no more than the last bytes of
//! the chunk. So there are two ways to come to the same cuts, and with them to the same results:
//!
//! - **One after the other** ([`Window::read_next`]): what waits is carried over in a [`StreamReader`]. That is for
//!   streams, which have no other way.
//! - **In any order** ([`Window::read_chunk`]): a chunk of a file is read together with a few bytes before it, and
//!   from these it is known where the chunk before it was cut. That is for files of which several threads
//!   read different parts at once. Reserved sequences of Corrected UTF-8, which have no greatest length, are
//!   the one thing for which a few bytes are not enough; such files are read as streams are.
//!
//! The chunk itself is always read to the same, page-aligned address: the copy that the kernel makes is fastest so.
//!
//! ```text
//!     ...ttt|cccccccccccccccccccccccccccttt|
//!        ^   ^ chunk, page-aligned      ^ what waits for the next chunk
//!        '---- piece -------------------'
//! ```
//!
//! An error at the end of a piece depends on what is behind it, too; so that can still be looked at:
//! see [`Window::whole`].

use std::fs::File;
use std::io::{self, Read};
use std::time::{Duration, Instant};

use encoding_rs::Encoding;
use runecast::corrected::reserved_rest;
use runecast::{Policy, Scheme};

use crate::io::source::{read_at, read_retrying};

/// The size of a chunk: small enough to stay in the L2 cache between the `read` that fills it and
/// the work on it, and large enough that the cost of the system call does not show.
pub(crate) const CHUNK: usize = 256 * 1024;

/// The longest beginning of a character, or of what Perl took for one, that can be left over from a chunk.
const LONGEST_TAIL: usize = 12;

/// So much before the end of a chunk decides where it is cut: more than any form is long, with a surrogate
/// before it; and a whole number of code units.
const BACK: usize = 64;

/// A page, on most machines.
const ALIGNMENT: usize = 4096;

/// So many of the first `most` bytes of well-formed UTF-8 are whole characters; `most` is 4 or more.
pub(super) fn whole_characters(text: &[u8], most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let continuation = |at: &usize| text[*at] & 0xC0 == 0x80;
    most - (most - 3..=most).rev().take_while(continuation).count()
}

/// What decides where a text is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// What the text is.
    pub(crate) from: Scheme,
    /// What becomes of it where it is ill-formed.
    pub(crate) policy: Policy<'static>,
    /// So many bytes at the beginning are a byte order mark that is to be left out.
    pub(crate) skip: usize,
    /// The legacy encoding that it is decoded from before it comes here.
    pub(crate) decode: Option<&'static Encoding>,
    /// Whether it may be asked where in the input before that a character was, if the input is a stream.
    pub(crate) traced: bool,
    /// Whether the bytes of the input are kept where it is decoded.
    pub(crate) kept: bool,
}

impl Rule {
    /// How many of the last bytes have to wait for what follows.
    fn waiting(&self, bytes: &[u8]) -> usize {
        self.from.incomplete_suffix(self.policy, &bytes[bytes.len().saturating_sub(BACK)..])
    }

    /// The same for a stream; and whether the bytes end in a sequence that is too long to wait, and may go on.
    fn waiting_in_stream(&self, bytes: &[u8]) -> (usize, bool) {
        let waiting = self.from.incomplete_suffix(self.policy, bytes);
        // A reserved sequence of Corrected UTF-8 has no end but the next character.
        let endless = self.from == Scheme::CorrectedUtf8 && waiting > LONGEST_TAIL;
        (if endless { 0 } else { waiting }, endless)
    }
}

/// A text that is read one chunk after the other.
pub(crate) struct StreamReader {
    reader: Box<dyn Read + Send>,
    /// The offset of the next byte to be read.
    at: u64,
    /// What waits for it.
    tail: Vec<u8>,
    /// Whether a sequence that was replaced may go on there.
    endless: bool,
    /// So many bytes have yet to be left out.
    skip: usize,
}

impl StreamReader {
    /// From the beginning of a text.
    pub(crate) fn new(reader: Box<dyn Read + Send>, rule: &Rule) -> Self {
        StreamReader { reader, at: 0, tail: Vec::new(), endless: false, skip: rule.skip }
    }
}

/// The window; it can be used again for the next chunk of any input.
pub(crate) struct Window {
    storage: Vec<u8>,
    chunk: usize,
    capacity: usize,
    /// Indices into the storage: the piece, and the end of what was read.
    begin: usize,
    cut: usize,
    end: usize,
    /// Bytes before the piece that belong to a sequence which was replaced already.
    replaced: usize,
    /// The offset of the piece in the input.
    at: u64,
    /// Bytes that were read, but for those that belong to the chunk before.
    fresh: usize,
    last: bool,
    /// The time it took to read them, waiting for the input included.
    reading: Duration,
}

impl Window {
    /// For chunks of so many bytes.
    pub(crate) fn new(capacity: usize) -> Self {
        let storage = vec![0; ALIGNMENT + BACK + capacity];
        // The first aligned address with room before it.
        let chunk = BACK + storage[BACK..].as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Window {
            storage,
            chunk,
            capacity,
            begin: chunk,
            cut: chunk,
            end: chunk,
            replaced: 0,
            at: 0,
            fresh: 0,
            last: false,
            reading: Duration::ZERO,
        }
    }

    /// The size of chunks in a file, of which every one has to begin with a whole code unit.
    fn step(capacity: usize) -> u64 {
        capacity.next_multiple_of(4) as u64
    }

    /// How many chunks a file of this size has.
    pub(crate) fn chunks(capacity: usize, size: u64) -> u64 {
        size.div_ceil(Window::step(capacity))
    }

    /// Reads a chunk of a file that had this size, the first one being number 0.
    ///
    /// A file that has become shorter ends where it ends now.
    pub(crate) fn read_chunk(&mut self, file: &File, number: u64, size: u64, rule: &Rule) -> io::Result<()> {
        let clock = Instant::now();
        let step = Window::step(self.capacity);
        let start = number * step;
        // (Both are small.)
        let back = start.min(BACK as u64) as usize;
        let want = step.min(size.saturating_sub(start)) as usize;
        if self.storage.len() < self.chunk + want {
            self.storage.resize(self.chunk + want, 0);
        }
        let (mut end, goal) = (self.chunk - back, self.chunk + want);
        while end < goal {
            let at = start + end as u64 - self.chunk as u64;
            match read_at(file, &mut self.storage[end..goal], at)? {
                0 => break,
                read => end += read,
            }
        }
        self.reading = clock.elapsed();

        self.last = end < goal || start + step >= size;
        self.fresh = end.saturating_sub(self.chunk);
        self.end = end;
        self.replaced = 0;
        self.begin = match number {
            0 => self.chunk + rule.skip.min(self.fresh),
            // What was before the chunk is gone, too.
            _ if end < self.chunk => end,
            _ => self.chunk - rule.waiting(&self.storage[self.chunk - back..self.chunk]),
        };
        self.cut = match self.last {
            true => end,
            false => end - rule.waiting(&self.storage[self.chunk - back..end]).min(end - self.begin),
        };
        self.at = start + self.begin as u64 - self.chunk as u64;
        Ok(())
    }

    /// Reads what there is of a text, and at most a chunk; nothing at its end.
    pub(crate) fn read_next(&mut self, stream: &mut StreamReader, rule: &Rule) -> io::Result<()> {
        let clock = Instant::now();
        self.begin = self.chunk - stream.tail.len();
        self.storage[self.begin..self.chunk].copy_from_slice(&stream.tail);
        let room = self.chunk..self.chunk + self.capacity;
        self.fresh = read_retrying(&mut stream.reader, &mut self.storage[room])?;
        self.reading = clock.elapsed();

        self.end = self.chunk + self.fresh;
        self.last = self.fresh == 0;
        let skip = stream.skip.min(self.fresh);
        stream.skip -= skip;
        self.begin += skip;
        self.at = stream.at + self.begin as u64 - self.chunk as u64;
        let bytes = &self.storage[self.begin..self.end];
        self.replaced = if stream.endless { reserved_rest(bytes) } else { 0 };
        let bytes = &bytes[self.replaced..];
        self.begin += self.replaced;
        self.at += self.replaced as u64;
        stream.endless &= bytes.is_empty() && !self.last;
        let mut tail = 0;
        if !self.last && !stream.endless {
            (tail, stream.endless) = rule.waiting_in_stream(bytes);
        }
        self.cut = self.end - tail;
        stream.at += self.fresh as u64;
        stream.tail.clear();
        stream.tail.extend_from_slice(&self.storage[self.cut..self.end]);
        Ok(())
    }

    /// What is to be worked on: whole characters, as far as there are any.
    pub(crate) fn piece(&self) -> &[u8] {
        &self.storage[self.begin..self.cut]
    }

    /// The piece, and behind it what waits for the next chunk: an error may depend on it.
    pub(crate) fn whole(&self) -> &[u8] {
        &self.storage[self.begin..self.end]
    }

    /// Bytes before the piece that still belong to a sequence which was replaced already.
    pub(crate) fn replaced(&self) -> &[u8] {
        &self.storage[self.begin - self.replaced..self.begin]
    }

    /// The offset of the piece in the input.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// How many bytes of the input were read for it.
    pub(crate) fn fresh(&self) -> u64 {
        self.fresh as u64
    }

    /// Whether the input ends with it.
    pub(crate) fn is_last(&self) -> bool {
        self.last
    }

    /// The time it took to read.
    pub(crate) fn reading(&self) -> Duration {
        self.reading
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_sequence_does_not_wait_forever() {
        // More than a window could keep never waits, in any scheme.
        for from in Scheme::ALL {
            let rule =
                Rule { from, policy: Policy::default(), skip: 0, decode: None, traced: false, kept: false };
            for byte in 0..=0xFF {
                assert!(rule.waiting_in_stream(&[byte; 40]).0 <= LONGEST_TAIL, "{from} {byte:02X}");
            }
        }
    }
}
