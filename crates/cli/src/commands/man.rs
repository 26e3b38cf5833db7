//! `runecast man`: manual pages.
//!
//! They are generated from the arguments that the program itself reads, at the moment of the call, so that they
//! cannot be older than the program. A distribution that wants files calls this when it builds its package.

use std::fs;
use std::io;

use clap::CommandFactory as _;
use clap_mangen::Man as Page;

use crate::io::name::Name;
use crate::ui::arguments::man::ManArguments;
use crate::ui::arguments::{CommandLine, refuse};
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;

/// Runs the command.
pub(crate) fn run(arguments: &ManArguments, console: &mut Console) -> io::Result<Outcome> {
    let mut program = CommandLine::command();
    // So that each command knows its place below the program, and is called `runecast-check`.
    program.build();
    let pages: Vec<clap::Command> = match &arguments.command {
        Some(name) => match program.find_subcommand(name) {
            Some(command) => vec![command.clone()],
            None => refuse(&format!("there is no command {name:?} here; `runecast help` lists them")),
        },
        None if arguments.out.is_some() => {
            let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
            std::iter::once(&program).chain(commands).cloned().collect()
        }
        None => vec![program],
    };
    let mut outcome = Outcome::Clean;
    for page in pages {
        let page = Page::new(page).source(concat!("runecast ", env!("CARGO_PKG_VERSION")));
        let Some(directory) = &arguments.out else {
            page.render(&mut console.out)?;
            continue;
        };
        let mut text = Vec::new();
        page.render(&mut text)?;
        let path = directory.join(page.get_filename());
        if let Err(why) = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text)) {
            console.complain(&Name::Path(path.into()), &why);
            outcome = Outcome::Failed;
        }
    }
    console.flush()?;
    Ok(outcome)
}
