//! Arguments of `completions` and `man`, which print the grammar itself.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The command whose page is wanted; the page of runecast itself if none is named
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write pages to files in this directory: that of COMMAND, or all of them
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
