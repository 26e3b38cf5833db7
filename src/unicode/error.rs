//! Errors that say which rule was broken.
//!
//! An [`IllFormed`] names the offset, the length and the rule. It is `Copy`, allocates nothing, and keeps the few bytes that show what
//! went wrong, so that its message can quote them after the input is gone.
//!
//! For UTF-8 the length is that of the *maximal subpart* of Unicode 3.9: the part that a decoder which follows the standard's
//! recommended practice replaces with one U+FFFD.

use core::fmt;

use crate::unicode::Variant;
use crate::unicode::codec::corrected::reserved_continuation;

/// The rule that an ill-formed sequence breaks.
///
/// The rules for UTF-8 are the rows of Table 3-7 of the Unicode Standard, read backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A continuation byte (80..BF) where a character should begin.
    UnexpectedContinuation,
    /// C0 or C1: a lead byte that could only begin an overlong form of an ASCII character.
    OverlongLead,
    /// F5..FF: no character begins with such a byte.
    InvalidLead,
    /// E0 followed by 80..9F, or F0 followed by 80..8F: a longer form than the character needs.
    Overlong,
    /// A surrogate code point, U+D800..U+DFFF, which is not a character. In UTF-8: ED followed by A0..BF; in UTF-32: a unit of that
    /// value.
    Surrogate,
    /// A code point above U+10FFFF. In UTF-8: F4 followed by 90..BF; in UTF-32: a unit of that value.
    AboveMaximum,
    /// The character is cut short by a byte that is not a continuation byte.
    Truncated,
    /// The input ends in the middle of a character. More input may complete it.
    Incomplete,
    /// UTF-16: a high surrogate, D800..DBFF, with no low one after it; CESU-8 and modified UTF-8: the same in bytes, ED A0..AF 80..BF.
    UnpairedHigh,
    /// UTF-16: a low surrogate, DC00..DFFF, with no high one before it; CESU-8 and modified UTF-8: the same in bytes, ED B0..BF 80..BF.
    UnpairedLow,
    /// ASCII: a byte above 7F.
    NotAscii,
    /// WTF-8: a high surrogate and a low one after it, in three bytes each. Together they are a character, whose form has four
    /// bytes.
    SurrogatePair,
    /// CESU-8, modified UTF-8: F0..F4, which begin a character of four bytes in UTF-8.
    FourByteLead,
    /// Corrected UTF-8: a sequence that begins with FE or FF, up to the next lead byte of another kind. The specification reserves
    /// such sequences for later use: they are not wrong, but cannot be decoded either.
    Reserved,
    /// Modified UTF-8: a byte 00. U+0000 is C0 80 there.
    RawNul,
}

impl Kind {
    /// A short name for lists and logs: lower case, words separated by spaces.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::UnexpectedContinuation => "unexpected continuation",
            Kind::OverlongLead => "overlong lead",
            Kind::InvalidLead => "invalid lead",
            Kind::Overlong => "overlong",
            Kind::Surrogate => "surrogate",
            Kind::AboveMaximum => "above U+10FFFF",
            Kind::Truncated => "truncated",
            Kind::Incomplete => "incomplete",
            Kind::UnpairedHigh => "unpaired high surrogate",
            Kind::UnpairedLow => "unpaired low surrogate",
            Kind::NotAscii => "not ASCII",
            Kind::SurrogatePair => "surrogate pair",
            Kind::FourByteLead => "four-byte lead",
            Kind::RawNul => "raw NUL",
            Kind::Reserved => "reserved",
        }
    }
}

impl fmt::Display for Kind {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An error of a codec, whose offset is not known yet: the length of the maximal subpart, and the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// At most six.
    len: u32,
    kind: Kind,
}

impl Fault {
    #[inline]
    pub(crate) const fn new(len: usize, kind: Kind) -> Self {
        Fault { len: len as u32, kind }
    }

