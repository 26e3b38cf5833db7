//! `runecast repair`: well-formed text from any bytes.
//!
//! The command is the sister of [`convert`](crate::convert): the same look at the beginning of the
//! input, the same outputs, the same marks. But it never stops: an input goes through
//! [`mend`](crate::mend), and what was replaced on the way is told in one line at its end.
//!
//! The encoding stays what it is unless `-t` says otherwise, and a mark with it: of a clean file comes
//! out what went in. With `--in-place` such a file is not even touched, and has no backup.
//!
//! The exit code is 1 if something was replaced, for whoever repairs in a script should learn that
//! something was lost; `--exit-zero` is for those who know.

use std::io;
use std::mem;
use std::sync::Arc;

use runecast::Policy;
use serde::Serialize;

use crate::Outcome;
use crate::console::{Console, Styles, plain, push};
use crate::convert::{Flow, Marks, expect_patience};
use crate::crew::{Crew, Ledger, Then};
use crate::encoding::{Scheme, recognize};
use crate::feed::Opened;
use crate::grammar::{Format, Repair};
use crate::mend::{Mend, Mended, Mending, Repairs, chunk_for};
use crate::name::Name;
use crate::output::{Fate, Outputs};
use crate::passage::{Look, Route};
use crate::progress::Progress;
use crate::report::json::{Head, line};
use crate::scan::Broken;
use crate::source::{Refusal, Source, Sources};
use crate::window::Window;

/// Runs the command.
pub(crate) fn run(arguments: &Repair, console: &mut Console) -> io::Result<Outcome> {
    arguments.insist();
    let (label, assume, to) = (arguments.reading.from, arguments.reading.assume, arguments.to);
    let target = move |from| to.map_or(from, crate::encoding::written);
    let look: Look = Box::new(move |head| {
        let from = recognize(label, head, assume);
        let marks = to.map(|to| Marks::of(None, (label, from), to, head)).unwrap_or_default();
        marks.route(from, target(from))
    });
    let policy = match arguments.policy() {
        // Once in the life of the program, and for as long.
        Policy::With(text) => Policy::With(String::from(text).leak()),
        Policy::Escape(escape) => Policy::Escape(escape),
        _ => Policy::Replace(arguments.policy),
    };
    let sources = Sources::new(&arguments.inputs);
    let outputs = Outputs::new(&arguments.writing, &arguments.inputs, "repair");
    if !arguments.quiet {
        expect_patience(console, &sources, &outputs);
    }
    let mut crew = Crew::new(arguments.jobs.jobs);
    crew.chunk = chunk_for(policy);
    crew.one_by_one = outputs.in_place();
    let work = Mending { look, policy, places: !arguments.quiet };
    let book = Book {
        console: mem::take(console),
        sources: sources.clone(),
        outputs,
        order: Order {
            policy,
            exit_zero: arguments.exit_zero,
            quiet: arguments.quiet,
            verbose: arguments.verbose,
            json: arguments.shape.format == Format::Json,
        },
        outcome: Outcome::Clean,
        mend: None,
        blamed: None,
    };
    let (mut book, ended) = crew.run(Box::new(sources.iter()), Box::new(Source::open), work, book);
    let closed = ended.and_then(|()| book.close());
    *console = book.console;
    closed?;
    console.flush()?;
    console.progress = Progress::hidden();
    Ok(book.outcome)
}

/// What is wanted of a repair.
#[derive(Clone, Copy)]
struct Order {
    /// What is written where the input is ill-formed.
    policy: Policy<'static>,
    /// Whether it is no failure that something was.
    exit_zero: bool,
    /// Say nothing; say more; say it to programs.
    quiet: bool,
    verbose: bool,
    json: bool,
}

/// How the work on an input ended.
struct Verdict {
    /// What it was, and became, if that came to be known.
    schemes: Option<(Scheme, Scheme)>,
    /// What was replaced; or who is to blame, and why; or nobody, if that has been said.
    ended: Result<Mended, Option<(Name, io::Error)>>,
}

/// The repairs in order.
struct Book {
    console: Console,
    sources: Sources,
    outputs: Outputs,
    order: Order,
    outcome: Outcome,
    /// Of the present input.
    mend: Option<Mend>,
    blamed: Option<Option<(Name, io::Error)>>,
}

impl Book {
    /// The output cannot be written: that of the process ends all.
    fn blame(&mut self, name: Option<Name>, why: io::Error) -> io::Result<Then> {
        if self.outputs.to_stdout() {
            return Err(why);
        }
        self.blamed = Some(name.map(|name| (name, why)));
        Ok(Then::Stop)
    }

    /// Says how it ended with an input.
    fn conclude(&mut self, name: &Name, verdict: &Verdict) -> io::Result<()> {
        self.outcome = self.outcome.max(match &verdict.ended {
            Ok(mended) if mended.replaced > 0 && !self.order.exit_zero => Outcome::IllFormed,
            Ok(_) => Outcome::Clean,
            Err(_) => Outcome::Failed,
        });
        if !self.order.quiet {
            tell(&self.order, &mut self.console, name, verdict);
        }
        self.console.flush()
    }

    fn close(&mut self) -> io::Result<()> {
        if let Err((name, why)) = self.outputs.close() {
            if self.outputs.to_stdout() {
                return Err(why);
            }
            self.outcome = Outcome::Failed;
            if !self.order.quiet {
                self.console.complain(&name, &why);
            }
        }
        Ok(())
    }
}

