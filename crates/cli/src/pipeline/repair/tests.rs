//! Repair in chunks of all small sizes against repair of the whole input at once.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use runecast::Replacement;
use runecast_corpus::Random;

use super::*;
use crate::io::source::{Input, Refusal};
use crate::pipeline::test_support::{Collected, TestFile, run, short_reads};
use crate::pipeline::work::OrderedOutput;

/// Collects what comes out of one input.
#[derive(Default)]
struct Output(Option<InputRepair>, Collected);

impl OrderedOutput<ChunkRepairer> for Output {
    fn refused(&mut self, refusal: Refusal) -> io::Result<()> {
        unreachable!("{refusal:?}")
    }
    fn begin(&mut self, input: &Arc<Opened<Route>>) -> io::Result<ControlFlow<()>> {
        self.0 = Some(InputRepair::new(true, input));
        Ok(ControlFlow::Continue(()))
    }
    fn chunk(
        &mut self,
        input: &Opened<Route>,
        window: &Window,
        done: &mut RepairedChunk,
    ) -> io::Result<ControlFlow<()>> {
        let repair = self.0.as_mut().expect("it has begun");
        repair.take(input, window, done, &mut self.1).expect("a readable input");
        Ok(ControlFlow::Continue(()))
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

/// In chunks of so many bytes, with so many threads.
fn repair(input: Input, how: (usize, usize), task: Task) -> (Collected, RepairSummary) {
    let route = Route::between(task.from, task.to);
    let work = ChunkRepairer { find_route: Box::new(move |_| route), policy: task.policy, positions: true };
    let output = run(input, how, work, Output::default());
    (output.1, output.0.expect("it has begun").summary)
}

/// Well-formed and ill-formed pieces, in `scheme`.
fn ill_formed(scheme: Scheme, random: &mut Random) -> Vec<u8> {
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
    for _ in 0..random.below(40) {
        if random.below(2) == 0 {
            bytes.extend_from_slice(bad[random.below(bad.len())]);
        } else {
            let text = good[random.below(good.len())].as_bytes();
            Scheme::Utf8.transcode_lossy_append(scheme, text, &mut bytes, Policy::default());
        }
    }
    bytes
}

/// Whether a code unit of the scheme can be a surrogate.
fn has_surrogate_units(scheme: Scheme) -> bool {
    use Scheme::*;
    matches!(scheme, Utf16Le | Utf16Be | Utf32Le | Utf32Be | Wtf16Le | Wtf16Be)
}

fn policies() -> Vec<Policy<'static>> {
    let mut all: Vec<_> = Replacement::ALL.map(Policy::from).to_vec();
    all.extend(Escape::ALL.map(Policy::from));
    all.extend(["?", "<漢🦀>"].map(Policy::from));
    all
}

/// The whole input at once.
fn at_once(bytes: &[u8], task: Task) -> (Vec<u8>, RepairSummary) {
    let mut all = Vec::new();
    let repaired = task.from.transcode_lossy_append(task.to, bytes, &mut all, task.policy);
    let position = repaired.first.map(|first| {
        let mut before = Vec::new();
        task.from.transcode_lossy_append(Scheme::Utf8, &bytes[..first], &mut before, Policy::default());
        let mut cursor = Cursor::new();
        cursor.pass_text(&before);
        cursor.position()
    });
    let (replaced, first) = (repaired.replaced as u64, repaired.first.map(|first| first as u64));
    (all, RepairSummary { bytes: bytes.len() as u64, replaced, first, position })
}

#[test]
fn no_chunks_change_the_result_of_any_policy() {
    let mut random = Random::new(1);
    for (from, to) in Scheme::ALL.iter().flat_map(|from| Scheme::ALL.map(|to| (*from, to))) {
        let rounds = if from == Scheme::Utf8 { 20 } else { 4 };
        for policy in policies().into_iter().flat_map(|policy| vec![policy; rounds]) {
            if policy == Replacement::Python2.into() && has_surrogate_units(to) {
                continue; // what comes out would be ill-formed, and the command refuses it
            }
            let bytes = ill_formed(from, &mut random);
            let task = Task { from, to, policy };
            let expected = at_once(&bytes, task);
            for most in [1, 2, 3, 7, 16, 64] {
                let input = short_reads(&bytes, most, random.below(1 << 20) as u64);
                let (collected, summary) = repair(input, (1 + random.below(most), 1), task);
                assert_eq!((collected.text, summary), expected, "{task:?}, {bytes:02X?}");
                assert_eq!(collected.read, summary.bytes);
            }
        }
    }
}

#[test]
fn files_and_threads_give_the_same() {
    let mut random = Random::new(2);
    for from in Scheme::ALL {
        for policy in policies().into_iter().flat_map(|policy| vec![policy; 3]) {
            let mut bytes = ill_formed(from, &mut random);
            for _ in 0..4 {
                bytes.extend(ill_formed(from, &mut random));
            }
            let file = TestFile::new(&bytes);
            let task = Task { from, to: Scheme::Utf8, policy };
            let expected = at_once(&bytes, task);
            for how in [(4, 1), (4 * (1 + random.below(30)), 1), (4 * (1 + random.below(30)), 3)] {
                let (collected, summary) = repair(file.open(), how, task);
                assert_eq!((collected.text, summary), expected, "{task:?}, {how:?}, {bytes:02X?}");
                assert_eq!(collected.read, summary.bytes);
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
