//! Text with dense errors, in two loops: one that is typed by the source, and one that is typed by the target.
//!
//! The first decodes some sequences into an array of [`Piece`]s, the second encodes them. So a loop is compiled for each encoding, and
//! not for each pair; and where encodings are chosen at run time there are two calls through a pointer for some dozens of characters, not
//! two for each. (With a call for each character of an escape, `\xE9` took 70 ns for a byte from UTF-16LE to UTF-16BE, 340 times as
//! long as clean text.)
//!
//! Where anything may follow anything, what costs most is a branch that depends on what follows. So neither loop has one for what most
//! bytes are: a byte by itself, well-formed or not. [`read`](mod@read) passes over these without a decoder, and [`write`](mod@write) has
//! a slot for each, of which it writes all units and counts some.
//!
//! An array has few pieces at first, and more where errors follow. Text without an error in as many is left to a kernel.

mod lead;
pub(super) mod read;
pub(super) mod write;

pub(crate) use self::read::{Reading, read};
pub(crate) use self::write::{Writes, write};
use super::{LossyState, REPLACEMENT};
use crate::convert::Policy;
use crate::output::OutputCursor;
use crate::unicode::codec::corrected::is_recognized;
use crate::unicode::{Unit, Variant, cast, is_high};

/// A character, or what is replaced as one; of an escape of bytes, one of these. It is a code point, or of what is ill-formed the byte or
/// unit that is escaped; a length in units of the source; and flags: one number, so that it is written and read as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Piece(u64);

/// It counts as a replacement.
const COUNTED: u16 = 1;
/// It is ill-formed, and the policy says what is written.
const ILL_FORMED: u16 = 2;
/// It is written only if the piece before it is: it belongs to the same sequence.
const CONTINUES: u16 = 4;
/// It belongs to a reserved sequence, which may go on behind it.
const RESERVED: u16 = 8;
/// It is a surrogate to be written as a unit.
const LONE: u16 = 16;

impl Piece {
    #[inline(always)]
    const fn new(value: u32, len: usize, flags: u16) -> Piece {
        Piece(value as u64 | (len as u16 as u64) << 32 | (flags as u64) << 48)
    }

    #[inline(always)]
    const fn value(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    const fn len(self) -> usize {
        (self.0 >> 32) as u16 as usize
    }

    /// Which of these flags it has.
    #[inline(always)]
    const fn flags(self, flags: u16) -> u64 {
        self.0 >> 48 & flags as u64
    }

    #[inline(always)]
    const fn is(self, flags: u16) -> bool {
        self.flags(flags) != 0
    }

    /// Whether it is a high surrogate, as a character.
    #[inline]
    const fn is_high(self) -> bool {
        !self.is(ILL_FORMED) && is_high(self.value())
    }

    #[inline(always)]
    const fn with(self, flags: u16) -> Piece {
        Piece(self.0 | (flags as u64) << 48)
    }
}

/// The most pieces at once.
const MOST: usize = 64;

/// Pieces after an error that may be the only one.
const FEW: usize = 8;

/// The most pieces of one sequence.
const EACH: usize = 8;

/// Pieces in the order of the text.
pub(crate) type Pieces = [Piece; MOST + EACH];

/// [`read()`](read::read) of an encoding with units of this type.
pub(crate) type Read<F> = fn(&[F], Reading, usize, &mut Pieces) -> (usize, usize);

/// [`write()`](write::write) of an encoding with units of this type.
pub(crate) type Write<T> = fn(&mut [Piece], &Writes<'_>, &mut OutputCursor<'_, T>) -> Written;

/// What was written.
pub(crate) struct Written {
    /// How many pieces.
    pieces: usize,
    /// How many of them count as replacements.
    replaced: usize,
}

/// Whether dense errors between these encodings may be for the two loops: for others there are faster ones.
pub(crate) const fn serves(source: Variant, target: Variant) -> bool {
    !matches!(source, Variant::Utf8)
        || matches!(target, Variant::Ascii | Variant::Latin1 | Variant::CorrectedUtf8)
}

/// Whether they are for them if they are replaced by `policy`.
#[inline]
pub(crate) fn serves_policy(source: Variant, target: Variant, policy: Policy<'_>) -> bool {
    let stages_wide = matches!(source, Variant::Utf16(_) | Variant::Utf32(_))
        && matches!(policy, Policy::Replace(_))
        && !matches!(target, Variant::Ascii | Variant::Latin1);
    !stages_wide && !may_join(target, policy)
}

/// Whether two surrogates between which something is left out have to be kept apart. The two loops do that where nothing else does.
#[inline]
pub(super) fn may_join(target: Variant, policy: Policy<'_>) -> bool {
    matches!(target, Variant::Wtf8) && policy.drops()
}

/// The two loops for many short texts with errors, prepared once for all of them.
#[cfg(feature = "alloc")]
pub(crate) struct ShortTexts<'p, F, T> {
    loops: (Read<F>, Write<T>),
    reading: Reading,
    writes: Writes<'p>,
    pieces: Pieces,
}

#[cfg(feature = "alloc")]
impl<'p, F: Unit, T: Unit> ShortTexts<'p, F, T> {
    /// For a conversion by `policy`; `None` if they do not serve.
    pub(crate) fn new(
        loops: (Read<F>, Write<T>),
        source: Variant,
        (target, encode): (Variant, write::Pointer<T>),
        policy: Policy<'p>,
    ) -> Option<Self> {
        if may_join(target, policy) {
            return None;
        }
        let reading = Reading::new(source, target, policy);
        let writes = Writes::new(encode, target, (source, size_of::<F>()), policy);
        Some(ShortTexts { loops, reading, writes, pieces: [Piece::default(); MOST + EACH] })
    }

