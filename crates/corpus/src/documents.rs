//! Documents: what people really have, in which kinds of text alternate every few dozen bytes.
//!
//! Markup, keys and code are ASCII; what people say in it is in their language, of which there are twelve. So the units here (a
//! section, a record, a function, a message) each draw a language for themselves, and a document changes between them. What a
//! validator or a transcoder feels of that is how long the runs of ASCII between other characters are. They were fitted to
//! documents of each kind (whose languages were one or four, so that numbers of twelve lie between), by three numbers: the share of characters beyond ASCII, the changes between ASCII and others per KiB, and the
//! share of 64-byte lines that are all ASCII:
//!
//! | | fitted to | beyond ASCII | changes per KiB | lines of ASCII |
//! |---|---|---|---|---|
//! | Markdown | handbooks in German, English, Japanese and Arabic: 0.6, 0.2, 16 and 18 % | 10 to 30 % | 40 to 90 | 0.25 to 0.6 |
//! | log | system logs: none at all; here a user's text now and then | below 2 % | below 6 | above 0.9 |
//! | CSV | word lists in Polish: 4 % and 76 changes | 8 to 30 % | 40 to 120 | below 0.5 |
//! | code | Rust's standard library: 0.1 %; here with comments in other languages | 1 to 5 % | 2 to 15 | 0.8 to 0.96 |
//! | chat | messages: emoji 2 % of the characters | 15 to 50 % | 30 to 120 | below 0.35 |
//! | catalog | PO files in Hindi: 26 % and 56 changes | 8 to 30 % | 20 to 90 | below 0.3 |
//!
//! JSON and HTML are in [`markup`](crate::markup). *World* is all of them shuffled: pieces of some hundred bytes to four KiB, so that
//! no branch predictor learns what comes next. Benchmarks of 64 KiB and more should show it first.

use crate::alphabetic::{
    ARABIC, ENGLISH, FRENCH, GERMAN, GREEK, Language, RUSSIAN, TURKISH, VIETNAMESE, number,
};
use crate::random::Random;
use crate::{emoji, ideographic, markup, syllabic};

/// A language in which people write.
#[derive(Clone, Copy)]
enum Tongue {
    Words(&'static Language),
    /// What appends a paragraph.
    Paragraphs(fn(&mut Random, &mut String)),
}

use Tongue::{Paragraphs, Words};

const TONGUES: [Tongue; 12] = [
    Words(&ENGLISH),
    Words(&GERMAN),
    Words(&FRENCH),
    Words(&TURKISH),
    Words(&VIETNAMESE),
    Words(&GREEK),
    Words(&RUSSIAN),
    Words(&ARABIC),
    Paragraphs(syllabic::hindi),
    Paragraphs(syllabic::korean),
    Paragraphs(ideographic::chinese),
    Paragraphs(ideographic::japanese),
];

impl Tongue {
    /// One of the twelve; English in two of five cases.
    fn any(random: &mut Random) -> Tongue {
        TONGUES[random.weighted(&[440, 90, 80, 50, 40, 40, 80, 60, 50, 50, 70, 50])]
    }

    /// Appends a sentence or two, without a line feed.
    fn sentence(self, random: &mut Random, out: &mut String) {
        match self {
            Words(language) => language.sentence(random, out),
            Paragraphs(_) => {
                let most = random.between(20, 70);
                self.cut(random, most, out);
            }
        }
    }

    /// Appends a word or two.
    fn word(self, random: &mut Random, out: &mut String) {
        match self {
            Words(language) => language.word(random, out),
            Paragraphs(_) => {
                let most = random.between(2, 6);
                self.cut(random, most, out);
            }
        }
    }

