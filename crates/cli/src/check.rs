//! `runecast check`: are these files UTF-8, and if not, where and why?
//!
//! The command joins the parts: every source is opened, scanned, and reported on. What one input
//! does never stops the others; only an output that cannot be written does.
//!
//! Inputs are worked on one after the other. The parts are cut so that this may change: a scan
//! owns its buffer and knows its observer only as a trait, and a report is a sequence of calls
//! per input, so that several threads can scan while their reports are played back in order.

use std::io;

use crate::Outcome;
use crate::console::{Console, push};
use crate::grammar::{Check, Format};
use crate::name::Name;
use crate::progress::Progress;
use crate::report::json::Json;
use crate::report::text::Text;
use crate::report::{List, Report, Silent, Total};
use crate::scan::{Broken, Finding, Observer, Plan, Summary, scan};
use crate::source::Sources;
use crate::window::{CHUNK, Window};

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

    let mut report = report(arguments);
    let plan = plan(arguments);
    let mut window = Window::new(CHUNK);
    let mut total = Total::default();
    for source in sources.iter() {
        let source = match source {
            Ok(source) => source,
            Err(refusal) => {
                total.unreadable += 1;
                report.failed(console, &refusal.name, &Summary::default(), &refusal.why);
                console.relieve()?;
                continue;
            }
        };
        console.progress.begin(&source.name);
        let mut summary = Summary::default();
        let verdict = source.open().map_err(Broken::Input).and_then(|mut input| {
            let mut teller =
                Teller { report: &mut *report, console, name: &source.name, sources: &sources, told: false };
            scan(&mut input, &mut window, plan, &mut teller, &mut summary)
        });
        console.progress.end(source.size);
        total.add(&summary);
        total.ill_formed += u64::from(summary.found > 0);
        match verdict {
            Ok(()) => {
                total.inputs += 1;
                report.done(console, &source.name, &summary);
            }
            Err(Broken::Input(why)) => {
                total.unreadable += 1;
                report.failed(console, &source.name, &summary, &why);
            }
            Err(Broken::Output(why)) => return Err(why),
        }
        console.relieve()?;
    }
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

fn report(arguments: &Check) -> Box<dyn Report> {
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
