//! `offsets`: from bytes to characters, UTF-16 and lines, and back.
//!
//! The peer is `str_indices`. Every text is asked about as a whole, from a hundred bytes to a size that fits
//! into half of a cache: forward from its end, and backward to its last character, or the beginning of its
//! last line. What is looked for backward is after the text, in eight bytes that nobody
//! counts.
//!
//! `offset-map` is a table of its own: [`map`].

pub mod map;

use clap::ValueEnum;
use runecast::Isa;
use runecast::index::{self, Unit};
use runecast_corpus::Script;

use crate::peer::{Buffer, Input, Level, Peer};
use crate::table::{self, Goal, Operation, Ours};
use crate::texts::{self, SEED, Text};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Question {
    /// Characters before a byte
    Char,
    /// The byte of a character
    AtChar,
    /// Units of UTF-16 before a byte
    Utf16,
    /// The byte of a unit of UTF-16
    AtUtf16,
    /// The line of a byte
    Line,
    /// The byte where a line begins
    AtLine,
}

/// The questions, or all of them.
pub fn long(questions: &[Question], size: usize, align: usize) -> Vec<Operation> {
    let all = if questions.is_empty() { Question::value_variants() } else { questions };
    all.iter().map(|question| question.operation(size, align)).collect()
}

/// A text and what is after it.
fn parts(src: &[u8]) -> (&str, usize) {
    let (text, number) = src.split_last_chunk::<8>().unwrap_or((src, &[0; 8]));
    // SAFETY: `Question::piece` put a whole text there.
    (unsafe { std::str::from_utf8_unchecked(text) }, usize::from_le_bytes(*number))
}

impl Question {
    fn operation(self, size: usize, align: usize) -> Operation {
        let mut peers = Vec::new();
        macro_rules! peers {
            ($theirs:path, $ours:path) => {{
                peers.push(Peer::new("str indices", Level::Every, |src| {
                    let (text, number) = parts(src);
                    $theirs(text, number)
                }));
                peers.extend(Peer::ours(|src| {
                    let (text, number) = parts(src);
                    $ours(text, number)
                }));
            }};
        }
        match self {
            Question::Char => peers!(str_indices::chars::from_byte_idx, index::char_offset),
            Question::AtChar => peers!(str_indices::chars::to_byte_idx, index::at_char),
            Question::Utf16 => peers!(str_indices::utf16::from_byte_idx, index::utf16_offset),
            Question::AtUtf16 => peers!(str_indices::utf16::to_byte_idx, index::at_utf16),
            Question::Line => peers!(str_indices::lines_crlf::from_byte_idx, index::line),
            Question::AtLine => peers!(str_indices::lines_crlf::to_byte_idx, index::at_line),
        }
        let name = self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        Operation {
            name: format!("offsets {name}"),
            unit: table::Unit::GigabytesPerSecond,
            peers,
            texts: self.texts(size, align),
            goals: vec![
                Goal::best(),
                Goal { name: "avx2 /peer", ours: Ours::One(Isa::Avx2), against: &[] },
                Goal { name: "sse42 /peer", ours: Ours::One(Isa::Sse42), against: &[] },
                Goal { name: "scalar /peer", ours: Ours::One(Isa::Scalar), against: &[] },
            ],
        }
    }

    /// Every script, in three sizes.
    fn texts(self, size: usize, align: usize) -> Vec<Text> {
        let mut all = Vec::new();
        for (bytes, label) in [(100, "100"), (4 << 10, "4 KiB"), (size, "all")] {
            for script in Script::ALL {
                let input = if bytes == 100 {
                    let Input::Packed(strings, spans) = texts::short_strings(script, bytes, bytes, align)
                    else {
                        continue;
                    };
                    let (mut pack, mut new_spans) = (Vec::new(), Vec::new());
                    for (index, (from, to)) in spans.into_iter().enumerate() {
                        pack.resize(pack.len() + index * 7 % 32, b'.');
                        let piece = self.piece(String::from_utf8_lossy(&strings.bytes()[from..to]).as_ref());
                        new_spans.push((pack.len(), pack.len() + piece.len()));
                        pack.extend(piece);
                    }
                    Input::Packed(Buffer::new(&pack, align), new_spans)
                } else {
                    let text = runecast_corpus::generate(script, bytes, SEED);
                    Input::Whole(Buffer::new(&self.piece(&text), align))
                };
                all.push(Text { name: format!("{} {label}", script.name()), input });
            }
        }
        all
    }

    /// A text, and after it what is looked for.
    fn piece(self, text: &str) -> Vec<u8> {
        let number = match self {
            Question::Char | Question::Utf16 | Question::Line => text.len(),
            Question::AtChar => text.chars().count().saturating_sub(1),
            Question::AtUtf16 => index::offset(text, text.len(), Unit::Utf16).saturating_sub(1),
            Question::AtLine => index::line(text, text.len()),
        };
        [text.as_bytes(), &number.to_le_bytes()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring for no time at all still compares what all peers say.
    #[test]
    fn all_peers_agree_on_everything() {
        let once = runecast_clock::Patience { rounds: 1, limit: std::time::Duration::ZERO };
        for operation in long(&[], 64 << 10, 17) {
            if let Err(error) = operation.measure(once) {
                panic!("{}: {error:#}", operation.name);
            }
        }
    }
}
