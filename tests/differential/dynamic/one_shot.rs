//! Conversions at once between values, held to the typed functions: what was read and written, where an
//! error is and what it says, in outputs of every size; and repairs by every policy.

use std::borrow::Cow;

use runecast::{
    Ascii, Cesu8, CorrectedUtf8, Encoding, GeneralizedUtf8, Latin1, Mutf8, Policy, Progress, Reason,
    Repaired, Repertoire, Scheme, TranscodeError, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, WobblyCesu8,
    WobblyMutf8, Wtf8, Wtf16Le, count, fits, max_transcoded_len, repair, repertoire, transcode_append,
    transcode_lossy_append, transcode_partial, transcode_to_str, transcoded_len,
};

use super::transcoder::oracle;
use crate::common::oracle::UTF8;
use crate::common::scale::size;
use crate::common::texts::Rng;
use crate::stream::model::policies;
use crate::stream::vectors::{long, pieces};

/// A pair, and its typed functions.
struct Row {
    from: Scheme,
    to: Scheme,
    partial: fn(&[u8], &mut [u8]) -> Result<Progress, TranscodeError>,
    append: fn(&[u8], &mut Vec<u8>) -> Result<usize, TranscodeError>,
    lossy: fn(&[u8], &mut Vec<u8>, Policy<'_>) -> Repaired,
    len: fn(&[u8]) -> usize,
    most: fn(usize) -> usize,
    count: fn(&[u8]) -> usize,
    repertoire: fn(&[u8]) -> Repertoire,
    fits: fn(&[u8], Repertoire) -> bool,
    to_str: fn(&[u8]) -> Result<Cow<'_, str>, TranscodeError>,
    repair: for<'t> fn(&'t [u8], Policy<'_>) -> Cow<'t, str>,
}

fn row<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Row {
    let scheme = |name| Scheme::ALL.into_iter().find(|scheme| scheme.name() == name).expect("a scheme");
    Row {
        from: scheme(S::NAME),
        to: scheme(D::NAME),
        partial: transcode_partial::<S, D>,
        append: transcode_append::<S, D>,
        lossy: |src, dst, policy| transcode_lossy_append::<S, D>(src, dst, policy),
        len: transcoded_len::<S, D>,
        most: max_transcoded_len::<S, D>,
        count: count::<S>,
        repertoire: repertoire::<S>,
        fits: fits::<S>,
        to_str: transcode_to_str::<S>,
        repair: |src, policy| repair::<S>(src, policy),
    }
}

/// Direct pairs, and pairs by way of a pivot, of each kind: most are compiled for other tests anyway.
fn rows() -> [Row; 20] {
    [
        row::<Utf8, Utf16Le>(),
        row::<Utf16Be, Utf8>(),
        row::<Wtf16Le, Wtf8>(),
        row::<Utf16Le, Utf16Be>(),
        row::<Utf16Le, Utf16Le>(),
        row::<Utf16Le, Utf32Be>(),
        row::<Utf16Le, Latin1>(),
        row::<Utf32Le, Ascii>(),
        row::<Latin1, Utf32Be>(),
        row::<Cesu8, Utf16Le>(),
        row::<Wtf16Le, Mutf8>(),
        row::<GeneralizedUtf8, Wtf16Le>(),
        row::<GeneralizedUtf8, Utf16Be>(),
        row::<GeneralizedUtf8, GeneralizedUtf8>(),
        row::<WobblyMutf8, WobblyCesu8>(),
        row::<Ascii, Utf16Le>(),
        row::<Utf32Be, Utf16Le>(),
        row::<CorrectedUtf8, Utf16Le>(),
        row::<CorrectedUtf8, CorrectedUtf8>(),
        row::<Utf16Le, CorrectedUtf8>(),
    ]
}

impl Row {
    /// Pieces of a text in the source, good and bad.
    fn pieces(&self) -> Vec<Vec<u8>> {
        if self.from != Scheme::CorrectedUtf8 {
            return pieces(&oracle(self.from));
        }
        let mut all = pieces(&UTF8);
        let more: [&[u8]; 5] =
            [b"\xC0\x80", b"\xEE\xB9\x9F", b"\xF0\x80\x80\x80", b"\xF8\x80\x80\x80\x80", &[0xBF; 30]];
        all.extend(more.map(<[u8]>::to_vec));
        all
    }

    /// A random text.
    fn long(&self, pieces: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
        let (count, rarity) = (1 + rng.below(60), [1, 5, usize::MAX][rng.below(3)]);
        if self.from != Scheme::CorrectedUtf8 {
            return long(&oracle(self.from), pieces, count, rarity, rng);
        }
        let mut bytes = Vec::new();
        for piece in 0..count {
            if rng.below(rarity) == 0 {
                bytes.extend(&pieces[rng.below(pieces.len())]);
            } else {
                let text = ["plain text, of some length", "áéíóúñß", "漢字かな交じり文", "🪨🦀"][piece % 4];
                transcode_append::<Utf8, CorrectedUtf8>(text.as_bytes(), &mut bytes).expect("text");
            }
        }
        bytes
    }

