//! Encodings that are older than Unicode, by `encoding_rs`: windows-1252, KOI8-R, Shift_JIS, GB18030 and the others that
//! the WHATWG Encoding Standard knows.
//!
//! The pipeline works on Unicode, and these are at its ends. What is read passes a [`LegacyReader`], which makes UTF-8 of
//! it, and what is written is UTF-8 first, and then [encoded](encode) chunk by chunk, and [joined](crate::pipeline::shifts) if it has
//! states. So everything that is done with UTF-8 can be done with them.
//!
//! A sequence that is no character becomes the byte FF, which is in no UTF-8 and therefore found by whoever looks for what is
//! ill-formed; what it was, and where, is noted in a [`Decoding`], where it is looked up. Such an input is a stream:
//! where a character of two bytes begins is known only to who has read all before it.
//!
//! What is decoded and encoded again need not be what it was: many characters of East Asia have two forms, and some have one that is
//! read and never written. So where nothing but malformed sequences is to change, the bytes of the input are [kept](Kept) beside
//! the UTF-8, and written.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use encoding_rs::{Decoder, DecoderResult, EncoderResult, Encoding};

use crate::io::source::read_retrying;
use crate::pipeline::codes::Codes;
use crate::pipeline::pairs::Pairs;
use crate::pipeline::retrace::Retrace;
use crate::pipeline::single_byte::SingleByte;
use crate::pipeline::sync::lock;

/// Stands in UTF-8 for a sequence that is no character.
pub(crate) const MALFORMED: u8 = 0xFF;

/// How much is read at once.
const RAW: usize = 64 * 1024;

/// Bytes that are kept of what was decoded before: a malformed sequence may have begun there.
const KEPT: usize = 8;

/// The longest character, of those encodings that have no states.
const LONGEST: u64 = 4;

/// The decoder wants to have room for a character.
const LEAST: usize = 16;

/// A sequence that is no character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// Where it is in the UTF-8.
    decoded: u64,
    /// Where it is in the input.
    pub(crate) at: u64,
    /// What it is.
    pub(crate) bytes: Vec<u8>,
}

/// What became of an input that is decoded.
pub(crate) struct Decoding {
    /// What it is decoded from.
    pub(crate) encoding: &'static Encoding,
    malformed: Mutex<VecDeque<Malformed>>,
    /// So much of the UTF-8 is the very bytes of the input.
    same: AtomicU64,
    /// Bytes of the input that were decoded.
    read: AtomicU64,
    /// Finds places in a stream, if that may be asked.
    retrace: Option<Mutex<Retrace>>,
    /// The bytes of the input, if they are to be written.
    kept: Option<Mutex<Kept>>,
}

/// Bytes of an input that were read, and have not been [taken](Decoding::take) yet.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    /// The offset of the first of them.
    at: u64,
    /// The offset up to which all that is malformed is known.
    known: u64,
}

impl Kept {
    /// Takes those up to an offset out.
    fn up_to(&mut self, end: u64) -> Vec<u8> {
        // (They are in memory.)
        let count = end.saturating_sub(self.at).min(self.bytes.len() as u64) as usize;
        let rest = self.bytes.split_off(count);
        self.at += count as u64;
        std::mem::replace(&mut self.bytes, rest)
    }
}

impl Decoding {
    /// From this encoding; and whether it may be asked for [places](Decoding::find).
    pub(crate) fn new(encoding: &'static Encoding, traced: bool) -> Decoding {
        Decoding {
            encoding,
            malformed: Mutex::default(),
            same: AtomicU64::new(u64::MAX),
            read: AtomicU64::new(0),
            retrace: traced.then(|| Mutex::new(Retrace::new(encoding))),
            kept: None,
        }
    }

    /// The same; and whether the bytes of the input are [kept](Decoding::take).
    pub(crate) fn keeping(self, kept: bool) -> Decoding {
        Decoding { kept: kept.then(Mutex::default), ..self }
    }

    /// Whether the bytes of the input are kept.
    pub(crate) fn keeps(&self) -> bool {
        self.kept.is_some()
    }

