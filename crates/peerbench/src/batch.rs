//! `batch`: is every value of a column UTF-8, by itself?
//!
//! The peers are ways rather than libraries. *By value* is std for each value. *Whole* is what arrow-rs
//! does: all values as one text, by std or by simdutf8, and then whether a character begins at each
//! offset. Both are written here as their users write them.
//!
//! The values are cut out of text by the corpus, between characters, of a length drawn at random from a
//! range; and from the same text there are three arrays: with offsets, as slices, and as views. All
//! ways see them in memory as they are, none may prepare anything.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use runecast::Utf8;
use runecast::batch::{validate_each, validate_offsets, validate_views};
use runecast_corpus::{Random, Script, generate};

use crate::peer::{Buffer, Input, Level, Peer};
use crate::table::{Goal, Operation, Unit};
use crate::texts::{SEED, Text};
use crate::validate::simdutf8_level;

/// A text, cut into values.
#[derive(Debug)]
struct Column {
    offsets: Vec<i32>,
    views: Vec<u128>,
}

/// The columns by the address and the length of their text, which is all that a peer is given.
type Columns = Rc<RefCell<HashMap<(usize, usize), Rc<Column>>>>;

/// The lengths of values, from and to.
const LENGTHS: [(usize, usize); 3] = [(5, 15), (5, 50), (50, 200)];

/// The tables: offsets, slices and views.
pub fn long(size: usize, align: usize) -> Vec<Operation> {
    let columns = Columns::default();
    let texts = || {
        let mut texts = Vec::new();
        for script in [
            Script::World,
            Script::Chat,
            Script::Ascii,
            Script::English,
            Script::French,
            Script::German,
            Script::Cyrillic,
            Script::Hindi,
            Script::Chinese,
            Script::Emoji,
        ] {
            for lengths in LENGTHS {
                let text = generate(script, size, SEED);
                let buffer = Buffer::new(text.as_bytes(), align);
                let column = Column::cut(&text, lengths);
                let key = (buffer.bytes().as_ptr().addr(), buffer.bytes().len());
                columns.borrow_mut().insert(key, Rc::new(column));
                let name = format!("{} {}..{}", script.name(), lengths.0, lengths.1);
                texts.push(Text { name, input: Input::Whole(buffer) });
            }
        }
        texts
    };
    let way = |work: fn(&[u8], &Column) -> bool| {
        let columns = Rc::clone(&columns);
        move |text: &[u8]| {
            let column = Rc::clone(&columns.borrow()[&(text.as_ptr().addr(), text.len())]);
            usize::from(work(text, &column))
        }
    };
    let operation = |name: &str, peers, against: &'static [&'static str]| Operation {
        name: format!("batch {name}"),
        unit: Unit::GigabytesPerSecond,
        peers,
        texts: texts(),
        goals: vec![
            Goal::best(),
            Goal { name: "ours /std", ours: crate::table::Ours::Best, against: &["by value"] },
            Goal { name: "ours /arrow", ours: crate::table::Ours::Best, against },
        ],
    };
    let by_value = || Peer::new("by value", Level::Every, way(by_value));
    let mut offsets = vec![
        by_value(),
        Peer::new("whole std", Level::Every, way(whole_by_std)),
        Peer::new("whole simdutf8", simdutf8_level(), way(whole_by_simdutf8)),
    ];
    offsets.extend(ours(way(|text, column| validate_offsets::<Utf8>(text, &column.offsets, None).is_ok())));
    let mut slices =
        vec![by_value(), Peer::new("by value simdutf8", simdutf8_level(), way(by_value_simdutf8))];
    slices.extend(ours(way(|text, column| validate_each::<Utf8, [u8]>(column.slices(text)).is_ok())));
    let mut views = vec![Peer::new("by value", Level::Every, way(by_view))];
    views.extend(ours(way(|text, column| validate_views::<Utf8>(&column.views, &[text], None).is_ok())));
    vec![
        operation("offsets", offsets, &["whole std", "whole simdutf8"]),
        operation("slices", slices, &["by value", "by value simdutf8"]),
        operation("views", views, &["by value"]),
    ]
}

/// runecast, once for each ISA.
fn ours(work: impl Fn(&[u8]) -> usize + 'static) -> Vec<Peer> {
    Peer::ours(Box::leak(Box::new(work)) as &'static _).collect()
}

impl Column {
    /// Cuts a text into values of a length within these bounds, or a byte or two off.
    fn cut(text: &str, lengths: (usize, usize)) -> Column {
        let mut random = Random::new(SEED);
        let mut column = Column { offsets: vec![0], views: Vec::new() };
        let mut at = 0;
        while at < text.len() {
            let mut end = (at + random.between(lengths.0, lengths.1)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            column.offsets.push(end as i32);
            column.views.push(view(&text.as_bytes()[at..end], at));
            at = end;
        }
        column
    }

    /// The values one by one.
    fn slices<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        self.offsets.windows(2).map(|ends| &text[ends[0] as usize..ends[1] as usize])
    }
}

/// The view of a value that is at this place of the only buffer.
fn view(value: &[u8], at: usize) -> u128 {
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&(value.len() as u32).to_le_bytes());
    if value.len() <= 12 {
        bytes[4..4 + value.len()].copy_from_slice(value);
    } else {
        bytes[4..8].copy_from_slice(&value[..4]);
        bytes[12..].copy_from_slice(&(at as u32).to_le_bytes());
    }
    u128::from_le_bytes(bytes)
}

fn by_value(text: &[u8], column: &Column) -> bool {
    column.slices(text).all(|value| std::str::from_utf8(value).is_ok())
}

fn by_value_simdutf8(text: &[u8], column: &Column) -> bool {
    column.slices(text).all(|value| simdutf8::basic::from_utf8(value).is_ok())
}

fn by_view(text: &[u8], column: &Column) -> bool {
    column.views.iter().all(|view| {
        let bytes = view.to_le_bytes();
        let len = *view as u32 as usize;
        let value = if len <= 12 {
            &bytes[4..4 + len]
        } else {
            let at = (*view >> 96) as usize;
            match text.get(at..at + len) {
                Some(value) if value[..4] == bytes[4..8] => value,
                _ => return false,
            }
        };
        std::str::from_utf8(value).is_ok()
    })
}

fn whole_by_std(text: &[u8], column: &Column) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| boundaries(text, column))
}

fn whole_by_simdutf8(text: &[u8], column: &Column) -> bool {
    simdutf8::basic::from_utf8(text).is_ok_and(|text| boundaries(text, column))
}

/// Whether a character begins at each offset; and whether the offsets are in order.
fn boundaries(text: &str, column: &Column) -> bool {
    let ascend = column.offsets.windows(2).all(|ends| 0 <= ends[0] && ends[0] <= ends[1]);
    ascend && column.offsets.iter().all(|offset| text.is_char_boundary(*offset as usize))
}
