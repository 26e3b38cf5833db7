//! The loop around kernel and machines that never stops at what is ill-formed.
//!
//! It is that of the strict conversions: the kernel moves what is in order, the machines move the one
//! character at which it stopped. Where the source's machine refuses, the policy says how many units
//! are done with and what stands for them. Nothing is begun anew for an error: the loop goes on
//! behind it, and where errors are dense it goes on by hand for a while, for then a kernel would be
//! called for a few bytes each.
//!
//! UTF-16 and UTF-32 are spared even that. There a replacement is as long as what it replaces, so a
//! stretch with errors is *washed* in a small buffer first, unit by unit in vectors, and what comes
//! out is well-formed: the kernel takes it whole, however many errors there were. So is a stretch of
//! UTF-8 by the two behaviours that are a matter of masks, [`Whatwg`](Replacement::Whatwg) and
//! [`PerByte`](Replacement::PerByte); straight into the output, if that is UTF-8 too.

use core::ops::Range;

use super::escape::{Escape, WINDOWS_1252};
use super::policy::Policy;
use super::replacement::{Answer, Replacement};
use crate::bridge;
use crate::convert::{bulk, max_transcoded_len};
use crate::kernel::Engine;
use crate::output::{self, OutputCursor};
use crate::unicode::codec::{self, Codec as _, Units};
use crate::unicode::{Encoding, Family, Unit, Utf8, Variant, cast, cast_mut, is_high};

/// How a repair went on: what was read, and what was replaced.
#[derive(Clone, Debug, Default)]
pub(crate) struct LossyState {
    /// Units of the source that are done with.
    pub read: usize,
    /// How many replacements were made.
    pub replaced: usize,
    /// Where the first of them was made.
    pub first: Option<usize>,
    /// Where in the source the last high surrogate that was written as it is ends.
    high: Option<usize>,
    /// Where in the source the rest of a sequence is that is escaped in portions, behind the first of them.
    rest: Range<usize>,
}

impl LossyState {
    /// Takes note of a replacement of so many units.
    #[inline]
    pub(crate) fn replace(&mut self, len: usize) {
        if !self.rest.contains(&self.read) {
            self.first.get_or_insert(self.read);
            self.replaced += 1;
        }
        self.read += len;
    }

    /// As much of a sequence of `len` units as is escaped at once. A sequence that Corrected UTF-8 reserves
    /// has no end of its own; but as its bytes are escaped one by one, an output needs no room for them all.
    /// It still counts as one.
    #[inline]
    pub(crate) fn portion(&mut self, len: usize) -> usize {
        const MOST: usize = 6;
        if len > MOST && !self.rest.contains(&self.read) {
            self.rest = self.read + 1..self.read + len;
        }
        len.min(MOST)
    }

    /// Of a piece of text; `high` says that a high surrogate has just been written.
    #[inline]
    pub(crate) fn after(high: bool) -> LossyState {
        LossyState { high: high.then_some(0), ..LossyState::default() }
    }

    /// Whether a high surrogate is what was written last.
    #[inline]
    pub(crate) fn ends_with_high(&self) -> bool {
        self.high == Some(self.read)
    }

    /// Passes over the one error at which it stands, whose replacement is a text: how long that is.
    pub(super) fn skip_replacement<S: Encoding, D: Encoding>(
        &mut self,
        src: &[S::Unit],
        policy: Policy<'_>,
    ) -> usize {
        let units = |point: char| character::<D>(point.into());
        let len = match policy {
            Policy::With(text) => text.chars().map(|character| units(character).as_slice().len()).sum(),
            _ => 0,
        };
        self.replace(S::decode(&src[self.read..]).map_or_else(|fault| fault.len(), |(_, len)| len));
        len
    }
}