    /// Appends at most so many characters of a paragraph.
    fn cut(self, random: &mut Random, most: usize, out: &mut String) {
        let from = out.len();
        match self {
            Words(language) => language.sentence(random, out),
            Paragraphs(paragraph) => paragraph(random, out),
        }
        let end = out[from..].char_indices().nth(most).map_or(out.len(), |(at, _)| from + at);
        out.truncate(end);
        let end = from + out[from..].trim_end().len();
        out.truncate(end);
    }
}

/// A word of ASCII letters, as in names of things.
fn name(random: &mut Random, out: &mut String) {
    for _ in 0..random.between(3, 11) {
        out.push(random.char_of("eeeaaiioottnnssrrlldcmupfghbvwykxq"));
    }
}

/// Names with something between them.
fn names(count: usize, between: &str, random: &mut Random, out: &mut String) {
    for which in 0..count {
        if which > 0 {
            out.push_str(between);
        }
        name(random, out);
    }
}

/// So many digits.
fn digits(count: usize, random: &mut Random, out: &mut String) {
    for _ in 0..count {
        out.push(random.char_in('0', '9'));
    }
}

/// A date and a time.
fn timestamp(random: &mut Random, out: &mut String) {
    out.push_str("2026-0");
    out.push(random.char_in('1', '9'));
    out.push('-');
    out.push(random.char_in('1', '2'));
    out.push(random.char_in('0', '8'));
    out.push('T');
    for between in [":", ":", "."] {
        out.push(random.char_in('0', '1'));
        out.push(random.char_in('0', '9'));
        out.push_str(between);
    }
    digits(3, random, out);
    out.push('Z');
}

/// Appends a section of a handbook: a heading, paragraphs with code and links, now and then a list, a table or a block of code.
pub(crate) fn markdown(random: &mut Random, out: &mut String) {
    let tongue = Tongue::any(random);
    out.push_str(["# ", "## ", "## ", "### "][random.below(4)]);
    tongue.word(random, out);
    out.push(' ');
    tongue.word(random, out);
    out.push_str("\n\n");
    for _ in 0..random.between(1, 3) {
        for _ in 0..random.between(1, 3) {
            tongue.sentence(random, out);
            match random.below(4) {
                0 => {
                    out.push_str(" `");
                    names(2, "::", random, out);
                    out.push_str("()` ");
                }
                1 => {
                    out.push_str(" [");
                    tongue.word(random, out);
                    out.push_str("](https://example.org/docs/");
                    names(3, "/", random, out);
                    out.push_str(".html) ");
                }
                _ => out.push(' '),
            }
        }
        out.push_str("\n\n");
    }
    match random.below(4) {
        0 => {
            for _ in 0..random.between(2, 6) {
                out.push_str("- **");
                name(random, out);
                out.push_str("**: ");
                tongue.word(random, out);
                out.push(' ');
                tongue.word(random, out);
                out.push('\n');
            }
            out.push('\n');
        }
        1 => {
            out.push_str("```sh\n");
            for _ in 0..random.between(2, 9) {
                out.push_str("$ ");
                names(2, " --", random, out);
                out.push('=');
                number(random, out);
                out.push_str(" /etc/");
                names(3, "/", random, out);
                out.push('\n');
            }
            out.push_str("```\n\n");
        }
        2 => {
            out.push_str("| option | value |\n|---|---|\n");
            for _ in 0..random.between(2, 5) {
                out.push_str("| `");
                name(random, out);
                out.push_str("` | ");
                tongue.word(random, out);
                out.push_str(" |\n");
            }
            out.push('\n');
        }
        _ => {}
    }
}

/// Appends a record of a log, one line of JSON: seldom with something that a user has written.
pub(crate) fn log(random: &mut Random, out: &mut String) {
    out.push_str("{\"time\":\"");
    timestamp(random, out);
    out.push_str(
        ["\",\"level\":\"info\"", "\",\"level\":\"warn\"", "\",\"level\":\"debug\""][random.below(3)],
    );
    out.push_str(",\"service\":\"");
    names(2, "-", random, out);
    out.push_str("\",\"request\":\"");
    for _ in 0..16 {
        out.push(random.char_of("0123456789abcdef"));
    }
    out.push_str("\",\"path\":\"/v1/");
    names(2, "/", random, out);
    out.push_str("\",\"status\":");
    out.push_str(["200", "200", "200", "404", "500"][random.below(5)]);
    if random.per_mille(60) {
        out.push_str(",\"query\":\"");
        Tongue::any(random).word(random, out);
        out.push('"');
    }
    out.push_str(",\"ms\":");
    number(random, out);
    out.push_str("}\n");
}

/// Appends rows of a table: places and people.
pub(crate) fn csv(random: &mut Random, out: &mut String) {
    let tongue = Tongue::any(random);
    for _ in 0..random.between(2, 8) {
        digits(6, random, out);
        for _ in 0..random.between(2, 4) {
            out.push(',');
            tongue.word(random, out);
            if random.per_mille(300) {
                out.push(' ');
                tongue.word(random, out);
            }
        }
        out.push(',');
        digits(2, random, out);
        out.push('.');
        digits(4, random, out);
        out.push_str(if random.per_mille(500) { ",true\n" } else { ",false\n" });
    }
}

/// Appends a function with its comment.
pub(crate) fn code(random: &mut Random, out: &mut String) {
    let tongue = if random.per_mille(600) { Words(&ENGLISH) } else { Tongue::any(random) };
    for _ in 0..random.between(1, 2) {
        out.push_str("    /// ");
        tongue.sentence(random, out);
        out.push('\n');
    }
    out.push_str("    pub fn ");
    names(2, "_", random, out);
    out.push_str("(&self, ");
    name(random, out);
    out.push_str(": usize) -> Option<u32> {\n");
    for _ in 0..random.between(3, 12) {
        out.push_str("        let ");
        name(random, out);
        out.push_str(" = self.");
        names(2, ".", random, out);
        out.push('(');
        name(random, out);
        out.push_str(")?;\n");
        if random.per_mille(60) {
            out.push_str("        // ");
            tongue.word(random, out);
            out.push('\n');
        }
        if random.per_mille(40) {
            out.push_str("        println!(\"");
            tongue.word(random, out);
            out.push_str(": {}\");\n");
        }
    }
    out.push_str("        Some(");
    number(random, out);
    out.push_str(" as u32)\n    }\n\n");
}

/// Appends subtitles of a scene.
pub(crate) fn subtitles(random: &mut Random, out: &mut String) {
    let tongue = Tongue::any(random);
    for _ in 0..random.between(2, 8) {
        digits(3, random, out);
        out.push_str("\n00:");
        for between in [":", ",", " --> 00:"] {
            digits(if between == " --> 00:" { 3 } else { 2 }, random, out);
            out.push_str(between);
        }
        for (count, between) in [(2, ":"), (2, ","), (3, "\n")] {
            digits(count, random, out);
            out.push_str(between);
        }
        for _ in 0..random.between(1, 2) {
            if random.per_mille(200) {
                out.push_str("- ");
            }
            let most = random.between(8, 40);
            tongue.cut(random, most, out);
            out.push('\n');
        }
        out.push('\n');
    }
}

/// Appends some messages of a conversation.
pub(crate) fn chat(random: &mut Random, out: &mut String) {
    let tongue = Tongue::any(random);
    for _ in 0..random.between(2, 9) {
        out.push('[');
        digits(2, random, out);
        out.push(':');
        digits(2, random, out);
        out.push_str("] ");
        name(random, out);
        out.push_str(": ");
        let most = random.between(4, 60);
        tongue.cut(random, most, out);
        for _ in 0..[0, 0, 1, 1, 2, 4][random.below(6)] {
            if random.per_mille(500) {
                out.push(' ');
            }
            out.push(emoji::picture(random));
        }
        out.push('\n');
    }
}

/// Appends an entry of an XML file, with attributes.
pub(crate) fn xml(random: &mut Random, out: &mut String) {
    let tongue = Tongue::any(random);
    out.push_str("  <entry id=\"");
    digits(6, random, out);
    out.push_str("\" updated=\"");
    timestamp(random, out);
    out.push_str("\">\n    <title>");
    tongue.word(random, out);
    out.push(' ');
    tongue.word(random, out);
    out.push_str("</title>\n");
    for _ in 0..random.between(1, 4) {
        out.push_str("    <");
        let from = out.len();
        name(random, out);
        let element = out[from..].to_owned();
        out.push_str(" type=\"text\" ref=\"urn:");
        names(2, ":", random, out);
        out.push_str("\">");
        if random.per_mille(600) {
            tongue.sentence(random, out);
        } else {
            number(random, out);
        }
        out.push_str("</");
        out.push_str(&element);
        out.push_str(">\n");
    }
    out.push_str("  </entry>\n");
}

/// Appends entries of a catalog of messages, English and translated (a PO file).
pub(crate) fn catalog(random: &mut Random, out: &mut String) {
    let tongue = TONGUES[random.between(1, TONGUES.len() - 1)];
    for _ in 0..random.between(2, 6) {
        out.push_str("#: src/");
        names(2, "/", random, out);
        out.push_str(".c:");
        digits(3, random, out);
        out.push_str("\nmsgid \"");
        Words(&ENGLISH).word(random, out);
        out.push(' ');
        Words(&ENGLISH).word(random, out);
        out.push_str("\"\nmsgstr \"");
        for word in 0..random.between(2, 5) {
            if word > 0 {
                out.push(' ');
            }
            tongue.word(random, out);
        }
        out.push_str("\"\n\n");
    }
}

/// Appends a piece of any document.
pub(crate) fn world(random: &mut Random, out: &mut String) {
    let kinds: [fn(&mut Random, &mut String); 10] =
        [markdown, markup::html, markup::json, log, csv, code, subtitles, chat, xml, catalog];
    let kind = kinds[random.below(kinds.len())];
    for _ in 0..random.between(1, 3) {
        kind(random, out);
    }
}
