//! Cases that random arrays seldom contain.

mod common;

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, Int32Array,
    LargeBinaryArray, NullArray, PrimitiveArray, StringArray, StringViewArray, new_empty_array,
    new_null_array,
};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::DataType;
use common::{assert_sound, rows_of, small_dictionary};
use runecast::{Content, Policy, Replacement, Scheme};
use runecast_arrow::{
    Error, char_count, check, check_binary, check_fixed, check_view, decode, decode_or_null, detect,
    detect_column, encode, errors, is_valid, repair, text_type, transcode, transcoded_len,
};

fn fixed(size: i32, values: &[u8], nulls: Option<Vec<bool>>) -> FixedSizeBinaryArray {
    FixedSizeBinaryArray::new(size, Buffer::from_slice_ref(values), nulls.map(NullBuffer::from))
}

fn place(result: Result<ArrayRef, Error>) -> Option<(usize, Option<usize>)> {
    let error = result.err()?;
    Some((error.row()?, error.at()))
}

/// All that makes an array of one.
fn all_conversions(array: &dyn Array) -> Vec<Result<ArrayRef, Error>> {
    vec![
        check(array),
        repair(array, Replacement::Whatwg),
        repair(array, Replacement::Perl5),
        decode(array, Scheme::Utf16Le, None),
        decode(array, Scheme::Latin1, Some(Policy::default())),
        decode_or_null(array, Scheme::Utf8),
        decode_or_null(array, Scheme::Utf32Be),
        transcode(array, Scheme::Utf8, Scheme::Utf16Le, None),
        transcode(array, Scheme::Utf16Le, Scheme::Utf8, None),
        is_valid(array).map(|array| Arc::new(array) as ArrayRef),
        errors(array).map(|array| Arc::new(array) as ArrayRef),
        char_count(array),
        transcoded_len(array, Scheme::Utf8, Scheme::Utf32Le).map(|array| Arc::new(array) as ArrayRef),
        detect(array).map(|array| Arc::new(array) as ArrayRef),
    ]
}

#[test]
fn arrays_with_nothing_in_them() {
    let plain = [
        DataType::Null,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
        DataType::FixedSizeBinary(0),
        DataType::FixedSizeBinary(3),
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
    ];
    let dictionary =
        |values: &DataType| DataType::Dictionary(Box::new(DataType::Int16), Box::new(values.clone()));
    let dictionaries: Vec<DataType> = plain[1..].iter().map(dictionary).collect();
    for data_type in plain.iter().chain(&dictionaries) {
        for rows in [0, 5] {
            let array = new_null_array(data_type, rows);
            for new in all_conversions(&array) {
                let new = new.expect("nothing is wrong");
                assert_sound(&new);
                assert_eq!((new.len(), new.logical_null_count()), (rows, rows), "{data_type}");
            }
            assert_eq!(
                Some(check(&array).expect("nothing is wrong").data_type()),
                text_type(data_type).as_ref()
            );
            assert_eq!(detect_column(&array), Ok(None), "{data_type}");
        }
        assert_eq!(check(&new_empty_array(data_type)).map(|array| array.len()), Ok(0));
    }
}

#[test]
fn what_is_neither_binary_nor_text() {
    let inner = small_dictionary(vec![Some(0)], Arc::new(StringArray::from(vec!["a"])));
    let nested = small_dictionary(vec![Some(0)], Arc::new(inner));
    let numbers = Int32Array::from(vec![1]);
    let of_numbers = small_dictionary(vec![Some(0)], Arc::new(numbers.clone()));
    let arrays: [ArrayRef; 2] = [Arc::new(numbers), Arc::new(of_numbers)];
    for array in &arrays {
        assert_eq!(text_type(array.data_type()), None);
        for new in all_conversions(array) {
            let error = new.expect_err("neither");
            assert_eq!((error.row(), error.at(), error.ill_formed()), (None, None, None));
            assert_eq!(error.to_string(), "an array of Int32, where binary or text is expected");
        }
    }
    assert_eq!(text_type(nested.data_type()), None);
    assert!(check(&nested).is_err() && encode(&nested, Scheme::Utf16Le, None).is_err());
    let error = encode(&BinaryArray::from_vec(vec![b"a"]), Scheme::Utf16Le, None).expect_err("no text");
    assert_eq!(error.to_string(), "an array of Binary, where text is expected");
    assert_eq!(encode(&NullArray::new(2), Scheme::Latin1, None).map(|array| array.null_count()), Ok(2));
}