    /// The length of the maximal subpart, or of the ill-formed unit, in units of the slice: at most six. For a reserved sequence,
    /// which has no maximal length, it is that of the first byte.
    #[inline]
    pub(crate) const fn len(self) -> usize {
        self.len as usize
    }

    /// The rule that is broken.
    #[inline]
    pub(crate) const fn kind(self) -> Kind {
        self.kind
    }

    /// The error at offset `at` of `bytes`, the whole input in an encoding of bytes. (If this is not inlined, the error goes through memory
    /// and is copied, which takes a quarter of the time needed for an error at the start of a text. Modules for the web stay small
    /// instead.)
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn at_byte(self, variant: Variant, bytes: &[u8], at: usize) -> IllFormed {
        // The byte after the subpart is evidence if it broke the rule.
        let breaker = match self.kind {
            Kind::Truncated => variant.has_leads(),
            // Otherwise the sequence is complete, but of a kind that the encoding does not allow.
            Kind::Overlong | Kind::Surrogate | Kind::AboveMaximum => variant.has_leads() && self.len == 1,
            _ => false,
        };
        let bytes = &bytes[at..];
        let len = match self.kind {
            Kind::Reserved => 1 + reserved_continuation(&bytes[1..]),
            _ => self.len(),
        };
        let word = match bytes.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            // Fewer than eight bytes are left.
            None => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        self.with(variant, at, len, word.to_le_bytes(), (len + usize::from(breaker)).min(8) as u8)
    }

    /// The error at offset `at` in an encoding of larger units, where `unit` is the one at that offset.
    #[inline]
    pub(crate) fn at_unit(self, variant: Variant, unit: u32, at: usize) -> IllFormed {
        let width = variant.unit() as u8;
        let [a, b, c, d] = (unit << (32 - 8 * width)).to_be_bytes();
        self.with(variant, at, self.len(), [a, b, c, d, 0, 0, 0, 0], width)
    }

    #[inline]
    fn with(self, variant: Variant, at: usize, len: usize, evidence: [u8; 8], shown: u8) -> IllFormed {
        let mask = u64::MAX >> (64 - 8 * u32::from(shown));
        let evidence = (u64::from_le_bytes(evidence) & mask).to_le_bytes();
        IllFormed { at, len, kind: self.kind, evidence, shown, variant }
    }
}

/// An ill-formed sequence: where it is, how long it is, and which rule it breaks.
///
/// Its `Display` is one sentence, with the bytes in hexadecimal:
///
/// ```
/// let error = runecast::validate::<runecast::Utf8>(b"caf\xE9 noir").unwrap_err();
/// assert_eq!((error.at, error.len), (3, 1));
/// assert_eq!(
///     error.to_string(),
///     "ill-formed at byte 3: E9 begins a character of 3 bytes, but 20 follows, \
///      which is no continuation byte"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct IllFormed {
    /// The offset of the first code unit of the sequence. Everything before it is well-formed. (For the line and column of that
    /// place, see [`Utf8Error`](crate::Utf8Error).)
    ///
    /// In a stream it counts from the beginning of the text. Where pointers have 32 bits, an offset that a `usize` cannot hold is
    /// [`usize::MAX`] here.
    pub at: usize,
    /// The length, in code units: for UTF-8 that of the maximal subpart, 1 to 3; in WTF-8, CESU-8 and modified UTF-8 up to 6, if
    /// the sequence has two surrogates.
    ///
    /// A reserved sequence can have any length: it extends to the next lead byte, or to the end of the input. A stream reports it
    /// at its first byte, so the length is always 1 there, whatever the chunks are, and the stream passes over the rest by itself.
    pub len: usize,
    /// The rule that is broken.
    pub kind: Kind,
    evidence: [u8; 8],
    shown: u8,
    variant: Variant,
}

impl IllFormed {
    /// The bytes of the sequence and, if it broke a rule of UTF-8, the byte after it. Units of `Utf16` and `Utf32` have their most
    /// significant byte first.
    #[must_use]
    #[inline]
    pub fn evidence(&self) -> &[u8] {
        &self.evidence[..usize::from(self.shown)]
    }

