//! Arguments of `man`.

use std::path::PathBuf;

use clap::Args;

/// Print the manual page of a command, or write all pages
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The command whose page is wanted; the page of runecast itself if none is named
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write pages to files in this directory: that of COMMAND, or all of them
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
