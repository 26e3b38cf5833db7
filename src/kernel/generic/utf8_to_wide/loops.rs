//! The adaptive loops, over any vector.
//!
//! A block is 64 bytes. Units are stored before the block is known to be well-formed, since there is room for whatever it may hold;
//! they count only if the block is well-formed. A block that is not, or that has characters that the loop does not handle, is
//! rejected, and the careful step converts it again.

use super::super::BLOCK;
use super::super::utf8::{Level, Lookups, Sums, longest};
use super::units::{Units, Window};
use super::{State, width};
use crate::kernel::shared::adaptive::{End, Recent};
use crate::kernel::vector::{Operation, Vector};

/// Blocks that are mostly ASCII.
pub(super) struct Sparse<'a, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(
    pub(super) State<'a, CORRECTED>,
);

impl<'a, const WIDE: bool, const SWAP: bool, const CORRECTED: bool> Operation
    for Sparse<'a, WIDE, SWAP, CORRECTED>
{
    type Output = (State<'a, CORRECTED>, End);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (State<'a, CORRECTED>, End) {
        let mut state = self.0;
        // SAFETY: the block, the three bytes before it and the one behind it are within `src`; and there is room for a
        // block of units.
        unsafe {
            let rules = Rules::<V>::new::<CORRECTED>();
            let mut recent = Recent::default();
            while state.has_block() {
                // Behind a block of ASCII no character is incomplete, and one test per block is enough.
                let from = state.at;
                let mut before = V::load(state.src.as_ptr().add(state.at - 3));
                while state.has_block() {
                    let p = state.src.as_ptr().add(state.at);
                    let dst = state.dst.add(width(WIDE) * state.written);
                    let load = |nth: usize| V::load(p.add(nth % (BLOCK / V::LEN) * V::LEN));
                    let bytes = [load(0), load(1), load(2), load(3)];
                    if bytes[0].or(bytes[1]).or(bytes[2].or(bytes[3])).or(before).any_sign_bit() {
                        break;
                    }
                    for (i, bytes) in bytes.iter().enumerate().take(BLOCK / V::LEN) {
                        bytes.store_widened::<WIDE, SWAP>(dst.add(width(WIDE) * i * V::LEN));
                    }
                    let mut whole = BLOCK;
                    if state.at == from + 3 * BLOCK {
                        // This may be a long run. With vectors of 32 bytes the stores are aligned from here on.
                        if V::LEN > 16 {
                            whole -= dst as usize % V::LEN / width(WIDE);
                        }
                        whole += ascii::<V, WIDE, SWAP>(
                            p.add(whole),
                            dst.add(width(WIDE) * whole),
                            (state.src.len() - state.at - whole - 1).min(state.room - state.written - whole),
                        );
                    }
                    state.written += whole;
                    state.at += whole;
                    state.ascii = state.at;
                    before = bytes[0];
                }
                recent.passed((state.at - from) / BLOCK);
                if state.has_block() {
                    let p = state.src.as_ptr().add(state.at);
                    let dst = state.dst.add(width(WIDE) * state.written);
                    let mut greatest = V::load(p.sub(3));
                    for vector in 0..BLOCK / V::LEN {
                        greatest = greatest.max(V::load(p.add(vector * V::LEN)));
                    }
                    let longest = longest(greatest);
                    let Block { written, refused, .. } = if longest.0 < 4 {
                        block::<V, WIDE, SWAP, 3, CORRECTED>(&rules, p, dst)
                    } else {
                        block::<V, WIDE, SWAP, 4, CORRECTED>(&rules, p, dst)
                    };
                    if refused {
                        return (state, End::Refused);
                    }
                    state.written += written;
                    state.at += BLOCK;
                    if recent.sparse(true) {
                        return (state, End::Dense(longest));
                    }
                }
            }
            (state, End::Quiet)
        }
    }
}