    /// Takes the bytes of the input out, up to this place in the UTF-8 and further if nothing is malformed there; and what they become with
    /// something else for each sequence that is malformed, if there is one. Places are asked for in their order.
    pub(crate) fn take(&self, end: u64, instead: &[u8]) -> (Vec<u8>, Option<Vec<u8>>) {
        let Some(kept) = &self.kept else { return (Vec::new(), None) };
        // What is malformed is noted before it is said to be known.
        let (mut begin, known) = {
            let kept = lock(kept);
            (kept.at, kept.known)
        };
        let (mut within, mut behind) = (Vec::new(), known);
        for malformed in lock(&self.malformed).iter().filter(|malformed| malformed.at >= begin) {
            if malformed.decoded >= end {
                behind = behind.min(malformed.at);
                break;
            }
            within.push(malformed.at..malformed.at + malformed.bytes.len() as u64);
        }
        let behind = within.last().map_or(behind, |last| behind.max(last.end));
        let bytes = lock(kept).up_to(behind);
        if within.is_empty() {
            return (bytes, None);
        }
        let (mut text, mut rest) = (Vec::with_capacity(bytes.len()), &bytes[..]);
        for malformed in within {
            let (good, others) = rest.split_at((malformed.start - begin) as usize);
            text.extend_from_slice(good);
            text.extend_from_slice(instead);
            rest = &others[(malformed.end - malformed.start) as usize..];
            begin = malformed.end;
        }
        text.extend_from_slice(rest);
        (bytes, Some(text))
    }

    /// The sequence for which there is an ill-formed byte in the UTF-8. Those before it are forgotten.
    pub(crate) fn malformed(&self, decoded: u64) -> Option<Malformed> {
        self.forget_before(decoded);
        lock(&self.malformed).front().filter(|malformed| malformed.decoded == decoded).cloned()
    }

    /// Nobody will ask for what is before this place in the UTF-8.
    pub(crate) fn forget_before(&self, decoded: u64) {
        let mut malformed = lock(&self.malformed);
        while malformed.front().is_some_and(|first| first.decoded < decoded) {
            malformed.pop_front();
        }
        if let Some(retrace) = &self.retrace {
            lock(retrace).advance(decoded);
        }
    }

    /// The place in the input, and the bytes, of the character at this place in the UTF-8, in a stream. Places are asked for
    /// in their order.
    pub(crate) fn find(&self, decoded: u64) -> Option<(u64, Vec<u8>)> {
        lock(self.retrace.as_ref()?).find(decoded)
    }

    /// Whether the UTF-8 before this place is, byte for byte, what was read.
    pub(crate) fn is_same_before(&self, decoded: u64) -> bool {
        decoded <= self.same.load(Ordering::Acquire)
    }

    /// Bytes of the input that were decoded.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Acquire)
    }
}

/// Reads UTF-8 where there is something else.
pub(crate) struct LegacyReader {
    reader: Box<dyn Read + Send>,
    decoder: Decoder,
    /// Instead of the decoder, if there can be one.
    table: Option<Arc<SingleByte>>,
    /// Before the decoder, if there can be some; and whether that is at the beginning of a character.
    pairs: Option<Arc<Pairs>>,
    between: bool,
    decoding: Arc<Decoding>,
    /// What was read, from [`KEPT`] on, and what is left of it to decode.
    raw: Vec<u8>,
    begin: usize,
    end: usize,
    /// The offsets of what comes next, in the input and in the UTF-8.
    at: u64,
    decoded: u64,
    /// UTF-8 for which there was no room.
    waiting: VecDeque<u8>,
    ended: bool,
    finished: bool,
}

