//! Text from memory: two places in it, read in turns.
//!
//! What matters for such text is that memory is read steadily. A processor prefetches what follows by itself, but not far, and not beyond
//! the end of a page. If there are two places, it prefetches at both, and at one of them while the text at the other is judged. So a
//! *window* of the text is two streams, which take turns of half a page each. The only thing that a turn needs from before its start is the
//! last three bytes, which are loaded again.
//!
//! A turn is long enough for decisions to cost nothing: whether it begins with ASCII (if the one before it was ASCII), and at which level
//! the rest is judged. (When single lines were read in turns, there were no decisions: everything was judged at the level of four bytes.)
//!
//! Loads that cross a boundary between cache lines, as those that look back do, make the processor prefetch more. Code without such loads
//! prefetches each [part](Turn::in_parts) of a turn itself. The search for ASCII loads each line a second time, one byte earlier, for this
//! purpose only.
//!
//! If there is an error in a window, the loops for text in caches find its place, and continue after it. By then, up to twice as much text
//! may have been judged as there is in the window before the error. So windows begin small, and each is as long as all the windows before
//! it. (Without that, callers that start again after each of many errors took up to three times as long.)
//!
//! # What was measured
//! AMD EPYC (Zen 4), 64 MiB. The speed of the memory changes by a half within seconds, since others use it too, so everything that
//! is compared here was measured in turns.
//!
//! *How many places* are best depends on the times when memory is busy. Loads and nothing else, GB/s in the best case, the median and the
//! worst tenth of 60 times: one place 31, 27, 24; two 39, 32, 27; three 39, 29, 17; four 39, 29, 14. When memory is busy, the processor
//! seems to prefetch for few streams only, and then four places reach 0.45 of the speed of one. The least time of many rounds does not show
//! this: judged by that, four places with a page each looked best, and were used for a long time. Validation on Zen 4, mean over time in
//! GB/s, tweets, German, Japanese, a log and Russian:
//!
//! | | AVX-512, 24 MiB | 64 MiB | AVX2, 24 MiB | 64 MiB |
//! |---|---|---|---|---|
//! | simdutf | 23 29 21 30 14 | 23 25 21 25 14 | 27 28 22 32 14 | 24 23 19 20 14 |
//! | one place | 23 29 25 32 25 | 22 25 25 26 23 | 24 27 27 35 25 | 22 23 22 23 20 |
//! | two places | 24 39 34 42 35 | 24 32 32 32 29 | 27 30 31 48 30 | 24 25 19 22 23 |
//! | four places | 17 39 27 44 34 | 19 32 31 29 23 | 21 29 28 54 28 | 20 21 16 17 19 |
//!
//! AMD EPYC (Zen 3), AVX2, the same texts, in two runs, the second of which had busier memory:
//!
//! | | 24 MiB | 64 MiB |
//! |---|---|---|
//! | loads | 16 15 15 14 15 | 13 13 14 15 14 |
//! | two places | 14 13 14 18 15 | 13 13 15 20 16 |
//! | four places, a page each | 12 12 11 15 13 | 10 11 14 16 14 |
//! | loads | 11 12 13 12 13 | 11 11 10 12 13 |
//! | one place, with prefetches | 10 11 14 15 15 | 10 10 11 12 13 |
//! | two places | 10 13 12 17 13 | 10 12 11 15 15 |
//! | two places, a page each | 8 10 10 14 13 | 8 9 10 13 13 |
//!
//! On Zen 4, with turns of 4 KiB, two places are as fast in the mean, and at 0.95 when memory is busy; with turns of 8 and 16 KiB they are
//! at 0.95 and 0.87 in the mean. Prefetching each line of the next turn gains nothing when memory is busy, and otherwise costs a sixth.
//!
//! Before that was known, with four places:
//!
//! - GB/s of AVX-512, by the place in a page where turns of a page begin, in steps of 256 bytes: 38 36 36 37 36 34 35 35 33 33 29
//!   27 26 26 25 36.
//! - No stream longer than 0.5, 4, 16 MiB: 1.37, 1.42, 1.48 times the speed of one stream (AVX-512). Streams of 64 KiB in turns of
//!   256 bytes, only loaded, are no faster than one; streams of 4 to 16 KiB have half of its speed.
//! - ASCII without the second load: logs and sources 17 to 19 instead of 33 GB/s; with prefetches into the second-level cache instead of it
//!   30, with both 39, but 0.95 from the third-level cache. Without the test for ASCII: as fast from memory, half as fast from the
//!   third-level cache (24 MiB).
//! - Everything at the level of four bytes, as with one stream before: 0.85 (AVX-512) and 0.72 (AVX2).
//! - Text of 8 to 12 MiB, in the third-level cache: 0.8 to 0.65 of the usual loops.

