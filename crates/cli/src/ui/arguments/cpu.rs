//! Arguments of `cpu`.

use clap::Args;

use super::shared::OutputFormat;

/// Arguments of `cpu`.
#[derive(Debug, Args)]
pub(crate) struct CpuArguments {
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
}
