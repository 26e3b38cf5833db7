//! Lengths, counts and repertoires: of well-formed text they are what the oracle's characters amount
//! to; of any other text they are the sums over units that the documentation states.

use runecast::{Engine, Repertoire};

use super::text::{characters, irregular};
use crate::common::check::engines;
use crate::common::oracle::{Decoded, Encoding, Family, Surrogates};
use crate::common::place::Place;
use crate::common::scale::size;
use crate::common::texts::{Class, Rng};
use crate::encodings::expected::{End, Expected, blame};
use crate::encodings::pairs::{PAIRS, Pair, sources};

/// Asks every engine for every length of `src`.
pub fn ask(pair: &Pair, src: &[u8], decoded: &Decoded, expected: &Expected) {
    let count = beginnings(&pair.source, src);
    let well_formed = decoded.error.is_none();
    if well_formed {
        assert_eq!(count, decoded.characters.len(), "{}", blame(pair, src, 0));
    }
    let len = (pair.len)(Engine::current(), src);
    if pair.has_forms {
        assert_eq!((pair.current_len)(src), len, "transcoded_len: {}", blame(pair, src, 0));
    }
    let all = expected.output.len();
    if well_formed && expected.end == End::Complete {
        assert_eq!(len * pair.target.unit, all, "transcoded_len: {}", blame(pair, src, 0));
    }
    assert!(len * pair.target.unit >= all, "transcoded_len: {}", blame(pair, src, 0));
    let most = (pair.max_len)(src.len() / pair.source.unit);
    assert!(len <= most, "transcoded_len {len}, but max_transcoded_len {most}: {}", blame(pair, src, 0));
    assert_eq!((pair.current_count)(src), count, "count: {}", blame(pair, src, 0));

    let holding = decoded.characters.iter().map(|character| holding(character.0)).max();
    let holding = holding.unwrap_or(Repertoire::Ascii);
    for engine in engines() {
        assert_eq!((pair.len)(engine, src), len, "transcoded_len, {engine:?}: {}", blame(pair, src, 0));
        assert_eq!((pair.count)(engine, src), count, "count, {engine:?}: {}", blame(pair, src, 0));
        let seen = (pair.repertoire)(engine, src);
        if well_formed {
            assert_eq!(seen, holding, "repertoire, {engine:?}: {}", blame(pair, src, 0));
        }
        for repertoire in REPERTOIRES {
            let fits = (pair.fits)(engine, src, repertoire);
            assert_eq!(fits, repertoire >= seen, "{repertoire:?}, {engine:?}: {}", blame(pair, src, 0));
        }
    }
}

const REPERTOIRES: [Repertoire; 4] =
    [Repertoire::Ascii, Repertoire::Latin1, Repertoire::Bmp, Repertoire::Unicode];

/// The smallest repertoire with this character and all before it.
fn holding(character: u32) -> Repertoire {
    match character {
        0..=0x7F => Repertoire::Ascii,
        0x80..=0xFF => Repertoire::Latin1,
        0xD800..=0xDFFF => Repertoire::Unicode,
        0x100..=0xFFFF => Repertoire::Bmp,
        _ => Repertoire::Unicode,
    }
}

/// The code units that may begin a character, as the documentation of `count` has it.
fn beginnings(encoding: &Encoding, src: &[u8]) -> usize {
    let pairs = match encoding.family {
        // Where a pair is one character.
        Family::Leads(rows) if rows.iter().any(|row| row.is_pair()) => {
            src.windows(5).filter(|bytes| matches!(bytes, [0xED, 0xA0..=0xAF, _, 0xED, 0xB0..=0xBF])).count()
        }
        Family::Sixteen if encoding.surrogates == Surrogates::Unpaired => {
            let unit = |at: usize| encoding.decode(&src[2 * at..][..2]).characters[0].0;
            let whole = src.len() / 2;
            let is_pair = |at: &usize| unit(*at) >> 10 == 0x36 && unit(at + 1) >> 10 == 0x37;
            (1..whole).map(|at| at - 1).filter(is_pair).count()
        }
        _ => 0,
    };
    let units = src.chunks_exact(encoding.width());
    let may_begin = |unit: &&[u8]| {
        let top = if encoding.big { unit[0] } else { unit[unit.len() - 1] };
        match encoding.family {
            Family::Eight | Family::Leads(_) => !(0x80..=0xBF).contains(&top),
            Family::Sixteen if encoding.surrogates == Surrogates::Unpaired => true,
            Family::Sixteen => !(0xDC..=0xDF).contains(&top),
            Family::Single | Family::ThirtyTwo => true,
        }
    };
    units.filter(may_begin).count() - pairs
}

