//! Counts of units, and the greatest unit.

use super::{by_isa, run_plain};
use crate::kernel::Engine;
use crate::kernel::generic::{BytesOfWide, ShortLength};
use crate::kernel::portable::corrected_lengths::{AtLeast, CorrectedLengths, has_corrected_side};
use crate::kernel::portable::lengths::{Greatest, Lengths, MANY, Pairs16, ROW, Surrogates8, is_uniform};
use crate::kernel::shared::Progress;
#[cfg(target_feature = "sse2")]
use crate::kernel::{
    Isa, avx512,
    cpu::Model,
    shared::lines::STREAMED,
    shared::turns::{PART, TURN, in_turns},
};
use crate::unicode::{Family, Form};

/// The length in units of `D` of the `len` units of `S` at `src`, if they are well-formed.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline]
pub(crate) unsafe fn length<S: Form, D: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    let each = |from: usize, to: usize| {
        // SAFETY: the caller's promise; `to` is not behind `len`.
        unsafe { length_of_part::<S, D>(engine, src.add(from * size_of::<S::Unit>()), to - from) }
    };
    #[cfg(target_feature = "sse2")]
    if const { !has_corrected_side::<S, D>() && !is_uniform::<S, D>() }
        && len > STREAMED / size_of::<S::Unit>()
        && Model::current().takes_streams()
    {
        return of_turns::<true>(src, len, size_of::<S::Unit>(), &each);
    }
    each(0, len)
}

/// The sum of `each` over parts of the `len` units at `src`, of so many bytes each, which come from memory: of two places [in turns](in_turns).
///
/// AMD EPYC (Zen 4), 64 and 150 MiB, GB/s, before and now: characters of UTF-8 23 and 20 → 31 and 29 (AVX-512), 33 and 27 → 45 and 33 (AVX2, before in turns of 1 KiB);
/// the length of UTF-8 in UTF-16 23 and 20 → 34 and 27, 29 and 26 → 43 and 36. Without the prefetches 20 and 19 with AVX-512, and the characters 28 and 25 with AVX2.
#[cfg(target_feature = "sse2")]
#[inline(never)]
fn of_turns<const LAZY: bool>(
    src: *const u8,
    len: usize,
    unit: usize,
    each: &dyn Fn(usize, usize) -> usize,
) -> usize {
    // From a page on, if a unit begins there.
    let bytes = src.align_offset(TURN);
    let at = if bytes.is_multiple_of(unit) { bytes.min(len * unit) } else { 0 };
    let mut sum = each(0, at / unit);
    let end = in_turns(len * unit, at, |turn| {
        turn.in_parts(src, |at| {
            sum += each(at / unit, (at + PART) / unit);
            true
        })
    });
    sum + each(end / unit, len)
}

/// Whether AVX-512 has a loop of its own for this: for all but CESU-8, and what becomes that of anything but UTF-8 and UTF-16.
#[cfg(target_feature = "sse2")]
const fn is_known_to_avx512<S: Form, D: Form>() -> bool {
    match (S::FAMILY, D::FAMILY) {
        (Family::Cesu8, _) => false,
        (source, Family::Cesu8) => matches!(source, Family::Utf8 | Family::Utf16),
        _ => true,
    }
}

