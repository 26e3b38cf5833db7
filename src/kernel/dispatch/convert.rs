//! The kernel of each pair of encodings.
//!
//! A pair is looked up by the families of its two sides, which are known at compile time, so only the choice of the instruction set
//! is left to run time. Pairs of single-byte forms, and of units that are only widened or narrowed, use one loop over units; where a
//! pair has no kernel of its own, and on CPUs without vectors, the plain loops serve, which compilers vectorise. The byte order is a
//! parameter of a kernel.
//!
//! All conversions have one signature: from `len` units at `src` to at most `room` units at `dst`, both at any alignment and counted
//! in units of the form, whatever the type of the slices. The arguments are four words, not a struct, so that they stay in
//! registers.
//!
//! What did not help with text from memory: converting it in parts of 1 KiB into a buffer, and copying whole lines from there past the
//! caches, so that memory need not read lines that are overwritten. A loop that only widens bytes reaches 7.1 instead of 4.7 GB/s in this
//! way. But a kernel takes as long for a part as memory does, and nothing is written while it works: 64 MiB of UTF-8 became UTF-16 at 0.64
//! to 0.82 of the speed, and UTF-16 became UTF-8 at 0.76 to 0.92 (AVX2, AMD Zen 3).

use core::mem::MaybeUninit;

use super::{by_isa, cesu8, run_plain, walk};
use crate::kernel::generic::widen::Widen;
use crate::kernel::portable::convert::Convert;
use crate::kernel::shared::{Progress, Span};
use crate::kernel::{Engine, generic};
#[cfg(target_feature = "sse2")]
use crate::kernel::{Isa, avx512};
use crate::unicode::{Bytes, CorrectedForm, Family, Form, Utf8Form, Utf16Form, Utf32Form};

/// Defines the kernel of each pair as a function that jumps to that of the instruction set: a function of `avx512`, an operation
/// of `generic`, or else the plain loops between the two forms.
macro_rules! conversions {
    ($( $(#[$doc:meta])* fn $name:ident$(<$(const $C:ident),+>)? = $op:ident, $from:ty => $to:ty; )*) => {
$(
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
                        avx512::$name$(::<$($C),+>)?(src, len, dst, room),
                        generic::$op$(::<$($C),+>)?(Span { src, len, dst, room }),
                        Span { src, len, dst, room }.plainly_apart::<$from, $to>(),
                    )
                }
            }
        )*
    };
}

conversions! {
    /// UTF-8 to UTF-16.
    fn utf8_to_utf16<const SWAP> = Utf8ToUtf16, Utf8Form => Utf16Form<SWAP>;
    /// UTF-8 to UTF-32.
    fn utf8_to_utf32<const SWAP> = Utf8ToUtf32, Utf8Form => Utf32Form<SWAP>;
    /// Corrected UTF-8 to UTF-16.
    fn corrected_to_utf16<const SWAP> = CorrectedToUtf16, CorrectedForm => Utf16Form<SWAP>;
    /// Corrected UTF-8 to UTF-32.
    fn corrected_to_utf32<const SWAP> = CorrectedToUtf32, CorrectedForm => Utf32Form<SWAP>;
    /// UTF-8 to Latin-1.
    fn utf8_to_latin1<const LAZY> = Utf8ToLatin1, Utf8Form => Bytes<0x100>;
    /// UTF-16 to UTF-8.
    fn utf16_to_utf8<const SWAP> = Utf16ToUtf8, Utf16Form<SWAP> => Utf8Form;
    /// UTF-32 to UTF-8.
    fn utf32_to_utf8<const SWAP> = Utf32ToUtf8, Utf32Form<SWAP> => Utf8Form;
    /// UTF-16 to Corrected UTF-8.
    fn utf16_to_corrected<const SWAP> = Utf16ToCorrected, Utf16Form<SWAP> => CorrectedForm;
    /// UTF-32 to Corrected UTF-8.
    fn utf32_to_corrected<const SWAP> = Utf32ToCorrected, Utf32Form<SWAP> => CorrectedForm;
    /// Latin-1 to UTF-8.
    fn latin1_to_utf8<const LAZY> = Latin1ToUtf8, Bytes<0x100> => Utf8Form;
    /// UTF-16 to UTF-16, checked.
    fn utf16_to_utf16<const FROM, const TO> = Utf16ToUtf16, Utf16Form<FROM> => Utf16Form<TO>;
    /// UTF-16 to UTF-32.
    fn utf16_to_utf32<const FROM, const TO> = Utf16ToUtf32, Utf16Form<FROM> => Utf32Form<TO>;
    /// UTF-32 to UTF-16.
    fn utf32_to_utf16<const FROM, const TO> = Utf32ToUtf16, Utf32Form<FROM> => Utf16Form<TO>;
}

