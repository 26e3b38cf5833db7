//! Text that looks like a language to a decoder, made from nothing but a seed.
//!
//! What a UTF-8 validator or transcoder feels of a language is not its meaning but its *bytes*:
//! how long the characters are, how they alternate with ASCII spaces, digits and punctuation, how
//! long a word is, how rare the odd typographic quote. So a text is drawn here from letter
//! frequencies, word lengths and punctuation habits, one table per language, and nothing is
//! copied from any text. Benchmarks on it mean something on every machine, without a download;
//! real files can always be added beside it.
//!
//! One seed, one text: the generator uses its own small random number generator, so that the same
//! call gives the same bytes on every platform and in every version of every dependency (there is
//! none). A shorter text is a prefix of a longer one with the same seed.
//!
//! ```
//! use runecast_corpus::{Script, generate};
//!
//! let text = generate(Script::Cyrillic, 1000, 1);
//! assert!(text.len() <= 1000 && text.len() > 996);
//! assert_eq!(text, generate(Script::Cyrillic, 1000, 1));
//! ```

mod alphabetic;
mod documents;
mod emoji;
mod ideographic;
mod markup;
mod random;
mod syllabic;

use std::fmt;
use std::str::FromStr;

pub use random::Random;

/// The kinds of text that [`generate`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Script {
    /// Pure ASCII: words, punctuation, numbers, lines as in a log.
    Ascii,
    /// English prose: ASCII, but for a typographic dash or quote once in a while.
    English,
    /// French: four or five letters in a hundred have an accent; guillemets and apostrophes.
    French,
    /// German: two letters in a hundred are umlauts; typographic quotes.
    German,
    /// Czech: an accent on every eighth letter.
    Czech,
    /// Turkish: every eighth or ninth letter is outside ASCII.
    Turkish,
    /// Vietnamese: short words of one-, two- and three-byte letters mixed.
    Vietnamese,
    /// Greek: words of two-byte letters between ASCII spaces.
    Greek,
    /// Russian: words of two-byte letters between ASCII spaces.
    Cyrillic,
    /// Arabic: words of two-byte letters between ASCII spaces; two-byte commas.
    Arabic,
    /// Hebrew: words of two-byte letters between ASCII spaces.
    Hebrew,
    /// Hindi in Devanagari: three-byte letters and signs between ASCII spaces.
    Hindi,
    /// Thai: three-byte letters and signs, a space only between phrases.
    Thai,
    /// Chinese: three-byte characters, punctuation included; hardly any ASCII.
    Chinese,
    /// Japanese: kana and kanji, three bytes each; hardly any ASCII.
    Japanese,
    /// Korean: words of three-byte syllables between ASCII spaces.
    Korean,
    /// Emoji: four-byte characters, with three-byte joiners and variation selectors.
    Emoji,
    /// JSON records, one a line: ASCII structure, strings in several languages.
    Json,
    /// HTML: ASCII markup around sentences in several languages.
    Html,
    /// Pieces of all documents, shuffled.
    World,
    /// Handbooks in Markdown: prose with code, links, lists and tables.
    Markdown,
    /// Logs, a record of JSON on each line.
    Log,
    /// Tables: places and people, and numbers.
    Csv,
    /// Source code, with comments in several languages.
    Code,
    /// Subtitles of films.
    Subtitles,
    /// Short messages, with emoji.
    Chat,
    /// XML: elements with attributes.
    Xml,
    /// Catalogs of translated messages (PO files).
    Catalog,
}

impl Script {
    /// Every kind: documents first, of which [`Script::World`] has something of each; then text of one script, from ASCII to
    /// the longest characters.
    pub const ALL: [Script; 28] = [
        Script::World,
        Script::Markdown,
        Script::Html,
        Script::Json,
        Script::Log,
        Script::Csv,
        Script::Code,
        Script::Subtitles,
        Script::Chat,
        Script::Xml,
        Script::Catalog,
        Script::Ascii,
        Script::English,
        Script::French,
        Script::German,
        Script::Czech,
        Script::Turkish,
        Script::Vietnamese,
        Script::Greek,
        Script::Cyrillic,
        Script::Arabic,
        Script::Hebrew,
        Script::Hindi,
        Script::Thai,
        Script::Chinese,
        Script::Japanese,
        Script::Korean,
        Script::Emoji,
    ];

