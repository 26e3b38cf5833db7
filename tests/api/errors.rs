//! Errors as others want them: as those of std, by `?`, and with what was done before.

use std::io::{self, ErrorKind};

use runecast::scan::RecordError;
use runecast::{
    Escape, Latin1, Reason, Replacement, Scheme, TranscodeError, Utf8, Utf16, from_utf8, from_utf8_owned,
    transcode_lossy, transcode_to_vec, validate,
};

/// What `?` makes of the errors of these.
fn read(bytes: &[u8]) -> io::Result<usize> {
    validate::<Utf8>(bytes)?;
    let text = from_utf8(bytes)?;
    let owned = from_utf8_owned(bytes.to_vec())?;
    assert_eq!(text, owned);
    Ok(transcode_to_vec::<Utf8, Latin1>(bytes)?.len())
}

#[test]
fn errors_of_text_are_invalid_data() {
    assert_eq!(read("é".as_bytes()).expect("Latin-1"), 1);
    for (bytes, says) in
        [(&b"ab\xFF"[..], "ill-formed at byte 2"), ("aᚱ".as_bytes(), "has no form for U+16B1")]
    {
        let error = read(bytes).expect_err("not Latin-1");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(error.to_string().contains(says), "{error}");
    }
    let one_by_one: [io::Error; 3] = [
        validate::<Utf8>(b"\xFF").expect_err("FF").into(),
        from_utf8(b"\xFF").expect_err("FF").into(),
        from_utf8_owned(vec![0xFF]).expect_err("FF").into(),
    ];
    for error in one_by_one {
        assert!(error.get_ref().is_some_and(|inner| inner.is::<runecast::IllFormed>()));
    }
    let of_lines = |limit| -> io::Result<usize> {
        runecast::scan::lines(b"one\nt\xFFo").limit(limit).map(|line| Ok(line?.len())).sum()
    };
    let errors = [of_lines(9), of_lines(2)].map(|length| length.expect_err("no such line"));
    assert!(errors.iter().all(|error| error.kind() == ErrorKind::InvalidData));
    let [ill_formed, too_long] = errors.map(|error| error.into_inner().expect("it holds one"));
    assert!(ill_formed.downcast::<runecast::IllFormed>().is_ok_and(|error| error.at == 5));
    assert!(
        too_long
            .downcast::<RecordError>()
            .is_ok_and(|error| error.to_string().contains("longer than 2 bytes"))
    );
    let std: std::str::Utf8Error = from_utf8_owned(b"\xE2\x82".to_vec()).expect_err("cut short").into();
    assert_eq!((std.valid_up_to(), std.error_len()), (0, None));
}

/// A full output says what was replaced in what it holds, and what comes later is not in it.
#[test]
fn a_full_output_says_what_was_replaced() {
    let text = b"a\xFFb\xFF\xFFc";
    let expected = String::from_utf8_lossy(text).encode_utf16().collect::<Vec<_>>();
    for room in 0..=expected.len() {
        let mut units = vec![0; room];
        let replaced = expected[..room].iter().filter(|unit| **unit == 0xFFFD).count();
        let first = (replaced > 0).then_some(1);
        let by_type = transcode_lossy::<Utf8, Utf16>(text, &mut units, Replacement::Whatwg);
        let mut bytes = vec![0; 2 * room];
        let by_name = Scheme::Utf8.transcode_lossy(Scheme::Utf16Le, text, &mut bytes, Replacement::Whatwg);
        assert_eq!(units, expected[..room]);
        for (result, unit) in [(by_type, 1), (by_name, 2)] {
            match result {
                Ok(repaired) => {
                    assert_eq!(room, expected.len());
                    assert_eq!((repaired.replaced, repaired.first), (replaced, first));
                }
                Err(TranscodeError { read, written, replaced: count, first: place, reason, .. }) => {
                    assert!(room < expected.len() && reason == Reason::OutputFull);
                    assert_eq!((read, written, count, place), (room, unit * room, replaced, first));
                }
            }
        }
        if room < expected.len() {
            let error: io::Error = transcode_lossy::<Utf8, Utf16>(text, &mut units, Replacement::Whatwg)
                .expect_err("no room")
                .into();
            assert_eq!(error.kind(), ErrorKind::WriteZero);
        }
    }
}

#[test]
fn escapes_have_names() {
    for escape in Escape::ALL {
        assert_eq!(escape.to_string().to_uppercase().parse(), Ok(escape));
    }
    let error = "backslashes".parse::<Escape>().expect_err("no escape");
    assert_eq!(error.to_string(), "no such escape; there are backslash, surrogate, latin1, windows-1252");
}
