//! Frames, lines and asynchronous readers: whatever the chunks, the text and the errors of the whole.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read as _};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use bytes::BytesMut;
use futures_core::Stream;
use runecast::codec::{LineTooLong, Utf8Frames, Utf8Lines};
use runecast::{IllFormed, Utf8, Utf8Bytes, Utf8Reader, validate};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::codec::{Decoder, Encoder as _, FramedRead};

pub const TEXTS: [&[u8]; 12] = [
    b"",
    b"a",
    b"one\ntwo\r\n\nthree",
    b"\r\n\r",
    "rūna\nᚱ🪨!\n".as_bytes(),
    b"\n",
    b"good\nbad\xFFrest\nmore",
    b"good\ncut short \xE1\x9A",
    b"\xED\xA0\x80\n",
    b"a\xC3\n\xA9",
    b"x\n\xF0\x9F\xAA\xA8\xF0\x9F\xAA",
    "\u{FEFF}mark".as_bytes(),
];

/// Both cuts of `text`, everywhere, with nothing between them too.
pub fn chunkings(text: &[u8]) -> impl Iterator<Item = [&[u8]; 3]> {
    (0..=text.len()).flat_map(move |first| {
        (first..=text.len()).map(move |second| [&text[..first], &text[first..second], &text[second..]])
    })
}

/// All that a decoder makes of chunks, and the error at the end.
pub fn decode<D: Decoder<Item = Utf8Bytes, Error = io::Error>>(
    mut decoder: D,
    chunks: &[&[u8]],
) -> (Vec<String>, Option<io::Error>) {
    let mut buffer = BytesMut::new();
    let mut texts = Vec::new();
    let mut step = |decoded: Result<Option<Utf8Bytes>, io::Error>| match decoded {
        Ok(Some(text)) => {
            texts.push(text.to_string());
            Ok(true)
        }
        Ok(None) => Ok(false),
        Err(error) => Err(error),
    };
    let mut run = || {
        for chunk in chunks {
            buffer.extend_from_slice(chunk);
            while step(decoder.decode(&mut buffer))? {}
        }
        while step(decoder.decode_eof(&mut buffer))? {}
        Ok(())
    };
    let error = run().err();
    if let Some(error) = &error {
        let again = decoder.decode_eof(&mut buffer).unwrap_err();
        assert_eq!(reason(&again), reason(error), "the same error again");
    }
    (texts, error)
}

pub fn reason(error: &io::Error) -> IllFormed {
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    *error.get_ref().and_then(|error| error.downcast_ref::<IllFormed>()).expect("an IllFormed")
}

#[test]
fn frames_are_the_text_before_the_error() {
    for text in TEXTS {
        let expected = validate::<Utf8>(text).err();
        let valid = &text[..expected.map_or(text.len(), |error| error.at)];
        for chunks in chunkings(text) {
            let (frames, error) = decode(Utf8Frames::new(), &chunks);
            assert_eq!(frames.concat().as_bytes(), valid, "{chunks:x?}");
            assert!(frames.iter().all(|frame| !frame.is_empty()));
            assert_eq!(error.as_ref().map(reason), expected, "{chunks:x?}");
        }
    }
}

#[test]
fn lines_are_those_of_std() {
    for text in TEXTS {
        let expected = validate::<Utf8>(text).err();
        // Only lines that are complete come before an error.
        let valid = match expected {
            None => text,
            Some(error) => {
                &text[..text[..error.at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)]
            }
        };
        let valid = std::str::from_utf8(valid).unwrap();
        // std keeps a carriage return at the end of the text, as here.
        let lines: Vec<&str> = valid.lines().collect();
        for chunks in chunkings(text) {
            let (found, error) = decode(Utf8Lines::new(), &chunks);
            assert_eq!(found, lines, "{chunks:x?}");
            assert_eq!(error.as_ref().map(reason), expected, "{chunks:x?}");
        }
    }
}

#[test]
fn a_bad_line_is_an_error_before_it_ends() {
    let mut lines = Utf8Lines::new();
    let mut buffer = BytesMut::from(&b"good\nbad \xED"[..]);
    assert_eq!(lines.decode(&mut buffer).unwrap().unwrap(), "good");
    assert_eq!(lines.decode(&mut buffer).unwrap(), None);
    buffer.extend_from_slice(b"\xA0");
    let error = lines.decode(&mut buffer).unwrap_err();
    assert_eq!(reason(&error).at, 9);
    assert_eq!(buffer, &b"bad \xED\xA0"[..], "nothing is lost");
}

/// Other code may take from the buffer what was searched already: what is there then is another line.
#[test]
fn lines_begin_anew_in_a_shorter_buffer() {
    let mut lines = Utf8Lines::new();
    let mut buffer = BytesMut::new();
    for chunks in [&[&b"c\n"[..]][..], &[b"c", b"\n"]] {
        buffer.extend_from_slice(b"ab\xC3");
        assert_eq!(lines.decode(&mut buffer).unwrap(), None);
        buffer.clear();
        let mut line = None;
        for chunk in chunks {
            assert_eq!(line, None);
            buffer.extend_from_slice(chunk);
            line = lines.decode(&mut buffer).unwrap();
        }
        assert_eq!(line.as_deref(), Some("c"));
    }
}

