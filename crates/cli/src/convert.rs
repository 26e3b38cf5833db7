//! `runecast convert`: from one encoding to another.
//!
//! The command joins the parts: it looks at the beginning of each input to know what it is, has a
//! [`crew`](crate::crew) convert it, and lets the [`output`](crate::output) have its name only if nothing was wrong.
//! With `-c` what cannot be converted is left out instead, and counted.

pub(crate) mod json;

use std::io;
use std::mem;
use std::sync::Arc;

use crate::Outcome;
use crate::console::{Console, Styles, plain, push};
use crate::crew::{Crew, Ledger, Then};
use crate::encoding::{Label, Scheme, recognize, written};
use crate::feed::Opened;
use crate::grammar::{Bom, Convert, Format};
use crate::name::Name;
use crate::output::{Fate, Outputs};
use crate::passage::{Conversion, Converted, Look, Outlet, Passage, Route, Stop, Sum};
use crate::progress::Progress;
use crate::report::text::write_stop;
use crate::scan::Broken;
use crate::source::{Refusal, Source, Sources};
use crate::window::Window;

/// Runs the command.
pub(crate) fn run(arguments: &Convert, console: &mut Console) -> io::Result<Outcome> {
    if arguments.list {
        return list(console);
    }
    arguments.insist();
    let sources = Sources::new(&arguments.inputs);
    let outputs = Outputs::new(&arguments.writing, &arguments.inputs, "convert");
    if !arguments.quiet {
        expect_patience(console, &sources, &outputs);
    }
    let book = Book {
        console: mem::take(console),
        sources: sources.clone(),
        outputs,
        to: written(arguments.to.label),
        quiet: arguments.quiet,
        verbose: arguments.verbose,
        omits: arguments.omits(),
        json: arguments.shape.format == Format::Json,
        outcome: Outcome::Clean,
        passage: None,
        met: None,
    };
    let mut crew = Crew::new(arguments.jobs.jobs);
    crew.one_by_one = book.outputs.in_place();
    let work = Conversion { look: look(arguments), places: !arguments.quiet, omits: arguments.omits() };
    let (mut book, ended) = crew.run(Box::new(sources.iter()), Box::new(Source::open), work, book);
    let closed = ended.and_then(|()| book.close());
    *console = book.console;
    closed?;
    console.flush()?;
    console.progress = Progress::hidden();
    Ok(book.outcome)
}

/// Puts up the bar, unless a person types, or reads the output on the terminal.
pub(crate) fn expect_patience(console: &mut Console, sources: &Sources, outputs: &Outputs) {
    let busy = sources.wait_for_typing() || outputs.to_stdout() && console.out_is_terminal();
    if !busy && console.err_is_terminal() {
        console.progress = Progress::shown();
    }
}

/// Finds the way of an input.
fn look(arguments: &Convert) -> Look {
    let (from, assume) = (arguments.reading.from, arguments.reading.assume);
    let (bom, target) = (arguments.bom, arguments.to.label);
    Box::new(move |head| {
        let scheme = recognize(from, head, assume);
        let marks = Marks::of(bom, (from, scheme), target, head);
        marks.route(scheme, written(target))
    })
}

/// What became of the conversion of an input, if it did not come to its end.
enum Met {
    /// An error in it.
    Stop(Stop),
    /// It cannot be read.
    Input(io::Error),
    /// The output cannot be written, or not for this input; and it has been said why.
    Output(Option<String>),
}

/// The conversions in order.
struct Book {
    console: Console,
    sources: Sources,
    outputs: Outputs,
    to: Scheme,
    quiet: bool,
    verbose: bool,
    omits: bool,
    json: bool,
    outcome: Outcome,
    /// Of the present input.
    passage: Option<Passage>,
    met: Option<Met>,
}

impl Book {
    fn fail(&mut self, name: &Name, why: &io::Error) {
        self.outcome = Outcome::Failed;
        self.console.complain(name, why);
    }

    /// The output cannot be written: that of the process ends all.
    fn blame(&mut self, name: Option<Name>, why: io::Error) -> io::Result<Then> {
        if self.outputs.to_stdout() {
            return Err(why);
        }
        if let Some(name) = name {
            self.fail(&name, &why);
        }
        self.met = Some(Met::Output(Some(plain(&why))));
        Ok(Then::Stop)
    }

