//! What bytes of unknown origin are: in which encoding, or no text at all; how certain that is, and why.
//!
//! Some answers are **guaranteed**: that a complete text is ASCII, or well-formed UTF-8, is a fact about its bytes. All others
//! are **guesses**, with a confidence from 0 to 100 that is not a probability: it ranks the answers, so that a caller can
//! choose from which confidence on to act. The basis of each answer is an [`Evidence`].
//!
//! The conditions, from the first to the last, are listed at [`Detection`], where users can read them.
//!
//! **Why this way.** The validator goes over the text, and single bytes are looked at only in the first 4 KiB and in ill-formed
//! sequences. Control characters and lead bytes are counted besides, in a plain loop that is compiled for each instruction set,
//! and dominates the cost of a long text: with AVX-512 27 GB/s of ASCII and 20 of Greek, where validation alone has 150 and 54
//! (256 KiB, one run, a busy machine); with AVX2 17 and 12, with SSE4.2 9 and 6.5. The first 4 KiB are kept, and evaluated when
//! an answer is wanted: counters would have to go on in the middle of a unit wherever a chunk ends. No statistics of languages
//! are used: a table of frequencies for each would be larger than all of this.
//!
//! **How often it is right.** Of pieces of the corpus (28 kinds of text in UTF-8, UTF-16 and UTF-32 of both orders, 20 500
//! pieces of each length) 98.4 % are recognised from 4 bytes, 99.1 % from 8, 99.5 % from 16 and from 32, and all from 64
//! on. French and German in windows-1252 is Latin-1 in 97.1 % of pieces of 16 bytes that are not ASCII, 98.5 % of 32, 99.3 % of
//! 64, and all from 256 on.
//!
//! - [`bytes`]: the evidence about encodings whose units are bytes.
//! - [`units`]: the evidence about UTF-16 and UTF-32.
//! - [`evidence`]: what is reported.

mod bytes;
mod evidence;
mod units;

use core::fmt;

use crate::corrected;
use crate::dynamic::Scheme;

use bytes::ByteCounts;
use units::{UnitCounts, UnitsReading};

pub use evidence::Evidence;

/// What bytes of unknown origin are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// Text in this encoding.
    Text(Scheme),
    /// Text that is mostly, but not entirely, UTF-8.
    Mixed,
    /// Text in an encoding that this crate does not know, or data that looks like it.
    Unknown,
    /// Not text.
    Binary,
}

impl Content {
    /// The encoding, if it is text in an encoding of this crate.
    #[must_use]
    #[inline]
    pub const fn scheme(self) -> Option<Scheme> {
        match self {
            Content::Text(scheme) => Some(scheme),
            _ => None,
        }
    }
}

impl fmt::Display for Content {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Content::Text(scheme) => scheme.name(),
            Content::Mixed => "mixed",
            Content::Unknown => "unknown",
            Content::Binary => "binary",
        })
    }
}

