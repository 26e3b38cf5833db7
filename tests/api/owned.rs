//! A vector becomes a string as by the standard library, or comes back.

use runecast::from_utf8_owned;

#[test]
fn as_the_standard_library_takes_vectors() {
    let texts: [&[u8]; 8] = [
        b"",
        b"rune",
        "ᚱúna 🪨".as_bytes(),
        b"caf\xE9 noir",
        b"\xED\xA0\x80",
        b"abc\xF0\x9F",
        &[b'a'; 5000],
        &[0xC3; 5000],
    ];
    for text in texts {
        let bytes = text.to_vec();
        let at = bytes.as_ptr();
        match (from_utf8_owned(bytes), String::from_utf8(text.to_vec())) {
            (Ok(ours), Ok(std)) => assert!(ours == std && ours.as_ptr() == at),
            (Err(ours), Err(std)) => {
                let error = std.utf8_error();
                assert_eq!(ours.utf8_error().valid_up_to(), error.valid_up_to());
                assert_eq!(ours.utf8_error().error_len(), error.error_len());
                assert_eq!(ours.as_bytes(), text);
                assert_eq!(ours.to_string(), ours.utf8_error().to_string());
                assert_eq!(runecast::Utf8Error::from(ours.clone()), ours.utf8_error());
                assert_eq!(ours.clone().into_utf8_lossy(), String::from_utf8_lossy(text));
                let bytes = ours.into_bytes();
                assert!(bytes == text && bytes.as_ptr() == at, "the same memory");
            }
            (ours, std) => panic!("{ours:?}, but {std:?}"),
        }
    }
}
