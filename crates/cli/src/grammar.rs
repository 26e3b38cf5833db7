//! What may be written on the command line.
//!
//! There is one grammar for all commands, present and future: the same word means the same thing
//! wherever it appears. So the words live here in groups, and a command is put together from
//! them: [`Inputs`] (files, `-r`), [`Talk`] (`-q`, `-v`), [`Shape`] (`--format`), [`Color`]
//! (`--color`, understood by every command). A command that writes will add `-o` and one that
//! uses several threads `-j`, each as a group of its own; no command redefines a word.
//!
//! Doc comments in this file are help texts: the first line is what `-h` says. Lines that are
//! laid out by hand (the examples) keep within 60 columns; clap wraps everything else.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  runecast check notes.txt      is it UTF-8? if not, where?
  runecast check -r src         every file below src
  producer | runecast check     standard input
  runecast cpu                  which kernels run here

`runecast help COMMAND` says more about one command.

Exit codes:
  0  all is well-formed
  1  something is ill-formed
  2  wrong usage, or something could not be read or written";

const CHECK_EXAMPLES: &str = "\
Examples:
  runecast check notes.txt
      Says nothing and exits with 0 if all is UTF-8;
      otherwise names the first error and exits with 1.

  runecast check --all --limit 0 dump.sql
      Every error of one file.

  runecast check -r -l -0 . | xargs -0 file
      What are the files below . that are not UTF-8?

  zcat log.gz | runecast check -q || echo broken
      In scripts: nothing but the exit code.

  runecast check --format json *.txt | jq .status
      For programs: one JSON object per file and line.

  runecast check --stats book.txt
      What is in it, and how fast it was checked.

An error reads
  FILE:LINE:COLUMN: byte OFFSET: KIND [BYTES] REASON
Lines and columns count from 1, columns in characters since
the last line feed (an ill-formed sequence counts as one);
offsets count bytes from 0. BYTES are in hexadecimal: those
of the sequence, and the byte after it where that one broke
the rule. Control bytes in file names are shown escaped.

Exit codes:
  0  every input is well-formed
  1  at least one input is ill-formed
  2  wrong usage, or an input could not be read (the others
     are checked all the same)";

const CPU_EXAMPLES: &str = "\
Examples:
  runecast cpu
  runecast cpu --format json
  RUNECAST_ISA=scalar runecast check --stats book.txt
      Narrows the choice, to compare kernels.";

/// Validates Unicode text at the speed of memory
#[derive(Debug, Parser)]
#[command(
    name = "runecast",
    version,
    max_term_width = 100,
    after_help = EXAMPLES,
    propagate_version = true
)]
pub(crate) struct Grammar {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colours, for every command.
    #[command(flatten)]
    pub(crate) color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check that files are well-formed UTF-8, and say where they are not
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Show which kernels this CPU can run, and which one is in use
    #[command(after_long_help = CPU_EXAMPLES)]
    Cpu(Cpu),
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Report every error, not only the first of each file
    #[arg(short, long)]
    pub(crate) all: bool,
    /// With --all: report at most N errors of each file and count the rest; 0 means no limit
    #[arg(long, value_name = "N", default_value_t = 100, requires = "all")]
    pub(crate) limit: u64,
    /// Print only the names of the ill-formed files, on standard output
    #[arg(short, long, conflicts_with_all = ["all", "stats", "verbose"])]
    pub(crate) list: bool,
    /// With --list: end each name with a NUL byte instead of a line feed, and escape nothing
    #[arg(short = '0', long = "null", requires = "list")]
    pub(crate) null: bool,
    /// Print size, characters by length, kernel and speed of each file, on standard output
    ///
    /// The whole file is read, even behind an error. Two speeds are given, in 10^9 bytes per
    /// second: that of validation alone, on data already in the cache of the CPU, and that of
    /// reading and validation together. Neither includes the counting that only --stats needs.
    #[arg(short, long)]
    pub(crate) stats: bool,
    /// How to say it.
    #[command(flatten)]
    pub(crate) shape: Shape,
    /// How much to say.
    #[command(flatten)]
    pub(crate) talk: Talk,
}

impl Check {
    /// The one conflict that depends on a value, which clap cannot express.
    pub(crate) fn insist(&self) {
        if self.list && self.shape.format == Format::Json {
            Grammar::command()
                .error(
                    ErrorKind::ArgumentConflict,
                    "--list cannot be used with --format json, which gives a status for every file",
                )
                .exit();
        }
    }
}

/// Arguments of `cpu`.
#[derive(Debug, Args)]
pub(crate) struct Cpu {
    /// How to say it.
    #[command(flatten)]
    pub(crate) shape: Shape,
}

/// What to read: the same for every command that reads.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files to read; `-` or none at all means standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read every regular file below each directory, in the order of names
    ///
    /// Hidden files are read too. Symbolic links below the directory are not followed, and
    /// devices, sockets and pipes below it are passed over.
    #[arg(short, long)]
    pub(crate) recursive: bool,
}

/// How to say it: the same for every command that prints.
#[derive(Debug, Args)]
pub(crate) struct Shape {
    /// For people, or for programs (one JSON object per line, on standard output)
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) format: Format,
}

/// The output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Sentences
    #[default]
    Text,
    /// JSON Lines with a versioned schema
    Json,
}

/// How much to say: the same for every command.
#[derive(Debug, Args)]
pub(crate) struct Talk {
    /// Print nothing at all: the exit code says it
    #[arg(short, long, conflicts_with_all = ["list", "stats", "verbose", "format"])]
    pub(crate) quiet: bool,
    /// Mention the well-formed files as well, and close with a summary
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// When to use colours.
#[derive(Debug, Args)]
pub(crate) struct Color {
    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t, display_order = 900)]
    pub(crate) color: When,
}

/// The values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    #[default]
    Auto,
    /// Also in pipes and files
    Always,
    /// Not even on a terminal
    Never,
}

impl When {
    /// Makes this the choice of the whole process.
    pub(crate) fn apply(self) {
        match self {
            When::Auto => anstream::ColorChoice::Auto,
            When::Always => anstream::ColorChoice::Always,
            When::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_consistent() {
        Grammar::command().debug_assert();
    }

    #[test]
    fn hand_made_lines_fit_a_narrow_terminal() {
        for line in [EXAMPLES, CHECK_EXAMPLES, CPU_EXAMPLES].iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= 60, "{line}");
        }
    }
}
