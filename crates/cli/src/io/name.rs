//! Names of files that are safe to show.
//!
//! The name of a file is bytes that anyone may have chosen. Printed as they are, they may
//! move the cursor, hide what follows or break a line in two. So wherever a person reads, a
//! [`Name`] shows printable text as it is and everything else escaped: a byte that is not UTF-8 as
//! `\xE9`, a control character as `\n` or `\x1B`, the characters that turn the direction of the
//! text around (and other invisible ones that mislead) as `\u{202E}`. Spaces, accents, emoji and
//! the backslash stay what they are: this is for people, not for parsing. Programs that need the
//! exact name have `--format json` and `-l -0`.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write as _};
use std::path::Path;

/// What an input is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// Standard input.
    Stdin,
    /// A path, as it was given or found.
    Path(OsString),
    /// Not a file: the value of the option of this name.
    Inline(&'static str),
}

impl Name {
    /// The name as the command line has it; `-` for standard input.
    pub(crate) fn raw(&self) -> &OsStr {
        match self {
            Name::Stdin => OsStr::new("-"),
            Name::Path(path) => path,
            Name::Inline(option) => OsStr::new(option),
        }
    }
}

/// Whether an argument stands for a standard stream: `-`.
pub(crate) fn is_dash(file: &Path) -> bool {
    file.as_os_str() == "-"
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match self {
            Name::Stdin => return f.write_str("<stdin>"),
            Name::Inline(option) => return write!(f, "<{option}>"),
            Name::Path(path) => path,
        };
        ShownBytes(path.as_encoded_bytes()).fmt(f)
    }
}

/// Bytes that are safe to show: text, and what is none escaped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownBytes<'a>(pub(crate) &'a [u8]);

impl fmt::Display for ShownBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in runecast::utf8_chunks(self.0) {
            for character in chunk.valid().chars() {
                Shown(character).fmt(f)?;
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02X}")?;
            }
        }
        Ok(())
    }
}

/// A character that is safe to show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown(pub(crate) char);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(character) = *self;
        match character {
            '\t' | '\n' | '\r' => write!(f, "{}", character.escape_default()),
            '\0'..' ' | '\x7F' => write!(f, "\\x{:02X}", u32::from(character)),
            _ if misleads(character) => write!(f, "\\u{{{:04X}}}", u32::from(character)),
            _ => f.write_char(character),
        }
    }
}

/// Whether a terminal may obey a character, or it makes a line look like another one; besides control characters of ASCII.
pub(crate) fn misleads(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9F}' // the second set of control characters
            | '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' // direction
            | '\u{2028}' | '\u{2029}' // line and paragraph ends
            | '\u{200B}' | '\u{2060}' | '\u{FEFF}' // no width
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}' // annotations, tags
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str) -> String {
        Name::Path(name.into()).to_string()
    }

    #[test]
    fn text_stays_what_it_is() {
        for plain in ["a b.txt", "Ærøskøbing", "ᚱᚢᚾᛖ", "🦀", "back\\slash", "e\u{301}", "👩\u{200D}🚀"]
        {
            assert_eq!(shown(plain), plain);
        }
        assert_eq!(Name::Stdin.to_string(), "<stdin>");
    }

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(shown("a\x1B[31mb\n\t\r\0\x7F"), r"a\x1B[31mb\n\t\r\x00\x7F");
        assert_eq!(shown("a\u{202E}txt.\u{9B}m\u{FEFF}"), r"a\u{202E}txt.\u{009B}m\u{FEFF}");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_escaped() {
        use std::os::unix::ffi::OsStringExt as _;
        let name = Name::Path(OsString::from_vec(b"caf\xE9 \xE2\x82.txt".to_vec()));
        assert_eq!(name.to_string(), r"caf\xE9 \xE2\x82.txt");
    }
}
