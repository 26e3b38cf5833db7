//! `around`: CESU-8, modified UTF-8, WTF-8 and WTF-16.
//!
//! A string becomes CESU-8 or modified UTF-8, and bytes in these become a string. All functions give a
//! `Cow`: nothing is written where nothing has to be, and otherwise each call allocates. The crate
//! `simd_cesu8` is the peer, with its function `decode_strict`: its `decode` takes four bytes for one
//! character, which CESU-8 does not have. `cesu8` is the crate that it grew out of; its decoder takes
//! them too.
//!
//! WTF-8 and WTF-16 have no peer. They are measured against UTF-8 and UTF-16: on text without
//! surrogates they should cost nothing more.
//!
//! Besides the generated texts there are some with emoji at distances, for what costs is to change over. Or short strings are cut from them:
//! those of a JVM have some ten bytes.

use clap::ValueEnum;
use runecast::{
    Cesu8, Isa, Mutf8, Utf8, Utf16, Wtf8, Wtf16, encode_cesu8, encode_mutf8, transcode_to_str,
    transcode_to_vec,
};
use runecast_corpus::{Random, Script, generate};

use crate::peer::{Buffer, Input, Level, Peer};
use crate::table::{Goal, Operation, Ours, Unit};
use crate::texts::{self, Manuscript, SEED, Text};

/// From what to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// A string to CESU-8
    #[value(name = "str-cesu")]
    ToCesu8,
    /// CESU-8 to a string
    #[value(name = "cesu-str")]
    FromCesu8,
    /// A string to modified UTF-8
    #[value(name = "str-mutf")]
    ToMutf8,
    /// Modified UTF-8 to a string
    #[value(name = "mutf-str")]
    FromMutf8,
    /// Is it CESU-8?
    #[value(name = "cesu")]
    Check,
    /// UTF-16 to CESU-8
    #[value(name = "16-cesu")]
    Utf16ToCesu8,
    /// CESU-8 to UTF-16
    #[value(name = "cesu-16")]
    Cesu8ToUtf16,
    /// WTF-8 to WTF-16
    #[value(name = "wtf8-wtf16")]
    Wtf8ToWtf16,
    /// WTF-16 to WTF-8
    #[value(name = "wtf16-wtf8")]
    Wtf16ToWtf8,
}

/// Tables for `ways`, or for all; each text has about `size` bytes as UTF-8, or is many strings of up to `longest`.
pub fn all(ways: &[Way], size: usize, longest: Option<usize>, align: usize) -> Vec<Operation> {
    let ways = if ways.is_empty() { Way::value_variants() } else { ways };
    ways.iter().map(|way| way.operation(size, longest, align)).collect()
}

/// A peer that has one kind of kernel.
fn peer(name: &str, work: impl Fn(&[u8]) -> usize + 'static) -> Peer {
    Peer::new(name, Level::Every, work)
}

