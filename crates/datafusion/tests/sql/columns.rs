//! Columns of every type, with nulls and slices, against the standard library.

use std::sync::Arc;

use crate::common::{ask, rows, session, table};
use datafusion::arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, Int8Array,
    LargeBinaryArray, LargeStringArray, StringArray, StringViewArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int8Type};

/// All of four bytes, so that they fit in FixedSizeBinary.
const VALUES: [Option<&[u8]>; 12] = [
    Some(b"rune"),
    None,
    Some(b"r\xC5\xABn"),
    Some(b"caf\xE9"),
    Some(b"\xF0\x9F\xA6\x80"),
    Some(b"\xED\xA0\x80 "),
    Some(b"\xF0\x80\x80\x80"),
    None,
    Some(b"\x3D\xD8\x00\xDE"),
    Some(b"caf\xE9"),
    Some(b"rune"),
    Some(b"a\0b\0"),
];

fn dictionary(values: &ArrayRef) -> ArrayRef {
    let of = DataType::Dictionary(Box::new(DataType::Int32), Box::new(values.data_type().clone()));
    cast(values, &of).unwrap()
}

/// The values as every type of bytes, with what text of it is.
fn every_type() -> Vec<(ArrayRef, DataType)> {
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(VALUES.into_iter(), 4).unwrap();
    let binary: ArrayRef = Arc::new(VALUES.into_iter().collect::<BinaryArray>());
    let large: ArrayRef = Arc::new(VALUES.into_iter().collect::<LargeBinaryArray>());
    let in_dictionary = |text: DataType| DataType::Dictionary(Box::new(DataType::Int32), Box::new(text));
    vec![
        (Arc::clone(&binary), DataType::Utf8),
        (Arc::clone(&large), DataType::LargeUtf8),
        (Arc::new(VALUES.into_iter().collect::<BinaryViewArray>()), DataType::Utf8View),
        (Arc::new(fixed), DataType::Utf8),
        (dictionary(&binary), in_dictionary(DataType::Utf8)),
        (dictionary(&large), in_dictionary(DataType::LargeUtf8)),
    ]
}

fn shown<T: ToString>(values: impl Iterator<Item = Option<T>>) -> Vec<String> {
    values.map(|value| value.map_or_else(|| "NULL".to_owned(), |value| value.to_string())).collect()
}

fn utf16le(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
}

/// As one batch, and as three slices of it.
fn batches(array: &ArrayRef) -> [Vec<ArrayRef>; 2] {
    [vec![Arc::clone(array)], vec![array.slice(0, 5), array.slice(5, 0), array.slice(5, 7)]]
}

#[tokio::test]
async fn every_type_against_std() {
    for (array, text) in every_type() {
        for pieces in batches(&array) {
            let context = session();
            table(&context, &[("b", pieces)]);
            let told = |call: &str| format!("{call} of {}", array.data_type());
            for (call, of, expected) in
                [
                    (
                        "utf8_valid(b)",
                        DataType::Boolean,
                        shown(VALUES.iter().map(|value| value.map(|value| str::from_utf8(value).is_ok()))),
                    ),
                    (
                        "utf8_error(b)['offset']",
                        DataType::Int64,
                        shown(
                            VALUES
                                .iter()
                                .map(|v| v.and_then(|v| str::from_utf8(v).err()).map(|e| e.valid_up_to())),
                        ),
                    ),
                    (
                        "text_repair(b)",
                        text.clone(),
                        shown(VALUES.iter().map(|value| value.map(String::from_utf8_lossy))),
                    ),
                    (
                        "text_decode(b, 'utf-8', 'null')",
                        text.clone(),
                        shown(VALUES.iter().map(|value| value.and_then(|value| str::from_utf8(value).ok()))),
                    ),
                    (
                        "text_decode(b, 'utf-16le', 'null')",
                        text.clone(),
                        shown(VALUES.iter().map(|value| {
                            value.and_then(|value| {
                                char::decode_utf16(utf16le(value)).collect::<Result<String, _>>().ok()
                            })
                        })),
                    ),
                    (
                        "text_decode(b, 'latin-1')",
                        text.clone(),
                        shown(VALUES.iter().map(|value| {
                            value.map(|v| v.iter().map(|b| char::from(*b)).collect::<String>())
                        })),
                    ),
                    (
                        // 4 bytes each: a mark there is none, so it is big-endian.
                        "text_decode(b, 'utf-16', 'null')",
                        text.clone(),
                        shown(VALUES.iter().map(|value| {
                            value.and_then(|value| {
                                let units = utf16le(value).map(u16::swap_bytes);
                                char::decode_utf16(units).collect::<Result<String, _>>().ok()
                            })
                        })),
                    ),
                ]
            {
                let (types, rows) = ask(&context, &format!("SELECT {call} FROM t")).await.unwrap();
                assert_eq!(rows, expected, "{}", told(call));
                assert_eq!(types, [of], "{}", told(call));
            }
            // Bytes come out as wide as they went in.
            let (types, rows) =
                ask(&context, "SELECT text_transcode(b, 'utf-8', 'utf-16be', 'null') FROM t").await.unwrap();
            let expected = VALUES.iter().map(|value| {
                value
                    .and_then(|value| str::from_utf8(value).ok())
                    .map(|text| text.encode_utf16().map(|unit| format!("{unit:04x}")).collect::<String>())
            });
            assert_eq!(rows, shown(expected), "{}", array.data_type());
            let bytes = match array.data_type() {
                DataType::FixedSizeBinary(_) => DataType::Binary,
                same => same.clone(),
            };
            assert_eq!(types, [bytes]);
        }
    }
}

