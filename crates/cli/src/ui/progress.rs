//! The bar, for work that takes longer than a second.
//!
//! It is shown on standard error, only if that is a terminal, and only after the first second:
//! for small files it would only flicker. If every argument is a regular file, their sizes
//! are known and the bar has an end and an estimate; otherwise it shows how much was read, how
//! fast. Sizes are not looked up before the bar appears.
//!
//! Speed and time left are those of the whole run so far. (What indicatif itself computes needs
//! many seconds to forget that the bar did not watch the first one.)
//!
//! While the bar is there, everything else must be written to the terminal through
//! [`Progress::while_hidden`].

use std::fmt::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// How long work must last for a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// With an end in sight.
const BOUNDED: &str = "{bar:16} {percent:>3}% {speed}, {left} left  {wide_msg}";
/// With an end in sight, but not of bytes.
const STEPS: &str = "{bar:16} {percent:>3}% {left} left  {wide_msg}";
/// Without.
const UNBOUNDED: &str = "{spinner} {binary_bytes}, {speed}  {wide_msg}";

/// Bytes per second.
fn rate(state: &ProgressState) -> f64 {
    state.pos() as f64 / state.elapsed().as_secs_f64().max(1e-3)
}

fn speed(state: &ProgressState, to: &mut dyn Write) {
    let _ = write!(to, "{}/s", BinaryBytes(rate(state) as u64));
}

fn left(state: &ProgressState, to: &mut dyn Write) {
    let bytes = state.len().unwrap_or(0).saturating_sub(state.pos());
    let _ = write!(to, "{}", remaining(bytes as f64 / rate(state)));
}

/// A time in words, unless it is so long that it means nothing: as long as hardly anything was done, it is a guess.
fn remaining(seconds: f64) -> String {
    if seconds < 100.0 * 3600.0 {
        format!("{:#}", HumanDuration(Duration::from_secs(seconds.ceil() as u64)))
    } else {
        "days".to_owned()
    }
}

/// Keeps track of the work done, and shows it when it is time.
pub(crate) struct Progress {
    wanted: bool,
    /// Whether it is bytes that are done, which have a speed.
    bytes: bool,
    began: Instant,
    bar: Option<ProgressBar>,
    /// Bytes done in inputs that are finished, and in the present one.
    finished: u64,
    present: u64,
}

impl Progress {
    /// One that never shows anything.
    pub(crate) fn hidden() -> Self {
        Progress::new(false, true)
    }

    /// One that shows itself when the work takes long.
    pub(crate) fn shown() -> Self {
        Progress::new(true, true)
    }

    /// The same for work that is not counted in bytes, but in steps, thousands of them.
    pub(crate) fn of_steps() -> Self {
        Progress::new(true, false)
    }

    fn new(wanted: bool, bytes: bool) -> Self {
        Progress { wanted, bytes, began: Instant::now(), bar: None, finished: 0, present: 0 }
    }

    /// `bytes` more are done of the input called `name`. `total` is asked once, if at all.
    pub(crate) fn advance(
        &mut self,
        bytes: u64,
        name: &dyn fmt::Display,
        total: impl FnOnce() -> Option<u64>,
    ) {
        self.present += bytes;
        if !self.wanted {
            return;
        }
        if self.bar.is_none() && self.began.elapsed() >= PATIENCE {
            let bar = ProgressBar::with_draw_target(total(), ProgressDrawTarget::stderr())
                .with_elapsed(self.began.elapsed());
            let template = match (self.bytes, bar.length()) {
                (false, _) => STEPS,
                (true, Some(_)) => BOUNDED,
                (true, None) => UNBOUNDED,
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.with_key("speed", speed).with_key("left", left).progress_chars("━╸ "));
            }
            bar.set_message(name.to_string());
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.finished + self.present);
        }
    }

    /// Another input begins.
    pub(crate) fn begin(&mut self, name: &dyn fmt::Display) {
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_string());
        }
    }

    /// The present input is done with, though perhaps only a part of its `size` was read.
    pub(crate) fn end(&mut self, size: Option<u64>) {
        self.finished += size.unwrap_or(0).max(self.present);
        self.present = 0;
    }

    /// Takes the bar away while `write` writes to the terminal.
    pub(crate) fn while_hidden<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_told_to_wait_for_years() {
        assert_eq!(remaining(0.5), "1s");
        assert_eq!(remaining(3600.0 * 5.0), "5h");
        for seconds in [4e8, f64::INFINITY, f64::NAN] {
            assert_eq!(remaining(seconds), "days");
        }
    }
}
