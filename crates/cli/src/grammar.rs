//! What may be written on the command line.
//!
//! There is one grammar for all commands, present and future: the same word means the same thing
//! wherever it appears. So the words live here in groups, and a command is put together from
//! them: [`Inputs`] (files, `-r`), [`Talk`] (`-q`, `-v`), [`Shape`] (`--format`), [`Color`]
//! (`--color`, understood by every command), [`Reading`] (`-f`, `--assume`). A command that uses
//! several threads will add `-j`, as a group of its own. A word that only one command knows stands
//! there. `-l` lists, but what it lists is the command's: ill-formed files, encodings.
//!
//! Doc comments in this file are help texts: the first line is what `-h` says. Lines that are
//! laid out by hand (the examples) keep within 60 columns; clap wraps everything else.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::encoding::{Assume, Label, Scheme};
use crate::source::is_stdin;

const EXAMPLES: &str = "\
Examples:
  runecast check notes.txt      is it UTF-8? if not, where?
  runecast check -r src         every file below src
  producer | runecast check     standard input
  runecast convert -f utf-16 -t utf-8 in.txt -o out.txt
  runecast count book.txt       characters, lines, lengths
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

const CONVERT_EXAMPLES: &str = "\
Examples:
  runecast convert -f utf-16 -t utf-8 in.txt -o out.txt
      out.txt is complete or, after an error, what it was.

  runecast convert -f latin1 old.txt | less
      Into UTF-8, which is meant where -t is not given.

  runecast convert -f latin1 --in-place=.bak *.txt
      Each file is replaced; the old ones are NAME.bak.

  runecast convert --bom strip notes.txt -o plain.txt
      UTF-8 without the byte order mark.

  runecast convert -t utf-16le --bom add a.txt -o b.txt
      What some programs call `Unicode`.

  runecast convert -l
      All encodings, with all their names.

The byte order mark, U+FEFF at the beginning
  UTF-16 and UTF-32 as source: it tells the byte order and
  is no part of the text. Without it, --assume tells.
  UTF-16 and UTF-32 as target: big-endian behind a mark.
  All others, UTF-16LE for one: it goes through like every
  other character; Latin-1 and ASCII, which have no form
  for it, are written without it.
  --bom overrides this.

The first error ends the conversion of a file. It reads as
in `check`; what the target has no form for is an error too.
Into standard output, the text before it has been written.

Exit codes:
  0  everything is converted
  1  an input is ill-formed, or the target has no form for
     a character of it
  2  wrong usage, or something could not be read or written";

const COUNT_EXAMPLES: &str = "\
Examples:
  runecast count book.txt
  runecast count -r -f utf-16 texts
  runecast count --format json *.txt | jq .characters

Lines are line feeds. Characters are scalar values. Under
UTF-8, UTF-16 and UTF-32 is the number of code units that
the text takes there, of 1, 2 and 4 bytes. A byte order
mark is a character, save in UTF-16 and UTF-32, where it is
no part of the text.

Exit codes:
  0  every input is counted
  1  at least one input is ill-formed
  2  wrong usage, or an input could not be read (the others
     are counted all the same)";

const CPU_EXAMPLES: &str = "\
Examples:
  runecast cpu
  runecast cpu --format json
  RUNECAST_ISA=scalar runecast check --stats book.txt
      Narrows the choice, to compare kernels.";

/// Validates and converts Unicode text at the speed of memory
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
    /// Convert text from one encoding to another
    #[command(after_long_help = CONVERT_EXAMPLES)]
    Convert(Convert),
    /// Count lines, characters, bytes and code units
    #[command(after_long_help = COUNT_EXAMPLES)]
    Count(Count),
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

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// File to read; `-` or none at all means standard input
    ///
    /// With --in-place there may be several.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What the input is.
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// What the output is to be
    #[arg(short, long, value_name = "ENCODING", default_value_t = Label::Exactly(Scheme::Utf8))]
    pub(crate) to: Label,
    /// File to write, instead of standard output (`-`)
    ///
    /// It is replaced when all is well, and not touched otherwise.
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Replace each FILE by what it is converted to, and with a SUFFIX keep the old one
    ///
    /// A file with an error in it is not touched. A backup that exists is not overwritten.
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        requires = "files"
    )]
    pub(crate) in_place: Option<OsString>,
    /// What to do about a byte order mark, if not what is usual for the encodings
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) bom: Option<Bom>,
    /// List the encodings with all their names, and do nothing else
    #[arg(
        short,
        long,
        conflicts_with_all = ["files", "from", "to", "output", "in_place", "bom", "assume", "quiet"]
    )]
    pub(crate) list: bool,
    /// Say nothing about what is wrong: the exit code says it
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Convert {
    /// The conflicts that depend on values.
    pub(crate) fn insist(&self) {
        let refuse = |why: &str| Grammar::command().error(ErrorKind::ArgumentConflict, why).exit();
        if self.in_place.is_none() && self.files.len() > 1 {
            refuse("only --in-place takes more than one FILE");
        }
        if self.in_place.is_some() && self.files.iter().any(|file| is_stdin(file)) {
            refuse("--in-place cannot replace standard input");
        }
        if self.in_place.as_ref().is_some_and(|suffix| {
            suffix.as_encoded_bytes().iter().any(|byte| matches!(byte, b'/' | b'\\' | 0))
        }) {
            refuse("the SUFFIX of --in-place is added to a name, and cannot lead to another directory");
        }
        if self.bom == Some(Bom::Add) && self.to.written().mark().is_empty() {
            refuse("--bom add needs an encoding that has a byte order mark: Latin-1 and ASCII do not");
        }
    }
}

/// What to do about a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// The output has one if the input has
    Keep,
    /// The output has one
    Add,
    /// The output has none
    Strip,
}

/// Arguments of `count`.
#[derive(Debug, Args)]
pub(crate) struct Count {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// What it is.
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// How to say it.
    #[command(flatten)]
    pub(crate) shape: Shape,
}

/// What the input is: the same for every command that reads more than UTF-8.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// What the input is; `runecast convert -l` lists the encodings
    #[arg(short, long, value_name = "ENCODING", default_value_t = Label::Exactly(Scheme::Utf8))]
    pub(crate) from: Label,
    /// The byte order of UTF-16 and UTF-32 without a byte order mark
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub(crate) assume: Assume,
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
        let texts = [EXAMPLES, CHECK_EXAMPLES, CONVERT_EXAMPLES, COUNT_EXAMPLES, CPU_EXAMPLES];
        for line in texts.iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= 60, "{line}");
        }
    }
}
