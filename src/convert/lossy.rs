//! The loop around kernel and codecs that does not stop at ill-formed sequences.
//!
//! It is that of the strict conversions: the kernel converts well-formed text, and the codecs the one character at which it stopped.
//! Where the source's codec rejects a sequence, the policy says how many units are read and what is written for them. An error restarts
//! nothing: the loop continues after it, and where errors are dense it continues with the codecs for a while, because a kernel would be
//! called for a few bytes each time.
//!
//! Where possible, ill-formed sequences are replaced in vectors, in a staging buffer or straight into the output: that is in
//! [`staging`]. From UTF-8 to UTF-8 it is the ordinary way, and the loop here is for the last bytes of an output. An error by itself, with
//! what is left of the same character, is not worth a staging buffer: most text with errors is short, and has one.
//!
//! - [`staging`]: replacement by kernels.
//! - [`omission`]: omission, and question marks in Latin-1 and ASCII, in blocks.
//! - [`windows`]: dense errors in UTF-8, by any policy, to encodings that have all characters.
//! - [`dense`]: dense errors between any two encodings.
//! - [`rejected`]: the characters that a policy replaces although they are well-formed.
//! - [`write`](mod@write): replacements, written whole or not at all.

mod dense;
mod omission;
mod rejected;
mod staging;
mod windows;
mod write;

#[cfg(feature = "alloc")]
pub(crate) use self::dense::ShortTexts;
use self::dense::write::put_text_in;
pub(crate) use self::dense::{
    Read, Reading, Write, Writes, convert_dense, read as read_pieces, write as write_pieces,
};
use self::rejected::RejectedCharacters;
pub(super) use self::write::REPLACEMENT;
pub(crate) use self::write::{character, encode, holds_surrogates};
use self::write::{put_points, substitute, surrogate};
use super::escape::Escape;
use super::policy::Policy;
use super::replacement::{Answer, Replacement};
use crate::convert::bulk;
use crate::kernel::{Engine, Isa, REPLACEMENT_ROOM};
use crate::output::OutputCursor;
use crate::unicode::codec::corrected::{is_recognized, reserved_continuation};
use crate::unicode::codec::{self, Units};
use crate::unicode::{Encoding, Family, Fault, Kind, Unit as _, Variant, cast, is_high, is_surrogate};

/// The state of a lossy conversion: what was read, and what was replaced.
#[derive(Clone, Debug, Default)]
pub(crate) struct LossyState {
    /// Units of the source that were read.
    pub read: usize,
    /// How many replacements were made.
    pub replaced: usize,
    /// The offset of the first of them in the source.
    pub first: Option<usize>,
    /// The end, in the source, of the last high surrogate that was written unchanged.
    high: Option<usize>,
    /// Whether the last sequence read is a reserved one of Corrected UTF-8, to which what comes next may belong.
    in_reserved: bool,
    /// Whether the replacement for the sequence at `read` is written already.
    ahead: bool,
    /// Whether there was an error among the last few sequences, so that the next may be near.
    dense: bool,
}

/// What a lossy conversion in chunks keeps of a chunk for the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    /// Whether the last code point written is a high surrogate.
    pub high: bool,
    /// Whether the last sequence is a reserved one, which may go on.
    pub in_reserved: bool,
    /// Whether the replacement for the next sequence is written already.
    pub ahead: bool,
    /// Whether errors were close to each other.
    pub dense: bool,
}

impl LossyState {
    /// Records a replacement of `len` units of the source.
    #[inline]
    pub(crate) fn replace(&mut self, len: usize) {
        self.first.get_or_insert(self.read);
        self.replaced += 1;
        self.read += len;
    }

    /// Records the replacement of a sequence of `len` units that breaks this rule. If it is reserved, more may belong to it.
    #[inline]
    pub(crate) fn replace_ill_formed(&mut self, len: usize, kind: Kind) {
        self.replace(len);
        self.in_reserved = matches!(kind, Kind::Reserved);
    }

