//! Conversion against what the standard library makes of characters, in windows of all small sizes.

use std::io::Write as _;
use std::num::NonZeroUsize;

use super::*;
use crate::crew::{Crew, Ledger, Then};
use crate::name::Name;
use crate::source::{Input, Refusal, Source};
use crate::window::Window;

#[derive(Default)]
struct Basket(Vec<u8>, u64);

impl Outlet for Basket {
    fn take(&mut self, text: &[u8]) -> io::Result<()> {
        self.0.extend_from_slice(text);
        Ok(())
    }
    fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
        self.1 += bytes;
        Ok(())
    }
}

/// Takes what comes out in order.
#[derive(Default)]
struct Book(Option<Passage>, Basket, Option<Stop>);

impl Ledger<Conversion> for Book {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        unreachable!("{refusal:?}")
    }
    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<Then> {
        self.0 = Some(Passage::new(true, input));
        Ok(Then::GoOn)
    }
    fn chunk(&mut self, input: &Opened<Route>, window: &Window, done: &mut Converted) -> io::Result<Then> {
        let passage = self.0.as_mut().expect("it has begun");
        self.2 = passage.take(input, window, done, &mut self.1).expect("a readable input");
        Ok(if self.2.is_some() { Then::Stop } else { Then::GoOn })
    }
    fn end(&mut self, _: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        assert!(broken.is_none());
        Ok(())
    }
}

/// What comes out of an input, in chunks of so many bytes, with so many threads; and the error.
fn pass(input: Input, (chunk, jobs): (usize, usize), route: Route) -> (Basket, Option<Stop>) {
    let source = Source { name: Name::Inline("test"), size: None };
    let mut input = Some(input);
    let open = move |_: &Source| Ok(input.take().expect("it is opened once"));
    let jobs = NonZeroUsize::new(jobs).expect("someone to work");
    let crew = Crew { jobs, chunk, alone: 0, one_by_one: false };
    let work = Conversion { look: Box::new(move |_| route), places: true, omits: false };
    let inputs = Box::new(std::iter::once(Ok(source)));
    let (book, ended) = crew.run(inputs, Box::new(open), work, Book::default());
    ended.expect("nothing is written");
    (book.1, book.2)
}

fn stream(bytes: &[u8]) -> Input {
    Input::Stream(Box::new(io::Cursor::new(bytes.to_vec())))
}

/// What std makes of a character.
fn encode(scheme: Scheme, character: char) -> Option<Vec<u8>> {
    let mut units = [0; 2];
    let units = character.encode_utf16(&mut units);
    let scalar = u32::from(character);
    Some(match scheme {
        Scheme::Utf8 | Scheme::Wtf8 | Scheme::GeneralizedUtf8 => character.to_string().into_bytes(),
        Scheme::Mutf8 | Scheme::WobblyMutf8 if character == '\0' => vec![0xC0, 0x80],
        Scheme::Cesu8 | Scheme::WobblyCesu8 | Scheme::Mutf8 | Scheme::WobblyMutf8 => {
            let bytes = |unit: &u16| match u32::from(*unit) {
                unit @ 0..=0x7F => vec![unit],
                unit @ 0x80..=0x7FF => vec![0xC0 + unit / 64, 0x80 + unit % 64],
                unit => vec![0xE0 + unit / 4096, 0x80 + unit / 64 % 64, 0x80 + unit % 64],
            };
            units.iter().flat_map(bytes).map(|byte| byte as u8).collect()
        }
        Scheme::Utf16Le | Scheme::Wtf16Le => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        Scheme::Utf16Be | Scheme::Wtf16Be => units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        Scheme::Utf32Le => scalar.to_le_bytes().to_vec(),
        Scheme::Utf32Be => scalar.to_be_bytes().to_vec(),
        Scheme::CorrectedUtf8 => {
            let (len, bits) = match scalar {
                0..0x80 => return Some(vec![scalar as u8]),
                0x80..0xA0 => return None,
                0xA0..0x8A0 => (2, scalar - 0xA0),
                0x8A0..0xD800 => (3, scalar - 0x8A0),
                0xE000..0x1_10A0 => (3, scalar - 0x10A0),
                _ => (4, scalar - 0x1_10A0),
            };
            let tail = (0..len).rev().map(|place| 0x80 | (bits >> (6 * place) & 0x3F) as u8);
            let mut bytes: Vec<u8> = tail.collect();
            bytes[0] |= !(0xFF >> len);
            bytes
        }
        Scheme::Latin1 => vec![u8::try_from(scalar).ok()?],
        Scheme::Ascii => vec![u8::try_from(scalar).ok().filter(u8::is_ascii)?],
        other => unreachable!("there is no model of {other}"),
    })
}

const TEXTS: [&str; 4] = ["", "line\nline", "\u{FEFF}é\u{FF}ß\n\n.", "aé漢🦀\n\u{7FF}🦀🦀x\u{800}\u{FFFF}"];

