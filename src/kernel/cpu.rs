//! The instruction sets that this CPU has, and the one in use.
//!
//! Detection works without `std`, through CPUID, and honours XGETBV: AVX-512 that the operating system has not enabled counts as
//! missing. The choice is made once, at the first call, and kept in one byte; from then on it costs one relaxed load and a
//! predicted branch. Two threads that race for the first call find the same answer, so no lock is needed; and a choice that was
//! narrowed in the meantime stays narrowed.
//!
//! The choice depends on instruction sets alone, not on the model of the CPU, since no measurement calls for more: on the ten files of
//! mixed text of `docs/performance.md`, 64 KiB each, validation with AVX-512 is 1.2 to 2.3 times as fast as with AVX2 on the same CPU (AMD
//! Zen 5). What does differ between models is the fastest way to read text from memory, and when it is best to judge all of it: [`Model`].
//!
//! AVX-512 without permutations of bytes (Skylake's servers, Cascade Lake) counts as AVX2. Measured alone, the generic kernels in registers
//! of 64 bytes were 0.9 to 1.2 times as fast there, and code that ran between them was a seventh slower, because these CPUs lower their
//! clock for such registers and for some time afterwards; in registers of 32 bytes, with operations on three registers, they were 1.0 to
//! 1.1 times as fast (validation, Cascade Lake).
//!
//! The choice can be narrowed, for tests and comparisons: by the environment variable `RUNECAST_ISA` (with feature `std`, read
//! once), or by [`Engine::narrow`].

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};

/// Whether the target has vectors without any detection: its calling convention passes them in registers.
const HAS_VECTORS: bool = cfg!(any(
    target_feature = "sse2",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    target_feature = "simd128"
));

/// An instruction set for which runecast has kernels.
///
/// `Display` and `FromStr` use the names `avx512`, `avx2`, `sse42`, `neon`, `simd128` and `scalar`, as does the command
/// line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Isa {
    /// AVX-512 F, BW, VL, VBMI and VBMI2, with GFNI and BMI2: Ice Lake, Zen 4 and later.
    Avx512 = 1,
    /// AVX2 with BMI1 and BMI2: Haswell, Zen and later.
    Avx2,
    /// SSE4.2 with POPCNT: Nehalem and later.
    Sse42,
    /// Advanced SIMD of AArch64.
    Neon,
    /// The 128-bit vectors of WebAssembly.
    Simd128,
    /// No vectors: any CPU.
    Scalar,
}

impl Isa {
    /// Every instruction set, the fastest first. A given CPU has those of one architecture at most, and `Scalar`.
    pub const ALL: [Isa; 6] = [Isa::Avx512, Isa::Avx2, Isa::Sse42, Isa::Neon, Isa::Simd128, Isa::Scalar];

    /// The name, as `FromStr` reads it.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Avx512 => "avx512",
            Isa::Avx2 => "avx2",
            Isa::Sse42 => "sse42",
            Isa::Neon => "neon",
            Isa::Simd128 => "simd128",
            Isa::Scalar => "scalar",
        }
    }

    /// Whether the kernels are compiled in, and this CPU runs them under this operating system.
    #[inline]
    fn is_available(self) -> bool {
        match self {
            Isa::Scalar => true,
            #[cfg(target_feature = "sse2")]
            Isa::Avx512 => Model::detect_if(avx512::get()),
            #[cfg(target_feature = "sse2")]
            Isa::Avx2 => Model::detect_if(avx2::get()),
            #[cfg(target_feature = "sse2")]
            Isa::Sse42 => Model::detect_if(sse42::get()),
            // What the target guarantees needs no detection.
            Isa::Neon => cfg!(target_arch = "aarch64") && HAS_VECTORS,
            Isa::Simd128 => cfg!(target_family = "wasm") && HAS_VECTORS,
            #[cfg(not(target_feature = "sse2"))]
            Isa::Avx512 | Isa::Avx2 | Isa::Sse42 => false,
        }
    }
}

cfg_if::cfg_if! {
    if #[cfg(target_feature = "sse2")] {
        cpufeatures::new!(sse42, "sse4.1", "sse4.2", "ssse3", "popcnt");
        cpufeatures::new!(avx2, "avx2", "bmi1", "bmi2", "popcnt");
        cpufeatures::new!(
            avx512, "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "gfni", "avx2",
            "bmi1", "bmi2", "popcnt"
        );
    }
}

impl fmt::Display for Isa {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Isa {
    type Err = UnknownIsa;

