//! `runecast check`: are these files UTF-8, and if not, where and why?
//!
//! The command joins the parts: every source is opened, scanned, and reported on. What one input
//! does never stops the others; only an output that cannot be written does.
//!
//! A [`crew`](crate::crew) validates; here is what is done in order, one input after the other: the
//! reports.

use std::io;
use std::mem;
use std::sync::Arc;

use crate::Outcome;
use crate::console::{Console, push};
use crate::crew::{Crew, Ledger, Then};
use crate::feed::Opened;
use crate::grammar::{Check, Format};
use crate::name::Name;
use crate::progress::Progress;
use crate::report::json::Json;
use crate::report::text::Text;
use crate::report::{List, Report, Silent, Total};
use crate::scan::{Broken, Finding, Observer, Plan, Scan, Seen, Summary, Validation};
use crate::source::{Refusal, Source, Sources};
use crate::window::Window;

/// Runs the command.
pub(crate) fn run(arguments: &Check, console: &mut Console) -> io::Result<Outcome> {
    arguments.insist();
    let sources = Sources::new(&arguments.inputs);
    let quiet = arguments.talk.quiet;
    if !quiet && sources.wait_for_typing() {
        if arguments.inputs.files.is_empty() && console.err_is_terminal() {
            push(
                &mut console.err,
                format_args!(
                    "runecast: no FILE given, so I read what you type; end it with Ctrl-D \
                     (see `runecast check --help`)\n"
                ),
            );
            console.flush()?;
        }
    } else if !quiet && console.err_is_terminal() {
        console.progress = Progress::shown();
    }

    let plan = plan(arguments);
    let book = Book {
        report: report(arguments),
        console: mem::take(console),
        sources: sources.clone(),
        plan,
        total: Total::default(),
        scan: None,
        broken: None,
    };
    let crew = Crew::new(arguments.jobs.jobs);
    let (book, ended) = crew.run(Box::new(sources.iter()), Box::new(Source::open), Validation(plan), book);
    let Book { mut report, console: back, total, .. } = book;
    *console = back;
    ended?;
    // Taken down first, so that the last words stay below everything else.
    console.flush()?;
    console.progress = Progress::hidden();
    report.close(console, &total);
    console.flush()?;
    Ok(match total {
        Total { unreadable: 1.., .. } => Outcome::Failed,
        Total { ill_formed: 1.., .. } => Outcome::IllFormed,
        _ => Outcome::Clean,
    })
}

/// The reports on all inputs.
struct Book {
    report: Box<dyn Report + Send>,
    console: Console,
    sources: Sources,
    plan: Plan,
    total: Total,
    /// Of the present input.
    scan: Option<Scan>,
    broken: Option<io::Error>,
}

impl Ledger<Validation> for Book {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        self.total.unreadable += 1;
        self.report.failed(&mut self.console, &refusal.name, &Summary::default(), &refusal.why);
        self.console.relieve()
    }

    fn begin(&mut self, input: &Arc<Opened<()>>) -> io::Result<Then> {
        self.console.progress.begin(&input.source.name);
        self.scan = Some(Scan::new(self.plan, input));
        Ok(Then::GoOn)
    }

    fn chunk(&mut self, input: &Opened<()>, window: &Window, seen: &mut Seen) -> io::Result<Then> {
        let Book { report, console, sources, scan: Some(scan), .. } = self else { return Ok(Then::Stop) };
        let mut teller =
            Teller { report: &mut **report, console, name: &input.source.name, sources, told: false };
        match scan.take(input, window, seen, &mut teller) {
            Ok(then) => Ok(then),
            Err(Broken::Input(why)) => {
                self.broken = Some(why);
                Ok(Then::Stop)
            }
            Err(Broken::Output(why)) => Err(why),
        }
    }

    fn end(&mut self, input: &Opened<()>, broken: Option<io::Error>) -> io::Result<()> {
        let Book { report, console, total, .. } = self;
        let summary = self.scan.take().map(|scan| scan.summary).unwrap_or_default();
        let name = &input.source.name;
        console.progress.end(input.source.size);
        total.add(&summary);
        total.ill_formed += u64::from(summary.found > 0);
        match broken.or(self.broken.take()) {
            None => {
                total.inputs += 1;
                report.done(console, name, &summary);
            }
            Some(why) => {
                total.unreadable += 1;
                report.failed(console, name, &summary, &why);
            }
        }
        console.relieve()
    }
}

/// What the scan must find out for what is to be said.
fn plan(arguments: &Check) -> Plan {
    let silent = arguments.talk.quiet || arguments.list;
    Plan {
        to_the_end: arguments.all || arguments.stats,
        shown: match limit(arguments) {
            _ if silent => 0,
            Some(limit) => limit,
            None if arguments.all => u64::MAX,
            None => 1,
        },
        places: !silent,
        characters: arguments.stats,
    }
}

/// How many errors of each file are shown, if all are looked for and there is a limit.
fn limit(arguments: &Check) -> Option<u64> {
    (arguments.all && arguments.limit > 0).then_some(arguments.limit)
}

fn report(arguments: &Check) -> Box<dyn Report + Send> {
    if arguments.talk.quiet {
        Box::new(Silent)
    } else if arguments.list {
        Box::new(List { null: arguments.null })
    } else if arguments.shape.format == Format::Json {
        Box::new(Json::new(arguments.stats))
    } else {
        Box::new(Text { limit: limit(arguments), stats: arguments.stats, verbose: arguments.talk.verbose })
    }
}

/// Passes on what the scan of one input finds.
struct Teller<'a> {
    report: &'a mut dyn Report,
    console: &'a mut Console,
    name: &'a Name,
    sources: &'a Sources,
    told: bool,
}

impl Observer for Teller<'_> {
    fn found(&mut self, finding: &Finding) -> io::Result<()> {
        self.report.found(self.console, self.name, finding);
        self.told = true;
        self.console.relieve()
    }

    fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        // Errors are shown when they happen, not when the input ends: it may be a live stream.
        if std::mem::take(&mut self.told) { self.console.flush() } else { Ok(()) }
    }
}