/// What bytes of unknown origin are, how certain that is, and why.
///
/// `Display` writes all three: `UTF-16LE, 99 % sure: …`.
///
/// That a complete text is ASCII, or well-formed UTF-8, is a fact. All other answers are guesses. The first condition that
/// holds decides:
///
/// | condition | answer | confidence |
/// |---|---|---|
/// | no bytes | ASCII | 100 |
/// | begins with the magic number of Corrected UTF-8 | that | 100 |
/// | begins with a byte order mark | its scheme; FF FE 00 00 is UTF-32LE | 99 |
/// | NUL bytes, many controls or not UTF-8, and the first 4 KiB make sense as UTF-32, or as UTF-16 and not mostly as UTF-8 | that scheme | 74–99, 45–99; at most 50 if both orders do or a unit is cut; below 50 for UTF-16 without letters, spaces and punctuation, or with these from all over Unicode |
/// | NUL bytes | binary; mixed if there are few in a long text of UTF-8 | 80–99; 70 |
/// | controls other than BS to CR and ESC: more than 10 % in UTF-8, 2 % elsewhere | binary | 70–99 |
/// | all ASCII | ASCII | 100; 80 while more may follow |
/// | well-formed UTF-8 | UTF-8 | 60 for one multi-byte character that is cut; 80, 95, 99 for one, two, three; 100 for 16 in a complete text |
/// | bytes as in Latin-1, and little or no UTF-8 | Latin-1 | 50 for one such byte, else 56–85; at most 65 with bytes in 80..9F |
/// | the same, and UTF-8 as well | mixed: two encodings | 60–95 |
/// | at least as many multi-byte characters as ill-formed sequences | mixed: damaged UTF-8 | 60–95 |
/// | everything else | unknown | 50–90 |
///
/// **A text that is cut** in the middle of a character counts as well-formed as long as more may follow: [`Detector::verdict`] is about
/// the beginning of a text, [`Detector::finish`] about a complete one.
///
/// **How much has to be read.** A byte order mark is certain after four bytes, the magic number of Corrected UTF-8 after eight. UTF-16, UTF-32 and
/// binary are decided on the first 4 KiB, and what follows is not examined. UTF-8 is practically certain after 64
/// characters of more than one byte, though ill-formed sequences may follow. ASCII is never certain before the end, because
/// one byte after a gigabyte may change the answer. [`Detector::push`] says when more would not help. The answer depends only on
/// the bytes that were pushed, and not on how they were cut into chunks.
///
/// **What is not distinguished.** All encodings of one byte per character are Latin-1 here, if they are used as in Western and
/// Central Europe: ISO 8859-2, -9, -15 and windows-1252 have other letters at the same bytes, and only the frequencies of a
/// language could tell. Cyrillic, Greek or Thai in one byte, and Shift_JIS, GBK, Big5 and similar encodings, are unknown.
/// CESU-8 and modified UTF-8 are not recognised: where they differ from UTF-8 they are ill-formed sequences. UTF-7, HZ and ISO-2022-JP
/// are ASCII, which they were designed to look like; ISO-2022-KR, whose shifts are control characters, is mostly binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Detection {
    /// What the bytes are.
    pub content: Content,
    /// How certain that is: from 0 to 100, which is beyond doubt. Not a probability.
    pub confidence: u8,
    /// What the answer is based on.
    pub evidence: Evidence,
}

impl Detection {
    /// The encoding, if it is text in an encoding of this crate.
    #[must_use]
    #[inline]
    pub const fn scheme(&self) -> Option<Scheme> {
        self.content.scheme()
    }
}

impl fmt::Display for Detection {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} % sure: {}", self.content, self.confidence, self.evidence)
    }
}

/// What `bytes` are: a complete text, from its beginning to its end.
///
/// The text is read at several gigabytes per second, until the answer is certain, which is mostly at its end. For the beginning of a
/// longer text there is a [`Detector`]. It never panics, and does not allocate.
///
/// ```
/// use runecast::{Content, Scheme, detect};
///
/// assert_eq!(detect("rūna".as_bytes()).scheme(), Some(Scheme::Utf8));
/// assert_eq!(detect(b"r\0\x6B\x01n\0a\0").scheme(), Some(Scheme::Utf16Le));
/// assert_eq!(detect(b"\x7FELF\x02\x01\x01\0\0\0").content, Content::Binary);
///
/// let latin1 = detect(b"tout \xE0 coup, l'\xE9t\xE9");
/// assert_eq!(latin1.scheme(), Some(Scheme::Latin1));
/// assert_eq!(
///     latin1.to_string(),
///     "Latin-1, 59 % sure: 3 single bytes above 7F, 3 of them letters in Latin-1"
/// );
/// ```
///
/// From bytes of unknown origin to text: a byte order mark is part of the bytes, and [`Label::split_mark`](crate::Label::split_mark)
/// takes it off. (For [`Scheme::CorrectedUtf8`], which is known by its magic number,
/// [`strip_magic`](crate::corrected::strip_magic) does that.)
///
/// ```
/// use runecast::{Bom, Label, Replacement, Scheme, detect};
///
/// fn text_of(bytes: &[u8]) -> Option<String> {
///     let found = detect(bytes);
///     let scheme = found.scheme().filter(|_| found.confidence >= 50)?;
///     let (scheme, text) = Label::from(scheme).split_mark(bytes, Bom::Strip);
///     Some(scheme.repair(text, Replacement::Whatwg).into_owned())
/// }
///
/// assert_eq!(text_of(b"\xFF\xFEr\0\xFA\0").as_deref(), Some("rú"));
/// assert_eq!(text_of(b"l'\xE9t\xE9 \xE0 Caen").as_deref(), Some("l'été à Caen"));
/// assert_eq!(text_of(b"\x7FELF\x02\x01\x01\0\0\0"), None);
/// ```
#[must_use]
#[inline]
pub fn detect(bytes: &[u8]) -> Detection {
    let mut state = DetectorState::default();
    let mut rest = bytes;
    while !rest.is_empty() && !state.settled {
        let (piece, later) = state.piece(rest);
        state.take(piece, bytes);
        rest = later;
    }
    state.finish(bytes)
}

