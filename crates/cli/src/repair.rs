//! `runecast repair`: well-formed text from any bytes.
//!
//! The command is the sister of [`convert`](crate::convert): the same look at the beginning of the
//! input, the same outputs, the same marks. But it never stops: an input goes through
//! [`mend`](crate::mend), and what was replaced on the way is told in one line at its end.
//!
//! The encoding stays what it is unless `-t` says otherwise, and a mark with it: of a clean file comes
//! out what went in. With `--in-place` such a file is not even touched, and has no backup.
//!
//! The exit code is 1 if something was replaced, for whoever repairs in a script should learn that
//! something was lost; `--exit-zero` is for those who know.

use std::io;

use runecast::Policy;
use serde::Serialize;

use crate::Outcome;
use crate::console::{Console, Styles, plain, push};
use crate::convert::{Flow, Marks};
use crate::encoding::{Scheme, recognize};
use crate::grammar::{Format, Repair};
use crate::mend::{Mended, Task, chunk_for, mend};
use crate::name::Name;
use crate::progress::Progress;
use crate::report::json::{SCHEMA, path_hex, value};
use crate::scan::Broken;
use crate::source::{Source, Sources};
use crate::target::Target;
use crate::window::Window;

/// Runs the command.
pub(crate) fn run(arguments: &Repair, console: &mut Console) -> io::Result<Outcome> {
    arguments.insist();
    let sources = Sources::files(&arguments.files);
    // A person who types, or reads the output on the terminal, needs no bar there.
    let busy = sources.wait_for_typing() || arguments.writing.to_stdout() && console.out_is_terminal();
    if !arguments.quiet && !busy && console.err_is_terminal() {
        console.progress = Progress::shown();
    }

    let mut memory = Memory { window: Window::new(chunk_for(arguments.policy())), output: Vec::new() };
    let mut outcome = Outcome::Clean;
    for source in sources.iter() {
        let (name, verdict) = match source {
            Ok(source) => {
                console.progress.begin(&source.name);
                let job = Job { arguments, console, sources: &sources, source: &source };
                let verdict = job.run(&mut memory)?;
                console.progress.end(source.size);
                (source.name, verdict)
            }
            Err(refusal) => (refusal.name.clone(), Verdict::failed(refusal.name, refusal.why)),
        };
        outcome = outcome.max(match &verdict.ended {
            Ok(mended) if mended.replaced > 0 && !arguments.exit_zero => Outcome::IllFormed,
            Ok(_) => Outcome::Clean,
            Err(_) => Outcome::Failed,
        });
        if !arguments.quiet {
            tell(arguments, console, &name, &verdict);
        }
        console.flush()?;
    }
    console.progress = Progress::hidden();
    Ok(outcome)
}

/// What can be used again for the next input.
struct Memory {
    window: Window,
    output: Vec<u8>,
}

/// How the work on an input ended.
struct Verdict {
    /// What it was, and became, if that came to be known.
    schemes: Option<(Scheme, Scheme)>,
    /// What was replaced; or who is to blame, and why.
    ended: Result<Mended, (Name, io::Error)>,
}

impl Verdict {
    fn failed(name: Name, why: io::Error) -> Self {
        Verdict { schemes: None, ended: Err((name, why)) }
    }
}

/// The repair of one input.
struct Job<'a> {
    arguments: &'a Repair,
    console: &'a mut Console,
    sources: &'a Sources,
    source: &'a Source,
}

