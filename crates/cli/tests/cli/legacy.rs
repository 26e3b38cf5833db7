//! Encodings that are older than Unicode, in every command. What is right is said by the iconv of the GNU C library, where it
//! is installed, or stands here.

use std::io::Write as _;
use std::process::{Command as Process, Stdio};

use serde_json::json;

use crate::scene::{Scene, expect, utf16le};

/// "Привет, мир" in KOI8-R.
const KOI8: &[u8] = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2\n";

/// "日本語" in Shift_JIS, a lead byte before a letter, a byte that is nothing, and a lead byte at the end.
const SJIS: &[u8] = b"ab\n\x93\xFA\x96{\x8C\xEA \x81!\xFD\x82";

fn convert(files: &[(&str, &[u8])]) -> Scene {
    Scene::new("convert", files)
}

/// What iconv makes of a text, if it is there.
fn iconv(from: &str, to: &str, input: &[u8]) -> Option<Vec<u8>> {
    let mut child = Process::new("iconv")
        .args(["-f", from, "-t", to])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || pipe.write_all(&input));
    let output = child.wait_with_output().expect("it ends");
    let _ = writer.join();
    output.status.success().then_some(output.stdout)
}

#[test]
fn long_texts_are_those_of_iconv_there_and_back() {
    let mut asked = 0;
    for (encoding, text) in [
        ("CP1250", "Příliš žluťoučký kůň, “zażółć”"),
        ("CP1251", "Съешь же ещё этих мягких булок"),
        ("CP1252", "“L’été” — où ça ? 5 € ßÆø"),
        ("CP1253", "Ξεσκεπάζω την ψυχοφθόρα"),
        ("CP1255", "דג סקרן שט בים"),
        ("CP1256", "نص حكيم له سر"),
        ("CP1257", "Įlinkdama fechtuotojo špaga"),
        ("ISO-8859-2", "Příliš žluťoučký"),
        ("ISO-8859-5", "Съешь ещё"),
        ("ISO-8859-7", "Ξεσκεπάζω"),
        ("ISO-8859-15", "œuvre à 5 €"),
        ("KOI8-R", "Съешь же ещё этих мягких булок"),
        ("KOI8-U", "Чуєш їх, доцю, га"),
        ("CP866", "Съешь же ещё"),
        ("EUC-JP", "日本語のテキスト、ひらがな"),
        ("SJIS", "日本語のテキスト、ひらがな"),
        ("GBK", "我能吞下玻璃而不伤身体"),
        ("GB18030", "我能吞下玻璃而不伤身体 🦀ü"),
        ("BIG5", "我能吞下玻璃而不傷身體"),
        ("EUC-KR", "나는 유리를 먹을 수 있어요"),
        ("ISO-2022-JP", "日本語 a"),
    ] {
        // No chunk ends where a character does.
        let text = ["x", &format!("{text} and some ASCII\n{text}").repeat(9000)].concat();
        let Some(bytes) = iconv("UTF-8", encoding, text.as_bytes()) else {
            println!("skipped: no iconv that knows {encoding}");
            continue;
        };
        let scene = convert(&[("old", &bytes), ("new", text.as_bytes())]);
        for jobs in ["1", "3"] {
            let back = scene.run(&["-j", jobs, "-f", encoding, "old"]);
            assert!(back == expect(0, text.as_bytes(), ""), "{encoding} {} {}", back.code, back.err);
            let there = scene.run(&["-j", jobs, "-t", encoding, "new"]);
            assert_eq!((there.code, there.err.as_str()), (0, ""), "{encoding}");
            assert!(there.out == bytes, "{encoding}");
        }
        let wide = scene.feed(&["-f", encoding, "-t", "utf-16le"], &bytes);
        assert!(wide == expect(0, utf16le(&text), ""), "{encoding}");
        asked += 1;
    }
    println!("{asked} encodings");
}

