//! The kernels: well-formed text, moved in bulk.
//!
//! A kernel does one operation on one instruction set. It knows well-formed text only: it goes
//! forward as long as everything is in order and stops at a character boundary *at or before* the
//! first thing that is not. Stopping early is always legal, stopping late never is; so a kernel
//! holds no error code and no policy, and the machine judges what it left.
//!
//! Where things are:
//!
//! - [`detect`]: which instruction sets this CPU has; the choice, made once.
//! - [`generic`]: one algorithm per operation, written over the [`vector::Vector`] trait.
//! - [`vector`]: that trait, and one file of primitives for each of AVX2, SSE4.2, NEON, simd128.
//! - `avx512`: written by hand, for masks and byte permutations change the shape of algorithms.
//! - [`pairs`]: which kernel moves which pair of encodings, and those that check UTF-16 and UTF-32.
//! - [`cesu`]: CESU-8 and modified UTF-8, by the kernels of UTF-8; [`rewrite`]: the bytes that differ.
//! - [`convert`]: plain loops, vectorised by the compiler, from every encoding to every other.
//! - [`tally`]: lengths, counts and the greatest unit, vectorised by the compiler as well.
//! - [`census`]: bytes of the kinds that detection counts, vectorised by the compiler.
//! - [`measure`]: lengths to and from Corrected UTF-8.
//! - [`rank`]: sums of weights up to a place, and the place of a sum: offsets.
//! - [`swap`]: the order of bytes, in place.
//! - [`wash`]: UTF-16 and UTF-32 with their ill-formed units replaced.
//! - [`starts`]: offsets into text, and the bytes at them; [`pack`]: many short texts as one.
//! - [`scalar`]: eight bytes at a time in an ordinary register; the rest is left to the machine.
//! - [`edge`] and [`modes`]: what the kernels share: from an error back to a character boundary, and
//!   the rules by which loops follow each other. [`gate`] spares the tiniest inputs the call.
//!
//! An [`Engine`] is the proof that an instruction set may be used: it can only be had from
//! detection, so its methods are safe. Each operation is one line in `operations!` below: a
//! `match` that ends in a jump to the kernel, with its arguments still in their registers. That is
//! a nanosecond quicker than a function pointer on the CPUs measured. It is not inlined: a jump
//! costs less than a table of calls in each caller.

// Where the target has no vectors, what is written over them is compiled, but nothing enters it.
#![cfg_attr(
    not(any(
        target_feature = "sse2",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        target_feature = "simd128"
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(target_feature = "sse2")]
mod avx512;
pub(crate) mod census;
mod cesu;
mod checks;
pub(crate) mod convert;
mod detect;
mod edge;
mod gate;
mod generic;
mod lanes;
mod measure;
mod modes;
mod pack;
mod pairing;
mod pairs;
pub(crate) mod rank;
mod rewrite;
mod scalar;
mod starts;
mod straight;
mod swap;
mod tally;
mod vector;
mod wash;
mod wash_utf8;

pub(crate) use gate::{tiny, tiny_ascii};
pub(crate) use starts::{Place, Places};
pub(crate) use wash_utf8::{Laundry, Washed};

pub use detect::{Isa, Unavailable, UnknownIsa};

use vector::by_isa;

/// How far a kernel came: whole characters, in code units of the source and of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Code units of the source that were converted.
    pub read: usize,
    /// Code units of the target that were written.
    pub written: usize,
}

/// The kernels of one instruction set that this CPU can run.
///
/// [`Engine::current`] is what the free functions use; the others are for those who compare
/// kernels, and for tests. All engines give the same results; they differ in speed only.
///
/// ```
/// use runecast::{Engine, Utf8};
///
/// for engine in Engine::available() {
///     assert!(engine.validate::<Utf8>("どれも同じ".as_bytes()).is_ok(), "{}", engine.isa());
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Engine(Isa);

impl Engine {
    /// The instruction set of this engine.
    #[must_use]
    #[inline]
    pub const fn isa(self) -> Isa {
        self.0
    }
}

/// Defines each operation as a method of [`Engine`] that goes on to the kernel of its ISA.
macro_rules! operations {
    ($( $(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty = $op:ident; )*) => {
        impl Engine {$(
            $(#[$doc])*
            #[must_use]
            #[inline]
            $vis fn $name(self, $($arg: $type),*) -> $out {
                dispatch::$name($($arg,)* self)
            }
        )*}

        /// The engine comes last, so that the arguments are where the kernel expects them.
        mod dispatch {
            use super::*;
            $(
                #[inline(never)]
                pub(super) fn $name($($arg: $type,)* engine: Engine) -> $out {
                    #[allow(unused_unsafe)] // Without vectors there is nothing unsafe in it.
                    // SAFETY: kernels of slices ask for nothing else.
                    unsafe { by_isa!(engine; avx512::$name($($arg),*), generic::$op { $($arg),* }, scalar::$name($($arg),*)) }
                }
            )*
        }
    };
}

operations! {
    /// The length of the ASCII prefix of `src`: exact on every engine.
    pub fn ascii_prefix(src: &[u8]) -> usize = AsciiPrefix;

    /// The raw kernel behind `validate::<Utf8>`: the length of a well-formed prefix of `src`.
    ///
    /// The prefix ends at a character boundary, at or before the first ill-formed sequence. It is
    /// all of `src` only if `src` is well-formed; it may be shorter than it could be, by a few
    /// characters. For those who compare kernels; everyone else wants [`Engine::validate`].
    pub fn utf8_valid_prefix(src: &[u8]) -> usize = Utf8ValidPrefix;

    /// The same of `validate::<CorrectedUtf8>`.
    pub fn corrected_valid_prefix(src: &[u8]) -> usize = CorrectedValidPrefix;

    /// How many of the first of these texts are well-formed UTF-8, each by itself. It may be fewer than it
    /// could be, but it is all of them only if they are.
    pub(crate) fn utf8_valid_values(values: &[&[u8]]) -> usize = Utf8ValidValues;
}

impl Engine {
    /// Runs a plain loop, compiled for this engine's instruction set.
    ///
    /// # Safety
    /// As for the loop.
    #[inline]
    pub(crate) unsafe fn run_plain(self, plain: impl convert::Plain) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { by_isa!(self; avx512::run_plain(plain), generic::PlainLoop(plain), plain.run()) }
    }

    /// Walks over units, in this engine's vectors.
    ///
    /// # Safety
    /// As for the walk.
    #[inline]
    pub(crate) unsafe fn walk(self, walk: impl lanes::Walk) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { by_isa!(self; avx512::walk(walk), generic::Walked(walk), walk.plainly()) }
    }

    /// Washes UTF-8: see [`wash_utf8`]. Without vectors it does nothing.
    ///
    /// # Safety
    /// What the laundry says must be readable and writable, and not overlap.
    #[inline]
    pub(crate) unsafe fn wash_utf8(self, work: Laundry) -> Washed {
        #[allow(unused_unsafe)] // Without vectors there is nothing unsafe in it.
        // SAFETY: the caller's promise.
        unsafe {
            by_isa!(self; avx512::wash_utf8(work), generic::WashUtf8(work), work.untouched())
        }
    }
}
