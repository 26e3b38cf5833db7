//! `runecast repair`: well-formed text from any bytes.
//!
//! The command works as [`convert`](super::convert) does: the same look at the beginning of the
//! input, the same outputs, the same byte order marks. But it never stops at an error: an input goes through the
//! [repair](crate::pipeline::repair), and what was replaced on the way is reported in one line at its end.
//!
//! The encoding stays what it is unless `-t` says otherwise, and a mark with it: a well-formed file is written
//! unchanged. With `--in-place` such a file is not even touched, and has no backup.
//!
//! Of a file in another encoding U+FFFD would leave nothing that anyone could read: see [`other_encoding`](super::other_encoding).
//!
//! The exit code is 1 if something was replaced, for a script should learn that something was lost;
//! `--exit-zero` is for those who know.

mod lines;
mod mojibake;
mod one_by_one;
mod report;

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use runecast::Policy;

use report::{Options, RepairStatus};

use super::marks::route;
use super::other_encoding::{self, Other, other_encoding};
use super::text_output::{self, Writer, preview, remark, remark_on_backups, remark_on_copies, show_progress};
use crate::io::closed;
use crate::io::name::{Name, is_dash};
use crate::io::outputs::{Disposition, Outputs};
use crate::io::source::{Refusal, Sources};
use crate::pipeline::binaries::opener;
use crate::pipeline::opened::Opened;
use crate::pipeline::repair::{ChunkRepairer, InputRepair, RepairedChunk, chunk_for};
use crate::pipeline::route::{FindRoute, Route};
use crate::pipeline::shifts::Shifts;
use crate::pipeline::window::Window;
use crate::pipeline::work::{ChunkError, OrderedOutput};
use crate::pipeline::workers::Workers;
use crate::ui::arguments::repair::RepairArguments;
use crate::ui::arguments::shared::Format;
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;
use crate::ui::progress::Progress;

/// Runs the command.
pub(crate) fn run(arguments: &RepairArguments, console: &mut Console) -> io::Result<Outcome> {
    if arguments.writing.to_stdout() || arguments.rejects.as_deref().is_some_and(is_dash) {
        closed::stdout()?;
    }
    if arguments.mojibake {
        return mojibake::run(arguments, console);
    }
    if arguments.drop_lines || arguments.fallback.is_some() {
        return lines::run(arguments, console);
    }
    let (source, to) = ((arguments.reading.charset(), arguments.reading.assume), arguments.to);
    let find_route: FindRoute = Box::new(move |head| route(None, source, to, head));
    let policy = match arguments.policy() {
        // The program needs it to its end.
        Policy::With(text) => Policy::With(String::from(text).leak()),
        Policy::Escape(escape) => Policy::Escape(escape),
        _ => Policy::Replace(arguments.policy),
    };
    let sources = arguments.inputs.sources();
    let outputs = Outputs::new(
        &sources,
        arguments.writing.destination(),
        arguments.inputs.is_single(),
        "repair",
        arguments.writing.dry_run,
    );
    if !arguments.quiet {
        show_progress(console, &sources, &outputs);
    }
    let mut workers = Workers::new(arguments.jobs.jobs);
    workers.chunk = chunk_for(policy);
    workers.one_by_one = outputs.in_place();
    let work = ChunkRepairer { find_route, policy, positions: !arguments.quiet };
    let output = RepairOutput {
        console: mem::take(console),
        sources: sources.clone(),
        outputs,
        shifts: Shifts::default(),
        // (From an escape can be told what was there.)
        unnamed: arguments.reading.from.is_none() && arguments.escape.is_none(),
        options: Options {
            policy,
            exit_zero: arguments.exit_zero,
            quiet: arguments.quiet,
            verbose: arguments.verbose,
            json: arguments.output_format.format == Format::Json,
        },
        outcome: Outcome::Clean,
        repair: None,
        other: None,
        failure: None,
    };
    let (open, passed_over) = opener(&sources);
    let (mut output, ended) = workers.run(output.outputs.inputs(&sources), open, work, output);
    let closed = ended.and_then(|()| output.close());
    *console = output.console;
    closed?;
    console.flush()?;
    console.progress = Progress::hidden();
    if !arguments.quiet {
        remark_on_copies(console, arguments.verbose, &output.outputs, &passed_over);
        console.flush()?;
    }
    Ok(output.outcome)
}

/// What is written and printed, in order.
struct RepairOutput {
    console: Console,
    sources: Sources,
    outputs: Outputs,
    /// The states of the output.
    shifts: Shifts,
    /// Whether nobody has said what the inputs are, which matters.
    unnamed: bool,
    options: Options,
    outcome: Outcome,
    /// Of the present input.
    repair: Option<InputRepair>,
    /// The encoding that it seems to be in instead.
    other: Option<Other>,
    /// What failed, and why; or nothing, if that has been printed.
    failure: Option<Option<(Name, io::Error)>>,
}

