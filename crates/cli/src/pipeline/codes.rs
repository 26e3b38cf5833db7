//! Encodings older than Unicode, written by table: from code units of UTF-16 to one, two or four bytes.
//!
//! The library's kernels make UTF-16 of the text, block by block, and each unit is looked up in a table of 65,536 codes. So
//! there is nothing to be decided for each character but whether it takes one byte or two, and that without a branch: a
//! library that is also to be small has to search for each character. Stretches of ASCII are copied.
//!
//! The table is empty at first. A code that is not known yet is asked of `encoding_rs`, once, and noted: so the table says what
//! that says, whatever its rules for characters with two codes are, and a run on a small file asks for a few dozen. That
//! threads note the same code at the same time does no harm. What has four bytes (GB18030) is in a table of its own, which is made
//! when it is needed; characters beyond the basic plane are always asked for.
//!
//! ISO-2022-JP has states, and no table here.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use encoding_rs::{EncoderResult, Encoding};
use runecast::{Utf8, Utf16, transcode};

use crate::pipeline::shifts::has_states;
use crate::pipeline::sync::lock;
use crate::pipeline::window::whole_characters;

/// So many bytes become units, and are looked up, at once.
const BLOCK: usize = 1024;

/// The same behind a stretch of ASCII: behind one letter there may be the next stretch.
const SMALL_BLOCK: usize = 128;

/// So long must a stretch of ASCII be to be copied.
const STRETCH: usize = 64;

/// So many units are looked up together if none was left out before. Where some are, it is only the next place that depends on
/// which.
const SPAN: usize = 32;

/// The characters of the basic plane.
const PLANE: usize = 0x1_0000;

/// In the table: from here on a code is two bytes, of which the first is above 7F in all of these encodings. Below [`NONE`]
/// it is one byte.
const TWO_BYTES: u16 = 0x8000;

/// In the table: there is no code.
const NONE: u16 = 0x100;

/// In the table: nobody has asked yet.
const UNKNOWN: u16 = 0x200;

/// In the table: there are four bytes.
const FOUR_BYTES: u16 = 0x400;

/// The codes of an encoding.
pub(super) struct Codes {
    encoding: &'static Encoding,
    codes: Box<[AtomicU16]>,
    /// What has four bytes; 0 where nobody has asked.
    long: OnceLock<Box<[AtomicU32]>>,
}

/// What there is for a character: so many of these bytes.
#[derive(Clone, Copy)]
struct Code {
    bytes: [u8; 4],
    length: usize,
}

impl Codes {
    /// The codes of an encoding, unless it has states.
    pub(super) fn of(encoding: &'static Encoding) -> Option<Arc<Codes>> {
        static KNOWN: LazyLock<Mutex<HashMap<&str, Arc<Codes>>>> = LazyLock::new(Mutex::default);
        if has_states(encoding) {
            return None;
        }
        let mut known = lock(&KNOWN);
        let codes = known.entry(encoding.name()).or_insert_with(|| {
            let codes = (0..PLANE).map(|_| AtomicU16::new(UNKNOWN)).collect();
            Arc::new(Codes { encoding, codes, long: OnceLock::new() })
        });
        Some(Arc::clone(codes))
    }

    /// Encodes a text, which is well-formed UTF-8, and appends it. What becomes of a character that has no code is up to `unmappable`, which gets its
    /// place and appends what is to be there instead; if it returns false, that is the end: it is returned.
    pub(super) fn encode(
        &self,
        text: &[u8],
        out: &mut Vec<u8>,
        mut unmappable: impl FnMut(usize, char, &mut Vec<u8>) -> bool,
    ) -> Option<(usize, char)> {
        let mut stopped = None;
        blocks(text, out, |at, units, out| {
            // The place of a unit, which moves only where it is asked for.
            let (mut begin, mut place, mut passed) = (0, at, 0);
            while begin < units.len() {
                begin += self.append::<false>(&units[begin..], out).0;
                let Some((character, length)) = first(&units[begin..]) else { break };
                if let Some(code) = self.code(character) {
                    out.extend_from_slice(&code.bytes[..code.length]);
                } else {
                    place += utf8_len(&units[passed..begin]);
                    passed = begin;
                    if !unmappable(place, character, out) {
                        stopped = Some((place, character));
                        return false;
                    }
                }
                begin += length;
            }
            true
        });
        stopped
    }

