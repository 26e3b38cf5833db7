//! Readers and writers that convert: short reads and writes, interrupted ones, and what is wrong with the text.

use std::io::{self, BufRead as _, ErrorKind, Read, Write};

use runecast::{
    AnyTranscoder, Label, Policy, Reason, Replacement, Scheme, TranscodeError, TranscodingReader,
    TranscodingWriter, Utf8, Utf16Le,
};

use crate::common::oracle;
use crate::common::texts::Rng;
use crate::stream::io::{Fitful, drain, ill_formed, texts};

#[test]
fn transcoding_readers() {
    for (text, mut rng) in texts(&oracle::UTF16LE, 77) {
        let mut clean = Vec::new();
        let truth = runecast::transcode_append::<Utf16Le, Utf8>(&text, &mut clean);
        let truth = truth.map_err(|error| match error.reason {
            Reason::IllFormed(error) => error,
            reason => panic!("{reason:?}"),
        });
        let repaired = runecast::repair::<Utf16Le>(&text, "<?>").into_owned();
        let capacity = [0, 100, 4096][rng.below(3)];
        let most = [1, 7, 1000][rng.below(3)];
        let new = |policy: Option<Policy<'static>>, rng: &mut Rng| {
            let transcoder = match policy {
                None => AnyTranscoder::strict(Scheme::Utf16Le, Scheme::Utf8),
                Some(policy) => AnyTranscoder::lossy(Scheme::Utf16Le, Scheme::Utf8, policy),
            };
            TranscodingReader::with_capacity(capacity, Fitful::new(&text[..], most, rng), transcoder)
        };

        let mut reader = new(None, &mut rng);
        let (found, error) = drain(&mut reader, &mut rng);
        assert_eq!(found, clean);
        assert_eq!(error.as_ref().map(ill_formed), truth.err());
        if let Err(error) = truth {
            assert_eq!(ill_formed(&reader.read(&mut [0; 8]).unwrap_err()), error, "once more");
        }

        let mut string = String::new();
        let count = new(None, &mut rng).read_to_string(&mut string);
        assert_eq!(string.as_bytes(), clean);
        assert_eq!(count.map_err(|error| ill_formed(&error)), truth);

        let mut reader = new(Some("<?>".into()), &mut rng);
        let (found, error) = drain(&mut reader, &mut rng);
        assert!(error.is_none());
        assert_eq!(found, repaired.as_bytes());
        let replaced = runecast::transcode_lossy_len::<Utf16Le, Utf8>(&text, "<?>").replaced;
        assert_eq!(reader.replaced(), replaced as u64);

        let lines: Vec<String> =
            new(Some("<?>".into()), &mut rng).lines().map(|line| line.expect("text")).collect();
        assert!(repaired.lines().eq(lines.iter().map(String::as_str)));
    }
}

/// What comes out need not be UTF-8; where it is not, is said by its place in all that came out.
#[test]
fn what_is_no_string_is_said_with_its_place() {
    let text = "a".repeat(500) + "ÿ";
    for capacity in [0, 64, 10_000] {
        let transcoder = AnyTranscoder::strict(Scheme::Utf8, Scheme::Utf16Le);
        let mut reader = TranscodingReader::with_capacity(capacity, text.as_bytes(), transcoder);
        let mut string = String::from("in front ");
        let error = reader.read_to_string(&mut string).expect_err("FF is no UTF-8");
        assert_eq!(ill_formed(&error).at, 1000, "{capacity}");
    }
}

/// The place is that in all output, also if some of it has been read before.
#[test]
fn places_count_from_the_beginning() {
    let text = "a".repeat(500) + "ÿ";
    for read in [1, 70, 999] {
        for capacity in [64, 200, 10_000] {
            let transcoder = AnyTranscoder::strict(Scheme::Utf8, Scheme::Utf16Le);
            let mut reader = TranscodingReader::with_capacity(capacity, text.as_bytes(), transcoder);
            reader.read_exact(&mut vec![0; read]).expect("there is more");
            for _ in 0..2 {
                let mut string = String::from("in front ");
                let error = reader.read_to_string(&mut string).expect_err("FF is no UTF-8");
                assert_eq!(ill_formed(&error).at, 1000, "{read} {capacity}");
            }
        }
    }
}

/// What is left of a character of which some has been read is no text, but nothing is wrong with the text.
#[test]
fn a_character_of_which_part_is_read_is_not_ill_formed() {
    let text: Vec<u8> = "aū!".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut reader = TranscodingReader::strict(&text[..], Scheme::Utf16Le);
    reader.read_exact(&mut [0; 2]).expect("two of four bytes");
    let mut string = String::from("in front ");
    let error = reader.read_to_string(&mut string).expect_err("half of a character");
    assert_eq!((error.kind(), string.as_str()), (ErrorKind::InvalidData, "in front "));
    assert!(error.to_string().contains("has been consumed"), "{error}");
    // The rest is read as bytes, and then text as text.
    reader.read_exact(&mut [0; 1]).expect("the other half");
    assert_eq!(reader.read_to_string(&mut string).expect("text"), 1);
    assert_eq!(string, "in front !");
}

