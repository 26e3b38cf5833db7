//! Which characters a text has, in Corrected UTF-8: there lead bytes alone do not say it.

use runecast::{CorrectedUtf8, Engine, Repertoire, Utf8, Utf16, fits, repertoire, transcode_to_vec};

const ALL: [Repertoire; 4] = [Repertoire::Ascii, Repertoire::Latin1, Repertoire::Bmp, Repertoire::Unicode];

fn of(character: char) -> Repertoire {
    match character {
        '\0'..='\x7F' => Repertoire::Ascii,
        '\u{80}'..='\u{FF}' => Repertoire::Latin1,
        '\u{100}'..='\u{FFFF}' => Repertoire::Bmp,
        _ => Repertoire::Unicode,
    }
}

#[test]
fn the_greatest_character_decides() {
    let edges = [
        '\x7F',
        '\u{A0}',
        '\u{FF}',
        '\u{100}',
        '\u{7FF}',
        '\u{8A0}',
        '\u{FFFF}',
        '\u{1_0000}',
        '\u{10_FFFF}',
    ];
    for engine in Engine::available() {
        for character in edges {
            for (before, after) in [(0, 0), (1, 1), (63, 0), (0, 64), (62, 3), (200, 70)] {
                let text = format!("{}{character}{}", "a".repeat(before), "\u{A9}".repeat(after));
                let expected = if after > 0 { of(character).max(Repertoire::Latin1) } else { of(character) };
                let corrected =
                    transcode_to_vec::<Utf8, CorrectedUtf8>(text.as_bytes()).expect("representable");
                let units: Vec<u16> = text.encode_utf16().collect();
                assert_eq!(
                    engine.repertoire::<CorrectedUtf8>(&corrected),
                    expected,
                    "{character:?} {before}"
                );
                assert_eq!(engine.repertoire::<Utf8>(text.as_bytes()), expected, "{character:?} {before}");
                assert_eq!(engine.repertoire::<Utf16>(&units), expected, "{character:?} {before}");
                assert_eq!(repertoire::<CorrectedUtf8>(&corrected), expected);
                for wanted in ALL {
                    let does = expected <= wanted;
                    assert_eq!(
                        engine.fits::<CorrectedUtf8>(&corrected, wanted),
                        does,
                        "{character:?} {wanted:?}"
                    );
                    assert_eq!(
                        engine.fits::<Utf8>(text.as_bytes(), wanted),
                        does,
                        "{character:?} {wanted:?}"
                    );
                    assert_eq!(fits::<CorrectedUtf8>(&corrected, wanted), does, "{character:?} {wanted:?}");
                    assert_eq!(fits::<Utf16>(&units, wanted), does, "{character:?} {wanted:?}");
                }
            }
        }
    }
}
