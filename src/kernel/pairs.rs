//! Which kernel moves a pair of encodings.
//!
//! A pair is looked up by what its two sides are, which the compiler knows, so that nothing of that
//! choice is left at run time; what is left is the choice of the instruction set. A pair of bytes,
//! or of units that only grow wider or narrower, has the plain loops, which compilers vectorise; so
//! has everything on a CPU without vectors. The order of bytes is a parameter of a kernel.
//!
//! All conversions have one signature: from `len` units at `src`, of any alignment, to at most `room`
//! units at `dst`, of any alignment, counted in units of the forms whatever the slices were made of.
//! The arguments are four words, not a struct, so that they stay in registers on their way.

use core::mem::MaybeUninit;

use super::cesu;
use super::convert::{Convert, Form, Form8, Form16, Form32, FormByte, FormCorrected, Plain, Shape};
use super::measure::{AtLeast, Measure, is_measured};
use super::straight::Straight;
use super::swap::Swap;
use super::tally::{Greatest, Pairs16, Surrogates8, Tally, is_uniform};
use super::wash::Wash;
use super::{Engine, Progress, by_isa};

/// Where a conversion reads and writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The first unit of the source, of any alignment.
    pub src: *const u8,
    /// How many units of the form there are.
    pub len: usize,
    /// Where the first unit of the target goes, of any alignment.
    pub dst: *mut u8,
    /// For how many units of the form there is room.
    pub room: usize,
}

impl Move {
    /// The move by the plain loops.
    ///
    /// # Safety
    /// `len` units of `S` must be readable at `src`, and `room` units of `D` writable at `dst`.
    #[inline(always)]
    pub(super) unsafe fn plainly<S: Form, D: Form>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { Convert::<S, D>::new(self.src, self.len, self.dst, self.room).run() }
    }
}

impl Move {
    /// [`plainly`](Move::plainly), out of line: for the few characters before an error or the end of the
    /// room, and where there is no other kernel. What these loops keep on the stack would otherwise be
    /// set up by everyone on the way to another kernel, at three nanoseconds a call.
    ///
    /// # Safety
    /// As there.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn plainly_apart<S: Form, D: Form>(self) -> Progress {
        // SAFETY: the caller's promise.
        unsafe { self.plainly::<S, D>() }
    }
}

