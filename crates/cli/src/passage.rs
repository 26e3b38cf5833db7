//! Conversion in chunks, in constant memory.
//!
//! The input goes through a [`Window`] as for [`scan`](crate::scan); the library converts as much of
//! it as fits into one output buffer, which goes to the [`Outlet`], and so on until the window is
//! empty, or holds the beginning of a character that the next chunk will complete. The first error
//! ends it: what comes before has gone out by then, and it is the outlet's business whether anyone
//! will see it.
//!
//! If source and target are the same, nothing is copied: the window is validated and goes out as it
//! is. That makes `count` as fast as `check`, and a conversion that only takes a mark away as fast
//! as a copy.
//!
//! Lines and columns are counted in UTF-8, since that is what a [`Cursor`] reads. So for a pair
//! without it the text is converted once more for the cursor: along the way in a stream, and in a
//! file only if an error was found, from the beginning up to there.

use std::io::{self, Read as _, Seek as _};

use runecast::{IllFormed, Policy, Reason};
use runecast_explain::{Cursor, Place};

use crate::encoding::{Scheme, length, width};
use crate::scan::Broken;
use crate::source::Input;
use crate::window::{CHUNK, LONGEST_TAIL, Window};

/// The memory that a passage needs; it can be used again for the next input.
pub(crate) struct Memory {
    window: Window,
    output: Vec<u8>,
    scratch: Vec<u8>,
}

impl Memory {
    /// For chunks of `input` bytes, and so many of output, with room for a character at least.
    pub(crate) fn new(input: usize, output: usize) -> Self {
        let room = output.max(6);
        Memory { window: Window::new(input), output: vec![0; room], scratch: vec![0; room] }
    }
}

/// From where to where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// What the input is.
    pub(crate) from: Scheme,
    /// What the output is to be.
    pub(crate) to: Scheme,
    /// So many bytes at the beginning are a byte order mark that is to be left out.
    pub(crate) skip: usize,
    /// Whether an error needs a line and a column.
    pub(crate) places: bool,
}

/// Who takes the output.
pub(crate) trait Outlet {
    /// The next piece: whole characters.
    fn take(&mut self, text: &[u8]) -> io::Result<()>;
    /// So many more bytes have been read, and what they were converted to was handed out.
    fn proceeded(&mut self, bytes: u64) -> io::Result<()>;
}

/// What is wrong with a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It is none.
    IllFormed(IllFormed),
    /// The target has no form for it.
    Unrepresentable(char),
    /// The target has no form for it, and it is no character: a surrogate.
    UnrepresentableCodePoint(u32),
}

/// An error, and where it is in the whole input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The offset of its first byte.
    pub(crate) at: u64,
    /// Line and column, if they are wanted.
    pub(crate) place: Option<Place>,
    /// What is wrong; an offset in it is that in some window and means nothing here.
    pub(crate) flaw: Flaw,
    /// The bytes that show it.
    pub(crate) bytes: Vec<u8>,
}

