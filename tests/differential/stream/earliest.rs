//! When a stream writes: as soon as it is certain what.
//!
//! Whether output depends on the chunks is not the question here, but how much of it has been written after each of them. For what
//! the WHATWG wants encoding_rs is the truth, whose decoders write what Firefox shows. For every other policy it is the answer at
//! once: what all texts that begin with the chunks have in common at their beginning must have been written, and no more can be.
//!
//! Without a policy the question is when a stream fails: in the chunk in which a validator does.

use encoding_rs::{Decoder, UTF_8, UTF_16BE, UTF_16LE};
use runecast::{
    AnyTranscoder, AnyValidator, Ascii, Cesu8, CorrectedUtf8, Encoding, Escape, GeneralizedUtf8, IllFormed,
    Latin1, Mutf8, Policy, Reason, Replacement, Scheme, TranscodeError, Transcoder, Utf8, Utf16, Utf16Be,
    Utf16Le, Utf32, Utf32Be, Utf32Le, Validator, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16, Wtf16Be, Wtf16Le,
};

use super::vectors::{chunks, cuts};
use crate::common::scale::size;

/// A byte of every kind that a rule of UTF-8 tells apart.
const BYTES: [u8; 18] = [
    0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF8,
    0xFF,
];

/// Calls `then` with every string of so many of these.
fn strings<U: Copy>(units: &[U], len: usize, then: &mut dyn FnMut(&[U])) {
    fn go<U: Copy>(units: &[U], len: usize, text: &mut Vec<U>, then: &mut dyn FnMut(&[U])) {
        if text.len() == len {
            return then(text);
        }
        for unit in units {
            text.push(*unit);
            go(units, len, text, then);
            text.pop();
        }
    }
    go(units, len, &mut Vec::new(), then);
}

/// Holds a stream to encoding_rs after every chunk of `text`.
fn as_encoding_rs(text: &[u8], from: Scheme, decoder: impl Fn() -> Decoder) {
    cuts(text.len(), |cuts| {
        let mut ours = AnyTranscoder::lossy(from, Scheme::Utf8, Replacement::Whatwg);
        let mut typed = Transcoder::<Utf8, Utf8>::lossy(Replacement::Whatwg);
        let (mut theirs, mut expected) = (decoder(), String::with_capacity(64));
        let (mut found, mut also) = (Vec::new(), Vec::new());
        for (number, chunk) in chunks(text, 1, cuts).enumerate() {
            let last = number == cuts.len();
            let _ = theirs.decode_to_string(chunk, &mut expected, last);
            ours.push_to_vec(chunk, &mut found).expect("a policy");
            if last {
                ours.finish_to_vec(&mut found).expect("a policy");
            }
            assert_eq!(found, expected.as_bytes(), "{from}: {text:02X?} {cuts:?}, chunk {number}");
            if from == Scheme::Utf8 {
                typed.push_to_vec(chunk, &mut also).expect("a policy");
                if last {
                    typed.finish_to_vec(&mut also).expect("a policy");
                }
                assert_eq!(also, found, "{text:02X?} {cuts:?}, chunk {number}");
            }
        }
    });
}

#[test]
fn as_a_text_decoder_in_every_chunking() {
    for len in 1..=size(4, 4, 3) {
        strings(&BYTES, len, &mut |text| {
            as_encoding_rs(text, Scheme::Utf8, || UTF_8.new_decoder_without_bom_handling());
        });
    }
    for len in 1..=6 {
        strings(&[0x00, 0xD8, 0xDC], len, &mut |text| {
            as_encoding_rs(text, Scheme::Utf16Le, || UTF_16LE.new_decoder_without_bom_handling());
            as_encoding_rs(text, Scheme::Utf16Be, || UTF_16BE.new_decoder_without_bom_handling());
        });
    }
}

/// Every policy that tells sequences apart.
fn policies() -> Vec<Policy<'static>> {
    let mut all: Vec<Policy<'_>> = Replacement::ALL.map(Policy::from).into();
    all.extend([Escape::Backslash, Escape::Surrogate, Escape::Latin1].map(Policy::from));
    all.extend([Policy::With("<?>"), Policy::DropAtTheRiskOfJoining, Policy::Omit]);
    all
}

