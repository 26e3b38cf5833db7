//! What damage to single bytes does to a text.
//!
//! A [`Sample`] is a text in one scheme. [`Sample::count_effects`] damages it in every possible way of one kind, one
//! at a time: each byte deleted; each of the 256 bytes inserted at each place; each byte replaced by each
//! other; each two neighbours swapped. [`Sample::effect`] says what became of the text.
//!
//! # How an effect is found
//!
//! The damaged bytes are decoded from the character before the damage to where the decoder is **back in step**:
//! at a place that was the beginning of a character before. Because a decoder has no memory, all that follows is
//! what it was. It has to begin one character early because some decoders look one byte ahead (in `tagged` the end
//! of a character shows in the next byte). In between,
//!
//! - a character is **hit** if one of its bytes was deleted, replaced or swapped, or one was inserted inside of it;
//! - a character **survives** if the decoder finds it in its place, with its value. One that was not hit and
//!   does not survive is a **lost neighbour**;
//! - the damage is **detected** if a step is ill-formed, or gives a value that is no Unicode scalar value:
//!   text is made of these, whatever else a scheme can write;
//! - a character that comes out and was not there is **false**, unless it is a byte of ASCII that came in and is
//!   read as itself. There may be false characters although the damage is detected;
//! - the decoder is **adrift** if it is back in step only by the end of the text, with more than one neighbour
//!   lost.
//!
//! A byte of ASCII that came, went or became another is *plain*: a text without it is a text, and no
//! scheme could know. What is neither detected nor plain is **silent**: longer characters became other
//! characters, and nobody is told.
//!
//! Between one damage and the next only one or two bytes of the text change, so that a text of a few thousand
//! characters takes a fraction of a second.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{Scheme, Step, length};

/// The kinds of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A byte is lost.
    Deletion,
    /// A byte comes in.
    Insertion,
    /// A byte becomes another.
    Substitution,
    /// Two neighbouring bytes change places.
    Swap,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Deletion, Kind::Insertion, Kind::Substitution, Kind::Swap];

    /// The name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Deletion => "deletion",
            Kind::Insertion => "insertion",
            Kind::Substitution => "substitution",
            Kind::Swap => "swap",
        }
    }
}

/// A text in one scheme.
#[derive(Clone)]
pub struct Sample<'a> {
    scheme: &'a dyn Scheme,
    bytes: Vec<u8>,
    /// Where each character begins, and the end of the last one.
    starts: Vec<usize>,
    values: Vec<u32>,
}

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// A step was ill-formed, or its value no scalar value.
    pub detected: bool,
    /// Characters that came out and were not there, except ASCII that came in and is read as itself.
    pub invented: usize,
    /// Characters that were not hit and did not survive.
    pub lost: usize,
    /// Only bytes of ASCII came, went or changed.
    pub plain: bool,
    /// The decoder was not back in step before the end of the text, and lost more than one neighbour.
    pub adrift: bool,
}

/// What all damage of one kind did, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DamageCounts {
    /// Cases that changed the bytes.
    pub cases: u64,
    /// Only bytes of ASCII came, went or changed; not counted in what follows.
    pub plain: u64,
    /// Cases that were detected.
    pub detected: u64,
    /// Cases that were neither detected nor plain.
    pub silent: u64,
    /// Cases that were detected, with false characters all the same.
    pub detected_and_false: u64,
    /// Lost neighbours in all cases together.
    pub lost: u64,
    /// Lost neighbours in the worst case.
    pub lost_at_most: usize,
    /// Cases after which the decoder was adrift to the end of the text.
    pub adrift: u64,
}

impl DamageCounts {
    /// The cases that are neither plain nor without effect.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.detected + self.silent
    }

    fn add(&mut self, effect: Effect) {
        self.cases += 1;
        if effect.plain {
            self.plain += 1;
            return;
        }
        self.detected += u64::from(effect.detected);
        self.silent += u64::from(!effect.detected);
        self.detected_and_false += u64::from(effect.detected && effect.invented > 0);
        self.lost += effect.lost as u64;
        self.lost_at_most = self.lost_at_most.max(effect.lost);
        self.adrift += u64::from(effect.adrift);
    }
}

/// A step as one sees it who knows that text is made of scalar values.
fn character(step: Step) -> Option<char> {
    step.ok().and_then(|decoded| char::from_u32(decoded.value))
}