impl RepairOutput {
    /// The output cannot be written: standard output ends all.
    fn output_failed(&mut self, name: Option<Name>, why: io::Error) -> io::Result<()> {
        if self.outputs.to_stdout() {
            return Err(why);
        }
        self.failure = Some(name.map(|name| (name, why)));
        Ok(())
    }

    /// Reports how the work on an input ended.
    fn conclude(&mut self, name: &Name, status: &RepairStatus) -> io::Result<()> {
        self.outcome = self.outcome.max(match &status.ended {
            Ok(summary) if summary.replaced > 0 && !self.options.exit_zero => Outcome::IllFormed,
            Ok(_) => Outcome::Clean,
            Err(_) => Outcome::Failed,
        });
        if !self.options.quiet {
            report::report(&self.options, &mut self.console, name, status);
        }
        self.console.flush()
    }

    fn close(&mut self) -> io::Result<()> {
        if let Err((name, why)) = text_output::close(&mut self.outputs, &mut self.shifts) {
            if self.outputs.to_stdout() {
                return Err(why);
            }
            self.outcome = Outcome::Failed;
            if !self.options.quiet {
                self.console.complain(&name, &why);
            }
        }
        if !self.options.quiet {
            preview(&mut self.console, &mut self.outputs, "repaired");
            remark(&mut self.console, &mut self.outputs);
            remark_on_backups(&mut self.console, &self.outputs);
        }
        Ok(())
    }
}

impl OrderedOutput<ChunkRepairer> for RepairOutput {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        self.outputs.input_failed();
        let ended = Err(Some((refusal.name.clone(), refusal.why)));
        self.conclude(&refusal.name, &RepairStatus { names: None, ended })
    }

    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<ControlFlow<()>> {
        self.console.progress.begin(&input.source.name);
        self.repair = Some(InputRepair::new(!self.options.quiet, input));
        let begun = match self.outputs.begin(&input.source, input.to_replace()) {
            Ok(true) => self.outputs.write(input.context.mark(), Some(input.context.skipped())),
            Ok(false) => Ok(()),
            Err(refused) => {
                self.failure = Some(refused);
                return Ok(ControlFlow::Break(()));
            }
        };
        match begun {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(why) => {
                let name = self.outputs.abandon();
                self.output_failed(name, why).map(ControlFlow::Break)
            }
        }
    }

    fn chunk(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &mut RepairedChunk,
    ) -> io::Result<ControlFlow<()>> {
        let RepairOutput { console, sources, outputs, shifts, repair: Some(repair), .. } = self else {
            return Ok(ControlFlow::Break(()));
        };
        if self.unnamed && repair.summary.replaced == 0 && done.replaced() > 0 {
            self.other = other_encoding(window.piece(), window.at());
            if outputs.keeps_no_input()
                && let Some(why) = other_encoding::refusal(self.other.as_ref(), window.piece(), window.at())
            {
                self.failure = Some(Some((input.source.name.clone(), io::Error::other(why))));
                return Ok(ControlFlow::Break(()));
            }
        }
        let shifts = input.context.is_joined().then_some(shifts);
        let mut writer = Writer { outputs, console, name: &input.source.name, sources, shifts };
        match repair.take(input, window, done, &mut writer) {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(ChunkError::Input(why)) => {
                self.failure = Some(Some((input.source.name.clone(), why)));
                Ok(ControlFlow::Break(()))
            }
            Err(ChunkError::Output(why)) => {
                let name = self.outputs.abandon();
                self.output_failed(name, why).map(ControlFlow::Break)
            }
        }
    }

    fn end(&mut self, input: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        let name = &input.source.name;
        self.console.progress.end(input.source.size);
        let mut summary = self.repair.take().map(|repair| repair.summary).unwrap_or_default();
        summary.bytes = input.bytes_read(summary.bytes);
        let route @ Route { decode, encode, .. } = &input.context;
        let failure = broken.map(|why| Some((name.clone(), why))).or(self.failure.take());
        // What was decoded and encoded again may have come out in another form of the same text.
        let untouched =
            decode.is_some() && decode == encode && summary.replaced == 0 && self.outputs.in_place();
        let disposition =
            if failure.is_some() || untouched { Disposition::Discard } else { Disposition::Commit };
        if let Err((name, why)) = text_output::end(&mut self.outputs, &mut self.shifts, disposition) {
            self.output_failed(Some(name), why)?;
        }
        if !self.options.quiet {
            remark(&mut self.console, &mut self.outputs);
        }
        let ended = failure.or(self.failure.take()).map_or(Ok(summary), Err);
        let refused = ended.is_err();
        self.conclude(
            name,
            &RepairStatus { names: Some((route.source_name(), route.target_name())), ended },
        )?;
        match self.other.take() {
            Some(other) if !refused && !self.options.quiet && !self.options.json => {
                other_encoding::say(&mut self.console, name, &other);
                self.console.flush()
            }
            _ => Ok(()),
        }
    }
}
