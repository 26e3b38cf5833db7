//! The picture and the page: what was found in one sentence, then bars, roofs, and how it was measured.
//!
//! The picture has the most important operations, and is made for a talk or a README; so it has a background of its
//! own and is the same wherever it is shown. The page has all operations and all numbers, and its panels stand
//! below each other where a window is narrow. Both are a single file that loads nothing, and follow the
//! reader's preference for light or dark.

use std::fmt::Write as _;

use runecast::Engine;

use super::comparison::{digits, gain, is_doubtful, sentence};
use super::findings::Findings;
use super::measure::{Cells, find};
use super::style::{COLOURS, FAINT, PLAIN, Panel, STRONG};
use super::table::{columns, method};
use super::{bars, roof};
use crate::ui::console::push;
use crate::ui::picture::{FONTS, Pixels, Type, escaped, text};
use crate::ui::size;

/// The width of the picture, and the space at its sides.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 32.0;
/// The space between panels.
const GUTTER: f64 = 32.0;
/// How many operations have bars in the picture.
const OPERATIONS: usize = 4;

/// How many characters of the title, and of a note, fit into a line in the widest of usual fonts.
const TITLE: usize = 64;
const NOTE: usize = 155;

/// What is to be known about the bars.
fn about_bars(findings: &Findings) -> String {
    let bytes = findings.rows.iter().map(|row| row.bytes as u64).max().unwrap_or(0);
    format!(
        "Broad bars: kernel {}, notches: the other kernels. One thread; texts of up to {}, in cache.",
        Engine::current().isa(),
        size::shown(bytes)
    )
}

/// What is to be known about the roofs.
fn about_roofs(findings: &Findings) -> Option<String> {
    let curve = findings.curves.first()?;
    Some(format!(
        "From the shortest text to the longest: {}. Shaded: faster than this machine reads or copies memory.",
        findings.texts[curve.text].name
    ))
}

/// The picture.
pub(super) fn svg(findings: &Findings) -> String {
    let mut body = Vec::new();
    let mut y = 30.0;
    let title = sentence(findings);
    for line in lines(&title, TITLE) {
        y += 27.0;
        text(&mut body, MARGIN, y, Type { size: 22, ..STRONG }, &line);
    }
    if !findings.rows.is_empty() {
        y += 24.0;
        text(&mut body, MARGIN, y, Type { size: 13, class: "sans faint", ..PLAIN }, &about_bars(findings));
        y += 26.0;
        let mut panels = bars::panels(findings);
        panels.truncate(OPERATIONS);
        y = place(&mut body, &panels, 2, y);
    }
    let count = findings.curves.len().max(1) as f64;
    let width = ((WIDTH - 2.0 * MARGIN - (count - 1.0) * GUTTER) / count).min(432.0);
    let roofs = roof::panels(findings, width);
    if let Some(about) = about_roofs(findings).filter(|_| !roofs.is_empty()) {
        y += 20.0;
        text(&mut body, MARGIN, y, Type { size: 17, ..STRONG }, "How far from the limit");
        y += 20.0;
        text(&mut body, MARGIN, y, Type { size: 13, class: "sans faint", ..PLAIN }, &about);
        y = place(&mut body, &roofs, roofs.len(), y + 24.0);
    }
    y += 4.0;
    for line in notes(findings).iter().flat_map(|note| lines(note, NOTE)) {
        text(&mut body, MARGIN, y, FAINT, &line);
        y += 16.0;
    }
    let (width, height, title) = (Pixels(WIDTH), Pixels(y + 12.0), escaped(&title));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title\">\n\
         <title id=\"title\">{title}</title>\n<style>{FONTS}{COLOURS}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" class=\"bg\"/>\n{}</svg>\n",
        String::from_utf8_lossy(&body)
    )
}

/// Puts panels beside each other, so many in a row, and returns where they end.
fn place(body: &mut Vec<u8>, panels: &[Panel], columns: usize, mut y: f64) -> f64 {
    for row in panels.chunks(columns.max(1)) {
        let mut x = MARGIN;
        for panel in row {
            let (x_, y_) = (Pixels(x), Pixels(y));
            push(body, format_args!("<g transform=\"translate({x_} {y_})\">\n"));
            body.extend_from_slice(&panel.body);
            push(body, format_args!("</g>\n"));
            x += panel.width + GUTTER;
        }
        y += row.iter().map(|panel| panel.height).fold(0.0, f64::max) + GUTTER;
    }
    y
}

/// How it was measured.
fn notes(findings: &Findings) -> Vec<String> {
    let cells = findings.rows.iter().flat_map(|row| &row.cells);
    method(findings, cells.clone().any(|cell| is_doubtful(&cell.1)))
}

