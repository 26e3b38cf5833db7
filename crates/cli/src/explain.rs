//! `runecast explain`: why a text is ill-formed, byte by byte, and what becomes of it elsewhere.
//!
//! What there is to say, and from which bytes, is found in `runecast_explain`, which the page in `web/` uses
//! as well. Here are the inputs, and the two reports to which each [`Stretch`] is handed: [`text`] for people,
//! [`json`] for programs.

mod json;
mod text;

use std::io;

use runecast_explain::{Limits, SPAN, Stretch, Summary, explain};

use crate::Outcome;
use crate::console::{Console, push};
use crate::grammar::{Explain, Format};
use crate::name::Name;
use crate::source::{Input, Sources};
pub(crate) use text::wrapped;

/// So many stretches are explained if not all are asked for.
const SHOWN: usize = 3;

/// Who tells.
trait Report {
    /// A stretch, of an input that is ill-formed or not.
    fn stretch(&mut self, console: &mut Console, name: &Name, stretch: &Stretch);
    /// That was all.
    fn close(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: Option<&io::Error>);
}

/// Runs the command.
pub(crate) fn run(arguments: &Explain, console: &mut Console) -> io::Result<Outcome> {
    let (name, input) = match (&arguments.hex, &arguments.text) {
        (Some(bytes), _) => (Name::Inline("hex"), Ok(inline(&bytes.0))),
        (None, Some(text)) => (Name::Inline("text"), Ok(inline(text.as_encoded_bytes()))),
        (None, None) => {
            let sources = Sources::files(arguments.file.as_slice());
            if arguments.file.is_none() && sources.wait_for_typing() && console.err_is_terminal() {
                push(
                    &mut console.err,
                    format_args!(
                        "runecast: nothing is named, so I read what you type; end it with Ctrl-D \
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
    let mut report: Box<dyn Report> = match arguments.shape.format {
        Format::Text => Box::new(text::Text),
        Format::Json => Box::new(json::Json::default()),
    };
    let limit = if arguments.all { usize::MAX } else { SHOWN };
    let mut summary = Summary::default();
    let mut fate = Ok(());
    let told = input.and_then(|mut input| {
        let mut tell = |stretch: &Stretch| {
            report.stretch(console, &name, stretch);
            fate = console.relieve();
            fate.is_ok()
        };
        let mut read = |buffer: &mut [u8]| input.read(buffer);
        explain(&mut read, Limits { whole: SPAN, stretches: limit }, &mut summary, &mut tell)
    });
    fate?;
    report.close(console, &name, &summary, told.as_ref().err());
    console.flush()?;
    Ok(match told {
        Err(_) => Outcome::Failed,
        Ok(()) if summary.ill_formed => Outcome::IllFormed,
        Ok(()) => Outcome::Clean,
    })
}

/// Bytes of the command line as an input.
fn inline(bytes: &[u8]) -> Input {
    Input::Stream(Box::new(io::Cursor::new(bytes.to_vec())))
}
