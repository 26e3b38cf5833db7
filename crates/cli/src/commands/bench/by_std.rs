//! The operations as the standard library does them.
//!
//! Each is what a program in plain Rust would have: the iterators of std, and a check wherever runecast makes one.
//! Where std has a whole function, `String::from_utf8_lossy` for one, this is its loop, but writing to memory
//! that is allocated before: no rival is charged for the allocation.

use super::rival::FAILED;

/// Writes to the room that is left, or counts what does not fit as a failure.
struct Writer<'a> {
    room: &'a mut [u8],
    written: usize,
}

impl<'a> Writer<'a> {
    fn new(room: &'a mut [u8]) -> Writer<'a> {
        Writer { room, written: 0 }
    }

    /// Writes these bytes; false if they do not fit.
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) -> bool {
        match self.room.get_mut(self.written..self.written + bytes.len()) {
            Some(to) => to.copy_from_slice(bytes),
            None => return false,
        }
        self.written += bytes.len();
        true
    }

    /// Writes a character in UTF-8 in place: a copy of one to four bytes would be a call. False if there
    /// is not room for the longest.
    #[inline(always)]
    fn character(&mut self, character: char) -> bool {
        match self.room.get_mut(self.written..) {
            Some(rest) if rest.len() >= 4 => self.written += character.encode_utf8(rest).len(),
            _ => return false,
        }
        true
    }

    /// The bytes written, if all is well.
    fn done(self, well: bool) -> usize {
        if well { self.written } else { FAILED }
    }
}

/// The text, if it is one.
fn text(src: &[u8]) -> &str {
    std::str::from_utf8(src).unwrap_or_default()
}

pub(super) fn validate(src: &[u8], _: &mut [u8]) -> usize {
    std::str::from_utf8(src).is_ok().into()
}

pub(super) fn is_ascii(src: &[u8], _: &mut [u8]) -> usize {
    src.is_ascii().into()
}

pub(super) fn utf8_to_utf16(src: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for (to, unit) in dst.chunks_exact_mut(2).zip(text(src).encode_utf16()) {
        to.copy_from_slice(&unit.to_le_bytes());
        written += 2;
    }
    written
}

pub(super) fn utf16_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    let units = src.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    let mut writer = Writer::new(dst);
    let well = char::decode_utf16(units).all(|unit| unit.is_ok_and(|character| writer.character(character)));
    writer.done(well)
}

pub(super) fn utf8_to_utf32(src: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for (to, character) in dst.chunks_exact_mut(4).zip(text(src).chars()) {
        to.copy_from_slice(&u32::from(character).to_le_bytes());
        written += 4;
    }
    written
}

pub(super) fn utf32_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    let mut units = src.chunks_exact(4).map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]));
    let mut writer = Writer::new(dst);
    let well = units.all(|unit| char::from_u32(unit).is_some_and(|character| writer.character(character)));
    writer.done(well)
}

pub(super) fn utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for (to, character) in dst.iter_mut().zip(text(src).chars()) {
        let Ok(byte) = u8::try_from(character) else { return FAILED };
        *to = byte;
        written += 1;
    }
    written
}

pub(super) fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    let mut writer = Writer::new(dst);
    let well = src.iter().all(|&byte| writer.character(char::from(byte)));
    writer.done(well)
}

pub(super) fn repair(src: &[u8], dst: &mut [u8]) -> usize {
    let mut writer = Writer::new(dst);
    let well = src.utf8_chunks().all(|chunk| {
        writer.write(chunk.valid().as_bytes())
            && (chunk.invalid().is_empty() || writer.write("\u{FFFD}".as_bytes()))
    });
    writer.done(well)
}
