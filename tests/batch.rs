//! Arrays: every value by itself, against std value by value.
//!
//! The oracle knows nothing of groups and stretches: it goes over the values in order, looks at the
//! offsets of each, then whether it is null, and then asks the standard library about its bytes. Arrays
//! are drawn at random: text of one kind or of several, cut anywhere or between characters, now and then
//! spoiled; with values of 0 to 50 bytes and a few long ones; nulls, with bytes under them or without;
//! slices of arrays; offsets that are none. Every engine has to give the same answer.

mod common;

use common::check::engines;
use common::scale;
use common::texts::{BOUNDARY_BYTES, Class, ILL_FORMED, Rng};
use runecast::batch::{BatchError, Defect, Offset, Validity};
use runecast::{
    Ascii, Cesu8, Encoding, Engine, GeneralizedUtf8, IllFormed, Isa, Latin1, Mutf8, Policy, Replacement,
    Scheme, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Le, WobblyCesu8, Wtf8, Wtf16,
};

/// An array: its values, their offsets, and which of them are null.
#[derive(Clone, Debug, Default)]
struct Array {
    values: Vec<u8>,
    offsets: Vec<i64>,
    nulls: Option<Vec<bool>>,
}

impl Array {
    /// An array drawn at random.
    fn random(rng: &mut Rng) -> Array {
        let count = match rng.below(8) {
            0 => rng.below(4),
            1 => 200 + rng.below(scale::size(2000, 400)),
            _ => rng.below(120),
        };
        let class = (rng.below(3) > 0).then(|| Class::ALL[rng.below(Class::ALL.len())]);
        let longest = [0, 3, 12, 50, 50, 300][rng.below(6)];
        // How likely a boundary within a character is, a spoiled value, a null, one with bytes.
        let [cut, spoiled, null, hidden] = [
            [0, 0, 0, 1, 30][rng.below(5)],
            [0, 0, 0, 1, 200][rng.below(5)],
            [0, 10, 500, 990][rng.below(4)],
            [0, 1, 10][rng.below(3)],
        ];
        let likely = |rng: &mut Rng, per_mille: usize| rng.below(1000) < per_mille;
        let mut array = Array { nulls: (null > 0).then(Vec::new), ..Array::default() };
        for _ in 0..rng.below(3) {
            array.values.push(BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())]);
        }
        array.offsets.push(array.values.len() as i64);
        for _ in 0..count {
            let class = class.unwrap_or(Class::ALL[rng.below(Class::ALL.len())]);
            let len = if likely(rng, 3) { rng.below(3000) } else { rng.below(longest + 1) };
            let is_null = likely(rng, null);
            if let Some(nulls) = &mut array.nulls {
                nulls.push(is_null);
            }
            let with_bytes = !is_null || likely(rng, 100 * hidden);
            if with_bytes {
                array.values.extend(class.text(len, rng).bytes());
            }
            if likely(rng, spoiled) || is_null && likely(rng, 100 * hidden) {
                array.values.extend(ILL_FORMED[rng.below(ILL_FORMED.len())]);
            }
            let mut end = array.values.len() as i64;
            if likely(rng, cut) {
                end = (end - rng.below(4) as i64).max(*array.offsets.last().expect("the first"));
            }
            array.offsets.push(end);
        }
        for _ in 0..rng.below(3) {
            array.values.push(BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())]);
        }
        array
    }

    fn count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    fn is_null(&self, index: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls[index])
    }

    /// Where a value is, if it is anywhere.
    fn bounds(&self, index: usize) -> Option<std::ops::Range<usize>> {
        let [from, to] = [self.offsets[index], self.offsets[index + 1]];
        (0 <= from && from <= to && to <= self.values.len() as i64).then_some(from as usize..to as usize)
    }

    /// The values, with nothing for the nulls; up to the first that is not within bounds.
    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count()).map_while(|index| {
            let bounds = self.bounds(index)?;
            Some(if self.is_null(index) { &[][..] } else { &self.values[bounds] })
        })
    }

    /// What is to be said of it, by a judge of single values.
    fn expected(&self, judge: impl Fn(&[u8]) -> Option<Wrong>) -> Option<(usize, Wrong)> {
        let wrong = self.texts().enumerate().find_map(|(index, text)| Some((index, judge(text)?)));
        let known = self.texts().count();
        let alone = self.offsets.len() == 1 && !(0..=self.values.len() as i64).contains(&self.offsets[0]);
        wrong.or((known < self.count() || alone).then_some((known, Wrong::OutOfBounds)))
    }

    /// The null bitmap, with `shift` bits before it.
    fn bitmap(&self, shift: usize) -> Option<Vec<u8>> {
        let nulls = self.nulls.as_ref()?;
        let mut bits = vec![0xFF; (nulls.len() + shift).div_ceil(8)];
        for (index, _) in nulls.iter().enumerate().filter(|(_, null)| **null) {
            bits[(index + shift) / 8] &= !(1 << ((index + shift) % 8));
        }
        Some(bits)
    }

    fn narrow(&self) -> Vec<i32> {
        self.offsets.iter().map(|offset| *offset as i32).collect()
    }
}

