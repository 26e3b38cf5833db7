//! Languages with an alphabet and spaces: English to Vietnamese, Greek, Russian, Arabic, Hebrew.
//!
//! A language is a table: how often each letter comes, how long the words are, how sentences are
//! punctuated. Letters are drawn one by one; no one will want to read the words, but their bytes
//! come in the proportions and the distances of the real thing.
//!
//! The letter frequencies are rounded from the well-known counts for each language, in some unit
//! that differs from table to table: only the proportions matter.

use crate::random::Random;

/// A language with an alphabet.
pub(crate) struct Language {
    /// The letters, each followed by its weight: `"e127 t91"`.
    letters: &'static str,
    /// The weights of the word lengths, from 1 up.
    lengths: &'static [u16],
    /// Words in a thousand that begin with a capital, beside those that begin a sentence.
    capitals: usize,
    /// Words in a thousand with a comma after them, and that comma.
    comma: (usize, &'static str),
    /// What ends a sentence; the first is four times as likely as each of the others.
    stops: &'static [&'static str],
    /// Words in a thousand that stand in quotes, and the quotes.
    quotes: (usize, &'static str, &'static str),
    /// Words in a thousand with a dash after them, and the dash with its spaces.
    dash: (usize, &'static str),
    /// Words in a thousand with an elided article before them, and its apostrophe.
    elision: (usize, &'static str),
    /// Words in a thousand that are numbers.
    numbers: usize,
}

impl Language {
    /// Appends a paragraph of some sentences, and a line feed.
    pub(crate) fn paragraph(&self, random: &mut Random, out: &mut String) {
        let alphabet = Alphabet::new(self.letters);
        for sentence in 0..random.between(2, 7) {
            if sentence > 0 {
                out.push(' ');
            }
            self.sentence_of(&alphabet, random, out);
        }
        out.push('\n');
    }

    /// Appends one sentence.
    pub(crate) fn sentence(&self, random: &mut Random, out: &mut String) {
        self.sentence_of(&Alphabet::new(self.letters), random, out);
    }

    /// Appends one word.
    pub(crate) fn word(&self, random: &mut Random, out: &mut String) {
        self.word_of(&Alphabet::new(self.letters), random, false, out);
    }

    fn sentence_of(&self, alphabet: &Alphabet, random: &mut Random, out: &mut String) {
        let words = random.between(4, 22);
        for word in 0..words {
            let last = word + 1 == words;
            if word > 0 && random.per_mille(self.numbers) {
                number(random, out);
            } else {
                let quoted = random.per_mille(self.quotes.0);
                let capital = word == 0 || random.per_mille(self.capitals);
                if quoted {
                    out.push_str(self.quotes.1);
                }
                if random.per_mille(self.elision.0) {
                    out.push(random.char_of("lldcsnqj"));
                    out.push_str(self.elision.1);
                }
                self.word_of(alphabet, random, capital, out);
                if quoted {
                    out.push_str(self.quotes.2);
                }
            }
            if last {
                let stop = random.below(self.stops.len() + 3).saturating_sub(3);
                out.push_str(self.stops[stop]);
            } else if random.per_mille(self.dash.0) {
                out.push_str(self.dash.1);
            } else {
                if random.per_mille(self.comma.0) {
                    out.push_str(self.comma.1);
                }
                out.push(' ');
            }
        }
    }

    fn word_of(&self, alphabet: &Alphabet, random: &mut Random, capital: bool, out: &mut String) {
        for letter in 0..=random.weighted(self.lengths) {
            let drawn = alphabet.draw(random);
            match drawn.to_uppercase().next() {
                Some(upper) if letter == 0 && capital => out.push(upper),
                _ => out.push(drawn),
            }
        }
    }
}

/// Appends a number, of one to four digits or with a fraction.
pub(crate) fn number(random: &mut Random, out: &mut String) {
    for _ in 0..random.between(1, 4) {
        out.push(random.char_in('0', '9'));
    }
    if random.per_mille(150) {
        out.push('.');
        out.push(random.char_in('0', '9'));
    }
}

/// Letters and their weights, taken from one of the tables below.
pub(crate) struct Alphabet {
    letters: Vec<char>,
    weights: Vec<u16>,
}

impl Alphabet {
    /// Reads a table: each letter with its weight in decimal after it, spaces between.
    pub(crate) fn new(table: &str) -> Alphabet {
        let entries = table.split_whitespace().filter_map(|entry| {
            let letter = entry.chars().next()?;
            let weight = entry[letter.len_utf8()..].parse::<u16>().ok()?;
            Some((letter, weight))
        });
        let (letters, weights) = entries.unzip();
        Alphabet { letters, weights }
    }

    /// A letter, as often as its weight says.
    pub(crate) fn draw(&self, random: &mut Random) -> char {
        self.letters.get(random.weighted(&self.weights)).copied().unwrap_or(' ')
    }
}

const ENGLISH_LETTERS: &str = "e127 t91 a82 o75 i70 n67 s63 h61 r60 d43 l40 c28 u28 m24 w24 f22 g20 y20 \
     p19 b15 v10 k8 j2 x2 q1 z1";

/// Word lengths of most languages with spaces: short words often, long ones with a tail.
const LENGTHS: &[u16] = &[30, 150, 190, 160, 120, 95, 80, 65, 45, 30, 18, 9, 5, 3];
/// Longer words, with endings and compounds.
const LONG: &[u16] = &[25, 90, 130, 120, 130, 120, 110, 90, 70, 50, 32, 20, 10, 6, 3];

/// English words with everything that ASCII has to offer.
pub(crate) const ASCII: Language = Language {
    letters: ENGLISH_LETTERS,
    lengths: LENGTHS,
    capitals: 60,
    comma: (70, ","),
    stops: &[".", "?", "!", ":", ";"],
    quotes: (20, "\"", "\""),
    dash: (15, " - "),
    elision: (10, "'"),
    numbers: 50,
};

pub(crate) const ENGLISH: Language = Language {
    letters: ENGLISH_LETTERS,
    lengths: LENGTHS,
    capitals: 50,
    comma: (60, ","),
    stops: &[".", "?", "!"],
    quotes: (10, "\"", "\""),
    dash: (4, " — "),
    elision: (10, "'"),
    numbers: 12,
};

pub(crate) const FRENCH: Language = Language {
    letters: "e139 s79 a76 i75 t72 n71 r66 u63 o58 l55 d37 c33 m30 p30 é28 v16 q14 f11 b9 g9 à8 h7 j6 è5 \
     ê4 x4 y3 z3 ç2 k1 w1 ô1 û1 ù1 â1 î1 œ1",
    lengths: LENGTHS,
    capitals: 40,
    comma: (70, ","),
    stops: &[".", "\u{A0}!", "\u{A0}?"],
    quotes: (8, "«\u{A0}", "\u{A0}»"),
    dash: (5, " – "),
    elision: (35, "’"),
    numbers: 12,
};

pub(crate) const GERMAN: Language = Language {
    letters: "e164 n98 i73 s73 r70 a65 t62 d51 h48 u42 l34 g30 c28 o26 m25 b19 w19 f17 k12 z11 ü10 p8 v7 ä6 \
     ö4 ß3 j3 y1 x1 q1",
    lengths: LONG,
    capitals: 280,
    comma: (80, ","),
    stops: &[".", "!", "?"],
    quotes: (10, "„", "“"),
    dash: (8, " – "),
    elision: (0, ""),
    numbers: 12,
};

pub(crate) const CZECH: Language = Language {
    letters: "o87 e77 n65 a62 t57 v47 s45 i44 l38 k37 r37 d36 p34 í33 m32 u31 á22 z22 j21 y19 ě16 c16 b16 h13 \
     é13 ř12 ý11 ž10 č10 š8 ů7 f3 g3 ó1 ú1 ň1 ť1 ď1 x1",
    lengths: LONG,
    capitals: 50,
    comma: (90, ","),
    stops: &[".", "!", "?"],
    quotes: (8, "„", "“"),
    dash: (8, " – "),
    elision: (0, ""),
    numbers: 12,
};

pub(crate) const TURKISH: Language = Language {
    letters: "a119 e89 i86 n75 r67 l59 ı48 k47 d47 m38 t33 y33 u32 s30 b28 o25 ü18 ş17 z15 g12 ç11 h12 ğ11 \
     v10 c10 p9 ö8 f5 j1",
    lengths: LONG,
    capitals: 60,
    comma: (70, ","),
    stops: &[".", "!", "?"],
    quotes: (12, "“", "”"),
    dash: (4, " – "),
    elision: (15, "’"),
    numbers: 12,
};

pub(crate) const VIETNAMESE: Language = Language {
    letters: "n110 h75 t65 i60 c60 g55 a40 u30 m28 o28 l25 r22 b22 v22 k20 s18 p16 d15 e12 y12 q5 x5 \
     đ24 à20 á18 ô18 ư16 ê12 â12 ó10 ă8 ơ8 ì7 í7 ú7 ã5 ò5 ù5 é3 è3 ý3 õ1 ĩ1 ũ1 \
     ạ12 ế12 ộ12 ả10 ợ9 ấ9 ể9 ệ9 ị9 ủ9 ề8 ậ8 ớ8 ự8 ố8 ầ7 ứ6 ữ6 ờ6 ụ6 ồ5 ở5 ọ5 ặ5 ừ4 ắ4 ỉ4 ử3 ỏ3 ổ3 ằ3 \
     ẩ2 ẽ2 ễ2 ẫ2 ẻ1 ẹ1 ỗ1 ỳ1 ỹ1 ẳ1 ỵ1",
    lengths: &[40, 250, 350, 250, 80, 30],
    capitals: 70,
    comma: (50, ","),
    stops: &[".", "!", "?"],
    quotes: (5, "“", "”"),
    dash: (4, " – "),
    elision: (0, ""),
    numbers: 12,
};

pub(crate) const GREEK: Language = Language {
    letters: "α110 ο95 ι85 ε80 τ78 ν70 σ45 ς45 η45 υ42 ρ42 π40 κ40 μ34 λ30 ί20 ό20 ω18 γ18 δ18 ά18 έ16 ή14 \
     θ12 χ12 ύ10 φ9 ώ8 β7 ξ5 ζ4 ψ2",
    lengths: LENGTHS,
    capitals: 40,
    comma: (60, ","),
    stops: &[".", "!", ";"],
    quotes: (8, "«", "»"),
    dash: (4, " – "),
    elision: (0, ""),
    numbers: 12,
};

pub(crate) const RUSSIAN: Language = Language {
    letters: "о110 е85 а80 и74 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 \
     х10 ж9 ш7 ю6 ц5 щ4 э3 ф3 ъ1 ё1",
    lengths: LONG,
    capitals: 40,
    comma: (100, ","),
    stops: &[".", "!", "?"],
    quotes: (8, "«", "»"),
    dash: (10, " — "),
    elision: (0, ""),
    numbers: 12,
};

pub(crate) const ARABIC: Language = Language {
    letters: "ا130 ل110 ي70 م65 و60 ن55 ر50 ت45 ب40 ع38 د35 ه32 س30 ف28 ق25 ك23 ة22 ح20 أ18 ج15 ش12 ص11 ط10 \
     خ10 ى8 إ8 ض7 ث6 ز6 ذ5 ئ4 غ4 ء4 ظ2 آ2 ؤ2",
    lengths: &[10, 110, 160, 190, 180, 150, 100, 55, 25, 10],
    capitals: 0,
    comma: (50, "،"),
    stops: &[".", "؟", "!"],
    quotes: (6, "«", "»"),
    dash: (2, " – "),
    elision: (0, ""),
    numbers: 12,
};

pub(crate) const HEBREW: Language = Language {
    letters: "י110 ו105 ה90 ל75 א65 ר60 מ55 ת50 ב48 ש45 נ38 ע33 ם30 ד27 ק23 ח23 כ22 פ20 ס15 ט13 ג12 ן12 ז11 \
     צ11 ך8 ף3 ץ2",
    lengths: &[5, 150, 220, 240, 190, 110, 55, 20, 8],
    capitals: 0,
    comma: (60, ","),
    stops: &[".", "?", "!"],
    quotes: (10, "\"", "\""),
    dash: (4, " – "),
    elision: (0, ""),
    numbers: 12,
};