    /// Into an output of so many bytes.
    fn ask_partial(&self, text: &[u8], room: usize) {
        let (mut found, mut truth) = (vec![0xC5; room], vec![0xC5; room]);
        let result = self.from.transcode_partial(self.to, text, &mut found);
        let expected = (self.partial)(text, &mut truth);
        let (from, to) = (self.from, self.to);
        assert_eq!(result, expected, "{from} to {to}, {room} bytes of output, {text:02X?}");
        let written = result.map_or_else(|error| error.written, |progress| progress.written);
        assert!(found[..written] == truth[..written], "{from} to {to}, {room} bytes of output, {text:02X?}");
    }

    /// Past each error, as a program does that goes on behind it: what comes next begins with anything.
    fn ask_past_errors(&self, text: &[u8]) {
        let (mut at, most) = (0, (self.most)(text.len()));
        while at < text.len() {
            let rest = &text[at..];
            self.ask_partial(rest, most);
            match (self.partial)(rest, &mut vec![0; most]) {
                Ok(_) => break,
                Err(error) => at += error.read + self.from.step(&rest[error.read..]).max(1),
            }
        }
    }

    /// A repair into an output of its very length, and of one byte less.
    fn ask_room(&self, text: &[u8], policy: Policy<'_>, expected: Repaired, truth: &[u8]) {
        let (from, to) = (self.from, self.to);
        let mut room = vec![0xC5; truth.len()];
        let result = from.transcode_lossy(to, text, &mut room, policy);
        assert_eq!(result, Ok(expected), "{from} to {to}, {policy:?}, {text:02X?}");
        assert!(room == truth, "{from} to {to}, {policy:?}, {text:02X?}");
        if let Some(less) = truth.len().checked_sub(1) {
            let error = from.transcode_lossy(to, text, &mut room[..less], policy).unwrap_err();
            assert_eq!(error.reason, Reason::OutputFull);
            assert!(error.read <= text.len() && error.written <= less);
        }
    }

    /// What is counted.
    fn ask_lengths(&self, text: &[u8]) {
        let (from, to) = (self.from, self.to);
        assert_eq!(from.transcoded_len(to, text), (self.len)(text), "{from} to {to}, {text:02X?}");
        for units in [text.len(), 0, 1, 2, 3, usize::MAX, usize::MAX - 1] {
            assert_eq!(from.max_transcoded_len(to, units), (self.most)(units), "{from} to {to}, {units}");
        }
        assert_eq!(from.count(text), (self.count)(text));
        let expected = (self.repertoire)(text);
        assert_eq!(from.repertoire(text), expected);
        for each in [Repertoire::Ascii, Repertoire::Latin1, Repertoire::Bmp, Repertoire::Unicode] {
            assert_eq!(from.fits(text, each), (self.fits)(text, each));
        }
    }

    /// As a string: the text, or what the error says, and whether it is borrowed.
    fn ask_text(&self, text: &[u8], policy: Option<Policy<'_>>) {
        let is_borrowed = |text: &Cow<'_, str>| matches!(text, Cow::Borrowed(_));
        let (found, truth) = match policy {
            None => (self.from.transcode_to_str(text), (self.to_str)(text)),
            Some(policy) => (Ok(self.from.repair(text, policy)), Ok((self.repair)(text, policy))),
        };
        let borrowed = (found.as_ref().map(is_borrowed), truth.as_ref().map(is_borrowed));
        assert_eq!(borrowed.0, borrowed.1, "{}, {policy:?}, {text:02X?}", self.from);
        assert_eq!(found, truth, "{}, {policy:?}, {text:02X?}", self.from);
    }

