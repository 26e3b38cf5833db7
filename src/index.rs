//! Offsets: converts a position in a text between bytes, UTF-16, characters, and line and column.
//!
//! Rust counts text in bytes; JavaScript, the JVM and .NET count in units of UTF-16, Python in characters, and people in
//! lines. A program that talks to two of them has to convert. The text here is a `str` or a slice of `u16`, and an *index* in it
//! counts its own units: bytes, or units of UTF-16. [`utf8_offset`], [`utf16_offset`], [`char_offset`] and [`line()`] convert an
//! index to another unit; [`at_utf8`], [`at_utf16`], [`at_char`] and [`at_line`] convert back to an index. [`position()`] and
//! [`at_position`] do the same for line and column.
//!
//! ```
//! use runecast::index::{self, Position, Unit};
//!
//! let text = "rūna\nᚱ🪨!";
//! assert_eq!(index::utf16_offset(text, 9), 6); // before the stone: nine bytes, six units
//! assert_eq!(index::at_utf16(text, 8), 13); // after it: eight units, thirteen bytes
//! assert_eq!(index::position(text, 13, Unit::Utf16), Position { line: 1, column: 3 });
//! ```
//!
//! Each of these functions reads the text up to the index, at the speed of a count, and does not allocate. If there are many
//! questions about one long text, an [`OffsetMap`] answers each of them in constant time.
//!
//! # What is counted
//!
//! A *character* is a Unicode scalar value. In ill-formed UTF-16 each unpaired surrogate counts as a character, too, and as three
//! bytes in UTF-8, which is its length in WTF-8, and also the length of the U+FFFD that replaces it elsewhere.
//!
//! A *line* ends with LF, CR LF, or CR, as in the Language Server Protocol; other characters that Unicode lists as line breaks (VT,
//! FF, U+0085, U+2028, U+2029) do not end a line. (For [`scan::lines`](crate::scan::lines()) a CR by itself ends a line only on
//! request.) Lines and columns are counted from 0. After the last line break there is another line, which may be empty: a text has
//! one line more than line breaks.
//!
//! # Rounding
//!
//! No function here panics. An index beyond the end means the end, and one in the middle of a character means the beginning of that
//! character. In both cases, the functions whose names begin with `try_` return an error, which says which of the two it is:
//! [`Misplaced`].

use core::fmt;

use crate::kernel::Engine;
use crate::kernel::dispatch::rank::{Breaks8, Breaks16, Bytes16, Chars8, Chars16, Units8, Weights};

#[cfg(feature = "alloc")]
mod map;
mod rank_select;

#[cfg(feature = "alloc")]
pub use map::OffsetMap;

/// What offsets are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16: two for a character beyond U+FFFF.
    Utf16,
    /// Characters: scalar values, and in UTF-16 unpaired surrogates.
    Char,
}

/// A line and a column, both counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of line breaks before it.
    pub line: usize,
    /// The length of the part of the line before it, in the unit that was asked for.
    pub column: usize,
}

/// Why there is no such index or position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misplaced {
    /// Beyond the end of the text, or of the line.
    Outside,
    /// In the middle of a character, or between CR and LF if lines are asked for.
    Inside,
}

impl fmt::Display for Misplaced {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Misplaced::Outside => "beyond the end",
            Misplaced::Inside => "in the middle of a character or line break",
        })
    }
}

impl core::error::Error for Misplaced {}

/// Text with offsets: `str` and `String`, indexed by bytes, and `[u16]` and `Vec<u16>`, indexed by units of UTF-16, which may contain
/// unpaired surrogates.
///
/// The trait is sealed.
#[expect(private_bounds, reason = "the supertrait seals it")]
pub trait Text: sealed::IndexedText {}

impl Text for str {}
impl Text for [u16] {}
#[cfg(feature = "alloc")]
impl Text for alloc::string::String {}
#[cfg(feature = "alloc")]
impl Text for alloc::vec::Vec<u16> {}

mod sealed {
    use super::{Unit, Weights};

