//! Corrected UTF-8 in chunks: what no other encoding has is a sequence that goes on as long as it likes.
//!
//! The answer at once is the truth. Of an error in a reserved sequence a stream cannot know the length, for
//! it says that there is one before its end has come: the length is 1 there, however the text is cut. All else is the same.

use runecast::{
    CorrectedUtf8, Encoding, Escape, IllFormed, Kind, Policy, Reason, Replacement, Transcoder, Utf16,
    Validator,
};

use crate::common::scale::size;
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

fn policies() -> [Option<Policy<'static>>; 8] {
    [
        None,
        Some(Replacement::Whatwg.into()),
        Some("<longer than what it is for>".into()),
        Some(Policy::DropAtTheRiskOfJoining),
        Some(Policy::Omit),
        Some(Escape::Backslash.into()),
        Some(Escape::Surrogate.into()),
        Some(Escape::Latin1.into()),
    ]
}

/// What came out: units, replacements, the first of them, and the error, without what a stream cannot know.
pub type Outcome<U> = (Vec<U>, usize, Option<usize>, Option<Reason>);

fn without_length(reason: Reason) -> Reason {
    match reason {
        Reason::IllFormed(IllFormed { kind: Kind::Reserved, at, .. }) => {
            Reason::Unrepresentable { at, character: '?' }
        }
        reason => reason,
    }
}

pub fn at_once<D: Encoding>(text: &[u8], policy: Option<Policy<'_>>) -> Outcome<D::Unit> {
    let mut out = Vec::new();
    match policy {
        None => {
            let outcome = runecast::transcode_append::<CorrectedUtf8, D>(text, &mut out);
            (out, 0, None, outcome.err().map(|error| without_length(error.reason)))
        }
        Some(policy) => {
            let repaired = runecast::transcode_lossy_append::<CorrectedUtf8, D>(text, &mut out, policy);
            (out, repaired.replaced, repaired.first, None)
        }
    }
}

/// Drives `take` through the chunks, with outputs of `room` units.
pub fn in_chunks<U: bytemuck::Pod>(
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
            match step.reason {
                None => break,
                Some(Reason::OutputFull) => {}
                Some(reason) => {
                    if let Reason::IllFormed(error) = reason
                        && error.kind == Kind::Reserved
                    {
                        assert_eq!((error.len, error.evidence()), (1, &text[error.at..=error.at]));
                    }
                    return (out, replaced, first, Some(without_length(reason)));
                }
            }
        }
    }
    (out, replaced, first, None)
}

/// Every text of three pieces, with every policy, cut in several ways: the text, the cuts, room for output, the policy.
pub fn each_case(seed: u64, mut ask: impl FnMut(&[u8], &[usize], usize, Option<Policy<'static>>)) {
    let mut rng = Rng::new(seed);
    for first in PIECES {
        for second in PIECES {
            for third in [&b""[..], b"b", b"\x80", b"\xFE\x80"] {
                let text = [first, second, third].concat();
                for policy in policies() {
                    for _ in 0..size(6, 2, 1) {
                        let mut cuts: Vec<_> = (0..rng.below(5)).map(|_| rng.below(text.len() + 1)).collect();
                        cuts.sort();
                        ask(&text, &cuts, [6, 7, 40, 1000][rng.below(4)], policy);
                    }
                }
            }
        }
    }
}

#[test]
fn a_stream_says_what_is_said_at_once() {
    each_case(90, |text, cuts, room, policy| {
        let mut stream = match policy {
            None => Transcoder::<CorrectedUtf8, Utf16>::strict(),
            Some(policy) => Transcoder::lossy(policy),
        };
        let found = in_chunks(text, cuts, room, policy, |src, dst, last| stream.transcode(src, dst, last));
        assert_eq!(found, at_once::<Utf16>(text, policy), "{text:02X?} {cuts:?} {room} {policy:?}");
    });
}

#[test]
fn a_validator_refuses_a_reserved_sequence_at_its_first_byte() {
    let text = b"\xC0\x80\xFC\x80\x80\x80\x80\x80\xFE\x80\x80";
    for cut in 0..text.len() {
        let mut validator = Validator::<CorrectedUtf8>::new();
        let outcome = validator.push(&text[..cut]).and_then(|()| validator.push(&text[cut..]));
        let error = outcome.expect_err("FE");
        let found = (error.at, error.len, error.kind, error.evidence());
        assert_eq!(found, (8, 1, Kind::Reserved, &b"\xFE"[..]), "{cut}");
    }
    let open = b"\xFC\x80\x80\x80\x80";
    let mut validator = Validator::<CorrectedUtf8>::new();
    for byte in open {
        validator.push(&[*byte]).expect("a beginning");
    }
    let error = validator.finish().expect_err("not whole");
    assert_eq!((error.at, error.len, error.kind), (0, 5, Kind::Incomplete));
}
