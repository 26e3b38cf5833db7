//! What may be written on the command line.
//!
//! Each command has a file, and the arguments that several commands have are [`shared`]; a word that only one command
//! knows is in the file of that command. `-l` lists, but what it lists is the command's: ill-formed files, encodings.
//!
//! Doc comments in these files are help texts: the first line is what `-h` prints. What is laid out by hand
//! is in [`examples`]; clap wraps everything else.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod cpu;
pub(crate) mod detect;
pub(crate) mod encoding;
mod examples;
pub(crate) mod explain;
pub(crate) mod lab;
pub(crate) mod man;
pub(crate) mod repair;
pub(crate) mod shared;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::num::IntErrorKind;
use std::path::Path;
use std::process::exit;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser, Subcommand};

use bench::BenchArguments;
use check::CheckArguments;
use completions::CompletionsArguments;
use convert::ConvertArguments;
use count::CountArguments;
use cpu::CpuArguments;
use detect::DetectArguments;
use examples::{
    BENCH_EXAMPLES, CHECK_EXAMPLES, COMPLETIONS_EXAMPLES, CONVERT_EXAMPLES, COUNT_EXAMPLES, CPU_EXAMPLES,
    DETECT_EXAMPLES, EXAMPLES, EXPLAIN_EXAMPLES, LAB_EXAMPLES, MAN_EXAMPLES, REPAIR_EXAMPLES,
};
use explain::ExplainArguments;
use lab::LabArguments;
use man::ManArguments;
use repair::RepairArguments;
use shared::Color;

use crate::io::closed;
use crate::io::name::{Name, Shown};

/// Validate, repair and convert Unicode text at the speed of memory
#[derive(Debug, Parser)]
#[command(
    name = "runecast",
    version,
    max_term_width = 100,
    after_help = EXAMPLES,
    propagate_version = true
)]
pub(crate) struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colours, for every command.
    #[command(flatten)]
    pub(crate) color: Color,
}

/// The commands. The arguments of each are only made if it is the one: all of them are a third of a short run. What it is
/// for is said here for the list, and once more at its arguments.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Check that files are well-formed UTF-8, and say where they are not
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Convert text from one encoding to another
    #[command(after_long_help = CONVERT_EXAMPLES)]
    Convert(ConvertArguments),
    /// Replace ill-formed sequences by U+FFFD, a text or an escape
    #[command(after_long_help = REPAIR_EXAMPLES)]
    Repair(RepairArguments),
    /// Explain why a text is ill-formed, byte by byte, and what other software makes of it
    #[command(after_long_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArguments),
    /// Count lines, characters, bytes and code units
    #[command(after_long_help = COUNT_EXAMPLES)]
    Count(CountArguments),
    /// Guess the encoding of files, or that they are not text, and say why
    #[command(after_long_help = DETECT_EXAMPLES)]
    Detect(DetectArguments),
    /// Show which kernels this CPU can run, and which one is in use
    #[command(after_long_help = CPU_EXAMPLES)]
    Cpu(CpuArguments),
    /// Compare UTF-8 with nine encodings that could have been used instead
    #[command(after_long_help = LAB_EXAMPLES)]
    Lab(LabArguments),
    /// Print completions for a shell
    #[command(after_long_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArguments),
    /// Print the manual page of a command, or write all pages
    #[command(after_long_help = MAN_EXAMPLES)]
    Man(ManArguments),
    /// Measure the speed on this machine, beside std, simdutf8 and the memory itself
    #[command(after_long_help = BENCH_EXAMPLES)]
    Bench(BenchArguments),
}

impl CommandLine {
    /// Reads the arguments of the process, and sets its colours. Ends it if they are wrong, or ask for help. An error is one of
    /// writing help.
    pub(crate) fn read() -> io::Result<CommandLine> {
        let line = CommandLine::try_parse().or_else(end_with)?;
        line.color.color.apply();
        if let Err(why) = line.command.conflicts() {
            refuse(why);
        }
        Ok(line)
    }
}

impl Command {
    /// The conflicts that depend on values.
    fn conflicts(&self) -> Result<(), &'static str> {
        match self {
            Command::Check(arguments) => arguments.conflicts(),
            Command::Convert(arguments) => arguments.conflicts(),
            Command::Repair(arguments) => arguments.conflicts(),
            Command::Explain(arguments) => arguments.conflicts(),
            Command::Lab(arguments) => arguments.conflicts(),
            Command::Bench(arguments) => arguments.conflicts(),
            _ => Ok(()),
        }
    }
}