    /// Encodes a text without the characters that have no code: how many those are, and where the first is.
    pub(super) fn encode_omitting(&self, text: &[u8], out: &mut Vec<u8>) -> (u64, Option<usize>) {
        let (mut omitted, mut place) = (0, None);
        blocks(text, out, |at, units, out| {
            let (mut begin, mut lacking) = (0, None);
            while begin < units.len() {
                let (written, left_out) = self.append::<true>(&units[begin..], out);
                if left_out > 0 && place.is_none() {
                    let none = |unit: &u16| self.codes[usize::from(*unit)].load(Ordering::Relaxed) == NONE;
                    lacking = lacking.or(units[begin..].iter().position(none).map(|index| begin + index));
                }
                omitted += left_out;
                begin += written;
                let Some((character, length)) = first(&units[begin..]) else { break };
                match self.code(character) {
                    Some(code) => out.extend_from_slice(&code.bytes[..code.length]),
                    None => {
                        omitted += 1;
                        lacking = lacking.or(Some(begin));
                    }
                }
                begin += length;
            }
            place = place.or(lacking.map(|index| at + utf8_len(&units[..index])));
            true
        });
        (omitted, place)
    }

    /// Appends the codes of units, up to one for which the table has none, or without those: how many units have been read, and how
    /// many left out. It also stops where the table does not know, and before a surrogate.
    fn append<const OMIT: bool>(&self, units: &[u16], out: &mut Vec<u8>) -> (usize, u64) {
        let before = out.len();
        out.resize(before + 2 * units.len(), 0);
        let room = &mut out[before..];
        // (There is one for each unit: which the compiler is told here, and need not ask for each.)
        let Ok(codes) = <&[AtomicU16; PLANE]>::try_from(&*self.codes) else { return (0, 0) };
        let look_up = |unit: u16| codes[usize::from(unit)].load(Ordering::Relaxed);
        if self.encoding.is_single_byte() {
            let (mut all, mut written) = (0, 0);
            if OMIT {
                let room = &mut room[..units.len()];
                let mut calm = true;
                for span in units.chunks(SPAN) {
                    if calm {
                        let mut any = 0;
                        for (byte, unit) in room[written..].iter_mut().zip(span) {
                            let code = look_up(*unit);
                            any |= code;
                            *byte = code as u8;
                        }
                        if any < NONE {
                            written += span.len();
                            continue;
                        }
                    }
                    let before = written;
                    for unit in span {
                        let code = look_up(*unit);
                        all |= code;
                        // (There is a place for each; `min` is never needed, and spares a comparison.)
                        room[written.min(units.len() - 1)] = code as u8;
                        written += usize::from(code != NONE);
                    }
                    calm = written - before == span.len();
                }
            } else {
                for (byte, unit) in room.iter_mut().zip(units) {
                    let code = look_up(*unit);
                    all |= code;
                    *byte = code as u8;
                }
                written = units.len();
            }
            if all < if OMIT { UNKNOWN } else { NONE } {
                out.truncate(before + written);
                return (units.len(), (units.len() - written) as u64);
            }
        }
        let stop = if OMIT { UNKNOWN } else { NONE };
        let (mut read, mut written, mut left_out) = (0, 0, 0);
        for unit in units {
            let code = look_up(*unit);
            let Some(room) = room.get_mut(written..written + 2) else { break };
            if (stop..TWO_BYTES).contains(&code) {
                break;
            }
            let two = code >= TWO_BYTES;
            room.copy_from_slice(&(if two { code } else { code << 8 }).to_be_bytes());
            let none = OMIT && code == NONE;
            written += 1 + usize::from(two) - usize::from(none);
            left_out += u64::from(none);
            read += 1;
        }
        out.truncate(before + written);
        (read, left_out)
    }

