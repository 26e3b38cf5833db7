//! `errors`: where is the error, and where are all of them?
//!
//! Two tables. In the first, one byte at the start, early, about the middle or at the end of a buffer of 64 KiB
//! is ill-formed, and each peer says where: what it costs to know the place, and whether the scan
//! before it keeps its speed. But for the start and the end, its place is another in each buffer: nobody's predictor should know
//! after how many turns a loop ends. And as much of their text is read before early errors as before late ones, some megabytes, so
//! buffers with early errors are many, and overlap: of 64 buffers a predictor learns all branches before such an error
//! by heart. In the second there are many errors, and each peer finds all of them:
//! those that only know the first are started again after it, as their users must. They are in each
//! KiB, at equal distances; or at random ones, as they are in the world, of 1 KiB in the mean and in
//! a text of sixteen times the size. All of these are read once in some megabytes; the same text with
//! errors at equal distances, again and again, which a branch predictor learns by heart, comes last.
//!
//! An error is a character whose first byte has become FF and whose others have become ASCII: one
//! ill-formed byte, whatever the script, so that all peers count alike.

use encoding_rs::Encoding;
use runecast::Isa;
use runecast_corpus::{Random, Script, generate};
use simdutf8::compat;

use crate::peer::{Buffer, Input, Level, Peer};
use crate::table::{Goal, Operation, Ours, Unit};
use crate::texts::{self, SEED, Text};
use crate::validate::simdutf8_level;

/// Buffers that are all different, with one error each.
pub fn first(align: usize) -> Operation {
    let mut texts = Vec::new();
    for script in SCRIPTS {
        for (place, at) in PLACES {
            texts.push(overlapping(script, place, at, align));
        }
    }
    Operation {
        name: "errors, the first".to_owned(),
        unit: Unit::NanosecondsPerCall,
        peers: first_peers(),
        texts,
        goals: goals(),
    }
}

/// Texts with an error in each KiB, all different; texts with as many at random places; and those that are read again and again.
pub fn all(size: usize, align: usize) -> Operation {
    let equal = |size: usize| -> Vec<usize> { (512..size - 16).step_by(1024).collect() };
    let long = 16 * size;
    let mut random = Random::new(SEED);
    let mut places: Vec<usize> = (0..long / 1024).map(|_| random.below(long - 8)).collect();
    places.sort_unstable();
    // Not in the bytes of another.
    places.dedup_by(|next, place| next.abs_diff(*place) < 8);
    let mut texts: Vec<Text> =
        SCRIPTS.map(|script| different(script, "each KiB", &equal(BUFFER), align)).into();
    texts.extend(SCRIPTS.map(|script| damaged(script, "at random", &places, long, align)));
    texts.extend(SCRIPTS.map(|script| damaged(script, "by heart", &equal(size), size, align)));
    Operation {
        name: "errors, all of them".to_owned(),
        unit: Unit::GigabytesPerSecond,
        peers: all_peers(),
        texts,
        goals: goals(),
    }
}

/// Where the one error is: what is not UTF-8 at all mostly shows that early.
pub const PLACES: [(&str, usize); 5] =
    [("start", 0), ("byte 300", 300), ("byte 2000", 2000), ("middle", BUFFER / 2), ("end", END)];

/// The place of an error at the end.
const END: usize = BUFFER - 16;

/// A place from half as far as this one to one and a half times as far.
fn about(place: usize, random: &mut Random) -> usize {
    random.between(place / 2, place / 2 * 3)
}

/// Bytes of a buffer.
const BUFFER: usize = 64 << 10;

const SCRIPTS: [Script; 7] = [
    Script::World,
    Script::Ascii,
    Script::German,
    Script::Cyrillic,
    Script::Chinese,
    Script::Emoji,
    Script::Json,
];

/// Text in `script` with an error at the first character at or after each of `places`.
fn damaged(script: Script, what: &str, places: &[usize], size: usize, align: usize) -> Text {
    let mut buffer = Buffer::new(generate(script, size, SEED).as_bytes(), align);
    damage(buffer.bytes_mut(), places);
    Text { name: format!("{script} {what}"), input: Input::Whole(buffer) }
}

/// Buffers of text in `script`, no two of which are alike, each with errors at these places.
fn different(script: Script, what: &str, places: &[usize], align: usize) -> Text {
    let mut input = texts::buffers(&generate(script, texts::BUFFERS, SEED), BUFFER, align);
    if let Input::Packed(buffer, spans) = &mut input {
        for &mut (from, to) in spans {
            damage(&mut buffer.bytes_mut()[from..to], places);
        }
    }
    Text { name: format!("{script} {what}"), input }
}

