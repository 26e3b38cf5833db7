//! How much of a text is well-formed: the kernels that write nothing.
//!
//! UTF-8, Corrected UTF-8 and ASCII have kernels of their own; those of UTF-16 and UTF-32 are the checked copies of these forms,
//! with the copying left out.

use super::{by_isa, cesu8, run_plain, walk};
#[cfg(target_feature = "sse2")]
use crate::kernel::avx512;
use crate::kernel::generic::utf16_copy::Utf16Copy;
use crate::kernel::generic::widen::Widen;
use crate::kernel::portable::convert::Scan;
pub(crate) use crate::kernel::shared::lines::Start;
use crate::kernel::shared::lines::{SECTION, begins_nothing};
use crate::kernel::{Engine, generic, portable};
#[cfg(target_feature = "sse2")]
use crate::kernel::{
    Isa,
    cpu::Model,
    shared::lines::STREAMED,
    shared::turns::{PART, first_turn, in_turns},
};
use crate::unicode::{Family, Form, Utf32Form};

/// The length of the ASCII prefix of `src`, exact on every engine.
#[inline]
pub(crate) fn ascii_prefix(engine: Engine, src: &[u8]) -> usize {
    #[cfg(target_feature = "sse2")]
    if src.len() > STREAMED && engine.isa() != Isa::Scalar && Model::current().takes_streams() {
        return ascii_in_turns::<true>(src, engine);
    }
    jump_to_ascii_prefix::<true>(src, engine)
}

/// The same of text from memory, [in turns](in_turns), where that is faster: 64 and 150 MiB at 31 and 28 GB/s instead of 26 and 23 (AVX-512, AMD Zen 4).
#[cfg(target_feature = "sse2")]
#[inline(never)]
fn ascii_in_turns<const LAZY: bool>(src: &[u8], engine: Engine) -> usize {
    let ascii = |from: usize, to: usize| from + jump_to_ascii_prefix::<LAZY>(&src[from..to], engine);
    let from = first_turn(src.as_ptr(), 0);
    let near = ascii(0, from);
    if near < from {
        return near;
    }
    let rest =
        in_turns(src.len(), from, |turn| turn.in_parts(src.as_ptr(), |at| ascii(at, at + PART) == at + PART));
    ascii(rest, src.len())
}

/// The length of a well-formed prefix of UTF-8.
///
/// It ends at a character boundary, at or before the first ill-formed sequence. It is all of `src` only if `src` is
/// well-formed; it may be shorter than it could be, by a few characters.
#[inline]
pub(crate) fn utf8_valid_prefix(engine: Engine, src: &[u8], start: Start) -> usize {
    jump_to_utf8_valid_prefix(src, engine, start)
}

/// The same for Corrected UTF-8.
#[inline]
pub(crate) fn corrected_valid_prefix(engine: Engine, src: &[u8], start: Start) -> usize {
    jump_to_corrected_valid_prefix::<true>(src, engine, start)
}

/// How many of these texts, from the first on, are well-formed UTF-8, each by itself. The result may be too low, but it is the
/// number of texts only if all are well-formed.
#[inline]
pub(crate) fn utf8_valid_values(engine: Engine, values: &[&[u8]]) -> usize {
    jump_to_valid_values::<false>(values, engine)
}

#[inline(never)]
fn jump_to_ascii_prefix<const LAZY: bool>(src: &[u8], engine: Engine) -> usize {
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: kernels of slices require nothing but their instruction set, which the engine proves.
    unsafe {
        by_isa!(engine; avx512::ascii_prefix::<LAZY>(src), generic::AsciiPrefix { src }, portable::validate::ascii_prefix::<LAZY>(src))
    }
}

/// The least for which the first character is asked before the kernel is called. Behind an error there often is another one, and what is
/// not text at all mostly shows that by its first bytes: to find that out in a vector takes ten nanoseconds, most of them to get there
/// and to find the place. For clean text it is a test that never fails.
const LONG: usize = 1024;

/// Not generic, unlike the others: nearly every program validates UTF-8, and what is generic is compiled once more for each crate that
/// does, 58 KB each time, and as that crate is optimised.
#[inline(never)]
fn jump_to_utf8_valid_prefix(src: &[u8], engine: Engine, start: Start) -> usize {
    if src.len() >= LONG && !src[0].is_ascii() & begins_nothing(src, 0) {
        return 0;
    }
    valid_prefix_of_bytes::<false>(src, engine, start)
}