#[test]
fn what_is_no_character_is_said_with_its_place_in_the_input() {
    let scene = convert(&[("old", SJIS)]);
    let ran = scene.run(&["-f", "sjis", "old"]);
    let said = "old:2:5: byte 10: malformed [81] this byte is no character of Shift_JIS\n";
    assert_eq!(ran, expect(1, "ab\n日本語 ".as_bytes(), said));
    assert_eq!(scene.run(&["-c", "-f", "sjis", "old"]), expect(0, "ab\n日本語 !".as_bytes(), ""));
    let ran = scene.run(&["-c", "-v", "-f", "sjis", "old"]);
    assert_eq!(ran.err, "old:2:5: byte 10: first of 3 sequences left out\n");
    let repair = Scene::new("repair", &[("old", SJIS)]);
    let said = "old:2:5: byte 10: first of 3 replacements\n";
    let ran = repair.run(&["-f", "sjis", "-t", "utf-8", "old"]);
    assert_eq!(ran, expect(1, "ab\n日本語 \u{FFFD}!\u{FFFD}\u{FFFD}".as_bytes(), said));
    let ran = repair.run(&["-f", "sjis", "old"]);
    assert_eq!(ran, expect(1, b"ab\n\x93\xFA\x96{\x8C\xEA ?!??", said));
    assert_eq!(repair.run(&["-f", "sjis", "--escape", "latin1", "old"]).code, 2);
    let check = Scene::new("check", &[("old", SJIS), ("koi8", KOI8), ("wide", &utf16le("\u{FEFF}aé"))]);
    let ran = check.run(&["-f", "sjis", "--all", "old"]);
    let places: Vec<_> = ran.err.lines().map(|line| line.split(" malformed").next()).collect();
    let expected = ["old:2:5: byte 10:", "old:2:7: byte 12:", "old:2:8: byte 13:"].map(Some);
    assert_eq!((ran.code, places), (1, expected.to_vec()), "{}", ran.err);
    let object = &check.run(&["-f", "sjis", "--format", "json", "old"]).objects()[0];
    assert_eq!((&object["errors"][0]["at"], &object["errors"][0]["len"]), (&json!(10), &json!(1)));
    assert_eq!(check.run(&["-f", "koi8-r", "koi8"]), expect(0, b"", ""));
    assert_eq!(check.run(&["-f", "utf-16", "wide"]), expect(0, b"", ""));
}

#[test]
fn what_is_in_another_encoding_is_said() {
    let french = "tout à coup, l'été déjà passé, un élève âgé";
    let latin1: Vec<u8> = french.chars().map(|character| character as u8).collect();
    let old = |encoding: &'static encoding_rs::Encoding, text| encoding.encode(text).0.into_owned();
    let japanese = "日本語の文章は長くないと判断できない。これはどうでしょうか。";
    let russian = "Русский текст должен быть достаточно длинным, чтобы угадать.";
    let files = [
        ("wide", utf16le("\u{FEFF}aé"), "UTF-16LE"),
        ("japanese", old(encoding_rs::SHIFT_JIS, japanese), "Shift_JIS"),
        ("russian", old(encoding_rs::KOI8_R, russian), "KOI8-R"),
        ("french", latin1.clone(), "Latin-1"),
        ("late", [&[b' '; 300_000][..], &latin1].concat(), "Latin-1"),
        ("cesu", b"a \xED\xA0\xBD\xED\xB8\x80 \xC3\xA9\n".to_vec(), "CESU-8"),
        ("mutf", b"a \xC0\x80 \xC3\xA9\n".to_vec(), "modified UTF-8"),
        ("damaged", [japanese.as_bytes(), b"\xE9 \xE0"].concat(), ""),
        ("one", b"caf\xE9".to_vec(), ""),
    ];
    for (name, bytes, encoding) in files {
        let run = |command: &'static str, arguments: &[&str]| {
            let scene = Scene::new(command, &[(name, &bytes)]);
            let ran = scene.run(&[arguments, &[name]].concat());
            (ran, scene.content(name))
        };
        let option = match name {
            "wide" => "utf-16".to_owned(),
            _ => encoding.to_ascii_lowercase().replace(' ', "-"),
        };
        let hint =
            format!("runecast: {name}: seems to be {encoding}, not UTF-8; use -f {option} to read it\n");
        for (command, arguments) in [("check", &[][..]), ("repair", &[]), ("convert", &["-t", "utf-16"])] {
            let (ran, _) = run(command, arguments);
            assert_eq!(ran.err.ends_with(&hint), !encoding.is_empty(), "{command} {name}: {}", ran.err);
            assert_eq!(ran.err.contains("seems"), !encoding.is_empty(), "{command} {name}: {}", ran.err);
            let (ran, _) = run(command, &[arguments, &["-f", "utf-8"]].concat());
            assert!(ran.code == 1 && !ran.err.contains("seems"), "{command} {name}: {}", ran.err);
        }
        // Nothing is left of letters that became U+FFFD.
        let (ran, text) = run("repair", &["--in-place"]);
        if encoding.is_empty() {
            assert!(ran.code == 1 && text != bytes, "{name}: {}", ran.err);
        } else {
            let said = format!(
                "runecast: {name}: seems to be {encoding}, not UTF-8, and is left unchanged; \
                 use -f {option} to read it, or -f utf-8 to repair it as UTF-8\n"
            );
            assert_eq!((ran.code, ran.err, text), (2, said, bytes.clone()));
            let (ran, text) = run("repair", &["--in-place=~"]);
            assert!(ran.code == 1 && ran.err.ends_with(&hint) && text != bytes, "{name}: {}", ran.err);
            let (ran, text) = run("repair", &["--in-place", "--escape", "backslash"]);
            assert!(
                ran.code == 1 && !ran.err.contains("seems") && text.contains(&b'x'),
                "{name}: {}",
                ran.err
            );
            let (ran, text) = run("repair", &["--in-place", "-f", &option, "-t", "utf-8"]);
            assert!(ran.code == 0 && runecast::from_utf8(&text).is_ok(), "{name}: {}", ran.err);
        }
    }
}