    /// Converts a whole text of at most [`MOST`] units: how many replacements are in it, `None` if there is not enough room, or the text
    /// is longer.
    #[inline]
    pub(crate) fn convert(&mut self, src: &[F], output: &mut OutputCursor<'_, T>) -> Option<usize> {
        let ShortTexts { loops: (read, write), reading, writes, pieces } = self;
        if src.len() > MOST {
            return None;
        }
        // No piece is empty, so that all of them are read at once.
        let (count, _) = read(src, *reading, MOST, pieces);
        let written = write(&mut pieces[..count], writes, output);
        (written.pieces == count).then_some(written.replaced)
    }
}

/// Converts from the offset in `state` on while there are errors, `dense` if some have been close to each other before; returns whether
/// there was room. It reads at least one sequence, if there is room for it.
pub(crate) fn convert_dense<F: Unit, T: Unit>(
    (read, write): (Read<F>, Write<T>),
    src: &[F],
    output: &mut OutputCursor<'_, T>,
    (reading, writes): (Reading, &Writes<'_>),
    state: &mut LossyState,
    dense: bool,
) -> bool {
    let mut pieces: Pieces = [Piece::default(); MOST + EACH];
    if state.ahead {
        // What is replaced already. (No policy with an escape has such a thing.)
        read(&src[state.read..], reading, 1, &mut pieces);
        if pieces[0].is(ILL_FORMED) {
            state.pass_replaced(pieces[0].len());
        }
    }
    let most = if dense { MOST } else { FEW };
    convert_by((read, write), src, output, (&reading, writes), state, most, &mut pieces)
}

/// The same, at most so many pieces at once at first, into this array.
#[inline]
fn convert_by<F: Unit, T: Unit>(
    (read, write): (Read<F>, Write<T>),
    src: &[F],
    output: &mut OutputCursor<'_, T>,
    (reading, writes): (&Reading, &Writes<'_>),
    state: &mut LossyState,
    mut most: usize,
    pieces: &mut Pieces,
) -> bool {
    // The bytes that a piece becomes: at first as if all were ill-formed, then as many as it did. (As if all were, the last third of
    // a small output took three or four more turns.)
    let mut bytes_each = (reading.unit() * writes.len()).max(4);
    while state.read < src.len() {
        if state.in_reserved && !reading.each() {
            state.pass_reserved(cast(src), Policy::default(), |_| true);
            continue;
        }
        // Not many more than there is room for: they would be read again for the next output.
        let spare = size_of_val(output.spare());
        let room = spare / bytes_each + 2;
        let reading = reading.inside(state.in_reserved);
        let (read_pieces, read_units) = read(&src[state.read..], reading, most.min(room), pieces);
        let mut count = read_pieces;
        if reading.holds_apart() {
            count = hold_apart(&mut pieces[..count], state.high == Some(state.read));
        }
        let Written { pieces: done, replaced } = write(&mut pieces[..count], writes, output);
        // (The few that are left over, and not those that were written: compilers add up two pieces at once, which waits until both have
        // left the store queue.)
        let left: usize = pieces[done..read_pieces].iter().map(|piece| piece.len()).sum();
        record(&pieces[..done], (read_units - left, replaced), state);
        if reading.holds_apart() && done > 0 && pieces[done - 1].is_high() {
            state.high = Some(state.read);
        }
        // (Where there was room for none, as before.)
        state.dense = replaced > 0 || done == 0;
        // Before a lead byte a reserved sequence has ended.
        if state.in_reserved && src.get(state.read).is_some_and(|next| is_recognized(&(next.value() as u8))) {
            state.in_reserved = false;
        }
        if done < count {
            return false;
        }
        if output.spare().is_empty() && writes.are_some() && !state.in_reserved && state.read < src.len() {
            return false;
        }
        bytes_each = ((spare - size_of_val(output.spare())) / done.max(1)).max(1);
        // Of a reserved sequence only the first byte counts as a replacement, and what follows may be long.
        if replaced == 0 && !state.in_reserved {
            break;
        }
        if replaced > 1 || state.in_reserved {
            most = MOST;
        }
    }
    true
}

/// Replaces by U+FFFD what would be left out behind a high surrogate, and would let it form a pair with what follows: both are written, or
/// neither. Returns how many pieces there are without a high surrogate at the end, behind which something is not known yet.
fn hold_apart(pieces: &mut [Piece], mut behind_high: bool) -> usize {
    for (at, piece) in pieces.iter_mut().enumerate() {
        if piece.is(ILL_FORMED) && behind_high {
            let with_high = if at > 0 { CONTINUES } else { 0 };
            *piece = Piece::new(REPLACEMENT, piece.len(), COUNTED | with_high);
        }
        behind_high = piece.is_high();
    }
    pieces.len() - usize::from(behind_high && pieces.len() > 1)
}

/// Records the pieces that were written: so many units, of which so many pieces are replacements.
#[inline]
fn record(pieces: &[Piece], (read, replaced): (usize, usize), state: &mut LossyState) {
    let Some(last) = pieces.last() else { return };
    state.in_reserved = last.is(RESERVED);
    if replaced > 0 && state.first.is_none() {
        let before = pieces.iter().take_while(|piece| !piece.is(COUNTED));
        state.first = Some(state.read + before.map(|piece| piece.len()).sum::<usize>());
    }
    state.read += read;
    state.replaced += replaced;
}
