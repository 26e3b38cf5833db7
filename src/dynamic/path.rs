//! The path from one encoding to another, both chosen at run time.
//!
//! As types, sixteen schemes would be two hundred and fifty-six pairs, each with its kernels for each instruction set: minutes
//! of compiling. So only some pairs are compiled as types: each encoding to and from UTF-8, those with surrogates to WTF-8,
//! and Corrected UTF-8 to itself, for the code points that it alone has. These are *direct*. All others go through a *pivot*:
//! to generalized UTF-8 in a small buffer, and from there to the target, fifteen halves each way. Generalized UTF-8 is the one
//! encoding that can hold whatever two others have in common: surrogates too, in any order.
//!
//! Through the pivot a conversion takes two to four times as long as directly where both sides are UTF-16, UTF-32 or Latin-1
//! (with AVX-512: UTF-16LE to UTF-16BE at 5 GB/s instead of 18). So UTF-16 to and from each of these is direct as well, but
//! only *strict*: a lossy conversion stops at each error and asks for the replacement as a pivot path does, which spares the
//! compiler those loops. UTF-32 and Latin-1 among each other go through the pivot, which takes UTF-32LE to UTF-32BE at 5 to
//! 7 GB/s.
//!
//! A pivot path keeps no state between two calls. Where the second half stops, the first is run again to find how much of the
//! source that was, and whatever was converted too far is discarded. So what was read and written, and where an error is, are
//! the same as for the pair as types. The replacement for an ill-formed sequence also comes from the source's type, and is
//! then encoded for the target.

use crate::convert::{self, Escape, LossyState, Policy, Reason, drive};
use crate::dynamic::{Scheme, with_type};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::unicode::codec::{self, Units};
use crate::unicode::{
    CorrectedUtf8, Encoding, Family, Fault, GeneralizedUtf8, Kind, Latin1, Unit as _, Utf8, Utf16, Utf16Be,
    Utf16Le, Utf32Be, Utf32Le, Variant, Wtf8,
};

