//! A stretch of bytes, explained.
//!
//! A stretch begins a few characters before an error and ends a few behind it. Errors that are close to
//! each other share one, up to a length; where a long run of bad bytes is cut, it is cut where no
//! behaviour would have taken both sides together: so no stretch is much longer than [`SPAN`], whatever the input.
//! And what a behaviour writes for the bytes between the
//! first error of a stretch and the end of the last is what it writes for them in the whole text.

use runecast::{Kind, Replacement, Utf8, Utf32, ill_formed, transcode_lossy_append};

use crate::finding::Finding;
use crate::position::Cursor;
use crate::rules::{Range, Row, is_in, is_whole, may_follow};

/// So many bytes before and behind the errors are shown.
pub(crate) const CONTEXT: usize = 8;
/// Errors share a stretch if fewer bytes are between them.
const GAP: usize = 8;
/// From the first error of a stretch to the end of the last, unless one form of a behaviour is longer.
pub const SPAN: usize = 64;
/// So many bytes behind the beginning of an error decide what its stretch is: the span, a sequence that
/// is not cut, the longest form of any behaviour, the context, and a character that is cut by it.
pub(crate) const ROOM: usize = SPAN + 3 + 13 + CONTEXT + 4;

/// Where a stretch lies in what is held of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The first byte shown.
    pub(crate) begin: usize,
    /// The first error.
    pub(crate) first: usize,
    /// The end of the last.
    pub(crate) last: usize,
    /// The end of what is shown.
    pub(crate) end: usize,
}

impl Extent {
    /// Around the error at `first`. From `shown` on up to there it is well-formed.
    pub(crate) fn around(bytes: &[u8], shown: usize, first: usize) -> Extent {
        let mut last = first;
        for error in ill_formed(&bytes[first..]) {
            let (at, end) = (first + error.at, first + error.at + error.len);
            if at > last + GAP {
                break;
            }
            if end - first > SPAN {
                // A sequence that a behaviour replaces as one goes on with continuation bytes only. So this ends after twelve more,
                // however long the run is.
                let span = &bytes[first..last];
                let goes_on = at == last
                    && !is_boundary(bytes[at])
                    && Replacement::ALL.iter().any(|replacement| replacement.incomplete_suffix(span) > 0);
                if !goes_on {
                    break;
                }
            }
            last = end;
        }
        let begin = first.saturating_sub(CONTEXT).max(shown);
        let begin = (begin..first).find(|at| is_boundary(bytes[*at])).unwrap_or(first);
        let behind = &bytes[last..bytes.len().min(last + CONTEXT)];
        let text = std::str::from_utf8(behind).map_or_else(|error| error.valid_up_to(), str::len);
        Extent { begin, first, last, end: last + text }
    }

    /// Everything there is.
    pub(crate) fn whole(bytes: &[u8]) -> Extent {
        let mut errors = ill_formed(bytes);
        let first = errors.next().map(|error| (error.at, error.at + error.len));
        let last = errors.last().map(|error| error.at + error.len);
        let (first, end) = first.unwrap_or((0, 0));
        Extent { begin: 0, first, last: last.unwrap_or(end), end: bytes.len() }
    }
}

/// Whether a character of well-formed text begins with this byte.
fn is_boundary(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// What a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A character of its own.
    Ascii,
    /// The first of so many.
    Lead(usize),
    /// The i-th behind a lead byte, of so many that it announces.
    Continuation(usize, usize),
    /// A continuation byte where none can be.
    Unexpected,
    /// C0, C1.
    OverlongLead,
    /// F5..FF.
    NeverValid,
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&match self {
            Role::Ascii => "ASCII".to_owned(),
            Role::Lead(length) => format!("lead of {length}"),
            Role::Continuation(index, all) => format!("continuation {index} of {all}"),
            Role::Unexpected => "unexpected continuation".to_owned(),
            Role::OverlongLead => "overlong lead".to_owned(),
            Role::NeverValid => "never valid".to_owned(),
        })
    }
}

/// A byte, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Byte {
    /// Its offset in the input.
    pub at: u64,
    /// The byte.
    pub value: u8,
    /// What it is.
    pub role: Role,
    /// Whether it is part of an ill-formed sequence.
    pub bad: bool,
    /// What could have stood in its place, if it could not.
    pub expected: Option<Vec<Range>>,
    /// The character that begins with it.
    pub character: Option<char>,
}

