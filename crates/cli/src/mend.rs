//! Repair in chunks, in constant memory.
//!
//! The input goes through a [`Window`] as for [`scan`](crate::scan). Each chunk is repaired by itself, into a
//! buffer of its own: that is [`Mending`]. In order, a [`Mend`] follows, which hands what came out to the
//! [`Outlet`] and adds up. What the last bytes of a chunk are may depend on the next one, for a behaviour may
//! know longer forms than Unicode does; they wait for it. So the output is that of the whole input at once; tests
//! hold every policy to that, with windows of all small sizes, alone and with several threads.
//!
//! A chunk that is in order goes out as it is, if it may, and a clean file is as fast as `check`.
//!
//! The output buffer is as large as what comes out of one chunk: three times as much in UTF-8, one
//! U+FFFD for each byte, or whatever a text is that replaces it. For a long text the chunks are
//! smaller ([`chunk_for`]).

use runecast::{Escape, Policy};
use runecast_explain::{Cursor, Place};

use crate::crew::Work;
use crate::encoding::Scheme;
use crate::feed::Opened;
use crate::passage::{Look, Outlet, Route, SCRATCH, beginning, count_again, follow};
use crate::scan::Broken;
use crate::window::{CHUNK, Rule, Window};

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

/// Repairs chunks.
pub(crate) struct Mending {
    /// From where to where.
    pub(crate) look: Look,
    /// What is written where the input is ill-formed.
    pub(crate) policy: Policy<'static>,
    /// Whether the first replacement needs a line and a column.
    pub(crate) places: bool,
}

/// What came of a chunk.
#[derive(Default)]
pub(crate) struct Repairs {
    output: Vec<u8>,
    /// The output is the piece itself.
    same: bool,
    replaced: u64,
    /// Where the first replacement was made, in the piece.
    first: Option<usize>,
    /// A way over what is before it, in a stream.
    way: Option<Cursor>,
    scratch: Vec<u8>,
}

impl Work for Mending {
    type Context = Route;
    type Done = Repairs;
    const HEAD: usize = Scheme::LONGEST_MARK;

    fn look(&self, head: &[u8]) -> (Route, Rule) {
        let route = (self.look)(head);
        (route, Rule { from: route.from, policy: self.policy, skip: route.skip })
    }

    fn work(&self, input: &Opened<Route>, window: &Window, done: &mut Repairs) {
        let Route { from, to, .. } = input.context;
        let (piece, policy) = (window.piece(), self.policy);
        done.output.clear();
        (done.replaced, done.first) = (0, None);
        if let Policy::Escape(Escape::Backslash) = policy {
            // (It has something for every byte, and still counts as one.)
            from.transcode_lossy_append(to, window.old(), &mut done.output, policy);
        }
        let unchanged = from == to && !policy.refuses_characters() && done.output.is_empty();
        done.same = unchanged && from.validate(piece).is_ok();
        if !done.same {
            let repaired = from.transcode_lossy_append(to, piece, &mut done.output, policy);
            (done.replaced, done.first) = (repaired.replaced as u64, repaired.first);
        }
        done.way = (self.places && input.file.is_none()).then(|| {
            let mut way = Cursor::new();
            done.scratch.resize(SCRATCH, 0);
            follow(&mut way, from, &piece[..done.first.unwrap_or(piece.len())], &mut done.scratch);
            way
        });
    }
}

/// The repair of one input.
pub(crate) struct Mend {
    /// What it came to so far.
    pub(crate) mended: Mended,
    places: bool,
    /// It stops at the first replacement.
    cursor: Option<Cursor>,
}

impl Mend {
    /// At the beginning.
    pub(crate) fn new(places: bool, input: &Opened<Route>) -> Self {
        let cursor = (places && input.file.is_none()).then(|| beginning(&input.context));
        Mend { mended: Mended::default(), places, cursor }
    }

    /// The next chunk.
    pub(crate) fn take(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &Repairs,
        outlet: &mut impl Outlet,
    ) -> Result<(), Broken> {
        let mended = &mut self.mended;
        mended.bytes += window.fresh();
        mended.replaced += done.replaced;
        outlet.take(if done.same { window.piece() } else { &done.output }).map_err(Broken::Output)?;
        if let (Some(cursor), Some(way)) = (&mut self.cursor, &done.way) {
            cursor.pass(way);
        }
        if let (None, Some(first)) = (mended.first, done.first) {
            let first = window.at() + first as u64;
            mended.first = Some(first);
            if let (true, None, Some(file)) = (self.places, &self.cursor, &input.file) {
                self.cursor = Some(count_again(file, input.context.from, first).map_err(Broken::Input)?);
            }
            mended.place = self.cursor.take().map(|cursor| cursor.place());
        }
        outlet.proceeded(window.fresh()).map_err(Broken::Output)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write as _};
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    use runecast::Replacement;

