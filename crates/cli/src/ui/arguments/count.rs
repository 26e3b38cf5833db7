//! Arguments of `count`.

use clap::Args;

use super::shared::{InputArguments, InputEncoding, Jobs, OutputFormat};

/// Count lines, characters, bytes and code units
#[derive(Debug, Args)]
pub(crate) struct CountArguments {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    /// What it is.
    #[command(flatten)]
    pub(crate) reading: InputEncoding,
    /// Print the number of lines, like `wc -l`; with -m and -c in one row, in this order
    #[arg(short, long, conflicts_with = "format")]
    pub(crate) lines: bool,
    /// Print the number of characters, like `wc -m`
    #[arg(short = 'm', long = "chars", conflicts_with = "format")]
    pub(crate) characters: bool,
    /// Print the number of bytes, like `wc -c`
    #[arg(short = 'c', long, conflicts_with = "format")]
    pub(crate) bytes: bool,
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
}

/// A number that may be asked for by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// Line feeds.
    Lines,
    /// Characters.
    Characters,
    /// Bytes.
    Bytes,
}

impl CountArguments {
    /// The numbers that were asked for, in the order of `wc`; none if all are wanted.
    pub(crate) fn columns(&self) -> Vec<Column> {
        let columns =
            [(self.lines, Column::Lines), (self.characters, Column::Characters), (self.bytes, Column::Bytes)];
        columns.into_iter().filter(|(wanted, _)| *wanted).map(|(_, column)| column).collect()
    }
}
