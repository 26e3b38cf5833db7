//! `hostile`: what the worst text costs.
//!
//! Every operation is measured on every pattern, of `n` bytes and of four times as many. Two figures are goals: no pattern takes
//! more than twice as long per byte when it is four times as long ("superlinear"), and none takes more than [`MOST`] times as long
//! as clean text of the same length ("slow"). Clean text is prose in several scripts, in the encoding that the operation reads; and
//! where it is faster than [`MEMORY`], which is about what a core gets from memory, that counts instead.
//!
//! Twice as long per byte may mean only that branch predictors know the shorter text by heart, and the longer one not: `OffsetMap` of
//! random bytes took 1.8 ns for a byte of 16 KiB, 5.5 of 64 KiB, and 6.8 of 256 KiB to 1 MiB. So another text, four times as long
//! again, is asked, and a row is superlinear if the time for a byte doubles once more. What grows with a power of the length does: of
//! the two parts of the time, it is the other that counts for less and less.
//!
//! An operation with a call for every error or every chunk, where each byte may be one, has a goal of its own: [`MOST_PER_CALL`]
//! nanoseconds for a call.
//!
//! Of each operation the worst pattern is printed, and every pattern that misses a goal, or takes more than a given share of it: what
//! is near a goal on one processor misses it on another.
//!
//! The patterns are in [`mod@patterns`], the operations in [`mod@operations`].

mod operations;
mod patterns;

use std::hint::black_box;
use std::time::{Duration, Instant};

use operations::{Operation, operations};
use patterns::{clean, patterns};

/// No text may take more than so many times as long as clean text of the same length.
const MOST: f64 = 25.0;

/// No call for one error, or for a chunk of one byte, may take more nanoseconds.
const MOST_PER_CALL: f64 = 100.0;

/// Nanoseconds for a byte of clean text, at least.
const MEMORY: f64 = 0.2;

/// Per byte, a text of `4 n` bytes may take so many times as long as one of `n`.
const GROWTH: f64 = 2.0;

/// Measures and prints the table for texts of up to `size` bytes, for operations and patterns whose names contain `filter`. Rows are
/// printed that take more than a share `above` of a goal.
pub fn run(size: usize, filter: &str, above: f64) {
    println!("ns per byte of input at {} and {} bytes; times clean text\n", size / 4, size);
    println!("{:44} {:24} {:>9} {:>9} {:>8}", "operation", "pattern", "n", "4 n", "/ clean");
    let (mut missed, mut near) = (0, 0);
    for operation in operations() {
        let named = operation.name.contains(filter);
        let text = clean(&operation, size);
        let base = time(&operation, &text).max(MEMORY);
        let mut worst: Option<Row> = None;
        for (name, make) in patterns() {
            if !named && !name.contains(filter) {
                continue;
            }
            let text = make(size);
            let (short, long) = (time(&operation, &text[..size / 4]), time(&operation, &text));
            let mut row = Row { name, short, long, ratio: long / base };
            for _ in 0..3 {
                if !row.grows() && row.share(&operation) <= above.min(1.0) {
                    break;
                }
                // Something else may have been in the caches meanwhile.
                row.short = row.short.min(time(&operation, &text[..size / 4]));
                row.long = row.long.min(time(&operation, &text));
                row.ratio = row.long / base;
            }
            let mut verdict = String::new();
            if row.grows() && time(&operation, &make(4 * size)) > GROWTH * row.long {
                verdict += "  SUPERLINEAR";
            }
            if row.share(&operation) > 1.0 {
                verdict += "  SLOW";
            }
            if !verdict.is_empty() || row.share(&operation) > above {
                missed += usize::from(!verdict.is_empty());
                near += 1;
                row.print(&operation, &verdict);
            } else if worst.as_ref().is_none_or(|worst| worst.ratio < row.ratio) {
                worst = Some(row);
            }
        }
        if let Some(worst) = worst {
            worst.print(&operation, "");
        }
    }
    if above < 1.0 {
        println!("\n{near} rows take more than {:.0} % of a goal", 100.0 * above);
    }
    println!("\n{missed} rows miss a goal");
}

/// What was measured of one pattern.
struct Row {
    name: &'static str,
    short: f64,
    long: f64,
    ratio: f64,
}

impl Row {
    /// Whether the longer text takes more for a byte than it may, if no predictor knew the shorter.
    fn grows(&self) -> bool {
        self.long > GROWTH * self.short.max(MEMORY)
    }

    /// The share that it takes of the time that it may take.
    fn share(&self, operation: &Operation) -> f64 {
        if operation.by_call { self.long / MOST_PER_CALL } else { self.ratio / MOST }
    }

    fn print(&self, operation: &Operation, verdict: &str) {
        println!(
            "{:44} {:24} {:>9.2} {:>9.2} {:>8.1}{verdict}",
            operation.name, self.name, self.short, self.long, self.ratio
        );
    }
}

/// Nanoseconds per byte, in the best of a few rounds.
fn time(operation: &Operation, text: &[u8]) -> f64 {
    let mut best = Duration::MAX;
    let begin = Instant::now();
    for _ in 0..7 {
        let clock = cpu_time();
        black_box((operation.work)(black_box(text)));
        best = best.min(cpu_time().saturating_sub(clock));
        if begin.elapsed() > Duration::from_millis(30) {
            break;
        }
    }
    best.as_secs_f64() * 1e9 / text.len() as f64
}

/// The time that this process has had on any CPU. Some rows take longer than a process is left alone on a busy machine, so that
/// they would never be without a break.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes one `timespec`, which is there.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
