//! `transcode` and `transcode-short`: from one encoding to another, and the lengths beforehand.
//!
//! One table for each pair. All peers validate, write to the same output, which has room for the
//! worst case, and allocate nothing; where a peer has no function that validates, it is run after
//! its own check, as a careful user would have to run it. The checks of some are different in
//! kind: encoding_rs writes U+FFFD for ill-formed UTF-16 and goes on. On the well-formed texts here
//! that is the same work.
//!
//! The speed is counted in bytes of *input*: the same text is twice as fast to read from UTF-16 as
//! from Latin-1 by that count, and the columns of one table compare all the same. Each text is as
//! many bytes of input whatever the encoding, as far as whole characters allow.
//! The output comes on top of that: from UTF-8 to UTF-32 it is four times as long at most, so that
//! a second-level cache of one MiB does not hold both of a text of the default size.
//!
//! Counts and lengths are measured too, and here peers differ in what they promise: simdutf and
//! the loops over std take valid text for granted, runecast stops at the first error.
//!
//! The short strings are the same for all pairs, and a row's number is their length in UTF-8.

pub mod columns;
mod lengths;
mod pairs;
mod sources;

use clap::ValueEnum;
use runecast::{Isa, Latin1, Utf8, Utf16, Utf16Be, Utf32};
use runecast_corpus::Script;

use crate::table::{Goal, Operation, Ours, Unit};
use crate::texts::{self, Manuscript, Text};
use columns::Columns;
use sources::{Matter, Subject};

/// What can be measured: a pair of encodings, or a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Task {
    /// UTF-8 to UTF-16
    #[value(name = "8-16")]
    Utf8ToUtf16,
    /// UTF-8 to UTF-32
    #[value(name = "8-32")]
    Utf8ToUtf32,
    /// UTF-16 to UTF-8
    #[value(name = "16-8")]
    Utf16ToUtf8,
    /// UTF-16 to UTF-32
    #[value(name = "16-32")]
    Utf16ToUtf32,
    /// UTF-32 to UTF-8
    #[value(name = "32-8")]
    Utf32ToUtf8,
    /// UTF-32 to UTF-16
    #[value(name = "32-16")]
    Utf32ToUtf16,
    /// UTF-8 to Latin-1
    #[value(name = "8-l1")]
    Utf8ToLatin1,
    /// Latin-1 to UTF-8
    #[value(name = "l1-8")]
    Latin1ToUtf8,
    /// UTF-16 to Latin-1
    #[value(name = "16-l1")]
    Utf16ToLatin1,
    /// UTF-32 to Latin-1
    #[value(name = "32-l1")]
    Utf32ToLatin1,
    /// Latin-1 to UTF-16
    #[value(name = "l1-16")]
    Latin1ToUtf16,
    /// Latin-1 to UTF-32
    #[value(name = "l1-32")]
    Latin1ToUtf32,
    /// UTF-16 to UTF-16BE
    #[value(name = "16-16be")]
    Utf16ToUtf16Be,
    /// Is it UTF-16?
    #[value(name = "validate16")]
    ValidateUtf16,
    /// Is it UTF-32?
    #[value(name = "validate32")]
    ValidateUtf32,
    /// How many characters has UTF-8?
    #[value(name = "count8")]
    CountUtf8,
    /// How many characters has UTF-16?
    #[value(name = "count16")]
    CountUtf16,
    /// How long is UTF-8 in UTF-16?
    #[value(name = "len8-16")]
    LengthUtf8ToUtf16,
    /// How long is UTF-16 in UTF-8?
    #[value(name = "len16-8")]
    LengthUtf16ToUtf8,
    /// How long is UTF-32 in UTF-8?
    #[value(name = "len32-8")]
    LengthUtf32ToUtf8,
    /// How long is Latin-1 in UTF-8?
    #[value(name = "len-l1-8")]
    LengthLatin1ToUtf8,
}

impl Task {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Rows and columns.
    fn columns(self, subject: &Subject) -> (Vec<Text>, Columns) {
        match self {
            Task::Utf8ToUtf16 => subject.for_pair::<Utf8, Utf16>(pairs::utf8_to_utf16),
            Task::Utf8ToUtf32 => subject.for_pair::<Utf8, Utf32>(pairs::utf8_to_utf32),
            Task::Utf16ToUtf8 => subject.for_pair::<Utf16, Utf8>(pairs::utf16_to_utf8),
            Task::Utf16ToUtf32 => subject.for_pair::<Utf16, Utf32>(pairs::utf16_to_utf32),
            Task::Utf32ToUtf8 => subject.for_pair::<Utf32, Utf8>(pairs::utf32_to_utf8),
            Task::Utf32ToUtf16 => subject.for_pair::<Utf32, Utf16>(pairs::utf32_to_utf16),
            Task::Utf8ToLatin1 => subject.for_pair::<Utf8, Latin1>(pairs::utf8_to_latin1),
            Task::Latin1ToUtf8 => subject.for_pair::<Latin1, Utf8>(pairs::latin1_to_utf8),
            Task::Utf16ToLatin1 => subject.for_pair::<Utf16, Latin1>(pairs::utf16_to_latin1),
            Task::Utf32ToLatin1 => subject.for_pair::<Utf32, Latin1>(pairs::utf32_to_latin1),
            Task::Latin1ToUtf16 => subject.for_pair::<Latin1, Utf16>(pairs::latin1_to_utf16),
            Task::Latin1ToUtf32 => subject.for_pair::<Latin1, Utf32>(pairs::latin1_to_utf32),
            Task::Utf16ToUtf16Be => subject.for_pair::<Utf16, Utf16Be>(pairs::utf16_to_utf16be),
            Task::ValidateUtf16 => subject.for_one::<Utf16>(lengths::validate_utf16),
            Task::ValidateUtf32 => subject.for_one::<Utf32>(lengths::validate_utf32),
            Task::CountUtf8 => subject.for_one::<Utf8>(lengths::count_utf8),
            Task::CountUtf16 => subject.for_one::<Utf16>(lengths::count_utf16),
            Task::LengthUtf8ToUtf16 => subject.for_one::<Utf8>(lengths::utf8_to_utf16),
            Task::LengthUtf16ToUtf8 => subject.for_one::<Utf16>(lengths::utf16_to_utf8),
            Task::LengthUtf32ToUtf8 => subject.for_one::<Utf32>(lengths::utf32_to_utf8),
            Task::LengthLatin1ToUtf8 => subject.for_one::<Latin1>(lengths::latin1_to_utf8),
        }
    }

