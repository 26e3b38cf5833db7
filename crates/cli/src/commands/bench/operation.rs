//! What is measured: the operations.
//!
//! UTF-16 and UTF-32 are little-endian bytes, as in files. An operation is a row of [`ALL`]: which text it reads, and a
//! function for each [`Rival`]. Before anything is timed all rivals must give the same, for a fast wrong answer is
//! worth nothing.
//!
//! All rivals write to the same memory, which is allocated before the clock runs. The functions of std return a new
//! `String` or `Vec`, so what stands for std are the loops that these functions have, over the same iterators
//! ([`by_std`](super::by_std)). That is to its advantage: allocating costs more than it does.

use std::fmt;
use std::hint::black_box;

use runecast::{Encoding, Engine, Latin1, Replacement, Utf8, Utf16Le, Utf32Le};
use runecast_corpus::Random;

use super::rival::{FAILED, Rival, SourceText, Std, Work};
use super::{by_std, machine};
use crate::ui::arguments::bench::OperationName;

/// Something that can be done with text.
pub(super) struct Operation {
    /// The name, for `--only`.
    pub(super) name: OperationName,
    /// What it does, in a few words.
    pub(super) title: &'static str,
    /// The source, made of a text; `None` if the text is of no use here.
    pub(super) source: fn(&str) -> Option<Vec<u8>>,
    /// Whether ill-formed UTF-8 will do as a source.
    pub(super) repairs: bool,
    /// Whether something is written.
    pub(super) writes: bool,
    kernel: fn(Engine, &[u8], &mut [u8]) -> usize,
    std: Std,
    simdutf8: Option<Work>,
}

use Std::{Bytes, Text};

/// Every operation.
pub(super) static ALL: [Operation; 11] = [
    Operation {
        name: OperationName::Validate,
        title: "Is it UTF-8?",
        simdutf8: Some(|src, _| simdutf8::basic::from_utf8(src).is_ok().into()),
        ..question(|engine, src, _| engine.validate::<Utf8>(src).is_ok().into(), Bytes(by_std::validate))
    },
    Operation {
        name: OperationName::IsAscii,
        title: "Is it ASCII?",
        source: |text| text.is_ascii().then(|| text.into()),
        ..question(|engine, src, _| (engine.ascii_prefix(src) == src.len()).into(), Bytes(by_std::is_ascii))
    },
    Operation {
        name: OperationName::Count,
        title: "How many characters are in this UTF-8?",
        ..question(|engine, src, _| engine.count::<Utf8>(src), Text(|text| text.chars().count()))
    },
    Operation {
        name: OperationName::Utf16Length,
        title: "How long will this UTF-8 be in UTF-16?",
        ..question(
            |engine, src, _| engine.transcoded_len::<Utf8, Utf16Le>(src),
            Text(|text| 2 * text.encode_utf16().count()),
        )
    },
    Operation {
        name: OperationName::Utf8ToUtf16,
        title: "From UTF-8 to UTF-16LE",
        ..conversion(convert::<Utf8, Utf16Le>, Bytes(by_std::utf8_to_utf16))
    },
    Operation {
        name: OperationName::Utf16ToUtf8,
        title: "From UTF-16LE to UTF-8",
        source: encoded::<Utf16Le>,
        ..conversion(convert::<Utf16Le, Utf8>, Bytes(by_std::utf16_to_utf8))
    },
    Operation {
        name: OperationName::Utf8ToUtf32,
        title: "From UTF-8 to UTF-32LE",
        ..conversion(convert::<Utf8, Utf32Le>, Bytes(by_std::utf8_to_utf32))
    },
    Operation {
        name: OperationName::Utf32ToUtf8,
        title: "From UTF-32LE to UTF-8",
        source: encoded::<Utf32Le>,
        ..conversion(convert::<Utf32Le, Utf8>, Bytes(by_std::utf32_to_utf8))
    },
    Operation {
        name: OperationName::Utf8ToLatin1,
        title: "From UTF-8 to Latin-1",
        source: western,
        ..conversion(convert::<Utf8, Latin1>, Bytes(by_std::utf8_to_latin1))
    },
    Operation {
        name: OperationName::Latin1ToUtf8,
        title: "From Latin-1 to UTF-8",
        source: |text| encoded::<Latin1>(std::str::from_utf8(&western(text)?).ok()?),
        ..conversion(convert::<Latin1, Utf8>, Bytes(by_std::latin1_to_utf8))
    },
    Operation {
        name: OperationName::Repair,
        title: "UTF-8 with U+FFFD where it is broken",
        source: |text| Some(damaged(text)),
        repairs: true,
        ..conversion(
            |engine, src, dst| {
                let repaired = engine.transcode_lossy::<Utf8, Utf8>(src, dst, Replacement::Whatwg);
                repaired.map_or(FAILED, |repaired| repaired.written)
            },
            Bytes(by_std::repair),
        )
    },
];

