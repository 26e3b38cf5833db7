//! How many instructions each hot loop takes for 64 bytes.
//!
//! Time is measured in benchmarks, on quiet machines; instructions can be counted anywhere, and come out
//! the same each time. The test prints a table of them, beside what they were when they were written
//! down in `counts.txt`, and fails where a loop takes half as many again: then something that was a few
//! instructions has become many, such as a call where there was none. Compilers differ by less than that.
//!
//! They are counted by going step by step: a child process does the work, and its parent lets it go
//! one instruction at a time (`steps.rs`). Emulators do not let it, but count by themselves (`meter.rs`). The work is
//! done twice, with a text twice as long the second time; the difference has neither the beginning nor the
//! end of the work in it.
//!
//! `hostile.rs` counts them for text that is made to cost much, at two lengths: no operation may take more than its share for
//! the longer one.
//!
//! Only an optimised build says something:
//!
//!     cargo test -p runecast --profile bench --test instructions -- --nocapture
//!
//! and `.ci/cross` with `x86_64-instructions` (up to AVX2, all in seconds), `aarch64-instructions` (NEON) and `wasm-instructions`. With
//! `RUNECAST_WRITE_COUNTS=1` in the environment the counts are written down.

#![cfg(any(
    all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")),
    target_family = "wasm"
))]

#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod meter;
#[cfg(target_os = "linux")]
mod steps;
#[cfg(not(target_os = "linux"))]
mod steps {
    pub fn count(_: impl FnMut()) -> Option<u64> {
        None
    }
}

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use common::check::{isas_of_this_architecture, only};
use common::texts::{Class, Rng};
use runecast::scan::ByteSet;
use runecast::{Encoding, Engine, Isa, Latin1, Utf8, Utf16Le, Utf32Le};

/// Bytes of the longer text, in its own encoding; the shorter one is its first half.
const BYTES: usize = 4096;

/// The same where there are loops for long text, which the half has to reach.
const LONG: usize = 16384;

/// The same for validation of UTF-8 with AVX2 and SSE4.2, where text of up to 16 KiB does not go through these loops.
const LONGER: usize = 4 * LONG;

/// The same for a scan, which expects of a block of 16 KiB what the one before it was.
const BLOCKS: usize = 65536;

/// The same for what has other loops for short text.
const SHORT: usize = 1024;

/// The most where there are no vectors: it takes many times as many steps.
const SCALAR_BYTES: usize = 1024;

/// Units that are never more than the text becomes.
const ROOM: usize = 4 * LONG;

/// What is done with a text; the bytes are in the encoding that it reads.
type Work = fn(Engine, &[u8], &mut [MaybeUninit<u8>]);

/// How a text is written for it.
type Write = fn(&str) -> Vec<u8>;

fn validate<E: Encoding<Unit = u8>>(engine: Engine, text: &[u8], _: &mut [MaybeUninit<u8>]) {
    assert!(engine.validate::<E>(text).is_ok());
}

fn count(engine: Engine, text: &[u8], _: &mut [MaybeUninit<u8>]) {
    assert!(engine.count::<Utf8>(text) > 0);
}

/// The masks of a set.
fn scan(engine: Engine, text: &[u8], set: ByteSet) {
    let mut all = 0;
    assert!(engine.scan(text, &[set], |_, [mask]| all |= mask).is_ok());
    std::hint::black_box(all);
}

fn scan_for_one(engine: Engine, text: &[u8], _: &mut [MaybeUninit<u8>]) {
    scan(engine, text, ByteSet::LINE_FEED);
}

fn scan_for_eight(engine: Engine, text: &[u8], _: &mut [MaybeUninit<u8>]) {
    scan(engine, text, const { ByteSet::new(b"\n\"\\{}[]:").unwrap() });
}

fn quoted_records(engine: Engine, text: &[u8], _: &mut [MaybeUninit<u8>]) {
    let records = engine.records(text, ByteSet::LINE_FEED).quoted(const { ByteSet::new(b"\"").unwrap() });
    assert!(records.count() > 0);
}

fn convert<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(
    engine: Engine,
    text: &[u8],
    room: &mut [MaybeUninit<u8>],
) {
    assert!(engine.transcode_uninit::<S, D>(text, room).is_ok());
}

fn utf8(text: &str) -> Vec<u8> {
    text.into()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf32(text: &str) -> Vec<u8> {
    text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect()
}

/// ISO 8859-1, of the same share of letters that are not ASCII.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|character| if character.is_ascii() { character as u8 } else { 0xE9 }).collect()
}

/// The operations: name, what it does, how a text is written for it, and how long.
const OPERATIONS: [(&str, Work, Write, usize); 13] = [
    ("validate UTF-8", validate::<Utf8>, utf8, LONG),
    ("validate short UTF-8", validate::<Utf8>, utf8, SHORT),
    ("validate UTF-16", validate::<Utf16Le>, utf16, BYTES),
    ("scan for one", scan_for_one, utf8, BLOCKS),
    ("scan for eight", scan_for_eight, utf8, BLOCKS),
    ("quoted records", quoted_records, utf8, BLOCKS),
    ("count UTF-8", count, utf8, BYTES),
    ("UTF-8 to UTF-16", convert::<Utf8, Utf16Le>, utf8, BYTES),
    ("UTF-8 to UTF-32", convert::<Utf8, Utf32Le>, utf8, BYTES),
    ("UTF-16 to UTF-8", convert::<Utf16Le, Utf8>, utf16, BYTES),
    ("UTF-16 to UTF-32", convert::<Utf16Le, Utf32Le>, utf16, BYTES),
    ("UTF-32 to UTF-8", convert::<Utf32Le, Utf8>, utf32, BYTES),
    ("Latin-1 to UTF-8", convert::<Latin1, Utf8>, latin1, BYTES),
];

