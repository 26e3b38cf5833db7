//! Encodings are types.
//!
//! Every encoding that runecast knows is a zero-sized type: [`Utf8`] here is the *name* of an encoding, not a string. An operation
//! takes it as a type parameter (`validate::<Utf8>(bytes)`, `transcode::<Utf8, Utf16>(src, dst)`). So each operation is written
//! once, and one `impl` adds an encoding.
//!
//! As in Unicode 3.9 and 3.10, an *encoding form* counts in its own code units (`Utf8` in `u8`, `Utf16` in `u16`, `Utf32` in `u32`);
//! an *encoding scheme* is a form serialised to bytes in a stated order, so its unit is `u8`, at any alignment.

use super::CodeUnit;
use super::codec::Codec;

/// An encoding of Unicode text, known by its type.
///
/// The trait is sealed: safe functions rely on the codec and the kernels of an encoding to agree.
#[expect(private_bounds, reason = "the supertrait seals it, and keeps the codecs out of reach")]
pub trait Encoding: Codec + Copy + core::fmt::Debug + 'static {
    /// The code unit, in which lengths and offsets of this encoding are counted.
    type Unit: CodeUnit;

    /// The name for messages: `"UTF-8"`.
    const NAME: &'static str;
}

/// Defines the types of the encodings; their codecs are in `codec/`.
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
    /// WTF-8: UTF-8 that may also contain surrogates U+D800..U+DFFF, in three bytes each, but no high surrogate directly before a
    /// low one: these two are a supplementary character, in four bytes. So every text in `Wtf16` has exactly one form here, and the
    /// other way round.
    ///
    /// If text that begins with a low surrogate is appended to text that ends with a high one, the two are not joined: it takes
    /// more to concatenate texts in WTF-8 than to write one after the other.
    Wtf8: u8 = "WTF-8";
    /// WTF-16 in code units of this machine: what JavaScript, Java and Windows use as UTF-16. Any units are well-formed; a
    /// surrogate that is not part of a pair is the code point of its number.
    Wtf16: u16 = "WTF-16";
    /// WTF-16, the least significant byte of each unit first.
    Wtf16Le: u8 = "WTF-16LE";
    /// WTF-16, the most significant byte of each unit first.
    Wtf16Be: u8 = "WTF-16BE";
    /// UTF-8 extended to all code points up to U+10FFFF, including surrogates in any order ("generalized UTF-8" in the WTF-8
    /// specification). It is not for interchange.
    ///
    /// Here a high surrogate directly before a low one is two code points. A conversion to an encoding in which these two are one
    /// character (`Wtf8`, `Wtf16`, the wobbly ones) writes that character.
    GeneralizedUtf8: u8 = "generalized UTF-8";
    /// CESU-8 (Unicode Technical Report 26): a supplementary character is the two surrogates of UTF-16, in three bytes each.
    /// Sequences of four bytes are ill-formed, and so is a surrogate that is not part of a pair.
    Cesu8: u8 = "CESU-8";
    /// [`Cesu8`] in which surrogates need not be paired: any text in `Wtf16` has exactly one form.
    WobblyCesu8: u8 = "wobbly CESU-8";
    /// Modified UTF-8, as the Java virtual machine's class files, JNI and Android's DEX files define it: CESU-8 with
    /// C0 80 for U+0000. A byte 00 is ill-formed, and so is a surrogate that is not part of a pair.
    Mutf8: u8 = "modified UTF-8";
    /// [`Mutf8`] in which surrogates need not be paired: what a Java virtual machine actually writes, because its strings are
    /// `Wtf16`. A byte 00, which it never writes, is ill-formed here too.
    WobblyMutf8: u8 = "wobbly modified UTF-8";
    /// Corrected UTF-8 (2022): like UTF-8, but no sequence is overlong, because the code points of longer sequences begin where
    /// those of shorter ones end; up to six bytes, for code points up to U+8421109F.
    ///
    /// The C1 controls U+0080..U+009F and the surrogates have no form in it, and code points above U+10FFFF have a form in no
    /// other encoding here. Sequences that begin with FE or FF are [reserved](crate::Kind::Reserved). Its magic number, and its
    /// rules for control characters, are in [`corrected`](crate::corrected).
    CorrectedUtf8: u8 = "Corrected UTF-8";
}