/// A strict conversion: how much was read, and why it stopped.
type Convert = fn(Engine, &[u8], &mut OutputCursor<'_, u8>) -> (usize, Option<Reason>);

/// A lossy conversion; `false` if the output is full.
type ConvertLossy = fn(Engine, &[u8], &mut OutputCursor<'_, u8>, Policy<'_>, &mut LossyState) -> bool;

/// Finds the replacement for the ill-formed sequence of so many bytes at the start of a text: how many bytes it replaces.
type Replace = fn(&[u8], usize, Policy<'_>, &mut ReplacementPoints) -> usize;

/// The codec: a code point and its length.
type Decode = fn(&[u8]) -> Result<(u32, usize), Fault>;

/// The functions of an encoding.
pub(super) struct Functions {
    to_pivot: Convert,
    from_pivot: Convert,
    replace: Replace,
    decode: Decode,
    encode: fn(u32) -> Option<Units<u8>>,
    surrogate: fn(u32) -> Option<Units<u8>>,
    substitute: fn() -> Units<u8>,
    incomplete_suffix: fn(Policy<'_>, &[u8]) -> usize,
    /// Whether unpaired surrogates are well-formed.
    has_surrogates: bool,
    /// Whether a code unit can be a surrogate.
    has_surrogate_units: bool,
    /// Whether there are reserved sequences, which extend to the next lead byte.
    pub(super) has_reserved: bool,
}

/// The conversions that are compiled for a pair of encodings.
#[derive(Clone, Copy)]
enum Route {
    /// Both, as types.
    Direct(Convert, ConvertLossy),
    /// The strict one as types. A lossy conversion looks for a replacement at each error, as a pivot path does.
    Strict(Convert),
    /// None: it goes through generalized UTF-8.
    Pivot,
}

/// How to convert from one encoding to another.
#[derive(Clone, Copy)]
pub(crate) struct Path {
    pub(super) source: &'static Functions,
    pub(super) target: &'static Functions,
    route: Route,
}

/// Bytes of the pivot buffer, which stays in the first-level cache.
const PIVOT_BYTES: usize = 4096;

/// Bytes of a source that are converted at once. None becomes more than two in the pivot: one of Latin-1 may.
const BLOCK_BYTES: usize = PIVOT_BYTES / 2;

/// The code points of a replacement. The longest is an escape: four digits for each of six bytes.
pub(super) struct ReplacementPoints {
    points: [u32; 32],
    len: usize,
    /// Whether they may be surrogates.
    surrogates: bool,
}

impl ReplacementPoints {
    #[inline]
    fn push(&mut self, point: u32) {
        if let Some(slot) = self.points.get_mut(self.len) {
            *slot = point;
            self.len += 1;
        }
    }

    /// Appends what a policy writes for a sequence of `S` in `E`: UTF-8, or UTF-16 if they may be surrogates.
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
                // An unpaired surrogate, which in UTF-16 is its own code unit.
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

/// The functions of a scheme.
#[inline]
fn functions(scheme: Scheme) -> &'static Functions {
    with_type!(scheme, E => const { &functions_of::<E>() })
}

const fn functions_of<E: Encoding<Unit = u8>>() -> Functions {
    Functions {
        to_pivot: |engine, src, output| drive::<E, GeneralizedUtf8>(engine, src, output),
        from_pivot: |engine, src, output| drive::<GeneralizedUtf8, E>(engine, src, output),
        replace: |rest, len, policy, points| match points.surrogates {
            true => points.fill::<E, Utf16>(rest, len, policy),
            false => points.fill::<E, Utf8>(rest, len, policy),
        },
        decode: E::decode,
        encode: codec::write::<E>,
        surrogate: E::surrogate,
        substitute: convert::substitute::<E>,
        incomplete_suffix: |policy, src| policy.incomplete_suffix::<E>(src),
        has_surrogates: E::VARIANT.has_surrogates(),
        has_surrogate_units: matches!(E::VARIANT.family(), Family::Utf16 | Family::Utf32),
        has_reserved: matches!(E::VARIANT, Variant::CorrectedUtf8),
    }
}

/// The conversions that are compiled for a pair.
#[inline]
fn route(from: Scheme, to: Scheme) -> Route {
    match (from, to) {
        (Scheme::Utf8, _) => with_type!(to, D => direct::<Utf8, D>()),
        (_, Scheme::Utf8) => with_type!(from, S => direct::<S, Utf8>()),
        // It has code points that no other encoding has.
        (Scheme::CorrectedUtf8, Scheme::CorrectedUtf8) => direct::<CorrectedUtf8, CorrectedUtf8>(),
        (Scheme::Wtf8, Scheme::Wtf8) => direct::<Wtf8, Wtf8>(),
        (Scheme::Wtf16Le, Scheme::Wtf8) => direct::<crate::unicode::Wtf16Le, Wtf8>(),
        (Scheme::Wtf16Be, Scheme::Wtf8) => direct::<crate::unicode::Wtf16Be, Wtf8>(),
        (Scheme::GeneralizedUtf8, Scheme::Wtf8) => direct::<GeneralizedUtf8, Wtf8>(),
        (Scheme::WobblyCesu8, Scheme::Wtf8) => direct::<crate::unicode::WobblyCesu8, Wtf8>(),
        (Scheme::WobblyMutf8, Scheme::Wtf8) => direct::<crate::unicode::WobblyMutf8, Wtf8>(),
        // Compiled for well-formed text only.
        (Scheme::Utf16Le, _) => strict_from_utf16::<Utf16Le>(to),
        (Scheme::Utf16Be, _) => strict_from_utf16::<Utf16Be>(to),
        (_, Scheme::Utf16Le) => strict_to_utf16::<Utf16Le>(from),
        (_, Scheme::Utf16Be) => strict_to_utf16::<Utf16Be>(from),
        _ => Route::Pivot,
    }
}

/// From UTF-16 to the other encodings that are in wide use.
const fn strict_from_utf16<S: Encoding<Unit = u8>>(to: Scheme) -> Route {
    match to {
        Scheme::Utf16Le => strict::<S, Utf16Le>(),
        Scheme::Utf16Be => strict::<S, Utf16Be>(),
        Scheme::Utf32Le => strict::<S, Utf32Le>(),
        Scheme::Utf32Be => strict::<S, Utf32Be>(),
        Scheme::Latin1 => strict::<S, Latin1>(),
        _ => Route::Pivot,
    }
}

/// To UTF-16 from the same encodings.
const fn strict_to_utf16<D: Encoding<Unit = u8>>(from: Scheme) -> Route {
    match from {
        Scheme::Utf32Le => strict::<Utf32Le, D>(),
        Scheme::Utf32Be => strict::<Utf32Be, D>(),
        Scheme::Latin1 => strict::<Latin1, D>(),
        _ => Route::Pivot,
    }
}

const fn strict<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Route {
    Route::Strict(|engine, src, output| drive::<S, D>(engine, src, output))
}

const fn direct<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Route {
    Route::Direct(
        |engine, src, output| drive::<S, D>(engine, src, output),
        |engine, src, output, policy, state| {
            convert::convert_lossy::<S, D>(engine, src, output, policy, state)
        },
    )
}

impl Functions {
    /// The length of the character or ill-formed sequence at the start of `text`.
    #[inline]
    pub(super) fn step_len(&self, text: &[u8]) -> usize {
        (self.decode)(text).map_or_else(|fault| fault.len(), |(_, len)| len)
    }

    /// Whether `text` begins with an ill-formed sequence, whatever follows.
    #[inline]
    pub(super) fn is_ill_formed(&self, text: &[u8]) -> bool {
        !self.has_surrogates && matches!((self.decode)(text), Err(fault) if fault.kind() != Kind::Incomplete)
    }

    #[inline]
    pub(super) fn incomplete_suffix(&self, policy: Policy<'_>, text: &[u8]) -> usize {
        (self.incomplete_suffix)(policy, text)
    }

    /// A code point of a replacement, encoded; or the encoding's substitute for it.
    #[inline]
    pub(super) fn encode_replacement(&self, point: u32) -> Units<u8> {
        match (self.encode)(point) {
            Some(units) => units,
            None if crate::unicode::is_surrogate(point) => {
                (self.surrogate)(point).unwrap_or_else(self.substitute)
            }
            None => (self.substitute)(),
        }
    }
}

impl Path {
    #[inline]
    pub(crate) fn new(from: Scheme, to: Scheme) -> Path {
        Path { source: functions(from), target: functions(to), route: route(from, to) }
    }

    /// Converts the one character at the start of `src`, and returns its length; `None` if it may not be one, or there is no
    /// room.
    #[inline]
    pub(super) fn convert_one(&self, src: &[u8], output: &mut OutputCursor<'_, u8>) -> Option<usize> {
        if self.source.has_surrogates {
            return None;
        }
        let (point, len) = (self.source.decode)(src).ok()?;
        output.put(&(self.target.encode)(point)?).then_some(len)
    }

    /// Converts as far as possible: how much was read, and why it stopped.
    #[inline]
    pub(crate) fn convert(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
    ) -> (usize, Option<Reason>) {
        match self.route {
            Route::Direct(convert, _) | Route::Strict(convert) => convert(engine, src, output),
            Route::Pivot => self.convert_through_pivot(engine, src, output),
        }
    }

    /// Converts with replacements by `policy`; `false` if the output is full.
    #[inline]
    pub(super) fn convert_lossy(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
        policy: Policy<'_>,
        state: &mut LossyState,
    ) -> bool {
        if let Route::Direct(_, convert_lossy) = self.route {
            return convert_lossy(engine, src, output, policy, state);
        }
        let portion = |len: usize, state: &mut LossyState| match policy {
            Policy::Escape(Escape::Backslash) => state.portion(len),
            _ => len,
        };
        while state.read < src.len() {
            let (moved, reason) = self.convert(engine, &src[state.read..], output);
            state.read += moved;
            let rest = &src[state.read..];
            match reason {
                None => {}
                Some(Reason::OutputFull) => return false,
                // (An escape writes something for each byte, so that it can be written in portions.)
                Some(Reason::IllFormed(error)) => {
                    match self.write_replacement(rest, portion(error.len, state), policy, output) {
                        Some(len) => state.replace(len),
                        None => return false,
                    }
                }
                Some(_) if output.put(&(self.target.substitute)()) => {
                    state.replace(self.source.step_len(rest))
                }
                Some(_) => return false,
            }
        }
        true
    }

    /// Writes the replacement for the ill-formed sequence of `len` bytes at the start of `rest`: how many bytes it replaces, or
    /// `None` if there is no room.
    #[inline]
    fn write_replacement(
        &self,
        rest: &[u8],
        len: usize,
        policy: Policy<'_>,
        output: &mut OutputCursor<'_, u8>,
    ) -> Option<usize> {
        if let Policy::With(text) = policy {
            let all = text.chars().map(|character| self.target.encode_replacement(character.into()));
            return convert::put_all(all, output).then_some(len);
        }
        let surrogates = self.target.has_surrogate_units;
        let mut points = ReplacementPoints { points: [0; 32], len: 0, surrogates };
        let len = (self.source.replace)(rest, len, policy, &mut points);
        let all = points.points[..points.len].iter().map(|point| self.target.encode_replacement(*point));
        convert::put_all(all, output).then_some(len)
    }

    /// Converts through generalized UTF-8, as far as possible.
    #[inline]
    fn convert_through_pivot(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
    ) -> (usize, Option<Reason>) {
        let mut pivot = [0; PIVOT_BYTES];
        let mut read = 0;
        while read < src.len() {
            let rest = &src[read..];
            // Not much more than there is room for: what is converted too far has to be converted again.
            let most = output.spare().len().saturating_mul(4).saturating_add(64).min(BLOCK_BYTES);
            let mut block = &rest[..rest.len().min(most)];
            let cut = block.len() < rest.len();
            if cut && self.source.has_surrogates {
                block = &block[..block.len() - (self.source.incomplete_suffix)(Policy::default(), block)];
            }
            let mut half = OutputCursor::new(output::as_uninit(&mut pivot));
            let (taken, reason) = (self.source.to_pivot)(engine, block, &mut half);
            let filled = half.written();
            let (passed, stop) = (self.target.from_pivot)(engine, &pivot[..filled], output);
            if let Some(stop) = stop {
                // How much of the source is that?
                let mut again = OutputCursor::new(output::as_uninit(&mut pivot[..passed]));
                read += (self.source.to_pivot)(engine, block, &mut again).0;
                return (read, Some(at_offset(stop, read)));
            }
            match reason {
                Some(Reason::IllFormed(error)) if error.is_incomplete() && cut => {}
                None | Some(Reason::OutputFull) => {}
                Some(Reason::IllFormed(mut error)) => {
                    if error.kind == Kind::Reserved {
                        error.len = self.source.step_len(&rest[taken..]);
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

/// A reason that is about a character, with another offset.
#[inline]
fn at_offset(reason: Reason, at: usize) -> Reason {
    match reason {
        Reason::Unrepresentable { character, .. } => Reason::Unrepresentable { at, character },
        Reason::UnrepresentableCodePoint { code_point, .. } => {
            Reason::UnrepresentableCodePoint { at, code_point }
        }
        reason => reason,
    }
}
