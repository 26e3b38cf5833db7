//! Streams: texts that come in chunks, cut anywhere.
//!
//! Faces of two loops. [`Validator`] only looks, and so does [`AnyValidator`]. [`Transcoder`] converts between two encodings
//! known by type, [`AnyTranscoder`] between two that are known when the program runs; both are the
//! machinery of [`flow`], which knows a pair of encodings as a [`Road`](flow::Road). What two encodings that
//! are known when the program runs need for a stream, they need for a text at once, too: those functions,
//! methods of [`Scheme`](crate::Scheme), are in [`once`].
//!
//! Everything rests on one thing: what is made of a chunk must not depend on where it was cut. The
//! kernels and machines stop at the beginning of a character anyway; what else has to wait for the next
//! chunk, [`Policy::incomplete_suffix`](crate::Policy::incomplete_suffix) knows. What waits is kept by value, sixteen units at
//! most. With the next chunk it is joined with some units of that in a small buffer. There the machines convert
//! the one character that it nearly always is; whatever else it may be goes through the very same
//! conversion as any text. Then the chunk itself is converted where it lies. There is no table of states,
//! and no second copy of a rule.
//!
//! That the end of a chunk is left out *before* the kernel is called is a matter of speed: otherwise each
//! chunk would end in an error first, with all its words. With the character by hand, that made a text of emoji in
//! chunks of 100 bytes 1.8 times as fast.
//!
//! Measured with AVX-512 in chunks of 64 KiB, 4 KiB and 100 bytes, geometric means over 19 texts: against
//! encoding_rs's `Decoder`, UTF-16LE to UTF-8 15, 15 and 5 times as fast; UTF-8 to itself 1.8, 1.7 and 1.7 (on
//! ASCII 1.0 to 1.2 in the larger chunks, for there both only copy). Against one call for the whole text 1.0, 1.0
//! and 0.2. The
//! [`Validator`] against one call: 0.98, 0.79 and 0.13.
//!
//! Output is whole characters always. The longest character has six units, so an output of
//! [`LEAST_ROOM`] units is always enough to make progress. A replacement may be longer than that: a
//! text, or an escape. What does not fit of it is kept, and comes first in the next output.

pub(crate) mod state;
mod transcoder;
mod validator;

use crate::convert::Reason;

pub use transcoder::Transcoder;
#[cfg(all(feature = "alloc", feature = "dynamic"))]
pub(crate) use transcoder::append;
pub use validator::Validator;

/// Units of output with which a [`Transcoder`] or [`AnyTranscoder`](crate::AnyTranscoder) always makes
/// progress, whatever the encodings and the policy: the length of the longest character of any encoding.
pub const LEAST_ROOM: usize = 6;

/// What becomes of a byte order mark, U+FEFF at the very beginning of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bom {
    /// It is a character like any other.
    #[default]
    Keep,
    /// If the text begins with the mark of its encoding, it is left out.
    Strip,
    /// If the text begins with the mark of UTF-8, UTF-16 or UTF-32, in either byte order, then that is its
    /// encoding, and the mark is left out. Bytes FF FE 00 00 are taken for UTF-32. A [`Transcoder`], whose
    /// encoding is a type, cannot change it, and takes this for [`Strip`](Self::Strip).
    Sniff,
}

/// What one call of a [`Transcoder`] amounted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// Why it stopped before the end of the chunk. `None`: all of the chunk was read; what could not be converted yet, since
    /// it may depend on what comes next, is kept, and if it was the last chunk, everything is converted.
    ///
    /// [`OutputFull`](Reason::OutputFull): go on with the rest of the chunk, and another output of [`LEAST_ROOM`] units or
    /// more. An error comes only where there is no policy; its offset is that in the whole text, and may lie before this
    /// chunk.
    pub reason: Option<Reason>,
    /// Code units of this chunk that are done with: the next call begins behind them. All of them, if
    /// the input is empty.
    pub read: usize,
    /// Code units of the target that were written.
    pub written: usize,
    /// How many replacements were made.
    pub replaced: usize,
    /// Where the first of them was made, in the whole text.
    pub first: Option<usize>,
}

impl Step {
    /// Whether all of the chunk was read.
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
