//! What stands for what is ill-formed: escapes that can be undone, and how long texts become.

use runecast::{
    Cesu8, CorrectedUtf8, Encoding, Escape, Kind, Policy, Replacement, Scheme, Utf8, Utf16, Utf16Be, Utf32,
    Wtf8, Wtf16, repair, transcode_lossy, transcode_lossy_len, transcode_lossy_to_vec, transcode_to_vec,
    unescape_surrogates,
};

/// Bytes that are hardly ever UTF-8, and text among them.
fn bytes(len: usize) -> Vec<u8> {
    let text = "rūna 🪨 ".as_bytes();
    (0..len)
        .map(|at| if at / 50 % 3 == 0 { 0x7F + (at * 37 % 129) as u8 } else { text[at % text.len()] })
        .collect()
}

fn there_and_back<E: Encoding>() {
    for len in [0, 1, 2, 100, 1023, 1024, 1025, 5000] {
        let bytes = bytes(len);
        let escaped = transcode_lossy_to_vec::<Utf8, E>(&bytes, Escape::Surrogate);
        assert_eq!(unescape_surrogates::<E>(&escaped), Ok(bytes), "{} {len}", E::NAME);
        // A character on both sides of the end of a piece.
        let text = format!("{}🪨ᚱ!", "a".repeat(len));
        let escaped = transcode_lossy_to_vec::<Utf8, E>(text.as_bytes(), Escape::Surrogate);
        assert_eq!(unescape_surrogates::<E>(&escaped), Ok(text.into_bytes()), "{} {len}", E::NAME);
    }
}

/// In WTF-8 surrogates have three bytes, of which a piece may end with one or two.
#[test]
fn escapes_of_three_bytes_are_undone() {
    for len in [0, 1, 100, 1022, 1023, 1024, 1025, 5000] {
        let bytes = bytes(len);
        let units = transcode_lossy_to_vec::<Utf8, Wtf16>(&bytes, Escape::Surrogate);
        let escaped = transcode_to_vec::<Wtf16, Wtf8>(&units).expect("WTF-8 has all of WTF-16");
        assert_eq!(unescape_surrogates::<Wtf8>(&escaped), Ok(bytes), "{len}");
        let escaped = [&b"a".repeat(len), "🪨".as_bytes(), b"\xED\xB2\x80!"].concat();
        let expected = [&b"a".repeat(len), "🪨".as_bytes(), b"\x80!"].concat();
        assert_eq!(unescape_surrogates::<Wtf8>(&escaped), Ok(expected), "{len}");
    }
}

/// Dense errors are looked at 64 bytes at a time. What is replaced as one may begin in one of these windows and end in the next.
#[test]
fn sequences_are_whole_where_windows_end() {
    for (replacement, sequence) in [
        (Replacement::Icu55, &b"\xF8\x88\x80\x80\x80"[..]),
        (Replacement::Icu55, b"\xC0\x80"),
        (Replacement::Perl5, b"\xF8\x88\x80\x80\x80"),
        (Replacement::Perl5, b"\xED\xA0\x80"),
        (Replacement::OpenJdk8, b"\xED\xA0\x80"),
        (Replacement::Python2, b"\xED\xA0\x80"),
        (Replacement::Win32, b"\xE0\x80"),
    ] {
        for before in 0..300 {
            let text = [&b"\x80".repeat(before), sequence, &b"\x80".repeat(40)].concat();
            let expected = "\u{FFFD}".repeat(before + 1 + 40);
            assert_eq!(repair::<Utf8>(&text, replacement), expected, "{replacement} {sequence:X?} {before}");
        }
    }
}

