//! `runecast count`: lines, characters, bytes, and the code units of each form.
//!
//! Every input goes through a [`passage`](crate::passage) to UTF-8, of which the lead bytes tell all
//! lengths: a character of four bytes has two units of UTF-16, every other one has one, and each is
//! one unit of UTF-32. Text that is UTF-8 already is only validated. An ill-formed input is reported
//! as by `check`, and not counted: half a number would be worse than none.

use std::io;

use serde::Serialize;

use crate::Outcome;
use crate::console::{Console, Styles, plain, push};
use crate::encoding::{Scheme, recognize};
use crate::grammar::{Count, Format};
use crate::name::Name;
use crate::passage::{Memory, Outlet, Route, Stop, pass};
use crate::progress::Progress;
use crate::report::json::{SCHEMA, path_hex, value};
use crate::report::text::{kind, reason, write_stop};
use crate::scan::Broken;
use crate::source::{Source, Sources};
use crate::tally::Characters;
use crate::window::CHUNK;

/// What a text amounts to.
#[derive(Clone, Copy, Debug, Default)]
struct Amount {
    bytes: u64,
    lines: u64,
    characters: Characters,
}

impl Amount {
    fn add(&mut self, other: &Amount) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.characters.add(&other.characters);
    }

    fn units(&self) -> Units {
        let [one, two, three, four] = self.characters.by_length;
        Units {
            utf8: one + 2 * two + 3 * three + 4 * four,
            utf16: one + two + three + 2 * four,
            utf32: one + two + three + four,
        }
    }
}

/// How a count ended.
enum Verdict {
    Counted,
    IllFormed(Stop),
    Unreadable(io::Error),
}

/// Runs the command.
pub(crate) fn run(arguments: &Count, console: &mut Console) -> io::Result<Outcome> {
    let sources = Sources::new(&arguments.inputs);
    if !sources.wait_for_typing() && console.err_is_terminal() {
        console.progress = Progress::shown();
    }
    let json = arguments.shape.format == Format::Json;
    let mut memory = Memory::new(CHUNK, CHUNK);
    let (mut total, mut counted, mut inputs) = (Amount::default(), 0, 0);
    let mut outcome = Outcome::Clean;
    for source in sources.iter() {
        inputs += 1;
        let (name, scheme, amount, verdict) = match source {
            Ok(source) => {
                console.progress.begin(&source.name);
                let counter =
                    Counter { amount: Amount::default(), console, name: &source.name, sources: &sources };
                let (scheme, amount, verdict) = counter.run(arguments, &source, &mut memory);
                console.progress.end(source.size);
                (source.name, scheme, amount, verdict)
            }
            Err(refusal) => (refusal.name, None, Amount::default(), Verdict::Unreadable(refusal.why)),
        };
        match &verdict {
            Verdict::Counted => {
                if !json && counted == 0 {
                    head(console);
                }
                total.add(&amount);
                counted += 1;
                if !json {
                    row(console, &name, &amount);
                }
            }
            Verdict::IllFormed(stop) => {
                outcome = outcome.max(Outcome::IllFormed);
                if !json {
                    write_stop(console, &name, stop, Scheme::Utf8);
                }
            }
            Verdict::Unreadable(why) => {
                outcome = Outcome::Failed;
                console.complain(&name, why);
            }
        }
        if json {
            object(console, &name, scheme, &amount, &verdict);
        }
        console.relieve()?;
    }
    console.flush()?;
    console.progress = Progress::hidden();
    if inputs > 1 {
        if json {
            value(
                &mut console.out,
                &Whole { schema: SCHEMA, command: "count", total: counted, amount: total.into() },
            );
            console.out.push(b'\n');
        } else if counted > 0 {
            row(console, &"total", &total);
        }
    }
    console.flush()?;
    Ok(outcome)
}

/// Counts what comes out of one input.
struct Counter<'a> {
    amount: Amount,
    console: &'a mut Console,
    name: &'a Name,
    sources: &'a Sources,
}