    /// Passes over a sequence of `len` units if its replacement is written already; returns whether it is.
    #[inline]
    pub(crate) fn pass_replaced(&mut self, len: usize) -> bool {
        if self.ahead {
            self.read += len;
        }
        core::mem::take(&mut self.ahead)
    }

    /// The state at the start of a chunk.
    #[inline]
    pub(crate) fn after(carry: Carry) -> LossyState {
        let Carry { high, in_reserved, ahead, dense } = carry;
        LossyState { high: high.then_some(0), in_reserved, ahead, dense, ..LossyState::default() }
    }

    /// The state at the end of a chunk.
    #[inline]
    pub(crate) fn carry(&self) -> Carry {
        let LossyState { in_reserved, ahead, dense, .. } = *self;
        Carry { high: self.high == Some(self.read), in_reserved, ahead, dense }
    }

    /// Adds the conversion of what comes next, by itself.
    pub(crate) fn append(&mut self, next: &LossyState) {
        if let (None, Some(first)) = (self.first, next.first) {
            self.first = Some(self.read + first);
        }
        self.read += next.read;
        self.replaced += next.replaced;
        (self.in_reserved, self.ahead, self.dense) = (next.in_reserved, next.ahead, next.dense);
    }

    /// The same state where an error is next, so that no kernel need be asked.
    pub(crate) fn in_dense(self) -> LossyState {
        LossyState { dense: true, ..self }
    }

    /// Whether there was an error among the last few sequences. It is asked once.
    #[cfg(feature = "dynamic")]
    #[inline]
    pub(crate) fn take_dense(&mut self) -> bool {
        core::mem::take(&mut self.dense)
    }

    /// Whether what comes next may belong to a reserved sequence that was replaced.
    #[inline]
    pub(crate) fn in_reserved(&self) -> bool {
        self.in_reserved
    }

    /// Passes over what still belongs to a reserved sequence. It is one replacement, which has been made; only an escape has something
    /// for each byte, which `escape` writes. Returns whether there was room for it.
    pub(crate) fn pass_reserved(
        &mut self,
        src: &[u8],
        policy: Policy<'_>,
        mut escape: impl FnMut(&[u16]) -> bool,
    ) -> bool {
        let rest = &src[self.read..];
        if let Policy::Escape(by @ Escape::Backslash) = policy {
            for byte in rest.iter().take_while(|byte| !is_recognized(byte)) {
                if !escape(by.points(Variant::CorrectedUtf8, 1, &[*byte], false).as_slice()) {
                    return false;
                }
                self.read += 1;
            }
        } else {
            self.read += reserved_continuation(rest);
        }
        self.in_reserved = self.read == src.len();
        true
    }

    /// Skips the error at the current offset, whose replacement is a text; returns the length of that text.
    pub(super) fn skip_replacement<S: Encoding, D: Encoding>(
        &mut self,
        src: &[S::Unit],
        policy: Policy<'_>,
    ) -> usize {
        let units = |point: char| character(encode::<D>, point.into());
        let len = match policy {
            Policy::With(text) => {
                let len = |character| units(character).len();
                text.chars().fold(0_usize, |sum, character| sum.saturating_add(len(character)))
            }
            _ => 0,
        };
        match S::decode(&src[self.read..]) {
            Ok((_, len)) => self.replace(len),
            Err(fault) => self.replace_ill_formed(fault.len(), fault.kind()),
        }
        len
    }
}

/// The loops for short texts with errors; `None` if they do not serve.
#[cfg(feature = "alloc")]
pub(crate) fn short_texts<S: Encoding, D: Encoding>(
    policy: Policy<'_>,
) -> Option<ShortTexts<'_, S::Unit, D::Unit>> {
    ShortTexts::new((read_pieces::<S>, write_pieces::<D>), S::VARIANT, (D::VARIANT, encode::<D>), policy)
}

