//! Arguments of `check`.

use clap::{Args, ValueEnum};

use super::encoding::{Assume, Charset, Named, parse_read};
use super::shared::{InputArguments, Jobs, Verbosity};

/// Check that files are well-formed UTF-8, and say where they are not
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    /// Encoding to check for; `runecast convert -l` lists all encodings [default: UTF-8]
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
    /// Report these as errors, too: a byte order mark, NUL, carriage returns; several with commas
    ///
    /// For a repository in which every text has to be UTF-8 that any tool can read: `--forbid bom,nul,cr`. With -r, files that do not
    /// look like text are still skipped, which may include some with NUL; --binary reads them, too.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', conflicts_with = "stats")]
    pub(crate) forbid: Vec<Forbid>,
    /// Report the first 100 errors of each file, not only one; with `--limit 0` every error
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
    /// The whole file is read, even after an error. Two speeds are given, in 10^9 bytes per
    /// second: that of validation alone, on data already in the cache of the CPU, and that of
    /// reading and validation together. Neither includes the counting that only --stats needs.
    #[arg(short, long)]
    pub(crate) stats: bool,
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// Form of the output: for people, for programs (one JSON object per line), or for GitHub
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) format: CheckFormat,
    /// How much to say.
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl CheckArguments {
    /// The conflicts that depend on values, which clap cannot express.
    pub(crate) fn conflicts(&self) -> Result<(), &'static str> {
        if !self.forbid.is_empty() && self.from.is_some_and(|from| from != Charset::UTF_8) {
            return Err("--forbid looks only into UTF-8, and -f names another encoding");
        }
        match self.format {
            CheckFormat::Json if self.list => {
                Err("--list cannot be used with --format json, which gives a status for every file")
            }
            CheckFormat::Github if self.list || self.stats => {
                Err("--format github is for errors: --list and --stats cannot be used with it")
            }
            _ => Ok(()),
        }
    }
}

/// What may be forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Forbid {
    /// A byte order mark, U+FEFF at the beginning
    Bom,
    /// NUL, U+0000
    Nul,
    /// Carriage returns, U+000D: lines end with a line feed alone
    Cr,
}

/// The output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Sentences
    #[default]
    Text,
    /// JSON Lines with a versioned schema
    Json,
    /// Commands for GitHub Actions, which shows each error beside its line
    Github,
}
