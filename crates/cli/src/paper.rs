//! `runecast completions` and `runecast man`: the grammar, for shells and for manuals.
//!
//! Both are generated from the grammar that the program obeys, at the moment of the call, so that neither
//! can be older than the program. A distribution that wants files calls them when it builds its package.

use std::fs;
use std::io;

use clap::CommandFactory as _;
use clap_mangen::Man as Page;

use crate::Outcome;
use crate::console::Console;
use crate::grammar::{Completions, Grammar, Man, refuse};
use crate::name::Name;

/// What the program is called.
const PROGRAM: &str = "runecast";

/// Runs `completions`.
pub(crate) fn completions(arguments: &Completions, console: &mut Console) -> io::Result<Outcome> {
    clap_complete::generate(arguments.shell, &mut Grammar::command(), PROGRAM, &mut console.out);
    console.flush()?;
    Ok(Outcome::Clean)
}

/// Runs `man`.
pub(crate) fn man(arguments: &Man, console: &mut Console) -> io::Result<Outcome> {
    let mut grammar = Grammar::command();
    // So that each command knows its place below the others, and is called `runecast-check`.
    grammar.build();
    let pages: Vec<clap::Command> = match &arguments.command {
        Some(name) => match grammar.find_subcommand(name) {
            Some(command) => vec![command.clone()],
            None => refuse(&format!("there is no command {name:?} here; `runecast help` lists them")),
        },
        None if arguments.out.is_some() => {
            let commands = grammar.get_subcommands().filter(|command| command.get_name() != "help");
            std::iter::once(&grammar).chain(commands).cloned().collect()
        }
        None => vec![grammar],
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