use super::lines::is_beyond;

/// At how many places text from memory is read in turns.
const PLACES: usize = 2;

/// Bytes of a turn: half a page, with or within which it should begin.
pub(in crate::kernel) const TURN: usize = 2048;

/// Bytes of a part of a turn. (With 512 ASCII from memory is 1.1 times as fast, and what is counted in the third level of cache at 0.8.)
#[cfg(target_feature = "sse2")]
pub(in crate::kernel) const PART: usize = 1024;

/// So many bytes of text from memory go the usual way first: errors may be near, and whoever goes on behind each meets the next soon.
const BEFORE_FAR: usize = 64 << 10;

/// Where the usual way through a text at `src` ends, if it begins at `at`: where a page begins, or its second half.
#[inline(always)]
pub(in crate::kernel) fn first_turn(src: *const u8, at: usize) -> usize {
    let end = at + BEFORE_FAR;
    end + (src.addr() + end).wrapping_neg() % TURN
}

/// Prefetches what is at `p`, wherever that is, into the second level of cache.
#[cfg(target_feature = "sse2")]
#[inline(always)]
fn prefetch(p: *const u8) {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::{_MM_HINT_T1, _mm_prefetch};
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};

    // SAFETY: a prefetch does not fault, wherever it points. (Newer versions of Rust know that.)
    #[allow(unused_unsafe, reason = "a prefetch is safe in later versions of Rust")]
    unsafe {
        _mm_prefetch::<_MM_HINT_T1>(p.cast());
    }
}

/// The turn of a place.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Turn {
    /// Which place.
    place: usize,
    /// Where it begins.
    pub(in crate::kernel) at: usize,
}

#[cfg(target_feature = "sse2")]
impl Turn {
    /// Calls `each` for the parts of [`PART`] bytes of the turn, in the text at `src`, while it says yes; each part is prefetched before, all at once. For
    /// what takes less time than memory needs.
    #[inline(always)]
    pub(in crate::kernel) fn in_parts(self, src: *const u8, mut each: impl FnMut(usize) -> bool) -> bool {
        for part in (self.at..self.at + TURN).step_by(PART) {
            for line in (part..part + PART).step_by(64) {
                prefetch(src.wrapping_add(line));
            }
            if !each(part) {
                return false;
            }
        }
        true
    }
}

/// Calls `each` for the turns of all windows of a text of `len` bytes, from `at` on: for all of the text but a window of one turn at each place, at
/// most. Returns where what is left begins, or the window of a turn of which `each` says no.
#[inline(always)]
pub(in crate::kernel) fn in_turns(len: usize, mut at: usize, mut each: impl FnMut(Turn) -> bool) -> usize {
    let mut stream = TURN;
    loop {
        while len - at <= PLACES * stream {
            if stream == TURN {
                return at;
            }
            stream /= 2;
        }
        for first in (at..at + stream).step_by(TURN) {
            for place in 0..PLACES {
                if !each(Turn { place, at: first + place * stream }) {
                    return at;
                }
            }
        }
        at += PLACES * stream;
        stream *= 2;
    }
}

/// How an instruction set validates a turn, as UTF-8 or, if `CORRECTED`, Corrected UTF-8.
pub(in crate::kernel) trait Turns<const CORRECTED: bool> {
    /// How many groups of the turn at `p`, from its first on, are ASCII, in bytes: none, if the byte before is not, behind which a character may be incomplete. So each
    /// line is loaded once more, from the byte before it on.
    ///
    /// # Safety
    /// As for the kernels; and there must be a turn, and a byte before it.
    unsafe fn ascii(p: *const u8) -> usize;

