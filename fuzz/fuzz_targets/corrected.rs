//! Any bytes as Corrected UTF-8: every engine against the model of the tests, and what it decodes back again.

#![no_main]

#[path = "../../tests/differential/encodings/corrected/model.rs"]
mod model;

use libfuzzer_sys::fuzz_target;
use runecast::{CorrectedUtf8, Engine, Utf8, Utf16, Utf32};

fuzz_target!(|bytes: &[u8]| {
    let (points, error) = model::decode(bytes);
    assert_eq!(model::TABLE[0].offset, 0);
    for (point, len) in &points {
        assert_eq!(model::encode(*point).map(|bytes| bytes.len()), Some(*len));
    }
    // As far as Unicode goes.
    let text: String = points.iter().map_while(|(point, _)| char::from_u32(*point)).collect();
    let read = points.iter().take(text.chars().count()).map(|(_, len)| len).sum::<usize>();
    let in_utf16: Vec<u16> = text.encode_utf16().collect();
    for engine in Engine::available() {
        let seen = engine.validate::<CorrectedUtf8>(bytes).err();
        assert_eq!(seen.map(|error| (error.at, error.len, error.kind)), error);

        let mut units = Vec::new();
        let outcome = engine.transcode_append::<CorrectedUtf8, Utf16>(bytes, &mut units);
        assert_eq!(units, in_utf16);
        assert_eq!(outcome.err().map_or(bytes.len(), |error| error.read), read);
        let mut utf8 = Vec::new();
        let _ = engine.transcode_append::<CorrectedUtf8, Utf8>(bytes, &mut utf8);
        assert_eq!(utf8, text.as_bytes());
        let mut utf32 = Vec::new();
        let _ = engine.transcode_append::<CorrectedUtf8, Utf32>(bytes, &mut utf32);
        assert!(utf32.iter().copied().eq(text.chars().map(u32::from)));

        let mut back = Vec::new();
        engine.transcode_append::<Utf16, CorrectedUtf8>(&units, &mut back).expect("a form");
        assert_eq!(back, &bytes[..read]);
        back.clear();
        engine.transcode_append::<Utf8, CorrectedUtf8>(&utf8, &mut back).expect("a form");
        assert_eq!(back, &bytes[..read]);
        back.clear();
        engine.transcode_append::<Utf32, CorrectedUtf8>(&utf32, &mut back).expect("a form");
        assert_eq!(back, &bytes[..read]);
    }
});
