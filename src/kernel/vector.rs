//! The vector: what an instruction set must provide for the generic algorithms.
//!
//! [`Lanes`] is the part that AVX-512 has as well; [`Vector`] is the rest. Operations are named after what they mean to an
//! algorithm, not after an instruction. Each file below this one implements them for one instruction set, as primitives only.
//!
//! An algorithm is an [`Operation`]: a value that holds its arguments and runs over any vector. [`Vector::enter`] is
//! the one function that has a `#[target_feature]` and is not inlined. Passing an operation to it creates a *root*: a
//! function compiled for that instruction set, into which everything that the operation uses is inlined. (An intrinsic
//! that is not inlined becomes a call, which is ten times as slow and is not an error; a test looks for such calls in
//! the machine code.)
//!
//! Loads never touch a byte outside of the slice. The bytes at the end of an input that do not fill a vector come from
//! [`Vector::load_partial`], which assembles them from smaller loads that overlap, or leaves out what is not there.

mod lanes;

use super::shared::short_text::{behind_words, is_within_page, partial_words, readable};

pub(super) use lanes::{LaneLoop, Lanes};

/// Gives each function the attributes that let it be inlined into a root.
macro_rules! parts_of_a_root {
    ($features:literal; $(
        fn $name:ident $(<const $N:ident: i32>)? ($($arg:tt)*) $(-> $out:ty)? $body:block
    )*) => {
        $(
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn $name $(<const $N: i32>)? ($($arg)*) $(-> $out)? $body
        )*
    };
}

/// The root of an instruction set and its primitives.
macro_rules! primitives {
    ($features:literal; $($primitives:tt)*) => {
        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn enter<O: Operation>(op: O) -> O::Output {
            // SAFETY: this is `enter`; the rest is the caller's promise.
            unsafe { op.run::<Self>() }
        }

        parts_of_a_root! { $features; $($primitives)* }
    };
}

// What differs from target to target: the vectors, and the choice among them. The target itself must have vectors:
// without them, as in an operating system's kernel, the calling convention has no vector registers.
cfg_if::cfg_if! {
    if #[cfg(target_feature = "sse2")] {
        mod avx2;
        mod sse42;
        pub(super) use avx2::Avx2;
        pub(super) use sse42::Sse42;
        // For the lanes of AVX-512.
        pub(super) use parts_of_a_root;

        macro_rules! by_isa {
            ($engine:expr; $avx512:expr, $operation:expr, $plain:expr $(,)?) => {
                match $engine.isa() {
                    $crate::kernel::Isa::Avx512 => $avx512,
                    $crate::kernel::Isa::Avx2 => <$crate::kernel::vector::Avx2 as $crate::kernel::vector::Vector>::enter($operation),
                    $crate::kernel::Isa::Sse42 => <$crate::kernel::vector::Sse42 as $crate::kernel::vector::Vector>::enter($operation),
                    _ => $plain,
                }
            };
        }
    } else if #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))] {
        mod neon;
        pub(super) use neon::Neon;

        macro_rules! by_isa {
            ($engine:expr; $avx512:expr, $operation:expr, $plain:expr $(,)?) => {
                match $engine.isa() {
                    $crate::kernel::Isa::Neon => <$crate::kernel::vector::Neon as $crate::kernel::vector::Vector>::enter($operation),
                    _ => $plain,
                }
            };
        }
    } else if #[cfg(target_feature = "simd128")] {
        mod simd128;
        pub(super) use simd128::Simd128;

        macro_rules! by_isa {
            ($engine:expr; $avx512:expr, $operation:expr, $plain:expr $(,)?) => {
                match $engine.isa() {
                    $crate::kernel::Isa::Simd128 => <$crate::kernel::vector::Simd128 as $crate::kernel::vector::Vector>::enter($operation),
                    _ => $plain,
                }
            };
        }
    } else {
        macro_rules! by_isa {
            ($engine:expr; $avx512:expr, $operation:expr, $plain:expr $(,)?) => {{
                let _ = $engine;
                // The operation is type-checked, but never run.
                if true {
                    $plain
                } else {
                    let _ = $operation;
                    unreachable!()
                }
            }};
        }
    }
}

/// Calls the kernel of an engine: a function of `avx512`, an operation in the root of any other vector, or the portable
/// code. For use in an unsafe block: the callers of kernels promise what a kernel requires, and an `Engine` exists only
/// for an instruction set that detection has found on this CPU and that the operating system has enabled.
pub(super) use by_isa;

/// An algorithm with its arguments. It runs over any vector.
pub(crate) trait Operation {
    type Output;

    /// Runs it. Implementations are `#[inline(always)]`, to become part of the root.
    ///
    /// # Safety
    /// Only within `V::enter`; and what the operation itself requires.
    unsafe fn run<V: Vector>(self) -> Self::Output;
}