/// One unusual character, or half of one, at every place of a long text, at every alignment.
#[test]
fn every_place() {
    let mut rng = Rng::new(21);
    for pair in sources() {
        let mut strange: Vec<Vec<u8>> = ['\u{7F}', '\u{80}', '\u{FF}', '\u{100}', '\u{FFFF}', '\u{10000}']
            .into_iter()
            .filter(|character| u32::from(*character) < pair.source.limit)
            .map(|character| pair.source.encode_all([character]))
            .collect();
        strange.extend(irregular(&pair.source));
        let unit = pair.source.unit;
        for len in [0, 1, 7, 31, 63, 64, 65, 130, size(2100, 2100, 1100)] {
            let plain = characters(Class::ALL[0], 0x80, len, &mut rng);
            let plain = pair.source.encode_all(plain);
            for piece in &strange {
                for at in (0..=plain.len()).step_by(pair.source.width() * (1 + len / size(40, 20, 8))) {
                    let mut bytes = plain.clone();
                    bytes.splice(at..at, piece.iter().copied());
                    let mut place = Place::new(bytes.len() + 64);
                    let src = place.at(at / unit % 64 * unit % 64, &bytes);
                    let decoded = pair.source.decode(src);
                    let expected = Expected::of(&decoded, &pair.target);
                    ask(pair, src, &decoded, &expected);
                }
            }
        }
    }
}

/// The same for sums of pairs of surrogates in 16 bits: so many in a row that a lane with nothing but their second halves would wrap.
#[test]
fn many_pairs_of_surrogates() {
    let count = (1 << 21) + 1000;
    let units: Vec<u16> = [0xD83E, 0xDEA8].repeat(size(count, count, 1 << 15));
    for engine in engines() {
        for units in [&units[..], &units[1..]] {
            let single = usize::from(units[0] == 0xDEA8);
            let characters = (units.len() - single) / 2 + single;
            assert_eq!(engine.count::<runecast::Wtf16>(units), characters, "{engine:?}");
        }
    }
}

/// Lanes in which sums are kept must not overflow: the heaviest units, in a long text.
#[test]
fn heavy_texts() {
    for pair in PAIRS {
        // Of pairs that share their sums with others, less.
        let count = size(1 << 20, if pair.source == pair.target { 1 << 19 } else { 1 << 14 }, 1 << 14);
        for character in ['\u{7F}', '\u{FF}', '\u{7FF}', '\u{FFFD}', '\u{10FFFF}'] {
            if u32::from(character) >= pair.source.limit {
                continue;
            }
            let bytes = pair.source.encode_all([character]).repeat(count);
            let mut place = Place::new(bytes.len() + 64);
            let src = place.at(pair.source.unit, &bytes);
            let mut each = Vec::new();
            if !pair.target.encode(character.into(), &mut each) {
                continue;
            }
            let count = bytes.len() / pair.source.encode_all([character]).len();
            for engine in engines() {
                assert_eq!((pair.count)(engine, src), count, "{engine:?}");
                let len = (pair.len)(engine, src) * pair.target.unit;
                assert_eq!(len, count * each.len(), "{engine:?}: {}", blame(pair, &src[..64], 0));
            }
        }
    }
}

/// Text of some megabytes, for which sums may be made of several places in turns.
#[test]
fn texts_that_are_larger_than_caches() {
    for pair in PAIRS {
        let mut each = Vec::new();
        let known = |character: &char| {
            u32::from(*character) < pair.source.limit && pair.target.encode((*character).into(), &mut each)
        };
        let part: String =
            "a\u{7F}\u{E9}bc\u{3B1}-\u{5BD7}\u{1F600}zz\u{FFFD}\u{FF}".chars().filter(known).collect();
        let bytes = pair.source.encode_all(part.chars());
        // More than 16 MiB, and no multiple of anything.
        let times = size((33 << 19) + 12_345, (33 << 19) + 12_345, 10_000) / bytes.len();
        let text = bytes.repeat(times);
        let mut place = Place::new(text.len() + 64);
        let src = place.at(pair.source.unit, &text);
        for engine in engines() {
            assert_eq!((pair.count)(engine, src), times * part.chars().count(), "{engine:?}");
            let len = (pair.len)(engine, src) * pair.target.unit;
            assert_eq!(len, times * each.len(), "{engine:?}: {}", blame(pair, &src[..64], 0));
        }
    }
}
