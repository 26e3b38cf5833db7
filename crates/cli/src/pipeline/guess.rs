//! Which older encoding it is, where it is none of Unicode: by `chardetng`, which knows how often letters follow each other.
//!
//! The library finds out whether bytes are Unicode, and whether they lie as in Latin-1; further it does not go. What is left
//! is a guess by the frequencies of languages, and how good it is depends on how much there is to count. So the confidence
//! is 40, and one more for each byte above 7F up to 90: below ten of them nothing is claimed. And a text in which something is
//! malformed in the encoding that was guessed is not in that encoding, but for a character that is cut where reading has stopped.
//!
//! Where chardetng knows nothing it says windows-1252, as pages of the web mostly are that. So this counts only if the bytes lie as in
//! Latin-1, or nearly all are quotes, dashes and apostrophes, and stand where those do: else texts of DOS and of the Macintosh would be that, the
//! surer the longer they are. For the same reason what lies as in Latin-1 is none if signs of windows-1252 are inside of words: é and ł of DOS are.
//!
//! CESU-8 and modified UTF-8 are no guess: what has a surrogate pair in six bytes, and nothing ill-formed, is that.
//!
//! Where the bytes lie as in Latin-1, the question is only which of the encodings that put letters there it is. Of the short texts
//! in thirty languages that `tests/cli/short_texts.rs` has, chardetng takes none in windows-1252 for another from four bytes
//! above 7F on, and is right about nearly all in windows-1250, -1254 and -1257: so its word counts from four on, with a
//! confidence of 50. Where they do not lie so, five to ten bytes are as often macintosh, which it does not know.
//!
//! What a text [declares](crate::pipeline::declaration) is taken for true where it would be a guess, if it can be: with a confidence of 75, and of 95 if
//! the frequencies say the same. It cannot be if something is malformed then, or if it is Latin-1 that is declared, as pages of all languages
//! have it by mistake, and the bytes do not lie so. That bytes are UTF-8, or UTF-16, is no guess: there it is only said if something else is declared.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding};
use runecast::{Content, Detection, Evidence, Scheme};

use crate::pipeline::declaration::{self, Declaration, Named, declaration};
use crate::pipeline::mojibake::{often, undo};

/// So many bytes above 7F say which encoding it is of those that are like Latin-1.
const ENOUGH_LIKE_LATIN1: u64 = 4;

/// So much is looked at, from the first byte above 7F on: more would be slow, and tell hardly more.
const SAMPLE: usize = 64 * 1024;

/// Forms of Unicode that differ from UTF-8 in a few characters, which look like damage.
const CLOSE_TO_UTF8: [Scheme; 2] = [Scheme::Cesu8, Scheme::Mutf8];

/// The form of Unicode that differs from UTF-8 in a few characters, if this is well-formed in it and has some of these
/// characters, and how many. If it is `cut`, the last character may be incomplete.
pub(crate) fn close_to_utf8(bytes: &[u8], cut: bool) -> Option<(Scheme, u64)> {
    CLOSE_TO_UTF8.into_iter().find_map(|scheme| {
        let end = match scheme.validate(bytes) {
            Ok(()) => bytes.len(),
            Err(error) if cut && error.is_incomplete() => error.at,
            Err(_) => return None,
        };
        // The first half of a surrogate pair begins so, and NUL is written so.
        let differs = |pair: &&[u8]| matches!(pair, [0xED, 0xA0..=0xAF] | [0xC0, 0x80]);
        let characters = bytes[..end].windows(2).filter(differs).count();
        (characters > 0).then_some((scheme, characters as u64))
    })
}

/// Collects what there is to guess by.
pub(crate) struct Guesser {
    detector: EncodingDetector,
    sample: Vec<u8>,
    /// Whether the text goes on behind the sample, as far as is known.
    cut: bool,
    /// The beginning, where the text may say what it is.
    head: Vec<u8>,
    named: Named,
}

/// How many of the bytes above 7F are signs in windows-1252, and how many of those that no word has inside are between letters.
#[derive(Default)]
struct Signs {
    high: u64,
    all: u64,
    counted: u64,
    inside: u64,
    /// Dashes and dots between letters, which are not counted in `inside`.
    dashes: u64,
}

impl Signs {
    /// Whether they are nearly all there is, and stand where signs do: quotes and dashes in English.
    fn are_most(&self) -> bool {
        self.all * 4 >= self.high * 3 && (self.inside + self.dashes) * 4 <= self.all
    }

