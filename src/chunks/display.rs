//! Bytes that are mostly text, in a message.
//!
//! What is displayed is what `String::from_utf8_lossy` would make of the bytes, without the string: piece by piece. A formatter that
//! has a width or a precision wants characters counted, which takes another pass over them, but no memory either.

use core::fmt::{self, Alignment, Write as _};

use super::utf8_chunks;

/// `bytes` for [`format!`], `println!` and messages, whether or not they are text.
///
/// [`Display`](fmt::Display) writes them as text, with U+FFFD for each ill-formed sequence (a maximal subpart): what
/// [`String::from_utf8_lossy`](https://doc.rust-lang.org/std/string/struct.String.html#method.from_utf8_lossy) returns. Width, fill,
/// alignment and precision are as for a `str`, in characters. [`Debug`](fmt::Debug) writes them in quotes, text escaped as in a `str`,
/// and each byte that is ill-formed as `\xFF`: so no two inputs look the same.
///
/// Nothing is allocated, and it never panics.
///
/// ```
/// use runecast::display_lossy;
///
/// let name = b"r\xC5\xABna\xE9.txt";
/// assert_eq!(format!("{}", display_lossy(name)), "rūna\u{FFFD}.txt");
/// assert_eq!(format!("{:?}", display_lossy(name)), r#""rūna\xE9.txt""#);
/// assert_eq!(format!("{:>7.5}|", display_lossy(name)), "  rūna\u{FFFD}|");
/// ```
#[must_use]
#[inline]
pub const fn display_lossy(bytes: &[u8]) -> DisplayLossy<'_> {
    DisplayLossy { bytes }
}

/// Bytes to be displayed as text: what [`display_lossy`] returns.
#[derive(Clone, Copy)]
pub struct DisplayLossy<'a> {
    bytes: &'a [u8],
}

impl<'a> DisplayLossy<'a> {
    /// The text, in pieces.
    #[inline]
    fn pieces(self) -> impl Iterator<Item = &'a str> {
        utf8_chunks(self.bytes).flat_map(|chunk| {
            let replacement = if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" };
            [chunk.valid(), replacement]
        })
    }

    /// The text up to so many characters, in pieces, each with the number of its characters.
    fn counted(self, most: usize) -> impl Iterator<Item = (&'a str, usize)> {
        self.pieces().scan(most, |left, mut piece| {
            if *left < piece.len()
                && let Some((end, _)) = piece.char_indices().nth(*left)
            {
                piece = &piece[..end];
            }
            let len = piece.chars().count();
            *left -= len;
            Some((piece, len))
        })
    }
}

impl fmt::Display for DisplayLossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_none() && f.precision().is_none() {
            return self.pieces().try_for_each(|piece| f.write_str(piece));
        }
        let most = f.precision().unwrap_or(usize::MAX);
        let padding = match f.width() {
            Some(width) => width.saturating_sub(self.counted(most).map(|(_, len)| len).sum()),
            None => 0,
        };
        let before = match f.align() {
            Some(Alignment::Right) => padding,
            Some(Alignment::Center) => padding / 2,
            Some(Alignment::Left) | None => 0,
        };
        let fill = f.fill();
        (0..before).try_for_each(|_| f.write_char(fill))?;
        self.counted(most).try_for_each(|(piece, _)| f.write_str(piece))?;
        (before..padding).try_for_each(|_| f.write_char(fill))
    }
}

impl fmt::Debug for DisplayLossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in utf8_chunks(self.bytes) {
            let text = chunk.valid();
            let mut written = 0;
            for (at, character) in text.char_indices() {
                // A single quote is escaped as a character, but not in a text.
                let mut escape = character.escape_debug();
                if escape.len() > 1 && character != '\'' {
                    f.write_str(&text[written..at])?;
                    escape.try_for_each(|character| f.write_char(character))?;
                    written = at + character.len_utf8();
                }
            }
            f.write_str(&text[written..])?;
            chunk.invalid().iter().try_for_each(|byte| write!(f, "\\x{byte:02X}"))?;
        }
        f.write_char('"')
    }
}