/// The same, from one end to the other.
///
/// # Safety
/// As for [`length`].
#[inline]
unsafe fn length_of_part<S: Form, D: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    if const { has_corrected_side::<S, D>() } {
        // SAFETY: the caller's promise.
        return unsafe { run_plain(engine, CorrectedLengths::<S, D>::new(src, len)) }.written;
    }
    if const { is_uniform::<S, D>() } {
        return len;
    }
    #[cfg(target_feature = "sse2")]
    if const { is_known_to_avx512::<S, D>() } && engine.isa() == Isa::Avx512 {
        // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the
        // caller's promise.
        return unsafe { avx512::length::<S, D>(src, len) };
    }
    let plain = |from: usize, to: usize| {
        // SAFETY: the caller's promise; `to` is not behind `len`.
        unsafe { run_plain(engine, Lengths::<S, D>::new(src.add(from * size_of::<S::Unit>()), to - from)) }
            .written
    };
    if const { !ShortLength::<S, D>::KNOWN } {
        return plain(0, len);
    }
    let short = |from: usize, to: usize| {
        let width = size_of::<S::Unit>();
        // SAFETY: the caller's promise; `to` is not behind `len`.
        let src = unsafe { core::slice::from_raw_parts(src.add(from * width), (to - from) * width) };
        #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
        // SAFETY: an `Engine` exists only for an instruction set that this CPU runs.
        unsafe {
            by_isa!(engine; plain(from, to), ShortLength::<S, D>::new(src), plain(from, to))
        }
    };
    if len <= ShortLength::<S, D>::SHORT {
        return short(0, len);
    }
    if const { matches!((S::FAMILY, D::FAMILY), (Family::Utf16 | Family::Utf32, Family::Utf8)) } {
        // A load across two cache lines takes twice as long. (At an address that is no multiple of a unit there is no way out.)
        let head = src.cast::<S::Unit>().align_offset(64);
        let head = if head < len { head } else { 0 };
        // SAFETY: these units are the caller's.
        let Progress { read, written } =
            unsafe { bytes_of_wide::<S>(engine, src.add(head * size_of::<S::Unit>()), len - head) };
        return short(0, head) + written + short(head + read, len);
    }
    // In long text the plain loop begins with a cache line, and what is left over matters less.
    let whole = if len < MANY * ROW { len - len % ROW } else { len };
    plain(0, whole) + if whole < len { short(whole, len) } else { 0 }
}

/// How many of the `len` units at `src` were counted, and how many bytes of UTF-8 these become.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline(never)]
unsafe fn bytes_of_wide<S: Form>(engine: Engine, src: *const u8, len: usize) -> Progress {
    let none = Progress { read: 0, written: 0 };
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the caller's promise.
    unsafe {
        by_isa!(engine; none, BytesOfWide::<S>::new(src, len), none)
    }
}

/// The greatest of the `len` units of `S` at `src`, or some unit greater than `limit`. Surrogates count as FFFF; no other unit
/// does.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline]
pub(crate) unsafe fn greatest<S: Form>(engine: Engine, src: *const u8, len: usize, limit: u32) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { run_plain(engine, Greatest::<S>::new(src, len, limit)) }.written as u32
}

/// Whether some character in `src`, in Corrected UTF-8, is at least `POINT`.
pub(crate) fn any_at_least<const POINT: u32>(engine: Engine, src: &[u8]) -> bool {
    // SAFETY: the bytes are those of the slice.
    unsafe { run_plain(engine, AtLeast::<POINT>::new(src.as_ptr(), src.len())) }.written > 0
}

/// How many surrogate pairs there are in `src`, in three bytes for each surrogate.
#[inline]
pub(crate) fn surrogate_pairs(engine: Engine, src: &[u8]) -> usize {
    // SAFETY: the bytes are those of the slice.
    unsafe { run_plain(engine, Surrogates8::<true>::new(src.as_ptr(), src.len())) }.written
}

/// Whether there is a surrogate in three bytes in `src`.
#[inline]
pub(crate) fn any_surrogate(engine: Engine, src: &[u8]) -> bool {
    // SAFETY: the bytes are those of the slice.
    unsafe { run_plain(engine, Surrogates8::<false>::new(src.as_ptr(), src.len())) }.written > 0
}

