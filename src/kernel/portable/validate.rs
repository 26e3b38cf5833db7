//! Validation without vectors: general-purpose registers, on any CPU.
//!
//! ASCII is tested in words: a word of ASCII has no top bit set. With four words in each step, the loop is limited by loads, not by
//! branches.
//!
//! All other text goes through a finite automaton, byte by byte but without a branch: a row of the table holds, for one byte, the next
//! state of every state, six bits each, and a state *is* the number of bits by which to shift its row. So a step is a load or two and a
//! shift, and only the shift waits for the step before it. (Keeping a whole row in one word is Per Vognsen's idea.) That is two to four
//! times as fast as the branches of an ordinary decoder on text whose next character cannot be predicted. There are few different rows, so
//! a byte may first be mapped to the number of its row; Corrected UTF-8 has other rows.

use crate::kernel::shared::boundary::boundary_before;
use crate::kernel::shared::opaque::opaque;

/// The length of the ASCII prefix of `src`: exact.
#[inline(never)]
pub(in crate::kernel) fn ascii_prefix<const LAZY: bool>(src: &[u8]) -> usize {
    let mut at = ascii_steps(src);
    while let Some(bytes) = src.get(at..).and_then(|rest| rest.first_chunk()) {
        let high = u64::from_le_bytes(*bytes) & HIGH_BITS;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + src[at..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// The length of the ASCII prefix of `src`, in whole steps.
#[inline(always)]
fn ascii_steps(src: &[u8]) -> usize {
    let (steps, _) = src.as_chunks::<{ 2 * STEP }>();
    steps.iter().take_while(|step| is_ascii(&step[..])).count() * 2 * STEP
}

/// The length of a well-formed prefix of `src`, in UTF-8 or Corrected UTF-8, under the contract of the kernels.
#[inline(never)]
pub(in crate::kernel) fn valid_prefix<const CORRECTED: bool>(src: &[u8]) -> usize {
    let mut automaton = Automaton::<CORRECTED> { src, at: ascii_steps(src), state: ACCEPT };
    // Large steps, then smaller ones for the rest.
    match automaton.steps::<STEP>().or_else(|| automaton.steps::<8>()).or_else(|| automaton.steps::<1>()) {
        Some(boundary) => boundary,
        None if automaton.state == ACCEPT => src.len(),
        None => boundary_before(src, src.len()),
    }
}

/// How many of these texts, from the first on, are well-formed; it may stop early.
#[inline(never)]
pub(in crate::kernel) fn valid_values<const CORRECTED: bool>(values: &[&[u8]]) -> usize {
    let passes = |value: &&&[u8]| valid_prefix::<CORRECTED>(value) == value.len();
    values.iter().take_while(passes).count()
}

/// The automaton, at an offset of a text.
struct Automaton<'a, const CORRECTED: bool> {
    src: &'a [u8],
    at: usize,
    state: u64,
}

impl<const CORRECTED: bool> Automaton<'_, CORRECTED> {
    /// Advances by steps of `N` bytes while so many are left; returns the boundary before an error.
    #[inline(always)]
    fn steps<const N: usize>(&mut self) -> Option<usize> {
        while let Some(bytes) = self.src[self.at..].first_chunk::<N>() {
            if self.state == ACCEPT && is_ascii(bytes) {
                self.at += N;
                if N == STEP {
                    self.at += ascii_steps(&self.src[self.at..]);
                }
                continue;
            }
            let before = self.state;
            self.state = states::<CORRECTED, N>(before, bytes);
            if self.state == REJECT {
                return Some(boundary_before(self.src, self.at + first_reject::<CORRECTED>(bytes, before)));
            }
            self.at += N;
        }
        None
    }
}

/// The state behind these bytes. Where there are other kernels besides, whose size counts, a step is a loop of two turns: 4 % slower, and
/// each program 400 bytes smaller. (Steps of 16 bytes were faster on text that comes again and again, German 1.3 times, and on other text,
/// which the predictor does not know, at 0.6 to 0.8.)
#[inline(always)]
fn states<const CORRECTED: bool, const N: usize>(state: u64, bytes: &[u8; N]) -> u64 {
    let each = |state, bytes: &[u8]| bytes.iter().fold(state, |state, byte| next::<CORRECTED>(state, *byte));
    if !SHARED || N <= PART {
        return each(state, bytes);
    }
    let (parts, _) = bytes.as_chunks::<PART>();
    // Opaque, or LLVM writes the loop out.
    let parts = (0..opaque(parts.len() as u64)).filter_map(|part| parts.get(part as usize));
    parts.fold(state, |state, part| each(state, part))
}

/// Bytes of a step, and of a part of it.
const STEP: usize = 32;
const PART: usize = 16;

/// The top bit of every byte of a word.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Whether a step's bytes are ASCII.
#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let word = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let byte = rest.iter().fold(0, |all, byte| all | *byte);
    (word | u64::from(byte)) & HIGH_BITS == 0
}

