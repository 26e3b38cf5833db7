//! What would change in a file: the first lines, as they are and as they would be.
//!
//! What comes out is compared with what went in, piece by piece, and line by line where both have the same number of lines, which
//! is so in all encodings in which ASCII is ASCII. Lines of others are not shown.

/// So many lines are shown.
const SHOWN: usize = 5;

/// So many bytes of a line are shown, and of these so many before what changes.
const WIDTH: usize = 120;
const BEFORE: usize = 40;

/// What would change.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    /// The first lines.
    pub(crate) lines: Vec<ChangedLine>,
    /// How many more there are.
    pub(crate) more: u64,
    /// Whether anything would change.
    pub(crate) changes: bool,
    /// Line feeds so far.
    line: u64,
}

/// A line that would change, or what can be shown of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChangedLine {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// As it is.
    pub(crate) old: Vec<u8>,
    /// As it would be.
    pub(crate) new: Vec<u8>,
}

impl Preview {
    /// The next piece, and what it came of, if that is known.
    pub(crate) fn add(&mut self, text: &[u8], original: Option<&[u8]>) {
        let feeds = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
        if original == Some(text) {
            self.line += feeds(text);
            return;
        }
        self.changes = true;
        let Some(original) = original.filter(|original| feeds(original) == feeds(text)) else { return };
        let lines = |bytes| <[u8]>::split(bytes, |byte| *byte == b'\n');
        for (index, (old, new)) in lines(original).zip(lines(text)).enumerate() {
            if old == new {
                continue;
            }
            if self.lines.len() == SHOWN {
                self.more += 1;
                continue;
            }
            let common = old.iter().zip(new).take_while(|(old, new)| old == new).count();
            let mut from = common.saturating_sub(BEFORE);
            // (Not in the middle of a character.)
            while from > 0 && new.get(from).is_some_and(|byte| byte & 0xC0 == 0x80) {
                from -= 1;
            }
            let part = |line: &[u8]| line[from..line.len().min(from + WIDTH)].to_vec();
            let number = self.line + index as u64 + 1;
            self.lines.push(ChangedLine { number, old: part(old), new: part(new) });
        }
        self.line += feeds(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_change_are_shown_with_their_numbers() {
        let mut preview = Preview::default();
        preview.add(b"same\nsame\n", Some(b"same\nsame\n"));
        assert!(!preview.changes);
        preview.add("a\né\n".as_bytes(), Some(b"a\n\xE9\n"));
        let line = |number, old: &[u8], new: &str| ChangedLine { number, old: old.into(), new: new.into() };
        assert_eq!(preview.lines, [line(4, b"\xE9", "é")]);
        preview.add(&"é\n".repeat(9).into_bytes(), Some(&b"\xE9\n".repeat(9)));
        assert_eq!((preview.lines.len(), preview.more, preview.lines[4].number), (5, 5, 8));
        // Another number of lines.
        let mut preview = Preview::default();
        preview.add(b"a\0\n\0", Some(b"a"));
        assert!(preview.changes && preview.lines.is_empty());
    }
}