/// Buffers of text in `script`, each with an error [`about`] this place, in random order. They overlap, but behind the error of the one
/// before: before an error there is none.
fn overlapping(script: Script, what: &str, place: usize, align: usize) -> Text {
    // So that as much is read before all errors: two thirds of what lies between two starts, in the mean.
    let text = generate(script, texts::BUFFERS + texts::BUFFERS / 2, SEED);
    let mut buffer = Buffer::new(text.as_bytes(), align);
    let mut spans = Vec::new();
    let mut random = Random::new(SEED);
    let mut at = 0;
    while let Some(from) = (at..text.len().saturating_sub(BUFFER)).find(|&at| text.is_char_boundary(at)) {
        let place = if place == END { place } else { about(place, &mut random) };
        damage(&mut buffer.bytes_mut()[from..from + BUFFER], &[place]);
        spans.push((from, from + BUFFER));
        // Behind a character that was made ill-formed; and at equal distances they would share a few lines of each cache.
        let least = if place == 0 { 2048 } else { place + 8 };
        at = from + random.between(least, 2 * least);
    }
    for left in (1..spans.len()).rev() {
        spans.swap(left, random.below(left + 1));
    }
    Text { name: format!("{script} {what}"), input: Input::Packed(buffer, spans) }
}

/// Makes the first character at or after each of `places` an error of one byte.
fn damage(text: &mut [u8], places: &[usize]) {
    let continues = |byte: &u8| *byte & 0xC0 == 0x80;
    for &place in places {
        let from = place + text[place..].iter().take_while(|byte| continues(byte)).count();
        let len = 1 + text[from + 1..].iter().take_while(|byte| continues(byte)).count();
        text[from..from + len].fill(b'x');
        text[from] = 0xFF;
    }
}

fn first_peers() -> Vec<Peer> {
    let mut peers = vec![
        Peer::new("std", Level::Every, |text| match std::str::from_utf8(text) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        }),
        Peer::new("encoding rs", simdutf8_level(), Encoding::utf8_valid_up_to),
        Peer::new("simdutf8 compat", simdutf8_level(), |text| match compat::from_utf8(text) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        }),
    ];
    peers.extend(Peer::simdutf(|simdutf, text| simdutf.utf8_prefix(text)));
    peers.extend(Peer::ours(|text| match runecast::from_utf8(text) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    }));
    peers
}

fn all_peers() -> Vec<Peer> {
    let mut peers = vec![
        Peer::new("std", Level::Every, |text| {
            text.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count()
        }),
        Peer::new("encoding rs", simdutf8_level(), |text| {
            again(text, |rest| (Encoding::utf8_valid_up_to(rest), 1))
        }),
        Peer::new("simdutf8 compat", simdutf8_level(), |text| {
            again(text, |rest| match compat::from_utf8(rest) {
                Ok(_) => (rest.len(), 0),
                Err(error) => (error.valid_up_to(), error.error_len().unwrap_or(rest.len())),
            })
        }),
    ];
    peers.extend(Peer::simdutf(|simdutf, text| again(text, |rest| (simdutf.utf8_prefix(rest), 1))));
    peers.extend(Peer::ours(|text| runecast::ill_formed(text).count()));
    peers
}

/// Counts the errors that `search` finds, when it is started again after each. It says where the
/// first is, or the length if there is none, and how many bytes to skip.
#[inline(always)]
fn again(text: &[u8], search: impl Fn(&[u8]) -> (usize, usize)) -> usize {
    let (mut rest, mut count) = (text, 0);
    loop {
        let (at, len) = search(rest);
        if at >= rest.len() {
            return count;
        }
        count += 1;
        rest = rest.get(at + len..).unwrap_or_default();
    }
}

fn goals() -> Vec<Goal> {
    vec![
        Goal::best(),
        Goal { name: "every /std", ours: Ours::Slowest, against: &["std"] },
        Goal { name: "avx512 /simdutf", ours: Ours::One(Isa::Avx512), against: &["simdutf"] },
        Goal { name: "avx512 /simdutf8", ours: Ours::One(Isa::Avx512), against: &["simdutf8 compat"] },
        Goal {
            name: "avx2 /peers",
            ours: Ours::One(Isa::Avx2),
            against: &["simdutf avx2", "simdutf8 compat", "encoding rs"],
        },
        Goal { name: "sse42 /simdutf", ours: Ours::One(Isa::Sse42), against: &["simdutf sse42"] },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_one_error_for_each_place() {
        for script in SCRIPTS {
            let text = damaged(script, "", &[0, 1000, 2000], 4096, 0);
            for peer in all_peers() {
                assert_eq!(peer.verdict(&text.input), 3, "{script}: {}", peer.name);
            }
            for peer in first_peers() {
                assert_eq!(peer.verdict(&text.input), 0, "{script}: {}", peer.name);
            }
        }
    }
}
