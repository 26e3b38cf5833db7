//! Lines and columns.
//!
//! A [`Cursor`] passes over the text, piece by piece, and knows the line and the column of where it
//! is. Lines end with a line feed (so `\r\n` is one line end, and the carriage
//! return is the last character of its line). Columns count characters: every scalar value is
//! one, whatever its width on a screen, and so is every ill-formed sequence, for that is what it
//! becomes when it is replaced by U+FFFD. A byte order mark is a character like any other.
//!
//! Counting costs about as much as validation, so a cursor is worth its time only where its position is shown. Where a text is
//! validated as well, both are done in one pass.

use runecast::scan::{ByteSet, scan};
use runecast::{IllFormed, Utf8, count};

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
        self.pass_lines(memchr::memchr_iter(b'\n', text).count() as u64, text);
    }

    /// Validates text, and passes over it if it is well-formed, in one pass. If not, the cursor stays where it is.
    ///
    /// # Errors
    /// The first ill-formed sequence, as [`validate`](runecast::validate()) returns it.
    pub fn pass_validated(&mut self, text: &[u8]) -> Result<(), IllFormed> {
        let mut lines = 0;
        scan(text, &[ByteSet::LINE_FEED], |_, [ends]| lines += u64::from(ends.count_ones()))?;
        self.pass_lines(lines, text);
        Ok(())
    }

    /// Passes over text with so many line feeds.
    fn pass_lines(&mut self, lines: u64, text: &[u8]) {
        let mut rest = text;
        if lines > 0 {
            self.position.line += lines;
            self.position.column = 1;
            rest = &text[memchr::memrchr(b'\n', text).map_or(0, |last| last + 1)..];
        }
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

            let mut validated = Cursor::new();
            let (cut_here, cut_there) = (&text[..cut], &text[cut..]);
            let boundary = std::str::from_utf8(cut_here).is_ok();
            assert_eq!(validated.pass_validated(cut_here).is_ok(), boundary);
            assert_eq!(validated.pass_validated(cut_there).is_ok(), boundary);
            let expected = if boundary { cursor.position() } else { Cursor::new().position() };
            assert_eq!(validated.position(), expected, "validated, cut at {cut}");

            let mut rest = Cursor::new();
            rest.pass_text(&text[cut..]);
            whole.pass(&rest);
            assert_eq!(whole.position(), cursor.position(), "joined at {cut}");
        }
    }
}