    /// The table to be.
    fn operation(self, title: &str, subject: &Subject, unit: Unit) -> Operation {
        let (texts, columns) = self.columns(subject);
        let name = format!("{title} {}", self.name());
        Operation { name, unit, peers: columns.into_peers(), texts, goals: goals() }
    }
}

/// Long texts, in GB/s; no `tasks` means all. Of each text `size` bytes of input are taken.
pub fn long(tasks: &[Task], texts: Vec<Manuscript>, size: usize, align: usize) -> Vec<Operation> {
    let tasks = if tasks.is_empty() { Task::value_variants() } else { tasks };
    let latin1 = sources::in_latin1(&texts);
    let whole = |texts: Vec<Manuscript>| texts.into_iter().map(|text| Matter::whole(text, size)).collect();
    let subject = Subject { plain: whole(texts), latin1: whole(latin1), align };
    tasks.iter().map(|task| task.operation("transcode", &subject, Unit::GigabytesPerSecond)).collect()
}

/// The same texts in buffers of `size` bytes of UTF-8, one after the other, in GB/s.
pub fn buffers(tasks: &[Task], texts: &[Manuscript], size: usize, align: usize) -> Vec<Operation> {
    let packed = |text: &Manuscript| Matter::packed(text.name.clone(), &texts::buffers(&text.text, size, 0));
    let plain = texts.iter().map(packed).collect();
    let latin1 = sources::in_latin1(texts).iter().map(packed).collect();
    let subject = Subject { plain, latin1, align };
    tasks.iter().map(|task| task.operation("transcode", &subject, Unit::GigabytesPerSecond)).collect()
}

/// Short strings, in ns per call; no `tasks` means the pairs of UTF-8 with UTF-16 and UTF-32.
pub fn short(tasks: &[Task], align: usize) -> Vec<Operation> {
    const USUAL: [Task; 4] = [Task::Utf8ToUtf16, Task::Utf16ToUtf8, Task::Utf8ToUtf32, Task::Utf32ToUtf8];
    let tasks = if tasks.is_empty() { &USUAL } else { tasks };
    let (mut plain, mut latin1) = (Vec::new(), Vec::new());
    for (name, script) in [
        ("world", Script::World),
        ("ascii", Script::Ascii),
        ("german", Script::German),
        ("cyrillic", Script::Cyrillic),
        ("cjk", Script::Chinese),
        ("emoji", Script::Emoji),
    ] {
        for (shortest, longest) in LENGTHS {
            let lengths =
                if shortest == longest { longest.to_string() } else { format!("{shortest}..{longest}") };
            let packed = texts::short_strings(script, shortest, longest, 0);
            let matter = Matter::packed(format!("{name} {lengths}"), &packed);
            if matches!(script, Script::Ascii | Script::German) {
                latin1.push(matter.in_latin1());
            }
            plain.push(matter);
        }
    }
    let subject = Subject { plain, latin1, align };
    tasks.iter().map(|task| task.operation("transcode-short", &subject, Unit::NanosecondsPerCall)).collect()
}

/// The shortest and the longest string of each row.
const LENGTHS: [(usize, usize); 12] = [
    (1, 1),
    (3, 3),
    (7, 7),
    (15, 15),
    (16, 16),
    (24, 24),
    (32, 32),
    (64, 64),
    (100, 100),
    (1, 15),
    (1, 64),
    (1, 200),
];

fn goals() -> Vec<Goal> {
    vec![
        Goal::best(),
        Goal { name: "every /std", ours: Ours::Slowest, against: &["std"] },
        Goal { name: "avx512 /simdutf", ours: Ours::One(Isa::Avx512), against: &["simdutf"] },
        Goal { name: "avx2 /simdutf", ours: Ours::One(Isa::Avx2), against: &["simdutf avx2"] },
        Goal { name: "sse42 /simdutf", ours: Ours::One(Isa::Sse42), against: &["simdutf sse42"] },
        Goal { name: "avx512 /encoding", ours: Ours::One(Isa::Avx512), against: &["encoding rs"] },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring for no time at all still compares what all peers say and write.
    #[test]
    fn all_peers_agree_on_everything() {
        let once = runecast_clock::Patience { rounds: 1, limit: std::time::Duration::ZERO };
        let operations = long(&[], texts::generated(8 << 10), 4 << 10, 17);
        assert_eq!(operations.len(), Task::value_variants().len());
        for operation in operations.into_iter().chain(short(Task::value_variants(), 3)) {
            assert!(operation.texts.len() >= 5, "{}", operation.name);
            assert!(operation.measure(once).is_ok(), "{}", operation.name);
        }
    }
}
