//! From one encoding to another, known when the program runs.
//!
//! As types, sixteen schemes would be two hundred and fifty-six pairs, each with its kernels for each
//! instruction set: minutes of compiling. So there are *direct* pairs, those that are compiled as types: each
//! encoding to and from UTF-8, and to WTF-8 those that have surrogates, and what only Corrected UTF-8 has to
//! itself. All others are a *chain*: to generalized UTF-8 in a small buffer, and on from there, which is
//! fifteen halves each way. Generalized UTF-8 is the one encoding that can hold whatever two others have in
//! common: surrogates too, and in any order.
//!
//! A chain takes two to four times as long as the pair as types where both sides are UTF-16, UTF-32 or Latin-1
//! (with AVX-512: UTF-16LE to UTF-16BE at 5 GB/s instead of 18). So UTF-16 to and from each of these is direct
//! as well, but only *strict*: a repair stops at each error and asks what to write as a chain does, which
//! spares the compiler those loops. UTF-32 and Latin-1 among each other are left to the chain, which takes
//! UTF-32LE to UTF-32BE at 5 to 7 GB/s.
//!
//! A chain keeps nothing between two calls. Where the second half stops, the first is asked once more how
//! much it had read up to there, and what was converted too far is forgotten. So what was read and written,
//! and where an error is, are the same as for the pair as types. What is written for what is ill-formed is
//! asked of the source's type, too; only then it is encoded for the target.

use crate::convert::{self, Escape, LossyState, Policy, Reason, drive};
use crate::dynamic::{Scheme, with_type};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::unicode::codec::{self, Units};
use crate::unicode::{
    CorrectedUtf8, Encoding, Family, Fault, GeneralizedUtf8, Kind, Latin1, Unit as _, Utf8, Utf16, Utf16Be,
    Utf16Le, Utf32Be, Utf32Le, Variant, Wtf8,
};

/// A strict conversion: what was read, and why it stopped.
type Go = fn(Engine, &[u8], &mut OutputCursor<'_, u8>) -> (usize, Option<Reason>);
/// One by a policy: whether there was room.
type Mend = fn(Engine, &[u8], &mut OutputCursor<'_, u8>, Policy<'_>, &mut LossyState) -> bool;
/// What is written for the ill-formed sequence of so many bytes at the start of a text: in UTF-8, or in
/// UTF-16 for a target that can hold surrogates. It returns how many bytes are done with.
type Answer = fn(&[u8], usize, Policy<'_>, &mut Points) -> usize;

/// The machine: a code point and its length.
type Decode = fn(&[u8]) -> Result<(u32, usize), Fault>;

/// An encoding as a value.
pub(super) struct Side {
    to_pivot: Go,
    from_pivot: Go,
    answer: Answer,
    decode: Decode,
    encode: fn(u32) -> Option<Units<u8>>,
    surrogate: fn(u32) -> Option<Units<u8>>,
    substitute: fn() -> Units<u8>,
    incomplete_suffix: fn(Policy<'_>, &[u8]) -> usize,
    /// Whether surrogates by themselves are in order.
    has_surrogates: bool,
    /// Whether its units can be surrogates.
    holds_surrogates: bool,
    /// Whether there are sequences without an end of their own.
    pub(super) reserves: bool,
}

/// How to get from one to the other.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// As types.
    Direct(Go, Mend),
    /// As types as long as the text is in order. A repair looks for what is written at each error as in a chain.
    Strict(Go),
    /// By way of generalized UTF-8.
    Chain,
}

/// Two encodings as values.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(super) source: &'static Side,
    pub(super) target: &'static Side,
    way: Way,
}

/// Bytes of the buffer between the two halves: it stays in the nearest cache.
const PIVOT: usize = 4096;

/// Bytes of a source that are converted at once. None becomes more than three, as half a unit of UTF-16.
const BLOCK: usize = PIVOT / 2;

/// Code points of a replacement: four digits for each of six bytes, at most.
pub(super) struct Points {
    points: [u32; 32],
    len: usize,
    /// Whether they may be surrogates.
    surrogates: bool,
}

impl Points {
    #[inline]
    fn push(&mut self, point: u32) {
        if let Some(place) = self.points.get_mut(self.len) {
            *place = point;
            self.len += 1;
        }
    }

    /// What a policy writes in `E`, as code points.
    fn fill<S: Encoding<Unit = u8>, E: Encoding>(
        &mut self,
        rest: &[u8],
        len: usize,
        policy: Policy<'_>,
    ) -> usize {
        let mut state = LossyState::default();
        let mut room = [E::Unit::of(0); 64];
        let mut output = OutputCursor::new(output::as_uninit(&mut room));
        convert::write_replacement_for::<S, E>(rest, len, policy, &mut output, &mut state);
        let written = output.written();
        let mut written = &room[..written];
        while !written.is_empty() {
            let (point, len) = match E::decode(written) {
                Ok(character) => character,
                // A surrogate that is not part of a pair, which in UTF-16 is its own unit.
                Err(fault) => {
                    (convert::unpaired::<E>(&written[..fault.len()]).unwrap_or(0xFFFD), fault.len())
                }
            };
            self.push(point);
            written = &written[len..];
        }
        state.read
    }
}

/// The encoding.
#[inline]
fn side(scheme: Scheme) -> &'static Side {
    with_type!(scheme, E => const { &of::<E>() })
}