/// Widens ASCII, four vectors at a time; returns how many of these `len` bytes.
///
/// # Safety
/// As for [`Operation::run`]; these bytes must be readable, and there must be room for as many units.
#[inline(always)]
unsafe fn ascii<V: Vector, const WIDE: bool, const SWAP: bool>(
    src: *const u8,
    dst: *mut u8,
    len: usize,
) -> usize {
    let mut done = 0;
    while len - done >= 4 * V::LEN {
        // SAFETY: four vectors are left, and there is room for them.
        unsafe {
            let p = src.add(done);
            let load = |nth: usize| V::load(p.add(nth * V::LEN));
            let (a, b, c, d) = (load(0), load(1), load(2), load(3));
            if a.or(b).or(c.or(d)).any_sign_bit() {
                break;
            }
            let to = |nth: usize| dst.add(width(WIDE) * (done + nth * V::LEN));
            a.store_widened::<WIDE, SWAP>(to(0));
            b.store_widened::<WIDE, SWAP>(to(1));
            c.store_widened::<WIDE, SWAP>(to(2));
            d.store_widened::<WIDE, SWAP>(to(3));
        }
        done += 4 * V::LEN;
    }
    done
}

/// What tells that blocks are well-formed.
struct Rules<V> {
    level: Level<V>,
    /// For Corrected UTF-8 in the BMP.
    basic: Lookups<V>,
}

impl<V: Vector> Rules<V> {
    /// # Safety
    /// As for [`Operation::run`].
    #[inline(always)]
    unsafe fn new<const CORRECTED: bool>() -> Self {
        // SAFETY: the caller's promise.
        unsafe { Rules { level: Level::new::<CORRECTED>(), basic: Lookups::corrected_basic() } }
    }
}

/// Converts the bytes at `p`, whose characters have up to `MOST` bytes; `error` becomes non-zero if there are others.
/// Returns the number of units.
///
/// # Safety
/// As for [`Operation::run`]; a byte behind the window must be readable, and there must be room for as many units as
/// there are bytes.
#[inline(always)]
unsafe fn convert<V: Vector, const WIDE: bool, const SWAP: bool, const MOST: u32, const CORRECTED: bool>(
    window: &Window<V>,
    p: *const u8,
    dst: *mut u8,
    error: &mut V,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let units = match (CORRECTED, MOST) {
            (true, 3) => {
                let (units, unsupported) = Units::new::<WIDE, 3, true>(window).skip_surrogates();
                // Behind EF the sum may have exceeded a word. (The lookups refuse EF where its second byte is, which may be in the block
                // before, in another loop.)
                *error = error.or(unsupported).or(window.prev2.sub_saturating(V::splat(0xEE)));
                units
            }
            (true, 4) => {
                let (units, unsupported) = Units::of_corrected::<WIDE>(window, V::load(p.add(1)));
                *error = error.or(unsupported);
                units
            }
            _ => Units::new::<WIDE, MOST, CORRECTED>(window),
        };
        // A character ends where the next byte is no continuation byte.
        let ends = V::load(p.add(1)).greater_signed(V::splat(0xBF)).sign_bits();
        units.pack::<WIDE, SWAP>(ends | units.high_surrogates).store(dst)
    }
}

/// The outcome of a block.
struct Block<V> {
    written: usize,
    /// Whether a rule is broken, or a character is too long.
    refused: bool,
    greatest: V,
    /// All bytes, joined by `or`.
    any: V,
}

