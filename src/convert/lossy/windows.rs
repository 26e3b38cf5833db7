//! UTF-8 with dense errors, by any policy, window by window.
//!
//! The kernel says which bytes of a window are ill-formed, as masks, without a branch for each. The policy changes the masks: which of
//! these bytes begin what is replaced as one, and which are its other bytes. For most bytes nothing has to be asked, because every
//! behaviour replaces a byte by itself unless it is a lead byte with a continuation byte after it. Only those are shown to
//! [`Replacement::answer`], and, for Perl, those that could begin a noncharacter to [`Replacement::rejects`].
//!
//! A window with many errors is then written byte by byte, in a loop without a branch for an error ([`spread`]): each byte has a slot of
//! eight bytes or four units, which is written whole, and the next slot begins behind as many units as count: none for a byte that
//! belongs to what was replaced before. So the time does not depend on where errors are: a branch for each, and a call of the output,
//! took 7 to 13 ns for a byte of random text or of a run of errors. A window with few errors is copied in spans.
//!
//! Where the target is not UTF-8, windows are written as UTF-8 into a staging buffer, which is converted as a whole. The surrogates of
//! [`Python2`](Replacement::Python2) and [`Escape::Surrogate`] are nothing that UTF-8 can hold: with these, windows become units
//! at once, where well-formed characters have a branch.
//!
//! # Figures
//! AMD EPYC (Zen 5), AVX-512, 64 KiB into a vector, ns for a byte, in turns with the loop before, which had a branch for each error:
//!
//! | | random bytes | 33 ill-formed sequences and characters, mixed | one in 10 bytes is FF | one in 40 |
//! |---|--:|--:|--:|--:|
//! | to UTF-8, like Python 2 | 1.8, 4.7 | 2.2, 3.5 | 1.0, 0.7 | 0.6, 0.4 |
//! | like Perl 5 | 2.3, 5.7 | 4.5, 7.1 | 1.7, 1.0 | 1.0, 0.6 |
//! | like ICU | 1.8, 5.6 | 2.4, 3.3 | 1.0, 0.7 | 0.6, 0.4 |
//! | `\xE9` | 1.4, 4.9 | 1.5, 7.2 | 1.0, 1.0 | 0.7, 0.6 |
//! | as windows-1252 | 1.4, 7.2 | 1.5, 11 | 1.1, 1.5 | 0.6, 0.6 |
//! | to UTF-16, like Python 2 | 3.9, 13 | 6.7, 9.4 | 3.4, 8.9 | 1.9, 2.0 |
//! | surrogates for bytes | 3.0, 15 | 3.8, 14 | 2.4, 8.9 | 1.8, 2.0 |
//!
//! Where one sequence follows itself, so that branches were learnt, the loop before was up to twice as fast: 1.3 ns for a byte of `ED B0
//! 80` became 2.2. What counts here is the worst.

use core::mem::MaybeUninit;

use super::staging::{LEAST_STAGED, STAGING, convert_staged};
use super::write::put_all;
use super::{LossyState, SHORT, encode, holds_surrogates, substitute, surrogate};
use crate::convert::escape::EscapeTable;
use crate::convert::replacement::Answer;
use crate::convert::{Escape, Policy, Replacement, bulk, max_transcoded_len};
use crate::kernel::{Engine, dispatch};
use crate::output::OutputCursor;
use crate::unicode::codec::{Codec as _, Units};
use crate::unicode::{Encoding, Unit, Utf8, Variant, cast};

/// Whether what `policy` writes for ill-formed UTF-8 has a form in `D` that is not UTF-8: the surrogates of Python 2, and of an escape.
fn writes_surrogates<D: Encoding>(policy: Policy<'_>) -> bool {
    let may = matches!(policy, Policy::Replace(Replacement::Python2) | Policy::Escape(Escape::Surrogate));
    may && holds_surrogates(D::VARIANT)
}

/// Converts UTF-8 with dense errors by any policy; returns whether it read anything.
pub(super) fn replace_by_windows<S: Encoding, D: Encoding>(
    engine: Engine,
    src: &[S::Unit],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) -> bool {
    let begin = state.read;
    let src: &[u8] = cast(src);
    if matches!(D::VARIANT, Variant::Utf8) || writes_surrogates::<D>(policy) {
        write_windows::<D>(engine, src, output, policy, state);
        return state.read > begin;
    }
    loop {
        let mut staging = [const { MaybeUninit::uninit() }; STAGING];
        let most = output.spare().len().saturating_mul(2) / max_transcoded_len::<Utf8, D>(2);
        if most < LEAST_STAGED {
            return state.read > begin;
        }
        let room = &mut staging[..most.min(STAGING)];
        let mut staged = OutputCursor::new(room);
        let mut next = state.clone();
        write_windows::<Utf8>(engine, src, &mut staged, policy, &mut next);
        let written = staged.written();
        // Written whole or not at all, so that the units read need not be counted back.
        if next.read == state.read || output.spare().len() < max_transcoded_len::<Utf8, D>(written) {
            return state.read > begin;
        }
        convert_staged::<D>(engine, staged.text(), output);
        let replaced = next.replaced > state.replaced;
        *state = next;
        if !replaced {
            return true;
        }
    }
}

