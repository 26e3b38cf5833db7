//! Well-formed characters that a text must not have all the same: a byte order mark, NUL, a carriage return.
//!
//! A repository may want its files to be UTF-8 that any tool can read: without a byte order mark, which some take for a part of the first
//! word; without NUL, at which others take the text for binary, or for its end; and with lines that end with a line feed alone. That is
//! no matter of UTF-8, so nobody looks for these unless they are asked for.
//!
//! NUL and a carriage return are one byte in UTF-8, which is part of no other character. A byte order mark is one only at the beginning
//! of a text; anywhere else U+FEFF is a character like any other.

/// A character that may be forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Character {
    /// U+FEFF at the beginning.
    Mark,
    /// U+0000.
    Nul,
    /// U+000D.
    CarriageReturn,
}

impl Character {
    /// Its bytes in UTF-8.
    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Character::Mark => b"\xEF\xBB\xBF",
            Character::Nul => b"\0",
            Character::CarriageReturn => b"\r",
        }
    }
}

/// Which characters are forbidden.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forbidden {
    /// A byte order mark.
    pub(crate) mark: bool,
    /// NUL.
    pub(crate) nul: bool,
    /// A carriage return, before a line feed or not.
    pub(crate) carriage_return: bool,
}

impl Forbidden {
    /// Those of a text, in their order, each with its offset; `begins` tells whether this is the beginning of the whole.
    pub(crate) fn find(self, text: &[u8], begins: bool) -> impl Iterator<Item = (usize, Character)> {
        let mark = self.mark && begins && text.starts_with(Character::Mark.bytes());
        let mark = mark.then_some((0, Character::Mark));
        // What is forbidden alone is looked for twice.
        let (one, other) = match (self.nul, self.carriage_return) {
            (true, false) => (b'\0', b'\0'),
            (false, _) => (b'\r', b'\r'),
            (true, true) => (b'\0', b'\r'),
        };
        let searched = if self.nul || self.carriage_return { text } else { &[] };
        let bytes = memchr::memchr2_iter(one, other, searched).map(|at| match text[at] {
            b'\0' => (at, Character::Nul),
            _ => (at, Character::CarriageReturn),
        });
        mark.into_iter().chain(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_is_forbidden() {
        let text = b"\xEF\xBB\xBFa\r\n\0b\xEF\xBB\xBF\r\0";
        let all = [
            (0, Character::Mark),
            (4, Character::CarriageReturn),
            (6, Character::Nul),
            (11, Character::CarriageReturn),
            (12, Character::Nul),
        ];
        for set in 0..8 {
            let forbidden = Forbidden { mark: set & 1 > 0, nul: set & 2 > 0, carriage_return: set & 4 > 0 };
            for begins in [false, true] {
                let expected: Vec<_> = all
                    .into_iter()
                    .filter(|(_, character)| match character {
                        Character::Mark => forbidden.mark && begins,
                        Character::Nul => forbidden.nul,
                        Character::CarriageReturn => forbidden.carriage_return,
                    })
                    .collect();
                assert_eq!(
                    forbidden.find(text, begins).collect::<Vec<_>>(),
                    expected,
                    "{forbidden:?} {begins}"
                );
                for (at, character) in expected {
                    assert!(text[at..].starts_with(character.bytes()));
                }
            }
        }
    }
}
