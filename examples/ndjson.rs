//! A file of records, one in each line: how many there are, and which are not UTF-8, on all cores.
//!
//! The text is cut into pieces at line feeds, which never are part of a character; each core validates its pieces and finds
//! the lines in the same pass. A line that is ill-formed is an error by itself, and the lines behind it are records.
//!
//!     cargo run --release --features rayon --example ndjson -- FILE…

use rayon::prelude::*;
use runecast::scan::{RecordError, lines};

/// Bytes of a piece: enough for its beginning and end not to matter.
const PIECE: usize = 1 << 20;

/// What a piece has.
#[derive(Default)]
struct Count {
    records: usize,
    bytes: usize,
    /// The lines with an error, counted from the first line of the piece.
    errors: Vec<(usize, RecordError)>,
}

/// Pieces of whole lines.
fn pieces(mut text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let from = PIECE.min(text.len());
        let end = text[from..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| from + at + 1);
        let (piece, rest) = text.split_at(end);
        pieces.push(piece);
        text = rest;
    }
    pieces
}

fn count(piece: &[u8]) -> Count {
    let mut count = Count::default();
    for line in lines(piece) {
        match line {
            // Here a parser would get its text.
            Ok(record) => count.bytes += record.len(),
            Err(error) => count.errors.push((count.records, error)),
        }
        count.records += 1;
    }
    count
}

/// The records, and the numbers of the lines with errors, from 1.
fn count_all(text: &[u8]) -> (usize, usize, Vec<(usize, RecordError)>) {
    let counts: Vec<Count> = pieces(text).par_iter().map(|piece| count(piece)).collect();
    let (mut records, mut bytes, mut errors) = (0, 0, Vec::new());
    for count in counts {
        errors.extend(count.errors.into_iter().map(|(line, error)| (records + line + 1, error)));
        records += count.records;
        bytes += count.bytes;
    }
    (records, bytes, errors)
}

fn main() -> Result<(), std::io::Error> {
    let mut text = "{\"name\": \"Þórr\", \"weapon\": \"ᛗᛃᛟᛚᚾᛁᚱ\"}\n".repeat(100_000).into_bytes();
    text[123 * 51 + 20] = 0xFF;
    let (records, _, errors) = count_all(&text);
    println!("{records} records, {} with an error", errors.len());
    for path in std::env::args_os().skip(1) {
        let (records, bytes, errors) = count_all(&std::fs::read(&path)?);
        println!("{}: {records} records of {bytes} bytes, {} with an error", path.display(), errors.len());
        for (line, error) in errors.iter().take(10) {
            match error {
                // Its offset is one in the piece.
                RecordError::IllFormed(error) => println!("  line {line}: {}", error.reason()),
                error => println!("  line {line}: {error}"),
            }
        }
    }
    Ok(())
}