/// A register of [`LEN`](Lanes::LEN) bytes with all that the generic algorithms need: what [`Lanes`] has, and more. It
/// is one or two lanes of sixteen bytes. Unless stated otherwise, operations that combine two registers work lane by
/// lane.
///
/// # Safety
/// As for [`Lanes`].
pub(crate) trait Vector: Lanes {
    /// The number of lanes of sixteen bytes. Shuffles do not cross them.
    const LANES: usize = Self::LEN / 16;

    /// Runs `op` in a function compiled for this instruction set.
    unsafe fn enter<O: Operation>(op: O) -> O::Output;

    /// Runs `op` as [`enter`](Vector::enter) does, and is never inlined into the caller. From Rust 1.95 on,
    /// `#[inline(never)]` has no effect on a function that also has a `#[target_feature]`. This function has none, and
    /// `enter` cannot be inlined into it.
    #[inline(never)]
    unsafe fn apart<O: Operation>(op: O) -> O::Output {
        // SAFETY: the caller's promise.
        unsafe { Self::enter(op) }
    }

    /// As many of these words as the register holds, in memory order.
    unsafe fn from_words(words: [u64; 4]) -> Self;

    /// The bytes of `src`, fewer than `LEN`, followed by zeros.
    ///
    /// With [`load_words`](Vector::load_words) there is no branch on the length: the words of four bytes are loaded, and the rest, up to
    /// three bytes, is put behind them. (Texts of 1 to 31 bytes, all different, are validated in 4 ns instead of 10, those that all have 12
    /// in 3.7 instead of 3.2: AVX2, Intel Granite Rapids.)
    #[inline(always)]
    unsafe fn load_partial(src: &[u8]) -> Self {
        if Self::LOADS_WORDS {
            let (p, len) = (readable(src), src.len());
            if is_within_page(p, Self::LEN) {
                let words = (len / 4) as i32;
                // SAFETY: the caller's promise; these are bytes of `src`, or zeros if it is empty.
                return unsafe { Self::load_words(p, words).or(Self::word_at(words, behind_words(p, len))) };
            }
        }
        let words = match src.split_first_chunk::<16>() {
            Some((head, rest)) => {
                let [third, fourth] = partial_words(rest);
                let (first, second) = head.split_at(8);
                let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8]));
                [word(first), word(second), third, fourth]
            }
            None => {
                let [first, second] = partial_words(src);
                [first, second, 0, 0]
            }
        };
        // SAFETY: the caller's promise.
        unsafe { Self::from_words(words) }
    }

    /// A table of sixteen bytes, for [`lookup`](Vector::lookup).
    unsafe fn table(bytes: &[u8; 16]) -> Self;

    /// Each byte of `self`, 0..=15, replaced by that entry of the same lane of `table`; or by zero, if the byte is 80
    /// or more (hexadecimal).
    unsafe fn lookup(self, table: Self) -> Self;

    /// Sixteen bytes for each lane, at any alignment. With one lane, only the first pointer is used.
    unsafe fn load_lanes(from: [*const u8; 2]) -> Self;

    /// The high four bits of each byte, 0..=15.
    unsafe fn high_nibbles(self) -> Self;

    /// The low four bits of each byte, 0..=15.
    unsafe fn low_nibbles(self) -> Self;

    /// The sums of bytes, modulo 256.
    unsafe fn add(self, other: Self) -> Self;

    /// The sums of signed bytes, saturated to -128..=127.
    unsafe fn add_signed_saturating(self, other: Self) -> Self;

    /// The differences of unsigned bytes, saturated at 0.
    unsafe fn sub_saturating(self, other: Self) -> Self;

    /// The greater of each two unsigned bytes.
    unsafe fn max(self, other: Self) -> Self;

    /// The lesser of each two signed bytes.
    unsafe fn min_signed(self, other: Self) -> Self;

    /// The bytes `N` positions earlier, 1..=3: the last `N` of `before`, then the first of `self`.
    unsafe fn previous<const N: i32>(self, before: Self) -> Self;

    /// Whether the top bit of any byte is set.
    unsafe fn any_sign_bit(self) -> bool;

    /// The index of the first byte whose top bit is set, or `LEN`.
    unsafe fn first_sign_bit(self) -> usize;

    /// The index of the first byte that is not zero, or `LEN`.
    unsafe fn first_nonzero(self) -> usize;

    /// The top bits of the bytes: that of the first byte is the lowest bit.
    unsafe fn sign_bits(self) -> u32;

    /// FF where the bytes are equal, 0 elsewhere.
    unsafe fn equal(self, other: Self) -> Self;

    /// FF where the signed byte is greater than that of `other`, 0 elsewhere.
    unsafe fn greater_signed(self, other: Self) -> Self;

    /// FF where the unsigned byte is at least that of `other`, 0 elsewhere.
    unsafe fn at_least(self, other: Self) -> Self;

    /// All ones in the words of two bytes that are at least `least`, zeros in the others.
    #[inline(always)]
    unsafe fn at_least16(self, least: u16) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let least = Self::splat16(least);
            self.min16(least).equal16(least)
        }
    }

    /// The bits of `yes` where those of `self` are set, those of `no` elsewhere.
    unsafe fn select(self, yes: Self, no: Self) -> Self;

    /// The same, for a `self` whose bytes are all 00 or FF.
    #[inline(always)]
    unsafe fn select_bytes(self, yes: Self, no: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.select(yes, no) }
    }

    /// Each byte shifted left; its `N` top bits must be clear.
    #[inline(always)]
    unsafe fn shift_left<const N: i32>(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.shl16::<N>() }
    }

    /// Writes the sixteen bytes of lane `N` to `p`, at any alignment; nothing if there is no such lane.
    unsafe fn store_lane<const N: i32>(self, p: *mut u8);

    /// Writes the first half of lane `N` to `p`, then the second half to `q`; nothing if there is no such lane.
    unsafe fn store_halves<const N: i32>(self, p: *mut u8, q: *mut u8);

    /// The bytes of each lane interleaved with those of `other`: those of the lane's first half, and those of its
    /// second.
    unsafe fn zip(self, other: Self) -> [Self; 2];

    /// The same for words of two bytes.
    unsafe fn zip_words(self, other: Self) -> [Self; 2];

    /// Joins groups of six bits: the words `self` + 64 `second` + 4096 `third`, in two registers as from
    /// [`zip`](Vector::zip). The bytes must be below 80, 40 and 10 (hexadecimal).
    unsafe fn join_sixes(self, second: Self, third: Self) -> [Self; 2];

    /// Stores each byte as a unit of two bytes or, if `WIDE`, of four; in little-endian order or, if `SWAP`, in
    /// big-endian order.
    #[inline(always)]
    unsafe fn store_widened<const WIDE: bool, const SWAP: bool>(self, p: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            let zero = Self::splat(0);
            let [a, b] = if SWAP { zero.zip(self) } else { self.zip(zero) };
            let widen = |words: Self| if SWAP { zero.zip_words(words) } else { words.zip_words(zero) };
            let pieces = [a, b];
            for (i, words) in pieces.into_iter().enumerate() {
                if WIDE {
                    let [c, d] = widen(words);
                    c.store_lane::<0>(p.add(32 * i));
                    d.store_lane::<0>(p.add(32 * i + 16));
                    if Self::LANES > 1 {
                        c.store_lane::<1>(p.add(32 * i + 64));
                        d.store_lane::<1>(p.add(32 * i + 80));
                    }
                } else {
                    words.store_lane::<0>(p.add(16 * i));
                    if Self::LANES > 1 {
                        words.store_lane::<1>(p.add(16 * i + 32));
                    }
                }
            }
        }
    }

    /// Words of two bytes, each shifted left by `N` bits.
    unsafe fn shl16<const N: i32>(self) -> Self;

    /// Words of two bytes, each shifted right by `N` bits, filled with zeros.
    unsafe fn shr16<const N: i32>(self) -> Self;

    /// Words of four bytes, each shifted left by `N` bits.
    unsafe fn shl32<const N: i32>(self) -> Self;

    /// Words of four bytes, each shifted right by `N` bits, filled with zeros.
    unsafe fn shr32<const N: i32>(self) -> Self;

    /// The sums of words of two bytes, modulo 65,536.
    unsafe fn add16(self, other: Self) -> Self;

    /// All ones in the words of four bytes that are equal, zeros in the others.
    unsafe fn equal32(self, other: Self) -> Self;

    /// The bits of `self` that are not set in `other`.
    unsafe fn and_not(self, other: Self) -> Self;

    /// The low byte of each word of two bytes, whose high byte is zero, in both bytes.
    unsafe fn repeat_low16(self) -> Self;

    /// The lower halves of words of four bytes: those of `self`, then those of `other`.
    #[inline(always)]
    unsafe fn low_words(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let low = Self::splat32(0xFFFF);
            self.and(low).narrow_32_to_16(other.and(low))
        }
    }

    /// The upper halves of words of four bytes: those of `self`, then those of `other`.
    #[inline(always)]
    unsafe fn high_words(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.shr32::<16>().narrow_32_to_16(other.shr32::<16>()) }
    }

    /// For each word of two bytes, a byte with the same sign bit; lane by lane: eight of `self`, eight of `other`.
    unsafe fn narrow_signs(self, other: Self) -> Self;

    /// Words of two bytes, as signed numbers shifted right by `N` bits, as signed bytes, saturated to -128..=127: those of `self` and of
    /// `other`, in any order.
    unsafe fn narrow_shifted_16_to_8<const N: i32>(self, other: Self) -> Self;

    /// Words of four bytes, as signed numbers, in two bytes each, saturated to -32,768..=32,767: those of `self` and of `other`, in any order.
    unsafe fn narrow_signed_32_to_16(self, other: Self) -> Self;

    /// The signed words of four bytes of four registers as signed bytes, saturated to -128..=127, in order.
    unsafe fn narrow_signed_32_to_8(parts: [Self; 4]) -> Self;

    /// Prefetches what is at `p`, which may be anywhere, where there is an instruction for that.
    #[inline(always)]
    unsafe fn prefetch(_p: *const u8) {}

    /// Whether there is an instruction for [`load_words`](Vector::load_words).
    const LOADS_WORDS: bool = false;

    /// The first `count` words of four bytes at `p`, at any alignment, followed by zeros; all of the register if there are more. What
    /// is behind them is not read (but see [`is_within_page`]). Only where [`LOADS_WORDS`](Vector::LOADS_WORDS).
    #[inline(always)]
    unsafe fn load_words(_p: *const u8, _count: i32) -> Self {
        unreachable!("there is no instruction for it")
    }

    /// `word` as the word of four bytes with this index, and zeros; zeros alone if there is none. Only where
    /// [`LOADS_WORDS`](Vector::LOADS_WORDS).
    #[inline(always)]
    unsafe fn word_at(_index: i32, _word: u32) -> Self {
        unreachable!("there are no loads of words")
    }

    /// The sum of all bytes.
    unsafe fn sum_bytes(self) -> usize;

    /// One bit for each word of two bytes; each word must be all zeros or all ones.
    unsafe fn mask16(self) -> usize;

    /// One bit for each word of four bytes; each word must be all zeros or all ones.
    unsafe fn mask32(self) -> usize;

    /// How many bits are set.
    #[inline(always)]
    unsafe fn count_ones(bits: u32) -> usize {
        bits.count_ones() as usize
    }

    /// Whether some bit is set in both.
    unsafe fn intersects(self, bits: Self) -> bool;
}

