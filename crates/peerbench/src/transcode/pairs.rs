//! Who converts from what to what, and how.
//!
//! For std, what its users would write without allocating: its iterators, into the output, in the
//! form that measured best. `encode_utf16` is a fifth quicker with `for_each`, which goes through
//! the iterator from the inside, than in a `for` loop; `chars` is a third quicker in the loop. From
//! UTF-16, a loop that writes to the slice is up to a third quicker than `String::from_utf16`. And
//! a loop over the units that collects the check in an OR and looks once at the end is compiled to
//! vectors, unlike one that leaves at the first unit that does not fit, so that is what the pairs
//! to Latin-1 have.

use std::str::from_utf8;

use encoding_rs::mem;
use runecast::{Latin1, Utf8, Utf16, Utf16Be, Utf32};

use super::columns::{Columns, Pair};

/// UTF-8 to UTF-16.
pub fn utf8_to_utf16(pair: Pair<Utf8, Utf16>) -> Columns {
    pair.peer("std", |src, dst| {
        let Ok(text) = from_utf8(src) else { return 0 };
        let (mut room, mut written) = (dst.iter_mut(), 0);
        text.encode_utf16().for_each(|unit| {
            if let Some(to) = room.next() {
                *to = unit;
                written += 1;
            }
        });
        written
    })
    .peer("encoding rs", |src, dst| mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(0))
    .simdutf(|simdutf, src, dst| simdutf.utf8_to_utf16(src, dst))
    .ours()
}

/// UTF-8 to UTF-32.
pub fn utf8_to_utf32(pair: Pair<Utf8, Utf32>) -> Columns {
    pair.peer("std", |src, dst| {
        let Ok(text) = from_utf8(src) else { return 0 };
        let mut written = 0;
        for (to, character) in dst.iter_mut().zip(text.chars()) {
            *to = u32::from(character);
            written += 1;
        }
        written
    })
    .simdutf(|simdutf, src, dst| simdutf.utf8_to_utf32(src, dst))
    .ours()
}

/// UTF-16 to UTF-8. encoding_rs writes U+FFFD for what is ill-formed, and has no function that does not.
pub fn utf16_to_utf8(pair: Pair<Utf16, Utf8>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        for character in char::decode_utf16(src.iter().copied()) {
            let Ok(character) = character else { return 0 };
            written += character.encode_utf8(&mut dst[written..]).len();
        }
        written
    })
    .peer("encoding rs", mem::convert_utf16_to_utf8)
    .simdutf(|simdutf, src, dst| simdutf.utf16_to_utf8(src, dst))
    .ours()
}

/// UTF-16 to UTF-32.
pub fn utf16_to_utf32(pair: Pair<Utf16, Utf32>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        for (to, character) in dst.iter_mut().zip(char::decode_utf16(src.iter().copied())) {
            let Ok(character) = character else { return 0 };
            *to = u32::from(character);
            written += 1;
        }
        written
    })
    .simdutf(|simdutf, src, dst| simdutf.utf16_to_utf32(src, dst))
    .ours()
}

/// UTF-32 to UTF-8.
pub fn utf32_to_utf8(pair: Pair<Utf32, Utf8>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        for &unit in src {
            let Some(character) = char::from_u32(unit) else { return 0 };
            written += character.encode_utf8(&mut dst[written..]).len();
        }
        written
    })
    .simdutf(|simdutf, src, dst| simdutf.utf32_to_utf8(src, dst))
    .ours()
}

/// UTF-32 to UTF-16.
pub fn utf32_to_utf16(pair: Pair<Utf32, Utf16>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        for &unit in src {
            let Some(character) = char::from_u32(unit) else { return 0 };
            written += character.encode_utf16(&mut dst[written..]).len();
        }
        written
    })
    .simdutf(|simdutf, src, dst| simdutf.utf32_to_utf16(src, dst))
    .ours()
}

