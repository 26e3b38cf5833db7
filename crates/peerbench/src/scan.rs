//! `scan`: validation and search in one pass, against two.
//!
//! Three tables. *Whole*: masks, positions and nothing, of a whole text, against our own `from_utf8` alone, and against
//! memchr and simdutf8 one after the other. *Records*: each record as `&str`, against memchr for its end and simdutf8 for the record.
//! *Lines*: of a reader or a slice, against those of std, bstr and tokio. Each row is measured by itself, its columns in turn; all
//! columns of a row must count the same.
//!
//! The texts are cut into records of some length at character boundaries, with a line feed behind each.

use std::hint::black_box;
use std::io::{BufRead as _, BufReader};

use anyhow::{Result, bail};
use bstr::io::BufReadExt as _;
use runecast::codec::Utf8Lines;
use runecast::scan::{ByteSet, LineReader, lines, positions_append, scan};
use runecast_clock::{Lane, Patience};
use runecast_corpus::{Script, generate};
use tokio_util::bytes::BytesMut;
use tokio_util::codec::{Decoder as _, LinesCodec};

use crate::peer::Buffer;
use crate::texts::SEED;

/// Bytes of the sets: one, and eight.
const ONE: ByteSet = ByteSet::LINE_FEED;
const EIGHT: ByteSet = ByteSet::new(b"\n\"\\{}[]:").unwrap();

/// A way to do something: a function that counts.
struct Way<'a> {
    name: &'static str,
    count: Box<dyn Fn() -> usize + 'a>,
}

impl Lane for Way<'_> {
    fn run(&self, times: u32) {
        for _ in 0..times {
            black_box((self.count)());
        }
    }
}

fn way<'a>(name: &'static str, count: impl Fn() -> usize + 'a) -> Way<'a> {
    Way { name, count: Box::new(count) }
}

/// A ratio of times that is printed: the first column over the second.
type Ratio = (&'static str, usize, usize);

/// Measures all tables, with texts of about `size` bytes.
pub fn run(size: usize, align: usize, filter: &str, patience: Patience) -> Result<()> {
    let scripts = [
        Script::Ascii,
        Script::English,
        Script::French,
        Script::Cyrillic,
        Script::Chinese,
        Script::Emoji,
        Script::World,
        Script::Json,
    ];
    let scripts = scripts.into_iter().filter(|script| script.name().contains(filter));

    let mut header = false;
    for script in scripts.clone() {
        let buffer = Buffer::new(&records(script, 80, size), align);
        let ratios: [Ratio; 5] =
            [("1/own", 1, 0), ("8/own", 2, 0), ("2p/1", 3, 1), ("2p/8", 4, 2), ("2p/pos", 6, 5)];
        row("whole", script.name(), buffer.bytes(), &whole(buffer.bytes()), &ratios, patience, &mut header)?;
    }
    let mut header = false;
    for script in scripts.clone() {
        for len in [20, 80, 400] {
            let buffer = Buffer::new(&records(script, len, size), align);
            let name = format!("{} {len}", script.name());
            let ratios = [("peer/lines", 2, 0), ("peer/for", 2, 1)];
            row("records", &name, buffer.bytes(), &each(buffer.bytes()), &ratios, patience, &mut header)?;
        }
    }
    let mut header = false;
    for script in scripts {
        let buffer = Buffer::new(&records(script, 80, size), align);
        let ratios = [
            ("std/", 2, 1),
            ("bstr/", 3, 1),
            ("bstr for/", 4, 1),
            ("tokio/", 5, 1),
            ("tokio/Utf8Lines", 5, 6),
        ];
        row(
            "lines",
            script.name(),
            buffer.bytes(),
            &of_readers(buffer.bytes()),
            &ratios,
            patience,
            &mut header,
        )?;
    }
    Ok(())
}

/// Records of about `len` bytes in a script.
fn records(script: Script, len: usize, size: usize) -> Vec<u8> {
    let part = generate(script, size.min(1 << 20), SEED).replace('\n', " ");
    let mut bytes = Vec::with_capacity(size + len);
    let mut rest = &part[..];
    while !rest.is_empty() {
        let cut = (len - 1..rest.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        let (record, behind) = rest.split_at(cut);
        bytes.extend_from_slice(record.as_bytes());
        bytes.push(b'\n');
        rest = behind;
    }
    bytes.repeat(size.div_ceil(bytes.len()))
}

fn whole(text: &[u8]) -> Vec<Way<'_>> {
    let ends = memchr::memchr_iter(b'\n', text).count();
    // As little as can be done with masks, so that the scan is what is measured. (To count bits takes a dozen instructions
    // where a program is not compiled for CPUs that have one.)
    let seen = move |set: ByteSet| {
        let mut all = 0;
        let result = scan(text, &[set], |_, [mask]| all |= mask);
        if result.is_ok() && all != 0 { ends } else { 0 }
    };
    let simdutf8 = || usize::from(simdutf8::basic::from_utf8(text).is_ok());
    let list = std::cell::RefCell::new(Vec::<u32>::new());
    let list_of_peer = std::cell::RefCell::new(Vec::<u32>::new());
    vec![
        way("from_utf8", move || usize::from(runecast::from_utf8(text).is_ok()) * ends),
        way("scan 1", move || seen(ONE)),
        way("scan 8", move || seen(EIGHT)),
        way("memchr+s8", move || memchr::memchr_iter(b'\n', text).map(black_box).count() * simdutf8()),
        way("memchr3+s8", move || {
            black_box(memchr::memchr3_iter(b'\n', b'"', b':', text).map(black_box).count());
            ends * simdutf8()
        }),
        way("positions", move || {
            let mut list = list.borrow_mut();
            list.clear();
            positions_append(text, ONE, &mut *list).written
        }),
        way("memchr+s8 list", move || {
            let mut list = list_of_peer.borrow_mut();
            list.clear();
            list.extend(memchr::memchr_iter(b'\n', text).map(|at| at as u32));
            list.len() * simdutf8()
        }),
    ]
}

fn each(text: &[u8]) -> Vec<Way<'_>> {
    vec![
        way("lines", move || lines(text).map(|line| line.map_or(0, |line| black_box(line).len())).sum()),
        way("lines, for", move || {
            let mut sum = 0;
            for line in lines(text) {
                sum += line.map_or(0, |line| black_box(line).len());
            }
            sum
        }),
        way("memchr, s8 each", move || {
            let mut start = 0;
            let mut sum = 0;
            for end in memchr::memchr_iter(b'\n', text) {
                sum += simdutf8::basic::from_utf8(&text[start..end]).map_or(0, |line| black_box(line).len());
                start = end + 1;
            }
            sum
        }),
        way("memchr, ours each", move || {
            let mut start = 0;
            let mut sum = 0;
            for end in memchr::memchr_iter(b'\n', text) {
                sum += runecast::from_utf8(&text[start..end]).map_or(0, |line| black_box(line).len());
                start = end + 1;
            }
            sum
        }),
    ]
}

