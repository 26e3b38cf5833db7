//! Repair and conversion: of each value what std, or arithmetic, makes of it alone.

use runecast::batch::{Defect, Validity};
use runecast::{Latin1, Policy, Reason, Replacement, Utf8, Utf16, Utf16Le, WobblyCesu8, Wtf8, Wtf16};

use super::array::{Array, std_judge, wrong};
use crate::common::check::engines;
use crate::common::scale;
use crate::common::texts::Rng;

/// What is to become of an array: the new values and offsets.
pub fn expected_of<U>(array: &Array, convert: impl Fn(&[u8]) -> Vec<U>) -> (Vec<U>, Vec<i64>) {
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
    for _ in 0..scale::size(6000, 600, 300) {
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
            match new.expect("offsets that are right") {
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
            let new = new.expect("offsets that are right").expect("never taken for clean");
            let perl =
                |text: &[u8]| runecast::repair::<Utf8>(text, Replacement::Perl5).into_owned().into_bytes();
            assert_eq!(new.values, expected_of(&array, perl).0, "{engine:?}: {array:?}");

            let new = engine.transcode_offsets_lossy::<Utf8, Utf16, i64>(
                &array.values,
                &array.narrow(),
                validity,
                Policy::default(),
            );
            let new = new.expect("offsets that are right");
            assert_eq!((&new.values, &new.offsets), (&wide, &places), "{engine:?}: {array:?}");
            assert_eq!(new.first, first, "{engine:?}: {array:?}");
        }
    }
}

#[test]
fn converted_as_std_converts() {
    let mut rng = Rng::new(9);
    for _ in 0..scale::size(6000, 600, 300) {
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
            // The same units as bytes, and back.
            let bytes: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let ends: Vec<i64> = places.iter().map(|end| 2 * end).collect();
            let new = engine.transcode_offsets::<Utf16, Utf16Le, i64>(&wide, &places, None).expect("text");
            assert_eq!((&new.values, &new.offsets), (&bytes, &ends), "{engine:?}: {array:?}");
            let new = engine.transcode_offsets::<Utf16Le, Utf16, i64>(&bytes, &ends, None).expect("text");
            assert_eq!((&new.values, &new.offsets), (&wide, &places), "{engine:?}: {array:?}");
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
        let expected = Defect::Text(Reason::Unrepresentable { at: 3, character: 'ᚱ' });
        assert_eq!(error.map_err(|error| (error.index, error.defect)), Err((1, expected)));
        let error = engine.transcode_offsets::<Wtf16, Utf8, i32>(&[0x61, 0x62, 0xD800], &[0, 1, 3], None);
        let expected = Defect::Text(Reason::UnrepresentableCodePoint { at: 1, code_point: 0xD800 });
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