    use super::*;
    use crate::crew::{Crew, Ledger, Then};
    use crate::encoding::holds_surrogates;
    use crate::name::Name;
    use crate::source::{Input, Refusal, Source};

    /// Takes what comes out in order.
    #[derive(Default)]
    struct Book(Option<Mend>, Basket);

    impl Ledger<Mending> for Book {
        fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
            unreachable!("{refusal:?}")
        }
        fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<Then> {
            self.0 = Some(Mend::new(true, input));
            Ok(Then::GoOn)
        }
        fn chunk(&mut self, input: &Opened<Route>, window: &Window, done: &mut Repairs) -> io::Result<Then> {
            let mend = self.0.as_mut().expect("it has begun");
            mend.take(input, window, done, &mut self.1).expect("a readable input");
            Ok(Then::GoOn)
        }
        fn end(&mut self, _: &Opened<Route>, broken: Option<io::Error>) -> io::Result<()> {
            assert!(broken.is_none());
            Ok(())
        }
    }

    /// What is to be done.
    #[derive(Clone, Copy, Debug)]
    struct Task {
        from: Scheme,
        to: Scheme,
        policy: Policy<'static>,
    }

    /// The same, in chunks of so many bytes, with so many threads.
    fn mend(input: Input, (chunk, jobs): (usize, usize), task: Task) -> (Basket, Mended) {
        let source = Source { name: Name::Inline("test"), size: None };
        let mut input = Some(input);
        let open = move |_: &Source| Ok(input.take().expect("it is opened once"));
        let jobs = NonZeroUsize::new(jobs).expect("someone to work");
        let crew = Crew { jobs, chunk, alone: 0, one_by_one: false };
        let route = Route { from: task.from, to: task.to, skip: 0, mark: false };
        let work = Mending { look: Box::new(move |_| route), policy: task.policy, places: true };
        let inputs = Box::new(std::iter::once(Ok(source)));
        let (book, ended) = crew.run(inputs, Box::new(open), work, Book::default());
        ended.expect("nothing is written");
        (book.1, book.0.expect("it has begun").mended)
    }

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
    fn at_once(bytes: &[u8], task: Task) -> (Vec<u8>, Mended) {
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
        for (from, to) in Scheme::ALL.iter().flat_map(|from| Scheme::ALL.map(|to| (*from, to))) {
            let rounds = if from == Scheme::Utf8 { 20 } else { 4 };
            for policy in policies().into_iter().flat_map(|policy| vec![policy; rounds]) {
                if policy == Replacement::Python2.into() && holds_surrogates(to) {
                    continue; // the command refuses it
                }
                let bytes = dirty(from, &mut dice);
                let task = Task { from, to, policy };
                let expected = at_once(&bytes, task);
                for most in [1, 2, 3, 7, 16, 64] {
                    let reader = Dribble(io::Cursor::new(bytes.clone()), Dice(dice.0), most);
                    let input = Input::Stream(Box::new(reader));
                    let (basket, mended) = mend(input, (1 + dice.below(most), 1), task);
                    assert_eq!((basket.0, mended), expected, "{task:?}, {bytes:02X?}");
                    assert_eq!(basket.1, mended.bytes);
                }
            }
        }
    }

    #[test]
    fn files_and_threads_come_to_the_same() {
        let mut dice = Dice(2);
        for from in Scheme::ALL {
            for policy in policies().into_iter().flat_map(|policy| vec![policy; 3]) {
                let mut bytes = dirty(from, &mut dice);
                for _ in 0..4 {
                    bytes.extend(dirty(from, &mut dice));
                }
                let mut file = tempfile::tempfile().expect("a temporary file");
                file.write_all(&bytes).expect("room for it");
                let task = Task { from, to: Scheme::Utf8, policy };
                let expected = at_once(&bytes, task);
                for how in [(4, 1), (4 * (1 + dice.below(30)), 1), (4 * (1 + dice.below(30)), 3)] {
                    let input = Input::Seekable(file.try_clone().expect("a second handle"));
                    let (basket, mended) = mend(input, how, task);
                    assert_eq!((basket.0, mended), expected, "{task:?}, {how:?}, {bytes:02X?}");
                    assert_eq!(basket.1, mended.bytes);
                }
            }
        }
    }

    #[test]
    fn long_texts_make_small_chunks() {
        assert_eq!(chunk_for(Policy::default()), CHUNK);
        assert_eq!(chunk_for("?".into()), CHUNK);
        assert!(chunk_for("x".repeat(1 << 20).as_str().into()) <= 64);
    }
}