/// An operation that reads UTF-8 and writes nothing.
const fn question(kernel: fn(Engine, &[u8], &mut [u8]) -> usize, std: Std) -> Operation {
    Operation { writes: false, ..conversion(kernel, std) }
}

/// An operation that reads UTF-8 and writes something.
const fn conversion(kernel: fn(Engine, &[u8], &mut [u8]) -> usize, std: Std) -> Operation {
    Operation {
        // Every row has its own name and title.
        name: OperationName::Validate,
        title: "",
        source: |text| Some(text.into()),
        repairs: false,
        writes: true,
        kernel,
        std,
        simdutf8: None,
    }
}

fn convert<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(
    engine: Engine,
    src: &[u8],
    dst: &mut [u8],
) -> usize {
    engine.transcode::<S, D>(src, dst).unwrap_or(FAILED)
}

/// The text in another encoding.
fn encoded<D: Encoding<Unit = u8>>(text: &str) -> Option<Vec<u8>> {
    runecast::transcode_to_vec::<Utf8, D>(text.as_bytes()).ok()
}

/// The text without what Latin-1 has no form for, if that is one character in fifty at most: a few dashes and
/// quotes do not make a text in French another one.
fn western(text: &str) -> Option<Vec<u8>> {
    let fits = |character: &char| u32::from(*character) <= 0xFF;
    let kept: String = text.chars().filter(fits).collect();
    let lost = text.chars().count() - kept.chars().count();
    (lost <= kept.chars().count() / 49).then(|| kept.into())
}

/// The text with a byte that is never valid in place of about one character in a thousand, and of one at least.
/// The distances are such that no branch predictor learns them.
fn damaged(text: &str) -> Vec<u8> {
    const RARITY: usize = 1000;
    let mut random = Random::new(1);
    let certain = random.below(text.chars().count().min(RARITY));
    let mut bytes = Vec::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        if random.below(RARITY) == 0 || index == certain {
            bytes.push(0xFF);
        } else {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    bytes
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_str())
    }
}

impl Operation {
    /// The operation of this name.
    pub(super) fn named(name: OperationName) -> &'static Operation {
        &ALL[name as usize]
    }

    /// Who can do it, the kernel in use first.
    pub(super) fn rivals(&self) -> Vec<Rival> {
        let current = Engine::current();
        let others = Engine::available().filter(|&engine| engine != current);
        let kernels = std::iter::once(current).chain(others).map(Rival::Kernel);
        kernels.chain([Rival::Std]).chain(self.simdutf8.map(|_| Rival::Simdutf8)).collect()
    }

    /// Room for what comes of a source, and for a copy of it. There is a little more than needed, as where
    /// someone has allocated for the worst case.
    pub(super) fn room(&self, source: SourceText<'_>) -> Vec<u8> {
        let src = source.bytes;
        const SLACK: usize = 64;
        let written = if self.writes {
            // ASCII in UTF-32 is the worst: a byte becomes four.
            let mut dst = vec![0; 4 * src.len() + SLACK];
            (self.kernel)(Engine::current(), src, &mut dst).min(4 * src.len())
        } else {
            0
        };
        vec![0; written.max(src.len()) + SLACK]
    }

    /// Does it, `times` times. Returns what the last time gave.
    pub(super) fn run(&self, rival: Rival, source: SourceText<'_>, dst: &mut [u8], times: u32) -> usize {
        let SourceText { bytes, text } = source;
        match rival {
            Rival::Kernel(engine) => repeat(times, || (self.kernel)(engine, black_box(bytes), dst)),
            Rival::Std => match self.std {
                Std::Bytes(work) => repeat(times, || work(black_box(bytes), dst)),
                Std::Text(work) => repeat(times, || work(black_box(text))),
            },
            Rival::Simdutf8 => {
                let work = self.simdutf8.unwrap_or(|_, _| FAILED);
                repeat(times, || work(black_box(bytes), dst))
            }
            Rival::Read => repeat(times, || machine::read(black_box(bytes)) as usize),
            Rival::Copy => repeat(times, || machine::copy(black_box(bytes), dst)),
        }
    }

    /// Whether all of these agree, but for the machine: a fast wrong answer is not measured. If not, who does not.
    pub(super) fn dissenter(
        &self,
        rivals: &[Rival],
        source: SourceText<'_>,
        dst: &mut [u8],
    ) -> Option<Rival> {
        let mut expected: Option<(usize, Vec<u8>)> = None;
        rivals.iter().copied().filter(|rival| rival.kind() != "machine").find(|&rival| {
            dst.fill(0);
            let result = self.run(rival, source, dst, 1);
            let written = if self.writes { dst.get(..result).unwrap_or_default() } else { &[] };
            match &expected {
                None => {
                    expected = Some((result, written.to_vec()));
                    result == FAILED
                }
                Some((number, bytes)) => result != *number || written != bytes,
            }
        })
    }
}