impl LegacyReader {
    /// From the beginning of an input.
    pub(crate) fn new(reader: Box<dyn Read + Send>, decoding: Arc<Decoding>) -> Self {
        LegacyReader {
            reader,
            decoder: decoding.encoding.new_decoder_without_bom_handling(),
            table: SingleByte::of(decoding.encoding),
            pairs: Pairs::of(decoding.encoding),
            between: true,
            decoding,
            raw: vec![0; KEPT + RAW],
            begin: KEPT,
            end: KEPT,
            at: 0,
            decoded: 0,
            waiting: VecDeque::new(),
            ended: false,
            finished: false,
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        let kept = self.begin - KEPT..self.begin;
        self.raw.copy_within(kept, 0);
        let read = read_retrying(&mut self.reader, &mut self.raw[KEPT..])?;
        (self.begin, self.end) = (KEPT, KEPT + read);
        self.ended = read == 0;
        if let Some(retrace) = &self.decoding.retrace {
            lock(retrace).feed(&self.raw[self.begin..self.end]);
        }
        if let Some(kept) = &self.decoding.kept {
            lock(kept).bytes.extend_from_slice(&self.raw[self.begin..self.end]);
        }
        Ok(())
    }

    /// Decodes into a buffer of some size, until it is full, or something has come of all that was read.
    fn decode(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while !self.finished && buffer.len() - filled > LEAST {
            if self.begin == self.end && !self.ended {
                if filled > 0 {
                    break;
                }
                self.refill()?;
            }
            // Behind what is decoded there is always room for a byte that says that something was malformed.
            let last = buffer.len() - 1;
            let (raw, room) = (&self.raw[self.begin..self.end], &mut buffer[filled..last]);
            let by_pairs = match &self.pairs {
                Some(pairs) if self.between => pairs.decode(raw, room),
                _ => (0, 0),
            };
            let (result, read, written) = match &self.table {
                _ if by_pairs.0 > 0 => (DecoderResult::InputEmpty, by_pairs.0, by_pairs.1),
                Some(table) => match table.decode(raw, room) {
                    (read, written, true) => (DecoderResult::Malformed(1, 0), read + 1, written),
                    (read, written, _) if read < raw.len() => (DecoderResult::OutputFull, read, written),
                    (read, written, _) => (DecoderResult::InputEmpty, read, written),
                },
                None => {
                    // What is no pair is decoded byte by byte: then it is behind a character when something comes out.
                    let most = if self.pairs.is_some() { raw.len().min(1) } else { raw.len() };
                    let step =
                        self.decoder.decode_to_utf8_without_replacement(&raw[..most], room, self.ended);
                    self.between = match step {
                        (DecoderResult::Malformed(_, behind), ..) => behind == 0,
                        (_, 0, 0) => self.between,
                        (_, _, written) => written > 0,
                    };
                    step
                }
            };
            if raw[..read] != room[..written] {
                self.decoding.same.fetch_min(self.decoded, Ordering::AcqRel);
            }
            self.begin += read;
            self.at += read as u64;
            self.decoded += written as u64;
            filled += written;
            match result {
                DecoderResult::InputEmpty => self.finished = self.ended,
                DecoderResult::OutputFull => break,
                DecoderResult::Malformed(length, behind) => {
                    let (length, behind) = (usize::from(length), usize::from(behind));
                    // (Both are a few bytes, of which the first may be in what was read before.)
                    let end = self.begin.saturating_sub(behind);
                    let bytes = self.raw[end.saturating_sub(length)..end].to_vec();
                    let at = self.at.saturating_sub((length + behind) as u64);
                    let malformed = Malformed { decoded: self.decoded, at, bytes };
                    lock(&self.decoding.malformed).push_back(malformed);
                    self.decoding.same.fetch_min(self.decoded, Ordering::AcqRel);
                    buffer[filled] = MALFORMED;
                    filled += 1;
                    self.decoded += 1;
                }
            }
        }
        self.decoding.read.store(self.at, Ordering::Release);
        if let Some(kept) = &self.decoding.kept {
            // Unless it is between two characters, it has read so much of the next one at most.
            let between = self.finished || self.decoder.latin1_byte_compatible_up_to(b"").is_some();
            let known = if between { self.at } else { self.at.saturating_sub(LONGEST - 1) };
            let mut kept = lock(kept);
            kept.known = kept.known.max(known);
        }
        Ok(filled)
    }
}

impl Read for LegacyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.waiting.is_empty() && buffer.len() >= 2 * LEAST {
            return self.decode(buffer);
        }
        if self.waiting.is_empty() {
            let mut some = [0; 4 * LEAST];
            let filled = self.decode(&mut some)?;
            self.waiting.extend(&some[..filled]);
        }
        self.waiting.read(buffer)
    }
}

