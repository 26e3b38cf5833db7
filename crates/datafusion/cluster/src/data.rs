//! Lines of text, many of them damaged, in Parquet files: the same bytes each time, since each row depends on its number alone.
//!
//! - `id`: the number of the row, from 0 on, so that a sum shows whether each was there once;
//! - `line`: three words, in UTF-8; in one of four rows bytes of eight kinds that are not UTF-8 stand in it;
//! - `body`: two words, in the encoding that `charset` names; one of sixteen has lost its last byte.
//!
//! The library that is tested makes nothing of this.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{BinaryBuilder, Int64Builder, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;

use crate::Outcome;

const WORDS: [&str; 16] = [
    "line",
    "naïve",
    "façade",
    "ñandú",
    "слово",
    "письмо",
    "λόγος",
    "γραφή",
    "言葉",
    "文字",
    "शब्द",
    "كلمة",
    "단어",
    "ຄຳ",
    "🦀",
    "𐌰𐌱",
];

/// As many of them, from the first on, are in Latin-1.
const LATIN: usize = 4;

/// A continuation byte; an overlong form; two, and three, bytes of a longer character; a surrogate; a code point
/// above the last; a byte that is in no character; a letter of Latin-1.
const DAMAGE: [&[u8]; 8] = [
    b"\x80",
    b"\xC0\xAF",
    b"\xE2\x82",
    b"\xF0\x9F\xA6",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xFF",
    b"\xE9",
];

const CHARSETS: [&str; 6] = ["utf-8", "utf-16le", "utf-16be", "utf-16", "utf-32le", "latin-1"];

const BATCH: u64 = 64 * 1024;

/// Numbers that look like chance, from the number of a row (the finaliser of SplitMix64).
struct Dice(u64);

impl Dice {
    fn new(row: u64) -> Dice {
        let mixed = row.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        Dice(mixed ^ mixed >> 31)
    }

    /// A number below `sides`. All of one row's together have 64 bits to take from.
    fn roll(&mut self, sides: usize) -> usize {
        let rolled = (self.0 % sides as u64) as usize;
        self.0 /= sides as u64;
        rolled
    }
}

/// Writes `rows` rows into `files` files.
pub(crate) fn generate(directory: &Path, rows: u64, files: u64) -> Outcome {
    fs::create_dir_all(directory)?;
    let schema = Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("line", DataType::Binary, false),
        Field::new("body", DataType::Binary, false),
        Field::new("charset", DataType::Utf8, false),
    ]));
    let mut bytes = 0;
    for file in 0..files {
        let path = directory.join(format!("{file:04}.parquet"));
        let mut writer = ArrowWriter::try_new(File::create(&path)?, Arc::clone(&schema), None)?;
        let (mut next, end) = (rows * file / files, rows * (file + 1) / files);
        while next < end {
            let batch = next..end.min(next + BATCH);
            next = batch.end;
            let mut ids = Int64Builder::new();
            let (mut lines, mut bodies, mut charsets) =
                (BinaryBuilder::new(), BinaryBuilder::new(), StringBuilder::new());
            for row in batch {
                let mut dice = Dice::new(row);
                let charset = dice.roll(CHARSETS.len());
                ids.append_value(i64::try_from(row)?);
                lines.append_value(line(&mut dice));
                bodies.append_value(body(&mut dice, CHARSETS[charset]));
                charsets.append_value(CHARSETS[charset]);
            }
            writer.write(&RecordBatch::try_new(
                Arc::clone(&schema),
                vec![
                    Arc::new(ids.finish()),
                    Arc::new(lines.finish()),
                    Arc::new(bodies.finish()),
                    Arc::new(charsets.finish()),
                ],
            )?)?;
        }
        writer.close()?;
        bytes += path.metadata()?.len();
    }
    println!("{rows} rows, {files} files, {} MB", bytes / 1_000_000);
    Ok(())
}

fn line(dice: &mut Dice) -> Vec<u8> {
    let words = [0; 3].map(|_| WORDS[dice.roll(WORDS.len())]);
    let mut line = words.join(" ").into_bytes();
    if dice.roll(4) == 0 {
        let damage = DAMAGE[dice.roll(DAMAGE.len())];
        let place = dice.roll(line.len() + 1);
        line.splice(place..place, damage.iter().copied());
    }
    line
}

fn body(dice: &mut Dice, charset: &str) -> Vec<u8> {
    let known = if charset == "latin-1" { LATIN } else { WORDS.len() };
    let text = [0; 2].map(|_| WORDS[dice.roll(known)]).join(" ");
    let mut body: Vec<u8> = match charset {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        // With a byte order mark that says little-endian; some without one, which are big-endian then.
        "utf-16" if dice.roll(2) == 0 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "utf-16" => ['\u{FEFF}']
            .into_iter()
            .chain(text.chars())
            .collect::<String>()
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect(),
        "utf-32le" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        "latin-1" => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        _ => text.into_bytes(),
    };
    if dice.roll(16) == 0 {
        body.pop();
    }
    body
}
