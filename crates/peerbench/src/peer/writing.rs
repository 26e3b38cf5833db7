//! Peers that write: functions from a slice of units to a slice of units.
//!
//! All peers of a table share one output, allocated once: where it lies decides which stores
//! share a cache set with which loads, and no peer must gain from a better address. It
//! begins half a page away from the input's place in its page. Otherwise, where a conversion
//! neither grows nor shrinks the text, each load would look to the CPU as if it read what was just
//! stored: the first check compares the last twelve bits of the addresses only.
//!
//! Some functions give a string of their own: [`Peer::returning`]. Its allocation and its end are part
//! of their time, and where it lies is up to them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use runecast::Engine;

use super::{Buffer, Level, Peer};

/// The memory that all peers of a table write to, one after the other.
#[derive(Clone, Debug)]
pub struct Output {
    buffer: Rc<RefCell<Buffer>>,
}

impl Output {
    /// An output of `bytes` bytes for an input that begins at `align`; it is aligned to four bytes.
    pub fn new(bytes: usize, align: usize) -> Output {
        let buffer = Buffer::new(&vec![0; bytes.next_multiple_of(4)], (align & !3) + 2048);
        Output { buffer: Rc::new(RefCell::new(buffer)) }
    }
}

impl Peer {
    /// A peer with the function `work`, from units in to units out; it returns the units written.
    pub fn writing<S: Pod, D: Pod>(
        name: impl Into<String>,
        level: Level,
        output: Output,
        work: impl Fn(&[S], &mut [D]) -> usize + Copy + 'static,
    ) -> Peer {
        let again = output.clone();
        let passes = move |pieces: &[&[u8]], times: u32| {
            let mut buffer = output.buffer.borrow_mut();
            let dst: &mut [D] = cast_slice_mut(buffer.bytes_mut());
            let mut sum = 0;
            for _ in 0..times {
                sum = 0;
                for &piece in black_box(pieces) {
                    sum += black_box(work(cast_slice(piece), black_box(&mut *dst)));
                }
            }
            sum
        };
        let dictation = move |pieces: &[&[u8]]| {
            let mut buffer = again.buffer.borrow_mut();
            let mut written = Vec::new();
            for &piece in pieces {
                // What the peer before wrote must not pass for this one's.
                buffer.bytes_mut().fill(0xEE);
                let dst: &mut [D] = cast_slice_mut(buffer.bytes_mut());
                let units = work(cast_slice(piece), dst);
                written.extend_from_slice(cast_slice(&dst[..units]));
            }
            written
        };
        Peer {
            name: name.into(),
            ours: None,
            only_reads: false,
            level,
            passes: Box::new(passes),
            dictation: Some(Box::new(dictation)),
        }
    }
}

/// A function that gives a string, or lends its input.
type Returning = for<'a> fn(&'a [u8]) -> Cow<'a, str>;

impl Peer {
    /// A peer with the function `work`, from bytes to a string; the length is what it says.
    pub fn returning(name: impl Into<String>, level: Level, work: Returning) -> Peer {
        // A call through a pointer, the same for all: the texts are long.
        let passes = move |text: &[u8]| black_box(work(text)).len();
        let dictation = move |pieces: &[&[u8]]| {
            pieces.iter().flat_map(|piece| work(piece).into_owned().into_bytes()).collect()
        };
        Peer { dictation: Some(Box::new(dictation)), ..Peer::new(name, level, passes) }
    }

    /// runecast with the function `work`, once for each ISA of this CPU.
    pub fn ours_returning(work: Returning) -> impl Iterator<Item = Peer> {
        Engine::available().map(move |engine| {
            let isa = engine.isa();
            Peer { ours: Some(isa), ..Peer::returning(isa.name(), Level::Only(isa), work) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::Input;

    #[test]
    fn what_is_written_is_what_is_shown() {
        let widen = |src: &[u8], dst: &mut [u16]| {
            dst.iter_mut().zip(src).for_each(|(to, &from)| *to = u16::from(from));
            src.len()
        };
        let peer = Peer::writing("x", Level::Every, Output::new(10, 17), widen);
        let input = Input::Packed(Buffer::new(b"ab..c", 1), vec![(0, 2), (4, 5)]);
        let expected: Vec<u8> = [97_u16, 98, 99].iter().flat_map(|unit| unit.to_ne_bytes()).collect();
        assert_eq!(peer.verdict(&input), 3);
        assert_eq!(peer.writes(&input), Some(expected));
        let silent = Peer::new("y", Level::Every, |text| text.len());
        assert_eq!(silent.writes(&input), None);
    }

    #[test]
    fn what_is_returned_is_what_is_shown() {
        let peer = Peer::returning("x", Level::Every, String::from_utf8_lossy);
        let input = Input::Packed(Buffer::new(b"ab\xFFc", 1), vec![(0, 1), (2, 4)]);
        assert_eq!(peer.verdict(&input), 5);
        assert_eq!(peer.writes(&input), Some("a\u{FFFD}c".as_bytes().to_vec()));
    }

    #[test]
    fn a_lazy_peer_is_found_out() {
        let output = Output::new(8, 0);
        let peer =
            |work: fn(&[u8], &mut [u8]) -> usize| Peer::writing("x", Level::Every, output.clone(), work);
        let input = Input::Whole(Buffer::new(b"rune", 0));
        let honest = peer(|src, dst| {
            dst[..src.len()].copy_from_slice(src);
            src.len()
        });
        let lazy = peer(|src, _| src.len());
        assert_eq!(honest.verdict(&input), lazy.verdict(&input));
        assert_ne!(honest.writes(&input), lazy.writes(&input));
    }
}
