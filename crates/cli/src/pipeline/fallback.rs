//! The lines of a text that are not UTF-8, read in an older encoding.
//!
//! Programs with different encodings write to one file: a log, or a table to which exports were appended. Each line is then in one
//! encoding, and a line that is ill-formed as UTF-8 is in the older one, as a whole. To go by each ill-formed sequence, as an escape does,
//! is to mistake some characters of such a line: `É»` in windows-1252 has the bytes C9 BB, which are well-formed UTF-8 for another letter.
//! The other way round nothing can be told: a line in an older encoding that is well-formed UTF-8 by accident, as a whole, stays UTF-8.
//! That is rare where a line has several letters outside of ASCII.

use encoding_rs::Encoding;
use runecast::{Policy, Scheme};

/// An older encoding that contains ASCII.
#[derive(Clone, Copy)]
pub(crate) enum Fallback {
    /// ISO 8859-1, which has a character for each byte.
    Latin1,
    /// One of those of the web.
    Legacy(&'static Encoding),
}

impl Fallback {
    /// Appends a line in UTF-8. Whether all of it is characters of the encoding; there is U+FFFD for what is not.
    pub(crate) fn decode(self, line: &[u8], text: &mut Vec<u8>) -> bool {
        match self {
            Fallback::Latin1 => {
                Scheme::Latin1.transcode_lossy_append(Scheme::Utf8, line, text, Policy::default());
                true
            }
            Fallback::Legacy(encoding) => {
                let (decoded, malformed) = encoding.decode_without_bom_handling(line);
                text.extend_from_slice(decoded.as_bytes());
                !malformed
            }
        }
    }
}
