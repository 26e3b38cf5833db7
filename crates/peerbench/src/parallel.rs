//! `parallel`: one huge text, by one thread and by two.
//!
//! A text of 256 MiB is in no cache, so more threads may find that memory has no more to give. How much it has
//! is measured beside it, in the same rounds: by threads that do nothing but read, and add up what they read.
//! A conversion into a new vector is bound by something else again: the system has to hand out the pages.
//! So converting is also measured into memory that is there already.
//!
//! Of each, the best of a few rounds counts; the rounds are interleaved.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use runecast::{
    Replacement, Utf8, Utf16, par_transcode_lossy_to_vec, par_transcode_to_vec, par_validate, transcode,
    transcode_lossy_to_vec, transcode_to_vec, validate,
};
use runecast_corpus::{Script, generate};

use crate::texts::SEED;

/// Bytes that are handed to a thread for reading.
const PIECE: usize = 1 << 20;

/// Measures and prints one table for each of two texts.
pub fn run(size: usize, rounds: u32) -> Result<()> {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().context("no threads");
    let pools = [pool(1)?, pool(2)?];
    for script in [Script::Ascii, Script::Cyrillic] {
        let text = generate(script, 1 << 20, SEED).repeat(size >> 20);
        println!("{}, {} MiB; GB/s of input, the best of {rounds} rounds\n", script.name(), text.len() >> 20);
        println!("{:24}{:>10}{:>10}{:>10}{:>10}", "", "serial", "1 thread", "2 threads", "2 / serial");
        let mut output = vec![0_u16; text.len()];
        let mut rows = rows(text.as_bytes(), &mut output);
        let mut best = vec![[f64::INFINITY; 3]; rows.len()];
        for _ in 0..rounds {
            for (row, best) in rows.iter_mut().zip(&mut best) {
                best[0] = best[0].min(seconds(&mut row.serial));
                for (pool, best) in pools.iter().zip(&mut best[1..]) {
                    *best = best.min(pool.install(|| seconds(&mut row.parallel)));
                }
            }
        }
        for (row, best) in rows.iter().zip(best) {
            let speeds = best.map(|seconds| text.len() as f64 / seconds * 1e-9);
            print!("{:24}", row.name);
            speeds.iter().for_each(|speed| print!("{speed:>10.1}"));
            println!("{:>10.2}", speeds[2] / speeds[0]);
        }
        println!();
    }
    Ok(())
}

/// Something that is done by one and by several.
struct Row<'a> {
    name: &'static str,
    serial: Box<dyn FnMut() -> usize + Send + 'a>,
    parallel: Box<dyn FnMut() -> usize + Send + 'a>,
}

fn rows<'a>(text: &'a [u8], output: &'a mut [u16]) -> Vec<Row<'a>> {
    let blocks: Vec<(usize, usize)> = (0..text.len())
        .step_by(PIECE)
        .map(|from| (boundary(text, from), boundary(text, from + PIECE)))
        .collect();
    // Each thread writes where its block begins, which may waste some room.
    let mut rest = output;
    let mut rooms = Vec::new();
    for &(from, to) in &blocks {
        let (room, behind) = std::mem::take(&mut rest).split_at_mut(to - from);
        rooms.push((&text[from..to], room));
        rest = behind;
    }
    let rooms = std::sync::Arc::new(std::sync::Mutex::new(rooms));
    let again = std::sync::Arc::clone(&rooms);
    let convert = |(src, dst): &mut (&[u8], &mut [u16])| transcode::<Utf8, Utf16>(src, dst).unwrap_or(0);
    vec![
        Row {
            name: "read",
            serial: Box::new(move || sum(text) as usize),
            parallel: Box::new(move || {
                text.par_chunks(PIECE).map(sum).reduce(|| 0, u64::wrapping_add) as usize
            }),
        },
        Row {
            name: "validate",
            serial: Box::new(move || usize::from(validate::<Utf8>(text).is_ok())),
            parallel: Box::new(move || usize::from(par_validate::<Utf8>(text).is_ok())),
        },
        Row {
            name: "to UTF-16, new vector",
            serial: Box::new(move || transcode_to_vec::<Utf8, Utf16>(text).map_or(0, |units| units.len())),
            parallel: Box::new(move || {
                par_transcode_to_vec::<Utf8, Utf16>(text).map_or(0, |units| units.len())
            }),
        },
        Row {
            name: "to UTF-16, memory there",
            serial: Box::new(move || lock(&rooms).iter_mut().map(convert).sum()),
            parallel: Box::new(move || lock(&again).par_iter_mut().map(convert).sum()),
        },
        Row {
            name: "repair, new vector",
            serial: Box::new(move || transcode_lossy_to_vec::<Utf8, Utf8>(text, Replacement::Whatwg).len()),
            parallel: Box::new(move || {
                par_transcode_lossy_to_vec::<Utf8, Utf8>(text, Replacement::Whatwg).len()
            }),
        },
    ]
}

fn lock<T>(shared: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The sum of the words of some bytes.
fn sum(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(0, |sum, word| sum.wrapping_add(u64::from_ne_bytes(*word)))
}

/// The last character boundary up to `at`.
fn boundary(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80)).unwrap_or(0)
}

fn seconds(work: &mut (dyn FnMut() -> usize + Send)) -> f64 {
    let begin = Instant::now();
    black_box(work());
    begin.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_and_parallel_agree() {
        let text = generate(Script::Cyrillic, 3 << 20, SEED);
        let mut output = vec![0; text.len()];
        for mut row in rows(text.as_bytes(), &mut output) {
            assert_eq!((row.serial)(), (row.parallel)(), "{}", row.name);
        }
    }
}