    /// The bytes of the sequence, which a repair replaces; at most the first eight.
    #[must_use]
    #[inline]
    pub fn subpart(&self) -> &[u8] {
        if self.variant.has_leads() { &self.evidence[..self.len.min(8)] } else { self.evidence() }
    }

    /// Whether the input merely ended too early, so that more input could complete it.
    #[must_use]
    #[inline]
    pub const fn is_incomplete(&self) -> bool {
        matches!(self.kind, Kind::Incomplete)
    }

    /// The same error in a stream, in which the searched part begins at `offset`. It contains only what is certain whatever
    /// follows, so that it is the same however the text is cut; for a reserved sequence that is the first byte.
    #[inline]
    pub(crate) fn in_stream(self, offset: u64) -> IllFormed {
        let mut error = self.behind(offset);
        if matches!(error.kind, Kind::Reserved) {
            (error.len, error.shown) = (1, 1);
            error.evidence[1..].fill(0);
        }
        error
    }

    /// The same error in a longer text, in which the searched part begins at `offset`.
    #[inline]
    pub(crate) fn behind(self, offset: u64) -> IllFormed {
        IllFormed { at: saturating_offset(offset, self.at), ..self }
    }

    /// The reason alone, without the offset: the second half of the `Display` sentence.
    #[must_use]
    #[inline]
    pub fn reason(&self) -> impl fmt::Display + '_ {
        Reason(self)
    }

    /// The row of Table 3.1b of UTC document L2/00-374R2 that lists this sequence.
    ///
    /// That table, from 2000, was the first to name the ill-formed sequences of UTF-8. It has no row for an unexpected continuation byte,
    /// nor for F1..F3 cut short after the first byte; for these, and for an error at the end of the input, the result is `None`. (Row 11
    /// lists pairs of surrogates; it is also the result for a single one.) The second bytes that its row 6 allows after F0 (A0..BF) were a
    /// mistake; Table 3-7 has 90..BF, and so has runecast.
    #[must_use]
    #[inline]
    pub fn row(&self) -> Option<u8> {
        let lead = self.evidence[0];
        match self.kind {
            _ if self.variant != Variant::Utf8 => None,
            Kind::OverlongLead => Some(1),
            Kind::InvalidLead => Some(2),
            Kind::Surrogate => Some(11),
            Kind::Overlong | Kind::AboveMaximum | Kind::Truncated => match (self.len, lead) {
                (1, 0xC2..=0xDF) => Some(3),
                (1, 0xE0) => Some(4),
                (1, 0xE1..=0xEF) => Some(5),
                (1, 0xF0) => Some(6),
                (1, 0xF4) => Some(7),
                (2, 0xE0..=0xEF) => Some(8),
                (2, _) => Some(9),
                (3, _) => Some(10),
                _ => None,
            },
            _ => None,
        }
    }
}

impl fmt::Debug for IllFormed {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IllFormed")
            .field("at", &self.at)
            .field("len", &self.len)
            .field("kind", &self.kind)
            .field("evidence", &format_args!("{}", Hex(self.evidence())))
            .finish()
    }
}

impl fmt::Display for IllFormed {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Evidence is in bytes: larger units have more bytes of evidence than units.
        let of_units = !self.variant.has_leads() && usize::from(self.shown) > self.len;
        let counted = if of_units { "unit" } else { "byte" };
        write!(f, "ill-formed at {counted} {}: {}", self.at, Reason(self))
    }
}

impl core::error::Error for IllFormed {}

/// `offset + at`, saturating.
#[inline]
pub(crate) fn saturating_offset(offset: u64, at: usize) -> usize {
    usize::try_from(offset).map_or(usize::MAX, |offset| offset.saturating_add(at))
}

struct Reason<'a>(&'a IllFormed);

