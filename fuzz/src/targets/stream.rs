//! Texts in chunks against the same texts at once.
//!
//! The first bytes choose encodings, a policy, where the text is cut and how small the outputs are; the rest is
//! the text. A validator, a transcoder between types and one between values have to say and write what
//! the one-shot calls do.

use arbitrary::Arbitrary;
use runecast::{
    AnyTranscoder, Cesu8, Encoding, Escape, GeneralizedUtf8, Latin1, Mutf8, Policy, Reason, Replacement,
    Scheme, Step, Transcoder, Utf8, Utf16Be, Utf16Le, Utf32Le, Validator, WobblyCesu8, Wtf8, Wtf16Le,
};

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Case<'a> {
    pair: u8,
    policy: u8,
    cuts: [u8; 6],
    rooms: [u8; 3],
    text: &'a [u8],
}

impl Case<'_> {
    fn policy(&self) -> Option<Policy<'static>> {
        Some(match self.policy % 16 {
            number @ 0..=6 => Replacement::ALL[usize::from(number)].into(),
            number @ 7..=10 => Escape::ALL[usize::from(number) - 7].into(),
            11 => "".into(),
            12 => "<Ж漢🦀>".into(),
            13 => Policy::DropAtTheRiskOfJoining,
            14 => Policy::Omit,
            _ => return None,
        })
    }

    /// The chunks, by turns of the lengths given; the last of them is the last.
    fn chunks(&self) -> Vec<(&[u8], bool)> {
        let (mut rest, mut chunks) = (self.text, Vec::new());
        for cut in self.cuts.iter().cycle() {
            if rest.is_empty() || self.cuts.iter().all(|cut| *cut == 0) {
                break;
            }
            let (now, later) = rest.split_at(rest.len().min(usize::from(*cut)));
            chunks.push((now, false));
            rest = later;
        }
        chunks.push((rest, true));
        chunks
    }

    /// Drives a stream through the chunks: the output, how much was replaced, and the error.
    fn drive(
        &self,
        mut take: impl FnMut(&[u8], &mut [u8], bool) -> Step,
    ) -> (Vec<u8>, usize, Option<Reason>) {
        let (mut out, mut replaced) = (Vec::new(), 0);
        let mut rooms = self.rooms.iter().cycle();
        for (mut chunk, last) in self.chunks() {
            let mut more = 0;
            loop {
                let room = rooms.next().map_or(6, |room| usize::from(*room)) + more;
                let mut output = vec![0; room];
                let step = take(chunk, &mut output, last);
                out.extend_from_slice(&output[..step.written]);
                replaced += step.replaced;
                chunk = &chunk[step.read..];
                match step.reason {
                    None => break,
                    Some(Reason::OutputFull) => {
                        assert!(step.written > 0 || room < runecast::LEAST_ROOM);
                        more = if step.written == 0 { more + 1 } else { 0 };
                    }
                    reason => return (out, replaced, reason),
                }
            }
        }
        (out, replaced, None)
    }

    fn ask<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(&self, from: Scheme, to: Scheme) {
        assert_eq!((S::NAME, D::NAME), (from.name(), to.name()));
        let mut validator = Validator::<S>::new();
        let pushed = self.chunks().iter().try_for_each(|(chunk, _)| validator.push(chunk));
        assert_eq!(pushed.and_then(|()| validator.finish()), runecast::validate::<S>(self.text));

        let mut out = Vec::new();
        let policy = self.policy();
        let truth = match policy {
            None => {
                let outcome = runecast::transcode_append::<S, D>(self.text, &mut out);
                (0, outcome.err().map(|error| error.reason))
            }
            Some(policy) => {
                (runecast::transcode_lossy_append::<S, D>(self.text, &mut out, policy).replaced, None)
            }
        };
        let truth = (out, truth.0, truth.1);
        let (mut typed, mut any) = match policy {
            None => (Transcoder::<S, D>::strict(), AnyTranscoder::strict(from, to)),
            Some(policy) => (Transcoder::lossy(policy), AnyTranscoder::lossy(from, to, policy)),
        };
        assert_eq!(self.drive(|chunk, output, last| typed.transcode(chunk, output, last)), truth);
        assert_eq!(self.drive(|chunk, output, last| any.transcode(chunk, output, last)), truth);
    }
}

/// One execution.
pub fn run(case: Case<'_>) {
    match case.pair % 12 {
        0 => case.ask::<Utf8, Utf8>(Scheme::Utf8, Scheme::Utf8),
        1 => case.ask::<Utf8, Utf16Le>(Scheme::Utf8, Scheme::Utf16Le),
        2 => case.ask::<Utf8, Latin1>(Scheme::Utf8, Scheme::Latin1),
        3 => case.ask::<Utf16Le, Utf8>(Scheme::Utf16Le, Scheme::Utf8),
        4 => case.ask::<Utf16Be, Utf32Le>(Scheme::Utf16Be, Scheme::Utf32Le),
        5 => case.ask::<Utf32Le, Utf16Le>(Scheme::Utf32Le, Scheme::Utf16Le),
        6 => case.ask::<Wtf16Le, Wtf8>(Scheme::Wtf16Le, Scheme::Wtf8),
        7 => case.ask::<Wtf8, Wtf8>(Scheme::Wtf8, Scheme::Wtf8),
        8 => case.ask::<GeneralizedUtf8, Wtf16Le>(Scheme::GeneralizedUtf8, Scheme::Wtf16Le),
        9 => case.ask::<Cesu8, Utf16Be>(Scheme::Cesu8, Scheme::Utf16Be),
        10 => case.ask::<WobblyCesu8, Wtf8>(Scheme::WobblyCesu8, Scheme::Wtf8),
        _ => case.ask::<Utf8, Mutf8>(Scheme::Utf8, Scheme::Mutf8),
    }
}