/// Ends the program with help, or with what is wrong about the arguments; it returns only if help cannot be written. What
/// the arguments have said is repeated in the form in which the names of files are shown: it may hold anything.
fn end_with(mut error: clap::Error) -> io::Result<CommandLine> {
    if let Some(help) = without_help_for_help(&error) {
        error = help;
    }
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        match value {
            ContextValue::String(text) => error.insert(kind, ContextValue::String(safe(&text))),
            ContextValue::Strings(texts) => {
                error.insert(kind, ContextValue::Strings(texts.iter().map(|text| safe(text)).collect()))
            }
            ContextValue::StyledStr(text) => error.insert(kind, ContextValue::StyledStr(safe_styled(text))),
            ContextValue::StyledStrs(texts) => {
                let texts = texts.into_iter().map(safe_styled).collect();
                error.insert(kind, ContextValue::StyledStrs(texts))
            }
            _ => None,
        };
    }
    let first = std::env::args_os().nth(1);
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(file) = first.filter(|file| Path::new(file).exists())
    {
        let file = Name::Path(file);
        let tip = format!("this is a file; to check it, write: runecast check {file}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    match words(&error) {
        Some(what) => named_command().error(error.kind(), what).exit(),
        None if error.use_stderr() => error.exit(),
        // `exit` would not notice that help cannot be written.
        None => closed::stdout()
            .and_then(|()| error.print())
            .and_then(|()| io::stdout().flush())
            .map(|()| exit(0)),
    }
}

/// What is wrong, in the words that are used everywhere else here; or nothing, if there are none for it.
fn words(error: &clap::Error) -> Option<String> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return None;
    }
    let text = |kind| Some(joined(error.get(kind)?)).filter(|text| !text.is_empty());
    let argument = text(ContextKind::InvalidArg);
    let command = named_command();
    let name = command.get_bin_name().unwrap_or("runecast");
    let what = match error.kind() {
        ErrorKind::UnknownArgument => {
            let argument = argument?;
            match argument.starts_with('-') {
                // What begins with a hyphen may still be the name of a file.
                true if Path::new(&argument).exists() => {
                    format!("{name} has no option {argument}; the file of that name is ./{argument}")
                }
                true => format!("{name} has no option {argument}"),
                false => format!("{name} does not accept the argument '{argument}'"),
            }
        }
        ErrorKind::InvalidSubcommand => {
            format!("there is no command '{}'", text(ContextKind::InvalidSubcommand)?)
        }
        ErrorKind::ArgumentConflict => match text(ContextKind::PriorArg) {
            Some(prior) if argument.as_ref() == Some(&prior) => {
                format!("{prior} cannot be given more than once")
            }
            Some(prior) => format!("{} and {prior} cannot be used together", argument?),
            None => return None,
        },
        ErrorKind::MissingRequiredArgument => {
            // For the files there are two arguments.
            let missing = argument.map(|missing| match missing.starts_with("<FILE|") {
                true => "a FILE".to_owned(),
                false => missing,
            })?;
            match needing(&missing, std::env::args_os().skip(1)) {
                Some(option) => format!("{option} needs {missing}"),
                None => format!("{missing} is missing"),
            }
        }
        ErrorKind::InvalidUtf8 => "an argument that has to be text is not UTF-8".to_owned(),
        ErrorKind::TooManyValues => {
            format!("{} takes no value, but has '{}'", argument?, text(ContextKind::InvalidValue)?)
        }
        ErrorKind::ValueValidation => {
            let (argument, value) = (argument?, text(ContextKind::InvalidValue).unwrap_or_default());
            let why = std::error::Error::source(error)?;
            // What std says about numbers is for programmers.
            let number = why.downcast_ref::<std::num::ParseIntError>().map(|why| match why.kind() {
                IntErrorKind::PosOverflow => "it is too large",
                IntErrorKind::Zero => "it must be 1 or more",
                _ => "it must be a whole number",
            });
            let why = number.map_or_else(|| safe(&why.to_string()), str::to_owned);
            format!("{argument} cannot be '{value}': {why}")
        }
        ErrorKind::InvalidValue => {
            let (argument, value) = (argument?, text(ContextKind::InvalidValue).unwrap_or_default());
            let list = text(ContextKind::ValidValue)
                .map_or(String::new(), |values| format!("; it must be one of {values}"));
            match value.as_str() {
                "" if argument.starts_with("[FILE]") => "FILE cannot be an empty name".to_owned(),
                "" if list.len() > 200 => format!("{argument} needs a value"),
                "" => format!("{argument} needs a value{list}"),
                value => format!("{argument} cannot be '{value}'{list}"),
            }
        }
        _ => return None,
    };
    let tip = text(ContextKind::Suggested)
        .or(text(ContextKind::SuggestedSubcommand).map(|other| format!("did you mean {other}?")))
        .or(text(ContextKind::SuggestedArg).map(|other| format!("did you mean {other}?")))
        .or(text(ContextKind::SuggestedValue).map(|other| format!("did you mean {other}?")));
    Some(match tip {
        Some(tip) if error.kind() != ErrorKind::UnknownArgument || tip.starts_with("did you mean") => {
            format!("{what}\n\n  tip: {tip}")
        }
        _ => what,
    })
}

