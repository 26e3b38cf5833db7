//! `runecast detect`: what is in these files?
//!
//! What is known about that is the library's: bytes are pushed into a [`Detector`] until it says that more would
//! not help. Of a file with a byte order mark, of UTF-16, and of binary data this is after the first 4 KiB, which
//! is what is read first; and so it is with UTF-8 that is dense enough. ASCII is read to the end, since
//! nothing else can tell.
//!
//! What the library takes for Latin-1 or does not know at all may be in an older encoding: that is [guessed](crate::pipeline::guess). And what
//! is less certain than 50 is unknown. What the text declares is asked as well.
//!
//! The answer is a result, and goes to standard output, one line for each input.

mod json;

use std::io;

use indicatif::{BinaryBytes, HumanCount};
use runecast::Detector;

use super::text_output::remark_on_no_match;
use crate::io::name::Name;
use crate::io::source::{Source, Sources};
use crate::pipeline::guess::{Answer, Guesser};
use crate::pipeline::window::CHUNK;
use crate::ui::arguments::detect::DetectArguments;
use crate::ui::arguments::encoding::usual_name;
use crate::ui::arguments::shared::Format;
use crate::ui::console::{Console, Styles, push};
use crate::ui::outcome::Outcome;
use crate::ui::progress::Progress;

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
pub(crate) fn run(arguments: &DetectArguments, console: &mut Console) -> io::Result<Outcome> {
    let sources = arguments.inputs.sources();
    if !arguments.quiet && !sources.typed() && console.err_is_terminal() {
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
                let found = detect(arguments, &source, &sources, &mut buffer, &mut read, console);
                console.progress.end(source.size);
                (source.name, read, found)
            }
            Err(refusal) => (refusal.name, 0, Err(refusal.why)),
        };
        total.bytes += read;
        match &found {
            Ok(answer) => total.no_text += u64::from(answer.encoding.is_none()),
            Err(_) => total.unreadable += 1,
        }
        if !arguments.quiet {
            report(arguments, console, &name, read, &found);
        }
        console.flush_if_full()?;
    }
    console.flush()?;
    console.progress = Progress::hidden();
    if total.inputs == 0 && sources.wants_a_match() && !arguments.quiet {
        remark_on_no_match(console);
    }
    if arguments.verbose && arguments.output_format.format == Format::Text {
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
fn detect(
    arguments: &DetectArguments,
    source: &Source,
    sources: &Sources,
    buffer: &mut [u8],
    read: &mut u64,
    console: &mut Console,
) -> io::Result<Answer> {
    let mut input = source.open()?;
    let mut detector = Detector::new();
    let mut guesser = Guesser::new(usual_name);
    loop {
        let most = if *read < HEAD as u64 { HEAD - *read as usize } else { buffer.len() };
        let left = arguments.bytes.map_or(u64::MAX, |bytes| bytes - *read);
        let room = most.min(usize::try_from(left).unwrap_or(most));
        if room == 0 {
            // What was asked for is read; whether there is more, the size may tell.
            let all = source.size == Some(*read);
            if all {
                return Ok(guesser.answer(&detector.finish()));
            }
            guesser.cut();
            return Ok(guesser.answer(&detector.verdict()));
        }
        let fresh = input.read(&mut buffer[..room])?;
        if fresh == 0 {
            return Ok(guesser.answer(&detector.finish()));
        }
        *read += fresh as u64;
        console.progress.advance(fresh as u64, &source.name, || sources.total_size());
        guesser.push_head(&buffer[..fresh]);
        guesser.push(&buffer[..fresh]);
        if detector.push(&buffer[..fresh]) && !arguments.whole {
            guesser.cut();
            return Ok(guesser.answer(&detector.verdict()));
        }
    }
}

/// Prints what was found in one input.
fn report(
    arguments: &DetectArguments,
    console: &mut Console,
    name: &Name,
    read: u64,
    found: &io::Result<Answer>,
) {
    if let Err(why) = found {
        console.complain(name, why);
    }
    match (arguments.output_format.format, found) {
        (Format::Json, _) => json::object(console, name, read, found),
        (Format::Text, Err(_)) => {}
        (Format::Text, Ok(answer)) => {
            let Styles { strong, good, bad, faint } = console.out_styles;
            let style = if answer.encoding.is_some() { good } else { bad };
            let (content, confidence) = (answer.encoding.unwrap_or(answer.status), answer.confidence);
            let reason = answer.reason();
            let out = &mut console.out;
            push(out, format_args!("{strong}{name}:{strong:#} {style}{content}{style:#}, "));
            push(out, format_args!("{confidence} % sure: {faint}{reason}{faint:#}"));
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
