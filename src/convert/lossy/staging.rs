//! Replacement by kernels, through a staging buffer.
//!
//! In UTF-16 and UTF-32 a replacement is as long as what it replaces. So a span with errors is copied to a small staging buffer, with
//! every ill-formed unit replaced in vectors; the result is well-formed, and the kernel of the pair converts it whole, however many
//! errors there were.
//!
//! In UTF-8 the same is done for the two behaviours that can be computed by masks, [`Whatwg`](Replacement::Whatwg) and
//! [`PerByte`](Replacement::PerByte); if the target is UTF-8, too, straight into the output, and for text without errors as well.
//!
//! For all other policies the kernel only says where the ill-formed sequences of a window are ([`replace_by_windows`]): the text
//! between them is copied, and what the policy has for each is written, as UTF-8. With the codecs, one character at a time, random
//! bytes took two to seven times as long, and runs of errors up to ten times. Still with the codecs are policies that write
//! surrogates as units of UTF-16 and UTF-32, and targets that do not have all characters.

use super::{LossyState, SHORT, holds_surrogates, put_all, substitute, unpaired, write_replacement};
use crate::bridge;
use crate::convert::replacement::Answer;
use crate::convert::{Escape, Policy, Replacement, bulk, max_transcoded_len};
use crate::kernel::{Engine, REPLACEMENT_ROOM, Replaced, dispatch};
use crate::output::{self, OutputCursor};
use crate::unicode::codec::{Codec as _, Units};
use crate::unicode::{Encoding, Fault, Kind, Unit, Utf8, Variant, cast, cast_mut};

/// Whether [`replace_wide`] can convert from `S`.
pub(super) const fn serves_wide<S: Encoding>() -> bool {
    matches!(S::VARIANT, Variant::Utf16(_) | Variant::Utf32(_))
}

/// Whether [`replace_utf8`] can convert from `S`.
pub(super) const fn serves_utf8<S: Encoding>() -> bool {
    matches!(S::VARIANT, Variant::Utf8)
}

/// Whether `D` has a form for every character, so that all of a staging buffer can be written.
pub(super) const fn has_all_characters<D: Encoding>() -> bool {
    !matches!(D::VARIANT, Variant::Ascii | Variant::Latin1 | Variant::CorrectedUtf8)
}

/// Bytes of a staging buffer: it and the output for it stay in the L1 cache.
const STAGING: usize = 2048;

/// Up to so many bytes of UTF-8, or room for them, are validated and copied up to the first error. That is faster if there is none, for
/// all but long ASCII.
const SHORT_TEXT: usize = 16 << 10;

/// Bytes of well-formed UTF-8 that are validated, then copied.
const PIECE: usize = 32 << 10;

/// Bytes of a staging buffer that are worth a call of a kernel.
const LEAST_STAGED: usize = 128;

/// Converts a span of UTF-16 or UTF-32 that begins with an error, with U+FFFD for each ill-formed unit; returns whether it read
/// anything.
pub(super) fn replace_wide<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    let mut staging = [0_u32; STAGING / 4];
    let staging: &mut [S::Unit] = cast_mut(&mut staging);
    let each = S::VARIANT.unit() / size_of::<S::Unit>();
    let begin = state.read;
    loop {
        let rest = &src[state.read..];
        // Not much more than there is room for: the rest would be replaced again for the next output.
        let most = output.spare().len().saturating_mul(4).saturating_add(64).min(staging.len());
        let mut len = rest.len().min(most) / each * each;
        // A high surrogate at the end is left out: the low one may follow.
        let last = unpaired(S::VARIANT, cast(&rest[len.saturating_sub(each)..len]));
        if matches!((S::VARIANT, last), (Variant::Utf16(_), Some(0xD800..=0xDBFF))) {
            len -= each;
        }
        let replaced = bridge::replace_wide::<S>(engine, &rest[..len], staging);
        let moved = bulk::run::<S, D>(engine, &staging[..len], output);
        let mut taken = replaced;
        if replaced > 0 && (moved < len || state.first.is_none()) {
            let units = || rest[..moved].chunks_exact(each).zip(staging[..moved].chunks_exact(each));
            taken = units().filter(|(before, after)| before != after).count();
            if state.first.is_none() {
                let index = units().position(|(before, after)| before != after);
                state.first = index.map(|index| state.read + index * each);
            }
        }
        state.replaced += taken;
        state.read += moved;
        // Continue while there is something to replace.
        if moved < len || moved == 0 || replaced == 0 {
            return state.read > begin;
        }
    }
}