    /// The code of a character, wherever it stands.
    fn code(&self, character: char) -> Option<Code> {
        let Some(place) = self.codes.get(character as usize) else { return self.ask(character) };
        let known = place.load(Ordering::Relaxed);
        if known == NONE {
            return None;
        }
        if known == FOUR_BYTES {
            let long = self.long.get_or_init(|| (0..PLANE).map(|_| AtomicU32::new(0)).collect());
            if let Some(long) = long.get(character as usize) {
                let mut bytes = long.load(Ordering::Relaxed);
                if bytes == 0 {
                    bytes = u32::from_be_bytes(self.ask(character)?.bytes);
                    long.store(bytes, Ordering::Relaxed);
                }
                return Some(Code { bytes: bytes.to_be_bytes(), length: 4 });
            }
        }
        let code = self.ask(character);
        let entry = match code {
            None => NONE,
            Some(Code { bytes: [byte, ..], length: 1 }) => byte.into(),
            Some(Code { bytes: [first, second, ..], length: 2 }) if first >= 0x80 => {
                u16::from_be_bytes([first, second])
            }
            Some(Code { length: 4, .. }) => FOUR_BYTES,
            // There is no such encoding; it would be right, and slow.
            Some(_) => UNKNOWN,
        };
        place.store(entry, Ordering::Relaxed);
        code
    }

    /// What `encoding_rs` says.
    fn ask(&self, character: char) -> Option<Code> {
        let (mut text, mut bytes) = ([0; 4], [0; 32]);
        let text = character.encode_utf8(&mut text);
        let mut encoder = self.encoding.new_encoder();
        match encoder.encode_from_utf8_without_replacement(text, &mut bytes, true) {
            (EncoderResult::InputEmpty, _, length) => {
                let [a, b, c, d, ..] = bytes;
                Some(Code { bytes: [a, b, c, d], length: length.min(4) })
            }
            _ => None,
        }
    }
}

/// Hands out a text in blocks of UTF-16, each with the place where it begins, as long as `each` returns true. Long stretches of
/// ASCII are appended to `out` as they are.
fn blocks(text: &[u8], out: &mut Vec<u8>, mut each: impl FnMut(usize, &[u16], &mut Vec<u8>) -> bool) {
    let (mut units, mut size) = ([0; BLOCK], SMALL_BLOCK);
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let ascii = runecast::ascii_prefix(rest);
        if ascii >= STRETCH || ascii == rest.len() {
            out.extend_from_slice(&rest[..ascii]);
            (at, size) = (at + ascii, SMALL_BLOCK);
            continue;
        }
        let block = &rest[..whole_characters(rest, size)];
        // (It is well-formed, and each byte is one unit at most.)
        let Ok(written) = transcode::<Utf8, Utf16>(block, &mut units) else { return };
        if !each(at, &units[..written], out) {
            return;
        }
        at += block.len();
        size = (2 * size).min(BLOCK);
    }
}

/// The first character of well-formed UTF-16, and how many units it has.
fn first(units: &[u16]) -> Option<(char, usize)> {
    let character = char::decode_utf16(units.iter().copied()).next()?.ok()?;
    Some((character, character.len_utf16()))
}

/// The length in UTF-8 of well-formed UTF-16.
fn utf8_len(units: &[u16]) -> usize {
    // (Of the four bytes of a pair, two are counted for each unit.)
    let bytes = |unit: &u16| match unit {
        ..0x80 => 1,
        0x80..0x800 | 0xD800..0xE000 => 2,
        _ => 3,
    };
    units.iter().map(bytes).sum()
}

#[cfg(test)]
mod tests {
    use runecast_corpus::Random;

    use super::*;

    const NAMES: [&str; 36] = [
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
        "windows-874",
        "iso-8859-2",
        "iso-8859-3",
        "iso-8859-4",
        "iso-8859-5",
        "iso-8859-6",
        "iso-8859-7",
        "iso-8859-8",
        "iso-8859-10",
        "iso-8859-13",
        "iso-8859-14",
        "iso-8859-15",
        "iso-8859-16",
        "koi8-r",
        "koi8-u",
        "ibm866",
        "macintosh",
        "x-mac-cyrillic",
        "x-user-defined",
        "shift_jis",
        "euc-jp",
        "gbk",
        "gb18030",
        "big5",
        "euc-kr",
        "iso-8859-8-i",
        "iso-2022-jp",
    ];

