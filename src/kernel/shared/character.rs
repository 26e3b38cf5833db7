//! Reading and writing one character at an address: plain code, with a handful of branches and no calls.
//!
//! This is how plain loops see an encoding. Reading returns length 0 for anything that is not well-formed; then the kernel stops, and
//! the codec says what is wrong, if anything is. The rules of the codecs are *recognised* here, not named.

use crate::unicode::{Family, Form, is_low, is_surrogate, joined};

/// Calls the function for the family of `F`; the others are not compiled.
macro_rules! by_family {
    ($utf8:ident $cesu8:ident $corrected:ident $utf16:ident $utf32:ident $bytes:ident ($($arg:expr),*)) => {
        if const { matches!(F::FAMILY, Family::Utf8) } {
            $utf8::<F>($($arg),*)
        } else if const { matches!(F::FAMILY, Family::Cesu8) } {
            $cesu8::<F>($($arg),*)
        } else if const { matches!(F::FAMILY, Family::Corrected) } {
            $corrected::<F>($($arg),*)
        } else if const { matches!(F::FAMILY, Family::Utf16) } {
            $utf16::<F>($($arg),*)
        } else if const { matches!(F::FAMILY, Family::Utf32) } {
            $utf32::<F>($($arg),*)
        } else {
            $bytes::<F>($($arg),*)
        }
    };
}

/// The character at `p`: its scalar value and length, or length 0 if it is not well-formed.
///
/// # Safety
/// [`MOST`](Form::MOST) units must be readable, at any alignment.
#[inline(always)]
pub(in crate::kernel) unsafe fn read_character<F: Form>(p: *const F::Unit) -> (u32, usize) {
    // SAFETY: the caller's promise.
    unsafe { by_family!(read_utf8 read_cesu8 read_corrected read_utf16 read_utf32 read_bytes (p)) }
}

/// Writes a character to `p`; returns its length, or 0 if there is no form for it.
///
/// # Safety
/// [`MOST`](Form::MOST) units must be writable, at any alignment, and `scalar` a scalar value.
#[inline(always)]
pub(in crate::kernel) unsafe fn write_character<F: Form>(p: *mut F::Unit, scalar: u32) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        by_family!(write_utf8 write_cesu8 write_corrected write_utf16 write_utf32 write_bytes (p, scalar))
    }
}

/// # Safety
/// As for [`read_character`].
#[inline(always)]
unsafe fn read_utf8<F: Form>(p: *const F::Unit) -> (u32, usize) {
    // SAFETY: the caller's promise.
    let bytes = unsafe { p.cast::<[u8; 4]>().read() }.map(u32::from);
    let [lead, b, c, d] = bytes;
    let continuation = |byte: u32| byte & 0xC0 == 0x80;
    // One value for each length.
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

/// # Safety
/// As for [`write_character`].
#[inline(always)]
unsafe fn write_utf8<F: Form>(p: *mut F::Unit, scalar: u32) -> usize {
    // One word, not four bytes: these would be stored one by one.
    let tail = |shift: u32| scalar >> shift & 0x3F;
    let (units, len) = if scalar < 0x80 {
        (scalar, 1)
    } else if scalar < 0x800 {
        (0x80C0 | scalar >> 6 | tail(0) << 8, 2)
    } else if scalar < 0x1_0000 {
        (0x80_80E0 | scalar >> 12 | tail(6) << 8 | tail(0) << 16, 3)
    } else {
        (0x8080_80F0 | scalar >> 18 | tail(12) << 8 | tail(6) << 16 | tail(0) << 24, 4)
    };
    // SAFETY: the caller's promise.
    unsafe { p.cast::<[u8; 4]>().write(units.to_le_bytes()) };
    len
}

/// # Safety
/// As for [`read_character`].
#[inline(always)]
unsafe fn read_cesu8<F: Form>(p: *const F::Unit) -> (u32, usize) {
    // SAFETY: the caller's promise.
    let [lead, b, c, d, e, f] = unsafe { p.cast::<[u8; 6]>().read() }.map(u32::from);
    let continuation = |byte: u32| byte & 0xC0 == 0x80;
    let three = (lead & 0x0F) << 12 | (b & 0x3F) << 6 | c & 0x3F;
    if lead < 0x80 {
        (lead, usize::from(!F::TWO_BYTE_NUL || lead != 0))
    } else if lead < 0xE0 {
        let nul = F::TWO_BYTE_NUL && lead == 0xC0 && b == 0x80;
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

/// # Safety
/// As for [`write_character`].
#[inline(always)]
unsafe fn write_cesu8<F: Form>(p: *mut F::Unit, scalar: u32) -> usize {
    let tail = |value: u32, shift: u32| 0x80 | (value >> shift & 0x3F) as u8;
    let above = scalar.wrapping_sub(0x1_0000);
    let (units, len) = if scalar < 0x80 {
        if F::TWO_BYTE_NUL && scalar == 0 {
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

/// # Safety
/// As for [`read_character`].
#[inline(always)]
unsafe fn read_corrected<F: Form>(p: *const F::Unit) -> (u32, usize) {
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

/// # Safety
/// As for [`write_character`].
#[inline(always)]
unsafe fn write_corrected<F: Form>(p: *mut F::Unit, scalar: u32) -> usize {
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

/// # Safety
/// As for [`read_character`].
#[inline(always)]
unsafe fn read_utf16<F: Form>(p: *const F::Unit) -> (u32, usize) {
    // SAFETY: the caller's promise.
    let [first, second] = unsafe { p.cast::<[F::Unit; 2]>().read_unaligned() }.map(F::value);
    if !is_surrogate(first) {
        return (first, 1);
    }
    let pair = first < 0xDC00 && is_low(second);
    (joined(first, second), if pair { 2 } else { 0 })
}

/// # Safety
/// As for [`write_character`].
#[inline(always)]
unsafe fn write_utf16<F: Form>(p: *mut F::Unit, scalar: u32) -> usize {
    let above = scalar.wrapping_sub(0x1_0000);
    let (units, len) = if scalar < 0x1_0000 {
        ([F::unit(scalar), F::unit(0)], 1)
    } else {
        ([F::unit(0xD800 | above >> 10), F::unit(0xDC00 | above & 0x3FF)], 2)
    };
    // SAFETY: the caller's promise.
    unsafe { p.cast::<[F::Unit; 2]>().write_unaligned(units) };
    len
}

/// # Safety
/// As for [`read_character`].
#[inline(always)]
unsafe fn read_utf32<F: Form>(p: *const F::Unit) -> (u32, usize) {
    // SAFETY: the caller's promise.
    let value = F::value(unsafe { p.read_unaligned() });
    (value, usize::from(value < 0x11_0000 && !is_surrogate(value)))
}

/// # Safety
/// As for [`write_character`].
#[inline(always)]
unsafe fn write_utf32<F: Form>(p: *mut F::Unit, scalar: u32) -> usize {
    // SAFETY: the caller's promise.
    unsafe { p.write_unaligned(F::unit(scalar)) };
    1
}

/// # Safety
/// As for [`read_character`].
#[inline(always)]
unsafe fn read_bytes<F: Form>(p: *const F::Unit) -> (u32, usize) {
    // SAFETY: the caller's promise.
    let value = F::value(unsafe { p.read() });
    (value, usize::from(value < F::SINGLE))
}

/// # Safety
/// As for [`write_character`].
#[inline(always)]
unsafe fn write_bytes<F: Form>(p: *mut F::Unit, scalar: u32) -> usize {
    // SAFETY: the caller's promise.
    unsafe { p.write(F::unit(scalar)) };
    usize::from(scalar < F::SINGLE)
}
