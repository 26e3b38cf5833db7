//! Conversion between any two encodings, by plain loops: the kernel of every pair that has none of
//! its own yet, and of every pair on a CPU without vectors.
//!
//! Two loops take turns. *Straight* blocks are those in which each unit is a character and has the
//! same value on both sides: ASCII everywhere, Latin-1 and the basic plane between the wider forms.
//! To convert one is to widen or to narrow it, which compilers vectorise: the loop is compiled once
//! for each instruction set. Whatever is in no such block goes character by character, with a
//! handful of branches and no calls.
//!
//! An encoding is described by what the loops need: reading and writing one character at an address,
//! of any alignment. Reading says "length 0" for anything that is not in order, or too close to the
//! end to look at without care; then the kernel stops, and the machine judges.

use core::marker::PhantomData;

use super::Progress;

/// A loop that the compiler is to vectorise for an instruction set.
pub(crate) trait Plain {
    /// Runs it. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// What the loop itself asks for.
    unsafe fn run(self) -> Progress;
}

/// The integers that are code units.
pub trait Word: Copy + PartialEq {
    /// As a number.
    fn value(self) -> u32;

    /// The lowest bits of a number.
    fn of(value: u32) -> Self;

    /// With its bytes the other way round.
    fn swapped(self) -> Self;

    /// Bit by bit.
    fn or(self, other: Self) -> Self;

    /// Bit by bit.
    fn and(self, other: Self) -> Self;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Word for $word {
            #[inline(always)]
            fn value(self) -> u32 {
                self as u32
            }

            #[inline(always)]
            fn of(value: u32) -> Self {
                value as $word
            }

            #[inline(always)]
            fn swapped(self) -> Self {
                self.swap_bytes()
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
        }
    )*};
}

words!(u8 u16 u32);

/// What an encoding is, whatever its byte order: the column in which a kernel is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Bytes up to 7F.
    Ascii,
    /// Bytes, each the code point of the same number.
    Latin1,
    /// One to four bytes.
    Utf8,
    /// One to four bytes, with an offset for each length.
    Corrected,
    /// The units of UTF-16, in one to three bytes each.
    Cesu,
    /// One or two units of two bytes.
    Utf16,
    /// Units of four bytes.
    Utf32,
}

/// An encoding, for the loops. The counts are in units of the form, whatever the type of the slice.
pub trait Form {
    /// A unit as it lies in memory.
    type Unit: Word;

    /// The form that it is where its particular characters are not: its own, or one with a kernel.
    type Near: Form<Unit = Self::Unit>;

    /// Which encoding it is.
    const SHAPE: Shape;

    /// The values below which a unit is a character by itself, surrogates aside.
    const STRAIGHT: u32;

    /// The most units of a character.
    const MOST: usize;

    /// Whether the bytes of a unit are not in this machine's order.
    const FOREIGN: bool = false;

    /// Whether U+0000 is no unit of that value.
    const HIDES_NUL: bool = false;

    /// The value of a unit.
    #[inline(always)]
    fn value(unit: Self::Unit) -> u32 {
        if Self::FOREIGN { unit.swapped().value() } else { unit.value() }
    }

    /// The unit of a value below [`STRAIGHT`](Form::STRAIGHT).
    #[inline(always)]
    fn unit(value: u32) -> Self::Unit {
        let unit = Self::Unit::of(value);
        if Self::FOREIGN { unit.swapped() } else { unit }
    }

    /// The character at `p`: its scalar value and length, or length 0 if it is not in order.
    ///
    /// # Safety
    /// [`MOST`](Form::MOST) units must be readable.
    unsafe fn read(p: *const Self::Unit) -> (u32, usize);

    /// Writes the character to `p`; returns its length, or 0 if there is no form for it.
    ///
    /// # Safety
    /// [`MOST`](Form::MOST) units must be writable, and `scalar` a scalar value.
    unsafe fn write(p: *mut Self::Unit, scalar: u32) -> usize;
}

/// UTF-8.
#[derive(Debug)]
pub struct Form8;

