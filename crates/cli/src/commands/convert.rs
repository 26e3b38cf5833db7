//! `runecast convert`: from one encoding to another.
//!
//! The command joins the parts: it looks at the beginning of each input to know what it is, has the
//! [`workers`](crate::pipeline::workers) convert it, and commits the [`outputs`](crate::io::outputs) only if nothing
//! was wrong. With `-c` what cannot be converted is left out instead, and counted.

mod report;

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use runecast::Label;

use report::Failure;

use super::conversion_error::error_line;
use super::encoded_twice::{self, is_encoded_twice};
use super::marks::route;
use super::other_encoding::{self, Other, other_encoding};
use super::text_output::{self, Writer, preview, remark, remark_on_backups, remark_on_copies, show_progress};
use crate::io::closed;
use crate::io::name::Name;
use crate::io::outputs::{Disposition, Outputs};
use crate::io::source::{Refusal, Sources};
use crate::pipeline::binaries::opener;
use crate::pipeline::conversion::{ChunkConverter, ConversionSummary, ConvertedChunk, InputConversion};
use crate::pipeline::opened::Opened;
use crate::pipeline::route::{FindRoute, Route};
use crate::pipeline::shifts::Shifts;
use crate::pipeline::window::Window;
use crate::pipeline::work::{ChunkError, OrderedOutput};
use crate::pipeline::workers::Workers;
use crate::ui::arguments::convert::ConvertArguments;
use crate::ui::arguments::encoding::{Charset, LEGACY, further_names};
use crate::ui::arguments::shared::Format;
use crate::ui::console::{Console, Styles, plain, push};
use crate::ui::outcome::Outcome;
use crate::ui::progress::Progress;

