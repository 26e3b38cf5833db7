//! `runecast man`: manual pages.
//!
//! They are generated from the arguments that the program itself reads, at the moment of the call, so that they
//! cannot be older than the program. Examples are those of the help. A distribution that wants files calls this when it builds its package.
//! The first page that cannot be written is the last that is tried: what is wrong is mostly the directory, and said once.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, roman};

use crate::io::name::Name;
use crate::io::output::{Output, Refused};
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
            None => refuse(&format!("there is no command {name:?}; `runecast help` lists all commands")),
        },
        None if arguments.out.is_some() => {
            let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
            std::iter::once(&program).chain(commands).cloned().collect()
        }
        None => vec![program],
    };
    let mut outcome = Outcome::Clean;
    for page in pages {
        let examples = page.get_after_long_help().or(page.get_after_help()).map(ToString::to_string);
        let has_subcommands = page.has_subcommands();
        let usage = page.clone().render_usage().to_string();
        let page = Page::new(page).source(concat!("runecast ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        page.render_title(&mut text)?;
        page.render_name_section(&mut text)?;
        render_synopsis(&usage, &mut text)?;
        page.render_description_section(&mut text)?;
        page.render_options_section(&mut text)?;
        if has_subcommands {
            page.render_subcommands_section(&mut text)?;
        }
        render_by_hand(&examples.unwrap_or_default(), &mut text)?;
        page.render_version_section(&mut text)?;
        let Some(directory) = &arguments.out else {
            console.out.extend_from_slice(&text);
            continue;
        };
        let path = directory.join(page.get_filename());
        if let Err((name, why)) = write(directory, &path, &text) {
            console.complain(&name, &why);
            // Why one page cannot be written is why the others cannot.
            outcome = Outcome::Failed;
            break;
        }
    }
    console.flush()?;
    Ok(outcome)
}

/// The synopsis as the help has it: clap_mangen would name every option, and neither their values nor that there may be several files.
fn render_synopsis(usage: &str, out: &mut Vec<u8>) -> io::Result<()> {
    let usage = usage.strip_prefix("Usage: ").unwrap_or(usage);
    Roff::new().control("SH", ["SYNOPSIS"]).text([roman(usage)]).to_writer(out)
}

/// Writes a page to its file, in a directory that is made if it has to be.
fn write(directory: &Path, path: &Path, page: &[u8]) -> Result<(), Refused> {
    let refused = |why| (Name::Path(path.into()), why);
    fs::create_dir_all(directory).map_err(refused)?;
    let (mut output, _) = Output::open(path)?;
    output.write(page, None).and_then(|()| output.commit()).map(drop).map_err(refused)
}

/// Sections of what stands behind the options in the help, laid out by hand as it is there: EXAMPLES, and EXIT STATUS.
fn render_by_hand(help: &str, out: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::new();
    // A section at once, if the help does not begin with a heading.
    let mut open = false;
    for line in help.trim().lines() {
        let heading = match line {
            "Examples:" => Some("EXAMPLES"),
            "Exit codes:" => Some("EXIT STATUS"),
            _ if !open => Some("EXAMPLES"),
            _ => None,
        };
        if let Some(heading) = heading {
            if open {
                roff.control("fi", []);
            }
            roff.control("SH", [heading]).control("nf", []);
            open = true;
        }
        if !matches!(line, "Examples:" | "Exit codes:") {
            roff.text([roman(line)]);
        }
    }
    if open {
        roff.control("fi", []);
    }
    roff.to_writer(out)
}