/// Defines each kernel of a pair as a method of [`Engine`] that goes on to its ISA: a function of
/// `avx512`, an operation of `generic`, or else the plain loops between two forms.
macro_rules! conversions {
    ($( $(#[$doc:meta])* fn $name:ident$(<$(const $C:ident),+>)? = $op:ident, $from:ty => $to:ty; )*) => {
        impl Engine {$(
            $(#[$doc])*
            ///
            /// # Safety
            /// `len` units must be readable at `src`, and `room` units writable at `dst`.
            #[inline(never)]
            unsafe fn $name$(<$(const $C: bool),+>)?(
                src: *const u8,
                len: usize,
                dst: *mut u8,
                room: usize,
                engine: Engine,
            ) -> Progress {
                // SAFETY: the caller's promise.
                unsafe {
                    by_isa!(
                        engine;
                        super::avx512::$name$(::<$($C),+>)?(src, len, dst, room),
                        super::generic::$op$(::<$($C),+>)?(Move { src, len, dst, room }),
                        Move { src, len, dst, room }.plainly_apart::<$from, $to>(),
                    )
                }
            }
        )*}
    };
}

conversions! {
    /// UTF-8 to UTF-16.
    fn utf8_to_utf16<const SWAP> = Utf8ToUtf16, Form8 => Form16<SWAP>;
    /// UTF-8 to UTF-32.
    fn utf8_to_utf32<const SWAP> = Utf8ToUtf32, Form8 => Form32<SWAP>;
    /// Corrected UTF-8 to UTF-16.
    fn corrected_to_utf16<const SWAP> = CorrectedToUtf16, FormCorrected => Form16<SWAP>;
    /// Corrected UTF-8 to UTF-32.
    fn corrected_to_utf32<const SWAP> = CorrectedToUtf32, FormCorrected => Form32<SWAP>;
    /// UTF-8 to Latin-1.
    fn utf8_to_latin1 = Utf8ToLatin1, Form8 => FormByte<0x100>;
    /// UTF-16 to UTF-8.
    fn utf16_to_utf8<const SWAP> = Utf16ToUtf8, Form16<SWAP> => Form8;
    /// UTF-32 to UTF-8.
    fn utf32_to_utf8<const SWAP> = Utf32ToUtf8, Form32<SWAP> => Form8;
    /// UTF-16 to Corrected UTF-8.
    fn utf16_to_corrected<const SWAP> = Utf16ToCorrected, Form16<SWAP> => FormCorrected;
    /// UTF-32 to Corrected UTF-8.
    fn utf32_to_corrected<const SWAP> = Utf32ToCorrected, Form32<SWAP> => FormCorrected;
    /// Latin-1 to UTF-8.
    fn latin1_to_utf8 = Latin1ToUtf8, FormByte<0x100> => Form8;
    /// UTF-16 to UTF-16, checked.
    fn utf16_to_utf16<const FROM, const TO> = Utf16ToUtf16, Form16<FROM> => Form16<TO>;
    /// UTF-16 to UTF-32.
    fn utf16_to_utf32<const FROM, const TO> = Utf16ToUtf32, Form16<FROM> => Form32<TO>;
    /// UTF-32 to UTF-16.
    fn utf32_to_utf16<const FROM, const TO> = Utf32ToUtf16, Form32<FROM> => Form16<TO>;
}

impl Engine {
    /// Converts `len` units of `S` at `src` to at most `room` units of `D` at `dst`, with the kernel of
    /// the pair; see the contract of the kernels.
    ///
    /// # Safety
    /// So many units must be readable and writable there, at any alignment.
    #[inline]
    pub(crate) unsafe fn convert<S: Form, D: Form>(
        self,
        src: *const u8,
        len: usize,
        dst: *mut u8,
        room: usize,
    ) -> Progress {
        macro_rules! by_order {
            ($kernel:ident) => {
                if const { !S::FOREIGN && !D::FOREIGN } {
                    Engine::$kernel::<false, false>(src, len, dst, room, self)
                } else if const { !S::FOREIGN } {
                    Engine::$kernel::<false, true>(src, len, dst, room, self)
                } else if const { !D::FOREIGN } {
                    Engine::$kernel::<true, false>(src, len, dst, room, self)
                } else {
                    Engine::$kernel::<true, true>(src, len, dst, room, self)
                }
            };
            ($kernel:ident, $side:ident) => {
                if const { $side::FOREIGN } {
                    Engine::$kernel::<true>(src, len, dst, room, self)
                } else {
                    Engine::$kernel::<false>(src, len, dst, room, self)
                }
            };
        }
        // What is decided by a constant is all that gets compiled: a `match` would have the kernels of all
        // pairs compiled for each pair, and thrown away.
        macro_rules! ways {
            ($($source:pat, $target:pat => $way:expr;)*) => {
                $(if const { matches!((S::SHAPE, D::SHAPE), ($source, $target)) } {
                    return $way;
                })*
            };
        }
        // SAFETY: the caller's promise.
        unsafe {
            ways! {
                Shape::Utf8, Shape::Utf16 => by_order!(utf8_to_utf16, D);
                Shape::Utf8, Shape::Utf32 => by_order!(utf8_to_utf32, D);
                Shape::Utf8, Shape::Latin1 => Engine::utf8_to_latin1(src, len, dst, room, self);
                Shape::Utf8, Shape::Corrected => self.convert_by::<S, Form16<false>, D>(src, len, dst, room);
                Shape::Utf16, Shape::Utf8 => by_order!(utf16_to_utf8, S);
                Shape::Utf16, Shape::Utf16 => by_order!(utf16_to_utf16);
                Shape::Utf16, Shape::Utf32 => by_order!(utf16_to_utf32);
                Shape::Utf16, Shape::Corrected => by_order!(utf16_to_corrected, S);
                Shape::Utf32, Shape::Utf8 => by_order!(utf32_to_utf8, S);
                Shape::Utf32, Shape::Utf16 => by_order!(utf32_to_utf16);
                Shape::Utf32, Shape::Corrected => by_order!(utf32_to_corrected, S);
                Shape::Latin1, Shape::Utf8 => Engine::latin1_to_utf8(src, len, dst, room, self);
                Shape::Corrected, Shape::Utf8 => self.convert_by::<S, Form16<false>, D>(src, len, dst, room);
                Shape::Corrected, Shape::Utf16 => by_order!(corrected_to_utf16, D);
                Shape::Corrected, Shape::Utf32 => by_order!(corrected_to_utf32, D);
            }
            if const { matches!(S::SHAPE, Shape::Corrected) || matches!(D::SHAPE, Shape::Corrected) } {
                self.run_plain(Convert::<S, D>::new(src, len, dst, room))
            } else if const { matches!(S::SHAPE, Shape::Cesu) || matches!(D::SHAPE, Shape::Cesu) } {
                cesu::convert::<S, D>(self, src, len, dst, room)
            } else {
                Engine::straight::<S, D>(src, len, dst, room, self)
            }
        }
    }

    /// [`convert`](Engine::convert), unit by unit.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn straight<S: Form, D: Form>(
        src: *const u8,
        len: usize,
        dst: *mut u8,
        room: usize,
        engine: Engine,
    ) -> Progress {
        // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the caller's
        // promise.
        unsafe {
            #[cfg(target_feature = "sse2")]
            if engine.0 == super::Isa::Avx512 {
                return super::avx512::straight::<S, D>(src, len, dst, room);
            }
            engine.walk(Straight::<S, D, true>::new(src, len, dst, room))
        }
    }

    /// The conversion by way of a third form, in pieces that stay in the nearest cache.
    ///
    /// # Safety
    /// As for [`convert`](Engine::convert).
    pub(super) unsafe fn convert_by<S: Form, M: Form, D: Form>(
        self,
        src: *const u8,
        len: usize,
        dst: *mut u8,
        room: usize,
    ) -> Progress {
        /// Units of `M` for a piece.
        const BETWEEN: usize = 2048;
        let most = const { if size_of::<S::Unit>() == 1 { 1 } else { M::MOST } };
        let mut done = Progress::default();
        let mut between = [const { MaybeUninit::<M::Unit>::uninit() }; BETWEEN];
        let between: *mut u8 = between.as_mut_ptr().cast();
        while done.read < len {
            let piece = (BETWEEN / most).min(len - done.read);
            // SAFETY: the caller's promise; and a byte is a unit at most, and any other unit a character, for
            // which there is room.
            unsafe {
                let from = src.add(size_of::<S::Unit>() * done.read);
                let to = dst.wrapping_add(size_of::<D::Unit>() * done.written);
                let one = self.convert::<S, M>(from, piece, between, BETWEEN);
                let other = self.convert::<M, D>(between, one.written, to, room - done.written);
                if other.read < one.written {
                    // No room, or no form: of how many units these are the plain loop knows.
                    let last = self.run_plain(Convert::<S, D>::new(from, piece, to, room - done.written));
                    done.read += last.read;
                    done.written += last.written;
                    break;
                }
                done.read += one.read;
                done.written += other.written;
                if one.read == 0 {
                    break;
                }
            }
        }
        done
    }

    /// How many units of `D` the `len` units of `S` at `src` stand for, if they are well-formed.
    ///
    /// # Safety
    /// So many units must be readable there, at any alignment.
    #[inline]
    pub(crate) unsafe fn tally<S: Form, D: Form>(self, src: *const u8, len: usize) -> usize {
        if const { is_measured::<S, D>() } {
            // SAFETY: the caller's promise.
            return unsafe { self.run_plain(Measure::<S, D>::new(src, len)) }.written;
        }
        if const { is_uniform::<S, D>() } {
            return len;
        }
        #[cfg(target_feature = "sse2")]
        if const { !matches!(S::SHAPE, Shape::Cesu) && !matches!(D::SHAPE, Shape::Cesu) }
            && self.0 == super::Isa::Avx512
        {
            // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the
            // caller's promise.
            return unsafe { super::avx512::tally::<S, D>(src, len) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.run_plain(Tally::<S, D>::new(src, len)) }.written
    }

    /// The greatest of the `len` units of `S` at `src`, or some unit greater than `limit`. Surrogates
    /// count as FFFF, and nothing else does.
    ///
    /// # Safety
    /// So many units must be readable there, at any alignment.
    #[inline]
    pub(crate) unsafe fn greatest<S: Form>(self, src: *const u8, len: usize, limit: u32) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { self.run_plain(Greatest::<S>::new(src, len, limit)) }.written as u32
    }

    /// Whether some character in `src`, in Corrected UTF-8, is at least `POINT`.
    pub(crate) fn any_at_least<const POINT: u32>(self, src: &[u8]) -> bool {
        // SAFETY: so many bytes are there.
        unsafe { self.run_plain(AtLeast::<POINT>::new(src.as_ptr(), src.len())) }.written > 0
    }

    /// How many pairs of surrogates in three bytes each there are in `src`.
    pub(crate) fn surrogate_pairs(self, src: &[u8]) -> usize {
        // SAFETY: so many bytes are there.
        unsafe { self.run_plain(Surrogates8::<true>::new(src.as_ptr(), src.len())) }.written
    }

    /// Whether there is a surrogate in three bytes in `src`.
    pub(crate) fn any_surrogate(self, src: &[u8]) -> bool {
        // SAFETY: so many bytes are there.
        unsafe { self.run_plain(Surrogates8::<false>::new(src.as_ptr(), src.len())) }.written > 0
    }

    /// How many low surrogates, and how many pairs, there are in the `len` units of `S`, which is UTF-16, at
    /// `src`.
    ///
    /// # Safety
    /// So many units must be readable there, at any alignment.
    #[inline]
    pub(crate) unsafe fn lows_and_pairs<S: Form>(self, src: *const u8, len: usize) -> (usize, usize) {
        // SAFETY: the caller's promise.
        let Progress { read, written } = unsafe { self.run_plain(Pairs16::<S>::new(src, len)) };
        (read, written)
    }

    /// Turns the bytes of the `len` units of `S` at `text` round, in place.
    ///
    /// # Safety
    /// So many units must be readable and writable there, at any alignment.
    #[inline]
    pub(crate) unsafe fn swap<S: Form>(self, text: *mut u8, len: usize) {
        if size_of::<S::Unit>() > 1 {
            // SAFETY: the caller's promise.
            unsafe { self.run_plain(Swap::<S>::new(text, len)) };
        }
    }

    /// Copies the `len` units of `S`, which is UTF-16 or UTF-32, from `src` to `dst`, with U+FFFD in
    /// place of each that is ill-formed; returns how many are. The two may be the same, but not overlap
    /// in another way.
    ///
    /// # Safety
    /// So many units must be readable and writable there, at any alignment.
    #[inline]
    pub(crate) unsafe fn wash<S: Form>(self, src: *const u8, dst: *mut u8, len: usize) -> usize {
        // SAFETY: an `Engine` exists only for an instruction set that this CPU runs; the rest is the
        // caller's promise.
        unsafe {
            #[cfg(target_feature = "sse2")]
            if self.0 == super::Isa::Avx512 && S::SHAPE == Shape::Utf16 {
                return match S::FOREIGN {
                    false => super::avx512::wash_utf16::<false>(src, dst, len),
                    true => super::avx512::wash_utf16::<true>(src, dst, len),
                }
                .written;
            }
            self.run_plain(Wash::<S>::new(src, dst, len)).written
        }
    }
}
