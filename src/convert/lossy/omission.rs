//! Text without what cannot be converted: what is ill-formed, and the characters that Latin-1 and ASCII do not have.
//!
//! Each of both is left out, or becomes a question mark, as the policy says. For UTF-8, a kernel computes that for a block at a time. UTF-16
//! and UTF-32 are taken unit by unit, without a branch: each unit is written, and it is only the next place that depends on whether it
//! stays. Policies that have something longer to write go through [`windows`](super::windows), or character by character.

use super::{LossyState, staging};
use crate::bridge::{self, Marks};
use crate::convert::{Policy, Replacement};
use crate::kernel::{Engine, Replaced};
use crate::output::OutputCursor;
use crate::unicode::{Encoding, Variant, cast, is_high, is_low, is_surrogate};

/// Whether [`omit`] can convert to `D`.
pub(super) const fn serves<D: Encoding>() -> bool {
    matches!(D::VARIANT, Variant::Utf8 | Variant::Latin1 | Variant::Ascii)
}

/// Where question marks are to stand; `None` if the policy writes something else.
fn marks<D: Encoding>(policy: Policy<'_>) -> Option<Marks> {
    let ill_formed = match policy {
        _ if policy.drops() => false,
        // U+FFFD has no form in the others.
        Policy::With("?") | Policy::Replace(Replacement::Whatwg | Replacement::PerByte)
            if !matches!(D::VARIANT, Variant::Utf8) =>
        {
            true
        }
        _ => return None,
    };
    let each_byte = policy == Policy::Replace(Replacement::PerByte);
    Some(Marks {
        ill_formed,
        each_byte,
        lacking: policy != Policy::Omit && !matches!(D::VARIANT, Variant::Utf8),
    })
}

/// Converts UTF-8 from an error or a character on that `D` has no form for, until there has been none for long; returns whether it read
/// anything.
pub(super) fn omit<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let Some(marks) = marks::<D>(policy) else { return false };
    let rest: &[u8] = cast(&src[state.read..]);
    let step = match D::VARIANT {
        Variant::Ascii => bridge::omit_utf8::<_, 0x7F>(engine, rest, output, marks),
        Variant::Latin1 => bridge::omit_utf8::<_, 0xFF>(engine, rest, output, marks),
        _ => bridge::omit_utf8::<_, 0x10_FFFF>(engine, rest, output, Marks::default()),
    };
    state.note(step);
    step.read > 0
}

/// Units that are converted at once.
const BLOCK: usize = 256;

/// Blocks with nothing to leave out after which the kernel for well-formed text is faster.
const QUIET: usize = 4;

/// Whether [`omit_wide`] can convert from `S` to `D`.
pub(super) const fn serves_wide<S: Encoding, D: Encoding>() -> bool {
    staging::serves_wide::<S>() && matches!(D::VARIANT, Variant::Latin1 | Variant::Ascii)
}

/// Converts UTF-16 or UTF-32 to Latin-1 or ASCII from an error or a character on that these have no form for, until there has been none for
/// some blocks; returns whether it read anything.
pub(super) fn omit_wide<S: Encoding, D: Encoding>(
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let policy = match policy {
        // All write the same for these.
        Policy::Replace(_) => Policy::default(),
        policy => policy,
    };
    let Some(marks) = marks::<D>(policy) else { return false };
    let (Variant::Utf16(order) | Variant::Utf32(order)) = S::VARIANT else { return false };
    let in_pairs = matches!(S::VARIANT, Variant::Utf16(_));
    let most = if matches!(D::VARIANT, Variant::Ascii) { 0x7F } else { 0xFF };
    let (begin, width) = (state.read, S::VARIANT.unit());
    let each = width / size_of::<S::Unit>();
    let mut quiet = 0;
    while quiet < QUIET {
        let (mut units, mut bytes) = ([0; BLOCK + 1], [0; BLOCK]);
        // No more than there is room for if all of them are written.
        let rest = &src[state.read..];
        let mut len = (rest.len() / each).min(BLOCK).min(output.spare().len());
        for (unit, bytes) in units.iter_mut().zip(cast::<_, u8>(&rest[..len * each]).chunks_exact(width)) {
            *unit = order.value(bytes);
        }
        // A high surrogate at the end is left out: the low one may follow.
        len -= usize::from(in_pairs && len > 0 && is_high(units[len - 1]));
        if len == 0 {
            break;
        }
        let (mut written, mut replaced, mut high_before) = (0, 0, false);
        for at in 0..len {
            let unit = units[at];
            let kept = unit <= most;
            let second = in_pairs && high_before && is_low(unit);
            let paired = second || (in_pairs && is_high(unit) && is_low(units[at + 1]));
            let ill_formed = unit > 0x10_FFFF || (is_surrogate(unit) && !paired);
            let marked = (marks.ill_formed & ill_formed) | (marks.lacking & !ill_formed);
            // (It is never more than there are units before; the remainder spares a comparison.)
            bytes[written % BLOCK] = if kept { unit as u8 } else { b'?' };
            written += usize::from(kept | (marked & !second));
            replaced += usize::from(!kept & !second);
            high_before = is_high(unit);
        }
        if !output.push(cast(&bytes[..written])) {
            break;
        }
        if replaced > 0 && state.first.is_none() {
            let first = units[..len].iter().position(|unit| *unit > most);
            state.first = first.map(|index| state.read + index * each);
        }
        state.replaced += replaced;
        state.read += len * each;
        quiet = if replaced == 0 { quiet + 1 } else { 0 };
    }
    state.read > begin
}

impl LossyState {
    /// Records what a kernel has replaced.
    pub(super) fn note(&mut self, step: Replaced) {
        if step.replaced > 0 {
            self.first.get_or_insert(self.read + step.first);
        }
        self.replaced += step.replaced;
        self.read += step.read;
    }
}
