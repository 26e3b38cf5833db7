//! UTF-8, checked and repaired: the small module, behind `js/utf8.js`.
//!
//! It has two functions, and what they need of the library: neither another encoding nor a policy but that of the Web, and
//! no sentences. JavaScript hands the text over in windows, as to the large module.

use runecast::{Kind, Replacement, Utf8, repair as repaired, validate as check};

use crate::memory::{Field, Memory, with};

/// Whether `len` bytes are well-formed: 0, or 1 with [`Field::At`], [`Field::Len`] and the name of the rule in the output. If
/// more will follow, the beginning of a character at the end is not read.
#[unsafe(no_mangle)]
extern "C" fn validate(len: usize, last: bool) -> u32 {
    with(|Memory { input, output, .. }| {
        let src = &input[..len.min(input.len())];
        Field::Read.set(src.len());
        match check::<Utf8>(src) {
            Ok(()) => 0,
            Err(error) if error.is_incomplete() && !last => {
                Field::Read.set(error.at);
                0
            }
            Err(error) => {
                Field::At.set(error.at);
                Field::Len.set(error.len);
                output.extend_from_slice(error.kind.name().as_bytes());
                1
            }
        }
    })
}

/// Writes the text with U+FFFD for each maximal subpart of what is ill-formed, as browsers do. If more will follow, the beginning
/// of a character at the end is not read.
#[unsafe(no_mangle)]
extern "C" fn repair(len: usize, last: bool) {
    with(|Memory { input, output, answer, .. }| {
        let src = &input[..len.min(input.len())];
        let read = if last { src.len() } else { src.len() - incomplete(src) };
        Field::Read.set(read);
        match repaired::<Utf8>(&src[..read], Replacement::Whatwg) {
            std::borrow::Cow::Borrowed(_) => *answer = Some(read),
            std::borrow::Cow::Owned(text) => *output = text.into_bytes(),
        }
    });
}

/// How many bytes at the end are the beginning of a character.
fn incomplete(src: &[u8]) -> usize {
    // The last four bytes hold all of it, but may begin in the middle of another character.
    (1..=src.len().min(3))
        .rev()
        .find(|&len| {
            let end = &src[src.len() - len..];
            matches!(check::<Utf8>(end), Err(error) if error.at == 0 && error.kind == Kind::Incomplete)
        })
        .unwrap_or(0)
}
