//! What a reader that converts does between two reads.
//!
//! The two buffers, and what is in them. Where bytes come from is the caller's affair: each method takes
//! the read that it may need. If that fails, or has nothing *yet*, everything is as it was before, and the
//! same call goes on later. So blocking and asynchronous readers are the same.

use std::io::Result;

use super::{LEAST_CAPACITY, invalid};
use crate::convert::Reason;
use crate::dynamic::AnyTranscoder;

pub(super) struct Conversion<'p> {
    pub(super) transcoder: AnyTranscoder<'p>,
    /// What was read, and how much of it is left.
    input: Box<[u8]>,
    read: usize,
    filled: usize,
    /// What it was converted to, and how much of that is left.
    output: Box<[u8]>,
    consumed: usize,
    written: usize,
    /// The bytes have come to their end; and so have we.
    last: bool,
    ended: bool,
    pub(super) error: Option<Reason>,
    pub(super) replaced: u64,
}

impl<'p> Conversion<'p> {
    #[inline]
    pub(super) fn new(capacity: usize, transcoder: AnyTranscoder<'p>) -> Self {
        let buffer = || vec![0; capacity.max(LEAST_CAPACITY)].into_boxed_slice();
        Conversion {
            transcoder,
            input: buffer(),
            read: 0,
            filled: 0,
            output: buffer(),
            consumed: 0,
            written: 0,
            last: false,
            ended: false,
            error: None,
            replaced: 0,
        }
    }

    /// Converts what comes next, to `direct` or to the buffer: how many bytes it became, 0 at the end.
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
            if self.read == self.filled && !self.last {
                let count = refill(&mut self.input)?;
                (self.read, self.filled) = (0, count.min(self.input.len()));
                self.last = count == 0;
            }
            let output = direct.as_deref_mut().unwrap_or(&mut self.output);
            let step = self.transcoder.transcode(&self.input[self.read..self.filled], output, self.last);
            self.read += step.read;
            self.replaced += step.replaced as u64;
            self.error = step.error();
            self.ended = self.last && step.is_done();
            if step.written > 0 {
                return Ok(step.written);
            }
        }
    }

    /// Text that has not been consumed; nothing at the end.
    pub(super) fn fill(&mut self, refill: impl FnMut(&mut [u8]) -> Result<usize>) -> Result<&[u8]> {
        if self.consumed == self.written {
            (self.consumed, self.written) = (0, 0);
            self.written = self.convert(None, refill)?;
        }
        Ok(&self.output[self.consumed..self.written])
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
        // Where there is as much room as in the buffer, the buffer is spared.
        if self.consumed == self.written && to.len() >= self.output.len() {
            return self.convert(Some(to), refill);
        }
        let bytes = self.fill(refill)?;
        let count = bytes.len().min(to.len());
        to[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}
