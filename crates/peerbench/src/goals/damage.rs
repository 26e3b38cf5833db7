//! Where bytes of UTF-8 are overwritten by FF, which is never one of it.
//!
//! An FF in the middle of a character is two or three errors, one behind the other: what comes of a bad line or a bad disk.

use std::fmt::{self, Display, Formatter};

use crate::texts::SEED;

/// Which bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// None.
    Clean,
    /// One each so many bytes.
    At(usize),
    /// One at random gaps, from 1 to so many bytes.
    UpTo(usize),
    /// The last byte of every second character.
    EverySecond,
    /// All bytes are random.
    Random,
}

impl Damage {
    /// The damaged text.
    pub fn of(self, text: &str) -> Vec<u8> {
        let mut random = runecast_corpus::Random::new(SEED);
        let mut bytes = text.as_bytes().to_vec();
        let mut next = |at: usize| match self {
            Damage::At(gap) => at + gap,
            Damage::UpTo(most) => at + random.between(1, most),
            _ => usize::MAX,
        };
        let mut at = next(0);
        while let Some(byte) = bytes.get_mut(at) {
            *byte = 0xFF;
            at = next(at);
        }
        match self {
            Damage::EverySecond => {
                let ends = text.char_indices().skip(1).step_by(2);
                ends.for_each(|(end, _)| bytes[end - 1] = 0xFF);
            }
            Damage::Random => bytes.fill_with(|| random.bits() as u8),
            _ => {}
        }
        bytes
    }
}

impl Display for Damage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Clean => f.write_str("clean"),
            Damage::At(gap) => write!(f, "FF each {gap}"),
            Damage::UpTo(most) => write!(f, "FF 1..{most} apart"),
            Damage::EverySecond => f.write_str("every 2nd character"),
            Damage::Random => f.write_str("random bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_overwritten_where_it_says() {
        let text = "aé".repeat(700);
        let count = |damage: Damage| damage.of(&text).iter().filter(|&&byte| byte == 0xFF).count();
        assert_eq!(count(Damage::Clean), 0);
        assert_eq!(count(Damage::At(1000)), 2);
        assert_eq!(Damage::At(1000).of(&text)[1000], 0xFF);
        assert!((50..200).contains(&count(Damage::UpTo(40))));
        assert_eq!(count(Damage::EverySecond), 700);
        assert_eq!(Damage::EverySecond.of("aéa")[..2], [0xFF, 0xC3]);
    }
}
