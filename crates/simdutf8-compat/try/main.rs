//! What projects that validate with simdutf8 take for one text each: nanoseconds, the minimum of many passes.
//!
//! Nothing here knows which simdutf8 it was linked with. ../try.sh runs two builds in turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use runecast_corpus::{Script, generate};

/// The best of the passes that fit into a fifth of a second.
fn measure(name: &str, bytes: usize, mut pass: impl FnMut()) {
    let mut best = Duration::MAX;
    let end = Instant::now() + Duration::from_millis(200);
    while Instant::now() < end {
        let begin = Instant::now();
        pass();
        best = best.min(begin.elapsed());
    }
    println!("{name}\t{bytes}\t{}", best.as_nanos());
}

/// An array of objects with some members, each string some sentences of a language.
fn json(script: Script, bytes: usize) -> String {
    let mut text = String::from("[");
    for seed in 0.. {
        let body = generate(script, 240, seed).replace(['"', '\\', '\n', '\r', '\t'], " ");
        text.push_str(&format!(r#"{{"id":{seed},"title":"{}","body":"{body}"}}"#, body.chars().take(20).collect::<String>()));
        if text.len() >= bytes {
            break;
        }
        text.push(',');
    }
    text.push(']');
    text
}

/// Text messages, one frame each, as a server writes them.
fn frames(script: Script, payload: usize, count: u64) -> Vec<u8> {
    let mut wire = Vec::new();
    for seed in 0..count {
        let text = generate(script, payload, seed);
        wire.push(0x81);
        match u16::try_from(text.len()) {
            Ok(len @ 0..126) => wire.push(len as u8),
            Ok(len) => {
                wire.push(126);
                wire.extend_from_slice(&len.to_be_bytes());
            }
            Err(_) => {
                wire.push(127);
                wire.extend_from_slice(&(text.len() as u64).to_be_bytes());
            }
        }
        wire.extend_from_slice(text.as_bytes());
    }
    wire
}

fn main() {
    let scripts = [("ASCII", Script::Ascii), ("Russian", Script::Cyrillic), ("Chinese", Script::Chinese)];
    for (language, script) in scripts {
        for size in [1 << 10, 1 << 16] {
            let text = json(script, size);
            let mut buffers = simd_json::Buffers::default();
            // Parsing changes the bytes, so that each pass has a copy: the same for both builds.
            let mut copy = text.clone().into_bytes();
            measure(&format!("simd-json, to_tape, {language}, {} KiB", size >> 10), text.len(), || {
                copy.copy_from_slice(text.as_bytes());
                black_box(simd_json::to_tape_with_buffers(&mut copy, &mut buffers).expect("JSON"));
            });
            measure(&format!("sonic-rs, from_slice, {language}, {} KiB", size >> 10), text.len(), || {
                black_box(sonic_rs::from_slice::<sonic_rs::Value>(text.as_bytes()).expect("JSON"));
            });
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        for (payload, count) in [(1 << 10, 64), (1 << 16, 4)] {
            let wire = frames(script, payload, count);
            measure(&format!("tokio-websockets, messages, {language}, {} KiB", payload >> 10), wire.len(), || {
                let stream = tokio::io::join(wire.as_slice(), tokio::io::sink());
                let mut messages = tokio_websockets::ClientBuilder::new().take_over(stream);
                let read = runtime.block_on(async {
                    let mut read = 0;
                    while read < count {
                        let message = messages.next().await.expect("a message").expect("text");
                        black_box(message.as_text());
                        read += 1;
                    }
                    read
                });
                assert_eq!(read, count);
            });
        }
    }
}
