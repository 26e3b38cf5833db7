//! Arrays of any bytes, cut anywhere, with any values null: judged and repaired by the engines as std
//! judges and repairs their values.
//!
//! The values are as they come, or runs of text with ill-formed sequences among them; the offsets are given
//! by lengths, so that most of them are in order, and some are changed to anything.

use runecast::batch::{BatchError, Defect, Validity};
use runecast::{Reason, Replacement, Utf8, Utf16};

use crate::choices::Choices;
use crate::texts;

/// Offsets of up to `most` values. The first bytes say how long each is, again and again, and two of the offsets are perhaps changed to
/// anything.
fn offsets(choices: &mut Choices<'_>, end: usize, most: usize) -> Vec<i32> {
    let (first, count, changes) = (usize::from(choices.byte() % 16), choices.number() % most, choices.byte());
    let lens = [choices.byte(), choices.byte(), choices.byte(), choices.byte()];
    let mut offsets = Vec::with_capacity(count + 1);
    let mut at = first.min(end);
    offsets.push(at as i32);
    for len in lens.iter().cycle().take(count) {
        at = (at + usize::from(len % 64)).min(end);
        offsets.push(at as i32);
    }
    for _ in 0..changes.saturating_sub(0xC0) >> 5 {
        let which = choices.number() % offsets.len();
        offsets[which] = match choices.byte() {
            byte @ 0..0xF0 => i32::from(byte),
            0xF0..0xF8 => -1,
            0xF8..0xFC => i32::MAX,
            _ => i32::MIN,
        };
    }
    offsets
}

/// The number of a value, and its error as std tells it; or nothing, where it is out of bounds.
type Verdict = Option<(usize, Option<(usize, Option<usize>)>)>;

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

/// One execution.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let (engine, what) = (choices.engine(), choices.byte());
    let most = if what < 0xF0 { 64 } else { 1024 };
    // The bitmap, if there is one, and the bit at which it begins.
    let nulls = choices.byte();
    let nulls = (nulls >= 0x80).then(|| {
        let pattern = [choices.byte(), choices.byte(), choices.byte(), 0xFF];
        (pattern.into_iter().cycle().take(most / 8 + 2).collect::<Vec<u8>>(), usize::from(nulls % 8))
    });
    // The values lie behind the offsets, which must know how many bytes there are.
    let end = usize::from(choices.byte()) * if most == 64 { 1 } else { 8 };
    let offsets = offsets(&mut choices, end, most);
    let mut values = texts::utf8(choices, end);
    values.resize(end, b'-');
    let count = offsets.len() - 1;
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

    if what % 4 == 0 || !in_order {
        let found = engine.validate_offsets::<Utf8>(&values, &offsets, validity);
        assert_eq!(verdict(found.err()), expected, "{engine:?}");
    }
    if !in_order {
        assert!(engine.repair_offsets(&values, &offsets, validity, Replacement::Perl5).is_err());
        return;
    }
    match what % 4 {
        0 => {}
        1 => {
            let slices = all().flatten().map(|bounds| &values[bounds]);
            assert_eq!(verdict(engine.validate_each::<Utf8, [u8]>(slices).err()), expected, "{engine:?}");
        }
        2 => {
            let repaired = engine.repair_offsets(&values, &offsets, validity, Replacement::Whatwg);
            let Ok(Some(new)) = repaired else {
                assert_eq!(expected, None, "{engine:?}");
                return;
            };
            let repaired = new.offsets.windows(2).map(|ends| &new.values[ends[0] as usize..ends[1] as usize]);
            assert!(repaired.eq(texts().map(|text| text.into_owned().into_bytes())));
        }
        _ => {
            let wide = engine
                .transcode_offsets_lossy::<Utf8, Utf16, i64>(&values, &offsets, validity, Replacement::Whatwg)
                .expect("offsets in order");
            let expected: Vec<u16> =
                texts().flat_map(|text| text.encode_utf16().collect::<Vec<_>>()).collect();
            assert_eq!(wide.values, expected, "{engine:?}");
        }
    }
}
