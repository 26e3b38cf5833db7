//! Arguments of `repair`.
//!
//! What is written where text is ill-formed is one of three things, and their names are those of the
//! library: a behaviour, an escape, a text.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use runecast::{Escape, Label, Policy, Replacement, Scheme};

use crate::io::name::is_dash;

use super::encoding::{Charset, Named, holds_surrogates, parse, parse_read, recognize};
use super::shared::{
    Format, InputArguments, InputEncoding, JSON_NEEDS_STDOUT, Jobs, OutputArguments, OutputFormat,
};

/// Replace ill-formed sequences by U+FFFD, a text or an escape
#[derive(Debug, Args)]
pub(crate) struct RepairArguments {
    /// What to read.
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    /// What the input is.
    #[command(flatten)]
    pub(crate) reading: InputEncoding,
    /// Encoding of the output [default: that of the input]
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        value_parser = Named(parse),
        hide_possible_values = true,
        visible_alias = "to-code"
    )]
    pub(crate) to: Option<Charset>,
    /// Write as many U+FFFD as this family of software would
    ///
    /// All families agree on what is ill-formed UTF-8, but differ in how many bytes one U+FFFD stands for.
    /// `runecast explain` shows the difference.
    #[arg(
        short,
        long,
        value_name = "BEHAVIOUR",
        value_parser = behaviours(),
        default_value = Replacement::Whatwg.name(),
        conflicts_with_all = ["escape", "replacement"]
    )]
    pub(crate) policy: Replacement,
    /// Write each ill-formed byte in a form that shows which byte it was
    #[arg(short, long, value_name = "FORM", value_parser = escapes(), conflicts_with = "replacement")]
    pub(crate) escape: Option<Escape>,
    /// Write this text for each ill-formed sequence
    #[arg(long, value_name = "TEXT", value_parser = not_empty)]
    pub(crate) replacement: Option<String>,
    /// Undo double encoding, where UTF-8 was read as windows-1252 or Latin-1 and encoded again: Ã© becomes é
    ///
    /// This is done only if it is certain: every run of characters outside of ASCII becomes well-formed UTF-8, and at least one
    /// could hardly be anything else. A text that is partly right already is not changed. The input has to fit into memory.
    #[arg(long, conflicts_with_all = ["policy", "escape", "replacement", "from", "to", "assume", "jobs", "exit_zero"])]
    pub(crate) mojibake: bool,
    /// Read each line that is not UTF-8 in this older encoding, such as windows-1252, and write it in UTF-8
    ///
    /// This is for files to which programs with different encodings have written lines. Such a line is read as a whole: with --escape,
    /// two of its bytes that are UTF-8 by accident would stay. A line ends with a line feed. The exit code is 1 if there was one.
    #[arg(
        long,
        value_name = "ENCODING",
        value_parser = Named(parse_read),
        hide_possible_values = true,
        conflicts_with_all = ["policy", "escape", "replacement", "to", "assume", "jobs", "mojibake", "drop_lines"]
    )]
    pub(crate) fallback: Option<Charset>,
    /// Leave out each line that has an ill-formed sequence, and keep the others as they are
    ///
    /// The input has to be UTF-8; a line ends with a line feed. The exit code is 1 if a line was left out. A file that seems to be
    /// in another encoding is reported, and --in-place without a backup does not change it, unless you say -f utf-8.
    #[arg(long, conflicts_with_all = ["policy", "escape", "replacement", "to", "assume", "jobs", "mojibake"])]
    pub(crate) drop_lines: bool,
    /// With --drop-lines: write the lines that are left out to FILE, unchanged
    #[arg(long, value_name = "FILE", requires = "drop_lines", conflicts_with_all = ["dry_run", "fallback"])]
    pub(crate) rejects: Option<PathBuf>,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) writing: OutputArguments,
    /// Exit with 0 even if something was replaced
    #[arg(long)]
    pub(crate) exit_zero: bool,
    /// With how many threads.
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// How to say it.
    #[command(flatten)]
    pub(crate) output_format: OutputFormat,
    /// Print no messages; only the exit code tells the result
    #[arg(short, long, conflicts_with_all = ["verbose", "format"])]
    pub(crate) quiet: bool,
    /// Also report inputs without replacements
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl RepairArguments {
    /// What is written where the input is ill-formed.
    pub(crate) fn policy(&self) -> Policy<'_> {
        match (&self.replacement, self.escape) {
            (Some(text), _) => text.as_str().into(),
            (None, Some(escape)) => escape.into(),
            (None, None) => self.policy.into(),
        }
    }

    /// The conflicts that depend on values.
    pub(crate) fn conflicts(&self) -> Result<(), &'static str> {
        self.writing.conflicts(&self.inputs)?;
        if self.output_format.format == Format::Json && self.writing.to_stdout() {
            return Err(JSON_NEEDS_STDOUT);
        }
        if self.drop_lines && self.reading.charset() != Charset::UTF_8 {
            return Err("--drop-lines reads only UTF-8, and -f names another encoding; use `convert` first");
        }
        if let Some(fallback) = self.fallback {
            if self.reading.charset() != Charset::UTF_8 {
                return Err("--fallback is for the lines that are not UTF-8, and -f names another encoding");
            }
            let contains_ascii = match fallback {
                Charset::Unicode(label) => label == Label::Exactly(Scheme::Latin1),
                Charset::Legacy(encoding) => encoding.is_ascii_compatible(),
            };
            if !contains_ascii {
                return Err(
                    "--fallback needs an encoding older than Unicode that contains ASCII, such as windows-1252, latin1 or shift_jis",
                );
            }
        }
        if self.rejects.as_deref().is_some_and(is_dash) {
            if self.writing.to_stdout() {
                return Err(
                    "--rejects - needs -o, --output-dir or --in-place: without them the kept lines go to standard output",
                );
            }
            if self.output_format.format == Format::Json {
                return Err("--rejects - and --format json would both write to standard output");
            }
        }
        let written = match self.to.unwrap_or(self.reading.charset()) {
            Charset::Unicode(label) => Some(recognize(label, &[], self.reading.assume)),
            Charset::Legacy(_) => None,
        };
        if self.escape.is_some() && matches!(self.reading.from, Some(Charset::Legacy(_))) {
            return Err("--escape works only on encodings of Unicode, and -f names an older encoding");
        }
        if self.policy() == Replacement::Python2.into() && written.is_some_and(holds_surrogates) {
            return Err(
                "--policy python2 writes surrogates, so UTF-16 and UTF-32 would stay ill-formed; choose another policy",
            );
        }
        Ok(())
    }
}

