//! Validation of views: short values are within them, long ones elsewhere.

use runecast::Utf8;
use runecast::batch::{Defect, Validity};

use super::array::{Array, Wrong, std_judge, wrong};
use crate::common::check::engines;
use crate::common::scale;
use crate::common::texts::{BOUNDARY_BYTES, Rng};

/// The views of an array, and their buffers.
pub fn views_of(array: &Array, rng: &mut Rng) -> (Vec<u128>, Vec<Vec<u8>>) {
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
    for _ in 0..scale::size(10_000, 1_000, 400) {
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
        // One view that is wrong, behind or before what else is wrong.
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
