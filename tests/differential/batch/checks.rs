//! Validation, by offsets and of slices.

use runecast::batch::{BatchError, Defect, Offset, Validity};
use runecast::{
    Ascii, Cesu8, Encoding, Engine, GeneralizedUtf8, IllFormed, Isa, Latin1, Mutf8, Replacement, Utf8, Utf16,
    Utf16Be, Utf16Le, Utf32, Utf32Le, WobblyCesu8, Wtf8, Wtf16,
};

use super::array::{Array, Wrong, ask, std_judge, wide, wrong};
use super::views::views_of;
use crate::common::check::engines;
use crate::common::scale;
use crate::common::texts::{Class, Rng};

#[test]
fn random_arrays_are_judged_as_std_judges_their_values() {
    let mut rng = Rng::new(1);
    let (mut clean, mut with_errors) = (0, 0);
    for _ in 0..scale::size(20_000, 2_000, 400) {
        let array = Array::random(&mut rng);
        ask(&array, rng.below(70));
        let count = if array.expected(std_judge).is_none() { &mut clean } else { &mut with_errors };
        *count += 1;
    }
    assert!(clean > 50 && with_errors > 50, "{clean} clean, {with_errors} not");
}

#[test]
fn boundaries_within_characters_are_found_wherever_they_are() {
    let mut rng = Rng::new(2);
    for class in [Class::Two, Class::Three, Class::Four, Class::Mixed] {
        let text = class.text(scale::size(4000, 1500, 1000), &mut rng);
        let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let clean: Vec<i64> = boundaries.iter().step_by(3).map(|at| *at as i64).collect();
        for spoiled in 1..clean.len() - 1 {
            let mut array = Array { values: text.clone().into_bytes(), offsets: clean.clone(), nulls: None };
            array.offsets[spoiled] += 1;
            let expected = array.expected(std_judge);
            assert!(expected.is_some() || class == Class::Mixed);
            for engine in engines() {
                let found = engine.validate_offsets::<Utf8>(&array.values, &array.offsets, None);
                assert_eq!(wrong(found), expected, "{engine:?}, {class:?}, value {spoiled}");
            }
        }
    }
}

#[test]
fn slices_of_arrays_are_arrays() {
    let mut rng = Rng::new(3);
    for _ in 0..scale::size(3000, 600, 200) {
        let mut array = Array::random(&mut rng);
        let from = rng.below(array.count() + 1);
        let to = from + rng.below(array.count() - from + 1);
        let bits = array.bitmap(0);
        array.offsets = array.offsets[from..=to].to_vec();
        array.nulls = array.nulls.map(|nulls| nulls[from..to].to_vec());
        let expected = array.expected(std_judge);
        let validity = bits.as_ref().map(|bits| Validity::new(bits, from));
        for engine in engines() {
            let found = engine.validate_offsets::<Utf8>(&array.values, &array.offsets, validity);
            assert_eq!(wrong(found), expected, "{engine:?}: {array:?}");
        }
    }
}

#[test]
fn offsets_that_are_none_are_an_error_and_no_panic() {
    let mut rng = Rng::new(4);
    for _ in 0..scale::size(10_000, 1_000, 400) {
        let mut array = Array::random(&mut rng);
        for _ in 0..1 + rng.below(2) {
            let len = array.values.len() as i64;
            let which = rng.below(array.offsets.len());
            array.offsets[which] = match rng.below(8) {
                0 => -1,
                1 => i64::from(i32::MIN),
                2 => len + 1,
                3 => i64::from(i32::MAX),
                4 => rng.below(array.values.len() + 1) as i64,
                5 => array.offsets[which] - 1,
                6 => array.offsets[which] + 1,
                _ => array.offsets[which].saturating_add(50),
            };
        }
        ask(&array, rng.below(9));
    }
    let huge = [[i64::MIN, 0], [0, i64::MAX], [i64::MAX, i64::MAX], [0, 1 << 32], [1 << 32, 1 << 32]];
    for offsets in huge {
        let found = runecast::batch::validate_offsets::<Utf8>(b"rune", &offsets, None);
        assert_eq!(wrong(found), Some((0, Wrong::OutOfBounds)), "{offsets:?}");
    }
}

#[test]
fn arrays_without_values() {
    for engine in engines() {
        for values in [&b""[..], b"rune\xFF"] {
            assert_eq!(engine.validate_offsets::<Utf8>(values, &[] as &[i32], None), Ok(()));
            assert_eq!(engine.validate_offsets::<Utf8>(values, &[0_i64], None), Ok(()));
            let end = values.len() as i32;
            assert_eq!(engine.validate_offsets::<Utf8>(values, &[end], None), Ok(()));
            assert_eq!(engine.validate_offsets::<Utf8>(values, &[end; 5], None), Ok(()));
            let found = engine.validate_offsets::<Utf8>(values, &[end + 1], None);
            assert_eq!(wrong(found), Some((0, Wrong::OutOfBounds)));
        }
        assert_eq!(engine.validate_each::<Utf8, [u8]>([]), Ok(()));
        assert_eq!(engine.validate_each::<Utf8, _>([b"", b""]), Ok(()));
        assert_eq!(engine.validate_views::<Utf8>(&[], &[], None), Ok(()));
        assert_eq!(engine.validate_views::<Utf8>(&[0; 1000], &[], None), Ok(()));
    }
}