/// CESU-8; with `NUL` modified UTF-8, in which U+0000 is C0 80. Surrogates come in pairs: the few that do
/// not are the machine's, and whether they are in order.
#[derive(Debug)]
pub struct FormCesu<const NUL: bool>;

/// Corrected UTF-8, as far as Unicode goes: what is above U+10FFFF is the machine's.
#[derive(Debug)]
pub struct FormCorrected;

/// UTF-16; `SWAP` if its bytes are not in this machine's order.
#[derive(Debug)]
pub struct Form16<const SWAP: bool>;

/// UTF-32; `SWAP` if its bytes are not in this machine's order.
#[derive(Debug)]
pub struct Form32<const SWAP: bool>;

/// Single bytes: characters below `LIMIT`.
#[derive(Debug)]
pub struct FormByte<const LIMIT: u32>;

/// Whether a value is a surrogate code point.
#[inline(always)]
fn is_surrogate(value: u32) -> bool {
    value & 0xFFFF_F800 == 0xD800
}

impl Form for Form8 {
    type Unit = u8;
    type Near = Self;
    const SHAPE: Shape = Shape::Utf8;
    const STRAIGHT: u32 = 0x80;
    const MOST: usize = 4;

    #[inline(always)]
    unsafe fn read(p: *const u8) -> (u32, usize) {
        // SAFETY: the caller's promise.
        let bytes = unsafe { p.cast::<[u8; 4]>().read() }.map(u32::from);
        let [lead, b, c, d] = bytes;
        let continuation = |byte: u32| byte & 0xC0 == 0x80;
        // One expression for each length: whether it is in order, and what it is worth.
        let two = (lead & 0x1F) << 6 | b & 0x3F;
        let three = (lead & 0x0F) << 12 | (b & 0x3F) << 6 | c & 0x3F;
        let four = (lead & 0x07) << 18 | (b & 0x3F) << 12 | (c & 0x3F) << 6 | d & 0x3F;
        if lead < 0x80 {
            (lead, 1)
        } else if lead < 0xE0 {
            (two, if lead >= 0xC2 && continuation(b) { 2 } else { 0 })
        } else if lead < 0xF0 {
            let fine = continuation(b) & continuation(c) & (three >= 0x800) & !is_surrogate(three);
            (three, if fine { 3 } else { 0 })
        } else {
            let fine = continuation(b) & continuation(c) & continuation(d);
            let range = four.wrapping_sub(0x1_0000) < 0x10_0000;
            (four, if fine & range & (lead < 0xF8) { 4 } else { 0 })
        }
    }

    #[inline(always)]
    unsafe fn write(p: *mut u8, scalar: u32) -> usize {
        let tail = |shift: u32| 0x80 | (scalar >> shift & 0x3F) as u8;
        let (units, len) = if scalar < 0x80 {
            ([scalar as u8, 0, 0, 0], 1)
        } else if scalar < 0x800 {
            ([0xC0 | (scalar >> 6) as u8, tail(0), 0, 0], 2)
        } else if scalar < 0x1_0000 {
            ([0xE0 | (scalar >> 12) as u8, tail(6), tail(0), 0], 3)
        } else {
            ([0xF0 | (scalar >> 18) as u8, tail(12), tail(6), tail(0)], 4)
        };
        // SAFETY: the caller's promise.
        unsafe { p.cast::<[u8; 4]>().write(units) };
        len
    }
}

impl<const NUL: bool> Form for FormCesu<NUL> {
    type Unit = u8;
    type Near = Form8;
    const SHAPE: Shape = Shape::Cesu;
    const STRAIGHT: u32 = 0x80;
    const MOST: usize = 6;
    const HIDES_NUL: bool = NUL;

