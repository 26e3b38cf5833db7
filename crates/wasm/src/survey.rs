//! All that is ill-formed in a text, and a text character by character.
//!
//! A survey is for maps of long texts: it says where ill-formed sequences are, and counts those that it does not list.
//! [`characters`] is for short ones, and looks at each character by itself.

use runecast::Scheme;

use crate::codes::scheme;
use crate::engine::certain;
use crate::memory::{Field, Memory, with};

/// Finds what is ill-formed in the input: how many sequences ([`Field::Replaced`]), and of the first `limit` of them offset
/// and length, each in 32 bits, little-endian. If more text will follow, the beginning of a
/// character at the end is not read.
#[unsafe(no_mangle)]
extern "C" fn survey(from: u32, len: usize, last: bool, limit: usize) {
    with(|Memory { input, output, .. }| {
        let src = &input[..len.min(input.len())];
        let src = if last { src } else { certain(scheme(from), src) };
        let (mut count, mut read) = (0_usize, src.len());
        for_each_ill_formed(scheme(from), src, |at, error| {
            if error.is_incomplete() && !last {
                read = at;
                return;
            }
            if count < limit {
                for number in [at as u32, error.len as u32] {
                    output.extend_from_slice(&number.to_le_bytes());
                }
            }
            count += 1;
        });
        Field::Read.set(read);
        Field::Replaced.set(count);
    });
}

/// Writes a text character by character, as JSON: for each `[at, len, code point]`, or `[at, len, null, rule]` where it is
/// ill-formed.
#[unsafe(no_mangle)]
extern "C" fn characters(from: u32, len: usize) {
    with(|Memory { input, output, .. }| {
        let src = &input[..len.min(input.len())];
        let from = scheme(from);
        output.push(b'[');
        let mut done = 0;
        for_each_ill_formed(from, src, |at, error| {
            well_formed(from, &src[..at], done, output);
            push(output, &format!(r#"[{at},{},null,"{}"]"#, error.len, error.kind.name()));
            done = at + error.len;
        });
        well_formed(from, src, done, output);
        output.push(b']');
    });
}

/// An element of a list.
fn push(output: &mut Vec<u8>, element: &str) {
    if output.len() > 1 {
        output.push(b',');
    }
    output.extend_from_slice(element.as_bytes());
}

/// The characters of `src` from `at` on, where all is well-formed.
fn well_formed(from: Scheme, src: &[u8], mut at: usize, output: &mut Vec<u8>) {
    let mut form = Vec::new();
    while at < src.len() {
        let len = from.step(&src[at..]).max(1);
        form.clear();
        // Beyond Unicode there is no form in which a code point could be handed on.
        let point = from
            .transcode_append(Scheme::GeneralizedUtf8, &src[at..at + len], &mut form)
            .ok()
            .map(|_| code_point(&form));
        push(
            output,
            &point.map_or_else(|| format!("[{at},{len},null]"), |point| format!("[{at},{len},{point}]")),
        );
        at += len;
    }
}

/// The code point of a character in generalized UTF-8.
fn code_point(form: &[u8]) -> u32 {
    let bits = match form.len() {
        1 => 7,
        len => 7 - len as u32,
    };
    let lead = form.first().map_or(0, |lead| u32::from(*lead) & ((1 << bits) - 1));
    form.iter().skip(1).fold(lead, |point, byte| point << 6 | u32::from(byte & 0x3F))
}

/// Calls `found` for each ill-formed sequence, with its place in `src`.
fn for_each_ill_formed(from: Scheme, src: &[u8], mut found: impl FnMut(usize, runecast::IllFormed)) {
    let mut done = 0;
    while let Err(error) = from.validate(&src[done..]) {
        let at = done + error.at;
        done = at + error.len.max(1);
        found(at, error);
        if done >= src.len() {
            break;
        }
    }
}