const fn of<E: Encoding<Unit = u8>>() -> Side {
    Side {
        to_pivot: |engine, src, output| drive::<E, GeneralizedUtf8>(engine, src, output),
        from_pivot: |engine, src, output| drive::<GeneralizedUtf8, E>(engine, src, output),
        answer: |rest, len, policy, points| match points.surrogates {
            true => points.fill::<E, Utf16>(rest, len, policy),
            false => points.fill::<E, Utf8>(rest, len, policy),
        },
        decode: E::decode,
        encode: codec::write::<E>,
        surrogate: E::surrogate,
        substitute: convert::substitute::<E>,
        incomplete_suffix: |policy, src| policy.incomplete_suffix::<E>(src),
        has_surrogates: E::VARIANT.has_surrogates(),
        holds_surrogates: matches!(E::VARIANT.family(), Family::Utf16 | Family::Utf32),
        reserves: matches!(E::VARIANT, Variant::CorrectedUtf8),
    }
}

/// The way from one to the other.
#[inline]
fn way(from: Scheme, to: Scheme) -> Way {
    match (from, to) {
        (Scheme::Utf8, _) => with_type!(to, D => direct::<Utf8, D>()),
        (_, Scheme::Utf8) => with_type!(from, S => direct::<S, Utf8>()),
        // There are code points in it that nothing else has.
        (Scheme::CorrectedUtf8, Scheme::CorrectedUtf8) => direct::<CorrectedUtf8, CorrectedUtf8>(),
        (Scheme::Wtf8, Scheme::Wtf8) => direct::<Wtf8, Wtf8>(),
        (Scheme::Wtf16Le, Scheme::Wtf8) => direct::<crate::unicode::Wtf16Le, Wtf8>(),
        (Scheme::Wtf16Be, Scheme::Wtf8) => direct::<crate::unicode::Wtf16Be, Wtf8>(),
        (Scheme::GeneralizedUtf8, Scheme::Wtf8) => direct::<GeneralizedUtf8, Wtf8>(),
        (Scheme::WobblyCesu8, Scheme::Wtf8) => direct::<crate::unicode::WobblyCesu8, Wtf8>(),
        (Scheme::WobblyMutf8, Scheme::Wtf8) => direct::<crate::unicode::WobblyMutf8, Wtf8>(),
        // Compiled for their texts, not for their errors.
        (Scheme::Utf16Le, _) => strict_from_utf16::<Utf16Le>(to),
        (Scheme::Utf16Be, _) => strict_from_utf16::<Utf16Be>(to),
        (_, Scheme::Utf16Le) => strict_to_utf16::<Utf16Le>(from),
        (_, Scheme::Utf16Be) => strict_to_utf16::<Utf16Be>(from),
        _ => Way::Chain,
    }
}