    /// An input is converted, save what was left out.
    fn praise(&mut self, name: &Name, sum: &Sum) {
        let Styles { strong, bad, good, .. } = self.console.err_styles;
        let line = &mut self.console.err;
        let Sum { omitted, first: Some(first), place, .. } = sum else {
            return push(line, format_args!("{strong}{name}:{strong:#} {good}converted{good:#}\n"));
        };
        push(line, format_args!("{strong}{name}"));
        if let Some(place) = place {
            push(line, format_args!(":{}:{}", place.line, place.column));
        }
        let characters = if *omitted == 1 { "sequence" } else { "sequences" };
        push(
            line,
            format_args!(":{strong:#} byte {first}: {bad}first of {omitted} {characters} left out{bad:#}\n"),
        );
    }

    /// Says what there is to say.
    fn tell(&mut self) -> io::Result<()> {
        if self.quiet {
            self.console.err.clear();
        }
        self.console.flush()
    }

    fn close(&mut self) -> io::Result<()> {
        if let Err((name, why)) = self.outputs.close() {
            self.blame(Some(name), why)?;
            self.tell()?;
        }
        Ok(())
    }
}

impl Ledger<Conversion> for Book {
    fn refused(&mut self, Refusal { name, why }: Refusal) -> io::Result<()> {
        self.fail(&name, &why);
        self.outputs.miss();
        if self.json {
            let numbers = (Sum::default(), self.omits);
            json::object(&mut self.console, &name, None, numbers, Some(&Met::Input(why)));
        }
        self.tell()
    }

    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<Then> {
        self.console.progress.begin(&input.source.name);
        self.passage = Some(Passage::new(!self.quiet, input));
        let begun = match self.outputs.begin(&input.source.name) {
            Ok(true) => self.outputs.write(input.context.mark()),
            Ok(false) => Ok(()),
            Err(refused) => {
                self.met = Some(Met::Output(refused.as_ref().map(|(_, why)| plain(why))));
                if let Some((name, why)) = refused {
                    self.fail(&name, &why);
                }
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

    fn chunk(&mut self, input: &Opened<Route>, window: &Window, done: &mut Converted) -> io::Result<Then> {
        let Book { console, sources, outputs, passage: Some(passage), .. } = self else {
            return Ok(Then::Stop);
        };
        let mut flow = Flow { outputs, console, name: &input.source.name, sources };
        self.met = match passage.take(input, window, done, &mut flow) {
            Ok(None) => return Ok(Then::GoOn),
            Ok(Some(stop)) => Some(Met::Stop(stop)),
            Err(Broken::Input(why)) => Some(Met::Input(why)),
            Err(Broken::Output(why)) => {
                let name = self.outputs.give_up();
                return self.blame(name, why);
            }
        };
        Ok(Then::Stop)
    }

    fn end(&mut self, input: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        let name = &input.source.name;
        self.console.progress.end(input.source.size);
        let schemes = (input.context.from, input.context.to);
        let met = broken.map(Met::Input).or(self.met.take());
        match &met {
            Some(Met::Stop(stop)) => {
                self.outcome = self.outcome.max(Outcome::IllFormed);
                if !self.json {
                    write_stop(&mut self.console, name, stop, self.to);
                }
            }
            Some(Met::Input(why)) => self.fail(name, why),
            Some(Met::Output(_)) | None => {}
        }
        // What came before an error is the reader's; a file is given up.
        let fate = if met.is_none() { Fate::Counts } else { Fate::GivenUp };
        if let Err((name, why)) = self.outputs.end(fate) {
            self.blame(Some(name), why)?;
        }
        let met = met.or(self.met.take());
        let passage = self.passage.take().map(|passage| passage.sum).unwrap_or_default();
        if met.is_none() && passage.omitted > 0 {
            self.outcome = self.outcome.max(Outcome::IllFormed);
        }
        if self.json {
            let numbers = (passage, self.omits);
            json::object(&mut self.console, name, Some(schemes), numbers, met.as_ref());
        } else if self.verbose && met.is_none() {
            self.praise(name, &passage);
        }
        self.tell()
    }
}

/// What happens to the byte order mark.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// The input has one that is to be left out.
    pub(crate) skip: bool,
    /// The output begins with one, besides what comes from the input.
    pub(crate) write: bool,
}

impl Marks {
    /// The route with these marks.
    pub(crate) fn route(&self, from: Scheme, to: Scheme) -> Route {
        Route { from, to, skip: if self.skip { from.mark().len() } else { 0 }, mark: self.write }
    }

    /// For an input that begins with `head`, and is called `source` on the command line and recognised
    /// as `from`.
    pub(crate) fn of(
        wish: Option<Bom>,
        (source, from): (Label, Scheme),
        target: Label,
        head: &[u8],
    ) -> Marks {
        let there = from.is_marked(head);
        match wish {
            Some(Bom::Add) => Marks { skip: there, write: true },
            Some(Bom::Strip) => Marks { skip: there, write: false },
            Some(Bom::Keep) => Marks { skip: false, write: false },
            None if target.is_plain() => Marks { skip: there, write: true },
            None => {
                let meaningless = source.is_plain() || written(target).mark().is_empty();
                Marks { skip: there && meaningless, write: false }
            }
        }
    }
}

/// Passes on what comes out of one input.
pub(crate) struct Flow<'a> {
    /// Where it goes.
    pub(crate) outputs: &'a mut Outputs,
    /// Where the bar is.
    pub(crate) console: &'a mut Console,
    /// The input.
    pub(crate) name: &'a Name,
    /// All of them.
    pub(crate) sources: &'a Sources,
}

impl Outlet for Flow<'_> {
    fn take(&mut self, text: &[u8]) -> io::Result<()> {
        self.outputs.write(text)
    }

    fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        // The input may be a live stream, and someone waiting for each piece of it.
        self.outputs.flush()
    }
}

/// Lists the encodings, one a line, with all names.
fn list(console: &mut Console) -> io::Result<Outcome> {
    let Styles { strong, .. } = console.out_styles;
    for (_, name, others) in Label::names() {
        // (A blank in a name could as well be a hyphen, or nothing.)
        push(&mut console.out, format_args!("{strong}{}{strong:#}", name.replace(' ', "-")));
        for other in others {
            push(&mut console.out, format_args!(" {}", other.replace(' ', "-")));
        }
        push(&mut console.out, format_args!("\n"));
    }
    console.flush()?;
    Ok(Outcome::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_by_custom_unless_told_otherwise() {
        let label = |name: &str| name.parse::<Label>().expect("an encoding");
        let marks = |wish, source, target, head: &[u8]| {
            let source = label(source);
            let from = recognize(source, head, Default::default());
            let Marks { skip, write } = Marks::of(wish, (source, from), label(target), head);
            (skip, write)
        };
        let (marked, plain) = (b"\xFF\xFEa\0".as_slice(), b"a\0b\0".as_slice());
        let utf8 = b"\xEF\xBB\xBFa".as_slice();
        assert_eq!(marks(None, "utf-16", "utf-8", marked), (true, false));
        assert_eq!(marks(None, "utf-16", "utf-8", plain), (false, false));
        assert_eq!(marks(None, "utf-16", "utf-16", marked), (true, true));
        assert_eq!(marks(None, "utf-16le", "utf-8", marked), (false, false));
        assert_eq!(marks(None, "utf-8", "utf-16", utf8), (true, true));
        assert_eq!(marks(None, "utf-8", "utf-16le", utf8), (false, false));
        assert_eq!(marks(None, "utf-8", "latin1", utf8), (true, false));
        assert_eq!(marks(None, "latin1", "utf-8", b"\xFF\xFE"), (false, false));
        assert_eq!(marks(Some(Bom::Keep), "utf-16", "utf-8", marked), (false, false));
        assert_eq!(marks(Some(Bom::Keep), "utf-8", "utf-16", b"a"), (false, false));
        assert_eq!(marks(Some(Bom::Add), "utf-8", "utf-8", utf8), (true, true));
        assert_eq!(marks(Some(Bom::Add), "utf-8", "utf-8", b"a"), (false, true));
        assert_eq!(marks(Some(Bom::Strip), "utf-8", "utf-8", utf8), (true, false));
        assert_eq!(marks(Some(Bom::Strip), "utf-8", "utf-16", b"a"), (false, false));
    }
}