/// The texts: those that keep a loop in one class, and one that does not.
const CLASSES: [Class; 5] = [Class::Ascii, Class::Words, Class::Three, Class::Four, Class::Latin];

/// The engines whose instructions are counted. Of the one that `RUNECAST_TEST_ONLY` names there are none where the CPU does not
/// have it: `.ci/run` asks for AVX-512 everywhere.
fn engines() -> Vec<Engine> {
    Engine::available().filter(|engine| only().is_none_or(|isa| isa == engine.isa())).collect()
}

/// Instructions of `work`, and a constant number more. `None` if they cannot be counted.
///
/// `work` neither allocates nor locks anything.
fn count_instructions(mut work: impl FnMut()) -> Option<u64> {
    let Some(before) = meter::reading() else { return steps::count(work) };
    work();
    Some(meter::reading()? - before)
}

/// Instructions for 64 bytes of `text`, which is cut in the middle for comparison.
fn instructions(engine: Engine, work: Work, text: &[u8]) -> Option<f64> {
    let mut room = vec![MaybeUninit::uninit(); ROOM];
    let half = text.len() / 2;
    // What is done only once is done before.
    work(engine, text, &mut room);
    let short = count_instructions(|| work(engine, &text[..half], &mut room))?;
    let long = count_instructions(|| work(engine, text, &mut room))?;
    Some((long.saturating_sub(short)) as f64 * 64.0 / (text.len() - half) as f64)
}

/// A text of `class` as `write` writes it: a length that suits every encoding, and half of it ends with a character.
fn text(class: Class, write: Write, bytes: usize) -> Vec<u8> {
    let text = class.text(2 * bytes, &mut Rng::new(7));
    let mut half = Vec::new();
    for (at, character) in text.char_indices() {
        let next = write(&text[at..at + character.len_utf8()]);
        if half.len() + next.len() > bytes / 2 {
            break;
        }
        half.extend(next);
    }
    half.repeat(2)
}

/// The counts that were written down, by engine, operation and text.
fn written_down() -> BTreeMap<(String, String, String), f64> {
    let mut counts = BTreeMap::new();
    for line in include_str!("counts.txt").lines() {
        if let [isa, operation, class, count] = line.split('\t').collect::<Vec<_>>()[..] {
            counts.insert((isa.into(), operation.into(), class.into()), count.parse().expect("a number"));
        }
    }
    counts
}

/// Emulators count what all threads of the process do, and tests are threads: only who has this may count.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn table() {
    let _alone = alone();
    if cfg!(debug_assertions) {
        println!("skipped: not an optimised build");
        return;
    }
    if count_instructions(|| ()).is_none() {
        println!("skipped: no single steps (ptrace) here, and no meter of an emulator");
        return;
    }
    let mut counts = written_down();
    let mut failures = String::new();
    for isa in isas_of_this_architecture() {
        let Some(engine) = engines().into_iter().find(|engine| engine.isa() == isa) else {
            println!("skipped: no {isa}");
            continue;
        };
        // Without vectors there is no ISA, but an architecture all the same.
        let name = match isa {
            Isa::Scalar => format!("{isa} on {}", std::env::consts::ARCH),
            _ => isa.to_string(),
        };
        println!("{name}: instructions for 64 bytes of input, and in brackets as written down");
        for (operation, work, write, bytes) in OPERATIONS {
            let bytes = match isa {
                Isa::Scalar => bytes.min(SCALAR_BYTES),
                Isa::Avx2 | Isa::Sse42 if operation == "validate UTF-8" => LONGER,
                _ => bytes,
            };
            let mut row = format!("{operation:>20}");
            for class in CLASSES {
                let class_name = format!("{class:?}");
                let now =
                    instructions(engine, work, &text(class, write, bytes)).expect("steps can be counted");
                let key = (name.clone(), operation.to_string(), class_name.clone());
                let before = counts.get(&key).copied();
                let shown = before.map_or("-".into(), |before| format!("{before:.1}"));
                let _ = write!(row, "  {class_name} {now:.1} ({shown})");
                if before.is_some_and(|before| now > 1.5 * before + 2.0) {
                    let _ = writeln!(failures, "{name}, {operation}, {class_name}: {now:.1}, was {shown}");
                }
                counts.insert(key, now);
            }
            println!("{row}");
        }
    }
    if std::env::var_os("RUNECAST_WRITE_COUNTS").is_some() {
        let lines = counts
            .iter()
            .map(|((isa, operation, class), count)| format!("{isa}\t{operation}\t{class}\t{count:.1}\n"));
        let essay = "# Instructions for 64 bytes of input, in the bench profile: see main.rs.\n";
        // Tests run in the directory of their package.
        std::fs::write("tests/instructions/counts.txt", format!("{essay}{}", lines.collect::<String>()))
            .expect("the table can be written");
    } else {
        assert!(failures.is_empty(), "half as many instructions again:\n{failures}");
    }
}