/// Encodes a text, which is well-formed UTF-8, and appends it to `out`. What becomes of a character that has no form is up to
/// `unmappable`, which gets its place and appends what is to be there instead; if it returns false, that is the end: it is returned.
///
/// In an encoding with states all of it, and what is appended, begins and ends in ASCII: [`Shifts`](crate::pipeline::shifts::Shifts)
/// joins it.
pub(crate) fn encode(
    encoding: &'static Encoding,
    text: &[u8],
    out: &mut Vec<u8>,
    mut unmappable: impl FnMut(usize, char, &mut Vec<u8>) -> bool,
) -> Option<(usize, char)> {
    if let Some(codes) = Codes::of(encoding) {
        return codes.encode(text, out, unmappable);
    }
    // (It is well-formed.)
    let text = runecast::from_utf8(text).unwrap_or_default();
    let mut at = 0;
    let mut encoder = encoding.new_encoder();
    loop {
        let rest = &text[at..];
        out.reserve(
            encoder.max_buffer_length_from_utf8_without_replacement(rest.len()).unwrap_or(rest.len()),
        );
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, out, true);
        at += read;
        match result {
            EncoderResult::InputEmpty => return None,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(character) => {
                let place = at - character.len_utf8();
                let _ = encoder.encode_from_utf8_to_vec_without_replacement("", out, true);
                encoder = encoding.new_encoder();
                if !unmappable(place, character, out) {
                    return Some((place, character));
                }
            }
        }
    }
}