    /// The code units of a text, and how they are weighted.
    pub(crate) trait IndexedText {
        /// The code unit.
        type Code: Copy + PartialEq + From<u8> + 'static;
        /// Weights that count characters.
        type Chars: Weights<Unit = Self::Code>;
        /// Weights that count units of the other encoding.
        type Other: Weights<Unit = Self::Code>;
        /// Weights that count line breaks.
        type Breaks: Weights<Unit = Self::Code>;

        /// The unit that it is indexed by.
        const OWN_UNIT: Unit;

        /// Its code units.
        fn units(&self) -> &[Self::Code];

        /// How many units of the character around `at` are before `at`; 0 if a character begins there.
        fn offset_in_char(units: &[Self::Code], at: usize) -> usize;
    }
}
use sealed::IndexedText;

impl IndexedText for str {
    type Code = u8;
    type Chars = Chars8;
    type Other = Units8;
    type Breaks = Breaks8;
    const OWN_UNIT: Unit = Unit::Utf8;

    #[inline]
    fn units(&self) -> &[u8] {
        self.as_bytes()
    }

    #[inline]
    fn offset_in_char(units: &[u8], at: usize) -> usize {
        // These branches are hard to predict. But what follows continues with a predicted value, which is nearly right, and does
        // not wait for the text.
        let mut back = 0;
        while back < 3
            && at.checked_sub(back).and_then(|at| units.get(at)).is_some_and(|byte| byte & 0xC0 == 0x80)
        {
            back += 1;
        }
        back
    }
}

impl IndexedText for [u16] {
    type Code = u16;
    type Chars = Chars16;
    type Other = Bytes16;
    type Breaks = Breaks16;
    const OWN_UNIT: Unit = Unit::Utf16;

    #[inline]
    fn units(&self) -> &[u16] {
        self
    }

    #[inline]
    fn offset_in_char(units: &[u16], at: usize) -> usize {
        match units.get(at.wrapping_sub(1)..).and_then(|from| from.first_chunk()) {
            Some([high, low]) if at > 0 => usize::from((high & 0xFC00 == 0xD800) & (low & 0xFC00 == 0xDC00)),
            _ => 0,
        }
    }
}

