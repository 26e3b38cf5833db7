//! In which encoding a text of unknown origin is.
//!
//! The text is read chunk by chunk, from JavaScript, as an explanation is, and only as far as more of it could change the
//! answer.

use runecast::Detector;

use crate::memory::{Memory, with};
use crate::source::more;

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// Writes what the text is, as JSON: `content` ("text", "mixed", "unknown", "binary"), `encoding` (a name, or null),
/// `confidence` and `evidence`. `whole` says that the text ends where the reader does; otherwise it is the beginning of one.
#[unsafe(no_mangle)]
extern "C" fn detect(whole: bool) {
    with(|Memory { output, .. }| {
        let mut detector = Detector::new();
        let mut buffer = vec![0; CHUNK];
        let mut ended = false;
        loop {
            let read = more(&mut buffer);
            if read == 0 {
                ended = true;
                break;
            }
            if detector.push(&buffer[..read]) {
                break;
            }
        }
        let found = if ended && whole { detector.finish() } else { detector.verdict() };
        let content = found.scheme().map_or_else(|| found.content.to_string(), |_| "text".to_owned());
        let encoding = found.scheme().map_or("null".to_owned(), |scheme| format!("\"{}\"", scheme.name()));
        let (confidence, evidence) = (found.confidence, found.evidence);
        // None of these has a character that JSON would have escaped.
        let object = format!(
            r#"{{"content":"{content}","encoding":{encoding},"confidence":{confidence},"evidence":"{evidence}"}}"#
        );
        output.extend_from_slice(object.as_bytes());
    });
}