#[test]
fn values_of_one_size() {
    let array =
        fixed(3, b"abcr\xC3\xBA\xC3\xBAn\xFF\xFF\xFF\xE1\x9A\xB1", Some(vec![true, true, true, false, true]));
    let text = check(&array).expect("all but a null");
    assert_sound(&text);
    let rows = |rows: &[Option<&str>]| {
        rows.iter().map(|row| row.map(|row| row.as_bytes().to_vec())).collect::<Vec<_>>()
    };
    assert_eq!(rows_of(&text), rows(&[Some("abc"), Some("rú"), Some("ún"), None, Some("ᚱ")]));

    // In the same buffer, of a slice too.
    let slice = array.slice(1, 2);
    let text = check_fixed(&slice).expect("text");
    assert_eq!(text.values().as_ptr(), array.values()[3..].as_ptr());
    assert_eq!(rows_of(&text), rows(&[Some("rú"), Some("ún")]));

    // A character in two rows.
    let array = fixed(2, b"r\xC3\xBAn", None);
    assert_eq!(place(check(&array)), Some((0, Some(1))));
    assert_eq!(is_valid(&array).expect("bytes").true_count(), 0);
    assert_eq!(rows_of(&repair(&array, "?").expect("bytes")), rows(&[Some("r?"), Some("?n")]));
    assert_eq!(
        rows_of(&decode(&array, Scheme::Utf16Be, None).expect("text")),
        rows(&[Some("狃"), Some("\u{BA6E}")])
    );

    // No bytes at all.
    let array = FixedSizeBinaryArray::try_new_with_len(0, Buffer::from_slice_ref([0_u8; 0]), None, 3)
        .expect("an array");
    assert_eq!(rows_of(&check(&array).expect("text")), rows(&[Some(""), Some(""), Some("")]));
    assert_eq!(rows_of(&check(&array.slice(1, 2)).expect("text")), rows(&[Some(""), Some("")]));
    assert_eq!(char_count(&array).expect("bytes").as_primitive::<Int32Type>().values(), &[0, 0, 0]);
}

/// Pages that are never written are one page of memory.
#[cfg(target_pointer_width = "64")]
#[test]
fn more_than_narrow_offsets_can_say() {
    let array = FixedSizeBinaryArray::new(1 << 30, Buffer::from_vec(vec![0_u8; 3 << 30]), None);
    let error = check(&array).expect_err("too long");
    assert_eq!((error.row(), error.at()), (Some(1), None));
    assert_eq!(error.to_string(), "row 1: the new values are too long for the type of their offsets");
    for new in [
        repair(&array, Replacement::Whatwg),
        decode(&array, Scheme::Latin1, None),
        decode(&array, Scheme::Latin1, Some(Policy::default())),
        decode_or_null(&array, Scheme::Ascii),
        transcode(&array, Scheme::Utf8, Scheme::Wtf8, None),
    ] {
        assert_eq!(place(new), Some((1, None)));
    }
    assert_eq!(is_valid(&array).map(|mask| mask.true_count()), Ok(3));
    assert_eq!(char_count(&array).expect("bytes").as_primitive::<Int32Type>().value(2), 1 << 30);
    assert_eq!(check(&array.slice(1, 1)).map(|text| text.len()), Ok(1));
}

#[test]
fn buffers_are_shared() {
    let array = BinaryArray::from(vec![
        Some(&b"\xFF\xFF"[..]),
        Some("rún".as_bytes()),
        None,
        Some(b"a"),
        Some(b"\x80"),
    ]);
    let slice = array.slice(1, 3);
    for text in [
        check(&slice),
        repair(&slice, "?"),
        repair(&slice, Replacement::Perl5),
        decode_or_null(&slice, Scheme::Utf8),
    ] {
        let text = text.expect("text");
        assert_sound(&text);
        assert_eq!(text.as_string::<i32>().values().as_ptr(), array.values()[2..].as_ptr());
        assert_eq!(text.as_string::<i32>().value(0), "rún");
    }
    // From the start of the buffer not even offsets are new.
    let clean = LargeBinaryArray::from_vec(vec![b"a", b"bc"]);
    let text = check_binary(&clean).expect("text");
    assert_eq!(text.offsets().as_ptr(), clean.offsets().as_ptr());
    let back = encode(&text, Scheme::Utf8, None).expect("binary");
    assert_eq!(back.as_binary::<i64>().values().as_ptr(), clean.values().as_ptr());
    // Noncharacters are replaced by one policy.
    let array = BinaryArray::from_vec(vec![b"a", "\u{FFFE}".as_bytes()]);
    assert_eq!(repair(&array, Replacement::Perl5).expect("text").as_string::<i32>().value(1), "\u{FFFD}");
    let text = check(&array).expect("text");
    assert_eq!(repair(&text, Replacement::Perl5).expect("text").as_string::<i32>().value(1), "\u{FFFD}");
    let views = check(&BinaryViewArray::from_iter_values([&b"a"[..], "\u{FFFE}".as_bytes()])).expect("text");
    assert_eq!(repair(&views, Replacement::Perl5).expect("text").as_string_view().value(1), "\u{FFFD}");
    assert_eq!(repair(&views, Replacement::Whatwg).expect("text").as_string_view().value(1), "\u{FFFE}");
}

