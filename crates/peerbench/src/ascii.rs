//! `ascii`: is it ASCII, and where does ASCII end?
//!
//! Two tables, from the lengths of a word to a length that fills half of a cache: at 16 bytes the
//! cost is the call, at 256 KiB it is the loads. In the second table the only byte that is not
//! ASCII is the last, so that the whole length is scanned.

use encoding_rs::Encoding;
use runecast::Isa;
use runecast_corpus::{Script, generate};

use crate::peer::{Buffer, Input, Level, Peer};
use crate::table::{Goal, Operation, Ours, Unit};
use crate::texts::{self, SEED, Text};

/// Is it ASCII? All of it is.
pub fn whole(size: usize, align: usize) -> Operation {
    let mut peers = vec![
        Peer::new("std", Level::Every, |text| usize::from(text.is_ascii())),
        Peer::new("encoding rs", Level::Every, |text| usize::from(encoding_rs::mem::is_ascii(text))),
    ];
    peers.extend(Peer::simdutf(|simdutf, text| usize::from(simdutf.validate_ascii(text))));
    peers.extend(Peer::ours(|text| usize::from(runecast::is_ascii(text))));
    Operation {
        name: "is_ascii".to_owned(),
        unit: Unit::GigabytesPerSecond,
        peers,
        texts: lengths(size, align, false),
        goals: goals(),
    }
}

/// Where does ASCII end? At the last byte.
pub fn prefix(size: usize, align: usize) -> Operation {
    let mut peers = vec![
        // The standard library has no function for this; this is what people write.
        Peer::new("std", Level::Every, |text| {
            text.iter().position(|byte| !byte.is_ascii()).unwrap_or(text.len())
        }),
        Peer::new("encoding rs", Level::Every, Encoding::ascii_valid_up_to),
    ];
    peers.extend(Peer::simdutf(|simdutf, text| simdutf.ascii_prefix(text)));
    peers.extend(Peer::ours(runecast::ascii_prefix));
    Operation {
        name: "ascii_prefix".to_owned(),
        unit: Unit::GigabytesPerSecond,
        peers,
        texts: lengths(size, align, true),
        goals: goals(),
    }
}

/// ASCII text of several lengths; `spoilt`: the last byte is not ASCII.
fn lengths(size: usize, align: usize, spoilt: bool) -> Vec<Text> {
    let mut texts = Vec::new();
    for (shortest, longest) in
        [(3, 3), (8, 8), (15, 15), (31, 31), (64, 64), (100, 100), (200, 200), (1, 64), (1, 200)]
    {
        let mut input = texts::short_strings(Script::Ascii, shortest, longest, align);
        if spoilt && let Input::Packed(buffer, spans) = &mut input {
            for &(_, to) in &*spans {
                buffer.bytes_mut()[to - 1] = 0xC3;
            }
        }
        let name = if shortest == longest { longest.to_string() } else { format!("{shortest}..{longest}") };
        texts.push(Text { name: format!("{name} bytes"), input });
    }
    for len in [1 << 10, 4 << 10, 16 << 10, size] {
        let mut bytes = generate(Script::Ascii, len, SEED).into_bytes();
        if spoilt && let Some(last) = bytes.last_mut() {
            *last = 0xC3;
        }
        let input = Input::Whole(Buffer::new(&bytes, align));
        texts.push(Text { name: format!("{} KiB", len >> 10), input });
    }
    texts
}

fn goals() -> Vec<Goal> {
    vec![
        Goal::best(),
        Goal { name: "every /std", ours: Ours::Slowest, against: &["std"] },
        Goal { name: "avx512 /simdutf", ours: Ours::One(Isa::Avx512), against: &["simdutf"] },
        Goal { name: "avx2 /peers", ours: Ours::One(Isa::Avx2), against: &["simdutf avx2", "encoding rs"] },
        Goal { name: "sse42 /simdutf", ours: Ours::One(Isa::Sse42), against: &["simdutf sse42"] },
    ]
}
