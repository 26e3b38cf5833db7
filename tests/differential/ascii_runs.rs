//! Text that is ASCII for a while.
//!
//! Repair goes through ASCII a chunk at a time, replaces a byte there by itself, and judges as text what it cannot pass: what it believes
//! about the bytes before must be true wherever chunks end, and however close things are. Conversions have a loop for ASCII and others,
//! each of which gives way to the other, with less and less room.

use runecast::{Encoding, Engine, Latin1, Reason, Replacement, Utf8, Utf16, Utf32};

use crate::common::check::engines;
use crate::common::scale;
use crate::common::texts::Rng;

/// What stands in ASCII: bytes that no sequence begins with, sequences that are cut short, and characters.
const PIECES: [&[u8]; 12] = [
    b"\xFF",
    b"\x80",
    b"\xC1",
    b"\xF5\xBF",
    b"\xC3",
    b"\xE2\x82",
    b"\xF0\x9F\x92",
    b"\xED\xA0\x80",
    "é".as_bytes(),
    "€".as_bytes(),
    "💖".as_bytes(),
    "💖€é".as_bytes(),
];

/// Bytes from one piece to the next.
const GAPS: [usize; 16] = [0, 1, 2, 3, 4, 31, 39, 60, 64, 65, 127, 192, 195, 253, 256, 259];

/// Two pieces at every distance that a loop could take for near or far, behind so much ASCII that they lie across the ends of blocks
/// and chunks, and a third that is wrong behind them.
#[test]
fn pieces_in_ascii_are_replaced_as_std_does() {
    let engines = engines();
    let mut dst = vec![0; 4096];
    let befores = (0..=512).step_by(64).flat_map(|end: usize| end.saturating_sub(5)..end + 4);
    for before in befores.step_by(scale::step(1, 11)) {
        for first in PIECES {
            for second in PIECES {
                for gap in GAPS.into_iter().step_by(scale::step(1, 3)) {
                    let mut bytes = vec![b'a'; before];
                    bytes.extend_from_slice(first);
                    bytes.resize(bytes.len() + gap, b'b');
                    bytes.extend_from_slice(second);
                    bytes.resize(bytes.len() + 300, b'c');
                    bytes.extend_from_slice(b"\xFE");
                    bytes.resize(bytes.len() + 70, b'd');
                    let expected = String::from_utf8_lossy(&bytes);
                    let replaced = expected.matches('\u{FFFD}').count();
                    for engine in &engines {
                        let place = || format!("{}: {before} {first:X?} {gap} {second:X?}", engine.isa());
                        let repaired =
                            engine.transcode_lossy::<Utf8, Utf8>(&bytes, &mut dst, Replacement::Whatwg);
                        let repaired = repaired.expect("there is room");
                        assert_eq!(&dst[..repaired.written], expected.as_bytes(), "{}", place());
                        assert_eq!(repaired.replaced, replaced, "{}", place());
                        let at = std::str::from_utf8(&bytes).map_err(|error| error.valid_up_to()).err();
                        assert_eq!(repaired.first, at, "{}", place());
                    }
                }
            }
        }
    }
}

/// Runs of ASCII and of other characters of Latin-1, of up to so many characters.
fn runs(rng: &mut Rng, longest: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for run in 0..2 + rng.below(40) {
        let share = [0, 1, 2, 8, 100][rng.below(5)] * (run % 2);
        for _ in 0..rng.below(longest) {
            let byte = rng.below(128) as u8;
            text.push(if rng.below(100) < share { byte | 0x80 } else { byte });
        }
    }
    text
}

/// Latin-1 to UTF-8, and that to UTF-16, with enough room and with less.
#[test]
fn loops_give_way_to_each_other() {
    let engines = engines();
    let mut rng = Rng::new(31);
    for turn in 0..scale::size(600, 200, 20) {
        let latin = runs(&mut rng, [40, 300, 3000][turn % 3]);
        let text: String = latin.iter().map(|&byte| char::from(byte)).collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        // How much the characters take, one after the other.
        let room = rng.below(text.len() + 1);
        let fit = text
            .char_indices()
            .map(|(at, character)| at + character.len_utf8())
            .take_while(|&end| end <= room);
        let (read, written) = fit.fold((0, 0), |(read, _), end| (read + 1, end));
        for engine in &engines {
            let name = engine.isa().name();
            let mut dst = vec![0; text.len()];
            assert_eq!(engine.transcode::<Latin1, Utf8>(&latin, &mut dst), Ok(text.len()), "{name}");
            assert_eq!(dst, text.as_bytes(), "{name}");
            let mut dst = vec![0xAA; room];
            match engine.transcode::<Latin1, Utf8>(&latin, &mut dst) {
                Ok(len) => assert_eq!(len, text.len(), "{name}"),
                Err(error) => {
                    assert_eq!(error.reason, Reason::OutputFull, "{name}");
                    assert_eq!((error.read, error.written), (read, written), "{name}");
                    assert_eq!(dst[..written], text.as_bytes()[..written], "{name}");
                }
            }
            let mut dst = vec![0; units.len()];
            assert_eq!(engine.transcode::<Utf8, Utf16>(text.as_bytes(), &mut dst), Ok(units.len()), "{name}");
            assert_eq!(dst, units, "{name}");
            let most = room.min(units.len());
            let mut dst = vec![0; most];
            if let Err(error) = engine.transcode::<Utf8, Utf16>(text.as_bytes(), &mut dst) {
                assert_eq!((error.reason, error.written), (Reason::OutputFull, most), "{name}");
            }
            assert_eq!(dst, units[..most], "{name}");
        }
    }
}

/// That a conversion stops at the ill-formed sequence at `at`, when it has written `before`.
fn stops<D: Encoding>(engine: Engine, bytes: &[u8], at: usize, before: &[D::Unit], place: &str) {
    let mut dst = vec![D::Unit::default(); bytes.len()];
    let error = engine.transcode::<Utf8, D>(bytes, &mut dst).expect_err(place);
    assert!(matches!(error.reason, Reason::IllFormed(error) if error.at == at), "{place}: {error:?}");
    assert_eq!((error.read, &dst[..error.written]), (at, before), "{place}");
}

/// A character that is cut short right before ASCII that ends the text: a kernel may convert the last blocks by themselves, once it knows what
/// is before them.
#[test]
fn a_character_cut_short_before_the_last_ascii_is_an_error() {
    let engines = engines();
    for before in 1000..1300 {
        let mut text = "é".repeat(before / 2);
        text.push_str(&"a"[..before % 2]);
        let latin: Vec<u8> = text.chars().map(|character| u32::from(character) as u8).collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        let points: Vec<u32> = text.chars().map(u32::from).collect();
        for cut in [&b"\xC3"[..], b"\xE2", b"\xF0", b"\xE2\x82", b"\xF0\x9F\x92"] {
            for behind in [63, 64, 65, 127, 128, 129, 200, 256] {
                let bytes = [text.as_bytes(), cut, &vec![b'a'; behind][..]].concat();
                let at = std::str::from_utf8(&bytes).expect_err("it is cut short").valid_up_to();
                for &engine in &engines {
                    let place = format!("{}: {before} {cut:X?} {behind}", engine.isa());
                    stops::<Latin1>(engine, &bytes, at, &latin, &place);
                    stops::<Utf16>(engine, &bytes, at, &units, &place);
                    stops::<Utf32>(engine, &bytes, at, &points, &place);
                }
            }
        }
    }
}
