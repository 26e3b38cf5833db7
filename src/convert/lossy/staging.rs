//! Replacement by kernels, through a staging buffer.
//!
//! In UTF-16 and UTF-32 a replacement is as long as what it replaces. So a span with errors is copied to a small staging buffer, with
//! every ill-formed unit replaced in vectors; the result is well-formed, and the kernel of the pair converts it whole, however many
//! errors there were. Where the units stay the same, the copy is the output.
//!
//! In UTF-8 the same is done for the two behaviours that can be computed by masks, [`Whatwg`](Replacement::Whatwg) and
//! [`PerByte`](Replacement::PerByte); if the target is UTF-8, too, straight into the output, and for text without errors as well.
//!
//! Where nothing is written for what is ill-formed, the buffer is filled by the kernel of [`omission`](super::omission), which also serves
//! Latin-1 and ASCII, and there for question marks as well. For all other policies the kernel only says where the ill-formed
//! sequences of a window are: see [`windows`](super::windows).

use core::mem::MaybeUninit;

use super::{LossyState, unpaired};
use crate::bridge::{self, Marks};
use crate::convert::{Policy, Replacement, bulk, max_transcoded_len};
use crate::kernel::{Engine, REPLACEMENT_ROOM};
use crate::output::OutputCursor;
use crate::unicode::codec::{Codec as _, Units};
use crate::unicode::{Encoding, Utf8, Variant, cast};

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
pub(super) const STAGING: usize = 2048;

/// The same for UTF-16 and UTF-32. (To begin and to end a kernel costs a tenth of what it takes for 2048 bytes.)
const WIDE_STAGING: usize = 4096;

/// Bytes of a copy that are replaced at once: a unit more than whole registers, since a register is compared with the units behind it. So
/// only one unit is left for the loop that goes unit by unit.
const WIDE_PIECE: usize = WIDE_STAGING - 64 + 2;

/// Up to so many bytes of UTF-8, or room for them, are validated and copied up to the first error. That is faster if there is none, for
/// all but long ASCII.
const SHORT_TEXT: usize = 16 << 10;

/// Bytes of well-formed UTF-8 that are validated, then copied.
const PIECE: usize = 32 << 10;

/// Bytes of a staging buffer that are worth a call of a kernel.
pub(super) const LEAST_STAGED: usize = 128;

/// Whether `D` has the units of `S`, so that nothing but what is ill-formed becomes another unit.
pub(super) const fn is_copy<S: Encoding, D: Encoding>() -> bool {
    let same = match (S::VARIANT, D::VARIANT) {
        (Variant::Utf16(from), Variant::Utf16(to)) | (Variant::Utf32(from), Variant::Utf32(to)) => {
            from as u8 == to as u8
        }
        _ => false,
    };
    same && size_of::<S::Unit>() == size_of::<D::Unit>()
}

/// Converts a span of UTF-16 or UTF-32 that begins with an error, with U+FFFD for each ill-formed unit; returns whether it read
/// anything.
#[inline(never)]
pub(super) fn replace_wide<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    let begin = state.read;
    // How much of the text is next, at most so much: a high surrogate at the end is left out, as the low one may follow.
    let each = S::VARIANT.unit() / size_of::<S::Unit>();
    let next = |from: usize, most: usize| {
        let rest = &src[from..];
        let len = rest.len().min(most) / each * each;
        let last = unpaired(S::VARIANT, cast(&rest[len.saturating_sub(each)..len]));
        let high = matches!((S::VARIANT, last), (Variant::Utf16(_), Some(0xD800..=0xDBFF)));
        &rest[..len - if high { each } else { 0 }]
    };
    if const { is_copy::<S, D>() } {
        loop {
            let piece = next(state.read, output.spare().len().min(WIDE_PIECE / size_of::<S::Unit>()));
            let replaced = bridge::replace_wide::<S, _>(engine, piece, output);
            if replaced > 0 {
                // The first piece begins with an error.
                state.first.get_or_insert(state.read);
            }
            state.replaced += replaced;
            state.read += piece.len();
            // Continue while there is something to replace.
            if replaced == 0 {
                return state.read > begin;
            }
        }
    }
    // (Not initialised: zeros for all of it would take a fifth of the time for a text of 200 bytes.)
    let mut staging = [const { MaybeUninit::<S::Unit>::uninit() }; WIDE_STAGING];
    let staging = &mut staging[..WIDE_STAGING / size_of::<S::Unit>()];
    loop {
        // Not much more than there is room for: the rest would be replaced again for the next output.
        let most = output.spare().len().saturating_mul(4).saturating_add(64).min(staging.len());
        let piece = next(state.read, most);
        let len = piece.len();
        let mut staged = OutputCursor::new(staging);
        let replaced = bridge::replace_wide::<S, _>(engine, piece, &mut staged);
        let staged = staged.text();
        let moved = bulk::run::<S, D>(engine, staged, output);
        let mut taken = replaced;
        if replaced > 0 && (moved < len || state.first.is_none()) {
            let units = || piece[..moved].chunks_exact(each).zip(staged[..moved].chunks_exact(each));
            let differ = |(before, after): (&[S::Unit], &[S::Unit])| before != after;
            if state.first.is_none() {
                let index = units().position(differ);
                state.first = index.map(|index| state.read + index * each);
            }
            if moved < len {
                taken = units().filter(|&units| differ(units)).count();
            }
        }
        state.replaced += taken;
        state.read += moved;
        if moved < len || moved == 0 || replaced == 0 {
            return state.read > begin;
        }
    }
}