/// Converts `src` from the offset in `state` on; returns whether it reached the end. If not, the output is full.
pub(crate) fn convert_lossy<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let stages_wide = D::encode(REPLACEMENT).is_some() && matches!(policy, Policy::Replace(_));
    // (An encoding that has all characters has U+FFFD.)
    let replaces_utf8 = matches!(policy, Policy::Replace(Replacement::Whatwg | Replacement::PerByte));
    let stages_utf8 = replaces_utf8 || policy.drops();
    // How many units before the end of its input a kernel may stop, because a character could be incomplete.
    let blind = if S::VARIANT.family() == Family::Cesu8 { 6 } else { 4 };
    let mut rejected = RejectedCharacters::new(policy);
    let substitute = substitute(encode::<D>);
    // How many units the kernel is given: few where errors are close to each other.
    let mut reach = usize::MAX;
    let mut error_before = state.read;
    // How many successive calls of the kernel converted hardly anything.
    let mut stuck = 0;
    // Whether dense errors are for the two loops of `dense`: where there is no kernel that replaces them in blocks, or a small output has
    // no room for its blocks.
    let has_blocks = policy == Policy::default() && !matches!(D::VARIANT, Variant::Utf8) || policy.drops();
    let is_small = !has_blocks && output.spare().len() < SMALL;
    // (Without vectors there is nothing faster.)
    let is_best = const { !cfg!(target_arch = "wasm32") } && (is_small || engine.isa() == Isa::Scalar);
    let in_pieces = (const { dense::serves(S::VARIANT, D::VARIANT) } || is_best)
        && dense::serves_policy(S::VARIANT, D::VARIANT, policy);
    let mut writes = None;
    // Whether there was an error before. (One by itself is not worth a staging buffer, which takes 30 to 60 ns. On WebAssembly it is not asked,
    // for the size of modules.)
    let mut seen = state.dense || cfg!(target_family = "wasm");
    // (With much room, what it costs to look for something faster does not matter.)
    if !in_pieces || output.spare().len() >= DENSE {
        state.dense = false;
    }
    while state.read < src.len() {
        let continues = const { matches!(S::VARIANT, Variant::CorrectedUtf8) } && state.in_reserved;
        if in_pieces && (stuck > 2 || continues || state.dense) {
            let was_dense = core::mem::take(&mut state.dense);
            let writes = writes.get_or_insert_with(|| {
                Writes::new(encode::<D>, D::VARIANT, (S::VARIANT, size_of::<S::Unit>()), policy)
            });
            let reading = Reading::new(S::VARIANT, D::VARIANT, policy);
            let loops = (read_pieces::<S> as Read<S::Unit>, write_pieces::<D> as Write<D::Unit>);
            if !convert_dense(loops, src, output, (reading, writes), state, was_dense || stuck > 2) {
                return false;
            }
            // (Called for one reserved sequence, or at the start of an output, it does not say that errors are rare.)
            if stuck > 2 {
                stuck = 0;
            }
            continue;
        }
        if const { matches!(S::VARIANT, Variant::CorrectedUtf8) } && state.in_reserved {
            if !state.pass_reserved(cast(src), policy, |points| put_points(encode::<D>, points, output)) {
                return false;
            }
            continue;
        }
        // UTF-8 to UTF-8 in one pass, up to the last bytes of the room.
        if const { staging::serves_utf8::<S>() && staging::serves_utf8::<D>() }
            && replaces_utf8
            && engine.isa() != Isa::Scalar
            && output.spare().len() >= REPLACEMENT_ROOM
            && staging::repair_utf8::<S, D>(engine, src, output, policy, state)
        {
            error_before = state.read;
            continue;
        }
        let stop = rejected.next::<S>(src, state.read, size_of_val(output.spare()));
        let stop = stop.min(state.read.saturating_add(reach));
        let moved = bulk::run::<S, D>(engine, &src[state.read..stop], output);
        state.read += moved;
        if state.read == src.len() {
            break;
        }
        if moved > 0 && stop - state.read < blind && stop < src.len() {
            reach = reach.saturating_mul(4);
            continue;
        }
        if const { staging::serves_utf8::<S>() && omission::serves::<D>() }
            && !state.ahead
            && omission::omit::<S, D>(engine, src, output, policy, state)
        {
            reach = usize::MAX;
            error_before = state.read;
            continue;
        }
        if const { omission::serves_wide::<S, D>() }
            && !state.ahead
            && omission::omit_wide::<S, D>(src, output, policy, state)
        {
            reach = usize::MAX;
            error_before = state.read;
            continue;
        }
        let near = seen && state.read - error_before < DENSE;
        if const {
            staging::serves_utf8::<S>() && staging::has_all_characters::<D>() && !staging::serves_utf8::<D>()
        } && stages_utf8
            && near
            && staging::replace_utf8::<S, D>(engine, src, output, policy, state)
        {
            reach = usize::MAX;
            error_before = state.read;
            continue;
        }
        reach = if state.read - error_before < 4 * REACH { REACH } else { usize::MAX };
        error_before = state.read;
        seen = true;
        stuck = if moved < SHORT { stuck + 1 } else { 0 };
        // By the codecs to the error before which the kernel stopped, and past it; or further, if errors are dense.
        let dense = stuck > 2;
        if in_pieces && dense {
            continue;
        }
        if const { staging::serves_utf8::<S>() } && dense && policy == Policy::default() {
            let rest = cast(&src[state.read..]);
            if !staging::replace_utf8_by_chunks::<D>(rest, &substitute, output, state) {
                return false;
            }
            continue;
        }
        if const { staging::serves_utf8::<S>() && staging::has_all_characters::<D>() }
            && dense
            && !state.ahead
            && windows::replace_by_windows::<S, D>(engine, src, output, policy, state)
        {
            continue;
        }
        let mut characters = if dense { 64 } else { 8 };
        let mut near_errors = NEAR_ERRORS;
        while characters > 0 && state.read < src.len() {
            characters -= 1;
            let rest = &src[state.read..];
            match codec::read::<S, D>(rest) {
                Ok((scalar, len)) if !rejected.contains::<S>(scalar) => {
                    match recode::<S, D>(scalar, len, rest) {
                        // A high surrogate waits until the substitute fits as well, in case the next sequence is dropped:
                        // a low surrogate after that would form a pair.
                        Some(_)
                            if matches!(D::VARIANT, Variant::Wtf8)
                                && policy.drops()
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
                        None if policy == Policy::Omit || output.put(&substitute) => state.replace(len),
                        None => return false,
                    }
                }
                Ok((_, len)) if output.put(&substitute) => state.replace(len),
                Ok(_) => return false,
                // If that cannot proceed, too close to an end, the codec continues one by one.
                Err(_)
                    if const { staging::serves_wide::<S>() }
                        && stages_wide
                        && (near || near_errors < NEAR_ERRORS || const { staging::is_copy::<S, D>() })
                        && staging::replace_wide::<S, D>(engine, src, output, state) =>
                {
                    break;
                }
                Err(fault) => {
                    if !write_replacement::<S, D>(rest, fault, policy, &substitute, output, state) {
                        return false;
                    }
                    if !dense {
                        // A character of several units that is damaged is often two or three errors.
                        let next = src.get(state.read).is_some_and(|next| is_suspect::<S>(*next));
                        if !next || state.in_reserved || near_errors == 0 {
                            break;
                        }
                        near_errors -= 1;
                        characters = 1;
                        continue;
                    }
                    // The rest of a reserved sequence is passed over here as well, for the same reason.
                    if const { matches!(S::VARIANT, Variant::CorrectedUtf8) }
                        && state.in_reserved
                        && !state.pass_reserved(cast(src), policy, |points| {
                            put_points(encode::<D>, points, output)
                        })
                    {
                        return false;
                    }
                }
            }
        }
    }
    true
}

