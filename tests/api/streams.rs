//! What waits in a stream, where it stands, and that nothing is left of a text after a restart.

use std::collections::HashSet;

use runecast::{
    AnyTranscoder, AnyValidator, Bom, CorrectedUtf8, Encoding, Escape, Kind, Label, Policy, Reason,
    Replacement, Scheme, Transcoder, Utf8, Utf16, Utf32Le, Validator, Wtf8,
};

#[test]
fn a_transcoder_knows_what_waits() {
    let mut transcoder = Transcoder::<Utf8, Utf16>::strict();
    let mut units = Vec::new();
    assert_eq!((transcoder.waiting(), transcoder.offset()), (0, 0));
    transcoder.push_to_vec(b"rune\xE2\x82", &mut units).expect("nothing ill-formed yet");
    assert_eq!((transcoder.waiting(), transcoder.offset()), (2, 4));
    assert_eq!(
        format!("{transcoder:?}"),
        "Transcoder { from: \"UTF-8\", to: \"UTF-16\", policy: None, offset: 4, waiting: 2 }"
    );
    transcoder.restart();
    assert_eq!((transcoder.waiting(), transcoder.offset()), (0, 0));
    transcoder.push_to_vec(b"!", &mut units).expect("the beginning of another text");
    assert!(units.into_iter().eq("rune!".encode_utf16()));
    assert_eq!(transcoder.offset(), 1);
}

#[test]
fn so_does_one_of_any_encodings() {
    let mut transcoder = AnyTranscoder::strict(Label::Utf16, Scheme::Utf8);
    let mut text = Vec::new();
    transcoder.push_to_vec(b"\xFE", &mut text).expect("half a mark");
    assert_eq!((transcoder.waiting(), transcoder.offset(), transcoder.source()), (1, 0, None));
    // A mark tells as soon as it has been read.
    transcoder.push_to_vec(b"\xFF", &mut text).expect("a mark");
    assert_eq!((transcoder.waiting(), transcoder.offset()), (0, 2));
    assert_eq!(transcoder.source(), Some(Scheme::Utf16Be));
    transcoder.push_to_vec(b"\0a\xD8", &mut text).expect("half a unit");
    assert_eq!((transcoder.waiting(), transcoder.offset()), (1, 4));
    assert_eq!(
        format!("{transcoder:?}"),
        "AnyTranscoder { from: Utf16, to: Utf8, policy: None, offset: 4, waiting: 1 }"
    );
    transcoder.restart();
    assert_eq!((transcoder.waiting(), transcoder.offset(), transcoder.source()), (0, 0, None));
    transcoder.push_to_vec(b"\xFF\xFEb\0", &mut text).expect("another text");
    assert_eq!((text.as_slice(), transcoder.source()), (&b"ab"[..], Some(Scheme::Utf16Le)));
}

/// A text in a transcoder that had another one is converted as in a new one, wherever that other one was left: behind its end, or
/// before it, where it is ended or given up.
#[test]
fn nothing_is_left_of_a_text() {
    after_another_text::<Utf8, Utf8>(Scheme::Utf8, Scheme::Utf8);
    after_another_text::<CorrectedUtf8, Utf8>(Scheme::CorrectedUtf8, Scheme::Utf8);
    after_another_text::<Wtf8, Wtf8>(Scheme::Wtf8, Scheme::Wtf8);
}

/// What becomes of one text, or a part of it, and then of another one: by a transcoder, and by one that is new to the latter.
macro_rules! check {
    ($new:expr, $before:expr, $how:expr, $after:expr) => {{
        let (room, last, restarts) = $how;
        let (mut used, mut new) = ($new, $new);
        let (mut found, mut expected) = ([0; 64], [0; 64]);
        let step = used.transcode($before, &mut found[..room], last);
        if restarts {
            used.restart();
        } else if !last || !step.is_done() {
            while !used.transcode(b"", &mut found, true).is_done() {}
        }
        assert_eq!((used.waiting(), used.offset()), (0, 0));
        let (found_step, step) =
            (used.transcode($after, &mut found, true), new.transcode($after, &mut expected, true));
        let (found, expected) = (&found[..found_step.written], &expected[..step.written]);
        assert_eq!((found_step, found), (step, expected), "{new:?}: {:X?} behind {:X?}", $after, $before);
    }};
}