/// The offset of the first byte of `bytes` that the automaton rejects, starting in `state`.
#[cold]
#[inline(never)]
fn first_reject<const CORRECTED: bool>(bytes: &[u8], mut state: u64) -> usize {
    let rejected = |byte: &u8| {
        state = next::<CORRECTED>(state, *byte);
        state == REJECT
    };
    bytes.iter().position(rejected).unwrap_or(bytes.len())
}

/// The state after `byte`. A state is the number of bits by which to shift a row.
#[inline(always)]
fn next<const CORRECTED: bool>(state: u64, byte: u8) -> u64 {
    let table = if CORRECTED { &CORRECTED_TABLE } else { &STANDARD_TABLE };
    let byte = usize::from(byte);
    let row = if SHARED { usize::from(table.classes[byte]) % ROWS } else { byte };
    table.rows[row] >> state & 0x3F
}

/// At a character boundary.
const ACCEPT: u64 = 0;
/// After an error: every byte leads back here.
const REJECT: u64 = 6;
/// One, two or three continuation bytes are missing.
const ONE: u64 = 12;
const TWO: u64 = 18;
const THREE: u64 = 24;
/// After a lead byte that restricts the second byte: the rows of Table 3-7 for these lead bytes.
const AFTER_E0: u64 = 30;
const AFTER_ED: u64 = 36;
const AFTER_F0: u64 = 42;
const AFTER_F4: u64 = 48;

/// Whether bytes of a kind share a row: where there are other kernels besides, whose size counts. It takes two instructions more for a byte,
/// which are 3 to 7 % of the time on AMD Zen 5, and more on processors that do one thing after the other.
const SHARED: bool = cfg!(target_feature = "sse2");

/// As many kinds of bytes as there may be; there are twelve.
const ROWS: usize = if SHARED { 16 } else { 256 };

/// For how many bytes it has to be said which row is theirs.
const CLASSES: usize = if SHARED { 256 } else { 0 };

/// The rows, and for each byte which of them is its own, if they are shared.
struct Table {
    classes: [u8; CLASSES],
    rows: [u64; ROWS],
}

static STANDARD_TABLE: Table = table(false);

/// The same for Corrected UTF-8: no lead byte restricts the second. Sequences that begin with F8..FD are left to the codec.
static CORRECTED_TABLE: Table = table(true);

#[inline]
const fn table(corrected: bool) -> Table {
    let mut table = Table { classes: [0; CLASSES], rows: [0; ROWS] };
    let (mut byte, mut used) = (0, 0);
    while byte < 256 {
        let row = row(byte as u8, corrected);
        let mut class = 0;
        while class < used && !(SHARED && table.rows[class] == row) {
            class += 1;
        }
        if class == used {
            table.rows[class] = row;
            used += 1;
        }
        if SHARED {
            table.classes[byte] = class as u8;
        }
        byte += 1;
    }
    table
}

/// For this byte, the next state of every state.
const fn row(byte: u8, corrected: bool) -> u64 {
    let first = match byte {
        0x00..=0x7F => ACCEPT,
        0xC0..=0xDF if corrected => ONE,
        0xE0..=0xEF if corrected => TWO,
        0xF0..=0xF7 if corrected => THREE,
        0xC2..=0xDF => ONE,
        0xE0 => AFTER_E0,
        0xED => AFTER_ED,
        0xE1..=0xEF => TWO,
        0xF0 => AFTER_F0,
        0xF1..=0xF3 => THREE,
        0xF4 => AFTER_F4,
        _ => REJECT,
    };
    let (one, two, three) = match byte {
        0x80..=0xBF => (ACCEPT, ONE, TWO),
        _ => (REJECT, REJECT, REJECT),
    };
    let (e0, ed, f0, f4) = match byte {
        0x80..=0x8F => (REJECT, ONE, REJECT, TWO),
        0x90..=0x9F => (REJECT, ONE, TWO, REJECT),
        0xA0..=0xBF => (ONE, REJECT, TWO, REJECT),
        _ => (REJECT, REJECT, REJECT, REJECT),
    };
    first << ACCEPT
        | REJECT << REJECT
        | one << ONE
        | two << TWO
        | three << THREE
        | e0 << AFTER_E0
        | ed << AFTER_ED
        | f0 << AFTER_F0
        | f4 << AFTER_F4
}
