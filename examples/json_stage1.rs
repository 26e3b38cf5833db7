//! The first stage of a JSON parser, from the masks of a scan: where tokens begin, outside of strings.
//!
//! One pass finds quotes, backslashes, brackets and blanks, and validates UTF-8. What is left is arithmetic with words of 64 bits
//! (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", 2019): a quote behind an odd number of backslashes is none; the
//! exclusive or of all quotes before a byte says whether it is in a string. With the list of tokens a parser does not look at
//! blanks, or inside of strings, again.
//!
//! Here the list is checked against serde_json: the tokens are the strings, numbers and names of its value, as often, and there
//! are as many brackets and colons.
//!
//!     cargo run --release --example json_stage1 -- FILE…

use std::error::Error;

use runecast::IllFormed;
use runecast::scan::{ByteSet, scan};
use serde_json::Value;

const QUOTE: ByteSet = ByteSet::new(b"\"").unwrap();
const BACKSLASH: ByteSet = ByteSet::new(b"\\").unwrap();
const PUNCTUATION: ByteSet = ByteSet::new(b"{}[]:,").unwrap();
const BLANK: ByteSet = ByteSet::new(b" \t\r\n").unwrap();

/// What one word hands on to the next: each is a single bit, or all of them.
#[derive(Default)]
struct State {
    /// The first byte is escaped.
    escaped: u64,
    /// All ones inside of a string.
    in_string: u64,
    /// The byte before was part of a number or a name.
    in_scalar: u64,
}

impl State {
    /// The bytes that begin a token: punctuation, the opening quote of a string, the first byte of a number or a name.
    fn tokens(&mut self, [quotes, backslashes, punctuation, blanks]: [u64; 4]) -> u64 {
        let escaped = self.escaped(backslashes);
        let quotes = quotes & !escaped;
        // From the opening quote on, without the closing one.
        let strings = prefix_xor(quotes) ^ self.in_string;
        self.in_string = 0_u64.wrapping_sub(strings >> 63);
        let scalars = !(punctuation | blanks | quotes | strings);
        let first_of_scalars = scalars & !(scalars << 1 | self.in_scalar);
        self.in_scalar = scalars >> 63;
        punctuation & !strings | quotes & strings | first_of_scalars
    }

    /// The bytes behind an odd number of backslashes.
    fn escaped(&mut self, mut backslashes: u64) -> u64 {
        // Most words have none.
        if backslashes == 0 {
            return std::mem::take(&mut self.escaped);
        }
        let mut escaped = std::mem::take(&mut self.escaped);
        backslashes &= !escaped;
        while backslashes != 0 {
            let at = backslashes.trailing_zeros();
            if at == 63 {
                self.escaped = 1;
                break;
            }
            escaped |= 1 << (at + 1);
            backslashes &= !(0b11 << at);
        }
        escaped
    }
}

/// For each bit, the exclusive or of all bits up to it.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// The offsets of all tokens, if the text is UTF-8.
fn stage1(json: &[u8]) -> Result<Vec<usize>, IllFormed> {
    let (mut state, mut offsets) = (State::default(), Vec::new());
    scan(json, &[QUOTE, BACKSLASH, PUNCTUATION, BLANK], |at, masks| {
        let mut tokens = state.tokens(masks);
        while tokens != 0 {
            offsets.push(at + tokens.trailing_zeros() as usize);
            tokens &= tokens - 1;
        }
    })?;
    // Bits behind the end are blank in no mask, and so seem to begin a scalar.
    offsets.retain(|at| *at < json.len());
    Ok(offsets)
}

/// How many opening brackets and colons there are, and the other tokens as serde_json writes them, sorted.
#[derive(Debug, Default, PartialEq)]
struct Summary {
    objects: usize,
    arrays: usize,
    colons: usize,
    scalars: Vec<String>,
}

/// What the list of tokens says.
fn by_tokens(json: &str, offsets: &[usize]) -> Result<Summary, Box<dyn Error>> {
    let mut summary = Summary::default();
    for (index, &at) in offsets.iter().enumerate() {
        let end = offsets.get(index + 1).copied().unwrap_or(json.len());
        match json.as_bytes()[at] {
            b'{' => summary.objects += 1,
            b'[' => summary.arrays += 1,
            b':' => summary.colons += 1,
            b'}' | b']' | b',' => {}
            _ => summary.scalars.push(serde_json::from_str::<Value>(json[at..end].trim())?.to_string()),
        }
    }
    summary.scalars.sort_unstable();
    Ok(summary)
}

/// What serde_json says.
fn by_serde(value: &Value, summary: &mut Summary) {
    match value {
        Value::Object(members) => {
            summary.objects += 1;
            summary.colons += members.len();
            for (key, value) in members {
                summary.scalars.push(Value::from(key.as_str()).to_string());
                by_serde(value, summary);
            }
        }
        Value::Array(values) => {
            summary.arrays += 1;
            values.iter().for_each(|value| by_serde(value, summary));
        }
        scalar => summary.scalars.push(scalar.to_string()),
    }
}

/// Compares the two, and returns the number of tokens.
fn check(json: &str) -> Result<usize, Box<dyn Error>> {
    let offsets = stage1(json.as_bytes())?;
    let mut expected = Summary::default();
    by_serde(&serde_json::from_str(json)?, &mut expected);
    expected.scalars.sort_unstable();
    if by_tokens(json, &offsets)? != expected {
        return Err("the tokens are not those of serde_json".into());
    }
    Ok(offsets.len())
}

/// A document with all that is difficult, at every column of a word: `shift` blanks are before it.
fn document(shift: usize) -> String {
    let strings = [
        "",
        "\\\"",
        "\\\\",
        "\\\\\\\"",
        "a\\\\",
        "{[:,]}",
        "ä\\u00e4😀",
        "\\n\\t",
        "long, longer, \\\"longest\\\"",
    ];
    let mut json = " ".repeat(shift) + "[";
    for (index, text) in strings.iter().cycle().take(400).enumerate() {
        json += &format!("{{\"k{index}{text}\": \"{text}\", \"n\":[-1.5e3,{index} ,true,null]}},\n ");
    }
    json + "false]"
}

fn main() -> Result<(), Box<dyn Error>> {
    for shift in 0..64 {
        check(&document(shift))?;
    }
    println!("{} tokens in a generated document, as with serde_json", check(&document(0))?);
    for path in std::env::args_os().skip(1) {
        let json = std::fs::read_to_string(&path)?;
        println!("{} tokens in {}, as with serde_json", check(&json)?, path.display());
    }
    Ok(())
}
