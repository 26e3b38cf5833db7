//! Detection says the same however a text is cut, and nothing that std does not bear out.
//!
//! The bytes are as they come, or text as a scheme writes it, so that all ways through are gone.

use arbitrary::Arbitrary;
use runecast::{Content, Detector, Scheme, detect};

/// An input.
#[derive(Arbitrary, Debug)]
pub struct Input {
    bytes: Vec<u8>,
    /// A text in a scheme, in the place of the bytes.
    text: Option<(String, u8)>,
    /// It is perhaps repeated, so that more than the first page is looked at.
    times: u8,
    cuts: Vec<u16>,
}

impl Input {
    fn bytes(&self) -> Vec<u8> {
        let once: Vec<u8> = match &self.text {
            None => self.bytes.clone(),
            Some((text, which)) => match which % 5 {
                0 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                1 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
                2 => text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect(),
                3 => text.chars().map(|character| character as u8).collect(),
                _ => text.as_bytes().to_vec(),
            },
        };
        // Mostly as it is.
        once.repeat(if self.times < 240 { 1 } else { usize::from(self.times) })
    }
}

/// One execution.
pub fn run(input: Input) {
    let bytes = input.bytes();
    let found = detect(&bytes);
    assert!(found.confidence <= 100);
    assert!(!found.to_string().is_empty());

    // What it stands on, said by std.
    let text = std::str::from_utf8(&bytes);
    match found.content {
        Content::Text(Scheme::Ascii) => assert!(bytes.is_ascii()),
        Content::Text(Scheme::Utf8) => assert!(text.is_ok() || bytes.starts_with(b"\xEF\xBB\xBF")),
        Content::Text(Scheme::Latin1) | Content::Unknown => assert!(text.is_err()),
        _ => {}
    }
    if bytes.is_ascii() && bytes.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        assert_eq!((found.content, found.confidence), (Content::Text(Scheme::Ascii), 100));
    }

    // In chunks: the same, whatever is asked meanwhile.
    let mut detector = Detector::new();
    let (mut at, mut cuts) = (0, input.cuts.iter());
    while at < bytes.len() {
        let len = cuts.next().map_or(usize::MAX, |cut| usize::from(*cut)).min(bytes.len() - at);
        detector.push(&bytes[at..at + len]);
        let _ = detector.verdict();
        at += len;
    }
    assert!(detector.seen() <= bytes.len() as u64);
    assert_eq!(detector.finish(), found);
}
