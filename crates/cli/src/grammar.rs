//! What may be written on the command line.
//!
//! There is one grammar for all commands, present and future: the same word means the same thing
//! wherever it appears. So the words live here in groups, and a command is put together from
//! them: [`Inputs`] (files, `-r`), [`Talk`] (`-q`, `-v`), [`Shape`] (`--format`), [`Color`]
//! (`--color`, understood by every command), [`Reading`] (`-f`, `--assume`). A command that uses
//! several threads adds [`Jobs`] (`-j`). A word that only one command knows stands
//! there. `-l` lists, but what it lists is the command's: ill-formed files, encodings.
//!
//! [`Writing`] (`-o`, `--in-place`) belongs to those that make one text of another.
//!
//! Doc comments in this file are help texts: the first line is what `-h` says. What is laid out by hand
//! is in [`examples`]; clap wraps everything else.

mod bench;
mod detect;
mod examples;
mod explain;
mod lab;
mod paper;
mod repair;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::encoding::{Assume, Label, Scheme, Wanted, parse, parse_wanted, written};
use crate::source::is_stdin;
pub(crate) use bench::{Bench, Scripts};
pub(crate) use detect::Detect;
use examples::{
    BENCH_EXAMPLES, CHECK_EXAMPLES, COMPLETIONS_EXAMPLES, CONVERT_EXAMPLES, COUNT_EXAMPLES, CPU_EXAMPLES,
    DETECT_EXAMPLES, EXAMPLES, EXPLAIN_EXAMPLES, LAB_EXAMPLES, MAN_EXAMPLES, REPAIR_EXAMPLES,
};
pub(crate) use explain::Explain;
pub(crate) use lab::Lab;
pub(crate) use paper::{Completions, Man};
pub(crate) use repair::Repair;

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
    /// Replace what is ill-formed by U+FFFD, a text or an escape
    #[command(after_long_help = REPAIR_EXAMPLES)]
    Repair(Repair),
    /// Explain why a text is ill-formed, byte by byte, and what becomes of it elsewhere
    #[command(after_long_help = EXPLAIN_EXAMPLES)]
    Explain(Explain),
    /// Count lines, characters, bytes and code units
    #[command(after_long_help = COUNT_EXAMPLES)]
    Count(Count),
    /// Show which kernels this CPU can run, and which one is in use
    #[command(after_long_help = CPU_EXAMPLES)]
    Cpu(Cpu),
    /// Recompute why UTF-8 is what it is, beside nine encodings that it is not
    #[command(after_long_help = LAB_EXAMPLES)]
    Lab(Lab),
    /// Say in which encoding files are, or that they are no text, and why
    #[command(after_long_help = DETECT_EXAMPLES)]
    Detect(Detect),
    /// Print completions for a shell
    #[command(after_long_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Print the manual page of a command, or write all pages
    #[command(after_long_help = MAN_EXAMPLES)]
    Man(Man),
    /// Measure how fast it is here, beside std, simdutf8 and the memory itself
    #[command(after_long_help = BENCH_EXAMPLES)]
    Bench(Bench),
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
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
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
            refuse("--list cannot be used with --format json, which gives a status for every file");
        }
    }
}

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// What the input is.
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// What the output is to be; `//IGNORE` behind it means -c
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        value_parser = parse_wanted,
        default_value_t = Wanted { label: Label::Exactly(Scheme::Utf8), omits: false }
    )]
    pub(crate) to: Wanted,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) writing: Writing,
    /// What to do about a byte order mark, if not what is usual for the encodings
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) bom: Option<Bom>,
    /// Leave out what is ill-formed, and what the target has no form for
    #[arg(short = 'c', long)]
    pub(crate) omit: bool,
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// How to say it.
    #[command(flatten)]
    pub(crate) shape: Shape,
    /// List the encodings with all their names, and do nothing else
    #[arg(
        short,
        long,
        conflicts_with_all = ["files", "from", "to", "output", "in_place", "bom", "assume", "quiet", "omit", "jobs", "recursive", "format", "verbose"]
    )]
    pub(crate) list: bool,
    /// Say nothing about what is wrong: the exit code says it
    #[arg(short, long, visible_short_alias = 's', conflicts_with_all = ["verbose", "format"])]
    pub(crate) quiet: bool,
    /// Mention the inputs that are converted as well, and what -c has left out
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl Convert {
    /// The conflicts that depend on values.
    pub(crate) fn insist(&self) {
        self.writing.insist(&self.inputs);
        if self.bom == Some(Bom::Add) && written(self.to.label).mark().is_empty() {
            refuse("--bom add needs an encoding that has a byte order mark: Latin-1 and ASCII do not")
        }
        if self.shape.format == Format::Json && self.writing.to_stdout() {
            refuse("--format json needs -o or --in-place: without them standard output is for the text");
        }
        if self.omits() && written(self.to.label).has_surrogates() {
            refuse("-c cannot write WTF-8 and its like: surrogates would come together that belong to none");
        }
    }

    /// Whether what cannot be converted is left out.
    pub(crate) fn omits(&self) -> bool {
        self.omit || self.to.omits
    }
}

/// Ends the program for a conflict that depends on values.
pub(crate) fn refuse(why: &str) -> ! {
    Grammar::command().error(ErrorKind::ArgumentConflict, why).exit()
}

/// Where the output goes: the same for every command that makes one text of another.
#[derive(Clone, Debug, Args)]
pub(crate) struct Writing {
    /// File to write, instead of standard output (`-`)
    ///
    /// It is replaced when all is well, and not touched otherwise. Of several inputs it has the texts one after
    /// the other.
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Replace each FILE by what comes out, and with a SUFFIX keep the old one
    ///
    /// If anything goes wrong, the file is not touched. A backup that exists is not overwritten.
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        requires = "files"
    )]
    pub(crate) in_place: Option<OsString>,
}

impl Writing {
    /// Whether the output is standard output.
    pub(crate) fn to_stdout(&self) -> bool {
        self.in_place.is_none() && self.output.as_deref().is_none_or(is_stdin)
    }

    /// The conflicts that depend on values.
    pub(crate) fn insist(&self, inputs: &Inputs) {
        if self.in_place.is_some() && inputs.files.iter().any(|file| is_stdin(file)) {
            refuse("--in-place cannot replace standard input");
        }
        if self.in_place.as_ref().is_some_and(|suffix| {
            suffix.as_encoded_bytes().iter().any(|byte| matches!(byte, b'/' | b'\\' | 0))
        }) {
            refuse("the SUFFIX of --in-place is added to a name, and cannot lead to another directory");
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
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// How to say it.
    #[command(flatten)]
    pub(crate) shape: Shape,
}

/// What the input is: the same for every command that reads more than UTF-8.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// What the input is; `runecast convert -l` lists the encodings
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        value_parser = parse,
        default_value_t = Label::Exactly(Scheme::Utf8)
    )]
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

/// How many threads: the same for every command that can use several.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Jobs {
    /// Work with N threads, instead of one for each core; the result is the same
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
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
}
