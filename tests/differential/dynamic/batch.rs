//! Arrays between encodings that are known at run time: of each value what the standard library makes of it alone; and of short values
//! with errors what the models of all behaviours make of each, also where both encodings are types.

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use runecast::batch::Validity;
use runecast::{
    Encoding, Engine, Latin1, Policy, Replacement, Scheme, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be,
    Utf32Le, Wtf8, Wtf16, Wtf16Be,
};

use super::transcoder;
use crate::batch::array::{Array, wide};
use crate::batch::conversions::expected_of;
use crate::common::check::engines;
use crate::common::texts::Rng;
use crate::common::{oracle, scale};
use crate::encodings::replace::model::Expected;
use crate::stream::model::policies;
use crate::stream::vectors::pieces;

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

/// Runs of values that are refused, between runs that are not: which those are, and what becomes of the others, is the same as one by one.
/// Who is asked about them may say no at any.
#[test]
fn values_that_are_refused_in_runs() {
    let mut rng = Rng::new(13);
    for _ in 0..scale::size(600, 200, 40) {
        let to = ASKED_FOR[rng.below(ASKED_FOR.len())];
        let (mut values, mut offsets, mut bad) = (Vec::new(), vec![0_i64], false);
        let (mut expected, mut places, mut refused) = (Vec::new(), vec![0_i64], Vec::new());
        for index in 0..rng.below(400) {
            bad ^= rng.below(20) == 0;
            let text = ["", "a", "plain text ", "naïve "][rng.below(4)].repeat(1 + rng.below(6));
            values.extend_from_slice(text.as_bytes());
            let form = in_scheme(&text, to).filter(|_| !bad);
            if bad {
                values.extend_from_slice([&b"\xFF"[..], b"\xE2\x82"][rng.below(2)]);
            }
            match form {
                Some(form) => expected.extend(form),
                None => refused.push(index),
            }
            offsets.push(values.len() as i64);
            places.push(expected.len() as i64);
        }
        let ask = |most: usize| {
            let mut found = Vec::new();
            let new = Scheme::Utf8.transcode_offsets_or::<i64>(to, &values, &offsets, None, |error| {
                found.push(error.index);
                if found.len() > most { Err(error) } else { Ok(()) }
            });
            (new, found)
        };
        let (new, found) = ask(usize::MAX);
        let new = new.expect("nobody says no");
        assert_eq!((&found, &new.values, &new.offsets), (&refused, &expected, &places), "{to}");
        let most = rng.below(refused.len() + 1);
        let (new, found) = ask(most);
        assert_eq!(new.err().map(|error| error.index), refused.get(most).copied(), "{to}");
        assert!(refused.starts_with(&found), "{to}");
    }
}

/// Short values, most of which have an error; between them some of ASCII, long ones, and none of either.
struct Short {
    values: Vec<u8>,
    offsets: Vec<i32>,
    /// What becomes of them, where each begins, how many replacements that are, and in which value the first is.
    expected: (Vec<u8>, Vec<i64>, usize, Option<usize>),
}

impl Short {
    fn random(
        source: &oracle::Encoding,
        target: &oracle::Encoding,
        policy: Policy<'_>,
        rng: &mut Rng,
    ) -> Short {
        let pieces = pieces(source);
        let mut letter = Vec::new();
        assert!(source.encode('a'.into(), &mut letter));
        let mut array =
            Short { values: Vec::new(), offsets: vec![0], expected: (Vec::new(), vec![0], 0, None) };
        let rarity = [1, 4, 20][rng.below(3)];
        for index in 0..rng.below(100) {
            let mut value = Vec::new();
            match rng.below(40) {
                0 => {}
                1 => (0..40).for_each(|_| value.extend(&pieces[rng.below(pieces.len())])),
                _ if rng.below(rarity) > 0 => value = letter.repeat(rng.below(20)),
                _ => (0..=rng.below(3)).for_each(|_| value.extend(&pieces[rng.below(pieces.len())])),
            }
            // (Of a native unit there are no parts.)
            value.truncate(value.len() / source.unit * source.unit);
            let expected = Expected::of(source, target, &value, policy);
            let (values, offsets, replaced, first) = &mut array.expected;
            values.extend(expected.all());
            offsets.push((values.len() / target.unit) as i64);
            *replaced += expected.replaced;
            if expected.replaced > 0 {
                first.get_or_insert(index);
            }
            array.values.extend(value);
            array.offsets.push((array.values.len() / source.unit) as i32);
        }
        array
    }
}