/// Bytes of a window, at most.
const WINDOW: usize = 64;

/// Windows without an error after which a kernel for well-formed text is faster.
const QUIET: u32 = 4;

/// Up to so many replacements in a window, it is written in spans: a branch for each is cheaper than a slot for each byte.
const FEW: u32 = 10;

/// The same in units of which some may be surrogates: text between them is converted character by character in any case.
const FEW_WIDE: u32 = 2;

/// The bits below this one, of which there are at most 64.
#[inline]
const fn below(bit: usize) -> u64 {
    if bit < 64 { !(!0 << bit) } else { !0 }
}

/// The first bytes of a text, up to a window of them, in words.
#[derive(Clone, Copy)]
struct Bytes([u8; WINDOW]);

impl Bytes {
    #[inline]
    fn of(text: &[u8]) -> Bytes {
        Bytes(text.first_chunk().copied().unwrap_or_else(|| {
            let mut bytes = [0; WINDOW];
            bytes[..text.len()].copy_from_slice(text);
            bytes
        }))
    }

    /// A bit for each byte: the highest bit of each of the bytes of what `of` makes of eight of them.
    #[inline]
    fn mask(&self, of: impl Fn(u64) -> u64) -> u64 {
        const LOWEST: u64 = 0x0101_0101_0101_0101;
        let (words, _) = self.0.as_chunks();
        words.iter().rev().fold(0, |mask, word| {
            let bits = of(u64::from_le_bytes(*word)) >> 7 & LOWEST;
            mask << 8 | bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
        })
    }

    /// The continuation bytes: 80..BF.
    #[inline]
    fn continuations(&self) -> u64 {
        self.mask(|word| word & !(word << 1))
    }

    /// The bytes from C0, E0 or F0 on: those that begin with `ones` ones, which are two, three or four.
    #[inline]
    fn leads(&self, ones: u32) -> u64 {
        self.mask(|word| (1..ones).fold(word, |all, bit| all & word << bit))
    }
}

/// What becomes of a window. All masks have a bit for each byte, the first the lowest.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Bytes of the window.
    len: usize,
    /// How many bytes are read: more if the last of what is replaced ends behind the window.
    end: usize,
    /// The first bytes of what is replaced as one.
    begins: u64,
    /// The other bytes of it.
    others: u64,
    /// Those of the first bytes that are decoded as a surrogate, and so not replaced.
    surrogates: u64,
}

impl Plan {
    /// For the window at the start of `rest`; `None` if nothing is known about one. `decodes` says that a surrogate can be written.
    #[inline]
    fn of(engine: Engine, rest: &[u8], policy: Policy<'_>, decodes: bool) -> Option<Plan> {
        let window = dispatch::replace::survey_utf8(engine, rest);
        let len = window.len;
        if len == 0 {
            return None;
        }
        let ill_formed = window.begins | window.others;
        let (begins, others) = (window.begins, window.others);
        let mut plan = Plan { len, end: len, begins, others, surrogates: 0 };
        let Policy::Replace(replacement) = policy else { return Some(plan) };
        let rejects = policy.refuses_characters();
        if (ill_formed == 0 && !rejects) || matches!(replacement, Replacement::Whatwg) {
            return Some(plan);
        }
        plan.others = 0;
        if !matches!(replacement, Replacement::PerByte) {
            let mut asked = begins;
            if begins.count_ones() > FEW {
                // Lead bytes with a continuation byte behind them, which may be behind the window.
                let bytes = Bytes::of(rest);
                let behind = rest.get(len).is_some_and(|byte| matches!(byte, 0x80..=0xBF));
                let next = bytes.continuations() >> 1 | u64::from(behind) << (len - 1);
                asked &= bytes.leads(2) & next;
            }
            // One loop for each, since what depends on the behaviour would be asked for every sequence.
            match replacement {
                Replacement::Win32 => plan.ask(Replacement::Win32, rest, asked, others, decodes),
                Replacement::OpenJdk8 => plan.ask(Replacement::OpenJdk8, rest, asked, others, decodes),
                Replacement::Python2 => plan.ask(Replacement::Python2, rest, asked, others, decodes),
                Replacement::Icu55 => plan.ask(Replacement::Icu55, rest, asked, others, decodes),
                Replacement::Perl5 => plan.ask(Replacement::Perl5, rest, asked, others, decodes),
                // These have been answered above.
                Replacement::Whatwg | Replacement::PerByte => {}
            }
        }
        // What is not part of something longer is replaced by itself.
        plan.others &= ill_formed;
        plan.begins = ill_formed & !plan.others;
        if rejects {
            let bytes = Bytes::of(rest);
            let noncharacters_begin = bytes.mask(|word| {
                // EF.
                let other = word ^ 0x1010_1010_1010_1010;
                (2..8).fold(other & other << 1, |all, bit| all & other << bit)
            }) | bytes.leads(4);
            let mut asked = noncharacters_begin & !ill_formed & below(len);
            while asked != 0 {
                let at = asked.trailing_zeros() as usize;
                asked &= asked - 1;
                if let Ok((scalar, len)) = Utf8::decode(&rest[at..])
                    && replacement.rejects(scalar)
                {
                    plan.begins |= 1 << at;
                    plan.others |= below(len - 1) << at << 1;
                }
            }
        }
        Some(plan)
    }