impl<'a> Sample<'a> {
    /// This text in this scheme, or the first character that has no form in it.
    ///
    /// # Errors
    ///
    /// A character that the scheme cannot write: a C1 control in Corrected UTF-8.
    pub fn new(scheme: &'a dyn Scheme, text: &str) -> Result<Self, char> {
        let (mut bytes, mut starts, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for character in text.chars() {
            let form = scheme.encode(character.into()).ok_or(character)?;
            starts.push(bytes.len());
            values.push(character.into());
            bytes.extend_from_slice(form.bytes());
        }
        starts.push(bytes.len());
        Ok(Sample { scheme, bytes, starts, values })
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of characters.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.values.len()
    }

    /// What becomes of the text if the bytes in `hole` become `patch`, by whatever kind of damage.
    ///
    /// # Panics
    ///
    /// If the hole is not in the text.
    #[must_use]
    pub fn effect(&self, hole: Range<usize>, patch: &[u8]) -> Effect {
        let mut damaged = self.bytes.clone();
        damaged.splice(hole.clone(), patch.iter().copied());
        self.judge(&damaged, hole, patch.len())
    }

    /// What becomes of all texts with damage of this kind.
    #[must_use]
    pub fn count_effects(&self, kind: Kind) -> DamageCounts {
        let mut counts = DamageCounts::default();
        let text = &self.bytes[..];
        let mut damaged = Vec::from(text);
        match kind {
            Kind::Deletion if text.is_empty() => {}
            Kind::Deletion => {
                // The hole moves through the text: behind it everything is one place early.
                damaged.remove(0);
                for (at, &byte) in text.iter().enumerate() {
                    counts.add(self.judge(&damaged, at..at + 1, 0));
                    if let Some(place) = damaged.get_mut(at) {
                        *place = byte;
                    }
                }
            }
            Kind::Insertion => {
                damaged.insert(0, 0);
                for at in 0..=text.len() {
                    for byte in 0..=0xFF {
                        damaged[at] = byte;
                        counts.add(self.judge(&damaged, at..at, 1));
                    }
                    damaged[at] = text.get(at).copied().unwrap_or_default();
                }
            }
            Kind::Substitution => {
                for (at, &old) in text.iter().enumerate() {
                    for new in (0..=0xFF).filter(|&new| new != old) {
                        damaged[at] = new;
                        counts.add(self.judge(&damaged, at..at + 1, 1));
                    }
                    damaged[at] = old;
                }
            }
            Kind::Swap => {
                for at in (1..text.len()).filter(|&at| text[at - 1] != text[at]) {
                    damaged.swap(at - 1, at);
                    counts.add(self.judge(&damaged, at - 1..at + 1, 2));
                    damaged.swap(at - 1, at);
                }
            }
        }
        counts
    }

    /// The character that has this byte, or that begins here; the one behind the last for the end.
    fn at(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte) - 1
    }

    /// What became of the text, of which `hole` was replaced by `patch` other bytes.
    fn judge(&self, damaged: &[u8], hole: Range<usize>, patch: usize) -> Effect {
        let patched = hole.start + patch;
        let first = self.at(hole.start.saturating_sub(1));
        let (mut at, mut next) = (self.starts[first], first);
        let mut effect = Effect { detected: false, invented: 0, lost: 0, plain: true, adrift: false };
        loop {
            // Where this was in the text, if it was.
            let old = if at < hole.start {
                Some(at)
            } else if at >= patched {
                Some(at - patched + hole.end)
            } else {
                None
            };
            let place = old.map(|old| (self.at(old), old)).filter(|&(index, old)| self.starts[index] == old);
            if let Some((index, _)) = place
                && at >= patched
            {
                // Back in step.
                self.pass(next..index, &hole, &mut effect);
                effect.adrift = index == self.values.len() && effect.lost > 1;
                effect.plain &= !effect.detected;
                return effect;
            }
            // The end of the text is in step, so there is something to decode.
            let Some(step) = self.scheme.decode(&damaged[at..]) else { return effect };
            let len = length(step);
            let character = character(step);
            effect.detected |= character.is_none();
            let survives = place.is_some_and(|(index, old)| {
                let end = self.starts.get(index + 1).copied().unwrap_or_default();
                end <= hole.start
                    && old + len == end
                    && character.map(u32::from) == self.values.get(index).copied()
            });
            if let (true, Some((index, _))) = (survives, place) {
                self.pass(next..index, &hole, &mut effect);
                next = index + 1;
            } else if character.is_some() && !(len == 1 && damaged[at].is_ascii() && old.is_none()) {
                effect.invented += 1;
                effect.plain = false;
            }
            at += len;
        }
    }

    /// Counts these characters, which did not survive.
    fn pass(&self, gone: Range<usize>, hole: &Range<usize>, effect: &mut Effect) {
        for index in gone {
            let (start, end) = (self.starts[index], self.starts[index + 1]);
            let hit = if hole.is_empty() {
                start < hole.start && hole.start < end
            } else {
                start < hole.end && hole.start < end
            };
            effect.lost += usize::from(!hit);
            effect.plain &= end - start == 1 && self.bytes[start] < 0x80;
        }
    }
}
