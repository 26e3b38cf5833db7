//! The explanation for people: what is wrong, the bytes, and what becomes of them. Lines fit into [`WIDTH`] columns, as
//! long as offsets have no more than five digits.
//!
//! Characters are shown as names of files are ([`Shown`]): control characters are escaped, and no
//! byte of the input is printed as it is.

use std::io;

use indicatif::HumanCount;
use runecast_explain::rules::{Row, shown};
use runecast_explain::{Byte, Finding, SPAN, Stretch, Summary};

use super::report::StretchReport;
use crate::io::name::{Name, Shown};
use crate::ui::console::{Console, Styles, push};
use crate::ui::error_line::write_location;
use crate::ui::wrap::{WIDTH, wrapped};

/// The report.
pub(super) struct TextReport {
    /// Whether more places are shown than the first few.
    all: bool,
    /// The end of the last error explained.
    end: u64,
}

impl TextReport {
    pub(super) const fn new(all: bool) -> TextReport {
        TextReport { all, end: 0 }
    }
}

impl StretchReport for TextReport {
    fn stretch(&mut self, console: &mut Console, name: &Name, stretch: &Stretch) {
        let Styles { strong, good, .. } = console.out_styles;
        let styles = console.out_styles;
        let buffer = &mut console.out;
        self.end = stretch.span.1;
        if stretch.errors.is_empty() {
            push(buffer, format_args!("{strong}{name}:{strong:#} {good}well-formed{good:#}\n"));
        }
        write_errors(buffer, styles, name, &stretch.errors);
        write_bytes(buffer, styles, stretch);
        write_written(buffer, styles, stretch);
        if !stretch.errors.is_empty() {
            buffer.push(b'\n');
        }
    }

    fn close(&mut self, console: &mut Console, name: &Name, summary: &Summary, why: Option<&io::Error>) {
        let Styles { faint, .. } = console.out_styles;
        if summary.more {
            let (shown, end) = (HumanCount(summary.stretches as u64), self.end);
            let more = if self.all {
                "--limit N explains N places, --limit 0 every one"
            } else {
                "--all explains the first 100 places"
            };
            push(
                &mut console.out,
                format_args!(
                    "There are more errors from byte {end} on, after {shown} explained here.\n{more};\n\
                     `check --all --limit 0` has one line for each.\n"
                ),
            );
        }
        let explained = SPAN as u64;
        if !summary.ill_formed && summary.bytes > explained && why.is_none() {
            let bytes = HumanCount(summary.bytes);
            push(&mut console.out, format_args!("{faint}  … of {bytes} bytes{faint:#}\n"));
        }
        if let Some(why) = why {
            console.complain(name, why);
        }
    }
}

/// What is wrong, and which rule that breaks. Errors of one kind in a row are shown once.
fn write_errors(buffer: &mut Vec<u8>, styles: Styles, name: &Name, errors: &[Finding]) {
    let Styles { bad, faint, .. } = styles;
    for alike in errors.chunk_by(|one, next| one.error.kind == next.error.kind) {
        let [Finding { at, position, error }, others @ ..] = alike else { continue };
        write_location(buffer, styles, name, *position);
        let kind = error.kind.name();
        push(buffer, format_args!("byte {at}: {bad}{kind}{bad:#}\n"));
        wrapped(buffer, &error.reason().to_string(), 4);
        let lead = error.evidence()[0];
        match Row::of(lead) {
            Some(row) => push(buffer, format_args!("    {faint}Table 3-7 {row}{faint:#}\n")),
            None => {
                push(buffer, format_args!("    {faint}Table 3-7: no row begins with {lead:02X}{faint:#}\n"))
            }
        }
        if let Some(last) = others.last() {
            let count = others.len();
            push(buffer, format_args!("    and {count} more of this kind, up to byte {}\n", last.at));
        }
    }
    if !errors.is_empty() {
        buffer.push(b'\n');
    }
}

/// The bytes, one a line.
fn write_bytes(buffer: &mut Vec<u8>, styles: Styles, stretch: &Stretch) {
    let Styles { bad, faint, .. } = styles;
    for Byte { at, value, role, bad: is_bad, expected, character } in &stretch.bytes {
        let (mark, style) = if *is_bad { ('!', bad) } else { (' ', anstyle::Style::new()) };
        push(buffer, format_args!("{style}{mark}{at:>5}  {value:02X}  {role:<23}{style:#}"));
        if let Some(character) = character {
            push(buffer, format_args!(" U+{:04X}", u32::from(*character)));
            if expected.is_none() {
                push(buffer, format_args!(" {}", Shown(*character)));
            }
        }
        if let Some(expected) = expected {
            push(buffer, format_args!(" {bad}expected {}{bad:#}", shown(expected)));
        }
        // No spaces at the end of a line.
        while buffer.last() == Some(&b' ') {
            buffer.pop();
        }
        buffer.push(b'\n');
    }
    if let Some(missing) = &stretch.missing {
        let at = stretch.bytes.last().map_or(0, |byte| byte.at + 1);
        let end = "end of the input";
        push(
            buffer,
            format_args!(" {at:>5}      {faint}{end:<23}{faint:#} {bad}expected {}{bad:#}\n", shown(missing)),
        );
    }
}

/// What the behaviours write.
fn write_written(buffer: &mut Vec<u8>, styles: Styles, stretch: &Stretch) {
    let Styles { faint, .. } = styles;
    if stretch.written.is_empty() {
        return;
    }
    let (begin, end) = stretch.span;
    push(buffer, format_args!("  {faint}behaviour  U+FFFD  written for "));
    match end - begin {
        1 => push(buffer, format_args!("byte {begin}{faint:#}\n")),
        _ => push(buffer, format_args!("bytes {begin}..{}{faint:#}\n", end - 1)),
    }
    for written in &stretch.written {
        push(buffer, format_args!("  {:<9}  {:>6} ", written.by, written.replaced));
        let mut column = 0;
        for alike in written.points.chunk_by(PartialEq::eq) {
            // Of a long run the length is shown.
            let (shown, times) = if alike.len() > 5 { (1, Some(alike.len())) } else { (alike.len(), None) };
            for point in &alike[..shown] {
                let times = times.map_or(String::new(), |times| format!("×{times}"));
                let word = format!(" U+{point:04X}{times}");
                let width = word.chars().count();
                if column + width > WIDTH - 20 {
                    push(buffer, format_args!("\n{:20}", ""));
                    column = 0;
                }
                push(buffer, format_args!("{word}"));
                column += width;
            }
        }
        buffer.push(b'\n');
    }
}
