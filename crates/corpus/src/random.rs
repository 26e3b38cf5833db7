//! Chance that repeats itself: a splitmix64 generator.
//!
//! Sebastiano Vigna's splitmix64 (after Steele, Lea and Flood, "Fast splittable pseudorandom
//! number generators", 2014) is a counter and a mixer: one addition, two multiplications, no state
//! to warm up. It is written out here so that a text depends on its seed and on nothing else.

/// A small random number generator, the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for `seed`; each seed has its own sequence.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, or 0 if `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        // The high half of a 64×64 multiplication maps 64 bits onto the range; the bias is
        // smaller than anything that a benchmark could notice.
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// A number in `low..=high`; `low` if the range is empty.
    pub const fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below((high + 1).saturating_sub(low))
    }

    /// True in `share` of a thousand cases.
    pub const fn per_mille(&mut self, share: usize) -> bool {
        self.below(1000) < share
    }

    /// An index into `weights`, each drawn as often as its weight says; 0 if there is none.
    pub fn weighted(&mut self, weights: &[u16]) -> usize {
        let total = weights.iter().map(|&weight| usize::from(weight)).sum();
        let mut ticket = self.below(total);
        for (index, &weight) in weights.iter().enumerate() {
            match ticket.checked_sub(usize::from(weight)) {
                Some(rest) => ticket = rest,
                None => return index,
            }
        }
        0
    }

    /// One of the characters of `choices`, all equally likely; a space if there is none.
    pub fn char_of(&mut self, choices: &str) -> char {
        let index = self.below(choices.chars().count());
        choices.chars().nth(index).unwrap_or(' ')
    }

    /// A character in `first..=last`; `first` where that would be no character.
    pub fn char_in(&mut self, first: char, last: char) -> char {
        let point = self.between(first as usize, last as usize);
        u32::try_from(point).ok().and_then(char::from_u32).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_published_sequence() {
        // The first outputs for the seed 1234567, as given with the reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn ranges_are_kept() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            assert!(random.below(7) < 7);
            assert!((3..=5).contains(&random.between(3, 5)));
            assert!(random.weighted(&[0, 2, 0, 1]) % 2 == 1);
            assert!(('a'..='f').contains(&random.char_in('a', 'f')));
        }
        assert_eq!((random.below(0), random.weighted(&[])), (0, 0));
    }
}