#[inline(never)]
fn jump_to_corrected_valid_prefix<const CORRECTED: bool>(src: &[u8], engine: Engine, start: Start) -> usize {
    valid_prefix_of_bytes::<CORRECTED>(src, engine, start)
}

#[inline(always)]
fn valid_prefix_of_bytes<const CORRECTED: bool>(src: &[u8], engine: Engine, start: Start) -> usize {
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: kernels of slices require nothing but their instruction set, which the engine proves.
    unsafe {
        // (Not where modules are to be small: there all text begins as behind an error.)
        if !cfg!(target_family = "wasm") && start == Start::BehindError && src.len() > SECTION {
            by_isa!(
                engine;
                avx512::valid_prefix::<CORRECTED>(src, start),
                generic::BehindError::<CORRECTED> { src },
                portable::validate::valid_prefix::<CORRECTED>(src),
            )
        } else {
            by_isa!(
                engine;
                avx512::valid_prefix::<CORRECTED>(src, Start::OfText),
                generic::ValidPrefix::<CORRECTED> { src },
                portable::validate::valid_prefix::<CORRECTED>(src),
            )
        }
    }
}

#[inline(never)]
fn jump_to_valid_values<const CORRECTED: bool>(values: &[&[u8]], engine: Engine) -> usize {
    #[allow(unused_unsafe, reason = "without vectors there is nothing unsafe in it")]
    // SAFETY: kernels of slices require nothing but their instruction set, which the engine proves.
    unsafe {
        by_isa!(
            engine;
            avx512::valid_values::<CORRECTED>(values),
            generic::ValidValues::<CORRECTED> { values },
            portable::validate::valid_values::<CORRECTED>(values),
        )
    }
}

/// How many of the `len` units at `src` are well-formed, up to a character boundary, under the contract of the kernels.
///
/// # Safety
/// `len` units of `S` must be readable at `src`, at any alignment.
#[inline]
pub(crate) unsafe fn valid_prefix<S: Form>(engine: Engine, src: *const u8, len: usize) -> usize {
    let dst = core::ptr::null_mut();
    // SAFETY: the caller's promise; nothing is written.
    let progress = unsafe {
        if const { matches!(S::FAMILY, Family::Cesu8) } {
            return cesu8::valid_prefix::<S>(engine, src, len);
        } else if const { matches!(S::FAMILY, Family::Utf16) && S::SWAPPED } {
            walk(engine, Utf16Copy::<true, true, false>::new(src, len, dst, len))
        } else if const { matches!(S::FAMILY, Family::Utf16) } {
            walk(engine, Utf16Copy::<false, false, false>::new(src, len, dst, len))
        } else if const { matches!(S::FAMILY, Family::Utf32) && S::SWAPPED } {
            walk(engine, Widen::<Utf32Form<true>, Utf32Form<true>, false>::new(src, len, dst, len))
        } else if const { matches!(S::FAMILY, Family::Utf32) } {
            walk(engine, Widen::<Utf32Form<false>, Utf32Form<false>, false>::new(src, len, dst, len))
        } else {
            run_plain(engine, Scan::<S>::new(src, len))
        }
    };
    progress.read
}

#[cfg(test)]
mod tests {
    use super::{Start, utf8_valid_prefix};
    use crate::kernel::Engine;

    /// How many bytes earlier than it must a kernel stops: not a whole character.
    const EARLY: usize = 3;

    /// A linear congruential generator is random enough to mix characters.
    fn text(len: usize, characters: &[char], seed: &mut u64) -> Vec<u8> {
        let mut text = String::new();
        while text.len() < len {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text.push(characters[(*seed >> 33) as usize % characters.len()]);
        }
        text.into_bytes()
    }

    /// Nothing before a text is read, wherever it lies: bytes there that would be errors are none. (That a text is passed as a whole is
    /// seen only here, as above.)
    #[test]
    fn a_text_is_passed_at_all_alignments() {
        let mut seed = 2;
        // Such that the first level is too low now and then.
        let mostly = |many: char, one: char| [&[one][..], &[many; 300]].concat();
        let (three, four) = (mostly('é', '語'), mostly('語', '😀'));
        for characters in [&['a'][..], &['é', 'a'], &['語'], &['😀', 'é', 'a'], &three, &four] {
            for len in [1, 15, 31, 63, 131, 200, 257, 700, 1100, 4096, 5000, 9000, 17_000] {
                if cfg!(miri) && len > 9000 {
                    continue;
                }
                let clean = text(len, characters, &mut seed);
                let mut room = vec![0xF1; clean.len() + 128];
                let start = room.as_ptr().align_offset(64);
                for at in start..start + 64 {
                    room[at..at + clean.len()].copy_from_slice(&clean);
                    for engine in Engine::available() {
                        for kind in [Start::OfText, Start::BehindError] {
                            let prefix = utf8_valid_prefix(engine, &room[at..at + clean.len()], kind);
                            assert_eq!(
                                prefix,
                                clean.len(),
                                "{engine:?}, {:?}, at {}",
                                &characters[..1],
                                at - start
                            );
                        }
                    }
                    room[at..at + clean.len()].fill(0xF1);
                }
            }
        }
    }