#[test]
fn what_has_no_form_is_said_with_its_place() {
    let scene = convert(&[("new", "ab\néя漢z".as_bytes())]);
    let said = "new:2:3: byte 7: unrepresentable [E6 BC A2] KOI8-R has no form for U+6F22\n";
    let ran = scene.run(&["-t", "koi8-r", "new"]);
    // (KOI8-R has no é.)
    let first = "new:2:1: byte 3: unrepresentable [C3 A9] KOI8-R has no form for U+00E9\n";
    assert_eq!(ran, expect(1, b"ab\n", first));
    scene.add("new", "ab\nяя漢z".as_bytes());
    assert_eq!(scene.run(&["-t", "koi8-r", "new"]), expect(1, b"ab\n\xD1\xD1", said));
    assert_eq!(scene.run(&["-c", "-t", "koi8-r", "new"]), expect(0, b"ab\n\xD1\xD1z", ""));
    assert_eq!(scene.run(&["-t", "koi8-r//TRANSLIT", "new"]), expect(0, b"ab\n\xD1\xD1?z", ""));
    let wide = utf16le("ab\nяя漢z");
    let ran = scene.feed(&["-f", "utf-16le", "-t", "koi8-r"], &wide);
    let said = "<stdin>:2:3: byte 10: unrepresentable [22 6F] KOI8-R has no form for U+6F22\n";
    assert_eq!(ran, expect(1, b"ab\n\xD1\xD1", said));
}

#[test]
fn files_are_converted_in_place_if_there_is_something_to_convert() {
    let ascii = b"plain ".repeat(100_000);
    let late = [&ascii[..], KOI8].concat();
    let scene = convert(&[("plain", &ascii), ("late", &late), ("koi8", KOI8)]);
    let ran = scene.run(&["-v", "-f", "koi8-r", "--in-place=~", "plain", "late", "koi8"]);
    assert_eq!(ran, expect(0, b"", "plain: nothing to change\nlate: converted\nkoi8: converted\n"));
    assert_eq!(scene.content("koi8"), "Привет, мир\n".as_bytes());
    assert!(scene.content("late") == [&ascii[..], "Привет, мир\n".as_bytes()].concat());
    assert_eq!(scene.names(), ["koi8", "koi8~", "late", "late~", "plain"]);
    let ran = scene.run(&["-t", "koi8-r", "--in-place", "koi8"]);
    assert_eq!((ran.code, scene.content("koi8")), (0, KOI8.to_vec()));
    let repair = Scene::new("repair", &[("koi8", KOI8)]);
    assert_eq!(repair.run(&["-f", "koi8-r", "--in-place=~", "koi8"]), expect(0, b"", ""));
    assert_eq!(repair.names(), ["koi8"]);
}