impl Job<'_> {
    /// Only a standard output that cannot be written is an error here; all others are told.
    fn run(self, memory: &mut Memory) -> io::Result<Verdict> {
        let Job { arguments, console, sources, source } = self;
        let name = &source.name;
        let opened = source.open().and_then(|input| input.peek(Scheme::LONGEST_MARK));
        let (head, mut input) = match opened {
            Ok(opened) => opened,
            Err(why) => return Ok(Verdict::failed(name.clone(), why)),
        };
        let label = arguments.reading.from;
        let from = recognize(label, &head, arguments.reading.assume);
        let to = arguments.written(from);
        let marks = arguments.to.map(|to| Marks::of(None, (label, from), to, &head)).unwrap_or_default();
        let verdict = |ended| Ok(Verdict { schemes: Some((from, to)), ended });

        let (mut target, output_name) = match Target::choose(&arguments.writing, name, "repairs") {
            Ok(chosen) => chosen,
            Err(refused) => return verdict(Err(refused)),
        };
        let skip = if marks.skip { from.mark().len() } else { 0 };
        let mark = if marks.write { to.mark() } else { b"" };
        let task = Task { from, to, skip, policy: arguments.policy(), places: !arguments.quiet };
        let mended = target.write(mark).map_err(Broken::Output).and_then(|()| {
            let mut flow = Flow { target: &mut target, console, name, sources };
            mend(&mut input, &mut memory.window, &mut memory.output, task, &mut flow)
        });

        let to_stdout = matches!(target, Target::Stdout);
        let result = match mended {
            Ok(mended) => {
                let untouched = from == to && mended.replaced == 0 && arguments.writing.in_place.is_some();
                if untouched { Ok(mended) } else { target.finish().map(|()| mended) }
            }
            Err(Broken::Input(why)) => return verdict(Err((name.clone(), why))),
            Err(Broken::Output(why)) => Err(why),
        };
        match result {
            Err(why) if to_stdout => Err(why),
            result => verdict(result.map_err(|why| (output_name, why))),
        }
    }
}

/// Says what became of an input.
fn tell(arguments: &Repair, console: &mut Console, name: &Name, verdict: &Verdict) {
    if arguments.shape.format == Format::Json {
        object(arguments.policy(), console, name, verdict);
    }
    let Styles { strong, bad, good, .. } = console.err_styles;
    match &verdict.ended {
        Err((to_blame, why)) => console.complain(to_blame, why),
        Ok(_) if arguments.shape.format == Format::Json => {}
        Ok(Mended { replaced, first: Some(first), place, .. }) => {
            push(&mut console.err, format_args!("{strong}{name}"));
            if let Some(place) = place {
                push(&mut console.err, format_args!(":{}:{}", place.line, place.column));
            }
            let plural = if *replaced == 1 { "" } else { "s" };
            push(
                &mut console.err,
                format_args!(
                    ":{strong:#} byte {first}: {bad}first of {replaced} replacement{plural}{bad:#}\n"
                ),
            );
        }
        Ok(Mended { first: None, .. }) if arguments.verbose => {
            push(
                &mut console.err,
                format_args!("{strong}{name}:{strong:#} {good}nothing to replace{good:#}\n"),
            );
        }
        Ok(_) => {}
    }
}

/// The JSON object of an input, with the schema of the README.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    command: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    #[serde(flatten)]
    policy: By<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    numbers: Option<Numbers>,
}

/// What was written instead, under the name of the option that chose it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum By<'a> {
    Policy(&'static str),
    Escape(&'static str),
    Replacement(&'a str),
}

/// What was replaced.
#[derive(Serialize)]
struct Numbers {
    replaced: u64,
    first: Option<First>,
    bytes_read: u64,
}

/// Where the first replacement was made.
#[derive(Serialize)]
struct First {
    at: u64,
    line: Option<u64>,
    column: Option<u64>,
}

fn object(policy: Policy<'_>, console: &mut Console, name: &Name, verdict: &Verdict) {
    let mended = verdict.ended.as_ref().ok();
    let place = mended.and_then(|mended| mended.place);
    let object = Object {
        schema: SCHEMA,
        command: "repair",
        path: &name.raw().to_string_lossy(),
        path_hex: path_hex(name),
        encoding: verdict.schemes.map(|(from, _)| from.name()),
        to: verdict.schemes.map(|(_, to)| to.name()),
        policy: match policy {
            Policy::Escape(escape) => By::Escape(escape.name()),
            Policy::With(text) => By::Replacement(text),
            Policy::Replace(replacement) => By::Policy(replacement.name()),
            _ => By::Policy("another"),
        },
        status: match mended {
            None => "failed",
            Some(Mended { replaced: 0, .. }) => "clean",
            Some(_) => "repaired",
        },
        reason: verdict.ended.as_ref().err().map(|(_, why)| plain(why)),
        numbers: mended.map(|mended| Numbers {
            replaced: mended.replaced,
            first: mended.first.map(|at| First {
                at,
                line: place.map(|place| place.line),
                column: place.map(|place| place.column),
            }),
            bytes_read: mended.bytes,
        }),
    };
    value(&mut console.out, &object);
    console.out.push(b'\n');
}
