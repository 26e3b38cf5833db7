//! `runecast convert`: from one encoding to another.
//!
//! The command joins the parts: it looks at the beginning of the input to know what it is, opens the
//! output, leads the one through a [`passage`](crate::passage) into the other, and lets the output
//! have its name only if nothing was wrong. With `--in-place` it does so for each file.
//!
//! An output that is its own input is refused, however it is spelt: by a link, through standard
//! input or output. With a file as output it would do no harm; but whoever means it can say
//! `--in-place`, and into standard output it would eat what it reads.

use std::io;

use crate::Outcome;
use crate::console::{Console, Styles, push};
use crate::encoding::{Label, Scheme, recognize, written};
use crate::grammar::{Bom, Convert};
use crate::name::Name;
use crate::passage::{Memory, Outlet, Route, pass};
use crate::progress::Progress;
use crate::report::text::write_stop;
use crate::scan::Broken;
use crate::source::{Source, Sources};
use crate::target::Target;
use crate::window::CHUNK;

/// Runs the command.
pub(crate) fn run(arguments: &Convert, console: &mut Console) -> io::Result<Outcome> {
    if arguments.list {
        return list(console);
    }
    arguments.insist();
    let sources = Sources::files(&arguments.files);
    // A person who types, or reads the output on the terminal, needs no bar there.
    let to_stdout = arguments.writing.to_stdout();
    let busy = sources.wait_for_typing() || to_stdout && console.out_is_terminal();
    if !arguments.quiet && !busy && console.err_is_terminal() {
        console.progress = Progress::shown();
    }

    let mut memory = Memory::new(CHUNK, CHUNK);
    let mut outcome = Outcome::Clean;
    for source in sources.iter() {
        let ended = match source {
            Ok(source) => {
                console.progress.begin(&source.name);
                let mut job = Job { arguments, console, sources: &sources, source: &source };
                let ended = job.run(&mut memory)?;
                console.progress.end(source.size);
                ended
            }
            Err(refusal) => {
                console.complain(&refusal.name, &refusal.why);
                Outcome::Failed
            }
        };
        outcome = outcome.max(ended);
        if arguments.quiet {
            console.err.clear();
        }
        console.flush()?;
    }
    console.progress = Progress::hidden();
    Ok(outcome)
}

/// The conversion of one input.
struct Job<'a> {
    arguments: &'a Convert,
    console: &'a mut Console,
    sources: &'a Sources,
    source: &'a Source,
}

impl Job<'_> {
    /// Only a standard output that cannot be written is an error here; all others are told.
    fn run(&mut self, memory: &mut Memory) -> io::Result<Outcome> {
        let arguments = self.arguments;
        let name = &self.source.name;
        let to = written(arguments.to);

        let opened = self.source.open().and_then(|input| input.peek(Scheme::LONGEST_MARK));
        let (head, mut input) = match opened {
            Ok(opened) => opened,
            Err(why) => return Ok(self.fail(name, &why)),
        };
        let from = recognize(arguments.reading.from, &head, arguments.reading.assume);
        let marks = Marks::of(arguments.bom, (arguments.reading.from, from), arguments.to, &head);

        let (mut target, output_name) = match Target::choose(&arguments.writing, name, "converts") {
            Ok(chosen) => chosen,
            Err((name, why)) => return Ok(self.fail(&name, &why)),
        };

        let skip = if marks.skip { from.mark().len() } else { 0 };
        let route = Route { from, to, skip, places: !arguments.quiet };
        let mark = if marks.write { to.mark() } else { b"" };
        let verdict = target.write(mark).map_err(Broken::Output).and_then(|()| {
            let mut flow = Flow { target: &mut target, console: self.console, name, sources: self.sources };
            pass(&mut input, memory, route, &mut flow)
        });
        let to_stdout = matches!(target, Target::Stdout);
        let result = match verdict {
            Ok(None) => target.finish(),
            Ok(Some(stop)) => {
                write_stop(self.console, name, &stop, to);
                // What came before the error is the reader's; a file is given up.
                if let Err(why) = target.flush() { Err(why) } else { return Ok(Outcome::IllFormed) }
            }
            Err(Broken::Input(why)) => return Ok(self.fail(name, &why)),
            Err(Broken::Output(why)) => Err(why),
        };
        match result {
            Ok(()) => Ok(Outcome::Clean),
            Err(why) if to_stdout => Err(why),
            Err(why) => Ok(self.fail(&output_name, &why)),
        }
    }

    fn fail(&mut self, name: &Name, why: &io::Error) -> Outcome {
        self.console.complain(name, why);
        Outcome::Failed
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
    pub(crate) target: &'a mut Target,
    /// Where the bar is.
    pub(crate) console: &'a mut Console,
    /// The input.
    pub(crate) name: &'a Name,
    /// All of them.
    pub(crate) sources: &'a Sources,
}

impl Outlet for Flow<'_> {
    fn take(&mut self, text: &[u8]) -> io::Result<()> {
        self.target.write(text)
    }

    fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        // The input may be a live stream, and someone waiting for each piece of it.
        self.target.flush()
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
