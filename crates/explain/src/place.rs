//! Lines and columns.
//!
//! A [`Cursor`] is led over the text, piece by piece, and knows the line and the column of the
//! place it has come to. Lines end with a line feed (so `\r\n` is one line end, and the carriage
//! return is the last character of its line). Columns count characters: every scalar value is
//! one, whatever its width on a screen, and so is every ill-formed sequence, for that is what it
//! becomes when it is replaced by U+FFFD. A byte order mark is a character like any other.
//!
//! Counting costs about as much as validating, so a cursor should only exist where someone will read
//! what it says.

use runecast::{Utf8, count};

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// 1 and the number of line feeds before.
    pub line: u64,
    /// 1 and the number of characters since the last line feed.
    pub column: u64,
}

/// Follows a text.
#[derive(Clone, Debug)]
pub struct Cursor {
    place: Place,
}

impl Default for Cursor {
    fn default() -> Self {
        Cursor::new()
    }
}

impl Cursor {
    /// At the very beginning.
    #[must_use]
    pub fn new() -> Self {
        Cursor { place: Place { line: 1, column: 1 } }
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Goes over well-formed text; characters may be cut at either end.
    pub fn pass_text(&mut self, text: &[u8]) {
        let rest = match memchr::memrchr(b'\n', text) {
            Some(last) => {
                self.place.line += memchr::memchr_iter(b'\n', &text[..=last]).count() as u64;
                self.place.column = 1;
                &text[last + 1..]
            }
            None => text,
        };
        self.place.column += count::<Utf8>(rest) as u64;
    }

    /// Goes over a text over which another cursor has gone from the beginning.
    pub fn pass(&mut self, other: &Cursor) {
        let Place { line, column } = other.place;
        self.place.column = if line == 1 { self.place.column + column - 1 } else { column };
        self.place.line += line - 1;
    }

    /// Goes over one ill-formed sequence.
    pub fn pass_ill_formed(&mut self) {
        self.place.column += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_anywhere_it_comes_to_the_same_place() {
        let text = "erste\r\nzweite Zeile: äöü\n\n漢字🦀".as_bytes();
        for cut in 0..=text.len() {
            let mut cursor = Cursor::new();
            cursor.pass_text(&text[..cut]);
            let mut whole = cursor.clone();
            cursor.pass_text(&text[cut..]);
            assert_eq!(cursor.place(), Place { line: 4, column: 4 }, "cut at {cut}");

            let mut rest = Cursor::new();
            rest.pass_text(&text[cut..]);
            whole.pass(&rest);
            assert_eq!(whole.place(), cursor.place(), "joined at {cut}");
        }
    }
}