    /// The codec hides it if a kernel stops far too early; only here can it be seen.
    #[test]
    fn a_prefix_ends_at_a_boundary_shortly_before_the_error() {
        let mut seed = 1;
        for engine in Engine::available() {
            let mut earliest = 0;
            for characters in
                [&['a'][..], &['é', 'a'], &['語'], &['語', 'a', 'é'], &['😀'], &['😀', '語', 'é', 'a']]
            {
                for len in [1, 63, 64, 130, 700, 5000, 9000] {
                    let clean = text(len, characters, &mut seed);
                    assert_eq!(
                        utf8_valid_prefix(engine, &clean, Start::OfText),
                        clean.len(),
                        "{engine:?}, {characters:?}, {len}"
                    );
                    for at in (0..clean.len()).step_by(1 + len / 64) {
                        let mut bytes = clean.clone();
                        bytes[at] = 0xFF;
                        let expected = core::str::from_utf8(&bytes).unwrap_err().valid_up_to();
                        let prefix = utf8_valid_prefix(engine, &bytes, Start::OfText);
                        assert!(
                            prefix <= expected,
                            "{engine:?}, {characters:?}, {len}, {at}: {prefix} > {expected}"
                        );
                        assert!(
                            core::str::from_utf8(&bytes[..prefix]).is_ok(),
                            "{engine:?}, {characters:?}, {len}, {at}: no boundary"
                        );
                        earliest = earliest.max(expected - prefix);
                    }
                }
            }
            assert!(earliest <= EARLY, "{engine:?} stops {earliest} bytes early");
        }
    }

    /// The one character of four bytes is anywhere in text that has hardly any ASCII; the error, if there is one, anywhere before or behind it.
    #[test]
    fn one_character_of_four_bytes_changes_nothing_else() {
        let step = if cfg!(miri) { 97 } else { 13 };
        for len in [140, 300, 700, 1000, 2000, 4000] {
            for four in (0..len - 4).step_by(if cfg!(miri) { len / 2 } else { len / 9 }) {
                let mut text = "\u{E9}".repeat(four / 2);
                text.push('\u{1F600}');
                while text.len() < len {
                    text.push('\u{8A9E}');
                }
                let clean = text.into_bytes();
                for engine in Engine::available() {
                    let all = utf8_valid_prefix(engine, &clean, Start::OfText);
                    assert_eq!(all, clean.len(), "{engine:?}, {len}, {four}");
                }
                for at in (0..clean.len()).step_by(step) {
                    let mut bytes = clean.clone();
                    bytes[at] = if at % 2 == 0 { b'a' } else { 0xF4 };
                    let expected =
                        core::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
                    for engine in Engine::available() {
                        let prefix = utf8_valid_prefix(engine, &bytes, Start::OfText);
                        let close = (expected.saturating_sub(EARLY)..=expected).contains(&prefix);
                        assert!(close, "{engine:?}, {len}, {four}, {at}: {prefix}, not {expected}");
                    }
                }
            }
        }
    }

    /// Of long text the first sections have fewer lines than others: a character that is cut short is anywhere around their edges, by its
    /// lead byte alone in a line of ASCII.
    #[test]
    fn characters_cut_short_at_the_start_of_long_text() {
        let line = |i: usize| if i % 5 < 2 { "\u{E9}".repeat(32) } else { "a".repeat(64) };
        let mut text: Vec<u8> = (0..320).map(line).collect::<String>().into_bytes();
        for at in (700..9000).step_by(if cfg!(miri) { 1009 } else { 1 }) {
            let good = core::mem::replace(&mut text[at], 0xC3);
            let expected = core::str::from_utf8(&text).map_or_else(|error| error.valid_up_to(), str::len);
            for engine in Engine::available() {
                let prefix = utf8_valid_prefix(engine, &text, Start::OfText);
                let close = (expected.saturating_sub(EARLY)..=expected).contains(&prefix);
                assert!(close, "{engine:?}, {at}: {prefix}, not {expected}");
            }
            text[at] = good;
        }
    }
}
