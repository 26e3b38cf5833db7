//! JSON and HTML: ASCII structure around text in several languages.
//!
//! This is what most files on the web are: long ASCII stretches of keys, tags and attributes, and
//! in between a sentence that may be in any script. It is the worst case for a validator that
//! must guess which kind of block comes next, and therefore worth having beside the pure texts.

use crate::alphabetic::{ARABIC, ENGLISH, FRENCH, GERMAN, Language, RUSSIAN, TURKISH, number};
use crate::random::Random;
use crate::{emoji, ideographic};

/// A language for the next sentence: English most of the time.
fn language(random: &mut Random) -> &'static Language {
    [&ENGLISH, &GERMAN, &FRENCH, &TURKISH, &RUSSIAN, &ARABIC][random.weighted(&[700, 90, 80, 60, 40, 30])]
}

/// Text that may stand inside a JSON string or an HTML element: no quote, no line feed.
fn value(random: &mut Random, out: &mut String) {
    let from = out.len();
    if random.per_mille(12) {
        ideographic::chinese(random, out);
    } else {
        language(random).sentence(random, out);
    }
    if random.per_mille(150) {
        out.push(' ');
        out.push(emoji::picture(random));
    }
    let clean = out[from..].replace('"', "'").replace('\n', " ");
    out.truncate(from);
    out.push_str(&clean);
}

/// Appends a record, on a line of its own.
pub(crate) fn json(random: &mut Random, out: &mut String) {
    out.push_str("{\"id\": ");
    number(random, out);
    out.push_str(", \"user\": {\"name\": \"");
    language(random).word(random, out);
    out.push_str("\", \"followers\": ");
    number(random, out);
    out.push_str(", \"verified\": ");
    out.push_str(if random.per_mille(100) { "true" } else { "false" });
    out.push_str("}, \"text\": \"");
    value(random, out);
    out.push_str("\", \"tags\": [");
    for tag in 0..random.below(4) {
        out.push_str(if tag > 0 { ", \"" } else { "\"" });
        language(random).word(random, out);
        out.push('"');
    }
    out.push_str("], \"url\": \"https://example.org/");
    for _ in 0..12 {
        out.push(random.char_in('a', 'z'));
    }
    out.push_str("\", \"score\": 0.");
    number(random, out);
    out.push_str("}\n");
}

/// Appends a section: a heading, paragraphs, a list of links.
pub(crate) fn html(random: &mut Random, out: &mut String) {
    out.push_str("<section class=\"entry\">\n  <h2 id=\"s");
    number(random, out);
    out.push_str("\">");
    value(random, out);
    out.push_str("</h2>\n");
    for _ in 0..random.between(1, 3) {
        out.push_str("  <p class=\"body\">");
        for _ in 0..random.between(1, 4) {
            value(random, out);
            if random.per_mille(200) {
                out.push_str("&nbsp;<em>");
                language(random).word(random, out);
                out.push_str("</em> ");
            }
        }
        out.push_str("</p>\n");
    }
    out.push_str("  <ul>\n");
    for _ in 0..random.between(1, 4) {
        out.push_str("    <li><a href=\"https://example.org/");
        for _ in 0..random.between(4, 20) {
            out.push(random.char_in('a', 'z'));
        }
        out.push_str("\" rel=\"nofollow\">");
        language(random).word(random, out);
        out.push_str("</a></li>\n");
    }
    out.push_str("  </ul>\n</section>\n");
}
