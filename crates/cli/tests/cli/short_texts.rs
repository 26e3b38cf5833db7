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
