//! How often `detect` is right about short texts: thirty languages, in all encodings that each had.
//!
//! The texts stand in [`sentences`]; encoding_rs encodes them. An answer about an old encoding is judged by what comes of it:
//!
//! - *right*: decoded as the encoding that was named, the bytes are the text again. So windows-1252 is right for what is the
//!   same in ISO-8859-15, of which each distinct sequence of bytes is asked about once.
//! - *close*: nine characters in ten are.
//! - *unknown*: no encoding was named.
//! - *wrong*: all else, `mixed` and `binary` too.
//!
//! A Unicode encoding is right by its name only. The table of the README holds the counts: a change may make no row of it worse.
//! What it holds is a measurement of a statistical guess, and so no answer by itself is asked for. But what no text of these
//! may do is to be taken, with more than 50 of confidence, for Unicode if it is not, or the other way round.

pub mod sentences;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use encoding_rs::{self as old, Encoding};
use runecast_corpus::Random;

use crate::scene::Scene;
use sentences::SENTENCES;

/// The lengths of texts, in characters.
const LENGTHS: [usize; 3] = [40, 100, 200];

/// Encodings with one byte for each character, of which encoding_rs has an encoder.
static SINGLE: [&Encoding; 26] = [
    old::WINDOWS_1252,
    old::WINDOWS_1250,
    old::WINDOWS_1251,
    old::WINDOWS_1253,
    old::WINDOWS_1254,
    old::WINDOWS_1255,
    old::WINDOWS_1256,
    old::WINDOWS_1257,
    old::WINDOWS_1258,
    old::WINDOWS_874,
    old::ISO_8859_2,
    old::ISO_8859_3,
    old::ISO_8859_4,
    old::ISO_8859_5,
    old::ISO_8859_6,
    old::ISO_8859_7,
    old::ISO_8859_8,
    old::ISO_8859_10,
    old::ISO_8859_13,
    old::ISO_8859_15,
    old::ISO_8859_16,
    old::KOI8_R,
    old::KOI8_U,
    old::IBM866,
    old::MACINTOSH,
    old::X_MAC_CYRILLIC,
];

/// Those with more, each for what was written in it. (ISO-2022-JP is ASCII, as far as `detect` goes.)
fn of_several_bytes(language: &str) -> &'static [&'static Encoding] {
    static SIMPLIFIED: [&Encoding; 2] = [old::GBK, old::GB18030];
    static TRADITIONAL: [&Encoding; 3] = [old::BIG5, old::GBK, old::GB18030];
    static JAPANESE: [&Encoding; 2] = [old::SHIFT_JIS, old::EUC_JP];
    static KOREAN: [&Encoding; 1] = [old::EUC_KR];
    match language {
        "Chinese, simplified" => &SIMPLIFIED,
        "Chinese, traditional" => &TRADITIONAL,
        "Japanese" => &JAPANESE,
        "Korean" => &KOREAN,
        _ => &[],
    }
}

/// A text in an encoding.
struct Sample {
    /// The row of the table.
    row: &'static str,
    /// The column.
    length: usize,
    text: String,
    /// The name that is right, if only one is.
    unicode: Option<&'static str>,
    bytes: Vec<u8>,
}

/// The encodings of Unicode: the row of the table, the name, and what encodes.
type Unicode = (&'static str, &'static str, fn(&str) -> Vec<u8>);