/// Converts an input, to its end or to its first error.
pub(crate) fn pass(
    input: &mut Input,
    memory: &mut Memory,
    route: Route,
    outlet: &mut impl Outlet,
) -> Result<Option<Stop>, Broken> {
    let Memory { window, output, scratch } = memory;
    let Route { from, to, skip, places } = route;
    let mut cursor = (places && matches!(input, Input::Stream(_))).then(Cursor::new);

    let skipped = leave_out(input, skip, cursor.as_mut()).map_err(Broken::Input)?;
    outlet.proceeded(skipped).map_err(Broken::Output)?;

    let mut window_at = skipped; // the offset of the window in the input
    let mut tail = 0;
    loop {
        let fresh = window.refill(input, tail).map_err(Broken::Input)?;
        let mut bytes = window.bytes();
        // What would be in order without what follows, and may mean something else with it.
        let kept =
            if from.has_surrogates() && fresh > 0 { from.undecided(Policy::default(), bytes) } else { 0 };
        bytes = &bytes[..bytes.len() - kept];
        let mut at = 0;
        let mut reason = None;
        while at < bytes.len() && reason.is_none() {
            let rest = &bytes[at..];
            let (read, text);
            if from == to {
                let end;
                (end, reason) = match from.validate(rest) {
                    Ok(()) => (rest.len(), None),
                    Err(error) => (error.at, Some(Reason::IllFormed(error))),
                };
                (read, text) = (end, &rest[..end]);
            } else {
                let written;
                (read, written, reason) = match from.transcode_partial(to, rest, output) {
                    Ok(progress) => (progress.read, progress.written, None),
                    Err(error) => (error.read, error.written, Some(error.reason)),
                };
                text = &output[..written];
            }
            outlet.take(text).map_err(Broken::Output)?;
            if let Some(cursor) = &mut cursor {
                if to == Scheme::Utf8 {
                    cursor.pass_text(text);
                } else {
                    follow(cursor, from, &rest[..read], scratch);
                }
            }
            at += read;
        }

        let (flaw, evidence) = match reason {
            None => {
                tail = kept;
                (None, vec![])
            }
            Some(Reason::IllFormed(error)) if error.is_incomplete() && fresh > 0 => {
                tail = bytes.len() - at + kept;
                (None, vec![])
            }
            Some(Reason::IllFormed(error)) => (Some(Flaw::IllFormed(error)), error.evidence().to_vec()),
            Some(Reason::Unrepresentable { character, .. }) => {
                let end = bytes.len().min(at + width(from, character));
                (Some(Flaw::Unrepresentable(character)), bytes[at..end].to_vec())
            }
            Some(Reason::UnrepresentableCodePoint { code_point, .. }) => {
                let end = at + length(from, &bytes[at..]);
                (Some(Flaw::UnrepresentableCodePoint(code_point)), bytes[at..end].to_vec())
            }
            // The library may know more reasons one day; this program does not ask for them.
            Some(_) => return Err(Broken::Input(io::Error::other("cannot be converted"))),
        };
        if let Some(flaw) = flaw {
            let at = window_at + at as u64;
            if places && cursor.is_none() {
                cursor = Some(count_again(input, from, at, scratch).map_err(Broken::Input)?);
            }
            let place = cursor.as_ref().map(Cursor::place);
            outlet.proceeded(fresh as u64).map_err(Broken::Output)?;
            return Ok(Some(Stop { at, place, flaw, bytes: evidence }));
        }
        window_at += (bytes.len() + kept - tail) as u64;
        outlet.proceeded(fresh as u64).map_err(Broken::Output)?;
        if fresh == 0 {
            return Ok(None);
        }
    }
}

/// Reads the byte order mark of `skip` bytes at the beginning, if there is one to be left out: the
/// number of bytes read.
pub(crate) fn leave_out(input: &mut Input, skip: usize, cursor: Option<&mut Cursor>) -> io::Result<u64> {
    let mut skipped = 0;
    while skipped < skip.min(Scheme::LONGEST_MARK) {
        let mut mark = [0; Scheme::LONGEST_MARK];
        match input.read(&mut mark[skipped..skip])? {
            0 => break,
            read => skipped += read,
        }
    }
    if let Some(cursor) = cursor.filter(|_| skip > 0) {
        cursor.pass_text("\u{FEFF}".as_bytes());
    }
    Ok(skipped as u64)
}

/// Leads a cursor over a text in any encoding, up to where it is cut or ill-formed: the number of
/// bytes that were passed.
pub(crate) fn follow(cursor: &mut Cursor, from: Scheme, bytes: &[u8], scratch: &mut [u8]) -> usize {
    if from == Scheme::Utf8 {
        cursor.pass_text(bytes);
        return bytes.len();
    }
    let mut at = 0;
    while at < bytes.len() {
        let (read, written, stopped) = match from.transcode_partial(Scheme::Utf8, &bytes[at..], scratch) {
            Ok(progress) => (progress.read, progress.written, progress.read == 0),
            // As wide as any character.
            Err(error) if matches!(error.reason, Reason::UnrepresentableCodePoint { .. }) => {
                cursor.pass_text(&scratch[..error.written]);
                cursor.pass_text("\u{FFFD}".as_bytes());
                (error.read + length(from, &bytes[at + error.read..]), 0, false)
            }
            Err(error) => (error.read, error.written, true),
        };
        cursor.pass_text(&scratch[..written]);
        at += read;
        if stopped {
            break;
        }
    }
    at
}

