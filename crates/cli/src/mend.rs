//! Repair in chunks, in constant memory.
//!
//! The input goes through a [`Window`] as for [`scan`](crate::scan), and what is in it is repaired into
//! one output buffer, which goes to the [`Outlet`]. What the last bytes of a window are may depend on
//! the next chunk, for a behaviour may know longer forms than Unicode does: the library says how many
//! have to wait, and the window keeps them. So the output is that of the whole input at once; tests
//! hold every policy to that, with windows of all small sizes.
//!
//! A window that is in order goes out as it is, if it may, and a clean file is as fast as `check`.
//!
//! The output buffer is as large as what comes out of one chunk: three times as much in UTF-8, one
//! U+FFFD for each byte, or whatever a text is that replaces it. For a long text the chunks are
//! smaller ([`chunk_for`]).

use runecast::corrected::reserved_rest;
use runecast::{Escape, Policy};
use runecast_explain::{Cursor, Place};

use crate::encoding::{Scheme, kept};
use crate::passage::{Outlet, count_again, follow, leave_out};
use crate::scan::Broken;
use crate::source::Input;
use crate::window::{CHUNK, Window};

/// What is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// What the input is.
    pub(crate) from: Scheme,
    /// What the output is to be.
    pub(crate) to: Scheme,
    /// So many bytes at the beginning are a byte order mark that is to be left out.
    pub(crate) skip: usize,
    /// What is written where the input is ill-formed.
    pub(crate) policy: Policy<'a>,
    /// Whether the first replacement needs a line and a column.
    pub(crate) places: bool,
}

/// What it came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mended {
    /// Bytes read.
    pub(crate) bytes: u64,
    /// How many replacements were made.
    pub(crate) replaced: u64,
    /// The offset of the first of them.
    pub(crate) first: Option<u64>,
    /// Its line and column, if they are wanted.
    pub(crate) place: Option<Place>,
}

/// The size of chunks with which the output stays small as well.
pub(crate) fn chunk_for(policy: Policy<'_>) -> usize {
    match policy {
        Policy::With(text) => (16 * CHUNK / text.len().max(16)).max(64),
        _ => CHUNK,
    }
}