#[test]
fn lines_have_a_limit() {
    for (text, longest) in
        [(&b"12345\n123456\n"[..], 6), (b"123456\r", 7), (b"123456\r\n", 6), (b"1234567", 7)]
    {
        for chunks in chunkings(text) {
            for limit in 0..9 {
                let mut buffer = BytesMut::new();
                let mut lines = Utf8Lines::with_limit(limit);
                let mut failure = None;
                for chunk in chunks {
                    buffer.extend_from_slice(chunk);
                    while failure.is_none() {
                        match lines.decode(&mut buffer) {
                            Ok(Some(_)) => {}
                            Ok(None) => break,
                            Err(error) => failure = Some(error),
                        }
                    }
                }
                while failure.is_none() {
                    match lines.decode_eof(&mut buffer) {
                        Ok(Some(_)) => {}
                        Ok(None) => break,
                        Err(error) => failure = Some(error),
                    }
                }
                let too_long =
                    failure.map(|error| *error.get_ref().unwrap().downcast_ref::<LineTooLong>().unwrap());
                let at = if limit >= 5 && text.starts_with(b"12345\n") { 6 } else { 0 };
                let expected = (limit < longest).then_some(LineTooLong { at, limit });
                assert_eq!(too_long, expected, "{chunks:?} {limit}");
            }
        }
    }
}

/// What comes first in a text, byte by byte: a line that is too long, or an ill-formed sequence.
fn first_error(text: &[u8], limit: usize) -> Option<Result<IllFormed, LineTooLong>> {
    let mut begin = 0;
    for end in 1..=text.len() {
        let line = &text[begin..end];
        if let Err(error) = std::str::from_utf8(line)
            && error.error_len().is_some()
        {
            let all = validate::<Utf8>(text).expect_err("ill-formed as a whole, too");
            assert_eq!(all.at, begin + error.valid_up_to());
            return Some(Ok(all));
        }
        let is_whole = line.ends_with(b"\n");
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        // At the end of a text a carriage return is none of a line ending.
        let line = if is_whole || end < text.len() { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        if line.len() > limit {
            return Some(Err(LineTooLong { at: begin as u64, limit }));
        }
        if is_whole {
            begin = end;
        }
    }
    None
}

/// The error in a line that is too long and ill-formed does not depend on chunks, nor on what comes after it.
#[test]
fn of_two_errors_in_a_line_the_first_is_returned() {
    let both = |error: &io::Error| {
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        let why = error.get_ref().expect("a reason");
        why.downcast_ref().copied().ok_or_else(|| *why.downcast_ref::<LineTooLong>().expect("too long"))
    };
    for text in [&b"abcdef\n"[..], b"abcd\r\n", b"ab\r\r\r\n", b"abcdef\r", b"x\nabcd\r\ne"] {
        for bad in [&b"\xFF"[..], b"\xC3", b"\xF0\x9F", b""] {
            for at in 0..=text.len() {
                let text = [&text[..at], bad, &text[at..]].concat();
                // A character that is cut short only by the end is another matter.
                if text.ends_with(bad) && !bad.is_empty() {
                    continue;
                }
                for limit in 0..8 {
                    let expected = first_error(&text, limit);
                    for chunks in chunkings(&text).chain([[&text[..], b"", b""]]) {
                        one_error(&chunks, limit, expected, &both);
                    }
                    for bytes in [1, 2] {
                        let chunks: Vec<&[u8]> = text.chunks(bytes).collect();
                        one_error(&chunks, limit, expected, &both);
                    }
                }
            }
        }
    }

    fn one_error<E: PartialEq + std::fmt::Debug + Copy>(
        chunks: &[&[u8]],
        limit: usize,
        expected: Option<E>,
        reason: &impl Fn(&io::Error) -> E,
    ) {
        let (mut buffer, mut lines, mut first) = (BytesMut::new(), Utf8Lines::with_limit(limit), None);
        for chunk in chunks.iter().map(|chunk| Some(*chunk)).chain([None]) {
            buffer.extend_from_slice(chunk.unwrap_or_default());
            loop {
                let decoded = match chunk {
                    Some(_) => lines.decode(&mut buffer),
                    None => lines.decode_eof(&mut buffer),
                };
                match decoded {
                    Ok(Some(_)) => assert_eq!(first, None, "{chunks:x?} {limit}: a line after the error"),
                    Ok(None) => {
                        assert_eq!(first, None, "{chunks:x?} {limit}: no error any more");
                        break;
                    }
                    Err(error) => {
                        let error = reason(&error);
                        assert_eq!(*first.get_or_insert(error), error, "{chunks:x?} {limit}: another error");
                        break;
                    }
                }
            }
        }
        assert_eq!(first, expected, "{chunks:x?} {limit}");
    }
}

/// What was searched and found is about a buffer that grows, not about another text in its place.
#[test]
fn decoders_begin_anew() {
    let mut lines = Utf8Lines::with_limit(8);
    let mut buffer = BytesMut::from(&b"one\nno \xE1\x9A"[..]);
    assert_eq!(lines.decode(&mut buffer).unwrap().as_deref(), Some("one"));
    assert_eq!(lines.decode(&mut buffer).unwrap(), None);
    buffer.clear();
    buffer.extend_from_slice(b"two\nth\xFFree\n");
    lines.restart();
    assert_eq!(lines.offset(), 0);
    assert_eq!(lines.decode(&mut buffer).unwrap().as_deref(), Some("two"));
    assert_eq!(reason(&lines.decode(&mut buffer).unwrap_err()).at, 6);
    // The limit is a setting.
    lines.restart();
    buffer = BytesMut::from("123456789");
    assert!(lines.decode(&mut buffer).unwrap_err().to_string().contains("longer than 8 bytes"));

    let mut frames = Utf8Frames::new();
    let mut buffer = BytesMut::from(&b"ab\xFF"[..]);
    assert_eq!(frames.decode(&mut buffer).unwrap().as_deref(), Some("ab"));
    frames.restart();
    assert_eq!((frames.offset(), reason(&frames.decode(&mut buffer).unwrap_err()).at), (0, 0));
}

#[test]
fn encoders_write_text_and_line_feeds() {
    let mut buffer = BytesMut::new();
    Utf8Lines::new().encode("ū", &mut buffer).unwrap();
    Utf8Frames::new().encode(Utf8Bytes::from("na"), &mut buffer).unwrap();
    assert_eq!(buffer, "ū\nna".as_bytes());
}

/// Gives chunks one by one, and has nothing yet before each of them.
pub struct Dripping<'t> {
    chunks: VecDeque<&'t [u8]>,
    ready: bool,
}