/// The same without the characters that have no form: how many those are, and where the first is.
pub(crate) fn encode_omitting(
    encoding: &'static Encoding,
    text: &[u8],
    out: &mut Vec<u8>,
) -> (u64, Option<usize>) {
    if let Some(codes) = Codes::of(encoding) {
        return codes.encode_omitting(text, out);
    }
    let (mut omitted, mut first) = (0, None);
    encode(encoding, text, out, |at, _, _| {
        omitted += 1;
        first = first.or(Some(at));
        true
    });
    (omitted, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads one byte at a time.
    struct Slowly(io::Cursor<Vec<u8>>);

    impl Read for Slowly {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(1);
            self.0.read(&mut buffer[..most])
        }
    }

    fn read(encoding: &'static Encoding, bytes: &[u8], slowly: bool) -> (Vec<u8>, Arc<Decoding>) {
        let decoding = Arc::new(Decoding::new(encoding, false));
        let cursor = io::Cursor::new(bytes.to_vec());
        let reader: Box<dyn Read + Send> = if slowly { Box::new(Slowly(cursor)) } else { Box::new(cursor) };
        let mut reader = LegacyReader::new(reader, Arc::clone(&decoding));
        let mut out = Vec::new();
        if slowly {
            let mut piece = [0; 3];
            while let count @ 1.. = reader.read(&mut piece).expect("memory") {
                out.extend_from_slice(&piece[..count]);
            }
        } else {
            reader.read_to_end(&mut out).expect("memory");
        }
        (out, decoding)
    }

    /// However an input is read, and wherever it is asked for: its bytes are all there, and what is malformed is known.
    #[test]
    fn bytes_that_are_kept_are_those_of_the_input() {
        let mut random = runecast_corpus::Random::new(7);
        let parts: [&[u8]; 9] =
            [b"a", b"\x81", b"\xFF", b"\xA4\xA2", b"\x81\x30\x81", b"\x8F\xB0\xA1", b"\xFA\x40", b"0", b"\n"];
        for round in 0..4000 {
            let encoding = [
                encoding_rs::SHIFT_JIS,
                encoding_rs::EUC_JP,
                encoding_rs::GB18030,
                encoding_rs::BIG5,
                encoding_rs::EUC_KR,
                encoding_rs::WINDOWS_1253,
            ][round % 6];
            let bytes: Vec<_> = (0..random.below(12)).flat_map(|_| parts[random.below(9)].to_vec()).collect();
            let decoding = Arc::new(Decoding::new(encoding, false).keeping(true));
            let cursor = io::Cursor::new(bytes.clone());
            let reader: Box<dyn Read + Send> =
                if random.below(2) == 0 { Box::new(Slowly(cursor)) } else { Box::new(cursor) };
            let mut reader = LegacyReader::new(reader, Arc::clone(&decoding));
            let (mut text, mut written, mut marked) = (Vec::new(), Vec::new(), Vec::new());
            let mut take = |end: usize| {
                let (bytes, text) = decoding.take(end as u64, &[MALFORMED]);
                marked.extend(text.as_ref().unwrap_or(&bytes));
                written.extend(bytes);
            };
            let mut room = vec![0; 1 + random.below(40)];
            let mut asked = 0;
            while let count @ 1.. = reader.read(&mut room).expect("memory") {
                text.extend_from_slice(&room[..count]);
                if random.below(2) == 0 {
                    // (What is cut is at most a character.)
                    asked = asked.max(text.len().saturating_sub(random.below(4)));
                    take(asked);
                }
            }
            take(text.len());
            assert_eq!(written, bytes, "{}", encoding.name());
            let mut expected = Vec::new();
            let mut good = String::new();
            let mut rest = &text[..];
            while let Some(at) = memchr::memchr(MALFORMED, rest) {
                good.push_str(std::str::from_utf8(&rest[..at]).expect("characters"));
                good.push('\u{F8FE}');
                rest = &rest[at + 1..];
            }
            good.push_str(std::str::from_utf8(rest).expect("characters"));
            let (again, _) = read(encoding, &marked, false);
            for piece in again.split(|byte| *byte == MALFORMED) {
                expected.extend_from_slice(piece);
                expected.extend_from_slice("\u{F8FE}".as_bytes());
            }
            expected.truncate(expected.len() - 3);
            assert_eq!(String::from_utf8_lossy(&expected), good, "{} {bytes:02X?}", encoding.name());
        }
    }

    /// However much room there is: for what is malformed there is some.
    #[test]
    fn no_buffer_is_too_small() {
        for room in (1..80).chain([120, 1024]) {
            for before in 0..400 {
                let bytes = [&b"a".repeat(before)[..], b"\xFFb\xFF"].concat();
                let decoding = Arc::new(Decoding::new(encoding_rs::WINDOWS_1253, false));
                let mut reader = LegacyReader::new(Box::new(io::Cursor::new(bytes.clone())), decoding);
                let (mut out, mut buffer) = (Vec::new(), vec![0; room]);
                while let count @ 1.. = reader.read(&mut buffer).expect("memory") {
                    out.extend_from_slice(&buffer[..count]);
                }
                assert!(out == bytes, "{room} {before}");
            }
        }
    }

    #[test]
    fn what_is_malformed_is_known_by_its_place() {
        // é, a lead byte before a letter, あ, a byte that is nothing, and a lead byte at the end.
        let bytes = b"a\x81 \x82\xA0\xFDz\x82";
        for slowly in [false, true] {
            let (text, decoding) = read(encoding_rs::SHIFT_JIS, bytes, slowly);
            assert_eq!(text, b"a\xFF \xE3\x81\x82\xFFz\xFF");
            let found = [1, 6, 8].map(|decoded| {
                let malformed = decoding.malformed(decoded).expect("it is noted");
                (malformed.at, malformed.bytes)
            });
            assert_eq!(found, [(1, vec![0x81]), (5, vec![0xFD]), (7, vec![0x82])]);
            assert_eq!((decoding.malformed(1), decoding.bytes_read()), (None, 8));
        }
    }

    /// Any bytes, read at once and one by one, as the decoder alone has them.
    #[test]
    fn pairs_are_what_the_library_says() {
        let mut random = runecast_corpus::Random::new(6);
        for round in 0..120 {
            let mut bytes = Vec::new();
            for _ in 0..random.below(40) {
                let (low, high) = [(0, 0x7F), (0xA1, 0xFE), (0xA4, 0xA5), (0x80, 0xFF)][random.below(4)];
                let most = [4, 20, 3000][random.below(3)];
                bytes.extend((0..random.below(most)).map(|_| random.between(low, high) as u8));
                if random.per_mille(200) {
                    bytes.extend_from_slice(b"\x8F\xB0\xA1\x8E\xB1");
                }
            }
            let mut decoder = encoding_rs::EUC_JP.new_decoder_without_bom_handling();
            let (mut expected, mut rest, mut malformed) = (Vec::new(), &bytes[..], vec![]);
            let mut room = vec![0; 3 * bytes.len() + 16];
            loop {
                let (result, read, written) =
                    decoder.decode_to_utf8_without_replacement(rest, &mut room, true);
                expected.extend_from_slice(&room[..written]);
                rest = &rest[read..];
                let DecoderResult::Malformed(length, behind) = result else { break };
                let end = bytes.len() - rest.len() - usize::from(behind);
                malformed.push((expected.len() as u64, end as u64 - u64::from(length), length));
                expected.push(MALFORMED);
            }
            for slowly in [false, true] {
                let (text, decoding) = read(encoding_rs::EUC_JP, &bytes, slowly);
                assert!(text == expected, "{round}");
                for (decoded, at, length) in &malformed {
                    let found = decoding.malformed(*decoded).expect("it is noted");
                    assert_eq!((found.at, found.bytes.len()), (*at, usize::from(*length)));
                }
            }
        }
    }

    #[test]
    fn what_is_the_same_is_known() {
        let long = b"plain ".repeat(50_000);
        let (text, decoding) = read(encoding_rs::WINDOWS_1251, &long, false);
        assert!(text == long && decoding.is_same_before(text.len() as u64));
        let (text, decoding) = read(encoding_rs::WINDOWS_1251, &[&long[..], b"\xE0"].concat(), false);
        assert!(text.ends_with("а".as_bytes()) && !decoding.is_same_before(text.len() as u64));
    }

    #[test]
    fn texts_come_back() {
        for (encoding, text) in [
            (encoding_rs::WINDOWS_1252, "“naïve” €5 – ÿ"),
            (encoding_rs::KOI8_R, "Съешь ещё этих мягких булок"),
            (encoding_rs::SHIFT_JIS, "日本語のテキスト、半角ｶﾅ"),
            (encoding_rs::GB18030, "汉字 🦀 ü"),
            (encoding_rs::BIG5, "漢字"),
            (encoding_rs::EUC_KR, "한글 텍스트"),
            (encoding_rs::ISO_2022_JP, "a日本b語"),
        ] {
            let text = text.repeat(10_000);
            let mut bytes = Vec::new();
            assert_eq!(encode(encoding, text.as_bytes(), &mut bytes, |_, _, _| false), None);
            let (expected, _, unmappable) = encoding.encode(&text);
            assert!(!unmappable && bytes == *expected, "{}", encoding.name());
            let (back, decoding) = read(encoding, &bytes, false);
            assert!(
                back == text.as_bytes() && decoding.bytes_read() == bytes.len() as u64,
                "{}",
                encoding.name()
            );
        }
        let mut bytes = Vec::new();
        assert_eq!(
            encode(encoding_rs::KOI8_R, "a漢b".as_bytes(), &mut bytes, |_, _, _| false),
            Some((1, '漢'))
        );
        assert_eq!(bytes, b"a");
        let mut places = vec![];
        bytes.clear();
        encode(encoding_rs::KOI8_R, "a漢b漢".as_bytes(), &mut bytes, |at, _, out| {
            places.push(at);
            out.push(b'?');
            true
        });
        assert_eq!((bytes.as_slice(), places), (&b"a?b?"[..], vec![1, 5]));
    }
}