    #[inline]
    fn from_str(name: &str) -> Result<Self, UnknownIsa> {
        Isa::ALL.into_iter().find(|isa| isa.name().eq_ignore_ascii_case(name)).ok_or(UnknownIsa(()))
    }
}

/// The error of parsing an [`Isa`]: the name is not that of an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownIsa(());

impl fmt::Display for UnknownIsa {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an instruction set: expected one of")?;
        for isa in Isa::ALL {
            write!(f, " {isa}")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownIsa {}

/// This CPU does not support the instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable(pub Isa);

impl fmt::Display for Unavailable {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this CPU does not run {}", self.0)
    }
}

impl core::error::Error for Unavailable {}

/// An instruction set that this CPU runs, with the kernels for it.
///
/// The free functions use [`Engine::current`]; the others are for comparisons and tests. All engines give the same results;
/// they differ in speed only.
///
/// Only detection creates an engine, so an engine is the proof that its kernels may be called: that is why its methods are
/// safe.
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

/// The ISA in use, as its discriminant; 0 until the first call.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

impl Engine {
    /// The instruction set of this engine.
    #[must_use]
    #[inline]
    pub const fn isa(self) -> Isa {
        self.0
    }

    /// The engine in use: the fastest that this CPU runs, unless the choice was narrowed.
    #[must_use]
    #[inline]
    pub fn current() -> Engine {
        if let Some(engine) = Engine::known_at_compile_time() {
            return engine;
        }
        let chosen = CHOSEN.load(Ordering::Relaxed);
        if chosen == 0 {
            return choose();
        }
        // SAFETY: the value stored is 0 or the discriminant of an `Isa`, and it is not 0.
        Engine(unsafe { core::mem::transmute::<u8, Isa>(chosen) })
    }

    /// Whether `isa` has been chosen: for a first question that costs less than [`current`](Engine::current), which may have to choose. Not true before
    /// the first call, nor where there is no choice.
    #[inline(always)]
    pub(super) fn has_chosen(isa: Isa) -> bool {
        Engine::known_at_compile_time().is_none() && CHOSEN.load(Ordering::Relaxed) == isa as u8
    }

    /// The engine of a target without vectors, where there is no choice.
    #[inline]
    const fn known_at_compile_time() -> Option<Engine> {
        if HAS_VECTORS { None } else { Some(Engine(Isa::Scalar)) }
    }

    /// All engines that this CPU can run, the fastest first; the last is always `scalar`.
    #[inline]
    pub fn available() -> impl Iterator<Item = Engine> + Clone {
        Isa::ALL.into_iter().filter(|isa| isa.is_available()).map(Engine)
    }

    /// The engine for `isa`.
    ///
    /// # Errors
    /// [`Unavailable`], if this CPU does not support it.
    #[inline]
    pub fn new(isa: Isa) -> Result<Engine, Unavailable> {
        if isa.is_available() { Ok(Engine(isa)) } else { Err(Unavailable(isa)) }
    }

    /// The engine for loops over words in general-purpose registers: AVX2 in place of AVX-512, whose requirements include
    /// those of AVX2. With AVX-512 the compiler vectorises the multiplications of such loops, and emoji take a third longer.
    #[inline]
    pub(super) const fn for_words(self) -> Engine {
        match self.0 {
            Isa::Avx512 => Engine(Isa::Avx2),
            _ => self,
        }
    }

    /// Makes `isa` the choice of the whole process: [`Engine::current`] returns it from now on.
    ///
    /// Calls in progress in other threads finish with the engine that they began with. This is for comparisons, and for
    /// finding out whether a fault lies in a kernel; nothing else needs it.
    ///
    /// # Errors
    /// [`Unavailable`], if this CPU does not support it; the choice stays as it was.
    #[inline]
    pub fn narrow(isa: Isa) -> Result<Engine, Unavailable> {
        let engine = Engine::new(isa)?;
        CHOSEN.store(isa as u8, Ordering::Relaxed);
        Ok(engine)
    }
}

/// The models of CPU that differ in what is fastest on them. The table, of what was measured (one core, AVX-512):
///
/// | | AMD family 19h (Zen 4) | AMD family 1Ah (Zen 5) |
/// |---|---|---|
/// | text from memory, 64 MiB, by loads alone | 26 GB/s | 34 GB/s while it is judged, 50 if not |
/// | what is best for it | two places in turns: 29 to 37 | prefetches far ahead: 48 to 55 |
/// | to judge a line of 64 bytes, of three and of four bytes a character | 5 and 6.4 cycles | 2.6 and 3.2 |
/// | to find out whether it has to be judged, and a mispredicted branch | 1.2 and some 15 | 1.4 and some 20 |
/// | lines that are not ASCII, so that it is best to judge all | more than 6 of 10 | half |
///
/// (On another machine with Zen 4 that had 32 GB/s, with prefetches of the start of each next page 37 to 40; here these cost a fifth.) On Zen 3, which has only AVX2, loads have 10 to 15
/// GB/s, and two places in turns 1.0 to 1.5 times as much: [in turns](super::shared::turns). Zen 2, which was not measured, is taken for its like, and so is Zen 4 where
/// it is held to AVX2. Other processors get what is usual for memory, prefetches, and judge as Zen 4 does. Of these Intel's Granite Rapids has
/// been measured: four places in turns are at 0.87 there, and what is best for Zen 5 at 0.85 to 0.99.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Model {
    /// AMD's families 17h, from its model 30h on, and 19h: Zen 2, 3 and 4.
    UpToZen4 = 1,
    /// AMD's family 1Ah: Zen 5. But not the models 2Xh and 6Xh, for notebooks, which have units of 256 bits, as Zen 4.
    Zen5,
    /// Any other.
    Other,
}

/// The model, as its discriminant; 0 until an engine with vectors is asked for.
static MODEL: AtomicU8 = AtomicU8::new(0);

impl Model {
    /// That of this CPU, if there is an engine for which it matters.
    #[inline]
    pub(super) fn current() -> Model {
        match MODEL.load(Ordering::Relaxed) {
            1 => Model::UpToZen4,
            2 => Model::Zen5,
            _ => Model::Other,
        }
    }

