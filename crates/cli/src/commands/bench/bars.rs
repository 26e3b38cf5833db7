//! Bars: one operation, a row for each text.
//!
//! The broad bar is the kernel in use, and the notches in it are where the other kernels end; if one of them went
//! further, its mark stands behind the bar. The thin bars are std and simdutf8. All start at zero and have the same
//! scale within a panel, so that lengths may be compared. Speeds stand at the ends, and on the right how many times as
//! fast the kernel in use is as the best of the others.

use super::comparison::{digits, gain, is_doubtful, ours};
use super::findings::Findings;
use super::measure::{Row, find, speed};
use super::rival::Rival;
use super::style::{FAINT, NAME, PLAIN, Panel, STRONG, of};
use crate::ui::arguments::bench::OperationName;
use crate::ui::console::push;
use crate::ui::picture::{Pixels, Type, block, escaped, text};

/// The most important operations, in this order.
const TELLING: [OperationName; 11] = [
    OperationName::Validate,
    OperationName::Utf8ToUtf16,
    OperationName::Utf16ToUtf8,
    OperationName::Repair,
    OperationName::Utf8ToUtf32,
    OperationName::Utf32ToUtf8,
    OperationName::Count,
    OperationName::Utf16Length,
    OperationName::Latin1ToUtf8,
    OperationName::Utf8ToLatin1,
    OperationName::IsAscii,
];

/// The width of a panel, and where its bars begin and end at most.
const WIDTH: f64 = 432.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 336.0;

/// The heights of the bars, and the space behind each and behind a row.
const BROAD: f64 = 13.0;
const THIN: f64 = 7.0;
const SPACE: f64 = 4.0;
const GAP: f64 = 10.0;

/// A panel for each operation, the most telling first.
pub(super) fn panels(findings: &Findings) -> Vec<Panel> {
    TELLING
        .iter()
        .filter_map(|name| {
            let rows: Vec<_> = findings.rows.iter().filter(|row| row.operation.name == *name).collect();
            panel(findings, &rows)
        })
        .collect()
}

fn panel(findings: &Findings, rows: &[&Row]) -> Option<Panel> {
    let operation = rows.first()?.operation;
    let peers: Vec<_> = [Rival::Simdutf8, Rival::Std]
        .into_iter()
        .filter(|&rival| rows.iter().any(|row| find(&row.cells, rival).is_some()))
        .collect();
    let fastest = rows
        .iter()
        .flat_map(|row| row.cells.iter().map(|cell| speed(row.bytes, cell.1.least)))
        .fold(f64::MIN_POSITIVE, f64::max);
    let scale = |speed: f64| (RIGHT - LEFT) * speed / fastest;
    let mut body = Vec::new();
    let out = &mut body;
    text(out, 0.0, 15.0, NAME, operation.title);
    let beside = if peers.len() > 1 { "the faster of simdutf8 and std" } else { "std" };
    text(out, 0.0, 32.0, FAINT, "GB/s of input");
    text(out, WIDTH, 32.0, FAINT.end(), &format!("times as fast as {beside}"));
    let mut y = 58.0;
    for (index, row) in rows.iter().enumerate() {
        let describe = |cell: &(Rival, runecast_clock::Times)| {
            format!("{} {} GB/s", cell.0.name(), digits(row.bytes, &cell.1))
        };
        let name = &findings.texts[row.text].name;
        let said: Vec<_> = row.cells.iter().map(describe).collect();
        push(out, format_args!("<g><title>{}: {}</title>\n", escaped(name), said.join(", ")));
        text(out, LEFT - 10.0, y + 10.5, PLAIN.end(), &short(name));
        if let Some(times) = find(&row.cells, ours()) {
            let end = scale(speed(row.bytes, times.least));
            block(out, LEFT, y, end, BROAD, "class=\"us\" rx=\"1\"");
            notches(out, row, scale, y, index == 0);
            let behind = row
                .cells
                .iter()
                .filter(|cell| cell.0.kind() == "kernel")
                .map(|cell| scale(speed(row.bytes, cell.1.least)))
                .fold(end, f64::max);
            text(
                out,
                LEFT + behind + 5.0,
                y + 10.5,
                Type { size: 12, ..of("us") },
                &digits(row.bytes, &times),
            );
        }
        if let Some(gain) = gain(&row.cells) {
            text(out, WIDTH, y + 11.0, Type { size: 13, ..STRONG }.end(), &format!("{}\u{d7}", gain.shown()));
        }
        y += BROAD + SPACE;
        for &rival in &peers {
            if let Some(times) = find(&row.cells, rival) {
                let end = scale(speed(row.bytes, times.least));
                let class = rival.name();
                block(out, LEFT, y, end, THIN, &format!("class=\"{class}\" rx=\"1\""));
                let mark = if is_doubtful(&times) { "~" } else { "" };
                let label = format!("{class} {mark}{}", digits(row.bytes, &times));
                text(out, LEFT + end + 5.0, y + THIN + 0.5, Type { size: 10, ..of(class) }, &label);
            }
            y += THIN + SPACE;
        }
        push(out, format_args!("</g>\n"));
        y += GAP;
    }
    let label = format!("{}: bars of GB/s for each text", operation.title);
    Some(Panel { width: WIDTH, height: y - GAP, label, body })
}

/// Where the other kernels end; and in the first row their names.
fn notches(out: &mut Vec<u8>, row: &Row, scale: impl Fn(f64) -> f64, y: f64, named: bool) {
    let ends = |cell: &(Rival, runecast_clock::Times)| (cell.0, LEFT + scale(speed(row.bytes, cell.1.least)));
    let mut kernels: Vec<_> = row.cells.iter().filter(|cell| cell.0.kind() == "kernel").map(ends).collect();
    let end = kernels.iter().find(|kernel| kernel.0 == ours()).map_or(0.0, |kernel| kernel.1);
    // The kernel in use has its name in any case, and then whoever is faster.
    kernels.sort_by(|a, b| (b.0 == ours()).cmp(&(a.0 == ours())).then(b.1.total_cmp(&a.1)));
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for (rival, x) in kernels {
        if rival != ours() {
            let class = if x < end - 1.0 { "notch" } else { "past" };
            let [x, top, bottom] = [x, y, y + BROAD].map(Pixels);
            push(out, format_args!("<path d=\"M{x} {top}V{bottom}\" class=\"{class}\"/>\n"));
        }
        // Names end where their bars end, if there is room between the others.
        let (from, to) = (x - 6.0 * rival.name().len() as f64, x + 4.0);
        if named && taken.iter().all(|other| to < other.0 || from > other.1) {
            let style = if rival == ours() { of("us") } else { FAINT };
            text(out, x, y - 5.0, Type { size: 10, ..style }.end(), rival.name());
            taken.push((from, to));
        }
    }
}

/// A name that fits before the bars.
fn short(name: &str) -> String {
    const MOST: usize = 12;
    let length = name.chars().count();
    if length <= MOST {
        return name.to_owned();
    }
    std::iter::once('\u{2026}').chain(name.chars().skip(length - MOST + 1)).collect()
}