#[test]
fn escapes_are_undone() {
    there_and_back::<Utf16>();
    there_and_back::<Utf16Be>();
    there_and_back::<Utf32>();
    there_and_back::<Wtf16>();
    // Surrogates that are no escapes are errors, whether or not the encoding has them.
    for (units, at, kind) in [
        (&[0x61, 0xDC7F][..], 1, Kind::UnpairedLow),
        (&[0x61, 0xDCE9, 0xDD00, 0x61], 2, Kind::UnpairedLow),
        (&[0x61, 0x62, 0xD800], 2, Kind::UnpairedHigh),
    ] {
        let error = unescape_surrogates::<Utf16>(units).expect_err("no escape");
        assert!(error.at == at && (error.kind == kind || error.is_incomplete()), "{error:?}");
        let error = unescape_surrogates::<Wtf16>(units).expect_err("no escape");
        assert_eq!((error.at, error.kind), (at, Kind::Surrogate), "{error:?}");
    }
    assert_eq!(unescape_surrogates::<Wtf16>(&[0x61, 0xDC80, 0xDCFF, 0x62]), Ok(b"a\x80\xFFb".to_vec()));
    assert_eq!(unescape_surrogates::<Wtf8>(b"a\xED\xB2\x80\xED\xB3\xBFb"), Ok(b"a\x80\xFFb".to_vec()));
}

/// Escaped bytes and characters of each length, in any order, as many as are looked at together and more.
#[test]
fn escapes_among_characters_are_undone() {
    let pieces: [(&[u16], &[u8]); 7] = [
        (&[0xDC80], b"\x80"),
        (&[0xDCFF], b"\xFF"),
        (&[0x61], b"a"),
        (&[0xE9], "é".as_bytes()),
        (&[0x16B1], "ᚱ".as_bytes()),
        (&[0xD83E, 0xDEA8], "🪨".as_bytes()),
        (&[0xDBFF, 0xDC80], "\u{10FC80}".as_bytes()),
    ];
    for first in 0..pieces.len() {
        for second in 0..pieces.len() {
            for third in 0..pieces.len() {
                for count in [1, 31, 32, 33, 63, 64, 65, 130] {
                    let all = [0, first, second, third].into_iter().cycle().take(count);
                    let units: Vec<u16> = all.clone().flat_map(|at| pieces[at].0).copied().collect();
                    let bytes: Vec<u8> = all.flat_map(|at| pieces[at].1).copied().collect();
                    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                    assert_eq!(unescape_surrogates::<Utf16>(&units).as_ref(), Ok(&bytes), "{units:X?}");
                    assert_eq!(unescape_surrogates::<Utf16Be>(&big).as_ref(), Ok(&bytes), "{units:X?}");
                    let wobbly = transcode_to_vec::<Wtf16, Wtf8>(&units).expect("WTF-8 has all of WTF-16");
                    assert_eq!(unescape_surrogates::<Wtf8>(&wobbly), Ok(bytes), "{units:X?}");
                }
            }
        }
    }
}

/// An unpaired surrogate stays what it is where the target has such units.
#[test]
fn unpaired_surrogates_stay() {
    for surrogate in [0xD800, 0xDBFF, 0xDC00, 0xDFFF] {
        let units = [0x61, surrogate, 0x62];
        let points = units.map(u32::from);
        assert_eq!(transcode_lossy_to_vec::<Utf16, Utf16>(&units, Escape::Surrogate), units);
        assert_eq!(transcode_lossy_to_vec::<Utf16, Utf32>(&units, Escape::Surrogate), points);
        assert_eq!(transcode_lossy_to_vec::<Utf32, Utf16>(&points, Escape::Surrogate), units);
        assert_eq!(transcode_lossy_to_vec::<Utf32, Utf32>(&points, Escape::Surrogate), points);
        assert_eq!(transcode_lossy_to_vec::<Utf16, Utf8>(&units, Escape::Surrogate), "a\u{FFFD}b".as_bytes());

        let [big, little] = [u16::to_be_bytes, u16::to_le_bytes].map(|bytes| units.map(bytes).concat());
        let mut converted = Vec::new();
        Scheme::Utf16Le.transcode_lossy_append(Scheme::Utf16Be, &little, &mut converted, Escape::Surrogate);
        assert_eq!(converted, big);
        let mut converted = Vec::new();
        Scheme::Utf16Be.transcode_lossy_append(Scheme::Latin1, &big, &mut converted, Escape::Surrogate);
        assert_eq!(converted, b"a?b");
    }
}

