//! The texts that are measured: short sequences over and over, and a few that are not so simple.

use runecast::Scheme;
use runecast_corpus::{Script, generate};

use super::Operation;
use crate::texts::SEED;

/// A pattern: its name, and a text of so many bytes.
pub type Pattern = (&'static str, Box<dyn Fn(usize) -> Vec<u8>>);

/// Prose in several scripts, in the encoding that the operation reads; nothing that its target cannot represent.
pub fn clean(operation: &Operation, size: usize) -> Vec<u8> {
    let mut text = String::new();
    let narrow =
        [operation.from, operation.to].iter().any(|scheme| matches!(scheme, Scheme::Ascii | Scheme::Latin1));
    while text.len() < size {
        let scripts =
            if narrow { &[Script::Ascii][..] } else { &[Script::Ascii, Script::Cyrillic, Script::Chinese] };
        for script in scripts {
            text += &generate(*script, 1 << 10, SEED);
        }
    }
    let mut bytes = Vec::new();
    for character in text.chars() {
        let before = bytes.len();
        let mut utf8 = [0; 4];
        let utf8 = character.encode_utf8(&mut utf8);
        if Scheme::Utf8.transcode_append(operation.from, utf8.as_bytes(), &mut bytes).is_err() {
            bytes.truncate(before);
        }
        if bytes.len() > size {
            bytes.truncate(before);
            break;
        }
    }
    bytes
}

/// This, over and over.
fn of(name: &'static str, unit: &'static [u8]) -> Pattern {
    (name, Box::new(move |size| unit.iter().copied().cycle().take(size).collect()))
}

/// One `unit` in so many bytes, after ASCII.
fn rare(name: &'static str, unit: &'static [u8], period: usize) -> Pattern {
    let make = move |size| {
        let ascii = (0..period - unit.len()).map(|at| b'a' + (at % 26) as u8);
        ascii.chain(unit.iter().copied()).collect::<Vec<u8>>().into_iter().cycle().take(size).collect()
    };
    (name, Box::new(make))
}

/// A reserved sequence that is longer than most buffers for waiting bytes.
const RUN: [u8; 81] = {
    let mut unit = [0xFE; 81];
    unit[80] = b'a';
    unit
};

/// All patterns.
pub fn patterns() -> Vec<Pattern> {
    vec![
        of("00", b"\0"),
        of("80", b"\x80"),
        of("BF", b"\xBF"),
        of("C0 80", b"\xC0\x80"),
        of("C3", b"\xC3"),
        of("C3 61", b"\xC3a"),
        of("E0", b"\xE0"),
        of("E0 80", b"\xE0\x80"),
        of("E2 82", b"\xE2\x82"),
        of("ED A0 80", b"\xED\xA0\x80"),
        of("ED A0 80 ED B0 80", b"\xED\xA0\x80\xED\xB0\x80"),
        of("ED B0 80 ED A0 80", b"\xED\xB0\x80\xED\xA0\x80"),
        of("EF B7 90", b"\xEF\xB7\x90"),
        of("EF B7 B0", b"\xEF\xB7\xB0"),
        of("EF BF BF", b"\xEF\xBF\xBF"),
        of("F0 80 80 80", b"\xF0\x80\x80\x80"),
        of("F0 9F 92", b"\xF0\x9F\x92"),
        of("F0 9F 92 A9", b"\xF0\x9F\x92\xA9"),
        of("F4 90 80 80", b"\xF4\x90\x80\x80"),
        of("F8 88 80 80 80", b"\xF8\x88\x80\x80\x80"),
        of("FD BF BF BF BF BF", b"\xFD\xBF\xBF\xBF\xBF\xBF"),
        of("FE", b"\xFE"),
        of("FF", b"\xFF"),
        of("FF 61", b"\xFFa"),
        of("FF 80 x 12", b"\xFF\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"),
        of("FE x 80, a", &RUN),
        of("00 D8", b"\0\xD8"),
        of("D8 00", b"\xD8\0"),
        of("00 DC 00 D8", b"\0\xDC\0\xD8"),
        of("D8 00 00 61", b"\xD8\0\0a"),
        of("61 00 00 D8", b"a\0\0\xD8"),
        of("3D D8 A9 DC", b"\x3D\xD8\xA9\xDC"),
        of("00 00 11 00", b"\0\0\x11\0"),
        of("2D 4E", b"\x2D\x4E"),
        of("E4 B8 AD", "中".as_bytes()),
        of("E4 B8 AD 61", "中a".as_bytes()),
        of("0A", b"\n"),
        of("0D 0A", b"\r\n"),
        rare("FF in 16", b"\xFF", 16),
        rare("FF in 64", b"\xFF", 64),
        rare("FF in 300", b"\xFF", 300),
        rare("E0 80 80 in 64", b"\xE0\x80\x80", 64),
        rare("D8 at odd places in 33", b"\xD8", 33),
        (
            "FE 80 80 80 ...",
            Box::new(|size| {
                let mut text = vec![0x80; size];
                text[0] = 0xFE;
                text
            }),
        ),
        (
            "random bytes",
            Box::new(|size| {
                let mut state = 0x2545_F491_4F6C_DD1D_u64;
                let random = || {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    Some((state >> 32) as u8)
                };
                std::iter::from_fn(random).take(size).collect()
            }),
        ),
    ]
}