/// What a behaviour makes of the bad bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The behaviour.
    pub by: Replacement,
    /// How many replacements it makes.
    pub replaced: usize,
    /// Code points; surrogates too, for one behaviour lets them pass.
    pub points: Vec<u32>,
}

/// A stretch, explained.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Its bytes.
    pub bytes: Vec<Byte>,
    /// What could stand behind the last of them, if the input ends too early.
    pub missing: Option<Vec<Range>>,
    /// What is wrong with it.
    pub errors: Vec<Finding>,
    /// From the first error to the end of the last: offsets in the input.
    pub span: (u64, u64),
    /// What becomes of that. Where nothing is wrong: of all of it, if anyone replaces it still.
    pub written: Vec<Written>,
}

impl Stretch {
    /// The stretch of `held`, which begins at `base` in the input. The cursor is at the first error, and
    /// goes to the end of the last.
    pub(crate) fn of(held: &[u8], base: u64, extent: Extent, cursor: &mut Cursor) -> Stretch {
        let Extent { begin, first, last, end } = extent;
        let mut errors = Vec::new();
        let mut done = first;
        for error in ill_formed(&held[first..]) {
            let at = first + error.at;
            if at >= last {
                break;
            }
            cursor.pass_text(&held[done..at]);
            errors.push(Finding { at: base + at as u64, position: Some(cursor.position()), error });
            cursor.pass_ill_formed();
            done = at + error.len;
        }
        let (bytes, missing) = explained(&held[begin..end], base + begin as u64, &errors);
        // A stretch may be cut before the next one. Where all of what is held is shown, that is the end of the input.
        let missing = missing.filter(|_| end == held.len());
        let span = if errors.is_empty() { begin..end } else { first..last };
        let mut written = written(&held[span.clone()]);
        if errors.is_empty() {
            written.retain(|written| written.replaced > 0);
        }
        let span = (base + span.start as u64, base + span.end as u64);
        Stretch { bytes, missing, errors, span, written }
    }
}

/// Each byte of a text that begins where a character does, and what is missing at its end.
fn explained(text: &[u8], base: u64, errors: &[Finding]) -> (Vec<Byte>, Option<Vec<Range>>) {
    let mut bytes: Vec<Byte> = Vec::new();
    let mut errors = errors.iter().peekable();
    // The beginning of a character, as far as it goes.
    let mut open = Vec::new();
    while let Some(&lead) = text.get(bytes.len()) {
        let begin = bytes.len();
        let error = errors.next_if(|finding| finding.at == base + begin as u64).map(|finding| finding.error);
        let announced = Row::of(lead).map_or(1, Row::length);
        let length = error.map_or(announced, |error| error.len).min(text.len() - begin);
        for index in 0..length {
            let value = text[begin + index];
            let role = match error.map(|error| error.kind) {
                Some(Kind::UnexpectedContinuation) => Role::Unexpected,
                Some(Kind::OverlongLead) => Role::OverlongLead,
                Some(Kind::InvalidLead) => Role::NeverValid,
                _ if announced == 1 => Role::Ascii,
                _ if index == 0 => Role::Lead(announced),
                _ => Role::Continuation(index, announced - 1),
            };
            let allowed = may_follow(&open);
            let fits = is_in(&allowed, value);
            if !fits {
                open.clear();
            }
            open.push(value);
            if is_whole(&open) || !is_in(&may_follow(&[]), open[0]) {
                open.clear();
            }
            let character = || std::str::from_utf8(&text[begin..begin + length]).ok()?.chars().next();
            bytes.push(Byte {
                at: base + (begin + index) as u64,
                value,
                role,
                bad: error.is_some(),
                expected: (!fits).then_some(allowed),
                character: if index == 0 && error.is_none() { character() } else { None },
            });
        }
    }
    let missing = (!open.is_empty()).then(|| may_follow(&open));
    (bytes, missing)
}

/// What each behaviour makes of these bytes.
fn written(bytes: &[u8]) -> Vec<Written> {
    Replacement::ALL
        .into_iter()
        .map(|by| {
            let mut points = Vec::new();
            let repaired = transcode_lossy_append::<Utf8, Utf32>(bytes, &mut points, by);
            Written { by, replaced: repaired.replaced, points }
        })
        .collect()
}