/// Converts `len` units of `S` at `src` to at most `room` units of `D` at `dst` with the kernel of the pair, under the contract of
/// the kernels.
///
/// # Safety
/// `len` units must be readable at `src`, and `room` units writable at `dst`, at any alignment.
#[inline]
pub(crate) unsafe fn convert<S: Form, D: Form>(
    engine: Engine,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Progress {
    macro_rules! by_order {
        ($kernel:ident) => {
            if const { !S::SWAPPED && !D::SWAPPED } {
                $kernel::<false, false>(src, len, dst, room, engine)
            } else if const { !S::SWAPPED } {
                $kernel::<false, true>(src, len, dst, room, engine)
            } else if const { !D::SWAPPED } {
                $kernel::<true, false>(src, len, dst, room, engine)
            } else {
                $kernel::<true, true>(src, len, dst, room, engine)
            }
        };
        ($kernel:ident, $side:ident) => {
            if const { $side::SWAPPED } {
                $kernel::<true>(src, len, dst, room, engine)
            } else {
                $kernel::<false>(src, len, dst, room, engine)
            }
        };
    }
    // Constant conditions, so that only the kernel of this pair is compiled: a `match` would compile the
    // kernels of all pairs for each pair, and discard them.
    macro_rules! by_pair {
        ($($source:pat, $target:pat => $kernel:expr;)*) => {
            $(if const { matches!((S::FAMILY, D::FAMILY), ($source, $target)) } {
                return $kernel;
            })*
        };
    }
    // SAFETY: the caller's promise.
    unsafe {
        by_pair! {
            Family::Utf8, Family::Utf16 => by_order!(utf8_to_utf16, D);
            Family::Utf8, Family::Utf32 => by_order!(utf8_to_utf32, D);
            Family::Utf8, Family::Latin1 => utf8_to_latin1::<true>(src, len, dst, room, engine);
            Family::Utf8, Family::Corrected => by_pivot::<S, Utf16Form<false>, D>(engine, src, len, dst, room);
            Family::Utf16, Family::Utf8 => by_order!(utf16_to_utf8, S);
            Family::Utf16, Family::Utf16 => by_order!(utf16_to_utf16);
            Family::Utf16, Family::Utf32 => by_order!(utf16_to_utf32);
            Family::Utf16, Family::Corrected => by_order!(utf16_to_corrected, S);
            Family::Utf32, Family::Utf8 => by_order!(utf32_to_utf8, S);
            Family::Utf32, Family::Utf16 => by_order!(utf32_to_utf16);
            Family::Utf32, Family::Corrected => by_order!(utf32_to_corrected, S);
            Family::Latin1, Family::Utf8 => latin1_to_utf8::<true>(src, len, dst, room, engine);
            Family::Corrected, Family::Utf8 => by_pivot::<S, Utf16Form<false>, D>(engine, src, len, dst, room);
            Family::Corrected, Family::Utf16 => by_order!(corrected_to_utf16, D);
            Family::Corrected, Family::Utf32 => by_order!(corrected_to_utf32, D);
        }
        if const { matches!(S::FAMILY, Family::Corrected) || matches!(D::FAMILY, Family::Corrected) } {
            run_plain(engine, Convert::<S, D>::new(src, len, dst, room))
        } else if const { matches!(S::FAMILY, Family::Cesu8) || matches!(D::FAMILY, Family::Cesu8) } {
            cesu8::convert::<S, D>(engine, src, len, dst, room)
        } else {
            unit_by_unit::<S, D>(src, len, dst, room, engine)
        }
    }
}

/// [`convert`], unit by unit.
///
/// # Safety
/// As there.
#[inline(never)]
unsafe fn unit_by_unit<S: Form, D: Form>(
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
        if engine.isa() == Isa::Avx512 {
            return avx512::widen::<S, D>(src, len, dst, room);
        }
        walk(engine, Widen::<S, D, true>::new(src, len, dst, room))
    }
}