/// Words in lines of so many characters at most.
fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// What the page looks like, beside what is drawn.
const LAYOUT: &str = "\
:root{color-scheme:light dark}\
body{margin:0 auto;max-width:1000px;padding:24px 20px 40px;background:#fff;color:#1b2733;\
font:15px/1.5 system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif}\
h1{font-size:26px;line-height:1.25;margin:12px 0 8px;text-wrap:balance}h2{font-size:19px;margin:36px 0 4px}\
.whole{white-space:nowrap}h3{font-size:15px;margin:24px 0 4px}p{margin:4px 0;color:#5d6a77}\
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,380px),1fr));gap:28px 32px;margin-top:16px}\
.panels svg{width:100%;height:auto;max-width:520px}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}\
th,td{padding:2px 10px;text-align:right;border-bottom:1px solid #dde3e9}th:first-child,td:first-child{text-align:left}\
th{font-weight:600}footer{margin-top:32px;font-size:13px}\
@media(prefers-color-scheme:dark){body{background:#11181f;color:#e8edf2}p{color:#97a4b1}th,td{border-color:#27333f}}";

/// The page.
pub(super) fn html(findings: &Findings) -> String {
    let title = sentence(findings);
    let title = escaped(&title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{title}</title>\n\
         <style>{FONTS}{COLOURS}{LAYOUT}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
        // Names of encodings stay whole where the lines are short.
        ["UTF-8", "UTF-16"].iter().fold(title.to_string(), |title, name| {
            title.replace(name, &format!("<span class=\"whole\">{name}</span>"))
        })
    );
    if !findings.rows.is_empty() {
        paragraph(&mut out, &about_bars(findings));
        panels(&mut out, &bars::panels(findings));
    }
    let roofs = roof::panels(findings, 432.0);
    if let Some(about) = about_roofs(findings).filter(|_| !roofs.is_empty()) {
        out.push_str("<h2>How far from the limit</h2>\n");
        paragraph(&mut out, &about);
        panels(&mut out, &roofs);
    }
    out.push_str("<h2>All numbers</h2>\n");
    for rows in findings.rows.chunk_by(|a, b| a.operation.name == b.operation.name) {
        let Some(first) = rows.first() else { continue };
        let heading = format!("{}, GB/s", first.operation.name);
        let lines = rows.iter().map(|row| {
            let gain = gain(&row.cells).map_or_else(String::new, |gain| format!("{}\u{d7}", gain.shown()));
            (findings.texts[row.text].name.clone(), row.bytes, &row.cells, gain)
        });
        table(&mut out, &heading, "text", "gain", lines);
    }
    for curve in &findings.curves {
        let name = &findings.texts[curve.text].name;
        let heading = format!("{} of {name} by size, GB/s", curve.operation.name);
        let lines = curve
            .points
            .iter()
            .map(|point| (size::shown(point.bytes as u64), point.bytes, &point.cells, String::new()));
        table(&mut out, &heading, "size", "", lines);
    }
    out.push_str("<footer>\n");
    for note in notes(findings) {
        paragraph(&mut out, &note);
    }
    out.push_str("</footer>\n</body>\n</html>\n");
    out
}

fn paragraph(out: &mut String, text: &str) {
    let _ = writeln!(out, "<p>{}</p>", escaped(text));
}

/// Panels, each a picture of its own.
fn panels(out: &mut String, panels: &[Panel]) {
    out.push_str("<div class=\"panels\">\n");
    for Panel { width, height, label, body } in panels {
        let (width, height, label) = (Pixels(*width), Pixels(height + 4.0), escaped(label));
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{label}\">\n{}</svg>\n",
            String::from_utf8_lossy(body)
        );
    }
    out.push_str("</div>\n");
}

/// A table of numbers: a line has its name, its bytes, its cells, and what stands behind them.
fn table<'a>(
    out: &mut String,
    heading: &str,
    what: &str,
    last: &str,
    lines: impl Iterator<Item = (String, usize, &'a Cells, String)>,
) {
    let _ = write!(out, "<h3>{}</h3>\n<div class=\"wide\"><table>\n", escaped(heading));
    for (index, (name, bytes, cells, end)) in lines.enumerate() {
        let rivals = columns(cells);
        if index == 0 {
            let _ = write!(out, "<tr><th>{what}</th>");
            for rival in &rivals {
                let _ = write!(out, "<th>{}</th>", rival.name());
            }
            let _ = writeln!(out, "<th>{last}</th></tr>");
        }
        let _ = write!(out, "<tr><td>{}</td>", escaped(&name));
        for rival in rivals {
            let times = find(cells, rival);
            let mark = if times.is_some_and(|times| is_doubtful(&times)) { "~" } else { "" };
            let _ = write!(
                out,
                "<td>{mark}{}</td>",
                times.map_or_else(String::new, |times| digits(bytes, &times))
            );
        }
        let _ = writeln!(out, "<td>{end}</td></tr>");
    }
    out.push_str("</table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("one two three", 6), ["one", "two", "three"]);
        assert_eq!(lines("", 6), [""]);
    }
}
