//! Offsets, against a naive count at every place.
//!
//! The model goes through a text one character after the other and writes every place down. Then each
//! engine and the map of each are asked all questions about every place there is, and some that there
//! are not. Texts are short where every engine walks for each question, and long where maps have blocks and
//! groups to get wrong; and what is hard to get right (characters across boundaries, CR LF across boundaries, unpaired
//! surrogates) is pushed over the boundaries one unit at a time.

mod model;

use crate::common::check::engines;
use crate::common::scale;
use crate::common::texts::{Class, Rng};
use model::{About, Model};
use runecast::index::{OffsetMap, Text, Unit};

/// Asks all engines and their maps about every `step`-th place of a text.
fn check<T: Text + ?Sized>(text: &T, model: &Model, step: usize) {
    for engine in engines() {
        model.check(&About(engine, text), step);
        check_map(text, model, step, engine);
    }
}

/// Asks the map of an engine.
fn check_map<T: Text + ?Sized>(text: &T, model: &Model, step: usize, engine: runecast::Engine) {
    let map = OffsetMap::with_engine(engine, text);
    model.check(&About(&map, text), step);
    for unit in model::UNITS {
        assert_eq!(map.len(unit), model.len_in(unit));
    }
    assert_eq!(map.lines(), model.lines());
    assert_eq!(map.is_empty(), model.len() == 0);
}

/// Both forms of a text.
fn check_both(text: &str, step: usize) {
    check(text, &Model::of_str(text), step);
    let units: Vec<u16> = text.encode_utf16().collect();
    check(&units[..], &Model::of_utf16(&units), step);
}

/// The maps of both forms of a text.
fn check_maps(text: &str, step: usize) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (of_str, of_utf16) = (Model::of_str(text), Model::of_utf16(&units));
    for engine in engines() {
        check_map(text, &of_str, step, engine);
        check_map(&units[..], &of_utf16, step, engine);
    }
}

/// `text`, with line breaks of all kinds strewn in, one in so many characters.
fn with_breaks(text: &str, one_in: usize, rng: &mut Rng) -> String {
    let mut broken = String::new();
    for character in text.chars() {
        if rng.below(one_in) == 0 {
            broken.push_str(["\n", "\r\n", "\r", "\n\r", "\r\r\n", "\n\n"][rng.below(6)]);
        }
        broken.push(character);
    }
    broken
}

#[test]
fn short_texts_of_all_classes() {
    let mut rng = Rng::new(60);
    for class in Class::ALL {
        for len in (0..=140).step_by(scale::step(5, 13)) {
            check_both(&class.text(len, &mut rng), 1);
            check_both(&with_breaks(&class.text(len, &mut rng), 6, &mut rng), 1);
        }
    }
}

#[test]
fn texts_longer_than_the_steps_of_loops() {
    let mut rng = Rng::new(61);
    for class in Class::ALL {
        for len in [250, 259, 511, 513, 600, 1030, 1400].into_iter().take(scale::size(7, 4, 2)) {
            let text = with_breaks(&class.text(len, &mut rng), 20, &mut rng);
            check_both(&text, scale::step(5, 17));
        }
    }
}

#[test]
fn maps_of_several_groups() {
    let mut rng = Rng::new(62);
    for class in Class::ALL {
        let len = scale::size(100_000, 100_000, 40_000);
        let text = class.text(len, &mut rng);
        // Rarely, so that there are long lines; never; and often.
        for one_in in [3000, usize::MAX, 30] {
            check_maps(&with_breaks(&text, one_in, &mut rng), scale::size(41, 211, 1009));
        }
    }
}

#[test]
fn every_place_of_a_map() {
    let mut rng = Rng::new(63);
    let text = with_breaks(&Class::Mixed.text(scale::size(36_000, 9_000, 2_000), &mut rng), 100, &mut rng);
    check_maps(&text, 1);
    check_maps(&"\n".repeat(scale::size(70_000, 70_000, 2_000)), scale::size(7, 31, 7));
    check_maps(&"\r\n".repeat(scale::size(40_000, 40_000, 2_000)), scale::size(7, 31, 7));
    check_maps(&"-".repeat(scale::size(70_000, 70_000, 2_000)), scale::size(7, 31, 7));
}