/// The conversion through a pivot form `M`, in pieces that stay in the L1 cache. The first is short, since an error may be near, and none
/// is longer than there is room for: what is converted too far is converted again, by the plain loop and then by the next call. (With
/// pieces four times as long as the room, a stream with outputs of 64 bytes read every byte four times.)
///
/// # Safety
/// As for [`convert`].
pub(super) unsafe fn by_pivot<S: Form, M: Form, D: Form>(
    engine: Engine,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> Progress {
    /// Units of `M` for a piece.
    const BETWEEN: usize = 2048;
    /// Units of `S` of the first piece. Each is four times as long as the one before.
    const FIRST: usize = 256;
    // Units of `S` that become one of `D`, at most, but for the few characters that are shorter in Corrected UTF-8 than in UTF-8.
    let each = const {
        match (D::FAMILY, size_of::<D::Unit>()) {
            (Family::Latin1, _) => 2,
            (_, 1) => 1,
            (_, 2) => 3,
            _ => 6,
        }
    };
    let most = const { if size_of::<S::Unit>() == 1 { 1 } else { M::MOST } };
    let mut done = Progress::default();
    let mut between = [const { MaybeUninit::<M::Unit>::uninit() }; BETWEEN];
    let between: *mut u8 = between.as_mut_ptr().cast();
    let mut reach = FIRST;
    while done.read < len {
        let useful = (room - done.written).saturating_mul(each);
        let piece = (BETWEEN / most).min(reach).min(useful).min(len - done.read);
        reach = reach.saturating_mul(4);
        // SAFETY: the caller's promise. `between` has room for a piece: a byte becomes at most one unit, and any other
        // unit at most one character.
        unsafe {
            let from = src.add(size_of::<S::Unit>() * done.read);
            let to = dst.wrapping_add(size_of::<D::Unit>() * done.written);
            let one = convert::<S, M>(engine, from, piece, between, BETWEEN);
            let other = convert::<M, D>(engine, between, one.written, to, room - done.written);
            if other.read < one.written {
                // The output is full, or the target lacks a character. The plain loop finds how many units of
                // the source were converted.
                let last = run_plain(engine, Convert::<S, D>::new(from, piece, to, room - done.written));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The units of a text, and where each of its characters ends among them.
    fn units_of<U>(text: &[char], encode: impl Fn(char, &mut Vec<U>)) -> (Vec<U>, Vec<usize>) {
        let mut units = Vec::new();
        let mut ends = Vec::new();
        for character in text {
            encode(*character, &mut units);
            ends.push(units.len());
        }
        (units, ends)
    }

    /// A kernel goes on until three units are left, or fewer than the next character needs: whoever has little room, as a staging buffer
    /// has, would convert one by one what is left. (Scalar ones, too.)
    #[test]
    fn an_output_is_filled() {
        let long = "a".repeat(70) + "\u{E9}\u{4E2D}\u{1F600}";
        for pattern in [
            "a",
            "a\u{E9}",
            "\u{E9}",
            "a\u{436}\u{4E2D}",
            "\u{4E2D}",
            "\u{1F600}",
            "a\u{1F600}\u{E9}\u{4E2D}",
            &long,
        ] {
            let text: Vec<char> = pattern.chars().cycle().take(if cfg!(miri) { 90 } else { 400 }).collect();
            let of_latin1: Vec<char> = text.iter().map(|&character| char::from(character as u8)).collect();
            let utf8 = |character: char, to: &mut Vec<u8>| {
                to.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            };
            let latin1 = |character: char, to: &mut Vec<u8>| to.push(character as u8);
            let utf16 = |character: char, to: &mut Vec<u16>| {
                to.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            };
            let utf32 = |character: char, to: &mut Vec<u32>| to.push(character.into());
            fills::<Utf8Form, Utf16Form<false>>(units_of(&text, utf8), units_of(&text, utf16));
            fills::<Utf8Form, Utf32Form<false>>(units_of(&text, utf8), units_of(&text, utf32));
            fills::<Utf16Form<false>, Utf8Form>(units_of(&text, utf16), units_of(&text, utf8));
            fills::<Utf16Form<false>, Utf32Form<false>>(units_of(&text, utf16), units_of(&text, utf32));
            fills::<Utf32Form<false>, Utf8Form>(units_of(&text, utf32), units_of(&text, utf8));
            fills::<Utf32Form<false>, Utf16Form<false>>(units_of(&text, utf32), units_of(&text, utf16));
            fills::<Utf8Form, Bytes<0x100>>(units_of(&of_latin1, utf8), units_of(&of_latin1, latin1));
            fills::<Bytes<0x100>, Utf8Form>(units_of(&of_latin1, latin1), units_of(&of_latin1, utf8));
        }
    }

    /// Converts `source` with room for each number of units up to all of `target`: what is written is whole characters of `target`, and fills
    /// the room but for three units.
    fn fills<S: Form, D: Form>(source: (Vec<S::Unit>, Vec<usize>), target: (Vec<D::Unit>, Vec<usize>))
    where
        D::Unit: PartialEq,
    {
        let (src, read_at) = source;
        let (expected, written_at) = target;
        let mut dst = expected.clone();
        for engine in Engine::available() {
            for room in 0..=expected.len() {
                dst.fill(expected[0]);
                // SAFETY: the units are those of the vectors, and there is room for all.
                let Progress { read, written } = unsafe {
                    convert::<S, D>(engine, src.as_ptr().cast(), src.len(), dst.as_mut_ptr().cast(), room)
                };
                let what = (engine.isa(), size_of::<S::Unit>(), size_of::<D::Unit>(), room);
                assert!(read == src.len() || room - written <= 3, "{what:?}: {written} written");
                assert!(dst[..written] == expected[..written], "{what:?}");
                let whole = |characters: usize| match characters {
                    0 => (0, 0),
                    some => (read_at[some - 1], written_at[some - 1]),
                };
                let characters = written_at.partition_point(|end| *end <= written);
                assert_eq!((read, written), whole(characters), "{what:?}");
            }
        }
    }
}