/// The length of the head: UTF-16, UTF-32 and binary are decided on the first bytes.
const HEAD: usize = 4096;

/// Behind the head, the detector checks after each block of so many bytes whether more could change the answer.
const BLOCK: u64 = 64 * 1024;

/// So many multi-byte characters of UTF-8 are beyond chance.
const ENOUGH_SEQUENCES: u64 = 64;

/// So many ill-formed sequences suffice to tell what kind they are.
const ENOUGH_ILL_FORMED: u64 = 1024;

/// Finds out what text that arrives in chunks is, and says when it has read enough.
///
/// A detector keeps the first 4 KiB, and counts the rest. It never panics, and does not allocate.
///
/// ```
/// use runecast::{Detector, Scheme};
///
/// let mut detector = Detector::new();
/// for chunk in [&b"\xEF"[..], b"\xBB\xBFonce", b" upon a time"] {
///     if detector.push(chunk) {
///         break; // the byte order mark is complete in the second chunk
///     }
/// }
/// assert_eq!(detector.verdict().scheme(), Some(Scheme::Utf8));
/// ```
#[derive(Clone)]
pub struct Detector {
    head: [u8; HEAD],
    state: DetectorState,
}

impl Detector {
    /// At the beginning of a text.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Detector { head: [0; HEAD], state: DetectorState::default() }
    }

    /// Reads the next chunk. Returns whether enough has been read: more text would hardly change the answer. But for marks, that is
    /// looked at after 4 KiB, and then whenever there are 64 KiB more. More may be pushed all the same, which finds ill-formed
    /// sequences further on; where it does, not enough may have been read any more.
    #[inline]
    pub fn push(&mut self, chunk: &[u8]) -> bool {
        let mut rest = chunk;
        while !rest.is_empty() && !self.state.settled {
            let (piece, later) = self.state.piece(rest);
            let head_len = self.state.head_len();
            if head_len < HEAD {
                self.head[head_len..head_len + piece.len()].copy_from_slice(piece);
            }
            self.state.take(piece, &self.head);
            rest = later;
        }
        self.state.sure || self.state.has_certain_mark(&self.head)
    }

    /// What the text is, judging by the bytes so far: it may go on, and the last character may be cut.
    #[must_use]
    #[inline]
    pub fn verdict(&self) -> Detection {
        self.state.detect(&self.head, false)
    }

    /// What the text is, if it ends here.
    #[must_use]
    #[inline]
    pub fn finish(self) -> Detection {
        self.state.finish(&self.head)
    }

    /// How many of the bytes that were pushed have been read.
    #[must_use]
    #[inline]
    pub const fn seen(&self) -> u64 {
        self.state.seen
    }
}

