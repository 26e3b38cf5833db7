//! Pieces of an encoding with states, joined as one encoder would have written them.
//!
//! ISO-2022-JP is the one such encoding here: an escape sequence says what the bytes behind it are. Each piece of a text is encoded by
//! itself, in any thread, and so it begins and ends in ASCII. Where two pieces are joined, a state is left and entered again without
//! a character between, which decoders take for malformed; and so it is where characters were left out.
//!
//! So an escape sequence is not written where it stands, but before the next character that needs it. Then what comes out depends on
//! nothing but the characters, and is what one encoder makes of all of them. Several texts in one output are one text as well. A reader
//! at the other end may have to wait for the return to ASCII until there is a character, or the [end](Shifts::end).

use encoding_rs::Encoding;

/// Begins an escape sequence of three bytes, and is nothing else: no encoder here writes it as a character.
const ESCAPE: u8 = 0x1B;

/// The rest of an escape sequence, which stands for the state behind it.
type State = [u8; 2];

/// A text begins and ends so.
const ASCII: State = *b"(B";

/// ASCII but for two characters.
const ROMAN: State = *b"(J";

/// Whether what the bytes of an encoding are depends on what is before them.
pub(crate) fn has_states(encoding: &'static Encoding) -> bool {
    !encoding.is_ascii_compatible()
}

/// The states of an output.
pub(crate) struct Shifts {
    /// Behind what was written.
    written: State,
    /// For what comes next.
    wanted: State,
    joined: Vec<u8>,
}

impl Default for Shifts {
    fn default() -> Self {
        Shifts { written: ASCII, wanted: ASCII, joined: Vec::new() }
    }
}

impl Shifts {
    /// What is to be written of the next piece.
    pub(crate) fn join(&mut self, piece: &[u8]) -> &[u8] {
        self.joined.clear();
        let mut rest = piece;
        while let [first, others @ ..] = rest {
            if let (ESCAPE, [one, two, behind @ ..]) = (*first, others) {
                self.wanted = [*one, *two];
                rest = behind;
                continue;
            }
            let end = memchr::memchr(ESCAPE, others).map_or(rest.len(), |at| at + 1);
            self.append(&rest[..end]);
            rest = &rest[end..];
        }
        &self.joined
    }

    fn append(&mut self, text: &[u8]) {
        let same = match (self.written, self.wanted) {
            (written, wanted) if written == wanted => text.len(),
            (ROMAN, ASCII) => text.iter().position(|byte| matches!(byte, b'\\' | b'~')).unwrap_or(text.len()),
            _ => 0,
        };
        let (same, others) = text.split_at(same);
        self.joined.extend_from_slice(same);
        if !others.is_empty() {
            self.shift();
            self.joined.extend_from_slice(others);
        }
    }

    fn shift(&mut self) {
        self.joined.push(ESCAPE);
        self.joined.extend_from_slice(&self.wanted);
        self.written = self.wanted;
    }

    /// What is to be written at the end of an output; the next one begins.
    pub(crate) fn end(&mut self) -> &[u8] {
        self.joined.clear();
        self.wanted = ASCII;
        if self.written != ASCII {
            self.shift();
        }
        &self.joined
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::ISO_2022_JP;

    use super::*;

    /// Texts of all states, cut anywhere, are what one encoder makes of them.
    #[test]
    fn pieces_are_what_one_encoder_says() {
        let characters = ["a", "\\", "~", "¥", "‾", "あ", "漢", "ｱ", "\n", " "];
        let mut random = runecast_corpus::Random::new(8);
        let mut shifts = Shifts::default();
        for round in 0..4000 {
            let text: Vec<_> = (0..random.below(12)).map(|_| characters[random.below(10)]).collect();
            let mut joined = Vec::new();
            let mut rest = &text[..];
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at(random.below(rest.len() + 1));
                joined.extend_from_slice(shifts.join(&ISO_2022_JP.encode(&piece.concat()).0));
                rest = behind;
            }
            joined.extend_from_slice(shifts.end());
            let text = text.concat();
            assert_eq!(joined, ISO_2022_JP.encode(&text).0.as_ref(), "{round} {text}");
        }
    }
}
