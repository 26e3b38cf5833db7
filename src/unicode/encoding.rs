//! Encodings are types.
//!
//! Every encoding that runecast knows is a zero-sized type: [`Utf8`] here is the *name* of an
//! encoding, not a string. An operation takes it as a parameter (`validate::<Utf8>(bytes)`,
//! `transcode::<Utf8, Utf16>(src, dst)`), so that each shape of operation is written once and an
//! encoding is added by one `impl`.
//!
//! Two families are told apart as in Unicode 3.9 and 3.10. An *encoding form* counts in its own
//! code units (`Utf8` in `u8`, `Utf16` in `u16`, `Utf32` in `u32`); an *encoding scheme* is a form
//! serialised to bytes in a stated order, whose unit is therefore `u8`, at any alignment.

use crate::machine::Machine;

/// An encoding of Unicode text, known by its type.
///
/// The trait is sealed: its methods are the joint between a kernel and a machine, and whoever
/// could implement it could break what the safe functions promise.
pub trait Encoding: Machine + Copy + core::fmt::Debug + 'static {
    /// The code unit: the smallest thing that this encoding counts in.
    type Unit: bytemuck::Pod + Eq + Send + Sync + core::fmt::Debug;

    /// The name that people read: `"UTF-8"`.
    const NAME: &'static str;
}

/// The order of the bytes of a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
}

impl Order {
    /// The order of this machine.
    pub(crate) const NATIVE: Order = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };

    /// The number that these bytes are.
    pub(crate) fn value(self, bytes: &[u8]) -> u32 {
        let digit = |value, byte: &u8| value << 8 | u32::from(*byte);
        match self {
            Order::Big => bytes.iter().fold(0, digit),
            Order::Little => bytes.iter().rev().fold(0, digit),
        }
    }

    /// Whether it is not that of this machine.
    pub(crate) const fn is_foreign(self) -> bool {
        matches!(self, Order::Big) != cfg!(target_endian = "big")
    }
}

/// What the bytes of an encoding mean, whatever its type of unit: the column in which a kernel is
/// looked up. A form and the scheme of this machine's byte order are the same here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
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
    /// UTF-8 with surrogates, but for pairs of them.
    Wtf8,
    /// UTF-16 in which surrogates need not be paired.
    Wtf16(Order),
    /// UTF-8 with surrogates.
    GeneralizedUtf8,
    /// The units of UTF-16, each in one to three bytes; `wobbly` if surrogates need not be paired.
    Cesu8 {
        /// Whether an unpaired surrogate is in order.
        wobbly: bool,
    },
    /// One to six bytes, of which each sequence is the only form of its code point.
    CorrectedUtf8,
    /// The same as CESU-8, with U+0000 in two bytes.
    Mutf8 {
        /// Whether an unpaired surrogate is in order.
        wobbly: bool,
    },
}

/// Layouts that differ in a few rules only, and have their kernels in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kin {
    /// Bytes that are characters.
    Single,
    /// UTF-8 and what has surrogates besides.
    Eight,
    /// The units of UTF-16, each in bytes.
    Cesu,
    /// Corrected UTF-8.
    Corrected,
    /// UTF-16 and what has unpaired surrogates besides.
    Sixteen,
    /// UTF-32.
    ThirtyTwo,
}

impl Layout {
    /// Bytes of one code unit of the form: what a kernel counts in.
    pub(crate) const fn unit(self) -> usize {
        match self {
            Layout::Utf16(_) | Layout::Wtf16(_) => 2,
            Layout::Utf32(_) => 4,
            _ => 1,
        }
    }

    /// What it is akin to.
    pub(crate) const fn kin(self) -> Kin {
        match self {
            Layout::Ascii | Layout::Latin1 => Kin::Single,
            Layout::Utf8 | Layout::Wtf8 | Layout::GeneralizedUtf8 => Kin::Eight,
            Layout::Cesu8 { .. } | Layout::Mutf8 { .. } => Kin::Cesu,
            Layout::CorrectedUtf8 => Kin::Corrected,
            Layout::Utf16(_) | Layout::Wtf16(_) => Kin::Sixteen,
            Layout::Utf32(_) => Kin::ThirtyTwo,
        }
    }

    /// Whether it has lead bytes and continuation bytes, so that errors are told in these words.
    pub(crate) const fn has_leads(self) -> bool {
        matches!(self.kin(), Kin::Eight | Kin::Cesu | Kin::Corrected)
    }

    /// Whether a high and a low surrogate, each in order by itself, are a character when one is written
    /// behind the other; or, in WTF-8, are not in order any more.
    pub(crate) const fn pairs_up(self) -> bool {
        matches!(
            self,
            Layout::Wtf8 | Layout::Wtf16(_) | Layout::Cesu8 { wobbly: true } | Layout::Mutf8 { wobbly: true }
        )
    }

    /// Whether a surrogate by itself is in order: then more than the beginning of a character may have to
    /// wait at the end of a piece.
    pub(crate) const fn has_surrogates(self) -> bool {
        self.pairs_up() || matches!(self, Layout::GeneralizedUtf8)
    }

