//! Arguments of `detect`.

use clap::Args;

use super::shared::{InputArguments, OutputFormat};

/// Say in which encoding files are, or that they are no text, and why
#[derive(Debug, Args)]
pub(crate) struct DetectArguments {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    /// Read at most N bytes of each file, and judge by these
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "whole")]
    pub(crate) bytes: Option<u64>,
    /// Read each file to its end, also when it is clear what it is
    ///
    /// This finds damage far behind in what begins as UTF-8.
    #[arg(short, long)]
    pub(crate) whole: bool,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
    /// Print nothing at all: the exit code says whether all is text
    #[arg(short, long, conflicts_with_all = ["verbose", "format"])]
    pub(crate) quiet: bool,
    /// Say how much was read of each file, and close with a summary
    #[arg(short, long)]
    pub(crate) verbose: bool,
}
