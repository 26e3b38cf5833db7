//! Huge texts on all cores: the same answers as on one. (Texts of every kind, with blocks of a few bytes,
//! are beside the source.)

use crate::common::texts::{BOUNDARY_BYTES, Class, Rng};
use crate::memory::peak;
use runecast::{
    Engine, Escape, Latin1, Policy, Reason, Replacement, Utf8, Utf16, Utf16Le, Wtf8,
    par_transcode_lossy_to_vec, par_transcode_to_vec, par_validate, transcode_lossy_to_vec, transcode_to_vec,
    validate,
};

/// Bytes of a block.
const BLOCK: usize = 256 << 10;

#[test]
fn clean_texts_of_many_sizes() {
    let mut rng = Rng::new(1);
    let text = Class::Mixed.text(3 * BLOCK, &mut rng);
    for size in
        [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, BLOCK + 2, BLOCK + 5, 2 * BLOCK, 2 * BLOCK + 77, 3 * BLOCK]
    {
        let end = (0..=size.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let text = &text[..end];
        assert_eq!(par_validate::<Utf8>(text.as_bytes()), Ok(()));
        let units: Vec<u16> = text.encode_utf16().collect();
        assert!(par_transcode_to_vec::<Utf8, Utf16>(text.as_bytes()).as_ref() == Ok(&units));
        assert_eq!(par_validate::<Utf16>(&units), Ok(()));
        assert!(par_transcode_to_vec::<Utf16, Utf8>(&units).is_ok_and(|back| back == text.as_bytes()));
        let same = par_transcode_lossy_to_vec::<Utf8, Utf8>(text.as_bytes(), Replacement::Whatwg);
        assert!(same == text.as_bytes());
    }
}

#[test]
fn errors_at_the_boundaries_of_blocks() {
    let mut rng = Rng::new(2);
    let clean = Class::Mixed.text(3 * BLOCK, &mut rng).into_bytes();
    for boundary in [BLOCK, 2 * BLOCK] {
        for offset in -6..=6 {
            let mut text = clean.clone();
            text[boundary.saturating_add_signed(offset)] = BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())];
            // And one that is not the first.
            text[2 * BLOCK + 1000] = 0xFF;
            assert_eq!(par_validate::<Utf8>(&text), validate::<Utf8>(&text));
            let serial = transcode_to_vec::<Utf8, Utf16Le>(&text);
            assert!(par_transcode_to_vec::<Utf8, Utf16Le>(&text) == serial);
            let policy = Replacement::Icu55;
            let serial = transcode_lossy_to_vec::<Utf8, Utf16Le>(&text, policy);
            assert!(par_transcode_lossy_to_vec::<Utf8, Utf16Le>(&text, policy) == serial);
        }
    }
}

#[test]
fn engines_have_the_same_methods() {
    let mut text = "rúna ".repeat(100_000).into_bytes();
    let units: Vec<u16> = "rúna ".repeat(100_000).encode_utf16().collect();
    for engine in Engine::available() {
        assert_eq!(engine.par_validate::<Utf8>(&text), Ok(()));
        assert!(engine.par_transcode_to_vec::<Utf8, Utf16>(&text).as_ref() == Ok(&units));
        assert!(engine.par_transcode_lossy_to_vec::<Utf8, Utf16>(&text, Replacement::Whatwg) == units);
    }
    text[400_000] = 0xFF;
    let expected = String::from_utf8_lossy(&text);
    for engine in Engine::available() {
        assert_eq!(engine.par_validate::<Utf8>(&text).map_err(|error| error.at), Err(400_000));
        let error = engine.par_transcode_to_vec::<Utf8, Utf16>(&text).unwrap_err();
        assert_eq!(error.read, 400_000);
        let repaired = engine.par_transcode_lossy_to_vec::<Utf8, Utf8>(&text, Replacement::Whatwg);
        assert!(repaired == expected.as_bytes());
    }
}

/// Well-formed blocks of which a policy replaces characters, and code points that are no characters.
#[test]
fn characters_that_are_refused() {
    let mut text = "rúna ".repeat(100_000);
    text.replace_range(400_002..400_003, "\u{FFFE}");
    let policy = Replacement::Perl5;
    let serial = transcode_lossy_to_vec::<Utf8, Utf8>(text.as_bytes(), policy);
    assert!(serial != text.as_bytes());
    assert!(par_transcode_lossy_to_vec::<Utf8, Utf8>(text.as_bytes(), policy) == serial);

    let mut text = b"runa ".repeat(100_000);
    text[400_000..400_003].copy_from_slice(b"\xED\xA0\x80");
    let error = transcode_to_vec::<Wtf8, Utf8>(&text).unwrap_err();
    assert!(matches!(error.reason, Reason::UnrepresentableCodePoint { at: 400_000, code_point: 0xD800 }));
    assert!(par_transcode_to_vec::<Wtf8, Utf8>(&text) == Err(error));
}

/// One character that the target lacks changes nothing but what is written for it: there is no second output, of one thread.
#[test]
fn characters_without_a_form_are_for_all_cores_too() {
    let mut text = "runa ".repeat(1_000_000);
    text.replace_range(4_000_002..4_000_003, "€");
    for policy in [
        Policy::from(Replacement::Whatwg),
        Policy::from("<?>"),
        Policy::from(Escape::Backslash),
        Policy::Omit,
    ] {
        let serial = transcode_lossy_to_vec::<Utf8, Latin1>(text.as_bytes(), policy);
        let mut parallel = Vec::new();
        let most = peak(|| parallel = par_transcode_lossy_to_vec::<Utf8, Latin1>(text.as_bytes(), policy));
        assert!(parallel == serial, "{policy:?}");
        assert!(most < 6_000_000, "{most} bytes at once, for an output of {}: {policy:?}", serial.len());
    }
}

/// What is wrong near the beginning is found without memory for the rest, after the output was given back.
#[test]
fn an_error_needs_no_second_output() {
    let mut text = "runa ".repeat(1_000_000).into_bytes();
    text[300_000] = 0xFF;
    let serial = transcode_to_vec::<Utf8, Utf16>(&text);
    let mut parallel = Ok(Vec::new());
    let most = peak(|| parallel = par_transcode_to_vec::<Utf8, Utf16>(&text));
    assert!(parallel == serial);
    assert!(most < 12_000_000, "{most} bytes at once, where the output has 10,000,000");
}