/// What spans several units, laid across the boundaries of registers, steps, blocks and groups.
#[test]
fn characters_and_breaks_across_boundaries() {
    let pieces = ["🪨", "ᚱ", "é", "\r\n", "\r", "\n", "\n\r", "\r\r\n", "🪨🪨", "🪨\r\n🪨"];
    for boundary in [16, 32, 64, 256, 512, 1024, 32 << 10, 64 << 10] {
        // Long texts take emulators long.
        let some = if boundary > 1024 { scale::step(3, 7) } else { 1 };
        for piece in pieces.into_iter().step_by(some) {
            for before in (boundary - 5..=boundary + 1).step_by(scale::step(1, 3)) {
                let text = ["-".repeat(before).as_str(), piece, "--"].concat();
                let units: Vec<u16> = text.encode_utf16().collect();
                let (of_str, of_utf16) = (Model::of_str(&text), Model::of_utf16(&units));
                for engine in engines() {
                    let maps = (
                        OffsetMap::with_engine(engine, &text[..]),
                        OffsetMap::with_engine(engine, &units[..]),
                    );
                    for at in before.saturating_sub(3)..=text.len() + 1 {
                        of_str.check_place(&About(engine, &text[..]), at);
                        of_str.check_place(&About(&maps.0, &text[..]), at);
                        of_utf16.check_place(&About(engine, &units[..]), at);
                        of_utf16.check_place(&About(&maps.1, &units[..]), at);
                        of_str.check_offset(&About(engine, &text[..]), at);
                        of_str.check_offset(&About(&maps.0, &text[..]), at);
                        of_utf16.check_offset(&About(engine, &units[..]), at);
                        of_utf16.check_offset(&About(&maps.1, &units[..]), at);
                        of_str.check_position(&About(&maps.0, &text[..]), 0, at);
                        of_utf16.check_position(&About(&maps.1, &units[..]), 0, at);
                    }
                    for line in 0..=4 {
                        for column in 0..=3 {
                            of_str.check_offset(&About(&maps.0, &text[..]), line);
                            of_str.check_position(&About(&maps.0, &text[..]), line, column);
                            of_utf16.check_position(&About(&maps.1, &units[..]), line, column);
                        }
                    }
                }
            }
        }
    }
}

/// UTF-16 as it comes from elsewhere: any units, surrogates more often than not.
#[test]
fn unpaired_surrogates() {
    let mut rng = Rng::new(64);
    let mut units = |len: usize| -> Vec<u16> {
        (0..len)
            .map(|_| match rng.below(8) {
                0 | 1 => 0xD800 + rng.below(0x400) as u16,
                2 | 3 => 0xDC00 + rng.below(0x400) as u16,
                4 => [0x0A, 0x0D, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000][rng.below(8)],
                5 => [0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0, 0x85, 0x2028][rng.below(8)],
                _ => rng.below(0x1_0000) as u16,
            })
            .collect()
    };
    for len in (0..=100).step_by(scale::step(5, 13)) {
        for _ in 0..4 {
            let units = units(len);
            check(&units[..], &Model::of_utf16(&units), 1);
        }
    }
    for len in [300, 520, 1100].into_iter().take(scale::size(3, 2, 1)) {
        let units = units(len);
        check(&units[..], &Model::of_utf16(&units), scale::step(3, 7));
    }
    let long = units(scale::size(50_000, 50_000, 5_000));
    let model = Model::of_utf16(&long);
    for engine in engines() {
        check_map(&long[..], &model, scale::size(3, 23, 101), engine);
    }
}

/// Each walk reads what it may, whichever way it is cut.
#[cfg(unix)]
#[test]
fn against_guard_pages() {
    let mut rng = Rng::new(65);
    let mut guarded = crate::common::guard::Guarded::new(8192);
    for class in Class::ALL {
        for len in (0..=330).chain([511, 512, 513, 1023, 1024, 1100, 1300]).step_by(scale::step(3, 7)) {
            let text = with_breaks(&class.text(len, &mut rng), 9, &mut rng);
            let units: Vec<u16> = text.encode_utf16().collect();
            let (of_str, of_utf16) = (Model::of_str(&text), Model::of_utf16(&units));
            for at_end in [true, false] {
                let mut put = |bytes: &[u8], look: &mut dyn FnMut(&[u8])| {
                    look(if at_end { guarded.at_end(bytes) } else { guarded.at_start(bytes) });
                };
                for engine in engines() {
                    let places = [0, 1, len / 3, len.saturating_sub(1), len, usize::MAX];
                    put(text.as_bytes(), &mut |bytes| {
                        let text = std::str::from_utf8(bytes).expect("it is text");
                        let map = OffsetMap::with_engine(engine, text);
                        for at in places {
                            of_str.check_place(&About(engine, text), at);
                            of_str.check_offset(&About(engine, text), at);
                            of_str.check_place(&About(&map, text), at);
                            of_str.check_offset(&About(&map, text), at);
                        }
                    });
                    put(bytemuck::cast_slice(&units), &mut |bytes| {
                        let text: &[u16] = bytemuck::cast_slice(bytes);
                        let map = OffsetMap::with_engine(engine, text);
                        for at in places {
                            of_utf16.check_place(&About(engine, text), at);
                            of_utf16.check_offset(&About(engine, text), at);
                            of_utf16.check_place(&About(&map, text), at);
                            of_utf16.check_offset(&About(&map, text), at);
                        }
                    });
                }
            }
        }
    }
}

/// Every alignment, for the loops that align.
#[test]
fn at_every_alignment() {
    let mut rng = Rng::new(66);
    // Where every unit counts, none can be passed over unseen.
    for class in [Class::Ascii, Class::Mixed] {
        let text = with_breaks(&class.text(4200, &mut rng), 40, &mut rng);
        let all: Vec<u16> = text.encode_utf16().collect();
        for skip in (0..130).step_by(scale::step(3, 11)) {
            let from = (skip..).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let text = &text[from..];
            let units = &all[skip.min(all.len())..];
            let (of_str, of_utf16) = (Model::of_str(text), Model::of_utf16(units));
            for engine in engines() {
                for at in [700, 1500, 1501, 2900, 4000, usize::MAX] {
                    of_str.check_place(&About(engine, text), at);
                    of_str.check_offset(&About(engine, text), at);
                    of_utf16.check_place(&About(engine, units), at);
                    of_utf16.check_offset(&About(engine, units), at);
                }
            }
        }
    }
}

