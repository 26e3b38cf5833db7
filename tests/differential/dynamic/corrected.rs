//! Corrected UTF-8 in chunks, where the target is known at run time: directly, and by way of another encoding.

use runecast::{AnyTranscoder, Replacement, Scheme, Utf8, Utf16Le};

use crate::encodings::corrected::streams::{at_once, each_case, in_chunks};

#[test]
fn a_stream_says_what_is_said_at_once() {
    each_case(91, |text, cuts, room, policy| {
        let targets = [
            (Scheme::Utf16Le, at_once::<Utf16Le>(text, policy)),
            (Scheme::Utf8, at_once::<Utf8>(text, policy)),
        ];
        for (to, truth) in targets {
            let mut stream = match policy {
                None => AnyTranscoder::strict(Scheme::CorrectedUtf8, to),
                Some(policy) => AnyTranscoder::lossy(Scheme::CorrectedUtf8, to, policy),
            };
            let found =
                in_chunks(text, cuts, room, policy, |src, dst, last| stream.transcode(src, dst, last));
            assert_eq!(found, truth, "to {to}: {text:02X?} {cuts:?} {room} {policy:?}");
        }
    });
}

/// A reserved sequence over many chunks, and over many blocks of a pivot, is one replacement.
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