/// Text that owns its code units, which behaves like the `borrowed` text.
#[cfg(feature = "alloc")]
macro_rules! owned {
    ($($owned:ty: $borrowed:ty;)*) => {$(
        impl IndexedText for $owned {
            type Code = <$borrowed as IndexedText>::Code;
            type Chars = <$borrowed as IndexedText>::Chars;
            type Other = <$borrowed as IndexedText>::Other;
            type Breaks = <$borrowed as IndexedText>::Breaks;
            const OWN_UNIT: Unit = <$borrowed as IndexedText>::OWN_UNIT;

            #[inline]
            fn units(&self) -> &[Self::Code] {
                <$borrowed as IndexedText>::units(self)
            }

            #[inline]
            fn offset_in_char(units: &[Self::Code], at: usize) -> usize {
                <$borrowed as IndexedText>::offset_in_char(units, at)
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
owned! {
    alloc::string::String: str;
    alloc::vec::Vec<u16>: [u16];
}

/// Defines each function three times: as a free function, as a method of [`Engine`], and as a method of [`OffsetMap`]. What they do
/// is written once, in [`rank_select`].
macro_rules! index_functions {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;
    )*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub fn $name<T: Text + ?Sized>(text: &T, $($arg: $type),*) -> $out {
                rank_select::$name::<T>(&Engine::current(), text.units(), $($arg),*)
            }
        )*

        impl Engine {$(
            #[doc = concat!("As [`index::", stringify!($name), "`](crate::index::", stringify!($name), "()), with the kernels of this engine.")]
            #[inline]
            pub fn $name<T: Text + ?Sized>(self, text: &T, $($arg: $type),*) -> $out {
                rank_select::$name::<T>(&self, text.units(), $($arg),*)
            }
        )*}

        #[cfg(feature = "alloc")]
        impl<T: Text + ?Sized> OffsetMap<T> {$(
            #[doc = concat!("As [`", stringify!($name), "`](crate::index::", stringify!($name), "()), in constant time.")]
            #[inline]
            pub fn $name(&self, text: &T, $($arg: $type),*) -> $out {
                rank_select::$name::<T>(self, text.units(), $($arg),*)
            }
        )*}
    };
}

index_functions! {
    /// The length in `unit` of the text before the index `at`, [rounded](self#rounding).
    ///
    /// ```
    /// use runecast::index::{Unit, offset};
    ///
    /// assert_eq!(offset("🪨rune", 5, Unit::Char), 2);
    /// assert_eq!(offset("🪨rune", 3, Unit::Char), 0);
    /// assert_eq!(offset("🪨rune", 99, Unit::Utf16), 6);
    /// ```
    #[must_use]
    fn offset(at: usize, unit: Unit) -> usize;

    /// The index before which the text has the length `offset` in `unit`, [rounded](self#rounding): the inverse of [`offset`].
    ///
    /// ```
    /// use runecast::index::{Unit, at_offset};
    ///
    /// assert_eq!(at_offset("🪨rune", 2, Unit::Char), 5);
    /// assert_eq!(at_offset("🪨rune", 1, Unit::Utf16), 0);
    /// assert_eq!(at_offset("🪨rune", 99, Unit::Utf16), 8);
    /// ```
    #[must_use]
    fn at_offset(offset: usize, unit: Unit) -> usize;

    /// The length in UTF-8 of the text before `at`, in bytes.
    ///
    /// ```
    /// let text: Vec<u16> = "ᚱ🪨".encode_utf16().collect();
    /// assert_eq!(runecast::index::utf8_offset(&text[..], 1), 3);
    /// assert_eq!(runecast::index::utf8_offset(&text[..], 2), 3); // in the middle of the stone
    /// assert_eq!(runecast::index::utf8_offset(&text[..], 3), 7);
    /// ```
    #[must_use]
    fn utf8_offset(at: usize) -> usize;

    /// The length in UTF-16 of the text before `at`, in units.
    ///
    /// ```
    /// assert_eq!(runecast::index::utf16_offset("ᚱ🪨!", 7), 3);
    /// ```
    #[must_use]
    fn utf16_offset(at: usize) -> usize;

    /// The number of characters before `at`.
    ///
    /// ```
    /// assert_eq!(runecast::index::char_offset("ᚱ🪨!", 7), 2);
    /// ```
    #[must_use]
    fn char_offset(at: usize) -> usize;

    /// The index before which there are `offset` bytes of UTF-8: the inverse of [`utf8_offset`].
    ///
    /// ```
    /// let text: Vec<u16> = "ᚱ🪨".encode_utf16().collect();
    /// assert_eq!(runecast::index::at_utf8(&text[..], 3), 1);
    /// assert_eq!(runecast::index::at_utf8(&text[..], 6), 1); // in the middle of the stone
    /// assert_eq!(runecast::index::at_utf8(&text[..], 7), 3);
    /// ```
    #[must_use]
    fn at_utf8(offset: usize) -> usize;

    /// The index before which there are `offset` units of UTF-16: the inverse of [`utf16_offset`].
    ///
    /// ```
    /// assert_eq!(runecast::index::at_utf16("ᚱ🪨!", 3), 7);
    /// assert_eq!(runecast::index::at_utf16("ᚱ🪨!", 2), 3); // in the middle of the stone
    /// ```
    #[must_use]
    fn at_utf16(offset: usize) -> usize;

    /// The index before which there are `offset` characters: the inverse of [`char_offset`].
    ///
    /// ```
    /// assert_eq!(runecast::index::at_char("ᚱ🪨!", 2), 7);
    /// ```
    #[must_use]
    fn at_char(offset: usize) -> usize;

    /// The line of `at`: the number of [line breaks](self#what-is-counted) before it. An index between CR and LF is in the line
    /// that they end.
    ///
    /// ```
    /// assert_eq!(runecast::index::line("one\r\ntwo\nthree", 4), 0);
    /// assert_eq!(runecast::index::line("one\r\ntwo\nthree", 5), 1);
    /// ```
    #[must_use]
    fn line(at: usize) -> usize;

    /// The index where a line begins, or the end of the text if there is no such line.
    ///
    /// ```
    /// assert_eq!(runecast::index::at_line("one\r\ntwo\nthree", 1), 5);
    /// assert_eq!(runecast::index::at_line("one\r\ntwo\nthree", 3), 14);
    /// ```
    #[must_use]
    fn at_line(line: usize) -> usize;

    /// The line of `at`, and the column in it, counted in `unit`. With [`Unit::Utf16`] this is a position as language servers write
    /// it by default. An index between CR and LF is treated as the one before the CR.
    ///
    /// ```
    /// use runecast::index::{Position, Unit, position};
    ///
    /// assert_eq!(position("ᚱ\n🪨!", 8, Unit::Utf16), Position { line: 1, column: 2 });
    /// assert_eq!(position("ᚱ\n🪨!", 8, Unit::Utf8), Position { line: 1, column: 4 });
    /// ```
    #[must_use]
    fn position(at: usize, unit: Unit) -> Position;

    /// The index at a position whose column is counted in `unit`: the inverse of [`position()`]. Beyond the end of the line it
    /// is the index before the line break, as in the Language Server Protocol; beyond the last line, the end of the text.
    ///
    /// ```
    /// use runecast::index::{Position, Unit, at_position};
    ///
    /// let text = "ᚱ\n🪨!\nrune";
    /// assert_eq!(at_position(text, Position { line: 1, column: 2 }, Unit::Utf16), 8);
    /// assert_eq!(at_position(text, Position { line: 1, column: 1 }, Unit::Utf16), 4);
    /// assert_eq!(at_position(text, Position { line: 1, column: 9 }, Unit::Utf16), 9);
    /// ```
    #[must_use]
    fn at_position(position: Position, unit: Unit) -> usize;

    /// As [`offset`], for an index between characters only.
    ///
    /// # Errors
    /// [`Misplaced`]: beyond the end of the text, or in the middle of a character.
    ///
    /// ```
    /// use runecast::index::{Misplaced, Unit, try_offset};
    ///
    /// assert_eq!(try_offset("🪨", 4, Unit::Char), Ok(1));
    /// assert_eq!(try_offset("🪨", 5, Unit::Char), Err(Misplaced::Outside));
    /// assert_eq!(try_offset("🪨", 3, Unit::Char), Err(Misplaced::Inside));
    /// ```
    fn try_offset(at: usize, unit: Unit) -> Result<usize, Misplaced>;

    /// As [`at_offset`], for an offset between characters only.
    ///
    /// # Errors
    /// [`Misplaced`]: beyond the end of the text, or in the middle of a character.
    ///
    /// ```
    /// use runecast::index::{Misplaced, Unit, try_at_offset};
    ///
    /// assert_eq!(try_at_offset("🪨", 2, Unit::Utf16), Ok(4));
    /// assert_eq!(try_at_offset("🪨", 3, Unit::Utf16), Err(Misplaced::Outside));
    /// assert_eq!(try_at_offset("🪨", 1, Unit::Utf16), Err(Misplaced::Inside));
    /// ```
    fn try_at_offset(offset: usize, unit: Unit) -> Result<usize, Misplaced>;

    /// As [`position()`], for an index between characters only.
    ///
    /// # Errors
    /// [`Misplaced`]: beyond the end of the text, in the middle of a character, or between CR and LF.
    ///
    /// ```
    /// use runecast::index::{Misplaced, Unit, try_position};
    ///
    /// assert_eq!(try_position("rune\r\n", 5, Unit::Char), Err(Misplaced::Inside));
    /// ```
    fn try_position(at: usize, unit: Unit) -> Result<Position, Misplaced>;

    /// As [`at_position`], for a position that exists.
    ///
    /// # Errors
    /// [`Misplaced`]: beyond the last line, beyond the end of the line, or in the middle of a character.
    ///
    /// ```
    /// use runecast::index::{Misplaced, Position, Unit, try_at_position};
    ///
    /// let at = |line, column| try_at_position("rune\r\n", Position { line, column }, Unit::Char);
    /// assert_eq!(at(0, 4), Ok(4));
    /// assert_eq!(at(0, 5), Err(Misplaced::Outside));
    /// assert_eq!(at(1, 0), Ok(6));
    /// assert_eq!(at(2, 0), Err(Misplaced::Outside));
    /// ```
    fn try_at_position(position: Position, unit: Unit) -> Result<usize, Misplaced>;
}
