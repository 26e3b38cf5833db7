//! Arguments of `count`.

use clap::Args;

use super::shared::{InputArguments, InputEncoding, Jobs, OutputFormat};

/// Arguments of `count`.
#[derive(Debug, Args)]
pub(crate) struct CountArguments {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    /// What it is.
    #[command(flatten)]
    pub(crate) reading: InputEncoding,
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
}
