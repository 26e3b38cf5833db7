//! Arguments of `convert`.

use clap::{Args, ValueEnum};

use super::encoding::{Charset, Named, Wanted, parse_wanted, written};
use super::shared::{
    Format, InputArguments, InputEncoding, JSON_NEEDS_STDOUT, Jobs, OutputArguments, OutputFormat,
};

/// Convert text from one encoding to another
#[derive(Debug, Args)]
pub(crate) struct ConvertArguments {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    /// What the input is.
    #[command(flatten)]
    pub(crate) reading: InputEncoding,
    /// Encoding of the output
    ///
    /// It may be followed by one of the suffixes of iconv, for characters that cannot be represented in it: `//TRANSLIT` writes
    /// something similar, such as e for é, or else a question mark; `//IGNORE` leaves them out, as -c does, but then the exit
    /// code is 1. `utf-8-sig`, `utf-16le-bom` and the like mean that encoding with `--bom add`.
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        value_parser = Named(parse_wanted),
        hide_possible_values = true,
        visible_alias = "to-code",
        default_value_t = Wanted::exactly(Charset::UTF_8)
    )]
    pub(crate) to: Wanted,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) writing: OutputArguments,
    /// What to do with a byte order mark, in place of the default described below
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) bom: Option<Bom>,
    /// Leave out ill-formed sequences, and characters that the output encoding cannot represent
    ///
    /// This does not count as a failure: the exit code is 0, as with iconv. -v prints how much was left out.
    #[arg(short = 'c', long)]
    pub(crate) omit: bool,
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
    /// List the encodings with all their names, and do nothing else
    #[arg(
        short,
        long,
        conflicts_with_all = ["files", "files0_from", "from", "to", "output", "output_dir", "in_place", "dry_run", "bom", "assume", "quiet", "omit", "jobs", "recursive", "format", "verbose"]
    )]
    pub(crate) list: bool,
    /// Print no messages about errors; only the exit code tells the result
    #[arg(short, long, visible_short_alias = 's', visible_alias = "silent", conflicts_with_all = ["verbose", "format"])]
    pub(crate) quiet: bool,
    /// Also report inputs that were converted, and what -c has left out
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl ConvertArguments {
    /// The conflicts that depend on values.
    pub(crate) fn conflicts(&self) -> Result<(), &'static str> {
        self.writing.conflicts(&self.inputs)?;
        if self.bom == Some(Bom::Add) && !self.to.charset.has_mark() {
            return Err(
                "--bom add needs an output encoding that has a byte order mark, such as UTF-8 or UTF-16LE",
            );
        }
        if self.to.marked && matches!(self.bom, Some(Bom::Keep | Bom::Strip)) {
            return Err(
                "the encoding that -t names begins with a byte order mark; use --bom add, or name it without -bom or -sig",
            );
        }
        if self.output_format.format == Format::Json && self.writing.to_stdout() {
            return Err(JSON_NEEDS_STDOUT);
        }
        if self.omits()
            && matches!(self.to.charset, Charset::Unicode(label) if written(label).has_surrogates())
        {
            return Err(
                "-c cannot write WTF-8 or another encoding that allows surrogates: what remains could form a new pair",
            );
        }
        Ok(())
    }

    /// What is wished about a byte order mark.
    pub(crate) fn bom(&self) -> Option<Bom> {
        self.bom.or(self.to.marked.then_some(Bom::Add))
    }

    /// Whether what cannot be converted is left out.
    pub(crate) fn omits(&self) -> bool {
        self.omit || self.to.omits
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