/// The text in `from`, the text in `to` up to what cannot be there, and the stop.
fn expected(text: &str, from: Scheme, to: Scheme) -> Option<(Vec<u8>, Vec<u8>, Option<Stop>)> {
    let source: Vec<_> = text.chars().map(|c| encode(from, c)).collect::<Option<_>>()?;
    let (mut target, mut at, mut place) = (vec![], 0, Place { line: 1, column: 1 });
    for (character, bytes) in text.chars().zip(&source) {
        let Some(there) = encode(to, character) else {
            let flaw = Flaw::Unrepresentable(character);
            let stop = Stop { at, place: Some(place), flaw, bytes: bytes.clone() };
            return Some((source.concat(), target, Some(stop)));
        };
        target.extend(there);
        at += bytes.len() as u64;
        place.column += 1;
        if character == '\n' {
            place = Place { line: place.line + 1, column: 1 };
        }
    }
    Some((source.concat(), target, None))
}

#[test]
fn no_chunks_and_no_threads_change_the_result_of_any_pair() {
    for (from, to) in Scheme::ALL.iter().flat_map(|from| Scheme::ALL.map(|to| (*from, to))) {
        for text in TEXTS {
            let Some((source, target, stop)) = expected(text, from, to) else { continue };
            let route = Route { from, to, skip: 0, mark: false };
            for how in (1..=9).map(|chunk| (chunk, 1)).chain([(99, 1), (3, 2)]) {
                let (basket, stopped) = pass(stream(&source), how, route);
                assert_eq!((basket.0, stopped), (target.clone(), stop.clone()), "{from:?} {to:?} {how:?}");
            }
            let mut file = tempfile::tempfile().expect("a temporary file");
            file.write_all(&source).expect("room for it");
            for how in [(4, 1), (8, 3), (64, 1)] {
                let input = Input::Seekable(file.try_clone().expect("a second handle"));
                let (basket, stopped) = pass(input, how, route);
                assert_eq!((basket.0, stopped), (target.clone(), stop.clone()), "{from:?} {to:?} {how:?}");
            }
        }
    }
}

#[test]
fn errors_have_their_place_in_every_encoding() {
    use runecast::Kind;
    let mut big = "aé漢🦀\n".repeat(3);
    big.push_str("..");
    let bad: [(Scheme, &[u8], Kind); 14] = [
        // What shows these to be wrong is the beginning of something else, which may wait for the next chunk.
        (Scheme::Utf8, b"\xE9\xC3\xA9", Kind::Truncated),
        (Scheme::Utf16Le, b"\x3E\xD8\x3E\xD8\x80\xDD", Kind::UnpairedHigh),
        (Scheme::Utf8, b"\xE6\xBC", Kind::Incomplete),
        (Scheme::Utf8, b"\xC0\x80", Kind::OverlongLead),
        (Scheme::Utf16Le, b"a", Kind::Incomplete),
        (Scheme::Utf16Be, b"\xD8\x3E", Kind::Incomplete),
        (Scheme::Utf16Be, b"\xD8\x3E\xDD", Kind::Incomplete),
        (Scheme::Utf16Le, b"\x3E\xD8a\0", Kind::UnpairedHigh),
        (Scheme::Utf16Le, b"\x3E\xDCa\0", Kind::UnpairedLow),
        (Scheme::Utf32Le, b"a", Kind::Incomplete),
        (Scheme::Utf32Be, b"\0\0\0", Kind::Incomplete),
        (Scheme::Utf32Le, b"\x00\xD8\0\0", Kind::Surrogate),
        (Scheme::Utf32Be, b"\0\x11\0\0", Kind::AboveMaximum),
        (Scheme::Utf32Be, b"\0a", Kind::Incomplete),
    ];
    for (from, bad, kind) in bad {
        let mut source: Vec<u8> = big.chars().filter_map(|c| encode(from, c)).flatten().collect();
        let at = source.len() as u64;
        source.extend_from_slice(bad);
        for to in [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf32Be, from] {
            for chunk in 1..=8 {
                let route = Route { from, to, skip: 0, mark: false };
                let (basket, stop) = pass(stream(&source), (chunk, 1), route);
                let stop = stop.expect("an error");
                let Flaw::IllFormed(error) = stop.flaw else { unreachable!("{stop:?}") };
                assert_eq!((stop.at, error.kind), (at, kind), "{from:?} {to:?} {chunk}");
                assert_eq!(stop.place, Some(Place { line: 4, column: 3 }), "{from:?} {to:?} {chunk}");
                let target: Vec<u8> = big.chars().filter_map(|c| encode(to, c)).flatten().collect();
                assert_eq!(basket.0, target);
            }
        }
    }
}

#[test]
fn a_mark_that_is_left_out_still_counts() {
    let source = b"\xFE\xFF\0a\0\n\0b\xDC\0";
    let route = Route { from: Scheme::Utf16Be, to: Scheme::Utf8, skip: 2, mark: false };
    let (basket, stop) = pass(stream(source), (1, 1), route);
    let stop = stop.expect("an error");
    assert_eq!((stop.at, stop.place), (8, Some(Place { line: 2, column: 2 })));
    assert_eq!((basket.0.as_slice(), basket.1), (&b"a\nb"[..], 10));
}
