//! Arguments of `cpu`.

use clap::Args;

use super::shared::OutputFormat;

/// Show which kernels this CPU can run, and which one is in use
#[derive(Debug, Args)]
pub(crate) struct CpuArguments {
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
}