/// How many low surrogates and how many surrogate pairs there are in the `len` units of UTF-16 at `src`.
///
/// # Safety
/// `len` units must be readable at `src`, at any alignment.
#[inline]
pub(crate) unsafe fn lows_and_pairs<S: Form>(engine: Engine, src: *const u8, len: usize) -> (usize, usize) {
    // SAFETY: the caller's promise.
    let Progress { read, written } = unsafe { run_plain(engine, Pairs16::<S>::new(src, len)) };
    (read, written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::{Bytes, Cesu8Form, Utf8Form, Utf16Form, Utf32Form, cast};

    /// The parts of a text from memory are all of it, each once, whatever this CPU is.
    #[test]
    #[cfg(target_feature = "sse2")]
    fn turns_are_all_of_a_text() {
        let room = [0_u8; 64];
        let base = room.as_ptr();
        for unit in [1, 2, 4] {
            for shift in [0, 1, 2, 4, 60, 63] {
                let bytes = 16 << 10;
                for len in [
                    0,
                    1,
                    100,
                    bytes - 64,
                    bytes - 1,
                    bytes,
                    bytes + 1,
                    bytes + 64,
                    2 * bytes + 5000,
                    5 * bytes + 63,
                ] {
                    let parts = core::cell::RefCell::new(Vec::new());
                    let each = |from: usize, to: usize| {
                        parts.borrow_mut().push((from, to));
                        3 * (to - from)
                    };
                    let len = len / unit;
                    assert_eq!(of_turns::<true>(base.wrapping_add(shift), len, unit, &each), 3 * len);
                    let mut parts = parts.into_inner();
                    parts.sort_unstable();
                    let mut at = 0;
                    for (from, to) in parts {
                        assert!(
                            from == at && to >= from,
                            "{from}..{to} behind {at}, of {len} units of {unit} bytes"
                        );
                        at = to;
                    }
                    assert_eq!(at, len);
                }
            }
        }
    }

    /// Compares the length in `D` of parts of `units`, of all lengths about those of a round and from all addresses on, with the sum of `weight`.
    fn check<S: Form, D: Form>(units: &[S::Unit], weight: impl Fn(u32) -> usize) {
        let most = units.len();
        let bytes: &[u8] = cast(units);
        let sums: Vec<usize> = core::iter::once(0)
            .chain(units.iter().scan(0, |sum, unit| {
                *sum += weight(S::value(*unit));
                Some(*sum)
            }))
            .collect();
        let mut room = vec![0; bytes.len() + 80];
        for engine in Engine::available() {
            for offset in (0..68).step_by(if cfg!(miri) { 33 } else { 1 }) {
                room[offset..][..bytes.len()].copy_from_slice(bytes);
                let short = (0..300.min(most)).step_by(if cfg!(miri) { 61 } else { 1 + offset % 3 });
                for len in short.chain((300..most).step_by(307)).chain([most]) {
                    // SAFETY: as many units are there.
                    let length = unsafe { length::<S, D>(engine, room[offset..].as_ptr(), len) };
                    assert_eq!(length, sums[len], "{}: {len} units, offset {offset}", engine.isa());
                }
            }
        }
    }

    /// As many numbers of those in `from` as a few rounds, as if by chance.
    fn drawn<U: Copy>(from: &[U]) -> Vec<U> {
        let mut state = 1_usize;
        let draw = |_| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345) & 0x7FFF_FFFF;
            from[(state >> 16) % from.len()]
        };
        (0..if cfg!(miri) { 200 } else { 9000 }).map(draw).collect()
    }

    /// Units around each bound, and what is no code point at all. Of one byte each, too: then every question is answered with no, as often
    /// as a byte can count.
    #[test]
    fn utf32_in_utf8() {
        const UNITS: [u32; 14] = [
            0,
            0x7F,
            0x80,
            0x7FF,
            0x800,
            0xFFFF,
            0x1_0000,
            0x10_FFFF,
            0x11_0000,
            0x3F_FFFF,
            0x7FFF_FFFF,
            0x8000_0000,
            0x8000_007F,
            u32::MAX,
        ];
        let bytes_of = |unit: u32| {
            1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800) + usize::from(unit >= 0x1_0000)
        };
        let mixed = drawn(&UNITS);
        let swapped: Vec<u32> = mixed.iter().map(|unit| unit.swap_bytes()).collect();
        check::<Utf32Form<false>, Utf8Form>(&mixed, bytes_of);
        check::<Utf32Form<true>, Utf8Form>(&swapped, bytes_of);
        check::<Utf32Form<false>, Utf8Form>(&vec![0x41; mixed.len()], bytes_of);
        check::<Utf32Form<true>, Utf8Form>(&vec![0x4100_0000; mixed.len()], bytes_of);
        let units_of = |unit: u32| 1 + usize::from(unit >= 0x1_0000);
        check::<Utf32Form<false>, Utf16Form<false>>(&mixed, units_of);
        check::<Utf32Form<true>, Utf16Form<false>>(&swapped, units_of);
        check::<Utf32Form<false>, Utf16Form<false>>(&vec![0x41; mixed.len()], units_of);
    }

    /// Every byte, as if by chance, and in runs of one.
    #[test]
    fn lengths_of_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        let drawn = drawn(&all);
        for bytes in [0, 0x41, 0xC3, 0xF0].map(|byte| vec![byte; drawn.len()]).iter().chain([&drawn]) {
            let of_characters = |four: usize| {
                move |byte: u32| match byte {
                    0x80..0xC0 => 0,
                    0xF0.. => four,
                    _ => 1,
                }
            };
            check::<Utf8Form, Utf16Form<false>>(bytes, of_characters(2));
            check::<Utf8Form, Utf32Form<false>>(bytes, of_characters(1));
            let of_cesu8 = |byte: u32| if byte >= 0xF0 { 3 } else { 1 };
            check::<Utf8Form, Cesu8Form<false>>(bytes, of_cesu8);
            check::<Utf8Form, Cesu8Form<true>>(bytes, |byte| of_cesu8(byte) + usize::from(byte == 0));
            check::<Bytes<0x100>, Utf8Form>(bytes, |byte| 1 + usize::from(byte >= 0x80));
        }
    }

    /// Every unit, from each side of a register, and those around each bound as if by chance.
    #[test]
    fn utf16_in_utf8() {
        const UNITS: [u16; 14] = [
            0, 0x7F, 0x80, 0x7FF, 0x800, 0x7FFF, 0x8000, 0xBFFF, 0xC000, 0xD7FF, 0xD800, 0xDFFF, 0xE000,
            0xFFFF,
        ];
        let bytes_of = |unit: u32| match unit {
            0..0x80 => 1,
            0x80..0x800 | 0xD800..0xE000 => 2,
            _ => 3,
        };
        let of_cesu8 = |unit: u32| 1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
        let of_characters = |unit: u32| usize::from(!matches!(unit, 0xDC00..0xE000));
        let check = |units: &[u16]| {
            let swapped: Vec<u16> = units.iter().map(|unit| unit.swap_bytes()).collect();
            check::<Utf16Form<false>, Utf8Form>(units, bytes_of);
            check::<Utf16Form<true>, Utf8Form>(&swapped, bytes_of);
            check::<Utf16Form<false>, Utf32Form<false>>(units, of_characters);
            check::<Utf16Form<true>, Utf32Form<false>>(&swapped, of_characters);
            check::<Utf16Form<false>, Cesu8Form<false>>(units, of_cesu8);
            check::<Utf16Form<true>, Cesu8Form<true>>(&swapped, |unit| {
                of_cesu8(unit) + usize::from(unit == 0)
            });
        };
        let mixed = drawn(&UNITS);
        check(&mixed);
        for unit in UNITS {
            check(&vec![unit; mixed.len()]);
        }
        if cfg!(miri) {
            return;
        }
        // Each unit among others, long enough for registers.
        for engine in Engine::available() {
            let mut units = vec![0x41_u16; 2048];
            for unit in 0..=u16::MAX {
                let at = usize::from(unit) % units.len();
                units[at] = unit;
                // SAFETY: the units are those of the vector.
                let found = unsafe {
                    length::<Utf16Form<false>, Utf8Form>(engine, units.as_ptr().cast(), units.len())
                };
                assert_eq!(found, units.len() - 1 + bytes_of(unit.into()), "{}: {unit:04X}", engine.isa());
                units[at] = 0x41;
            }
        }
    }
}
