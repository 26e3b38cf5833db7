//! Surrogates: the code points U+D800..U+DFFF, two of which form a supplementary character in UTF-16.

/// Whether a code point is a high surrogate.
#[inline(always)]
pub(crate) const fn is_high(point: u32) -> bool {
    point & 0xFFFF_FC00 == 0xD800
}

/// Whether a code point is a low surrogate.
#[inline(always)]
pub(crate) const fn is_low(point: u32) -> bool {
    point & 0xFFFF_FC00 == 0xDC00
}

/// Whether a code point is a surrogate.
#[inline(always)]
pub(crate) const fn is_surrogate(point: u32) -> bool {
    point & 0xFFFF_F800 == 0xD800
}

/// The supplementary character of a surrogate pair.
#[inline(always)]
pub(crate) const fn joined(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high & 0x3FF) << 10 | low & 0x3FF)
}
