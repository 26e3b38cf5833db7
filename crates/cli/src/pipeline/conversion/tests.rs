//! Conversion against what the standard library makes of characters, in windows of all small sizes.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::*;
use crate::io::source::{Input, Refusal};
use crate::pipeline::test_support::{Collected, TestFile, run, stream};
use crate::pipeline::work::OrderedOutput;

/// Collects what comes out of one input, and the error.
#[derive(Default)]
struct Output {
    conversion: Option<InputConversion>,
    collected: Collected,
    error: Option<ConversionError>,
}

impl OrderedOutput<ChunkConverter> for Output {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        unreachable!("{refusal:?}")
    }
    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<ControlFlow<()>> {
        self.conversion = Some(InputConversion::new(true, input));
        Ok(ControlFlow::Continue(()))
    }
    fn chunk(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &mut ConvertedChunk,
    ) -> io::Result<ControlFlow<()>> {
        let conversion = self.conversion.as_mut().expect("it has begun");
        self.error = conversion.take(input, window, done, &mut self.collected).expect("a readable input");
        Ok(if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
    fn end(&mut self, _: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
        assert!(broken.is_none());
        Ok(())
    }
}

/// What comes out of an input, in chunks of so many bytes, with so many threads; and the error.
fn convert(input: Input, how: (usize, usize), route: Route) -> (Collected, Option<ConversionError>) {
    let work = ChunkConverter {
        find_route: Box::new(move |_| route),
        positions: true,
        lines: false,
        omits: false,
        transliterates: false,
    };
    let output = run(input, how, work, Output::default());
    (output.collected, output.error)
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
            let tail = (0..len).rev().map(|index| 0x80 | (bits >> (6 * index) & 0x3F) as u8);
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

/// The text in `from`, the text in `to` up to what cannot be there, and the error.
fn expected(text: &str, from: Scheme, to: Scheme) -> Option<(Vec<u8>, Vec<u8>, Option<ConversionError>)> {
    let source: Vec<_> = text.chars().map(|c| encode(from, c)).collect::<Option<_>>()?;
    let (mut target, mut at, mut position) = (vec![], 0, Position { line: 1, column: 1 });
    for (character, bytes) in text.chars().zip(&source) {
        let Some(there) = encode(to, character) else {
            let problem = Problem::Unrepresentable(character);
            let error = ConversionError { at, position: Some(position), problem, bytes: bytes.clone() };
            return Some((source.concat(), target, Some(error)));
        };
        target.extend(there);
        at += bytes.len() as u64;
        position.column += 1;
        if character == '\n' {
            position = Position { line: position.line + 1, column: 1 };
        }
    }
    Some((source.concat(), target, None))
}

#[test]
fn no_chunks_and_no_threads_change_the_result_of_any_pair() {
    for (from, to) in Scheme::ALL.iter().flat_map(|from| Scheme::ALL.map(|to| (*from, to))) {
        for text in TEXTS {
            let Some((source, target, error)) = expected(text, from, to) else { continue };
            let route = Route::between(from, to);
            for how in (1..=9).map(|chunk| (chunk, 1)).chain([(99, 1), (3, 2)]) {
                let (collected, found) = convert(stream(&source), how, route);
                assert_eq!(
                    (collected.text, found),
                    (target.clone(), error.clone()),
                    "{from:?} {to:?} {how:?}"
                );
            }
            let file = TestFile::new(&source);
            for how in [(4, 1), (8, 3), (64, 1)] {
                let (collected, found) = convert(file.open(), how, route);
                assert_eq!(
                    (collected.text, found),
                    (target.clone(), error.clone()),
                    "{from:?} {to:?} {how:?}"
                );
            }
        }
    }
}

#[test]
fn errors_have_their_position_in_every_encoding() {
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
                let route = Route::between(from, to);
                let (collected, found) = convert(stream(&source), (chunk, 1), route);
                let found = found.expect("an error");
                let Problem::IllFormed(error) = found.problem else { unreachable!("{found:?}") };
                assert_eq!((found.at, error.kind), (at, kind), "{from:?} {to:?} {chunk}");
                assert_eq!(found.position, Some(Position { line: 4, column: 3 }), "{from:?} {to:?} {chunk}");
                let target: Vec<u8> = big.chars().filter_map(|c| encode(to, c)).flatten().collect();
                assert_eq!(collected.text, target);
            }
        }
    }
}

#[test]
fn a_mark_that_is_left_out_still_counts() {
    let source = b"\xFE\xFF\0a\0\n\0b\xDC\0";
    let route = Route { skip: 2, ..Route::between(Scheme::Utf16Be, Scheme::Utf8) };
    let (collected, found) = convert(stream(source), (1, 1), route);
    let found = found.expect("an error");
    assert_eq!((found.at, found.position), (8, Some(Position { line: 2, column: 2 })));
    assert_eq!((collected.text.as_slice(), collected.read), (&b"a\nb"[..], 10));
}
