//! Detects the encoding of bytes of unknown origin.

use std::ffi::{c_char, c_void};
use std::fmt::Write as _;

use runecast::{Content, Detection, Detector};

use crate::boundary::{guard, input};
use crate::encoding::number;
use crate::message::write;
use crate::types::{ContentNumber, Contents, EncodingNumber};

/// What bytes are, and how certain that is.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Guess {
    /// RUNECAST_TEXT, or what it is instead; 0 for a bad argument.
    pub content: ContentNumber,
    /// The encoding, if it is text in one that is known here; 0 otherwise.
    pub encoding: EncodingNumber,
    /// From 0 to 100, which is beyond doubt. It orders the answers, and is no probability.
    pub confidence: u32,
}

fn looked_at(src: &[u8], whole: bool) -> Detection {
    let mut detector = Detector::new();
    detector.push(src);
    if whole { detector.finish() } else { detector.verdict() }
}

/// What these bytes are: in which encoding, or no text at all. If they are not the `whole` of a text but its
/// beginning, a character that is cut at the end is no error. A byte order mark decides; that a whole text is
/// ASCII, or well-formed UTF-8, is a fact; all other answers are guesses, for which 4 KiB are mostly enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_detect(src: *const c_void, len: usize, whole: bool) -> Guess {
    guard(Guess::default, || {
        // SAFETY: the contract of the header.
        let Some(src) = (unsafe { input(src, len) }) else { return Guess::default() };
        let detection = looked_at(src, whole);
        let content = match detection.content {
            Content::Text(_) => Contents::RunecastText,
            Content::Mixed => Contents::RunecastMixed,
            Content::Binary => Contents::RunecastBinary,
            // Or something that is younger than this file.
            _ => Contents::RunecastUnknown,
        };
        Guess {
            content: content as ContentNumber,
            encoding: detection.scheme().map_or(0, number),
            confidence: detection.confidence.into(),
        }
    })
}

/// The same in words, and the evidence: "UTF-16LE, 99 % sure: ...", as a C string of at most `room` bytes at `out`, cut
/// between characters if it is longer. Returns its whole length, without the zero at its end; 0 for a bad argument. Where `out`
/// overlaps `src`, nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_detect_describe(
    src: *const c_void,
    len: usize,
    whole: bool,
    out: *mut c_char,
    room: usize,
) -> usize {
    guard(
        || 0,
        || {
            // SAFETY: the contract of the header.
            let src = unsafe { input(src, len) };
            // SAFETY: the same.
            unsafe {
                write(out, room, src.unwrap_or_default(), |line| match src {
                    Some(src) => write!(line, "{}", looked_at(src, whole)),
                    None => Ok(()),
                })
            }
        },
    )
}
