//! `runecast completions`: scripts with which a shell completes the command line.
//!
//! They are generated from the arguments that the program itself reads, at the moment of the call, so that they
//! cannot be older than the program. A distribution that wants files calls this when it builds its package.

use std::io;

use clap::CommandFactory as _;

use crate::ui::arguments::CommandLine;
use crate::ui::arguments::completions::CompletionsArguments;
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;

/// Runs the command.
pub(crate) fn run(arguments: &CompletionsArguments, console: &mut Console) -> io::Result<Outcome> {
    let mut command = CommandLine::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(arguments.shell, &mut command, name, &mut console.out);
    console.flush()?;
    Ok(Outcome::Clean)
}