#[cfg(test)]
mod tests {
    use super::{Operation, Vector};
    use crate::kernel::Engine;

    /// What works on words of two and four bytes, compared with the same done word by word.
    struct Words([u32; 8]);

    impl Words {
        /// All ones in the words of `words` whose bit is set in `bits`.
        fn mask<const BYTES: usize>(bits: usize) -> [u8; 32] {
            core::array::from_fn(|at| if bits >> (at / BYTES) & 1 == 1 { 0xFF } else { 0 })
        }

        fn bytes(words: [u32; 8]) -> [u8; 32] {
            core::array::from_fn(|at| words[at / 4].to_le_bytes()[at % 4])
        }
    }

    impl Operation for Words {
        type Output = ();

        #[inline(always)]
        unsafe fn run<V: Vector>(self) {
            let words = Self::bytes(self.0);
            let expect = |vector: V, bytes: [u8; 32]| {
                let mut stored = [0; 32];
                // SAFETY: 32 bytes are a register at most.
                unsafe { vector.store(stored.as_mut_ptr()) };
                assert_eq!(stored[..V::LEN], bytes[..V::LEN]);
            };
            // SAFETY: this is inside of the root, and 32 bytes are a register at most.
            unsafe {
                let vector = V::load(words.as_ptr());
                expect(vector.shl32::<10>(), Self::bytes(self.0.map(|word| word << 10)));
                expect(vector.shr32::<10>(), Self::bytes(self.0.map(|word| word >> 10)));
                for bits in [0, 1, 0x6E35, 0x8001, 0xFFFF, self.0[0] as usize & 0xFFFF] {
                    let (halves, wholes) = (Self::mask::<2>(bits), Self::mask::<4>(bits));
                    assert_eq!(V::load(halves.as_ptr()).mask16(), bits & ((1 << (V::LEN / 2)) - 1));
                    assert_eq!(V::load(wholes.as_ptr()).mask32(), bits & ((1 << (V::LEN / 4)) - 1));
                    let chosen = core::array::from_fn(|at| if halves[at] == 0 { 7 } else { words[at] });
                    expect(V::load(halves.as_ptr()).select_bytes(vector, V::splat(7)), chosen);
                    expect(V::load(halves.as_ptr()).select(vector, V::splat(7)), chosen);
                }
            }
        }
    }

    #[test]
    fn words_of_each_vector() {
        let mut word = 1_u32;
        for _ in 0..100 {
            let words = core::array::from_fn(|_| {
                word = word.wrapping_mul(0x9E37_79B1).wrapping_add(0x7F4A_7C15);
                word ^ word >> 15
            });
            for engine in Engine::available() {
                // SAFETY: the operation asks for nothing.
                #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
                unsafe {
                    by_isa!(engine; (), Words(words), ());
                }
            }
        }
    }
}
