//! Encodings and policies as numbers, which JavaScript learns by name.

use runecast::{AnyTranscoder, Bom, Engine, Escape, Label, Policy, Replacement, Scheme};

use crate::memory::{Field, Memory, with};

/// No such thing.
const UNKNOWN: u32 = u32::MAX;

/// The scheme of a number.
pub(crate) fn scheme(code: u32) -> Scheme {
    Scheme::ALL.get(code as usize).copied().unwrap_or(Scheme::Utf8)
}

/// The policy of a number; there is none for 0, "fatal". The order is that of [`names`].
pub(crate) fn policy(code: u32, replacement: &str) -> Option<Policy<'_>> {
    let code = (code as usize).checked_sub(1)?;
    let escape = code.checked_sub(Replacement::ALL.len());
    Some(match (Replacement::ALL.get(code), escape.map(|code| Escape::ALL.get(code))) {
        (Some(replacement), _) => Policy::Replace(*replacement),
        (None, Some(Some(escape))) => Policy::Escape(*escape),
        _ => Policy::With(replacement),
    })
}

/// Writes what there is, as JSON: the names of the schemes and of the policies, each at the place of its number, and
/// the kernels that are used.
#[unsafe(no_mangle)]
extern "C" fn names() {
    with(|Memory { output, .. }| {
        let policies = std::iter::once("fatal")
            .chain(Replacement::ALL.iter().map(|replacement| replacement.name()))
            .chain(Escape::ALL.iter().map(|escape| escape.name()))
            .chain(["text"])
            .map(|name| format!("\"{name}\""));
        let schemes = Scheme::ALL
            .iter()
            .map(|scheme| format!(r#"{{"name":"{}","wobbly":{}}}"#, scheme.name(), scheme.has_surrogates()));
        let labels = Label::names()
            .map(|(label, name, _)| format!(r#"{{"name":"{name}","plain":{}}}"#, label.is_plain()));
        // None of these has a character that JSON would have escaped.
        *output = format!(
            r#"{{"version":"{}","isa":"{}","schemes":[{}],"labels":[{}],"policies":[{}]}}"#,
            env!("CARGO_PKG_VERSION"),
            Engine::current().isa().name(),
            list(schemes),
            list(labels),
            list(policies),
        )
        .into_bytes();
    });
}

/// Elements, apart by commas.
fn list(elements: impl Iterator<Item = String>) -> String {
    elements.collect::<Vec<_>>().join(",")
}

/// The number of the encoding whose name is in the input.
#[unsafe(no_mangle)]
extern "C" fn label(len: usize) -> u32 {
    with(|memory| {
        let name = std::str::from_utf8(memory.input(len)).ok();
        let wanted = name.and_then(|name| name.parse::<Label>().ok());
        Label::names().position(|(label, ..)| Some(label) == wanted).map_or(UNKNOWN, |at| at as u32)
    })
}

/// Keeps the input, which is UTF-8, as the text that the last of the policies writes.
#[unsafe(no_mangle)]
extern "C" fn replacement(len: usize) {
    with(|memory| memory.replacement = runecast::from_utf8_lossy(memory.input(len)).into_owned());
}

/// The number of the scheme that a text is in, by its label and its beginning, and in [`Field::Read`] how long the
/// byte order mark is that is no part of it. `bom` is 0 to keep it, 1 to strip it, 2 to go by it.
/// As long as more of the text is needed to know, it is [`UNKNOWN`].
#[unsafe(no_mangle)]
extern "C" fn begin(label: u32, bom: u32, len: usize, last: bool) -> u32 {
    with(|memory| {
        let label =
            Label::names().nth(label as usize).map_or(Label::Exactly(Scheme::Utf8), |(label, ..)| label);
        let bom = match bom {
            0 => Bom::Keep,
            1 => Bom::Strip,
            _ => Bom::Sniff,
        };
        let head = memory.input(len.min(Scheme::LONGEST_MARK));
        let last = last || len >= Scheme::LONGEST_MARK;
        // What a stream would make of it.
        let mut stream = AnyTranscoder::strict(label, Scheme::Utf8).with_bom(bom);
        stream.transcode(head, &mut [0; 64], last);
        let marked = label.is_plain() || bom != Bom::Keep;
        match stream.source() {
            Some(scheme) if last || !marked || !open(scheme.mark(), head) => {
                let skipped = if marked && scheme.is_marked(head) { scheme.mark().len() } else { 0 };
                Field::Read.set(skipped);
                Scheme::ALL.iter().position(|known| *known == scheme).map_or(UNKNOWN, |at| at as u32)
            }
            _ => UNKNOWN,
        }
    })
}

/// Whether a mark has begun, and may go on.
fn open(mark: &[u8], head: &[u8]) -> bool {
    head.len() < mark.len() && mark.starts_with(head)
}
