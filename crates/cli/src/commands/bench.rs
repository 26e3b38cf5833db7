//! `runecast bench`: how fast it is, on this machine, with this text, beside others.
//!
//! The [`texts`] are generated or the user's own; an [`operation`] is done with each by every kernel that this CPU has, by
//! std and, to validate, by simdutf8; [`measure`] lets them run against each other. What comes out is shown by
//! [`table`], [`json`], and as a picture ([`bars`], [`roof`], [`page`]), and [`comparison`] puts it into a sentence.
//!
//! Numbers that a busy machine has spoilt look like others. So the spread is shown beside them, a comparison
//! that rests on a poor one is marked with `~`, and speeds that cannot be told apart are marked as equal.

mod bars;
mod by_std;
mod comparison;
mod findings;
mod json;
mod machine;
mod measure;
mod operation;
mod page;
mod rival;
mod roof;
mod style;
mod table;
mod texts;

use std::io;
use std::path::Path;
use std::time::Duration;

use runecast_corpus::Script;

use findings::Findings;
use machine::Machine;
use measure::{Plan, Stopwatch};
use operation::Operation;
use texts::Text;

use crate::io::name::{Name, is_dash};
use crate::io::output::{Output, is_same};
use crate::ui::arguments::bench::{BenchArguments, Scripts};
use crate::ui::arguments::shared::Format;
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;
use crate::ui::progress::Progress;

/// The sizes of texts, in bytes: generated, and of files at most.
const GENERATED: usize = 128 << 10;
const OF_FILES: usize = 16 << 20;

/// Where curves begin and end.
const SHORTEST: usize = 64;
const LONGEST: usize = 64 << 20;
const LONGEST_QUICK: usize = 1 << 20;

/// How long it may take.
const TIME: Duration = Duration::from_secs(15);
const TIME_QUICK: Duration = Duration::from_secs(2);

/// Runs the command.
pub(crate) fn run(arguments: &BenchArguments, console: &mut Console) -> io::Result<Outcome> {
    if let Some((name, why)) = collision(arguments) {
        console.complain(&name, &io::Error::other(why));
        console.flush()?;
        return Ok(Outcome::Failed);
    }
    // Whether a picture can be written is better known before the work than after it.
    let (svg, html) =
        match (open(arguments.svg.as_deref(), console), open(arguments.html.as_deref(), console)) {
            (Ok(svg), Ok(html)) => (svg, html),
            _ => {
                console.flush()?;
                return Ok(Outcome::Failed);
            }
        };
    let (texts, mut outcome) = texts(arguments, console);
    console.flush()?;
    if texts.is_empty() {
        return Ok(outcome);
    }
    if console.err_is_terminal() {
        console.progress = Progress::of_steps();
    }
    let plan = plan(arguments);
    let (rows, curves, agreement) = Stopwatch::new(&plan, &texts, console).run();
    console.progress = Progress::hidden();
    outcome = outcome.max(agreement);
    for name in &arguments.only {
        if !rows.iter().any(|row| row.operation.name == *name) && agreement == Outcome::Clean {
            let why = io::Error::other("none of the texts can be used to measure it");
            console.complain(name, &why);
            outcome = Outcome::Failed;
        }
    }
    if rows.is_empty() {
        console.flush()?;
        return Ok(Outcome::Failed);
    }
    let findings = Findings { machine: Machine::this(), texts, rows, curves };
    let drawn = |path: &Option<_>| path.as_deref().is_some_and(is_dash);
    if arguments.output_format.format == Format::Json {
        json::object(&findings, &mut console.out);
    } else if !drawn(&arguments.svg) && !drawn(&arguments.html) {
        table::tables(&findings, console);
    }
    for (picture, draw) in [(svg, page::svg as fn(&Findings) -> String), (html, page::html)] {
        if let Some((mut output, name)) = picture {
            let written = output.write(draw(&findings).as_bytes(), None);
            if let Err(why) = written.and_then(|()| output.commit()) {
                console.complain(&name, &why);
                outcome = Outcome::Failed;
            }
        }
    }
    console.flush()?;
    Ok(outcome)
}

/// A picture that would take the place of a text, or of the other picture; and what is wrong with it.
fn collision(arguments: &BenchArguments) -> Option<(Name, &'static str)> {
    let [svg, html] = [arguments.svg.as_deref(), arguments.html.as_deref()];
    let name = |path: &Path| Name::Path(path.into());
    let pictures = [svg, html].into_iter().flatten();
    for picture in pictures.filter(|picture| !is_dash(picture)) {
        if arguments.files.iter().any(|file| !is_dash(file) && is_same(&name(file), Some(picture))) {
            return Some((name(picture), "is both input and output"));
        }
    }
    let (svg, html) = (svg?, html?);
    let both = svg == html || is_same(&name(svg), Some(html));
    both.then(|| (name(html), "cannot be the file of both pictures"))
}

/// The output for a picture, and what to call it; none if none is wanted.
type Picture = Option<(Output, Name)>;

/// Opens the file for a picture, or says why not.
fn open(path: Option<&Path>, console: &mut Console) -> Result<Picture, ()> {
    let Some(path) = path else { return Ok(None) };
    match Output::open(path) {
        Ok(opened) => Ok(Some(opened)),
        Err((name, why)) => {
            console.complain(&name, &why);
            Err(())
        }
    }
}

/// The texts that are asked for.
fn texts(arguments: &BenchArguments, console: &mut Console) -> (Vec<Text>, Outcome) {
    if !arguments.files.is_empty() {
        return texts::read(arguments, arguments.size.unwrap_or(OF_FILES), console);
    }
    let usual: &[Script] = if arguments.quick { &texts::FEW } else { &texts::USUAL };
    let mut scripts = Vec::new();
    for scripts_of in &arguments.scripts {
        match scripts_of {
            Scripts::One(script) => scripts.push(*script),
            // Curves are on the first text that is not mere ASCII, and want one that is the same all along.
            Scripts::All => {
                scripts.extend(Script::SCRIPTS);
                scripts.extend(Script::documents().iter().filter(|kind| !Script::SCRIPTS.contains(kind)));
            }
        }
    }
    let scripts = if scripts.is_empty() { usual } else { &scripts };
    let size = arguments.size.unwrap_or(GENERATED);
    let texts = scripts.iter().map(|&script| Text::generated(script, size));
    // No single byte is an emoji.
    let texts: Vec<_> = texts.filter(|text| !text.bytes().is_empty()).collect();
    if texts.is_empty() {
        console.complain(&"--size", &io::Error::other("is too small for one character of the text"));
        return (texts, Outcome::Failed);
    }
    (texts, Outcome::Clean)
}

fn plan(arguments: &BenchArguments) -> Plan {
    let longest = arguments.curves.unwrap_or(if arguments.quick { LONGEST_QUICK } else { LONGEST });
    let step = if arguments.quick { 4 } else { 2 };
    let sizes = std::iter::successors(Some(SHORTEST), |size| size.checked_mul(step));
    let all = || operation::ALL.iter().collect();
    let only = || arguments.only.iter().map(|name| Operation::named(*name)).collect();
    Plan {
        operations: if arguments.only.is_empty() { all() } else { only() },
        rounds: arguments.rounds,
        time: arguments.time.unwrap_or(if arguments.quick { TIME_QUICK } else { TIME }),
        sizes: sizes.take_while(|&size| size <= longest).collect(),
    }
}