    #[inline(always)]
    unsafe fn read(p: *const u8) -> (u32, usize) {
        // SAFETY: the caller's promise.
        let [lead, b, c, d, e, f] = unsafe { p.cast::<[u8; 6]>().read() }.map(u32::from);
        let continuation = |byte: u32| byte & 0xC0 == 0x80;
        let three = (lead & 0x0F) << 12 | (b & 0x3F) << 6 | c & 0x3F;
        if lead < 0x80 {
            (lead, usize::from(!NUL || lead != 0))
        } else if lead < 0xE0 {
            let nul = NUL && lead == 0xC0 && b == 0x80;
            let fine = lead >= 0xC2 && continuation(b) || nul;
            ((lead & 0x1F) << 6 | b & 0x3F, if fine { 2 } else { 0 })
        } else if lead < 0xF0 {
            let fine = continuation(b) & continuation(c) & (three >= 0x800);
            if !is_surrogate(three) {
                return (three, if fine { 3 } else { 0 });
            }
            let low = (d == 0xED) & (e & 0xF0 == 0xB0) & continuation(f);
            let pair = fine & (three < 0xDC00) & low;
            let low = (e & 0x0F) << 6 | f & 0x3F;
            (0x1_0000 + ((three & 0x3FF) << 10 | low), if pair { 6 } else { 0 })
        } else {
            (0, 0)
        }
    }

    #[inline(always)]
    unsafe fn write(p: *mut u8, scalar: u32) -> usize {
        let tail = |value: u32, shift: u32| 0x80 | (value >> shift & 0x3F) as u8;
        let above = scalar.wrapping_sub(0x1_0000);
        let (units, len) = if scalar < 0x80 {
            if NUL && scalar == 0 {
                ([0xC0, 0x80, 0, 0, 0, 0], 2)
            } else {
                ([scalar as u8, 0, 0, 0, 0, 0], 1)
            }
        } else if scalar < 0x800 {
            ([0xC0 | (scalar >> 6) as u8, tail(scalar, 0), 0, 0, 0, 0], 2)
        } else if scalar < 0x1_0000 {
            ([0xE0 | (scalar >> 12) as u8, tail(scalar, 6), tail(scalar, 0), 0, 0, 0], 3)
        } else {
            let high = [0xED, 0xA0 | (above >> 16) as u8, tail(above, 10)];
            let low = [0xED, 0xB0 | (above >> 6 & 0x0F) as u8, tail(above, 0)];
            ([high[0], high[1], high[2], low[0], low[1], low[2]], 6)
        };
        // SAFETY: the caller's promise.
        unsafe { p.cast::<[u8; 6]>().write(units) };
        len
    }
}

impl Form for FormCorrected {
    type Unit = u8;
    type Near = Self;
    const SHAPE: Shape = Shape::Corrected;
    const STRAIGHT: u32 = 0x80;
    const MOST: usize = 4;

    #[inline(always)]
    unsafe fn read(p: *const u8) -> (u32, usize) {
        // SAFETY: the caller's promise.
        let [lead, b, c, d] = unsafe { p.cast::<[u8; 4]>().read() }.map(u32::from);
        let continuation = |byte: u32| byte & 0xC0 == 0x80;
        if lead < 0x80 {
            (lead, 1)
        } else if lead < 0xE0 {
            let two = (lead & 0x1F) << 6 | b & 0x3F;
            (two + 0xA0, if lead >= 0xC0 && continuation(b) { 2 } else { 0 })
        } else if lead < 0xF0 {
            let three = ((lead & 0x0F) << 12 | (b & 0x3F) << 6 | c & 0x3F) + 0x8A0;
            let gap = if three >= 0xD800 { 0x800 } else { 0 };
            (three + gap, if continuation(b) & continuation(c) { 3 } else { 0 })
        } else {
            let four = ((lead & 0x07) << 18 | (b & 0x3F) << 12 | (c & 0x3F) << 6 | d & 0x3F) + 0x1_10A0;
            let fine = continuation(b) & continuation(c) & continuation(d);
            (four, if fine & (lead < 0xF8) & (four < 0x11_0000) { 4 } else { 0 })
        }
    }

