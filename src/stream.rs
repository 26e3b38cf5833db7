//! Streams: text that arrives in chunks, cut anywhere.
//!
//! [`Validator`] only checks. [`Transcoder`] converts between two encodings known by type; its loop, in [`state`], is written
//! over a [`Converter`](state::Converter), so that `dynamic` can run the same loop between encodings chosen at run time.
//!
//! The result must not depend on where the text was cut. Kernels and codecs stop at the beginning of a character anyway.
//! [`Policy::incomplete_suffix`](crate::Policy::incomplete_suffix) says which other units have to wait: those whose output depends on
//! the next chunk. If only the length of an ill-formed sequence depends on it, its U+FFFD is written at once. A reserved sequence,
//! which has no maximal length, is skipped piece by piece. Waiting units, sixteen at most, are stored in the state, and joined with
//! the first units of the next chunk in a small buffer. Nearly always they are one character, which the codecs convert; anything else
//! goes through the same conversion as any text. Then the chunk itself is converted in place. There is no table of states, and no
//! second copy of a rule.
//!
//! The incomplete suffix of a chunk is cut off *before* the kernel is called, for speed: otherwise each chunk would first end in an
//! error, which is a large value. Together with the codecs converting that one character, this made a text of emoji in chunks of
//! 100 bytes 1.8 times as fast.
//!
//! Measured with AVX-512 in chunks of 64 KiB, 4 KiB and 100 bytes, geometric means over 19 texts: against encoding_rs's
//! `Decoder`, UTF-16LE to UTF-8 is 15, 15 and 5 times as fast; UTF-8 to itself 1.8, 1.7 and 1.7 times (on ASCII 1.0 to 1.2 in
//! the larger chunks, where both only copy). Against one call for the whole text: 1.0, 1.0 and 0.2. The [`Validator`] against
//! one call: 0.98, 0.79 and 0.13.
//!
//! Output always consists of whole characters. The longest character has six units, so an output of [`LEAST_ROOM`] units is always
//! enough to make progress. A replacement may be longer, if it is a text or an escape. The part that does not fit is kept, and
//! written first to the next output.

pub(crate) mod state;
mod transcoder;
mod validator;

use crate::convert::Reason;

pub use transcoder::Transcoder;
#[cfg(all(feature = "alloc", feature = "dynamic"))]
pub(crate) use transcoder::append;
pub use validator::Validator;

/// The units of output with which a [`Transcoder`] or `AnyTranscoder` always makes progress, whatever the encodings and the
/// policy: the length of the longest character in any encoding.
pub const LEAST_ROOM: usize = 6;

/// What to do with a byte order mark, U+FEFF at the very beginning of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bom {
    /// It is converted like any other character.
    #[default]
    Keep,
    /// If the text begins with the byte order mark of its encoding, the mark is removed.
    Strip,
    /// If the text begins with the byte order mark of UTF-8, UTF-16 or UTF-32, in either byte order, then that is its
    /// encoding, and the mark is removed. A text that is declared to be WTF-16, WTF-8 or another form with the same mark keeps that
    /// encoding. The bytes FF FE 00 00 are taken for UTF-32. A [`Transcoder`] cannot change its
    /// encoding, which is a type, and treats this as [`Strip`](Self::Strip).
    Sniff,
}

/// What one call of a [`Transcoder`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// Why it stopped before the end of the chunk. `None`: the whole chunk was read. Units whose conversion depends on the
    /// next chunk are kept; after the last chunk, everything is converted.
    ///
    /// [`OutputFull`](Reason::OutputFull): call again with the rest of the chunk and an output of [`LEAST_ROOM`] units or more. Any
    /// other reason is an error, which occurs only without a policy; its offset is counted from the beginning of the whole text,
    /// and may be before this chunk.
    pub reason: Option<Reason>,
    /// How many code units of this chunk were read: the next call has to begin after them. If `reason` is `None`, all of them were
    /// read.
    pub read: usize,
    /// How many code units were written to the output.
    pub written: usize,
    /// How many replacements were made.
    pub replaced: usize,
    /// The offset, in the whole text, of the first sequence that was replaced.
    pub first: Option<usize>,
    /// After an error, the code units of the sequence or character at fault, which the transcoder has passed over; otherwise 0.
    pub fault_len: usize,
}

impl Step {
    /// Whether the whole chunk was read.
    #[must_use]
    #[inline]
    pub const fn is_done(&self) -> bool {
        self.reason.is_none()
    }

    /// What is wrong with the text, if something is.
    #[must_use]
    #[inline]
    pub const fn error(&self) -> Option<Reason> {
        match self.reason {
            Some(Reason::OutputFull) => None,
            reason => reason,
        }
    }
}
