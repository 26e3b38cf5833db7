//! What the real programs did, row by row.

use runecast::{Engine, Replacement, Utf8, Utf16, Utf32};

use super::model::{Piece, eight};
use crate::common::check::engines;

/// The code points that come out, in UTF-32, which can hold all of them.
fn points(engine: Engine, bytes: &[u8], replacement: Replacement) -> Vec<u32> {
    let mut units = Vec::new();
    engine.transcode_lossy_append::<Utf8, Utf32>(bytes, &mut units, replacement);
    units
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| *byte != b' ').collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// The rows of a table, without the lines about it.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect())
}

fn of_model(bytes: &[u8], replacement: Replacement) -> Vec<u32> {
    let point = |piece| match piece {
        Piece::Point(point) => point,
        Piece::Bad(..) => 0xFFFD,
    };
    eight(replacement, bytes).into_iter().map(point).collect()
}

#[test]
fn the_survey() {
    let mut seen = 0;
    for row in rows(include_str!("../../../data/broken_utf8.tsv")) {
        let [_, label, input, counts, python2] = row[..] else { panic!("{row:?}") };
        let input = bytes(input);
        for (replacement, count) in Replacement::ALL.into_iter().zip(counts.split(' ')) {
            let count: usize = count.parse().unwrap();
            for engine in engines() {
                for behind in [
                    "",
                    "<",
                    "\u{2028}and so on, far enough for any vector, whatever its width is 1234567890",
                ] {
                    let mut all = input.clone();
                    all.extend(behind.bytes());
                    let mut points = points(engine, &all, replacement);
                    let replaced = points.iter().filter(|point| **point == 0xFFFD).count();
                    assert_eq!(replaced, count, "{label}, {input:02X?}, {replacement}, {engine:?}");
                    if replacement == Replacement::Python2 {
                        points.truncate(points.len() - behind.chars().count());
                        let shown: Vec<String> = points
                            .iter()
                            .map(|p| if *p == 0xFFFD { "*".into() } else { format!("{p:X}") })
                            .collect();
                        assert_eq!(shown.join(" "), python2, "{input:02X?}");
                    }
                }
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 61 * 7);
}

#[test]
fn all_strings_of_boundary_bytes() {
    let mut seen = 0;
    for row in rows(include_str!("../../../data/replacement_matrix.tsv")) {
        let input = bytes(row[0]);
        for (index, replacement) in Replacement::ALL.into_iter().enumerate() {
            let cell = match row.get(1 + index) {
                None | Some(&"=") => row[1],
                Some(cell) => cell,
            };
            let expected: Vec<u32> = cell
                .split(' ')
                .map(|point| if point == "*" { 0xFFFD } else { u32::from_str_radix(point, 16).unwrap() })
                .collect();
            assert_eq!(of_model(&input, replacement), expected, "the model: {input:02X?}, {replacement}");
            for engine in engines() {
                assert_eq!(
                    points(engine, &input, replacement),
                    expected,
                    "{input:02X?}, {replacement}, {engine:?}"
                );
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 30_783);
}

/// What Python 2 decodes: surrogates stay where a target has them, and may pair up in UTF-16.
#[test]
fn surrogates_of_python2() {
    let bytes = b"\xED\xA0\xBD\xED\xB2\xA9";
    let engine = Engine::current();
    let mut units = Vec::new();
    let repaired = engine.transcode_lossy_append::<Utf8, Utf16>(bytes, &mut units, Replacement::Python2);
    assert_eq!((units, repaired.replaced, repaired.first), (vec![0xD83D, 0xDCA9], 0, None));
    assert_eq!(points(engine, bytes, Replacement::Python2), [0xD83D, 0xDCA9]);
    assert_eq!(runecast::repair::<Utf8>(bytes, Replacement::Python2), "\u{FFFD}\u{FFFD}");
}

/// Perl's own forms, of which no table knows.
#[test]
fn long_forms_of_perl5() {
    let count = |bytes: &[u8]| {
        let model = of_model(bytes, Replacement::Perl5);
        assert_eq!(points(Engine::current(), bytes, Replacement::Perl5), model, "{bytes:02X?}");
        model.len()
    };
    assert_eq!(count(b"\xFE\x82\x80\x80\x80\x80\x80"), 1);
    assert_eq!(count(b"\xFE\x81\xBF\xBF\xBF\xBF\xBF"), 7);
    assert_eq!(count(b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80"), 1);
    assert_eq!(count(b"\xFF\x80\x80\x80\x80\x80\x80\xBF\xBF\xBF\xBF\xBF\xBF"), 13);
    assert_eq!(count(b"\xFF\x80\x8F\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF"), 1);
    assert_eq!(count(b"\xFF\x80\x90\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"), 13);
    assert_eq!(count(b"\xEF\xBF\xBE\xF0\x9F\xBF\xBF\xEF\xB7\x90\xEF\xB7\xB0"), 4);
}
