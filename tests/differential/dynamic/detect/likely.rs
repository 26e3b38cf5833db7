//! Texts that could be something else by chance: short ones, those in encodings that runecast does not have, and damaged ones.
//!
//! How often they may be taken for something else is a rate with a floor, which `--nocapture` prints, or none may.

use super::{UNICODE, encode, expected, old, sample};
use crate::common::scale;
use runecast::{Content, Detection, Scheme, detect};
use runecast_corpus::{Random, Script, generate};

/// Without evidence the answer is no better than another one.
#[test]
fn without_evidence_nothing_is_likely() {
    let numbers: Vec<u8> = (0..3).flat_map(|_| 0..0x20).collect();
    let one = b"x\xFF".to_vec();
    for bytes in [numbers, one, encode("中文書", Scheme::Utf16Le)] {
        let found = detect(&bytes);
        assert!(found.confidence <= 50, "{bytes:02X?}: {found}");
    }
    // Ten characters of an older encoding.
    for (text, encoding) in [
        ("съешьещёэтих", encoding_rs::KOI8_R),
        ("СЪЕШЬЕЩЁЭТИХ", encoding_rs::KOI8_R),
        ("съешьещёэтих", encoding_rs::WINDOWS_1251),
        ("日本語漢字表記文書", encoding_rs::SHIFT_JIS),
        ("ひらがなとカタカナ", encoding_rs::SHIFT_JIS),
        ("日本語のテキスト文", encoding_rs::EUC_JP),
        ("汉字编码的文本文件", encoding_rs::GBK),
        ("한글텍스트파일이름", encoding_rs::EUC_KR),
    ] {
        let found = detect(&old(text, encoding));
        let likely = found.scheme().is_some() && found.confidence > 50;
        assert!(!likely, "{text} in {}: {found}", encoding.name());
    }
    // With evidence it is.
    for text in ["Grüße", "Привет", "ελληνικά", "日本語のテキスト", "한글 텍스트, 그리고", "ไทยภาษา"]
    {
        for scheme in [Scheme::Utf16Le, Scheme::Utf16Be] {
            let found = detect(&encode(text, scheme));
            assert!(found.scheme() == Some(scheme) && found.confidence > 50, "{text}: {found}");
        }
    }
}

/// Encodings that are not known here must not pass for others.
#[test]
fn foreign_encodings_are_unknown() {
    for (script, encoding) in [
        (Script::Cyrillic, encoding_rs::KOI8_R),
        (Script::Cyrillic, encoding_rs::WINDOWS_1251),
        (Script::Cyrillic, encoding_rs::ISO_8859_5),
        (Script::Cyrillic, encoding_rs::IBM866),
        (Script::Greek, encoding_rs::WINDOWS_1253),
        (Script::Hebrew, encoding_rs::WINDOWS_1255),
        (Script::Arabic, encoding_rs::WINDOWS_1256),
        (Script::Thai, encoding_rs::WINDOWS_874),
        (Script::Japanese, encoding_rs::SHIFT_JIS),
        (Script::Japanese, encoding_rs::EUC_JP),
        (Script::Chinese, encoding_rs::GBK),
        (Script::Chinese, encoding_rs::BIG5),
        (Script::Korean, encoding_rs::EUC_KR),
    ] {
        let (mut all, mut wrong) = (0, 0);
        for seed in 0..scale::size(20, 3, 1) as u64 {
            let bytes = old(&generate(script, 20_000, seed), encoding);
            for length in [64, 256, 1000, 5000] {
                let found = sample(&bytes[..length]);
                all += 1;
                if found.content != Content::Unknown {
                    println!("{script} in {}, {length} bytes: {found}", encoding.name());
                    wrong += 1;
                    // A mistake has to be a guess.
                    assert!(found.confidence < 90, "{script} in {}: {found}", encoding.name());
                }
            }
        }
        assert!(wrong * 20 <= all, "{script} in {}: {wrong} of {all}", encoding.name());
    }
}

/// How often ideographs and Hangul without a mark are taken for UTF-16 in the other byte order, where some are so by chance.
///
/// Of all pieces in any run: of a few hundred, chance decides.
#[test]
#[cfg_attr(miri, ignore = "too many")]
fn the_byte_order_of_ideographs_is_known() {
    for (length, most) in [(16, 0.04), (32, 0.005), (64, 0.0)] {
        for script in [Script::Chinese, Script::Japanese, Script::Korean] {
            let text = generate(script, 200_000, 11);
            for (scheme, other) in [(Scheme::Utf16Le, Scheme::Utf16Be), (Scheme::Utf16Be, Scheme::Utf16Le)] {
                let bytes = encode(&text, scheme);
                let pieces = (0..bytes.len() - length).step_by(2 * 31);
                let all = pieces.clone().count();
                let wrong = pieces
                    .filter(|start| sample(&bytes[*start..*start + length]).scheme() == Some(other))
                    .count();
                let rate = f64::from(wrong as u32) / f64::from(all as u32);
                assert!(rate <= most, "{script} {scheme}, {length} bytes: {wrong} of {all}");
            }
        }
    }
}