/// Runs the command.
pub(crate) fn run(arguments: &ConvertArguments, console: &mut Console) -> io::Result<Outcome> {
    if arguments.list {
        return list(console);
    }
    if arguments.writing.to_stdout() {
        closed::stdout()?;
    }
    let sources = arguments.inputs.sources();
    let outputs = Outputs::new(
        &sources,
        arguments.writing.destination(),
        arguments.inputs.is_single(),
        "convert",
        arguments.writing.dry_run,
    );
    if !arguments.quiet {
        show_progress(console, &sources, &outputs);
    }
    let output = ConvertOutput {
        console: mem::take(console),
        sources: sources.clone(),
        outputs,
        shifts: Shifts::default(),
        unnamed: arguments.reading.from.is_none(),
        quiet: arguments.quiet,
        verbose: arguments.verbose,
        omits: arguments.omits(),
        exit_zero: arguments.omit,
        json: arguments.output_format.format == Format::Json,
        outcome: Outcome::Clean,
        conversion: None,
        other: None,
        twice: false,
        failure: None,
    };
    let mut workers = Workers::new(arguments.jobs.jobs);
    workers.one_by_one = output.outputs.in_place();
    let work = ChunkConverter {
        find_route: find_route(arguments),
        positions: !arguments.quiet,
        lines: false,
        omits: arguments.omits(),
        transliterates: arguments.to.transliterates,
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

/// Finds the route for an input.
fn find_route(arguments: &ConvertArguments) -> FindRoute {
    let source = (arguments.reading.charset(), arguments.reading.assume);
    let (bom, target) = (arguments.bom(), arguments.to.charset);
    Box::new(move |head| route(bom, source, Some(target), head))
}

/// What is written and printed, in order.
struct ConvertOutput {
    console: Console,
    sources: Sources,
    outputs: Outputs,
    /// The states of the output.
    shifts: Shifts,
    /// Whether nobody has said what the inputs are.
    unnamed: bool,
    quiet: bool,
    verbose: bool,
    omits: bool,
    /// Whether it is no failure that something was left out.
    exit_zero: bool,
    json: bool,
    outcome: Outcome,
    /// Of the present input.
    conversion: Option<InputConversion>,
    /// The encoding that it seems to be in instead.
    other: Option<Other>,
    /// Whether it seems to be UTF-8, and is read in an older encoding.
    twice: bool,
    failure: Option<Failure>,
}

impl ConvertOutput {
    fn fail(&mut self, name: &Name, why: &io::Error) {
        self.outcome = Outcome::Failed;
        self.console.complain(name, why);
    }

    /// The output cannot be written: standard output ends all.
    fn output_failed(&mut self, name: Option<Name>, why: io::Error) -> io::Result<()> {
        if self.outputs.to_stdout() {
            return Err(why);
        }
        if let Some(name) = name {
            self.fail(&name, &why);
        }
        self.failure = Some(Failure::Output(Some(plain(&why))));
        Ok(())
    }

    /// Prints what there is to print.
    fn flush(&mut self) -> io::Result<()> {
        if self.quiet {
            self.console.err.clear();
        }
        self.console.flush()
    }

    fn close(&mut self) -> io::Result<()> {
        if let Err((name, why)) = text_output::close(&mut self.outputs, &mut self.shifts) {
            self.output_failed(Some(name), why)?;
        }
        preview(&mut self.console, &mut self.outputs, "converted");
        remark(&mut self.console, &mut self.outputs);
        remark_on_backups(&mut self.console, &self.outputs);
        self.flush()
    }
}

impl OrderedOutput<ChunkConverter> for ConvertOutput {
    fn refused(&mut self, Refusal { name, why }: Refusal) -> io::Result<()> {
        self.fail(&name, &why);
        self.outputs.input_failed();
        if self.json {
            let numbers = (ConversionSummary::default(), self.omits);
            report::object(&mut self.console, &name, None, numbers, Some(&Failure::Input(why)));
        }
        self.flush()
    }

    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<ControlFlow<()>> {
        self.console.progress.begin(&input.source.name);
        self.conversion = Some(InputConversion::new(!self.quiet, input));
        self.twice = false;
        let begun = match self.outputs.begin(&input.source, input.to_replace()) {
            Ok(true) => self.outputs.write(input.context.mark(), Some(input.context.skipped())),
            Ok(false) => Ok(()),
            Err(refused) => {
                self.failure = Some(Failure::Output(refused.as_ref().map(|(_, why)| plain(why))));
                if let Some((name, why)) = refused {
                    self.fail(&name, &why);
                }
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
        done: &mut ConvertedChunk,
    ) -> io::Result<ControlFlow<()>> {
        let ConvertOutput { console, sources, outputs, shifts, conversion: Some(conversion), .. } = self
        else {
            return Ok(ControlFlow::Break(()));
        };
        if window.at() == 0 {
            self.twice = !self.quiet && is_encoded_twice(input, window);
        }
        let shifts = input.context.is_joined().then_some(shifts);
        let mut writer = Writer { outputs, console, name: &input.source.name, sources, shifts };
        self.failure = match conversion.take(input, window, done, &mut writer) {
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Ok(Some(error)) => {
                if self.unnamed {
                    self.other = other_encoding(window.piece(), window.at());
                }
                Some(Failure::Error(error))
            }
            Err(ChunkError::Input(why)) => Some(Failure::Input(why)),
            Err(ChunkError::Output(why)) => {
                let name = self.outputs.abandon();
                return self.output_failed(name, why).map(ControlFlow::Break);
            }
        };
        Ok(ControlFlow::Break(()))
    }

    fn end(&mut self, input: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        let name = &input.source.name;
        self.console.progress.end(input.source.size);
        let schemes = (input.context.source_name(), input.context.target_name());
        let failure = broken.map(Failure::Input).or(self.failure.take());
        match &failure {
            Some(Failure::Error(error)) => {
                self.outcome = self.outcome.max(Outcome::IllFormed);
                if !self.json {
                    error_line(error, input.context.target_name()).write(&mut self.console, name);
                    if let Some(other) = self.other.take() {
                        other_encoding::say(&mut self.console, name, &other);
                    }
                }
            }
            Some(Failure::Input(why)) => self.fail(name, why),
            None if mem::take(&mut self.twice) => {
                encoded_twice::say(&mut self.console, name, schemes.0);
            }
            Some(Failure::Output(_)) | None => {}
        }
        // A stream has the text before an error; a file is discarded.
        let disposition = if failure.is_none() { Disposition::Commit } else { Disposition::Discard };
        let changed = match text_output::end(&mut self.outputs, &mut self.shifts, disposition) {
            Ok(changed) => changed,
            Err((name, why)) => {
                self.output_failed(Some(name), why)?;
                true
            }
        };
        remark(&mut self.console, &mut self.outputs);
        let failure = failure.or(self.failure.take());
        let mut summary = self.conversion.take().map(|conversion| conversion.summary).unwrap_or_default();
        summary.bytes = input.bytes_read(summary.bytes);
        if failure.is_none() && summary.omitted > 0 && !self.exit_zero {
            self.outcome = self.outcome.max(Outcome::IllFormed);
        }
        if self.json {
            let numbers = (summary, self.omits);
            report::object(&mut self.console, name, Some(schemes), numbers, failure.as_ref());
        } else if self.verbose && failure.is_none() {
            report::converted(&mut self.console, name, &summary, changed);
        }
        self.flush()
    }
}

/// Lists the encodings, one a line, with all names.
fn list(console: &mut Console) -> io::Result<Outcome> {
    let Styles { strong, .. } = console.out_styles;
    for (label, name, others) in Label::names() {
        // (A space in a name could as well be a hyphen, or nothing.)
        push(&mut console.out, format_args!("{strong}{}{strong:#}", name.replace(' ', "-")));
        for other in others.iter().copied().chain(further_names(Charset::Unicode(label))) {
            push(&mut console.out, format_args!(" {}", other.replace(' ', "-")));
        }
        push(&mut console.out, format_args!("\n"));
    }
    for encoding in LEGACY {
        push(&mut console.out, format_args!("{strong}{}{strong:#}", encoding.name()));
        for other in further_names(Charset::Legacy(encoding)) {
            push(&mut console.out, format_args!(" {other}"));
        }
        push(&mut console.out, format_args!("\n"));
    }
    console.flush()?;
    Ok(Outcome::Clean)
}
