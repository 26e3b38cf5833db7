//! The findings as tables, within 61 columns if the names of texts are short.

use std::fmt::Write as _;

use anstyle::Style;
use runecast::Engine;

use super::comparison::{against, digits, gain, is_among_the_fastest, is_doubtful, ours};
use super::findings::Findings;
use super::measure::{Cells, Curve, Row, find};
use super::rival::Rival;
use crate::ui::console::{Console, Styles, push};
use crate::ui::size;
use crate::ui::wrap::wrapped;

/// The longest name of a text that is shown whole.
const LONGEST: usize = 24;

/// The narrowest column for a speed.
const CELL: usize = 5;

/// Prints all tables.
pub(super) fn tables(findings: &Findings, console: &mut Console) {
    let styles = console.out_styles;
    let buffer = &mut console.out;
    let names: Vec<_> = findings.texts.iter().map(|text| short(&text.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let mut doubtful = false;
    for rows in findings.rows.chunk_by(|a, b| a.operation.name == b.operation.name) {
        doubtful |= rows.iter().any(|row| row.cells.iter().any(|cell| is_doubtful(&cell.1)));
        table(rows, &names, width, styles, buffer);
    }
    for curve in &findings.curves {
        doubtful |= curve.points.iter().any(|point| point.cells.iter().any(|cell| is_doubtful(&cell.1)));
        self::curve(curve, &names[curve.text], styles, buffer);
    }
    for line in method(findings, doubtful) {
        wrapped(buffer, &line, 0);
    }
}

/// What the numbers are, in sentences.
pub(super) fn method(findings: &Findings, doubtful: bool) -> Vec<String> {
    let sizes = findings.rows.iter().map(|row| row.bytes as u64);
    let (least, most) = (sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0));
    let cells = || {
        let rows = findings.rows.iter().flat_map(|row| &row.cells);
        rows.chain(findings.curves.iter().flat_map(|curve| &curve.points).flat_map(|point| &point.cells))
    };
    let rounds = |pick: fn(u32, u32) -> u32| cells().map(|cell| cell.1.rounds).reduce(pick).unwrap_or(0);
    let (fewest, rounds) = (rounds(u32::min), rounds(u32::max));
    let span = |least: String, most: String| if least == most { least } else { format!("{least} to {most}") };
    let mut lines = vec![
        format!(
            "{}, {}, one thread; runecast {} with kernel {}.",
            findings.machine.cpu,
            std::env::consts::OS,
            env!("CARGO_PKG_VERSION"),
            Engine::current().isa()
        ),
        format!(
            "GB/s are 10^9 bytes of input per second. Texts of {}, read again and again; the best of {} rounds, in \
             which all took turns.",
            span(size::shown(least), size::shown(most)),
            span(fewest.to_string(), rounds.to_string()),
        ),
    ];
    if doubtful {
        lines.push(
            "Of some numbers (~, or a large spread) the median round was more than a quarter slower than the best."
                .to_owned(),
        );
    }
    lines
}

/// One operation.
fn table(rows: &[Row], names: &[String], width: usize, styles: Styles, buffer: &mut Vec<u8>) {
    let Styles { strong, faint, .. } = styles;
    let Some(first) = rows.first() else { return };
    let operation = first.operation;
    let rivals = columns(&first.cells);
    let mut head = String::new();
    for rival in &rivals {
        let _ = write!(head, " {:>CELL$}", rival.name());
    }
    push(
        buffer,
        format_args!(
            "{strong}{}{strong:#}  {}\n{faint}{:width$}{head}  gain  +/-{faint:#}\n",
            operation.name, operation.title, "GB/s"
        ),
    );
    for row in rows {
        push(buffer, format_args!("{:width$}", names[row.text]));
        for &rival in &rivals {
            cell(&row.cells, rival, row.bytes, styles, buffer);
        }
        let gain = gain(&row.cells).map_or_else(|| "-".to_owned(), |gain| format!("{}x", gain.shown()));
        let spread = find(&row.cells, ours()).map_or(0.0, |times| times.spread());
        push(buffer, format_args!(" {gain:>5} {faint}{:>3.0}%{faint:#}\n", (100.0 * spread).min(999.0)));
    }
    buffer.push(b'\n');
}

/// The kernels from the best to the plainest, whichever is in use, and then the others.
pub(super) fn columns(cells: &Cells) -> Vec<Rival> {
    let kernels = Engine::available().map(Rival::Kernel);
    let others = [Rival::Std, Rival::Simdutf8, Rival::Read, Rival::Copy];
    kernels.chain(others).filter(|&rival| find(cells, rival).is_some()).collect()
}

fn cell(cells: &Cells, rival: Rival, bytes: usize, styles: Styles, buffer: &mut Vec<u8>) {
    let width = rival.name().len().max(CELL);
    let Some(times) = find(cells, rival) else { return };
    let contest: Cells = cells.iter().filter(|cell| cell.0.kind() != "machine").copied().collect();
    let style = match rival.kind() {
        "machine" => styles.faint,
        _ if is_among_the_fastest(&contest, &times) => styles.strong,
        _ => Style::new(),
    };
    push(buffer, format_args!(" {style}{:>width$}{style:#}", digits(bytes, &times)));
}

/// One curve.
fn curve(curve: &Curve, name: &str, styles: Styles, buffer: &mut Vec<u8>) {
    let Styles { strong, faint, .. } = styles;
    let Some(first) = curve.points.first() else { return };
    let rivals = columns(&first.cells);
    let limit = if curve.operation.writes { Rival::Copy } else { Rival::Read };
    let mut head = String::new();
    for rival in &rivals {
        let _ = write!(head, " {:>CELL$}", rival.name());
    }
    push(
        buffer,
        format_args!(
            "{strong}{}{strong:#}  of {name}, by size, beside the memory\n{faint}GB/s    {head}  of {}{faint:#}\n",
            curve.operation.name,
            limit.name()
        ),
    );
    for point in &curve.points {
        push(buffer, format_args!("{:<8}", size::shown(point.bytes as u64)));
        for &rival in &rivals {
            cell(&point.cells, rival, point.bytes, styles, buffer);
        }
        let share = against(&point.cells, limit);
        let share = share.map_or_else(String::new, |share| {
            format!("{}{:.0}%", if share.doubtful { "~" } else { "" }, 100.0 * share.times)
        });
        push(buffer, format_args!("  {share:>7}\n"));
    }
    buffer.push(b'\n');
}

/// A name that leaves room for numbers: of a long one the end, which tells more.
fn short(name: &str) -> String {
    let length = name.chars().count();
    if length <= LONGEST {
        return name.to_owned();
    }
    let end = name.chars().skip(length - LONGEST + 1);
    std::iter::once('\u{2026}').chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_beginning() {
        assert_eq!(short("a.txt"), "a.txt");
        assert_eq!(short(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
        let long = short("/a/very/long/path/to/some/ᚱᚢᚾᛖ.txt");
        assert!(long.ends_with("/some/ᚱᚢᚾᛖ.txt") && long.starts_with('…'), "{long}");
        assert_eq!(long.chars().count(), LONGEST);
    }
}