    /// Whether text from memory is read faster at several places in turns than from one end to the other, with vectors of 32 or 64 bytes.
    #[inline]
    pub(super) fn takes_streams(self) -> bool {
        self == Model::UpToZen4
    }

    /// Finds it out if the CPU has an instruction set, and says whether it has.
    #[cfg(target_feature = "sse2")]
    #[inline]
    fn detect_if(has: bool) -> bool {
        if has {
            Model::detect();
        }
        has
    }

    /// Finds it out, once.
    #[cfg(target_feature = "sse2")]
    #[inline(never)]
    fn detect() {
        #[cfg(target_arch = "x86")]
        use core::arch::x86::__cpuid;
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::__cpuid;

        // (Miri has no such instruction, and enclaves of SGX may not execute it.)
        if !cfg!(any(miri, target_env = "sgx")) && MODEL.load(Ordering::Relaxed) == 0 {
            // SAFETY: a CPU with SSE2 has the instruction. (Newer versions of Rust know that.)
            #[allow(unused_unsafe, reason = "safe in later versions of Rust")]
            let version = unsafe { __cpuid(1) }.eax;
            // The family and the extended family, which are to be added; no other maker has these numbers. And the upper half of the model.
            let model = match (version & 0x0FF0_0F00, version >> 16 & 0xF) {
                (0x0080_0F00, 3..) | (0x00A0_0F00, _) => Model::UpToZen4,
                (0x00B0_0F00, 0x2 | 0x6) => Model::Other,
                (0x00B0_0F00, _) => Model::Zen5,
                _ => Model::Other,
            };
            MODEL.store(model as u8, Ordering::Relaxed);
        }
    }
}

/// The first call: detects the instruction sets, and stores the choice. `RUNECAST_ISA` is obeyed if the CPU supports the
/// instruction set that it names, and ignored otherwise: a library must not fail over a variable meant for another machine.
#[cold]
fn choose() -> Engine {
    let named = named().and_then(|isa| Engine::new(isa).ok());
    let engine = named.or_else(|| Engine::available().next()).unwrap_or(Engine(Isa::Scalar));
    // Another thread may have narrowed the choice meanwhile, which is the last word then.
    #[cfg(target_has_atomic = "8")]
    if CHOSEN.compare_exchange(0, engine.0 as u8, Ordering::Relaxed, Ordering::Relaxed).is_err() {
        return Engine::current();
    }
    #[cfg(not(target_has_atomic = "8"))]
    CHOSEN.store(engine.0 as u8, Ordering::Relaxed);
    engine
}

/// What `RUNECAST_ISA` names, where there is an environment.
fn named() -> Option<Isa> {
    #[cfg(feature = "std")]
    return std::env::var("RUNECAST_ISA").ok()?.parse().ok();
    #[cfg(not(feature = "std"))]
    return None;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A first call that was overtaken does not undo what was narrowed.
    #[test]
    fn what_was_narrowed_stays() {
        if Engine::known_at_compile_time().is_some() {
            return;
        }
        let before = Engine::current();
        assert_eq!(Engine::narrow(Isa::Scalar), Ok(Engine(Isa::Scalar)));
        let chosen = [choose(), Engine::current()];
        assert_eq!(Engine::narrow(before.0), Ok(before));
        assert_eq!(chosen, [Engine(Isa::Scalar); 2]);
    }
}
