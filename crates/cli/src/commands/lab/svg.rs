//! The findings as a picture: SVG, written by hand.
//!
//! Three parts below each other: one number in every scheme, bit by bit, with tags and value in two colours;
//! bytes per character as a table whose cells are the darker the longer the characters are; and for each
//! kind of damage a bar per scheme, of what is silent, what is detected with false characters, and what is
//! detected cleanly. Colours are from palettes that people with colour blindness can tell apart, and each
//! number is written beside its colour. Nothing is loaded from elsewhere: any font will do.

use runecast_schemes::ALL;
use runecast_schemes::damage::Kind;

use super::findings::{Findings, percent};
use crate::ui::console::push;
use crate::ui::picture::{self, FONTS, Type};

/// The width of the picture.
const WIDTH: usize = 960;
/// The space at its sides.
const MARGIN: usize = 32;
/// The number that is shown bit by bit: the one of the essay.
const NUMBER: u32 = 33577;

/// Bits of the value, bits that are not.
const VALUE: &str = "#dbe7f3";
const TAG: &str = "#33658a";
/// The parts of a bar.
const SILENT: &str = "#c8553d";
const FALSE: &str = "#f2c57c";
const CLEAN: &str = "#7fa99b";
/// Text, and text that may be passed over.
const INK: &str = "#1f2933";
const FAINT: &str = "#66727f";

/// Where a part ends, and writes what is in it.
struct Pen<'a> {
    buffer: &'a mut Vec<u8>,
    y: usize,
}

/// Text, names of encodings, and notes.
const PLAIN: Type = Type { size: 12, fill: INK, anchor: "start", class: "sans" };
const NAME: Type = Type { class: "mono", ..PLAIN };
const SMALL: Type = Type { size: 11, fill: FAINT, ..PLAIN };

impl Pen<'_> {
    fn text(&mut self, x: usize, y: usize, style: Type, text: &str) {
        picture::text(self.buffer, x as f64, y as f64, style, text);
    }

    fn block(&mut self, x: f64, y: usize, width: f64, height: usize, fill: &str) {
        let paint = format!("fill=\"{fill}\"");
        picture::block(self.buffer, x, y as f64, width, height as f64, &paint);
    }

    /// The heading of a part.
    fn heading(&mut self, title: &str, explanation: &str) {
        self.y += 44;
        self.text(MARGIN, self.y, Type { size: 17, class: "bold", ..PLAIN }, title);
        self.y += 18;
        self.text(MARGIN, self.y, Type { size: 12, ..SMALL }, explanation);
        self.y += 14;
    }

    /// A legend of colours, from the left.
    fn legend(&mut self, mut x: usize, y: usize, entries: &[(&str, &str)]) {
        for (fill, label) in entries {
            self.block(x as f64, y - 10, 12.0, 12, fill);
            self.text(x + 18, y, SMALL, label);
            // A little more than the label takes in most fonts.
            x += 18 + label.chars().count() * 6 + 22;
        }
    }
}

/// Draws the picture.
pub(super) fn draw(findings: &Findings, buffer: &mut Vec<u8>) {
    let mut body = Vec::new();
    let mut pen = Pen { buffer: &mut body, y: 46 };
    pen.text(MARGIN, pen.y, Type { size: 24, class: "bold", ..PLAIN }, "How UTF-8 came to be");
    pen.y += 22;
    let subtitle =
        "Ten encodings on the way from LEB128 to UTF-8 and one beyond: what they take, and what they bear";
    pen.text(MARGIN, pen.y, Type { size: 13, fill: FAINT, ..PLAIN }, subtitle);
    bits(&mut pen);
    lengths(&mut pen, findings);
    damage(&mut pen, findings);
    let height = pen.y + 24;
    push(
        buffer,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"title\">\n\
             <title id=\"title\">How UTF-8 came to be: bytes per character in ten encodings, and the fate of \
             damaged text</title>\n\
             <style>{FONTS}</style>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        ),
    );
    buffer.append(&mut body);
    push(buffer, format_args!("</svg>\n"));
}

/// One number in every scheme.
fn bits(pen: &mut Pen<'_>) {
    const LEFT: usize = 352;
    const CELL: usize = 11;
    pen.heading(
        &format!("{NUMBER} (U+{NUMBER:04X}) in every scheme"),
        "One number, byte by byte as it is stored: how much of it is tags, and where they stand.",
    );
    pen.y += 6;
    pen.legend(LEFT, pen.y + 6, &[(TAG, "tag"), (VALUE, "value")]);
    pen.y += 16;
    for scheme in ALL {
        pen.y += 6;
        pen.text(MARGIN, pen.y + 15, NAME, scheme.name());
        pen.text(MARGIN + 78, pen.y + 15, SMALL, short(scheme.title()));
        let form = scheme.encode(NUMBER);
        let bytes = form.as_ref().map_or(&[][..], |form| form.bytes());
        for (index, byte) in bytes.iter().enumerate() {
            let tags = scheme.tag_bits(bytes, index) as usize;
            for bit in 0..8 {
                let x = LEFT + index * (8 * CELL + 7) + bit * CELL;
                let (fill, ink) = if bit < tags { (TAG, "#ffffff") } else { (VALUE, INK) };
                pen.block(x as f64, pen.y, CELL as f64 - 0.6, 21, fill);
                let style = Type { fill: ink, size: 11, ..NAME }.middle();
                pen.text(x + CELL / 2, pen.y + 15, style, if byte >> (7 - bit) & 1 == 1 { "1" } else { "0" });
            }
        }
        pen.y += 21;
    }
}

