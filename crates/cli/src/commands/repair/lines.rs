//! `repair --drop-lines` and `--fallback`: the lines in which something is ill-formed are left out, or read in another encoding.
//!
//! What a line is can be said of bytes: it ends with a line feed, or with the text. So nothing but whole lines is written, and each that
//! is UTF-8 is as it was. The text is read in pieces, each is validated as a whole, and only where that fails its lines are looked for. A line that is longer
//! than a piece has to fit into memory.
//!
//! Of a file in [another encoding](super::super::other_encoding) hardly a line would be left: that is said, and in place and without a backup
//! such a file is left as it is, until `-f utf-8` says that it is none. (With a [fallback](crate::pipeline::fallback) nothing of this
//! is said, since nothing is lost, unless a line is in neither encoding: then the same is done.)
//!
//! The lines that are left out can be kept: `--rejects` names a [file](crate::io::rejects) for them, in which they stand one after the other.

use std::io::{self, Read};
use std::path::Path;

use serde::Serialize;

use super::one_by_one::{Task, finish, not_begun, one_by_one};
use crate::commands::other_encoding::{self, Other, other_encoding};
use crate::io::name::Name;
use crate::io::output::{Destination, Refused, is_same, is_stdout};
use crate::io::outputs::{Disposition, Outputs};
use crate::io::rejects::{Rejects, is_same_place};
use crate::io::source::{Input, Reread, Source, Sources, read_retrying};
use crate::pipeline::fallback::Fallback;
use crate::pipeline::opened::Beginning;
use crate::ui::arguments::repair::RepairArguments;
use crate::ui::arguments::shared::Format;
use crate::ui::console::{Console, Styles, plain, push};
use crate::ui::json::{Head, line};
use crate::ui::outcome::Outcome;

/// So much is read at once.
const PIECE: usize = 256 << 10;

/// Runs the command.
pub(super) fn run(arguments: &RepairArguments, console: &mut Console) -> io::Result<Outcome> {
    let sources = arguments.inputs.sources();
    let rejects =
        match arguments.rejects.as_deref().map(|path| rejects(path, arguments, &sources)).transpose() {
            Ok(rejects) => rejects,
            Err((name, why)) => {
                if !arguments.quiet {
                    console.complain(&name, &why);
                }
                console.flush()?;
                return Ok(Outcome::Failed);
            }
        };
    let fallback = arguments.fallback.map(|charset| {
        let fallback = charset.parts().1.map_or(Fallback::Latin1, Fallback::Legacy);
        (fallback, charset.to_string())
    });
    let unnamed = arguments.reading.from.is_none();
    let mut lines = Lines { fallback, unnamed, exit_zero: arguments.exit_zero };
    one_by_one(arguments, &sources, console, &mut lines, rejects)
}

/// Opens the file for what is left out. It must be no input, and not the other output.
fn rejects(path: &Path, arguments: &RepairArguments, sources: &Sources) -> Result<Rejects, Refused> {
    let name = || Name::Path(path.into());
    if sources.reserved().has(path) {
        return Err((name(), io::Error::other("is an input or below a directory that is read")));
    }
    let same = match arguments.writing.destination() {
        Destination::File(output) => is_same_place(path, &output) || is_same(&name(), Some(&output)),
        Destination::Stdout => is_stdout(path),
        Destination::Directory(_) | Destination::InPlace(_) => false,
    };
    if same {
        return Err((name(), io::Error::other("cannot receive both the kept lines and the rejected ones")));
    }
    Rejects::open(path)
}

/// Leaves out lines in one input after the other, or reads them in another encoding.
struct Lines {
    /// That encoding, and its name.
    fallback: Option<(Fallback, String)>,
    /// Whether nobody has said that the inputs are UTF-8.
    unnamed: bool,
    exit_zero: bool,
}

/// What was left out, or read in another encoding.
#[derive(Default)]
struct Found {
    lines: u64,
    /// How many of these are malformed in that encoding, too, and have U+FFFD now.
    malformed: u64,
    /// The number of the first of these lines, from 1, and the offset of what is ill-formed in it.
    first: Option<(u64, u64)>,
    /// The encoding that the text seems to be in instead.
    other: Option<Other>,
}

impl Task for Lines {
    type Found = Found;