    /// What the last `len` bytes of a turn are, which are at `p`, whole groups and at least one, with characters of up to `MOST` bytes, 3 or 4.
    ///
    /// # Safety
    /// As for the kernels; and there must be so many, and three bytes before them.
    unsafe fn judge<const MOST: usize>(p: *const u8, len: usize) -> Judged;
}

/// What a turn is.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Judged {
    /// It has errors, or longer characters.
    pub(in crate::kernel) refused: bool,
    /// It is ASCII, presumably.
    pub(in crate::kernel) ascii: bool,
}

/// What the last turns of a place were.
#[derive(Clone, Copy)]
struct Place {
    /// The last one was ASCII, presumably.
    ascii: bool,
    /// So many are judged at the level of four bytes.
    fours: u8,
    /// How many will be, when a turn has such a character the next time.
    patience: u8,
}

/// The least [patience](Place::patience), and the most.
const IMPATIENT: u8 = 4;
const PATIENT: u8 = 64;

impl Place {
    /// Whether the turn at `at`, at least 3, is well-formed behind the three bytes before it.
    ///
    /// # Safety
    /// As for the kernels; and there must be a turn.
    #[inline(always)]
    unsafe fn judges<T: Turns<CORRECTED>, const CORRECTED: bool>(&mut self, src: &[u8], at: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut at = at;
            let mut left = TURN;
            if self.ascii {
                let ascii = T::ascii(src.as_ptr().add(at));
                if ascii == TURN {
                    return true;
                }
                at += ascii;
                left -= ascii;
            }
            let p = src.as_ptr().add(at);
            if self.fours == 0 && !is_beyond(src, at, 3) {
                let judged = T::judge::<3>(p, left);
                if !judged.refused {
                    self.ascii = judged.ascii;
                    self.patience = (self.patience / 2).max(IMPATIENT);
                    return true;
                }
                self.fours = self.patience;
                self.patience = (2 * self.patience).min(PATIENT);
            }
            let judged = T::judge::<4>(p, left);
            self.ascii = judged.ascii;
            self.fours = self.fours.saturating_sub(1);
            !judged.refused
        }
    }
}

/// Validates `src` from `at` on, which is at least 3, up to an offset that is less than its length, and is returned:
/// the text before it is well-formed, except that its last character may be incomplete. What follows is less than a
/// window, or one that has an error, and what is behind it.
///
/// # Safety
/// As for the kernels. The text before `at` must be well-formed, except that its last character may be incomplete.
#[inline(never)]
pub(in crate::kernel) unsafe fn valid_in_turns<T: Turns<CORRECTED>, const CORRECTED: bool>(
    src: &[u8],
    at: usize,
) -> usize {
    let mut places = [Place { ascii: false, fours: 0, patience: IMPATIENT }; PLACES];
    in_turns(src.len(), at, |turn| {
        // SAFETY: the caller's promise; all turns are within `src`.
        unsafe { places[turn.place].judges::<T, CORRECTED>(src, turn.at) }
    })
}

#[cfg(test)]
pub(in crate::kernel) mod tests {
    use super::{PLACES, TURN, in_turns};

    /// All of a text is somebody's turn, once, but for less than a turn for each place.
    #[test]
    fn each_byte_has_its_turn() {
        let long = if cfg!(miri) { 1 << 20 } else { 50 << 20 };
        for len in [0, 1, TURN, PLACES * TURN, PLACES * TURN + 1, 300_000, long - 1] {
            for at in [0, 3, 70] {
                let mut turns = Vec::new();
                let end = in_turns(len.max(at), at, |turn| {
                    turns.push((turn.at, turn.place));
                    true
                });
                turns.sort_unstable();
                let starts: Vec<usize> = turns.iter().map(|turn| turn.0).collect();
                assert_eq!(starts, (at..end).step_by(TURN).collect::<Vec<_>>(), "{len} from {at}");
                assert!(end == at || end < len, "{len} from {at}");
                assert!(len.saturating_sub(end) <= PLACES * TURN, "{len} from {at}");
                assert!(turns.iter().all(|turn| turn.1 < PLACES));
            }
        }
    }

