//! `runecast check`: are these files UTF-8, and if not, where and why?
//!
//! The command joins the parts: every source is opened, validated, and reported on. What one input
//! does never stops the others; only an output that cannot be written does.
//!
//! The [`workers`](crate::pipeline::workers) validate; here is what is done in order, one input after the other: the
//! reports.

mod github;
mod json;
mod report;
mod stats;
mod text;

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use github::GithubReport;
use json::JsonReport;
use report::{ListReport, Report, SilentReport, Total};
use text::TextReport;

use super::marks::route;
use super::other_encoding::{self, Other, other_encoding, wide_encoding};
use super::text_output::remark_on_binaries;
use crate::io::name::Name;
use crate::io::source::{Refusal, Sources};
use crate::pipeline::binaries::opener;
use crate::pipeline::forbidden::Forbidden;
use crate::pipeline::opened::Opened;
use crate::pipeline::route::Route;
use crate::pipeline::validation::{
    ChunkValidator, Found, InputValidation, Observer, Plan, ValidatedChunk, ValidationSummary,
};
use crate::pipeline::window::Window;
use crate::pipeline::work::{ChunkError, OrderedOutput};
use crate::pipeline::workers::Workers;
use crate::ui::arguments::check::{CheckArguments, CheckFormat, Forbid};
use crate::ui::arguments::encoding::Charset;
use crate::ui::console::{Console, push};
use crate::ui::outcome::Outcome;
use crate::ui::progress::Progress;

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments, console: &mut Console) -> io::Result<Outcome> {
    let sources = arguments.inputs.sources();
    let quiet = arguments.verbosity.quiet;
    if !quiet && sources.typed() {
        if arguments.inputs.files.is_empty() && console.err_is_terminal() {
            push(
                &mut console.err,
                format_args!(
                    "runecast: no FILE given: reading what you type; end it with Ctrl-D \
                     (see `runecast check --help`)\n"
                ),
            );
            console.flush()?;
        }
    } else if !quiet && console.err_is_terminal() {
        console.progress = Progress::shown();
    }

    let plan = plan(arguments);
    let (charset, assume) = (arguments.from.unwrap_or(Charset::UTF_8), arguments.assume);
    let output = CheckOutput {
        report: report(arguments),
        console: mem::take(console),
        sources: sources.clone(),
        plan,
        total: Total::default(),
        hints: !quiet && !arguments.list && arguments.format == CheckFormat::Text && arguments.from.is_none(),
        validation: None,
        wide: None,
        broken: None,
    };
    let workers = Workers::new(arguments.jobs.jobs);
    let find_route = Box::new(move |head: &[u8]| route(None, (charset, assume), Some(Charset::UTF_8), head));
    let work = ChunkValidator { plan, find_route };
    let (open, passed_over) = opener(&sources);
    let (output, ended) = workers.run(Box::new(sources.iter()), open, work, output);
    let CheckOutput { mut report, console: back, total, .. } = output;
    *console = back;
    ended?;
    // The bar goes first, so that the summary stays below everything else.
    console.flush()?;
    console.progress = Progress::hidden();
    if !quiet {
        remark_on_binaries(console, arguments.verbosity.verbose, &passed_over);
    }
    report.close(console, &total);
    console.flush()?;
    Ok(match total {
        Total { unreadable: 1.., .. } => Outcome::Failed,
        Total { ill_formed: 1.., .. } | Total { forbidden: 1.., .. } => Outcome::IllFormed,
        _ => Outcome::Clean,
    })
}

/// What is reported, in order.
struct CheckOutput {
    report: Box<dyn Report + Send>,
    console: Console,
    sources: Sources,
    plan: Plan,
    total: Total,
    /// Whether it is said what an input seems to be, other than UTF-8.
    hints: bool,
    /// Of the present input.
    validation: Option<InputValidation>,
    /// What it seems to be, if it is well-formed to its end all the same.
    wide: Option<Other>,
    broken: Option<io::Error>,
}