    /// Whether they stand where letters do.
    fn are_letters(&self) -> bool {
        self.inside >= 3 && self.inside * 4 > self.counted
    }
}

/// What bytes are, as far as it is known.
pub(crate) struct Answer {
    /// In a word.
    pub(crate) status: &'static str,
    /// The name of the encoding, if it is text in one.
    pub(crate) encoding: Option<&'static str>,
    /// How certain that is.
    pub(crate) confidence: u8,
    /// What the library found.
    pub(crate) evidence: Evidence,
    /// How many bytes above 7F there were to guess by, if it was guessed.
    pub(crate) guessed_by: Option<u64>,
    /// How many characters UTF-8 writes in another way, if it is [close to UTF-8](close_to_utf8).
    pub(crate) close: Option<u64>,
    /// What the text itself says.
    pub(crate) declared: Option<Declaration>,
    /// How often it was encoded as UTF-8 too often, and how many characters of it are outside of ASCII, as far as it was
    /// looked at.
    pub(crate) mojibake: Option<(u32, u64)>,
}

impl Answer {
    /// The reason, in a sentence.
    pub(crate) fn reason(&self) -> String {
        let reason = match (self.guessed_by, self.close, self.encoding) {
            (_, Some(characters), Some(encoding)) => {
                let plural = if characters == 1 { "" } else { "s" };
                format!("{characters} character{plural} as only {encoding} has them, nothing ill-formed")
            }
            (Some(high), _, Some(encoding)) => {
                format!("{high} bytes above 7F, most likely as letters of {encoding}")
            }
            _ => match self.mojibake {
                Some((times, characters)) => {
                    let (evidence, often) = (self.evidence, often(times));
                    let all = match characters {
                        1 => "its one character outside of ASCII shows".to_owned(),
                        _ => format!("all of {characters} characters show"),
                    };
                    format!("{evidence}; mojibake: encoded again {often}, as {all} (repair --mojibake)")
                }
                None => self.evidence.to_string(),
            },
        };
        match self.declared {
            Some(Declaration { encoding, at }) if self.contradicts() => {
                format!("{reason}; but it declares {encoding} at byte {at}")
            }
            Some(Declaration { encoding, at }) if self.is_declared() => {
                format!("it declares {encoding} at byte {at}; {reason}")
            }
            _ => reason,
        }
    }

    /// Whether the text says that it is something else.
    pub(crate) fn contradicts(&self) -> bool {
        let ascii = self.encoding == Some(Scheme::Ascii.name());
        let agrees = |declared: Declaration| self.is_declared() || ascii && has_ascii(declared.encoding);
        self.declared.is_some_and(|declared| !agrees(declared))
    }

    /// Whether it is what the text says.
    fn is_declared(&self) -> bool {
        let same = |declared: Declaration| match self.encoding {
            Some(encoding) if is_latin1(encoding) => is_latin1(declared.encoding),
            encoding => encoding == Some(declared.encoding),
        };
        self.declared.is_some_and(same)
    }
}

/// Whether this is one of the two that are taken for each other everywhere: only what has quotes and dashes is windows-1252.
fn is_latin1(encoding: &str) -> bool {
    [Scheme::Latin1.name(), encoding_rs::WINDOWS_1252.name()].contains(&encoding)
}

/// Whether bytes below 80 are the same characters in this encoding as in ASCII.
fn has_ascii(encoding: &str) -> bool {
    match Encoding::for_label(encoding.as_bytes()) {
        Some(encoding) => encoding.is_ascii_compatible(),
        None => !["UTF-16", "UTF-32"].iter().any(|wide| encoding.starts_with(wide)),
    }
}

impl Guesser {
    /// At the beginning of a text, in which encodings have these names.
    pub(crate) fn new(named: Named) -> Self {
        let detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        Guesser { detector, sample: Vec::new(), cut: false, head: Vec::new(), named }
    }

    /// The next bytes of the beginning of the text: here it may say what it is.
    pub(crate) fn push_head(&mut self, bytes: &[u8]) {
        self.head.extend(bytes.iter().take(declaration::HEAD - self.head.len()));
    }