/// Converts the block at `p`, whose characters have up to `MOST` bytes, 2 to 4, as have those before.
///
/// # Safety
/// As for [`convert`].
#[inline(always)]
unsafe fn block<V: Vector, const WIDE: bool, const SWAP: bool, const MOST: u32, const CORRECTED: bool>(
    rules: &Rules<V>,
    p: *const u8,
    dst: *mut u8,
) -> Block<V> {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = V::splat(0);
        let (mut written, mut error, mut greatest, mut any) = (0, zero, zero, zero);
        let mut sums = Sums::new();
        for vector in 0..BLOCK / V::LEN {
            let p = p.add(vector * V::LEN);
            let window = Window {
                bytes: V::load(p),
                prev1: V::load(p.sub(1)),
                prev2: if MOST > 2 { V::load(p.sub(2)) } else { zero },
                prev3: if MOST > 3 { V::load(p.sub(3)) } else { zero },
            };
            let Window { bytes, prev1, prev2, .. } = window;
            let dst = dst.add(width(WIDE) * written);
            written += convert::<V, WIDE, SWAP, MOST, CORRECTED>(&window, p, dst, &mut error);
            match (MOST, CORRECTED) {
                (2, _) => sums = rules.level.up_to_three::<2, CORRECTED>(sums, bytes, prev1, prev2),
                (3, false) => sums = rules.level.up_to_three::<3, CORRECTED>(sums, bytes, prev1, prev2),
                _ => {
                    let lookups = if MOST == 3 { &rules.basic } else { rules.level.lookups() };
                    error = error.or(lookups.pair_errors(bytes, prev1, window.continues()));
                    greatest = greatest.max(bytes);
                }
            }
            any = any.or(bytes);
        }
        let (refused, greatest) = match (MOST, CORRECTED) {
            (2, _) => (rules.level.refused::<2, CORRECTED>(sums), sums.greatest),
            (3, false) => (rules.level.refused::<3, CORRECTED>(sums), sums.greatest),
            _ => (error.any(), greatest),
        };
        Block { written, refused, greatest, any }
    }
}

/// Blocks whose characters have one or two bytes.
pub(super) struct Two<'a, const WIDE: bool, const SWAP: bool, const CORRECTED: bool>(
    pub(super) State<'a, CORRECTED>,
);

impl<'a, const WIDE: bool, const SWAP: bool, const CORRECTED: bool> Operation
    for Two<'a, WIDE, SWAP, CORRECTED>
{
    type Output = (State<'a, CORRECTED>, End);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (State<'a, CORRECTED>, End) {
        let mut state = self.0;
        // SAFETY: as for the sparse loop.
        unsafe {
            let rules = Rules::<V>::new::<CORRECTED>();
            let mut recent = Recent::default();
            while state.has_block() {
                let p = state.src.as_ptr().add(state.at);
                let dst = state.dst.add(width(WIDE) * state.written);
                let Block { written, refused, any, .. } =
                    block::<V, WIDE, SWAP, 2, CORRECTED>(&rules, p, dst);
                if refused {
                    return (state, End::Refused);
                }
                state.at += BLOCK;
                state.written += written;
                if let Some(end) = recent.dense(true, !any.any_sign_bit()) {
                    return (state, end);
                }
            }
            (state, End::Quiet)
        }
    }
}

/// Blocks whose characters have up to `MOST` bytes, 3 or 4.
pub(super) struct UpTo<'a, const WIDE: bool, const SWAP: bool, const MOST: u32, const CORRECTED: bool>(
    pub(super) State<'a, CORRECTED>,
);

impl<'a, const WIDE: bool, const SWAP: bool, const MOST: u32, const CORRECTED: bool> Operation
    for UpTo<'a, WIDE, SWAP, MOST, CORRECTED>
{
    type Output = (State<'a, CORRECTED>, End);

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> (State<'a, CORRECTED>, End) {
        let mut state = self.0;
        // SAFETY: as for the sparse loop.
        unsafe {
            let rules = Rules::<V>::new::<CORRECTED>();
            let mut recent = Recent::default();
            while state.has_block() {
                let p = state.src.as_ptr().add(state.at);
                let dst = state.dst.add(width(WIDE) * state.written);
                let Block { written, refused, greatest, any } =
                    block::<V, WIDE, SWAP, MOST, CORRECTED>(&rules, p, dst);
                if refused {
                    return (state, End::Refused);
                }
                state.at += BLOCK;
                state.written += written;
                let least = if MOST == 4 { 0xF0 } else { 0xE0 };
                let needed = greatest.sub_saturating(V::splat(least - 0x80)).any_sign_bit();
                if let Some(end) = recent.dense(needed, !any.any_sign_bit()) {
                    return (state, end);
                }
            }
            (state, End::Quiet)
        }
    }
}