impl fmt::Display for Reason<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.0;
        let subpart = Hex(error.subpart());
        let (lead, next) = (error.evidence[0], error.evidence[1]);
        if !error.variant.has_leads() {
            return match error.kind {
                Kind::UnpairedHigh => {
                    write!(f, "{subpart} is a high surrogate, but no low one follows")
                }
                Kind::UnpairedLow => {
                    write!(f, "{subpart} is a low surrogate, but no high one comes before it")
                }
                Kind::Surrogate => {
                    write!(f, "{subpart} is a surrogate (U+D800..U+DFFF), which is no character")
                }
                Kind::AboveMaximum => write!(f, "{subpart} is above U+10FFFF"),
                Kind::NotAscii => write!(f, "{subpart} is above 7F, and so not ASCII"),
                _ => write!(f, "{subpart} begins a character, but the input ends here"),
            };
        }
        match error.kind {
            Kind::UnexpectedContinuation => {
                write!(f, "{subpart} is a continuation byte, but no character is open")
            }
            Kind::OverlongLead if lead == 0xC0 && matches!(error.variant, Variant::Mutf8 { .. }) => {
                write!(f, "{subpart} could only begin U+0000, which is C0 80, or an overlong form")
            }
            Kind::OverlongLead => {
                write!(f, "{subpart} could only begin an overlong form of an ASCII character")
            }
            Kind::InvalidLead => write!(f, "no character of Unicode begins with {subpart}"),
            Kind::Overlong => write!(
                f,
                "{lead:02X} {next:02X} begins an overlong form: after {lead:02X} only {} may follow",
                if lead == 0xE0 { "A0..BF" } else { "90..BF" }
            ),
            Kind::Surrogate if error.len > 1 => {
                write!(f, "{subpart} is a surrogate (U+D800..U+DFFF), which is no character")
            }
            Kind::AboveMaximum if error.len > 1 => write!(f, "{subpart} is above U+10FFFF"),
            Kind::Surrogate => write!(
                f,
                "{lead:02X} {next:02X} begins a surrogate (U+D800..U+DFFF), which is no character: \
                 after {lead:02X} only 80..9F may follow"
            ),
            Kind::AboveMaximum => write!(
                f,
                "{lead:02X} {next:02X} begins a code point above U+10FFFF: \
                 after {lead:02X} only 80..8F may follow"
            ),
            Kind::Truncated => write!(
                f,
                "{subpart} begins a character of {} bytes, but {:02X} follows, \
                 which is no continuation byte",
                announced(lead),
                error.evidence[error.len]
            ),
            // The start of a surrogate pair.
            Kind::Incomplete if error.len > 2 && lead == 0xED => {
                write!(f, "{subpart} begins a character of 6 bytes, but the input ends here")
            }
            Kind::Incomplete => write!(
                f,
                "{subpart} begins a character of {} bytes, but the input ends here",
                announced(lead)
            ),
            Kind::UnpairedHigh => {
                write!(f, "{subpart} is a high surrogate, but no low one follows")
            }
            Kind::UnpairedLow => {
                write!(f, "{subpart} is a low surrogate, but no high one comes before it")
            }
            Kind::SurrogatePair => {
                write!(
                    f,
                    "{subpart} are a high and a low surrogate, which must be written as one character of four bytes"
                )
            }
            Kind::FourByteLead => write!(
                f,
                "{subpart} begins a character of four bytes, which this encoding writes as two surrogates of three bytes each"
            ),
            Kind::Reserved => {
                let more = if error.len > error.evidence.len() { " …" } else { "" };
                write!(f, "{subpart}{more} is reserved for future use")
            }
            Kind::RawNul => write!(f, "{subpart} is U+0000, which must be written as C0 80"),
            // Not rules of UTF-8.
            kind => write!(f, "{subpart} is {kind}"),
        }
    }
}

/// The length that a valid lead byte announces: the number of its leading one bits.
#[inline]
const fn announced(lead: u8) -> u32 {
    lead.leading_ones()
}

/// Bytes in hexadecimal: `F0 9F 92`.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{byte:02X}")?;
        }
        Ok(())
    }
}