    /// Asks a behaviour how much is replaced as one at each of these bytes. `others` are the bytes of maximal subparts behind the first.
    #[inline(always)]
    fn ask(&mut self, replacement: Replacement, rest: &[u8], mut asked: u64, others: u64, decodes: bool) {
        let Plan { mut end, others: mut answered, mut surrogates, .. } = *self;
        while asked != 0 {
            let at = asked.trailing_zeros() as usize;
            asked &= asked - 1;
            let subpart = 1 + (others >> at >> 1).trailing_ones() as usize;
            let len = match replacement.answer_inline(&rest[at..], subpart) {
                Answer::Replaced(len) => len,
                Answer::Surrogate(_, len) => {
                    surrogates |= u64::from(decodes) << at;
                    len
                }
            };
            answered |= below(len - 1) << at << 1;
            end = end.max(at + len);
        }
        (self.end, self.others, self.surrogates) = (end, answered, surrogates);
    }

    /// Leaves out what is behind the last boundary before which there are at most `most` bytes; returns whether anything is left.
    #[inline]
    fn cut(&mut self, bytes: &Bytes, most: usize) -> bool {
        if most < self.len {
            let boundaries = (!bytes.continuations() | self.begins) & below(most + 1) & !1;
            if boundaries == 0 {
                return false;
            }
            self.len = boundaries.ilog2() as usize;
            self.end = self.len;
            let kept = below(self.len);
            (self.begins, self.others) = (self.begins & kept, self.others & kept);
            self.surrogates &= kept;
        }
        true
    }

    /// Records what was replaced.
    #[inline]
    fn note(&self, state: &mut LossyState) {
        let replaced = self.begins & !self.surrogates;
        if replaced != 0 {
            state.first.get_or_insert(state.read + replaced.trailing_zeros() as usize);
        }
        state.replaced += replaced.count_ones() as usize;
        state.read += self.end;
    }
}