#[tokio::test]
async fn text_of_every_type() {
    let texts = [Some("rūna"), None, Some("🦀"), Some(""), Some("é")];
    let plain: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let large: ArrayRef = Arc::new(LargeStringArray::from(texts.to_vec()));
    let view: ArrayRef = Arc::new(StringViewArray::from(texts.to_vec()));
    for array in [dictionary(&plain), plain, large, view] {
        for pieces in [vec![Arc::clone(&array)], vec![array.slice(0, 2), array.slice(2, 3)]] {
            let context = session();
            table(&context, &[("t", pieces)]);
            let ask = async |call: &str| rows(&context, &format!("SELECT {call} FROM t")).await;
            let units =
                |text: &str| text.encode_utf16().map(|unit| format!("{unit:04x}")).collect::<String>();
            assert_eq!(
                ask("text_encode(t, 'utf-16be')").await,
                shown(texts.map(|text| text.map(units)).into_iter())
            );
            let latin = |text: &str| {
                text.chars()
                    .map(|c| u8::try_from(u32::from(c)).ok().map(|b| format!("{b:02x}")))
                    .collect::<Option<String>>()
            };
            let expected = texts.map(|text| text.and_then(latin));
            assert_eq!(ask("text_encode(t, 'latin-1', 'null')").await, shown(expected.into_iter()));
            let expected = texts.map(|text| text.map(|text| text.chars().count()));
            assert_eq!(ask("char_count(t)").await, shown(expected.into_iter()));
            let expected = texts.map(|text| text.map(|text| 2 * text.encode_utf16().count()));
            assert_eq!(ask("text_encoded_length(t, 'utf-16le')").await, shown(expected.into_iter()));
            assert_eq!(ask("text_repair(t)").await, shown(texts.into_iter()));
            assert_eq!(ask("utf8_valid(t)").await, shown(texts.map(|text| text.map(|_| true)).into_iter()));
            // There and back.
            assert_eq!(
                ask("text_decode(text_encode(t, 'utf-32le'), 'utf-32le')").await,
                shown(texts.into_iter())
            );
        }
    }
}

/// Bytes, the name of their encoding, what becomes of errors, and the text.
type Message = (Option<&'static [u8]>, Option<&'static str>, Option<&'static str>, &'static str);