    /// What `encoding_rs` makes of a text: the bytes, and the places of what has no form.
    fn naive(encoding: &'static Encoding, text: &str) -> (Vec<u8>, Vec<usize>) {
        let (mut bytes, mut lacking) = (Vec::new(), vec![]);
        for (at, character) in text.char_indices() {
            let one = character.to_string();
            let (form, _, unmappable) = encoding.encode(&one);
            if unmappable { lacking.push(at) } else { bytes.extend_from_slice(&form) }
        }
        (bytes, lacking)
    }

    fn with_tables() -> impl Iterator<Item = (&'static Encoding, Arc<Codes>)> {
        NAMES.iter().filter_map(|name| {
            let encoding = Encoding::for_label(name.as_bytes()).expect("an encoding of the standard");
            Some((encoding, Codes::of(encoding)?))
        })
    }

    /// Asked twice: the second answer is that of the table.
    #[test]
    fn every_character_is_what_the_library_says() {
        assert_eq!(with_tables().count(), NAMES.len() - 1, "all but ISO-2022-JP");
        let all: Vec<char> = (0..=0x2_FFFF).filter_map(char::from_u32).collect();
        for name in ["windows-1252", "KOI8-R", "Shift_JIS", "EUC-JP", "GBK", "gb18030", "Big5", "EUC-KR"] {
            let (encoding, codes) =
                with_tables().find(|(encoding, _)| encoding.name() == name).expect("it is there");
            // (All would take too long: to find that there is no code, all codes have to be looked at.)
            let text: String =
                all.iter().filter(|c| **c < '\u{800}' || (**c as u32).is_multiple_of(7)).collect();
            let (bytes, lacking) = naive(encoding, &text);
            for _ in 0..2 {
                let mut out = b"before".to_vec();
                let mut places = vec![];
                let stopped = codes.encode(text.as_bytes(), &mut out, |at, _, _| {
                    places.push(at);
                    true
                });
                assert!(stopped.is_none() && out[6..] == bytes && places == lacking, "{name}");
                out.truncate(6);
                let omitted = codes.encode_omitting(text.as_bytes(), &mut out);
                assert_eq!(omitted, (lacking.len() as u64, lacking.first().copied()), "{name}");
                assert!(out[6..] == bytes, "{name}");
            }
        }
    }

    /// ASCII, letters, and what has no form, in stretches of any length.
    #[test]
    fn texts_are_what_the_library_says() {
        let mut random = Random::new(8);
        for (encoding, codes) in with_tables() {
            for round in 0..12 {
                let mut text = String::new();
                for _ in 0..random.below(20) {
                    let (low, high) =
                        [(0, 0x7F), (0xA0, 0xFF), (0x400, 0x45F), (0x4E00, 0x9FFF), (0x1_F600, 0x1_F64F)]
                            [random.below(5)];
                    let most = [3, 12, 300, 2000][random.below(4)];
                    text.extend(
                        (0..random.below(most))
                            .filter_map(|_| char::from_u32(random.between(low, high) as u32)),
                    );
                }
                let (bytes, lacking) = naive(encoding, &text);
                let mut out = Vec::new();
                let omitted = codes.encode_omitting(text.as_bytes(), &mut out);
                assert_eq!(omitted, (lacking.len() as u64, lacking.first().copied()), "{text}");
                assert!(out == bytes, "{} {round} {text}", encoding.name());
                out.clear();
                let stopped = codes.encode(text.as_bytes(), &mut out, |_, _, _| false);
                assert_eq!(stopped.map(|(at, _)| at), lacking.first().copied());
                let before = &text[..lacking.first().copied().unwrap_or(text.len())];
                assert!(out == naive(encoding, before).0, "{} {round} {text}", encoding.name());
            }
        }
    }
}