    #[inline(always)]
    unsafe fn write(p: *mut u8, scalar: u32) -> usize {
        let tail = |bits: u32, shift: u32| 0x80 | (bits >> shift & 0x3F) as u8;
        let (units, len) = if scalar < 0x80 {
            ([scalar as u8, 0, 0, 0], 1)
        } else if scalar < 0xA0 {
            return 0;
        } else if scalar < 0x8A0 {
            let bits = scalar - 0xA0;
            ([0xC0 | (bits >> 6) as u8, tail(bits, 0), 0, 0], 2)
        } else if scalar < 0x1_10A0 {
            let bits = scalar - if scalar < 0xE000 { 0x8A0 } else { 0x10A0 };
            ([0xE0 | (bits >> 12) as u8, tail(bits, 6), tail(bits, 0), 0], 3)
        } else {
            let bits = scalar - 0x1_10A0;
            ([0xF0 | (bits >> 18) as u8, tail(bits, 12), tail(bits, 6), tail(bits, 0)], 4)
        };
        // SAFETY: the caller's promise.
        unsafe { p.cast::<[u8; 4]>().write(units) };
        len
    }
}

impl<const SWAP: bool> Form for Form16<SWAP> {
    type Unit = u16;
    type Near = Self;
    const SHAPE: Shape = Shape::Utf16;
    const STRAIGHT: u32 = 0x1_0000;
    const MOST: usize = 2;
    const FOREIGN: bool = SWAP;

    #[inline(always)]
    unsafe fn read(p: *const u16) -> (u32, usize) {
        // SAFETY: the caller's promise.
        let [first, second] = unsafe { p.cast::<[u16; 2]>().read_unaligned() }.map(Self::value);
        if !is_surrogate(first) {
            return (first, 1);
        }
        let pair = first < 0xDC00 && second & 0xFC00 == 0xDC00;
        (0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF), if pair { 2 } else { 0 })
    }

    #[inline(always)]
    unsafe fn write(p: *mut u16, scalar: u32) -> usize {
        let above = scalar.wrapping_sub(0x1_0000);
        let (units, len) = if scalar < 0x1_0000 {
            ([Self::unit(scalar), 0], 1)
        } else {
            ([Self::unit(0xD800 | above >> 10), Self::unit(0xDC00 | above & 0x3FF)], 2)
        };
        // SAFETY: the caller's promise.
        unsafe { p.cast::<[u16; 2]>().write_unaligned(units) };
        len
    }
}

impl<const SWAP: bool> Form for Form32<SWAP> {
    type Unit = u32;
    type Near = Self;
    const SHAPE: Shape = Shape::Utf32;
    const STRAIGHT: u32 = 0x11_0000;
    const MOST: usize = 1;
    const FOREIGN: bool = SWAP;

    #[inline(always)]
    unsafe fn read(p: *const u32) -> (u32, usize) {
        // SAFETY: the caller's promise.
        let value = Self::value(unsafe { p.read_unaligned() });
        (value, usize::from(value < 0x11_0000 && !is_surrogate(value)))
    }

    #[inline(always)]
    unsafe fn write(p: *mut u32, scalar: u32) -> usize {
        // SAFETY: the caller's promise.
        unsafe { p.write_unaligned(Self::unit(scalar)) };
        1
    }
}

impl<const LIMIT: u32> Form for FormByte<LIMIT> {
    type Unit = u8;
    type Near = Self;
    const SHAPE: Shape = if LIMIT > 0x80 { Shape::Latin1 } else { Shape::Ascii };
    const STRAIGHT: u32 = LIMIT;
    const MOST: usize = 1;

    #[inline(always)]
    unsafe fn read(p: *const u8) -> (u32, usize) {
        // SAFETY: the caller's promise.
        let value = u32::from(unsafe { p.read() });
        (value, usize::from(value < LIMIT))
    }

    #[inline(always)]
    unsafe fn write(p: *mut u8, scalar: u32) -> usize {
        // SAFETY: the caller's promise.
        unsafe { p.write(scalar as u8) };
        usize::from(scalar < LIMIT)
    }
}