/// Converts `src` from where `state` stands on; returns whether it came to the end, or else the output
/// is full.
pub(crate) fn convert_lossy<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let washes = D::encode(REPLACEMENT).is_some() && matches!(policy, Policy::Replace(_));
    // (An encoding that has all characters has U+FFFD.)
    let launders = matches!(policy, Policy::Replace(Replacement::Whatwg | Replacement::PerByte));
    // How close to where a kernel is sent it stops for want of units to look at.
    let blind = if S::VARIANT.family() == Family::Cesu8 { 6 } else { 4 };
    let mut rejected = Rejected { policy, at: None };
    let substitute = substitute::<D>();
    // How far the kernel is sent: not far where errors are close to each other.
    let mut reach = usize::MAX;
    let mut error_before = state.read;
    // How often in succession it has got nowhere.
    let mut stuck = 0;
    while state.read < src.len() {
        let stop = rejected.next::<S>(src, state.read).min(state.read.saturating_add(reach));
        let moved = bulk::run::<S, D>(engine, &src[state.read..stop], output);
        state.read += moved;
        if moved > 0 && stop - state.read < blind && stop < src.len() {
            reach = reach.saturating_mul(4);
            continue;
        }
        if const { is_laundered::<S>() && has_all_characters::<D>() }
            && launders
            && state.read - error_before < DENSE
            && launder::<S, D>(engine, src, output, policy, state)
        {
            reach = usize::MAX;
            error_before = state.read;
            continue;
        }
        reach = if state.read - error_before < 4 * REACH { REACH } else { usize::MAX };
        error_before = state.read;
        stuck = if moved < SHORT { stuck + 1 } else { 0 };
        // To the error before which the kernel stopped, and behind it; or for a while, if it is not
        // likely to get far.
        let dense = stuck > 2;
        if const { is_laundered::<S>() } && dense && policy == Policy::default() {
            let dirt = cast(&src[state.read..]);
            if !chunk_by_chunk::<D>(dirt, &substitute, output, state) {
                return false;
            }
            continue;
        }
        let mut characters = if dense { 64 } else { 8 };
        while characters > 0 && state.read < src.len() {
            characters -= 1;
            let rest = &src[state.read..];
            match codec::read::<S, D>(rest) {
                Ok((scalar, len)) if !rejected.holds::<S>(scalar) => {
                    match encode::<S, D>(scalar, len, rest) {
                        // It goes together with what comes behind it, in case nothing is to be written for that.
                        Some(_)
                            if matches!(D::VARIANT, Variant::Wtf8)
                                && matches!(policy, Policy::With("") | Policy::DropAtTheRiskOfJoining)
                                && is_high(scalar)
                                && output.spare().len() < 6
                                && rest
                                    .get(len..)
                                    .is_some_and(|rest| !rest.is_empty() && S::decode(rest).is_err()) =>
                        {
                            return false;
                        }
                        Some(units) if output.put(&units) => {
                            state.read += len;
                            if is_high(scalar) {
                                state.high = Some(state.read);
                            }
                        }
                        Some(_) => return false,
                        None if output.put(&substitute) => state.replace(len),
                        None => return false,
                    }
                }
                Ok((_, len)) if output.put(&substitute) => state.replace(len),
                Ok(_) => return false,
                // Where it cannot do anything, too close to an end, it is one by one.
                Err(_)
                    if const { is_washed::<S>() } && washes && wash::<S, D>(engine, src, output, state) =>
                {
                    break;
                }
                Err(fault) => {
                    if !write_replacement::<S, D>(rest, fault.len(), policy, &substitute, output, state) {
                        return false;
                    }
                    if !dense {
                        break;
                    }
                }
            }
        }
    }
    true
}

/// Whether units that are ill-formed in `S` are replaced in a small buffer first.
const fn is_washed<S: Encoding>() -> bool {
    matches!(S::VARIANT, Variant::Utf16(_) | Variant::Utf32(_))
}

/// Whether there is a form in `D` for every character, so that whatever was washed can be written.
const fn has_all_characters<D: Encoding>() -> bool {
    !matches!(D::VARIANT, Variant::Ascii | Variant::Latin1 | Variant::CorrectedUtf8)
}

/// Whether bytes that are ill-formed in `S` are.
const fn is_laundered<S: Encoding>() -> bool {
    matches!(S::VARIANT, Variant::Utf8)
}

/// Units for which a kernel is first called behind an error, if there was one not far before: a few blocks, which it looks at one by
/// one, where it would take a longer text by larger steps and have to find the error in one of them.
const REACH: usize = 192;

/// Bytes between errors up to which they are washed, not gone to one by one.
const DENSE: usize = 256;

/// Units for which a kernel should not have been called.
const SHORT: usize = 16;

/// The units of the character of `len` units at the start of `rest`.
#[inline]
fn encode<S: Encoding, D: Encoding>(scalar: u32, len: usize, rest: &[S::Unit]) -> Option<Units<D::Unit>> {
    match (S::VARIANT, D::VARIANT) {
        (Variant::Utf8, Variant::Utf8) => Some(Units::first(len, cast(rest))),
        _ => codec::write::<D>(scalar),
    }
}

/// A character of a replacement, or a question mark if there is no form for it.
pub(crate) fn character<D: Encoding>(character: u32) -> Units<D::Unit> {
    D::encode(character).unwrap_or_else(substitute::<D>)
}