/// What may come next: the end, runs of continuation bytes as long as any form, and mixtures of all kinds.
fn continuations() -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for len in 1..=13 {
        for least in 0..=len {
            all.push([vec![0x80; least], vec![0xBF; len - least]].concat());
            all.push([vec![0x80; least], vec![0x8F; len - least], vec![0x41]].concat());
        }
    }
    for len in 1..=2 {
        strings(&[0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xED], len, &mut |text| all.push(text.to_vec()));
    }
    strings(&[0x80, 0x8F, 0x90, 0xA0, 0xBF], 3, &mut |text| all.push(text.to_vec()));
    // A noncharacter, and the rest of two surrogates.
    all.extend([&b"\xBE"[..], b"\xBD", b"\xB7\x90", b"\xB0\x80"].map(<[u8]>::to_vec));
    all.extend([&b"\xED\xB0\x80"[..], b"\x80\xED\xB0\x80", b"\xA0\x80\xED\xB0\x80"].map(<[u8]>::to_vec));
    all
}

/// The code points that all texts which begin with `text` have in common at the beginning of their conversions.
fn certain(from: Scheme, to: Scheme, text: &[u8], policy: Policy<'_>, continuations: &[Vec<u8>]) -> Vec<u8> {
    let mut common: Option<Vec<u8>> = None;
    for more in continuations {
        let (mut out, whole) = (Vec::new(), [text, more].concat());
        from.transcode_lossy_append(to, &whole, &mut out, policy);
        let same = common.as_ref().map_or(out.len(), |common| {
            let same = |(one, next): &(&[u8], &[u8])| one == next;
            4 * common.chunks(4).zip(out.chunks(4)).take_while(same).count()
        });
        out.truncate(same);
        common = Some(out);
    }
    common.unwrap_or_default()
}

/// Holds a stream to what is certain, for texts of `len` bytes, of which every `step`th is asked.
///
/// What is written ahead, before the length of a sequence is known, is U+FFFD; nothing else is. In CESU-8 and modified UTF-8 that
/// makes a difference for other policies.
fn at_the_earliest(from: Scheme, bytes: &[u8], len: usize, step: usize, prefix: &[u8]) {
    let continuations = continuations();
    let mut number = 0;
    strings(bytes, len, &mut |text| {
        number += 1;
        if number % step != 0 {
            return;
        }
        let text = [prefix, text].concat();
        let surrogates = matches!(from, Scheme::Cesu8 | Scheme::Mutf8);
        for policy in policies() {
            if surrogates && !matches!(policy, Policy::Replace(_)) {
                continue;
            }
            let expected = certain(from, Scheme::Utf32Le, &text, policy, &continuations);
            for chunk in [1, 2, text.len()] {
                let mut stream = AnyTranscoder::lossy(from, Scheme::Utf32Le, policy);
                let mut found = Vec::new();
                for chunk in text.chunks(chunk) {
                    stream.push_to_vec(chunk, &mut found).expect("a policy");
                }
                assert_eq!(found, expected, "{from}, {policy:?}: {text:02X?} in chunks of {chunk}");
            }
        }
    });
}

#[test]
fn at_the_earliest_moment_that_a_rule_allows() {
    for len in 1..=2 {
        at_the_earliest(Scheme::Utf8, &BYTES, len, size(1, 1, 5), b"");
    }
    at_the_earliest(Scheme::Utf8, &BYTES, 3, size(3, 11, 307), b"");
    at_the_earliest(Scheme::Utf8, &BYTES, 4, size(53, 499, 15_013), b"");
}

/// The forms of RFC 2279 and of Perl, up to their last bytes.
#[test]
fn long_forms_at_the_earliest_moment() {
    for lead in [0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF] {
        for len in 0..13 {
            for fill in [0x80, 0x81, 0xBF].into_iter().skip(len % size(1, 1, 3)).step_by(size(1, 1, 3)) {
                let text = [vec![lead], vec![fill; len]].concat();
                at_the_earliest(Scheme::Utf8, &[0x41, 0x80, 0xBF], size(2, 1, 1), size(1, 1, 2), &text);
            }
        }
    }
}