impl Ledger<Mending> for Book {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        self.outputs.miss();
        let ended = Err(Some((refusal.name.clone(), refusal.why)));
        self.conclude(&refusal.name, &Verdict { schemes: None, ended })
    }

    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<Then> {
        self.console.progress.begin(&input.source.name);
        self.mend = Some(Mend::new(!self.order.quiet, input));
        let begun = match self.outputs.begin(&input.source.name) {
            Ok(true) => self.outputs.write(input.context.mark()),
            Ok(false) => Ok(()),
            Err(refused) => {
                self.blamed = Some(refused);
                return Ok(Then::Stop);
            }
        };
        match begun {
            Ok(()) => Ok(Then::GoOn),
            Err(why) => {
                let name = self.outputs.give_up();
                self.blame(name, why)
            }
        }
    }

    fn chunk(&mut self, input: &Opened<Route>, window: &Window, done: &mut Repairs) -> io::Result<Then> {
        let Book { console, sources, outputs, mend: Some(mend), .. } = self else {
            return Ok(Then::Stop);
        };
        let mut flow = Flow { outputs, console, name: &input.source.name, sources };
        match mend.take(input, window, done, &mut flow) {
            Ok(()) => Ok(Then::GoOn),
            Err(Broken::Input(why)) => {
                self.blamed = Some(Some((input.source.name.clone(), why)));
                Ok(Then::Stop)
            }
            Err(Broken::Output(why)) => {
                let name = self.outputs.give_up();
                self.blame(name, why)
            }
        }
    }

    fn end(&mut self, input: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        let name = &input.source.name;
        self.console.progress.end(input.source.size);
        let mended = self.mend.take().map(|mend| mend.mended).unwrap_or_default();
        let Route { from, to, .. } = input.context;
        let blamed = broken.map(|why| Some((name.clone(), why))).or(self.blamed.take());
        let untouched = from == to && mended.replaced == 0 && self.outputs.in_place();
        let fate = if blamed.is_some() || untouched { Fate::GivenUp } else { Fate::Counts };
        if let Err((name, why)) = self.outputs.end(fate) {
            self.blame(Some(name), why)?;
        }
        let ended = blamed.or(self.blamed.take()).map_or(Ok(mended), Err);
        self.conclude(name, &Verdict { schemes: Some((from, to)), ended })
    }
}

/// Says what became of an input.
fn tell(order: &Order, console: &mut Console, name: &Name, verdict: &Verdict) {
    if order.json {
        object(order.policy, console, name, verdict);
    }
    let Styles { strong, bad, good, .. } = console.err_styles;
    match &verdict.ended {
        Err(None) => {}
        Err(Some((to_blame, why))) => console.complain(to_blame, why),
        Ok(_) if order.json => {}
        Ok(Mended { replaced, first: Some(first), place, .. }) => {
            push(&mut console.err, format_args!("{strong}{name}"));
            if let Some(place) = place {
                push(&mut console.err, format_args!(":{}:{}", place.line, place.column));
            }
            let plural = if *replaced == 1 { "" } else { "s" };
            push(
                &mut console.err,
                format_args!(
                    ":{strong:#} byte {first}: {bad}first of {replaced} replacement{plural}{bad:#}\n"
                ),
            );
        }
        Ok(Mended { first: None, .. }) if order.verbose => {
            push(
                &mut console.err,
                format_args!("{strong}{name}:{strong:#} {good}nothing to replace{good:#}\n"),
            );
        }
        Ok(_) => {}
    }
}

/// The JSON object of an input, with the schema of the README.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    #[serde(flatten)]
    policy: By<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    numbers: Option<Numbers>,
}

/// What was written instead, under the name of the option that chose it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum By<'a> {
    Policy(&'static str),
    Escape(&'static str),
    Replacement(&'a str),
}

/// What was replaced.
#[derive(Serialize)]
struct Numbers {
    replaced: u64,
    first: Option<First>,
    bytes_read: u64,
}

/// Where the first replacement was made.
#[derive(Serialize)]
struct First {
    at: u64,
    line: Option<u64>,
    column: Option<u64>,
}

fn object(policy: Policy<'_>, console: &mut Console, name: &Name, verdict: &Verdict) {
    let mended = verdict.ended.as_ref().ok();
    let place = mended.and_then(|mended| mended.place);
    let object = Object {
        head: Head::of("repair", name),
        encoding: verdict.schemes.map(|(from, _)| from.name()),
        to: verdict.schemes.map(|(_, to)| to.name()),
        policy: match policy {
            Policy::Escape(escape) => By::Escape(escape.name()),
            Policy::With(text) => By::Replacement(text),
            Policy::Replace(replacement) => By::Policy(replacement.name()),
            _ => By::Policy("another"),
        },
        status: match mended {
            None => "failed",
            Some(Mended { replaced: 0, .. }) => "clean",
            Some(_) => "repaired",
        },
        reason: verdict.ended.as_ref().err().and_then(Option::as_ref).map(|(_, why)| plain(why)),
        numbers: mended.map(|mended| Numbers {
            replaced: mended.replaced,
            first: mended.first.map(|at| First {
                at,
                line: place.map(|place| place.line),
                column: place.map(|place| place.column),
            }),
            bytes_read: mended.bytes,
        }),
    };
    line(console, &object);
}