#[test]
fn they_are_counted_and_recognised() {
    let long = KOI8.repeat(20);
    let windows = b"\x93Le caf\xE9 d\x92en face est ferm\xE9\x94, dit-il \x96 voil\xE0.".as_slice();
    let numbers: Vec<u8> = (0..3).flat_map(|_| 0..0x20).collect();
    let count = Scene::new("count", &[("koi8", KOI8)]);
    let object = &count.run(&["--format", "json", "-f", "koi8-r", "koi8"]).objects()[0];
    let numbers_of = [&object["bytes"], &object["characters"], &object["encoding"]];
    assert_eq!(numbers_of, [&json!(12), &json!(12), &json!("KOI8-R")]);
    assert_eq!(count.run(&["-m", "-c", "-l", "koi8", "-f", "koi8-r"]), expect(0, b"1 12 12 koi8\n", ""));
    assert_eq!(count.run(&["-m", "koi8", "-f", "koi8-r"]), expect(0, b"12 koi8\n", ""));

    let detect = Scene::new(
        "detect",
        &[("koi8", &long), ("short", KOI8), ("windows", windows), ("numbers", &numbers), ("one", b"x\xFF")],
    );
    let answer = |name: &str| {
        let ran = detect.run(&[name]);
        let line = ran.text().strip_prefix(&format!("{name}: ")).expect("a line").to_owned();
        (ran.code, line.split(',').next().expect("an answer").to_owned(), line)
    };
    let (code, encoding, line) = answer("koi8");
    assert_eq!((code, encoding.as_str()), (0, "KOI8-R"), "{line}");
    assert_eq!(answer("windows").1, "windows-1252");
    assert_eq!(answer("short").0, 1, "ten letters are too few: {}", answer("short").2);
    assert_eq!(answer("numbers").0, 1, "{}", answer("numbers").2);
    assert!(answer("one").2.contains(" 50 % sure") || answer("one").0 == 1, "{}", answer("one").2);
}

/// The offset and the bytes are those of the input, not of the UTF-8 that is made of it on the way: in a file, in a pipe,
/// however many threads there are, and far behind the first chunk.
#[test]
fn what_has_no_form_has_its_place_in_a_legacy_input() {
    // Cyrillic has one byte or two there, and two in UTF-8; 漢 has 8A BF in Shift_JIS.
    let text = "Съешь ещё этих булок\n".repeat(20_000);
    let lines = text.lines().count() + 1;
    for (from, to, last, bytes) in [
        ("Shift_JIS", "KOI8-R", "漢", "8A BF"),
        ("gb18030", "KOI8-R", "🦀", "95 30 D8 32"),
        ("windows-1251", "KOI8-R", "„", "84"),
        ("ISO-2022-JP", "windows-1251", "漢", "34 41"),
    ] {
        let encoding = encoding_rs::Encoding::for_label(from.as_bytes()).expect("a name");
        let (all, _, _) = encoding.encode(&text);
        let (behind, _, _) = encoding.encode(last);
        let input = [&all, &behind, &b"z\n"[..]].concat();
        // (The change of state before it is no part of the character.)
        let state = if from == "ISO-2022-JP" { 3 } else { 0 };
        let at = all.len() + state;
        let point = last.chars().next().map_or(0, u32::from);
        let said =
            format!("{lines}:1: byte {at}: unrepresentable [{bytes}] {to} has no form for U+{point:04X}\n");
        let scene = convert(&[("old", &input)]);
        for jobs in ["1", "3"] {
            let ran = scene.run(&["-j", jobs, "-f", from, "-t", to, "old"]);
            assert_eq!((ran.code, ran.err), (1, format!("old:{said}")), "{from}");
            let ran = scene.feed(&["-j", jobs, "-f", from, "-t", to], &input);
            assert_eq!((ran.code, ran.err), (1, format!("<stdin>:{said}")), "{from}");
            let ran = scene.run(&["-c", "-v", "-j", jobs, "-f", from, "-t", to, "old"]);
            let first = format!("old:{lines}:1: byte {at}: first of 1 sequence left out\n");
            assert_eq!((ran.code, ran.err), (0, first), "{from}");
        }
        let repair = Scene::new("repair", &[("old", &input)]);
        let ran = repair.run(&["-f", from, "-t", to, "old"]);
        assert_eq!(ran.err, format!("old:{lines}:1: byte {at}: first of 1 replacement\n"), "{from}");
    }
    // Latin-1 and ASCII are Unicode's, and lack characters as well.
    let euro = [&b"\xE9 ".repeat(300_000)[..], b"\x80"].concat();
    let said = "<stdin>:1:600001: byte 600000: unrepresentable [80] Latin-1 has no form for U+20AC\n";
    assert_eq!(convert(&[]).feed(&["-f", "cp1252", "-t", "latin1"], &euro).err, said);
    let said = "<stdin>:1:1: byte 0: unrepresentable [E9] ASCII has no form for U+00E9\n";
    assert_eq!(convert(&[]).feed(&["-f", "cp1252", "-t", "ascii"], &euro).err, said);
}