/// The behaviours, each in a few words.
fn behaviours() -> impl TypedValueParser<Value = Replacement> {
    let values = Replacement::ALL.map(|replacement| {
        PossibleValue::new(replacement.name()).help(match replacement {
            Replacement::Whatwg => "One for each maximal subpart: browsers, Rust, Python 3, Ruby",
            Replacement::PerByte => "One for each byte: Go",
            Replacement::Win32 => "MultiByteToWideChar of Windows, .NET Framework",
            Replacement::OpenJdk8 => "OpenJDK 8: one for the three bytes of a surrogate",
            Replacement::Python2 => "Python 2.7: one for a sequence without the last byte it announces",
            Replacement::Perl5 => "Perl's Encode: one for a form that is right but for its value",
            Replacement::Icu55 => "ICU 55: one for a lead byte with all that it announces",
            _ => "",
        })
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Replacement>())
}

/// The escapes from which well-formed text results.
fn escapes() -> impl TypedValueParser<Value = Escape> {
    let forms = || Escape::ALL.into_iter().filter(|escape| *escape != Escape::Surrogate);
    let values = forms().map(|escape| {
        PossibleValue::new(escape.name()).help(match escape {
            Escape::Backslash => "\\xE9",
            Escape::Latin1 => "The character that the byte is in Latin-1: é for E9",
            Escape::Windows1252 => "The same, with what Windows has for 80..9F: € for 80",
            _ => "",
        })
    });
    PossibleValuesParser::new(values).try_map(move |name| {
        forms().find(|escape| escape.name() == name).ok_or_else(|| format!("no escape is called {name}"))
    })
}

/// An empty replacement is refused: it would join what stands before and behind.
fn not_empty(text: &str) -> Result<String, &'static str> {
    if text.is_empty() {
        Err("an empty text would join what ill-formed bytes separate, which can be unsafe")
    } else {
        Ok(text.to_owned())
    }
}
