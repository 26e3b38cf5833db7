//! No pattern makes anything superlinear, and none is slow beyond measure.
//!
//! A text repeats a pattern; texts of `n` and of `4 n` bytes go through streams between encodings chosen at run time, in chunks and
//! outputs of any size. What is counted are the calls: four times the text takes four times as many, as far as rounding goes, and each
//! call gets further. That is the same on every machine.
//!
//! The work within a call cannot be counted here: the counters of a processor are not to be had everywhere, and single steps take
//! microseconds each. (`tests/instructions` takes them, for patterns that are written down.) So CPU time has a bound as well, which is far
//! off: [`MOST`] nanoseconds for a byte, in an instrumented build, where the worst patterns known take some 1000 on an idle machine, and ten
//! times as many on one that others slow down. What goes over the rest of a text of [`LONG`] bytes for each of them, byte by byte, is beyond it.

use std::time::Duration;

use arbitrary::Arbitrary;
use runecast::{AnyTranscoder, AnyValidator, Scheme};

use crate::choices::Choices;

/// Bytes of the longer text.
const LONG: usize = 32 << 10;

/// The most nanoseconds for a byte of it, and for a call with an output of some bytes.
const MOST: u64 = 40_000;

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Case<'a> {
    from: u8,
    to: u8,
    policy: u8,
    chunk: u16,
    room: u8,
    pattern: &'a [u8],
}

/// The time that this thread has had on any CPU: other work on the machine does not count.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes one `timespec`, which is there.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn cpu_time() -> Duration {
    Duration::ZERO
}

/// Does this, and asserts that it takes no longer than a text of `bytes` may, with so many calls; once more if it does, since an
/// interruption counts in part.
fn within_time(bytes: usize, what: &str, mut work: impl FnMut() -> usize) {
    let most = |calls: usize| Duration::from_nanos(MOST * (bytes + calls) as u64);
    let late = (0..3).all(|_| {
        let begin = cpu_time();
        let calls = work();
        cpu_time() - begin > most(calls)
    });
    assert!(!late, "{what}: more than {MOST} ns for a byte");
}

/// Drives a stream through a text; returns how many calls that took.
fn drive(mut stream: AnyTranscoder<'_>, text: &[u8], chunk: usize, output: &mut [u8]) -> usize {
    let mut calls = 0;
    let mut chunks = text.chunks(chunk).peekable();
    while let Some(mut rest) = chunks.next() {
        let last = chunks.peek().is_none();
        loop {
            let step = stream.transcode(rest, output, last);
            calls += 1;
            rest = &rest[step.read..];
            if step.reason.is_none() {
                break;
            }
            assert!(step.read + step.written > 0, "a call that gets no further");
        }
    }
    calls
}

/// One execution.
pub fn run(case: Case<'_>) {
    if case.pattern.is_empty() {
        return;
    }
    let scheme = |number: u8| Scheme::ALL[usize::from(number) % Scheme::ALL.len()];
    let (from, to, policy) = (scheme(case.from), scheme(case.to), Choices::new(&[case.policy]).policy());
    let text: Vec<u8> = case.pattern.iter().copied().cycle().take(LONG).collect();

    // Streams: the calls of a text, and of a quarter of it.
    let chunk = usize::from(case.chunk).max(1);
    let mut output = vec![0; runecast::LEAST_ROOM.max(64) + 16 * usize::from(case.room)];
    let stream = || AnyTranscoder::lossy(from, to, policy);
    let short = drive(stream(), &text[..LONG / 4], chunk, &mut output);
    within_time(LONG, "a stream", || {
        let long = drive(stream(), &text, chunk, &mut output);
        assert!(long <= 4 * short + short / 4 + 16, "{long} calls, and {short} for a quarter of the text");
        long
    });

    // At once: the length, the text, and each error.
    within_time(LONG, "a text at once", || {
        let mut all = Vec::new();
        let repaired = from.transcode_lossy_append(to, &text, &mut all, policy);
        assert_eq!(from.transcode_lossy_len(to, &text, policy), repaired);
        0
    });
    within_time(LONG, "each error", || {
        let (mut at, mut calls) = (0, 0);
        while let Err(error) = from.validate(&text[at..]) {
            assert!(error.len > 0 || at + error.at < text.len());
            at = (at + error.at + error.len.max(1)).min(text.len());
            calls += 1;
        }
        calls
    });
    within_time(LONG, "a validator", || {
        let (mut validator, mut calls) = (AnyValidator::new(from), 0);
        for chunk in text.chunks(chunk) {
            let _ = validator.push(chunk);
            calls += 1;
        }
        calls
    });
}
