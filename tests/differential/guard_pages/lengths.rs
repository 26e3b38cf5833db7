//! Counts, lengths, repertoires, columns and conversions into Corrected UTF-8, of input beside a page that must not be touched.
//!
//! A kernel that counts has no output that would show what it read too much: it weighs bytes, and those behind the input
//! may weigh nothing. Only the page sees it. What is expected comes from std's iterators.

use runecast::batch::Validity;
use runecast::{
    Cesu8, CorrectedUtf8, Encoding, Engine, Latin1, Mutf8, Repertoire, Replacement, Utf8, Utf16, Utf16Be,
    Utf32, Utf32Le, Wtf8, Wtf16,
};

use crate::common::check::engines;
use crate::common::guard::Guarded;
use crate::common::scale;
use crate::common::texts::{Class, Rng};

/// One text, and what std knows of it.
struct Text {
    utf8: String,
    utf16: Vec<u16>,
    utf32: Vec<u32>,
    cesu8: usize,
    nuls: usize,
    repertoire: Repertoire,
}

impl Text {
    fn new(utf8: String) -> Self {
        let utf16: Vec<u16> = utf8.encode_utf16().collect();
        let utf32: Vec<u32> = utf8.chars().map(u32::from).collect();
        // A supplementary character has three bytes for each of its two surrogates.
        let cesu8 = utf8.chars().map(|c| if c.len_utf16() == 2 { 6 } else { c.len_utf8() }).sum();
        let nuls = utf32.iter().filter(|c| **c == 0).count();
        let repertoire = match utf32.iter().max() {
            None | Some(0..=0x7F) => Repertoire::Ascii,
            Some(0x80..=0xFF) => Repertoire::Latin1,
            Some(0x100..=0xFFFF) => Repertoire::Bmp,
            Some(_) => Repertoire::Unicode,
        };
        Self { utf8, utf16, utf32, cesu8, nuls, repertoire }
    }

    fn ask(&self, engine: Engine, utf8: &[u8], utf16: &[u16], utf32: &[u32]) {
        let (bytes, units, chars) = (self.utf8.len(), self.utf16.len(), self.utf32.len());
        let what = engine.isa();
        assert_eq!(engine.count::<Utf8>(utf8), chars, "{what}");
        assert_eq!(engine.count::<Wtf8>(utf8), chars, "{what}");
        assert_eq!(engine.count::<Utf16>(utf16), chars, "{what}");
        assert_eq!(engine.count::<Wtf16>(utf16), chars, "{what}");
        assert_eq!(engine.count::<Utf32>(utf32), chars, "{what}");
        assert_eq!(engine.transcoded_len::<Utf8, Utf16>(utf8), units, "{what}");
        assert_eq!(engine.transcoded_len::<Utf8, Utf32>(utf8), chars, "{what}");
        assert_eq!(engine.transcoded_len::<Utf8, Cesu8>(utf8), self.cesu8, "{what}");
        assert_eq!(engine.transcoded_len::<Utf8, Mutf8>(utf8), self.cesu8 + self.nuls, "{what}");
        assert_eq!(engine.transcoded_len::<Utf16, Utf8>(utf16), bytes, "{what}");
        assert_eq!(engine.transcoded_len::<Utf16, Utf32>(utf16), chars, "{what}");
        assert_eq!(engine.transcoded_len::<Wtf16, Wtf8>(utf16), bytes, "{what}");
        assert_eq!(engine.transcoded_len::<Utf16, Cesu8>(utf16), self.cesu8, "{what}");
        assert_eq!(engine.transcoded_len::<Utf32, Utf8>(utf32), bytes, "{what}");
        assert_eq!(engine.transcoded_len::<Utf32, Utf16>(utf32), units, "{what}");
        assert_eq!(engine.repertoire::<Utf8>(utf8), self.repertoire, "{what}");
        assert_eq!(engine.repertoire::<Utf16>(utf16), self.repertoire, "{what}");
        assert_eq!(engine.repertoire::<Utf32>(utf32), self.repertoire, "{what}");
        assert_eq!(
            engine.fits::<Utf8>(utf8, Repertoire::Latin1),
            self.repertoire <= Repertoire::Latin1,
            "{what}"
        );
        assert_eq!(
            engine.fits::<Utf16>(utf16, Repertoire::Bmp),
            self.repertoire <= Repertoire::Bmp,
            "{what}"
        );
        // Any bytes are Latin-1.
        let beyond_ascii = utf8.iter().filter(|byte| **byte >= 0x80).count();
        assert_eq!(engine.transcoded_len::<Latin1, Utf8>(utf8), bytes + beyond_ascii, "{what}");
        // Bytes at addresses that are odd for units.
        let le: Vec<u8> = self.utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(engine.transcoded_len::<Utf16Be, Utf8>(&le), bytes, "{what}");
    }
}

fn texts(rng: &mut Rng, mut test: impl FnMut(&Text)) {
    for class in Class::ALL {
        for len in (0..=300).step_by(scale::step(1, 9)).chain([1021, 4099]) {
            test(&Text::new(class.exactly(len, rng)));
        }
    }
}

#[test]
fn counts_and_lengths() {
    let mut rng = Rng::new(41);
    let mut rooms = [Guarded::new(4 * 4100), Guarded::new(4 * 4100), Guarded::new(4 * 4100)];
    texts(&mut rng, |text| {
        let [one, two, four] = &mut rooms;
        let (units, chars) = (bytemuck::cast_slice(&text.utf16), bytemuck::cast_slice(&text.utf32));
        {
            let (utf8, utf16, utf32) =
                (one.at_end(text.utf8.as_bytes()), two.at_end(units), four.at_end(chars));
            for engine in engines() {
                text.ask(engine, utf8, bytemuck::cast_slice(utf16), bytemuck::cast_slice(utf32));
            }
        }
        let (utf8, utf16, utf32) =
            (one.at_start(text.utf8.as_bytes()), two.at_start(units), four.at_start(chars));
        for engine in engines() {
            text.ask(engine, utf8, bytemuck::cast_slice(utf16), bytemuck::cast_slice(utf32));
        }
    });
}

