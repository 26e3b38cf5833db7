//! What the decoders make of bytes that nobody wrote: every short string, and any string.

use proptest::prelude::*;
use runecast::{Kind, validate};
use runecast_schemes::{ALL, Corrected, Fault, Rfc2044, Scheme, Strict, Utf8, by_name, length, steps};

/// What must be so for any bytes.
fn sane(scheme: &dyn Scheme, bytes: &[u8]) {
    let mut left = bytes.len();
    for step in steps(scheme, bytes) {
        assert!((1..=left).contains(&length(step)), "{} {bytes:02X?}", scheme.name());
        let here = &bytes[bytes.len() - left..];
        let strict = Strict(scheme).decode(here);
        if let Ok(decoded) = step {
            let form = scheme.encode(decoded.value).expect("what is read can be written");
            assert!(form.bytes().len() <= decoded.len, "{} {bytes:02X?}", scheme.name());
            if form.bytes() == &here[..decoded.len] {
                assert_eq!(strict, Some(step));
            } else {
                let error = strict.expect("there are bytes").expect_err("it is too long");
                assert_eq!((error.fault, error.len), (Fault::Overlong, decoded.len));
                assert!(!matches!(scheme.name(), "utf8" | "corrected"), "{} {bytes:02X?}", scheme.name());
                // Of the same length there is another form only where a lone byte says "none follow".
                let lone = matches!(scheme.name(), "naive" | "start" | "one") && decoded.len == 1;
                assert!(form.bytes().len() < decoded.len || lone, "{} {bytes:02X?}", scheme.name());
            }
            for index in 0..decoded.len {
                assert!(scheme.tag_bits(&here[..decoded.len], index) <= 8);
            }
        } else {
            assert_eq!(strict, Some(step));
        }
        left -= length(step);
    }
    assert_eq!(left, 0);
}

/// Calls `each` with all strings of up to two bytes, and those of three with a choice of second bytes.
fn short(mut each: impl FnMut(&[u8])) {
    each(&[]);
    for first in 0..=0xFF {
        each(&[first]);
        for second in 0..=0xFF {
            each(&[first, second]);
            for third in [0x00, 0x2F, 0x7F, 0x80, 0x88, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC4, 0xE0, 0xFF] {
                each(&[first, second, third]);
            }
        }
    }
}

#[test]
fn every_short_string_is_read() {
    for scheme in ALL {
        short(|bytes| sane(scheme, bytes));
    }
}

/// The first error of the library, in the words of this crate.
fn first_error(bytes: &[u8]) -> Option<(usize, Fault, usize)> {
    let error = validate::<runecast::Utf8>(bytes).err()?;
    let fault = match error.kind {
        Kind::UnexpectedContinuation => Fault::Stray,
        Kind::OverlongLead | Kind::InvalidLead => Fault::NeverUsed,
        Kind::Overlong => Fault::Overlong,
        Kind::Surrogate => Fault::Surrogate,
        Kind::AboveMaximum => Fault::TooLarge,
        _ => Fault::Truncated,
    };
    Some((error.at, fault, error.len))
}

/// Compares with the library: the first error, and all characters before it.
fn agrees_with_the_library(bytes: &[u8]) {
    let mut at = 0;
    let mut text = String::new();
    let mut error = None;
    for step in steps(&Utf8, bytes) {
        match step {
            Ok(decoded) => text.push(char::from_u32(decoded.value).expect("a scalar value")),
            Err(ill_formed) => {
                error = Some((at, ill_formed.fault, ill_formed.len));
                break;
            }
        }
        at += length(step);
    }
    assert_eq!(error, first_error(bytes), "{bytes:02X?}");
    assert_eq!(text.as_bytes(), &bytes[..at]);
}

#[test]
fn utf8_is_that_of_the_library() {
    short(agrees_with_the_library);
    let classes = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xF5];
    for leads in 0xE0..=0xFF {
        for second in classes {
            for third in classes {
                for fourth in classes {
                    agrees_with_the_library(&[leads, second, third, fourth]);
                }
            }
        }
    }
}

#[test]
fn corrected_has_no_form_twice() {
    // Every sequence of its structure has a value, and every value that sequence.
    for first in 0xC0..=0xEF_u8 {
        for second in 0x80..=0xBF {
            let thirds = if first < 0xE0 { 0..=0 } else { 0x80..=0xBF };
            for third in thirds {
                let bytes = &[first, second, third][..if first < 0xE0 { 2 } else { 3 }];
                let decoded = Corrected.decode(bytes).expect("bytes").expect("nothing is overlong");
                assert_eq!(decoded.len, bytes.len());
                assert_eq!(Corrected.encode(decoded.value).expect("a form").bytes(), bytes);
            }
        }
    }
}

