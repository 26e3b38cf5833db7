//! Arguments of `lab`.

use clap::Args;

use super::shared::{Format, OutputFormat};

/// Compare UTF-8 with nine encodings that could have been used instead
#[derive(Debug, Args)]
pub(crate) struct LabArguments {
    /// Show one number in every encoding, bit by bit, and how it reads after damage
    ///
    /// N is written as 33577, 0x8329 or U+8329. The essay has 41, 297, 809 and 33577.
    #[arg(short, long, value_name = "N", value_parser = number, conflicts_with_all = ["svg", "remarks"])]
    pub(crate) example: Option<u32>,
    /// List the mistakes in the essays that describe these encodings
    #[arg(long, conflicts_with = "svg")]
    pub(crate) remarks: bool,
    /// Draw the tables as SVG, on standard output
    #[arg(long)]
    pub(crate) svg: bool,
    /// Accept only the one form that is written for each character, in every encoding
    ///
    /// Otherwise the encodings older than UTF-8 also accept forms that are longer than necessary.
    #[arg(long)]
    pub(crate) strict: bool,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
}

impl LabArguments {
    /// The one conflict that depends on a value.
    pub(crate) fn conflicts(&self) -> Result<(), &'static str> {
        if self.svg && self.output_format.format == Format::Json {
            return Err("--svg and --format json cannot be used together");
        }
        Ok(())
    }
}

/// Reads a number, in decimal or in hexadecimal.
fn number(text: &str) -> Result<u32, String> {
    let hex = ["0x", "0X", "U+", "u+"].iter().find_map(|prefix| text.strip_prefix(prefix));
    // The parser of the standard library would take a sign.
    let digits = hex.unwrap_or(text);
    let parsed = match hex {
        _ if digits.starts_with('+') => None,
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    };
    parsed.ok_or_else(|| "it must be a number up to 4294967295, such as 33577, 0x8329 or U+8329".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_however_they_are_written() {
        for text in ["33577", "0x8329", "0X8329", "U+8329", "u+8329", "0x00008329"] {
            assert_eq!(number(text), Ok(33577), "{text}");
        }
        for text in ["", "-1", "+1", "U+", "U++1", "8329h", "4294967296", "茩"] {
            assert!(number(text).is_err(), "{text}");
        }
        assert_eq!(number("4294967295"), Ok(u32::MAX));
    }
}
