//! The one classification of encodings.
//!
//! A [`Variant`] says which encoding it is: its family, its byte order, and what it allows. A [`Family`] groups variants that differ
//! in a few rules only: they share their kernels.

/// The order of the bytes of a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
}

impl Order {
    /// The order of this machine.
    pub(crate) const NATIVE: Order = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };

    /// The value of these bytes.
    #[inline]
    pub(crate) fn value(self, bytes: &[u8]) -> u32 {
        let digit = |value, byte: &u8| value << 8 | u32::from(*byte);
        match self {
            Order::Big => bytes.iter().fold(0, digit),
            Order::Little => bytes.iter().rev().fold(0, digit),
        }
    }

    /// Whether it is not the order of this machine.
    #[inline]
    pub(crate) const fn is_swapped(self) -> bool {
        matches!(self, Order::Big) != cfg!(target_endian = "big")
    }
}

/// Encodings that differ in a few rules only. Kernels are looked up by families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Bytes up to 7F.
    Ascii,
    /// Bytes, each the code point of the same number.
    Latin1,
    /// One to four bytes: UTF-8, and its extensions by surrogates.
    Utf8,
    /// The units of UTF-16, each in one to three bytes.
    Cesu8,
    /// One to six bytes, with an offset for each length.
    Corrected,
    /// One or two units of two bytes: UTF-16, and WTF-16, which allows unpaired surrogates.
    Utf16,
    /// Units of four bytes.
    Utf32,
}

/// Which encoding it is, whatever its unit type: a form has the same variant as the scheme in this machine's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Variant {
    /// Bytes up to 7F.
    Ascii,
    /// Bytes, each the code point of the same number.
    Latin1,
    /// One to four bytes.
    Utf8,
    /// One or two units of two bytes.
    Utf16(Order),
    /// Units of four bytes.
    Utf32(Order),
    /// UTF-8 with surrogates, but without surrogate pairs.
    Wtf8,
    /// UTF-16 in which surrogates need not be paired.
    Wtf16(Order),
    /// UTF-8 with surrogates.
    GeneralizedUtf8,
    /// The units of UTF-16, each in one to three bytes; `wobbly` if surrogates need not be paired.
    Cesu8 {
        /// Whether an unpaired surrogate is well-formed.
        wobbly: bool,
    },
    /// One to six bytes; each code point has one form only.
    CorrectedUtf8,
    /// CESU-8 with U+0000 in two bytes.
    Mutf8 {
        /// Whether an unpaired surrogate is well-formed.
        wobbly: bool,
    },
}

impl Variant {
    /// The bytes of one code unit of the form, in which kernels count.
    #[inline]
    pub(crate) const fn unit(self) -> usize {
        match self.family() {
            Family::Utf16 => 2,
            Family::Utf32 => 4,
            _ => 1,
        }
    }

    /// The family.
    #[inline]
    pub(crate) const fn family(self) -> Family {
        match self {
            Variant::Ascii => Family::Ascii,
            Variant::Latin1 => Family::Latin1,
            Variant::Utf8 | Variant::Wtf8 | Variant::GeneralizedUtf8 => Family::Utf8,
            Variant::Cesu8 { .. } | Variant::Mutf8 { .. } => Family::Cesu8,
            Variant::CorrectedUtf8 => Family::Corrected,
            Variant::Utf16(_) | Variant::Wtf16(_) => Family::Utf16,
            Variant::Utf32(_) => Family::Utf32,
        }
    }

    /// Whether it has lead bytes and continuation bytes.
    #[inline]
    pub(crate) const fn has_leads(self) -> bool {
        matches!(self.family(), Family::Utf8 | Family::Cesu8 | Family::Corrected)
    }

    /// Whether a high surrogate and a low one, each well-formed by itself, become a character when one is written after the other;
    /// or, in WTF-8, become ill-formed.
    #[inline]
    pub(crate) const fn pairs_up(self) -> bool {
        matches!(
            self,
            Variant::Wtf8
                | Variant::Wtf16(_)
                | Variant::Cesu8 { wobbly: true }
                | Variant::Mutf8 { wobbly: true }
        )
    }

    /// Whether a lone surrogate is well-formed. If so, not only an incomplete character may have to wait at the end of a chunk, but
    /// also a surrogate.
    #[inline]
    pub(crate) const fn has_surrogates(self) -> bool {
        self.pairs_up() || matches!(self, Variant::GeneralizedUtf8)
    }

    /// The longest incomplete suffix of well-formed text, in units of the slice: the start of a character, and a surrogate before it
    /// that may be half of a pair.
    #[inline]
    pub(crate) const fn max_incomplete(self) -> usize {
        match self {
            Variant::Utf8 => 3,
            _ if self.has_leads() => 5,
            Variant::Utf16(_) | Variant::Utf32(_) | Variant::Wtf16(_) => 3,
            _ => 0,
        }
    }

    /// Whether U+0000 is C0 80.
    #[inline]
    pub(crate) const fn two_byte_nul(self) -> bool {
        matches!(self, Variant::Mutf8 { .. })
    }
}
