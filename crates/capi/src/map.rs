//! Many questions about the offsets of one text, each in constant time.
//!
//! A map holds sums of the text, and not the text: that comes with each question, since only the caller
//! knows where it lives. It was validated when the map was made, and is trusted to be the same; to validate it
//! again would cost what the map saves. A text of another length is refused.

use std::ffi::c_char;

use runecast::index::{OffsetMap, Position, Unit};

use crate::boundary::{guard, input, text};
use crate::offset::{NOWHERE, Place, unit};
use crate::types::UnitNumber;

/// The offsets of a text, summed up: some 1.6 % of its size. Any number of threads may ask it.
pub struct Map(OffsetMap<str>);

impl Map {
    /// Answers a question about the text of a map, in a unit.
    ///
    /// # Safety
    /// `map` is null, or a map; and `src` is the text that it was made of, or has another length.
    unsafe fn ask<T>(
        map: *const Map,
        src: *const c_char,
        len: usize,
        number: UnitNumber,
        nowhere: T,
        question: impl FnOnce(&OffsetMap<str>, &str, Unit) -> Option<T>,
    ) -> T {
        guard(
            || None,
            || {
                // SAFETY: the caller's promise.
                let (map, bytes) = unsafe { (map.as_ref()?, input(src.cast(), len)?) };
                if bytes.len() != map.0.len(Unit::Utf8) {
                    return None;
                }
                // SAFETY: the caller's promise: these bytes were text when the map was made.
                let text = unsafe { core::str::from_utf8_unchecked(bytes) };
                question(&map.0, text, unit(number)?)
            },
        )
        .unwrap_or(nowhere)
    }
}

/// A map of a text in UTF-8, for many questions about it; a null pointer if the text is ill-formed, or there is no memory for
/// the map. It takes some 1.6 % of the text in memory, never more than 4 % and some hundred bytes.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_new(src: *const c_char, len: usize) -> *mut Map {
    guard(core::ptr::null_mut, || {
        // SAFETY: the contract of the header.
        let made = unsafe { text(src, len) }.and_then(|text| {
            // A box, of which there is one, for a `Box` by itself ends the process if there is no memory.
            let mut place = Vec::new();
            place.try_reserve_exact(1).ok()?;
            place.push(Map(OffsetMap::try_new(text).ok()?));
            Some(place.into_boxed_slice())
        });
        made.map_or_else(core::ptr::null_mut, |place| Box::into_raw(place).cast())
    })
}

/// Frees a map. A null pointer is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_free(map: *mut Map) {
    if !map.is_null() {
        // SAFETY: the contract of the header: it came from `runecast_map_new`, and is freed once.
        guard(|| (), || drop(unsafe { Box::from_raw(map) }));
    }
}

/// What a map takes in memory, in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_size(map: *const Map) -> usize {
    // SAFETY: the contract of the header: it is null, or a map.
    unsafe { map.as_ref() }.map_or(0, |map| map.0.size())
}

/// The length of a map's text, in `unit`; 0 if that is no unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_len(map: *const Map, unit: UnitNumber) -> usize {
    // SAFETY: the contract of the header: it is null, or a map.
    let map = unsafe { map.as_ref() };
    map.zip(self::unit(unit)).map_or(0, |(map, unit)| map.0.len(unit))
}

/// How many lines a map's text has: one more than line breaks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_lines(map: *const Map) -> usize {
    // SAFETY: the contract of the header: it is null, or a map.
    unsafe { map.as_ref() }.map_or(0, |map| map.0.lines())
}

/// runecast_offset() of the text that the map was made of, which must be unchanged, wherever it is now. It is
/// RUNECAST_NOWHERE as well if the text has another length, or the map is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_offset(
    map: *const Map,
    src: *const c_char,
    len: usize,
    at: usize,
    unit: UnitNumber,
) -> usize {
    // SAFETY: the contract of the header.
    unsafe { Map::ask(map, src, len, unit, NOWHERE, |map, text, unit| map.try_offset(text, at, unit).ok()) }
}

/// runecast_at_offset() of the text that the map was made of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_at_offset(
    map: *const Map,
    src: *const c_char,
    len: usize,
    offset: usize,
    unit: UnitNumber,
) -> usize {
    // SAFETY: the contract of the header.
    unsafe {
        Map::ask(map, src, len, unit, NOWHERE, |map, text, unit| map.try_at_offset(text, offset, unit).ok())
    }
}

/// runecast_position_of() of the text that the map was made of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_position_of(
    map: *const Map,
    src: *const c_char,
    len: usize,
    at: usize,
    unit: UnitNumber,
) -> Place {
    // SAFETY: the contract of the header.
    unsafe {
        Map::ask(map, src, len, unit, Place::NOWHERE, |map, text, unit| {
            map.try_position(text, at, unit).ok().map(Place::from)
        })
    }
}

/// runecast_at_position() of the text that the map was made of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_map_at_position(
    map: *const Map,
    src: *const c_char,
    len: usize,
    place: Place,
    unit: UnitNumber,
) -> usize {
    let position = Position::from(place);
    // SAFETY: the contract of the header.
    unsafe {
        Map::ask(map, src, len, unit, NOWHERE, |map, text, unit| {
            map.try_at_position(text, position, unit).ok()
        })
    }
}
