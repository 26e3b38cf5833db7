//! Repair piece by piece, with what `incomplete_suffix` says kept back, is repair at once.

use proptest::prelude::*;
use runecast::{Engine, Policy, Replacement};

use super::ill_formed::{policies, with_errors};
use crate::common::check::excerpt;
use crate::common::place::Place;
use crate::common::scale::size;
use crate::common::texts::{Class, Rng};
use crate::encodings::pairs::{PAIRS, Pair, from_utf8, with_forms};

/// Repairs `bytes` in pieces, to which `next` says how many units are added: the output, and the
/// number of replacements.
fn in_pieces(
    pair: &Pair,
    bytes: &[u8],
    policy: Policy<'_>,
    mut next: impl FnMut() -> usize,
) -> (Vec<u8>, usize) {
    let unit = pair.source.unit;
    let mut place = Place::new(bytes.len());
    let (mut out, mut replaced) = (Vec::new(), 0);
    let (mut begin, mut end) = (0, 0);
    while end < bytes.len() {
        end = bytes.len().min(end + unit * next());
        let piece = place.at(0, &bytes[begin..end]);
        let kept = if end == bytes.len() { 0 } else { unit * (pair.incomplete_suffix)(piece, policy) };
        let piece = &piece[..piece.len() - kept];
        let (repaired, written) = (pair.lossy_append)(Engine::current(), piece, &[], policy);
        out.extend(written);
        replaced += repaired.replaced;
        begin = end - kept;
    }
    (out, replaced)
}

fn ask(pair: &Pair, bytes: &[u8], policy: Policy<'_>, next: impl FnMut() -> usize) {
    let mut place = Place::new(bytes.len());
    let (repaired, whole) = (pair.lossy_append)(Engine::current(), place.at(0, bytes), &[], policy);
    let (out, replaced) = in_pieces(pair, bytes, policy, next);
    assert!(
        out == whole && replaced == repaired.replaced,
        "{} to {}, {policy:?}: {}",
        pair.source.name,
        pair.target.name,
        excerpt(bytes, 0)
    );
}

/// Every way to cut short strings of boundary bytes in two, and byte by byte.
#[test]
fn utf8_cut_anywhere() {
    let boundary = [
        0x41, 0x80, 0x9F, 0xBF, 0xC1, 0xC3, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xF7, 0xF8, 0xFD, 0xFE, 0xFF,
    ];
    let mut rng = Rng::new(51);
    let pair = &PAIRS[0];
    for _ in 0..size(20_000, 2_000, 500) {
        let len = rng.below(18);
        let bytes: Vec<u8> = (0..len)
            .map(|_| if rng.below(3) > 0 { 0x80 + rng.below(0x40) as u8 } else { boundary[rng.below(17)] })
            .collect();
        for replacement in Replacement::ALL {
            for first in 1..=len.max(1) {
                let mut step = first;
                ask(pair, &bytes, replacement.into(), || std::mem::replace(&mut step, len));
            }
            ask(pair, &bytes, replacement.into(), || 1);
        }
    }
}

/// No more is kept back than is said.
#[test]
fn little_is_kept_back() {
    for replacement in Replacement::ALL {
        let most = match replacement {
            Replacement::Perl5 => 12,
            Replacement::Icu55 => 5,
            _ => 3,
        };
        let kept = |lead: u8, behind: usize, byte: u8| {
            // (The long forms are the shortest of their values with a second byte of 80 only.)
            let mut bytes = vec![lead, if byte == 0x81 { 0x80 } else { byte }];
            bytes.resize(1 + behind, byte);
            replacement.incomplete_suffix(&bytes)
        };
        let of = |byte| (0..=0xFF).flat_map(move |lead| (0..20).map(move |behind| kept(lead, behind, byte)));
        assert_eq!(of(0x81).chain(of(0xBF)).max(), Some(most), "{replacement}");
        assert_eq!(replacement.incomplete_suffix(b""), 0);
    }
}

#[test]
fn every_pair_and_policy() {
    let mut rng = Rng::new(52);
    for pair in with_forms() {
        for policy in policies() {
            for rarity in [1, 4, 50] {
                let class = Class::ALL[rng.below(Class::ALL.len())];
                let bytes = with_errors(&pair.source, class, size(150, 60, 30), rarity, &mut rng);
                let most = [1, 3, 40][rng.below(3)];
                ask(pair, &bytes, policy, || 1 + rng.below(most));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(size(3000, 300, 100) as u32)
    })]

    #[test]
    fn any_bytes(which in 0..from_utf8(), bytes in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        for policy in policies() {
            ask(&PAIRS[which], &bytes, policy, || 1 + rng.below(20));
        }
    }
}
