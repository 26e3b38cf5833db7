//! The text that `convert` and `repair` write, and the progress bar beside it.

use std::io;

use crate::io::name::{Name, ShownBytes};
use crate::io::output::Refused;
use crate::io::outputs::{Disposition, Outputs};
use crate::io::preview::{ChangedLine, Preview};
use crate::io::source::Sources;
use crate::pipeline::binaries::PassedOver;
use crate::pipeline::route::TextOutput;
use crate::pipeline::shifts::Shifts;
use crate::ui::console::{Console, Styles, push};
use crate::ui::progress::Progress;

/// Writes what comes out of one input.
pub(super) struct Writer<'a> {
    /// Where it goes.
    pub(super) outputs: &'a mut Outputs,
    /// Where the bar is.
    pub(super) console: &'a mut Console,
    /// The input.
    pub(super) name: &'a Name,
    /// All inputs.
    pub(super) sources: &'a Sources,
    /// What joins the pieces, where that has to be done.
    pub(super) shifts: Option<&'a mut Shifts>,
}

impl TextOutput for Writer<'_> {
    fn write(&mut self, text: &[u8], original: Option<&[u8]>) -> io::Result<()> {
        let text = self.shifts.as_mut().map_or(text, |shifts| shifts.join(text));
        self.outputs.write(text, original)
    }

    fn advance(&mut self, bytes: u64) -> io::Result<()> {
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        // The input may be a live stream, and someone may be waiting for each piece of it.
        self.outputs.flush()
    }
}

/// An input has ended, and perhaps its output: whether that is not what it was, as far as is known.
pub(super) fn end(
    outputs: &mut Outputs,
    shifts: &mut Shifts,
    disposition: Disposition,
) -> Result<bool, Refused> {
    if outputs.end_with_inputs() {
        write_end(outputs, shifts)?;
    }
    outputs.end(disposition)
}

/// All inputs have ended, and their outputs.
pub(super) fn close(outputs: &mut Outputs, shifts: &mut Shifts) -> Result<(), Refused> {
    write_end(outputs, shifts)?;
    outputs.close()
}

fn write_end(outputs: &mut Outputs, shifts: &mut Shifts) -> Result<(), Refused> {
    match shifts.end() {
        [] => Ok(()),
        end => outputs.write(end, Some(b"")).map_err(|why| (outputs.abandon().unwrap_or(Name::Stdin), why)),
    }
}

/// Shows the bar, unless a person types the input, or reads the output on the terminal.
pub(super) fn show_progress(console: &mut Console, sources: &Sources, outputs: &Outputs) {
    let interactive = sources.typed() || outputs.to_stdout() && console.out_is_terminal();
    if !interactive && console.err_is_terminal() {
        console.progress = Progress::shown();
    }
}

/// Says what files that were replaced have not kept.
pub(super) fn remark(console: &mut Console, outputs: &mut Outputs) {
    let Styles { strong, .. } = console.err_styles;
    for (name, remark) in outputs.take_remarks() {
        push(&mut console.err, format_args!("runecast: {strong}{name}{strong:#}: {remark}\n"));
    }
}

/// Shows what would change in files.
pub(super) fn preview(console: &mut Console, outputs: &mut Outputs, verb: &str) {
    let Styles { strong, bad, good, faint } = console.out_styles;
    let out = &mut console.out;
    for (name, Preview { lines, more, .. }) in outputs.take_previews() {
        push(out, format_args!("{strong}{name}:{strong:#} would be {verb}\n"));
        for ChangedLine { number, old, new } in lines {
            push(out, format_args!("  {bad}-{number}: {}{bad:#}\n", ShownBytes(&old)));
            if let Some(new) = new {
                push(out, format_args!("  {good}+{number}: {}{good:#}\n", ShownBytes(&new)));
            }
        }
        if more > 0 {
            let lines = if more == 1 { "line" } else { "lines" };
            push(out, format_args!("  {faint}… and {more} more {lines}{faint:#}\n"));
        }
    }
}

/// Says how many backups were no inputs.
pub(super) fn remark_on_backups(console: &mut Console, outputs: &Outputs) {
    if let Some((count, suffix)) = outputs.backups() {
        let suffix = Name::Path(suffix.clone());
        let left = match count {
            1 => format!("1 file is a backup (NAME{suffix}) and was left unchanged"),
            _ => format!("{count} files are backups (NAME{suffix}) and were left unchanged"),
        };
        push(&mut console.err, format_args!("runecast: {left}\n"));
    }
}

/// Says how many files were not copied because they are no text. A copy lacks them, and so whoever reads the messages is told in any case.
pub(super) fn remark_on_copies(
    console: &mut Console,
    verbose: bool,
    outputs: &Outputs,
    passed_over: &PassedOver,
) {
    match passed_over.count() {
        count @ 1.. if outputs.makes_copies() => {
            let plural = if count == 1 { "" } else { "s" };
            push(
                &mut console.err,
                format_args!(
                    "runecast: {count} file{plural} not copied: not text (--binary includes such files)\n"
                ),
            );
        }
        _ => remark_on_binaries(console, verbose, passed_over),
    }
}

/// Says how many files were passed over because they are no text, where a person sees it or has asked for it; and in any case
/// that no file was found, if patterns say which.
pub(super) fn remark_on_binaries(console: &mut Console, verbose: bool, passed_over: &PassedOver) {
    let count = passed_over.count();
    if count > 0 && (verbose || console.err_is_terminal()) {
        let plural = if count == 1 { "" } else { "s" };
        push(
            &mut console.err,
            format_args!("runecast: {count} file{plural} skipped: not text (--binary includes such files)\n"),
        );
    }
    if passed_over.is_unmatched() {
        remark_on_no_match(console);
    }
}

/// Says that no file below a directory matches a pattern.
pub(super) fn remark_on_no_match(console: &mut Console) {
    push(&mut console.err, format_args!("runecast: no file matches --include\n"));
}