/// Repairs an input, to its end.
pub(crate) fn mend(
    input: &mut Input,
    window: &mut Window,
    output: &mut Vec<u8>,
    task: Task<'_>,
    outlet: &mut impl Outlet,
) -> Result<Mended, Broken> {
    let Task { from, to, skip, policy, places } = task;
    let unchanged = from == to && !policy.refuses_characters();
    let mut scratch = [0; 1024];
    let mut mended = Mended::default();
    // It stops at the first replacement.
    let mut cursor = (places && matches!(input, Input::Stream(_))).then(Cursor::new);

    mended.bytes = leave_out(input, skip, cursor.as_mut()).map_err(Broken::Input)?;
    outlet.proceeded(mended.bytes).map_err(Broken::Output)?;

    let mut tail = 0;
    // Whether a sequence that was replaced may go on in the next window.
    let mut endless = false;
    loop {
        let window_at = mended.bytes - tail as u64; // its offset in the input
        let fresh = window.refill(input, tail).map_err(Broken::Input)?;
        mended.bytes += fresh as u64;
        let (old, bytes) = window.bytes().split_at(if endless { reserved_rest(window.bytes()) } else { 0 });
        endless = endless && bytes.is_empty() && fresh > 0;
        if fresh == 0 {
            tail = 0;
        } else if !endless {
            (tail, endless) = kept(from, policy, bytes);
        }
        let piece = &bytes[..bytes.len() - tail];

        output.clear();
        if let Policy::Escape(Escape::Backslash) = policy {
            // (It has something for every byte, and still counts as one.)
            from.transcode_lossy_append(to, old, output, policy);
        }
        let mut clean = piece.len();
        if unchanged && output.is_empty() && from.validate(piece).is_ok() {
            outlet.take(piece).map_err(Broken::Output)?;
        } else {
            let repaired = from.transcode_lossy_append(to, piece, output, policy);
            outlet.take(output).map_err(Broken::Output)?;
            mended.replaced += repaired.replaced as u64;
            if let (None, Some(first)) = (mended.first, repaired.first) {
                mended.first = Some(window_at + first as u64);
                clean = first;
            }
        }
        if let Some(mut here) = cursor.take() {
            follow(&mut here, from, &piece[..clean], &mut scratch);
            match mended.first {
                Some(_) => mended.place = Some(here.place()),
                None => cursor = Some(here),
            }
        }
        outlet.proceeded(fresh as u64).map_err(Broken::Output)?;
        if fresh == 0 {
            break;
        }
    }
    if let (Some(first), None, true) = (mended.first, mended.place, places) {
        let cursor = count_again(input, from, first, &mut scratch).map_err(Broken::Input)?;
        mended.place = Some(cursor.place());
    }
    Ok(mended)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Seek as _, Write as _};

    use runecast::Replacement;

    use super::*;
    use crate::encoding::holds_surrogates;

    #[derive(Default)]
    struct Basket(Vec<u8>, u64);

    impl Outlet for Basket {
        fn take(&mut self, text: &[u8]) -> io::Result<()> {
            self.0.extend_from_slice(text);
            Ok(())
        }
        fn proceeded(&mut self, bytes: u64) -> io::Result<()> {
            self.1 += bytes;
            Ok(())
        }
    }

    /// A generator of numbers, the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }
    }

    /// A reader that gives any number of bytes from 1 on.
    struct Dribble(io::Cursor<Vec<u8>>, Dice, usize);

    impl Read for Dribble {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = (1 + self.1.below(self.2)).min(buffer.len());
            self.0.read(&mut buffer[..most])
        }
    }

    /// Pieces of text, and of what is none, in `scheme`.
    fn dirty(scheme: Scheme, dice: &mut Dice) -> Vec<u8> {
        let good = ["a", "line\n", "é", "漢", "🦀", "\u{FFFF}", "\u{FDD0}", "\u{FEFF}"];
        let bad: [&[u8]; 16] = [
            b"\x80",
            b"\xC0\xAF",
            b"\xF5",
            b"\xC3",
            b"\xE0\x80\x80",
            b"\xED\xA0\x80",
            b"\xED\xBF",
            b"\xF4\x90\x80\x80",
            b"\xF0\x9F\xA6",
            b"\xF8\x88\x80\x80\x80",
            b"\xFD\xBF\xBF\xBF\xBF\xBF",
            b"\xFE\x83\xBF\xBF\xBF\xBF\xBF",
            b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80",
            b"\xFF\x80\x80\x80\x80\x80\x81\x80\x80",
            b"\xD8\x3E",
            b"\x3E\xDC\0\0",
        ];
        let mut bytes = Vec::new();
        for _ in 0..dice.below(40) {
            if dice.below(2) == 0 {
                bytes.extend_from_slice(bad[dice.below(bad.len())]);
            } else {
                let text = good[dice.below(good.len())].as_bytes();
                Scheme::Utf8.transcode_lossy_append(scheme, text, &mut bytes, Policy::default());
            }
        }
        bytes
    }

    fn policies() -> Vec<Policy<'static>> {
        let mut all: Vec<_> = Replacement::ALL.map(Policy::from).to_vec();
        all.extend(Escape::ALL.map(Policy::from));
        all.extend(["?", "<漢🦀>"].map(Policy::from));
        all
    }

    /// The whole input at once.
    fn at_once(bytes: &[u8], task: Task<'_>) -> (Vec<u8>, Mended) {
        let mut all = Vec::new();
        let repaired = task.from.transcode_lossy_append(task.to, bytes, &mut all, task.policy);
        let place = repaired.first.map(|first| {
            let mut before = Vec::new();
            task.from.transcode_lossy_append(Scheme::Utf8, &bytes[..first], &mut before, Policy::default());
            let mut cursor = Cursor::new();
            cursor.pass_text(&before);
            cursor.place()
        });
        let (replaced, first) = (repaired.replaced as u64, repaired.first.map(|first| first as u64));
        (all, Mended { bytes: bytes.len() as u64, replaced, first, place })
    }

    #[test]
    fn no_chunks_change_the_result_of_any_policy() {
        let mut dice = Dice(1);
        let mut output = Vec::new();
        for (from, to) in Scheme::ALL.iter().flat_map(|from| Scheme::ALL.map(|to| (*from, to))) {
            let rounds = if from == Scheme::Utf8 { 20 } else { 4 };
            for policy in policies().into_iter().flat_map(|policy| vec![policy; rounds]) {
                if policy == Replacement::Python2.into() && holds_surrogates(to) {
                    continue; // the command refuses it
                }
                let bytes = dirty(from, &mut dice);
                let task = Task { from, to, skip: 0, policy, places: true };
                let expected = at_once(&bytes, task);
                for most in [1, 2, 3, 7, 16, 64] {
                    let mut window = Window::new(1 + dice.below(most));
                    let reader = Dribble(io::Cursor::new(bytes.clone()), Dice(dice.0), most);
                    let mut basket = Basket::default();
                    let mut input = Input::Stream(Box::new(reader));
                    let mended = mend(&mut input, &mut window, &mut output, task, &mut basket);
                    let mended = mended.expect("a readable input");
                    assert_eq!((basket.0, mended), expected, "{task:?}, {bytes:02X?}");
                    assert_eq!(basket.1, mended.bytes);
                }
            }
        }
    }

    #[test]
    fn files_are_counted_late_and_agree() {
        let mut dice = Dice(2);
        for policy in policies().into_iter().flat_map(|policy| vec![policy; 5]) {
            let bytes = dirty(Scheme::Utf8, &mut dice);
            let mut file = tempfile::tempfile().expect("a temporary file");
            file.write_all(&bytes).expect("room for it");
            file.rewind().expect("a file can be rewound");
            let task = Task { from: Scheme::Utf8, to: Scheme::Utf8, skip: 0, policy, places: true };
            let mut basket = Basket::default();
            let mut input = Input::Seekable(file);
            let mended = mend(&mut input, &mut Window::new(9), &mut Vec::new(), task, &mut basket);
            assert_eq!((basket.0, mended.expect("a readable input")), at_once(&bytes, task), "{bytes:02X?}");
        }
    }

    #[test]
    fn long_texts_make_small_chunks() {
        assert_eq!(chunk_for(Policy::default()), CHUNK);
        assert_eq!(chunk_for("?".into()), CHUNK);
        assert!(chunk_for("x".repeat(1 << 20).as_str().into()) <= 64);
    }
}
