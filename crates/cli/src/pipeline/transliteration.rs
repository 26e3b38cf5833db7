//! What is written for a character that the target has no form for, where something similar may be: `//TRANSLIT` of iconv.
//!
//! Latin letters, punctuation and signs become ASCII, as Unicode's rules Latin-ASCII have it and as the iconv of GNU does:
//! é is e, ß is ss, “ is ", € is EUR; an accent that is a character by itself, as in text that is decomposed, is left out. Most forms are
//! those of `deunicode`. That knows one for nearly every character there is, but a reading of Chinese is nothing that anyone asks for here,
//! and what is neither Latin nor a sign becomes a question mark.
//!
//! A form must not say something else. To `deunicode`, which is for names in addresses, ≠ and ≡ are =, every arrow is -, and £ is PS. So amounts
//! of money, fractions, arrows and mathematics have [forms of their own](exact), and what has none among arrows and mathematics is a question mark.

/// The form in ASCII.
pub(crate) fn similar(character: char) -> &'static str {
    if let Some(form) = exact(character) {
        return form;
    }
    let known = matches!(
        character,
        '\u{A0}'..='\u{24F}' // Latin
            | '\u{250}'..='\u{2FF}' // phonetic letters and signs
            | '\u{1D00}'..='\u{1DBF}'
            | '\u{1E00}'..='\u{1EFF}'
            | '\u{2000}'..='\u{206F}' // punctuation
            | '\u{2070}'..='\u{20CF}' // raised and lowered digits, currencies
            | '\u{2100}'..='\u{218F}' // signs like letters, fractions
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

/// Forms that say what the character does, where others would not.
fn exact(character: char) -> Option<&'static str> {
    Some(match character {
        // Where a word may be divided.
        '\u{AD}' => "-",
        // Spaces, marks and operators without a width.
        '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' => "",
        // Accents behind their letters; but not strokes through them, which mostly mean "not".
        '\u{300}'..='\u{333}' | '\u{339}'..='\u{36F}' => "",
        '¤' => "?",
        '¢' => "c",
        '£' => "GBP",
        '¥' => "JPY",
        '₡' => "CRC",
        '₦' => "NGN",
        '₩' => "KRW",
        '₪' => "ILS",
        '₫' => "VND",
        '₭' => "LAK",
        '₮' => "MNT",
        '₱' => "PHP",
        '₲' => "PYG",
        '₴' => "UAH",
        '₵' => "GHS",
        '₸' => "KZT",
        '₹' => "INR",
        '₺' => "TRY",
        '₼' => "AZN",
        '₽' => "RUB",
        '₾' => "GEL",
        '₿' => "BTC",
        // Not 11/2 for one and a half.
        '¼' => " 1/4",
        '½' => " 1/2",
        '¾' => " 3/4",
        '‰' => " 0/00",
        '‱' => " 0/000",
        '©' => "(C)",
        '®' => "(R)",
        '™' => "(TM)",
        '℠' => "(SM)",
        'ℹ' => "i",
        'Ŋ' => "N",
        'ŋ' => "n",
        'Ə' | 'Ǝ' => "E",
        'ə' | 'ǝ' => "e",
        '←' => "<-",
        '→' => "->",
        '↔' => "<->",
        '⇐' => "<=",
        '⇒' => "=>",
        '⇔' => "<=>",
        '−' => "-",
        '∓' => "-+",
        '∕' => "/",
        '∖' => "\\",
        '∗' | '⋅' | '∙' => "*",
        '√' => "sqrt",
        '∞' => "inf",
        '∣' => "|",
        '∥' => "||",
        '∶' => ":",
        '∷' => "::",
        // (To some ~= is "not equal".)
        '∼' | '≈' => "~",
        '≔' => ":=",
        '≕' => "=:",
        '≠' => "!=",
        '≡' => "==",
        '≢' => "!==",
        '≤' | '≦' => "<=",
        '≥' | '≧' => ">=",
        '≪' => "<<",
        '≫' => ">>",
        '≮' => "!<",
        '≯' => "!>",
        '≰' => "!<=",
        '≱' => "!>=",
        '⋘' => "<<<",
        '⋙' => ">>>",
        '⋯' => "...",
        _ => return None,
    })
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
            ('ŋ', "n"),
            ('“', "\""),
            ('”', "\""),
            ('’', "'"),
            ('–', "-"),
            ('…', "..."),
            ('€', "EUR"),
            ('£', "GBP"),
            ('¥', "JPY"),
            ('¢', "c"),
            ('₹', "INR"),
            ('©', "(C)"),
            ('®', "(R)"),
            ('™', "(TM)"),
            ('→', "->"),
            ('←', "<-"),
            ('↔', "<->"),
            ('⇒', "=>"),
            ('≠', "!="),
            ('≤', "<="),
            ('≮', "!<"),
            ('ﬁ', "fi"),
            ('\u{301}', ""),
            ('\u{A0}', " "),
            ('\u{202F}', " "),
            ('\u{2003}', " "),
            ('\u{3000}', " "),
            ('\u{AD}', "-"),
            ('\u{2011}', "-"),
            ('\u{200B}', ""),
            ('\u{2060}', ""),
            ('\u{2062}', ""),
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

    /// What has no form that says the same has none.
    #[test]
    fn nothing_becomes_something_else() {
        for character in ['∉', '∄', '∨', '∑', '⊥', '≉', '≆', '↛', '⇏', '↑', '\u{338}'] {
            assert_eq!(similar(character), "?", "{character}");
        }
        for (character, form) in [('½', " 1/2"), ('⅓', " 1/3"), ('⅞', " 7/8"), ('‰', " 0/00")] {
            assert_eq!(similar(character), form, "{character}");
        }
        let forms: Vec<&str> = ('\u{2190}'..='\u{22FF}').map(similar).filter(|form| *form != "?").collect();
        let mut distinct = forms.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // Three for a product, two each for "at most", "at least" and "about"; and ⇐ looks like the first of these.
        assert_eq!(forms.len() - distinct.len(), 6, "{forms:?}");
    }
}