/// A table of messages with their charsets.
#[tokio::test]
async fn names_may_stand_in_a_column() {
    let rows_of: [Message; 9] = [
        (Some(b"caf\xC3\xA9"), Some("utf-8"), Some("strict"), "café"),
        (Some(b"caf\xE9"), Some("latin-1"), Some("strict"), "café"),
        (Some(b"caf\xE9"), Some("utf-8"), Some("null"), "NULL"),
        (Some(b"caf\xE9"), Some("utf-8"), Some("whatwg"), "caf\u{FFFD}"),
        (Some(b"\xFF\xFEa\0"), Some("utf-16"), Some("strict"), "a"),
        (Some(b"\0a"), Some("utf-16"), Some("strict"), "a"),
        (None, Some("utf-8"), Some("strict"), "NULL"),
        (Some(b"a"), None, Some("strict"), "NULL"),
        (Some(b"a"), Some("utf-8"), None, "NULL"),
    ];
    let bytes: ArrayRef = Arc::new(rows_of.iter().map(|row| row.0).collect::<BinaryArray>());
    let names: ArrayRef = Arc::new(rows_of.iter().map(|row| row.1).collect::<StringArray>());
    let errors: ArrayRef = Arc::new(rows_of.iter().map(|row| row.2).collect::<StringViewArray>());
    let expected: Vec<_> = rows_of.iter().map(|row| row.3).collect();
    let views = cast(&bytes, &DataType::BinaryView).unwrap();
    for bytes in [dictionary(&bytes), bytes, views] {
        for names in [dictionary(&names), Arc::clone(&names)] {
            let context = session();
            table(
                &context,
                &[("b", vec![Arc::clone(&bytes)]), ("e", vec![names]), ("r", vec![Arc::clone(&errors)])],
            );
            assert_eq!(rows(&context, "SELECT text_decode(b, e, r) FROM t").await, expected);
            // A literal by the names of a column.
            assert_eq!(
                rows(&context, "SELECT DISTINCT text_decode(x'6100', 'utf-16le', r) FROM t WHERE r = 'null'")
                    .await,
                ["a"]
            );
        }
    }
}

#[tokio::test]
async fn a_name_that_only_some_row_has_is_told_with_the_row() {
    let context = session();
    let bytes: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"a", b"b"]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["utf-8", "utf-9"]));
    table(&context, &[("b", vec![bytes]), ("e", vec![names])]);
    let error = ask(&context, "SELECT text_decode(b, e) FROM t").await.unwrap_err().to_string();
    assert!(error.contains("text_decode: row 1 of its batch: no encoding is called 'utf-9'"), "{error}");
}

#[tokio::test]
async fn strict_names_row_and_byte() {
    let good: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"a", b"b"]));
    let bad: ArrayRef =
        Arc::new(BinaryArray::from(vec![None, Some(&b"a"[..]), Some(b"caf\xE9 noir"), Some(b"\xFF")]));
    for bad in [dictionary(&bad), Arc::clone(&bad), cast(&bad, &DataType::BinaryView).unwrap()] {
        let good = cast(&good, bad.data_type()).unwrap();
        let context = session();
        table(&context, &[("b", vec![good, bad])]);
        let error = ask(&context, "SELECT text_decode(b, 'utf-8') FROM t").await.unwrap_err().to_string();
        assert!(
            error.contains("text_decode: row 2 of its batch: ill-formed at byte 3: E9 begins"),
            "{error}"
        );
        assert!(error.contains("'null' or 'whatwg'"), "{error}");
    }
    // Bytes are counted from the beginning of the value, a mark among them; rows in the whole batch.
    let marked: ArrayRef =
        Arc::new(BinaryArray::from_vec(vec![b"\0a", b"\xFE\xFF\0a", b"\xFF\xFEa\0\x3D\xD8", b"\0a"]));
    let context = session();
    table(&context, &[("b", vec![marked])]);
    let error = ask(&context, "SELECT text_decode(b, 'utf-16') FROM t").await.unwrap_err().to_string();
    assert!(error.contains("row 2 of its batch: ill-formed at byte 4: "), "{error}");
    let error =
        ask(&context, "SELECT text_transcode(b, 'utf-16', 'ascii') FROM t").await.unwrap_err().to_string();
    assert!(error.contains("row 2 of its batch: ill-formed at byte 4: "), "{error}");
}

/// A dictionary with narrow keys: its results fit, unless there are more of them than there were values.
#[tokio::test]
async fn dictionaries_by_names_of_a_column() {
    let values = |first: u8, next: u8| (0..90).map(move |at| [first, next + at % 64, b'a' + at % 26]);
    let repeated = |values: ArrayRef| -> ArrayRef {
        let keys: Int8Array = (0..180_u8).map(|row| Some((row % 90) as i8)).collect();
        Arc::new(DictionaryArray::<Int8Type>::new(keys, values))
    };
    let names: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..180).map(|row| ["utf-8", "latin-1"][row / 90])));
    for of in [DataType::Binary, DataType::LargeBinary, DataType::BinaryView] {
        let array = |first: u8, next: u8| {
            let values: ArrayRef = Arc::new(BinaryArray::from_iter_values(values(first, next)));
            repeated(cast(&values, &of).unwrap())
        };
        // ASCII is the same text by both names: 90 texts in 180 rows.
        let query = "SELECT text_decode(d, e, 'whatwg') FROM t";
        let context = session();
        table(&context, &[("d", vec![array(b'a', b'0')]), ("e", vec![Arc::clone(&names)])]);
        let (types, found) = ask(&context, query).await.unwrap();
        assert_eq!((found.len(), &found[..90]), (180, &found[90..]));
        assert!(
            matches!(&types[..], [DataType::Dictionary(keys, _)] if **keys == DataType::Int8),
            "{types:?}"
        );
        // These are 90 texts by each name.
        let context = session();
        table(&context, &[("d", vec![array(0xC3, 0x80)]), ("e", vec![Arc::clone(&names)])]);
        let error = ask(&context, query).await.unwrap_err().to_string();
        assert!(error.contains("text_decode: column d has more distinct results"), "{error}");
        let all = query.replace("(d,", &format!("(arrow_cast(d, '{of}'),"));
        assert_eq!(rows(&context, &all).await.len(), 180);
    }
}