const UNICODE: [Unicode; 10] = [
    ("UTF-8", "UTF-8", |text| text.as_bytes().to_vec()),
    ("UTF-8, marked", "UTF-8", |text| format!("\u{FEFF}{text}").into_bytes()),
    ("UTF-16", "UTF-16LE", |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    ("UTF-16", "UTF-16BE", |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ("UTF-16, marked", "UTF-16LE", |text| {
        format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    }),
    ("UTF-16, marked", "UTF-16BE", |text| {
        format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect()
    }),
    ("UTF-32", "UTF-32LE", |text| text.chars().flat_map(|point| (point as u32).to_le_bytes()).collect()),
    ("UTF-32", "UTF-32BE", |text| text.chars().flat_map(|point| (point as u32).to_be_bytes()).collect()),
    ("UTF-32, marked", "UTF-32LE", |text| {
        format!("\u{FEFF}{text}").chars().flat_map(|point| (point as u32).to_le_bytes()).collect()
    }),
    ("UTF-32, marked", "UTF-32BE", |text| {
        format!("\u{FEFF}{text}").chars().flat_map(|point| (point as u32).to_be_bytes()).collect()
    }),
];

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for (language, paragraph) in SENTENCES {
        for length in LENGTHS {
            let text: String = paragraph.chars().take(length).collect();
            assert_eq!(text.chars().count(), length, "{language} is too short");
            for (row, name, encode) in UNICODE {
                let name = if row == "UTF-8" && text.is_ascii() { "ASCII" } else { name };
                let bytes = encode(&text);
                samples.push(Sample { row, length, text: text.clone(), unicode: Some(name), bytes });
            }
            let mut seen: Vec<Vec<u8>> = Vec::new();
            for encoding in SINGLE.iter().chain(of_several_bytes(language)) {
                let (bytes, _, unmappable) = encoding.encode(&text);
                let bytes = bytes.into_owned();
                if !unmappable && !bytes.is_ascii() && !seen.contains(&bytes) {
                    seen.push(bytes.clone());
                    samples.push(Sample { row: language, length, text: text.clone(), unicode: None, bytes });
                }
            }
        }
    }
    samples
}

/// What an answer is worth: the index in a cell of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Worth {
    Right,
    Close,
    Unknown,
    Wrong,
}

fn is_unicode(name: &str) -> bool {
    name.starts_with("UTF-") || name == "ASCII"
}

fn judge(sample: &Sample, status: &str, name: Option<&str>) -> Worth {
    match (sample.unicode, name) {
        _ if status == "unknown" => Worth::Unknown,
        (Some(unicode), Some(name)) if unicode == name => Worth::Right,
        (None, Some(name)) if !is_unicode(name) => {
            // (What is in 80..9F makes windows-1252 of it.)
            let label = if name == "Latin-1" { "windows-1252" } else { name };
            let encoding = Encoding::for_label(label.as_bytes()).unwrap_or_else(|| panic!("{name}"));
            let decoded = encoding.decode_without_bom_handling(&sample.bytes).0;
            let same = decoded.chars().zip(sample.text.chars()).filter(|(one, other)| one == other).count();
            match decoded.chars().count().max(sample.length) {
                _ if decoded == sample.text => Worth::Right,
                length if same * 10 >= length * 9 => Worth::Close,
                _ => Worth::Wrong,
            }
        }
        _ => Worth::Wrong,
    }
}

/// By row of the table: right, close, unknown, wrong for each length.
type Table = BTreeMap<String, [[usize; 4]; 3]>;

fn printed(table: &Table) -> String {
    let mut lines = String::new();
    for (row, cells) in table {
        write!(lines, "| {row} |").expect("a string");
        for [right, close, unknown, wrong] in cells {
            write!(lines, " {right} | {close} | {unknown} | {wrong} |").expect("a string");
        }
        lines.push('\n');
    }
    lines
}

/// The table of the README.
fn written() -> Table {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("a README");
    let rows = readme.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
        let row = cells.next()?;
        let numbers: Vec<usize> = cells.map(str::parse).collect::<Result<_, _>>().ok()?;
        let (cells, []) = numbers.as_chunks::<4>() else { return None };
        Some((row.to_owned(), <[[usize; 4]; 3]>::try_from(cells).ok()?))
    });
    rows.collect()
}