/// A title that fits before the bits.
fn short(title: &str) -> &str {
    title.split_once(": ").map_or(title, |(_, rest)| rest)
}

/// Bytes per character.
fn lengths(pen: &mut Pen<'_>, findings: &Findings) {
    const LEFT: usize = MARGIN + 82;
    const COLUMN: usize = 74;
    const ROW: usize = 19;
    pen.heading(
        "Bytes per character",
        "In generated text of each script; UTF-16 stands beside it for comparison.",
    );
    let names = ALL.iter().map(|scheme| scheme.name()).chain(["UTF-16"]);
    pen.y += 16;
    for (column, name) in names.enumerate() {
        let style = Type { size: 11, ..NAME }.middle();
        pen.text(LEFT + column * COLUMN + COLUMN / 2, pen.y, style, name);
    }
    pen.y += 6;
    for row in &findings.lengths {
        pen.text(MARGIN, pen.y + 14, PLAIN, row.script.name());
        for (column, bytes) in row.bytes.into_iter().chain([row.utf16]).enumerate() {
            let mean = row.mean(bytes);
            // White for one byte a character, dark for six.
            let depth = ((mean - 1.0) / 5.0).clamp(0.0, 1.0);
            let shade = |light: f64, dark: f64| (light + (dark - light) * depth) as u8;
            let fill =
                format!("#{:02x}{:02x}{:02x}", shade(244.0, 24.0), shade(248.0, 70.0), shade(252.0, 118.0));
            let x = LEFT + column * COLUMN;
            pen.block(x as f64, pen.y, COLUMN as f64 - 1.0, ROW - 1, &fill);
            let ink = if depth > 0.55 { "#ffffff" } else { INK };
            let style = Type { size: 11, fill: ink, ..PLAIN }.middle();
            pen.text(x + COLUMN / 2, pen.y + 13, style, &format!("{mean:.2}"));
        }
        pen.y += ROW;
    }
}

/// The bars of damage.
fn damage(pen: &mut Pen<'_>, findings: &Findings) {
    const BAR: f64 = 250.0;
    const ROW: usize = 18;
    let strict = if findings.strict { " One form only for each character." } else { "" };
    pen.heading(
        "What damage does",
        &format!(
            "Every single case in {} characters of all scripts, except those by which only ASCII came, went or \
             changed.{strict}",
            findings.characters
        ),
    );
    pen.y += 18;
    pen.legend(
        MARGIN,
        pen.y,
        &[
            (SILENT, "silent: other characters, no error"),
            (FALSE, "detected, with false characters"),
            (CLEAN, "detected"),
        ],
    );
    for pair in Kind::ALL.chunks(2) {
        pen.y += 30;
        for (side, &kind) in pair.iter().enumerate() {
            let left = MARGIN + side * (WIDTH / 2 - MARGIN / 2);
            let bars = left + 82;
            pen.text(left, pen.y, Type { size: 13, class: "bold", ..PLAIN }, kind.name());
            pen.text(bars, pen.y + 16, SMALL, "silent, percent");
            pen.text(bars + BAR as usize + 92, pen.y + 16, SMALL.end(), "lost at most");
            for (row, damage) in findings.damage.iter().enumerate() {
                let y = pen.y + 22 + row * ROW;
                let counts = damage.counts[kind as usize];
                pen.text(left, y + 12, NAME, damage.scheme.name());
                let clean = counts.detected - counts.detected_and_false;
                let mut x = bars as f64;
                let parts = [(counts.silent, SILENT), (counts.detected_and_false, FALSE), (clean, CLEAN)];
                for (part, fill) in parts {
                    let width = BAR * percent(part, counts.counted()) / 100.0;
                    if part > 0 {
                        pen.block(x, y, width, ROW - 3, fill);
                    }
                    x += width;
                }
                let silent = percent(counts.silent, counts.counted());
                let ink = if silent > 14.0 { "#ffffff" } else { INK };
                let style = Type { size: 11, fill: ink, ..PLAIN };
                let shown = if counts.silent == 0 { "0".to_owned() } else { format!("{silent:.1}") };
                let inside = if silent > 14.0 { 0.0 } else { BAR * silent / 100.0 };
                pen.text(bars + 4 + inside as usize, y + 12, style, &shown);
                let lost = counts.lost_at_most.to_string();
                pen.text(bars + BAR as usize + 92, y + 12, PLAIN.end(), &lost);
            }
        }
        pen.y += 22 + ROW * findings.damage.len();
    }
    pen.y += 22;
    pen.text(
        MARGIN,
        pen.y,
        SMALL,
        "Lost at most: characters beside the damage that did not come through, in the worst case.",
    );
}