#[test]
fn a_bitmap_that_is_too_short_is_an_error() {
    for engine in engines() {
        let bits = [0xFF; 2];
        for (from, index) in [(0, 16), (3, 13), (16, 0), (17, 0)] {
            let validity = Some(Validity::new(&bits, from));
            let expected = Err(Defect::NoValidity);
            let defect = |result: Result<(), BatchError>| {
                result.map_err(|error| {
                    assert_eq!(error.index, index);
                    error.defect
                })
            };
            assert_eq!(defect(engine.validate_offsets::<Utf8>(b"\xFF", &[0; 18], validity)), expected);
            assert_eq!(defect(engine.validate_views::<Utf8>(&[0; 17], &[], validity)), expected);
            let repaired = engine.repair_offsets(b"", &[0; 18], validity, Replacement::Whatwg);
            assert_eq!(defect(repaired.map(drop)), expected);
        }
    }
}

/// Asks about an array in another encoding; `judge` is the library's own word on each value, which other
/// tests check.
fn ask_in<E: Encoding<Unit: bytemuck::Pod>>(values: &[u8], offsets: &[i64]) {
    let Ok(units) = bytemuck::try_cast_slice::<u8, E::Unit>(values) else { return };
    let scalar = Engine::new(Isa::Scalar).expect("always there");
    let expected = offsets.windows(2).enumerate().find_map(|(index, bounds)| {
        let error = scalar.validate::<E>(&units[bounds[0] as usize..bounds[1] as usize]).err()?;
        Some((index, error))
    });
    for engine in engines() {
        let found = engine.validate_offsets::<E>(units, offsets, None);
        let found = found.err().map(|error| (error.index, error.ill_formed().expect("ill-formed")));
        assert_eq!(found, expected, "{engine:?}, {}: {values:02X?} at {offsets:?}", E::NAME);
        let slices: Vec<&[E::Unit]> =
            offsets.windows(2).map(|bounds| &units[bounds[0] as usize..bounds[1] as usize]).collect();
        let each = engine.validate_each::<E, [E::Unit]>(slices.iter().copied());
        let each = each.err().map(|error| (error.index, error.ill_formed().expect("ill-formed")));
        assert_eq!(each, expected, "{engine:?}, each of {}: {values:02X?} at {offsets:?}", E::NAME);
    }
}

#[test]
fn every_encoding_has_its_own_boundaries() {
    let mut rng = Rng::new(5);
    // Aligned for any unit.
    let mut memory = vec![0_u32; 1024];
    for _ in 0..scale::size(4000, 600, 200) {
        let text = Class::ALL[rng.below(7)].text(rng.below(600), &mut rng);
        let units: Vec<u8> = match rng.below(5) {
            0 => text.bytes().collect(),
            1 => text.encode_utf16().flat_map(u16::to_ne_bytes).collect(),
            2 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            3 => text.chars().flat_map(|c| u32::from(c).to_ne_bytes()).collect(),
            // Surrogates in three bytes each, and sometimes alone.
            _ => text
                .encode_utf16()
                .flat_map(|unit| {
                    let unit = if rng.below(50) == 0 { 0xD800 | unit & 0x7FF } else { unit };
                    wide(unit)
                })
                .collect(),
        };
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
        let len = units.len().min(bytes.len()) / 4 * 4;
        bytes[..len].copy_from_slice(&units[..len]);
        let bytes = &bytes[..len];
        let each = 1 + rng.below(4) / 3 * 3;
        for size in [1, 2, 4] {
            let mut offsets = vec![0];
            let mut at = 0;
            while at < len / size {
                at = (at + (1 + rng.below(30)) * each / size.min(each)).min(len / size);
                offsets.push(at as i64);
            }
            match size {
                1 => {
                    ask_in::<Ascii>(bytes, &offsets);
                    ask_in::<Latin1>(bytes, &offsets);
                    ask_in::<Utf8>(bytes, &offsets);
                    ask_in::<Wtf8>(bytes, &offsets);
                    ask_in::<GeneralizedUtf8>(bytes, &offsets);
                    ask_in::<Cesu8>(bytes, &offsets);
                    ask_in::<WobblyCesu8>(bytes, &offsets);
                    ask_in::<Mutf8>(bytes, &offsets);
                    ask_in::<Utf16Le>(bytes, &offsets);
                    ask_in::<Utf16Be>(bytes, &offsets);
                    ask_in::<Utf32Le>(bytes, &offsets);
                }
                2 => {
                    ask_in::<Utf16>(bytes, &offsets);
                    ask_in::<Wtf16>(bytes, &offsets);
                }
                _ => ask_in::<Utf32>(bytes, &offsets),
            }
        }
    }
}

