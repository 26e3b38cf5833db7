//! Who validates UTF-16 and UTF-32, counts characters, and says how long a text will be elsewhere.
//!
//! Apart from the validation, the peers take well-formed text for granted; so do the loops for
//! std, which count by the bits of each unit, as all who count do. `chars().count()` of a `&str` is
//! nine times as quick as such a loop over its bytes; nothing else in std has been given that care.

use encoding_rs::mem;
use runecast::{Latin1, Utf8, Utf16, Utf32, transcoded_len};

use super::columns::{Columns, One};

/// Is it UTF-16?
pub fn validate_utf16(one: One<Utf16>) -> Columns {
    one.peer("std", |src| {
        usize::from(char::decode_utf16(src.iter().copied()).all(|character| character.is_ok()))
    })
    .peer("encoding rs", |src| usize::from(mem::utf16_valid_up_to(src) == src.len()))
    .simdutf(|simdutf, src| usize::from(simdutf.validate_utf16(src)))
    .ours(|src| usize::from(runecast::validate::<Utf16>(src).is_ok()))
}

/// Is it UTF-32?
pub fn validate_utf32(one: One<Utf32>) -> Columns {
    one.peer("std", |src| {
        usize::from(src.iter().fold(true, |valid, &unit| valid & char::from_u32(unit).is_some()))
    })
    .simdutf(|simdutf, src| usize::from(simdutf.validate_utf32(src)))
    .ours(|src| usize::from(runecast::validate::<Utf32>(src).is_ok()))
}

/// How many characters has UTF-8?
pub fn count_utf8(one: One<Utf8>) -> Columns {
    one.peer("std", |src| {
        // SAFETY: the inputs of this table are made of characters (`Form` for `Utf8`), and cut
        // between them.
        unsafe { std::str::from_utf8_unchecked(src) }.chars().count()
    })
    .simdutf(|simdutf, src| simdutf.count_utf8(src))
    .ours(runecast::count::<Utf8>)
}

/// How many characters has UTF-16?
pub fn count_utf16(one: One<Utf16>) -> Columns {
    one.peer("std", |src| src.iter().filter(|&&unit| unit & 0xFC00 != 0xDC00).count())
        .simdutf(|simdutf, src| simdutf.count_utf16(src))
        .ours(runecast::count::<Utf16>)
}

/// How many units has UTF-8 in UTF-16?
pub fn utf8_to_utf16(one: One<Utf8>) -> Columns {
    one.peer("std", |src| {
        // One for each byte that begins a character, and another where it has four bytes.
        src.iter().map(|&byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum()
    })
    .simdutf(|simdutf, src| simdutf.utf16_length_from_utf8(src))
    .ours(transcoded_len::<Utf8, Utf16>)
}

/// How many bytes has UTF-16 in UTF-8?
pub fn utf16_to_utf8(one: One<Utf16>) -> Columns {
    one.peer("std", |src| {
        // A pair of surrogates has four bytes: two for each.
        let bytes =
            |&unit: &u16| 1 + usize::from(unit > 0x7F) + usize::from(unit > 0x7FF && unit & 0xF800 != 0xD800);
        src.iter().map(bytes).sum()
    })
    .simdutf(|simdutf, src| simdutf.utf8_length_from_utf16(src))
    .ours(transcoded_len::<Utf16, Utf8>)
}

/// How many bytes has UTF-32 in UTF-8?
pub fn utf32_to_utf8(one: One<Utf32>) -> Columns {
    one.peer("std", |src| {
        let bytes = |&unit: &u32| {
            1 + usize::from(unit > 0x7F) + usize::from(unit > 0x7FF) + usize::from(unit > 0xFFFF)
        };
        src.iter().map(bytes).sum()
    })
    .simdutf(|simdutf, src| simdutf.utf8_length_from_utf32(src))
    .ours(transcoded_len::<Utf32, Utf8>)
}

/// How many bytes has Latin-1 in UTF-8?
pub fn latin1_to_utf8(one: One<Latin1>) -> Columns {
    one.peer("std", |src| src.len() + src.iter().filter(|byte| !byte.is_ascii()).count())
        .simdutf(|simdutf, src| simdutf.utf8_length_from_latin1(src))
        .ours(transcoded_len::<Latin1, Utf8>)
}
