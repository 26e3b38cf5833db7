//! Any bytes as Corrected UTF-8: every engine against the model of the tests, and what it decodes back again.

use runecast::{CorrectedUtf8, Utf8, Utf16, Utf32};

use crate::choices::Choices;
use crate::corrected_model as model;

/// One execution.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let (engine, form) = (choices.engine(), choices.byte());
    let bytes = choices.rest();
    let (points, error) = model::decode(bytes);
    assert_eq!(model::TABLE[0].offset, 0);
    for (point, len) in &points {
        assert_eq!(model::encode(*point).map(|bytes| bytes.len()), Some(*len));
    }
    // As far as Unicode goes.
    let text: String = points.iter().map_while(|(point, _)| char::from_u32(*point)).collect();
    let read = points.iter().take(text.chars().count()).map(|(_, len)| len).sum::<usize>();
    let seen = engine.validate::<CorrectedUtf8>(bytes).err();
    assert_eq!(seen.map(|error| (error.at, error.len, error.kind)), error);

    // There, as far as Unicode goes, and back again.
    let mut back = Vec::new();
    match form % 3 {
        0 => {
            let mut units = Vec::new();
            let outcome = engine.transcode_append::<CorrectedUtf8, Utf16>(bytes, &mut units);
            assert!(text.encode_utf16().eq(units.iter().copied()));
            assert_eq!(outcome.err().map_or(bytes.len(), |error| error.read), read);
            engine.transcode_append::<Utf16, CorrectedUtf8>(&units, &mut back).expect("a form");
        }
        1 => {
            let mut utf8 = Vec::new();
            let _ = engine.transcode_append::<CorrectedUtf8, Utf8>(bytes, &mut utf8);
            assert_eq!(utf8, text.as_bytes());
            engine.transcode_append::<Utf8, CorrectedUtf8>(&utf8, &mut back).expect("a form");
        }
        _ => {
            let mut utf32 = Vec::new();
            let _ = engine.transcode_append::<CorrectedUtf8, Utf32>(bytes, &mut utf32);
            assert!(utf32.iter().copied().eq(text.chars().map(u32::from)));
            engine.transcode_append::<Utf32, CorrectedUtf8>(&utf32, &mut back).expect("a form");
        }
    }
    assert_eq!(back, &bytes[..read]);
}
