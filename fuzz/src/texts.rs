//! Texts that are put together from pieces, for a fuzzer writes no Cyrillic by itself, and no thirty characters without an error.
//!
//! What is left of an input is the text, as it is; or a list of pieces: a stretch of one kind of text, something ill-formed, any
//! bytes, and now and then the whole once more. The stretches are cut out of texts that are made once.

use std::sync::OnceLock;

use crate::choices::Choices;
use crate::common::texts::{Class, ILL_FORMED, Rng};

/// Stretches are cut out of so many bytes.
const STOCK: usize = 4096;

/// A stretch of one kind of text, of up to `most` bytes.
fn stretch(choices: &mut Choices<'_>, most: usize) -> &'static str {
    static TEXTS: OnceLock<[String; 7]> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| Class::ALL.map(|class| class.text(STOCK, &mut Rng::new(1))));
    let text = &texts[usize::from(choices.byte()) % texts.len()];
    let from = text.floor_char_boundary(16 * usize::from(choices.byte()) % text.len());
    let to = text.floor_char_boundary((from + usize::from(choices.byte()) % (most + 1)).min(text.len()));
    &text[from..to]
}

/// A text in what looks like UTF-8: some hundred bytes mostly, `longest` at most.
pub fn utf8(mut choices: Choices<'_>, longest: usize) -> Vec<u8> {
    let way = choices.byte();
    if way < 0x80 {
        let rest = choices.rest();
        return rest[..rest.len().min(longest)].to_vec();
    }
    let most = if way < 0xF0 { 64 } else { 255 };
    let mut bytes = Vec::with_capacity(512);
    while !choices.is_empty() && bytes.len() < longest {
        match choices.byte() {
            0x00..0x60 => bytes.extend(stretch(&mut choices, most).bytes()),
            0x60..0xC0 => bytes.extend(choices.of(&ILL_FORMED)),
            0xC0..0xF8 => bytes.extend([choices.byte(), choices.byte(), choices.byte()]),
            _ if bytes.len() < 256 => bytes.extend_from_within(..),
            _ => {}
        }
    }
    bytes.truncate(longest);
    bytes
}

/// Well-formed text of the same pieces, of characters below `limit`.
pub fn characters(mut choices: Choices<'_>, limit: u32, longest: usize) -> impl Iterator<Item = char> {
    let mut text = String::with_capacity(512);
    while !choices.is_empty() && text.len() < longest {
        text.push_str(stretch(&mut choices, 64));
    }
    let low = move |character| char::from_u32(u32::from(character) % limit);
    text.chars().filter_map(low).collect::<Vec<_>>().into_iter()
}
