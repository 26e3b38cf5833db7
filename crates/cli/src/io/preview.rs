//! What would change in a file: the first lines, as they are and as they would be.
//!
//! What comes out is compared with what went in, piece by piece, and line by line where both have the same number of lines, which
//! is so in all encodings in which ASCII is ASCII. Lines of others are not shown. Of a text that was decoded by a table nobody knows
//! which bytes a piece of it came from; but a line feed is one byte in each of these encodings, and none of it is part of a character:
//! so the file is read once more, line by line beside what comes out.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::sync::Arc;

use crate::io::source::Reread;

/// So many lines are shown.
const SHOWN: usize = 5;

/// So many bytes of a line are shown, and of these so many before what changes.
const WIDTH: usize = 120;
const BEFORE: usize = 40;

/// So long may a line be that is read once more.
const LONGEST: usize = 1 << 20;

/// What would change.
#[derive(Default)]
pub(crate) struct Preview {
    /// The first lines.
    pub(crate) lines: Vec<ChangedLine>,
    /// How many more there are.
    pub(crate) more: u64,
    /// Whether anything would change.
    pub(crate) changes: bool,
    /// Line feeds so far.
    line: u64,
    /// Bytes of the file whose place is known.
    known: u64,
    /// The file, read beside what comes out, from a line of which this has come so far.
    again: Option<BufReader<Reread>>,
    begun: Vec<u8>,
}

/// A line that would change, or what can be shown of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChangedLine {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// As it is.
    pub(crate) old: Vec<u8>,
    /// As it would be, if it is not left out.
    pub(crate) new: Option<Vec<u8>>,
}

impl Preview {
    /// The next piece, and what it came of in the file, if that is known.
    pub(crate) fn add(
        &mut self,
        text: &[u8],
        original: Option<&[u8]>,
        file: Option<&Arc<File>>,
    ) -> io::Result<()> {
        let feeds = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.changes |= original != Some(text);
        let Some(original) = original else { return self.add_beside(text, file) };
        // (A byte order mark that is left out is no line.)
        let is_line = original.ends_with(b"\n") || !original.is_empty() && self.known > 0;
        self.known += original.len() as u64;
        let lines = |bytes| <[u8]>::split(bytes, |byte| *byte == b'\n');
        if text.is_empty() && is_line {
            for (index, old) in lines(original.strip_suffix(b"\n").unwrap_or(original)).enumerate() {
                self.compare(self.line + index as u64 + 1, old, None);
            }
        } else if original != text && feeds(original) == feeds(text) {
            for (index, (old, new)) in lines(original).zip(lines(text)).enumerate() {
                self.compare(self.line + index as u64 + 1, old, Some(new));
            }
        }
        self.line += feeds(original);
        Ok(())
    }

    /// The next piece, of a file that is read beside it. (Where this has begun, all pieces are such.)
    fn add_beside(&mut self, text: &[u8], file: Option<&Arc<File>>) -> io::Result<()> {
        if self.again.is_none()
            && self.begun.is_empty()
            && let Some(file) = file
        {
            // The line in which it begins may have begun before: of that the rest is compared.
            self.again = Some(BufReader::new(Reread::behind(file, self.known)));
        }
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if self.again.is_some() {
                self.begun.extend_from_slice(line);
            }
            if line.ends_with(b"\n") {
                self.end_line()?;
                self.line += 1;
            }
        }
        Ok(())
    }

    /// A line has come that is compared with that of the file.
    fn end_line(&mut self) -> io::Result<()> {
        let Some(again) = &mut self.again else { return Ok(()) };
        let mut old = Vec::new();
        let room = LONGEST as u64;
        again.by_ref().take(room).read_until(b'\n', &mut old)?;
        let new = std::mem::take(&mut self.begun);
        let ended = |line: &[u8]| line.ends_with(b"\n");
        if new.len() > LONGEST || ended(&old) != ended(&new) {
            // Too long, or the file is another by now.
            self.again = None;
            self.begun = vec![0];
            return Ok(());
        }
        let bare = |line: &'_ [u8]| line.strip_suffix(b"\n").unwrap_or(line).to_vec();
        self.compare(self.line + 1, &bare(&old), Some(&bare(&new)));
        Ok(())
    }

    /// All has come.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        if self.again.is_some() && !self.begun.is_empty() { self.end_line() } else { Ok(()) }
    }

    /// Shows a line if it would change, or be left out.
    fn compare(&mut self, number: u64, old: &[u8], new: Option<&[u8]>) {
        if new == Some(old) {
            return;
        }
        if self.lines.len() == SHOWN {
            self.more += 1;
            return;
        }
        let common = new.map_or(0, |new| old.iter().zip(new).take_while(|(old, new)| old == new).count());
        let from = new.map_or(0, |new| boundary(new, common.saturating_sub(BEFORE)));
        self.lines.push(ChangedLine { number, old: part(old, from), new: new.map(|new| part(new, from)) });
    }
}