/// From UTF-16 to what machines and older systems have.
const fn strict_from_utf16<S: Encoding<Unit = u8>>(to: Scheme) -> Way {
    match to {
        Scheme::Utf16Le => strict::<S, Utf16Le>(),
        Scheme::Utf16Be => strict::<S, Utf16Be>(),
        Scheme::Utf32Le => strict::<S, Utf32Le>(),
        Scheme::Utf32Be => strict::<S, Utf32Be>(),
        Scheme::Latin1 => strict::<S, Latin1>(),
        _ => Way::Chain,
    }
}

/// To UTF-16 from the same.
const fn strict_to_utf16<D: Encoding<Unit = u8>>(from: Scheme) -> Way {
    match from {
        Scheme::Utf32Le => strict::<Utf32Le, D>(),
        Scheme::Utf32Be => strict::<Utf32Be, D>(),
        Scheme::Latin1 => strict::<Latin1, D>(),
        _ => Way::Chain,
    }
}

const fn strict<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Way {
    Way::Strict(|engine, src, output| drive::<S, D>(engine, src, output))
}

const fn direct<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Way {
    Way::Direct(
        |engine, src, output| drive::<S, D>(engine, src, output),
        |engine, src, output, policy, state| {
            convert::convert_lossy::<S, D>(engine, src, output, policy, state)
        },
    )
}

impl Side {
    /// The length of what is at the start of `text`, a character or an ill-formed sequence.
    #[inline]
    pub(super) fn step(&self, text: &[u8]) -> usize {
        (self.decode)(text).map_or_else(|fault| fault.len(), |(_, len)| len)
    }

    /// Whether what is at the start of `text` is wrong, whatever comes behind it.
    #[inline]
    pub(super) fn is_wrong(&self, text: &[u8]) -> bool {
        !self.has_surrogates && matches!((self.decode)(text), Err(fault) if fault.kind() != Kind::Incomplete)
    }

    #[inline]
    pub(super) fn incomplete_suffix(&self, policy: Policy<'_>, text: &[u8]) -> usize {
        (self.incomplete_suffix)(policy, text)
    }

    /// The bytes of a code point of a replacement.
    #[inline]
    pub(super) fn replacement(&self, point: u32) -> Units<u8> {
        match (self.encode)(point) {
            Some(units) => units,
            None if crate::unicode::is_surrogate(point) => {
                (self.surrogate)(point).unwrap_or_else(self.substitute)
            }
            None => (self.substitute)(),
        }
    }
}

impl Pair {
    /// From one to the other.
    #[inline]
    pub(crate) fn of(from: Scheme, to: Scheme) -> Pair {
        Pair { source: side(from), target: side(to), way: way(from, to) }
    }

    /// Converts the one character at the start of `joint`, if it is certain, and there is room.
    #[inline]
    pub(super) fn one(&self, joint: &[u8], output: &mut OutputCursor<'_, u8>) -> Option<usize> {
        if self.source.has_surrogates {
            return None;
        }
        let (point, len) = (self.source.decode)(joint).ok()?;
        output.put(&(self.target.encode)(point)?).then_some(len)
    }

    /// Converts until something is in the way.
    #[inline]
    pub(crate) fn go(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
    ) -> (usize, Option<Reason>) {
        match self.way {
            Way::Direct(go, _) | Way::Strict(go) => go(engine, src, output),
            Way::Chain => self.chain(engine, src, output),
        }
    }