/// The character that stands for what is none.
const REPLACEMENT: u32 = 0xFFFD;

/// U+FFFD, or a question mark where there is no form for it.
#[inline]
pub(crate) fn substitute<D: Encoding>() -> Units<D::Unit> {
    D::encode(REPLACEMENT).or_else(|| D::encode('?'.into())).unwrap_or_else(|| Units::new(&[]))
}

/// Whether the units of an encoding can be surrogates.
#[inline]
const fn holds_surrogates(variant: Variant) -> bool {
    matches!(variant.family(), Family::Utf16 | Family::Utf32)
}

/// The unit that is a surrogate.
fn surrogate<D: Encoding>(point: u32) -> Units<D::Unit> {
    D::surrogate(point).unwrap_or_else(substitute::<D>)
}

/// Writes what the policy has for the ill-formed units at the start of `rest`; or nothing, if there is
/// no room for all of it.
#[inline]
fn write_replacement<S: Encoding, D: Encoding>(
    rest: &[S::Unit],
    subpart: usize,
    policy: Policy<'_>,
    substitute: &Units<D::Unit>,
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    let subpart =
        if matches!(policy, Policy::Escape(Escape::Backslash)) { state.portion(subpart) } else { subpart };
    let mut len = subpart;
    let fits = match policy {
        Policy::Replace(replacement) => {
            if matches!(S::VARIANT, Variant::Utf8) && !matches!(replacement, Replacement::Whatwg) {
                match replacement.answer(cast(rest), subpart) {
                    Answer::Replaced(bytes) => len = bytes,
                    Answer::Surrogate(surrogate, bytes) if holds_surrogates(D::VARIANT) => {
                        let fits = output.put(&self::surrogate::<D>(surrogate));
                        state.read += if fits { bytes } else { 0 };
                        return fits;
                    }
                    Answer::Surrogate(_, bytes) => len = bytes,
                }
            }
            output.put(substitute)
        }
        // What comes next could be a low surrogate, and there would be a pair.
        Policy::With("") | Policy::DropAtTheRiskOfJoining
            if matches!(D::VARIANT, Variant::Wtf8) && state.high == Some(state.read) =>
        {
            output.put(substitute)
        }
        Policy::With(text) => push_all::<D>(text.chars().map(u32::from), output),
        Policy::Escape(escape) => escaped::<S, D>(&rest[..subpart], escape, output),
        Policy::DropAtTheRiskOfJoining => true,
    };
    if fits {
        state.replace(len);
    }
    fits
}

/// [`answer`], for a source and a target that are not on the same way.
#[cfg(feature = "dynamic")]
pub(crate) fn write_replacement_for<S: Encoding, D: Encoding>(
    rest: &[S::Unit],
    subpart: usize,
    policy: Policy<'_>,
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) {
    write_replacement::<S, D>(rest, subpart, policy, &substitute::<D>(), output, state);
}

/// Writes these characters, all or none, with question marks for those that have no form.
fn push_all<D: Encoding>(
    characters: impl Iterator<Item = u32> + Clone,
    output: &mut OutputCursor<'_, D::Unit>,
) -> bool {
    put_all(characters.map(character::<D>), output)
}

/// Writes these units, all or none.
pub(crate) fn put_all<U: Unit>(
    all: impl Iterator<Item = Units<U>> + Clone,
    output: &mut OutputCursor<'_, U>,
) -> bool {
    let needed = all.clone().map(|units| units.as_slice().len()).sum::<usize>();
    needed <= output.spare().len() && all.into_iter().all(|units| output.put(&units))
}

