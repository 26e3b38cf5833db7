//! The oracle against the standard library, as far as that goes: UTF-8 and UTF-16 in every order
//! by its decoders and encoders, the rest by its casts.

use crate::common::oracle::{ASCII, Decoded, LATIN1, UTF8, UTF16, UTF16BE, UTF16LE, UTF32BE, UTF32LE};
use crate::common::scale::step;
use crate::common::texts::{ILL_FORMED, Rng};
use crate::encodings::pairs::sources;

#[test]
fn encodes_as_std() {
    for character in ('\0'..=char::MAX).step_by(step(1, 97)) {
        let scalar = u32::from(character);
        let of = |encoding: &crate::common::oracle::Encoding| encoding.encode_all([character]);
        assert_eq!(of(&UTF8), character.encode_utf8(&mut [0; 4]).as_bytes());
        let mut units = [0; 2];
        let units = &*character.encode_utf16(&mut units);
        assert_eq!(of(&UTF16), bytemuck::cast_slice::<u16, u8>(units));
        assert_eq!(of(&UTF16LE), units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>());
        assert_eq!(of(&UTF16BE), units.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>());
        assert_eq!(of(&UTF32LE), scalar.to_le_bytes());
        assert_eq!(of(&UTF32BE), scalar.to_be_bytes());
        assert_eq!(LATIN1.encode(scalar, &mut Vec::new()), u8::try_from(scalar).is_ok());
        assert_eq!(ASCII.encode(scalar, &mut Vec::new()), character.is_ascii());
    }
}

#[test]
fn decodes_what_it_encodes() {
    let step = step(7, 97);
    for (turn, pair) in sources().enumerate() {
        let characters = super::text::scalars(pair.source.limit).skip(turn % step).step_by(step);
        for character in characters {
            let bytes = pair.source.encode_all([character]);
            let decoded = Decoded { characters: vec![(character.into(), bytes.len())], error: None };
            assert_eq!(pair.source.decode(&bytes), decoded, "{} in {}", character, pair.source.name);
        }
    }
}

#[test]
fn finds_the_errors_that_std_finds() {
    for bytes in ILL_FORMED {
        let error = UTF8.decode(bytes).error.expect("ill-formed");
        let std = std::str::from_utf8(bytes).expect_err("ill-formed");
        assert_eq!(error.0, std.valid_up_to());
        assert_eq!(error.1, std.error_len().unwrap_or(bytes.len() - error.0));
    }
    // Units of few kinds, so that every sequence of kinds comes by.
    let mut rng = Rng::new(16);
    for _ in 0..20_000 {
        let kinds = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        let units: Vec<u16> = (0..rng.below(8)).map(|_| kinds[rng.below(kinds.len())]).collect();
        let decoded = UTF16.decode(bytemuck::cast_slice(&units));
        let std: Vec<_> = char::decode_utf16(units.iter().copied()).collect();
        let good = std.iter().map_while(|item| item.as_ref().ok().map(|c| u32::from(*c)));
        assert!(decoded.characters.iter().map(|(scalar, _)| *scalar).eq(good), "{units:X?}");
        let bad = std.iter().find_map(|item| item.as_ref().err());
        let culprit = decoded.error.map(|(at, _, _)| units[at / 2]);
        assert_eq!(culprit, bad.map(|error| error.unpaired_surrogate()), "{units:X?}");
        assert_eq!(decoded.error.is_none(), String::from_utf16(&units).is_ok());
    }
}