/// Converts UTF-8 in which everything ill-formed has been replaced, and for which there is room. Should it be ill-formed all the
/// same, because the source was changed while it was read, bytes are left out: every turn gets further.
fn convert_staged<D: Encoding>(engine: Engine, mut text: &[u8], output: &mut OutputCursor<'_, D::Unit>) {
    while !text.is_empty() {
        text = &text[bulk::run::<Utf8, D>(engine, text, output)..];
        if text.is_empty() {
            break;
        }
        let mut len = 1;
        if let Ok((scalar, units)) = Utf8::decode(text) {
            len = units;
            if let Some(units) = D::encode(scalar) {
                output.put(&units);
            }
        }
        text = &text[len..];
    }
}

/// Converts UTF-8 with its ill-formed sequences replaced: to UTF-8 all of it, or as much as there is room for; to others while there is
/// something to replace. Returns whether it read anything.
pub(super) fn replace_utf8<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let each_byte = policy == Policy::Replace(Replacement::PerByte);
    let begin = state.read;
    let note = |state: &mut LossyState, step: Replaced| {
        if step.replaced > 0 {
            state.first.get_or_insert(state.read + step.first);
        }
        state.replaced += step.replaced;
        state.read += step.read;
    };
    let mut well_formed = output.spare().len().min(src.len() - begin) <= SHORT_TEXT;
    loop {
        if matches!(D::VARIANT, Variant::Utf8) {
            // On to the next error, in pieces that stay in the cache until they are copied.
            while well_formed {
                let rest = &src[state.read..];
                let piece = &rest[..rest.len().min(PIECE)];
                let moved = bulk::run::<S, D>(engine, piece, output);
                state.read += moved;
                well_formed = piece.len() - moved < 4 && piece.len() < rest.len();
            }
            if state.read == src.len() || output.spare().len() < REPLACEMENT_ROOM {
                return state.read > begin;
            }
            let step = bridge::replace_utf8(engine, cast(&src[state.read..]), output, each_byte);
            note(state, step);
            if step.read == 0 {
                return state.read > begin;
            }
            // It has been well-formed for a while.
            well_formed = true;
            continue;
        }
        let rest: &[u8] = cast(&src[state.read..]);
        let mut staging = [0_u8; STAGING];
        // No more than there is room for in any case: the rest would be replaced again for the next output.
        let most = output.spare().len().saturating_mul(2) / max_transcoded_len::<Utf8, D>(2);
        if most < LEAST_STAGED {
            return state.read > begin;
        }
        let room = &mut staging[..most.min(STAGING)];
        let mut staged = OutputCursor::new(output::as_uninit(room));
        let step = bridge::replace_utf8(engine, rest, &mut staged, each_byte);
        // Written whole or not at all, so that the units read need not be counted back.
        if output.spare().len() < max_transcoded_len::<Utf8, D>(step.written) {
            return state.read > begin;
        }
        convert_staged::<D>(engine, &staging[..step.written], output);
        note(state, step);
        if step.replaced == 0 || state.read == src.len() {
            return state.read > begin;
        }
    }
}

/// Whether what `policy` writes for ill-formed UTF-8 has a form in `D` that is not UTF-8: the surrogates of Python 2, and of an escape.
fn writes_surrogates<D: Encoding>(policy: Policy<'_>) -> bool {
    let may = matches!(policy, Policy::Replace(Replacement::Python2) | Policy::Escape(Escape::Surrogate));
    may && holds_surrogates(D::VARIANT)
}

