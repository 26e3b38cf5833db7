//! How many bytes a code point takes, for errors that have to be shown or passed over.

use runecast::Scheme;

/// The bytes of the code point at the start of `text`, which is well-formed there though no character: a
/// surrogate, or a code point above U+10FFFF.
pub(crate) fn code_point_len(scheme: Scheme, text: &[u8]) -> usize {
    (1..text.len().min(6))
        .find(|length| scheme.validate(&text[..*length]).is_ok())
        .unwrap_or(text.len().min(6))
}

/// The bytes that a character takes; none if it has no form there.
pub(crate) fn encoded_len(scheme: Scheme, character: char) -> usize {
    let mut text = [0; 4];
    let text = character.encode_utf8(&mut text).as_bytes();
    Scheme::Utf8.transcode_partial(scheme, text, &mut [0; 8]).map_or(0, |progress| progress.written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_forms() {
        use Scheme::*;
        for (scheme, lengths) in [
            (Utf8, [1, 1, 2, 3, 4]),
            (Utf16Le, [2, 2, 2, 2, 4]),
            (Wtf16Be, [2, 2, 2, 2, 4]),
            (Utf32Be, [4, 4, 4, 4, 4]),
            (Latin1, [1, 1, 1, 0, 0]),
            (Ascii, [1, 1, 0, 0, 0]),
            (Cesu8, [1, 1, 2, 3, 6]),
            (WobblyMutf8, [2, 1, 2, 3, 6]),
            (CorrectedUtf8, [1, 1, 2, 3, 4]),
        ] {
            assert_eq!(['\0', 'a', 'é', '漢', '🦀'].map(|c| encoded_len(scheme, c)), lengths, "{scheme}");
        }
        for scheme in Scheme::ALL {
            assert_eq!(scheme.mark().len(), encoded_len(scheme, '\u{FEFF}'), "{scheme}");
        }
    }
}
