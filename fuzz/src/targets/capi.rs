//! The C interface, with numbers and addresses as C programs pass them.
//!
//! Encodings and policies are any numbers. Inputs and outputs are allocations of exactly the length that is stated, so the address
//! sanitizer sees each byte that is touched outside of them. What a call says must be possible (it has read and written
//! no more than there was), and what it converted must be what the library converts.

use std::ffi::c_void;

use arbitrary::Arbitrary;

use crate::types::{Codes, Outcome};
use crate::{check, convert, detect, lengths, map, offset, stream, validator};

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Case<'a> {
    from: u8,
    to: u8,
    policy: u8,
    room: u16,
    cuts: [u8; 4],
    at: u16,
    unit: u8,
    text: &'a [u8],
}

const OK: u32 = Codes::RunecastOk as u32;
const FULL: u32 = Codes::RunecastOutputFull as u32;
const BAD: u32 = Codes::RunecastBadArgument as u32;
const INTERNAL: u32 = Codes::RunecastInternal as u32;

/// What an outcome says is possible.
fn possible(outcome: Outcome, len: usize, room: usize) {
    assert!(outcome.code != INTERNAL, "{outcome:?}");
    assert!(outcome.read <= len && outcome.written <= room, "{outcome:?} of {len} into {room}");
}

/// One execution.
pub fn run(case: Case<'_>) {
    let (from, to) = (u32::from(case.from % 32), u32::from(case.to % 32));
    let policy = u32::from(case.policy % 16);
    // Exactly this long.
    let text: Box<[u8]> = case.text.into();
    let (src, len) = (text.as_ptr().cast::<c_void>(), text.len());
    let room = usize::from(case.room % 4096);
    let mut output = vec![0xAA_u8; room].into_boxed_slice();
    let dst = output.as_mut_ptr().cast::<c_void>();

    // SAFETY: `src` has `len` bytes, `dst` has `room`, and they are allocations of their own. Handles are those that were made here,
    // used as the header says, and freed once.
    unsafe {
        let valid = check::runecast_validate(from, src, len);
        possible(valid, len, 0);
        if valid.code == OK {
            assert_eq!(valid.read, len);
        }
        assert_eq!(check::runecast_is_utf8(src, len), std::str::from_utf8(&text).is_ok());
        assert!(check::runecast_ascii_prefix(src, len) <= len);
        assert!(check::runecast_complete_prefix(from, src, len) <= len);

        let outcome = convert::runecast_transcode(from, src, len, to, dst, room);
        possible(outcome, len, room);
        let exact = lengths::runecast_transcoded_len(from, src, len, to);
        assert!(exact <= lengths::runecast_max_transcoded_len(from, len, to));
        match outcome.code {
            OK => assert_eq!((outcome.read, outcome.written), (len, exact)),
            FULL => assert!(exact > room),
            _ => {}
        }
        let lossy = convert::runecast_transcode_lossy(from, src, len, to, dst, room, policy);
        possible(lossy, len, room);
        let written = lengths::runecast_transcode_lossy_len(from, src, len, to, policy);
        match lossy.code {
            OK => assert_eq!((lossy.read, lossy.written), (len, written.written)),
            FULL => assert!(written.written > room),
            code => assert_eq!(code, written.code, "{lossy:?}, {written:?}"),
        }
        let converted = output[..if lossy.code == OK { lossy.written } else { 0 }].to_vec();

        // The same in chunks, and freed in the middle if the output is too small.
        let stream = stream::runecast_stream_new_lossy(from, to, policy);
        if !stream.is_null() {
            let (mut rest, mut all, mut done) = (&text[..], Vec::new(), false);
            for cut in case.cuts.iter().cycle().take(64) {
                let (chunk, later) = rest.split_at(rest.len().min(usize::from(*cut)));
                let chunk: Box<[u8]> = chunk.into();
                let step =
                    stream::runecast_stream_feed(stream, chunk.as_ptr().cast(), chunk.len(), dst, room);
                possible(step, chunk.len(), room);
                all.extend_from_slice(&output[..step.written]);
                rest = if step.read == chunk.len() { later } else { &rest[step.read..] };
                if rest.is_empty() && step.code == OK {
                    let last = stream::runecast_stream_finish(stream, dst, room);
                    possible(last, 0, room);
                    all.extend_from_slice(&output[..last.written]);
                    done = last.code == OK;
                    break;
                }
            }
            if done && lossy.code == OK {
                assert_eq!(all, converted);
            }
            stream::runecast_stream_free(stream);
        } else {
            assert_eq!(lossy.code, BAD);
        }

        let unit = u32::from(case.unit % 6);
        let characters = text.as_ptr().cast();
        let at = usize::from(case.at);
        let place = offset::runecast_offset(characters, len, at, unit);
        let map = map::runecast_map_new(characters, len);
        if !map.is_null() {
            assert_eq!(map::runecast_map_offset(map, characters, len, at, unit), place);
            map::runecast_map_free(map);
        }
        detect::runecast_detect(src, len, true);

        // What C may have done to eight bytes that are the caller's.
        let mut validator = validator::runecast_validator_new(from);
        possible(validator::runecast_validator_push(&mut validator, src, len), len, 0);
        let _ = validator::runecast_validator_finish(&validator);
    }
}
