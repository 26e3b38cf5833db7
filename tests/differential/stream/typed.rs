//! Transcoders between types: every policy, cut, engine and small output, by one pair of each kind.

use bytemuck::{cast_slice, cast_slice_mut};
use runecast::{
    Ascii, Bom, Cesu8, Encoding, GeneralizedUtf8, Latin1, Mutf8, Reason, TranscodeError, Transcoder, Utf8,
    Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, WobblyCesu8, Wtf8, Wtf16,
};

use super::model::{Drive, Outcome, Row, policies};
use super::vectors::{cuts, long, pieces, random_cuts};
use crate::common::check::engines;
use crate::common::oracle;
use crate::common::scale::size;
use crate::common::texts::Rng;

pub fn row<S: Encoding<Unit: bytemuck::Pod>, D: Encoding<Unit: bytemuck::Pod>>(
    source: oracle::Encoding,
    target: oracle::Encoding,
) -> Row {
    Row {
        source,
        target,
        stream: |text, drive| {
            let transcoder = match drive.policy {
                None => Transcoder::<S, D>::strict(),
                Some(policy) => Transcoder::lossy(policy),
            };
            let mut transcoder = transcoder.with_engine(drive.engine);
            let units = (size_of::<S::Unit>(), size_of::<D::Unit>());
            drive.run(text, units, |chunk, output, last| {
                transcoder.transcode(cast_slice(chunk), cast_slice_mut(output), last)
            })
        },
        at_once: |engine, policy, text| {
            let mut units = Vec::new();
            let (replaced, first, error) = match policy {
                None => {
                    let outcome = engine.transcode_append::<S, D>(cast_slice(text), &mut units);
                    (0, None, outcome.err().map(|error| error.reason))
                }
                Some(policy) => {
                    let repaired =
                        engine.transcode_lossy_append::<S, D>(cast_slice(text), &mut units, policy);
                    (repaired.replaced, repaired.first, None)
                }
            };
            Outcome { out: cast_slice(&units).to_vec(), replaced, first, error }
        },
    }
}

fn rows() -> [Row; 16] {
    [
        row::<Utf8, Utf8>(oracle::UTF8, oracle::UTF8),
        row::<Utf8, Utf16>(oracle::UTF8, oracle::UTF16),
        row::<Utf8, Utf32Be>(oracle::UTF8, oracle::UTF32BE),
        row::<Utf8, Latin1>(oracle::UTF8, oracle::LATIN1),
        row::<Utf16, Utf8>(oracle::UTF16, oracle::UTF8),
        row::<Utf16Le, Utf8>(oracle::UTF16LE, oracle::UTF8),
        row::<Utf32Be, Utf16Be>(oracle::UTF32BE, oracle::UTF16BE),
        row::<Utf32, Utf8>(oracle::UTF32, oracle::UTF8),
        row::<Ascii, Utf16>(oracle::ASCII, oracle::UTF16),
        row::<Wtf8, Wtf16>(oracle::WTF8, oracle::WTF16),
        row::<Wtf16, Wtf8>(oracle::WTF16, oracle::WTF8),
        row::<Wtf8, Wtf8>(oracle::WTF8, oracle::WTF8),
        row::<GeneralizedUtf8, Wtf8>(oracle::GENERALIZED, oracle::WTF8),
        row::<Cesu8, Utf8>(oracle::CESU8, oracle::UTF8),
        row::<Utf8, Mutf8>(oracle::UTF8, oracle::MUTF8),
        row::<WobblyCesu8, GeneralizedUtf8>(oracle::WOBBLY_CESU8, oracle::GENERALIZED),
    ]
}

/// Rooms of outputs, in units.
pub const ROOMS: [&[usize]; 7] = [&[0, 1, 2, 3, 4, 5, 6, 7, 8], &[1], &[3], &[4, 8], &[6], &[7, 0], &[1000]];