    /// Converts by a policy; `false` if the output is full.
    #[inline]
    pub(super) fn convert_lossy(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
        policy: Policy<'_>,
        state: &mut LossyState,
    ) -> bool {
        if let Way::Direct(_, convert_lossy) = self.way {
            return convert_lossy(engine, src, output, policy, state);
        }
        let portion = |len: usize, state: &mut LossyState| match policy {
            Policy::Escape(Escape::Backslash) => state.portion(len),
            _ => len,
        };
        while state.read < src.len() {
            let (moved, reason) = self.go(engine, &src[state.read..], output);
            state.read += moved;
            let rest = &src[state.read..];
            match reason {
                None => {}
                Some(Reason::OutputFull) => return false,
                // (An escape has something for every byte, so that it may as well come in portions.)
                Some(Reason::IllFormed(error)) => {
                    match self.answered(rest, portion(error.len, state), policy, output) {
                        Some(len) => state.replace(len),
                        None => return false,
                    }
                }
                Some(_) if output.put(&(self.target.substitute)()) => state.replace(self.source.step(rest)),
                Some(_) => return false,
            }
        }
        true
    }

    /// Writes what the policy has for the ill-formed sequence of `len` bytes at the start of `rest`: how many
    /// bytes are done with, or nothing if there is no room.
    #[inline]
    fn answered(
        &self,
        rest: &[u8],
        len: usize,
        policy: Policy<'_>,
        output: &mut OutputCursor<'_, u8>,
    ) -> Option<usize> {
        if let Policy::With(text) = policy {
            let all = text.chars().map(|character| self.target.replacement(character.into()));
            return convert::put_all(all, output).then_some(len);
        }
        let surrogates = self.target.holds_surrogates;
        let mut points = Points { points: [0; 32], len: 0, surrogates };
        let len = (self.source.answer)(rest, len, policy, &mut points);
        let all = points.points[..points.len].iter().map(|point| self.target.replacement(*point));
        convert::put_all(all, output).then_some(len)
    }

    /// Converts by way of generalized UTF-8 until something is in the way.
    #[inline]
    fn chain(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
    ) -> (usize, Option<Reason>) {
        let mut pivot = [0; PIVOT];
        let mut read = 0;
        while read < src.len() {
            let rest = &src[read..];
            // Not much more than there may be room for: what is converted too far is converted again.
            let most = output.spare().len().saturating_mul(4).saturating_add(64).min(BLOCK);
            let mut block = &rest[..rest.len().min(most)];
            let cut = block.len() < rest.len();
            if cut && self.source.has_surrogates {
                block = &block[..block.len() - (self.source.incomplete_suffix)(Policy::default(), block)];
            }
            let mut half = OutputCursor::new(output::as_uninit(&mut pivot));
            let (taken, reason) = (self.source.to_pivot)(engine, block, &mut half);
            let there = half.written();
            let (passed, stop) = (self.target.from_pivot)(engine, &pivot[..there], output);
            if let Some(stop) = stop {
                // What of the source is it, up to there?
                let mut again = OutputCursor::new(output::as_uninit(&mut pivot[..passed]));
                read += (self.source.to_pivot)(engine, block, &mut again).0;
                return (read, Some(at(stop, read)));
            }
            match reason {
                Some(Reason::IllFormed(error)) if error.is_incomplete() && cut => {}
                None | Some(Reason::OutputFull) => {}
                Some(Reason::IllFormed(mut error)) => {
                    if error.kind == Kind::Reserved {
                        error.len = self.source.step(&rest[taken..]);
                    }
                    return (read + taken, Some(Reason::IllFormed(error).behind(read)));
                }
                Some(reason) => return (read + taken, Some(reason.behind(read))),
            }
            read += taken;
        }
        (read, None)
    }
}

/// A reason that is about a character, at another place.
#[inline]
fn at(reason: Reason, at: usize) -> Reason {
    match reason {
        Reason::Unrepresentable { character, .. } => Reason::Unrepresentable { at, character },
        Reason::UnrepresentableCodePoint { code_point, .. } => {
            Reason::UnrepresentableCodePoint { at, code_point }
        }
        reason => reason,
    }
}
