//! What the functions take and return, as C has it.
//!
//! The enumerations here are for the header alone: cbindgen writes them down, and nothing in Rust ever
//! holds one. What is passed are numbers, under the names of the aliases. The tables from numbers to what they
//! mean are in the modules that use them (`encoding`, `policy`), and are compared with these enumerations there.

// The name of an enumerator in C is all there is: it has no enumeration in front of it.
#![allow(clippy::enum_variant_names)]

use runecast::{IllFormed, Kind, Reason, Repaired, TranscodeError};

/// The version of this interface. It changes when a program compiled for an older one would not run any more:
/// compare it with what runecast_abi_version() returns.
pub const RUNECAST_ABI_VERSION: u32 = 1;

/// An encoding: one of the enumerators RUNECAST_UTF8 and so on. 0 is none.
pub type EncodingNumber = u32;

/// What became of a call: one of the enumerators RUNECAST_OK and so on, or a number that a later version adds.
/// From RUNECAST_ILL_FORMED on, the text is ill-formed, and the number is the rule that is broken.
pub type Code = u32;

/// What is written in place of what is ill-formed: one of the enumerators RUNECAST_REPLACE_WHATWG and so on.
pub type PolicyNumber = u32;

/// What a stream does with a byte order mark: one of the enumerators RUNECAST_BOM_KEEP and so on.
pub type BomNumber = u32;

/// The characters that a text is made of: one of the enumerators RUNECAST_REPERTOIRE_ASCII and so on.
pub type RepertoireNumber = u32;

/// What offsets are counted in: one of the enumerators RUNECAST_UNIT_UTF8 and so on.
pub type UnitNumber = u32;

/// What bytes are, as far as can be told: one of the enumerators RUNECAST_TEXT and so on.
pub type ContentNumber = u32;

/// The encodings.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Encodings {
    /// UTF-8.
    RunecastUtf8 = 1,
    /// UTF-16, the least significant byte of each unit first.
    RunecastUtf16Le = 2,
    /// UTF-16, the most significant byte of each unit first.
    RunecastUtf16Be = 3,
    /// UTF-32, the least significant byte of each unit first.
    RunecastUtf32Le = 4,
    /// UTF-32, the most significant byte of each unit first.
    RunecastUtf32Be = 5,
    /// ISO/IEC 8859-1: U+0000..U+00FF as one byte each. (Not windows-1252.)
    RunecastLatin1 = 6,
    /// US-ASCII: U+0000..U+007F as one byte each.
    RunecastAscii = 7,
    /// WTF-8: UTF-8 with unpaired surrogates in three bytes.
    RunecastWtf8 = 8,
    /// WTF-16: UTF-16 in which surrogates may be unpaired, the least significant byte of each unit first.
    RunecastWtf16Le = 9,
    /// WTF-16, the most significant byte of each unit first.
    RunecastWtf16Be = 10,
    /// UTF-8 with surrogates, paired or not, in three bytes each.
    RunecastGeneralizedUtf8 = 11,
    /// CESU-8: the units of UTF-16 in one to three bytes each.
    RunecastCesu8 = 12,
    /// CESU-8 in which surrogates may be unpaired.
    RunecastWobblyCesu8 = 13,
    /// Modified UTF-8: CESU-8 with C0 80 for U+0000, as in class files, JNI and DEX.
    RunecastMutf8 = 14,
    /// Modified UTF-8 in which surrogates may be unpaired, as Java virtual machines write it.
    RunecastWobblyMutf8 = 15,
    /// Corrected UTF-8, without its magic number.
    RunecastCorrectedUtf8 = 16,
    /// UTF-16 in units of this machine (uint16_t, char16_t): another name of one of the two above.
    RunecastUtf16 = 32,
    /// UTF-32 in units of this machine (uint32_t, char32_t).
    RunecastUtf32 = 33,
    /// WTF-16 in units of this machine.
    RunecastWtf16 = 34,
    /// UTF-16 of which the byte order mark tells the byte order; without one it is big-endian. Such an encoding
    /// is what a name may mean ("UTF-16"), and the source of a stream. Besides these only runecast_encoding_name()
    /// takes it.
    RunecastUtf16Marked = 48,
    /// UTF-32 of which the byte order mark tells the byte order.
    RunecastUtf32Marked = 49,
    /// WTF-16 of which the byte order mark tells the byte order.
    RunecastWtf16Marked = 50,
}