/// Options that another one needs: that is the one that is missing then, and they are what the command line has.
const NEEDS: [(&str, &[&str]); 6] = [
    ("--all", &["--limit"]),
    ("--list", &["--null", "-0"]),
    ("--recursive", &["--include", "--exclude", "--hidden", "--no-ignore", "--binary"]),
    ("--in-place", &["--dry-run"]),
    ("--drop-lines", &["--rejects"]),
    ("a FILE", &["--in-place", "--output-dir", "--recursive", "-r"]),
];

/// The option among these arguments that needs the one that is missing.
fn needing(missing: &str, arguments: impl Iterator<Item = OsString>) -> Option<&'static str> {
    let name = missing.split(['[', '<']).next()?.trim_end();
    let (_, options) = NEEDS.iter().find(|(needed, _)| *needed == name)?;
    arguments.take_while(|argument| argument != "--").find_map(|argument| {
        let given = argument.to_str()?.split('=').next();
        options.iter().copied().find(|option| given == Some(*option))
    })
}

/// The error of the command line without these words, if it is one: `help --help` and `help check -h` ask for help once more.
fn without_help_for_help(error: &clap::Error) -> Option<clap::Error> {
    let asked = |word: &OsStr| word == "--help" || word == "-h";
    let unknown = error.get(ContextKind::InvalidSubcommand).map(joined)?;
    if !asked(OsStr::new(&unknown)) {
        return None;
    }
    CommandLine::try_parse_from(std::env::args_os().filter(|word| !asked(word))).err()
}

/// What an error says about something, as text.
fn joined(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::StyledStrs(texts) => {
            texts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        }
        _ => String::new(),
    }
}

/// The command that is named on the command line, with its usage; or the program.
fn named_command() -> clap::Command {
    let mut program = CommandLine::command();
    program.build();
    let mut arguments = std::env::args_os().skip(1);
    match arguments.find_map(|argument| program.find_subcommand(argument).cloned()) {
        Some(command) => command,
        None => program,
    }
}

/// A text of the command line as it is shown.
fn safe(text: &str) -> String {
    text.chars().map(|character| Shown(character).to_string()).collect()
}

/// The same for a text with styles, which it loses if there is anything odd in it.
fn safe_styled(text: StyledStr) -> StyledStr {
    let plain = text.to_string();
    let safe: String = plain.split('\n').map(safe).collect::<Vec<_>>().join("\n");
    if safe == plain { text } else { safe.into() }
}

/// Ends the program because the arguments are wrong in a way that only their values show.
pub(crate) fn refuse(why: &str) -> ! {
    named_command().error(ErrorKind::ArgumentConflict, why).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn a_command_is_for_the_same_in_the_list_and_in_its_help() {
        let listed = CommandLine::command();
        let mut built = listed.clone();
        built.build();
        for command in listed.get_subcommands() {
            let about = |command: &clap::Command| command.get_about().map(ToString::to_string);
            let same = built.find_subcommand(command.get_name()).map(about);
            assert!(about(command).is_some() && same == Some(about(command)), "{command}");
        }
    }
}
