//! The texts of a table, in the encoding that it reads.
//!
//! They are made with the standard library alone, not with any of the peers.
//!
//! Latin-1 has tables of its own texts: those that all but fit, with their few typographic marks
//! made ASCII. As no language uses more than an accent in ten letters, one text has its letters
//! moved from the Cyrillic block to the upper half of Latin-1; it stands for the worst case.

use runecast::{Encoding, Latin1, Utf8, Utf16, Utf32, max_transcoded_len};
use runecast_corpus::Script;

use super::columns::{Columns, One, Pair};
use crate::peer::{Buffer, Input, Output};
use crate::texts::{Manuscript, Text};

/// An encoding that a text can be written down in.
pub trait Form: Encoding<Unit: bytemuck::Pod> {
    /// The width of a code unit in bytes, to which a text must be aligned.
    const WIDTH: usize = size_of::<Self::Unit>();

    /// Whether it has units for a few characters only.
    const LATIN1: bool = false;

    /// Appends the units of `character`, in the byte order of this machine.
    fn push(character: char, out: &mut Vec<u8>);
}

impl Form for Utf8 {
    fn push(character: char, out: &mut Vec<u8>) {
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

impl Form for Utf16 {
    fn push(character: char, out: &mut Vec<u8>) {
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.extend(unit.to_ne_bytes());
        }
    }
}

impl Form for Utf32 {
    fn push(character: char, out: &mut Vec<u8>) {
        out.extend(u32::from(character).to_ne_bytes());
    }
}

impl Form for Latin1 {
    const LATIN1: bool = true;

    fn push(character: char, out: &mut Vec<u8>) {
        out.push(u8::try_from(character).unwrap_or(b'?'));
    }
}

/// What a row is about: strings, each to be handed over by itself.
#[derive(Clone, Debug)]
pub struct Matter {
    name: String,
    /// The strings, each after a gap of so many units.
    strings: Vec<(usize, String)>,
    /// If there is only one string, handed over as a whole: how many bytes of input to take.
    whole: Option<usize>,
}

impl Matter {
    /// One text, of which `size` bytes of input are taken.
    pub fn whole(text: Manuscript, size: usize) -> Matter {
        Matter { name: text.name, strings: vec![(0, text.text)], whole: Some(size) }
    }

    /// The pieces of `input`, which must be UTF-8.
    pub fn packed(name: String, input: &Input) -> Matter {
        let mut strings = Vec::new();
        if let Input::Packed(buffer, spans) = input {
            let mut end = 0;
            for &(from, to) in spans {
                let text = String::from_utf8_lossy(&buffer.bytes()[from..to]);
                strings.push((from - end, text.into_owned()));
                end = to;
            }
        }
        Matter { name, strings, whole: None }
    }

    /// The same strings in characters of Latin-1.
    pub fn in_latin1(&self) -> Matter {
        let strings = self.strings.iter().map(|(gap, text)| (*gap, text.chars().map(plain).collect()));
        Matter { name: self.name.clone(), strings: strings.collect(), whole: self.whole }
    }

    /// The row's text in encoding `S`.
    fn text<S: Form>(&self, align: usize) -> Text {
        let (mut bytes, mut spans) = (Vec::new(), Vec::new());
        for (gap, text) in &self.strings {
            bytes.resize(bytes.len() + gap * S::WIDTH, 0);
            let from = bytes.len();
            for character in text.chars() {
                let before = bytes.len();
                S::push(character, &mut bytes);
                if self.whole.is_some_and(|size| bytes.len() > size) {
                    bytes.truncate(before);
                    break;
                }
            }
            spans.push((from, bytes.len()));
        }
        let buffer = Buffer::new(&bytes, align - align % S::WIDTH);
        let input = if self.whole.is_some() { Input::Whole(buffer) } else { Input::Packed(buffer, spans) };
        Text { name: self.name.clone(), input }
    }
}

/// All rows of all tables.
pub struct Subject {
    /// For the tables without Latin-1.
    pub plain: Vec<Matter>,
    /// For the tables with it.
    pub latin1: Vec<Matter>,
    /// Where the inputs begin in their page, rounded down to a code unit.
    pub align: usize,
}

impl Subject {
    /// Rows and columns of a conversion from `S` to `D`; `fill` adds the columns.
    pub fn for_pair<S: Form, D: Encoding<Unit: bytemuck::Pod>>(
        &self,
        fill: impl FnOnce(Pair<S, D>) -> Columns,
    ) -> (Vec<Text>, Columns) {
        let latin1 = S::LATIN1 || D::NAME == Latin1::NAME;
        let texts = self.texts::<S>(latin1);
        let longest = texts.iter().map(|text| longest(&text.input) / S::WIDTH).max().unwrap_or(0);
        // Somewhat more than the worst case: encoding_rs wants one unit more.
        let room = (max_transcoded_len::<S, D>(longest) + 64) * size_of::<D::Unit>();
        (texts, fill(Pair::new(Output::new(room, self.align))))
    }

