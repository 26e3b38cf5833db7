//! Chinese and Japanese: three-byte characters one after the other, punctuation included.
//!
//! Half of a Chinese text consists of some two hundred characters; the rest is spread over
//! thousands. Both parts are drawn: from a list of frequent characters, and from the block where
//! the others are. Japanese is kana for the grammar and kanji for the words, with katakana runs
//! for borrowed ones. ASCII is left to line feeds, and a number or a Latin word here and there.

use crate::alphabetic::{ENGLISH, number};
use crate::random::Random;

/// Some of the most frequent characters.
const FREQUENT: &str = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自\
    之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只\
    从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政";

/// A character: one of the frequent ones, or any of the common block.
fn han(random: &mut Random) -> char {
    if random.per_mille(600) { random.char_of(FREQUENT) } else { random.char_in('\u{4E00}', '\u{9F9F}') }
}

/// Now and then something in ASCII: a year, a price, a name.
fn ascii(random: &mut Random, out: &mut String) {
    if random.per_mille(6) {
        if random.per_mille(750) {
            number(random, out);
        } else {
            ENGLISH.word(random, out);
        }
    }
}

/// Appends a paragraph of Chinese.
pub(crate) fn chinese(random: &mut Random, out: &mut String) {
    for _ in 0..random.between(2, 7) {
        let phrases = random.between(1, 5);
        for phrase in 0..phrases {
            let quoted = random.per_mille(60);
            if quoted {
                out.push('“');
            }
            for _ in 0..random.between(3, 14) {
                out.push(han(random));
                ascii(random, out);
            }
            if quoted {
                out.push('”');
            }
            out.push(if phrase + 1 < phrases {
                random.char_of("，，，，，、")
            } else {
                random.char_of("。。。。。？！")
            });
        }
    }
    out.push('\n');
}

/// Appends a paragraph of Japanese.
pub(crate) fn japanese(random: &mut Random, out: &mut String) {
    for _ in 0..random.between(2, 6) {
        let phrases = random.between(1, 4);
        for phrase in 0..phrases {
            for _ in 0..random.between(2, 6) {
                if random.per_mille(150) {
                    for _ in 0..random.between(2, 6) {
                        out.push(random.char_in('ァ', 'ー'));
                    }
                } else {
                    for _ in 0..random.between(1, 3) {
                        out.push(han(random));
                    }
                }
                for _ in 0..random.between(1, 4) {
                    out.push(random.char_of(
                        "のにはをたがでてとしれさいるかなもんらこりあきすくまったえよそけどっばせみわめちろほ",
                    ));
                }
                ascii(random, out);
            }
            out.push(if phrase + 1 < phrases { '、' } else { random.char_of("。。。。。。？」") });
        }
    }
    out.push('\n');
}
