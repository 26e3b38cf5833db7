//! Arguments of `detect`.

use clap::Args;

use super::shared::{InputArguments, OutputFormat};

/// Guess the encoding of files, or that they are not text, and say why
#[derive(Debug, Args)]
pub(crate) struct DetectArguments {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    /// Read at most N bytes of each file, and decide by these
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "whole")]
    pub(crate) bytes: Option<u64>,
    /// Read each file to its end, even when its encoding is clear earlier
    ///
    /// This finds damage late in a file that begins as UTF-8.
    #[arg(short, long)]
    pub(crate) whole: bool,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
    /// Print nothing; the exit code tells whether all inputs are text
    #[arg(short, long, conflicts_with_all = ["verbose", "format"])]
    pub(crate) quiet: bool,
    /// Also print how much of each file was read, and a summary at the end
    #[arg(short, long)]
    pub(crate) verbose: bool,
}
