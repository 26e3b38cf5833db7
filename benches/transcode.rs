//! Conversion and repair against std and encoding_rs: the numbers to watch while a kernel changes.
//!
//! `cargo bench -p runecast-bench --bench transcode` converts each generated text between UTF-8, UTF-16 and UTF-32, and
//! repairs UTF-8 and UTF-16 with errors at three densities. runecast appears once per engine of this
//! CPU, so a kernel that is added is measured without a change here. A name behind `--` selects, as in
//! `cargo bench -p runecast-bench --bench transcode -- 8-16/runecast-avx2/cyrillic`.
//!
//! All write to a slice that is there already, but for the peers from std that give a string; there
//! runecast gives one, too. Criterion compares a version with the one before it; for the comparison
//! with peers `peerbench` is the better judge.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use encoding_rs::mem;
use runecast::{Encoding, Engine, Replacement, Utf8, Utf16, Utf32, max_transcoded_len};
use runecast_corpus::{Random, Script, generate};

/// Bytes of each text in UTF-8: with what becomes of it, it fits into any second-level cache.
const SIZE: usize = 128 << 10;

/// All documents together; then one script for each length of characters, and two that mix them.
const SCRIPTS: [Script; 7] = [
    Script::World,
    Script::Ascii,
    Script::German,
    Script::Cyrillic,
    Script::Chinese,
    Script::Emoji,
    Script::Json,
];

/// Errors: one for so many characters.
const RARITIES: [usize; 3] = [1000, 100, 2];

/// Well-formed text, from one encoding to another.
fn strict(criterion: &mut Criterion) {
    pair::<Utf8, Utf16>(criterion, "8-16", utf8, |src, dst| {
        mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(0)
    });
    pair::<Utf16, Utf8>(criterion, "16-8", utf16, mem::convert_utf16_to_utf8);
    pair::<Utf8, Utf32>(criterion, "8-32", utf8, |src, dst| {
        let characters = std::str::from_utf8(src).unwrap_or_default().chars();
        dst.iter_mut().zip(characters).map(|(to, character)| *to = character.into()).count()
    });
    pair::<Utf32, Utf8>(criterion, "32-8", utf32, |src, dst| {
        let mut written = 0;
        for character in src.iter().filter_map(|&unit| char::from_u32(unit)) {
            written += character.encode_utf8(&mut dst[written..]).len();
        }
        written
    });
}

/// Broken text: to a string from UTF-8, to a slice of UTF-8 from UTF-16.
fn lossy(criterion: &mut Criterion) {
    let mut group = group(criterion, "lossy-8");
    for (name, text) in broken() {
        let bytes = with_errors(utf8(&text), 0xFF_u8);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        let mut peer = |peer: &str, work: &dyn Fn(&[u8]) -> usize| {
            bench(&mut group, peer, &name, || work(black_box(&bytes)));
        };
        peer("std", &|src| String::from_utf8_lossy(src).len());
        peer("encoding_rs", &|src| encoding_rs::UTF_8.decode_without_bom_handling(src).0.len());
        peer("runecast", &|src| runecast::from_utf8_lossy(src).len());
        let mut dst = Vec::new();
        for engine in Engine::available() {
            bench(&mut group, &format!("runecast-{}", engine.isa()), &name, || {
                dst.clear();
                engine.transcode_lossy_append::<Utf8, Utf8>(black_box(&bytes), &mut dst, Replacement::Whatwg)
            });
        }
    }
    group.finish();

    let mut group = self::group(criterion, "lossy-16-8");
    for (name, text) in broken() {
        let units = with_errors(utf16(&text), 0xD800_u16);
        group.throughput(Throughput::Bytes(2 * units.len() as u64));
        let mut dst = output::<Utf16, Utf8>(units.len());
        bench(&mut group, "std", &name, || String::from_utf16_lossy(black_box(&units)).len());
        bench(&mut group, "encoding_rs", &name, || mem::convert_utf16_to_utf8(black_box(&units), &mut dst));
        for engine in Engine::available() {
            bench(&mut group, &format!("runecast-{}", engine.isa()), &name, || {
                engine.transcode_lossy::<Utf16, Utf8>(black_box(&units), &mut dst, Replacement::Whatwg)
            });
        }
    }
    group.finish();
}

/// A pair of encodings: one peer, and every engine.
fn pair<S: Encoding<Unit: bytemuck::Pod>, D: Encoding<Unit: bytemuck::Pod>>(
    criterion: &mut Criterion,
    name: &str,
    encode: fn(&str) -> Vec<S::Unit>,
    peer: impl Fn(&[S::Unit], &mut [D::Unit]) -> usize,
) {
    let mut group = group(criterion, name);
    for script in SCRIPTS {
        let src = encode(&generate(script, SIZE, 1));
        group.throughput(Throughput::Bytes(size_of_val(&src[..]) as u64));
        let mut dst = output::<S, D>(src.len());
        let whose = if D::NAME == Utf32::NAME || S::NAME == Utf32::NAME { "std" } else { "encoding_rs" };
        bench(&mut group, whose, script.name(), || peer(black_box(&src), &mut dst));
        for engine in Engine::available() {
            bench(&mut group, &format!("runecast-{}", engine.isa()), script.name(), || {
                engine.transcode::<S, D>(black_box(&src), &mut dst)
            });
        }
    }
    group.finish();
}

fn bench<T>(group: &mut BenchmarkGroup<'_, WallTime>, peer: &str, name: &str, mut work: impl FnMut() -> T) {
    group.bench_function(BenchmarkId::new(peer, name), |bencher| bencher.iter(&mut work));
}

/// Room for whatever `len` units of `S` become, and the unit more that encoding_rs wants.
fn output<S: Encoding<Unit: bytemuck::Pod>, D: Encoding<Unit: bytemuck::Pod>>(len: usize) -> Vec<D::Unit> {
    vec![bytemuck::Zeroable::zeroed(); max_transcoded_len::<S, D>(len) + 1]
}

fn utf8(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn utf32(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// What stands in a text where an error is to be: no script here has it.
const MARK: char = '\0';

/// Texts with marks at each rarity, at distances that no branch predictor learns.
fn broken() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for rarity in RARITIES {
        for script in SCRIPTS {
            let mut random = Random::new(1);
            let text = generate(script, SIZE, 1);
            let marked =
                text.chars().map(|character| if random.below(rarity) == 0 { MARK } else { character });
            texts.push((format!("{script}-1-in-{rarity}"), marked.collect()));
        }
    }
    texts
}

/// The units of a text, `wrong` for each mark.
fn with_errors<U: Copy + PartialEq + From<u8>>(mut units: Vec<U>, wrong: U) -> Vec<U> {
    for unit in &mut units {
        if *unit == U::from(0) {
            *unit = wrong;
        }
    }
    units
}

/// A group whose benchmarks take a third of a second each: there are some two hundred and fifty.
fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(80)).measurement_time(Duration::from_millis(250));
    group.sample_size(20);
    group
}

criterion_group!(benches, strict, lossy);
criterion_main!(benches);
