//! The subcommands, each in a file or a folder of its own, with one function `run`.
//!
//! A command gets its arguments and a [`Console`], through which it prints. Some of them share what is in
//! [`marks`], [`conversion_error`], [`other_encoding`] and [`text_output`]. What [`encoded_twice`] knows is for `convert` alone.

mod bench;
mod check;
mod completions;
mod conversion_error;
mod convert;
mod count;
mod cpu;
mod detect;
mod encoded_twice;
mod explain;
mod lab;
mod man;
mod marks;
mod other_encoding;
mod repair;
mod text_output;

use std::io;

use crate::ui::arguments::Command;
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;

/// Runs a command.
pub(crate) fn run(command: &Command, console: &mut Console) -> io::Result<Outcome> {
    match command {
        Command::Check(arguments) => check::run(arguments, console),
        Command::Convert(arguments) => convert::run(arguments, console),
        Command::Repair(arguments) => repair::run(arguments, console),
        Command::Explain(arguments) => explain::run(arguments, console),
        Command::Count(arguments) => count::run(arguments, console),
        Command::Cpu(arguments) => cpu::run(arguments, console),
        Command::Lab(arguments) => lab::run(arguments, console),
        Command::Detect(arguments) => detect::run(arguments, console),
        Command::Completions(arguments) => completions::run(arguments, console),
        Command::Man(arguments) => man::run(arguments, console),
        Command::Bench(arguments) => bench::run(arguments, console),
    }
}
