//! `runecast detect`: what is in these files?
//!
//! All that is known about that is the library's: a [`Detector`] is fed until it says that more would
//! not help. Of a file with a byte order mark, of UTF-16, and of binary data this is after the first 4 KiB, which
//! is what is read first; and so it is with UTF-8 that is dense enough. ASCII goes through to the end, since
//! nothing else can tell.
//!
//! The answer is a result, and goes to standard output, one line for each input.

use std::io;

use indicatif::{BinaryBytes, HumanCount};
use runecast::{Content, Detection, Detector, Evidence};
use serde::Serialize;

use crate::Outcome;
use crate::console::{Console, Styles, plain, push};
use crate::encoding::Scheme;
use crate::grammar::{Detect, Format};
use crate::name::Name;
use crate::progress::Progress;
use crate::report::json::{Head, line};
use crate::source::{Source, Sources};
use crate::window::CHUNK;

/// What is read first: as much as decides about most files.
const HEAD: usize = 4096;

/// What came of the inputs.
#[derive(Default)]
struct Total {
    inputs: u64,
    bytes: u64,
    no_text: u64,
    unreadable: u64,
}

/// Runs the command.
pub(crate) fn run(arguments: &Detect, console: &mut Console) -> io::Result<Outcome> {
    let sources = Sources::new(&arguments.inputs);
    if !arguments.quiet && !sources.wait_for_typing() && console.err_is_terminal() {
        console.progress = Progress::shown();
    }
    let mut buffer = vec![0; CHUNK];
    let mut total = Total::default();
    for source in sources.iter() {
        total.inputs += 1;
        let (name, read, found) = match source {
            Ok(source) => {
                console.progress.begin(&source.name);
                let mut read = 0;
                let found = look(arguments, &source, &sources, &mut buffer, &mut read, console);
                console.progress.end(source.size);
                (source.name, read, found)
            }
            Err(refusal) => (refusal.name, 0, Err(refusal.why)),
        };
        total.bytes += read;
        match &found {
            Ok(found) => total.no_text += u64::from(found.scheme().is_none()),
            Err(_) => total.unreadable += 1,
        }
        if !arguments.quiet {
            tell(arguments, console, &name, read, &found);
        }
        console.relieve()?;
    }
    console.flush()?;
    console.progress = Progress::hidden();
    if arguments.verbose && arguments.shape.format == Format::Text {
        summarize(console, &total);
    }
    console.flush()?;
    Ok(match total {
        Total { unreadable: 1.., .. } => Outcome::Failed,
        Total { no_text: 1.., .. } => Outcome::IllFormed,
        _ => Outcome::Clean,
    })
}

/// Reads as much of an input as it takes.
fn look(
    arguments: &Detect,
    source: &Source,
    sources: &Sources,
    buffer: &mut [u8],
    read: &mut u64,
    console: &mut Console,
) -> io::Result<Detection> {
    let mut input = source.open()?;
    let mut detector = Detector::new();
    loop {
        let most = if *read < HEAD as u64 { HEAD - *read as usize } else { buffer.len() };
        let left = arguments.bytes.map_or(u64::MAX, |bytes| bytes - *read);
        let room = most.min(usize::try_from(left).unwrap_or(most));
        if room == 0 {
            // What was asked for is read; whether there is more, the size may tell.
            let all = source.size == Some(*read);
            return Ok(if all { detector.finish() } else { detector.verdict() });
        }
        let fresh = input.read(&mut buffer[..room])?;
        if fresh == 0 {
            return Ok(detector.finish());
        }
        *read += fresh as u64;
        console.progress.advance(fresh as u64, &source.name, || sources.total_size());
        if detector.push(&buffer[..fresh]) && !arguments.whole {
            return Ok(detector.verdict());
        }
    }
}

