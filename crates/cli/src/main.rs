//! `runecast`, the command line.
//!
//! This file reads the arguments, hands over to the command, and turns what comes back into an exit code. The rest
//! is in four folders, and an arrow means "uses":
//!
//! ```text
//!     commands ──> pipeline ──> io
//!        └───────> ui ────────> io
//! ```
//!
//! - [`commands`]: one file or folder for each subcommand: it joins the parts below, and decides what is printed.
//! - [`pipeline`]: from open inputs to results in their order: chunks, threads, validation, conversion, repair.
//! - [`io`]: sources, outputs that are complete or not there, interruption, and the names of files.
//! - [`ui`]: arguments, console, progress, JSON, pictures, and the exit code.
//!
//! No file uses one that uses it; `tests/cli/layers.rs` reads the sources and holds them to that.

mod commands;
mod io;
mod pipeline;
mod ui;

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use crate::ui::arguments::CommandLine;
use crate::ui::console::{Console, plain};
use crate::ui::outcome::Outcome;

fn main() -> ExitCode {
    let outcome = CommandLine::read().and_then(|line| commands::run(&line.command, &mut Console::new()));
    ExitCode::from(match outcome {
        Ok(outcome) => outcome as u8,
        Err(error) => {
            // A reader that has seen enough (`| head`) closes the pipe. That is not worth a message,
            // but not all was printed, so it is no success either.
            if error.kind() != ErrorKind::BrokenPipe {
                let what = plain(&error);
                let _ = writeln!(std::io::stderr(), "runecast: cannot write the output: {what}");
            }
            Outcome::Failed as u8
        }
    })
}