/// Units given to the kernel after an error that followed another one closely: a few blocks, which it takes one by one. A longer text
/// it would take in larger steps, and would have to find the error within a step.
const REACH: usize = 192;

/// The most units between errors for which they are replaced in a staging buffer, not one by one.
const DENSE: usize = 256;

/// How many errors right behind another one are replaced one by one: as many as a damaged character can be. (Without such a limit a text that
/// is nothing but errors would be.)
const NEAR_ERRORS: usize = 3;

/// Room for fewer units than this is not worth windows.
const SMALL: usize = 256;

/// Fewer units than this are not worth a call of a kernel.
const SHORT: usize = 16;

/// The units in `D` of a character, which has `len` units at the start of `rest`.
#[inline]
fn recode<S: Encoding, D: Encoding>(scalar: u32, len: usize, rest: &[S::Unit]) -> Option<Units<D::Unit>> {
    match (S::VARIANT, D::VARIANT) {
        (Variant::Utf8, Variant::Utf8) => Some(Units::first(len, cast(rest))),
        _ => codec::write::<D>(scalar),
    }
}

/// Whether hardly any character begins with this unit.
#[inline(always)]
fn is_suspect<S: Encoding>(unit: S::Unit) -> bool {
    match (unit.value(), size_of::<S::Unit>()) {
        (byte, 1) => byte & 0xC0 == 0x80 || byte >= 0xF8,
        (unit, _) => is_surrogate(unit),
    }
}

