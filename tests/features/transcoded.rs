//! Frames and asynchronous readers that convert from an encoding which is known at run time only.

use std::io::{ErrorKind, Read as _, Result};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::BytesMut;
use runecast::codec::TranscodedFrames;
use runecast::{Bom, Label, Replacement, Scheme, TranscodingReader, Utf8, Utf8Reader, validate};
use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};
use tokio_util::codec::Decoder as _;

use super::codec::{Dripping, TEXTS, chunkings, decode, insist, read_all, reason};

#[test]
fn frames_are_the_text_before_the_error() {
    for text in TEXTS {
        let expected = validate::<Utf8>(text).err();
        let valid = &text[..expected.map_or(text.len(), |error| error.at)];
        for chunks in chunkings(text) {
            let (frames, error) = decode(TranscodedFrames::strict(Scheme::Utf8), &chunks);
            assert_eq!(frames.concat().as_bytes(), valid, "{chunks:x?}");
            assert_eq!(error.as_ref().map(reason), expected, "{chunks:x?}");

            let (frames, error) = decode(TranscodedFrames::lossy(Scheme::Utf8, Replacement::Whatwg), &chunks);
            assert_eq!(frames.concat(), String::from_utf8_lossy(text), "{chunks:x?}");
            assert!(error.is_none());
        }
    }
}

#[test]
fn asynchronous_readers_are_the_blocking_ones() {
    for text in TEXTS {
        for chunks in chunkings(text) {
            for size in [1, 3, 100, 1000] {
                let (read, error) =
                    read_all(TranscodingReader::strict(Dripping::new(&chunks), Scheme::Utf8), size);
                let mut expected = Vec::new();
                let failure = Utf8Reader::new(text).read_to_end(&mut expected).err();
                assert_eq!(read, expected);
                assert_eq!(error.as_ref().map(reason), failure.as_ref().map(reason));
            }
        }
    }
}

#[test]
fn an_asynchronous_reader_has_a_buffer_too() {
    let text = "ᚱᚢᚾᚪ 🪨\n".repeat(50);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for cut in [1, 2, 3, 7, 100] {
        let chunks: Vec<&[u8]> = wide.chunks(cut).collect();
        let reader = TranscodingReader::strict(Dripping::new(&chunks), Label::Utf16).with_bom(Bom::Keep);
        let mut reader = Box::pin(reader);
        let mut read = Vec::new();
        loop {
            let bytes = insist(|cx| reader.as_mut().poll_fill_buf(cx).map(|bytes| bytes.map(<[u8]>::to_vec)));
            let bytes = bytes.unwrap();
            if bytes.is_empty() {
                break;
            }
            // Not all that is there.
            let taken = bytes.len().div_ceil(2);
            read.extend_from_slice(&bytes[..taken]);
            reader.as_mut().consume(taken);
        }
        assert_eq!(String::from_utf8(read).unwrap(), text);
    }
}

#[test]
fn frames_know_their_source_and_count() {
    let mut frames = TranscodedFrames::lossy(Label::Utf16, Replacement::Whatwg);
    assert_eq!((frames.source(), frames.replaced()), (None, 0));
    let mut buffer = BytesMut::from(&b"\xFF\xFEa\0\0\xDCb\0\0\xDC"[..]);
    assert_eq!(frames.decode(&mut buffer).unwrap().as_deref(), Some("a\u{FFFD}b\u{FFFD}"));
    assert_eq!((frames.source(), frames.replaced()), (Some(Scheme::Utf16Le), 2));
    buffer.extend_from_slice(b"\0\xDC");
    assert_eq!(frames.decode(&mut buffer).unwrap().as_deref(), Some("\u{FFFD}"));
    assert_eq!(frames.replaced(), 3);
}

/// What comes after the end is another text, which has an end, too.
#[test]
fn a_text_may_follow_the_end_of_a_text() {
    let mut frames = TranscodedFrames::strict(Scheme::Utf8);
    let mut buffer = BytesMut::from("abc");
    assert_eq!(frames.decode_eof(&mut buffer).unwrap().as_deref(), Some("abc"));
    assert_eq!(frames.decode_eof(&mut buffer).unwrap(), None);
    buffer.extend_from_slice(b"\xC3");
    assert_eq!(frames.decode(&mut buffer).unwrap(), None);
    let error = reason(&frames.decode_eof(&mut buffer).unwrap_err());
    assert_eq!((error.at, error.is_incomplete()), (0, true));

    // Each has a mark of its own, and the source is that of the last until another begins.
    let mut frames = TranscodedFrames::strict(Label::Utf16);
    let mut buffer = BytesMut::from(&b"\xFF\xFEa\0"[..]);
    assert_eq!(frames.decode_eof(&mut buffer).unwrap().as_deref(), Some("a"));
    for _ in 0..3 {
        assert_eq!(frames.decode_eof(&mut buffer).unwrap(), None);
        assert_eq!(frames.source(), Some(Scheme::Utf16Le));
    }
    buffer.extend_from_slice(b"\xFE\xFF\0b");
    assert_eq!(frames.decode_eof(&mut buffer).unwrap().as_deref(), Some("b"));
    assert_eq!(frames.source(), Some(Scheme::Utf16Be));
}

#[test]
fn nothing_is_left_of_a_text_after_a_restart() {
    let mut frames = TranscodedFrames::strict(Label::Utf16);
    let mut buffer = BytesMut::from(&b"\xFF\xFEa\0\0\xDC"[..]);
    assert_eq!(frames.decode(&mut buffer).unwrap().as_deref(), Some("a"));
    assert_eq!(reason(&frames.decode(&mut buffer).unwrap_err()).at, 4);
    frames.restart();
    assert_eq!(frames.source(), None);
    buffer.extend_from_slice(b"\0b\xDC\0");
    assert_eq!(frames.decode(&mut buffer).unwrap().as_deref(), Some("b"));
    assert_eq!(reason(&frames.decode(&mut buffer).unwrap_err()).at, 2);

    let mut frames = TranscodedFrames::lossy(Scheme::Utf8, "?");
    let mut buffer = BytesMut::from(&b"a\xFF\xE1"[..]);
    assert_eq!(frames.decode(&mut buffer).unwrap().as_deref(), Some("a?"));
    frames.restart();
    assert_eq!((frames.replaced(), frames.decode_eof(&mut buffer).unwrap()), (0, None));
}

/// A reader that puts a buffer of its own in the place of the one that it was given.
struct Swapping;

impl AsyncRead for Swapping {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        *buffer = ReadBuf::new(Box::leak(Box::new([0; 16])));
        buffer.put_slice(b"not there");
        Poll::Ready(Ok(()))
    }
}

#[test]
fn no_other_buffer_is_taken_for_ours() {
    let mut reader = Box::pin(TranscodingReader::strict(Swapping, Scheme::Utf8));
    let bytes = insist(|cx| reader.as_mut().poll_fill_buf(cx).map(|bytes| bytes.map(<[u8]>::to_vec)));
    assert_eq!(bytes.map_err(|error| error.kind()), Err(ErrorKind::Other));
    let mut reader = Box::pin(Utf8Reader::new(Swapping));
    let bytes = insist(|cx| reader.as_mut().poll_fill_buf(cx).map(|bytes| bytes.map(<[u8]>::to_vec)));
    assert_eq!(bytes.map_err(|error| error.kind()), Err(ErrorKind::Other));
}
