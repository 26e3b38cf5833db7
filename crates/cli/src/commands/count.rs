//! `runecast count`: lines, characters, bytes, and the code units of each form.
//!
//! Every chunk is converted to UTF-8 ([`ChunkConverter`]), of which the lead bytes tell all
//! lengths: a character of four bytes has two units of UTF-16, every other one has one, and each is
//! one unit of UTF-32. Text that is UTF-8 already is only validated. A chunk is counted where it was
//! converted, by one of many threads; in order, only the numbers are added up. An ill-formed input is reported
//! as by `check`, and not counted: half a number would be worse than none.

mod report;

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use report::{CountStatus, Counts};

use super::conversion_error::error_line;
use super::marks::route;
use super::text_output::remark_on_binaries;
use crate::io::name::Name;
use crate::io::source::{Refusal, Sources};
use crate::pipeline::binaries::opener;
use crate::pipeline::conversion::{ChunkConverter, ConvertedChunk, InputConversion};
use crate::pipeline::opened::Opened;
use crate::pipeline::route::{Route, TextOutput};
use crate::pipeline::window::{Rule, Window};
use crate::pipeline::work::{ChunkError, OrderedOutput, Work};
use crate::pipeline::workers::Workers;
use crate::ui::arguments::count::{Column, CountArguments};
use crate::ui::arguments::encoding::Charset;
use crate::ui::arguments::shared::Format;
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;
use crate::ui::progress::Progress;

/// Runs the command.
pub(crate) fn run(arguments: &CountArguments, console: &mut Console) -> io::Result<Outcome> {
    let sources = arguments.inputs.sources();
    if !sources.typed() && console.err_is_terminal() {
        console.progress = Progress::shown();
    }
    let source = (arguments.reading.charset(), arguments.reading.assume);
    // (UTF-8 has a mark, which is then a character like any other.)
    let find_route = move |head: &[u8]| route(None, source, Some(Charset::UTF_8), head);
    let output = CountOutput {
        console: mem::take(console),
        sources: sources.clone(),
        json: arguments.output_format.format == Format::Json,
        columns: arguments.columns(),
        total: Counts::default(),
        counted: 0,
        inputs: 0,
        outcome: Outcome::Clean,
        counts: Counts::default(),
        conversion: None,
        status: None,
    };
    let work = ChunkCounter(ChunkConverter {
        find_route: Box::new(find_route),
        positions: true,
        lines: true,
        omits: false,
        transliterates: false,
    });
    let workers = Workers::new(arguments.jobs.jobs);
    let (open, passed_over) = opener(&sources);
    let (output, ended) = workers.run(Box::new(sources.iter()), open, work, output);
    let CountOutput { console: back, json, columns, total, counted, inputs, outcome, .. } = output;
    *console = back;
    ended?;
    console.flush()?;
    console.progress = Progress::hidden();
    remark_on_binaries(console, false, &passed_over);
    if inputs > 1 {
        report::total(console, json, &columns, counted, &total);
    }
    console.flush()?;
    Ok(outcome)
}

/// Counts chunks.
struct ChunkCounter(ChunkConverter);

impl Work for ChunkCounter {
    type Context = Route;
    type Done = (ConvertedChunk, Counts);

    fn wants_more(&self, head: &[u8]) -> bool {
        self.0.wants_more(head)
    }

    fn examine(&self, head: &[u8]) -> (Route, Rule) {
        self.0.examine(head)
    }

    fn process(&self, input: &Opened<Route>, window: &Window, (converted, counts): &mut Self::Done) {
        self.0.process(input, window, converted);
        let text = converted.text(window);
        *counts = Counts::default();
        counts.bytes = window.fresh();
        counts.characters.count(text);
        counts.lines = converted.lines(window);
    }
}

/// What is added up and printed, in order.
struct CountOutput {
    console: Console,
    sources: Sources,
    json: bool,
    /// The numbers that were asked for, if not all.
    columns: Vec<Column>,
    total: Counts,
    counted: u64,
    inputs: u64,
    outcome: Outcome,
    /// Of the present input.
    counts: Counts,
    conversion: Option<InputConversion>,
    status: Option<CountStatus>,
}

impl CountOutput {
    fn conclude(
        &mut self,
        name: &Name,
        encoding: Option<&'static str>,
        status: &CountStatus,
    ) -> io::Result<()> {
        let CountOutput { console, json, columns, counts, .. } = self;
        self.inputs += 1;
        match status {
            CountStatus::Counted => {
                if !*json && columns.is_empty() && self.counted == 0 {
                    report::heading(console);
                }
                self.total.add(counts);
                self.counted += 1;
                if !*json {
                    report::row(console, columns, name, counts);
                }
            }
            CountStatus::IllFormed(error) => {
                self.outcome = self.outcome.max(Outcome::IllFormed);
                if !*json {
                    error_line(error, "UTF-8").write(console, name);
                }
            }
            CountStatus::Unreadable(why) => {
                self.outcome = Outcome::Failed;
                console.complain(name, why);
            }
        }
        if *json {
            report::object(console, name, encoding, counts, status);
        }
        console.flush_if_full()
    }
}

impl OrderedOutput<ChunkCounter> for CountOutput {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        self.counts = Counts::default();
        self.conclude(&refusal.name, None, &CountStatus::Unreadable(refusal.why))
    }

    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<ControlFlow<()>> {
        self.console.progress.begin(&input.source.name);
        self.counts = Counts::default();
        self.conversion = Some(InputConversion::new(true, input));
        Ok(ControlFlow::Continue(()))
    }

    fn chunk(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        (converted, counts): &mut (ConvertedChunk, Counts),
    ) -> io::Result<ControlFlow<()>> {
        let CountOutput { console, sources, conversion: Some(conversion), .. } = self else {
            return Ok(ControlFlow::Break(()));
        };
        self.counts.add(counts);
        let mut output = ProgressOnly { console, name: &input.source.name, sources };
        self.status = Some(match conversion.take(input, window, converted, &mut output) {
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Ok(Some(error)) => CountStatus::IllFormed(error),
            Err(ChunkError::Input(why) | ChunkError::Output(why)) => CountStatus::Unreadable(why),
        });
        Ok(ControlFlow::Break(()))
    }

    fn end(&mut self, input: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        self.console.progress.end(input.source.size);
        let status = broken.map(CountStatus::Unreadable).or(self.status.take());
        let status = status.unwrap_or(CountStatus::Counted);
        self.counts.bytes = input.bytes_read(self.counts.bytes);
        self.conclude(&input.source.name, Some(input.context.source_name()), &status)
    }
}

/// Writes nothing, and shows the progress.
struct ProgressOnly<'a> {
    console: &'a mut Console,
    name: &'a Name,
    sources: &'a Sources,
}

impl TextOutput for ProgressOnly<'_> {
    fn write(&mut self, _: &[u8], _: Option<&[u8]>) -> io::Result<()> {
        Ok(())
    }

    fn advance(&mut self, bytes: u64) -> io::Result<()> {
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        Ok(())
    }
}