    /// The most units of a slice whose meaning may depend on what comes behind them, where all before is in
    /// order: the beginning of a character, and a surrogate before it that may be half of a pair.
    pub(crate) const fn most_open(self) -> usize {
        match self {
            Layout::Utf8 => 3,
            _ if self.has_leads() => 5,
            Layout::Utf16(_) | Layout::Utf32(_) | Layout::Wtf16(_) => 3,
            _ => 0,
        }
    }

    /// Whether U+0000 is C0 80.
    pub(crate) const fn hides_nul(self) -> bool {
        matches!(self, Layout::Mutf8 { .. })
    }
}

/// Defines the types of the encodings; what they mean is in `machine/`.
macro_rules! encodings {
    ($( $(#[$doc:meta])* $name:ident: $unit:ty = $label:literal; )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Encoding for $name {
            type Unit = $unit;
            const NAME: &'static str = $label;
        }
    )*};
}

encodings! {
    /// UTF-8, as in Unicode 3.9 (definition D92 and Table 3-7), RFC 3629 and ISO/IEC 10646.
    Utf8: u8 = "UTF-8";
    /// UTF-16 in code units of this machine (Unicode 3.9, definition D91).
    Utf16: u16 = "UTF-16";
    /// UTF-16, the least significant byte of each unit first (Unicode 3.10, definition D97).
    Utf16Le: u8 = "UTF-16LE";
    /// UTF-16, the most significant byte of each unit first (Unicode 3.10, definition D96).
    Utf16Be: u8 = "UTF-16BE";
    /// UTF-32 in code units of this machine (Unicode 3.9, definition D90).
    Utf32: u32 = "UTF-32";
    /// UTF-32, the least significant byte of each unit first (Unicode 3.10, definition D100).
    Utf32Le: u8 = "UTF-32LE";
    /// UTF-32, the most significant byte of each unit first (Unicode 3.10, definition D99).
    Utf32Be: u8 = "UTF-32BE";
    /// ISO/IEC 8859-1 with both ranges of control characters: U+0000..U+00FF as one byte each. (Not
    /// the encoding that the WHATWG calls latin1, which is windows-1252.)
    Latin1: u8 = "Latin-1";
    /// US-ASCII: U+0000..U+007F as one byte each.
    Ascii: u8 = "ASCII";
    /// WTF-8: UTF-8 with any surrogate U+D800..U+DFFF in three bytes besides, but for a high one right
    /// before a low one: these two are a supplementary character, and have its four bytes. So all that
    /// `Wtf16` can hold has one form here, and back.
    ///
    /// What is appended to text that ends in a high surrogate is not joined with it: to join texts in
    /// WTF-8 is more than to write one behind the other.
    Wtf8: u8 = "WTF-8";
    /// WTF-16 in code units of this machine: what JavaScript, Java and Windows take for UTF-16. Any
    /// units are in order; a surrogate that is not part of a pair is the code point of its number.
    Wtf16: u16 = "WTF-16";
    /// WTF-16, the least significant byte of each unit first.
    Wtf16Le: u8 = "WTF-16LE";
    /// WTF-16, the most significant byte of each unit first.
    Wtf16Be: u8 = "WTF-16BE";
    /// UTF-8 as an encoding of any code points up to U+10FFFF, surrogates too and in any order ("generalized
    /// UTF-8" of the WTF-8 specification). It is no encoding for interchange.
    ///
    /// A high surrogate right before a low one stays what it is here. An encoding in which these two
    /// would be a character (`Wtf8`, `Wtf16`, the wobbly ones) receives that character.
    GeneralizedUtf8: u8 = "generalized UTF-8";
    /// CESU-8 (Unicode Technical Report 26): a supplementary character is the two surrogates of UTF-16,
    /// in three bytes each. Four bytes are ill-formed, and so is a surrogate that is not part of a pair.
    Cesu8: u8 = "CESU-8";
    /// [`Cesu8`], in which surrogates need not be paired: `Wtf16` in bytes, one form for any units.
    WobblyCesu8: u8 = "wobbly CESU-8";
    /// Modified UTF-8, as the Java virtual machine's class files, JNI and Android's DEX files define it: CESU-8 with
    /// C0 80 for U+0000. A byte 00 is ill-formed, and so is a surrogate that is not part of a pair.
    Mutf8: u8 = "modified UTF-8";
    /// [`Mutf8`], in which surrogates need not be paired: what a Java virtual machine really writes, for
    /// its strings are `Wtf16`. A byte 00, which it never writes, is ill-formed here too.
    WobblyMutf8: u8 = "wobbly modified UTF-8";
    /// Corrected UTF-8 (2022): almost UTF-8, but no sequence is overlong, since what longer ones encode
    /// begins where shorter ones end; up to six bytes, for code points up to U+8421109F.
    ///
    /// The C1 controls U+0080..U+009F and the surrogates have no form in it, and code points above
    /// U+10FFFF have one in no other encoding here. What begins with FE or FF is
    /// [reserved](crate::Kind::Reserved). Its magic number, and what it has to say about
    /// control characters, is in [`corrected`](crate::corrected).
    CorrectedUtf8: u8 = "Corrected UTF-8";
}
