//! What `detect` says of texts that are no Unicode: where reading stops, in code pages of DOS, and in what is close to UTF-8; and what
//! `check`, `convert` and `repair` say of such texts.

use encoding_rs as old;

use crate::scene::{Scene, expect, utf16be, utf16le};
use crate::short_texts::sentences::SENTENCES;

/// The upper half of code pages of DOS, which encoding_rs does not have; NUL stands for what has no character.
const DOS: [(&str, &str); 7] = [
    (
        "CP437",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    ),
    (
        "CP737",
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{A0}",
    ),
    (
        "CP850",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}",
    ),
    (
        "CP852",
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}",
    ),
    (
        "CP855",
        "ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\u{AD}ыЫзЗшШэЭщЩчЧ§■\u{A0}",
    ),
    (
        "CP857",
        "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\0ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\0×ÚÛÙìÿ¯´\u{AD}±\0¾¶§÷¸°¨·¹³²■\u{A0}",
    ),
    (
        "CP865",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
    ),
];

/// The paragraph in a language.
fn paragraph(language: &str) -> &'static str {
    SENTENCES.iter().find(|(name, _)| *name == language).unwrap_or_else(|| panic!("{language}")).1
}

/// A text in a code page of DOS, without the characters that it lacks.
fn in_dos(text: &str, upper: &str) -> Vec<u8> {
    let byte = |character: char| match character {
        '\0'..='\x7F' => Some(character as u8),
        _ => upper.chars().position(|other| other == character).map(|at| at as u8 + 0x80),
    };
    text.chars().filter_map(byte).collect()
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
        // (In Korean without a space chardetng finds Japanese.)
        let texts = if language == "Korean" { vec![&text] } else { vec![&text, &dense] };
        for text in texts {
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

/// chardetng says windows-1252 where it knows nothing.
#[test]
fn code_pages_of_dos_and_the_macintosh_are_not_windows_1252() {
    let mut files = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| {
        let high = bytes.iter().filter(|byte| **byte > 0x7F).count();
        if high >= 10 {
            files.push((name.to_owned(), bytes));
        }
    };
    for (languages, pages) in [
        (
            &["French", "German", "Spanish", "Portuguese", "Italian", "Swedish", "Danish"][..],
            &["CP437", "CP850"][..],
        ),
        (&["Polish", "Czech", "Hungarian"], &["CP852"]),
        (&["Turkish"], &["CP857"]),
        (&["Danish"], &["CP865"]),
        (&["Greek"], &["CP737"]),
        (&["Russian", "Bulgarian"], &["CP855"]),
    ] {
        for language in languages {
            let text = paragraph(language);
            for (page, upper) in DOS.iter().filter(|(page, _)| pages.contains(page)) {
                assert_eq!(upper.chars().count(), 128, "{page}");
                for times in [1, 5, 40] {
                    add(&format!("{language} in {page}"), in_dos(&text.repeat(times), upper));
                }
            }
            for times in [1, 5, 40] {
                let (bytes, _, unmappable) = old::MACINTOSH.encode(text);
                if !unmappable {
                    add(&format!("{language} in macintosh"), bytes.repeat(times));
                }
            }
        }
    }
    assert!(files.len() > 50, "{}", files.len());
    let mut named = 0;
    for ((what, _), (name, confidence)) in files.iter().zip(answers(&files, &[])) {
        assert!(confidence <= 50 || name != "windows-1252", "{what}: {name}, {confidence} % sure");
        named += usize::from(!["unknown", "mixed", "binary"].contains(&name.as_str()) && confidence > 50);
    }
    println!("{named} of {} are taken for something else", files.len());
    assert!(named * 10 <= files.len(), "{named} of {} are taken for something else", files.len());
}

/// English has no letters above 7F, and quotes of windows-1252 are none of Latin-1.
#[test]
fn quotes_and_dashes_are_windows_1252() {
    let text =
        b"\x93Don\x92t,\x94 she said, \x93it\x92s late\x97we\x92ll go.\x94 They\x92re off \x96 at last\x85\n";
    for times in [1, 2, 10, 100] {
        let files = [("english".to_owned(), text.repeat(times))];
        let [(name, confidence)] = &answers(&files, &[])[..] else { panic!("one answer") };
        assert!(name == "windows-1252" && *confidence > 50, "{times} times: {name}, {confidence} % sure");
    }
}

#[test]
fn what_is_close_to_utf8_has_its_name() {
    let cesu = b"a\xED\xA0\xBE\xED\xB6\x80b\n";
    let lines = [
        (&cesu[..], 0, "CESU-8, 96 % sure: 1 character as only CESU-8 has them, nothing ill-formed"),
        (
            b"\xC0\x80 \xC3\xA9 \xC0\x80",
            0,
            "modified UTF-8, 77 % sure: 2 characters as only modified UTF-8 has them, nothing ill-formed",
        ),
        (
            b"a\xED\xA0\xBEb",
            // (Half of a pair is none.)
            0,
            "Latin-1, 59 % sure: 3 single bytes above 7F, 1 of them letters in Latin-1",
        ),
    ];
    for (bytes, code, line) in lines {
        let scene = Scene::new("detect", &[("text", bytes)]);
        assert_eq!(scene.run(&["text"]), expect(code, format!("text: {line}\n"), ""));
    }
    let scene = Scene::new("detect", &[("text", cesu)]);
    // A limit in the middle of the second character of two halves is no error.
    scene.add("two", &cesu.repeat(2));
    let ran = scene.run(&["--bytes", "13", "two"]);
    assert!(ran.text().starts_with("two: CESU-8, "), "{ran:?}");
    let object = &scene.run(&["--format", "json", "text"]).objects()[0];
    assert_eq!(object["evidence"], serde_json::json!({"kind": "close to utf-8", "characters": 1}));
    // Far behind the first chunk, and not at a multiple of four.
    let late = [&b"x".repeat(300_001)[..], cesu].concat();
    let ran = Scene::new("check", &[("late", &late)]).run(&["late"]);
    assert!(ran.err.contains("late: seems to be CESU-8, not UTF-8; use -f cesu-8 "), "{ran:?}");
}

/// With `-f utf-16le` the mark would be the first character of the text.
#[test]
fn a_byte_order_mark_is_to_be_read_as_such() {
    let text = "Ærøskøbing\n";
    let utf32 = |text: &str| text.chars().flat_map(|point| (point as u32).to_le_bytes()).collect::<Vec<u8>>();
    let marked = format!("\u{FEFF}{text}");
    for (name, bytes, encoding, option) in [
        ("le", utf16le(&marked), "UTF-16LE", "utf-16"),
        ("be", utf16be(&marked), "UTF-16BE", "utf-16"),
        ("utf32", utf32(&marked), "UTF-32LE", "utf-32"),
        ("bare", utf16le(text), "UTF-16LE", "utf-16le"),
    ] {
        let hint =
            format!("runecast: {name}: seems to be {encoding}, not UTF-8; use -f {option} to read it\n");
        let ran = Scene::new("check", &[(name, &bytes)]).run(&[name]);
        assert!(ran.code == 1 && ran.err.ends_with(&hint), "{ran:?}");
        let scene = Scene::new("convert", &[(name, &bytes)]);
        assert_eq!(scene.run(&["-f", option, "-t", "utf-8", name]), expect(0, text, ""));
        let repair = Scene::new("repair", &[(name, &bytes)]);
        let ran = repair.run(&["--in-place", name]);
        assert!(ran.code == 2 && ran.err.contains(&format!("; use -f {option} to read it, or ")), "{ran:?}");
    }
}

/// ASCII in UTF-16 is ASCII with NUL between, and so it is well-formed.
#[test]
fn utf16_that_is_well_formed_utf8_is_said() {
    let wide = utf16le("hi\n");
    // Without a space, and so without NUL.
    let russian = utf16be("безпробелов");
    let long = utf16le(&"plain text\r\n".repeat(100_000));
    let nul = b"one\0two\0";
    let spoiled = [&long[..], b"\xFF"].concat();
    let scene = Scene::new(
        "check",
        &[
            ("wide", &wide),
            ("russian", &russian),
            ("long", &long),
            ("nul", nul),
            ("text", b"hi\n"),
            ("spoiled", &spoiled),
        ],
    );
    let hint = |name: &str, encoding: &str| {
        let option = encoding.to_ascii_lowercase();
        format!("runecast: {name}: seems to be {encoding}, not UTF-8; use -f {option} to read it\n")
    };
    for (name, encoding) in [("wide", "UTF-16LE"), ("russian", "UTF-16BE"), ("long", "UTF-16LE")] {
        for jobs in ["1", "3"] {
            assert_eq!(scene.run(&["-j", jobs, name]), expect(0, "", &hint(name, encoding)));
        }
        let ran = scene.run(&["-v", name]);
        assert!(ran.err.contains(&format!("{name}: well-formed\n{}", hint(name, encoding))), "{ran:?}");
        for arguments in
            [&["-q"][..], &["-f", "utf-8"], &["--format", "json"], &["--format", "github"], &["-l"]]
        {
            let ran = scene.run(&[arguments, &[name]].concat());
            assert!(ran.code == 0 && !ran.err.contains("seems"), "{arguments:?} {ran:?}");
        }
    }
    assert_eq!(scene.run(&["nul", "text"]), expect(0, "", ""));
    assert_eq!(scene.feed(&[], &wide), expect(0, "", &hint("<stdin>", "UTF-16LE")));
    // It is said once.
    let ran = scene.run(&["--all", "spoiled"]);
    assert_eq!((ran.code, ran.err.matches("seems to be UTF-16LE").count() <= 1), (1, true), "{ran:?}");
}

/// Ends of lines and Cyrillic are Gujarati and Hangul in UTF-16: what is damaged is repaired all the same.
#[test]
fn ill_formed_utf8_is_repaired_in_place() {
    let lines = "как ваши дела\nспасибо хорошо\nа что у вас нового\nничего нового\nдо встречи\nпозвоните мне завтра\u{FFFD}\n\
                 хорошо договорились\nпередавайте привет\nдо свидания\nобязательно передам\n";
    let (before, behind) = lines.split_once('\u{FFFD}').expect("a place");
    let bytes = [before.as_bytes(), b"\xFF", behind.as_bytes()].concat();
    let ran = Scene::new("detect", &[("chat", &bytes)]).run(&["chat"]);
    assert!(ran.text().starts_with("chat: mixed, "), "{ran:?}");
    let ran = Scene::new("check", &[("chat", &bytes)]).run(&["chat"]);
    assert!(ran.code == 1 && !ran.err.contains("seems"), "{ran:?}");
    let scene = Scene::new("repair", &[("chat", &bytes)]);
    let ran = scene.run(&["--in-place", "chat"]);
    assert_eq!((ran.code, scene.content("chat")), (1, lines.as_bytes().to_vec()), "{ran:?}");
}
