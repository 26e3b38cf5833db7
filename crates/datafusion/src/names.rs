//! The names that stand in SQL: of encodings, and of what becomes of ill-formed text.
//!
//! They are those of the library and of its command line. A name that is written out in a query is looked up when
//! the query is planned, so that a typing error is reported before a byte is read; the message says what there is, and what is
//! spelled most like it.

use runecast::{Escape, Label, Policy, Replacement, Scheme};

/// What becomes of a value that is ill-formed, or that has characters which the target has no form for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    /// The query fails.
    Strict,
    /// The result is null.
    Null,
    /// Something is written in its place.
    By(Policy<'static>),
}

/// The escapes for ill-formed bytes.
fn escapes() -> impl Iterator<Item = Escape> {
    Escape::ALL.into_iter().filter(|escape| *escape != Escape::Surrogate)
}

/// The behaviours and escapes, by name.
fn policies() -> impl Iterator<Item = (&'static str, Policy<'static>)> {
    let behaviours = Replacement::ALL.into_iter().map(|behaviour| (behaviour.name(), behaviour.into()));
    behaviours.chain(escapes().map(|escape| (escape.name(), escape.into())))
}

/// An encoding by its name.
pub(crate) fn encoding(name: &str) -> Result<Label, String> {
    name.parse().map_err(|_| {
        let known: Vec<_> = Label::names().map(|(_, name, _)| name).collect();
        let all =
            Label::names().flat_map(|(_, name, others)| [name].into_iter().chain(others.iter().copied()));
        unknown("encoding", name, &known, all)
    })
}

/// An encoding to write, of which the order of bytes has to be known.
pub(crate) fn target(name: &str) -> Result<Scheme, String> {
    match encoding(name)? {
        Label::Exactly(scheme) => Ok(scheme),
        plain => {
            let (big, little) = plain.schemes();
            Err(format!("{plain} has two orders of bytes: to write it, say {little} or {big}"))
        }
    }
}

/// What becomes of ill-formed text, by its name.
pub(crate) fn errors(name: &str) -> Result<Errors, String> {
    let wanted = name.trim();
    if wanted.eq_ignore_ascii_case("strict") {
        return Ok(Errors::Strict);
    }
    if wanted.eq_ignore_ascii_case("null") {
        return Ok(Errors::Null);
    }
    match policies().find(|(known, _)| known.eq_ignore_ascii_case(wanted)) {
        Some((_, policy)) => Ok(Errors::By(policy)),
        None => {
            let known: Vec<_> =
                ["strict", "null"].into_iter().chain(policies().map(|(name, _)| name)).collect();
            Err(unknown("treatment of errors", name, &known, known.iter().copied()))
        }
    }
}

/// What repairs text: as [`errors`], without those two that do not.
pub(crate) fn behaviour(name: &str) -> Result<Errors, String> {
    match policies().find(|(known, _)| known.eq_ignore_ascii_case(name.trim())) {
        Some((_, policy)) => Ok(Errors::By(policy)),
        None => {
            let known: Vec<_> = policies().map(|(name, _)| name).collect();
            Err(unknown("behaviour", name, &known, known.iter().copied()))
        }
    }
}

/// Spelled so much alike, a name is worth mentioning.
const ALIKE: f64 = 0.8;

fn unknown<'a>(what: &str, name: &str, known: &[&str], all: impl Iterator<Item = &'a str>) -> String {
    let essence = |name: &str| name.to_lowercase().replace(['-', '_', ' '], "");
    let wanted = essence(name);
    let alike = all
        .map(|name| (strsim::jaro_winkler(&essence(name), &wanted), name))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .filter(|(likeness, _)| *likeness >= ALIKE);
    let hint = alike.map_or_else(|| "there".into(), |(_, name)| format!("did you mean '{name}'? There"));
    format!("no {what} is called '{name}'; {hint} are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_of_the_library_are_known() {
        for (label, name, others) in Label::names() {
            for name in [name].iter().chain(others) {
                assert_eq!(encoding(name), Ok(label), "{name}");
            }
        }
        for behaviour in Replacement::ALL {
            assert_eq!(errors(behaviour.name()), Ok(Errors::By(behaviour.into())));
            assert_eq!(super::behaviour(behaviour.name()), Ok(Errors::By(behaviour.into())));
        }
        assert_eq!(errors("Backslash"), Ok(Errors::By(Escape::Backslash.into())));
        assert_eq!((errors(" STRICT"), errors("null")), (Ok(Errors::Strict), Ok(Errors::Null)));
    }

    #[test]
    fn what_is_unknown_is_told_with_what_is_like_it() {
        let message = encoding("utf-61le").unwrap_err();
        assert!(
            message
                .starts_with("no encoding is called 'utf-61le'; did you mean 'UTF-16LE'? There are UTF-8, ")
        );
        assert!(message.ends_with(", Corrected UTF-8"), "{message}");
        let message = encoding("ebcdic").unwrap_err();
        assert!(message.starts_with("no encoding is called 'ebcdic'; there are UTF-8, "), "{message}");
        assert_eq!(
            errors("strikt").unwrap_err(),
            "no treatment of errors is called 'strikt'; did you mean 'strict'? There are strict, null, whatwg, \
             per-byte, win32, openjdk8, python2, perl5, icu55, backslash, latin1, windows-1252"
        );
        assert!(behaviour("null").unwrap_err().starts_with("no behaviour is called 'null'; "));
        assert!(errors("surrogate").is_err());
        assert_eq!(
            target("utf-16").unwrap_err(),
            "UTF-16 has two orders of bytes: to write it, say UTF-16LE or UTF-16BE"
        );
    }
}