fn after_another_text<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(from: Scheme, to: Scheme) {
    let policies: [Option<Policy<'_>>; 6] = [
        None,
        Some("".into()),
        Some("?".into()),
        Some(Replacement::Icu55.into()),
        // Neither fits into the smaller output.
        Some("a text that has thirty letters".into()),
        Some(Escape::Backslash.into()),
    ];
    for policy in policies {
        for before in
            [&b"a\xFE"[..], b"a\xE0\x80", b"\xFFab", b"\xF0\x9F\x92a", b"a\xF0\x9F", b"\xED\xA0\x80"]
        {
            for after in [&b"x"[..], b"\x80b", b"\xFFb", b"\xFF\xED\xB0\x80"] {
                for room in [6, 64] {
                    for (last, restarts) in [(true, false), (false, false), (false, true)] {
                        let how = (room, last, restarts);
                        check!(
                            policy.map_or_else(Transcoder::<S, D>::strict, Transcoder::lossy),
                            before,
                            how,
                            after
                        );
                        check!(
                            match policy {
                                None => AnyTranscoder::strict(from, to),
                                Some(policy) => AnyTranscoder::lossy(from, to, policy),
                            },
                            before,
                            how,
                            after
                        );
                    }
                }
            }
        }
    }
}

/// What cannot be the beginning of a mark does not wait, however short it is.
#[test]
fn only_a_mark_is_waited_for() {
    for bom in [Bom::Keep, Bom::Strip, Bom::Sniff] {
        let mut transcoder = AnyTranscoder::strict(Scheme::Utf8, Scheme::Utf8).with_bom(bom);
        let mut text = Vec::new();
        transcoder.push_to_vec(b"a", &mut text).expect("text");
        assert_eq!((text.as_slice(), transcoder.waiting()), (&b"a"[..], 0), "{bom:?}");
        let mut transcoder = Transcoder::<Utf8, Utf8>::strict().with_bom(bom);
        transcoder.push_to_vec(b"b", &mut text).expect("text");
        assert_eq!((text.as_slice(), transcoder.waiting()), (&b"ab"[..], 0), "{bom:?}");
    }
}

/// What an error counts is what this call appended, not what was there before.
#[test]
fn errors_count_from_the_call() {
    let mut transcoder = Transcoder::<Utf8, Utf8>::strict();
    let mut text = b"before".to_vec();
    let error = transcoder.push_to_vec(b"abc\xFFd", &mut text).expect_err("ill-formed");
    assert_eq!((error.read, error.written, text.as_slice()), (4, 3, &b"beforeabc"[..]));
    let repaired = Transcoder::<Utf8, Utf8>::lossy("?").push_to_vec(b"a\xFFb", &mut text).expect("a policy");
    assert_eq!((repaired.written, repaired.replaced, repaired.first), (3, 1, Some(1)));

    let mut transcoder = AnyTranscoder::strict(Scheme::Utf8, Scheme::Utf8);
    let error = transcoder.push_to_vec(b"abc\xFFd", &mut text).expect_err("ill-formed");
    assert_eq!((error.read, error.written, text.as_slice()), (4, 3, &b"beforeabca?babc"[..]));
}