/// How often beginnings of all lengths are taken for what they are.
#[test]
fn short_texts_are_mostly_what_they_are() {
    let lengths = [4, 8, 16, 32, 64, 128, 256, 1024];
    let floors = [0.97, 0.98, 0.985, 0.99, 1.0, 1.0, 1.0, 1.0];
    let texts = Script::ALL.map(|script| generate(script, 200_000, 11));
    let texts = texts.map(|text| (UNICODE.map(|scheme| encode(&text, scheme)), text));
    for (length, floor) in lengths.into_iter().zip(floors) {
        let (mut all, mut right) = (0, 0);
        for (script, (forms, text)) in Script::ALL.into_iter().zip(&texts) {
            for (scheme, bytes) in UNICODE.into_iter().zip(forms) {
                // Texts begin where words do.
                let unit = encode("a", scheme).len();
                let starts = (0..bytes.len() - length).step_by(unit * 997 * scale::step(3, 11));
                for start in starts.filter(|start| scheme != Scheme::Utf8 || text.is_char_boundary(*start)) {
                    let bytes = &bytes[start..start + length];
                    let found = sample(bytes);
                    all += 1;
                    let good = found.scheme() == Some(expected(scheme, bytes));
                    right += usize::from(good);
                    if !good && (found.confidence >= 90 || length >= 64) {
                        println!("{script} {scheme} {length}: {found}");
                    }
                }
            }
        }
        let rate = f64::from(right as u32) / f64::from(all);
        println!("{length:>5} bytes: {right} of {all} right, {:.2} %", 100.0 * rate);
        assert!(rate >= floor, "{length} bytes: {right} of {all}");
    }
}

/// The same for Western texts in one byte a character, where a letter above 7F is among them.
#[test]
fn western_texts_in_one_byte_are_latin1() {
    for (length, floor) in [(16, 0.96), (32, 0.98), (64, 0.99), (256, 1.0), (1000, 1.0), (4000, 1.0)] {
        let (mut all, mut right) = (0, 0);
        for script in [Script::French, Script::German] {
            let bytes = old(&generate(script, 300_000, 12), encoding_rs::WINDOWS_1252);
            for bytes in bytes.chunks_exact(length).step_by(3).filter(|bytes| !bytes.is_ascii()) {
                let found = sample(bytes);
                all += 1;
                right += usize::from(found.scheme() == Some(Scheme::Latin1));
            }
        }
        let rate = f64::from(right as u32) / f64::from(all);
        println!("{length:>5} bytes: {right} of {all} right, {:.2} %", 100.0 * rate);
        assert!(rate >= floor, "{length} bytes: {right} of {all}");
    }
}

/// Whether UTF-16 or UTF-32 is the answer, and more than a possibility.
fn is_likely_wide(found: &Detection) -> bool {
    found.confidence > 50 && UNICODE[1..].iter().any(|scheme| found.scheme() == Some(*scheme))
}

/// The words of a text, so many on a line.
fn lines(text: &str, on_a_line: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.chunks(on_a_line).map(|line| line.join(" ") + "\n").collect()
}

/// Where the character at `at`, or before, begins.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Ends of lines before and behind letters of UTF-8 are Gujarati in UTF-16, and the letters are Hangul.
#[test]
fn ill_formed_utf8_is_not_utf16() {
    let dialogue = "как ваши дела\nспасибо хорошо\nа что у вас нового\nничего нового\nдо встречи\n\
                    позвоните мне завтра\nхорошо договорились\nпередавайте привет\nдо свидания\n\
                    обязательно передам\n";
    let mut texts = vec![("dialogue".to_owned(), dialogue.to_owned())];
    for script in [
        Script::French,
        Script::Cyrillic,
        Script::Greek,
        Script::Hebrew,
        Script::Arabic,
        Script::Hindi,
        Script::Thai,
        Script::Japanese,
        Script::Chinese,
        Script::Korean,
    ] {
        let text = generate(script, 6000, 7);
        for words in [1, 2, 5] {
            texts.push((format!("{script}, {words} words on a line"), lines(&text, words)));
        }
        texts.push((format!("{script}, without lines"), text.replace('\n', " ")));
        texts.push((format!("{script}, ends of lines of Windows"), lines(&text, 1).replace('\n', "\r\n")));
        texts.push((script.to_string(), text));
    }
    let mut random = Random::new(3);
    let mut all = 0;
    for (name, text) in &texts {
        for length in [40, 60, 120, 300, 1000, 4000, 6000] {
            for round in 0..scale::size(30, 9, 3) {
                let length = length.min(text.len());
                let start = boundary(text, random.between(0, text.len() - length));
                let end = boundary(text, start + length);
                let mut bytes = text.as_bytes()[start..end].to_vec();
                let at = random.between(0, bytes.len() - 1);
                let at = bytes[at..].iter().position(|byte| *byte > 0x7F).map_or(at, |next| at + next);
                match round % 3 {
                    0 => bytes.insert(at, 0xFF),
                    1 => bytes[at] = 0xFF,
                    _ => _ = bytes.remove(at),
                }
                let sequences = bytes.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
                let sequences = sequences.filter(|character| !character.is_ascii()).count();
                for found in [detect(&bytes), sample(&bytes)] {
                    assert!(!is_likely_wide(&found), "{name}, {length} bytes: {found}");
                    // (It may be cut where it is damaged, and be well-formed to there.)
                    let utf8 = found.content == Content::Mixed || found.scheme() == Some(Scheme::Utf8);
                    assert!(utf8 || sequences < 4 || bytes.is_ascii(), "{name}, {length} bytes: {found}");
                }
                all += 1;
            }
        }
    }
    println!("{all} texts");
}

