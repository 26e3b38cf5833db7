//! The texts: generated ones, or the user's own.
//!
//! A generated text is the same on every machine, so that numbers can be compared; with their own files users see what
//! they will get. An argument is a text: a directory, with `-r`, is all its files one after the other, for with a file of a
//! few lines the cost of the call would be measured.
//!
//! What is ill-formed cannot be converted, but it can be repaired. So such a file is measured by the operations that
//! repair, and by no other. In a directory, where it is not named, it is left out instead. Both are reported.

use std::io;
use std::path::Path;

use runecast::{IllFormed, Kind};
use runecast_corpus::{Script, generate};

use crate::io::name::Name;
use crate::io::source::{Source, Sources, Walk};
use crate::ui::arguments::bench::BenchArguments;
use crate::ui::console::Console;
use crate::ui::outcome::Outcome;

use super::operation::Operation;

/// What the generated texts are drawn from.
const SEED: u64 = 1;

/// The generated texts that are measured if no others are asked for: documents, which are what people have; then each length
/// of characters, with and without spaces between words.
pub(super) const USUAL: [Script; 10] = [
    Script::World,
    Script::Markdown,
    Script::Json,
    Script::Ascii,
    Script::French,
    Script::Cyrillic,
    Script::Arabic,
    Script::Hindi,
    Script::Chinese,
    Script::Emoji,
];

/// Of these, where there is little time.
pub(super) const FEW: [Script; 4] = [Script::World, Script::Ascii, Script::Cyrillic, Script::Chinese];

/// A text to be measured.
pub(super) struct Text {
    /// The file, if it is one.
    pub(super) file: Option<Name>,
    /// What to call it: safe to show.
    pub(super) name: String,
    bytes: Vec<u8>,
    well_formed: bool,
}

impl Text {
    /// A generated text.
    pub(super) fn generated(script: Script, size: usize) -> Text {
        let bytes = generate(script, size, SEED).into_bytes();
        Text { file: None, name: script.name().to_owned(), bytes, well_formed: true }
    }

    /// The bytes, in UTF-8 if it is well-formed.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text, if it is well-formed.
    pub(super) fn text(&self) -> Option<&str> {
        if self.well_formed { std::str::from_utf8(&self.bytes).ok() } else { None }
    }

    /// What `operation` reads of it, if it can.
    pub(super) fn source(&self, operation: &Operation) -> Option<Vec<u8>> {
        match self.text() {
            Some(text) => (operation.source)(text),
            None => operation.repairs.then(|| self.bytes.clone()),
        }
    }

    /// About `size` bytes of it: repeated, and cut behind a character. Empty if it is not well-formed.
    pub(super) fn stretched(&self, size: usize) -> String {
        let text = self.text().unwrap_or_default();
        let mut long = text.repeat(size.div_ceil(text.len().max(1)));
        let cut = (0..=size.min(long.len())).rev().find(|&at| long.is_char_boundary(at));
        long.truncate(cut.unwrap_or(0));
        long
    }
}

/// Reads the files that the arguments name, at most `limit` bytes of each argument.
pub(super) fn read(arguments: &BenchArguments, limit: usize, console: &mut Console) -> (Vec<Text>, Outcome) {
    let mut outcome = Outcome::Clean;
    let mut texts = Vec::new();
    for file in &arguments.files {
        let (text, result) = Reader { limit, console }.argument(file, arguments.recursive);
        texts.extend(text);
        outcome = outcome.max(result);
    }
    (texts, outcome)
}

struct Reader<'a> {
    limit: usize,
    console: &'a mut Console,
}

impl Reader<'_> {
    /// The text of an argument.
    fn argument(mut self, file: &Path, recursive: bool) -> (Option<Text>, Outcome) {
        let directory = recursive && file.is_dir();
        let walk = Walk { recursive, hidden: true, ignored: true, ..Walk::default() };
        let sources = Sources::new(&[file.into()], walk);
        let mut outcome = Outcome::Clean;
        let (mut bytes, mut left_out) = (Vec::new(), 0_usize);
        let (mut name, mut error) = (Name::Path(file.into()), None);
        for source in sources.iter() {
            if bytes.len() >= self.limit {
                break;
            }
            let piece = match source {
                Ok(source) => {
                    if !directory {
                        name = source.name.clone();
                    }
                    self.piece(&source, self.limit - bytes.len()).map_err(|why| (source.name, why))
                }
                Err(refusal) => Err((refusal.name, refusal.why)),
            };
            match piece {
                Ok((_, Some(_))) if directory => left_out += 1,
                Ok((piece, found)) => {
                    error = found;
                    bytes.extend(piece);
                }
                Err((name, why)) => {
                    self.console.complain(&name, &why);
                    outcome = Outcome::Failed;
                }
            }
        }
        if left_out > 0 {
            let files = if left_out == 1 { "file was" } else { "files were" };
            self.remark(&name, format!("{left_out} {files} left out: not UTF-8"));
        }
        if let Some(error) = error {
            self.remark(&name, format!("{error}; only repair is measured on it"));
            outcome = outcome.max(Outcome::IllFormed);
        }
        if bytes.is_empty() {
            if outcome != Outcome::Failed {
                self.remark(&name, "contains no text to measure".to_owned());
            }
            return (None, Outcome::Failed);
        }
        let shown = name.to_string();
        (Some(Text { file: Some(name), name: shown, bytes, well_formed: error.is_none() }), outcome)
    }

    fn remark(&mut self, name: &Name, what: String) {
        self.console.complain(name, &io::Error::other(what));
    }

    /// At most so many bytes of a file, cut behind a character; and the first thing that is wrong with them.
    fn piece(&mut self, source: &Source, limit: usize) -> io::Result<(Vec<u8>, Option<IllFormed>)> {
        let mut input = source.open()?;
        let mut bytes = Vec::new();
        let mut chunk = vec![0; 64 << 10];
        let end = loop {
            let wanted = chunk.len().min(limit - bytes.len());
            let fresh = if wanted == 0 { 0 } else { input.read(&mut chunk[..wanted])? };
            bytes.extend_from_slice(&chunk[..fresh]);
            if fresh == 0 {
                break wanted > 0;
            }
        };
        match runecast::validate::<runecast::Utf8>(&bytes) {
            // What the limit cut in two is no error.
            Err(error) if !end && error.kind == Kind::Incomplete => {
                bytes.truncate(error.at);
                Ok((bytes, None))
            }
            result => Ok((bytes, result.err())),
        }
    }
}
