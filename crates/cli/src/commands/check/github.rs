//! The report of `check` for the pages of GitHub: each error is a workflow command, which puts it beside its line.
//!
//! `::error file=F,line=L,col=C,title=T::MESSAGE`, on standard output. In all values `%`, CR and LF are written as `%25`, `%0D` and
//! `%0A`, and in those before the message `:` and `,` as well. Of each step GitHub shows ten at most; all are in its log.

use std::fmt::Write as _;
use std::io;

use runecast_explain::Position;

use super::report::{Report, line_of};
use crate::io::name::Name;
use crate::pipeline::validation::{Found, ValidationSummary};
use crate::ui::console::{Console, plain, push};

/// The report.
pub(super) struct GithubReport;

impl Report for GithubReport {
    fn found(&mut self, console: &mut Console, name: &Name, found: &Found) {
        let line = line_of(found);
        let mut message = format!("byte {}:", line.at);
        for byte in line.bytes {
            // (Writing to a string does not fail.)
            let _ = write!(message, " {byte:02X}");
        }
        let _ = write!(message, ": {}", line.reason);
        annotate(console, name, line.position, line.kind, &message);
    }

    fn failed(&mut self, console: &mut Console, name: &Name, _: &ValidationSummary, why: &io::Error) {
        console.complain(name, why);
        annotate(console, name, None, "unreadable", &plain(why));
    }
}

/// Appends a command.
fn annotate(console: &mut Console, name: &Name, position: Option<Position>, title: &str, message: &str) {
    push(&mut console.out, format_args!("::error "));
    if let Name::Path(_) = name {
        let name = name.to_string();
        // As it stands in the repository.
        let name = name.strip_prefix("./").unwrap_or(&name);
        push(&mut console.out, format_args!("file={},", escaped(name, true)));
    }
    if let Some(Position { line, column }) = position {
        push(&mut console.out, format_args!("line={line},col={column},"));
    }
    let (title, message) = (escaped(title, true), escaped(message, false));
    push(&mut console.out, format_args!("title={title}::{message}\n"));
}

/// A value, or the message behind all values.
fn escaped(text: &str, value: bool) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '%' | '\r' | '\n' => {}
            ':' | ',' if value => {}
            _ => {
                escaped.push(character);
                continue;
            }
        }
        let _ = write!(escaped, "%{:02X}", u32::from(character));
    }
    escaped
}