/// What is said about one input.
fn tell(arguments: &Detect, console: &mut Console, name: &Name, read: u64, found: &io::Result<Detection>) {
    if let Err(why) = found {
        console.complain(name, why);
    }
    match (arguments.shape.format, found) {
        (Format::Json, _) => object(console, name, read, found),
        (Format::Text, Err(_)) => {}
        (Format::Text, Ok(Detection { content, confidence, evidence, .. })) => {
            let Styles { strong, good, bad, faint } = console.out_styles;
            let style = if content.scheme().is_some() { good } else { bad };
            let out = &mut console.out;
            push(out, format_args!("{strong}{name}:{strong:#} {style}{content}{style:#}, "));
            push(out, format_args!("{confidence} % sure: {faint}{evidence}{faint:#}"));
            if arguments.verbose {
                push(out, format_args!(" {faint}({} read){faint:#}", BinaryBytes(read)));
            }
            out.push(b'\n');
        }
    }
}

/// The closing line: `3 inputs, 12 KiB read: 1 no text`.
fn summarize(console: &mut Console, total: &Total) {
    let Total { inputs, bytes, no_text, unreadable } = *total;
    let plural = if inputs == 1 { "" } else { "s" };
    let err = &mut console.err;
    push(err, format_args!("{} input{plural}, {} read: ", HumanCount(inputs), BinaryBytes(bytes)));
    match (no_text, unreadable) {
        (0, 0) => push(err, format_args!("all text\n")),
        (_, 0) => push(err, format_args!("{no_text} not text in a known encoding\n")),
        (0, _) => push(err, format_args!("{unreadable} unreadable\n")),
        _ => push(err, format_args!("{no_text} not text in a known encoding, {unreadable} unreadable\n")),
    }
}

/// One object for one input.
fn object(console: &mut Console, name: &Name, read: u64, found: &io::Result<Detection>) {
    let detection = found.as_ref().ok();
    let object = Object {
        head: Head::of("detect", name),
        status: match detection.map(|found| found.content) {
            None => "unreadable",
            Some(Content::Text(_)) => "text",
            Some(Content::Mixed) => "mixed",
            Some(Content::Binary) => "binary",
            Some(_) => "unknown",
        },
        encoding: detection.and_then(Detection::scheme).map(Scheme::name),
        confidence: detection.map(|found| found.confidence),
        evidence: detection.map(|found| Numbers::of(&found.evidence)),
        reason: match found {
            Ok(found) => found.evidence.to_string(),
            Err(why) => plain(why),
        },
        bytes_read: read,
    };
    line(console, &object);
}

/// An object for one input.
#[derive(Serialize)]
struct Object {
    #[serde(flatten)]
    head: Head,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Numbers>,
    reason: String,
    bytes_read: u64,
}

/// The numbers of an [`Evidence`], by their names.
#[derive(Serialize)]
struct Numbers {
    kind: &'static str,
    #[serde(flatten)]
    counts: serde_json::Map<String, serde_json::Value>,
}

impl Numbers {
    fn of(evidence: &Evidence) -> Numbers {
        let counts: &[(&str, u64)] = match *evidence {
            Evidence::Ascii { bytes, .. } => &[("bytes", bytes)],
            Evidence::Utf8 { sequences, .. } => &[("sequences", sequences)],
            Evidence::Units { units, plausible, telling, .. } => {
                &[("units", units.into()), ("plausible", plausible.into()), ("telling", telling.into())]
            }
            Evidence::SingleBytes { high, letters, windows } => {
                &[("high", high), ("letters", letters), ("windows", windows)]
            }
            Evidence::TwoEncodings { sequences, ill_formed, first }
            | Evidence::Damage { sequences, ill_formed, first } => {
                &[("sequences", sequences), ("ill_formed", ill_formed), ("first", first)]
            }
            Evidence::Nul { count, first } => &[("count", count), ("first", first)],
            Evidence::Controls { count, bytes } => &[("count", count), ("bytes", bytes)],
            Evidence::Foreign { ill_formed, first } => &[("ill_formed", ill_formed), ("first", first)],
            _ => &[],
        };
        let counts = counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into())).collect();
        Numbers { kind: evidence.name(), counts }
    }
}
