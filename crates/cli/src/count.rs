//! `runecast count`: lines, characters, bytes, and the code units of each form.
//!
//! Every chunk is converted to UTF-8 ([`Conversion`]), of which the lead bytes tell all
//! lengths: a character of four bytes has two units of UTF-16, every other one has one, and each is
//! one unit of UTF-32. Text that is UTF-8 already is only validated. A chunk is counted where it was
//! converted, by one of many threads; in order, only the numbers are added up. An ill-formed input is reported
//! as by `check`, and not counted: half a number would be worse than none.

use std::io;
use std::mem;
use std::sync::Arc;

use serde::Serialize;

use crate::Outcome;
use crate::console::{Console, Styles, plain, push};
use crate::crew::{Crew, Ledger, Then, Work};
use crate::encoding::{Scheme, recognize};
use crate::feed::Opened;
use crate::grammar::{Count, Format};
use crate::name::Name;
use crate::passage::{Conversion, Converted, Outlet, Passage, Route, Stop};
use crate::progress::Progress;
use crate::report::json::{Head, SCHEMA, Stopped, line};
use crate::report::text::write_stop;
use crate::scan::Broken;
use crate::source::{Refusal, Source, Sources};
use crate::tally::Characters;
use crate::window::{Rule, Window};

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
    let (label, assume) = (arguments.reading.from, arguments.reading.assume);
    let look = move |head: &[u8]| {
        let from = recognize(label, head, assume);
        let marked = label.is_plain() && from.is_marked(head);
        let skip = if marked { from.mark().len() } else { 0 };
        Route { from, to: Scheme::Utf8, skip, mark: false }
    };
    let book = Book {
        console: mem::take(console),
        sources: sources.clone(),
        json: arguments.shape.format == Format::Json,
        total: Amount::default(),
        counted: 0,
        inputs: 0,
        outcome: Outcome::Clean,
        amount: Amount::default(),
        passage: None,
        met: None,
    };
    let work = Counting(Conversion { look: Box::new(look), places: true, omits: false });
    let crew = Crew::new(arguments.jobs.jobs);
    let (book, ended) = crew.run(Box::new(sources.iter()), Box::new(Source::open), work, book);
    let Book { console: back, json, total, counted, inputs, outcome, .. } = book;
    *console = back;
    ended?;
    console.flush()?;
    console.progress = Progress::hidden();
    if inputs > 1 {
        if json {
            let whole = Whole { schema: SCHEMA, command: "count", total: counted, amount: total.into() };
            line(console, &whole);
        } else if counted > 0 {
            row(console, &"total", &total);
        }
    }
    console.flush()?;
    Ok(outcome)
}

/// Counts chunks.
struct Counting(Conversion);

impl Work for Counting {
    type Context = Route;
    type Done = (Converted, Amount);
    const HEAD: usize = Conversion::HEAD;

    fn look(&self, head: &[u8]) -> (Route, Rule) {
        self.0.look(head)
    }

    fn work(&self, input: &Opened<Route>, window: &Window, (converted, amount): &mut Self::Done) {
        self.0.work(input, window, converted);
        let text = converted.text(window);
        *amount = Amount::default();
        amount.bytes = window.fresh();
        amount.characters.count(text);
        amount.lines = memchr::memchr_iter(b'\n', text).count() as u64;
    }
}

/// The counts in order.
struct Book {
    console: Console,
    sources: Sources,
    json: bool,
    total: Amount,
    counted: u64,
    inputs: u64,
    outcome: Outcome,
    /// Of the present input.
    amount: Amount,
    passage: Option<Passage>,
    met: Option<Verdict>,
}

impl Book {
    fn conclude(&mut self, name: &Name, scheme: Option<Scheme>, verdict: &Verdict) -> io::Result<()> {
        let Book { console, json, amount, .. } = self;
        self.inputs += 1;
        match verdict {
            Verdict::Counted => {
                if !*json && self.counted == 0 {
                    head(console);
                }
                self.total.add(amount);
                self.counted += 1;
                if !*json {
                    row(console, name, amount);
                }
            }
            Verdict::IllFormed(stop) => {
                self.outcome = self.outcome.max(Outcome::IllFormed);
                if !*json {
                    write_stop(console, name, stop, Scheme::Utf8);
                }
            }
            Verdict::Unreadable(why) => {
                self.outcome = Outcome::Failed;
                console.complain(name, why);
            }
        }
        if *json {
            object(console, name, scheme, amount, verdict);
        }
        console.relieve()
    }
}

impl Ledger<Counting> for Book {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        self.amount = Amount::default();
        self.conclude(&refusal.name, None, &Verdict::Unreadable(refusal.why))
    }

    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<Then> {
        self.console.progress.begin(&input.source.name);
        self.amount = Amount::default();
        self.passage = Some(Passage::new(true, input));
        Ok(Then::GoOn)
    }

    fn chunk(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        (converted, amount): &mut (Converted, Amount),
    ) -> io::Result<Then> {
        let Book { console, sources, passage: Some(passage), .. } = self else { return Ok(Then::Stop) };
        self.amount.add(amount);
        let mut watch = Watch { console, name: &input.source.name, sources };
        self.met = Some(match passage.take(input, window, converted, &mut watch) {
            Ok(None) => return Ok(Then::GoOn),
            Ok(Some(stop)) => Verdict::IllFormed(stop),
            Err(Broken::Input(why) | Broken::Output(why)) => Verdict::Unreadable(why),
        });
        Ok(Then::Stop)
    }

    fn end(&mut self, input: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        self.console.progress.end(input.source.size);
        let verdict = broken.map(Verdict::Unreadable).or(self.met.take()).unwrap_or(Verdict::Counted);
        self.conclude(&input.source.name, Some(input.context.from), &verdict)
    }
}

/// Watches what is counted go by.
struct Watch<'a> {
    console: &'a mut Console,
    name: &'a Name,
    sources: &'a Sources,
}

impl Outlet for Watch<'_> {
    fn take(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
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
    let (status, why, error) = match verdict {
        Verdict::Counted => ("well-formed", None, None),
        Verdict::IllFormed(stop) => ("ill-formed", None, Some(Stopped::of(stop, Scheme::Utf8))),
        Verdict::Unreadable(why) => ("unreadable", Some(plain(why)), None),
    };
    let object = Object {
        head: Head::of("count", name),
        encoding: scheme.map(Scheme::name),
        status,
        reason: why,
        error,
        amount: matches!(verdict, Verdict::Counted).then(|| (*amount).into()),
    };
    line(console, &object);
}

/// An object for one input.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Stopped<'a>>,
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