#[test]
fn faults_have_a_length() {
    let long = |first: u8, last: u8| [&[first][..], &[0x80; 8], &[last]].concat();
    for (name, bytes, fault, len) in [
        // The tenth chunk is beyond 63 bits.
        ("leb128", &long(0x80, 0x01)[..], Fault::TooLarge, 10),
        ("leb128", &[0xFF, 0xFF, 0xFF, 0xFF, 0x1F], Fault::TooLarge, 5),
        ("leb128", &[0xA9, 0x86], Fault::Truncated, 2),
        ("tagged", &long(0x29, 0x81), Fault::TooLarge, 10),
        ("tagged", &[0x7F, 0xFF, 0xFF, 0xFF, 0x9F, 0x41], Fault::TooLarge, 5),
        ("tagged", &[0x86, 0x82], Fault::Stray, 1),
        // Counters that are never used, with everything behind them that they ask for.
        ("naive", &[0xE0, 0xD0, 0xC0, 0xB0, 0xA0, 0x90, 0x80], Fault::NeverUsed, 1),
        ("naive", &[0xF0, 0xE0, 0xD0, 0xC0, 0xB0, 0xA0, 0x90, 0x80], Fault::NeverUsed, 1),
        ("naive", &[0xB9, 0xA2, 0x88], Fault::Truncated, 2),
        ("start", &[0xB8, 0xF0, 0xE8, 0xE0, 0xD8, 0xD0, 0xC8, 0xC0], Fault::NeverUsed, 1),
        ("start", &[0x91, 0xCD, 0xCD], Fault::Truncated, 2),
        ("start", &[0xCD, 0xC4], Fault::Stray, 1),
        ("one", &[0x99, 0xE5, 0xC1, 0x41], Fault::Truncated, 3),
        ("one", &[0xAF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Fault::TooLarge, 6),
        ("one", &[0xE5], Fault::Stray, 1),
        ("unary", &[0xC0, 0x83], Fault::Truncated, 2),
        ("unary", &[0xF1, 0, 0, 0, 0], Fault::TooLarge, 5),
        ("unary", &[0xFF, 0], Fault::NeverUsed, 1),
        ("cleared", &[0xE8, 0x8C, 0x41], Fault::Truncated, 2),
        ("cleared", &[0xFE, 0x84, 0x80, 0x80, 0x80, 0x80, 0x80], Fault::TooLarge, 7),
        ("cleared", &[0xFF, 0x80], Fault::NeverUsed, 1),
        ("rfc2044", &[0xFC, 0x84, 0x80, 0x80, 0x80], Fault::Truncated, 5),
        ("rfc2044", &[0xFE, 0x80], Fault::NeverUsed, 1),
        ("utf8", &[0xF0, 0x9F, 0xA6], Fault::Truncated, 3),
        ("utf8", &[0xED, 0xA0, 0x80], Fault::Surrogate, 1),
        ("corrected", &[0xE8, 0x8C, 0xC0], Fault::Truncated, 2),
        ("corrected", &[0x80, 0x80], Fault::Stray, 1),
    ] {
        let scheme = by_name(name).expect("a scheme");
        let error = scheme.decode(bytes).expect("bytes").expect_err("ill-formed");
        assert_eq!((error.fault, error.len), (fault, len), "{name} {bytes:02X?}");
        assert!(!fault.to_string().is_empty());
    }
}

#[test]
fn corrected_passes_over_what_is_reserved() {
    for (bytes, len) in [
        (&b"\xFE"[..], 1),
        (b"\xFE\x80\x80A", 3),
        (b"\xFF\xFF\x80\xFE\xBF\xC3\xA0", 5),
        (b"\xFE\xE0\x80\x80", 1),
        (b"\xFF\xFC", 1),
    ] {
        let error = Corrected.decode(bytes).expect("bytes").expect_err("reserved");
        assert_eq!((error.fault, error.len), (Fault::Reserved, len), "{bytes:02X?}");
    }
}

#[test]
fn rfc_2044_takes_longer_forms_and_fss_utf_does_not() {
    for bytes in [&b"\xC0\xAF"[..], b"\xE0\x80\xAF", b"\xF0\x80\x80\xAF", b"\xFC\x80\x80\x80\x80\xAF"] {
        let decoded = Rfc2044.decode(bytes).expect("bytes").expect("it does not look");
        assert_eq!((decoded.value, decoded.len), (0x2F, bytes.len()));
        let error = Strict(&Rfc2044).decode(bytes).expect("bytes").expect_err("only the shortest is legal");
        assert_eq!((error.fault, error.len), (Fault::Overlong, bytes.len()));
    }
    assert_eq!(Rfc2044.decode(b"\xED\xA0\x80").expect("bytes").map(|decoded| decoded.value), Ok(0xD800));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        for scheme in ALL {
            sane(scheme, &bytes);
        }
        agrees_with_the_library(&bytes);
    }

    #[test]
    fn long_runs_are_read(byte: u8, len in 0_usize..40, last: u8) {
        let mut bytes = vec![byte; len];
        for scheme in ALL {
            sane(scheme, &bytes);
        }
        bytes.push(last);
        bytes.insert(0, 0x29);
        for scheme in ALL {
            sane(scheme, &bytes);
        }
    }
}
