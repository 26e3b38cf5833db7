//! Arguments that several commands have: the same word means the same wherever it appears.
//!
//! A command is put together from groups: [`InputArguments`] (files, `-r`), [`InputEncoding`] (`-f`, `--assume`),
//! [`OutputArguments`] (`-o`, `--in-place`, for those that make one text of another), [`Jobs`] (`-j`),
//! [`OutputFormat`] (`--format`), [`Verbosity`] (`-q`, `-v`), [`Color`] (`--color`, understood by every command).

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::encoding::{Assume, Charset, Named, parse_read};
use crate::io::name::{Name, is_dash};
use crate::io::output::Destination;
use crate::io::source::{Sources, Walk, check_pattern, ignore_pattern, leads_to};

/// Why `--format json` is refused where the text goes to standard output.
pub(crate) const JSON_NEEDS_STDOUT: &str =
    "--format json needs -o, --output-dir or --in-place: without them the text goes to standard output";

/// What to read: the same for every command that reads.
#[derive(Debug, Args)]
pub(crate) struct InputArguments {
    /// Files to read; `-`, or no FILE, means standard input
    #[arg(value_name = "FILE", group = "inputs")]
    pub(crate) files: Vec<PathBuf>,
    /// Read the regular files below each directory, in the order of their names
    ///
    /// Hidden files, files that .gitignore, .ignore and the like exclude, and files that do not look like text are skipped, unless
    /// the options below ask for them. Symbolic links, devices, sockets and pipes below the directory are always skipped. A FILE
    /// that is named on the command line is read in any case.
    #[arg(short, long, requires = "inputs")]
    pub(crate) recursive: bool,
    /// With -r: read only files that match GLOB, such as `*.txt`; may be given several times
    ///
    /// The rules are those of .gitignore: a GLOB without a slash is compared with the name alone, one with a slash also with the
    /// path below the directory. A file that matches is read even if .gitignore excludes it.
    #[arg(long, value_name = "GLOB", value_parser = glob, requires = "recursive", help_heading = BELOW)]
    pub(crate) include: Vec<String>,
    /// With -r: skip files and directories that match GLOB; may be given several times
    #[arg(long, value_name = "GLOB", value_parser = glob, requires = "recursive", help_heading = BELOW)]
    pub(crate) exclude: Vec<String>,
    /// With -r: also read hidden files and directories
    #[arg(long, requires = "recursive", help_heading = BELOW)]
    pub(crate) hidden: bool,
    /// With -r: also read what .gitignore, .ignore and the like exclude
    #[arg(long, requires = "recursive", help_heading = BELOW)]
    pub(crate) no_ignore: bool,
    /// With -r: also read files that do not look like text
    #[arg(long, requires = "recursive", help_heading = BELOW)]
    pub(crate) binary: bool,
    /// Read the files that are named in LIST, each name followed by a NUL byte; `-` is standard input
    #[arg(long, value_name = "LIST", group = "inputs", conflicts_with = "files")]
    pub(crate) files0_from: Option<PathBuf>,
}

/// The heading of options for directories.
const BELOW: &str = "Below directories";

/// A pattern that can be understood.
fn glob(pattern: &str) -> Result<String, String> {
    check_pattern(pattern).map(|()| pattern.to_owned()).map_err(|why| Name::Path(why.into()).to_string())
}

impl InputArguments {
    /// What is to be read.
    pub(crate) fn sources(&self) -> Sources {
        let include = self.include.iter().map(|pattern| ignore_pattern(pattern));
        let exclude = self.exclude.iter().map(|pattern| format!("!{}", ignore_pattern(pattern)));
        let walk = Walk {
            recursive: self.recursive,
            hidden: self.hidden,
            ignored: self.no_ignore,
            binary: self.binary,
            patterns: include.chain(exclude).collect(),
        };
        match &self.files0_from {
            Some(list) => Sources::listed(list, walk),
            None => Sources::expanding(&self.files, walk),
        }
    }

    /// Whether there is one input at most.
    pub(crate) fn is_single(&self) -> bool {
        self.files.len() < 2 && !self.recursive && self.files0_from.is_none()
    }
}

