//! The state of a [`TranscodingReader`](super::TranscodingReader) between two reads.
//!
//! The state is the transcoder, and the buffers before and after it. Each method is given a function that reads more bytes. If that
//! function fails, or has nothing *yet*, the state is as before, and the same call can be repeated later. So blocking and
//! asynchronous readers share this code.

use std::io::Result;

use super::{LEAST_CAPACITY, counted, invalid};
use crate::convert::Reason;
use crate::dynamic::AnyTranscoder;

pub(super) struct TranscodingBuffers<'p> {
    pub(super) transcoder: AnyTranscoder<'p>,
    /// Bytes of the source: `read..filled` are to be converted.
    input: Box<[u8]>,
    read: usize,
    filled: usize,
    /// Converted text: `consumed..written` is to be handed out.
    output: Box<[u8]>,
    consumed: usize,
    written: usize,
    /// How much was handed out before the contents of `output`.
    before: u64,
    /// Whether there was no room for everything that the transcoder has: the rest of a replacement can be written before anything
    /// more is read.
    full: bool,
    /// Whether the source has ended.
    last: bool,
    /// Whether all of it has been converted.
    ended: bool,
    pub(super) error: Option<Reason>,
    pub(super) replaced: u64,
}

impl<'p> TranscodingBuffers<'p> {
    #[inline]
    pub(super) fn new(capacity: usize, transcoder: AnyTranscoder<'p>) -> Self {
        let buffer = || vec![0; capacity.max(LEAST_CAPACITY)].into_boxed_slice();
        TranscodingBuffers {
            transcoder,
            input: buffer(),
            read: 0,
            filled: 0,
            output: buffer(),
            consumed: 0,
            written: 0,
            before: 0,
            full: false,
            last: false,
            ended: false,
            error: None,
            replaced: 0,
        }
    }

    /// Converts more, into `direct` or into the buffer, and returns how many bytes were written, 0 at the end.
    fn convert(
        &mut self,
        mut direct: Option<&mut [u8]>,
        mut refill: impl FnMut(&mut [u8]) -> Result<usize>,
    ) -> Result<usize> {
        loop {
            if let Some(reason) = self.error {
                return Err(invalid(reason));
            }
            if self.ended {
                return Ok(0);
            }
            if self.read == self.filled && !self.full && !self.last {
                let count = counted(refill(&mut self.input)?, self.input.len())?;
                (self.read, self.filled) = (0, count);
                self.last = count == 0;
            }
            let output = direct.as_deref_mut().unwrap_or(&mut self.output);
            let step = self.transcoder.transcode(&self.input[self.read..self.filled], output, self.last);
            self.read += step.read;
            self.replaced += step.replaced as u64;
            self.error = step.error();
            self.full = step.reason == Some(Reason::OutputFull);
            self.ended = self.last && step.is_done();
            if step.written > 0 {
                return Ok(step.written);
            }
        }
    }

    /// Text that has not been consumed; empty at the end.
    pub(super) fn fill(&mut self, refill: impl FnMut(&mut [u8]) -> Result<usize>) -> Result<&[u8]> {
        if self.consumed == self.written {
            self.before = self.offset();
            (self.consumed, self.written) = (0, 0);
            self.written = self.convert(None, refill)?;
        }
        Ok(&self.output[self.consumed..self.written])
    }

    /// How much was handed out.
    #[inline]
    pub(super) fn offset(&self) -> u64 {
        self.before.saturating_add(self.consumed as u64)
    }

    #[inline]
    pub(super) fn consume(&mut self, bytes: usize) {
        self.consumed = self.written.min(self.consumed.saturating_add(bytes));
    }

    pub(super) fn read(
        &mut self,
        to: &mut [u8],
        refill: impl FnMut(&mut [u8]) -> Result<usize>,
    ) -> Result<usize> {
        // A destination as large as the buffer is written directly.
        if self.consumed == self.written && to.len() >= self.output.len() {
            let count = self.convert(Some(to), refill)?;
            self.before = self.before.saturating_add(count as u64);
            return Ok(count);
        }
        let bytes = self.fill(refill)?;
        let count = bytes.len().min(to.len());
        to[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}