/// Every short text, cut anywhere, by turns with each policy, engine and room.
pub fn short_texts(rows: &[Row]) {
    let (all, policies) = (engines(), policies());
    let mut turn = 0;
    for row in rows {
        let pieces = pieces(&row.source);
        let substitute = row.substitute();
        // Where there are many, not each behind each.
        let often = size(5, 17, 29);
        for first in &pieces {
            for second in pieces.iter().skip(turn % often).step_by(if pieces.len() > 20 { often } else { 1 })
            {
                turn += 1;
                let text = [&first[..], &second[..]].concat();
                let mut number = 0;
                cuts(text.len() / row.source.unit, |cuts| {
                    number += 1;
                    let policy = policies[(turn + number) % policies.len()];
                    let engine = all[(turn + number / 3) % all.len()];
                    let rooms = ROOMS[(turn + number / 2) % ROOMS.len()];
                    row.ask(&text, &Drive { engine, policy, cuts, rooms, instead: None });
                    let instead = Some(&substitute[..]).filter(|_| number % 5 == 0);
                    row.ask(&text, &Drive { engine, policy: None, cuts, rooms, instead });
                });
            }
        }
    }
}

/// Long texts, cut at random, with each policy and engine.
pub fn long_texts(rows: &[Row], seed: u64) {
    let mut rng = Rng::new(seed);
    for row in rows {
        let pieces = pieces(&row.source);
        for policy in policies() {
            for round in 0..size(12, 3, 1) {
                let rarity = [1, 3, 20, usize::MAX][(round + rng.below(2)) % 4];
                let text = long(&row.source, &pieces, 1 + rng.below(30), rarity, &mut rng);
                for engine in engines() {
                    let most = [1, 6, 80, 900][rng.below(4)];
                    let cuts = random_cuts(text.len() / row.source.unit, most, &mut rng);
                    let rooms = [&[6, 100, 0, 300][..], &[8], &[64, 65], &[4096]][rng.below(4)];
                    row.ask(&text, &Drive { engine, policy, cuts: &cuts, rooms, instead: None });
                }
            }
        }
    }
}

#[test]
fn every_short_text_cut_anywhere() {
    short_texts(&rows());
}

#[test]
fn long_texts_cut_at_random() {
    long_texts(&rows(), 72);
}

/// What grows: vectors and strings.
#[test]
fn appended() {
    let mut rng = Rng::new(73);
    let pieces = pieces(&oracle::UTF8);
    for policy in policies() {
        for _ in 0..size(40, 15, 5) {
            let text = long(&oracle::UTF8, &pieces, 10, 3, &mut rng);
            let cuts = random_cuts(text.len(), 30, &mut rng);
            let mut transcoder = match policy {
                None => Transcoder::<Utf8, Utf8>::strict(),
                Some(policy) => Transcoder::lossy(policy),
            };
            let mut string = String::from("in front ");
            let mut push =
                |begin: usize, end: usize| transcoder.push_to_string(&text[begin..end], &mut string);
            let mut begin = 0;
            let mut outcome: Result<usize, TranscodeError> = Ok(0);
            for cut in cuts.into_iter().chain([text.len()]) {
                outcome = outcome.and_then(|replaced| Ok(replaced + push(begin, cut)?.replaced));
                begin = cut;
            }
            let outcome = outcome
                .and_then(|replaced| Ok(replaced + transcoder.finish_to_string(&mut string)?.replaced))
                .map_err(|error| error.reason);
            let row = row::<Utf8, Utf8>(oracle::UTF8, oracle::UTF8);
            let truth = (row.at_once)(runecast::Engine::current(), policy, &text);
            assert_eq!(string.as_bytes().strip_prefix(b"in front "), Some(&truth.out[..]));
            assert_eq!(outcome, truth.error.map_or(Ok(truth.replaced), Err));
        }
    }
}

