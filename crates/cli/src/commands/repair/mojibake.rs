//! `repair --mojibake`: what was encoded twice.
//!
//! Whether a text is [mojibake](crate::pipeline::mojibake) depends on all of it, and so it is read as a whole: an input has to fit
//! into memory, several times. What is not mojibake comes out as it went in; so does what is not UTF-8, which is said, since
//! nothing is certain about it. If only a part of it seems to be mojibake, `-v` says so.
//!
//! Nothing is lost by it, and so the exit code is 0 if something was undone.

use std::io::{self, Read as _};

use runecast::IllFormed;
use serde::Serialize;

use super::one_by_one::{Task, finish, not_begun, one_by_one};
use crate::io::name::Name;
use crate::io::output::{OpenedFile, Refused};
use crate::io::outputs::Outputs;
use crate::io::source::{Input, Reread, Source};
use crate::pipeline::mojibake::{Mixed, Undone, mixed, often, undo};
use crate::pipeline::opened::Beginning;
use crate::ui::arguments::repair::RepairArguments;
use crate::ui::arguments::shared::Format;
use crate::ui::console::{Console, Styles, plain, push};
use crate::ui::json::{Head, line};
use crate::ui::outcome::Outcome;

/// What an input is.
enum Found {
    /// It was encoded too often.
    Mojibake { times: u32, characters: u64 },
    /// It was not, as far as is certain.
    Clean,
    /// In a part of it something was, as it seems, and something else is right already.
    Mixed(Mixed),
    /// It is not UTF-8.
    IllFormed(IllFormed),
}

/// Runs the command.
pub(super) fn run(arguments: &RepairArguments, console: &mut Console) -> io::Result<Outcome> {
    // (It takes another look at the text.)
    let reasons = arguments.verbose || arguments.output_format.format == Format::Json;
    one_by_one(arguments, &arguments.inputs.sources(), console, &mut Undo { reasons }, None)
}

/// Undoes it in one input after the other.
struct Undo {
    /// Whether it is said why something is left as it is.
    reasons: bool,
}

impl Task for Undo {
    type Found = Found;

    fn work(
        &mut self,
        outputs: &mut Outputs,
        source: &Source,
        input: Input,
    ) -> io::Result<Result<Found, Refused>> {
        match read_all(input) {
            Ok((bytes, opened)) => one(outputs, source, &bytes, opened, self.reasons),
            Err(why) => {
                outputs.input_failed();
                Ok(Err((source.name.clone(), why)))
            }
        }
    }

    fn outcome(&self, found: &Found) -> Outcome {
        match found {
            Found::IllFormed(_) => Outcome::IllFormed,
            Found::Mojibake { .. } | Found::Clean | Found::Mixed(_) => Outcome::Clean,
        }
    }

    fn report(
        &self,
        arguments: &RepairArguments,
        console: &mut Console,
        name: &Name,
        result: &Result<Found, Refused>,
    ) {
        report(arguments, console, name, result);
    }
}

/// All bytes of an input, and what it takes to replace it.
fn read_all(input: Input) -> io::Result<(Vec<u8>, Option<OpenedFile>)> {
    let Beginning { size, state, file, reader, .. } = Beginning::of(input, |_| false)?;
    let mut bytes = Vec::new();
    if let Some(file) = &file {
        Reread::new(file, size).read_to_end(&mut bytes)?;
    }
    if let Some(mut reader) = reader {
        reader.read_to_end(&mut bytes)?;
    }
    Ok((bytes, state.map(|state| (state, file))))
}

/// Works on one input. That standard output cannot be written ends all.
fn one(
    outputs: &mut Outputs,
    source: &Source,
    bytes: &[u8],
    opened: Option<OpenedFile>,
    reasons: bool,
) -> io::Result<Result<Found, Refused>> {
    let (found, undone) = match runecast::from_utf8(bytes) {
        Err(error) => (Found::IllFormed(error.ill_formed()), None),
        Ok(text) => match undo(text) {
            Some(Undone { text, times, characters }) => (Found::Mojibake { times, characters }, Some(text)),
            None => match reasons.then(|| mixed(text)).flatten() {
                Some(lines) => (Found::Mixed(lines), None),
                None => (Found::Clean, None),
            },
        },
    };
    let text = undone.as_ref().map_or(bytes, |text| text.as_bytes());
    match outputs.begin(source, opened) {
        Ok(_) => {
            let written = outputs.write(text, Some(bytes));
            finish(outputs, source, written, found)
        }
        Err(refused) => Ok(Err(not_begun(source, refused))),
    }
}

/// Prints what became of an input.
fn report(arguments: &RepairArguments, console: &mut Console, name: &Name, result: &Result<Found, Refused>) {
    if arguments.output_format.format == Format::Json {
        object(console, name, result);
    }
    let Styles { strong, bad, good, .. } = console.err_styles;
    let err = &mut console.err;
    match result {
        Err((failed, why)) => console.complain(failed, why),
        Ok(_) if arguments.output_format.format == Format::Json => {}
        Ok(Found::Mojibake { times, characters }) => {
            let (often, plural) = (often(*times), if *characters == 1 { "" } else { "s" });
            push(
                err,
                format_args!(
                    "{strong}{name}:{strong:#} {good}mojibake undone{good:#}, {often}: {characters} character{plural}\n"
                ),
            );
        }
        Ok(Found::IllFormed(error)) => {
            push(
                err,
                format_args!(
                    "{strong}{name}:{strong:#} {bad}left unchanged{bad:#}: it is not UTF-8, {error}\n"
                ),
            );
        }
        Ok(Found::Clean) if arguments.verbose => {
            push(err, format_args!("{strong}{name}:{strong:#} {good}no mojibake{good:#}\n"));
        }
        Ok(Found::Mixed(lines)) if arguments.verbose => {
            let why = why(lines);
            push(err, format_args!("{strong}{name}:{strong:#} {bad}left unchanged{bad:#}: {why}\n"));
        }
        Ok(Found::Clean | Found::Mixed(_)) => {}
    }
}

/// Why a text is left as it is.
fn why(Mixed { mojibake, right }: &Mixed) -> String {
    format!(
        "line {mojibake} has something that looks like mojibake, but line {right} has something that is already right"
    )
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
    mojibake: Option<Mojibake>,
}

/// How often a text was encoded too often.
#[derive(Serialize)]
struct Mojibake {
    times: u32,
    characters: u64,
}

fn object(console: &mut Console, name: &Name, result: &Result<Found, Refused>) {
    let object = Object {
        head: Head::of("repair", name),
        status: match result {
            Ok(Found::Mojibake { .. }) => "repaired",
            Ok(Found::Clean | Found::Mixed(_)) => "clean",
            Ok(Found::IllFormed(_)) => "ill-formed",
            Err(_) => "failed",
        },
        reason: match result {
            Ok(Found::IllFormed(error)) => Some(error.to_string()),
            Ok(Found::Mixed(lines)) => Some(why(lines)),
            Err((_, why)) => Some(plain(why)),
            Ok(_) => None,
        },
        mojibake: match result {
            Ok(Found::Mojibake { times, characters }) => {
                Some(Mojibake { times: *times, characters: *characters })
            }
            _ => None,
        },
    };
    line(console, &object);
}