/// However many characters of how many bytes each behaviour writes: for each a question mark, and none is counted twice.
#[test]
fn behaviours_are_those_of_unicode() {
    let scene = Scene::new("repair", &[("bad", b"a\xF0\x9F\x92b\xED\xA0\x80c\xF0\x80\x80\x80d\xFF")]);
    for policy in ["whatwg", "per-byte", "win32", "openjdk8", "perl5", "icu55"] {
        let run = |target: &str| scene.run(&["--policy", policy, "-t", target, "bad"]);
        let latin1 = run("latin1");
        assert_eq!(latin1.code, 1);
        assert!(latin1.out.contains(&b'?'));
        for target in ["windows-1252", "koi8-r", "shift_jis"] {
            assert_eq!(run(target), latin1, "{policy} {target}");
        }
    }
    // An encoding that has a form for U+FFFD.
    assert_eq!(scene.feed(&["-t", "gb18030"], b"a\xFF").out, b"a\x84\x31\xA4\x37");
    let once = |arguments: &[&str], input: &[u8], out: &[u8]| {
        let ran = scene.feed(arguments, input);
        assert_eq!((ran.code, &ran.out[..]), (1, out));
        assert!(ran.err.contains("first of 1 replacement"), "{}", ran.err);
    };
    once(&["-t", "koi8-r", "--replacement", "→"], b"a\xFFb", b"a?b");
    once(&["-t", "koi8-r", "--replacement", "<я→>"], b"a\xFFb", b"a<\xD1?>b");
    // A character that it has no form for counts by itself, and so does U+FFFD.
    once(&["-t", "koi8-r"], "a漢b".as_bytes(), b"a?b");
    once(&["-t", "koi8-r"], "a\u{FFFD}b".as_bytes(), b"a?b");
    let ran = scene.feed(&["-t", "koi8-r"], b"a\xFF\xEF\xBF\xBD\xE6\xBC\xA2b");
    assert_eq!(ran.out, b"a???b");
    assert!(ran.err.contains("byte 1: first of 3 replacements"), "{}", ran.err);
}

/// The window is smaller where what is replaced becomes longer.
#[test]
fn no_replacement_is_too_long() {
    let replacement = "long ".repeat(820);
    let scene = Scene::new("repair", &[]);
    for before in [0, 1, 1022, 1023, 1024, 1025, 2048, 64_526, 64_527, 65_536] {
        let input = [&b"a".repeat(before)[..], b"\xFFtail"].concat();
        for replacement in [&replacement[..65], &replacement[..]] {
            let ran =
                scene.feed(&["-f", "windows-1253", "-t", "utf-8", "--replacement", replacement], &input);
            let expected = format!("{}{replacement}tail", "a".repeat(before));
            assert!(
                ran.code == 1 && ran.out == expected.as_bytes(),
                "{before} {}: {}",
                replacement.len(),
                ran.err
            );
        }
    }
}