/// The state of a detection, except for the head of the text, which is passed to each method.
///
/// A `head` begins with the first bytes of the text: as many as have been read, up to [`HEAD`].
#[derive(Clone, Copy, Default)]
struct DetectorState {
    /// Bytes that have been read.
    seen: u64,
    bytes: ByteCounts,
    /// Whether more text would hardly change the answer.
    sure: bool,
    /// Whether more text is not read any more.
    settled: bool,
}

impl DetectorState {
    /// How much of the head is known.
    #[inline]
    fn head_len(&self) -> usize {
        self.seen.min(HEAD as u64) as usize
    }

    #[inline]
    fn head<'a>(&self, head: &'a [u8]) -> &'a [u8] {
        &head[..self.head_len()]
    }

    /// How many bytes are left to the end of the head or of a block, where the answer is checked.
    #[inline]
    fn room(&self) -> usize {
        match HEAD - self.head_len() {
            0 => (BLOCK - self.seen % BLOCK) as usize,
            room => room,
        }
    }

    /// The piece of `text` to be read next, and the rest.
    #[inline]
    fn piece<'a>(&self, text: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        text.split_at(self.room().min(text.len()))
    }

    /// Reads a piece. The part of it that belongs to the head is in `head` already.
    #[inline]
    fn take(&mut self, piece: &[u8], head: &[u8]) {
        let (before, room) = (self.head_len(), self.room());
        self.bytes.push(piece);
        self.seen += piece.len() as u64;
        if self.seen >= 8 && before < 8 && self.by_mark(head).is_some() {
            (self.sure, self.settled) = (true, true);
        }
        if piece.len() == room {
            self.update_settled(head);
        }
    }

    /// What the text is, which ends here.
    #[inline]
    fn finish(mut self, head: &[u8]) -> Detection {
        // A text that was not read to its end cannot end in the middle of a character.
        if !self.settled {
            self.bytes.end();
        }
        self.detect(head, !self.settled)
    }

    /// What a byte order mark or magic number says.
    #[inline]
    fn by_mark(&self, head: &[u8]) -> Option<Detection> {
        let head = self.head(head);
        if corrected::has_magic(head) {
            let content = Content::Text(Scheme::CorrectedUtf8);
            return Some(Detection { content, confidence: 100, evidence: Evidence::Magic });
        }
        let scheme = Scheme::of_mark(head)?;
        Some(Detection { content: Content::Text(scheme), confidence: 99, evidence: Evidence::Mark(scheme) })
    }

    /// Whether there is a byte order mark that cannot be the beginning of a longer one.
    #[inline]
    fn has_certain_mark(&self, head: &[u8]) -> bool {
        let found = self.by_mark(head).is_some();
        let head = self.head(head);
        let longer = |mark: &[u8]| mark.len() > head.len() && mark.starts_with(head);
        found && !Scheme::MARKED.iter().any(|scheme| longer(scheme.mark()))
    }

    /// Checks whether more text could change the answer.
    #[inline]
    fn update_settled(&mut self, head: &[u8]) {
        let Detection { content, confidence, evidence } = self.detect(head, false);
        let counts = &self.bytes;
        let decided = match content {
            _ if matches!(evidence, Evidence::Units { .. }) => true,
            Content::Binary => confidence >= 85,
            Content::Text(Scheme::Ascii | Scheme::Utf8) => false,
            _ => counts.ill_formed >= ENOUGH_ILL_FORMED,
        };
        self.settled |= decided;
        self.sure = decided || content == Content::Text(Scheme::Utf8) && counts.sequences >= ENOUGH_SEQUENCES;
    }

    #[inline]
    fn detect(&self, head: &[u8], whole: bool) -> Detection {
        let counts = &self.bytes;
        if self.seen == 0 {
            let content = Content::Text(Scheme::Ascii);
            return Detection { content, confidence: 100, evidence: Evidence::Empty };
        }
        if let Some(found) = self.by_mark(head) {
            return found;
        }
        let suspect = counts.nul > 0 || counts.ill_formed > 0 || counts.controls > self.seen / 10;
        if suspect
            && self.seen <= HEAD as u64
            && let Some(UnitsReading { scheme, confidence, counts, rival }) =
                units::best_reading(self.head(head), whole, counts.is_mostly_utf8())
        {
            let UnitCounts { units, plausible, telling, .. } = counts;
            let evidence = Evidence::Units { scheme, units, plausible, telling, rival };
            return Detection { content: Content::Text(scheme), confidence, evidence };
        }
        self.not_text().unwrap_or_else(|| self.text(whole))
    }

    /// Binary data, and text with bytes that do not belong there.
    #[inline]
    fn not_text(&self) -> Option<Detection> {
        let ByteCounts { nul, first_nul, controls, ill_formed, .. } = self.bytes;
        let bytes = self.seen;
        let (content, confidence, evidence) = if nul > 0 {
            let evidence = Evidence::Nul { count: nul, first: first_nul };
            match ill_formed == 0 && bytes >= HEAD as u64 && nul.saturating_mul(256) < bytes {
                true => (Content::Mixed, 70, evidence),
                false => (Content::Binary, 80 + nul.min(19) as u8, evidence),
            }
        } else {
            let usual = if ill_formed == 0 { bytes / 10 } else { bytes / 50 };
            if controls <= usual {
                return None;
            }
            let evidence = Evidence::Controls { count: controls, bytes };
            (Content::Binary, 70 + controls.min(29) as u8, evidence)
        };
        Some(Detection { content, confidence, evidence })
    }

    /// Text whose units are bytes, at least for the most part.
    #[inline]
    fn text(&self, whole: bool) -> Detection {
        let ByteCounts { sequences, ill_formed, first, high, letters, windows, .. } = self.bytes;
        let bytes = self.seen;
        let few = |from: u64, most: u64, count: u64| (from + count).min(most) as u8;
        let latin1 = self.bytes.is_like_latin1();
        let (content, confidence, evidence) = match (ill_formed, sequences) {
            // The only multi-byte character, if it is one, has been cut.
            (0, 0) if self.bytes.has_incomplete() => {
                (Content::Text(Scheme::Utf8), 60, Evidence::Utf8 { sequences: 1, whole })
            }
            (0, 0) => {
                let confidence = if whole { 100 } else { 80 };
                (Content::Text(Scheme::Ascii), confidence, Evidence::Ascii { bytes, whole })
            }
            (0, _) => {
                let confidence = match sequences {
                    16.. if whole => 100,
                    3.. => 99,
                    2 => 95,
                    _ => 80,
                };
                (Content::Text(Scheme::Utf8), confidence, Evidence::Utf8 { sequences, whole })
            }
            _ if latin1 && (sequences >= ill_formed || sequences >= 2 && sequences * 20 >= ill_formed) => {
                let evidence = Evidence::TwoEncodings { sequences, ill_formed, first };
                (Content::Mixed, few(60, 95, sequences.min(ill_formed.saturating_mul(4))), evidence)
            }
            _ if latin1 => {
                let most = if windows > 0 { 65 } else { 85 };
                let evidence = Evidence::SingleBytes { high, letters, windows };
                (
                    Content::Text(Scheme::Latin1),
                    few(50, most, if high > 1 { 3 * high.min(12) } else { 0 }),
                    evidence,
                )
            }
            _ if sequences >= ill_formed => {
                (Content::Mixed, few(60, 95, sequences), Evidence::Damage { sequences, ill_formed, first })
            }
            _ => (Content::Unknown, few(50, 90, ill_formed), Evidence::Foreign { ill_formed, first }),
        };
        Detection { content, confidence, evidence }
    }
}

impl Default for Detector {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Detector {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Detector");
        debug
            .field("seen", &self.seen())
            .field("sure", &self.state.sure)
            .field("verdict", &self.verdict())
            .finish()
    }
}
