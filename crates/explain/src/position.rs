//! Lines and columns.
//!
//! A [`Cursor`] passes over the text, piece by piece, and knows the line and the column of where it
//! is. Lines end with a line feed (so `\r\n` is one line end, and the carriage
//! return is the last character of its line). Columns count characters: every scalar value is
//! one, whatever its width on a screen, and so is every ill-formed sequence, for that is what it
//! becomes when it is replaced by U+FFFD. A byte order mark is a character like any other.
//!
//! Counting costs about as much as validation, so a cursor is worth its time only where its position is shown.

use runecast::{Utf8, count};

/// A line and a column, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 1 and the number of line feeds before.
    pub line: u64,
    /// 1 and the number of characters since the last line feed.
    pub column: u64,
}

/// Counts lines and columns.
#[derive(Clone, Debug)]
pub struct Cursor {
    position: Position,
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
        Cursor { position: Position { line: 1, column: 1 } }
    }

    /// The line and column that it has come to.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// Passes over well-formed text; characters may be cut at either end.
    pub fn pass_text(&mut self, text: &[u8]) {
        let rest = match memchr::memrchr(b'\n', text) {
            Some(last) => {
                self.position.line += memchr::memchr_iter(b'\n', &text[..=last]).count() as u64;
                self.position.column = 1;
                &text[last + 1..]
            }
            None => text,
        };
        self.position.column += count::<Utf8>(rest) as u64;
    }

    /// Passes over a text that another cursor has passed from its beginning.
    pub fn pass(&mut self, other: &Cursor) {
        let Position { line, column } = other.position;
        self.position.column = if line == 1 { self.position.column + column - 1 } else { column };
        self.position.line += line - 1;
    }

    /// Passes over one ill-formed sequence.
    pub fn pass_ill_formed(&mut self) {
        self.position.column += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_anywhere_it_comes_to_the_same_position() {
        let text = "erste\r\nzweite Zeile: äöü\n\n漢字🦀".as_bytes();
        for cut in 0..=text.len() {
            let mut cursor = Cursor::new();
            cursor.pass_text(&text[..cut]);
            let mut whole = cursor.clone();
            cursor.pass_text(&text[cut..]);
            assert_eq!(cursor.position(), Position { line: 4, column: 4 }, "cut at {cut}");

            let mut rest = Cursor::new();
            rest.pass_text(&text[cut..]);
            whole.pass(&rest);
            assert_eq!(whole.position(), cursor.position(), "joined at {cut}");
        }
    }
}
