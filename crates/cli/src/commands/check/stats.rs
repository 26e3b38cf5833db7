//! Statistics: what a text consists of, and how fast it was checked.
//!
//! The speed is given twice. *Validation* is the time spent in the validator alone, on chunks
//! that `read` has just brought into the cache: that is what the engine can do. *With reading*
//! adds the time spent in `read`, waiting for a disk or a pipe included: that is what the user
//! gets. The counting that these statistics need belongs to neither.

use std::fmt::Display;
use std::time::Duration;

use indicatif::HumanCount;
use runecast::Engine;

use crate::pipeline::validation::ValidationSummary;
use crate::ui::console::{Styles, push};

/// Appends the block for one input.
pub(super) fn write(buffer: &mut Vec<u8>, styles: Styles, name: &dyn Display, summary: &ValidationSummary) {
    let Styles { strong, faint, bad, .. } = styles;
    let characters = summary.characters.total();
    push(buffer, format_args!("{strong}{name}{strong:#}\n"));
    push(buffer, format_args!("  size        {:>16} bytes\n", HumanCount(summary.bytes).to_string()));
    push(buffer, format_args!("  characters  {:>16}\n", HumanCount(characters).to_string()));
    for (count, length) in
        summary.characters.by_length.into_iter().zip(["1 byte", "2 bytes", "3 bytes", "4 bytes"])
    {
        let percent = if characters == 0 { 0.0 } else { 100.0 * count as f64 / characters as f64 };
        push(
            buffer,
            format_args!("    {length:<8}  {:>16} {percent:>6.2} %\n", HumanCount(count).to_string()),
        );
    }
    let style = if summary.found == 0 { styles.faint } else { bad };
    push(
        buffer,
        format_args!("  {style}ill-formed{style:#}  {:>16}\n", HumanCount(summary.found).to_string()),
    );
    push(buffer, format_args!("  kernel      {:>16}\n", Engine::current().isa().name()));
    let speeds = [
        ("validation", summary.validating, "alone"),
        ("overall", summary.validating + summary.reading, "with reading"),
    ];
    for (label, time, what) in speeds {
        match gigabytes_per_second(summary.bytes, time) {
            Some(speed) => {
                push(buffer, format_args!("  {label:<10}  {speed:>16.2} GB/s {faint}({what}){faint:#}\n"));
            }
            None => push(buffer, format_args!("  {label:<10}  {:>16} {faint}(too short){faint:#}\n", "-")),
        }
    }
}

/// Less than this is read before the clock has ticked often enough.
const MEASURABLE: u64 = 64 * 1024;

/// 10^9 bytes per second, where that means anything.
pub(super) fn gigabytes_per_second(bytes: u64, time: Duration) -> Option<f64> {
    (bytes >= MEASURABLE && !time.is_zero()).then(|| bytes as f64 / time.as_secs_f64() / 1e9)
}