/// What became of a call.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Codes {
    /// All is well.
    RunecastOk = 0,
    /// The next character does not fit into what is left of the output.
    RunecastOutputFull = 1,
    /// The target has no form for a character, as Latin-1 and ASCII have for few.
    RunecastUnrepresentable = 2,
    /// A null pointer with a length, a number that is no encoding or policy, an output that overlaps its input,
    /// or a length above half of the address space. Nothing was done.
    RunecastBadArgument = 3,
    /// This CPU does not run these kernels, or there are none of that name.
    RunecastUnavailable = 4,
    /// There is an error in the library. Nothing about the output is known.
    RunecastInternal = 5,
    /// Not a code of its own, but the first of those for ill-formed text; also for rules that are younger than
    /// this interface.
    RunecastIllFormed = 16,
    /// A continuation byte (80..BF) where a character should begin.
    RunecastUnexpectedContinuation = 17,
    /// C0 or C1, which could only begin an overlong form of an ASCII character.
    RunecastOverlongLead = 18,
    /// F5..FF: no character of Unicode begins with such a byte.
    RunecastInvalidLead = 19,
    /// A longer form than the character needs.
    RunecastOverlong = 20,
    /// A surrogate code point, which is not a character.
    RunecastSurrogate = 21,
    /// A code point above U+10FFFF.
    RunecastAboveMaximum = 22,
    /// The character is cut short by a byte that is no continuation byte.
    RunecastTruncated = 23,
    /// The input ends in the middle of a character. More input may complete it.
    RunecastIncomplete = 24,
    /// UTF-16: a high surrogate with no low one after it.
    RunecastUnpairedHigh = 25,
    /// UTF-16: a low surrogate with no high one before it.
    RunecastUnpairedLow = 26,
    /// ASCII: a byte above 7F.
    RunecastNotAscii = 27,
    /// WTF-8: a high surrogate and a low one after it, which together are a character of four bytes.
    RunecastSurrogatePair = 28,
    /// CESU-8, modified UTF-8: F0..F4, which begin a character of four bytes in UTF-8.
    RunecastFourByteLead = 29,
    /// Corrected UTF-8: a sequence that is reserved for future use, of any length. A stream or a validator says so at its first byte,
    /// with 1 for the length, and a stream passes over the rest by itself.
    RunecastReserved = 30,
    /// Modified UTF-8: a byte 00. U+0000 is C0 80 there.
    RunecastRawNul = 31,
}

/// What is written where text is ill-formed. The first seven write U+FFFD (or a question mark, where the target
/// has no form for it), and differ in how many.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Policies {
    /// One for each maximal subpart, as Unicode recommends and the WHATWG requires: browsers, Rust, Python 3.
    RunecastReplaceWhatwg = 0,
    /// One for each byte: Go.
    RunecastReplacePerByte = 1,
    /// As MultiByteToWideChar of Windows 10 and .NET Framework.
    RunecastReplaceWin32 = 2,
    /// As OpenJDK 8.
    RunecastReplaceOpenJdk8 = 3,
    /// As Python 2.7, which decodes surrogates.
    RunecastReplacePython2 = 4,
    /// As Perl 5.22, which replaces noncharacters too.
    RunecastReplacePerl5 = 5,
    /// As ICU 55: one for each run.
    RunecastReplaceIcu55 = 6,
    /// A backslash and xE9 for each byte, as Python's backslashreplace but in capital letters.
    RunecastEscapeBackslash = 16,
    /// U+DC80..U+DCFF for each byte of ill-formed UTF-8, as Python's surrogateescape. It is for targets of 16- or 32-bit
    /// units, whose text is then ill-formed: for others U+FFFD is written, and the bytes are lost.
    RunecastEscapeSurrogate = 17,
    /// The character of Latin-1 for each byte of ill-formed UTF-8 or ASCII; U+FFFD for what is ill-formed in others.
    RunecastEscapeLatin1 = 18,
    /// The character of windows-1252 for each of these bytes.
    RunecastEscapeWindows1252 = 19,
    /// Nothing. A security hole wherever the text is looked at before it is repaired: what is dropped
    /// may have kept two harmless pieces from joining into a harmful one.
    RunecastDropAtTheRiskOfJoining = 32,
    /// Nothing, and nothing for characters that the target has no form for: what iconv -c does. A security
    /// hole as well.
    RunecastOmit = 33,
}

/// What a stream does with a byte order mark at the very beginning of its text.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Boms {
    /// It is a character like any other; but RUNECAST_UTF16_MARKED and its like leave it out always.
    RunecastBomKeep = 0,
    /// If it is that of the source's encoding, it is left out.
    RunecastBomStrip = 1,
    /// If it is that of UTF-8, UTF-16 or UTF-32, then that is the source's encoding, and it is left out.
    RunecastBomSniff = 2,
}

/// The characters that a text is made of. Each contains those before it.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Repertoires {
    /// U+0000..U+007F: a byte each, the same in UTF-8.
    RunecastRepertoireAscii = 1,
    /// U+0000..U+00FF: a byte each, in Latin-1.
    RunecastRepertoireLatin1 = 2,
    /// U+0000..U+FFFF without surrogates: two bytes each, in UTF-16.
    RunecastRepertoireBmp = 3,
    /// All of Unicode: four bytes each, in UTF-32.
    RunecastRepertoireUnicode = 4,
}