/// An encoding with states is written by one encoder, as far as can be seen, however the text is cut: between two escape sequences
/// there is a character, or decoders take the second for malformed.
#[test]
fn states_last_from_chunk_to_chunk_and_from_input_to_input() {
    let lines = "あいう\n漢字¥a\\~‾b。".repeat(40_000);
    let expected = by_one_encoder(&lines);
    let half = lines.char_indices().nth(lines.chars().count() / 2).expect("a middle").0;
    let (one, two) = lines.split_at(half);
    let scene = convert(&[("all", lines.as_bytes()), ("one", one.as_bytes()), ("two", two.as_bytes())]);
    for jobs in ["1", "3"] {
        let options = ["-t", "iso-2022-jp", "-j", jobs];
        let ran = scene.run(&[&options[..], &["all"]].concat());
        assert!(ran == expect(0, &expected, ""), "{}", ran.err);
        let ran = scene.run(&[&options[..], &["one", "two"]].concat());
        assert!(ran == expect(0, &expected, ""), "{}", ran.err);
        assert_eq!(scene.run(&[&options[..], &["one", "two", "-o", "both"]].concat()), expect(0, "", ""));
        assert!(scene.content("both") == expected);
    }
    let ran = scene.feed(&["-t", "iso-2022-jp"], lines.as_bytes());
    assert!(ran == expect(0, &expected, ""), "{}", ran.err);
    // Each output has its end.
    assert_eq!(scene.run(&["-t", "iso-2022-jp", "--output-dir", "out", "one", "two"]), expect(0, "", ""));
    for name in ["one", "two"] {
        let ran = scene.run(&["-f", "iso-2022-jp", &format!("out/{name}")]);
        assert!(ran == expect(0, scene.content(name), ""), "{name} {}", ran.err);
    }
    // What is left out leaves nothing between, and what is replaced is ASCII.
    let ran = scene.feed(&["-c", "-t", "iso-2022-jp"], "あ🦀い".as_bytes());
    assert_eq!(ran, expect(0, b"\x1B$B$\"$$\x1B(B", ""));
    let ran = scene.feed(&["-t", "iso-2022-jp//TRANSLIT"], "¥…é¥é¥".as_bytes());
    assert_eq!(ran, expect(0, b"\x1B(J\\\x1B$B!D\x1B(Be\x1B(J\\e\\\x1B(B", ""));
    // A stream has the text before an error, as a whole.
    let ran = scene.feed(&["-t", "iso-2022-jp"], "あ🦀い".as_bytes());
    assert_eq!((ran.code, ran.out), (1, b"\x1B$B$\"\x1B(B".to_vec()));

    let scene = Scene::new("repair", &[("text", &expected)]);
    assert!(scene.run(&["-f", "iso-2022-jp", "text"]) == expect(0, &expected, ""));
    assert!(
        scene.run(&["-t", "iso-2022-jp", "-f", "iso-2022-jp", "--in-place", "text"]) == expect(0, "", "")
    );
    assert!(scene.content("text") == expected);
    let damaged = [&b"\xFF"[..], &expected].concat();
    let ran = scene.feed(&["-f", "iso-2022-jp", "-q"], &damaged);
    assert!(ran == expect(1, [b"?", &expected[..]].concat(), ""));
}

/// What one encoder makes of it.
fn by_one_encoder(text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding_rs::ISO_2022_JP.encode(text);
    assert!(!unmappable);
    bytes.into_owned()
}