/// Leads a cursor over the first `length` bytes of a file, and leaves the file there.
///
/// If the file has changed in the meantime, line and column are those of a text that is gone.
pub(crate) fn count_again(
    input: &mut Input,
    from: Scheme,
    length: u64,
    scratch: &mut [u8],
) -> io::Result<Cursor> {
    let mut cursor = Cursor::new();
    let Input::Seekable(file) = input else {
        return Ok(cursor); // a stream has its cursor from the beginning
    };
    file.rewind()?;
    let mut beginning = Input::Stream(Box::new(file.try_clone()?.take(length)));
    let mut window = Window::new(CHUNK);
    let mut tail = 0;
    loop {
        let fresh = window.refill(&mut beginning, tail)?;
        let bytes = window.bytes();
        let kept =
            if from.has_surrogates() && fresh > 0 { from.undecided(Policy::default(), bytes) } else { 0 };
        tail = bytes.len() - follow(&mut cursor, from, &bytes[..bytes.len() - kept], scratch);
        if fresh == 0 || tail > LONGEST_TAIL {
            return Ok(cursor);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

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

    const TEXTS: [&str; 4] =
        ["", "line\nline", "\u{FEFF}é\u{FF}ß\n\n.", "aé漢🦀\n\u{7FF}🦀🦀x\u{800}\u{FFFF}"];

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
    fn no_sizes_of_memory_change_the_result_of_any_pair() {
        for (from, to) in Scheme::ALL.iter().flat_map(|from| Scheme::ALL.map(|to| (*from, to))) {
            for text in TEXTS {
                let Some((source, target, stop)) = expected(text, from, to) else { continue };
                let route = Route { from, to, skip: 0, places: true };
                for (input, output) in
                    (1..=9).flat_map(|input| [4, 7, 9, 64].map(|output| (input, output))).chain([(99, 99)])
                {
                    let mut basket = Basket::default();
                    let mut memory = Memory::new(input, output);
                    let result = pass(&mut stream(&source), &mut memory, route, &mut basket);
                    assert_eq!(result.expect("a readable input"), stop, "{from:?} {to:?} {input} {output}");
                    assert_eq!(basket.0, target, "{from:?} {to:?} {input} {output}");
                }
                let mut file = tempfile::tempfile().expect("a temporary file");
                file.write_all(&source).expect("room for it");
                file.rewind().expect("a file can be rewound");
                let mut basket = Basket::default();
                let mut input = Input::Seekable(file);
                let result = pass(&mut input, &mut Memory::new(3, 5), route, &mut basket);
                assert_eq!((result.expect("a readable input"), basket.0), (stop, target));
            }
        }
    }

    #[test]
    fn errors_have_their_place_in_every_encoding() {
        use runecast::Kind;
        let mut big = "aé漢🦀\n".repeat(3);
        big.push_str("..");
        let bad: [(Scheme, &[u8], Kind); 12] = [
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
                    let route = Route { from, to, skip: 0, places: true };
                    let mut basket = Basket::default();
                    let stop = pass(&mut stream(&source), &mut Memory::new(chunk, 4), route, &mut basket)
                        .expect("a readable input")
                        .expect("an error");
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
        let route = Route { from: Scheme::Utf16Be, to: Scheme::Utf8, skip: 2, places: true };
        let mut basket = Basket::default();
        let stop = pass(&mut stream(source), &mut Memory::new(1, 1), route, &mut basket);
        let stop = stop.expect("a readable input").expect("an error");
        assert_eq!((stop.at, stop.place), (8, Some(Place { line: 2, column: 2 })));
        assert_eq!((basket.0.as_slice(), basket.1), (&b"a\nb"[..], 10));
    }
}
