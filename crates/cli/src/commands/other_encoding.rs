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
//!
//! A surrogate without its other half is damage as well, though such a text may be WTF-8: to read it as that would bring back no character.
//!
//! In place and without a backup it is not asked for a name: a text of DOS or of the Macintosh would be lost as well, though nobody can
//! tell what it is, and so would be a picture. What has hardly any UTF-8 in it, and the same few bytes above 7F again and again,
//! is [in some encoding](is_in_some_encoding); damage has all bytes alike, or few of them.

use encoding_rs::{Encoding, IBM866, KOI8_U, WINDOWS_874};
use runecast::{Content, Detection, Detector, Evidence, Scheme};

use crate::io::name::Name;
use crate::pipeline::guess::{Guesser, close_to_utf8};
use crate::ui::arguments::encoding::usual_name;
use crate::ui::console::{Console, Styles, push};

/// From this confidence on something is said.
const LIKELY: u8 = 51;

/// From this confidence on it takes less to show that something is no text.
const SURE: u8 = 95;

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
    let sample = sample(piece, at)?;
    let found = detect(sample);
    let units = match found.evidence {
        Evidence::Mark(_) => true,
        Evidence::Units { .. } => found.confidence >= LIKELY,
        _ => false,
    };
    if !units && let Some((scheme, _)) = close_to_utf8(piece, true) {
        return Some(Other::new(scheme.name()));
    }
    if is_wrong_by_surrogates(piece) {
        return None;
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

/// The part of a piece that is looked at: what is before and behind the first error.
fn sample(piece: &[u8], at: u64) -> Option<&[u8]> {
    // Code units begin at multiples of their size.
    let start = (at.wrapping_neg() % 4) as usize;
    let piece = piece.get(start..)?;
    // What comes before the first error says nothing about bytes; about larger units it does.
    let error = Scheme::Utf8.validate(piece).err()?.at;
    let from = if error < SAMPLE / 2 { 0 } else { error.saturating_sub(SAMPLE / 2) & !3 };
    let sample = &piece[from..];
    Some(&sample[..sample.len().min(SAMPLE)])
}

/// Whether all that is ill-formed in a piece is surrogates, each in the three bytes that would be its UTF-8.
fn is_wrong_by_surrogates(piece: &[u8]) -> bool {
    Scheme::GeneralizedUtf8.validate(piece).map_or_else(|error| error.is_incomplete(), |()| true)
}

fn detect(sample: &[u8]) -> Detection {
    let mut detector = Detector::new();
    detector.push(sample);
    detector.finish()
}

/// What is outside of ASCII, read as UTF-8.
struct Outside {
    /// Characters.
    good: usize,
    /// Sequences that are ill-formed.
    bad: usize,
}

impl Outside {
    fn of(sample: &[u8]) -> Outside {
        let (mut good, mut bad) = (0, 0);
        for character in String::from_utf8_lossy(sample).chars().filter(|character| !character.is_ascii()) {
            *(if character == char::REPLACEMENT_CHARACTER { &mut bad } else { &mut good }) += 1;
        }
        Outside { good, bad }
    }
}

/// Whether more characters outside of ASCII are well-formed than can be by accident in a text in this encoding: every third where
/// characters have two bytes, or the bytes of letters are those of UTF-8 as well (the vowels of Thai before consonants, і and ї behind
/// small letters in KOI8-U, three letters of Russian in DOS), and hardly any elsewhere.
fn has_utf8(sample: &[u8], encoding: &str) -> bool {
    let by_accident = Encoding::for_label(encoding.as_bytes()).is_some_and(|encoding| {
        !encoding.is_single_byte() || [IBM866, KOI8_U, WINDOWS_874].contains(&encoding)
    });
    let Outside { good, bad } = Outside::of(sample);
    good * if by_accident { 2 } else { 20 } > bad
}

/// Whether a sample is text in some encoding that is not UTF-8, whatever it is: from the first error on one in a hundred bytes is
/// ill-formed, few characters outside of ASCII are not, and some bytes come again and again. Damage by accident hits all bytes alike, and
/// makes control characters as well; or it is one byte only.
fn is_in_some_encoding(sample: &[u8]) -> bool {
    let Err(error) = Scheme::Utf8.validate(sample) else { return false };
    let from_error = &sample[error.at..];
    let Outside { good, bad } = Outside::of(sample);
    let (mut high, mut seen) = (0, [false; 0x80]);
    for byte in from_error.iter().filter(|byte| **byte > 0x7F) {
        high += 1;
        seen[usize::from(byte & 0x7F)] = true;
    }
    let different = seen.iter().filter(|seen| **seen).count();
    let control =
        |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b'\x1B');
    bad >= 4
        && bad * 100 >= from_error.len()
        && good * 4 <= bad
        && different >= 2
        && high * 4 >= different * 5
        && !sample.iter().any(control)
}