/// A strict stream reports a reserved sequence at its first byte, and passes over all of it, in whatever chunks it comes.
#[test]
fn reserved_sequences_are_passed_over() {
    for cut in 0..=9 {
        let text = b"ab\xFE\x80\xFF\x80\x80cd";
        let mut typed = Transcoder::<CorrectedUtf8, Utf8>::strict();
        let mut any = AnyTranscoder::strict(Scheme::CorrectedUtf8, Scheme::Utf8);
        // Through a pivot.
        let mut other = AnyTranscoder::strict(Scheme::CorrectedUtf8, Scheme::Utf16Le);
        let (mut to_typed, mut to_any, mut to_other) = (Vec::new(), Vec::new(), Vec::new());
        let (mut errors, mut offsets) = ([0; 3], [0; 3]);
        for chunk in [&text[..cut], &text[cut..]] {
            for stream in 0..3 {
                let mut rest = chunk;
                loop {
                    let done = match stream {
                        0 => typed.push_to_vec(rest, &mut to_typed),
                        1 => any.push_to_vec(rest, &mut to_any),
                        _ => other.push_to_vec(rest, &mut to_other),
                    };
                    let Err(error) = done else { break };
                    assert!(
                        matches!(error.reason, Reason::IllFormed(error) if (error.at, error.len, error.kind) == (2, 1, Kind::Reserved)),
                        "{cut}: {error:?}"
                    );
                    errors[stream] += 1;
                    rest = &rest[error.read..];
                }
                offsets[stream] = [typed.offset(), any.offset(), other.offset()][stream];
            }
        }
        assert_eq!((errors, offsets), ([1; 3], [9; 3]), "{cut}");
        assert_eq!(
            (&to_typed[..], &to_any[..], &to_other[..]),
            (&b"abcd"[..], &b"abcd"[..], &b"a\0b\0c\0d\0"[..])
        );
    }
}

#[test]
fn validators_are_equal_in_the_same_state() {
    let mut some = [Validator::<Utf8>::new(); 4];
    for (validator, text) in some.iter_mut().zip([&b""[..], b"a", b"a\xC3", b"a\xC4"]) {
        validator.push(text).expect("nothing ill-formed yet");
    }
    for (index, one) in some.iter().enumerate() {
        for (other_index, other) in some.iter().enumerate() {
            assert_eq!(one == other, index == other_index, "{one:?} {other:?}");
        }
    }
    // A hash that is the same for all is a hash as well, but none that anybody wants.
    let hash = |validator: &Validator<Utf8>| {
        use std::hash::BuildHasher as _;
        std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default().hash_one(validator)
    };
    assert_eq!(some.iter().map(hash).collect::<HashSet<_>>().len(), some.len());
    assert_eq!(hash(&some[0]), hash(&Validator::default()));
    assert_eq!(format!("{:?}", some[2]), "Validator { encoding: \"UTF-8\", offset: 1, waiting: [195] }");

    let mut any = AnyValidator::new(Scheme::Utf8);
    any.push(b"ru\xC3").expect("nothing ill-formed yet");
    assert_eq!(format!("{any:?}"), "AnyValidator { scheme: Utf8, offset: 2, waiting: 1 }");
}

/// Behind a high surrogate only what may become a low one makes it wait.
#[test]
fn a_surrogate_waits_for_no_character() {
    for rest in [&b"\xF0\x9F\x92\xA9"[..], b"\xC3\xA9", b"\xE2\x82\xAC", b"\xED\x9F\xBF", b"a"] {
        for cut in 0..=rest.len() {
            let mut validator = Validator::<Wtf8>::new();
            validator.push(b"a\xED\xA0\x80").expect("a surrogate");
            validator.push(&rest[..cut]).expect("the beginning of a character");
            assert_eq!(validator.offset() + validator.waiting() as u64, 4 + cut as u64, "{rest:?} {cut}");
            validator.push(&rest[cut..]).expect("its end");
            validator.push(b"b").expect("text");
            assert_eq!(
                (validator.offset(), validator.waiting()),
                (5 + rest.len() as u64, 0),
                "{rest:?} {cut}"
            );

            let mut validator = Validator::<Wtf8>::new();
            let text = [&b"a\xED\xA0\x80"[..], rest].concat();
            validator.push(&text[..4 + cut]).expect("the beginning of a text");
            validator.push(&text[4 + cut..]).expect("its end");
            validator.push(b"b").expect("text");
            assert_eq!(
                (validator.offset(), validator.waiting()),
                (5 + rest.len() as u64, 0),
                "{rest:?} {cut}"
            );
        }
    }
    let mut validator = Validator::<Wtf8>::new();
    validator.push(b"\xED\xA0\x80\xED").expect("nothing ill-formed yet");
    assert_eq!(validator.waiting(), 4);
    assert_eq!(
        validator.push(b"\xB0\x80").map_err(|error| (error.at, error.kind)),
        Err((0, Kind::SurrogatePair))
    );
}

