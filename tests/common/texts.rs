//! Well-formed text, and ways to spoil it.
//!
//! A [`Class`] is a kind of text as a kernel sees it: by the widths of its characters. The
//! characters are drawn at random from the whole width, the ends of Table 3-7's rows more often
//! than chance would have it, for that is where a comparison can be off by one.

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// One byte each.
    Ascii,
    /// Two bytes each.
    Two,
    /// Three bytes each.
    Three,
    /// Four bytes each.
    Four,
    /// Mostly ASCII, with a letter of two bytes now and then, as in French.
    Latin,
    /// Words of two-byte letters between single spaces, as in Russian.
    Words,
    /// Every width, at random.
    Mixed,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 7] =
        [Class::Ascii, Class::Two, Class::Three, Class::Four, Class::Latin, Class::Words, Class::Mixed];

    /// Text of this class: `len` bytes, or as few less as whole characters allow.
    pub fn text(self, len: usize, rng: &mut Rng) -> String {
        let mut text = String::with_capacity(len);
        loop {
            let next = self.character(rng);
            if text.len() + next.len_utf8() > len {
                return text;
            }
            text.push(next);
        }
    }

    /// [`text`](Self::text), made exactly `len` bytes long by ASCII in front.
    pub fn exactly(self, len: usize, rng: &mut Rng) -> String {
        let text = self.text(len, rng);
        let mut padded = "-".repeat(len - text.len());
        padded.push_str(&text);
        padded
    }

    fn character(self, rng: &mut Rng) -> char {
        let width = match self {
            Class::Ascii => 1,
            Class::Two => 2,
            Class::Three => 3,
            Class::Four => 4,
            Class::Latin => 1 + usize::from(rng.below(8) == 0),
            Class::Words if rng.below(6) == 0 => return ' ',
            Class::Words => 2,
            Class::Mixed => 1 + rng.below(4),
        };
        of_width(width, rng)
    }
}

/// The code points of each width, and those at the ends of Table 3-7's rows.
const WIDTHS: [(u32, u32, &[u32]); 4] = [
    (0x00, 0x7F, &[0x00, 0x7F]),
    (0x80, 0x7FF, &[0x80, 0x7FF]),
    (0x800, 0xFFFF, &[0x800, 0xFFF, 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xE000, 0xFFFF]),
    (0x1_0000, 0x10_FFFF, &[0x1_0000, 0x3_FFFF, 0x4_0000, 0xF_FFFF, 0x10_0000, 0x10_FFFF]),
];

/// A character of `width` bytes.
fn of_width(width: usize, rng: &mut Rng) -> char {
    let (first, last, ends) = WIDTHS[width - 1];
    loop {
        let point = if rng.below(8) == 0 {
            ends[rng.below(ends.len())]
        } else {
            first + rng.below((last - first + 1) as usize) as u32
        };
        if let Some(character) = char::from_u32(point) {
            return character;
        }
    }
}

/// Bytes at the ends of the ranges that Table 3-7 speaks of, and a few from within.
pub const BOUNDARY_BYTES: [u8; 28] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
];

/// Everything that can be wrong: for each rule its shortest and longest, lowest and highest form.
/// Between whole characters, no entry is well-formed.
pub const ILL_FORMED: [&[u8]; 56] = [
    // Continuation bytes where a character should begin, also right behind one that is complete.
    b"\x80",
    b"\x8F",
    b"\x9F",
    b"\xBF",
    b"\x80\x80",
    b"\xBF\xBF\xBF\xBF",
    b"\xC2\x80\x80",
    b"\xE1\x80\x80\x80",
    b"\xF1\x80\x80\x80\x80",
    // Lead bytes that begin nothing.
    b"\xC0",
    b"\xC1",
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xF5",
    b"\xF7",
    b"\xF8",
    b"\xFC",
    b"\xFE",
    b"\xFF",
    b"\xF5\x80\x80\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xFC\x84\x80\x80\x80\x80",
    // Overlong.
    b"\xE0\x80",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xF0\x80",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    // Surrogates.
    b"\xED\xA0",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xED\xA0\x80\xED\xB0\x80",
    // Above U+10FFFF.
    b"\xF4\x90",
    b"\xF4\x90\x80\x80",
    b"\xF4\xBF\xBF\xBF",
    // Cut short after one, two and three bytes.
    b"\xC2",
    b"\xDF",
    b"\xE0",
    b"\xE1",
    b"\xEC",
    b"\xED",
    b"\xEF",
    b"\xF0",
    b"\xF1",
    b"\xF4",
    b"\xE0\xA0",
    b"\xE1\x80",
    b"\xED\x9F",
    b"\xEF\xBF",
    b"\xF0\x90",
    b"\xF1\x80",
    b"\xF4\x8F",
    b"\xF0\x90\x80",
    b"\xF4\x8F\xBF",
    // A lead byte where a continuation byte should be.
    b"\xC2\xC2",
    b"\xE1\xE1\x80\xF1",
];

/// Pseudo-random numbers (xorshift64*), the same at every run.
pub struct Rng(u64);

impl Rng {
    /// Begins a sequence of its own for each `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D);
        ((u128::from(mixed) * end as u128) >> 64) as usize
    }
}