/// What is well-formed stays as it is, though it would be encoded in another way, or in none.
#[test]
fn a_repair_to_the_same_encoding_changes_nothing_but_what_is_malformed() {
    for name in ["shift_jis", "euc-jp", "gbk", "gb18030", "big5", "euc-kr", "windows-1252", "iso-2022-jp"] {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).expect("an encoding");
        let pairs = (0x81..=0xFE).flat_map(|lead| (0x40..=0xFE).map(move |trail| vec![lead, trail]));
        let longer = (0xA1..=0xFE).flat_map(|lead| (0xA1..=0xFE).map(move |trail| vec![0x8F, lead, trail]));
        let good =
            |form: &Vec<u8>| encoding.decode_without_bom_handling_and_without_replacement(form).is_some();
        let mut text: Vec<u8> =
            pairs.chain(longer).filter(good).flat_map(|form| [&form[..], b"\n"].concat()).collect();
        if name == "iso-2022-jp" {
            // With more changes of state than needed, and a letter that is written in another way.
            text = b"a\x1B(Jb\x1B$B$\"\x1B(Bc\x1B(I1\x1B(B\n".to_vec();
        }
        let text = text.repeat(1 + 600_000 / text.len());
        let scene = Scene::new("repair", &[("text", &text)]);
        for jobs in ["1", "3"] {
            let ran = scene.run(&["-f", name, "-j", jobs, "--in-place=~", "text"]);
            assert_eq!(ran, expect(0, "", ""), "{name}");
            assert!(!scene.path("text~").exists(), "{name}");
            if name == "iso-2022-jp" {
                continue;
            }
            let ran = scene.run(&["-f", name, "-j", jobs, "text"]);
            assert!(ran == expect(0, &text, ""), "{name} {}", ran.err);
            // Between, before and behind something malformed as well.
            if name != "windows-1252" {
                let damaged = [b"\xFF", &text[..], b"\xFF\n", &text, b"\x81"].concat();
                scene.add("damaged", &damaged);
                let mark = if name == "gb18030" { &b"\x84\x31\xA4\x37"[..] } else { b"?" };
                let expected = [mark, &text, mark, b"\n", &text, mark].concat();
                let ran = scene.run(&["-f", name, "-j", jobs, "damaged"]);
                let report = "damaged:1:1: byte 0: first of 3 replacements\n";
                assert!(ran == expect(1, &expected, report), "{name} {}", ran.err);
                let ran = scene.feed(&["-q", "-f", name, "-j", jobs], &damaged);
                assert!(ran == expect(1, &expected, ""), "{name}");
                assert_eq!(scene.run(&["-q", "-f", name, "-j", jobs, "--in-place", "damaged"]).code, 1);
                assert!(scene.content("damaged") == expected, "{name}");
            }
        }
    }
    // A text as replacement, of characters that the encoding has and has not.
    let scene = Scene::new("repair", &[]);
    let ran = scene.feed(&["-q", "-f", "shift_jis", "--replacement", "あ🦀"], b"\xFA\x4A\xFF\x81");
    assert_eq!(ran, expect(1, b"\xFA\x4A\x82\xA0?\x82\xA0?", ""));
    let ran = scene.feed(&["-q", "-f", "shift_jis", "-t", "utf-8"], b"\xFA\x4A\xFF");
    assert_eq!(ran, expect(1, "Ⅰ\u{FFFD}", ""));
}

/// Corrected UTF-8 has no form for some control characters, and where they were is said of a stream as of a file.
#[test]
fn what_corrected_utf8_lacks_is_said_with_its_place_in_a_stream() {
    let bytes = b"abc\xE9\x81z";
    let said = ":1:5: byte 4: unrepresentable [81] Corrected UTF-8 has no form for U+0081\n";
    let scene = convert(&[("old", bytes)]);
    let arguments = ["-f", "windows-1252", "-t", "corrected-utf-8"];
    let out = b"abc\xC1\x89";
    assert_eq!(scene.run(&[&arguments[..], &["old"]].concat()), expect(1, out, &format!("old{said}")));
    assert_eq!(scene.feed(&arguments, bytes), expect(1, out, &format!("<stdin>{said}")));
    let scene = Scene::new("repair", &[("old", bytes)]);
    let ran = [scene.run(&[&arguments[..], &["old"]].concat()), scene.feed(&arguments, bytes)];
    assert_eq!(ran[0].err, "old:1:5: byte 4: first of 1 replacement\n");
    assert_eq!(ran[1].err, "<stdin>:1:5: byte 4: first of 1 replacement\n");
}
