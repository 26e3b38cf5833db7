//! Counting characters by their length.
//!
//! In well-formed UTF-8 the lead byte alone tells the length of a character, so the shares of
//! 1-, 2-, 3- and 4-byte characters are four counts of bytes above a threshold. The loops count
//! in bytes, over blocks short enough that a byte cannot overflow: in this form the compiler
//! turns them into a compare and a subtraction per vector. That is quick enough for `--stats`.

/// So many bytes can be counted in a `u8`, and it is a whole number of vectors.
const BLOCK: usize = 192;

/// How many characters there are of each length in UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CharacterCounts {
    /// Of 1, 2, 3 and 4 bytes.
    pub(crate) by_length: [u64; 4],
}

impl CharacterCounts {
    /// Counts those of `text`, which is well-formed.
    pub(crate) fn count(&mut self, text: &[u8]) {
        for block in text.chunks(BLOCK) {
            let (mut above_7f, mut above_bf, mut above_df, mut above_ef) = (0u8, 0u8, 0u8, 0u8);
            for &byte in block {
                above_7f += u8::from(byte > 0x7F);
                above_bf += u8::from(byte > 0xBF);
                above_df += u8::from(byte > 0xDF);
                above_ef += u8::from(byte > 0xEF);
            }
            let counts = [
                block.len() as u64 - u64::from(above_7f),
                u64::from(above_bf - above_df),
                u64::from(above_df - above_ef),
                u64::from(above_ef),
            ];
            for (sum, count) in self.by_length.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }

    /// Adds the counts of another piece.
    pub(crate) fn add(&mut self, other: &CharacterCounts) {
        for (sum, count) in self.by_length.iter_mut().zip(other.by_length) {
            *sum += count;
        }
    }

    /// All of them.
    pub(crate) fn total(&self) -> u64 {
        self.by_length.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_chars() {
        for repeat in [0, 1, 2, 47, 48, 49, 1000] {
            let text = "aé漢🦀\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}".repeat(repeat);
            let mut expected = [0; 4];
            for character in text.chars() {
                expected[character.len_utf8() - 1] += 1;
            }
            let mut counted = CharacterCounts::default();
            counted.count(text.as_bytes());
            assert_eq!(counted.by_length, expected);
            assert_eq!(counted.total(), text.chars().count() as u64);
        }
    }
}