/// Converts UTF-8 in which everything ill-formed has been replaced, and for which there is room. Should it be ill-formed all the
/// same, because the source was changed while it was read, bytes are left out: every turn gets further.
pub(super) fn convert_staged<D: Encoding>(
    engine: Engine,
    mut text: &[u8],
    output: &mut OutputCursor<'_, D::Unit>,
) {
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

/// Copies UTF-8 with its ill-formed sequences replaced: all of it, or as much as there is room for. Returns whether it read anything.
#[inline]
pub(super) fn repair_utf8<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let begin = state.read;
    let mut well_formed = output.spare().len().min(src.len() - begin) <= SHORT_TEXT;
    loop {
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
        let each_byte = policy == Policy::Replace(Replacement::PerByte);
        let step = bridge::replace_utf8(engine, cast(&src[state.read..]), output, each_byte);
        state.note(step);
        if step.read == 0 {
            return state.read > begin;
        }
        // It has been well-formed for a while.
        well_formed = true;
    }
}

/// Converts UTF-8 with its ill-formed sequences replaced, while there is something to replace; returns whether it read anything.
#[inline(never)]
pub(super) fn replace_utf8<S: Encoding, D: Encoding>(
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
        // (Not initialised: zeros for all of it would take as long as two errors.)
        let mut staging = [const { MaybeUninit::uninit() }; STAGING];
        // No more than there is room for in any case: the rest would be replaced again for the next output.
        let most = output.spare().len().saturating_mul(2) / max_transcoded_len::<Utf8, D>(2);
        if most < LEAST_STAGED {
            return state.read > begin;
        }
        let room = &mut staging[..most.min(STAGING)];
        let mut staged = OutputCursor::new(room);
        let step = if policy.drops() {
            bridge::omit_utf8::<_, 0x10_FFFF>(engine, rest, &mut staged, Marks::default())
        } else {
            bridge::replace_utf8(engine, rest, &mut staged, each_byte)
        };
        // Written whole or not at all, so that the units read need not be counted back.
        if output.spare().len() < max_transcoded_len::<Utf8, D>(step.written) {
            return state.read > begin;
        }
        convert_staged::<D>(engine, staged.text(), output);
        state.note(step);
        if step.replaced == 0 || state.read == src.len() {
            return state.read > begin;
        }
    }
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
    use crate::output::as_uninit;
    use crate::unicode::Utf16;

    /// A source that is changed while it is read may leave anything in the buffer: it ends all the same.
    #[test]
    fn an_ill_formed_staging_buffer_is_passed() {
        for engine in Engine::available() {
            for bytes in [&b"\xFF"[..], b"a\x80b", b"\xF0\x9F", b"text \xED\xA0\x80 text", &[0xE4; 300]] {
                let mut units = [0_u16; 1000];
                let mut output = OutputCursor::new(as_uninit(&mut units));
                convert_staged::<Utf16>(engine, bytes, &mut output);
                let written = output.written();
                let ascii = bytes.iter().copied().filter(u8::is_ascii).map(u16::from);
                assert!(units[..written].iter().copied().eq(ascii), "{bytes:X?}");
            }
        }
    }
}
