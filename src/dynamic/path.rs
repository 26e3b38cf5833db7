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
//! the same as for the pair as types.
//!
//! # Ill-formed text
//! A lossy conversion that is not compiled for its pair is the strict one up to an error, and from there on two loops, one of each side,
//! while there are errors ([`convert_dense`](convert::convert_dense)). The first block of a pivot is short, because the next stop
//! may be near, and each is four times as long as the one before. (Earlier each error began anew with a pivot buffer filled with zeros
//! and 2 KiB converted there and, for a character that the target does not have, once more: up to two thousand times as long as clean
//! text.)

use core::mem::MaybeUninit;

use crate::convert::{self, LossyState, Policy, Read, Reading, Reason, Write, Writes, drive};
use crate::dynamic::{Scheme, with_type};
use crate::kernel::Engine;
use crate::output::OutputCursor;
use crate::unicode::codec::{self, Units};
use crate::unicode::{
    CorrectedUtf8, Encoding, Fault, GeneralizedUtf8, IllFormed, Kind, Latin1, Utf8, Utf16Be, Utf16Le,
    Utf32Be, Utf32Le, Variant, Wtf8,
};

/// A strict conversion: how much was read, and why it stopped.
type Convert = fn(Engine, &[u8], &mut OutputCursor<'_, u8>) -> (usize, Option<Reason>);

/// A lossy conversion; `false` if the output is full.
type ConvertLossy = fn(Engine, &[u8], &mut OutputCursor<'_, u8>, Policy<'_>, &mut LossyState) -> bool;

/// The codec: a code point and its length.
type Decode = fn(&[u8]) -> Result<(u32, usize), Fault>;

/// The functions of an encoding.
pub(super) struct Functions {
    to_pivot: Convert,
    from_pivot: Convert,
    pub(super) decode: Decode,
    /// The codec: what is wrong with the sequence at the start.
    pub(super) error: fn(&[u8]) -> Option<IllFormed>,
    /// The codec: the units of a code point, or of a surrogate by itself.
    pub(super) encode: fn(u32, bool) -> Option<Units<u8>>,
    /// The loops for dense errors.
    read: Read<u8>,
    write: Write<u8>,
    /// How many bytes have to wait for the next chunk.
    pub(super) waiting: fn(Policy<'_>, &[u8]) -> usize,
    pub(super) variant: Variant,
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
    /// The source without surrogates: see [`of_characters`].
    characters: &'static Functions,
    route: Route,
}

/// Bytes of the pivot buffer, which stays in the first-level cache.
const PIVOT_BYTES: usize = 4096;

/// Bytes of a source that are converted at once. None becomes more than two in the pivot: one of Latin-1 may.
const BLOCK_BYTES: usize = PIVOT_BYTES / 2;

/// Bytes of the first of these blocks. Each is four times as long as the one before.
const FIRST_BLOCK: usize = 128;

/// The least of a text for which the codecs are asked about the first character before anything is converted: some five nanoseconds.
/// Behind an error there often is another one, and to find that through a pivot takes a block there and two calls, or three.
const LONG: usize = 1024;

/// A call that converts fewer bytes was not worth it.
const FEW_BYTES: usize = 32;

/// The functions of a scheme.
#[inline]
fn functions(scheme: Scheme) -> &'static Functions {
    with_type!(scheme, E => const { &functions_of::<E>() })
}

const fn functions_of<E: Encoding<Unit = u8>>() -> Functions {
    Functions {
        to_pivot: |engine, src, output| drive::<E, GeneralizedUtf8>(engine, src, output),
        from_pivot: |engine, src, output| drive::<GeneralizedUtf8, E>(engine, src, output),
        decode: E::decode,
        error: codec::error::<E>,
        encode: convert::encode::<E>,
        read: convert::read_pieces::<E>,
        write: convert::write_pieces::<E>,
        waiting: |policy, src| policy.waiting::<E>(src),
        variant: E::VARIANT,
    }
}

/// The encoding in which text without surrogates is the same text. A strict conversion from that one stops before a surrogate, which in a
/// lossy conversion is then for the loops for errors: kernels leave surrogates to the codecs, and both halves of a pivot would take them one
/// by one. (Runs of `ED A0 80` took 7.6 ns for a byte.)
const fn of_characters(scheme: Scheme) -> Scheme {
    match scheme {
        Scheme::Wtf8 | Scheme::GeneralizedUtf8 => Scheme::Utf8,
        Scheme::Wtf16Le => Scheme::Utf16Le,
        Scheme::Wtf16Be => Scheme::Utf16Be,
        Scheme::WobblyCesu8 => Scheme::Cesu8,
        Scheme::WobblyMutf8 => Scheme::Mutf8,
        scheme => scheme,
    }
}

/// The conversions that are compiled for a pair.
#[inline]
fn route(from: Scheme, to: Scheme) -> Route {
    match (from, to) {
        (Scheme::Utf8, Scheme::Utf16Be) => rare::<Utf8, Utf16Be>(),
        (Scheme::Utf8, Scheme::Utf32Be) => rare::<Utf8, Utf32Be>(),
        (Scheme::Utf8, Scheme::Wtf16Be) => rare::<Utf8, crate::unicode::Wtf16Be>(),
        (Scheme::Utf8, Scheme::GeneralizedUtf8) => rare::<Utf8, GeneralizedUtf8>(),
        (Scheme::Utf8, Scheme::WobblyCesu8) => rare::<Utf8, crate::unicode::WobblyCesu8>(),
        (Scheme::Utf8, Scheme::WobblyMutf8) => rare::<Utf8, crate::unicode::WobblyMutf8>(),
        (Scheme::Utf8, _) => with_type!(to, D => direct::<Utf8, D>()),
        (Scheme::Utf16Le, Scheme::Utf8) => direct::<Utf16Le, Utf8>(),
        (_, Scheme::Utf8) => with_type!(from, S => rare::<S, Utf8>()),
        // It has code points that no other encoding has.
        (Scheme::CorrectedUtf8, Scheme::CorrectedUtf8) => direct::<CorrectedUtf8, CorrectedUtf8>(),
        (Scheme::Wtf8, Scheme::Wtf8) => direct::<Wtf8, Wtf8>(),
        (Scheme::Wtf16Le, Scheme::Wtf8) => rare::<crate::unicode::Wtf16Le, Wtf8>(),
        (Scheme::Wtf16Be, Scheme::Wtf8) => rare::<crate::unicode::Wtf16Be, Wtf8>(),
        (Scheme::GeneralizedUtf8, Scheme::Wtf8) => rare::<GeneralizedUtf8, Wtf8>(),
        (Scheme::WobblyCesu8, Scheme::Wtf8) => rare::<crate::unicode::WobblyCesu8, Wtf8>(),
        (Scheme::WobblyMutf8, Scheme::Wtf8) => rare::<crate::unicode::WobblyMutf8, Wtf8>(),
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

/// A pair whose texts are mostly well-formed. A module of WebAssembly is loaded over a network, so there its lossy conversion is
/// not compiled: that is a fifth of all code, and spares time only where errors are close to each other.
const fn rare<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>() -> Route {
    if cfg!(target_family = "wasm") { strict::<S, D>() } else { direct::<S, D>() }
}

impl Functions {
    /// The length of the character or ill-formed sequence at the start of `text`, and the rule that it breaks. Of a reserved sequence
    /// it is that of the first byte.
    #[inline]
    pub(super) fn step(&self, text: &[u8]) -> (usize, Option<Kind>) {
        (self.decode)(text).map_or_else(|fault| (fault.len(), Some(fault.kind())), |(_, len)| (len, None))
    }
}

impl Path {
    #[inline]
    pub(crate) fn new(from: Scheme, to: Scheme) -> Path {
        let (source, characters) = (functions(from), functions(of_characters(from)));
        Path { source, target: functions(to), characters, route: route(from, to) }
    }

    /// Converts the one character at the start of `src`, and returns its length; `None` if it may not be one, or there is no
    /// room.
    #[inline]
    pub(super) fn convert_one(&self, src: &[u8], output: &mut OutputCursor<'_, u8>) -> Option<usize> {
        if self.source.variant.has_surrogates() {
            return None;
        }
        let (point, len) = (self.source.decode)(src).ok()?;
        output.put(&(self.target.encode)(point, false)?).then_some(len)
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

    /// The loops for short texts with errors; `None` if they do not serve.
    #[cfg(feature = "alloc")]
    pub(crate) fn short_texts<'p>(&self, policy: Policy<'p>) -> Option<convert::ShortTexts<'p, u8, u8>> {
        let (source, target) = (self.source, self.target);
        convert::ShortTexts::new(
            (source.read, target.write),
            source.variant,
            (target.variant, target.encode),
            policy,
        )
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
        let (source, target) = (self.source, self.target);
        let strict = Path { source: self.characters, ..*self };
        let reading = Reading::new(source.variant, target.variant, policy);
        // What is written for errors, once there is one.
        let mut writes = None;
        // A strict conversion does not stop before a character that is replaced, or behind one that has to be kept apart.
        let refuses = matches!(source.variant, Variant::Utf8) && policy.refuses_characters();
        let refuses = refuses || reading.holds_apart();
        // How many successive calls converted hardly anything.
        let mut stuck = if refuses { usize::MAX } else { 0 };
        let mut dense = state.take_dense();
        while state.read < src.len() {
            if !dense && !refuses && !state.in_reserved() {
                let (moved, reason) = strict.convert(engine, &src[state.read..], output);
                state.read += moved;
                match reason {
                    None => continue,
                    Some(Reason::OutputFull) => return false,
                    Some(_) => {}
                }
                stuck = if moved < FEW_BYTES { stuck + 1 } else { 0 };
            }
            dense = false;
            let writes = writes.get_or_insert_with(|| {
                Writes::new(target.encode, target.variant, (source.variant, 1), policy)
            });
            let loops = (source.read, target.write);
            if !convert::convert_dense(loops, src, output, (reading, writes), state, stuck > 2) {
                return false;
            }
        }
        true
    }

    /// Converts through generalized UTF-8, as far as possible.
    #[inline]
    fn convert_through_pivot(
        &self,
        engine: Engine,
        src: &[u8],
        output: &mut OutputCursor<'_, u8>,
    ) -> (usize, Option<Reason>) {
        if src.len() >= LONG
            && let Some(reason) = self.reason_at(src, 0)
        {
            return (0, Some(reason));
        }
        // Surrogates that the target does not have would be taken one by one, only to be refused behind the pivot.
        let source = if self.target.variant.has_surrogates() { self.source } else { self.characters };
        let mut pivot = [const { MaybeUninit::<u8>::uninit() }; PIVOT_BYTES];
        let (mut read, mut reach) = (0, FIRST_BLOCK);
        while read < src.len() {
            let rest = &src[read..];
            // Not much more than there is room for: what is converted too far has to be converted again.
            let most = output.spare().len().saturating_mul(4).saturating_add(64).min(reach);
            reach = BLOCK_BYTES.min(4 * reach);
            let mut block = &rest[..rest.len().min(most)];
            let cut = block.len() < rest.len();
            if cut && self.source.variant.has_surrogates() {
                block = &block[..block.len() - (self.source.waiting)(Policy::default(), block)];
            }
            let mut half = OutputCursor::new(&mut pivot);
            let (taken, reason) = (source.to_pivot)(engine, block, &mut half);
            let (passed, stop) = (self.target.from_pivot)(engine, half.text(), output);
            if let Some(stop) = stop {
                // How much of the source is that?
                let mut again = OutputCursor::new(&mut pivot[..passed]);
                read += (source.to_pivot)(engine, block, &mut again).0;
                return (read, Some(at_offset(stop, read)));
            }
            match reason {
                Some(Reason::IllFormed(error)) if error.is_incomplete() && cut => {}
                None | Some(Reason::OutputFull) => {}
                Some(reason) => {
                    // That of a reserved sequence does not end with the block, and without surrogates the first half has other errors.
                    let reserved = matches!(reason, Reason::IllFormed(error) if error.kind == Kind::Reserved);
                    let asks = reserved || source.variant != self.source.variant;
                    let asked = if asks { self.reason_at(src, read + taken) } else { None };
                    return (read + taken, asked.or(Some(reason.behind(read))));
                }
            }
            read += taken;
        }
        (read, None)
    }

    /// Why a conversion of `src` stops at `at`, if the character there is the reason.
    #[inline(never)]
    fn reason_at(&self, src: &[u8], at: usize) -> Option<Reason> {
        match (self.source.decode)(&src[at..]) {
            Err(fault) => Some(Reason::IllFormed(fault.at_byte(self.source.variant, src, at))),
            // All encodings have ASCII.
            Ok((0..0x80, _)) => None,
            Ok((point, _)) if (self.target.encode)(point, false).is_some() => None,
            Ok((point, _)) => Some(match char::from_u32(point) {
                Some(character) => Reason::Unrepresentable { at, character },
                None => Reason::UnrepresentableCodePoint { at, code_point: point },
            }),
        }
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