fn of_readers(text: &[u8]) -> Vec<Way<'_>> {
    let buffered = move || BufReader::with_capacity(64 << 10, text);
    vec![
        way("lines", move || lines(text).map(|line| line.map_or(0, |line| black_box(line).len())).sum()),
        way("LineReader", move || {
            let mut sum = 0;
            let read =
                LineReader::new(text).for_each(|line| sum += line.map_or(0, |line| black_box(line).len()));
            if read.is_ok() { sum } else { 0 }
        }),
        way("std lines", move || {
            buffered().lines().map(|line| line.map_or(0, |line| black_box(line).len())).sum()
        }),
        way("bstr byte_lines", move || {
            let line = |line: std::io::Result<Vec<u8>>| {
                line.map_or(0, |line| {
                    simdutf8::basic::from_utf8(&line).map_or(0, |line| black_box(line).len())
                })
            };
            buffered().byte_lines().map(line).sum()
        }),
        way("bstr for_byte_line", move || {
            let mut sum = 0;
            let read = buffered().for_byte_line(|line| {
                sum += simdutf8::basic::from_utf8(line).map_or(0, |line| black_box(line).len());
                Ok(true)
            });
            if read.is_ok() { sum } else { 0 }
        }),
        way("tokio LinesCodec", move || {
            let (mut codec, mut buffer, mut sum) = (LinesCodec::new(), BytesMut::new(), 0);
            for chunk in text.chunks(64 << 10) {
                buffer.extend_from_slice(chunk);
                while let Ok(Some(line)) = codec.decode(&mut buffer) {
                    sum += black_box(line).len();
                }
            }
            sum
        }),
        way("Utf8Lines", move || {
            let (mut codec, mut buffer, mut sum) = (Utf8Lines::new(), BytesMut::new(), 0);
            for chunk in text.chunks(64 << 10) {
                buffer.extend_from_slice(chunk);
                while let Ok(Some(line)) = codec.decode(&mut buffer) {
                    sum += black_box(line).len();
                }
            }
            sum
        }),
    ]
}

fn row(
    table: &str,
    name: &str,
    text: &[u8],
    ways: &[Way<'_>],
    ratios: &[Ratio],
    patience: Patience,
    header: &mut bool,
) -> Result<()> {
    let counts: Vec<usize> = ways.iter().map(|way| (way.count)()).collect();
    if counts.iter().any(|count| *count != counts[0]) {
        let names: Vec<&str> = ways.iter().map(|way| way.name).collect();
        bail!("{table}, {name}: {names:?} do not agree: {counts:?}");
    }
    if !*header {
        print!("\n{table}, {} KiB, GB/s\n{:<16}", text.len() >> 10, "");
        ways.iter().for_each(|way| print!("{:>20}", way.name));
        ratios.iter().for_each(|(name, ..)| print!("{name:>16}"));
        println!();
        *header = true;
    }
    let lanes: Vec<&dyn Lane> = ways.iter().map(|way| way as &dyn Lane).collect();
    let times: Vec<f64> = runecast_clock::race(&lanes, patience).iter().map(|times| times.least).collect();
    print!("{name:<16}");
    times.iter().for_each(|time| print!("{:>20.1}", text.len() as f64 / time * 1e-9));
    ratios.iter().for_each(|&(_, over, under)| print!("{:>16.2}", times[over] / times[under]));
    println!();
    Ok(())
}