/// A replacement that is longer than the buffer is there, and waits for nothing.
#[test]
fn what_is_written_already_is_not_held_back() {
    /// Gives its chunks, and blocks then.
    struct Blocking(Vec<&'static [u8]>);
    impl Read for Blocking {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(ErrorKind::WouldBlock.into());
            }
            let chunk = self.0.remove(0);
            to[..chunk.len()].copy_from_slice(chunk);
            Ok(chunk.len())
        }
    }

    let text = "x".repeat(100);
    for room in [10, 64, 1000] {
        let transcoder = AnyTranscoder::lossy(Scheme::Utf8, Scheme::Utf8, &text[..]);
        let mut reader = TranscodingReader::with_capacity(64, Blocking(vec![b"\xFF", b"a"]), transcoder);
        let (mut all, mut room) = (Vec::new(), vec![0; room]);
        let error = loop {
            match reader.read(&mut room) {
                Ok(count) => {
                    all.extend_from_slice(&room[..count]);
                    // All of the replacement comes before the second chunk.
                    assert_eq!(all.len() <= 100, reader.get_ref().0.len() == 1);
                }
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        assert_eq!(all, (text.clone() + "a").into_bytes());
    }
}

/// Writes all in pieces of any size, past interruptions and with flushes anywhere.
fn write_all(writer: &mut impl Write, mut text: &[u8], rng: &mut Rng) -> io::Result<()> {
    while !text.is_empty() {
        let len = rng.below(text.len().min(200) + 1);
        writer.write_all(&text[..len])?;
        text = &text[len..];
        if rng.below(5) == 0 {
            writer.flush()?;
        }
    }
    Ok(())
}

#[test]
fn transcoding_writers() {
    for (text, mut rng) in texts(&oracle::UTF8, 78) {
        let capacity = [0, 100, 4096][rng.below(3)];
        let mut new = |policy: Option<Policy<'static>>, to| {
            let transcoder = match policy {
                None => AnyTranscoder::strict(Scheme::Utf8, to),
                Some(policy) => AnyTranscoder::lossy(Scheme::Utf8, to, policy),
            };
            TranscodingWriter::with_capacity(capacity, Fitful::new(Vec::new(), 50, &mut rng), transcoder)
        };
        let (mut strict, mut lossy) = (new(None, Scheme::Utf16Le), new(Some("<?>".into()), Scheme::Utf16Le));
        let mut clean = Vec::new();
        let truth = runecast::transcode_append::<Utf8, Utf16Le>(&text, &mut clean);
        let outcome = write_all(&mut strict, &text, &mut rng).and_then(|()| strict.finish());
        assert_eq!(strict.get_ref().inner, clean);
        match (outcome, truth) {
            (Ok(()), Ok(_)) => {}
            (Err(error), Err(TranscodeError { reason: Reason::IllFormed(truth), .. })) => {
                assert_eq!(ill_formed(&error), truth);
                assert_eq!(ill_formed(&strict.write(b"more").unwrap_err()), truth);
                assert_eq!(ill_formed(&strict.flush().unwrap_err()), truth);
                assert_eq!(ill_formed(&strict.finish().unwrap_err()), truth);
            }
            outcome => panic!("{outcome:?}"),
        }

        // Twice, for a writer that is finished can be used again.
        let repaired = runecast::transcode_lossy_to_vec::<Utf8, Utf16Le>(&text, "<?>");
        for _ in 0..2 {
            write_all(&mut lossy, &text, &mut rng).and_then(|()| lossy.finish()).expect("all of it");
        }
        let replaced = runecast::transcode_lossy_len::<Utf8, Utf16Le>(&text, "<?>").replaced;
        assert_eq!(lossy.replaced(), 2 * replaced as u64);
        assert_eq!(lossy.into_inner().inner, [&repaired[..], &repaired[..]].concat());
    }
}

#[test]
fn characters_without_a_form() {
    let mut writer = TranscodingWriter::strict(Vec::new(), Scheme::Utf8, Scheme::Latin1);
    let error = writer.write_all("café ᚱ".as_bytes()).expect_err("no such character");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert!(error.to_string().contains("at offset 6: the target encoding has no form for U+16B1"), "{error}");
    assert_eq!(writer.into_inner(), b"caf\xE9 ");
}

/// A vector that takes so many bytes, and then none for a while.
struct Narrow(Vec<u8>, usize);

impl Write for Narrow {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let len = from.len().min(self.1);
        self.1 -= len;
        self.0.extend_from_slice(&from[..len]);
        if len == 0 { Err(ErrorKind::WouldBlock.into()) } else { Ok(len) }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Not even if there is an error in the text: what is before it is written first, however often it takes to do so.
#[test]
fn a_writer_that_is_full_where_the_text_is_ill_formed() {
    let mut writer = TranscodingWriter::strict(Narrow(Vec::new(), 0), Scheme::Utf8, Scheme::Utf16Be);
    let mut calls = 0;
    let error = loop {
        match writer.write(b"abc\xFFd") {
            Ok(count) => panic!("{count} bytes were taken"),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                calls += 1;
                writer.get_mut().1 += 1;
            }
            Err(error) => break error,
        }
    };
    assert_eq!((ill_formed(&error).at, calls), (3, 6));
    assert_eq!(writer.get_ref().0, b"\0a\0b\0c");
}

/// An error of the inner writer loses nothing.
#[test]
fn a_writer_that_is_full_for_a_while() {
    let transcoder = AnyTranscoder::lossy(Label::Exactly(Scheme::Latin1), Scheme::Utf8, Replacement::Whatwg);
    let mut writer = TranscodingWriter::with_capacity(64, Narrow(Vec::new(), 0), transcoder);
    let text = [0xE9; 1000];
    let mut rest = &text[..];
    while !rest.is_empty() {
        match writer.write(rest) {
            Ok(count) => rest = &rest[count..],
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::WouldBlock);
                writer.get_mut().1 += 7;
            }
        }
    }
    while let Err(error) = writer.finish() {
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        writer.get_mut().1 += 7;
    }
    assert_eq!(writer.into_inner().0, "é".repeat(1000).as_bytes());
}