/// The beginning of the character at a place in a line.
fn boundary(line: &[u8], at: usize) -> usize {
    let inside = |at: usize| line.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (at.saturating_sub(3)..=at).rev().find(|at| !inside(*at)).unwrap_or(at)
}

/// What is shown of a line from a place on.
fn part(line: &[u8], from: usize) -> Vec<u8> {
    const MORE: &str = "…";
    let end = if line.len() > from + WIDTH { boundary(line, from + WIDTH) } else { line.len() };
    let mark = |cut: bool| if cut { MORE.as_bytes() } else { b"" };
    [mark(from > 0), &line[from..end], mark(end < line.len())].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, old: &[u8], new: &str) -> ChangedLine {
        ChangedLine { number, old: old.into(), new: Some(new.into()) }
    }

    /// A preview of these pieces, and what each came of.
    fn of(pieces: &[(&[u8], &[u8])]) -> Preview {
        let mut preview = Preview::default();
        for (text, original) in pieces {
            preview.add(text, Some(original), None).expect("no file is read");
        }
        preview
    }

    #[test]
    fn lines_that_change_are_shown_with_their_numbers() {
        let same: (&[u8], &[u8]) = (b"same\nsame\n", b"same\nsame\n");
        assert!(!of(&[same]).changes);
        let one = ("a\né\n".as_bytes(), &b"a\n\xE9\n"[..]);
        assert_eq!(of(&[same, one]).lines, [line(4, b"\xE9", "é")]);
        let many = ("é\n".repeat(9), b"\xE9\n".repeat(9));
        let preview = of(&[same, one, (many.0.as_bytes(), &many.1)]);
        assert_eq!((preview.lines.len(), preview.more, preview.lines[4].number), (5, 5, 8));
        // Another number of lines; those behind it have the numbers that they have in the file.
        let other: (&[u8], &[u8]) = (b"a\0\n\0", b"a");
        assert!(of(&[other]).changes && of(&[other]).lines.is_empty());
        assert_eq!(of(&[other, one]).lines, [line(2, b"\xE9", "é")]);
        // Lines that are left out.
        let dropped = ChangedLine { number: 3, old: b"b\xFF".into(), new: None };
        assert_eq!(of(&[same, (b"", b"b\xFF\n"), same]).lines, [dropped]);
    }

    #[test]
    fn of_long_lines_whole_characters_are_shown() {
        let old = [&b"a".repeat(100)[..], b"\xE9", &b"b".repeat(300)].concat();
        let new = format!("{}é{}", "a".repeat(100), "b".repeat(300));
        let [a, b] = ["a".repeat(40), "b".repeat(80)];
        let shown = line(
            1,
            &[b"\xE2\x80\xA6", a.as_bytes(), b"\xE9", &b.as_bytes()[1..], b"\xE2\x80\xA6"].concat(),
            "",
        );
        let preview = of(&[(new.as_bytes(), &old)]);
        assert_eq!(preview.lines[0].old, shown.old);
        for before in 0..8 {
            let text = |first: &str| format!("{first}{}{}", "x".repeat(before), "é".repeat(90));
            let [old, new] = [text("a"), text("b")];
            let ChangedLine { new: shown, .. } = &of(&[(new.as_bytes(), old.as_bytes())]).lines[0];
            let shown = shown.as_deref().expect("it is not left out");
            let shown = std::str::from_utf8(shown)
                .expect("whole characters")
                .strip_suffix('…')
                .expect("there is more");
            assert!(new.starts_with(shown) && (WIDTH - 3..=WIDTH).contains(&shown.len()), "{shown}");
        }
    }

    #[test]
    fn what_was_decoded_is_compared_with_the_file() {
        let mut file = tempfile::tempfile().expect("a temporary file");
        std::io::Write::write_all(&mut file, b"same\nsame, \xE9t\xE9\nplain\n\xE8").expect("it is written");
        let file = Arc::new(file);
        let text = "same\nsame, été\nplain\nè";
        for cut in 11..text.len() {
            let mut preview = Preview::default();
            preview.add(b"same\nsame", Some(b"same\nsame"), Some(&file)).expect("it is read");
            let (first, rest) = text.as_bytes().split_at(cut);
            preview.add(&first[9..], None, Some(&file)).expect("it is read");
            preview.add(rest, None, Some(&file)).expect("it is read");
            preview.end().expect("it is read");
            assert_eq!(preview.lines, [line(2, b", \xE9t\xE9", ", été"), line(4, b"\xE8", "è")], "{cut}");
        }
    }
}
