//! Offsets in UTF-8, counted in other units.
//!
//! The library's functions take a `str`, which is a promise that C cannot make: so the text is checked first.
//! That is one pass more, at twice the speed of the count. They are the strict functions, since a
//! caller that is off by one should be told so: `RUNECAST_NOWHERE` is returned for an offset that is no character
//! boundary. For a map (`map.rs`) the text is checked only once.

use std::ffi::c_char;

use runecast::index::{Position, Unit, try_at_offset, try_at_position, try_offset, try_position};

use crate::boundary::{guard, text};
use crate::types::{UnitNumber, Units};

/// A line, and a place in it; both from 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Place {
    /// How many line breaks (LF, CR LF, CR) there are before.
    pub line: usize,
    /// How much of the line there is before, in the unit that was asked for.
    pub column: usize,
}

/// RUNECAST_NOWHERE, which stands in cbindgen.toml.
pub(crate) const NOWHERE: usize = usize::MAX;

impl Place {
    pub(crate) const NOWHERE: Place = Place { line: NOWHERE, column: NOWHERE };
}

impl From<Position> for Place {
    fn from(Position { line, column }: Position) -> Place {
        Place { line, column }
    }
}

impl From<Place> for Position {
    fn from(Place { line, column }: Place) -> Position {
        Position { line, column }
    }
}

/// The unit of a number.
pub(crate) fn unit(number: UnitNumber) -> Option<Unit> {
    const UNITS: [(Units, Unit); 3] = [
        (Units::RunecastUnitUtf8, Unit::Utf8),
        (Units::RunecastUnitUtf16, Unit::Utf16),
        (Units::RunecastUnitChar, Unit::Char),
    ];
    UNITS.iter().find(|(known, _)| *known as UnitNumber == number).map(|(_, unit)| *unit)
}

/// Answers a question about a text in UTF-8 and a unit.
///
/// # Safety
/// As for [`text`].
unsafe fn ask<T>(
    src: *const c_char,
    len: usize,
    unit: UnitNumber,
    nowhere: T,
    question: impl FnOnce(&str, Unit) -> Option<T>,
) -> T {
    guard(
        || None,
        || {
            // SAFETY: the caller's promise.
            let text = unsafe { text(src, len) }?;
            question(text, self::unit(unit)?)
        },
    )
    .unwrap_or(nowhere)
}

/// How much of a text in UTF-8 there is, in `unit`, before the byte `at`. RUNECAST_NOWHERE if that is beyond the
/// end or within a character, or the text is ill-formed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_offset(
    src: *const c_char,
    len: usize,
    at: usize,
    unit: UnitNumber,
) -> usize {
    // SAFETY: the contract of the header.
    unsafe { ask(src, len, unit, NOWHERE, |text, unit| try_offset(text, at, unit).ok()) }
}

/// The byte of a text in UTF-8 before which there is so much of it, in `unit`: the inverse of runecast_offset().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_at_offset(
    src: *const c_char,
    len: usize,
    offset: usize,
    unit: UnitNumber,
) -> usize {
    // SAFETY: the contract of the header.
    unsafe { ask(src, len, unit, NOWHERE, |text, unit| try_at_offset(text, offset, unit).ok()) }
}

/// Line and column of the byte `at` of a text in UTF-8, the column in `unit`. Both are RUNECAST_NOWHERE if there is
/// no such place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_position_of(
    src: *const c_char,
    len: usize,
    at: usize,
    unit: UnitNumber,
) -> Place {
    // SAFETY: the contract of the header.
    unsafe {
        ask(src, len, unit, Place::NOWHERE, |text, unit| try_position(text, at, unit).ok().map(Place::from))
    }
}

/// The byte at a line and column of a text in UTF-8, the column in `unit`: the inverse of runecast_position_of().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_at_position(
    src: *const c_char,
    len: usize,
    place: Place,
    unit: UnitNumber,
) -> usize {
    let position = Position::from(place);
    // SAFETY: the contract of the header.
    unsafe { ask(src, len, unit, NOWHERE, |text, unit| try_at_position(text, position, unit).ok()) }
}
