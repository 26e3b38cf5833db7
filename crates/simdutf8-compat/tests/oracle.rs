//! Answers equal those of simdutf8 0.1.5 and of std: all short strings, by themselves and inside of a text, and mutated texts.

use runecast_corpus::{Random, Script, generate};

/// All four functions, compared with those of simdutf8 and of std.
fn compare(bytes: &mut [u8]) {
    let expected = std::str::from_utf8(bytes).map(str::len).map_err(|e| (e.valid_up_to(), e.error_len()));
    let position = |error: simdutf8::compat::Utf8Error| (error.valid_up_to(), error.error_len());
    let length = |text: &mut str| text.len();
    assert_eq!(simdutf8::compat::from_utf8(bytes).map(str::len).map_err(position), expected, "{bytes:X?}");
    assert_eq!(simdutf8::compat::from_utf8_mut(bytes).map(length).map_err(position), expected, "{bytes:X?}");
    let basic = expected.map_err(|_| simdutf8::basic::Utf8Error);
    assert_eq!(simdutf8::basic::from_utf8(bytes).map(str::len), basic, "{bytes:X?}");
    assert_eq!(simdutf8::basic::from_utf8_mut(bytes).map(length), basic, "{bytes:X?}");

    assert_eq!(original::basic::from_utf8(bytes).is_ok(), basic.is_ok());
    let original = original::compat::from_utf8(bytes).map(str::len);
    assert_eq!(original.map_err(|error| (error.valid_up_to(), error.error_len())), expected);
    if let (Err(ours), Err(theirs)) = (simdutf8::compat::from_utf8(bytes), original::compat::from_utf8(bytes))
    {
        // Each is compared once: texts take longer than everything else.
        if bytes.len() > 2 {
            return;
        }
        assert_eq!((ours.to_string(), format!("{ours:?}")), (theirs.to_string(), format!("{theirs:?}")));
    }
}

#[test]
fn all_strings_of_up_to_three_bytes() {
    compare(&mut []);
    for value in 0..=0xFF_FFFF_u32 {
        let [_, mut bytes @ ..] = value.to_be_bytes();
        if value <= 0xFF {
            compare(&mut bytes[2..]);
        }
        if value <= 0xFFFF {
            compare(&mut bytes[1..]);
        }
        compare(&mut bytes);
    }
}

/// At least one byte of each kind, and both ends of each range in Table 3-7 of Unicode.
const KINDS: [u8; 24] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
    0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5,
];

/// Strings of `N` bytes, each of one of the kinds.
fn strings<const N: usize>(mut each: impl FnMut([u8; N])) {
    for number in 0..KINDS.len().pow(N as u32) {
        let mut digits = number;
        each(std::array::from_fn(|_| {
            let kind = KINDS[digits % KINDS.len()];
            digits /= KINDS.len();
            kind
        }));
    }
}

#[test]
fn all_kinds_of_strings_of_four_bytes_and_the_end() {
    strings::<4>(|mut bytes| compare(&mut bytes));
    // What follows a character of four bytes.
    strings::<2>(|[first, second]| compare(&mut [0xF0, 0x9F, 0x98, 0x80, first, second]));
}

/// Around the places where blocks of 64 bytes end, in ASCII and in text of three bytes.
#[test]
fn all_kinds_of_strings_inside_of_a_text() {
    let ascii = [b'a'; 200];
    let wide: Vec<u8> = "字".bytes().cycle().take(3 * 67).collect();
    strings::<3>(|bytes| {
        for (text, places) in [(&ascii[..], [60, 62, 125, 197]), (&wide, [60, 63, 126, 198])] {
            for place in places {
                let mut text = text.to_vec();
                text[place..place + 3].copy_from_slice(&bytes);
                compare(&mut text);
            }
        }
    });
}

#[test]
fn mutated_texts() {
    let mut random = Random::new(20);
    for script in Script::ALL {
        for round in 0..400 {
            let bytes = if round % 20 == 0 { 5000 } else { random.below(300) };
            let mut text = generate(script, bytes, round).into_bytes();
            compare(&mut text);
            if text.is_empty() {
                continue;
            }
            for _ in 0..1 + random.below(3) {
                let at = random.below(text.len());
                text[at] = if random.per_mille(500) {
                    KINDS[random.below(KINDS.len())]
                } else {
                    random.bits() as u8
                };
            }
            compare(&mut text);
            let end = random.below(text.len());
            compare(&mut text[..end]);
            let start = random.below(end + 1);
            compare(&mut text[start..end]);
        }
    }
}
