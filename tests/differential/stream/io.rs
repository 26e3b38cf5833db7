//! A reader of UTF-8, over short reads and interrupted ones; the helpers serve the other readers and writers as well.

use std::io::{self, BufRead as _, ErrorKind, Read, Write};

use runecast::{IllFormed, Utf8, Utf8Reader};

use super::vectors::{long, pieces};
use crate::common::oracle;
use crate::common::scale::size;
use crate::common::texts::Rng;

/// Reads or writes a few bytes at a time, and is interrupted now and then.
pub struct Fitful<T> {
    pub inner: T,
    rng: Rng,
    most: usize,
}

impl<T> Fitful<T> {
    pub fn new(inner: T, most: usize, rng: &mut Rng) -> Self {
        Fitful { inner, rng: Rng::new(rng.below(usize::MAX) as u64), most }
    }

    fn turn(&mut self, len: usize) -> io::Result<usize> {
        match self.rng.below(4) {
            0 => Err(ErrorKind::Interrupted.into()),
            _ => Ok((1 + self.rng.below(self.most)).min(len)),
        }
    }
}

impl<T: Read> Read for Fitful<T> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.turn(to.len())?;
        self.inner.read(&mut to[..len])
    }
}

impl<T: Write> Write for Fitful<T> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let len = self.turn(from.len())?;
        self.inner.write(&from[..len])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads to the end in pieces of any size, and past interruptions: what was read, and the error.
pub fn drain(reader: &mut impl Read, rng: &mut Rng) -> (Vec<u8>, Option<io::Error>) {
    let mut all = Vec::new();
    let mut buffer = [0; 300];
    loop {
        let room = rng.below(buffer.len()) + 1;
        match reader.read(&mut buffer[..room]) {
            Ok(0) => return (all, None),
            Ok(count) => all.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (all, Some(error)),
        }
    }
}

pub fn ill_formed(error: &io::Error) -> IllFormed {
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    *error.get_ref().and_then(|why| why.downcast_ref()).expect("what is wrong with the text")
}

pub fn texts(encoding: &oracle::Encoding, seed: u64) -> impl Iterator<Item = (Vec<u8>, Rng)> {
    let (encoding, pieces) = (*encoding, pieces(encoding));
    (0..size(300, 100, 30)).map(move |round| {
        let mut rng = Rng::new(seed + round as u64);
        let text = long(&encoding, &pieces, 1 + rng.below(60), [2, 30, usize::MAX][round % 3], &mut rng);
        (text, rng)
    })
}

#[test]
fn utf8_readers() {
    for (text, mut rng) in texts(&oracle::UTF8, 76) {
        let truth = runecast::validate::<Utf8>(&text);
        let clean = &text[..truth.map_or_else(|error| error.at, |()| text.len())];
        let most = [1, 7, 1000][rng.below(3)];
        let new =
            |rng: &mut Rng| Utf8Reader::with_capacity(rng.below(200), Fitful::new(&text[..], most, rng));

        let mut reader = new(&mut rng);
        let (found, error) = drain(&mut reader, &mut rng);
        assert_eq!(found, clean);
        assert_eq!(error.as_ref().map(ill_formed), truth.err());
        if let Err(error) = truth {
            assert_eq!(ill_formed(&reader.read(&mut [0; 8]).unwrap_err()), error, "once more");
        }

        let mut string = String::from("in front ");
        let count = new(&mut rng).read_to_string(&mut string);
        assert_eq!(string.as_bytes().strip_prefix(b"in front "), Some(clean));
        assert_eq!(count.map_err(|error| ill_formed(&error)), truth.map(|()| text.len()));

        let lines: Vec<String> = new(&mut rng).lines().map_while(Result::ok).collect();
        if truth.is_ok() {
            let text = String::from_utf8(text.clone()).expect("text");
            assert!(text.lines().eq(lines.iter().map(String::as_str)));
        }

        // Nothing but text is handed out.
        let mut reader = new(&mut rng);
        let mut string = String::new();
        loop {
            match reader.fill_text() {
                Ok("") => break,
                Ok(text) => {
                    string.push_str(text);
                    let len = text.len();
                    reader.consume(len);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        assert_eq!(string.as_bytes(), clean);
    }
}

/// What is left of a character of which some has been consumed is no text, but nothing is wrong with the text.
#[test]
fn a_character_of_which_part_is_read_is_not_ill_formed() {
    let mut reader = Utf8Reader::new("aū!".as_bytes());
    reader.read_exact(&mut [0; 2]).expect("two of four bytes");
    let mut string = String::from("in front ");
    for _ in 0..2 {
        let errors = [
            reader.fill_text().expect_err("half of a character"),
            reader.read_to_string(&mut string).expect_err("half of a character"),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            assert!(error.to_string().contains("has been consumed"), "{error}");
        }
    }
    assert_eq!(string, "in front ");
    // The rest is read as bytes, and then text as text.
    reader.consume(1);
    assert_eq!(reader.fill_text().expect("text"), "!");
    assert_eq!(reader.read_to_string(&mut string).expect("text"), 1);
}
