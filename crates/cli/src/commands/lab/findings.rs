//! What the lab finds: how long characters are in each scheme, and what becomes of damaged text.
//!
//! The text is generated from a fixed seed, so all of it is the same everywhere and every time. Damage changes the
//! text in place, and each case is decoded only until the decoder is back in step.

use runecast_corpus::{Script, generate};
use runecast_schemes::damage::{DamageCounts, Kind, Sample};
use runecast_schemes::{ALL, Scheme, Strict};

/// What the text is drawn from.
const SEED: u64 = 1;

/// How many bytes of UTF-8 there are of each script, to find the length of its characters.
const BYTES: usize = 8192;

/// How many characters of each script are in the text that is damaged.
const CHARACTERS: usize = 64;

/// Everything that the lab finds.
pub(super) struct Findings {
    /// Whether decoders accept one form only for each number.
    pub(super) strict: bool,
    /// For each script.
    pub(super) lengths: Vec<Lengths>,
    /// For each scheme.
    pub(super) damage: Vec<Damage>,
    /// How many characters are in the text that is damaged.
    pub(super) characters: usize,
}

/// How long the characters of a script are.
pub(super) struct Lengths {
    /// The script.
    pub(super) script: Script,
    /// How many characters there are.
    pub(super) characters: usize,
    /// Bytes in each scheme, in the order of [`ALL`].
    pub(super) bytes: [usize; ALL.len()],
    /// Bytes in UTF-16.
    pub(super) utf16: usize,
}

impl Lengths {
    /// Bytes per character.
    pub(super) fn mean(&self, bytes: usize) -> f64 {
        bytes as f64 / self.characters as f64
    }
}

/// What becomes of a text in one scheme.
pub(super) struct Damage {
    /// The scheme.
    pub(super) scheme: &'static dyn Scheme,
    /// For each kind of damage.
    pub(super) counts: [DamageCounts; Kind::ALL.len()],
}

impl Findings {
    /// Runs all schemes over all scripts.
    pub(super) fn new(strict: bool) -> Findings {
        let mut sample = String::new();
        let lengths = Script::SCRIPTS
            .into_iter()
            .map(|script| {
                let text = generate(script, BYTES, SEED);
                sample.extend(text.chars().take(CHARACTERS));
                sample.push('\n');
                let length = |scheme: &dyn Scheme| {
                    text.chars()
                        .map(|character| scheme.encode(character.into()).map_or(0, |form| form.bytes().len()))
                        .sum()
                };
                Lengths {
                    script,
                    characters: text.chars().count(),
                    bytes: ALL.map(length),
                    utf16: 2 * text.encode_utf16().count(),
                }
            })
            .collect();
        let damage = ALL.into_iter().map(|scheme| {
            let lone = Strict(scheme);
            let decoder: &dyn Scheme = if strict { &lone } else { scheme };
            let count = |kind| {
                Sample::new(decoder, &sample)
                    .map_or_else(|_| DamageCounts::default(), |it| it.count_effects(kind))
            };
            Damage { scheme, counts: Kind::ALL.map(count) }
        });
        Findings { strict, lengths, damage: damage.collect(), characters: sample.chars().count() }
    }
}

/// A share in percent.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}
