//! `runecast explain`: why a text is ill-formed, byte by byte, and what becomes of it elsewhere.
//!
//! The explanation is found by `runecast_explain`, which the page in `web/` uses as well. Here are the inputs, and the
//! two reports to which each [`Stretch`] is handed: [`text`] for people, [`json`] for programs.

mod json;
mod report;
mod text;

use std::io;

use runecast_explain::{Limits, SPAN, Stretch, Summary, explain};

use report::StretchReport;

use crate::io::name::Name;
use crate::io::source::{Input, Sources};
use crate::ui::arguments::explain::ExplainArguments;
use crate::ui::arguments::shared::Format;
use crate::ui::console::{Console, push};
use crate::ui::outcome::Outcome;

/// So many stretches are explained if not all are asked for.
const SHOWN: usize = 3;

/// Runs the command.
pub(crate) fn run(arguments: &ExplainArguments, console: &mut Console) -> io::Result<Outcome> {
    let (name, input) = match (&arguments.hex, &arguments.text) {
        (Some(bytes), _) => (Name::Inline("hex"), Ok(inline(&bytes.0))),
        (None, Some(text)) => (Name::Inline("text"), Ok(inline(text.as_encoded_bytes()))),
        (None, None) => {
            let sources = Sources::only_files(arguments.file.as_slice());
            if arguments.file.is_none() && sources.typed() && console.err_is_terminal() {
                push(
                    &mut console.err,
                    format_args!(
                        "runecast: no FILE given: reading what you type; end it with Ctrl-D \
                         (see `runecast explain --help`)\n"
                    ),
                );
                console.flush()?;
            }
            match sources.iter().next() {
                Some(Ok(source)) => (source.name.clone(), source.open()),
                Some(Err(refusal)) => (refusal.name, Err(refusal.why)),
                None => return Ok(Outcome::Clean),
            }
        }
    };
    let limit = match (arguments.all, arguments.limit) {
        (true, 0) => usize::MAX,
        (true, limit) => limit,
        (false, _) => SHOWN,
    };
    let mut report: Box<dyn StretchReport> = match arguments.output_format.format {
        Format::Text => Box::new(text::TextReport::new(arguments.all)),
        Format::Json => Box::new(json::JsonReport::default()),
    };
    let mut summary = Summary::default();
    let mut flushed = Ok(());
    let explained = input.and_then(|mut input| {
        let mut tell = |stretch: &Stretch| {
            report.stretch(console, &name, stretch);
            flushed = console.flush_if_full();
            flushed.is_ok()
        };
        let mut read = |buffer: &mut [u8]| input.read(buffer);
        explain(&mut read, Limits { whole: SPAN, stretches: limit }, &mut summary, &mut tell)
    });
    flushed?;
    report.close(console, &name, &summary, explained.as_ref().err());
    console.flush()?;
    Ok(match explained {
        Err(_) => Outcome::Failed,
        Ok(()) if summary.ill_formed => Outcome::IllFormed,
        Ok(()) => Outcome::Clean,
    })
}

/// Bytes of the command line as an input.
fn inline(bytes: &[u8]) -> Input {
    Input::Stream(Box::new(io::Cursor::new(bytes.to_vec())))
}
