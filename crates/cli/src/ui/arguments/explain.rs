//! Arguments of `explain`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::encoding::{Charset, Named, parse_read};
use super::shared::OutputFormat;

/// Explain why a text is ill-formed, byte by byte, and what other software makes of it
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// File to read; `-` or none at all means standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["hex", "text"])]
    pub(crate) file: Option<PathBuf>,
    /// Explain these bytes, in hexadecimal
    #[arg(short = 'x', long, value_name = "BYTES", value_parser = bytes, conflicts_with = "text")]
    pub(crate) hex: Option<Bytes>,
    /// Explain this text, as the shell passes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<OsString>,
    /// Encoding of the input: only UTF-8 is explained
    ///
    /// `runecast check --all -f ENCODING` says what is ill-formed in a file in another encoding.
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        value_parser = Named(parse_read),
        hide_possible_values = true,
        visible_alias = "from-code"
    )]
    pub(crate) from: Option<Charset>,
    /// Explain the first 100 places with errors, not only the first three
    #[arg(short, long)]
    pub(crate) all: bool,
    /// With --all: explain the first N places with errors; 0 means no limit
    #[arg(long, value_name = "N", default_value_t = 100, requires = "all")]
    pub(crate) limit: usize,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
}

impl ExplainArguments {
    /// The one conflict that depends on a value.
    pub(crate) fn conflicts(&self) -> Result<(), &'static str> {
        if self.from.is_some_and(|from| from != Charset::UTF_8) {
            return Err(
                "explain reads only UTF-8, and -f names another encoding; use `check --all -f` to see what is ill-formed in it",
            );
        }
        Ok(())
    }
}

/// Bytes from the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

/// Reads bytes as people write them: `F0 80`, `f080`, `0xF0, 0x80`, `\xF0\x80`, `%F0%80`.
fn bytes(text: &str) -> Result<Bytes, String> {
    let plain =
        text.replace("\\x", " ").replace("0x", " ").replace("0X", " ").replace(['%', ',', ';', ':'], " ");
    let mut all = Vec::new();
    for word in plain.split_whitespace() {
        let digits: Option<Vec<u32>> = word.chars().map(|digit| digit.to_digit(16)).collect();
        match digits {
            Some(digits) if digits.len() % 2 == 0 => {
                all.extend(digits.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8));
            }
            _ => {
                return Err(format!(
                    "each byte needs two hexadecimal digits, as in F0 9F A6 80; {word:?} is wrong"
                ));
            }
        }
    }
    Ok(Bytes(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_however_they_are_written() {
        for text in [
            "F0 80 80 41",
            "f0808041",
            "0xF0, 0x80,0x80 0x41",
            r"\xF0\x80\x80\x41",
            "%F0%80%80%41",
            "F0:80:80:41",
        ] {
            assert_eq!(bytes(text), Ok(Bytes(vec![0xF0, 0x80, 0x80, 0x41])), "{text}");
        }
        assert_eq!(bytes(" "), Ok(Bytes(vec![])));
        for text in ["F", "F0 8", "0xF", "U+00E9", "GG", "é9"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