/// A view of `len` bytes at `at` in a buffer.
fn view(buffers: &[&[u8]], which: usize, at: usize, len: usize) -> u128 {
    let value = &buffers[which][at..at + len];
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&(len as u32).to_le_bytes());
    if len <= 12 {
        bytes[4..4 + len].copy_from_slice(value);
    } else {
        bytes[4..8].copy_from_slice(&value[..4]);
        bytes[8..12].copy_from_slice(&(which as u32).to_le_bytes());
        bytes[12..].copy_from_slice(&(at as u32).to_le_bytes());
    }
    u128::from_le_bytes(bytes)
}

#[test]
fn views_share_buffers() {
    let texts = ["rúnastafur og rún".as_bytes(), b"a long line of text, \xFF, and more of the same"];
    let buffers: Vec<Buffer> = texts.iter().map(Buffer::from_slice_ref).collect();
    let views = vec![
        view(&texts, 0, 0, 18),  // all
        view(&texts, 0, 1, 15),  // a part of it
        view(&texts, 1, 0, 21),  // before what is ill-formed
        view(&texts, 1, 1, 30),  // with it
        view(&texts, 0, 0, 5),   // in the view itself
        view(&texts, 1, 21, 2),  // ill-formed, in the view itself
        view(&texts, 1, 20, 20), // null, and ill-formed
    ];
    let nulls = NullBuffer::from(vec![true, true, true, true, true, true, false]);
    let array = BinaryViewArray::new(views.into(), buffers, Some(nulls));
    assert_eq!(check_view(&array).expect_err("ill-formed").row(), Some(3));
    assert_eq!(is_valid(&array).map(|mask| mask.true_count()), Ok(4));

    let clean = check_view(&array.slice(0, 3)).expect("text");
    assert_eq!(clean.data_buffers()[0].as_ptr(), array.data_buffers()[0].as_ptr());
    assert_sound(&clean);

    let text = repair(&array, Policy::With("?")).expect("text");
    assert_sound(&text);
    let text: &StringViewArray = text.as_string_view();
    assert_eq!(text.data_buffers().len(), 3);
    assert_eq!(text.views()[..3], array.views()[..3]);
    assert_eq!((text.value(3), text.value(5)), (" long line of text, ?, and mor", "?,"));
    assert_eq!(text.views()[6], 0);
    assert_eq!((text.null_count(), text.is_null(6)), (1, true));

    let text = decode(&array, Scheme::Latin1, None).expect("text");
    assert_sound(&text);
    assert_eq!(text.as_string_view().value(1), "Ãºnastafur og r");
    // A null that is the only thing wrong.
    let array = BinaryViewArray::new(
        array.views().slice(5, 2),
        array.data_buffers().to_vec(),
        Some(vec![false, false].into()),
    );
    let text = check_view(&array).expect("text");
    assert_sound(&text);
    assert_eq!(text.views()[..], [0, 0]);
}

