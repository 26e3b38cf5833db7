//! What `detect` says of texts that are no Unicode: where reading stops.

use encoding_rs as old;

use crate::scene::Scene;
use crate::short_texts::sentences::SENTENCES;

/// The paragraph in a language.
fn paragraph(language: &str) -> &'static str {
    SENTENCES.iter().find(|(name, _)| *name == language).unwrap_or_else(|| panic!("{language}")).1
}

/// The answer of `detect` to each of these files: the name of the encoding, or the status, and the confidence.
fn answers(files: &[(String, Vec<u8>)], arguments: &[&str]) -> Vec<(String, u64)> {
    let scene = Scene::new("detect", &[]);
    for (index, (_, bytes)) in files.iter().enumerate() {
        scene.add(format!("{index:05}"), bytes);
    }
    let ran = scene.run(&[&["-r", "--format", "json"], arguments, &["."]].concat());
    let objects = ran.objects();
    assert_eq!(objects.len(), files.len());
    let word = |object: &serde_json::Value| {
        let word = object.get("encoding").unwrap_or(&object["status"]);
        (word.as_str().expect("a word").to_owned(), object["confidence"].as_u64().expect("a number"))
    };
    objects.iter().map(word).collect()
}

/// Reading stops after 4 KiB, or where `--bytes` says, and in the middle of a character as often as not.
#[test]
fn a_character_that_is_cut_is_no_error() {
    let mut files = Vec::new();
    for (language, encoding, names) in [
        ("Japanese", old::SHIFT_JIS, &["Shift_JIS"][..]),
        ("Japanese", old::EUC_JP, &["EUC-JP"]),
        ("Chinese, simplified", old::GBK, &["GBK"]),
        // (It is GBK where it has no character of four bytes.)
        ("Chinese, simplified", old::GB18030, &["GBK", "gb18030"]),
        ("Chinese, traditional", old::BIG5, &["Big5"]),
        ("Korean", old::EUC_KR, &["EUC-KR"]),
    ] {
        let text = paragraph(language).repeat(30);
        // Without a space or an end of line, too: there is none to look back to.
        let dense: String = text.chars().filter(|character| *character > '\u{3002}').collect();
        for text in [&text, &dense] {
            let (bytes, _, _) = encoding.encode(text);
            assert!(bytes.len() > 5000, "{language}");
            for shift in 0..40 {
                files.push((names.join(" "), [&b"x".repeat(shift), &*bytes].concat()));
            }
        }
    }
    for arguments in [&[][..], &["--bytes", "1001"], &["--bytes", "5000"]] {
        for ((names, _), (name, confidence)) in files.iter().zip(answers(&files, arguments)) {
            let good = names.split(' ').any(|right| right == name) && confidence == 90;
            assert!(good, "{names} {arguments:?}: {name}, {confidence} % sure");
        }
    }
    // At the end of a text it is one.
    let (bytes, _, _) = old::SHIFT_JIS.encode(paragraph("Japanese"));
    let whole = [&*bytes, b"\x93"].concat();
    let [(name, _)] = &answers(&[("cut".to_owned(), whole.clone())], &[])[..] else { panic!("one answer") };
    assert_eq!(name, "unknown");
    let limit = whole.len().to_string();
    let longer = [&whole[..], b"\xFA"].concat();
    let [(name, _)] = &answers(&[("cut".to_owned(), longer)], &["--bytes", &limit])[..] else {
        panic!("one answer")
    };
    assert_eq!(name, "Shift_JIS");
}
