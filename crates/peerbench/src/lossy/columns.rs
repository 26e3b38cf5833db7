//! Who repairs what, and how.
//!
//! simdutf has no conversion with replacement in the version that its crate contains; but it makes
//! UTF-16 well-formed, from one buffer to another. So its users convert strictly, which costs little
//! where it fails at once, and on failure make a well-formed copy and convert that; the copy goes to
//! memory that is kept.
//!
//! In place, each peer copies the text first, since a text is ill-formed only once.

use std::borrow::Cow;
use std::cell::RefCell;
use std::char::REPLACEMENT_CHARACTER;

use bstr::ByteSlice;
use encoding_rs::{UTF_8, mem};
use runecast::{Replacement, Utf8, Utf16};

use crate::peer::{Level, Peer};
use crate::transcode::columns::{Columns, Pair};
use crate::validate::simdutf8_level;

/// UTF-8 to a string. encoding_rs asks simdutf8 how much of it is clean.
pub fn utf8() -> Columns {
    let mut peers = vec![
        Peer::returning("std", Level::Every, String::from_utf8_lossy),
        Peer::returning("encoding rs", simdutf8_level(), |src| UTF_8.decode_without_bom_handling(src).0),
        Peer::returning("bstr", Level::Every, |src| src.to_str_lossy()),
    ];
    peers.extend(Peer::ours_returning(runecast::from_utf8_lossy));
    Columns::new(peers)
}

/// UTF-8 to a slice. bstr has nothing for it, and std its chunks.
pub fn utf8_to_slice(pair: Pair<Utf8, Utf8>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        let mut put = |bytes: &[u8]| {
            dst[written..written + bytes.len()].copy_from_slice(bytes);
            written += bytes.len();
        };
        for chunk in src.utf8_chunks() {
            put(chunk.valid().as_bytes());
            if !chunk.invalid().is_empty() {
                put("\u{FFFD}".as_bytes());
            }
        }
        written
    })
    .peer_at(simdutf8_level(), "encoding rs", |src, dst| {
        let mut decoder = UTF_8.new_decoder_without_bom_handling();
        decoder.decode_to_utf8(src, dst, true).2
    })
    .ours_by(|src, dst| {
        let repaired = runecast::transcode_lossy::<Utf8, Utf8>(src, dst, Replacement::Whatwg);
        repaired.map_or(0, |repaired| repaired.written)
    })
}

/// UTF-16 to UTF-8.
pub fn utf16_to_utf8(pair: Pair<Utf16, Utf8>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        for character in char::decode_utf16(src.iter().copied()) {
            let character = character.unwrap_or(REPLACEMENT_CHARACTER);
            written += character.encode_utf8(&mut dst[written..]).len();
        }
        written
    })
    .column(Peer::returning("std string", Level::Every, |src| {
        Cow::Owned(String::from_utf16_lossy(bytemuck::cast_slice(src)))
    }))
    .peer("encoding rs", mem::convert_utf16_to_utf8)
    .simdutf(|simdutf, src, dst| {
        let written = simdutf.utf16_to_utf8(src, dst);
        if written > 0 || src.is_empty() {
            return written;
        }
        WELL_FORMED.with_borrow_mut(|copy| {
            copy.resize(src.len(), 0);
            simdutf.to_well_formed_utf16(src, copy);
            simdutf.utf16_to_utf8(copy, dst)
        })
    })
    .ours_by(|src, dst| {
        let repaired = runecast::transcode_lossy::<Utf16, Utf8>(src, dst, Replacement::Whatwg);
        repaired.map_or(0, |repaired| repaired.written)
    })
}

thread_local! {
    /// The well-formed copy that simdutf makes.
    static WELL_FORMED: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
}

/// UTF-16 to well-formed UTF-16. encoding_rs repairs in place only.
pub fn utf16(pair: Pair<Utf16, Utf16>) -> Columns {
    pair.peer("std", |src, dst| {
        let mut written = 0;
        for character in char::decode_utf16(src.iter().copied()) {
            let character = character.unwrap_or(REPLACEMENT_CHARACTER);
            written += character.encode_utf16(&mut dst[written..]).len();
        }
        written
    })
    .peer("encoding rs", |src, dst| {
        let text = copied(src, dst);
        mem::ensure_utf16_validity(text);
        text.len()
    })
    .simdutf(|simdutf, src, dst| simdutf.to_well_formed_utf16(src, dst))
    .ours_by(|src, dst| {
        let repaired = runecast::transcode_lossy::<Utf16, Utf16>(src, dst, Replacement::Whatwg);
        repaired.map_or(0, |repaired| repaired.written)
    })
}

/// UTF-16 made well-formed where it stands.
pub fn utf16_in_place(pair: Pair<Utf16, Utf16>) -> Columns {
    pair.peer("encoding rs", |src, dst| {
        let text = copied(src, dst);
        mem::ensure_utf16_validity(text);
        text.len()
    })
    .simdutf(|simdutf, src, dst| simdutf.make_well_formed_utf16(copied(src, dst)))
    .ours_by(|src, dst| {
        let text = copied(src, dst);
        runecast::to_well_formed(text);
        text.len()
    })
}

/// `src` at the start of `dst`.
fn copied<'a>(src: &[u16], dst: &'a mut [u16]) -> &'a mut [u16] {
    let text = &mut dst[..src.len()];
    text.copy_from_slice(src);
    text
}
