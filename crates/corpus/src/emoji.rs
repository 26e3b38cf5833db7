//! Emoji: four bytes each, and the three-byte glue between them.
//!
//! People send emoji in runs, with skin tones (four bytes as well), with the variation selector
//! that turns an old symbol into a picture (VS16, three bytes, after a three-byte symbol), and
//! in families held together by zero width joiners (three bytes). A space or a line feed ends a
//! run: the only ASCII there is.

use crate::random::Random;

/// Appends a line of emoji.
pub(crate) fn line(random: &mut Random, out: &mut String) {
    for run in 0..random.between(1, 6) {
        if run > 0 {
            out.push(' ');
        }
        for _ in 0..random.between(4, 20) {
            match random.weighted(&[820, 60, 60, 40, 20]) {
                0 => out.push(picture(random)),
                1 => {
                    // A hand, in one of the five skin tones.
                    out.push(random.char_in('\u{1F446}', '\u{1F450}'));
                    out.push(random.char_in('\u{1F3FB}', '\u{1F3FF}'));
                }
                2 => {
                    // An old symbol, shown as a picture.
                    out.push(random.char_of("☀☁☎☕☘☝☠☢☮☯☹☺♀♂♠♣♥♨♻⚓⚔⚖⚙⚛⚠⚡⚽✂✈✉✌✍✏✔✨❄❤➡⬅⭐"));
                    out.push('\u{FE0F}');
                }
                3 => {
                    // A person and what makes the profession, or a family.
                    for member in 0..random.between(2, 4) {
                        if member > 0 {
                            out.push('\u{200D}');
                        }
                        out.push(random.char_in('\u{1F466}', '\u{1F469}'));
                    }
                }
                _ => {
                    // A flag is two letters.
                    for _ in 0..2 {
                        out.push(random.char_in('\u{1F1E6}', '\u{1F1FF}'));
                    }
                }
            }
        }
    }
    out.push('\n');
}

/// One picture of the four-byte blocks, faces more often than things.
pub(crate) fn picture(random: &mut Random) -> char {
    match random.weighted(&[500, 220, 80, 200]) {
        0 => random.char_in('\u{1F600}', '\u{1F64F}'),
        1 => random.char_in('\u{1F400}', '\u{1F4FF}'),
        2 => random.char_in('\u{1F680}', '\u{1F6C5}'),
        _ => random.char_in('\u{1F910}', '\u{1F9FF}'),
    }
}