/// What a policy writes.
#[derive(Clone, Copy)]
enum Writes<'p> {
    /// This text for what is replaced as one.
    Text(&'p [u8]),
    /// The escape of each byte. (The table itself: which one it is would be asked outside of the loop, and then also by policies that have
    /// none, of memory that nobody wrote. That affects nothing, but valgrind says so to whoever looks.)
    EachByte(&'static EscapeTable),
    /// The surrogate of each byte, in units.
    Surrogates,
}

impl<'p> Writes<'p> {
    fn of(policy: Policy<'p>, wide: bool) -> Writes<'p> {
        match policy {
            Policy::Escape(Escape::Surrogate) if wide => Writes::Surrogates,
            Policy::With(text) => Writes::Text(text.as_bytes()),
            Policy::DropAtTheRiskOfJoining | Policy::Omit => Writes::Text(b""),
            // One U+FFFD for a subpart, since there are no surrogates.
            Policy::Replace(_) | Policy::Escape(Escape::Surrogate) => Writes::Text("\u{FFFD}".as_bytes()),
            Policy::Escape(escape) => Writes::EachByte(escape.table()),
        }
    }

    /// The most bytes that a byte of a window becomes, if a slot has room for them.
    fn most(self) -> Option<usize> {
        match self {
            Writes::Text(text) if text.len() > SLOT => None,
            Writes::Text(text) => Some(text.len().max(1)),
            Writes::EachByte(_) => Some(4),
            Writes::Surrogates => None,
        }
    }
}

/// The first of two numbers if the bit of this byte is set, otherwise the second: by arithmetic, since a compiler makes a branch of what
/// can be written as one, which is mispredicted at every other error.
#[inline(always)]
fn select(mask: u64, at: usize, set: u64, unset: u64) -> u64 {
    let all = (mask >> at & 1).wrapping_neg();
    unset ^ ((set ^ unset) & all)
}

/// Units of a slot.
const SLOT: usize = 8;

/// Writes a slot for each of `len` bytes of a window, and returns how many units of `to` that were. `slot` has the units for a byte, and
/// how many of them count. None count for those in `skipped`.
#[inline(always)]
fn spread<U: Unit, const UNITS: usize>(
    len: usize,
    skipped: u64,
    slot: impl Fn(usize) -> ([U; UNITS], usize),
    to: &mut [U],
) -> usize {
    let mut written = 0;
    for at in 0..len {
        let (units, count) = slot(at);
        let Some(room) = to.get_mut(written..).and_then(|room| room.first_chunk_mut()) else { break };
        *room = units;
        written += select(skipped, at, 0, count as u64) as usize;
    }
    written
}

/// The slots of a window in UTF-8.
#[inline]
fn spread_utf8(plan: &Plan, bytes: &Bytes, writes: Writes<'_>, to: &mut [u8; SLOT * (WINDOW + 1)]) -> usize {
    let (len, ill_formed) = (plan.len.min(WINDOW), plan.begins | plan.others);
    match writes {
        Writes::Text(text) => {
            let mut slot = [0; SLOT];
            slot[..text.len()].copy_from_slice(text);
            let (text, count) = (u64::from_le_bytes(slot), text.len() as u64);
            let slot = |at: usize| {
                let slot = select(plan.begins, at, text, bytes.0[at].into());
                (slot.to_le_bytes(), select(plan.begins, at, count, 1) as usize)
            };
            spread(len, plan.others, slot, to)
        }
        Writes::EachByte(table) => {
            let slot = |at: usize| {
                let ([a, b, c, d], count) = table.utf8_of(bytes.0[at]);
                let escaped = u64::from_le_bytes([a, b, c, d, 0, 0, 0, 0]);
                let slot = select(ill_formed, at, escaped, bytes.0[at].into());
                (slot.to_le_bytes(), select(ill_formed, at, count as u64, 1) as usize)
            };
            spread(len, 0, slot, to)
        }
        Writes::Surrogates => 0,
    }
}

/// A slot with one unit of UTF-16 or UTF-32, surrogate or not.
#[inline(always)]
fn unit<D: Encoding>(value: u32) -> ([D::Unit; 4], usize) {
    let (Variant::Utf16(order) | Variant::Wtf16(order) | Variant::Utf32(order)) = D::VARIANT else {
        return ([D::Unit::of(0); 4], 0);
    };
    let width = D::VARIANT.unit();
    let value = if order.is_swapped() { value.swap_bytes() >> (32 - 8 * width) } else { value };
    let slot = match width {
        2 => cast(&[value as u16, 0, 0, 0]).first_chunk().copied(),
        _ => cast(&[value, 0, 0, 0]).first_chunk().copied(),
    };
    slot.map_or(([D::Unit::of(0); 4], 0), |slot| (slot, width / size_of::<D::Unit>()))
}

/// The slots of a window in units of which some are surrogates.
#[inline]
fn spread_units<D: Encoding>(
    plan: &Plan,
    rest: &[u8],
    bytes: &Bytes,
    each_byte: bool,
    to: &mut [D::Unit],
) -> usize {
    let ill_formed = plan.begins | plan.others;
    let continuations = bytes.continuations();
    let skipped = if each_byte { continuations & !ill_formed } else { continuations & !plan.begins };
    let none = ([D::Unit::of(0); 4], 0);
    let characters = bytes.leads(2) & !ill_formed;
    let (replacement, byte_counts) = if each_byte { (0xDC00, !0) } else { (super::REPLACEMENT, 0) };
    let slot = |at: usize| {
        let byte = bytes.0[at];
        // Only these two have a branch: all else differs in a number.
        if characters >> at & 1 == 1 {
            let scalar = Utf8::decode(&rest[at..]).map_or(super::REPLACEMENT, |(scalar, _)| scalar);
            return D::encode(scalar).map_or(none, |units| (units.array(), units.len()));
        }
        let mut replacement = u64::from(replacement) + (u64::from(byte) & byte_counts);
        if plan.surrogates >> at & 1 == 1 {
            replacement = decoded_surrogate(rest, at).into();
        }
        unit::<D>(select(ill_formed, at, replacement, byte.into()) as u32)
    };
    spread(plan.len.min(WINDOW), skipped, slot, to)
}

/// Converts windows until some have had no error, or there is no room for the next piece.
fn write_windows<D: Encoding>(
    engine: Engine,
    src: &[u8],
    output: &mut OutputCursor<'_, D::Unit>,
    policy: Policy<'_>,
    state: &mut LossyState,
) {
    let wide = writes_surrogates::<D>(policy);
    let writes = Writes::of(policy, wide);
    let mut quiet = 0;
    while quiet < QUIET && state.read < src.len() {
        let rest = &src[state.read..];
        let Some(mut plan) = Plan::of(engine, rest, policy, wide) else { return };
        let count = plan.begins.count_ones();
        quiet = if count == 0 { quiet + 1 } else { 0 };
        let most = if wide { Some(max_transcoded_len::<Utf8, D>(1)) } else { writes.most() };
        let fits = match most {
            Some(most) if count > if wide { FEW_WIDE } else { FEW } => {
                let bytes = Bytes::of(rest);
                let fits = plan.cut(&bytes, output.spare().len() / most)
                    && write_slots::<D>(rest, &plan, &bytes, writes, wide, output);
                if fits {
                    plan.note(state);
                }
                fits
            }
            _ => write_spans::<D>(engine, rest, &plan, writes, wide, output, state),
        };
        if !fits {
            return;
        }
    }
}

/// Writes a window in slots, all of it or nothing; returns whether there was room. If `wide`, some units may be surrogates.
fn write_slots<D: Encoding>(
    rest: &[u8],
    plan: &Plan,
    bytes: &Bytes,
    writes: Writes<'_>,
    wide: bool,
    output: &mut OutputCursor<'_, D::Unit>,
) -> bool {
    if wide {
        let mut units = [D::Unit::of(0); 4 * (WINDOW + 1)];
        let len = spread_units::<D>(plan, rest, bytes, matches!(writes, Writes::Surrogates), &mut units);
        output.push(&units[..len])
    } else {
        let mut utf8 = [0; SLOT * (WINDOW + 1)];
        let len = spread_utf8(plan, bytes, writes, &mut utf8);
        output.push(cast(&utf8[..len]))
    }
}

/// Writes a window in spans, with what the policy has between them; returns whether there was room for all.
fn write_spans<D: Encoding>(
    engine: Engine,
    rest: &[u8],
    plan: &Plan,
    writes: Writes<'_>,
    wide: bool,
    output: &mut OutputCursor<'_, D::Unit>,
    state: &mut LossyState,
) -> bool {
    let (mut at, mut left) = (0, plan.begins);
    let begin = state.read;
    loop {
        let next = (left.trailing_zeros() as usize).min(plan.len);
        if next > at {
            let (moved, fits) = put_text::<D>(engine, &rest[at..], next - at, output);
            state.read = begin + at + moved;
            if !fits {
                return false;
            }
        }
        if next == plan.len {
            state.read = begin + plan.end;
            return true;
        }
        left &= left - 1;
        at = next + 1 + (plan.others >> next >> 1).trailing_ones() as usize;
        // What is replaced last may end behind the window.
        let end = if at == plan.len { plan.end } else { at };
        let is_surrogate = plan.surrogates >> next & 1 == 1;
        let bytes = &rest[next..at];
        let fits = match writes {
            Writes::Text(_) if is_surrogate => {
                output.put(&surrogate(encode::<D>, decoded_surrogate(rest, next)))
            }
            Writes::Text(_) if wide => output.put(&substitute(encode::<D>)),
            Writes::Text(text) => output.push(cast(text)),
            Writes::EachByte(table) => put_all(
                bytes.iter().map(|byte| {
                    let (utf8, len) = table.utf8_of(*byte);
                    Units::first(len, cast(&utf8))
                }),
                output,
            ),
            Writes::Surrogates => {
                put_all(bytes.iter().map(|byte| surrogate(encode::<D>, 0xDC00 | u32::from(*byte))), output)
            }
        };
        if !fits {
            return false;
        }
        if is_surrogate {
            state.read = begin + end;
        } else {
            state.replace(end - next);
        }
    }
}

/// The surrogate that the three bytes from `at` on are in a UTF-8 that has them.
#[inline]
fn decoded_surrogate(rest: &[u8], at: usize) -> u32 {
    let low = |at: usize| u32::from(rest.get(at).map_or(0, |byte| byte & 0x3F));
    0xD000 | low(at + 1) << 6 | low(at + 2)
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