/// What can be wrong, as the oracle knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    /// At this offset, with this length unless it is incomplete.
    IllFormed(usize, Option<usize>),
    OutOfBounds,
    Other,
}

fn std_judge(text: &[u8]) -> Option<Wrong> {
    let error = std::str::from_utf8(text).err()?;
    Some(Wrong::IllFormed(error.valid_up_to(), error.error_len()))
}

fn wrong(result: Result<(), BatchError>) -> Option<(usize, Wrong)> {
    let error = result.err()?;
    let wrong = match error.defect {
        Defect::IllFormed(error) => Wrong::IllFormed(error.at, (!error.is_incomplete()).then_some(error.len)),
        Defect::OutOfBounds => Wrong::OutOfBounds,
        _ => Wrong::Other,
    };
    Some((error.index, wrong))
}

/// Asks every engine about an array of UTF-8.
fn ask(array: &Array, shift: usize) {
    let expected = array.expected(std_judge);
    let (offsets, bits) = (array.narrow(), array.bitmap(shift));
    let validity = bits.as_ref().map(|bits| Validity::new(bits, shift));
    for engine in engines() {
        let narrow = engine.validate_offsets::<Utf8>(&array.values, &offsets, validity);
        assert_eq!(wrong(narrow), expected, "{engine:?}: {array:?}");
        let wide = engine.validate_offsets::<Utf8>(&array.values, &array.offsets, validity);
        assert_eq!(wide, narrow, "{engine:?}: {array:?}");
    }
}

#[test]
fn random_arrays_are_judged_as_std_judges_their_values() {
    let mut rng = Rng::new(1);
    let (mut clean, mut dirty) = (0, 0);
    for _ in 0..scale::size(20_000, 400) {
        let array = Array::random(&mut rng);
        ask(&array, rng.below(70));
        let tally = if array.expected(std_judge).is_none() { &mut clean } else { &mut dirty };
        *tally += 1;
    }
    assert!(clean > 50 && dirty > 50, "{clean} clean, {dirty} not");
}

