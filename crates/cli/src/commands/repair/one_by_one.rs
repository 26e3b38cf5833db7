//! Inputs that are worked on one after the other, in one thread: for what `repair` does that is not replacing.

use std::io;

use crate::commands::text_output::{preview, remark, remark_on_backups, remark_on_copies, show_progress};
use crate::io::name::Name;
use crate::io::output::Refused;
use crate::io::outputs::{Disposition, Outputs};
use crate::io::rejects::Rejects;
use crate::io::source::{Input, Source, Sources};
use crate::pipeline::binaries::opener;
use crate::ui::arguments::repair::RepairArguments;
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;
use crate::ui::progress::Progress;

/// What is done with each input.
pub(super) trait Task {
    /// What was found in one.
    type Found;

    /// Works on an input, and writes what comes of it. That standard output cannot be written ends all; anything else is said of the
    /// input.
    fn work(
        &mut self,
        outputs: &mut Outputs,
        source: &Source,
        input: Input,
    ) -> io::Result<Result<Self::Found, Refused>>;

    /// What that means for the exit code.
    fn outcome(&self, found: &Self::Found) -> Outcome;

    /// Prints what became of an input.
    fn report(
        &self,
        arguments: &RepairArguments,
        console: &mut Console,
        name: &Name,
        result: &Result<Self::Found, Refused>,
    );
}

/// Works on all inputs. What is left out of them goes to `rejects`.
pub(super) fn one_by_one<L: Task>(
    arguments: &RepairArguments,
    sources: &Sources,
    console: &mut Console,
    task: &mut L,
    rejects: Option<Rejects>,
) -> io::Result<Outcome> {
    let mut outputs = Outputs::new(
        sources,
        arguments.writing.destination(),
        arguments.inputs.is_single(),
        "repair",
        arguments.writing.dry_run,
    )
    .with_rejects(rejects);
    if !arguments.quiet {
        show_progress(console, sources, &outputs);
    }
    let (mut open, passed_over) = opener(sources);
    let mut outcome = Outcome::Clean;
    for source in outputs.inputs(sources) {
        let (name, result) = match source {
            Err(refusal) => {
                outputs.input_failed();
                (refusal.name.clone(), Err((refusal.name, refusal.why)))
            }
            Ok(source) => {
                let result = match open(&source) {
                    Ok(None) => continue,
                    Ok(Some(input)) => {
                        console.progress.begin(&source.name);
                        task.work(&mut outputs, &source, input)?
                    }
                    Err(why) => {
                        outputs.input_failed();
                        Err((source.name.clone(), why))
                    }
                };
                console.progress.end(source.size);
                (source.name, result)
            }
        };
        outcome = outcome.max(result.as_ref().map_or(Outcome::Failed, |found| task.outcome(found)));
        if !arguments.quiet {
            task.report(arguments, console, &name, &result);
            remark(console, &mut outputs);
        }
        console.flush()?;
    }
    if let Err((name, why)) = outputs.close() {
        if outputs.to_stdout() {
            return Err(why);
        }
        outcome = Outcome::Failed;
        if !arguments.quiet {
            console.complain(&name, &why);
        }
    }
    if let Err((name, why)) = outputs.close_rejects(outcome != Outcome::Failed) {
        if name == Name::Stdin {
            return Err(why);
        }
        outcome = Outcome::Failed;
        if !arguments.quiet {
            console.complain(&name, &why);
        }
    }
    if !arguments.quiet {
        preview(console, &mut outputs, "repaired");
        remark(console, &mut outputs);
        remark_on_backups(console, &outputs);
    }
    console.flush()?;
    console.progress = Progress::hidden();
    if !arguments.quiet {
        remark_on_copies(console, arguments.verbose, &outputs, &passed_over);
        console.flush()?;
    }
    Ok(outcome)
}

/// Why an output does not begin, for the input that it does not begin for.
pub(super) fn not_begun(source: &Source, refused: Option<Refused>) -> Refused {
    refused.unwrap_or_else(|| {
        (source.name.clone(), io::Error::other("was not read, because the output cannot be written"))
    })
}

/// The end of an output to which all was written, or not. That standard output cannot be written ends all.
pub(super) fn finish<F>(
    outputs: &mut Outputs,
    source: &Source,
    written: io::Result<()>,
    found: F,
) -> io::Result<Result<F, Refused>> {
    let ended = match written {
        Ok(()) => outputs.end(Disposition::Commit).map(drop),
        Err(why) => Err((outputs.abandon().unwrap_or_else(|| source.name.clone()), why)),
    };
    match ended {
        Err((_, why)) if outputs.to_stdout() => Err(why),
        ended => Ok(ended.map(|()| found)),
    }
}