#[test]
fn short_texts_in_thirty_languages() {
    let samples = samples();
    let scene = Scene::new("detect", &[]);
    for (index, sample) in samples.iter().enumerate() {
        scene.add(format!("{index:05}"), &sample.bytes);
    }
    let ran = scene.run(&["-r", "--format", "json", "."]);
    let objects = ran.objects();
    assert_eq!(objects.len(), samples.len());

    let mut table = Table::new();
    let mut confused = Vec::new();
    for (sample, object) in samples.iter().zip(&objects) {
        let (status, name) = (object["status"].as_str().expect("a status"), object["encoding"].as_str());
        let confidence = object["confidence"].as_u64().expect("a number");
        let worth = judge(sample, status, name);
        if let Some(name) = name
            && confidence > 50
            && is_unicode(name) != sample.unicode.is_some()
        {
            confused.push(format!("{} {}: {object}", sample.row, sample.length));
        }
        let column = LENGTHS.iter().position(|length| *length == sample.length).expect("one of them");
        table.entry(sample.row.to_owned()).or_default()[column][worth as usize] += 1;
        if worth == Worth::Wrong && std::env::var_os("RUNECAST_TEST_SHOW").is_some() {
            println!("{} {}: {object}", sample.row, sample.length);
        }
    }
    assert!(confused.is_empty(), "{}", confused.join("\n"));

    let floor = written();
    assert_eq!(floor.keys().collect::<Vec<_>>(), table.keys().collect::<Vec<_>>(), "\n{}", printed(&table));
    for (row, cells) in &table {
        for (now, then) in cells.iter().zip(&floor[row]) {
            let totals = (now.iter().sum::<usize>(), then.iter().sum::<usize>());
            let worse = now[0] < then[0] || now[0] + now[1] < then[0] + then[1] || now[3] > then[3];
            assert!(!worse && totals.0 == totals.1, "{row}: {now:?}, not {then:?}\n{}", printed(&table));
        }
    }
}

/// A text with pieces that are replaced at random, so often in a thousand.
fn damaged(text: &str, often: usize, cut: bool, random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for byte in text.bytes() {
        match random.below(1000) < often {
            true if cut && byte > 0x7F => {}
            true if !cut => bytes.push(random.below(256) as u8),
            _ => bytes.push(byte),
        }
    }
    bytes
}

/// In place and without a backup nothing that was written in another encoding is lost, whether its name is known or not; and what is
/// UTF-8 for the most part is repaired.
#[test]
fn other_encodings_are_left_as_they_are_in_place_and_damage_is_not() {
    let mut random = Random::new(12);
    let (mut foreign, mut utf8) = (BTreeMap::new(), BTreeMap::new());
    for (language, paragraph) in SENTENCES {
        for times in [1, 20] {
            let text = format!("{paragraph}\n").repeat(times);
            let mut add = |name: String, bytes: Vec<u8>| {
                if runecast::from_utf8(&bytes).is_err() {
                    foreign.insert(name, bytes);
                }
            };
            for encoding in SINGLE.iter().chain(of_several_bytes(language)) {
                let (bytes, _, unmappable) = encoding.encode(&text);
                if !unmappable {
                    add(format!("{language}, {}, {times}", encoding.name()), bytes.into_owned());
                }
            }
            for (name, letters) in DOS {
                if let Some(bytes) = text.chars().map(|character| dos(letters, character)).collect() {
                    add(format!("{language}, {name}, {times}"), bytes);
                }
            }
            for (kind, often, cut) in [
                ("random", 3, false),
                ("random", 10, false),
                ("random", 30, false),
                ("cut", 20, true),
                ("cut", 80, true),
            ] {
                let name = format!("{language}, {kind} {often}, {times}");
                utf8.insert(name, damaged(&text, often, cut, &mut random));
            }
            let (line, _, unmappable) = old::WINDOWS_1252.encode("l’été à “Zürich”, ça va\n");
            assert!(!unmappable);
            // English has no other character outside of ASCII.
            if times > 1 && text.chars().filter(|character| !character.is_ascii()).count() > 80 {
                let mixed = [text.as_bytes(), &line, text.as_bytes(), &line].concat();
                utf8.insert(format!("{language}, two lines in windows-1252"), mixed);
            }
        }
    }
    for options in [&["--in-place"][..], &["--in-place", "--drop-lines"]] {
        let scene = Scene::new("repair", &[]);
        for (name, bytes) in foreign.iter().chain(&utf8) {
            scene.add(name, bytes);
        }
        let names = foreign.keys().chain(utf8.keys()).map(String::as_str);
        let ran = scene.run(&[options, &names.collect::<Vec<_>>()].concat());
        assert_eq!(ran.code, 2);
        let changed = |(name, bytes): (&String, &Vec<u8>)| {
            let changed = scene.content(name) != *bytes;
            let left = format!("{name}: seems to be ");
            assert_eq!(changed, !ran.err.contains(&left), "{name}");
            changed
        };
        let lost: Vec<_> = foreign.iter().filter(|file| changed(*file)).map(|(name, _)| name).collect();
        assert!(lost.is_empty(), "{} of {}: {lost:#?}", lost.len(), foreign.len());
        let well = |bytes: &[u8]| runecast::from_utf8(bytes).is_ok();
        let refused: Vec<_> = utf8
            .iter()
            .filter(|(_, bytes)| !well(bytes))
            .filter(|file| !changed(*file))
            .map(|(name, _)| name)
            .collect();
        assert!(refused.is_empty(), "{} of {}: {refused:#?}", refused.len(), utf8.len());
    }
}

