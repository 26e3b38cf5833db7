//! `validate` and `short`: is it UTF-8?
//!
//! The same peers, on long texts and on short strings. simdutf8 brings its two flavours: `basic`
//! is the quicker and is what competes here; with its ISA forced, it is also a column for SSE4.2.

use runecast_corpus::Script;
use simdutf8::basic;

use crate::peer::{Level, Peer};
use crate::table::{Goal, Operation, Ours, Unit};
use crate::texts::{self, Text};
use encoding_rs::Encoding;
use runecast::Isa;

/// Long texts, in GB/s.
pub fn long(texts: Vec<Text>) -> Operation {
    Operation {
        name: "validate".to_owned(),
        unit: Unit::GigabytesPerSecond,
        peers: peers(),
        texts,
        goals: goals(),
    }
}

/// Short strings, in ns per call.
pub fn short(align: usize) -> Operation {
    let mut texts = Vec::new();
    for (name, script) in [
        ("world", Script::World),
        ("ascii", Script::Ascii),
        ("cyrillic", Script::Cyrillic),
        ("cjk", Script::Chinese),
        ("emoji", Script::Emoji),
    ] {
        for len in [1, 3, 7, 15, 24, 31, 47, 63, 100, 200] {
            let input = texts::short_strings(script, len, len, align);
            texts.push(Text { name: format!("{name} {len}"), input });
        }
        for longest in [64, 200] {
            let input = texts::short_strings(script, 1, longest, align);
            texts.push(Text { name: format!("{name} 1..{longest}"), input });
        }
        if script == Script::World {
            for (shortest, longest) in [(64, 512), (512, 4096)] {
                let input = texts::short_strings(script, shortest, longest, align);
                texts.push(Text { name: format!("{name} {shortest}..{longest}"), input });
            }
        }
    }
    Operation {
        name: "short".to_owned(),
        unit: Unit::NanosecondsPerCall,
        peers: peers(),
        texts,
        goals: goals(),
    }
}

fn peers() -> Vec<Peer> {
    let mut peers = vec![
        Peer::new("std", Level::Every, |text| usize::from(std::str::from_utf8(text).is_ok())),
        Peer::new("encoding rs", simdutf8_level(), |text| {
            usize::from(Encoding::utf8_valid_up_to(text) == text.len())
        }),
        Peer::new("simdutf8", simdutf8_level(), |text| usize::from(basic::from_utf8(text).is_ok())),
    ];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if std::is_x86_feature_detected!("sse4.2") && std::is_x86_feature_detected!("avx2") {
        peers.push(Peer::new("simdutf8 sse42", Level::Only(Isa::Sse42), |text| {
            // Below 64 bytes simdutf8's own entry asks std, whatever the ISA.
            let valid = if text.len() < 64 {
                std::str::from_utf8(text).is_ok()
            } else {
                // SAFETY: SSE4.2 was detected above.
                unsafe { basic::imp::x86::sse42::validate_utf8(text) }.is_ok()
            };
            usize::from(valid)
        }));
    }
    peers.extend(Peer::simdutf(|simdutf, text| usize::from(simdutf.validate_utf8(text))));
    peers.extend(Peer::ours(|text| usize::from(runecast::from_utf8(text).is_ok())));
    peers
}

/// The best that simdutf8 has on this CPU, and encoding_rs, which asks simdutf8 from version 0.8.42 on.
pub fn simdutf8_level() -> Level {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let best = if std::is_x86_feature_detected!("avx2") { Isa::Avx2 } else { Isa::Sse42 };
        Level::AtLeast(best)
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    Level::Every
}

fn goals() -> Vec<Goal> {
    vec![
        Goal::best(),
        Goal { name: "every /std", ours: Ours::Slowest, against: &["std"] },
        Goal { name: "avx512 /simdutf", ours: Ours::One(Isa::Avx512), against: &["simdutf"] },
        Goal { name: "avx512 /simdutf8", ours: Ours::One(Isa::Avx512), against: &["simdutf8"] },
        Goal {
            name: "avx2 /peers",
            ours: Ours::One(Isa::Avx2),
            against: &["simdutf avx2", "simdutf8", "encoding rs"],
        },
        Goal { name: "sse42 /simdutf", ours: Ours::One(Isa::Sse42), against: &["simdutf sse42"] },
        Goal { name: "sse42 /simdutf8", ours: Ours::One(Isa::Sse42), against: &["simdutf8 sse42"] },
    ]
}
