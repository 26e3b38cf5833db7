//! Standard output, standard error, and the progress bar.
//!
//! Everything that is printed is first put into one of two buffers and written in large pieces,
//! while the bar is hidden. Results go to `out`, and a failure to write them ends the
//! command: a full disk must not look like success. Messages go to `err`, and whether anyone
//! reads them does not matter.
//!
//! Where both streams lead to the same place, a terminal or a file, what is about one input stands together, messages first,
//! and inputs stand in their order: so the ends of inputs are remembered as long as something is in both buffers.
//!
//! Whether a stream gets colours is decided once, by the rules people expect (`--color`, then
//! `NO_COLOR` and similar variables, then whether it is a terminal). Without colours the styles are empty,
//! so the code that writes need not ask. Bytes are never filtered on the way: names of files on
//! `out` may have to stay as they are.

use std::cell::OnceCell;
use std::io::{self, IsTerminal as _, Write};

use anstyle::{AnsiColor, Style};

use crate::io::closed;
pub(crate) use crate::io::os_error::plain;
use crate::ui::progress::Progress;

/// A buffer is written out when it holds more than this.
const FULL: usize = 32 * 1024;

/// The styles of a stream; all of them empty if it has no colours.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Styles {
    /// Names, headings.
    pub(crate) strong: Style,
    /// What is wrong.
    pub(crate) bad: Style,
    /// What is well.
    pub(crate) good: Style,
    /// What may be passed over.
    pub(crate) faint: Style,
}

impl Styles {
    fn of(choice: anstream::ColorChoice) -> Self {
        if choice == anstream::ColorChoice::Never {
            return Styles::default();
        }
        Styles {
            strong: Style::new().bold(),
            bad: AnsiColor::Red.on_default().bold(),
            good: AnsiColor::Green.on_default(),
            faint: Style::new().dimmed(),
        }
    }
}

/// The standard streams of the process.
pub(crate) struct Console {
    /// Results, to be written to standard output.
    pub(crate) out: Vec<u8>,
    /// Messages, to be written to standard error.
    pub(crate) err: Vec<u8>,
    /// Styles for results.
    pub(crate) out_styles: Styles,
    /// Styles for messages.
    pub(crate) err_styles: Styles,
    /// The bar.
    pub(crate) progress: Progress,
    /// How much was in `out` and in `err` when an input ended, if something is in both.
    ends: Vec<(usize, usize)>,
    /// Whether they lead to a terminal, once somebody has asked: each time is a system call.
    out_terminal: OnceCell<bool>,
    err_terminal: OnceCell<bool>,
}

/// Without colours: what stands for the console while that is somewhere else.
impl Default for Console {
    fn default() -> Self {
        Console {
            out: Vec::new(),
            err: Vec::new(),
            out_styles: Styles::default(),
            err_styles: Styles::default(),
            progress: Progress::hidden(),
            ends: Vec::new(),
            out_terminal: OnceCell::new(),
            err_terminal: OnceCell::new(),
        }
    }
}

impl Console {
    /// The streams as they are, without a bar.
    pub(crate) fn new() -> Self {
        Console {
            out_styles: Styles::of(anstream::AutoStream::choice(&io::stdout())),
            err_styles: Styles::of(anstream::AutoStream::choice(&io::stderr())),
            ..Console::default()
        }
    }

    /// Whether results are read by a person.
    pub(crate) fn out_is_terminal(&self) -> bool {
        *self.out_terminal.get_or_init(|| io::stdout().is_terminal())
    }

    /// Whether messages are read by a person.
    pub(crate) fn err_is_terminal(&self) -> bool {
        *self.err_terminal.get_or_init(|| io::stderr().is_terminal())
    }

    /// Puts `runecast: SUBJECT: WHAT` among the messages.
    pub(crate) fn complain(&mut self, subject: &dyn std::fmt::Display, what: &io::Error) {
        let Styles { strong, bad, .. } = self.err_styles;
        let what = plain(what);
        push(&mut self.err, format_args!("{bad}runecast:{bad:#} {strong}{subject}{strong:#}: {what}\n"));
    }

    /// Something about an input is complete. Writes everything out if there is much of it.
    pub(crate) fn flush_if_full(&mut self) -> io::Result<()> {
        let end = (self.out.len(), self.err.len());
        match self.ends.as_mut_slice() {
            // As long as only one of them grows there is no order to be kept.
            [last] if last.0 == 0 && end.0 == 0 || last.1 == 0 && end.1 == 0 => *last = end,
            [.., last] if *last == end => {}
            _ => self.ends.push(end),
        }
        if self.out.len() + self.err.len() > FULL { self.flush() } else { Ok(()) }
    }

    /// Writes everything out.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.out.is_empty() && self.err.is_empty() {
            return Ok(());
        }
        self.ends.push((self.out.len(), self.err.len()));
        let out_is_there = if self.out.is_empty() { Ok(()) } else { closed::stdout() };
        let (out, err, ends) = (&self.out, &self.err, &self.ends);
        let result = self.progress.while_hidden(|| {
            let mut stdout = io::stdout().lock();
            let (mut out_written, mut err_written) = (0, 0);
            for &(out_end, err_end) in ends {
                if err_written < err_end {
                    // What came before is to be seen before.
                    stdout.flush()?;
                    let _ = io::stderr().write_all(&err[err_written..err_end]);
                }
                stdout.write_all(&out[out_written..out_end])?;
                (out_written, err_written) = (out_end, err_end);
            }
            stdout.flush()
        });
        let result = out_is_there.and(result);
        self.ends.clear();
        self.out.clear();
        self.err.clear();
        result
    }
}

/// Appends text to a buffer, which cannot fail.
pub(crate) fn push(buffer: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    let written = buffer.write_fmt(text);
    debug_assert!(written.is_ok(), "writing to a Vec cannot fail");
}
