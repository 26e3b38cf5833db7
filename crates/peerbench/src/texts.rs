//! The texts: generated ones, files, and many short strings cut out of either.
//!
//! A text is repeated or cut to one size, so that every row is measured in the same level of the
//! cache; it ends at a character boundary, and begins at an alignment that suits no vector.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use runecast_corpus::{Random, Script, generate};

use crate::peer::{Buffer, Input};

/// The seed of all texts: another one gives other words, and the same numbers up to noise.
pub const SEED: u64 = 1;

/// A row's text.
#[derive(Debug)]
pub struct Text {
    /// The row's name.
    pub name: String,
    /// What is measured.
    pub input: Input,
}

/// A text before it has become bytes at some place.
#[derive(Clone, Debug)]
pub struct Manuscript {
    /// The row's name.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Manuscript {
    /// The text as it is, in UTF-8.
    pub fn utf8(&self, align: usize) -> Text {
        Text { name: self.name.clone(), input: Input::Whole(Buffer::new(self.text.as_bytes(), align)) }
    }
}

/// The generated texts, of `size` bytes each.
pub fn generated(size: usize) -> Vec<Manuscript> {
    Script::ALL.into_iter().map(|script| of_script(script, size)).collect()
}

/// A generated text of `size` bytes.
pub fn of_script(script: Script, size: usize) -> Manuscript {
    Manuscript { name: script.name().to_owned(), text: generate(script, size, SEED) }
}

/// The texts of files, and of all files in directories, repeated or cut to `size` bytes.
///
/// Files that are not UTF-8 are left out, with a word on standard error: all peers would stop at
/// the same error, and the row would say nothing about the rest.
pub fn files(paths: &[PathBuf], size: usize) -> Result<Vec<Manuscript>> {
    let mut texts = Vec::new();
    for file in listings(paths)? {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        match std::str::from_utf8(&bytes) {
            Ok("") => eprintln!("peerbench: {} is empty: left out", file.display()),
            Ok(text) => texts.push(Manuscript {
                name: file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
                text: fit(text, size),
            }),
            Err(error) => eprintln!("peerbench: {} is not UTF-8: left out ({error})", file.display()),
        }
    }
    Ok(texts)
}

/// The files that `paths` name.
pub fn listings(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    Ok(paths.iter().map(|path| listing(path)).collect::<Result<Vec<_>>>()?.concat())
}

/// The files that `path` names: itself, or those directly in it, by name.
fn listing(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.with_context(|| format!("cannot list {}", path.display()))?.path();
        if file.is_file() {
            files.push(file);
        }
    }
    if files.is_empty() {
        bail!("no files in {}", path.display());
    }
    files.sort();
    Ok(files)
}

/// `text`, repeated or cut to at most `size` bytes, whole characters.
pub fn fit(text: &str, size: usize) -> String {
    let mut fitted = text.repeat(size.div_ceil(text.len()));
    let cut = (0..=size).rev().find(|&at| fitted.is_char_boundary(at));
    fitted.truncate(cut.unwrap_or(0));
    fitted
}

/// How many short strings of up to `longest` bytes are packed together: some four megabytes.
///
/// No two texts of a service are the same. So there must be more branches than the predictor can learn by heart, and the predictors of
/// today learn what is in some hundred kilobytes. (With 512 strings, a validator with a branch for each vector looked twice as fast on
/// German as it is on texts that it has not seen.)
fn strings_of(longest: usize) -> usize {
    ((4 << 20) / longest).clamp(512, 16 << 10)
}

/// Many strings of `shortest..=longest` bytes, out of text in `script`, at odd places.
///
/// Each begins and ends at a character boundary: its length is the nearest that allows it, and at
/// least one character.
pub fn short_strings(script: Script, shortest: usize, longest: usize, align: usize) -> Input {
    // Long ones should be different, too.
    let source = generate(script, (64 << 10).max(strings_of(longest) / 2 * longest), SEED);
    cut(&source, shortest, longest, align)
}

/// As many bytes should a text have of which many short ones are [`cut`].
pub const CUT_FROM: usize = 2 << 20;

