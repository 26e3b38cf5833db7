//! What is written for a character that the target has no form for, where something similar may be: `//TRANSLIT` of iconv.
//!
//! Latin letters, punctuation and signs become ASCII, as Unicode's rules Latin-ASCII have it and as the iconv of GNU does:
//! é is e, ß is ss, “ is ", € is EUR. The forms are those of `deunicode`. That knows one for nearly every character there is, but a
//! reading of Chinese is nothing that anyone asks for here; what is neither Latin nor a sign becomes a question mark.

/// The form in ASCII.
pub(crate) fn similar(character: char) -> &'static str {
    match character {
        // Where a word may be divided.
        '\u{AD}' => return "-",
        // Spaces and marks without a width.
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' => return "",
        _ => {}
    }
    let known = matches!(
        character,
        '\u{A0}'..='\u{24F}' // Latin
            | '\u{250}'..='\u{2FF}' // phonetic letters and signs
            | '\u{1D00}'..='\u{1DBF}'
            | '\u{1E00}'..='\u{1EFF}'
            | '\u{2000}'..='\u{206F}' // punctuation
            | '\u{2070}'..='\u{20CF}' // raised and lowered digits, currencies
            | '\u{2100}'..='\u{22FF}' // signs like letters, fractions, arrows, mathematics
            | '\u{2C60}'..='\u{2C7F}'
            | '\u{3000}' // the wide space
            | '\u{A720}'..='\u{A7FF}'
            | '\u{FB00}'..='\u{FB06}' // ligatures
            | '\u{FF01}'..='\u{FF5E}' // wide ASCII
    );
    let form = if known { deunicode::deunicode_char(character) } else { None };
    // A space is a space; what else ends with one has it for the next word.
    let form = form.map(|form| if form == " " { form } else { form.trim_end() });
    form.filter(|form| !form.is_empty() && form.is_ascii()).unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_becomes_ascii_and_the_rest_a_question_mark() {
        // What the iconv of GNU writes.
        for (character, form) in [
            ('é', "e"),
            ('ß', "ss"),
            ('Æ', "AE"),
            ('ø', "o"),
            ('“', "\""),
            ('”', "\""),
            ('’', "'"),
            ('–', "-"),
            ('…', "..."),
            ('€', "EUR"),
            ('ﬁ', "fi"),
            ('\u{A0}', " "),
            ('\u{202F}', " "),
            ('\u{2003}', " "),
            ('\u{3000}', " "),
            ('\u{AD}', "-"),
            ('\u{2011}', "-"),
            ('\u{200B}', ""),
            ('\u{2060}', ""),
            ('\u{FEFF}', ""),
            ('\u{2028}', "?"),
            ('\u{200D}', "?"),
            ('漢', "?"),
            ('я', "?"),
            ('🦀', "?"),
        ] {
            assert_eq!(similar(character), form, "{character}");
        }
    }
}
