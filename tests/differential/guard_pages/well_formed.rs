//! UTF-16 made well-formed in place, between pages that must not be touched.

use crate::common::check::engines;
use crate::common::guard::Guarded;
use crate::common::scale;
use crate::common::texts::Rng;

/// Units in which one in `every` is a surrogate of any kind.
fn units(len: usize, every: usize, rng: &mut Rng) -> Vec<u16> {
    let mut unit = || {
        if rng.below(every) == 0 { 0xD800 + rng.below(0x800) as u16 } else { 0x400 + rng.below(0xFF) as u16 }
    };
    (0..len).map(|_| unit()).collect()
}

#[test]
fn well_formed_beside_both_pages() {
    let mut rng = Rng::new(37);
    let mut room = Guarded::new(8192);
    let lengths = (0..=330).step_by(scale::step(1, 7)).chain([511, 512, 513, 1100, 2047, 2049, 4096]);
    for len in lengths {
        for every in [1, 2, 30, 400, usize::MAX] {
            let mut text = units(len, every, &mut rng);
            if len > 0 {
                // What is at the ends makes a kernel look for what is behind them.
                match rng.below(3) {
                    0 => text[0] = 0xDC00,
                    1 => text[len - 1] = 0xD800,
                    _ => (text[0], text[len - 1]) = (0xDFFF, 0xDBFF),
                }
            }
            let expected: Vec<u16> = String::from_utf16_lossy(&text).encode_utf16().collect();
            for engine in engines() {
                for at_end in [false, true] {
                    let bytes = if at_end { room.end_mut(2 * len) } else { room.start_mut(2 * len) };
                    // SAFETY: any two bytes are a unit.
                    let (odd, place, rest) = unsafe { bytes.align_to_mut::<u16>() };
                    assert!(odd.is_empty() && rest.is_empty(), "the room is aligned, and its length is even");
                    place.copy_from_slice(&text);
                    engine.to_well_formed(place);
                    assert!(place == expected, "{engine:?}, {len} units, at the end: {at_end}: {text:04X?}");
                }
            }
        }
    }
}
