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

/// The name of the encoding that a piece of an input seems to be in, which begins at `at` and is ill-formed as UTF-8.
pub(super) fn other_encoding(piece: &[u8], at: u64) -> Option<&'static str> {
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
        return Some(scheme.name());
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
    (!usual && (units || !has_utf8(sample, name))).then_some(name)
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

/// The name of an encoding as one types it.
fn option(encoding: &str) -> String {
    encoding.to_ascii_lowercase().replace(' ', "-")
}

/// Why a file is not replaced, in a sentence without its subject.
pub(super) fn refusal(encoding: &str) -> String {
    let option = option(encoding);
    format!(
        "seems to be {encoding}, not UTF-8, and is left as it is; -f {option} reads it as that, -f utf-8 repairs it as UTF-8"
    )
}

/// The same where lines would be left out.
pub(super) fn refusal_to_drop(encoding: &str) -> String {
    let option = option(encoding);
    format!(
        "seems to be {encoding}, not UTF-8, and is left as it is; convert -f {option} makes UTF-8 of it, -f utf-8 takes it for UTF-8"
    )
}

/// Says so, and how to read it.
pub(super) fn say(console: &mut Console, name: &Name, encoding: &str) {
    let option = option(encoding);
    hint(console, name, encoding, format_args!("-f {option} reads it as that"));
}

/// Says so, and what makes UTF-8 of it.
pub(super) fn say_to_convert(console: &mut Console, name: &Name, encoding: &str) {
    let option = option(encoding);
    hint(console, name, encoding, format_args!("convert -f {option} makes UTF-8 of it"));
}

fn hint(console: &mut Console, name: &Name, encoding: &str, advice: std::fmt::Arguments<'_>) {
    let Styles { strong, .. } = console.err_styles;
    push(
        &mut console.err,
        format_args!("runecast: {strong}{name}{strong:#}: seems to be {encoding}, not UTF-8; {advice}\n"),
    );
}