    /// A script or language each, and at the end JSON and HTML, which mix them: for tables about encodings.
    pub const SCRIPTS: [Script; 19] = [
        Script::Ascii,
        Script::English,
        Script::French,
        Script::German,
        Script::Czech,
        Script::Turkish,
        Script::Vietnamese,
        Script::Greek,
        Script::Cyrillic,
        Script::Arabic,
        Script::Hebrew,
        Script::Hindi,
        Script::Thai,
        Script::Chinese,
        Script::Japanese,
        Script::Korean,
        Script::Emoji,
        Script::Json,
        Script::Html,
    ];

    /// Those of [`Script::ALL`] that are documents: in each, ASCII alternates with other text in twelve languages.
    #[must_use]
    pub fn documents() -> &'static [Script] {
        &Script::ALL[..11]
    }

    /// The name, in lower case: what `Display` writes and `FromStr` reads.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Script::Ascii => "ascii",
            Script::English => "english",
            Script::French => "french",
            Script::German => "german",
            Script::Czech => "czech",
            Script::Turkish => "turkish",
            Script::Vietnamese => "vietnamese",
            Script::Greek => "greek",
            Script::Cyrillic => "cyrillic",
            Script::Arabic => "arabic",
            Script::Hebrew => "hebrew",
            Script::Hindi => "hindi",
            Script::Thai => "thai",
            Script::Chinese => "chinese",
            Script::Japanese => "japanese",
            Script::Korean => "korean",
            Script::Emoji => "emoji",
            Script::Json => "json",
            Script::Html => "html",
            Script::World => "world",
            Script::Markdown => "markdown",
            Script::Log => "log",
            Script::Csv => "csv",
            Script::Code => "code",
            Script::Subtitles => "subtitles",
            Script::Chat => "chat",
            Script::Xml => "xml",
            Script::Catalog => "catalog",
        }
    }

    /// Appends one paragraph, record or line, in this script.
    fn paragraph(self, random: &mut Random, out: &mut String) {
        match self {
            Script::Ascii => alphabetic::ASCII.paragraph(random, out),
            Script::English => alphabetic::ENGLISH.paragraph(random, out),
            Script::French => alphabetic::FRENCH.paragraph(random, out),
            Script::German => alphabetic::GERMAN.paragraph(random, out),
            Script::Czech => alphabetic::CZECH.paragraph(random, out),
            Script::Turkish => alphabetic::TURKISH.paragraph(random, out),
            Script::Vietnamese => alphabetic::VIETNAMESE.paragraph(random, out),
            Script::Greek => alphabetic::GREEK.paragraph(random, out),
            Script::Cyrillic => alphabetic::RUSSIAN.paragraph(random, out),
            Script::Arabic => alphabetic::ARABIC.paragraph(random, out),
            Script::Hebrew => alphabetic::HEBREW.paragraph(random, out),
            Script::Hindi => syllabic::hindi(random, out),
            Script::Thai => syllabic::thai(random, out),
            Script::Korean => syllabic::korean(random, out),
            Script::Chinese => ideographic::chinese(random, out),
            Script::Japanese => ideographic::japanese(random, out),
            Script::Emoji => emoji::line(random, out),
            Script::Json => markup::json(random, out),
            Script::Html => markup::html(random, out),
            Script::World => documents::world(random, out),
            Script::Markdown => documents::markdown(random, out),
            Script::Log => documents::log(random, out),
            Script::Csv => documents::csv(random, out),
            Script::Code => documents::code(random, out),
            Script::Subtitles => documents::subtitles(random, out),
            Script::Chat => documents::chat(random, out),
            Script::Xml => documents::xml(random, out),
            Script::Catalog => documents::catalog(random, out),
        }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Script {
    type Err = UnknownScript;

    fn from_str(name: &str) -> Result<Script, UnknownScript> {
        Script::ALL.into_iter().find(|script| script.name() == name).ok_or(UnknownScript)
    }
}

/// The name is not that of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownScript;

impl fmt::Display for UnknownScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a script of the corpus: expected one of")?;
        for script in Script::ALL {
            write!(f, " {script}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownScript {}

/// Text in `script`: at most `bytes` bytes long, and cut at the last character boundary there.
#[must_use]
pub fn generate(script: Script, bytes: usize, seed: u64) -> String {
    // Scripts must not share a sequence, or their words would have the same lengths.
    let mut random = Random::new(seed ^ (script as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93));
    let mut text = String::with_capacity(bytes + 8192);
    while text.len() < bytes {
        script.paragraph(&mut random, &mut text);
    }
    let cut = (0..=bytes).rev().find(|&at| text.is_char_boundary(at));
    text.truncate(cut.unwrap_or(0));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 200_000;

    /// The share of characters of 1, 2, 3 and 4 bytes, in percent.
    fn shares(text: &str) -> [f64; 4] {
        let mut counts = [0_usize; 4];
        for c in text.chars() {
            counts[c.len_utf8() - 1] += 1;
        }
        let all = counts.iter().sum::<usize>() as f64;
        counts.map(|count| 100.0 * count as f64 / all)
    }

    #[test]
    fn one_seed_one_text() {
        for script in Script::ALL {
            let text = generate(script, 5000, 7);
            assert_eq!(text, generate(script, 5000, 7), "{script}");
            assert_ne!(text, generate(script, 5000, 8), "{script}");
            assert!(generate(script, 9000, 7).starts_with(&text), "{script}: no prefix");
        }
    }

    #[test]
    fn the_bytes_are_the_same_on_every_machine() {
        // FNV-1a over all scripts: a change here means that published numbers are no longer about
        // the same texts.
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        for script in Script::ALL {
            for byte in generate(script, 4096, 1).bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
            }
        }
        assert_eq!(hash, HASH, "{hash:#018x}");
    }
    const HASH: u64 = 0xAAC2_6BEA_283B_2D3D;

    /// What `documents` says of the kinds that were fitted to documents.
    #[test]
    fn documents_change_as_often_as_documents_do() {
        for (script, beyond, changes, lines) in [
            (Script::Markdown, 10.0..30.0, 40.0..90.0, 0.25..0.6),
            (Script::Log, 0.0..2.0, 0.0..6.0, 0.9..1.0),
            (Script::Csv, 8.0..30.0, 40.0..120.0, 0.0..0.5),
            (Script::Code, 1.0..5.0, 2.0..15.0, 0.8..0.96),
            (Script::Chat, 15.0..50.0, 30.0..120.0, 0.0..0.35),
            (Script::Catalog, 8.0..30.0, 20.0..90.0, 0.0..0.3),
        ] {
            let text = generate(script, SIZE, 1);
            let kinds: Vec<bool> = text.chars().map(|c| c.is_ascii()).collect();
            let share = 100.0 * kinds.iter().filter(|ascii| !**ascii).count() as f64 / kinds.len() as f64;
            assert!(beyond.contains(&share), "{script}: {share:.1} % beyond ASCII");
            let changed = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64;
            let changed = changed * 1024.0 / text.len() as f64;
            assert!(changes.contains(&changed), "{script}: {changed:.1} changes per KiB");
            let whole = text.as_bytes().chunks_exact(64);
            let share = whole.clone().filter(|line| line.is_ascii()).count() as f64 / whole.count() as f64;
            assert!(lines.contains(&share), "{script}: {share:.2} lines of ASCII");
        }
    }

    #[test]
    fn the_length_is_as_asked_up_to_a_character() {
        for script in Script::ALL {
            for bytes in [0, 1, 2, 3, 4, 5, 63, 64, 65, 1000, 4096, 100_001] {
                let len = generate(script, bytes, 3).len();
                assert!(len <= bytes && len + 3 >= bytes, "{script}: {len} of {bytes}");
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for script in Script::ALL {
            assert_eq!(script.name().parse(), Ok(script));
        }
        assert_eq!("klingon".parse::<Script>(), Err(UnknownScript));
    }

    #[test]
    fn the_shares_are_those_of_the_language() {
        // For each script the bands of 1-, 2-, 3- and 4-byte characters, in percent of characters.
        let bands: [(Script, [(f64, f64); 4]); 28] = [
            (Script::Ascii, [(100.0, 100.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]),
            (Script::English, [(99.7, 99.99), (0.0, 0.1), (0.005, 0.3), (0.0, 0.0)]),
            (Script::French, [(94.0, 96.5), (3.5, 5.5), (0.1, 1.5), (0.0, 0.0)]),
            (Script::German, [(97.0, 98.6), (1.4, 2.6), (0.1, 0.9), (0.0, 0.0)]),
            (Script::Czech, [(86.0, 90.0), (10.0, 13.5), (0.1, 0.9), (0.0, 0.0)]),
            (Script::Turkish, [(88.0, 92.0), (8.0, 11.0), (0.1, 0.9), (0.0, 0.0)]),
            (Script::Vietnamese, [(68.0, 76.0), (10.0, 15.0), (12.0, 17.0), (0.0, 0.0)]),
            (Script::Greek, [(14.0, 22.0), (78.0, 86.0), (0.0, 0.9), (0.0, 0.0)]),
            (Script::Cyrillic, [(14.0, 22.0), (78.0, 86.0), (0.0, 0.9), (0.0, 0.0)]),
            (Script::Arabic, [(14.0, 24.0), (76.0, 86.0), (0.0, 0.9), (0.0, 0.0)]),
            (Script::Hebrew, [(16.0, 25.0), (75.0, 84.0), (0.0, 0.9), (0.0, 0.0)]),
            (Script::Hindi, [(17.0, 26.0), (0.0, 0.0), (74.0, 83.0), (0.0, 0.0)]),
            (Script::Thai, [(2.0, 9.0), (0.0, 0.0), (91.0, 98.0), (0.0, 0.0)]),
            (Script::Chinese, [(0.5, 4.0), (0.0, 0.5), (96.0, 99.5), (0.0, 0.1)]),
            (Script::Japanese, [(0.5, 4.0), (0.0, 0.5), (96.0, 99.5), (0.0, 0.1)]),
            (Script::Korean, [(22.0, 32.0), (0.0, 0.1), (68.0, 78.0), (0.0, 0.0)]),
            (Script::Emoji, [(1.0, 8.0), (0.0, 0.1), (5.0, 20.0), (75.0, 93.0)]),
            (Script::Json, [(88.0, 98.0), (0.5, 6.0), (0.5, 6.0), (0.01, 1.0)]),
            (Script::Html, [(88.0, 98.5), (0.5, 6.0), (0.2, 6.0), (0.0, 1.0)]),
            (Script::World, [(88.0, 94.0), (3.0, 8.0), (2.0, 6.0), (0.05, 0.5)]),
            (Script::Markdown, [(70.0, 90.0), (5.0, 16.0), (4.0, 16.0), (0.0, 0.0)]),
            (Script::Log, [(99.5, 99.99), (0.005, 0.3), (0.005, 0.3), (0.0, 0.0)]),
            (Script::Csv, [(75.0, 92.0), (4.0, 14.0), (3.0, 14.0), (0.0, 0.0)]),
            (Script::Code, [(95.0, 99.0), (0.4, 3.0), (0.2, 3.0), (0.0, 0.0)]),
            (Script::Subtitles, [(75.0, 92.0), (4.0, 14.0), (4.0, 16.0), (0.0, 0.0)]),
            (Script::Chat, [(68.0, 85.0), (5.0, 16.0), (5.0, 16.0), (1.5, 4.0)]),
            (Script::Xml, [(83.0, 94.0), (3.0, 10.0), (2.0, 8.0), (0.0, 0.0)]),
            (Script::Catalog, [(80.0, 92.0), (4.0, 12.0), (3.0, 12.0), (0.0, 0.0)]),
        ];
        for (script, bands) in bands {
            for seed in [1, 99] {
                let shares = shares(&generate(script, SIZE, seed));
                for (len, (share, (low, high))) in shares.into_iter().zip(bands).enumerate() {
                    let len = len + 1;
                    assert!(
                        (low..=high).contains(&share),
                        "{script}: {share:.2} % of {len} bytes, not {low} to {high}; all: {shares:.2?}"
                    );
                }
            }
        }
    }
}