#[test]
fn other_encodings_at_the_earliest_moment() {
    // (Not the lead bytes of code points that only Corrected UTF-8 has: these are replaced, too, but are not ill-formed.)
    let bytes = [0x41, 0x80, 0xA0, 0xB0, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xFE, 0xFF];
    for from in [Scheme::Cesu8, Scheme::Mutf8, Scheme::CorrectedUtf8, Scheme::Ascii] {
        for len in 1..=2 {
            at_the_earliest(from, &bytes, len, size(1, 1, 5), b"");
        }
        at_the_earliest(from, &bytes, 2, size(1, 3, 17), b"\xED\xA0\x80");
        at_the_earliest(from, &bytes, 3, size(7, 41, 607), b"");
    }
}

/// What is written ahead counts once, where it is made.
#[test]
fn written_ahead_and_counted_once() {
    let text = b"ab\xED\xA0\x80c\xED\xA0";
    for replacement in Replacement::ALL {
        let mut whole = Vec::new();
        let at_once = runecast::transcode_lossy_append::<Utf8, Utf8>(text, &mut whole, replacement);
        cuts(text.len(), |cuts| {
            let mut stream = Transcoder::<Utf8, Utf8>::lossy(replacement);
            let (mut out, mut replaced, mut first) = (Vec::new(), 0, None);
            for chunk in chunks(text, 1, cuts) {
                let repaired = stream.push_to_vec(chunk, &mut out).expect("a policy");
                (replaced, first) = (replaced + repaired.replaced, first.or(repaired.first));
            }
            replaced += stream.finish_to_vec(&mut out).expect("a policy").replaced;
            let expected = (&whole, at_once.replaced, at_once.first);
            assert_eq!((&out, replaced, first), expected, "{replacement} {cuts:?}");
        });
    }
}

/// What is wrong with the text of a chunk, which `push` converts from an offset on. A character without a form in the target is another
/// matter, behind which a stream goes on.
fn ill_formed<T>(mut push: impl FnMut(usize) -> Result<T, TranscodeError>) -> Option<IllFormed> {
    let mut read = 0;
    loop {
        let error = push(read).err()?;
        match error.reason {
            Reason::IllFormed(error) => return Some(error),
            _ => read += error.read,
        }
    }
}

/// Holds a strict stream to a validator, for a text cut in every way: the first error of both, and the number of its chunk.
fn fails_as_a_validator<U: std::fmt::Debug, S>(
    who: &dyn std::fmt::Debug,
    text: &[U],
    streams: impl Fn() -> S,
    fail: impl Fn(&mut S, Option<&[U]>) -> [Option<IllFormed>; 2],
) {
    cuts(text.len(), |cuts| {
        let (mut streams, mut first) = (streams(), [None; 2]);
        let ends = cuts.iter().copied().chain([text.len()]);
        let chunks = ends.scan(0, |begin, end| text.get(std::mem::replace(begin, end)..end));
        for (number, chunk) in chunks.map(Some).chain([None]).enumerate() {
            for (first, error) in first.iter_mut().zip(fail(&mut streams, chunk)) {
                *first = first.or(error.map(|error| (number, error)));
            }
        }
        assert_eq!(first[0], first[1], "{who:?}: {text:02X?} {cuts:?}");
    });
}

/// The same of two types, for every text of some of these units.
fn types_fail_as_a_validator<S: Encoding<Unit: std::fmt::Debug>, D: Encoding>(
    units: &[S::Unit],
    longest: usize,
) {
    for len in 1..=longest {
        strings(units, len, &mut |text| {
            let streams = || (Validator::<S>::new(), Transcoder::<S, D>::strict());
            fails_as_a_validator(&(S::NAME, D::NAME), text, streams, |(validator, transcoder), chunk| {
                let mut out = Vec::new();
                match chunk {
                    Some(chunk) => [
                        validator.push(chunk).err(),
                        ill_formed(|at| transcoder.push_to_vec(&chunk[at..], &mut out)),
                    ],
                    None => [validator.finish().err(), ill_formed(|_| transcoder.finish_to_vec(&mut out))],
                }
            });
        });
    }
}