    /// Reads the next bytes, of any part of the text.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let begin = match self.sample.is_empty() {
            true => bytes.iter().position(|byte| *byte > 0x7F).unwrap_or(bytes.len()),
            false => 0,
        };
        // A word before the first letter that is not ASCII tells something, too.
        let begin = begin.saturating_sub(16);
        let room = SAMPLE - self.sample.len();
        let bytes = &bytes[begin..];
        self.cut |= bytes.len() > room;
        let bytes = &bytes[..bytes.len().min(room)];
        if !bytes.is_ascii() || !self.sample.is_empty() {
            self.detector.feed(bytes, false);
            self.sample.extend_from_slice(bytes);
        }
    }

    /// The text goes on, but no more of it is read: the last character may be cut.
    pub(crate) fn cut(&mut self) {
        self.cut = true;
    }

    /// What the bytes are, of which the library has found this.
    pub(crate) fn answer(&self, found: &Detection) -> Answer {
        let Detection { content, confidence, evidence, .. } = *found;
        let (status, encoding) = match content {
            Content::Text(scheme) => ("text", Some(scheme.name())),
            Content::Mixed => ("mixed", None),
            Content::Binary => ("binary", None),
            _ => ("unknown", None),
        };
        let declared = declaration(&self.head, self.named);
        let answer = Answer {
            status,
            encoding,
            confidence,
            evidence,
            guessed_by: None,
            close: None,
            declared,
            mojibake: None,
        };
        let is_foreign = match evidence {
            Evidence::SingleBytes { .. } | Evidence::TwoEncodings { .. } => true,
            Evidence::Damage { .. } | Evidence::Foreign { .. } => true,
            Evidence::Units { .. } => confidence <= 50,
            _ => false,
        };
        if is_foreign && let Some((scheme, characters)) = close_to_utf8(&self.sample, self.cut) {
            let least = if scheme == Scheme::Cesu8 { 95 } else { 75 };
            let confidence = (least + characters.min(4)) as u8;
            return Answer {
                status: "text",
                encoding: Some(scheme.name()),
                confidence,
                close: Some(characters),
                ..answer
            };
        }
        let high = self.sample.iter().filter(|byte| **byte > 0x7F).count() as u64;
        let guess = self.guess();
        let guessed = Answer {
            status: "text",
            encoding: Some(guess.name()),
            confidence: (40 + high.min(50)) as u8,
            evidence,
            guessed_by: Some(high),
            close: None,
            declared,
            mojibake: None,
        };
        if let Some(declared) = declared
            && let Some(encoding) = self.confirmed(declared.encoding, found)
        {
            let least = if guess.name() == encoding { 95 } else { 75 };
            return Answer {
                status: "text",
                encoding: Some(encoding),
                confidence: confidence.max(least),
                ..answer
            };
        }
        match (content, evidence) {
            (Content::Text(Scheme::Utf8), Evidence::Utf8 { .. } | Evidence::Mark(_)) => {
                Answer { mojibake: self.mojibake(), ..answer }
            }
            // Letters of a code page of DOS, where windows-1252 has quotes and Latin-1 has control characters.
            (Content::Text(Scheme::Latin1), Evidence::SingleBytes { windows: 1.., .. })
                if guess == encoding_rs::WINDOWS_1252 && self.signs().are_letters() =>
            {
                Answer { status: "unknown", encoding: None, confidence: 50, ..answer }
            }
            // Quotes and dashes where Latin-1 has control characters.
            (Content::Text(Scheme::Latin1), Evidence::SingleBytes { windows: 1.., .. })
                if guess == encoding_rs::WINDOWS_1252 =>
            {
                Answer { encoding: Some(guess.name()), ..answer }
            }
            (Content::Text(Scheme::Latin1), _) if guess == encoding_rs::WINDOWS_1252 => answer,
            // What it says if it knows nothing, and the bytes do not lie so.
            (Content::Unknown, _) if guess == encoding_rs::WINDOWS_1252 && !self.signs().are_most() => answer,
            (Content::Text(Scheme::Latin1) | Content::Unknown, _)
                if guessed.confidence > 50 && self.is_well_formed(guess) =>
            {
                guessed
            }
            (Content::Text(Scheme::Latin1), _)
                if high >= ENOUGH_LIKE_LATIN1 && guess.is_single_byte() && self.is_well_formed(guess) =>
            {
                Answer { confidence: 50, ..guessed }
            }
            (Content::Text(_), Evidence::Units { .. }) if confidence < 50 => {
                match guessed.confidence >= 50 && self.is_well_formed(guess) {
                    true => guessed,
                    false => Answer { status: "unknown", encoding: None, ..answer },
                }
            }
            (Content::Text(_), _) if confidence < 50 => {
                Answer { status: "unknown", encoding: None, ..answer }
            }
            _ => answer,
        }
    }

    /// Where the signs of windows-1252 stand.
    fn signs(&self) -> Signs {
        let mut signs = Signs::default();
        let letter = |at: Option<usize>| {
            at.and_then(|at| self.sample.get(at)).is_some_and(|byte| byte.is_ascii_alphabetic())
        };
        for (at, byte) in self.sample.iter().enumerate().filter(|(_, byte)| **byte > 0x7F) {
            signs.high += 1;
            match byte {
                // Between letters apostrophes mostly stand, and dashes and dots sometimes.
                0x92 => signs.all += 1,
                0x85 | 0x96 | 0x97 => {
                    signs.all += 1;
                    signs.dashes += u64::from(letter(at.checked_sub(1)) && letter(Some(at + 1)));
                }
                0x80 | 0x82 | 0x84 | 0x86..=0x89 | 0x8B | 0x91 | 0x93..=0x95 | 0x98 | 0x99 | 0x9B => {
                    signs.all += 1;
                    signs.counted += 1;
                    signs.inside += u64::from(letter(at.checked_sub(1)) && letter(Some(at + 1)));
                }
                _ => {}
            }
        }
        signs
    }

    /// The encoding that is declared, if it is true, as far as can be seen, and no more is known.
    fn confirmed(&self, declared: &'static str, found: &Detection) -> Option<&'static str> {
        let encoding = match (found.content, found.evidence) {
            (Content::Text(Scheme::Latin1), Evidence::SingleBytes { windows, .. }) if is_latin1(declared) => {
                return Some(if windows > 0 {
                    encoding_rs::WINDOWS_1252.name()
                } else {
                    Scheme::Latin1.name()
                });
            }
            _ if is_latin1(declared) => None,
            (Content::Text(Scheme::Latin1) | Content::Unknown, _) => self.if_well_formed(declared),
            // As much of it may be UTF-8 by accident, if characters have two bytes.
            (
                Content::Mixed,
                Evidence::TwoEncodings { sequences, ill_formed, .. }
                | Evidence::Damage { sequences, ill_formed, .. },
            ) if sequences <= ill_formed => {
                self.if_well_formed(declared).filter(|encoding| !encoding.is_single_byte())
            }
            _ => None,
        };
        encoding.map(Encoding::name)
    }

    /// The encoding of this name, if nothing in the sample is malformed in it.
    fn if_well_formed(&self, name: &str) -> Option<&'static Encoding> {
        Encoding::for_label(name.as_bytes()).filter(|encoding| self.is_well_formed(encoding))
    }

    /// What it most likely is, if it is none of Unicode.
    fn guess(&self) -> &'static Encoding {
        let guess = self.detector.guess(None, Utf8Detection::Deny);
        // It does not tell these two apart, which differ in eight Ukrainian letters.
        let ukrainian = |byte: &u8| matches!(byte, 0xA4 | 0xA6 | 0xA7 | 0xAD | 0xB4 | 0xB6 | 0xB7 | 0xBD);
        match guess == encoding_rs::KOI8_U && !self.sample.iter().any(ukrainian) {
            true => encoding_rs::KOI8_R,
            false => guess,
        }
    }

    /// Whether the sample, which is UTF-8, was encoded too often. A run that may go on behind it is left out.
    fn mojibake(&self) -> Option<(u32, u64)> {
        let text = match runecast::from_utf8(&self.sample) {
            Ok(text) => text,
            Err(error) => runecast::from_utf8(&self.sample[..error.valid_up_to()]).unwrap_or_default(),
        };
        let whole = || undo(text.trim_end_matches(|character: char| !character.is_ascii()));
        undo(text).or_else(whole).map(|undone| (undone.times, undone.characters))
    }

    /// Whether all of the sample is text in an encoding, but for a character that is cut at its end.
    fn is_well_formed(&self, encoding: &'static Encoding) -> bool {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut text = vec![0; 4 * self.sample.len() + 16];
        let (result, _, _) = decoder.decode_to_utf8_without_replacement(&self.sample, &mut text, !self.cut);
        result == DecoderResult::InputEmpty
    }
}