/// A text that is known to be one.
fn text(bytes: &[u8]) -> &str {
    // SAFETY: the inputs of these tables are generated strings.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

impl Way {
    fn operation(self, size: usize, longest: Option<usize>, align: usize) -> Operation {
        let mut peers: Vec<Peer> = Vec::new();
        let encoded: fn(&str) -> Vec<u8>;
        match self {
            Way::ToCesu8 => {
                encoded = |text| text.into();
                peers.push(peer("simd cesu8", |src| simd_cesu8::encode(text(src)).len()));
                peers.push(peer("cesu8", |src| cesu8::to_cesu8(text(src)).len()));
                peers.extend(Peer::ours(|src| encode_cesu8(text(src)).len()));
            }
            Way::FromCesu8 => {
                encoded = |text| encode_cesu8(text).into_owned();
                peers.push(peer("simd cesu8", |src| {
                    simd_cesu8::decode_strict(src).map_or(0, |text| text.len())
                }));
                peers.push(peer("cesu8", |src| cesu8::from_cesu8(src).map_or(0, |text| text.len())));
                peers.extend(Peer::ours(|src| transcode_to_str::<Cesu8>(src).map_or(0, |text| text.len())));
            }
            Way::ToMutf8 => {
                encoded = |text| text.into();
                peers.push(peer("simd cesu8", |src| simd_cesu8::mutf8::encode(text(src)).len()));
                peers.push(peer("cesu8", |src| cesu8::to_java_cesu8(text(src)).len()));
                peers.extend(Peer::ours(|src| encode_mutf8(text(src)).len()));
            }
            Way::FromMutf8 => {
                encoded = |text| encode_mutf8(text).into_owned();
                let strict = |src: &[u8]| simd_cesu8::mutf8::decode_strict(src).map_or(0, |text| text.len());
                peers.push(peer("simd cesu8", strict));
                peers.push(peer("cesu8", |src| cesu8::from_java_cesu8(src).map_or(0, |text| text.len())));
                peers.extend(Peer::ours(|src| transcode_to_str::<Mutf8>(src).map_or(0, |text| text.len())));
            }
            Way::Check => {
                encoded = |text| encode_cesu8(text).into_owned();
                let strict = |src: &[u8]| usize::from(simd_cesu8::decode_strict(src).is_ok());
                peers.push(peer("simd cesu8", strict));
                peers.extend(Peer::ours(|src| usize::from(runecast::validate::<Cesu8>(src).is_ok())));
            }
            Way::Utf16ToCesu8 => {
                encoded = utf16;
                peers.push(peer("to std", |src| {
                    let units: &[u16] = bytemuck::cast_slice(src);
                    String::from_utf16(units).map_or(0, |text| simd_cesu8::encode(&text).len())
                }));
                peers.extend(Peer::ours(units::<Utf16, Cesu8>));
            }
            Way::Cesu8ToUtf16 => {
                encoded = |text| encode_cesu8(text).into_owned();
                let strict = |src: &[u8]| {
                    simd_cesu8::decode_strict(src)
                        .map_or(0, |text| text.encode_utf16().collect::<Vec<_>>().len())
                };
                peers.push(peer("simd cesu8", strict));
                peers.extend(Peer::ours(units::<Cesu8, Utf16>));
            }
            Way::Wtf8ToWtf16 => {
                encoded = |text| text.into();
                peers.push(peer("as UTF-8", units::<Utf8, Utf16>));
                peers.extend(Peer::ours(units::<Wtf8, Wtf16>));
            }
            Way::Wtf16ToWtf8 => {
                encoded = utf16;
                peers.push(peer("as UTF-16", units::<Utf16, Utf8>));
                peers.extend(Peer::ours(units::<Wtf16, Wtf8>));
            }
        }
        let name = self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let row = |script: Manuscript| Text {
            name: script.name,
            input: match longest {
                Some(longest) => strings(&script.text, longest, encoded),
                None => Input::Whole(Buffer::new(&encoded(&script.text), align / 2 * 2)),
            },
        };
        Operation {
            name: format!("around {name}"),
            unit: if longest.is_some() { Unit::NanosecondsPerCall } else { Unit::GigabytesPerSecond },
            peers,
            texts: manuscripts(size).into_iter().map(row).collect(),
            goals: goals(),
        }
    }
}

/// Strings of up to `longest` bytes, cut from `text`, encoded by themselves. They begin at even places, as units of UTF-16 must.
fn strings(text: &str, longest: usize, encoded: fn(&str) -> Vec<u8>) -> Input {
    let cut = texts::cut(text, longest.div_ceil(4), longest, 0);
    let Input::Packed(buffer, places) = cut else { return cut };
    let mut random = Random::new(SEED);
    let (mut pack, mut spans) = (Vec::new(), Vec::new());
    for (from, to) in places {
        let string = std::str::from_utf8(&buffer.bytes()[from..to]).expect("it is cut between characters");
        pack.resize(pack.len().next_multiple_of(2) + 2 * random.below(16), b'.');
        let from = pack.len();
        pack.extend(encoded(string));
        spans.push((from, pack.len()));
    }
    Input::Packed(Buffer::new(&pack, 0), spans)
}

/// The bytes of UTF-16.
fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_ne_bytes).collect()
}

/// How many units a conversion writes.
fn units<S: runecast::Encoding<Unit: bytemuck::Pod>, D: runecast::Encoding<Unit: bytemuck::Pod>>(
    src: &[u8],
) -> usize {
    transcode_to_vec::<S, D>(bytemuck::cast_slice(src)).map_or(0, |units| units.len())
}

/// The generated texts, and some in which there is an emoji now and then.
fn manuscripts(size: usize) -> Vec<Manuscript> {
    let mut all = texts::generated(size);
    for (script, distance) in
        [(Script::English, 1000), (Script::English, 50), (Script::Chinese, 1000), (Script::Chinese, 50)]
    {
        let plain = generate(script, size, SEED);
        let mut random = Random::new(SEED);
        let (mut text, mut left) = (String::new(), 1);
        for character in plain.chars() {
            left -= 1;
            if left == 0 {
                text.push('🪨');
                left = random.between(1, 2 * distance);
            }
            text.push(character);
        }
        all.push(Manuscript { name: format!("{}, emoji each {distance}", script.name()), text });
    }
    all
}

fn goals() -> Vec<Goal> {
    vec![
        Goal::best(),
        Goal { name: "avx512 /peer", ours: Ours::One(Isa::Avx512), against: &[] },
        Goal { name: "avx2 /peer", ours: Ours::One(Isa::Avx2), against: &[] },
        Goal { name: "sse42 /peer", ours: Ours::One(Isa::Sse42), against: &[] },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring for no time at all still compares what all peers say.
    #[test]
    fn all_peers_agree_on_everything() {
        let once = runecast_clock::Patience { rounds: 1, limit: std::time::Duration::ZERO };
        let short = all(&[], 64 << 10, Some(40), 16);
        for operation in all(&[], 64 << 10, None, 16).into_iter().chain(short) {
            if let Err(error) = operation.measure(once) {
                panic!("{}: {error:#}", operation.name);
            }
        }
    }
}
