//! `runecast`, the command line.
//!
//! This file does three things: it reads the grammar, hands over to the command, and turns what
//! comes back into an exit code. A command is one module with one function `run`; it gets its
//! arguments and a [`Console`], the only door to the user. The rest of the house:
//!
//! - [`grammar`]: what may be written on the command line; the same words mean the same everywhere.
//! - [`source`]: the inputs: files, directories, standard input; [`feed`]: their chunks, in order.
//! - [`crew`]: the threads, and the order in which they have their turns.
//! - [`window`]: the memory through which an input goes, chunk by chunk, so that it stays constant;
//!   [`scan`]: validation in it; [`passage`]: conversion; [`mend`]: repair; [`tally`] counts for them.
//! - [`encoding`]: the names of encodings; [`output`]: which output belongs to which input; [`target`]: output
//!   that is complete or not there, also after an [`interrupt`]ion.
//! - [`explain`] and [`lab`] have a crate of their own behind them; so have lines and columns (the former).
//! - [`paper`]: the grammar itself, for shells and manuals.
//! - [`bench`]: how fast it is; [`picture`]: what it and the lab draw with.
//! - [`report`]: what is said about each input: sentences, JSON, a list, statistics.
//! - [`console`]: the streams, colours and closed pipes; [`progress`]: the bar;
//!   [`name`]: names of files that are safe to show.
//!
//! Exit codes are part of the grammar: 0 for "all well-formed", 1 for "something is ill-formed",
//! 2 for "could not do all that was asked". The worst one wins, for a script that sees a 1 may
//! rely on it that every input was looked at.

mod bench;
mod check;
mod console;
mod convert;
mod count;
mod cpu;
mod crew;
mod detect;
mod encoding;
mod explain;
mod feed;
mod grammar;
mod interrupt;
mod lab;
mod mend;
mod name;
mod output;
mod paper;
mod passage;
mod picture;
mod progress;
mod repair;
mod report;
mod scan;
mod source;
mod tally;
mod target;
mod window;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;

use crate::console::Console;
use crate::grammar::{Command, Grammar};

/// What a command came to. The order is that of severity: the greatest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything is well-formed.
    Clean = 0,
    /// Something is ill-formed.
    IllFormed = 1,
    /// Something could not be done: a wrong argument, a file that cannot be read.
    Failed = 2,
}

fn main() -> ExitCode {
    let grammar = Grammar::parse();
    grammar.color.color.apply();
    let outcome = match grammar.command {
        Command::Check(arguments) => check::run(&arguments, &mut Console::new()),
        Command::Convert(arguments) => convert::run(&arguments, &mut Console::new()),
        Command::Repair(arguments) => repair::run(&arguments, &mut Console::new()),
        Command::Explain(arguments) => explain::run(&arguments, &mut Console::new()),
        Command::Count(arguments) => count::run(&arguments, &mut Console::new()),
        Command::Cpu(arguments) => cpu::run(&arguments, &mut Console::new()),
        Command::Lab(arguments) => lab::run(&arguments, &mut Console::new()),
        Command::Detect(arguments) => detect::run(&arguments, &mut Console::new()),
        Command::Completions(arguments) => paper::completions(&arguments, &mut Console::new()),
        Command::Man(arguments) => paper::man(&arguments, &mut Console::new()),
        Command::Bench(arguments) => bench::run(&arguments, &mut Console::new()),
    };
    ExitCode::from(match outcome {
        Ok(outcome) => outcome as u8,
        Err(error) => {
            // A reader that has seen enough (`| head`) closes the pipe. That is no accident to
            // talk about, but not all was said, so it is no success either.
            if error.kind() != io::ErrorKind::BrokenPipe {
                let what = console::plain(&error);
                let _ = writeln!(io::stderr(), "runecast: cannot write the output: {what}");
            }
            Outcome::Failed as u8
        }
    })
}