/// What the input is: the same for every command that reads more than UTF-8.
#[derive(Debug, Args)]
pub(crate) struct InputEncoding {
    /// Encoding of the input; `runecast convert -l` lists all encodings [default: UTF-8]
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        value_parser = Named(parse_read),
        hide_possible_values = true,
        visible_alias = "from-code"
    )]
    pub(crate) from: Option<Charset>,
    /// Byte order of UTF-16 and UTF-32 without a byte order mark
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub(crate) assume: Assume,
}

impl InputEncoding {
    /// What the input is: UTF-8 if nothing is said.
    pub(crate) fn charset(&self) -> Charset {
        self.from.unwrap_or(Charset::UTF_8)
    }
}

/// Where the output goes: the same for every command that makes one text of another.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputArguments {
    /// File to write, instead of standard output (`-`)
    ///
    /// It is replaced only if everything succeeds. The texts of several inputs are written to it one after the other.
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Write one file below DIR for each input: with -r in the same tree, otherwise under the same name
    ///
    /// Each file is written as with -o: it is complete, or unchanged. Files that -r skips are not copied; how many were skipped
    /// because they are not text is reported. DIR is created if necessary, and must not be below a directory that is read.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "in_place"], requires = "inputs")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Replace each FILE by the result; with a SUFFIX, keep the old file under its name with SUFFIX
    ///
    /// If anything goes wrong, the file is not changed. An existing backup is never overwritten.
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        requires = "inputs"
    )]
    pub(crate) in_place: Option<OsString>,
    /// With --in-place: show the first lines that would change in each file, and change nothing
    #[arg(long, requires = "in_place", conflicts_with_all = ["format", "quiet"])]
    pub(crate) dry_run: bool,
}

impl OutputArguments {
    /// Whether the output is standard output.
    pub(crate) fn to_stdout(&self) -> bool {
        self.destination() == Destination::Stdout
    }

    /// Where that is.
    pub(crate) fn destination(&self) -> Destination {
        if let Some(directory) = &self.output_dir {
            return Destination::Directory(directory.clone());
        }
        match (&self.in_place, &self.output) {
            (Some(suffix), _) => Destination::InPlace((!suffix.is_empty()).then(|| suffix.clone())),
            (None, Some(path)) if !is_dash(path) => Destination::File(path.clone()),
            (None, _) => Destination::Stdout,
        }
    }

    /// The conflicts that depend on values.
    pub(crate) fn conflicts(&self, inputs: &InputArguments) -> Result<(), &'static str> {
        if self.in_place.is_some() && inputs.files.iter().any(|file| is_dash(file)) {
            return Err("--in-place cannot replace standard input");
        }
        if let Some(directory) = &self.output_dir {
            if inputs.files.iter().any(|file| is_dash(file)) {
                return Err("--output-dir needs the name of each input, and standard input has none");
            }
            if inputs.recursive && inputs.files.iter().any(|file| file.is_dir() && is_below(directory, file))
            {
                return Err("the DIR of --output-dir must not be a directory that -r reads, or below one");
            }
        }
        if self.in_place.as_ref().is_some_and(|suffix| {
            suffix.as_encoded_bytes().iter().any(|byte| matches!(byte, b'/' | b'\\' | 0))
        }) {
            return Err(
                "the SUFFIX of --in-place is appended to the name of a file, and must not contain / or \\",
            );
        }
        Ok(())
    }
}

/// Whether a directory, which need not exist, is another one or below it.
fn is_below(directory: &Path, other: &Path) -> bool {
    let Ok(other) = fs::canonicalize(other) else { return false };
    leads_to(directory).is_some_and(|there| there.starts_with(&other))
}

/// How many threads: the same for every command that can use several.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Jobs {
    /// Use N threads (256 at most) instead of one for each core; the result is the same
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// For whom to print: the same for every command that prints.
#[derive(Debug, Args)]
pub(crate) struct OutputFormat {
    /// Form of the messages: for people, or for programs (one JSON object per line, on standard output)
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

/// How much to print: the same for every command.
#[derive(Debug, Args)]
pub(crate) struct Verbosity {
    /// Print nothing; only the exit code tells the result
    #[arg(short, long, conflicts_with_all = ["list", "stats", "verbose", "format"])]
    pub(crate) quiet: bool,
    /// Also report well-formed files, and print a summary at the end
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