    /// Rows and columns of a question about text in `S`; `fill` adds the columns.
    pub fn for_one<S: Form>(&self, fill: impl FnOnce(One<S>) -> Columns) -> (Vec<Text>, Columns) {
        (self.texts::<S>(S::LATIN1), fill(One::new()))
    }

    fn texts<S: Form>(&self, latin1: bool) -> Vec<Text> {
        let matters = if latin1 { &self.latin1 } else { &self.plain };
        matters.iter().map(|matter| matter.text::<S>(self.align)).collect()
    }
}

/// The bytes of the longest piece.
fn longest(input: &Input) -> usize {
    match input {
        Input::Whole(buffer) => buffer.bytes().len(),
        Input::Packed(_, spans) => spans.iter().map(|span| span.1 - span.0).max().unwrap_or(0),
    }
}

/// Those of `texts` that fit into Latin-1 but for a character in fifty, made to fit; and one
/// that is all upper half.
pub fn in_latin1(texts: &[Manuscript]) -> Vec<Manuscript> {
    let mut fitting = Vec::new();
    for Manuscript { name, text } in texts {
        let (mut all, mut foreign) = (0, 0);
        for character in text.chars() {
            all += 1;
            foreign += usize::from(character > '\u{FF}');
        }
        if foreign * 50 <= all {
            fitting.push(Manuscript { name: name.clone(), text: text.chars().map(plain).collect() });
        } else if name == Script::Cyrillic.name() {
            // So that as many characters become as many bytes of UTF-8.
            let text = text.chars().map(upper_half).collect();
            fitting.push(Manuscript { name: "upper half".to_owned(), text });
        }
    }
    fitting
}

/// The character itself if Latin-1 has it, otherwise one that stands for it.
fn plain(character: char) -> char {
    match character {
        '\0'..='\u{FF}' => character,
        '\u{2010}'..='\u{2015}' => '-',
        '\u{2018}'..='\u{201B}' => '\'',
        '\u{201C}'..='\u{201F}' => '"',
        '\u{2026}' => '.',
        '\u{202F}' => '\u{A0}',
        _ => 'x',
    }
}

/// A letter for a letter.
fn upper_half(character: char) -> char {
    match u32::from(character) {
        0..0x100 => character,
        other => char::from(0xC0 | (other % 64) as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<S: Form>(text: &str, size: usize) -> Vec<u8> {
        let manuscript = Manuscript { name: String::new(), text: text.to_owned() };
        let text = Matter::whole(manuscript, size).text::<S>(3);
        let Input::Whole(buffer) = text.input else { panic!("not whole") };
        assert_eq!(buffer.bytes().as_ptr().addr() % S::WIDTH, 0);
        buffer.bytes().to_vec()
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(bytes::<Utf8>("aé🪨", 6), "aé".as_bytes());
        assert_eq!(bytes::<Utf8>("aé🪨", 7), "aé🪨".as_bytes());
        assert_eq!(bytes::<Utf16>("a🪨", 5).len(), 2);
        assert_eq!(bytes::<Utf16>("a🪨", 6).len(), 6);
        assert_eq!(bytes::<Utf32>("a🪨b", 9).len(), 8);
        assert_eq!(bytes::<Latin1>("aéb", 2), [0x61, 0xE9]);
    }

    #[test]
    fn short_strings_stay_what_they_are() {
        let input = Input::Packed(Buffer::new("..aé.🪨".as_bytes(), 1), vec![(2, 5), (6, 10)]);
        let matter = Matter::packed("x".to_owned(), &input);
        let Input::Packed(buffer, spans) = matter.text::<Utf16>(1).input else { panic!("not packed") };
        assert_eq!(spans, [(4, 8), (10, 14)]);
        let text = |(from, to): (usize, usize)| {
            let units: Vec<u16> = bytemuck::cast_slice(&buffer.bytes()[from..to]).to_vec();
            String::from_utf16_lossy(&units)
        };
        assert_eq!(text(spans[0]), "aé");
        assert_eq!(text(spans[1]), "🪨");
    }

    #[test]
    fn texts_for_latin1_fit() {
        let texts = in_latin1(&crate::texts::generated(64 << 10));
        let names: Vec<&str> = texts.iter().map(|text| &*text.name).collect();
        assert_eq!(names, ["ascii", "english", "french", "german", "upper half"]);
        for Manuscript { name, text } in texts {
            assert!(text.chars().all(|character| character <= '\u{FF}'), "{name}");
        }
    }
}
