//! Text messages of a WebSocket connection: fragmented anywhere, and refused at the earliest byte.
//!
//! RFC 6455 lets a message come in frames that are cut in the middle of a character, and wants a connection
//! to be failed as soon as a text message is found not to be UTF-8 (sections 5.6 and 8.1). An endpoint
//! that waits for the last frame lets itself be fed gigabytes of what it will throw away. Here each
//! frame is looked at once, when it comes; the state between frames is eight bytes.
//!
//!     cargo run --example websocket

use runecast::{IllFormed, Utf8, Validator};

/// A text message that is being received.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
    validator: Validator<Utf8>,
}

impl Message {
    /// Takes the payload of a frame, which may end anywhere; the whole message, if it was the last one.
    ///
    /// An error is the reason to close the connection with status 1007.
    fn frame(&mut self, payload: &[u8], last: bool) -> Result<Option<String>, IllFormed> {
        self.validator.push(payload)?;
        self.bytes.extend_from_slice(payload);
        if !last {
            return Ok(None);
        }
        self.validator.finish()?;
        let Message { bytes, .. } = std::mem::take(self);
        // It is checked once more, at the speed of memory: a promise to the compiler would need `unsafe`.
        runecast::from_utf8(&bytes).map(|text| Some(text.to_owned())).map_err(IllFormed::from)
    }

    /// What can be shown already of a message whose end is not there yet.
    fn so_far(&self) -> &str {
        let complete = self.validator.complete_prefix(&self.bytes);
        runecast::from_utf8(&self.bytes[..complete]).unwrap_or_default()
    }
}

fn main() {
    let mut message = Message::default();

    let frames = [&b"runes: \xE1"[..], b"\x9A", b"", b"\xB1\xE1\x9A\xA2"];
    for (number, payload) in frames.iter().enumerate() {
        match message.frame(payload, number + 1 == frames.len()) {
            Ok(None) => println!("so far: {:?}", message.so_far()),
            Ok(Some(text)) => println!("received: {text:?}"),
            Err(error) => println!("close 1007: {error}"),
        }
    }

    // A surrogate, known at its second byte; the rest of the frame is not looked at, nor any other.
    for payload in [&b"bad: \xED"[..], b"\xA0\x80 and a gigabyte more"] {
        match message.frame(payload, false) {
            Ok(_) => println!("so far: {:?}", message.so_far()),
            Err(error) => println!("close 1007: {error}"),
        }
    }
}