impl<'t> Dripping<'t> {
    pub fn new(chunks: &[&'t [u8]]) -> Self {
        // An empty read would be the end.
        let chunks = chunks.iter().copied().filter(|chunk| !chunk.is_empty()).collect();
        Dripping { chunks, ready: false }
    }
}

impl AsyncRead for Dripping<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.ready = !self.ready;
        if self.ready {
            return Poll::Pending;
        }
        if let Some(chunk) = self.chunks.front_mut() {
            let (now, later) = chunk.split_at(to.remaining().min(chunk.len()));
            to.put_slice(now);
            *chunk = later;
            if later.is_empty() {
                self.chunks.pop_front();
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Polls until there is something.
pub fn insist<T>(mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>) -> T {
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = poll(&mut cx) {
            return value;
        }
    }
}

/// What is read in pieces of `size`, and the error after it.
pub fn read_all(mut reader: impl AsyncRead + Unpin, size: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut all = Vec::new();
    let mut room = vec![0; size];
    loop {
        let mut room = ReadBuf::new(&mut room);
        match insist(|cx| Pin::new(&mut reader).poll_read(cx, &mut room)) {
            Ok(()) if room.filled().is_empty() => return (all, None),
            Ok(()) => all.extend_from_slice(room.filled()),
            Err(error) => return (all, Some(error)),
        }
    }
}

#[test]
fn asynchronous_readers_are_the_blocking_ones() {
    for text in TEXTS {
        for chunks in chunkings(text) {
            for size in [1, 3, 100, 1000] {
                let (read, error) = read_all(Utf8Reader::with_capacity(64, Dripping::new(&chunks)), size);
                let mut expected = Vec::new();
                let failure = Utf8Reader::new(text).read_to_end(&mut expected).err();
                assert_eq!(read, expected);
                assert_eq!(error.as_ref().map(reason), failure.as_ref().map(reason));
            }
        }
    }
}

#[test]
fn framed_streams_end_with_the_error() {
    let mut framed =
        FramedRead::new(Dripping::new(&[b"one\ntw", b"\xC3", b"\xB6\nx\xFF\n"]), Utf8Lines::new());
    let mut next = || insist(|cx| Pin::new(&mut framed).poll_next(cx));
    assert_eq!(next().unwrap().unwrap(), "one");
    assert_eq!(next().unwrap().unwrap(), "twö");
    let error = next().unwrap().unwrap_err();
    assert_eq!(reason(&error).at, 10);
    assert!(next().is_none());
}

/// An ill-formed sequence at the start of the buffer is an error now, and not only at the end of the text.
#[test]
fn errors_do_not_wait_for_the_end() {
    let mut frames = Utf8Frames::new();
    let mut buffer = BytesMut::from(&b"ab\xFFcd"[..]);
    assert_eq!(frames.decode(&mut buffer).unwrap().as_deref(), Some("ab"));
    assert_eq!(reason(&frames.decode(&mut buffer).unwrap_err()).at, 2);
    let too_long = LineTooLong { at: 7, limit: 10 };
    assert_eq!(too_long.to_string(), "the line at byte 7 is longer than 10 bytes");
}