/// Converts UTF-8 with dense errors by any policy; returns whether it read anything. `stop` is an offset before which nothing is replaced
/// that is well-formed.
///
/// What is ill-formed is found in vectors, in a window each time. What the policy has for it is written to the output if that is
/// UTF-8, and otherwise to a staging buffer, which is converted as a whole.
pub(super) fn replace_by_windows<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    stop: usize,
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let begin = state.read;
    let src: &[u8] = cast(src);
    if matches!(D::VARIANT, Variant::Utf8) || writes_surrogates::<D>(policy) {
        write_windows::<D>(engine, src, stop, output, policy, state);
        return state.read > begin;
    }
    loop {
        let mut staging = [0_u8; STAGING];
        let most = output.spare().len().saturating_mul(2) / max_transcoded_len::<Utf8, D>(2);
        if most < LEAST_STAGED {
            return state.read > begin;
        }
        let room = &mut staging[..most.min(STAGING)];
        let mut staged = OutputCursor::new(output::as_uninit(room));
        let mut next = state.clone();
        write_windows::<Utf8>(engine, src, stop, &mut staged, policy, &mut next);
        let written = staged.written();
        // Written whole or not at all, so that the units read need not be counted back.
        if next.read == state.read || output.spare().len() < max_transcoded_len::<Utf8, D>(written) {
            return state.read > begin;
        }
        convert_staged::<D>(engine, &staging[..written], output);
        let replaced = next.replaced > state.replaced;
        *state = next;
        if !replaced {
            return true;
        }
    }
}

/// What a policy writes to an output of UTF-8.
#[derive(Clone, Copy)]
enum Writes<'p> {
    /// This text for each maximal subpart.
    Text(&'p [u8]),
    /// U+FFFD for as many bytes as this behaviour says.
    Replacement(Replacement),
    /// The escape of each byte.
    EachByte(Escape),
    /// Something in an output that is not UTF-8.
    Others,
}