/// Rows are converted together with those of the same name, but the first of all that is wrong is told.
#[tokio::test]
async fn the_first_row_is_told_whatever_its_name() {
    let bytes: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"ok", b"\xD8\x00", b"a\xD8", b"a"]));
    let told = async |names: [&str; 4], expected: &str| {
        for bytes in [Arc::clone(&bytes), dictionary(&bytes)] {
            let context = session();
            let names: ArrayRef = Arc::new(StringArray::from(names.to_vec()));
            table(&context, &[("b", vec![bytes]), ("e", vec![names])]);
            let error = ask(&context, "SELECT text_decode(b, e) FROM t").await.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    };
    told(["utf-8", "utf-16be", "utf-8", "ascii"], "row 1 of its batch: ill-formed at byte 0: ").await;
    told(["ascii", "latin-1", "utf-8", "utf-8"], "row 2 of its batch: ill-formed at byte 1: ").await;
    // A name that is unknown is no other kind of wrong.
    told(["utf-8", "utf-16be", "utf-9", "ascii"], "row 1 of its batch: ill-formed at byte 0: ").await;
    told(["utf-8", "utf-9", "utf-8", "ascii"], "row 1 of its batch: no encoding is called 'utf-9'").await;
}

#[tokio::test]
async fn the_encoding_that_has_no_form_is_named() {
    let context = session();
    let text: ArrayRef = Arc::new(StringArray::from(vec!["a", "aᚱ"]));
    table(&context, &[("t", vec![text])]);
    let error = ask(&context, "SELECT text_encode(t, 'latin-1') FROM t").await.unwrap_err().to_string();
    assert!(error.contains("row 1 of its batch: at offset 1: Latin-1 has no form for U+16B1"), "{error}");
}

/// What cannot be null is known not to be.
#[tokio::test]
async fn nullability() {
    let context = session();
    context
        .sql("CREATE TABLE t (b BYTEA NOT NULL, n BYTEA, e TEXT NOT NULL) AS VALUES (x'41', x'41', 'utf-8')")
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    for (call, nullable) in [
        ("utf8_valid(b)", false),
        ("utf8_valid(n)", true),
        ("utf8_error(b)", true),
        ("text_decode(b, 'utf-8')", false),
        ("text_decode(b, 'utf-8', 'whatwg')", false),
        ("text_decode(b, 'utf-8', 'null')", true),
        ("text_decode(b, e)", false),
        ("text_decode(b, 'utf-8', e)", true),
        ("text_decode(n, 'utf-8')", true),
        ("text_decode(b, NULL)", true),
        ("char_count(b)", false),
        ("char_count(n)", true),
    ] {
        let frame = context.sql(&format!("SELECT {call} FROM t")).await.unwrap();
        assert_eq!(frame.schema().field(0).is_nullable(), nullable, "{call}");
    }
}

/// The width of a count is that of what is counted.
#[tokio::test]
async fn counts_are_as_wide_as_offsets() {
    for (array, _) in every_type() {
        let context = session();
        table(&context, &[("b", vec![Arc::clone(&array)])]);
        let (types, found) = ask(&context, "SELECT char_count(b) FROM t WHERE utf8_valid(b)").await.unwrap();
        let of_large = array.data_type().to_string().contains("LargeBinary");
        assert_eq!(types, [if of_large { DataType::Int64 } else { DataType::Int32 }]);
        let expected = VALUES
            .iter()
            .filter_map(|v| v.and_then(|v| str::from_utf8(v).ok()))
            .map(|t| Some(t.chars().count()));
        assert_eq!(found, shown(expected));
    }
}
