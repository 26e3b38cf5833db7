//! The validator of an encoding that is known at run time: step by step what the typed one says, kept as a
//! number between two chunks.

use bytemuck::cast_slice;
use runecast::{AnyValidator, Cesu8, Encoding, Engine, Scheme, Utf8, Utf16Le, Validator};

use super::transcoder::oracle;
use crate::common::check::engines;
use crate::common::scale::{size, step};
use crate::common::texts::Rng;
use crate::stream::vectors::{chunks, cuts, long, pieces, random_cuts};

/// Holds the validator to the typed one, chunk by chunk.
fn beside<E: Encoding<Unit = u8>>(engine: Engine, text: &[u8], cuts: &[usize]) {
    let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.name() == E::NAME).expect("a scheme");
    let (mut typed, mut state) = (Validator::<E>::new(), 0);
    for chunk in chunks(text, 1, cuts) {
        let mut any = AnyValidator::from_state(scheme, state);
        let result = any.push(chunk);
        assert_eq!(
            result,
            typed.push_with(engine, cast_slice(chunk)),
            "{scheme} cut at {cuts:?}: {text:02X?}"
        );
        assert_eq!((any.offset(), any.waiting()), (typed.offset(), typed.waiting()));
        assert_eq!(any.finish(), typed.finish(), "{scheme} cut at {cuts:?}: {text:02X?}");
        state = any.state();
        if result.is_err() {
            break;
        }
    }
}

/// A scheme, and how it is asked.
type Row = (Scheme, fn(Engine, &[u8], &[usize]));

fn rows() -> [Row; 15] {
    use runecast::{
        Ascii, Cesu8, GeneralizedUtf8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, WobblyCesu8,
        WobblyMutf8, Wtf8, Wtf16Be, Wtf16Le,
    };
    [
        (Scheme::Utf8, beside::<Utf8>),
        (Scheme::Utf16Le, beside::<Utf16Le>),
        (Scheme::Utf16Be, beside::<Utf16Be>),
        (Scheme::Utf32Le, beside::<Utf32Le>),
        (Scheme::Utf32Be, beside::<Utf32Be>),
        (Scheme::Latin1, beside::<Latin1>),
        (Scheme::Ascii, beside::<Ascii>),
        (Scheme::Wtf8, beside::<Wtf8>),
        (Scheme::Wtf16Le, beside::<Wtf16Le>),
        (Scheme::Wtf16Be, beside::<Wtf16Be>),
        (Scheme::GeneralizedUtf8, beside::<GeneralizedUtf8>),
        (Scheme::Cesu8, beside::<Cesu8>),
        (Scheme::WobblyCesu8, beside::<WobblyCesu8>),
        (Scheme::Mutf8, beside::<Mutf8>),
        (Scheme::WobblyMutf8, beside::<WobblyMutf8>),
    ]
}

#[test]
fn every_short_text_cut_anywhere() {
    let (all, mut number) = (engines(), 0);
    for (scheme, ask) in rows() {
        let pieces = pieces(&oracle(scheme));
        for first in &pieces {
            for second in pieces.iter().skip(number % step(3, 7)).step_by(step(3, 7)) {
                number += 1;
                let text = [&first[..], &second[..]].concat();
                cuts(text.len(), |cuts| ask(all[number % all.len()], &text, cuts));
            }
        }
    }
}

#[test]
fn long_texts_cut_at_random() {
    let mut rng = Rng::new(71);
    for (scheme, ask) in rows() {
        let pieces = pieces(&oracle(scheme));
        for round in 0..size(200, 50, 20) {
            let rarity = [2, 20, usize::MAX][round % 3];
            let text = long(&oracle(scheme), &pieces, 1 + rng.below(40), rarity, &mut rng);
            for engine in engines() {
                let most = [1, 5, 70, 700][rng.below(4)];
                ask(engine, &text, &random_cuts(text.len(), most, &mut rng));
            }
        }
    }
}

/// Numbers that no validator ever was.
#[test]
fn any_number_is_a_state() {
    let mut rng = Rng::new(79);
    let texts: [&[u8]; 4] = [b"", b"\x80", &[0xED; 7], &[0xBF; 40]];
    for scheme in Scheme::ALL {
        assert_eq!(AnyValidator::from_state(scheme, 0), AnyValidator::new(scheme));
        assert_eq!((AnyValidator::new(scheme).offset(), AnyValidator::new(scheme).waiting()), (0, 0));
        for _ in 0..size(2000, 400, 100) {
            let number = (rng.below(1 << 20) as u64) << rng.below(60) >> rng.below(20);
            for text in texts {
                let mut validator = AnyValidator::from_state(scheme, number);
                assert!(validator.waiting() <= 5);
                let _ = validator.push(text);
                let _ = validator.finish();
            }
        }
    }
}

/// Offsets are counted up to the greatest that there is room for; errors are found behind it, too.
#[test]
fn offsets_end_at_the_greatest() {
    let rows: [(Scheme, u64, &[u8]); 3] = [
        (Scheme::Utf8, Validator::<Utf8>::MAX_OFFSET, b"\xFF"),
        (Scheme::Cesu8, Validator::<Cesu8>::MAX_OFFSET, b"\xFF"),
        (Scheme::Utf16Le, Validator::<Utf16Le>::MAX_OFFSET, b"\0\xDC"),
    ];
    for (scheme, most, wrong) in rows {
        let mut validator = AnyValidator::from_state(scheme, (most - 1) << most.leading_zeros() | 1);
        for _ in 0..2 {
            assert_eq!(validator.push(b"abcd"), Ok(()), "{scheme}");
            assert_eq!((validator.offset(), validator.waiting()), (most, 0), "{scheme}");
        }
        let at = usize::try_from(most).unwrap_or(usize::MAX);
        assert_eq!(validator.push(wrong).map_err(|error| error.at), Err(at), "{scheme}");
    }
}