impl<'p> Writes<'p> {
    fn of<D: Encoding>(policy: Policy<'p>) -> Writes<'p> {
        match policy {
            _ if !matches!(D::VARIANT, Variant::Utf8) => Writes::Others,
            Policy::With(text) => Writes::Text(text.as_bytes()),
            Policy::DropAtTheRiskOfJoining => Writes::Text(b""),
            Policy::Replace(replacement) => Writes::Replacement(replacement),
            // One U+FFFD for a subpart, since there are no surrogates.
            Policy::Escape(Escape::Surrogate) => Writes::Replacement(Replacement::Whatwg),
            Policy::Escape(escape) => Writes::EachByte(escape),
        }
    }
}

/// Writes the escapes of these bytes of an ill-formed sequence of UTF-8, all or none.
fn put_bytes<U: Unit>(escape: Escape, bytes: &[u8], output: &mut OutputCursor<'_, U>) -> bool {
    put_all(
        bytes.iter().map(|byte| {
            let (utf8, len) = escape.utf8_of(*byte);
            Units::first(len, cast(&utf8))
        }),
        output,
    )
}

/// Windows without an error after which a kernel for well-formed text is faster.
const QUIET: u32 = 4;

/// Converts windows until some have had no error, or there is no room for the next piece.
fn write_windows<D: Encoding>(
    engine: Engine,
    src: &[u8],
    stop: usize,
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) {
    let substitute = substitute::<D>();
    let writes = Writes::of::<D>(policy);
    let mut quiet = 0;
    while quiet < QUIET && state.read < src.len() {
        let begin = state.read;
        let rest = &src[begin..];
        let window = dispatch::replace::survey_utf8(engine, rest);
        if window.len == 0 || begin + window.len > stop {
            return;
        }
        let mut ill_formed = window.begins | window.others;
        quiet = if ill_formed == 0 { quiet + 1 } else { 0 };
        // How far it came, and how many were replaced: not in `state`, where each would have to wait for the one before in memory.
        let (mut at, mut replaced) = (0, 0);
        let whole = loop {
            let next = (ill_formed.trailing_zeros() as usize).min(window.len);
            if next > at {
                let (moved, fits) = put_text::<D>(engine, &rest[at..], next - at, output);
                at += moved;
                if !fits {
                    break false;
                }
            }
            if next == window.len {
                break true;
            }
            // The maximal subpart: one byte, if it begins with a byte that could have continued one.
            let others = if window.begins >> next & 1 == 1 { window.others >> next >> 1 } else { 0 };
            let mut len = 1 + others.trailing_ones() as usize;
            let rest = &rest[next..];
            let fits = match writes {
                Writes::Text(text) => output.push(cast(text)),
                Writes::Replacement(replacement) => {
                    if !matches!(replacement, Replacement::Whatwg) {
                        let (Answer::Replaced(bytes) | Answer::Surrogate(_, bytes)) =
                            replacement.answer(rest, len);
                        len = bytes;
                    }
                    output.put(&substitute)
                }
                Writes::EachByte(escape) => put_bytes(escape, &rest[..len], output),
                Writes::Others => {
                    // What it reads and replaces, by itself.
                    let mut alone = LossyState::default();
                    let fault = Fault::new(len, Kind::Truncated);
                    let fits =
                        write_replacement::<Utf8, D>(rest, fault, policy, &substitute, output, &mut alone);
                    replaced += alone.replaced;
                    if alone.replaced > 0 {
                        state.first.get_or_insert(begin + at);
                    }
                    at += alone.read;
                    ill_formed &= u64::MAX.checked_shl(at as u32).unwrap_or(0);
                    if !fits || at >= window.len {
                        break fits;
                    }
                    continue;
                }
            };
            if !fits {
                break false;
            }
            state.first.get_or_insert(begin + at);
            replaced += 1;
            at += len;
            // Some behaviours replace more, and some what is behind the window, too.
            if at >= window.len {
                break true;
            }
            ill_formed &= !0 << at;
        };
        state.read = begin + at;
        state.replaced += replaced;
        if !whole {
            return;
        }
    }
}

/// Writes the first `len` bytes of `text`, which are well-formed; returns how many of them, and whether that is all.
fn put_text<D: Encoding>(
    engine: Engine,
    text: &[u8],
    len: usize,
    output: &mut OutputCursor<'_, D::Unit>,
) -> (usize, bool) {
    if matches!(D::VARIANT, Variant::Utf8) {
        let fits = output.push_first(cast(text), len);
        return (if fits { len } else { 0 }, fits);
    }
    let text = &text[..len];
    let mut at = if len >= SHORT { bulk::run::<Utf8, D>(engine, text, output) } else { 0 };
    while at < len {
        // (Should it be ill-formed, because the source was changed while it was read, it is not written.)
        let Ok((scalar, units)) = Utf8::decode(&text[at..]) else { return (at, false) };
        match D::encode(scalar) {
            Some(units) if output.put(&units) => {}
            _ => return (at, false),
        }
        at += units;
    }
    (at, true)
}

/// Converts a few bytes of UTF-8 with very dense errors, with U+FFFD for each maximal subpart; returns whether there was room.
///
/// No span here is long enough for a kernel, and the cost is in mispredicted branches. The standard library has a loop of few branches
/// for this case. (A loop without branches, by a table and conditional moves, took as long on random bytes, and longer where errors
/// had a pattern.)
pub(super) fn replace_utf8_by_chunks<D: Encoding>(
    rest: &[u8],
    substitute: &Units<D::Unit>,
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    const WINDOW: usize = 512;
    // A copy, since the standard library checks a chunk and then trusts it: it would read beyond a text that is changed in between.
    let mut copy = [0; WINDOW];
    let window = &mut copy[..rest.len().min(WINDOW)];
    window.copy_from_slice(&rest[..window.len()]);
    let window = &*window;
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
        // A sequence at the end of the window may continue after it.
        if bad > 0 && state.read + bad == end && window.len() < rest.len() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::Utf16;

    /// A source that is changed while it is read may leave anything in the buffer: it ends all the same.
    #[test]
    fn an_ill_formed_staging_buffer_is_passed() {
        for engine in Engine::available() {
            for bytes in [&b"\xFF"[..], b"a\x80b", b"\xF0\x9F", b"text \xED\xA0\x80 text", &[0xE4; 300]] {
                let mut units = [0_u16; 1000];
                let mut output = OutputCursor::new(output::as_uninit(&mut units));
                convert_staged::<Utf16>(engine, bytes, &mut output);
                let written = output.written();
                let ascii = bytes.iter().copied().filter(u8::is_ascii).map(u16::from);
                assert!(units[..written].iter().copied().eq(ascii), "{bytes:X?}");
            }
        }
    }
}
