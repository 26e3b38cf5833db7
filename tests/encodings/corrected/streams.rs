//! Corrected UTF-8 in chunks: what no other encoding has is a sequence that goes on as long as it likes.
//!
//! The answer at once is the truth. Of an error in a reserved sequence a stream cannot know the length, for
//! it says that there is one before its end has come; all else is the same. Escapes by backslash are
//! written for every byte of it, in whatever portions, so there the number of portions is left out.

use runecast::{
    AnyTranscoder, CorrectedUtf8, Encoding, Escape, IllFormed, Kind, Policy, Reason, Replacement, Scheme,
    Status, Transcoder, Utf8, Utf16, Utf16Le, Validator,
};

use crate::common::texts::Rng;

/// Pieces that texts are made of.
const PIECES: [&[u8]; 16] = [
    b"",
    b"a",
    b"\xC0\x80",
    b"\xE0\x80\x80",
    b"\xF0\x80\x80\x80",
    b"\xF8\x80\x80\x80\x80",
    b"\xFC\x80\x80\x80\x80\x80",
    b"\xFC\x80\x80\x80",
    b"\xE0\x80",
    b"\x80",
    b"\xFE",
    b"\xFF\x80",
    b"\xFE\x80\xFF\x80\x80",
    b"\xFF\xFF\xFE\xFE\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
    b"\xFE\xC3",
    b"plain text of more than a block, so that a kernel has something to move as well, and then some more",
];

fn policies() -> [Option<Policy<'static>>; 7] {
    [
        None,
        Some(Replacement::Whatwg.into()),
        Some("<longer than what it is for>".into()),
        Some(Policy::DropAtTheRiskOfJoining),
        Some(Escape::Backslash.into()),
        Some(Escape::Surrogate.into()),
        Some(Escape::Latin1.into()),
    ]
}

/// What came out: units, replacements, the first of them, and the error, without what a stream cannot know.
type Outcome<U> = (Vec<U>, usize, Option<usize>, Option<Reason>);

fn known(policy: Option<Policy<'_>>, replaced: usize) -> usize {
    if matches!(policy, Some(Policy::Escape(Escape::Backslash))) { 0 } else { replaced }
}

fn without_length(reason: Reason) -> Reason {
    match reason {
        Reason::IllFormed(IllFormed { kind: Kind::Reserved, at, .. }) => {
            Reason::Unrepresentable { at, character: '?' }
        }
        reason => reason,
    }
}

fn at_once<D: Encoding>(text: &[u8], policy: Option<Policy<'_>>) -> Outcome<D::Unit> {
    let mut out = Vec::new();
    match policy {
        None => {
            let outcome = runecast::transcode_append::<CorrectedUtf8, D>(text, &mut out);
            (out, 0, None, outcome.err().map(|error| without_length(error.reason)))
        }
        Some(policy) => {
            let repaired = runecast::transcode_lossy_append::<CorrectedUtf8, D>(text, &mut out, policy);
            (out, known(Some(policy), repaired.replaced), repaired.first, None)
        }
    }
}

/// Drives `take` through the chunks, with outputs of `room` units.
fn in_chunks<U: bytemuck::Pod>(
    text: &[u8],
    cuts: &[usize],
    room: usize,
    policy: Option<Policy<'_>>,
    mut take: impl FnMut(&[u8], &mut [U], bool) -> runecast::Step,
) -> Outcome<U> {
    let (mut out, mut replaced, mut first) = (Vec::new(), 0, None);
    let mut begin = 0;
    for (number, end) in cuts.iter().copied().chain([text.len()]).enumerate() {
        let last = number == cuts.len();
        let mut idle = 0;
        loop {
            let mut output = vec![U::zeroed(); room];
            let step = take(&text[begin..end], &mut output, last);
            out.extend_from_slice(&output[..step.written]);
            replaced += step.replaced;
            first = first.or(step.first);
            begin += step.read;
            idle = if step.written + step.read > 0 { 0 } else { idle + 1 };
            assert!(idle < 4, "no progress: {text:02X?} {cuts:?} {room} {policy:?}");
            match step.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                status => return (out, known(policy, replaced), first, status.error().map(without_length)),
            }
        }
    }
    (out, known(policy, replaced), first, None)
}

