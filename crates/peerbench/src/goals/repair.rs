//! The tables of repair for one text.
//!
//! In place, a text is ill-formed only once. So where there are errors each peer copies the text first, which is part of its time;
//! clean text stays as it is, and there is nothing but the function. ([`columns::utf16_in_place`] copies in any case.)

use std::cell::RefCell;

use encoding_rs::mem;
use runecast::{Utf8, Utf16, max_transcoded_len};

use super::damage::Damage;
use crate::lossy::columns;
use crate::lossy::damage::broken_utf16;
use crate::peer::{Buffer, Input, Level, Output, Peer};
use crate::table::{Goal, Operation, Unit};
use crate::texts::{self, Manuscript, Text};
use crate::transcode::columns::{Columns, Pair};

/// UTF-8 into a new string or into a slice: `size` bytes of `text`, or all of it in buffers of so many, if these are to be `different`.
pub fn utf8(
    text: &Manuscript,
    damage: Damage,
    slice: bool,
    size: usize,
    align: usize,
    different: bool,
) -> Option<Operation> {
    let end = if different { text.text.len() } else { size.min(text.text.len()) };
    let end = (0..=end).rev().find(|&at| text.text.is_char_boundary(at))?;
    let source = &text.text[..end];
    let bytes = damage.of(source);
    let columns = if slice {
        columns::utf8_to_slice(Pair::new(Output::new(3 * size + 1024, align)))
    } else {
        columns::utf8()
    };
    let input = if different {
        texts::buffers_of(&bytes, size, align, |at| source.is_char_boundary(at))
    } else {
        Input::Whole(Buffer::new(&bytes, align))
    };
    Some(operation(text, input, columns))
}

/// UTF-16 to UTF-8, or in place; `size` and `different` as for UTF-8.
pub fn utf16(
    text: &Manuscript,
    per_mille: usize,
    in_place: bool,
    size: usize,
    align: usize,
    different: bool,
) -> Option<Operation> {
    let mut units = broken_utf16(&text.text, per_mille);
    let align = align & !1;
    let input = if different {
        let may_cut = |at| at % 2 == 0 && !matches!(units.get(at / 2), Some(0xDC00..0xE000));
        texts::buffers_of(bytemuck::cast_slice(&units), size, align, may_cut)
    } else {
        units.truncate(size / 2);
        if let Some(0xD800..0xDC00) = units.last() {
            units.pop();
        }
        Input::Whole(Buffer::new(bytemuck::cast_slice(&units), align))
    };
    let columns = match (in_place, per_mille) {
        (false, _) => {
            let room = max_transcoded_len::<Utf16, Utf8>(size / 2) + 64;
            columns::utf16_to_utf8(Pair::new(Output::new(room, align)))
        }
        (true, 0) => unmodified(),
        _ => columns::utf16_in_place(Pair::new(Output::new(size, align))),
    };
    Some(operation(text, input, columns))
}

fn operation(text: &Manuscript, input: Input, columns: Columns) -> Operation {
    Operation {
        name: "goals".to_owned(),
        unit: Unit::GigabytesPerSecond,
        peers: columns.into_peers(),
        texts: vec![Text { name: text.name.clone(), input }],
        goals: vec![Goal::best()],
    }
}

thread_local! {
    /// The text that is made well-formed, and where it came from.
    static TEXT: RefCell<(usize, Buffer)> = RefCell::new((0, Buffer::new(b"", 0)));
}

/// A function on a copy of the text that is kept as long as the text is the same.
fn in_place(work: impl Fn(&mut [u16]) + Copy + 'static) -> impl Fn(&[u8]) -> usize + Copy + 'static {
    move |src: &[u8]| {
        TEXT.with_borrow_mut(|(from, buffer)| {
            let address = src.as_ptr().addr();
            if *from != address || buffer.bytes().len() != src.len() {
                *from = address;
                *buffer = Buffer::new(src, address % 4096);
            }
            let text = bytemuck::cast_slice_mut(buffer.bytes_mut());
            work(text);
            text.len()
        })
    }
}

/// Whoever makes UTF-16 well-formed in place, on text that is.
fn unmodified() -> Columns {
    let encoding_rs = in_place(|text| {
        mem::ensure_utf16_validity(text);
    });
    let mut peers = vec![Peer::new("encoding rs", Level::Every, encoding_rs)];
    peers.extend(Peer::simdutf(|simdutf, src| {
        in_place(move |text| {
            simdutf.make_well_formed_utf16(text);
        })(src)
    }));
    peers.extend(Peer::ours(in_place(|text| {
        runecast::to_well_formed(text);
    })));
    Columns::new(peers)
}
