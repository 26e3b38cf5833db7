//! Arguments of `bench`.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use runecast_corpus::Script;

use super::shared::{Format, OutputFormat};
use crate::io::name::is_dash;
use crate::ui::size;

/// Measure the speed on this machine, beside std, simdutf8 and the memory itself
#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Files to measure with, each by itself; `-` means standard input; with no FILE, text is generated
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Take all regular files below a directory together as one text, in the order of their names
    #[arg(short, long, requires = "files")]
    pub(crate) recursive: bool,
    /// Measure only these operations, separated by commas
    #[arg(long, value_name = "OPERATION", value_delimiter = ',')]
    pub(crate) only: Vec<OperationName>,
    /// Generate these texts, separated by commas [default: ten of them]
    #[arg(long, value_name = "SCRIPT", value_delimiter = ',', value_parser = scripts(), conflicts_with = "files")]
    pub(crate) scripts: Vec<Scripts>,
    /// Size of each text in bytes of UTF-8: 100000, 64K or 2M, for example [default: 128K; at most 16M of a FILE]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) size: Option<usize>,
    /// Measure for about this many seconds [default: 15]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Measure each cell N times, however long that takes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "time")]
    pub(crate) rounds: Option<u32>,
    /// Do less: four scripts, two seconds, curves up to 1M
    #[arg(long)]
    pub(crate) quick: bool,
    /// Longest text in the curves of speed against size; 0 means no curves [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = bytes_or_none)]
    pub(crate) curves: Option<usize>,
    /// Draw the results as SVG; `-` means standard output, in place of the table
    #[arg(long, value_name = "OUT")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a page with pictures and all numbers; `-` means standard output, in place of the table
    #[arg(long, value_name = "OUT")]
    pub(crate) html: Option<PathBuf>,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
}

/// The operations that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperationName {
    /// Validation of UTF-8.
    Validate,
    /// Whether all is ASCII.
    IsAscii,
    /// The number of characters.
    Count,
    /// The length in UTF-16.
    Utf16Length,
    /// From UTF-8 to UTF-16.
    Utf8ToUtf16,
    /// From UTF-16 to UTF-8.
    Utf16ToUtf8,
    /// From UTF-8 to UTF-32.
    Utf8ToUtf32,
    /// From UTF-32 to UTF-8.
    Utf32ToUtf8,
    /// From UTF-8 to Latin-1.
    Utf8ToLatin1,
    /// From Latin-1 to UTF-8.
    Latin1ToUtf8,
    /// Replacement of what is ill-formed.
    Repair,
}

impl OperationName {
    /// All of them.
    pub(crate) const ALL: [OperationName; 11] = [
        OperationName::Validate,
        OperationName::IsAscii,
        OperationName::Count,
        OperationName::Utf16Length,
        OperationName::Utf8ToUtf16,
        OperationName::Utf16ToUtf8,
        OperationName::Utf8ToUtf32,
        OperationName::Utf32ToUtf8,
        OperationName::Utf8ToLatin1,
        OperationName::Latin1ToUtf8,
        OperationName::Repair,
    ];

    /// As it is written.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            OperationName::Validate => "validate",
            OperationName::IsAscii => "is-ascii",
            OperationName::Count => "count",
            OperationName::Utf16Length => "utf16-length",
            OperationName::Utf8ToUtf16 => "utf8-to-utf16",
            OperationName::Utf16ToUtf8 => "utf16-to-utf8",
            OperationName::Utf8ToUtf32 => "utf8-to-utf32",
            OperationName::Utf32ToUtf8 => "utf32-to-utf8",
            OperationName::Utf8ToLatin1 => "utf8-to-latin1",
            OperationName::Latin1ToUtf8 => "latin1-to-utf8",
            OperationName::Repair => "repair",
        }
    }
}

impl fmt::Display for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

// By hand, since the derived one would print the comments above as help.
impl ValueEnum for OperationName {
    fn value_variants<'a>() -> &'a [Self] {
        &OperationName::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

/// One script, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scripts {
    /// This.
    One(Script),
    /// All.
    All,
}

impl BenchArguments {
    /// The conflicts that depend on values.
    pub(crate) fn conflicts(&self) -> Result<(), &'static str> {
        let drawn = [&self.svg, &self.html].into_iter().flatten().filter(|path| is_dash(path)).count();
        if drawn + usize::from(self.output_format.format == Format::Json) > 1 {
            return Err("only one of --svg -, --html - and --format json can write to standard output");
        }
        Ok(())
    }
}

/// The scripts, by name, and a word for all.
fn scripts() -> impl TypedValueParser<Value = Scripts> {
    PossibleValuesParser::new(Script::ALL.iter().map(|script| script.name()).chain(["all"]))
        .try_map(|name| if name == "all" { Ok(Scripts::All) } else { name.parse().map(Scripts::One) })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "it must be a number of seconds, such as 20 or 0.5".to_owned())
}

/// More is hardly meant, and a text becomes four times as long in UTF-32.
const MOST: u64 = 1 << 30;

fn bytes_or_none(text: &str) -> Result<usize, String> {
    match usize::try_from(size::parse(text)?) {
        Ok(bytes) if bytes as u64 <= MOST => Ok(bytes),
        _ => Err("it must be 1G or less".to_owned()),
    }
}

fn bytes(text: &str) -> Result<usize, String> {
    match bytes_or_none(text)? {
        0 => Err("it must be 1 or more".to_owned()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_limit() {
        assert_eq!((bytes("1G"), bytes_or_none("0")), (Ok(1 << 30), Ok(0)));
        assert!(bytes("0").is_err() && bytes("1073741825").is_err() && bytes_or_none("2G").is_err());
    }

    #[test]
    fn seconds_are_neither_negative_nor_endless() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["-1", "inf", "NaN", "x", "1e30"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
