//! Readers over a source that does what it likes: pieces of any length, errors, counts that are not true, other bytes in the buffer
//! than it says, and other bytes when it is asked again.
//!
//! Nothing panics, and what is called text is text. While the source is honest, the text is that of its bytes.

use std::io::{BufRead, Error, ErrorKind, Read, Result};

use arbitrary::Arbitrary;
use runecast::{Label, Replacement, Scheme, TranscodingReader, Utf8Reader};

#[derive(Arbitrary, Debug, Clone)]
enum Act {
    /// So many bytes, as they are.
    Give(u8),
    /// So many bytes, and then what was behind them is overwritten.
    Scribble(u8),
    /// To be asked again.
    Interrupt,
    /// An error.
    Fail,
    /// More than there was room for.
    Lie(u8),
}

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Case<'a> {
    scheme: u8,
    replacement: u8,
    capacity: u8,
    acts: Vec<Act>,
    text: &'a [u8],
}

struct Source<'a> {
    acts: std::slice::Iter<'a, Act>,
    rest: &'a [u8],
    honest: bool,
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let act = self.acts.next().cloned().unwrap_or(Act::Give(255));
        let count = match act {
            Act::Give(count) | Act::Scribble(count) => usize::from(count).max(1),
            Act::Interrupt => return Err(ErrorKind::Interrupted.into()),
            Act::Fail => {
                self.honest = false;
                return Err(Error::other("fails"));
            }
            Act::Lie(more) => {
                self.honest = false;
                return Ok(buffer.len() + 1 + usize::from(more));
            }
        };
        let count = count.min(buffer.len()).min(self.rest.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest = &self.rest[count..];
        if matches!(act, Act::Scribble(_)) {
            buffer[count..].fill(0xFF);
        }
        Ok(count)
    }
}

/// One execution.
pub fn run(case: Case<'_>) {
    let source = || Source { acts: case.acts.iter(), rest: case.text, honest: true };

    let mut reader = Utf8Reader::with_capacity(usize::from(case.capacity), source());
    let mut text = String::new();
    loop {
        let error = match reader.fill_text() {
            Ok("") => break,
            Ok(piece) => {
                assert!(std::str::from_utf8(piece.as_bytes()).is_ok());
                text.push_str(piece);
                let len = piece.len();
                reader.consume(len);
                continue;
            }
            // As with `BufReader`, whoever asks asks again.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => error.kind(),
        };
        assert!(error == ErrorKind::InvalidData || !reader.get_ref().honest);
        break;
    }
    if reader.get_ref().honest {
        let valid = match std::str::from_utf8(case.text) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&case.text[..error.valid_up_to()]).unwrap_or_default(),
        };
        assert_eq!(text, valid);
    }

    let scheme = Scheme::ALL[usize::from(case.scheme) % Scheme::ALL.len()];
    let replacement = Replacement::ALL[usize::from(case.replacement) % Replacement::ALL.len()];
    let mut reader = TranscodingReader::lossy(source(), Label::Exactly(scheme), replacement);
    let mut bytes = Vec::new();
    let outcome = reader.read_to_end(&mut bytes);
    if reader.get_ref().honest {
        assert!(outcome.is_ok());
    }
    if scheme == Scheme::Utf8 {
        assert!(std::str::from_utf8(&bytes).is_ok() || outcome.is_err());
    }
}
