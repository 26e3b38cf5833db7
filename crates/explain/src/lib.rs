//! Why a text is not well-formed UTF-8, byte by byte, and what other software makes of it.
//!
//! `runecast explain` and the page in `web/` print what is found here, each in its own form.
//!
//! The input is read in chunks, of which no more is held than an explanation needs; so a long file or a
//! live stream takes no more memory than a short one. Around each error a [`Stretch`] is cut out and handed to
//! the caller. An input of a few bytes, as most that come from a command line, is one stretch.
//! A stretch, and an error, serialize to the objects that the README of the command line describes.
//!
//! What is ill-formed, and what could have stood there instead, is asked of the library ([`rules`]); the rules of
//! UTF-8 are not repeated here.

mod finding;
mod json;
mod position;
pub mod rules;
mod stretch;

use std::io;

use runecast::{Utf8, validate};

pub use finding::Finding;
pub use position::{Cursor, Position};
pub use stretch::{Byte, Role, SPAN, Stretch, Written};
use stretch::{CONTEXT, Extent, ROOM};

/// The example of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;

/// The longest input that is explained as a whole. An explanation has some hundred characters for each byte.
pub const MOST_WHOLE: usize = 64 << 10;

/// How much is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// An input up to this length is explained as a whole; of a longer one that is well-formed, so much of
    /// its beginning. [`SPAN`] bytes fill a screen. More than [`MOST_WHOLE`] are not.
    pub whole: usize,
    /// So many stretches are explained.
    pub stretches: usize,
}

/// What was found out about an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Bytes read.
    pub bytes: u64,
    /// Stretches explained.
    pub stretches: usize,
    /// Whether there are errors that were not explained.
    pub more: bool,
    /// Whether there is any error.
    pub ill_formed: bool,
}

/// The part of an input that is in memory.
struct Held<'r> {
    read: &'r mut dyn FnMut(&mut [u8]) -> io::Result<usize>,
    bytes: Vec<u8>,
    /// Where it begins in the input.
    base: u64,
    ended: bool,
}

impl Held<'_> {
    /// Reads until there are so many bytes, or all of the input.
    fn need(&mut self, count: usize) -> io::Result<()> {
        while self.bytes.len() < count && !self.ended {
            let before = self.bytes.len();
            self.bytes.resize(before + CHUNK, 0);
            let read = (self.read)(&mut self.bytes[before..]);
            let fresh = *read.as_ref().unwrap_or(&0);
            // Nobody can tell what was read where more was read than there is room for.
            self.bytes.truncate(if fresh <= CHUNK { before + fresh } else { before });
            self.ended = read? == 0;
            if fresh > CHUNK {
                return Err(io::Error::other(format!(
                    "the reader says that it has read {fresh} of {CHUNK} bytes"
                )));
            }
        }
        Ok(())
    }

    /// Drops so many bytes at the beginning.
    fn forget(&mut self, count: usize) {
        self.bytes.drain(..count);
        self.base += count as u64;
    }
}

/// Cuts out the stretches, up to a limit, and hands them to `show` as long as that wants more. `read` fills a
/// buffer as far as it can, and says how far: 0 at the end. What was found out is in `summary` even if reading
/// fails.
///
/// ```
/// use runecast_explain::{Limits, SPAN, Summary, explain};
///
/// let mut input = Some(b"F\xF0\x80");
/// let mut read = |buffer: &mut [u8]| {
///     Ok(input.take().map_or(0, |bytes| {
///         buffer[..bytes.len()].copy_from_slice(bytes);
///         bytes.len()
///     }))
/// };
/// let mut summary = Summary::default();
/// let limits = Limits { whole: SPAN, stretches: 3 };
/// explain(&mut read, limits, &mut summary, &mut |stretch| {
///     assert_eq!(stretch.errors[0].error.kind.name(), "overlong");
///     assert_eq!(stretch.bytes[2].expected, Some(vec![(0x90, 0xBF)]));
///     true
/// })?;
/// assert_eq!((summary.ill_formed, summary.bytes), (true, 3));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of `read`.
pub fn explain(
    read: &mut dyn FnMut(&mut [u8]) -> io::Result<usize>,
    limits: Limits,
    summary: &mut Summary,
    show: &mut dyn FnMut(&Stretch) -> bool,
) -> io::Result<()> {
    let mut held = Held { read, bytes: Vec::new(), base: 0, ended: false };
    let result = explain_held(&mut held, limits, summary, show);
    summary.bytes = held.base + held.bytes.len() as u64;
    result
}

