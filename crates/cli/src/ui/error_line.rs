//! The line about an error in an input: the same for every command that can meet one.
//!
//! It has the form that editors and other tools know how to jump to: `FILE:LINE:COLUMN: byte OFFSET: KIND [BYTES]
//! REASON`. Nothing of the input itself is ever printed except as hexadecimal. For programs, the same is an object.

use runecast_explain::Position;
use serde::{Serialize, Serializer};

use crate::io::name::Name;
use crate::ui::console::{Console, Styles, push};

/// An error as it is shown.
pub(crate) struct ErrorLine<'a> {
    /// Its offset in the input.
    pub(crate) at: u64,
    /// Its line and column.
    pub(crate) position: Option<Position>,
    /// What is wrong, in a word or two.
    pub(crate) kind: &'static str,
    /// The bytes that show it.
    pub(crate) bytes: &'a [u8],
    /// What is wrong, in a sentence.
    pub(crate) reason: String,
}

impl ErrorLine<'_> {
    /// Appends the line to the messages.
    pub(crate) fn write(&self, console: &mut Console, name: &Name) {
        let Styles { bad, faint, .. } = console.err_styles;
        let ErrorLine { at, position, kind, bytes, reason } = self;
        let styles = console.err_styles;
        let buffer = &mut console.err;
        write_location(buffer, styles, name, *position);
        push(buffer, format_args!("byte {at}: {bad}{kind}{bad:#} {faint}["));
        for (i, byte) in bytes.iter().enumerate() {
            push(buffer, format_args!("{}{byte:02X}", if i == 0 { "" } else { " " }));
        }
        push(buffer, format_args!("]{faint:#} {reason}\n"));
    }
}

/// Appends `FILE:LINE:COLUMN: `, or `FILE: ` if line and column are not known.
pub(crate) fn write_location(buffer: &mut Vec<u8>, styles: Styles, name: &Name, position: Option<Position>) {
    let Styles { strong, .. } = styles;
    push(buffer, format_args!("{strong}{name}"));
    if let Some(Position { line, column }) = position {
        push(buffer, format_args!(":{line}:{column}"));
    }
    push(buffer, format_args!(":{strong:#} "));
}

impl Serialize for ErrorLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ErrorObject {
            at: self.at,
            kind: self.kind,
            bytes: self.bytes,
            line: self.position.map(|position| position.line),
            column: self.position.map(|position| position.column),
            reason: &self.reason,
        }
        .serialize(serializer)
    }
}

/// The member `error`: what ended the work on an input.
#[derive(Serialize)]
struct ErrorObject<'a> {
    at: u64,
    kind: &'static str,
    bytes: &'a [u8],
    line: Option<u64>,
    column: Option<u64>,
    reason: &'a str,
}