#[test]
fn a_stream_says_what_is_said_at_once() {
    let mut rng = Rng::new(90);
    for first in PIECES {
        for second in PIECES {
            for third in [&b""[..], b"b", b"\x80", b"\xFE\x80"] {
                let text = [first, second, third].concat();
                for policy in policies() {
                    let typed = at_once::<Utf16>(&text, policy);
                    let any = at_once::<Utf16Le>(&text, policy);
                    let direct = at_once::<Utf8>(&text, policy);
                    for _ in 0..6 {
                        let mut cuts: Vec<_> = (0..rng.below(5)).map(|_| rng.below(text.len() + 1)).collect();
                        cuts.sort();
                        let room = [6, 7, 40, 1000][rng.below(4)];
                        let about = format!("{text:02X?} {cuts:?} {room} {policy:?}");

                        let mut stream = match policy {
                            None => Transcoder::<CorrectedUtf8, Utf16>::strict(),
                            Some(policy) => Transcoder::lossy(policy),
                        };
                        let found = in_chunks(&text, &cuts, room, policy, |src, dst, last| {
                            stream.transcode(src, dst, last)
                        });
                        assert_eq!(found, typed, "{about}");

                        for (to, truth) in [(Scheme::Utf16Le, &any), (Scheme::Utf8, &direct)] {
                            let mut stream = match policy {
                                None => AnyTranscoder::strict(Scheme::CorrectedUtf8, to),
                                Some(policy) => AnyTranscoder::lossy(Scheme::CorrectedUtf8, to, policy),
                            };
                            let found = in_chunks(&text, &cuts, room, policy, |src, dst, last| {
                                stream.transcode(src, dst, last)
                            });
                            assert_eq!(found, *truth, "to {to}: {about}");
                        }
                    }
                }
            }
        }
    }
}

/// A reserved sequence over many chunks, and over many blocks of a chain, is one replacement.
#[test]
fn reserved_sequences_have_no_end_of_their_own() {
    let mut text = b"a\xFE".to_vec();
    text.extend([0x80; 10_000]);
    text.push(b'b');
    for to in [Scheme::Utf8, Scheme::Utf16Be] {
        for size in [1, 7, 16, 17, 4096, 20_000] {
            let mut stream = AnyTranscoder::lossy(Scheme::CorrectedUtf8, to, Replacement::Whatwg);
            let mut out = Vec::new();
            let mut replaced = 0;
            for chunk in text.chunks(size) {
                replaced += stream.push_to_vec(chunk, &mut out).expect("a policy").replaced;
            }
            replaced += stream.finish_to_vec(&mut out).expect("a policy").replaced;
            let right = match to {
                Scheme::Utf8 => "a\u{FFFD}b".as_bytes().to_vec(),
                _ => b"\0a\xFF\xFD\0b".to_vec(),
            };
            assert_eq!((out, replaced), (right, 1), "{to} {size}");
        }
    }
}

#[test]
fn a_validator_refuses_a_reserved_sequence_at_its_first_byte() {
    let text = b"\xC0\x80\xFC\x80\x80\x80\x80\x80\xFE\x80\x80";
    for cut in 0..text.len() {
        let mut validator = Validator::<CorrectedUtf8>::new();
        let outcome = validator.push(&text[..cut]).and_then(|()| validator.push(&text[cut..]));
        let error = outcome.expect_err("FE");
        assert_eq!((error.at, error.kind), (8, Kind::Reserved), "{cut}");
    }
    let open = b"\xFC\x80\x80\x80\x80";
    let mut validator = Validator::<CorrectedUtf8>::new();
    for byte in open {
        validator.push(&[*byte]).expect("a beginning");
    }
    let error = validator.finish().expect_err("not whole");
    assert_eq!((error.at, error.len, error.kind), (0, 5, Kind::Incomplete));
}