#[test]
fn slices_here_and_there() {
    let mut rng = Rng::new(6);
    for _ in 0..scale::size(10_000, 1_000, 400) {
        let array = Array::random(&mut rng);
        let texts: Vec<&[u8]> = array.texts().collect();
        let expected = array.expected(std_judge);
        let owned: Vec<Vec<u8>> = texts.iter().map(|text| text.to_vec()).collect();
        for engine in engines() {
            assert_eq!(wrong(engine.validate_each::<Utf8, _>(&owned)), expected, "{engine:?}: {array:?}");
            let borrowed = engine.validate_each::<Utf8, [u8]>(texts.iter().copied());
            assert_eq!(wrong(borrowed), expected, "{engine:?}: {array:?}");
        }
    }
}

#[test]
fn all_ill_formed_values_are_found() {
    let mut rng = Rng::new(11);
    for _ in 0..scale::size(10_000, 1_000, 400) {
        let array = Array::random(&mut rng);
        let (offsets, bits) = (array.narrow(), array.bitmap(5));
        let validity = bits.as_ref().map(|bits| Validity::new(bits, 5));
        let judged = |(index, text)| Some((index, std_judge(text)?));
        let expected: Vec<(usize, Wrong)> = array.texts().enumerate().filter_map(judged).collect();
        let (views, buffers) = views_of(&array, &mut rng);
        let buffers: Vec<&[u8]> = buffers.iter().map(|buffer| &buffer[..]).collect();
        for engine in engines() {
            let mut found = Vec::new();
            let push = |found: &mut Vec<_>, index, error: IllFormed| {
                found
                    .push((index, Wrong::IllFormed(error.at, (!error.is_incomplete()).then_some(error.len))));
            };
            let end = engine.ill_formed_offsets::<Utf8>(&array.values, &offsets, validity, |index, error| {
                push(&mut found, index, error);
            });
            assert_eq!((end, &found), (Ok(()), &expected), "{engine:?}: {array:?}");
            found.clear();
            let end = engine.ill_formed_views::<Utf8>(&views, &buffers, validity, |index, error| {
                push(&mut found, index, error);
            });
            assert_eq!((end, &found), (Ok(()), &expected), "{engine:?}: {array:?}");
        }
    }
}

#[test]
fn what_is_found_ends_where_offsets_are_none() {
    let mut found = Vec::new();
    let values = b"a\xFFb\xFEc";
    let end = runecast::batch::ill_formed_offsets::<Utf8>(values, &[0, 2, 4, 3, 5], None, |index, error| {
        found.push((index, error.at));
    });
    assert_eq!(wrong(end), Some((2, Wrong::OutOfBounds)));
    assert_eq!(found, [(0, 1), (1, 1)]);
}

#[test]
fn offsets_may_be_narrow_or_wide() {
    fn sum<O: Offset>(offsets: &[O]) -> bool {
        runecast::batch::validate_offsets::<Utf8>("ᚱúna".as_bytes(), offsets, None).is_ok()
    }
    assert!(sum(&[0_i32, 3, 7]) && sum(&[0_i64, 3, 7]));
    assert!(!sum(&[0_i32, 4, 7]) && !sum(&[0_i64, 4, 7]));
}

/// Nothing outside of the values is read, and nothing outside of slices.
#[cfg(unix)]
#[test]
fn no_byte_outside_is_read() {
    use crate::common::guard::Guarded;
    let mut rng = Rng::new(10);
    let (mut memory, mut others) = (Guarded::new(16_384), Guarded::new(65_536));
    for round in 0..scale::size(4000, 600, 200) {
        let array = Array::random(&mut rng);
        if array.values.len() > 16_384 || array.offsets.len() > 8_192 {
            continue;
        }
        let expected = array.expected(std_judge);
        let bits = array.bitmap(round % 8);
        let validity = bits.as_ref().map(|bits| Validity::new(bits, round % 8));
        let at_end = round % 3 > 0;
        let values = if at_end { memory.at_end(&array.values) } else { memory.at_start(&array.values) };
        let bytes: &[u8] = bytemuck::cast_slice(&array.offsets);
        let offsets = if at_end { others.at_end(bytes) } else { others.at_start(bytes) };
        let offsets: &[i64] = bytemuck::cast_slice(offsets);
        for engine in engines() {
            let found = engine.validate_offsets::<Utf8>(values, offsets, validity);
            assert_eq!(wrong(found), expected, "{engine:?}: {array:?}");
            let slices = offsets.windows(2).map(|bounds| &values[bounds[0] as usize..bounds[1] as usize]);
            let found = engine.validate_each::<Utf8, [u8]>(slices);
            let naked = Array { nulls: None, ..array.clone() };
            assert_eq!(wrong(found), naked.expected(std_judge), "{engine:?}: {array:?}");
        }
    }
}