/// Two spaces, or a space and a capital, are punctuation in UTF-16, and other pairs of ASCII are ideographs.
#[test]
fn old_text_of_ascii_is_not_utf16() {
    let table: String = ('а'..='я')
        .chain('А'..='Я')
        .map(|letter| format!("<S-{0:X}>  {letter}  \"  0x{0:04X}, (0{0:o})\n", letter as u32 & 0xFF))
        .collect();
    let letters = "čćžšđ";
    let keys: String =
        letters.chars().cycle().take(150).map(|letter| format!("[;]  {letter}  \"  (0x91), 145\n")).collect();
    let menu = "menutrans &New  &Новый<Tab>:n\nmenutrans E&xit  В&ыход<Tab>:q\n\" ---------- ****** -----\n"
        .repeat(40);
    for (name, text, encoding) in [
        ("table", &table, encoding_rs::WINDOWS_1251),
        ("table", &table, encoding_rs::ISO_8859_5),
        ("table", &table, encoding_rs::KOI8_R),
        ("table", &table, encoding_rs::IBM866),
        ("keys", &keys, encoding_rs::WINDOWS_1250),
        ("keys", &keys, encoding_rs::ISO_8859_2),
        ("menu", &menu, encoding_rs::KOI8_R),
        ("menu", &menu, encoding_rs::WINDOWS_1251),
        ("menu", &menu, encoding_rs::SHIFT_JIS),
        ("menu", &menu, encoding_rs::GBK),
    ] {
        let bytes = old(text, encoding);
        for length in [100, 300, 1000, 3000] {
            for start in 0..4 {
                let found = sample(&bytes[start..(start + length).min(bytes.len())]);
                assert!(!is_likely_wide(&found), "{name} in {}, {length} bytes: {found}", encoding.name());
            }
        }
    }
    let mut all = 0;
    for (script, encoding) in [
        (Script::Cyrillic, encoding_rs::KOI8_R),
        (Script::Cyrillic, encoding_rs::WINDOWS_1251),
        (Script::Cyrillic, encoding_rs::ISO_8859_5),
        (Script::Greek, encoding_rs::WINDOWS_1253),
        (Script::Hebrew, encoding_rs::WINDOWS_1255),
        (Script::Japanese, encoding_rs::SHIFT_JIS),
        (Script::Japanese, encoding_rs::EUC_JP),
        (Script::Korean, encoding_rs::EUC_KR),
    ] {
        let text = generate(script, 60_000, 2);
        for words in [1, 2, 5] {
            let bytes = old(&lines(&text, words), encoding);
            for length in [60, 120, 300, 1000, 4096] {
                for piece in bytes.chunks_exact(length).step_by(scale::step(1, 3)).take(40) {
                    let found = sample(piece);
                    assert!(
                        !is_likely_wide(&found),
                        "{script} in {}, {length} bytes: {found}",
                        encoding.name()
                    );
                    all += 1;
                }
            }
        }
    }
    println!("{all} texts");
}

/// What speaks against UTF-16 is in these as well: UTF-8 by chance, pairs of ASCII, and the bytes of tabs and ends of lines.
#[test]
fn ideographs_and_scripts_with_the_page_of_a_tab_are_utf16() {
    for text in [
        "用户手册：第一章，安装。",
        "春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多少。",
        "水是生命之源——我們要珍惜每一滴水……",
        "ひらがなのぶんしょうです。",
        "テキストファイルの文字コード、",
        "한글 텍스트 파일이 있습니다.\n",
        "ગુજરાતી",
        "ਗੁਰਮੁਖੀ ਲਿਪੀ",
        "മലയാളം ഭാഷ",
        "සිංහල භාෂාව",
        "हिन्दी में लिखा",
        "বাংলা\nভাষা",
        "🎉🎉🚀🚀",
    ] {
        for scheme in [Scheme::Utf16Le, Scheme::Utf16Be] {
            for times in [1, 3, 20] {
                let found = detect(&encode(&text.repeat(times), scheme));
                let good = found.scheme() == Some(scheme) && found.confidence >= 50;
                assert!(good, "{text}, {times} times, {scheme}: {found}");
            }
        }
    }
}
