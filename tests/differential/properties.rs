//! Random mixes, shrunk when they fail.
//!
//! What the other tests leave out on purpose is order of any kind. Here pieces of text, of
//! nonsense and of everything between are thrown together; `proptest` makes the smallest example
//! of whatever it finds.

use crate::common::check::check;
use crate::common::scale;
use crate::common::texts::{BOUNDARY_BYTES, Class, ILL_FORMED, Rng};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn config(full: usize) -> ProptestConfig {
    ProptestConfig {
        cases: scale::size(full, full / 10, full / 50) as u32,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A stretch of well-formed text.
fn text(longest: usize) -> impl Strategy<Value = Vec<u8>> {
    (select(&Class::ALL[..]), 0..longest, any::<u64>())
        .prop_map(|(class, len, seed)| class.text(len, &mut Rng::new(seed)).into_bytes())
}

/// A piece: mostly text, sometimes what is no text.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => text(100),
        2 => text(700),
        1 => select(&ILL_FORMED[..]).prop_map(<[u8]>::to_vec),
        1 => vec(select(&BOUNDARY_BYTES[..]), 0..6),
        1 => vec(any::<u8>(), 0..40),
    ]
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn boundary_bytes(bytes in vec(select(&BOUNDARY_BYTES[..]), 0..150)) {
        check(&bytes);
    }

    #[test]
    fn any_string(text in any::<String>()) {
        check(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(config(6_000))]

    #[test]
    fn pieces(pieces in vec(piece(), 0..12)) {
        check(&pieces.concat());
    }

    #[test]
    fn text_with_changed_bytes(
        pieces in vec(text(400), 1..6),
        changes in vec((any::<Index>(), select(&BOUNDARY_BYTES[..])), 0..4),
    ) {
        let mut bytes = pieces.concat();
        if !bytes.is_empty() {
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        check(&bytes);
    }

    #[test]
    fn text_with_one_flipped_bit(text in text(1500), at in any::<Index>(), bit in 0_u32..8) {
        let mut bytes = text;
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
        }
        check(&bytes);
    }

    #[test]
    fn a_part_of_a_text(text in text(1500), from in any::<Index>(), to in any::<Index>()) {
        let (from, to) = (from.index(text.len() + 1), to.index(text.len() + 1));
        check(&text[from.min(to)..from.max(to)]);
    }
}
