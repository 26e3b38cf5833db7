//! What a text takes that is only read: the limit of everybody who has to see each byte once.
//!
//! Loops that load all of a text and do nothing with it, with the vectors of each instruction set: one byte behind the other, with
//! prefetches far ahead, and a page at each of two or four places in turns. Which is the fastest depends on the CPU and on where the text is, so the fastest
//! counts. What a library is ahead of another by cannot be more than this loop is, unless it reads in a way that is not among these.

use std::hint::black_box;

use runecast::{Engine, Isa};

use crate::peer::{Level, Peer};

/// How far ahead is prefetched.
const AHEAD: usize = 16 << 10;

/// Bytes of a turn.
const PAGE: usize = 4096;

/// A column for each way to read and each ISA of this CPU. They say of every text that it is well-formed.
pub fn peers() -> impl Iterator<Item = Peer> {
    let isas: Vec<Isa> = Engine::available().map(Engine::isa).collect();
    isas.into_iter().flat_map(|isa| {
        // The widest registers are not always the fastest.
        let level = if isa == Isa::Avx2 { Level::AtLeast(isa) } else { Level::Only(isa) };
        [
            Peer::reading("reading", level, move |text| read::<1, 0>(isa, text)),
            Peer::reading("reading ahead", level, move |text| read::<1, AHEAD>(isa, text)),
            Peer::reading("reading two", level, move |text| read::<2, 0>(isa, text)),
            Peer::reading("reading four", level, move |text| read::<4, 0>(isa, text)),
        ]
    })
}

/// Loads all of `text`, at so many places in turns, and prefetches what is so many bytes ahead.
fn read<const PLACES: usize, const AHEAD: usize>(isa: Isa, text: &[u8]) -> usize {
    match isa {
        // SAFETY: the engine of this ISA is available.
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Isa::Avx512 => unsafe { x86::avx512::<PLACES, AHEAD>(text) },
        // SAFETY: as above.
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Isa::Avx2 => unsafe { x86::avx2::<PLACES, AHEAD>(text) },
        _ => in_turns::<PLACES>(text, 64, |p| {
            // SAFETY: the caller has so many bytes.
            let line = unsafe { &*p.cast::<[u8; 64]>() };
            black_box(line.iter().fold(0, |all, byte| all | byte));
        }),
    }
    1
}

/// Calls `load` for all whole steps of `text`, a page of them at each of so many places in turns, and looks at the bytes that are left over.
#[inline(always)]
fn in_turns<const PLACES: usize>(text: &[u8], step: usize, mut load: impl FnMut(*const u8)) {
    let part = text.len() / PLACES / PAGE * PAGE;
    for page in (0..part).step_by(PAGE) {
        for place in 0..PLACES {
            for at in (page..page + PAGE).step_by(step) {
                load(text[place * part + at..][..step].as_ptr());
            }
        }
    }
    let rest = text[PLACES * part..].chunks_exact(step);
    black_box(rest.remainder().iter().fold(0, |all, byte| all | byte));
    rest.for_each(|step| load(step.as_ptr()));
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use std::arch::x86::*;
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::*;
    use std::hint::black_box;

    use super::in_turns;

    macro_rules! reader {
        ($name:ident, $feature:literal, $zero:ident, $load:ident, $or:ident) => {
            /// Loads all of `text`, with four registers a step.
            #[target_feature(enable = $feature)]
            pub(super) fn $name<const PLACES: usize, const AHEAD: usize>(text: &[u8]) {
                let mut all = [$zero(); 4];
                let bytes = size_of_val(&all[0]);
                in_turns::<PLACES>(text, 4 * bytes, |p| {
                    for (i, all) in all.iter_mut().enumerate() {
                        if AHEAD != 0 && i * bytes % 64 == 0 {
                            // SAFETY: a prefetch does not fault, wherever it points.
                            #[allow(unused_unsafe, reason = "a prefetch is safe in later versions of Rust")]
                            unsafe {
                                _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD + i * bytes).cast());
                            }
                        }
                        // SAFETY: a step has four registers.
                        *all = $or(*all, unsafe { $load(p.add(i * bytes).cast()) });
                    }
                });
                black_box(all);
            }
        };
    }

    reader!(avx512, "avx512f", _mm512_setzero_si512, _mm512_loadu_si512, _mm512_or_si512);
    reader!(avx2, "avx2", _mm256_setzero_si256, _mm256_loadu_si256, _mm256_or_si256);
}
