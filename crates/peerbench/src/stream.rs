//! `stream`: texts that come in chunks.
//!
//! A table for each kind of stream and each size of chunk. UTF-8 and UTF-16LE are turned to UTF-8, checked;
//! the peer is encoding_rs, with its `Decoder` and without replacement. The column `one shot` is our own
//! conversion of the whole text in one call, with the best kernels of this CPU: what the chunks cost shows
//! against it. All write one text into one output, each chunk after the one before.
//!
//! `check` only validates. encoding_rs and simdutf8 have nothing for that: std is called for each chunk, as
//! its users have to do it, with the end of a chunk copied in front of the next one; simdutf8 gets the
//! whole text at once, which is an advantage.

use clap::ValueEnum;
use encoding_rs::{DecoderResult, Encoding};
use runecast::{Engine, Isa, Transcoder, Utf8, Utf16Le, Validator};

use crate::peer::{Buffer, Input, Level, Output, Peer};
use crate::table::{Goal, Operation, Ours, Unit};
use crate::texts::{self, Text};
use crate::transcode::columns::Pair;
use crate::validate::simdutf8_level;

/// What kind of stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stream {
    /// UTF-8 to UTF-8
    #[value(name = "8")]
    Utf8,
    /// UTF-16LE to UTF-8
    #[value(name = "16le")]
    Utf16Le,
    /// Is it UTF-8?
    #[value(name = "check")]
    Check,
}

/// The sizes of chunks, in bytes.
const CHUNKS: [usize; 3] = [64 << 10, 4 << 10, 100];

/// Tables for `streams`, or for all; each text has about `size` bytes.
pub fn long(streams: &[Stream], size: usize, align: usize) -> Vec<Operation> {
    let streams = if streams.is_empty() { Stream::value_variants() } else { streams };
    streams.iter().flat_map(|stream| CHUNKS.map(|chunk| stream.operation(chunk, size, align))).collect()
}

impl Stream {
    fn operation(self, chunk: usize, size: usize, align: usize) -> Operation {
        let texts = texts::generated(size);
        let bytes = |text: &str| match self {
            Stream::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => text.as_bytes().to_vec(),
        };
        let texts: Vec<Text> = texts
            .into_iter()
            .map(|text| Text { name: text.name, input: Input::Whole(Buffer::new(&bytes(&text.text), align)) })
            .collect();
        let longest = texts.iter().map(|text| text.input.bytes()).max().unwrap_or(0);
        let output = Output::new(3 * longest + 4096, align);
        let peers = match self {
            Stream::Utf8 => Pair::<Utf8, Utf8>::new(output)
                .peer("encoding rs", move |src, dst| decoded(encoding_rs::UTF_8, chunk, src, dst))
                .peer("one shot", |src, dst| best().transcode::<Utf8, Utf8>(src, dst).unwrap_or(0))
                .ours_by(move |src, dst| streamed::<Utf8>(chunk, src, dst))
                .into_peers(),
            Stream::Utf16Le => Pair::<Utf16Le, Utf8>::new(output)
                .peer("encoding rs", move |src, dst| decoded(encoding_rs::UTF_16LE, chunk, src, dst))
                .peer("one shot", |src, dst| best().transcode::<Utf16Le, Utf8>(src, dst).unwrap_or(0))
                .ours_by(move |src, dst| streamed::<Utf16Le>(chunk, src, dst))
                .into_peers(),
            Stream::Check => {
                let mut peers = vec![
                    Peer::new("std", Level::Every, move |src| usize::from(by_hand(chunk, src))),
                    Peer::new("simdutf8 whole", simdutf8_level(), |src| {
                        usize::from(simdutf8::basic::from_utf8(src).is_ok())
                    }),
                    Peer::new("one shot", Level::Every, |src| {
                        usize::from(best().validate::<Utf8>(src).is_ok())
                    }),
                ];
                peers.extend(Peer::ours(move |src| usize::from(checked(chunk, src))));
                peers
            }
        };
        let name = self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        Operation {
            name: format!("stream {name}, chunks of {chunk}"),
            unit: Unit::GigabytesPerSecond,
            peers,
            texts,
            goals: goals(self),
        }
    }
}