    fn work(
        &mut self,
        outputs: &mut Outputs,
        source: &Source,
        input: Input,
    ) -> io::Result<Result<Found, Refused>> {
        let Beginning { size, state, file, reader, .. } = match Beginning::of(input, |_| false) {
            Ok(beginning) => beginning,
            Err(why) => {
                outputs.input_failed();
                return Ok(Err((source.name.clone(), why)));
            }
        };
        let mut reader: Box<dyn Read> = match (&file, reader) {
            (Some(file), _) => Box::new(Reread::new(file, size)),
            (None, Some(reader)) => reader,
            (None, None) => Box::new(io::empty()),
        };
        if let Err(refused) = outputs.begin(source, state.map(|state| (state, file))) {
            return Ok(Err(not_begun(source, refused)));
        }
        let fallback = self.fallback.as_ref().map(|(fallback, _)| *fallback);
        let mut text = Text { found: Found::default(), line: 1, at: 0, unnamed: self.unnamed, fallback };
        let (mut buffer, mut filled) = (vec![0; PIECE], 0);
        loop {
            let room = room_behind(&mut buffer, filled);
            let read = match room.and_then(|room| read_retrying(&mut reader, room)) {
                Ok(read) => read,
                Err(why) => {
                    // What was written has gone down a pipe, or nowhere.
                    return Ok(match outputs.end(Disposition::Discard) {
                        Ok(_) => Err((source.name.clone(), why)),
                        Err(refused) => Err(refused),
                    });
                }
            };
            let fresh = filled..filled + read;
            filled += read;
            // (At the end all that is left is a line.)
            let whole = match (read, memchr::memrchr(b'\n', &buffer[fresh.clone()])) {
                (0, _) => filled,
                (_, Some(last)) => fresh.start + last + 1,
                (_, None) => continue,
            };
            match text.keep(&buffer[..whole], outputs) {
                Ok(Ok(())) => {}
                Ok(Err(Failure::Other(why))) => {
                    let why = io::Error::other(why);
                    return Ok(match outputs.end(Disposition::Discard) {
                        Ok(_) => Err((source.name.clone(), why)),
                        Err(refused) => Err(refused),
                    });
                }
                Ok(Err(Failure::Rejects((name, why)))) => {
                    outputs.abandon();
                    // (Standard output, that is.)
                    return if name == Name::Stdin { Err(why) } else { Ok(Err((name, why))) };
                }
                Err(why) => return finish(outputs, source, Err(why), text.found),
            }
            buffer.copy_within(whole..filled, 0);
            filled -= whole;
            if read == 0 {
                return finish(outputs, source, Ok(()), text.found);
            }
        }
    }

    fn outcome(&self, found: &Found) -> Outcome {
        if found.lines > 0 && !self.exit_zero { Outcome::IllFormed } else { Outcome::Clean }
    }

    fn report(
        &self,
        arguments: &RepairArguments,
        console: &mut Console,
        name: &Name,
        result: &Result<Found, Refused>,
    ) {
        let json = arguments.output_format.format == Format::Json;
        if json {
            object(console, name, self.fallback.as_ref().map(|(_, encoding)| encoding.as_str()), result);
        }
        let Styles { strong, bad, good, .. } = console.err_styles;
        let err = &mut console.err;
        match result {
            Err((failed, why)) => console.complain(failed, why),
            Ok(_) if json => {}
            Ok(Found { lines, malformed, first: Some((line, at)), other }) => {
                let plural = if *lines == 1 { "" } else { "s" };
                let what = match &self.fallback {
                    Some((_, encoding)) => format!("read as {encoding}"),
                    None => "left out".to_owned(),
                };
                let lost = match malformed {
                    0 => String::new(),
                    malformed => format!("; {malformed} not all in that encoding, with U+FFFD for the rest"),
                };
                push(
                    err,
                    format_args!(
                        "{strong}{name}:{line}:{strong:#} byte {at}: {bad}first of {lines} line{plural} {what}{bad:#}{lost}\n"
                    ),
                );
                if let Some(other) = other {
                    other_encoding::say_to_convert(console, name, other);
                }
            }
            Ok(_) if arguments.verbose => {
                let what = match &self.fallback {
                    Some((_, encoding)) => format!("no line to read as {encoding}"),
                    None => "nothing to leave out".to_owned(),
                };
                push(err, format_args!("{strong}{name}:{strong:#} {good}{what}{good:#}\n"));
            }
            Ok(_) => {}
        }
    }
}

/// What is free of a buffer, of which so much is filled: it grows if that is all.
fn room_behind(buffer: &mut Vec<u8>, filled: usize) -> io::Result<&mut [u8]> {
    if filled == buffer.len() {
        buffer.try_reserve_exact(filled).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        buffer.resize(2 * filled, 0);
    }
    Ok(&mut buffer[filled..])
}