/// What offsets are counted in.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Units {
    /// Bytes of UTF-8.
    RunecastUnitUtf8 = 1,
    /// Units of UTF-16.
    RunecastUnitUtf16 = 2,
    /// Characters.
    RunecastUnitChar = 3,
}

/// What bytes of unknown origin may be.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Contents {
    /// Text in an encoding that is known here.
    RunecastText = 1,
    /// Text that is mostly UTF-8, but not all of it.
    RunecastMixed = 2,
    /// Text in an encoding that is not known here, or something that looks like it.
    RunecastUnknown = 3,
    /// No text.
    RunecastBinary = 4,
}

/// What became of a text. All numbers are of bytes, but for `replaced`. Those that a call has nothing to say
/// about are 0.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct Outcome {
    /// RUNECAST_OK, or why it stopped.
    pub code: Code,
    /// With RUNECAST_UNREPRESENTABLE: the code point for which the target has no form.
    pub code_point: u32,
    /// How much of the input is done with. Where the code is an error, the rest begins with what is wrong; but
    /// a stream is behind it already.
    pub read: usize,
    /// How much was written.
    pub written: usize,
    /// Where the first thing that is wrong begins; in a stream, counted from the beginning of the whole
    /// text, and the greatest number there is if it is beyond.
    pub at: usize,
    /// The length of what is wrong at `at`: of a maximal subpart, or of a character without a form. 0 where it
    /// was replaced.
    pub len: usize,
    /// How many replacements were made. If there are any, `at` is where the first of them was.
    pub replaced: usize,
}

impl Outcome {
    /// Nothing but a code.
    pub(crate) fn of(code: Codes) -> Outcome {
        Outcome { code: code as Code, ..Outcome::default() }
    }

    /// All is well, so far.
    pub(crate) fn ok(read: usize, written: usize) -> Outcome {
        Outcome { read, written, ..Outcome::default() }
    }

    /// What is wrong with a text.
    pub(crate) fn wrong(error: IllFormed) -> Outcome {
        Outcome { code: code(error.kind), at: error.at, len: error.len, ..Outcome::default() }
    }

    /// Why a conversion stopped. `step` is the length of the character there, where it has one.
    pub(crate) fn stopped(reason: Reason, step: usize) -> Outcome {
        let unrepresentable = |at, code_point| Outcome {
            code_point,
            at,
            len: step,
            ..Outcome::of(Codes::RunecastUnrepresentable)
        };
        match reason {
            Reason::IllFormed(error) => Outcome::wrong(error),
            Reason::Unrepresentable { at, character } => unrepresentable(at, character.into()),
            Reason::UnrepresentableCodePoint { at, code_point } => unrepresentable(at, code_point),
            Reason::OutputFull => Outcome::of(Codes::RunecastOutputFull),
            // No other reasons are known to this version.
            _ => Outcome::of(Codes::RunecastInternal),
        }
    }

    /// What a repair amounted to.
    pub(crate) fn repaired(self, replaced: usize, first: Option<usize>) -> Outcome {
        match first {
            Some(at) if self.code == Codes::RunecastOk as Code => Outcome { replaced, at, ..self },
            _ => Outcome { replaced, ..self },
        }
    }

    /// What a repair amounted to before there was no more room.
    pub(crate) fn of_partial_repair(error: TranscodeError) -> Outcome {
        let TranscodeError { read, written, replaced, first, reason, .. } = error;
        let at = first.unwrap_or(0);
        Outcome { read, written, replaced, at, ..Outcome::stopped(reason, 0) }
    }

    /// A whole repair.
    pub(crate) fn of_repair(read: usize, repaired: Repaired) -> Outcome {
        Outcome::ok(read, repaired.written).repaired(repaired.replaced, repaired.first)
    }
}

/// The number of a rule.
pub(crate) fn code(kind: Kind) -> Code {
    (match kind {
        Kind::UnexpectedContinuation => Codes::RunecastUnexpectedContinuation,
        Kind::OverlongLead => Codes::RunecastOverlongLead,
        Kind::InvalidLead => Codes::RunecastInvalidLead,
        Kind::Overlong => Codes::RunecastOverlong,
        Kind::Surrogate => Codes::RunecastSurrogate,
        Kind::AboveMaximum => Codes::RunecastAboveMaximum,
        Kind::Truncated => Codes::RunecastTruncated,
        Kind::Incomplete => Codes::RunecastIncomplete,
        Kind::UnpairedHigh => Codes::RunecastUnpairedHigh,
        Kind::UnpairedLow => Codes::RunecastUnpairedLow,
        Kind::NotAscii => Codes::RunecastNotAscii,
        Kind::SurrogatePair => Codes::RunecastSurrogatePair,
        Kind::FourByteLead => Codes::RunecastFourByteLead,
        Kind::Reserved => Codes::RunecastReserved,
        Kind::RawNul => Codes::RunecastRawNul,
        // A rule that is younger than this file.
        _ => Codes::RunecastIllFormed,
    }) as Code
}
