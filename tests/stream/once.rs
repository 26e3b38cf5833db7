//! Conversions at once between values, held to the typed functions: what was read and written, where an
//! error is and what it says, in outputs of every size; and repairs by every policy.

use runecast::{
    Ascii, Cesu8, CorrectedUtf8, Encoding, GeneralizedUtf8, Latin1, Mutf8, Policy, Progress, Repaired,
    Scheme, TranscodeError, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8,
    Wtf16Le, transcode_append, transcode_lossy_append, transcode_partial,
};

use super::any::oracle;
use super::model::policies;
use super::vectors::{long, pieces};
use crate::common::oracle::UTF8;
use crate::common::scale::{size, small};
use crate::common::texts::Rng;

/// A pair, and its typed functions.
struct Row {
    from: Scheme,
    to: Scheme,
    partial: fn(&[u8], &mut [u8]) -> Result<Progress, TranscodeError>,
    append: fn(&[u8], &mut Vec<u8>) -> Result<usize, TranscodeError>,
    lossy: fn(&[u8], &mut Vec<u8>, Policy<'_>) -> Repaired,
}

fn row<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Row {
    let scheme = |name| Scheme::ALL.into_iter().find(|scheme| scheme.name() == name).expect("a scheme");
    Row {
        from: scheme(S::NAME),
        to: scheme(D::NAME),
        partial: transcode_partial::<S, D>,
        append: transcode_append::<S, D>,
        lossy: |src, dst, policy| transcode_lossy_append::<S, D>(src, dst, policy),
    }
}

/// Direct pairs and chains of each kind: most are compiled for other tests anyway.
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

    /// To the end of a vector; returns the length of the output.
    fn ask(&self, text: &[u8], policy: Option<Policy<'_>>) -> usize {
        let (mut found, mut truth) = (b"before".to_vec(), b"before".to_vec());
        let (from, to) = (self.from, self.to);
        // A defect that is known: a chain has room for the escapes of eight bytes, and a reserved sequence of
        // Corrected UTF-8 may be longer.
        let policy = policy.filter(|policy| {
            from != Scheme::CorrectedUtf8 || to == from || !matches!(policy, Policy::Escape(_))
        });
        match policy {
            None => assert_eq!(
                from.transcode_append(to, text, &mut found),
                (self.append)(text, &mut truth),
                "{from} to {to}, {text:02X?}"
            ),
            Some(policy) => assert_eq!(
                from.transcode_lossy_append(to, text, &mut found, policy),
                (self.lossy)(text, &mut truth, policy),
                "{from} to {to}, {policy:?}, {text:02X?}"
            ),
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
        let often = if small() { 11 } else { 3 };
        for first in &pieces {
            for second in pieces.iter().skip(turn % often).step_by(often) {
                turn += 1;
                let text = [&first[..], b"ab\0\0", &second[..], &second[..]].concat();
                let len = row.ask(&text, None);
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
            for _ in 0..size(12, 1) {
                let text = row.long(&pieces, &mut rng);
                let len = row.ask(&text, policy);
                for room in [rng.below(len + 1), rng.below(len + 1), len, len + 1] {
                    row.ask_partial(&text, room);
                }
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
