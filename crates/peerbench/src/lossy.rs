//! `lossy`: what is ill-formed becomes U+FFFD, and the rest is converted.
//!
//! Four tables. `8` reads UTF-8 and gives a string: std's `from_utf8_lossy` and its like. All peers
//! give a `Cow`, so on clean text none of them writes anything, and on the rest each allocates a string
//! of its own in every call: that is how these functions are defined, and not all of them could
//! write to a slice. `16-8` reads UTF-16 and writes UTF-8 to a slice that is there
//! already. `16` and `16-in-place` repair UTF-16 as UTF-16.
//!
//! The rows differ in how dense the errors are, for two things are measured: what a single error
//! costs, and whether dense ones are handled in place or by starting again. A branch predictor would learn
//! errors at regular distances, so the distances are drawn at random; see [`damage`].
//!
//! All peers write one U+FFFD for each maximal subpart, as the WHATWG does and Unicode recommends, and
//! the table is not begun before they all wrote the same.

pub mod columns;
pub mod damage;

use clap::ValueEnum;
use runecast::{Isa, Utf8, Utf16, max_transcoded_len};

use crate::peer::Output;
use crate::table::{Goal, Operation, Ours, Unit};
use crate::texts::Text;
use crate::transcode::columns::Pair;

/// What can be repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Repair {
    /// UTF-8 to a string
    #[value(name = "8")]
    Utf8,
    /// UTF-16 to UTF-8
    #[value(name = "16-8")]
    Utf16ToUtf8,
    /// UTF-16 to UTF-16
    #[value(name = "16")]
    Utf16,
    /// UTF-16 where it stands
    #[value(name = "16-in-place")]
    Utf16InPlace,
}

impl Repair {
    /// The table to be.
    fn operation(self, size: usize, align: usize) -> Operation {
        let name = self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let texts = match self {
            Repair::Utf8 => damage::utf8(size, align),
            _ => damage::utf16(size, align),
        };
        let columns = match self {
            Repair::Utf8 => columns::utf8(),
            Repair::Utf16ToUtf8 => {
                let room = room(&texts, max_transcoded_len::<Utf16, Utf8>);
                columns::utf16_to_utf8(Pair::new(Output::new(room, align)))
            }
            Repair::Utf16 => columns::utf16(Pair::new(Output::new(2 * room(&texts, |units| units), align))),
            Repair::Utf16InPlace => {
                columns::utf16_in_place(Pair::new(Output::new(2 * room(&texts, |units| units), align)))
            }
        };
        Operation {
            name: format!("lossy {name}"),
            unit: Unit::GigabytesPerSecond,
            peers: columns.into_peers(),
            texts,
            goals: goals(),
        }
    }
}

/// The units that the longest of `texts`, in UTF-16, can become, and somewhat more.
fn room(texts: &[Text], worst: fn(usize) -> usize) -> usize {
    let longest = texts.iter().map(|text| text.input.bytes() / 2).max().unwrap_or(0);
    worst(longest) + 64
}

/// Tables for `repairs`, or for all; each text has about `size` bytes.
pub fn long(repairs: &[Repair], size: usize, align: usize) -> Vec<Operation> {
    let repairs = if repairs.is_empty() { Repair::value_variants() } else { repairs };
    repairs.iter().map(|repair| repair.operation(size, align)).collect()
}

fn goals() -> Vec<Goal> {
    vec![
        Goal::best(),
        Goal { name: "avx512 /std", ours: Ours::One(Isa::Avx512), against: &["std"] },
        Goal { name: "avx512 /simdutf", ours: Ours::One(Isa::Avx512), against: &["simdutf"] },
        Goal {
            name: "avx2 /best",
            ours: Ours::One(Isa::Avx2),
            against: &["std", "std string", "encoding rs", "bstr", "simdutf avx2"],
        },
        Goal { name: "sse42 /std", ours: Ours::One(Isa::Sse42), against: &["std"] },
        Goal { name: "scalar /std", ours: Ours::One(Isa::Scalar), against: &["std"] },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring for no time at all still compares what all peers say and write.
    #[test]
    fn all_peers_agree_on_everything() {
        let once = runecast_clock::Patience { rounds: 1, limit: std::time::Duration::ZERO };
        for operation in long(&[], 8 << 10, 17) {
            assert!(operation.texts.len() >= 12, "{}", operation.name);
            assert!(operation.peers.iter().all(|peer| peer.writes(&operation.texts[0].input).is_some()));
            if let Err(error) = operation.measure(once) {
                panic!("{}: {error:#}", operation.name);
            }
        }
    }
}