#[test]
fn views_by_the_megabyte() {
    let long = "rúnastafur ".repeat(15_000);
    let rows: Vec<String> = (0..100)
        .map(|row| {
            format!("{row}: {}", &long[..if row % 3 == 0 { 0 } else { long.len() / (1 + row % 7) / 12 * 12 }])
        })
        .collect();
    let text = StringViewArray::from_iter_values(&rows);
    let wide = encode(&text, Scheme::Utf16Le, None).expect("text");
    assert_sound(&wide);
    assert!(wide.as_binary_view().data_buffers().len() > 2);
    for (row, value) in wide.as_binary_view().iter().enumerate() {
        let expected: Vec<u8> = rows[row].encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(value, Some(&expected[..]), "row {row}");
    }
    let back = decode(&wide, Scheme::Utf16Le, None).expect("text");
    assert_sound(&back);
    assert!(back.as_string_view().iter().map(|row| row.expect("no null")).eq(rows.iter()));
    // An error far from the beginning.
    let mut bytes: Vec<Vec<u8>> =
        wide.as_binary_view().iter().map(|row| row.expect("no null").to_vec()).collect();
    bytes[90].extend(b"\0\xD8");
    bytes[97].push(b'a');
    let array = BinaryViewArray::from_iter_values(&bytes);
    assert_eq!(place(decode(&array, Scheme::Utf16Le, None)), Some((90, Some(bytes[90].len() - 2))));
    let text = decode_or_null(&array, Scheme::Utf16Le).expect("text");
    assert_sound(&text);
    assert!((0..100).all(|row| text.is_null(row) == [90, 97].contains(&row)));
    let text = decode(&array, Scheme::Utf16Le, Some("?".into())).expect("text");
    assert_eq!(text.as_string_view().value(97), format!("{}?", rows[97]));
}

#[test]
fn dictionaries_name_the_row() {
    let values: ArrayRef = Arc::new(BinaryArray::from(vec![
        Some(&b"\xFF"[..]),
        Some(b"a"),
        Some(b"ab\xC3"),
        None,
        Some(b"\x80"),
        Some("rún".as_bytes()),
    ]));
    // The first value that is wrong is not the one that the first such row has.
    let array = small_dictionary(vec![Some(1), None, Some(5), Some(2), Some(0), Some(2)], values.clone());
    assert_eq!(place(check(&array)), Some((3, Some(2))));
    assert_eq!(place(check(&array.slice(3, 2))), Some((0, Some(2))));
    assert_eq!(place(check(&array.slice(4, 2))), Some((0, Some(0))));
    let mask = is_valid(&array).expect("bytes");
    let expected = [Some(true), None, Some(true), Some(false), Some(false), Some(false)];
    assert!(mask.iter().eq(expected));

    // Values that no row has.
    let text = check(&array.slice(0, 3)).expect("text");
    assert_sound(&text);
    assert_eq!(rows_of(&text), [Some(b"a".to_vec()), None, Some("rún".into())]);
    let new = text.as_any_dictionary().values();
    assert_eq!((new.len(), new.null_count()), (6, 5 - 1));

    // Keys stay, whatever becomes of the values.
    let text = decode_or_null(&array, Scheme::Utf8).expect("text");
    assert_eq!(text.as_dictionary::<Int8Type>().keys(), array.keys());
    assert_eq!(text.logical_nulls().map(|nulls| nulls.null_count()), Some(4));
    let text = repair(&array, Replacement::Whatwg).expect("text");
    assert_sound(&text);
    assert_eq!(rows_of(&text)[3], Some("ab\u{FFFD}".into()));

    let names = detect(&array).expect("bytes");
    let names = names.downcast_dict::<StringArray>().expect("names");
    assert_eq!(names.into_iter().nth(2), Some(Some("UTF-8")));
    let empty = small_dictionary(vec![None, None], new_empty_array(&DataType::Binary));
    assert_eq!(check(&empty).map(|text| text.logical_null_count()), Ok(2));
}

#[test]
fn keys_of_all_types() {
    fn ask<K: ArrowDictionaryKeyType>(keys: PrimitiveArray<K>) {
        let values: [ArrayRef; 4] = [
            Arc::new(BinaryArray::from_vec(vec![b"abc", b"ab\xFF", b"\xFF\xFFc"])),
            Arc::new(LargeBinaryArray::from_vec(vec![b"abc", b"ab\xFF", b"\xFF\xFFc"])),
            Arc::new(BinaryViewArray::from_iter_values([b"abc", b"ab\xFF", b"\xFF\xFFc"])),
            Arc::new(fixed(3, b"abcab\xFF\xFF\xFFc", None)),
        ];
        for values in values {
            let array = DictionaryArray::new(keys.clone(), values);
            assert_eq!(place(check(&array)), Some((2, Some(2))), "{}", array.data_type());
            let text = check(&array.slice(0, 2)).expect("text");
            assert_sound(&text);
            assert_eq!(Some(text.data_type()), text_type(array.data_type()).as_ref());
            assert_eq!(rows_of(&text), [Some(b"abc".to_vec()), None]);
            assert_eq!(is_valid(&array).map(|mask| mask.true_count()), Ok(1));
            assert_eq!(char_count(&array).map(|counts| counts.null_count()), Ok(1));
        }
    }
    macro_rules! ask_all {
        ($($key:ty)*) => {$(
            ask([Some(0), None, Some(1), Some(2)].into_iter().collect::<PrimitiveArray<$key>>());
        )*};
    }
    ask_all!(Int8Type Int16Type Int32Type Int64Type UInt8Type UInt16Type UInt32Type UInt64Type);
}