impl OrderedOutput<ChunkValidator> for CheckOutput {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        self.total.unreadable += 1;
        self.report.failed(&mut self.console, &refusal.name, &ValidationSummary::default(), &refusal.why);
        self.console.flush_if_full()
    }

    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<ControlFlow<()>> {
        self.console.progress.begin(&input.source.name);
        self.validation = Some(InputValidation::new(self.plan, input));
        self.wide = None;
        Ok(ControlFlow::Continue(()))
    }

    fn chunk(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &mut ValidatedChunk,
    ) -> io::Result<ControlFlow<()>> {
        let CheckOutput { report, console, sources, validation: Some(validation), .. } = self else {
            return Ok(ControlFlow::Break(()));
        };
        let name = &input.source.name;
        let mut observer = Reporter { report: &mut **report, console, name, sources, unflushed: false };
        let before = validation.summary.ill_formed();
        let taken = validation.take(input, window, done, &mut observer);
        if self.hints
            && before == 0
            && validation.summary.ill_formed() > 0
            && let Some(encoding) = other_encoding(window.piece(), window.at())
        {
            other_encoding::say(console, name, &encoding);
        }
        if self.hints && window.at() == 0 && validation.summary.ill_formed() == 0 {
            self.wide = wide_encoding(window.piece(), window.is_last());
        }
        match taken {
            Ok(flow) => Ok(flow),
            Err(ChunkError::Input(why)) => {
                self.broken = Some(why);
                Ok(ControlFlow::Break(()))
            }
            Err(ChunkError::Output(why)) => Err(why),
        }
    }

    fn end(&mut self, input: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        let CheckOutput { report, console, total, wide, .. } = self;
        let mut summary = self.validation.take().map(|validation| validation.summary).unwrap_or_default();
        summary.bytes = input.bytes_read(summary.bytes);
        let name = &input.source.name;
        console.progress.end(input.source.size);
        total.add(&summary);
        total.ill_formed += u64::from(summary.ill_formed() > 0);
        total.forbidden += u64::from(summary.ill_formed() == 0 && summary.forbidden > 0);
        match broken.or(self.broken.take()) {
            None => {
                total.inputs += 1;
                report.done(console, name, &summary);
                if summary.ill_formed() == 0
                    && let Some(encoding) = wide.take()
                {
                    other_encoding::say(console, name, &encoding);
                }
            }
            Some(why) => {
                total.unreadable += 1;
                report.failed(console, name, &summary, &why);
            }
        }
        console.flush_if_full()
    }
}

/// What the validation must find out for what is to be reported.
fn plan(arguments: &CheckArguments) -> Plan {
    let silent = arguments.verbosity.quiet || arguments.list;
    Plan {
        to_the_end: arguments.all || arguments.stats,
        shown: match limit(arguments) {
            _ if silent => 0,
            Some(limit) => limit,
            None if arguments.all => u64::MAX,
            None => 1,
        },
        positions: !silent,
        characters: arguments.stats,
        forbidden: {
            let has = |what| arguments.forbid.contains(&what);
            Forbidden { mark: has(Forbid::Bom), nul: has(Forbid::Nul), carriage_return: has(Forbid::Cr) }
        },
    }
}

/// How many errors of each file are shown, if all are looked for and there is a limit.
fn limit(arguments: &CheckArguments) -> Option<u64> {
    (arguments.all && arguments.limit > 0).then_some(arguments.limit)
}

fn report(arguments: &CheckArguments) -> Box<dyn Report + Send> {
    if arguments.verbosity.quiet {
        Box::new(SilentReport)
    } else if arguments.list {
        Box::new(ListReport { null: arguments.null })
    } else {
        match arguments.format {
            CheckFormat::Json => Box::new(JsonReport::new(arguments.stats)),
            CheckFormat::Github => Box::new(GithubReport),
            CheckFormat::Text => Box::new(TextReport {
                limit: limit(arguments),
                stats: arguments.stats,
                verbose: arguments.verbosity.verbose,
            }),
        }
    }
}

/// Reports what is found in one input.
struct Reporter<'a> {
    report: &'a mut dyn Report,
    console: &'a mut Console,
    name: &'a Name,
    sources: &'a Sources,
    unflushed: bool,
}

impl Observer for Reporter<'_> {
    fn found(&mut self, found: &Found) -> io::Result<()> {
        self.report.found(self.console, self.name, found);
        self.unflushed = true;
        self.console.flush_if_full()
    }

    fn advance(&mut self, bytes: u64) -> io::Result<()> {
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        // Errors are shown when they happen, not when the input ends: it may be a live stream.
        if mem::take(&mut self.unflushed) { self.console.flush() } else { Ok(()) }
    }
}
