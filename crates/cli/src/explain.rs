//! `runecast explain`: why a text is ill-formed, byte by byte, and what becomes of it elsewhere.
//!
//! The input is read in chunks, of which no more is held than an explanation needs; so a long file or a
//! live stream takes no more memory than a short one. Around each error a [`Stretch`] is cut out and
//! handed to a report: [`text`] for people, [`json`] for programs. An input of a few bytes, and most
//! that come from the command line are, is one stretch.
//!
//! What is ill-formed, and what could have stood there instead, is asked of the library
//! ([`rules`](crate::rules)); nothing here knows UTF-8 by heart.

mod json;
mod stretch;
mod text;

use std::io;

use runecast::{Utf8, validate};

use crate::Outcome;
use crate::console::{Console, push};
use crate::grammar::{Explain, Format};
use crate::name::Name;
use crate::position::Cursor;
use crate::source::{Input, Sources};
use crate::window::CHUNK;
use stretch::{CONTEXT, Extent, ROOM, SPAN, Stretch};
pub(crate) use text::wrapped;

/// So many stretches are explained if not all are asked for.
const SHOWN: usize = 3;

/// An input up to this length is explained as a whole.
const SHORT: usize = SPAN;

/// What was found out about an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Summary {
    /// Bytes read.
    bytes: u64,
    /// Stretches explained.
    stretches: usize,
    /// Whether there are errors that were not explained.
    more: bool,
    /// Whether there is any error.
    ill_formed: bool,
}

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
    let told = input.and_then(|input| {
        let mut held = Held { input, bytes: Vec::new(), base: 0, ended: false };
        let mut tell = |stretch: &Stretch| {
            report.stretch(console, &name, stretch);
            fate = console.relieve();
            fate.is_ok()
        };
        explain(&mut held, limit, &mut summary, &mut tell)
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

/// The part of an input that is in memory.
struct Held {
    input: Input,
    bytes: Vec<u8>,
    /// Where it begins in the input.
    base: u64,
    ended: bool,
}

impl Held {
    /// Sees to it that there are so many bytes, or all there are.
    fn need(&mut self, count: usize) -> io::Result<()> {
        while self.bytes.len() < count && !self.ended {
            let before = self.bytes.len();
            self.bytes.resize(before + CHUNK, 0);
            let read = self.input.read(&mut self.bytes[before..]);
            self.bytes.truncate(before + *read.as_ref().unwrap_or(&0));
            self.ended = read? == 0;
        }
        Ok(())
    }

    /// Drops so many bytes at the beginning.
    fn forget(&mut self, count: usize) {
        self.bytes.drain(..count);
        self.base += count as u64;
    }
}

/// Cuts out the stretches, up to a limit, and hands them to `tell` as long as that wants more.
fn explain(
    held: &mut Held,
    limit: usize,
    summary: &mut Summary,
    tell: &mut dyn FnMut(&Stretch) -> bool,
) -> io::Result<()> {
    let mut cursor = Cursor::new();
    held.need(SHORT + 1)?;
    let whole = held.bytes.len() <= SHORT;
    let mut head = held.bytes[..held.bytes.len().min(SHORT)].to_vec();
    // What is validated, and what was shown, up to there.
    let (mut done, mut shown) = (0_usize, 0_usize);
    loop {
        let (text, error) = match validate::<Utf8>(&held.bytes[done..]) {
            Ok(()) => (held.bytes.len() - done, false),
            Err(error) => (error.at, held.ended || !error.is_incomplete()),
        };
        summary.ill_formed |= error;
        if error && summary.stretches == limit {
            summary.more = true;
            break;
        }
        cursor.pass_text(&held.bytes[done..done + text]);
        done += text;
        if !error && held.ended {
            break;
        }
        if !held.ended && held.bytes.len() < done + ROOM {
            let over = done.saturating_sub(CONTEXT);
            held.forget(over);
            (done, shown) = (done - over, shown.saturating_sub(over));
            held.need(if error { done + ROOM } else { held.bytes.len() + 1 })?;
        }
        if error {
            let extent = match whole {
                true => Extent::whole(&held.bytes),
                false => Extent::around(&held.bytes, shown, done),
            };
            let stretch = Stretch::of(&held.bytes, held.base, extent, &mut cursor);
            (done, shown) = (extent.last, extent.end);
            summary.stretches += 1;
            if !tell(&stretch) {
                break;
            }
        }
    }
    summary.bytes = held.base + held.bytes.len() as u64;
    if !summary.ill_formed {
        // Of a longer text that is in order, the beginning.
        if let Err(error) = validate::<Utf8>(&head) {
            head.truncate(error.at);
        }
        let extent = Extent::whole(&head);
        tell(&Stretch::of(&head, 0, extent, &mut Cursor::new()));
    }
    Ok(())
}
