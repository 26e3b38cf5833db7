//! The standard library's error for one of ours.
//!
//! `core::str::Utf8Error` has no constructor, and letting std check the whole input again would cost another pass. So std checks the
//! bytes of the sequence alone, which gives an error at offset 0, and the offset is then written into that error. Which word of the
//! error holds the offset is determined at compile time: the constant [`OFFSET`] looks for the word that changes `valid_up_to` and
//! nothing else. If a standard library has no such word, only speed is lost: then std checks a text that is made for this purpose,
//! with the error at the same offset.

use core::mem::MaybeUninit;
use core::str::Utf8Error as StdError;

use crate::unicode::IllFormed;

/// The error that std reports for the same text.
#[inline]
pub(crate) fn std_error(error: &IllFormed) -> StdError {
    let evidence = error.evidence();
    match OFFSET {
        Some(word) => displaced(core::str::from_utf8(evidence).err().unwrap_or(LONE_FF), word, error.at),
        None => made_up(evidence, error.at),
    }
}

/// The error for a text of `at` characters followed by the evidence.
#[cold]
#[inline]
fn made_up(evidence: &[u8], at: usize) -> StdError {
    #[cfg(feature = "alloc")]
    {
        let mut text = alloc::vec![b'a'; at];
        text.extend_from_slice(evidence);
        core::str::from_utf8(&text).err().unwrap_or(LONE_FF)
    }
    // Without an allocator, the offset is limited by the size of an array.
    #[cfg(not(feature = "alloc"))]
    {
        let mut text = [b'a'; 4096];
        let at = at.min(text.len() - evidence.len());
        let text = &mut text[..at + evidence.len()];
        text[at..].copy_from_slice(evidence);
        core::str::from_utf8(text).err().unwrap_or(LONE_FF)
    }
}

/// An error of std, at offset 0.
#[allow(invalid_from_utf8)] // Intended.
const LONE_FF: StdError = match core::str::from_utf8(FF) {
    Err(error) => error,
    Ok(_) => panic!("FF begins no character"),
};
const FF: &[u8] = &[0xFF];

/// The words of an error, if it consists of words.
const WORDS: usize = if align_of::<StdError>() == align_of::<usize>() {
    size_of::<StdError>() / size_of::<usize>()
} else {
    0
};

/// The index of the word of an error that holds its offset, if there is one. Any other word may become 1 without harm: it makes a
/// length `Some`, or sets the length to 1.
const OFFSET: Option<usize> = {
    let mut found = None;
    let mut word = 0;
    while word < WORDS {
        let moved = displaced(LONE_FF, word, 1);
        if moved.valid_up_to() == 1 && matches!(moved.error_len(), Some(1)) {
            found = Some(word);
        }
        word += 1;
    }
    found
};

/// `error`, whose offset is 0, with `at` in the word with the index `word`, which must be less than [`WORDS`].
#[inline]
const fn displaced(error: StdError, word: usize, at: usize) -> StdError {
    assert!(word < WORDS);
    let mut error = MaybeUninit::new(error);
    // SAFETY: the word is within the error and aligned. Either it is the offset, where any value is valid; or this is
    // the evaluation of the constant above, where the value is 1, which is valid in any field of the error.
    unsafe {
        error.as_mut_ptr().cast::<usize>().add(word).write(at);
        error.assume_init()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(invalid_from_utf8)]
    fn the_made_up_error_is_that_of_std() {
        for (text, at) in [(&b"\xFF"[..], 0), (b"ab\xE9\xBFc", 2), (b"rune\xF0\x9F", 4)] {
            let expected = core::str::from_utf8(text).unwrap_err();
            let error = crate::validate::<crate::unicode::Utf8>(text).unwrap_err();
            assert_eq!(made_up(error.evidence(), at), expected);
            assert_eq!(std_error(&error), expected);
        }
    }
}