/// Code pages of DOS that encoding_rs does not know: the letters that the paragraphs have from 80 on, by their bytes.
const DOS: [(&str, &[(char, u8)]); 2] = [("IBM850", &IBM850), ("IBM852", &IBM852)];

#[rustfmt::skip]
const IBM850: [(char, u8); 40] = [
    ('ü', 0x81), ('é', 0x82), ('â', 0x83), ('ä', 0x84), ('à', 0x85), ('å', 0x86), ('ç', 0x87), ('ê', 0x88),
    ('ë', 0x89), ('è', 0x8A), ('ï', 0x8B), ('î', 0x8C), ('ì', 0x8D), ('Ä', 0x8E), ('Å', 0x8F), ('É', 0x90),
    ('æ', 0x91), ('Æ', 0x92), ('ô', 0x93), ('ö', 0x94), ('ò', 0x95), ('û', 0x96), ('ù', 0x97), ('Ö', 0x99),
    ('Ü', 0x9A), ('ø', 0x9B), ('Ø', 0x9D), ('á', 0xA0), ('í', 0xA1), ('ó', 0xA2), ('ú', 0xA3), ('ñ', 0xA4),
    ('Á', 0xB5), ('Â', 0xB6), ('À', 0xB7), ('ã', 0xC6), ('ß', 0xE1), ('õ', 0xE4), ('ý', 0xEC), ('´', 0xEF),
];

#[rustfmt::skip]
const IBM852: [(char, u8); 36] = [
    ('ü', 0x81), ('é', 0x82), ('â', 0x83), ('ä', 0x84), ('ů', 0x85), ('ć', 0x86), ('ç', 0x87), ('ł', 0x88),
    ('ë', 0x89), ('ő', 0x8B), ('î', 0x8C), ('Ź', 0x8D), ('Ć', 0x8F), ('É', 0x90), ('ô', 0x93), ('ö', 0x94),
    ('ľ', 0x96), ('ś', 0x98), ('Ö', 0x99), ('Ü', 0x9A), ('Ł', 0x9D), ('č', 0x9F), ('á', 0xA0), ('í', 0xA1),
    ('ó', 0xA2), ('ú', 0xA3), ('ą', 0xA5), ('ž', 0xA7), ('ę', 0xA9), ('ź', 0xAB), ('Č', 0xAC), ('ş', 0xAD),
    ('ż', 0xBE), ('ă', 0xC7), ('ň', 0xE5), ('ý', 0xEC),
];

/// The byte of a character.
fn dos(letters: &[(char, u8)], character: char) -> Option<u8> {
    let known = || letters.iter().find(|(letter, _)| *letter == character).map(|(_, byte)| *byte);
    u8::try_from(character).ok().filter(u8::is_ascii).or_else(known)
}