/// A map that is asked about another text has nothing sensible to say, and says it.
#[test]
fn maps_of_other_texts_do_not_panic() {
    let mut rng = Rng::new(67);
    let texts: Vec<String> = [0, 1, 500, 513, 3000, 40_000, 70_000]
        .into_iter()
        .flat_map(|len| Class::ALL.map(|class| (class, len)))
        .map(|(class, len)| with_breaks(&class.text(len, &mut rng), 50, &mut rng))
        .collect();
    // Each with each: every third is a ninth of them.
    for of in texts.iter().step_by(scale::step(1, 3)) {
        let map = OffsetMap::new(&of[..]);
        for text in texts.iter().step_by(scale::step(1, 3)) {
            let asker = About(&map, &text[..]);
            for _ in 0..scale::size(20, 5, 2) {
                let n = rng.below(80_000);
                let position = runecast::index::Position { line: n / 40, column: n % 100 };
                for unit in model::UNITS {
                    use model::Ask as _;
                    let _ = (asker.offset(n, unit), asker.at_offset(n, unit), asker.position(n, unit));
                    let _ = (
                        asker.try_offset(n, unit),
                        asker.try_at_offset(n, unit),
                        asker.try_position(n, unit),
                    );
                    let _ = (asker.line(n), asker.at_line(n), asker.at_position(position, unit));
                    let _ = asker.try_at_position(position, unit);
                }
            }
        }
    }
}

/// What the map promises about its size.
#[test]
fn maps_are_small() {
    let mut rng = Rng::new(68);
    let mut texts: Vec<String> = Class::ALL.map(|class| class.text(300_000, &mut rng)).into();
    texts.push("\n".repeat(300_000));
    texts.push("\r\n".repeat(150_000));
    for text in &texts {
        let units: Vec<u16> = text.encode_utf16().collect();
        let (of_str, of_utf16) = (OffsetMap::new(&text[..]), OffsetMap::new(&units[..]));
        assert!(of_str.size() * 25 <= text.len(), "{} of {}", of_str.size(), text.len());
        assert!(of_utf16.size() * 25 <= 2 * units.len(), "{} of {}", of_utf16.size(), 2 * units.len());
    }
    assert!(OffsetMap::new("").size() < 300);
}

/// The functions without an engine.
#[test]
fn the_functions_that_choose() {
    use runecast::index::{at_char, at_line, at_offset, at_utf16, char_offset, line, offset, utf16_offset};
    let text = "ᚱ🪨\r\né";
    assert_eq!((utf16_offset(text, 7), char_offset(text, 7), line(text, 9)), (3, 2, 1));
    assert_eq!((at_utf16(text, 3), at_char(text, 2), at_line(text, 1)), (7, 7, 9));
    assert_eq!((offset(text, 7, Unit::Utf8), at_offset(text, 8, Unit::Utf8)), (7, 8));
    let map = OffsetMap::new(text);
    assert_eq!(format!("{map:?}"), format!("{:?}", map.clone()));
    assert_eq!(runecast::index::Misplaced::Inside.to_string(), "in the middle of a character or line break");
    assert_eq!(runecast::index::Misplaced::Outside.to_string(), "beyond the end");
}

/// `docs/offsets.md` shows what is tested here, line by line.
#[test]
fn the_example_of_the_page() {
    use runecast::index::{self, OffsetMap, Position, Unit};

    let text = "rūna\nᚱ🪨!";
    assert_eq!(index::utf16_offset(text, 13), 8);
    assert_eq!(index::at_utf16(text, 8), 13);
    assert_eq!(index::position(text, 13, Unit::Utf16), Position { line: 1, column: 3 });

    let map = OffsetMap::new(text);
    assert_eq!(map.at_position(text, Position { line: 1, column: 3 }, Unit::Utf16), 13);

    let (page, tested) = (include_str!("../../../docs/offsets.md"), include_str!("mod.rs"));
    let block = page.split("```").nth(1);
    let example = block.expect("an example").strip_prefix("rust").expect("Rust");
    for line in example.lines().map(|line| line.split("//").next().unwrap_or("").trim()) {
        assert!(tested.contains(line), "not tested: {line}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(scale::size(300, 60, 20) as u32))]

    #[test]
    fn any_text(text in "(?s)([a-z\r\n]|é|ᚱ|🪨|.){0,300}") {
        check_both(&text, 3);
    }

    #[test]
    fn any_units(units in proptest::collection::vec(
        proptest::prop_oneof![0_u16.., 0xD800_u16..0xE000, 10_u16..14], 0..300,
    )) {
        check(&units[..], &Model::of_utf16(&units), 3);
    }
}