    /// To the end of a vector; returns the length of the output.
    fn ask(&self, text: &[u8], policy: Option<Policy<'_>>) -> usize {
        self.ask_text(text, policy);
        let (mut found, mut truth) = (b"before".to_vec(), b"before".to_vec());
        let (from, to) = (self.from, self.to);
        match policy {
            None => assert_eq!(
                from.transcode_append(to, text, &mut found),
                (self.append)(text, &mut truth),
                "{from} to {to}, {text:02X?}"
            ),
            Some(policy) => {
                let expected = (self.lossy)(text, &mut truth, policy);
                let found = from.transcode_lossy_append(to, text, &mut found, policy);
                assert_eq!(found, expected, "{from} to {to}, {policy:?}, {text:02X?}");
                assert_eq!(
                    from.transcode_lossy_len(to, text, policy),
                    expected,
                    "{from} to {to}, {policy:?}, the length, {text:02X?}"
                );
                self.ask_room(text, policy, expected, &truth["before".len()..]);
            }
        }
        assert!(found == truth, "{from} to {to}, {policy:?}, {text:02X?}");
        truth.len() - "before".len()
    }
}

#[test]
fn short_texts_in_every_room() {
    let policies = policies();
    let mut turn = 0;
    for row in rows() {
        let pieces = row.pieces();
        let often = size(3, 7, 11);
        for first in &pieces {
            for second in pieces.iter().skip(turn % often).step_by(often) {
                turn += 1;
                let text = [&first[..], b"ab\0\0", &second[..], &second[..]].concat();
                let len = row.ask(&text, None);
                row.ask_lengths(&text);
                for room in 0..=len + 7 {
                    row.ask_partial(&text, room);
                }
                row.ask(&text, policies[turn % policies.len()]);
            }
        }
    }
}

#[test]
fn long_texts() {
    let mut rng = Rng::new(76);
    for row in rows() {
        let pieces = row.pieces();
        for policy in policies() {
            for _ in 0..size(12, 3, 1) {
                let text = row.long(&pieces, &mut rng);
                let len = row.ask(&text, policy);
                row.ask_lengths(&text);
                for room in [rng.below(len + 1), rng.below(len + 1), len, len + 1] {
                    row.ask_partial(&text, room);
                }
                row.ask_past_errors(&text);
            }
        }
    }
}

/// A replacement may be longer than all the room that there is at first.
#[test]
fn room_grows() {
    let replacement = "long ".repeat(1000);
    for row in rows() {
        row.ask(&[0xFF; 9], Some(Policy::With(&replacement)));
        row.ask(&[0; 4000], None);
    }
}

/// All pairs: a length is that of what is written, and a step is what a character or an error has.
#[test]
fn lengths_are_those_of_outputs() {
    for text in ["", "plain", "d\u{E9}j\u{E0} vu", "\u{16B1}\u{FA}na, \u{1FAA8}\u{1F980} \u{10FFFF}"] {
        for from in Scheme::ALL {
            let mut source = Vec::new();
            if Scheme::Utf8.transcode_append(from, text.as_bytes(), &mut source).is_err() {
                continue;
            }
            assert_eq!(from.count(&source), text.chars().count(), "{from}");
            let (mut at, mut steps) = (0, 0);
            while at < source.len() {
                at += from.step(&source[at..]);
                steps += 1;
            }
            assert_eq!((at, steps), (source.len(), text.chars().count()), "{from}");
            for to in Scheme::ALL {
                let (mut target, mut expected) = (Vec::new(), Vec::new());
                let outcome = from.transcode_append(to, &source, &mut target).is_ok();
                let has_all = Scheme::Utf8.transcode_append(to, text.as_bytes(), &mut expected).is_ok();
                assert_eq!((outcome, &target), (has_all, &expected), "{from} to {to}, {text}");
                if !has_all {
                    assert!(matches!(to, Scheme::Latin1 | Scheme::Ascii), "{to}, {text}");
                    continue;
                }
                assert_eq!(from.transcoded_len(to, &source), target.len(), "{from} to {to}, {text}");
                assert!(from.max_transcoded_len(to, source.len()) >= target.len(), "{from} to {to}, {text}");
            }
        }
    }
    assert_eq!(Scheme::Utf8.step(b""), 0);
    assert_eq!(Scheme::Utf8.step(b"\xF0\x9F\xA6!"), 3);
}

/// A length that is counted is never more than what is said to be the most, whatever the text: for every pair, and every short
/// text of units at the bounds between the lengths of characters.
#[test]
fn lengths_are_within_their_bounds() {
    let bytes: [&[u8]; 16] = [
        b"\0", b"a", b"\x80", b"\xBF", b"\xC0", b"\xC3", b"\xE0", b"\xED", b"\xA0", b"\xB0", b"\xEF",
        b"\xF0", b"\xF4", b"\xF8", b"\xFE", b"\xFF",
    ];
    let units: [&[u8]; 10] = [
        b"\0\0",
        b"\0a",
        b"\xD8\0",
        b"\0\xD8",
        b"\xDC\0",
        b"\0\xDC",
        b"\x08\xA0",
        b"\xFF\xFF",
        b"\0\x10",
        b"\x11\0",
    ];
    for pieces in [&bytes[..], &units[..]] {
        for first in pieces {
            for second in pieces {
                for third in pieces.iter().chain([&&b""[..]]) {
                    let text = [*first, *second, *third].concat();
                    for from in Scheme::ALL {
                        for to in Scheme::ALL {
                            let (len, most) =
                                (from.transcoded_len(to, &text), from.max_transcoded_len(to, text.len()));
                            assert!(len <= most, "{from} to {to}, {text:02X?}: {len}, at most {most}");
                        }
                    }
                }
            }
        }
    }
}