/// How far a text has been read.
struct Text {
    found: Found,
    /// The number of the next line.
    line: u64,
    /// Its offset.
    at: u64,
    /// Whether it may be in another encoding.
    unnamed: bool,
    /// How lines are read that are not UTF-8, if they are not left out.
    fallback: Option<Fallback>,
}

/// Why no more lines are written.
enum Failure {
    /// The text seems to be in another encoding, or none at all, and nothing would be left of it: a sentence about that.
    Other(String),
    /// What is left out cannot be kept.
    Rejects(Refused),
}

impl Text {
    /// Writes these lines; those in which something is ill-formed in another encoding, or not at all. The outer error is one of the output.
    fn keep(&mut self, lines: &[u8], outputs: &mut Outputs) -> io::Result<Result<(), Failure>> {
        let (mut rest, mut text) = (lines, Vec::new());
        while let Err(error) = runecast::from_utf8(rest) {
            if self.unnamed && self.fallback.is_none() && self.found.first.is_none() {
                self.found.other = other_encoding(rest, self.at);
                if outputs.keeps_no_input()
                    && let Some(why) =
                        other_encoding::refusal_to_drop(self.found.other.as_ref(), rest, self.at)
                {
                    return Ok(Err(Failure::Other(why)));
                }
            }
            let wrong = error.valid_up_to();
            let begin = memchr::memrchr(b'\n', &rest[..wrong]).map_or(0, |last| last + 1);
            let end = memchr::memchr(b'\n', &rest[wrong..]).map_or(rest.len(), |first| wrong + first + 1);
            outputs.write(&rest[..begin], Some(&rest[..begin]))?;
            self.pass(&rest[..begin]);
            let line = &rest[begin..end];
            if let Some(fallback) = self.fallback {
                text.clear();
                let malformed = !fallback.decode(line, &mut text);
                if malformed && self.unnamed && outputs.keeps_no_input() {
                    let why = format!(
                        "has a line at byte {} that is in neither encoding, and is left unchanged; \
                         use -f utf-8 to write U+FFFD for what is not",
                        self.at
                    );
                    return Ok(Err(Failure::Other(why)));
                }
                self.found.malformed += u64::from(malformed);
                outputs.write(&text, Some(line))?;
            } else {
                outputs.write(b"", Some(line))?;
                if let Err(refused) = outputs.reject(line) {
                    return Ok(Err(Failure::Rejects(refused)));
                }
            }
            self.found.first.get_or_insert((self.line, self.at + (wrong - begin) as u64));
            self.found.lines += 1;
            self.pass(&rest[begin..end]);
            rest = &rest[end..];
        }
        outputs.write(rest, Some(rest))?;
        self.pass(rest);
        Ok(Ok(()))
    }

    fn pass(&mut self, lines: &[u8]) {
        if self.found.first.is_none() {
            self.line += memchr::memchr_iter(b'\n', lines).count() as u64;
        }
        self.at += lines.len() as u64;
    }
}

/// The JSON object of an input, with the schema of the README.
#[derive(Serialize)]
struct Object {
    #[serde(flatten)]
    head: Head,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped_lines: Option<u64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    fallback: Option<ReadLines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<First>,
}

/// What was read in another encoding.
#[derive(Serialize)]
struct ReadLines {
    fallback: String,
    fallback_lines: u64,
    malformed_lines: u64,
}

/// Where the first of the lines is.
#[derive(Serialize)]
struct First {
    at: u64,
    line: u64,
}

fn object(console: &mut Console, name: &Name, fallback: Option<&str>, result: &Result<Found, Refused>) {
    let first = result.as_ref().ok().and_then(|found| found.first);
    let object = Object {
        head: Head::of("repair", name),
        status: match result {
            Ok(Found { lines: 1.., .. }) => "repaired",
            Ok(_) => "clean",
            Err(_) => "failed",
        },
        reason: result.as_ref().err().map(|(_, why)| plain(why)),
        dropped_lines: result.as_ref().ok().filter(|_| fallback.is_none()).map(|found| found.lines),
        fallback: result.as_ref().ok().zip(fallback).map(|(found, encoding)| ReadLines {
            fallback: encoding.to_owned(),
            fallback_lines: found.lines,
            malformed_lines: found.malformed,
        }),
        first: first.map(|(line, at)| First { at, line }),
    };
    line(console, &object);
}
