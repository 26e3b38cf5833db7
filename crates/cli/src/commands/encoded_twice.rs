//! Whether a conversion encodes a text twice: it is read in an older encoding, and is UTF-8 already.
//!
//! That is how [mojibake](crate::pipeline::mojibake) comes into the world: `-f windows-1252 --in-place` is run on a directory in which some
//! files are converted already, or for a second time. No byte of UTF-8 is an error in such an encoding, so nothing fails. What comes out
//! is recognised as mojibake by the same rules as anywhere else, at the beginning of the text; and as it can be undone, it is said, and
//! done nevertheless: the encoding is what `-f` says.

use std::borrow::Cow;

use runecast::{Policy, Scheme};

use crate::io::name::Name;
use crate::pipeline::mojibake::undo;
use crate::pipeline::opened::Opened;
use crate::pipeline::route::Route;
use crate::pipeline::window::Window;
use crate::ui::console::{Console, Styles, push};

/// So much of a text is looked at.
const SAMPLE: usize = 16 * 1024;

/// Whether the text that begins with this window becomes mojibake.
pub(super) fn is_encoded_twice(input: &Opened<Route>, window: &Window) -> bool {
    if input.context.encode.is_some() || [Scheme::Latin1, Scheme::Ascii].contains(&input.context.to) {
        // An older encoding has not all that comes out, or what comes out is what went in.
        return false;
    }
    let piece = &window.piece()[..window.piece().len().min(SAMPLE)];
    let decoded = match (input.context.from, &input.decoding) {
        (Scheme::Utf8, Some(_)) => Cow::Borrowed(piece),
        (Scheme::Latin1, None) => {
            let mut decoded = Vec::new();
            Scheme::Latin1.transcode_lossy_append(Scheme::Utf8, piece, &mut decoded, Policy::default());
            Cow::Owned(decoded)
        }
        _ => return false,
    };
    // What is cut does not count: it would be half a character.
    let is_all = window.is_last() && piece.len() == window.piece().len();
    let end = if is_all { decoded.len() } else { decoded.iter().rposition(u8::is_ascii).unwrap_or(0) };
    str::from_utf8(&decoded[..end]).is_ok_and(|text| undo(text).is_some())
}

/// Says so.
pub(super) fn say(console: &mut Console, name: &Name, encoding: &str) {
    let Styles { strong, .. } = console.err_styles;
    push(
        &mut console.err,
        format_args!(
            "runecast: {strong}{name}{strong:#}: seems to be UTF-8 already, not {encoding}, and is encoded twice now; \
             `repair --mojibake` undoes that\n"
        ),
    );
}
