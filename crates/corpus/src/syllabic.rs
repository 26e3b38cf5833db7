//! Scripts whose words are built of syllables: Hindi, Thai, Korean.
//!
//! To a decoder all three are runs of three-byte characters; they differ in how often an ASCII
//! space comes between: after each word of some letters (Hindi, Korean), or only after a phrase
//! (Thai). Hindi and Thai hang vowel signs on consonants, Korean packs up to three letters into
//! one precomposed syllable.

use crate::alphabetic::{Alphabet, number};
use crate::random::Random;

/// Appends a paragraph of Hindi, ending its sentences with a danda.
pub(crate) fn hindi(random: &mut Random, out: &mut String) {
    let consonants = Alphabet::new(
        "क110 र100 न70 स68 त62 ह60 म55 प45 य45 ल42 व40 द38 ज30 ग28 ब26 च14 ख12 श20 थ14 ट14 \
         ध12 भ14 ड10 ष8 छ6 ण8 घ5 ठ5 फ5 झ2 ढ2",
    );
    let signs = Alphabet::new("ा240 े150 ि120 ी110 ो75 ं95 ्110 ु48 ै40 ू24 ँ14 ौ8 ृ5 ़8");
    let independent = Alphabet::new("अ30 इ22 उ16 आ18 ए22 औ12 ई10 ऐ3 ओ3");
    for _ in 0..random.between(2, 6) {
        for word in 0..random.between(6, 22) {
            if word > 0 {
                out.push_str(if random.per_mille(50) { ", " } else { " " });
            }
            if random.per_mille(15) {
                number(random, out);
                continue;
            }
            if random.per_mille(120) {
                out.push(independent.draw(random));
            }
            for _ in 0..=random.weighted(&[220, 400, 240, 100, 40]) {
                out.push(consonants.draw(random));
                if random.per_mille(620) {
                    out.push(signs.draw(random));
                }
            }
        }
        out.push_str(if random.per_mille(150) { "? " } else { "। " });
    }
    out.push('\n');
}

/// Appends a paragraph of Thai: phrases without spaces inside.
pub(crate) fn thai(random: &mut Random, out: &mut String) {
    let consonants = Alphabet::new(
        "น90 ร85 ก75 ง60 ม55 อ55 ย50 ท48 ว45 ส42 ต38 ด34 ล34 ค32 ห40 บ32 ป28 พ24 จ22 ข20 ช16 \
         ผ9 ถ9 ธ6 ศ9 ซ7 ณ7 ญ5 ภ6 ษ7 ฐ3 ฝ2 ฟ5 ฉ2 ฏ1 ฎ1 ฮ1",
    );
    let before = Alphabet::new("เ60 แ25 ไ20 โ14 ใ14");
    let above = Alphabet::new("า130 ั55 ิ50 ี60 ุ26 ู24 ื26 ะ30 ำ20 ึ14 ็12 ๆ2");
    let tones = Alphabet::new("่60 ้56 ์14 ๊1 ๋1");
    for _ in 0..random.between(3, 10) {
        for _ in 0..random.between(4, 24) {
            if random.per_mille(280) {
                out.push(before.draw(random));
            }
            out.push(consonants.draw(random));
            if random.per_mille(560) {
                out.push(above.draw(random));
            }
            if random.per_mille(230) {
                out.push(tones.draw(random));
            }
            if random.per_mille(450) {
                out.push(consonants.draw(random));
            }
        }
        if random.per_mille(120) {
            out.push(' ');
            number(random, out);
        }
        out.push(' ');
    }
    out.push('\n');
}

/// Appends a paragraph of Korean: words of precomposed syllables.
pub(crate) fn korean(random: &mut Random, out: &mut String) {
    // The weights of the letters in the order in which Unicode composes them (section 3.12):
    // 19 initials, 21 vowels, 28 finals of which the first is none.
    const INITIALS: [u16; 19] = [95, 9, 60, 80, 6, 70, 45, 40, 4, 90, 4, 190, 80, 3, 30, 10, 22, 16, 80];
    const VOWELS: [u16; 21] =
        [200, 45, 8, 1, 95, 60, 60, 6, 95, 16, 3, 12, 10, 70, 8, 3, 10, 12, 110, 12, 190];
    const FINALS: [u16; 28] =
        [480, 45, 1, 1, 150, 2, 8, 8, 105, 3, 1, 2, 1, 1, 1, 1, 45, 22, 6, 16, 30, 60, 3, 1, 1, 6, 5, 3];
    for _ in 0..random.between(2, 6) {
        let words = random.between(5, 18);
        for word in 0..words {
            if random.per_mille(20) {
                number(random, out);
            }
            for _ in 0..=random.weighted(&[70, 280, 330, 200, 80, 30]) {
                let (initial, vowel, last) =
                    (random.weighted(&INITIALS), random.weighted(&VOWELS), random.weighted(&FINALS));
                let syllable = 0xAC00 + (initial * 21 + vowel) * 28 + last;
                out.extend(u32::try_from(syllable).ok().and_then(char::from_u32));
            }
            if word + 1 < words {
                out.push_str(if random.per_mille(50) { ", " } else { " " });
            }
        }
        out.push_str(if random.per_mille(120) { "? " } else { ". " });
    }
    out.push('\n');
}