/// The length of what a text of any length stands for.
#[test]
fn long_replacements_are_counted() {
    for len in [0, 1, 1022, 1023, 1024, 1025, 3000] {
        let with = "ū".repeat(len);
        let policy = Policy::With(&with);
        let found = transcode_lossy_len::<Utf8, Utf8>(b"ab\xFFc\xE2\x82", policy);
        assert_eq!((found.written, found.replaced, found.first), (3 + 4 * len, 2, Some(2)), "{len}");
        let found = transcode_lossy_len::<Utf8, Utf16>(b"ab\xFFc\xE2\x82", policy);
        assert_eq!((found.written, found.replaced, found.first), (3 + 2 * len, 2, Some(2)), "{len}");
        // A reserved sequence is one replacement, however long.
        for more in [0, 1, 100] {
            let text = [&b"ab\xFE"[..], &[0x80].repeat(more), b"c\xFF"].concat();
            let found = transcode_lossy_len::<CorrectedUtf8, Utf8>(&text, policy);
            assert_eq!(
                (found.written, found.replaced, found.first),
                (3 + 4 * len, 2, Some(2)),
                "{len} {more}"
            );
            for (to, unit) in [(Scheme::Utf8, 1), (Scheme::Utf16Le, 2)] {
                let found = Scheme::CorrectedUtf8.transcode_lossy_len(to, &text, policy);
                let expected = 3 * unit + 4 * len;
                assert_eq!(
                    (found.written, found.replaced, found.first),
                    (expected, 2, Some(2)),
                    "{to} {len} {more}"
                );
            }
        }
        let found = transcode_lossy_len::<Cesu8, Utf8>(b"a\xED\xB0\x80b", policy);
        assert_eq!((found.written, found.replaced, found.first), (2 + 2 * len, 1, Some(1)), "{len}");
    }
}

/// What is no surrogate becomes U+FFFD, also if it is a whole unit.
#[test]
fn other_units_are_replaced() {
    for point in [0x11_0000, 0x11_D800, u32::MAX] {
        assert_eq!(transcode_lossy_to_vec::<Utf32, Utf16>(&[0x61, point], Escape::Surrogate), [0x61, 0xFFFD]);
        assert_eq!(transcode_lossy_to_vec::<Utf32, Utf32>(&[0x61, point], Escape::Surrogate), [0x61, 0xFFFD]);
    }
}

/// Two surrogates between which something is left out must not become a pair: U+FFFD stays between them. So the first one is written only
/// if there is room for that, too; and only if there is something to leave out.
#[test]
fn surrogates_do_not_meet_where_the_output_ends() {
    let high = b"\xED\xA0\x80";
    for (rest, room, expected) in [
        (&b""[..], 3, Ok((3, 0))),
        (b"a", 4, Ok((4, 0))),
        (b"\xFF", 3, Err((0, 0))),
        (b"\xFF", 5, Err((0, 0))),
        (b"\xFF", 6, Ok((6, 1))),
        (b"\xFF\xED\xB0\x80", 8, Err((4, 6))),
        (b"\xFF\xED\xB0\x80", 9, Ok((9, 1))),
    ] {
        for policy in [Policy::With(""), Policy::DropAtTheRiskOfJoining] {
            let mut dst = vec![0; room];
            let text = [high, rest].concat();
            let found = transcode_lossy::<Wtf8, Wtf8>(&text, &mut dst, policy);
            let found = match found {
                Ok(repaired) => Ok((repaired.written, repaired.replaced)),
                Err(error) => Err((error.read, error.written)),
            };
            assert_eq!(found, expected, "{rest:X?} {room}");
        }
    }
}
