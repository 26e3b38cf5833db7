//! JSON Lines, for programs: one object per input, one input per line, on standard output.
//!
//! The schema is documented in the README of this crate and has a number, in the member `schema`.
//! Members may be added under the same number; a change to the meaning of one, or its removal,
//! takes the next.
//!
//! A path that is not Unicode cannot be a JSON string. Then `path` has U+FFFD where it must, and
//! `path_hex` has all of the bytes.
//!
//! What a terminal may obey is written as `\u009B`, though JSON would not need it: someone may look at it.

use std::io;

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter};

use crate::io::name::{Name, misleads};
use crate::ui::console::Console;

/// The version of the schema.
pub(crate) const SCHEMA: u32 = 1;

/// What every object about an input begins with.
#[derive(Serialize)]
pub(crate) struct Head {
    schema: u32,
    command: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
}

impl Head {
    /// Of an object of this command about this input.
    pub(crate) fn of(command: &'static str, name: &Name) -> Head {
        let path = name.raw().to_string_lossy().into_owned();
        Head { schema: SCHEMA, command, path, path_hex: path_hex(name) }
    }

    /// Writes it as the beginning of an object whose other members follow piece by piece.
    pub(crate) fn open(&self, buffer: &mut Vec<u8>) {
        value(buffer, self);
        buffer.pop();
    }
}

/// All bytes of a name, in hexadecimal, if JSON cannot show it as it is.
pub(crate) fn path_hex(name: &Name) -> Option<String> {
    let raw = name.raw();
    let hex = || raw.as_encoded_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    raw.to_str().is_none().then(hex)
}

/// Appends a value as JSON.
pub(crate) fn value<T: Serialize + ?Sized>(buffer: &mut Vec<u8>, value: &T) {
    let written = value.serialize(&mut serde_json::Serializer::with_formatter(buffer, Safe));
    debug_assert!(written.is_ok(), "writing to a Vec cannot fail, and all keys are strings");
}

/// JSON without characters that a terminal may obey.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        let odd = |character: char| character == '\x7F' || misleads(character);
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| odd(*character)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04X}")?;
            }
            rest = &rest[at + character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        serde_json::ser::CompactFormatter.write_char_escape(writer, escape)
    }
}

/// Appends the members of an object to one that is open already, and closes it.
pub(crate) fn members<T: Serialize>(buffer: &mut Vec<u8>, object: &T) {
    let mut members = Vec::new();
    value(&mut members, object);
    // Without a brace of their own.
    buffer.extend_from_slice(&members[1..]);
}

/// Appends an object, and ends its line.
pub(crate) fn line<T: Serialize>(console: &mut Console, object: &T) {
    value(&mut console.out, object);
    console.out.push(b'\n');
}