/// Our best kernels.
fn best() -> Engine {
    Engine::available().next().unwrap_or_else(Engine::current)
}

/// encoding_rs, chunk by chunk: the bytes written, none at an error.
fn decoded(encoding: &'static Encoding, chunk: usize, src: &[u8], dst: &mut [u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut rest, mut written) = (src, 0);
    while !rest.is_empty() {
        let (now, later) = rest.split_at(rest.len().min(chunk));
        let (result, read, more) =
            decoder.decode_to_utf8_without_replacement(now, &mut dst[written..], later.is_empty());
        if result != DecoderResult::InputEmpty || read != now.len() {
            return 0;
        }
        written += more;
        rest = later;
    }
    written
}

/// Ours, chunk by chunk.
fn streamed<S: runecast::Encoding<Unit = u8>>(chunk: usize, src: &[u8], dst: &mut [u8]) -> usize {
    let mut transcoder = Transcoder::<S, Utf8>::strict();
    let (mut rest, mut written) = (src, 0);
    while !rest.is_empty() {
        let (now, later) = rest.split_at(rest.len().min(chunk));
        let step = transcoder.transcode(now, &mut dst[written..], later.is_empty());
        if !step.is_done() {
            return 0;
        }
        written += step.written;
        rest = later;
    }
    written
}

/// Our validator, chunk by chunk.
fn checked(chunk: usize, src: &[u8]) -> bool {
    let mut validator = Validator::<Utf8>::new();
    src.chunks(chunk).all(|chunk| validator.push(chunk).is_ok()) && validator.finish().is_ok()
}

/// std, chunk by chunk: what a chunk leaves open is completed with a few bytes of the next one.
fn by_hand(chunk: usize, src: &[u8]) -> bool {
    let mut open = [0_u8; 4];
    let mut waiting = 0;
    for mut chunk in src.chunks(chunk) {
        if waiting > 0 {
            let width = (open[0].leading_ones() as usize).clamp(waiting, 4);
            let taken = chunk.len().min(width - waiting);
            open[waiting..waiting + taken].copy_from_slice(&chunk[..taken]);
            waiting += taken;
            chunk = &chunk[taken..];
            match std::str::from_utf8(&open[..waiting]) {
                Ok(_) => waiting = 0,
                Err(error) if error.error_len().is_some() => return false,
                Err(_) => continue,
            }
        }
        if let Err(error) = std::str::from_utf8(chunk) {
            if error.error_len().is_some() {
                return false;
            }
            let rest = &chunk[error.valid_up_to()..];
            open[..rest.len()].copy_from_slice(rest);
            waiting = rest.len();
        }
    }
    waiting == 0
}

fn goals(stream: Stream) -> Vec<Goal> {
    let peer: &[&str] = if stream == Stream::Check { &["std"] } else { &["encoding rs"] };
    vec![
        Goal { name: "ours /peer", ours: Ours::Best, against: peer },
        Goal { name: "ours /one shot", ours: Ours::Best, against: &["one shot"] },
        Goal { name: "avx2 /peer", ours: Ours::One(Isa::Avx2), against: peer },
        Goal { name: "sse42 /peer", ours: Ours::One(Isa::Sse42), against: peer },
        Goal { name: "scalar /peer", ours: Ours::One(Isa::Scalar), against: peer },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring for no time at all still compares what all peers say and write.
    #[test]
    fn all_peers_agree_on_everything() {
        let once = runecast_clock::Patience { rounds: 1, limit: std::time::Duration::ZERO };
        for operation in long(&[], 64 << 10, 17) {
            if let Err(error) = operation.measure(once) {
                panic!("{}: {error:#}", operation.name);
            }
        }
    }
}