/// Many strings of `shortest..=longest` bytes, out of `source`, at odd places, as [`short_strings`].
pub fn cut(source: &str, shortest: usize, longest: usize, align: usize) -> Input {
    let strings = strings_of(longest);
    let mut random = Random::new(SEED ^ (shortest as u64) << 32 ^ longest as u64);
    let boundary_at_or_behind = |mut at: usize| {
        while !source.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let (mut pack, mut spans) = (Vec::new(), Vec::new());
    for _ in 0..strings {
        let len = random.between(shortest, longest);
        let from = boundary_at_or_behind(random.below(source.len() - longest - 8));
        let behind = boundary_at_or_behind(from + len);
        let before = (from + 1..=from + len).rev().find(|&at| source.is_char_boundary(at));
        let to = match before {
            Some(before) if from + len - before <= behind - (from + len) => before,
            _ => behind,
        };
        pack.resize(pack.len() + random.below(32), b'.');
        spans.push((pack.len(), pack.len() + to - from));
        pack.extend_from_slice(&source.as_bytes()[from..to]);
    }
    Input::Packed(Buffer::new(&pack, align), spans)
}

/// As many bytes do [`buffers`] have together: more than any predictor learns, and less than the last cache holds.
pub const BUFFERS: usize = 4 << 20;

/// `source` in buffers of about `size` bytes, one behind the other, as a service receives them: no text comes twice.
pub fn buffers(source: &str, size: usize, align: usize) -> Input {
    buffers_of(source.as_bytes(), size, align, |at| source.is_char_boundary(at))
}

/// The same of any bytes, which may be cut at these places.
pub fn buffers_of(source: &[u8], size: usize, align: usize, may_cut: impl Fn(usize) -> bool) -> Input {
    let mut random = Random::new(SEED ^ size as u64);
    let (mut pack, mut spans) = (Vec::new(), Vec::new());
    let mut from = 0;
    while source.len() - from >= size {
        let to = (from..=from + size).rev().find(|&at| may_cut(at)).unwrap_or(from);
        // (Code units begin at even places.)
        pack.resize(pack.len() + 2 * random.below(16), b'.');
        spans.push((pack.len(), pack.len() + to - from));
        pack.extend_from_slice(&source[from..to]);
        from = to;
    }
    Input::Packed(Buffer::new(&pack, align), spans)
}

/// At least `size` bytes of text like `source`, which may be short: pieces of some hundred bytes from random places of it, so that what
/// a predictor has learned of one hardly helps with what follows.
pub fn shuffled(source: &str, size: usize) -> String {
    let mut random = Random::new(SEED ^ source.len() as u64);
    let boundary = |mut at: usize| {
        while !source.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let mut text = String::new();
    while text.len() < size {
        let from = boundary(random.below(source.len()));
        let to = boundary((from + random.between(100, 1000)).min(source.len()));
        text.push_str(&source[from..to]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit() {
        assert_eq!(fit("aé", 7), "aéaéa");
        assert_eq!(fit("aé", 8), "aéaéa");
        assert_eq!(fit("aé", 2), "a");
        for text in generated(64 << 10) {
            assert!(text.utf8(9).input.bytes() > (64 << 10) - 4, "{}", text.name);
        }
    }

    #[test]
    fn buffers_are_text_of_that_length() {
        let text = shuffled("1 aé€𝄞 ", 1 << 20);
        assert!((1 << 20..(1 << 20) + 2000).contains(&text.len()));
        let Input::Packed(buffer, spans) = buffers(&text, 10_000, 3) else {
            panic!("they are packed");
        };
        assert_eq!(spans.len(), text.len() / 10_000);
        for &(from, to) in &spans {
            assert!((9_997..=10_000).contains(&(to - from)), "{}", to - from);
            std::str::from_utf8(&buffer.bytes()[from..to]).unwrap();
        }
    }

    #[test]
    fn short_strings_are_text_of_about_that_length() {
        for script in [Script::Ascii, Script::Cyrillic, Script::Chinese, Script::Emoji] {
            for (shortest, longest) in [(1, 1), (24, 24), (1, 200)] {
                let Input::Packed(buffer, spans) = short_strings(script, shortest, longest, 3) else {
                    panic!("not packed");
                };
                assert_eq!(spans.len(), strings_of(longest));
                for (from, to) in spans {
                    assert!(std::str::from_utf8(&buffer.bytes()[from..to]).is_ok());
                    assert!(to > from && to - from <= longest + 3 && to - from + 2 >= shortest);
                }
            }
        }
    }
}
