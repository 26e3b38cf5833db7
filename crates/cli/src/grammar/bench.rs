//! Arguments of `bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use runecast_corpus::Script;

use super::{Format, Shape, refuse};
use crate::bench::operation::{ALL, Operation};
use crate::bench::size;
use crate::source::is_stdin;

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Files to measure with, each by itself; `-` means standard input, none at all generated text
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Take all regular files below a directory together, in the order of names
    #[arg(short, long, requires = "files")]
    pub(crate) recursive: bool,
    /// Measure these operations only, with commas between them
    #[arg(long, value_name = "OPERATION", value_delimiter = ',', value_parser = operations())]
    pub(crate) only: Vec<&'static Operation>,
    /// Generate these texts, with commas between them [default: eight of them]
    #[arg(long, value_name = "SCRIPT", value_delimiter = ',', value_parser = scripts(), conflicts_with = "files")]
    pub(crate) scripts: Vec<Scripts>,
    /// Bytes of each text in UTF-8, as 100000, 64K or 2M [default: 128K, of a FILE at most 16M]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) size: Option<usize>,
    /// Measure for about so many seconds [default: 15]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Measure each cell so many times, whatever time that takes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "time")]
    pub(crate) rounds: Option<u32>,
    /// Less of everything: four scripts, two seconds, curves up to 1M
    #[arg(long)]
    pub(crate) quick: bool,
    /// The longest text of the curves of speed against size, or 0 for no curves [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = bytes_or_none)]
    pub(crate) curves: Option<usize>,
    /// Draw it, as SVG; `-` means standard output, instead of the table
    #[arg(long, value_name = "OUT")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw it, as a page with all numbers; `-` means standard output, instead of the table
    #[arg(long, value_name = "OUT")]
    pub(crate) html: Option<PathBuf>,
    /// How to say it.
    #[command(flatten)]
    pub(crate) shape: Shape,
}

/// One script, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scripts {
    /// This.
    One(Script),
    /// All.
    All,
}

impl Bench {
    /// The conflicts that depend on values.
    pub(crate) fn insist(&self) {
        let drawn = [&self.svg, &self.html].into_iter().flatten().filter(|path| is_stdin(path)).count();
        if drawn + usize::from(self.shape.format == Format::Json) > 1 {
            refuse("only one of --svg -, --html - and --format json can have standard output");
        }
    }
}

/// The operations, by name.
fn operations() -> impl TypedValueParser<Value = &'static Operation> {
    PossibleValuesParser::new(ALL.iter().map(|operation| operation.name))
        .try_map(|name| Operation::named(&name).ok_or("no such operation"))
}

/// The scripts, by name, and a word for all.
fn scripts() -> impl TypedValueParser<Value = Scripts> {
    PossibleValuesParser::new(Script::ALL.iter().map(|script| script.name()).chain(["all"]))
        .try_map(|name| if name == "all" { Ok(Scripts::All) } else { name.parse().map(Scripts::One) })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "a number of seconds is needed, as 20 or 0.5".to_owned())
}

/// More is hardly meant, and a text becomes four times as long in UTF-32.
const MOST: u64 = 1 << 30;

fn bytes_or_none(text: &str) -> Result<usize, String> {
    match usize::try_from(size::parse(text)?) {
        Ok(bytes) if bytes as u64 <= MOST => Ok(bytes),
        _ => Err("more than 1G is too much".to_owned()),
    }
}

fn bytes(text: &str) -> Result<usize, String> {
    match bytes_or_none(text)? {
        0 => Err("there has to be something to measure".to_owned()),
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