/// Writes the escapes of these units, all or none.
fn escaped<S: Encoding, D: Encoding>(
    units: &[S::Unit],
    escape: Escape,
    output: &mut OutputCursor<'_, D::Unit>,
) -> bool {
    let bytes: &[u8] = cast(units);
    let value = |unit: &S::Unit| {
        let mut native = [0; 4];
        native[..size_of::<S::Unit>()].copy_from_slice(Unit::bytes(core::slice::from_ref(unit)));
        match size_of::<S::Unit>() {
            1 => u32::from(native[0]),
            2 => u32::from(u16::from_ne_bytes([native[0], native[1]])),
            _ => u32::from_ne_bytes(native),
        }
    };
    let in_utf8 = matches!(S::VARIANT, Variant::Utf8 | Variant::Ascii);
    match escape {
        Escape::Backslash => {
            let (letter, digits) = match size_of::<S::Unit>() {
                1 => ('x', 2),
                2 => ('u', 4),
                _ => ('U', 8),
            };
            let digit = move |unit: u32, place: u32| {
                char::from_digit(unit >> (4 * place) & 0xF, 16).unwrap_or('0').to_ascii_uppercase()
            };
            let characters = units.iter().flat_map(|unit| {
                let unit = value(unit);
                ['\\', letter].into_iter().chain((0..digits).rev().map(move |place| digit(unit, place)))
            });
            push_all::<D>(characters.map(u32::from), output)
        }
        Escape::Surrogate if holds_surrogates(D::VARIANT) && in_utf8 => {
            let units = |byte: &u8| surrogate::<D>(0xDC00 + u32::from(*byte));
            put_all(bytes.iter().map(units), output)
        }
        Escape::Surrogate if holds_surrogates(D::VARIANT) => match unpaired::<S>(units) {
            Some(point) => output.put(&surrogate::<D>(point)),
            None => output.put(&substitute::<D>()),
        },
        Escape::Latin1 if in_utf8 => push_all::<D>(bytes.iter().map(|byte| u32::from(*byte)), output),
        Escape::Windows1252 if in_utf8 => {
            let character = |byte: &u8| match byte {
                0x80..=0x9F => u32::from(WINDOWS_1252[usize::from(byte - 0x80)]),
                _ => u32::from(*byte),
            };
            push_all::<D>(bytes.iter().map(character), output)
        }
        Escape::Surrogate | Escape::Latin1 | Escape::Windows1252 => output.put(&substitute::<D>()),
    }
}

/// The surrogate code point that the one ill-formed unit is, if it is one.
pub(crate) fn unpaired<S: Encoding>(units: &[S::Unit]) -> Option<u32> {
    let bytes: &[u8] = cast(units);
    let value = match S::VARIANT {
        Variant::Utf16(order) | Variant::Utf32(order) => order.value(bytes),
        _ => return None,
    };
    let whole = bytes.len() == S::VARIANT.unit();
    (whole && (0xD800..0xE000).contains(&value)).then_some(value)
}

/// Bytes that are washed at once: they, and what becomes of them, stay in the nearest cache.
const BATH: usize = 2048;

/// Converts a stretch of UTF-16 or UTF-32 that begins with an error, with U+FFFD for each ill-formed
/// unit; or says that it could not do anything.
fn wash<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    let mut bath = [0_u32; BATH / 4];
    let bath: &mut [S::Unit] = cast_mut(&mut bath);
    let each = S::VARIANT.unit() / size_of::<S::Unit>();
    let begin = state.read;
    loop {
        let rest = &src[state.read..];
        let mut len = (rest.len() / each * each).min(bath.len());
        // A high surrogate at the end is left out: its partner may be behind it.
        let last = unpaired::<S>(&rest[len.saturating_sub(each)..len]);
        if matches!((S::VARIANT, last), (Variant::Utf16(_), Some(0xD800..=0xDBFF))) {
            len -= each;
        }
        let replaced = bridge::replace_wide::<S>(engine, &rest[..len], bath);
        let moved = bulk::run::<S, D>(engine, &bath[..len], output);
        let mut taken = replaced;
        if replaced > 0 && (moved < len || state.first.is_none()) {
            let pieces = || rest[..moved].chunks_exact(each).zip(bath[..moved].chunks_exact(each));
            taken = pieces().filter(|(before, after)| before != after).count();
            if state.first.is_none() {
                let place = pieces().position(|(before, after)| before != after);
                state.first = place.map(|place| state.read + place * each);
            }
        }
        state.replaced += taken;
        state.read += moved;
        // On with the next stretch as long as there is something to wash.
        if moved < len || moved == 0 || replaced == 0 {
            return state.read > begin;
        }
    }
}

/// Converts a stretch of UTF-8 that begins with an error, until it has been clean for a while; or says
/// that it could not do anything.
fn launder<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let each_byte = policy == Policy::Replace(Replacement::PerByte);
    let begin = state.read;
    loop {
        let rest: &[u8] = cast(&src[state.read..]);
        let washed = if matches!(D::VARIANT, Variant::Utf8) {
            bridge::replace_utf8(engine, rest, output, each_byte)
        } else {
            let mut bath = [0_u8; BATH];
            let mut water = OutputCursor::new(output::as_uninit(&mut bath));
            let washed = bridge::replace_utf8(engine, rest, &mut water, each_byte);
            // It is taken whole or not at all, so that what was read needs not be counted back.
            if output.spare().len() < max_transcoded_len::<Utf8, D>(washed.written) {
                return state.read > begin;
            }
            let mut text = &bath[..washed.written];
            while !text.is_empty() {
                text = &text[bulk::run::<Utf8, D>(engine, text, output)..];
                if !text.is_empty()
                    && let Ok((scalar, len)) = Utf8::decode(text)
                    && let Some(units) = D::encode(scalar)
                {
                    output.put(&units);
                    text = &text[len..];
                }
            }
            washed
        };
        if washed.replaced > 0 {
            state.first.get_or_insert(state.read + washed.first);
        }
        state.replaced += washed.replaced;
        state.read += washed.read;
        if washed.replaced == 0 || state.read == src.len() {
            return state.read > begin;
        }
    }
}