#[inline]
fn repeat(times: u32, mut work: impl FnMut() -> usize) -> usize {
    let mut result = 0;
    for _ in 0..times {
        result = black_box(work());
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use runecast_corpus::{Script, generate};

    #[test]
    fn operations_are_in_the_order_of_their_names() {
        for name in OperationName::ALL {
            assert_eq!(Operation::named(name).name, name);
        }
    }

    #[test]
    fn all_rivals_agree_and_write_the_same() {
        for script in Script::ALL {
            for length in [0, 1, 64, 1000, 20_000] {
                let text = generate(script, length, 1);
                for operation in &ALL {
                    let Some(src) = (operation.source)(&text) else { continue };
                    let mut dst = operation.room(SourceText::new(&src));
                    let dissenter = operation.dissenter(&operation.rivals(), SourceText::new(&src), &mut dst);
                    assert_eq!(dissenter, None, "{} {script} {length}", operation.name);
                }
            }
        }
    }

    #[test]
    fn who_answers_or_writes_something_else_is_found() {
        let liar = |work| Operation { simdutf8: Some(work), ..operation(4) };
        fn operation(index: usize) -> Operation {
            let Operation { name, title, source, repairs, writes, kernel, std, simdutf8 } = ALL[index];
            Operation { name, title, source, repairs, writes, kernel, std, simdutf8 }
        }
        let mut dst = vec![0; 100];
        let mut dissenter = |operation: &Operation| {
            operation.dissenter(&operation.rivals(), SourceText::new(b"rune"), &mut dst)
        };
        assert_eq!(dissenter(&operation(4)), None);
        // The right number, but not the right bytes; and the other way round.
        assert_eq!(dissenter(&liar(|_, _| 8)), Some(Rival::Simdutf8));
        let long: Work = |_, dst| {
            dst[..8].copy_from_slice(b"r\0u\0n\0e\0");
            9
        };
        assert_eq!(dissenter(&liar(long)), Some(Rival::Simdutf8));
        // Nobody can convert what is ill-formed.
        let mut dst = vec![0; 100];
        let operation = operation(4);
        assert!(operation.dissenter(&operation.rivals(), SourceText::new(b"\xFF"), &mut dst).is_some());
    }

    #[test]
    fn text_that_is_hardly_western_is_of_no_use_for_latin1() {
        assert_eq!(western("caf\u{e9}").as_deref(), Some("caf\u{e9}".as_bytes()));
        assert_eq!(western("\u{4e00}"), None);
        // One in fifty is left out, and no more than that.
        let fifty = format!("{}\u{2014}", "\u{e9}".repeat(49));
        assert_eq!(western(&fifty), Some("\u{e9}".repeat(49).into_bytes()));
        assert_eq!(western(&fifty["\u{e9}".len()..]), None);
    }

    #[test]
    fn a_damaged_text_has_errors() {
        for script in [Script::Ascii, Script::Emoji] {
            for length in [4, 100, 100_000] {
                let text = generate(script, length, 1);
                let bytes = damaged(&text);
                let (errors, characters) =
                    (bytes.iter().filter(|&&byte| byte == 0xFF).count(), text.chars().count());
                assert!(errors >= 1 && errors <= characters / 500 + 3, "{errors} of {characters}");
                assert!(std::str::from_utf8(&bytes).is_err());
            }
        }
        assert_eq!(damaged(""), b"");
    }
}
