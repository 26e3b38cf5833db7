//! How an explanation is printed: for people or for programs.

use std::io;

use runecast_explain::{Stretch, Summary};

use crate::io::name::Name;
use crate::ui::console::Console;

/// Prints stretches.
pub(super) trait StretchReport {
    /// A stretch, of an input that is ill-formed or not.
    fn stretch(&mut self, console: &mut Console, name: &Name, stretch: &Stretch);
    /// That was all.
    fn close(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: Option<&io::Error>);
}