/// A mark is left out at the very beginning, in any chunks, and nowhere else.
#[test]
fn byte_order_marks() {
    let texts: [&[u8]; 7] = [
        b"",
        b"\xEF",
        b"\xEF\xBB",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB\xBFa\xEF\xBB\xBF",
        b"\xEF\xBB!",
        b"\xEF\xBF\xBD",
    ];
    for text in texts {
        for bom in [Bom::Keep, Bom::Strip, Bom::Sniff] {
            let rest =
                if bom == Bom::Keep { text } else { text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text) };
            cuts(text.len(), |cuts| {
                let mut transcoder = Transcoder::<Utf8, Utf8>::lossy("?").with_bom(bom);
                // Twice, for the second text begins anew.
                for _ in 0..2 {
                    let drive = Drive {
                        engine: runecast::Engine::current(),
                        policy: None,
                        cuts,
                        rooms: &[6],
                        instead: None,
                    };
                    let found =
                        drive.run(text, (1, 1), |chunk, out, last| transcoder.transcode(chunk, out, last));
                    assert_eq!(
                        found.out,
                        runecast::repair::<Utf8>(rest, "?").as_bytes(),
                        "{text:02X?} {cuts:?}"
                    );
                }
            });
        }
    }
}

/// The sequence at fault may have begun in a chunk before; offsets are those of the whole text.
#[test]
fn errors_before_the_chunk() {
    let mut transcoder = Transcoder::<Utf8, Utf16>::strict();
    let mut units = Vec::new();
    transcoder.push_to_vec(b"ab\xF0\x9F", &mut units).expect("what may go on");
    let error = transcoder.push_to_vec(b"cd", &mut units).expect_err("F0 9F 63");
    assert!(matches!(error.reason, Reason::IllFormed(error) if (error.at, error.len) == (2, 2)));
    assert_eq!((error.read, error.written, transcoder.offset()), (0, 0, 4));
    transcoder.push_to_vec(b"cd", &mut units).expect("text");
    transcoder.finish_to_vec(&mut units).expect("the end");
    assert_eq!(String::from_utf16_lossy(&units), "abcd");
}

/// The pieces between the cuts.
fn chunks<'t>(text: &'t [u8], cuts: &[usize]) -> impl Iterator<Item = &'t [u8]> {
    let ends = cuts.iter().copied().chain([text.len()]);
    ends.scan(0, |begin, end| text.get(std::mem::replace(begin, end)..end))
}

/// What was left out at the beginning counts in offsets.
#[test]
fn errors_behind_a_mark() {
    let text = b"\xEF\xBB\xBFab\xFF";
    cuts(text.len(), |cuts| {
        let mut transcoder = Transcoder::<Utf8, Utf16>::strict().with_bom(Bom::Strip);
        let mut units = Vec::new();
        let failed = chunks(text, cuts).find_map(|chunk| transcoder.push_to_vec(chunk, &mut units).err());
        let Reason::IllFormed(error) = failed.expect("FF is in the last chunk, or before").reason else {
            panic!("another error");
        };
        assert_eq!((error.at, transcoder.offset(), &units[..]), (5, 6, &[0x61, 0x62][..]), "{cuts:?}");
    });
}

/// Nothing is written for what is ill-formed, if that is asked for: but behind a high surrogate, which what comes next
/// might make a pair with. A character between them that was cut parts them as well.
#[test]
fn nothing_behind_a_high_surrogate() {
    let rows: [(&[u8], &[u8]); 2] = [
        (b"\xED\xA0\x80\xC3\xA9\xFFa", b"\xED\xA0\x80\xC3\xA9a"),
        (b"\xED\xA0\x80\xFF\xED\xB0\x80", b"\xED\xA0\x80\xEF\xBF\xBD\xED\xB0\x80"),
    ];
    for (text, expected) in rows {
        cuts(text.len(), |cuts| {
            let mut transcoder = Transcoder::<Wtf8, Wtf8>::lossy("");
            let mut out = Vec::new();
            for chunk in chunks(text, cuts) {
                transcoder.push_to_vec(chunk, &mut out).expect("a policy");
            }
            transcoder.finish_to_vec(&mut out).expect("a policy");
            assert_eq!(out, expected, "{cuts:?}");
        });
    }
}
