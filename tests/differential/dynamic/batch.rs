//! Arrays between encodings that are known at run time: of each value what the standard library makes of it alone.

use runecast::batch::Validity;
use runecast::{Replacement, Scheme};

use crate::batch::array::{Array, wide};
use crate::batch::conversions::expected_of;
use crate::common::scale;
use crate::common::texts::Rng;

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
    for _ in 0..scale::size(3000, 500, 200) {
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
        let new = new.expect("offsets that are right");
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
        let lossy = lossy.expect("offsets that are right");
        let question = |c: char| in_scheme(c.encode_utf8(&mut [0; 4]), to).unwrap_or_else(|| b"?".to_vec());
        let (values, places) =
            expected_of(&array, |text| String::from_utf8_lossy(text).chars().flat_map(question).collect());
        assert_eq!((&lossy.values, &lossy.offsets), (&values, &places), "{to}: {array:?}");
        assert_eq!(lossy.first, refused.first().copied(), "{to}: {array:?}");
    }
}