/// Writes what the policy has for the ill-formed units at the start of `rest`, all of it or nothing; returns whether there was room.
#[inline]
fn write_replacement<S: Encoding, D: Encoding>(
    rest: &[S::Unit],
    fault: Fault,
    policy: Policy<'_>,
    substitute: &Units<D::Unit>,
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    let subpart = fault.len();
    let mut len = subpart;
    let fits = match policy {
        Policy::Replace(replacement) => {
            if matches!(S::VARIANT, Variant::Utf8) && !matches!(replacement, Replacement::Whatwg) {
                match replacement.answer(cast(rest), subpart) {
                    Answer::Replaced(bytes) => len = bytes,
                    Answer::Surrogate(surrogate, bytes) if holds_surrogates(D::VARIANT) => {
                        let fits = output.put(&self::surrogate(encode::<D>, surrogate));
                        state.read += if fits { bytes } else { 0 };
                        return fits;
                    }
                    Answer::Surrogate(_, bytes) => len = bytes,
                }
            }
            if state.pass_replaced(len) {
                return true;
            }
            output.put(substitute)
        }
        // Dropped, a low surrogate after it would form a pair with the high one before it.
        _ if policy.drops() && matches!(D::VARIANT, Variant::Wtf8) && state.high == Some(state.read) => {
            output.put(substitute)
        }
        Policy::With(text) => put_text_in::<D>(text, output),
        Policy::Escape(escape) => {
            let surrogates = holds_surrogates(D::VARIANT);
            let points = escape.points(S::VARIANT, size_of::<S::Unit>(), cast(&rest[..subpart]), surrogates);
            put_points(encode::<D>, points.as_slice(), output)
        }
        Policy::DropAtTheRiskOfJoining | Policy::Omit => true,
    };
    if fits {
        state.replace_ill_formed(len, fault.kind());
    }
    fits
}

/// The surrogate that an ill-formed unit of UTF-16 or UTF-32 is, if it is one.
#[inline]
pub(super) fn unpaired(source: Variant, bytes: &[u8]) -> Option<u32> {
    let value = match source {
        Variant::Utf16(order) | Variant::Utf32(order) => order.value(bytes),
        _ => return None,
    };
    let whole = bytes.len() == source.unit();
    (whole && (0xD800..0xE000).contains(&value)).then_some(value)
}