#[test]
fn schemes_as_their_types() {
    assert_eq!(Scheme::Utf8.validate(b"ru\xFFna").map_err(|error| error.at), Err(2));
    assert_eq!(Scheme::Utf16Le.validate(b"a\0b").map_err(|error| error.at), Err(2));
    assert!(Scheme::Latin1.validate(b"\xFF").is_ok() && Scheme::Ascii.validate(b"\xFF").is_err());
    let waiting = |scheme: Scheme, text: &[u8]| scheme.incomplete_suffix(Policy::default(), text);
    assert_eq!(waiting(Scheme::Utf8, b"ab\xE2\x82"), 2);
    assert_eq!(waiting(Scheme::Utf8, b"ab\xF0\x9F\x92"), 3);
    assert_eq!(waiting(Scheme::Utf8, b"ab\xE2\x82\xAC"), 0);
    assert_eq!(waiting(Scheme::Utf16Le, b"a\0\x3E\xD8"), 2);
    assert_eq!(waiting(Scheme::Utf16Le, b"a\0\x3E\xD8\xA8"), 3);
    assert_eq!(waiting(Scheme::Latin1, b"ab\xE2\x82"), 0);
    // C0 begins a character in modified UTF-8 only.
    assert_eq!(waiting(Scheme::Mutf8, b"ab\xC0"), 1);
    for scheme in [Scheme::Utf8, Scheme::Wtf8, Scheme::GeneralizedUtf8, Scheme::Cesu8, Scheme::WobblyCesu8] {
        assert_eq!(waiting(scheme, b"ab\xC0"), 0, "{scheme}");
    }
}

/// What waits is the same for a lossy stream as for [`Policy::incomplete_suffix`], and a replacement is written when it is certain.
#[test]
fn replacements_are_written_when_they_are_certain() {
    for scheme in [Scheme::Cesu8, Scheme::Mutf8] {
        let mut text = Vec::new();
        let mut transcoder = AnyTranscoder::lossy(scheme, Scheme::Utf8, Replacement::Whatwg);
        // A low surrogate with none before it, whose last byte is not there.
        transcoder.push_to_vec(b"a\xED\xB0", &mut text).expect("a policy");
        assert_eq!(text, "a\u{FFFD}".as_bytes(), "{scheme}");
        transcoder.push_to_vec(b"\x80b", &mut text).expect("a policy");
        transcoder.finish_to_vec(&mut text).expect("a policy");
        assert_eq!(text, "a\u{FFFD}b".as_bytes(), "{scheme}");
    }
    let mut text = Vec::new();
    let mut typed = Transcoder::<runecast::Cesu8, Utf8>::lossy(Replacement::Whatwg);
    typed.push_to_vec(b"a\xED\xB0", &mut text).expect("a policy");
    assert_eq!(text, "a\u{FFFD}".as_bytes());
}

/// A high surrogate in three bytes does not wait for what is no character, nor does a reserved sequence wait for less than its rest.
#[test]
fn what_is_decided_does_not_wait() {
    let policy = Policy::default();
    assert_eq!(policy.incomplete_suffix::<Wtf8>(b"a\xED\xA0\x80"), 3);
    assert_eq!(policy.incomplete_suffix::<Wtf8>(b"a\xED\xA0\x80\xED"), 4);
    assert_eq!(policy.incomplete_suffix::<Wtf8>(b"a\xED\xA0\x80\xE0\x80"), 0);
    assert_eq!(policy.incomplete_suffix::<Wtf8>(b"a\xED\xA0\x80\xF0\x80"), 0);
    assert_eq!(policy.incomplete_suffix::<CorrectedUtf8>(b"ab\xFE\x80"), 2);
    assert_eq!(policy.incomplete_suffix::<CorrectedUtf8>(b"a\xC3\xFE\x80\xFF"), 3);
    assert_eq!(policy.incomplete_suffix::<CorrectedUtf8>(b"abc"), 0);
}