/// Converts a few bytes of UTF-8 that are full of errors, with U+FFFD for each maximal subpart; returns
/// whether there was room.
///
/// Nothing here is long enough for a kernel, and what costs is that every other branch comes as a
/// surprise. The standard library has a loop of few branches for just that. (A loop without any, by a
/// table and conditional moves, took as long on random bytes, and longer where errors had a pattern.)
fn chunk_by_chunk<D: Encoding>(
    dirt: &[u8],
    substitute: &Units<D::Unit>,
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    const WINDOW: usize = 512;
    let window = &dirt[..dirt.len().min(WINDOW)];
    let end = state.read + window.len();
    for chunk in window.utf8_chunks() {
        let text = chunk.valid();
        let fits = match D::VARIANT {
            Variant::Utf8 if output.push(cast(text.as_bytes())) => {
                state.read += text.len();
                true
            }
            _ => text.chars().all(|character| {
                let (units, len) = (D::encode(character.into()), character.len_utf8());
                let fits = output.put(units.as_ref().unwrap_or(substitute));
                match units {
                    _ if !fits => {}
                    Some(_) => state.read += len,
                    None => state.replace(len),
                }
                fits
            }),
        };
        let bad = chunk.invalid().len();
        // What ends with the window may go on behind it.
        if bad > 0 && state.read + bad == end && window.len() < dirt.len() {
            return fits;
        }
        if !fits || (bad > 0 && !output.put(substitute)) {
            return false;
        }
        if bad > 0 {
            state.replace(bad);
        }
    }
    true
}

/// What a policy replaces although it is a character.
struct Rejected<'a> {
    policy: Policy<'a>,
    /// The next place where there may be one, if it is known.
    at: Option<usize>,
}

impl Rejected<'_> {
    /// Whether `scalar`, in UTF-8, is replaced.
    #[inline]
    fn holds<S: Encoding>(&self, scalar: u32) -> bool {
        match (S::VARIANT, self.policy) {
            (Variant::Utf8, Policy::Replace(replacement)) => replacement.rejects(scalar),
            _ => false,
        }
    }

    /// How far from `read` on there is no such character, at least.
    #[inline]
    fn next<S: Encoding>(&mut self, src: &[S::Unit], read: usize) -> usize {
        match (S::VARIANT, self.policy) {
            (Variant::Utf8, Policy::Replace(Replacement::Perl5)) => {
                if self.at.is_none_or(|at| at < read) {
                    self.at = Some(read + noncharacter(cast(&src[read..])));
                }
                self.at.unwrap_or(src.len())
            }
            _ => src.len(),
        }
    }
}

/// The first place in `bytes` where a noncharacter may begin, or their length.
///
/// In UTF-8, U+FDD0..U+FDEF are EF B7 90..AF, and those at the end of a plane end in BF BE or BF BF
/// behind EF or a continuation byte that ends in F. Where such bytes are part of something else, the
/// machine will say so.
#[inline]
fn noncharacter(bytes: &[u8]) -> usize {
    let is_one = |bytes: &[u8]| match bytes {
        [0xEF, 0xB7, 0x90..=0xAF] => true,
        [lead, 0xBF, 0xBE | 0xBF] => *lead == 0xEF || *lead & 0xCF == 0x8F,
        _ => false,
    };
    // Both kinds have B7 or BF in the middle: blocks without are passed over in vectors.
    let mut begin = 0;
    for block in bytes.chunks(64) {
        let middle = block.iter().fold(false, |any, byte| any | matches!(byte, 0xB7 | 0xBF));
        if middle {
            let from = begin.max(1) - 1;
            let to = bytes.len().min(begin + block.len() + 1);
            if let Some(place) = bytes[from..to].windows(3).position(is_one) {
                // Of four bytes, these are the last three.
                let place = from + place;
                return if bytes[place] == 0xEF { place } else { place.max(1) - 1 };
            }
        }
        begin += block.len();
    }
    bytes.len()
}