/// Bytes in any byte order, against the page.
#[test]
fn lengths_of_bytes() {
    fn ask<S: Encoding<Unit = u8>>(room: &mut Guarded, bytes: &[u8], len: usize) {
        for engine in engines() {
            let name = engine.isa();
            assert_eq!(engine.transcoded_len::<S, Utf8>(room.at_end(bytes)), len, "{name}");
            assert_eq!(engine.transcoded_len::<S, Utf8>(room.at_start(bytes)), len, "{name}");
        }
    }
    let mut rng = Rng::new(42);
    let mut room = Guarded::new(4 * 4100);
    texts(&mut rng, |text| {
        let utf16: Vec<u8> = text.utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        ask::<Utf16Be>(&mut room, &utf16, text.utf8.len());
        let utf32: Vec<u8> = text.utf32.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        ask::<Utf32Le>(&mut room, &utf32, text.utf8.len());
    });
}

/// Values and offsets each beside a page; the last value ends where the page begins.
#[test]
fn columns() {
    let (mut rng, mut cuts) = (Rng::new(43), Rng::new(45));
    let (mut values_room, mut offsets_room, mut bits_room) =
        (Guarded::new(8192), Guarded::new(4 * 4200), Guarded::new(4096));
    texts(&mut rng, |text| {
        let mut offsets = vec![0_i32];
        for (at, _) in text.utf8.char_indices().skip(1) {
            if cuts.below(5) == 0 {
                offsets.push(at as i32);
            }
        }
        offsets.push(text.utf8.len() as i32);
        let bits = vec![0xFF_u8; (offsets.len() - 1).div_ceil(8)];
        let expected: Vec<Vec<u16>> = offsets
            .windows(2)
            .map(|pair| text.utf8[pair[0] as usize..pair[1] as usize].encode_utf16().collect())
            .collect();
        for end in [true, false] {
            let put = |room: &mut Guarded, bytes: &[u8]| -> *const [u8] {
                if end { room.at_end(bytes) } else { room.at_start(bytes) }
            };
            let values = put(&mut values_room, text.utf8.as_bytes());
            let places = put(&mut offsets_room, bytemuck::cast_slice(&offsets));
            let bits = put(&mut bits_room, &bits);
            // SAFETY: the three lie in rooms of their own, which are not written to before the next turn.
            let (values, places, bits) = unsafe { (&*values, &*places, &*bits) };
            let places: &[i32] = bytemuck::cast_slice(places);
            for engine in engines() {
                let validity = Some(Validity::new(bits, 0));
                assert!(engine.validate_offsets::<Utf8>(values, places, validity).is_ok());
                assert!(
                    engine.repair_offsets(values, places, validity, Replacement::Whatwg).unwrap().is_none()
                );
                let converted =
                    engine.transcode_offsets::<Utf8, Utf16, i32>(values, places, validity).unwrap();
                for (pair, expected) in converted.offsets.windows(2).zip(&expected) {
                    assert_eq!(&converted.values[pair[0] as usize..pair[1] as usize], expected);
                }
            }
        }
    });
}

/// Into Corrected UTF-8 and back, with exactly the room that it needs, and pages around input and output.
#[test]
fn corrected_utf8() {
    let mut rng = Rng::new(44);
    let (mut from, mut to) = (Guarded::new(4 * 4100), Guarded::new(4 * 4100));
    texts(&mut rng, |text| {
        // It lacks the C1 controls, which the texts of some classes contain.
        if text.utf32.iter().any(|c| (0x80..0xA0).contains(c)) {
            return;
        }
        for engine in engines() {
            for end in [true, false] {
                let units: &[u8] = bytemuck::cast_slice(&text.utf16);
                let units = if end { from.at_end(units) } else { from.at_start(units) };
                let len = engine.transcoded_len::<Utf16, CorrectedUtf8>(bytemuck::cast_slice(units));
                let room = if end { to.end_mut(len) } else { to.start_mut(len) };
                let done = engine.transcode::<Utf16, CorrectedUtf8>(bytemuck::cast_slice(units), room);
                assert_eq!(done.ok(), Some(len));
                let corrected = room.to_vec();

                let chars: &[u8] = bytemuck::cast_slice(&text.utf32);
                let chars = if end { from.at_end(chars) } else { from.at_start(chars) };
                let room = if end { to.end_mut(len) } else { to.start_mut(len) };
                let done = engine.transcode::<Utf32, CorrectedUtf8>(bytemuck::cast_slice(chars), room);
                assert_eq!(done.ok(), Some(len));
                assert_eq!(room, corrected);

                let bytes = if end { from.at_end(&corrected) } else { from.at_start(&corrected) };
                assert_eq!(engine.count::<CorrectedUtf8>(bytes), text.utf32.len());
                let room =
                    if end { to.end_mut(2 * text.utf16.len()) } else { to.start_mut(2 * text.utf16.len()) };
                let done = engine.transcode::<CorrectedUtf8, Utf16>(bytes, bytemuck::cast_slice_mut(room));
                assert_eq!(done.ok(), Some(text.utf16.len()));
                assert_eq!(bytemuck::cast_slice::<u8, u16>(room), text.utf16);
            }
        }
    });
}