/// A byte of every kind that tells the forms with lead bytes apart.
const LEADS: [u8; 13] = [0x00, 0x41, 0x80, 0x90, 0xA0, 0xB0, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFE];

/// Bytes of UTF-16 and of UTF-32, in either order.
const SIXTEEN: [u8; 3] = [0x00, 0xD8, 0xDC];
const THIRTY_TWO: [u8; 4] = [0x00, 0x10, 0x11, 0xD8];

#[test]
fn strict_streams_fail_in_the_chunk_in_which_a_validator_does() {
    let longest = size(4, 3, 3);
    types_fail_as_a_validator::<Utf8, Utf8>(&LEADS, longest + 1);
    types_fail_as_a_validator::<Utf8, Utf16>(&LEADS, longest);
    types_fail_as_a_validator::<Wtf8, Wtf16>(&LEADS, longest);
    types_fail_as_a_validator::<GeneralizedUtf8, Wtf8>(&LEADS, longest);
    types_fail_as_a_validator::<Cesu8, Utf8>(&LEADS, longest);
    types_fail_as_a_validator::<Mutf8, Utf16Le>(&LEADS, longest);
    types_fail_as_a_validator::<WobblyCesu8, GeneralizedUtf8>(&LEADS, longest);
    types_fail_as_a_validator::<WobblyMutf8, Wtf8>(&LEADS, longest);
    types_fail_as_a_validator::<CorrectedUtf8, CorrectedUtf8>(&LEADS, longest);
    // Surrogates in three bytes.
    types_fail_as_a_validator::<Cesu8, Utf16>(&[0xED, 0xA0, 0xB0], 7);
    types_fail_as_a_validator::<WobblyCesu8, Wtf8>(&[0xED, 0xA0, 0xB0], 7);
    types_fail_as_a_validator::<Utf16, Utf8>(&[0x41, 0xD83E, 0xDEA8], 6);
    types_fail_as_a_validator::<Wtf16, Wtf8>(&[0x41, 0xD83E, 0xDEA8], 6);
    types_fail_as_a_validator::<Utf16Le, Utf8>(&SIXTEEN, longest + 3);
    types_fail_as_a_validator::<Utf16Be, Utf16>(&SIXTEEN, longest + 3);
    types_fail_as_a_validator::<Wtf16Le, Wtf8>(&SIXTEEN, longest + 3);
    types_fail_as_a_validator::<Wtf16Be, Wtf8>(&SIXTEEN, longest + 3);
    types_fail_as_a_validator::<Utf32, Utf8>(&[0x41, 0xD83E, 0x11_0000], 4);
    types_fail_as_a_validator::<Utf32Le, Utf8>(&THIRTY_TWO, longest + 2);
    types_fail_as_a_validator::<Utf32Be, Utf8>(&THIRTY_TWO, longest + 2);
    types_fail_as_a_validator::<Ascii, Utf8>(&LEADS, 3);
    types_fail_as_a_validator::<Latin1, Utf8>(&LEADS, 3);
}

#[test]
fn so_do_those_between_any_encodings() {
    let longest = size(4, 3, 3);
    for from in Scheme::ALL {
        let (bytes, longest) = match from {
            Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Wtf16Le | Scheme::Wtf16Be => {
                (&SIXTEEN[..], longest + 3)
            }
            Scheme::Utf32Le | Scheme::Utf32Be => (&THIRTY_TWO[..], longest + 2),
            _ => (&LEADS[..], longest),
        };
        for to in [from, Scheme::Utf8, Scheme::Wtf16Be] {
            for len in 1..=longest {
                strings(bytes, len, &mut |text| {
                    let streams = || (AnyValidator::new(from), AnyTranscoder::strict(from, to));
                    fails_as_a_validator(&(from, to), text, streams, |(validator, transcoder), chunk| {
                        let mut out = Vec::new();
                        match chunk {
                            Some(chunk) => [
                                validator.push(chunk).err(),
                                ill_formed(|at| transcoder.push_to_vec(&chunk[at..], &mut out)),
                            ],
                            None => {
                                [validator.finish().err(), ill_formed(|_| transcoder.finish_to_vec(&mut out))]
                            }
                        }
                    });
                });
            }
        }
    }
}
