//! What an input seems to be that was taken for UTF-8, and is none.
//!
//! UTF-8 is what is read unless `-f` says otherwise, and a file in UTF-16 or windows-1252 is full of errors then. Most people
//! want to know that rather than the offset of the first: `check` and `convert` say it behind their line, and so does `repair`,
//! which makes U+FFFD of each letter. In place and without a backup nothing else would be left of them; so there such a file is
//! left as it is, until `-f` says what it is.
//!
//! `repair --drop-lines` leaves out the lines of such a file, all or most of them, and does the same; but it is for UTF-8 alone, and so it
//! names `convert`.
//!
//! UTF-16 is well-formed UTF-8 where it is ASCII with NUL between: there `check` says it behind a line that is none of an error.
//!
//! With a byte order mark it is `-f utf-16` that reads it, which takes the mark away; `-f utf-16le` would leave it at the start of the text.
//!
//! Only what is more likely than not is said. A text with a single strange byte, or with UTF-8 beside, is damaged and not in
//! another encoding.

use encoding_rs::Encoding;
use runecast::{Detector, Evidence, Scheme};

use crate::io::name::Name;
use crate::pipeline::guess::{Guesser, close_to_utf8};
use crate::ui::arguments::encoding::usual_name;
use crate::ui::console::{Console, Styles, push};

/// From this confidence on something is said.
const LIKELY: u8 = 51;

/// So much of a text is looked at.
const SAMPLE: usize = 64 * 1024;

/// So much of a text decides whether it is UTF-16 or UTF-32.
const HEAD: usize = 4096;

/// What an input seems to be in.
pub(super) struct Other {
    encoding: &'static str,
    /// What `-f` calls it.
    option: String,
}

impl Other {
    fn new(encoding: &'static str) -> Self {
        Other { encoding, option: encoding.to_ascii_lowercase().replace(' ', "-") }
    }

    /// With a byte order mark, which is to be read as such.
    fn marked(scheme: Scheme) -> Self {
        let option = match scheme {
            Scheme::Utf16Le | Scheme::Utf16Be => "utf-16",
            Scheme::Utf32Le | Scheme::Utf32Be => "utf-32",
            _ => return Other::new(scheme.name()),
        };
        Other { encoding: scheme.name(), option: option.to_owned() }
    }
}

/// The form of Unicode that an input seems to be in, of which the first piece is well-formed as UTF-8, and perhaps all.
pub(super) fn wide_encoding(piece: &[u8], is_all: bool) -> Option<Other> {
    let head = &piece[..piece.len().min(HEAD)];
    let mut detector = Detector::new();
    detector.push(head);
    let found = if is_all && head.len() == piece.len() { detector.finish() } else { detector.verdict() };
    let units = matches!(found.evidence, Evidence::Units { .. }) && found.confidence >= LIKELY;
    found.scheme().filter(|_| units).map(|scheme| Other::new(scheme.name()))
}

/// The encoding that a piece of an input seems to be in, which begins at `at` and is ill-formed as UTF-8.
pub(super) fn other_encoding(piece: &[u8], at: u64) -> Option<Other> {
    let all = piece;
    // Code units begin at multiples of their size.
    let start = (at.wrapping_neg() % 4) as usize;
    let piece = piece.get(start..)?;
    // What comes before the first error says nothing about bytes; about larger units it does.
    let error = Scheme::Utf8.validate(piece).err()?.at;
    let from = if error < SAMPLE / 2 { 0 } else { error.saturating_sub(SAMPLE / 2) & !3 };
    let sample = &piece[from..];
    let sample = &sample[..sample.len().min(SAMPLE)];
    let mut detector = Detector::new();
    detector.push(sample);
    let found = detector.finish();
    let units = match found.evidence {
        Evidence::Mark(_) => true,
        Evidence::Units { .. } => found.confidence >= LIKELY,
        _ => false,
    };
    if !units && let Some((scheme, _)) = close_to_utf8(all, true) {
        return Some(Other::new(scheme.name()));
    }
    let mut guesser = Guesser::new(usual_name);
    if at == 0 {
        guesser.push_head(piece);
    }
    guesser.push(sample);
    guesser.cut();
    let answer = guesser.answer(&found);
    let name = answer.encoding.filter(|_| answer.confidence >= LIKELY)?;
    let usual = [Scheme::Utf8.name(), Scheme::Ascii.name()].contains(&name);
    if usual || !units && has_utf8(sample, name) {
        return None;
    }
    Some(match found.evidence {
        Evidence::Mark(scheme) => Other::marked(scheme),
        _ => Other::new(name),
    })
}

/// Whether more characters outside of ASCII are well-formed than can be by accident in a text in this encoding: every third in
/// those of two bytes, and hardly any elsewhere.
fn has_utf8(sample: &[u8], encoding: &str) -> bool {
    let long = Encoding::for_label(encoding.as_bytes()).is_some_and(|encoding| !encoding.is_single_byte());
    let (mut good, mut bad) = (0, 0);
    for character in String::from_utf8_lossy(sample).chars().filter(|character| !character.is_ascii()) {
        *(if character == char::REPLACEMENT_CHARACTER { &mut bad } else { &mut good }) += 1;
    }
    good * if long { 2 } else { 20 } > bad
}

/// Why a file is not replaced, in a sentence without its subject.
pub(super) fn refusal(Other { encoding, option }: &Other) -> String {
    format!(
        "seems to be {encoding}, not UTF-8, and is left as it is; -f {option} reads it as that, -f utf-8 repairs it as UTF-8"
    )
}

/// The same where lines would be left out.
pub(super) fn refusal_to_drop(Other { encoding, option }: &Other) -> String {
    format!(
        "seems to be {encoding}, not UTF-8, and is left as it is; convert -f {option} makes UTF-8 of it, -f utf-8 takes it for UTF-8"
    )
}

/// Says so, and how to read it.
pub(super) fn say(console: &mut Console, name: &Name, Other { encoding, option }: &Other) {
    hint(console, name, encoding, format_args!("-f {option} reads it as that"));
}

/// Says so, and what makes UTF-8 of it.
pub(super) fn say_to_convert(console: &mut Console, name: &Name, Other { encoding, option }: &Other) {
    hint(console, name, encoding, format_args!("convert -f {option} makes UTF-8 of it"));
}

fn hint(console: &mut Console, name: &Name, encoding: &str, advice: std::fmt::Arguments<'_>) {
    let Styles { strong, .. } = console.err_styles;
    push(
        &mut console.err,
        format_args!("runecast: {strong}{name}{strong:#}: seems to be {encoding}, not UTF-8; {advice}\n"),
    );
}
