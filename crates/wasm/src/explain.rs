//! The explanation, as JSON.
//!
//! The text is read chunk by chunk, from JavaScript, so that a long one does not have to be in this memory.

use runecast_explain::{Limits, Stretch, Summary, explain as stretches};

use crate::memory::{Memory, with};
use crate::source::more;

/// Explains a text: as a whole up to `whole` bytes, or else so many stretches of it. The output is an object with the
/// members `stretches`, `more`, `status` and `bytes_read`, as the README of the command line describes them.
#[unsafe(no_mangle)]
extern "C" fn explain(whole: usize, limit: usize) {
    with(|Memory { output, .. }| {
        let mut summary = Summary::default();
        let limits = Limits { whole, stretches: limit };
        output.extend_from_slice(br#"{"stretches":["#);
        let mut told = 0;
        let mut tell = |stretch: &Stretch| {
            if told > 0 {
                output.push(b',');
            }
            told += 1;
            let written = serde_json::to_writer(&mut *output, stretch);
            debug_assert!(written.is_ok(), "a Vec takes everything, and nothing here has odd keys");
            true
        };
        let read = &mut |buffer: &mut [u8]| Ok(more(buffer));
        let done = stretches(read, limits, &mut summary, &mut tell);
        debug_assert!(done.is_ok(), "reading cannot fail");
        let status = if summary.ill_formed { "ill-formed" } else { "well-formed" };
        let Summary { more, bytes, .. } = summary;
        let end = format!(r#"],"more":{more},"status":"{status}","bytes_read":{bytes}}}"#);
        output.extend_from_slice(end.as_bytes());
    });
}
