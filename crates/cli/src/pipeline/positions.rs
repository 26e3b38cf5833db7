//! Lines and columns in any encoding, counted only where they are needed.
//!
//! They are counted in UTF-8, since that is what a [`Cursor`] reads. Text in another encoding is converted
//! once more for the cursor. Counting costs about as much as validation, so it is done along the way only in a
//! stream, chunk by chunk; in a file it is done when an error has been found, by reading what is before it once
//! more ([`cursor_at`]).

use std::fs::File;
use std::io;
use std::sync::Arc;

use runecast::{Policy, Reason, Scheme};
use runecast_explain::Cursor;

use crate::io::source::Reread;
use crate::pipeline::code_points::code_point_len;
use crate::pipeline::route::Route;
use crate::pipeline::window::{CHUNK, Rule, StreamReader, Window};

/// Memory for text that is converted only to be counted.
const SCRATCH: usize = 16 * 1024;

/// A cursor at the beginning of a stream: behind its mark, which counts even if it is left out.
pub(crate) fn cursor_at_start(route: &Route) -> Cursor {
    let mut cursor = Cursor::new();
    if route.skip > 0 {
        cursor.pass_text("\u{FEFF}".as_bytes());
    }
    cursor
}

/// Moves a cursor over a text in any encoding, up to where it is cut or ill-formed: the number of bytes that were
/// passed. `scratch` is memory that can be used again.
pub(crate) fn pass(cursor: &mut Cursor, from: Scheme, bytes: &[u8], scratch: &mut Vec<u8>) -> usize {
    if from == Scheme::Utf8 {
        cursor.pass_text(bytes);
        return bytes.len();
    }
    scratch.resize(SCRATCH, 0);
    let mut at = 0;
    while at < bytes.len() {
        let (read, written, stopped) = match from.transcode_partial(Scheme::Utf8, &bytes[at..], scratch) {
            Ok(progress) => (progress.read, progress.written, progress.read == 0),
            // One column, like any character.
            Err(error) if matches!(error.reason, Reason::UnrepresentableCodePoint { .. }) => {
                cursor.pass_text(&scratch[..error.written]);
                cursor.pass_text("\u{FFFD}".as_bytes());
                (error.read + code_point_len(from, &bytes[at + error.read..]), 0, false)
            }
            Err(error) => (error.read, error.written, true),
        };
        cursor.pass_text(&scratch[..written]);
        at += read;
        if stopped {
            break;
        }
    }
    at
}

/// A cursor behind the first `length` bytes of a file.
///
/// If the file has changed in the meantime, line and column are those of a text that is gone; if it has become
/// shorter, those of its new end.
pub(crate) fn cursor_at(file: &Arc<File>, from: Scheme, length: u64) -> io::Result<Cursor> {
    let rule = Rule { from, policy: Policy::default(), skip: 0, decode: None, traced: false, kept: false };
    let mut stream = StreamReader::new(Box::new(Reread::new(file, length)), &rule);
    let (mut cursor, mut window) = (Cursor::new(), Window::new(CHUNK));
    let mut scratch = Vec::new();
    loop {
        window.read_next(&mut stream, &rule)?;
        let passed = pass(&mut cursor, from, window.piece(), &mut scratch);
        if window.is_last() || passed < window.piece().len() {
            return Ok(cursor);
        }
    }
}