#[test]
fn surrogates_are_no_text() {
    let array = BinaryArray::from_vec(vec![b"a\0", b"\0\xD8"]);
    let error = decode(&array, Scheme::Wtf16Le, None).expect_err("a surrogate");
    assert_eq!((error.row(), error.at(), error.ill_formed()), (Some(1), Some(0), None));
    let text = decode_or_null(&array, Scheme::Wtf16Le).expect("bytes");
    assert_eq!(rows_of(&text), [Some(b"a".to_vec()), None]);
    let binary = transcode(&array, Scheme::Wtf16Le, Scheme::Wtf8, None).expect("well-formed");
    assert_eq!(rows_of(&binary), [Some(b"a".to_vec()), Some(b"\xED\xA0\x80".to_vec())]);
}

#[test]
fn errors_are_those_of_arrow_too() {
    let array = BinaryArray::from_vec(vec![b"a", b"\xFF"]);
    let error = check(&array).expect_err("ill-formed");
    assert_eq!(error.ill_formed().map(|error| error.kind), Some(runecast::Kind::InvalidLead));
    let text = "row 1: ill-formed at byte 0: no character of Unicode begins with FF";
    assert_eq!(error.to_string(), text);
    let error = arrow_schema::ArrowError::from(error);
    assert!(error.to_string().contains(text), "{error}");
    // Text has none.
    let text = StringArray::from(vec![Some("a"), None]);
    assert_eq!(errors(&text).map(|errors| errors.null_count()), Ok(2));
    assert_eq!(is_valid(&text).map(|mask| (mask.true_count(), mask.null_count())), Ok((1, 1)));
}

#[test]
fn what_a_column_is() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let array: BinaryArray = ["run", "stafur", "rún"].map(|text| Some(wide(text))).into_iter().collect();
    let content = |array: &dyn Array| detect_column(array).expect("bytes").map(|detection| detection.content);
    assert_eq!(content(&array), Some(Content::Text(Scheme::Utf16Le)));
    let text = decode(&array, Scheme::Utf16Le, None).expect("text");
    assert_eq!(content(&text), Some(Content::Text(Scheme::Utf8)));
    assert_eq!(content(&text.slice(0, 2)), Some(Content::Text(Scheme::Ascii)));
    assert_eq!(content(&small_dictionary(vec![Some(0)], text)), Some(Content::Text(Scheme::Utf8)));
}

#[test]
fn the_scheme_that_has_no_form_is_named() {
    let runes: ArrayRef = Arc::new(StringArray::from(vec!["a", "aᚱ"]));
    let views: ArrayRef = Arc::new(StringViewArray::from(vec!["a", "aᚱ"]));
    let keys: ArrayRef = Arc::new(small_dictionary(vec![Some(0), Some(1)], runes.clone()));
    for array in [runes, views, keys] {
        for (scheme, name) in [(Scheme::Latin1, "Latin-1"), (Scheme::Ascii, "ASCII")] {
            let expected = format!("row 1: at offset 1: {name} has no form for U+16B1 (ᚱ)");
            assert_eq!(encode(&array, scheme, None).expect_err("runes").to_string(), expected);
            let error = transcode(&array, Scheme::Utf8, scheme, None).expect_err("runes");
            assert_eq!(error.to_string(), expected);
        }
    }
    let surrogate = BinaryArray::from_vec(vec![b"a\0", b"\0\xD8"]);
    let expected = "row 1: at offset 0: UTF-8 has no form for U+D800, which is no character";
    let error = decode(&surrogate, Scheme::Wtf16Le, None).expect_err("a surrogate");
    assert_eq!(error.to_string(), expected);
    let error = transcode(&surrogate, Scheme::Wtf16Le, Scheme::Utf8, None).expect_err("a surrogate");
    assert_eq!(error.to_string(), expected);
    // What is ill-formed is so by the encoding that is read.
    let error = transcode(&BinaryArray::from_vec(vec![b"\xFF"]), Scheme::Utf8, Scheme::Ascii, None);
    assert_eq!(
        error.expect_err("ill-formed").to_string(),
        "row 0: ill-formed at byte 0: no character of Unicode begins with FF"
    );
}
