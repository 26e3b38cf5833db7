//! Where in a legacy input is the character that stands at this place in the UTF-8 that was made of it?
//!
//! Nobody asks but for the first character that the target has no form for. So nothing is noted while a text is decoded: a
//! [`Retrace`] decodes it once more, from the beginning, up to a few characters before that place in large pieces, and then byte by
//! byte. A file is read again for that. What comes from a stream is kept until it is known to have no such character
//! ([`Retrace::advance`]).

use std::fs::File;
use std::io;
use std::sync::Arc;

use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP};

use crate::io::source::{Reread, read_retrying};

/// How much is decoded, or read, at once.
const PIECE: usize = 16 * 1024;

/// So many bytes of UTF-8 before a place it goes on byte by byte. The decoder wants to have room for a character, and what it has
/// read of the next one must be behind it when the place comes.
const NEAR: usize = 32;

/// A way through an input and through what is made of it.
pub(super) struct Retrace {
    encoding: &'static Encoding,
    decoder: Decoder,
    /// What is there of the input, and how much of that was decoded.
    raw: Vec<u8>,
    begin: usize,
    /// How much of the input was decoded before the character that is being read.
    at: u64,
    /// How much UTF-8 has come of it.
    decoded: u64,
    /// What was read of that character.
    character: Vec<u8>,
}

impl Retrace {
    /// At the beginning of an input.
    pub(super) fn new(encoding: &'static Encoding) -> Retrace {
        let decoder = encoding.new_decoder_without_bom_handling();
        Retrace { encoding, decoder, raw: Vec::new(), begin: 0, at: 0, decoded: 0, character: Vec::new() }
    }

    /// The input goes on with these bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
    }

    /// Nobody will ask for what is before this place in the UTF-8.
    pub(super) fn advance(&mut self, decoded: u64) {
        let mut room = [0; PIECE];
        while let left = decoded.saturating_sub(self.decoded)
            && left > 2 * NEAR as u64
        {
            let most = usize::try_from(left).unwrap_or(PIECE).saturating_sub(NEAR).min(PIECE);
            let rest = &self.raw[self.begin..];
            let (result, read, written) =
                self.decoder.decode_to_utf8_without_replacement(rest, &mut room[..most], false);
            self.begin += read;
            // (If it has begun to read a character, there are others before the place.)
            self.at += (self.character.len() + read) as u64;
            self.character.clear();
            self.decoded += written as u64 + u64::from(matches!(result, DecoderResult::Malformed(..)));
            if matches!(result, DecoderResult::InputEmpty) || read + written == 0 {
                break;
            }
        }
        self.raw.drain(..self.begin);
        self.begin = 0;
    }

    /// The place in the input, and the bytes, of the character at this place in the UTF-8; nothing if what is there of the input
    /// ends before. Places are asked for in their order.
    pub(super) fn find(&mut self, decoded: u64) -> Option<(u64, Vec<u8>)> {
        self.advance(decoded);
        let mut room = [0; NEAR];
        while self.begin < self.raw.len() {
            let byte = &self.raw[self.begin..=self.begin];
            let (result, read, written) =
                self.decoder.decode_to_utf8_without_replacement(byte, &mut room, false);
            self.character.extend_from_slice(&byte[..read]);
            self.begin += read;
            let malformed = matches!(result, DecoderResult::Malformed(..));
            if written == 0 && !malformed {
                continue;
            }
            self.decoded += written as u64 + u64::from(malformed);
            let mut character = std::mem::take(&mut self.character);
            // A change of state is no part of the character behind it.
            while self.encoding == ISO_2022_JP && character.len() > 3 && character[0] == 0x1B {
                character.drain(..3);
                self.at += 3;
            }
            let at = self.at;
            self.at += character.len() as u64;
            if self.decoded > decoded {
                return Some((at, character));
            }
        }
        None
    }
}

/// The same in the first `length` bytes of a file.
pub(super) fn find_in_file(
    file: &Arc<File>,
    length: u64,
    encoding: &'static Encoding,
    decoded: u64,
) -> io::Result<Option<(u64, Vec<u8>)>> {
    let (mut retrace, mut reader) = (Retrace::new(encoding), Reread::new(file, length));
    let mut buffer = vec![0; PIECE];
    loop {
        let read = read_retrying(&mut reader, &mut buffer)?;
        if read == 0 {
            return Ok(None);
        }
        retrace.feed(&buffer[..read]);
        if let Some(found) = retrace.find(decoded) {
            return Ok(Some(found));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each character of a text is found where it was written.
    #[test]
    fn every_character_is_found() {
        for (encoding, text) in [
            (encoding_rs::WINDOWS_1252, "“naïve” €5 – ÿ"),
            (encoding_rs::SHIFT_JIS, "日本語のテキスト、半角ｶﾅ a"),
            (encoding_rs::GB18030, "汉字 🦀 ü ß"),
            (encoding_rs::BIG5, "漢字 a"),
            (encoding_rs::EUC_KR, "한글 텍스트"),
        ] {
            let text = text.repeat(300);
            let (bytes, _, _) = encoding.encode(&text);
            let mut expected = 0;
            let mut along = Retrace::new(encoding);
            along.feed(&bytes);
            for (place, character) in text.char_indices() {
                let one = character.to_string();
                let (form, _, _) = encoding.encode(&one);
                let found = Some((expected, form.to_vec()));
                // From the beginning, and along the way.
                if place % 37 == 0 {
                    let mut retrace = Retrace::new(encoding);
                    retrace.feed(&bytes);
                    assert_eq!(retrace.find(place as u64), found, "{} {place}", encoding.name());
                }
                assert_eq!(along.find(place as u64), found, "{} {place}", encoding.name());
                expected += form.len() as u64;
            }
            assert_eq!(along.find(text.len() as u64), None);
        }
    }

    #[test]
    fn changes_of_state_and_malformed_bytes_count_in_the_input_only() {
        let mut retrace = Retrace::new(ISO_2022_JP);
        retrace.feed(b"a\x1B$B$\"");
        assert_eq!(retrace.find(4), None);
        retrace.feed(b"$$\x1B(Bz");
        assert_eq!(retrace.find(4), Some((6, b"$$".to_vec())));
        assert_eq!(retrace.find(7), Some((11, b"z".to_vec())));
        // A byte that is no character is one byte of the UTF-8.
        let text = [&b"x".repeat(100)[..], b"\xFD", b"\x82\xA0z"].concat();
        let mut retrace = Retrace::new(encoding_rs::SHIFT_JIS);
        retrace.feed(&text);
        assert_eq!(retrace.find(101), Some((101, b"\x82\xA0".to_vec())));
        assert_eq!(retrace.find(104), Some((103, b"z".to_vec())));
    }
}