    /// The start of the first window that has an error before its end, or what is left over; `starts` are those of all windows.
    fn expected(starts: &[usize], src: &[u8]) -> usize {
        let Err(error) = core::str::from_utf8(src) else {
            return starts[starts.len() - 1];
        };
        let valid = error.valid_up_to();
        let seen_later = |start: usize| match start.checked_sub(valid) {
            None | Some(0) => true,
            // Whichever lead byte it is: what may follow decides.
            Some(1) => src[valid] >= 0xC0,
            Some(2 | 3) => {
                core::str::from_utf8(&src[valid..start]).is_err_and(|error| error.error_len().is_none())
            }
            Some(_) => false,
        };
        *starts.iter().rev().find(|start| seen_later(**start)).unwrap_or(&starts[0])
    }

    /// Asks where a kernel stops, with an error at each of many places.
    pub(in crate::kernel) fn stops_before_the_window_of_an_error(
        kernel: impl core::fmt::Display,
        stop: impl Fn(&[u8], usize) -> Option<usize>,
    ) {
        let at = 64;
        let (mut starts, mut stream) = (vec![at], TURN);
        while starts.len() < 4 {
            starts.push(starts[starts.len() - 1] + PLACES * stream);
            stream *= 2;
        }
        let end = starts[starts.len() - 1];
        // A character of four bytes is cut short across the start of each stream: by the other place's last turn it is incomplete, and nothing
        // else has as many bytes, so that a turn would begin at the level of three.
        let mut ascii = vec![b'x'; end + 1];
        let windows = starts.windows(2).map(|pair| (pair[0], pair[1]));
        for (window, next) in windows.take(if cfg!(miri) { 1 } else { usize::MAX }) {
            for seam in (window..next).step_by((next - window) / PLACES) {
                for back in if cfg!(miri) { 2..3 } else { 0..4 } {
                    ascii[seam - back..][..3].copy_from_slice(b"\xF0\x9F\x98");
                    let expected = expected(&starts, &ascii);
                    let stop = stop(&ascii, at).unwrap_or(expected);
                    assert_eq!(stop, expected, "cut short {back} before {seam}, {kernel}");
                    ascii[seam - back..][..3].fill(b'x');
                }
            }
        }

        let ascii = "ascii, and more of it. ".repeat(300);
        let three = "a\u{E9}bc\u{754C}defgh\u{7FF}ijklm\u{FFFD}n";
        let four = "a\u{E9}bc\u{754C}defgh\u{1F600}ijklm\u{7FF}\u{FFFD}";
        // Units of 23 and 27 bytes, so characters of all lengths lie across the seams of lines, turns, streams and windows. And turns of all kinds
        // behind each other, at all places.
        let texts = [
            four.repeat(end / 27 + 2),
            three.repeat(end / 23 + 2),
            [&ascii, &three.repeat(97), &*ascii, &four.repeat(3), &three.repeat(301)]
                .concat()
                .repeat(end / 8000),
            [&*ascii, &*ascii, "\u{E9}"].concat().repeat(end / 14000 + 1),
        ];
        for (nth, text) in texts.into_iter().enumerate() {
            if cfg!(miri) && nth != 2 {
                continue;
            }
            let mut text = text.into_bytes();
            assert!(text.len() > end);
            // What is cut off begins no character of which the kernel sees the first byte.
            text.truncate(end + 1);
            let step = if cfg!(miri) { 5_003 } else { 61 };
            let seams = (at..end).step_by(64).flat_map(|line| line.saturating_sub(4)..line + 5);
            for place in seams.skip(nth).step_by(step).filter(|place| *place >= at) {
                let all = [0x80, 0xFF, b'a', 0xC1, 0xE0, 0xF4];
                for bad in all.into_iter().take(if cfg!(miri) { 2 } else { all.len() }) {
                    let good = core::mem::replace(&mut text[place], bad);
                    let expected = expected(&starts, &text);
                    let stop = stop(&text, at).unwrap_or(expected);
                    assert_eq!(stop, expected, "text {nth}, {bad:X} at {place}, {kernel}");
                    text[place] = good;
                }
            }
        }
    }
}