#[test]
fn short_values_with_errors() {
    let mut rng = Rng::new(13);
    let policies: Vec<Policy<'_>> = policies().into_iter().flatten().collect();
    let schemes = || Scheme::ALL.into_iter().filter(|scheme| *scheme != Scheme::CorrectedUtf8);
    for (from, to) in schemes().flat_map(|from| schemes().map(move |to| (from, to))) {
        let (source, target) = (transcoder::oracle(from), transcoder::oracle(to));
        for _ in 0..scale::size(80, 20, 3) {
            let policy = policies[rng.below(policies.len())];
            let array = Short::random(&source, &target, policy, &mut rng);
            let new = from.transcode_offsets_lossy::<i64>(to, &array.values, &array.offsets, None, policy);
            let new = new.expect("offsets that are right");
            let found = (new.values, new.offsets, new.replaced, new.first);
            assert_eq!(found, array.expected, "{from} to {to}, {policy:?}: {:02X?}", array.values);
        }
    }
}

fn short_typed<S, D>(source: &oracle::Encoding, target: &oracle::Encoding)
where
    S: Encoding<Unit: Pod>,
    D: Encoding<Unit: Pod>,
{
    let mut rng = Rng::new(14);
    let ask = |engine: Engine, array: &Short, policy: Policy<'_>| {
        let mut values = vec![S::Unit::zeroed(); array.values.len() / source.unit];
        cast_slice_mut(&mut values).copy_from_slice(&array.values);
        let new = engine.transcode_offsets_lossy::<S, D, i64>(&values, &array.offsets, None, policy);
        let new = new.expect("offsets that are right");
        let found = (cast_slice(&new.values).to_vec(), new.offsets, new.replaced, new.first);
        assert_eq!(found, array.expected, "{engine:?}, {} to {}, {policy:?}", S::NAME, D::NAME);
    };
    for policy in policies().into_iter().flatten() {
        for _ in 0..scale::size(40, 8, 2) {
            let array = Short::random(source, target, policy, &mut rng);
            engines().into_iter().for_each(|engine| ask(engine, &array, policy));
        }
    }
}

#[test]
fn short_values_with_errors_between_types() {
    use oracle::{LATIN1, UTF8, UTF16, UTF16BE, UTF16LE, UTF32, UTF32BE, UTF32LE, WTF8, WTF16, WTF16BE};
    short_typed::<Utf8, Utf8>(&UTF8, &UTF8);
    short_typed::<Utf8, Utf16>(&UTF8, &UTF16);
    short_typed::<Utf8, Latin1>(&UTF8, &LATIN1);
    short_typed::<Utf16, Utf8>(&UTF16, &UTF8);
    short_typed::<Utf32, Utf16>(&UTF32, &UTF16);
    short_typed::<Wtf16, Wtf8>(&WTF16, &WTF8);
    short_typed::<Wtf8, Wtf16>(&WTF8, &WTF16);
    // A form, and both of its schemes: of one the bytes are the same, and the units are not.
    short_typed::<Utf16, Utf16Le>(&UTF16, &UTF16LE);
    short_typed::<Utf16Le, Utf16>(&UTF16LE, &UTF16);
    short_typed::<Utf16, Utf16Be>(&UTF16, &UTF16BE);
    short_typed::<Utf16Be, Utf16>(&UTF16BE, &UTF16);
    short_typed::<Utf32, Utf32Le>(&UTF32, &UTF32LE);
    short_typed::<Utf32Be, Utf32>(&UTF32BE, &UTF32);
    short_typed::<Wtf16, Wtf16Be>(&WTF16, &WTF16BE);
}
