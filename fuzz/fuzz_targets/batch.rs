//! Arrays of any bytes, cut anywhere, with any values null: judged and repaired by every engine as std
//! judges and repairs their values.
//!
//! The values are as they come, or runs of text with ill-formed sequences among them; the offsets are given
//! by lengths, so that most of them are in order, and some are changed to anything.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use arbitrary::Arbitrary;
use common::check::engines;
use common::texts::{Class, ILL_FORMED, Rng};
use libfuzzer_sys::fuzz_target;
use runecast::batch::{BatchError, Defect, Validity};
use runecast::{Reason, Replacement, Utf8, Utf16};

/// What the values are made of.
#[derive(Arbitrary, Debug)]
enum Stretch {
    /// Text of one kind.
    Run { class: u8, len: u8, seed: u8 },
    /// What is ill-formed.
    IllFormed(u8),
    /// Anything.
    Bytes([u8; 3]),
}

#[derive(Arbitrary, Debug)]
struct Array {
    stretches: Vec<Stretch>,
    /// Where the first value begins, and how long each is; again and again, up to so many.
    first: u8,
    lens: Vec<u8>,
    count: u16,
    /// Offsets that are changed, and to what.
    changes: Vec<(u16, i32)>,
    /// The null bitmap, if there is one, and the bit at which it begins.
    nulls: Option<(Vec<u8>, u8)>,
}

/// The number of a value, and its error as std tells it; or nothing, where it is out of bounds.
type Verdict = Option<(usize, Option<(usize, Option<usize>)>)>;

impl Array {
    fn values(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for stretch in self.stretches.iter().take(64) {
            match stretch {
                Stretch::Run { class, len, seed } => {
                    let class = Class::ALL[usize::from(*class) % Class::ALL.len()];
                    let text = class.text(4 * usize::from(*len), &mut Rng::new((*seed).into()));
                    bytes.extend(text.bytes());
                }
                Stretch::IllFormed(which) => {
                    bytes.extend(ILL_FORMED[usize::from(*which) % ILL_FORMED.len()]);
                }
                Stretch::Bytes(some) => bytes.extend(some),
            }
        }
        bytes
    }

    fn offsets(&self, end: usize) -> Vec<i32> {
        let mut offsets = vec![usize::from(self.first).min(end) as i32];
        for len in self.lens.iter().cycle().take(usize::from(self.count % 2048)) {
            let at = offsets[offsets.len() - 1] as usize + usize::from(len % 64);
            offsets.push(at.min(end) as i32);
        }
        for (which, offset) in self.changes.iter().take(2) {
            let which = usize::from(*which) % offsets.len();
            offsets[which] = *offset;
        }
        offsets
    }
}

/// Where each value is, if it is not null; or that it is nowhere.
fn bounds<'a>(
    offsets: &'a [i32],
    end: usize,
    is_null: impl Fn(usize) -> bool + 'a,
) -> impl Iterator<Item = Option<std::ops::Range<usize>>> + 'a {
    offsets.windows(2).enumerate().map(move |(index, ends)| {
        let [from, to] = [ends[0], ends[1]].map(i64::from);
        let within = 0 <= from && from <= to && to <= end as i64;
        within.then_some(if is_null(index) { 0..0 } else { from as usize..to as usize })
    })
}

fn verdict(error: Option<BatchError>) -> Verdict {
    let error = error?;
    let said = match error.defect {
        Defect::Text(Reason::IllFormed(error)) => {
            Some((error.at, (!error.is_incomplete()).then_some(error.len)))
        }
        Defect::OutOfBounds => None,
        defect => panic!("{defect:?}"),
    };
    Some((error.index, said))
}

fuzz_target!(|array: Array| {
    let values = array.values();
    let offsets = array.offsets(values.len());
    let count = offsets.len() - 1;
    let nulls = array.nulls.as_ref().map(|(bits, from)| {
        let mut bits = bits.clone();
        bits.resize((count + usize::from(*from)).div_ceil(8), 0xFF);
        (bits, usize::from(*from))
    });
    let is_null = |index: usize| {
        nulls.as_ref().is_some_and(|(bits, from)| bits[(from + index) / 8] >> ((from + index) % 8) & 1 == 0)
    };
    let validity = nulls.as_ref().map(|(bits, from)| Validity::new(bits, *from));

    let judge = |bounds: Option<std::ops::Range<usize>>| match bounds {
        None => Some(None),
        Some(bounds) => {
            let error = std::str::from_utf8(&values[bounds]).err()?;
            Some(Some((error.valid_up_to(), error.error_len())))
        }
    };
    let all = || bounds(&offsets, values.len(), is_null);
    let alone = count == 0 && !(0..=values.len() as i64).contains(&offsets[0].into());
    let expected: Verdict = all()
        .enumerate()
        .find_map(|(index, bounds)| Some((index, judge(bounds)?)))
        .or(alone.then_some((0, None)));
    let in_order = !alone && all().all(|bounds| bounds.is_some());
    let texts = || all().flatten().map(|bounds| String::from_utf8_lossy(&values[bounds]));

    for engine in engines() {
        let found = engine.validate_offsets::<Utf8>(&values, &offsets, validity);
        assert_eq!(verdict(found.err()), expected, "{engine:?}");
        if !in_order {
            assert!(engine.repair_offsets(&values, &offsets, validity, Replacement::Perl5).is_err());
            continue;
        }
        let slices = all().flatten().map(|bounds| &values[bounds]);
        assert_eq!(verdict(engine.validate_each::<Utf8, [u8]>(slices).err()), expected, "{engine:?}");
        if let Ok(Some(new)) = engine.repair_offsets(&values, &offsets, validity, Replacement::Whatwg) {
            assert!(
                new.offsets
                    .windows(2)
                    .map(|ends| &new.values[ends[0] as usize..ends[1] as usize])
                    .eq(texts().map(|text| text.into_owned().into_bytes()))
            );
        } else {
            assert_eq!(expected, None, "{engine:?}");
        }
        let wide = engine
            .transcode_offsets_lossy::<Utf8, Utf16, i64>(&values, &offsets, validity, Replacement::Whatwg)
            .expect("offsets in order");
        let expected: Vec<u16> = texts().flat_map(|text| text.encode_utf16().collect::<Vec<u16>>()).collect();
        assert_eq!(wide.values, expected, "{engine:?}");
    }
});
