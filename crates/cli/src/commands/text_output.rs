//! The text that `convert` and `repair` write, and the progress bar beside it.

use std::io;

use crate::io::name::Name;
use crate::io::outputs::Outputs;
use crate::io::source::Sources;
use crate::pipeline::route::TextOutput;
use crate::ui::console::Console;
use crate::ui::progress::Progress;

/// Writes what comes out of one input.
pub(super) struct Writer<'a> {
    /// Where it goes.
    pub(super) outputs: &'a mut Outputs,
    /// Where the bar is.
    pub(super) console: &'a mut Console,
    /// The input.
    pub(super) name: &'a Name,
    /// All inputs.
    pub(super) sources: &'a Sources,
}

impl TextOutput for Writer<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        self.outputs.write(text)
    }

    fn advance(&mut self, bytes: u64) -> io::Result<()> {
        self.console.progress.advance(bytes, self.name, || self.sources.total_size());
        // The input may be a live stream, and someone may be waiting for each piece of it.
        self.outputs.flush()
    }
}

/// Shows the bar, unless a person types the input, or reads the output on the terminal.
pub(super) fn show_progress(console: &mut Console, sources: &Sources, outputs: &Outputs) {
    let interactive = sources.typed() || outputs.to_stdout() && console.out_is_terminal();
    if !interactive && console.err_is_terminal() {
        console.progress = Progress::shown();
    }
}