/// The same, but for the count of bytes.
fn explain_held(
    held: &mut Held<'_>,
    limits: Limits,
    summary: &mut Summary,
    show: &mut dyn FnMut(&Stretch) -> bool,
) -> io::Result<()> {
    let limits = Limits { whole: limits.whole.min(MOST_WHOLE), ..limits };
    let mut cursor = Cursor::new();
    // One byte more shows that there is more.
    held.need(limits.whole + 1)?;
    let whole = held.bytes.len() <= limits.whole;
    let mut head = held.bytes[..held.bytes.len().min(limits.whole)].to_vec();
    // What is validated, and what was shown, up to there.
    let (mut done, mut shown) = (0_usize, 0_usize);
    loop {
        let (text, error) = match validate::<Utf8>(&held.bytes[done..]) {
            Ok(()) => (held.bytes.len() - done, false),
            Err(error) => (error.at, held.ended || !error.is_incomplete()),
        };
        summary.ill_formed |= error;
        if error && summary.stretches == limits.stretches {
            summary.more = true;
            break;
        }
        cursor.pass_text(&held.bytes[done..done + text]);
        done += text;
        if !error && held.ended {
            break;
        }
        if !held.ended && held.bytes.len() < done + ROOM {
            let over = done.saturating_sub(CONTEXT);
            held.forget(over);
            (done, shown) = (done - over, shown.saturating_sub(over));
            held.need(if error { done + ROOM } else { held.bytes.len() + 1 })?;
        }
        if error {
            let extent = match whole {
                true => Extent::whole(&held.bytes),
                false => Extent::around(&held.bytes, shown, done),
            };
            let stretch = Stretch::of(&held.bytes, held.base, extent, &mut cursor);
            (done, shown) = (extent.last, extent.end);
            summary.stretches += 1;
            if !show(&stretch) {
                break;
            }
        }
    }
    if !summary.ill_formed {
        // Of a longer text that is well-formed, the beginning.
        if let Err(error) = validate::<Utf8>(&head) {
            head.truncate(error.at);
        }
        let extent = Extent::whole(&head);
        show(&Stretch::of(&head, 0, extent, &mut Cursor::new()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_lies_about_its_count_is_an_error() {
        for too_many in [1, 1000, usize::MAX / 2, usize::MAX] {
            let mut read = |buffer: &mut [u8]| Ok(buffer.len().saturating_add(too_many));
            let limits = Limits { whole: SPAN, stretches: 3 };
            let result =
                explain(&mut read, limits, &mut Summary::default(), &mut |_| panic!("nothing was read"));
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::Other);
        }
    }

    /// What is explained of an input, as JSON: each stretch.
    fn explained(mut input: &[u8], limits: Limits) -> (Vec<String>, Summary) {
        let (mut stretches, mut summary) = (Vec::new(), Summary::default());
        let mut read = |buffer: &mut [u8]| io::Read::read(&mut input, buffer);
        let mut show = |stretch: &Stretch| {
            stretches.push(serde_json::to_string(stretch).expect("plain values"));
            true
        };
        explain(&mut read, limits, &mut summary, &mut show).expect("a slice can be read");
        (stretches, summary)
    }

    #[test]
    fn an_explanation_is_short_for_any_input() {
        let limits = Limits { whole: SPAN, stretches: 3 };
        let units: [&[u8]; 8] = [
            b"\xFF",
            b"\xFE",
            b"\x80",
            b"\xFD",
            b"\xFF\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
            b"\xF0\x80",
            b"\xFC\xBF\xBF\xBF\xBF",
            b"\xED\xA0",
        ];
        for unit in units {
            let input: Vec<u8> = unit.iter().copied().cycle().take(2 << 20).collect();
            let (stretches, summary) = explained(&input, limits);
            assert_eq!((stretches.len(), summary.more, summary.ill_formed), (3, true, true), "{unit:02X?}");
            for stretch in stretches {
                assert!(stretch.len() < 64 << 10, "{unit:02X?}: {}", stretch.len());
            }
        }
    }

    #[test]
    fn a_whole_input_has_a_greatest_length() {
        let input = vec![0xFF; MOST_WHOLE + 1];
        let (stretches, summary) = explained(&input, Limits { whole: usize::MAX, stretches: 1 });
        assert_eq!((stretches.len(), summary.more), (1, true));
        assert!(stretches[0].len() < 64 << 10);
    }

    /// The stretches of a run, one after the other: every error is in one of them, and no byte is explained as two.
    #[test]
    fn nothing_of_a_run_is_lost() {
        for unit in [&b"\xFF"[..], b"\xFF\x80\x80", b"\x80", b"\xF0\x80\x80", b"\xE2", b"\xE2\x82"] {
            let input: Vec<u8> = unit.iter().copied().cycle().take(3000).collect();
            // All at once, and byte by byte.
            for most in [3000, 1] {
                let (mut next, mut errors, mut ends) = (0, 0, vec![]);
                let mut bytes = &input[..];
                let mut read = |buffer: &mut [u8]| {
                    let most = buffer.len().min(most);
                    io::Read::read(&mut bytes, &mut buffer[..most])
                };
                let limits = Limits { whole: SPAN, stretches: usize::MAX };
                explain(&mut read, limits, &mut Summary::default(), &mut |stretch| {
                    assert_eq!(stretch.span.0, next);
                    next = stretch.span.1;
                    errors += stretch.errors.len();
                    ends.push(stretch.missing.is_some());
                    true
                })
                .expect("a slice can be read");
                assert_eq!((next, errors), (3000, runecast::ill_formed(&input).count()), "{unit:02X?}");
                // Something can be missing only at the end of the input.
                let last = ends.pop();
                assert_eq!(last, Some(unit[0] == 0xE2), "{unit:02X?}");
                assert!(!ends.contains(&true), "{unit:02X?}");
            }
        }
    }

    #[test]
    fn what_was_read_is_said_although_reading_fails() {
        let mut left = [&b"a".repeat(1000)[..], b"\xFF", &b"b".repeat(200_000)].concat();
        let mut read = |buffer: &mut [u8]| match left.len() {
            0 => Err(io::Error::other("no more")),
            len => {
                let some = len.min(buffer.len()).min(5000);
                buffer[..some].copy_from_slice(&left[..some]);
                left.drain(..some);
                Ok(some)
            }
        };
        let (mut summary, limits) = (Summary::default(), Limits { whole: SPAN, stretches: 3 });
        explain(&mut read, limits, &mut summary, &mut |_| true).expect_err("reading fails");
        assert_eq!((summary.bytes, summary.stretches, summary.ill_formed), (201_001, 1, true));
    }
}