/// Whether a sample is no text at all, with as many ill-formed sequences as programs have, or as pictures and archives, of which that is
/// nearly all: a text with some NUL bytes and some damage is one.
fn is_binary(sample: &[u8]) -> bool {
    let Detection { content, confidence, .. } = detect(sample);
    let Outside { good, bad } = Outside::of(sample);
    let ill_formed = if confidence >= SURE { bad * 50 } else { bad * 8 };
    content == Content::Binary && ill_formed >= sample.len() && good * 4 <= bad
}

/// Why a file is not replaced, of which this piece is ill-formed as UTF-8, if it should not be: what it seems to be, and what to do
/// with each encoding, of which the first may be unknown.
fn why_left(
    other: Option<&Other>,
    piece: &[u8],
    at: u64,
    advice: impl Fn(&str) -> String,
    forced: &str,
) -> Option<String> {
    let (what, advice) = match (other, sample(piece, at)) {
        (None, _) if is_wrong_by_surrogates(piece) => return None,
        (Some(Other { encoding, option }), _) => (format!("{encoding}, not UTF-8"), advice(option) + ", or "),
        (None, Some(sample)) if is_binary(sample) => ("binary data, not text".to_owned(), String::new()),
        (None, Some(sample)) if is_in_some_encoding(sample) => {
            ("in an older encoding, not UTF-8".to_owned(), advice("ENCODING") + ", or ")
        }
        _ => return None,
    };
    Some(format!("seems to be {what}, and is left unchanged; use {advice}{forced}"))
}

/// Why a file is not replaced, in a sentence without its subject, if it should not be: it seems to be this, or the piece of it says so.
pub(super) fn refusal(other: Option<&Other>, piece: &[u8], at: u64) -> Option<String> {
    let advice = |option: &str| format!("-f {option} to read it");
    why_left(other, piece, at, advice, "-f utf-8 to repair it as UTF-8")
}

/// The same where lines would be left out.
pub(super) fn refusal_to_drop(other: Option<&Other>, piece: &[u8], at: u64) -> Option<String> {
    let advice = |option: &str| format!("convert -f {option} to convert it");
    why_left(other, piece, at, advice, "-f utf-8 to read it as UTF-8")
}

/// Says so, and how to read it.
pub(super) fn say(console: &mut Console, name: &Name, Other { encoding, option }: &Other) {
    hint(console, name, encoding, format_args!("use -f {option} to read it"));
}

/// Says so, and what makes UTF-8 of it.
pub(super) fn say_to_convert(console: &mut Console, name: &Name, Other { encoding, option }: &Other) {
    hint(console, name, encoding, format_args!("use convert -f {option} to convert it"));
}

fn hint(console: &mut Console, name: &Name, encoding: &str, advice: std::fmt::Arguments<'_>) {
    let Styles { strong, .. } = console.err_styles;
    push(
        &mut console.err,
        format_args!("runecast: {strong}{name}{strong:#}: seems to be {encoding}, not UTF-8; {advice}\n"),
    );
}