#[test]
fn boundaries_within_characters_are_found_wherever_they_are() {
    let mut rng = Rng::new(2);
    for class in [Class::Two, Class::Three, Class::Four, Class::Mixed] {
        let text = class.text(scale::size(4000, 1000), &mut rng);
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
    for _ in 0..scale::size(3000, 200) {
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
    for _ in 0..scale::size(10_000, 400) {
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
fn ask_in<E: Encoding>(values: &[u8], offsets: &[i64]) {
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
    for _ in 0..scale::size(4000, 200) {
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

/// A unit of UTF-16 in one to three bytes.
fn wide(unit: u16) -> Vec<u8> {
    match unit {
        0..0x80 => vec![unit as u8],
        0x80..0x800 => vec![0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8],
        _ => vec![0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8],
    }
}

#[test]
fn slices_here_and_there() {
    let mut rng = Rng::new(6);
    for _ in 0..scale::size(10_000, 400) {
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

/// The views of an array, and their buffers.
fn views_of(array: &Array, rng: &mut Rng) -> (Vec<u128>, Vec<Vec<u8>>) {
    let mut buffers = vec![Vec::new(); 1 + rng.below(3)];
    let view = |bytes: [u8; 16]| u128::from_le_bytes(bytes);
    let views = (0..array.count()).map_while(|index| {
        let text = &array.values[array.bounds(index)?];
        let mut bytes = [0; 16];
        if array.is_null(index) {
            // Not to be looked at.
            bytes = [BOUNDARY_BYTES[rng.below(BOUNDARY_BYTES.len())]; 16];
        } else if text.len() <= 12 {
            bytes[0] = text.len() as u8;
            bytes[4..4 + text.len()].copy_from_slice(text);
        } else {
            let which = rng.below(buffers.len());
            let numbers = [text.len(), 0, which, buffers[which].len()];
            for (place, number) in bytes.chunks_mut(4).zip(numbers) {
                place.copy_from_slice(&(number as u32).to_le_bytes());
            }
            bytes[4..8].copy_from_slice(&text[..4]);
            buffers[which].extend_from_slice(text);
        }
        Some(view(bytes))
    });
    (views.collect(), buffers)
}

#[test]
fn views_in_line_and_out_of_line() {
    let mut rng = Rng::new(7);
    for _ in 0..scale::size(10_000, 400) {
        let array = Array::random(&mut rng);
        let expected = array.expected(std_judge);
        let shift = rng.below(20);
        let bits = array.bitmap(shift);
        let validity = bits.as_ref().map(|bits| Validity::new(bits, shift));
        let (mut views, buffers) = views_of(&array, &mut rng);
        let buffers: Vec<&[u8]> = buffers.iter().map(|buffer| &buffer[..]).collect();
        for engine in engines() {
            let found = engine.validate_views::<Utf8>(&views, &buffers, validity);
            assert_eq!(wrong(found), expected, "{engine:?}: {array:?}");
        }
        if views.is_empty() {
            continue;
        }
        // One view that is not in order, behind or before what else is wrong.
        let which = rng.below(views.len());
        if array.is_null(which) {
            continue;
        }
        let long = views[which] as u32 > 12;
        let (change, defect) = match rng.below(6) {
            0 => (1 << 31, Defect::OutOfBounds),
            1 if long => (1 << (32 + rng.below(32)), Defect::Prefix),
            2 if long => (1 << (66 + rng.below(30)), Defect::OutOfBounds),
            3 if long => (1 << 127, Defect::OutOfBounds),
            4 if long => (1 << (24 + rng.below(7)), Defect::OutOfBounds),
            _ if long => continue,
            _ if views[which] as u32 == 12 => continue,
            _ => (1 << (127 - rng.below(8 * (12 - views[which] as usize % 16))), Defect::Padding),
        };
        views[which] ^= change;
        let expected = match expected {
            Some((index, wrong)) if index < which => (index, wrong),
            _ if defect == Defect::OutOfBounds => (which, Wrong::OutOfBounds),
            _ => (which, Wrong::Other),
        };
        for engine in engines() {
            let found = engine.validate_views::<Utf8>(&views, &buffers, validity);
            assert_eq!(wrong(found), Some(expected), "{engine:?}: {change:X} in {which} of {array:?}");
            if expected.0 == which {
                assert_eq!(found.map_err(|error| error.defect), Err(defect));
            }
        }
    }
}

/// What is to become of an array: the new values and offsets.
fn expected_of<U>(array: &Array, convert: impl Fn(&[u8]) -> Vec<U>) -> (Vec<U>, Vec<i64>) {
    let (mut values, mut offsets) = (Vec::new(), vec![0]);
    for text in array.texts() {
        values.extend(convert(text));
        offsets.push(values.len() as i64);
    }
    (values, offsets)
}

#[test]
fn repaired_as_std_repairs() {
    let mut rng = Rng::new(8);
    for _ in 0..scale::size(6000, 300) {
        let array = Array::random(&mut rng);
        let bits = array.bitmap(3);
        let validity = bits.as_ref().map(|bits| Validity::new(bits, 3));
        let lossy = |text: &[u8]| String::from_utf8_lossy(text).into_owned().into_bytes();
        let (values, offsets) = expected_of(&array, lossy);
        let first = array.texts().position(|text| std_judge(text).is_some());
        let naked = Array { nulls: None, ..array.clone() };
        let (wide, places) =
            expected_of(&array, |text| String::from_utf8_lossy(text).encode_utf16().collect());
        for engine in engines() {
            let new = engine.repair_offsets(&array.values, &array.offsets, validity, Replacement::Whatwg);
            match new.expect("offsets are in order") {
                None => assert_eq!(naked.expected(std_judge), None),
                Some(new) => {
                    assert!(naked.expected(std_judge).is_some(), "{engine:?}: {array:?}");
                    assert_eq!((&new.values, &new.offsets), (&values, &offsets), "{engine:?}: {array:?}");
                    assert_eq!(new.first, first);
                    assert_eq!(new.replaced > 0, first.is_some());
                }
            }
            // By a policy that the other way is asked for, too.
            let new = engine.repair_offsets(&array.values, &array.narrow(), validity, Replacement::Perl5);
            let new = new.expect("offsets are in order").expect("never taken for clean");
            let perl =
                |text: &[u8]| runecast::repair::<Utf8>(text, Replacement::Perl5).into_owned().into_bytes();
            assert_eq!(new.values, expected_of(&array, perl).0, "{engine:?}: {array:?}");

            let new = engine.transcode_offsets_lossy::<Utf8, Utf16, i64>(
                &array.values,
                &array.narrow(),
                validity,
                Policy::default(),
            );
            let new = new.expect("offsets are in order");
            assert_eq!((&new.values, &new.offsets), (&wide, &places), "{engine:?}: {array:?}");
            assert_eq!(new.first, first, "{engine:?}: {array:?}");
        }
    }
}

#[test]
fn converted_as_std_converts() {
    let mut rng = Rng::new(9);
    for _ in 0..scale::size(6000, 300) {
        let array = Array::random(&mut rng);
        let bits = array.bitmap(1);
        let validity = bits.as_ref().map(|bits| Validity::new(bits, 1));
        let expected = array.expected(std_judge);
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let (wide, places) = expected_of(&array, |value| text(value).encode_utf16().collect());
        let (same, same_places) = expected_of(&array, |value| text(value).into_bytes());
        for engine in engines() {
            let new = engine.transcode_offsets::<Utf8, Utf16, i32>(&array.values, &array.offsets, validity);
            assert_eq!(wrong(new.as_ref().map(drop).map_err(|error| *error)), expected, "{array:?}");
            if let Ok(new) = new {
                assert_eq!(new.values, wide, "{engine:?}: {array:?}");
                assert!(new.offsets.iter().map(|offset| i64::from(*offset)).eq(places.iter().copied()));
                assert_eq!((new.replaced, new.first), (0, None));
            }
            let new = engine.transcode_offsets::<Utf8, Utf8, i64>(&array.values, &array.narrow(), validity);
            assert_eq!(wrong(new.as_ref().map(drop).map_err(|error| *error)), expected, "{array:?}");
            if let Ok(new) = new {
                assert_eq!((&new.values, &new.offsets), (&same, &same_places), "{engine:?}: {array:?}");
            }
            let back = engine.transcode_offsets::<Utf16, Utf8, i64>(&wide, &places, None).expect("text");
            assert_eq!((&back.values, &back.offsets), (&same, &same_places), "{engine:?}: {array:?}");
        }
    }
}

#[test]
fn what_has_no_form_in_the_target_is_named() {
    for engine in engines() {
        let new = engine.transcode_offsets::<Utf8, Latin1, i32>("aéß".as_bytes(), &[0, 3, 5], None);
        assert_eq!(new.map(|new| (new.values, new.offsets)), Ok((b"a\xE9\xDF".to_vec(), vec![0, 2, 3])));
        let error = engine.transcode_offsets::<Utf8, Latin1, i32>("aéßaᚱ".as_bytes(), &[0, 3, 9], None);
        let expected = Defect::Unrepresentable { at: 3, character: 'ᚱ' };
        assert_eq!(error.map_err(|error| (error.index, error.defect)), Err((1, expected)));
        let error = engine.transcode_offsets::<Wtf16, Utf8, i32>(&[0x61, 0x62, 0xD800], &[0, 1, 3], None);
        let expected = Defect::UnrepresentableCodePoint { at: 1, code_point: 0xD800 };
        assert_eq!(error.map_err(|error| (error.index, error.defect)), Err((1, expected)));
        // Two surrogates that would be one character together.
        let new = engine.transcode_offsets::<WobblyCesu8, Wtf8, i32>(
            b"\xED\xA0\x80\xED\xB0\x80\xED\xA0\x80\xED\xB0\x80",
            &[0, 3, 6, 12],
            None,
        );
        let expected = (b"\xED\xA0\x80\xED\xB0\x80\xF0\x90\x80\x80".to_vec(), vec![0, 3, 6, 10]);
        assert_eq!(new.map(|new| (new.values, new.offsets)), Ok(expected));
    }
}

#[test]
fn all_ill_formed_values_are_found() {
    let mut rng = Rng::new(11);
    for _ in 0..scale::size(10_000, 400) {
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

/// Text in a scheme, by the standard library and arithmetic; nothing, if a character has no form there.
fn in_scheme(text: &str, scheme: Scheme) -> Option<Vec<u8>> {
    let bytes_of = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect();
    match scheme {
        Scheme::Utf8 => Some(text.into()),
        Scheme::Utf16Le => Some(bytes_of(u16::to_le_bytes)),
        Scheme::Utf16Be => Some(bytes_of(u16::to_be_bytes)),
        Scheme::Utf32Be => Some(text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()),
        Scheme::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect(),
        Scheme::Ascii => text.is_ascii().then(|| text.into()),
        Scheme::Cesu8 => Some(text.encode_utf16().flat_map(wide).collect()),
        _ => unreachable!("not asked for"),
    }
}

const ASKED_FOR: [Scheme; 7] = [
    Scheme::Utf8,
    Scheme::Utf16Le,
    Scheme::Utf16Be,
    Scheme::Utf32Be,
    Scheme::Latin1,
    Scheme::Ascii,
    Scheme::Cesu8,
];

#[test]
fn schemes_that_are_known_at_run_time() {
    let mut rng = Rng::new(12);
    for _ in 0..scale::size(3000, 200) {
        let array = Array::random(&mut rng);
        let (offsets, bits) = (array.narrow(), array.bitmap(2));
        let validity = bits.as_ref().map(|bits| Validity::new(bits, 2));
        let to = ASKED_FOR[rng.below(ASKED_FOR.len())];
        // From UTF-8: what is refused is empty.
        let convert = |text: &[u8]| in_scheme(std::str::from_utf8(text).ok()?, to);
        let refused: Vec<usize> =
            array.texts().enumerate().filter(|(_, text)| convert(text).is_none()).map(|(i, _)| i).collect();
        let (values, places) = expected_of(&array, |text| convert(text).unwrap_or_default());
        let mut found = Vec::new();
        let new = Scheme::Utf8.transcode_offsets_or::<i64>(to, &array.values, &offsets, validity, |error| {
            found.push(error.index);
            Ok(())
        });
        let new = new.expect("offsets are in order");
        assert_eq!((&found, &new.values, &new.offsets), (&refused, &values, &places), "{to}: {array:?}");
        assert_eq!((new.replaced, new.first), (0, None));
        let strict = Scheme::Utf8.transcode_offsets::<i32>(to, &array.values, &offsets, validity);
        assert_eq!(strict.map_or_else(|error| Some(error.index), |_| None), refused.first().copied(), "{to}");
        // What arrived, from there to another one, in two ways.
        let other = ASKED_FOR[rng.below(ASKED_FOR.len())];
        let clean = |index: usize| Some(std::str::from_utf8(array.texts().nth(index)?).ok()?.to_owned());
        let texts: Vec<String> = (0..array.count())
            .map(|i| clean(i).filter(|text| in_scheme(text, to).is_some()).unwrap_or_default())
            .collect();
        let forms: Vec<Option<Vec<u8>>> = texts.iter().map(|text| in_scheme(text, other)).collect();
        let next = to.transcode_offsets::<i64>(other, &new.values, &new.offsets, None);
        match forms.iter().position(Option::is_none) {
            Some(index) => {
                assert_eq!(next.map_err(|error| error.index), Err(index), "{to} to {other}: {texts:?}")
            }
            None => {
                let next = next.expect("all have forms");
                let all: Vec<u8> = forms.iter().flatten().flatten().copied().collect();
                assert_eq!(next.values, all, "{to} to {other}: {texts:?}");
                let ends = next.offsets.windows(2).map(|ends| (ends[1] - ends[0]) as usize);
                assert!(ends.eq(forms.iter().map(|form| form.as_ref().map_or(0, Vec::len))));
            }
        }
        // By a policy.
        let lossy = Scheme::Utf8.transcode_offsets_lossy::<i64>(
            to,
            &array.values,
            &offsets,
            validity,
            Replacement::Whatwg,
        );
        let lossy = lossy.expect("offsets are in order");
        let question = |c: char| in_scheme(c.encode_utf8(&mut [0; 4]), to).unwrap_or_else(|| b"?".to_vec());
        let (values, places) =
            expected_of(&array, |text| String::from_utf8_lossy(text).chars().flat_map(question).collect());
        assert_eq!((&lossy.values, &lossy.offsets), (&values, &places), "{to}: {array:?}");
        assert_eq!(lossy.first, refused.first().copied(), "{to}: {array:?}");
    }
}

#[test]
fn offsets_may_be_narrow_or_wide() {
    fn sum<O: Offset>(offsets: &[O]) -> bool {
        runecast::batch::validate_offsets::<Utf8>("ᚱúna".as_bytes(), offsets, None).is_ok()
    }
    assert!(sum(&[0_i32, 3, 7]) && sum(&[0_i64, 3, 7]));
    assert!(!sum(&[0_i32, 4, 7]) && !sum(&[0_i64, 4, 7]));
}

/// What the README shows is compiled as an example.
#[test]
fn the_readme_shows_the_example() {
    let readme = include_str!("../README.md");
    let example = include_str!("../examples/batch.rs");
    let (_, section) = readme.split_once("## Batches").expect("the section");
    let code = section.split("```").nth(1).and_then(|block| block.strip_prefix("rust\n")).expect("code");
    let lines = |text: &'static str| text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines(code) {
        assert!(lines(example).any(|known| known == line), "not in the example: {line}");
    }
}

/// Nothing outside of the values is read, and nothing outside of slices.
#[cfg(unix)]
#[test]
fn no_byte_outside_is_read() {
    use common::guard::Guarded;
    let mut rng = Rng::new(10);
    let (mut memory, mut others) = (Guarded::new(16_384), Guarded::new(65_536));
    for round in 0..scale::size(4000, 200) {
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