impl Counter<'_> {
    fn run(
        mut self,
        arguments: &Count,
        source: &Source,
        memory: &mut Memory,
    ) -> (Option<Scheme>, Amount, Verdict) {
        let label = arguments.reading.from;
        let (head, mut input) = match source.open().and_then(|input| input.peek(Scheme::LONGEST_MARK)) {
            Ok(opened) => opened,
            Err(why) => return (None, self.amount, Verdict::Unreadable(why)),
        };
        let from = recognize(label, &head, arguments.reading.assume);
        let marked = label.is_plain() && from.is_marked(&head);
        let skip = if marked { from.mark().len() } else { 0 };
        let route = Route { from, to: Scheme::Utf8, skip, places: true };
        let verdict = match pass(&mut input, memory, route, &mut self) {
            Ok(None) => Verdict::Counted,
            Ok(Some(stop)) => Verdict::IllFormed(stop),
            Err(Broken::Input(why) | Broken::Output(why)) => Verdict::Unreadable(why),
        };
        (Some(from), self.amount, verdict)
    }
}

impl Outlet for Counter<'_> {
    fn take(&mut self, text: &[u8]) -> io::Result<()> {
        self.amount.characters.count(text);
        self.amount.lines += memchr::memchr_iter(b'\n', text).count() as u64;
        Ok(())
    }

    fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
        self.amount.bytes += bytes;
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        Ok(())
    }
}

/// The line above the numbers.
fn head(console: &mut Console) {
    let Styles { faint, .. } = console.out_styles;
    let [a, b, c, d, e, f] = ["lines", "characters", "bytes", "UTF-8", "UTF-16", "UTF-32"];
    push(&mut console.out, format_args!("{faint}{a:>10} {b:>12} {c:>12} {d:>12} {e:>12} {f:>12}{faint:#}\n"));
}

/// The numbers of one input, or of all.
fn row(console: &mut Console, name: &dyn std::fmt::Display, amount: &Amount) {
    let Styles { strong, .. } = console.out_styles;
    let Units { utf8, utf16, utf32 } = amount.units();
    let (lines, characters, bytes) = (amount.lines, amount.characters.total(), amount.bytes);
    push(
        &mut console.out,
        format_args!(
            "{lines:>10} {characters:>12} {bytes:>12} {utf8:>12} {utf16:>12} {utf32:>12}  \
             {strong}{name}{strong:#}\n"
        ),
    );
}

/// One object for one input.
fn object(console: &mut Console, name: &Name, scheme: Option<Scheme>, amount: &Amount, verdict: &Verdict) {
    let path = name.raw().to_string_lossy();
    let (status, why, error) = match verdict {
        Verdict::Counted => ("well-formed", None, None),
        Verdict::IllFormed(stop) => (
            "ill-formed",
            None,
            Some(Error {
                at: stop.at,
                kind: kind(&stop.flaw),
                bytes: &stop.bytes,
                line: stop.place.map(|place| place.line),
                column: stop.place.map(|place| place.column),
                reason: reason(&stop.flaw, Scheme::Utf8),
            }),
        ),
        Verdict::Unreadable(why) => ("unreadable", Some(plain(why)), None),
    };
    let object = Object {
        schema: SCHEMA,
        command: "count",
        path: &path,
        path_hex: path_hex(name),
        encoding: scheme.map(Scheme::name),
        status,
        reason: why,
        error,
        amount: matches!(verdict, Verdict::Counted).then(|| (*amount).into()),
    };
    value(&mut console.out, &object);
    console.out.push(b'\n');
}

/// An object for one input.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    command: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'a>>,
    #[serde(flatten)]
    amount: Option<Numbers>,
}

/// The last object.
#[derive(Serialize)]
struct Whole {
    schema: u32,
    command: &'static str,
    total: u64,
    #[serde(flatten)]
    amount: Numbers,
}

/// What is wrong with an input.
#[derive(Serialize)]
struct Error<'a> {
    at: u64,
    kind: &'static str,
    bytes: &'a [u8],
    line: Option<u64>,
    column: Option<u64>,
    reason: String,
}

/// An [`Amount`] for programs.
#[derive(Serialize)]
struct Numbers {
    bytes: u64,
    lines: u64,
    characters: u64,
    units: Units,
}

impl From<Amount> for Numbers {
    fn from(amount: Amount) -> Self {
        Numbers {
            bytes: amount.bytes,
            lines: amount.lines,
            characters: amount.characters.total(),
            units: amount.units(),
        }
    }
}

/// Code units of each form.
#[derive(Serialize)]
struct Units {
    utf8: u64,
    utf16: u64,
    utf32: u64,
}
