//! Validation against std, simdutf8 and encoding_rs: the numbers to watch while a kernel changes.
//!
//! `cargo bench -p runecast-bench --bench validate` measures each generated text, and each file of the directory
//! that `RUNECAST_CORPORA` names; then short strings. runecast appears once per engine of this CPU,
//! so a kernel that is added is measured without a change here. A name behind `--` selects, as in
//! `cargo bench -p runecast-bench --bench validate -- cyrillic`.
//!
//! Criterion compares a version with the one before it. For the comparison with peers, C++ ones
//! included, `peerbench` is the better judge: it runs them in turn on the same stretch of machine.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use encoding_rs::Encoding;
use runecast::{Engine, Utf8};
use runecast_corpus::{Random, Script, generate};

/// More than a predictor learns by heart, and less than the last cache holds.
const SIZE: usize = 4 << 20;

/// So much of that is validated at once, as a service receives it.
const BUFFER: usize = 64 << 10;

/// Long texts in buffers, one after the other: the generated ones, and the files, which repeat.
fn long(criterion: &mut Criterion) {
    let mut texts: Vec<(String, Vec<u8>)> = Script::ALL
        .into_iter()
        .map(|script| (script.name().to_owned(), generate(script, SIZE, 1).into_bytes()))
        .collect();
    if let Some(directory) = env::var_os("RUNECAST_CORPORA") {
        texts.extend(files(Path::new(&directory)));
    }
    let mut group = group(criterion, "validate");
    for (name, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        peers(&mut group, name, &buffers(text));
    }
    group.finish();
}

/// All of `text`, in parts that end at a character boundary.
fn buffers(text: &[u8]) -> Vec<&[u8]> {
    let boundary = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let (mut buffers, mut from) = (Vec::new(), 0);
    while from < text.len() {
        let to = (from + BUFFER..text.len()).find(boundary).unwrap_or(text.len());
        buffers.push(&text[from..to]);
        from = to;
    }
    buffers
}

/// Short strings: many in a row, for few would be learnt by heart.
fn short(criterion: &mut Criterion) {
    let mut group = group(criterion, "short");
    for script in [Script::World, Script::Ascii, Script::Cyrillic, Script::Chinese, Script::Emoji] {
        let source = generate(script, 1 << 20, 1);
        for longest in [7, 31, 63, 200] {
            let strings = pieces(&source, longest);
            group.throughput(Throughput::Elements(strings.len() as u64));
            peers(&mut group, &format!("{script}-{longest}"), &strings);
        }
    }
    group.finish();
}

/// Pieces of `source` of up to `longest` bytes, whole characters, from anywhere.
fn pieces(source: &str, longest: usize) -> Vec<&[u8]> {
    let boundary = |at: usize| (0..=at).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
    let mut random = Random::new(longest as u64);
    let mut piece = || {
        let from = boundary(random.below(source.len() - longest));
        &source.as_bytes()[from..boundary(from + random.between(1, longest))]
    };
    (0..16 << 10).map(|_| piece()).collect()
}

/// Everyone, on the same strings.
fn peers(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, strings: &[&[u8]]) {
    peer(group, "std", name, strings, |text| std::str::from_utf8(text).is_ok());
    peer(group, "simdutf8", name, strings, |text| simdutf8::basic::from_utf8(text).is_ok());
    peer(group, "encoding_rs", name, strings, |text| Encoding::utf8_valid_up_to(text) == text.len());
    peer(group, "runecast", name, strings, |text| runecast::from_utf8(text).is_ok());
    for engine in Engine::available() {
        let column = format!("runecast-{}", engine.isa());
        peer(group, &column, name, strings, |text| engine.validate::<Utf8>(text).is_ok());
    }
}

fn peer(
    group: &mut BenchmarkGroup<'_, WallTime>,
    peer: &str,
    name: &str,
    strings: &[&[u8]],
    valid: impl Fn(&[u8]) -> bool,
) {
    group.bench_with_input(BenchmarkId::new(peer, name), strings, |bencher, strings| {
        bencher.iter(|| {
            for &string in black_box(strings) {
                black_box(valid(string));
            }
        });
    });
}

/// A group whose benchmarks take a third of a second each: there are some two hundred.
fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(80)).measurement_time(Duration::from_millis(250));
    group.sample_size(20);
    group
}

/// The files of `directory`, each repeated up to about the size of the others.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) => {
            eprintln!("RUNECAST_CORPORA: cannot list {}: {error}", directory.display());
            return Vec::new();
        }
    };
    let text = |path: &Path| {
        let text = fs::read(path).ok().filter(|text| !text.is_empty())?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name, text.repeat(SIZE.div_ceil(text.len()))))
    };
    let mut texts: Vec<_> = entries.flatten().filter_map(|entry| text(&entry.path())).collect();
    texts.sort();
    texts
}

criterion_group!(benches, long, short);
criterion_main!(benches);
