//! What pictures are drawn with: text and blocks, as SVG.
//!
//! The lab and the bench draw by hand: both know where everything belongs, and a library for charts would not make that
//! simpler. Here is what they share: how text is set and what fonts there are, none of which is loaded
//! from anywhere, and how text from outside becomes text in XML.
//!
//! Numbers are written with one digit behind the point at most: a tenth of a pixel is finer than anyone sees.

use std::borrow::Cow;
use std::fmt::{self, Display};

use crate::ui::console::push;

/// The classes of text: `sans`, `bold` and `mono`.
pub(crate) const FONTS: &str = ".sans,.bold{font-family:system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif}\
     .bold{font-weight:600}\
     .mono{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}";

/// How text is set.
#[derive(Clone, Copy)]
pub(crate) struct Type {
    /// In pixels.
    pub(crate) size: usize,
    /// The colour; none if the class has one.
    pub(crate) fill: &'static str,
    /// `start`, `middle` or `end`.
    pub(crate) anchor: &'static str,
    /// One of [`FONTS`], and others.
    pub(crate) class: &'static str,
}

impl Type {
    /// The same, ending where it is put.
    pub(crate) const fn end(self) -> Type {
        Type { anchor: "end", ..self }
    }

    /// The same, in the middle of where it is put.
    pub(crate) const fn middle(self) -> Type {
        Type { anchor: "middle", ..self }
    }
}

/// A number of pixels.
#[derive(Clone, Copy)]
pub(crate) struct Pixels(pub(crate) f64);

impl Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        // Never -0.
        Display::fmt(&if tenths == 0.0 { 0.0 } else { tenths }, f)
    }
}

/// Appends a line of text.
pub(crate) fn text(buffer: &mut Vec<u8>, x: f64, y: f64, style: Type, text: &str) {
    let Type { size, fill, anchor, class } = style;
    let (x, y, text) = (Pixels(x), Pixels(y), escaped(text));
    push(buffer, format_args!("<text x=\"{x}\" y=\"{y}\" class=\"{class}\" font-size=\"{size}\""));
    if !fill.is_empty() {
        push(buffer, format_args!(" fill=\"{fill}\""));
    }
    if anchor != "start" {
        push(buffer, format_args!(" text-anchor=\"{anchor}\""));
    }
    push(buffer, format_args!(">{text}</text>\n"));
}

/// Appends a block; `paint` is an attribute, its colour or its class.
pub(crate) fn block(buffer: &mut Vec<u8>, x: f64, y: f64, width: f64, height: f64, paint: &str) {
    let [x, y, width, height] = [x, y, width, height].map(Pixels);
    push(buffer, format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {paint}/>\n"));
}

/// Text as XML and HTML have it. Characters that XML has no form for become U+FFFD.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let odd = |character: char| {
        matches!(character, '&' | '<' | '>' | '"' | '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
    };
    if !text.contains(odd) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            _ if odd(character) => out.push('\u{FFFD}'),
            _ => out.push(character),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_is_text() {
        assert_eq!(escaped("rūna"), "rūna");
        assert_eq!(
            escaped("<a href=\"x\">&\x1B\u{FFFE}\n"),
            "&lt;a href=&quot;x&quot;&gt;&amp;\u{FFFD}\u{FFFD}\n"
        );
        let mut buffer = Vec::new();
        let style = Type { size: 9, fill: "", anchor: "start", class: "sans" };
        text(&mut buffer, 1.25, -0.01, style.end(), "<&>");
        assert_eq!(
            String::from_utf8_lossy(&buffer),
            "<text x=\"1.3\" y=\"0\" class=\"sans\" font-size=\"9\" text-anchor=\"end\">&lt;&amp;&gt;</text>\n"
        );
    }
}
