//! Calls on literals, as in a manual: what is asked, what is answered. The answers were written down by hand, from the
//! Unicode Standard and from what Python says.

use crate::common::{rows, session};

const ANSWERS: &[(&str, &str)] = &[
    ("utf8_valid(x'72C5AB6E61')", "true"),
    ("utf8_valid(x'72C5')", "false"),
    ("utf8_valid(x'')", "true"),
    ("utf8_valid(x'EDA080')", "false"),
    ("utf8_valid('rūna')", "true"),
    ("utf8_valid(NULL)", "NULL"),
    ("utf8_error(x'72C5AB6E61')", "NULL"),
    ("utf8_error('text')", "NULL"),
    ("utf8_error(NULL)", "NULL"),
    ("utf8_error(x'636166E9')['offset']", "3"),
    ("utf8_error(x'6162F09F9241')['length']", "3"),
    ("utf8_error(x'41C0AF')['kind']", "overlong lead"),
    ("utf8_error(x'41FF')['kind']", "invalid lead"),
    ("utf8_error(x'4180')['kind']", "unexpected continuation"),
    ("utf8_error(x'EDA080')['kind']", "surrogate"),
    ("utf8_error(x'F4908080')['kind']", "above U+10FFFF"),
    ("utf8_error(x'E282')['kind']", "incomplete"),
    (
        "utf8_error(x'636166E9206E')['message']",
        "E9 begins a character of 3 bytes, but 20 follows, which is no continuation byte",
    ),
    ("text_decode(x'72006B01', 'utf-16le')", "rū"),
    ("text_decode(x'0072016B', 'UTF-16BE')", "rū"),
    ("text_decode(x'FFFE72006B01', 'utf-16')", "rū"),
    ("text_decode(x'FEFF0072016B', 'utf-16')", "rū"),
    ("text_decode(x'0072016B', 'utf-16')", "rū"),
    ("text_decode(x'FFFE0000720000006B010000', 'utf-32')", "rū"),
    ("text_decode(x'E9', 'latin-1')", "é"),
    ("text_decode(x'E9', 'iso-8859-1')", "é"),
    ("text_decode(x'C080', 'mutf-8') = chr(0)", "true"),
    ("text_decode(x'EDA081EDB080', 'cesu-8')", "𐐀"),
    ("text_decode(x'', 'utf-16')", ""),
    ("text_decode(x'3DD8', 'utf-16le', 'null')", "NULL"),
    ("text_decode(x'3DD8', 'utf-16le', 'whatwg')", "\u{FFFD}"),
    ("text_decode(x'41', 'utf-8', 'strict')", "A"),
    ("text_decode(x'41E942', 'utf-8', 'latin1')", "AéB"),
    ("text_decode(x'41E942', 'utf-8', 'backslash')", r"A\xE9B"),
    ("text_decode(x'4180', 'utf-8', 'windows-1252')", "A€"),
    ("text_decode(NULL, 'utf-8')", "NULL"),
    ("text_decode(x'41', NULL)", "NULL"),
    ("text_decode(x'41', 'utf-8', NULL)", "NULL"),
    ("text_encode('rū', 'utf-16le')", "72006b01"),
    ("text_encode('é', 'latin-1')", "e9"),
    ("text_encode('ū', 'latin-1', 'null')", "NULL"),
    ("text_encode('aū', 'latin-1', 'whatwg')", "613f"),
    ("text_encode('𐐀', 'cesu-8')", "eda081edb080"),
    ("text_encode(chr(0), 'mutf-8')", "c080"),
    ("text_transcode(x'72006B01', 'utf-16le', 'utf-8')", "72c5ab"),
    ("text_transcode(x'FFFE72006B01', 'utf-16', 'utf-16be')", "0072016b"),
    ("text_transcode(x'72C5', 'utf-8', 'utf-16be', 'null')", "NULL"),
    ("text_transcode(x'72C5', 'utf-8', 'utf-16be', 'whatwg')", "0072fffd"),
    ("text_repair(x'F0808080')", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("text_repair(x'F0808080', 'icu55')", "\u{FFFD}"),
    ("text_repair(x'EDA080', 'openjdk8')", "\u{FFFD}"),
    ("text_repair(x'EDA080', 'PERL5')", "\u{FFFD}"),
    ("text_repair(x'F09F92', 'per-byte')", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("text_repair('text')", "text"),
    ("text_repair(NULL)", "NULL"),
    ("text_detect(x'72006B0072006B00')", "UTF-16LE"),
    ("text_detect('rūna')", "UTF-8"),
    ("text_detect(x'7F454C46020101000000')", "binary"),
    ("text_detect(NULL)", "NULL"),
    ("char_count('rūna🦀')", "5"),
    ("char_count(x'72C5AB')", "2"),
    ("char_count(NULL)", "NULL"),
    ("text_encoded_length('rū🦀', 'utf-16le')", "8"),
    ("text_encoded_length('rū🦀', 'utf-8')", "7"),
    ("text_encoded_length('rū🦀', 'utf-32be')", "12"),
];

#[tokio::test]
async fn literals() {
    let context = session();
    for (call, answer) in ANSWERS {
        assert_eq!(rows(&context, &format!("SELECT {call}")).await, [*answer], "{call}");
    }
}

/// Calls on literals are gone when the query begins.
#[tokio::test]
async fn literals_are_folded() {
    let context = session();
    for (call, _) in ANSWERS {
        let plan = context.sql(&format!("SELECT {call} AS it")).await.unwrap().into_optimized_plan().unwrap();
        let shown = plan.display_indent().to_string();
        for function in runecast_datafusion::functions() {
            assert!(!shown.contains(&format!("{}(", function.name())), "{call}: {shown}");
        }
    }
}

/// What is refused, and in which words; all before a row is read.
const REFUSED: &[(&str, &str)] = &[
    (
        "text_decode(b, 'utf-61le')",
        "no encoding is called 'utf-61le'; did you mean 'UTF-16LE'? There are UTF-8, ",
    ),
    ("text_decode(b, 'ebcdic')", "text_decode: no encoding is called 'ebcdic'; there are UTF-8, UTF-16, "),
    (
        "text_decode(b, 'utf-8', 'ignore')",
        "no treatment of errors is called 'ignore'; there are strict, null, whatwg,",
    ),
    ("text_repair(b, 'perl')", "no behaviour is called 'perl'; did you mean 'perl5'? There are whatwg, "),
    ("text_repair(b, 'strict')", "no behaviour is called 'strict'; there are whatwg, "),
    ("text_encode(t, 'utf-16')", "UTF-16 has two orders of bytes: to write it, say UTF-16LE or UTF-16BE"),
    ("text_transcode(b, 'utf-16', 'utf-32')", "to write it, say UTF-32LE or UTF-32BE"),
    ("text_decode(t, 'utf-8')", "text_encode makes bytes of it"),
    ("text_encode(b, 'utf-8')", "text_decode makes text of them"),
    ("utf8_valid(1)", "argument 1 of utf8_valid is Int64, where it takes bytes or text"),
    ("text_decode(b, 8)", "argument 2 of text_decode is Int64, where it takes the name of an encoding"),
    ("text_decode(b)", "text_decode(bytes, from [, errors]), not 1 arguments"),
    ("utf8_valid()", "'utf8_valid' does not support zero arguments"),
    ("char_count(b, b)", "char_count(bytes), not 2 arguments"),
];

#[tokio::test]
async fn slips_are_told_when_a_query_is_planned() {
    let context = session();
    context.sql("CREATE TABLE t AS SELECT x'41' AS b, 'A' AS t").await.unwrap().collect().await.unwrap();
    for (call, message) in REFUSED {
        let error = context.sql(&format!("SELECT {call} FROM t")).await.expect_err(call).to_string();
        assert!(error.contains(message), "{call}: {error}");
    }
}

#[tokio::test]
async fn a_literal_that_is_ill_formed_has_no_row() {
    let context = session();
    let asked = context.sql("SELECT text_decode(x'636166E9', 'utf-8')").await.unwrap().collect().await;
    let error = asked.unwrap_err().to_string();
    assert!(error.contains("text_decode: ill-formed at byte 3: "), "{error}");
    let asked = context.sql("SELECT text_encode('aū', 'latin-1')").await.unwrap().collect().await;
    let error = asked.unwrap_err().to_string();
    assert!(error.contains("text_encode: ") && error.contains("U+016B"), "{error}");
}

#[test]
fn every_function_is_documented() {
    for function in runecast_datafusion::functions() {
        let documentation = function.documentation().unwrap();
        assert!(documentation.syntax_example.starts_with(&format!("{}(", function.name())));
        assert!(documentation.sql_example.as_ref().unwrap().contains(function.name()));
        let arguments = documentation.arguments.as_ref().unwrap();
        let mentioned = |name: &str| documentation.syntax_example.contains(name);
        assert!(!arguments.is_empty() && arguments.iter().all(|(name, _)| mentioned(name)));
    }
}

/// The examples of the documentation are queries.
#[tokio::test]
async fn the_examples_of_the_documentation_can_be_planned() {
    let context = session();
    for table in [
        "logs AS SELECT x'41' AS line",
        "messages AS SELECT x'41' AS body",
        "customers AS SELECT 'A' AS name",
        "exported AS SELECT x'41' AS name",
    ] {
        context.sql(&format!("CREATE TABLE {table}")).await.unwrap().collect().await.unwrap();
    }
    for function in runecast_datafusion::functions() {
        let example = function.documentation().unwrap().sql_example.clone().unwrap();
        assert!(context.sql(&example).await.is_ok(), "{example}");
    }
}