/// Whether all units of these values are the same on both sides.
#[inline(always)]
fn all_straight<S: Form, D: Form>(values: &[u32; BLOCK]) -> bool {
    let limit = if S::STRAIGHT < D::STRAIGHT { S::STRAIGHT } else { D::STRAIGHT };
    let hidden = S::HIDES_NUL || D::HIDES_NUL;
    let other = |value: u32| value >= limit || is_surrogate(value) || hidden && value == 0;
    !values.iter().fold(false, |any, value| any | other(*value))
}

/// A conversion to nowhere: how far the text is in order, and, as what was "written", how many
/// characters that are.
pub(crate) struct Scan<S: Form> {
    src: *const S::Unit,
    len: usize,
}

impl<S: Form> Scan<S> {
    /// Of the `len` units of `S` at `src`, at any alignment.
    pub(crate) fn new(src: *const u8, len: usize) -> Self {
        Scan { src: src.cast(), len }
    }
}

impl<S: Form> Plain for Scan<S> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            while self.len - read >= BLOCK {
                // SAFETY: there is a block to be read.
                let units = unsafe { self.src.add(read).cast::<[S::Unit; BLOCK]>().read_unaligned() };
                if !all_straight::<S, S>(&units.map(S::value)) {
                    break;
                }
                read += BLOCK;
                written += BLOCK;
            }
            let stop = self.len.min(read + BLOCK);
            while read < stop && self.len - read >= S::MOST {
                // SAFETY: there are units for any character.
                let (_, len) = unsafe { S::read(self.src.add(read)) };
                if len == 0 {
                    return Progress { read, written };
                }
                read += len;
                written += 1;
            }
            if read < stop || read == self.len {
                return Progress { read, written };
            }
        }
    }
}

/// A conversion from memory to memory.
pub(crate) struct Convert<S: Form, D: Form> {
    src: *const S::Unit,
    len: usize,
    dst: *mut D::Unit,
    room: usize,
    pair: PhantomData<(S, D)>,
}

impl<S: Form, D: Form> Convert<S, D> {
    /// From the `len` units of `S` at `src` to at most `room` units of `D` at `dst`, at any alignment.
    pub(crate) fn new(src: *const u8, len: usize, dst: *mut u8, room: usize) -> Self {
        Convert { src: src.cast(), len, dst: dst.cast(), room, pair: PhantomData }
    }

    /// The straight block at `at`, if it is one.
    ///
    /// # Safety
    /// A block must be there to be read, and room for it at `to`.
    #[inline(always)]
    unsafe fn block(&self, at: usize, to: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let units = self.src.add(at).cast::<[S::Unit; BLOCK]>().read_unaligned();
            let values = units.map(S::value);
            if !all_straight::<S, D>(&values) {
                return false;
            }
            self.dst.add(to).cast::<[D::Unit; BLOCK]>().write_unaligned(values.map(D::unit));
        }
        true
    }
}

/// Units of a straight block; and of what is walked where there is none.
const BLOCK: usize = 32;

impl<S: Form, D: Form> Plain for Convert<S, D> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (mut read, mut written) = (0, 0);
        loop {
            while self.len - read >= BLOCK && self.room - written >= BLOCK {
                // SAFETY: there is a block to be read, and room for one.
                if !unsafe { self.block(read, written) } {
                    break;
                }
                read += BLOCK;
                written += BLOCK;
            }
            let stop = self.len.min(read + BLOCK);
            while read < stop && self.len - read >= S::MOST && self.room - written >= D::MOST {
                // SAFETY: there are units for any character, and room for any.
                let (len, units) = unsafe {
                    let (scalar, len) = S::read(self.src.add(read));
                    if len == 0 {
                        return Progress { read, written };
                    }
                    (len, D::write(self.dst.add(written), scalar))
                };
                if units == 0 {
                    return Progress { read, written };
                }
                read += len;
                written += units;
            }
            if read < stop || read == self.len {
                return Progress { read, written };
            }
        }
    }
}