/// The parts of an escape that is longer than the output are whole characters.
#[test]
fn escapes_are_cut_between_characters() {
    let expected: Vec<u8> =
        "a\\xFFb".chars().flat_map(|character| u32::from(character).to_le_bytes()).collect();
    for room in 6..20 {
        let mut typed = Transcoder::<Utf8, Utf32Le>::lossy(Escape::Backslash);
        let mut any = AnyTranscoder::lossy(Scheme::Utf8, Scheme::Utf32Le, Escape::Backslash);
        let mut step = |which: bool, src: &[u8], dst: &mut [u8]| match which {
            true => typed.transcode(src, dst, true),
            false => any.transcode(src, dst, true),
        };
        for which in [true, false] {
            let (mut rest, mut all) = (&b"a\xFFb"[..], Vec::new());
            loop {
                let mut dst = vec![0; room];
                let step = step(which, rest, &mut dst);
                assert_eq!(step.written % 4, 0, "{room} {which}");
                all.extend_from_slice(&dst[..step.written]);
                rest = &rest[step.read..];
                if step.is_done() {
                    break;
                }
            }
            assert_eq!(all, expected, "{room} {which}");
        }
    }
}

/// The length of a reserved sequence is the same through a pivot, whose pieces are shorter.
#[test]
fn reserved_sequences_are_as_long_through_a_pivot() {
    for before in [0, 1, 100, 127, 128, 2000, 5000] {
        for more in [0, 1, 100, 127, 3000] {
            let text = [&b"a".repeat(before), &b"\xFE"[..], &[0x80].repeat(more), b"b"].concat();
            let error = runecast::validate::<CorrectedUtf8>(&text).expect_err("reserved");
            assert_eq!((error.at, error.len), (before, 1 + more));
            let mut out = Vec::new();
            let found = Scheme::CorrectedUtf8
                .transcode_append(Scheme::Utf16Le, &text, &mut out)
                .expect_err("reserved");
            assert_eq!((found.read, found.reason), (before, Reason::IllFormed(error)), "{before} {more}");
            assert_eq!(Scheme::CorrectedUtf8.step(&text[before..]), 1 + more);
        }
    }
    assert_eq!(Scheme::CorrectedUtf8.step(b"\xC3\xC3"), 1);
    assert_eq!(
        (Scheme::Utf8.step(b"\xE2\x82!"), Scheme::Utf8.step(b"\xFF\x80\x80"), Scheme::Utf8.step(b"")),
        (2, 1, 0)
    );
}

/// Units that waited and turn out to be ill-formed count once, as all others do.
#[test]
fn offsets_go_on_behind_what_waited() {
    let mut typed = Transcoder::<Utf8, Utf16>::strict();
    let mut any = AnyTranscoder::strict(Scheme::Utf8, Scheme::Latin1);
    let (mut units, mut bytes) = (Vec::new(), Vec::new());
    for (chunk, at, read, offset) in [
        (&b"ab\xE2"[..], None, 0, 2),
        (b"c\xF0\x9F", Some(2), 0, 3),
        (b"c\xF0\x9F", None, 0, 4),
        (b"\x92\xFF", Some(4), 1, 7),
    ] {
        let errors = [
            typed.push_to_vec(chunk, &mut units).err(),
            // (The third chunk is the second once more, of which nothing had been read.)
            any.push_to_vec(chunk, &mut bytes).err(),
        ];
        for error in errors {
            let found = error.map(|error| match error.reason {
                Reason::IllFormed(ill_formed) => (ill_formed.at, error.read),
                reason => panic!("{reason:?}"),
            });
            assert_eq!(found, at.map(|at| (at, read)), "{chunk:X?}");
        }
        assert_eq!((typed.offset(), any.offset()), (offset, offset), "{chunk:X?}");
    }
}