/// UTF-8 to Latin-1. encoding_rs may convert only what it has found to fit.
pub fn utf8_to_latin1(pair: Pair<Utf8, Latin1>) -> Columns {
    pair.peer("std", |src, dst| {
        let Ok(text) = from_utf8(src) else { return 0 };
        let mut written = 0;
        for (to, character) in dst.iter_mut().zip(text.chars()) {
            let Ok(byte) = u8::try_from(character) else { return 0 };
            *to = byte;
            written += 1;
        }
        written
    })
    .peer("encoding rs", |src, dst| {
        if mem::is_utf8_latin1(src) { mem::convert_utf8_to_latin1_lossy(src, dst) } else { 0 }
    })
    .simdutf(|simdutf, src, dst| simdutf.utf8_to_latin1(src, dst))
    .ours()
}

/// Latin-1 to UTF-8.
pub fn latin1_to_utf8(pair: Pair<Latin1, Utf8>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        for &byte in src {
            written += char::from(byte).encode_utf8(&mut dst[written..]).len();
        }
        written
    })
    .peer("encoding rs", mem::convert_latin1_to_utf8)
    .simdutf(|simdutf, src, dst| simdutf.latin1_to_utf8(src, dst))
    .ours()
}

/// UTF-16 to Latin-1. encoding_rs may convert only what it has found to fit.
pub fn utf16_to_latin1(pair: Pair<Utf16, Latin1>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut all = 0;
        for (to, &unit) in dst.iter_mut().zip(src) {
            *to = unit as u8;
            all |= unit;
        }
        if all < 0x100 { src.len() } else { 0 }
    })
    .peer("encoding rs", |src, dst| {
        if !mem::is_utf16_latin1(src) {
            return 0;
        }
        mem::convert_utf16_to_latin1_lossy(src, dst);
        src.len()
    })
    .simdutf(|simdutf, src, dst| simdutf.utf16_to_latin1(src, dst))
    .ours()
}

/// UTF-32 to Latin-1.
pub fn utf32_to_latin1(pair: Pair<Utf32, Latin1>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut all = 0;
        for (to, &unit) in dst.iter_mut().zip(src) {
            *to = unit as u8;
            all |= unit;
        }
        if all < 0x100 { src.len() } else { 0 }
    })
    .simdutf(|simdutf, src, dst| simdutf.utf32_to_latin1(src, dst))
    .ours()
}

/// Latin-1 to UTF-16.
pub fn latin1_to_utf16(pair: Pair<Latin1, Utf16>) -> Columns {
    pair.peer("std", |src, dst| {
        dst.iter_mut().zip(src).for_each(|(to, &byte)| *to = u16::from(byte));
        src.len()
    })
    .peer("encoding rs", |src, dst| {
        mem::convert_latin1_to_utf16(src, dst);
        src.len()
    })
    .simdutf(|simdutf, src, dst| simdutf.latin1_to_utf16(src, dst))
    .ours()
}

/// Latin-1 to UTF-32.
pub fn latin1_to_utf32(pair: Pair<Latin1, Utf32>) -> Columns {
    pair.peer("std", |src, dst| {
        dst.iter_mut().zip(src).for_each(|(to, &byte)| *to = u32::from(byte));
        src.len()
    })
    .simdutf(|simdutf, src, dst| simdutf.latin1_to_utf32(src, dst))
    .ours()
}

/// UTF-16 to UTF-16BE.
///
/// simdutf swaps bytes without a look at them, and std has no more than that either: both are run
/// after a check, because runecast checks.
pub fn utf16_to_utf16be(pair: Pair<Utf16, Utf16Be>) -> Columns {
    pair.peer("std", |src, dst| {
        if !char::decode_utf16(src.iter().copied()).all(|character| character.is_ok()) {
            return 0;
        }
        let dst: &mut [u16] = bytemuck::cast_slice_mut(dst);
        dst.iter_mut().zip(src).for_each(|(to, &unit)| *to = unit.to_be());
        src.len() * 2
    })
    .simdutf(|simdutf, src, dst| {
        if !simdutf.validate_utf16(src) {
            return 0;
        }
        let dst: &mut [u16] = bytemuck::cast_slice_mut(dst);
        if cfg!(target_endian = "big") {
            dst[..src.len()].copy_from_slice(src);
            return src.len() * 2;
        }
        simdutf.swap_utf16(src, dst) * 2
    })
    .ours()
}
