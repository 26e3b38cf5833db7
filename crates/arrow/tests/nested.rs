//! Lists, structs and runs: each row must become what its values become by themselves, one by one, with the standard
//! library's `from_utf8_lossy` and `from_utf8`.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, FixedSizeListBuilder, LargeListBuilder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray, Int8Array,
    Int32Array, LargeListViewArray, ListArray, ListViewArray, MapArray, NullArray, RunArray, StringArray,
    StructArray, UnionArray, make_array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields, UnionFields};
use runecast::{Replacement, Scheme};
use runecast_arrow::{
    Step, binary_type, check, decode_or_null, encode, errors, is_valid, repair, text_type, transcode,
};

const VALUES: [Option<&[u8]>; 8] = [
    Some(b"r\xC3\xBAn"),
    None,
    Some(b"\xFF"),
    Some(b""),
    Some(b"a\xED\xA0\x80b"),
    Some(b"plain, and longer than a view holds"),
    Some(b"\xE2\x82"),
    Some("ᚱ".as_bytes()),
];

/// The values of each row, of which some are null and some empty.
fn rows() -> Vec<Option<Vec<Option<&'static [u8]>>>> {
    (0..40_usize)
        .map(|row| (row % 7 != 3).then(|| (0..row * 5 % 4).map(|at| VALUES[(row * 3 + at) % 8]).collect()))
        .collect()
}

/// What `from_utf8_lossy` makes of a value.
fn lossy(value: Option<&[u8]>) -> Option<String> {
    value.map(|value| String::from_utf8_lossy(value).into_owned())
}

fn strings(array: &ArrayRef) -> Vec<Option<String>> {
    array.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

#[test]
fn lists_row_by_row() {
    let (mut narrow, mut wide) =
        (ListBuilder::new(BinaryBuilder::new()), LargeListBuilder::new(BinaryBuilder::new()));
    for row in rows() {
        for value in row.iter().flatten() {
            narrow.values().append_option(*value);
            wide.values().append_option(*value);
        }
        narrow.append(row.is_some());
        wide.append(row.is_some());
    }
    let (narrow, wide): (ArrayRef, ArrayRef) = (Arc::new(narrow.finish()), Arc::new(wide.finish()));
    for (from, len) in [(0, 40), (0, 0), (40, 0), (1, 39), (5, 20), (3, 1)] {
        let expected: Vec<_> = rows()[from..from + len]
            .iter()
            .map(|row| row.as_ref().map(|row| row.iter().map(|value| lossy(*value)).collect::<Vec<_>>()))
            .collect();
        let new = repair(&narrow.slice(from, len), Replacement::Whatwg).unwrap();
        assert_eq!(Some(new.data_type()), text_type(narrow.data_type()).as_ref());
        let found: Vec<_> = new.as_list::<i32>().iter().map(|row| row.map(|row| strings(&row))).collect();
        assert_eq!(found, expected);
        let new = repair(&wide.slice(from, len), Replacement::Whatwg).unwrap();
        let found: Vec<_> = new.as_list::<i64>().iter().map(|row| row.map(|row| strings(&row))).collect();
        assert_eq!(found, expected);
        // The first row with a value that is ill-formed.
        let wrong = rows()[from..from + len]
            .iter()
            .position(|row| row.iter().flatten().flatten().any(|value| std::str::from_utf8(value).is_err()));
        assert_eq!(check(&narrow.slice(from, len)).err().and_then(|error| error.row()), wrong);
        assert_eq!(check(&wide.slice(from, len)).err().and_then(|error| error.row()), wrong);
        let null = decode_or_null(&narrow.slice(from, len), Scheme::Utf8).unwrap();
        for (row, expected) in null.as_list::<i32>().iter().zip(&rows()[from..]) {
            let expected = expected.as_ref().map(|row| {
                let text = |value: &Option<&[u8]>| {
                    value.and_then(|value| std::str::from_utf8(value).ok().map(str::to_owned))
                };
                row.iter().map(text).collect::<Vec<_>>()
            });
            assert_eq!(row.map(|row| strings(&row)), expected);
        }
    }
    assert!(is_valid(&narrow).is_err() && errors(&narrow).is_err());
}

#[test]
fn lists_of_a_fixed_size() {
    let mut builder = FixedSizeListBuilder::new(BinaryBuilder::new(), 2);
    for (row, value) in VALUES.iter().enumerate() {
        builder.values().append_option(*value);
        builder.values().append_option(VALUES[(row + 3) % 8]);
        builder.append(row != 2);
    }
    let array = builder.finish();
    for from in 0..8 {
        let new = repair(&array.slice(from, 8 - from), Replacement::Whatwg).unwrap();
        for (row, values) in (from..8).zip(new.as_fixed_size_list().iter()) {
            let expected = (row != 2).then(|| vec![lossy(VALUES[row]), lossy(VALUES[(row + 3) % 8])]);
            assert_eq!(values.map(|values| strings(&values)), expected);
        }
    }
    // Row 2 is null, whatever is in it; 1 has a second value that is ill-formed.
    assert_eq!(check(&array).unwrap_err().row(), Some(1));
    assert_eq!(check(&array.slice(2, 2)).unwrap_err().row(), Some(1));
    assert!(check(&array.slice(2, 1)).is_ok());
}

#[test]
fn what_is_under_a_null_affects_no_row() {
    let values: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"a", b"\xFF", b"b"]));
    let nulls = Some(NullBuffer::from(vec![true, false, true]));
    let field = Arc::new(Field::new("item", DataType::Binary, true));
    let list = ListArray::new(field, OffsetBuffer::from_lengths([1, 1, 1]), values.clone(), nulls.clone());
    let text = check(&list).unwrap();
    assert_eq!(strings(&text.as_list::<i32>().value(2)), [Some("b".into())]);
    let fields = Fields::from(vec![Field::new("x", DataType::Binary, false)]);
    let table = StructArray::new(fields, vec![values], nulls);
    let text = check(&table).unwrap();
    assert_eq!(text.as_struct().column(0).as_string::<i32>().value(2), "b");
    assert!(text.is_null(1));
}

#[test]
fn a_run_under_nulls_affects_no_row() {
    let values: Vec<&[u8]> = vec![b"a", b"\xFF", b"", b"\xFE"];
    let ends = [2, 4, 5, 7];
    let field = |kind: &DataType| Arc::new(Field::new("x", kind.clone(), false));
    for valid in 0..1_u32 << 7 {
        let validity: Vec<bool> = (0..7).map(|row| valid >> row & 1 == 1).collect();
        let nulls = NullBuffer::from(validity.clone());
        let runs: ArrayRef = Arc::new(
            RunArray::<Int32Type>::try_new(
                &Int32Array::from(ends.to_vec()),
                &BinaryArray::from_vec(values.clone()),
            )
            .unwrap(),
        );
        let row_of = |row: usize| ends.iter().position(|end| row < *end as usize).unwrap();
        let is_wrong = |row: &usize| validity[*row] && std::str::from_utf8(values[row_of(*row)]).is_err();
        let table =
            StructArray::new(vec![field(runs.data_type())].into(), vec![runs.clone()], Some(nulls.clone()));
        let list = ListArray::new(
            field(runs.data_type()),
            OffsetBuffer::from_lengths([1; 7]),
            runs.clone(),
            Some(nulls.clone()),
        );
        let fixed = FixedSizeListArray::new(field(runs.data_type()), 1, runs, Some(nulls));
        for array in [&table as &dyn Array, &list, &fixed] {
            for (from, len) in [(0, 7), (1, 6), (3, 4), (2, 2), (6, 1), (0, 0)] {
                let slice = array.slice(from, len);
                let wrong = (from..from + len).find(is_wrong).map(|row| row - from);
                let found = check(&slice).map_err(|error| error.row());
                assert_eq!(found.as_ref().err().copied().flatten(), wrong, "{validity:?} {from} {len}");
                let Ok(new) = found else { continue };
                assert_eq!(new.len(), len);
                assert!((0..len).all(|row| new.is_null(row) == slice.is_null(row)));
                new.to_data().validate_full().unwrap();
            }
            // Null for what is ill-formed, where the field had no nulls.
            let new = decode_or_null(array, Scheme::Utf8).unwrap();
            new.to_data().validate_full().unwrap();
        }
    }
}

#[test]
fn structs_keep_what_is_no_text() {
    let fields = Fields::from(vec![
        Field::new("id", DataType::Int32, false),
        Field::new("raw", DataType::Binary, true),
        Field::new("text", DataType::Utf8, true),
    ]);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![1, 2, 3])),
        Arc::new(BinaryArray::from_vec(vec![b"a", b"\xFF", b"\xFE"])),
        Arc::new(StringArray::from(vec!["x", "ᚱ", "y"])),
    ];
    let table = StructArray::new(fields, columns, None);
    let new = repair(&table, Replacement::Whatwg).unwrap();
    assert_eq!(Some(new.data_type()), text_type(table.data_type()).as_ref());
    assert_eq!(new.as_struct().column(0), table.column(0));
    assert_eq!(
        strings(new.as_struct().column(1)),
        ["a", "\u{FFFD}", "\u{FFFD}"].map(|text| Some(text.to_owned()))
    );
    assert_eq!(new.as_struct().column(2), table.column(2));
    assert_eq!(check(&table).unwrap_err().row(), Some(1));
    assert_eq!(check(&table.slice(2, 1)).unwrap_err().row(), Some(0));
    // Only what is text is encoded.
    let wide = encode(&table, Scheme::Utf16Le, None).unwrap();
    assert_eq!(wide.as_struct().column(1), table.column(1));
    assert_eq!(wide.as_struct().column(2).as_binary::<i32>().value(1), [0xB1, 0x16]);
    assert_eq!(encode(&table, Scheme::Latin1, None).unwrap_err().row(), Some(1));
    assert!(check(&StructArray::new_empty_fields(3, None)).is_err());
}

#[test]
fn runs() {
    let ends = Int32Array::from(vec![2, 3, 7, 8]);
    let array = RunArray::<Int32Type>::try_new(
        &ends,
        &BinaryArray::from(vec![Some(&b"a"[..]), None, Some(b"\xFF"), Some(b"\xC3\xBA")]),
    )
    .unwrap();
    let rows: Vec<Option<&[u8]>> = [
        Some(&b"a"[..]),
        Some(b"a"),
        None,
        Some(b"\xFF"),
        Some(b"\xFF"),
        Some(b"\xFF"),
        Some(b"\xFF"),
        Some(b"\xC3\xBA"),
    ]
    .into();
    for from in 0..=8 {
        for len in 0..=8 - from {
            let slice = array.slice(from, len);
            let rows = &rows[from..from + len];
            let new = repair(&slice, Replacement::Whatwg).unwrap();
            let new = new.as_any().downcast_ref::<RunArray<Int32Type>>().unwrap();
            let typed = new.downcast::<StringArray>().unwrap();
            let found: Vec<_> = typed.into_iter().map(|text| text.map(str::to_owned)).collect();
            assert_eq!(found, rows.iter().map(|row| lossy(*row)).collect::<Vec<_>>(), "{from} {len}");
            let good = |row: &Option<&[u8]>| row.map(|row| std::str::from_utf8(row).is_ok());
            assert_eq!(is_valid(&slice).unwrap(), rows.iter().map(good).collect::<Vec<_>>().into());
            let wrong = rows.iter().position(|row| good(row) == Some(false));
            assert_eq!(check(&slice).err().and_then(|error| error.row()), wrong, "{from} {len}");
        }
    }
}

#[test]
fn lists_in_structs_in_lists() {
    let inner = |values: Vec<&[u8]>| -> ArrayRef {
        let field = Arc::new(Field::new("item", DataType::Binary, true));
        let len = values.len();
        Arc::new(ListArray::new(
            field,
            OffsetBuffer::from_lengths([len - 1, 1]),
            Arc::new(BinaryArray::from_vec(values)),
            None,
        ))
    };
    let list = inner(vec![b"a", b"b", b"\xFF"]);
    let fields = Fields::from(vec![Field::new("tags", list.data_type().clone(), true)]);
    let table: ArrayRef = Arc::new(StructArray::new(fields, vec![list], None));
    let field = Arc::new(Field::new("item", table.data_type().clone(), true));
    let outer = ListArray::new(field, OffsetBuffer::from_lengths([0, 1, 1]), table, None);
    assert_eq!(check(&outer).unwrap_err().row(), Some(2));
    let new = repair(&outer, Replacement::Whatwg).unwrap();
    assert_eq!(Some(new.data_type()), text_type(outer.data_type()).as_ref());
    let tags = new.as_list::<i32>().value(2);
    assert_eq!(strings(&tags.as_struct().column(0).as_list::<i32>().value(0)), [Some("\u{FFFD}".into())]);
    let wide = transcode(&outer, Scheme::Latin1, Scheme::Utf16Be, None).unwrap();
    let tags = wide.as_list::<i32>().value(2);
    assert_eq!(tags.as_struct().column(0).as_list::<i32>().value(0).as_binary::<i32>().value(0), b"\0\xFF");
}

/// Forty arrays in one another, each with a null row and something ill-formed under it, would be done 2⁴⁰ times, if each of them
/// did its values again.
#[test]
fn depth_costs_no_more_than_its_arrays() {
    let values = || -> ArrayRef { Arc::new(BinaryArray::from_vec(vec![b"a", b"\xFF", b"b"])) };
    let nulls = || Some(NullBuffer::from(vec![true, false, true]));
    let in_struct = |inner: ArrayRef, nulls| -> ArrayRef {
        let field = Field::new("x", inner.data_type().clone(), true);
        Arc::new(StructArray::new(vec![field].into(), vec![inner], nulls))
    };
    let in_list = |inner: ArrayRef, nulls| -> ArrayRef {
        let field = Arc::new(Field::new("item", inner.data_type().clone(), true));
        Arc::new(ListArray::new(field, OffsetBuffer::from_lengths([1, 1, 1]), inner, nulls))
    };
    let in_fixed = |inner: ArrayRef, nulls| -> ArrayRef {
        let field = Arc::new(Field::new("item", inner.data_type().clone(), true));
        Arc::new(FixedSizeListArray::new(field, 1, inner, nulls))
    };
    type Around<'a> = &'a dyn Fn(ArrayRef, Option<NullBuffer>) -> ArrayRef;
    let kinds: [Around; 3] = [&in_struct, &in_list, &in_fixed];
    for around in kinds {
        let nested = |mut array: ArrayRef| {
            (0..40).for_each(|_| array = around(array.clone(), nulls()));
            array
        };
        let wrong = nested(Arc::new(BinaryArray::from_vec(vec![b"a", b"b", b"\xFF"])));
        let under_nulls = nested(values());
        // Under the outermost null only.
        let mut once = values();
        (0..39).for_each(|_| once = around(once.clone(), None));
        let once = around(once, nulls());
        for array in [&under_nulls, &once] {
            for new in [
                check(array),
                decode_or_null(array, Scheme::Utf8),
                transcode(array, Scheme::Utf8, Scheme::Utf16Le, None),
            ] {
                let new = new.unwrap();
                assert!(new.is_null(1) && new.null_count() == 1);
                new.to_data().validate_full().unwrap();
            }
            let text = check(array).unwrap();
            assert_eq!(Some(text.data_type()), text_type(array.data_type()).as_ref());
            assert!(encode(&text, Scheme::Ascii, None).is_ok());
        }
        for error in [
            check(&wrong),
            transcode(&wrong, Scheme::Utf8, Scheme::Utf16Le, None),
            encode(&nested(Arc::new(StringArray::from(vec!["a", "ᚱ", "ᚱ"]))), Scheme::Latin1, None),
        ] {
            assert_eq!(error.unwrap_err().row(), Some(2));
        }
    }
}

/// Runs with fields of their own: that of the values is not what arrow calls it, may not be null, and says something more.
fn runs_with_fields(ends: Vec<i32>, values: BinaryArray) -> ArrayRef {
    let runs = RunArray::<Int32Type>::try_new(&Int32Array::from(ends), &values).unwrap();
    let more = [("unit".to_owned(), "rune".to_owned())].into();
    let data_type = DataType::RunEndEncoded(
        Arc::new(Field::new("until", DataType::Int32, false)),
        Arc::new(Field::new("raw", DataType::Binary, false).with_metadata(more)),
    );
    make_array(runs.to_data().into_builder().data_type(data_type).build().unwrap())
}

#[test]
fn runs_keep_their_fields() {
    let array = runs_with_fields(vec![2, 5], BinaryArray::from_vec(vec![b"a", b"\xC3\xBA"]));
    let text = check(&array).unwrap();
    assert_eq!(Some(text.data_type()), text_type(array.data_type()).as_ref());
    let DataType::RunEndEncoded(ends, values) = text.data_type() else { panic!("runs") };
    assert_eq!((ends.name().as_str(), values.name().as_str(), values.is_nullable()), ("until", "raw", false));
    assert_eq!(values.metadata().len(), 1);
    for slice in [array.slice(1, 3), array.slice(0, 0), array.clone()] {
        let new = repair(&slice, Replacement::Whatwg).unwrap();
        assert_eq!(Some(new.data_type()), text_type(array.data_type()).as_ref());
        let new = encode(&new, Scheme::Utf16Le, None).unwrap();
        assert_eq!(Some(new.data_type()), binary_type(array.data_type()).as_ref());
        new.to_data().validate_full().unwrap();
    }
    // A row that becomes null is all that changes them.
    let array = runs_with_fields(vec![2, 5], BinaryArray::from_vec(vec![b"a", b"\xFF"]));
    let new = decode_or_null(&array, Scheme::Utf8).unwrap();
    let DataType::RunEndEncoded(_, values) = new.data_type() else { panic!("runs") };
    assert!(values.is_nullable() && values.name() == "raw");
    // Under a null of a struct the runs are as they were.
    let field = Field::new("x", array.data_type().clone(), false);
    let nulls = NullBuffer::from(vec![true, true, false, false, false]);
    let table = StructArray::new(vec![field].into(), vec![array], Some(nulls));
    let text = check(&table).unwrap();
    text.to_data().validate_full().unwrap();
    let DataType::RunEndEncoded(_, values) = text.as_struct().column(0).data_type() else { panic!("runs") };
    assert_eq!(values.name(), "raw");
}

/// A struct of these columns, with fields of their types.
fn table(columns: Vec<(&str, ArrayRef)>) -> StructArray {
    let field = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let fields: Fields = columns.iter().map(field).collect();
    StructArray::new(fields, columns.into_iter().map(|(_, array)| array).collect(), None)
}

/// A field with the name of an extension type.
fn extension(name: &str, of_type: &DataType) -> Field {
    let metadata = [("ARROW:extension:name", name), ("ARROW:extension:metadata", "")];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Field::new("x", of_type.clone(), true).with_metadata(metadata.into())
}

#[test]
fn what_a_field_says_of_its_bytes_stays_true() {
    let ids: ArrayRef = Arc::new(
        FixedSizeBinaryArray::try_from_iter([*b"sixteen bytes, 1", [0xFF; 16]].into_iter()).unwrap(),
    );
    let raw: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"{}", b"[]"]));
    let uuid = extension("arrow.uuid", ids.data_type());
    let json = extension("arrow.json", &DataType::Binary);
    let fields = vec![uuid.clone(), json.clone(), Field::new("raw", DataType::Binary, true)];
    let array = StructArray::new(fields.into(), vec![ids.clone(), raw.clone(), raw.clone()], None);
    let text = check(&array).unwrap();
    assert_eq!(Some(text.data_type()), text_type(array.data_type()).as_ref());
    assert_eq!((text.as_struct().column(0), text.as_struct().fields()[0].as_ref()), (&ids, &uuid));
    // Text is what JSON is.
    let of_json = &text.as_struct().fields()[1];
    assert_eq!((of_json.data_type(), of_json.metadata()), (&DataType::Utf8, json.metadata()));
    assert_eq!(text.as_struct().fields()[2].data_type(), &DataType::Utf8);
    for new in [
        repair(&array, Replacement::Perl5),
        decode_or_null(&array, Scheme::Utf16Le),
        transcode(&array, Scheme::Utf8, Scheme::Utf16Le, None),
        encode(&text, Scheme::Utf16Le, None),
    ] {
        let new = new.unwrap();
        assert_eq!((new.as_struct().column(0), new.as_struct().fields()[0].as_ref()), (&ids, &uuid));
        // It is none in UTF-16.
        let field = &new.as_struct().fields()[1];
        assert_eq!(field.metadata().is_empty(), field.data_type() == &DataType::Binary);
    }
    // In lists and runs too, and in a struct that has nothing else.
    let list: ArrayRef = Arc::new(ListArray::new(
        Arc::new(uuid.clone()),
        OffsetBuffer::from_lengths([1, 1]),
        ids.clone(),
        None,
    ));
    let array = table(vec![("ids", list.clone()), ("raw", raw)]);
    assert_eq!(check(&array).unwrap().as_struct().column(0), &list);
    let only = StructArray::new(vec![uuid].into(), vec![ids], None);
    for array in [&list as &dyn Array, &only] {
        assert_eq!((text_type(array.data_type()), binary_type(array.data_type())), (None, None));
        assert!(check(array).unwrap_err().row().is_none());
    }
}

/// Each kind of array that is not taken apart, around values that are binary, text or numbers.
fn not_taken(values: &ArrayRef) -> Vec<ArrayRef> {
    let field = || Arc::new(Field::new("item", values.data_type().clone(), true));
    let keys: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let entries = table(vec![("keys", keys), ("values", values.clone())]);
    let entries_field = Field::new("entries", entries.data_type().clone(), false);
    let fields = Fields::from(vec![
        Field::new("keys", DataType::Int32, false),
        Field::new("values", values.data_type().clone(), true),
    ]);
    let entries = StructArray::new(fields.clone(), entries.columns().to_vec(), None);
    let entries_field = entries_field.with_data_type(DataType::Struct(fields));
    let ends = || OffsetBuffer::from_lengths([1, 1]);
    let of_union: UnionFields = [(0_i8, field() as FieldRef)].into_iter().collect();
    let list: ArrayRef = Arc::new(ListArray::new(field(), ends(), values.clone(), None));
    vec![
        Arc::new(MapArray::new(Arc::new(entries_field), ends(), entries, None, false)),
        Arc::new(ListViewArray::new(field(), vec![0, 1].into(), vec![1, 1].into(), values.clone(), None)),
        Arc::new(LargeListViewArray::new(
            field(),
            vec![0, 1].into(),
            vec![1, 1].into(),
            values.clone(),
            None,
        )),
        Arc::new(UnionArray::try_new(of_union, vec![0, 0].into(), None, vec![values.clone()]).unwrap()),
        Arc::new(DictionaryArray::new(Int8Array::from(vec![0, 1]), list)),
    ]
}

#[test]
fn what_is_not_taken_is_not_passed_by() {
    let binary: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"a", b"\xFF"]));
    let text: ArrayRef = Arc::new(StringArray::from(vec!["a", "ᚱ"]));
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    for array in not_taken(&binary) {
        // Alone, in a struct, and in a list of structs.
        let within = table(vec![("raw", binary.slice(0, 1)), ("x", array.slice(0, 1))]);
        let field = Arc::new(Field::new("item", within.data_type().clone(), true));
        let list = ListArray::new(field, OffsetBuffer::from_lengths([1]), Arc::new(within.clone()), None);
        for array in [&array as &dyn Array, &within, &list] {
            assert_eq!((text_type(array.data_type()), binary_type(array.data_type())), (None, None));
            for new in [
                check(array),
                repair(array, Replacement::Whatwg),
                decode_or_null(array, Scheme::Latin1),
                transcode(array, Scheme::Utf8, Scheme::Utf16Le, None),
            ] {
                let error = new.unwrap_err();
                assert!(error.row().is_none() && error.to_string().contains("binary or text"), "{error}");
            }
        }
    }
    for array in not_taken(&text) {
        let within =
            table(vec![("raw", binary.slice(0, 1)), ("text", text.slice(0, 1)), ("x", array.slice(0, 1))]);
        // Text is text already. In another encoding it would have to become something else.
        let new = check(&within).unwrap();
        assert_eq!(new.as_struct().column(2), within.column(2));
        assert_eq!(Some(new.data_type()), text_type(within.data_type()).as_ref());
        assert!(encode(&within, Scheme::Utf16Le, None).is_err());
        assert!(transcode(&within, Scheme::Utf8, Scheme::Utf16Le, None).is_err());
    }
    for array in not_taken(&numbers) {
        let within = table(vec![("text", text.slice(0, 1)), ("x", array.slice(0, 1))]);
        assert_eq!(encode(&within, Scheme::Utf16Le, None).unwrap().as_struct().column(1), within.column(1));
        assert_eq!(check(&within).unwrap().as_struct().column(1), within.column(1));
        assert!(check(&array).is_err() && text_type(array.data_type()).is_none());
    }
}

#[test]
fn fields_that_are_null_stay_null() {
    let array = table(vec![
        ("raw", Arc::new(BinaryArray::from_vec(vec![b"a", b"b"]))),
        ("nothing", Arc::new(NullArray::new(2))),
    ]);
    let text = check(&array).unwrap();
    assert_eq!(text.as_struct().column(1), array.column(1));
    assert_eq!(Some(text.data_type()), text_type(array.data_type()).as_ref());
    let binary = encode(&text, Scheme::Utf16Le, None).unwrap();
    assert_eq!(binary.as_struct().column(1), array.column(1));
    assert_eq!(Some(binary.data_type()), binary_type(array.data_type()).as_ref());
    let nothing = table(vec![("nothing", Arc::new(NullArray::new(2)))]);
    assert_eq!(check(&nothing).unwrap().as_struct(), &nothing);
}

/// Only a row that becomes null may make a field one that may be null.
#[test]
fn nulls_that_no_row_has_are_not_told() {
    let nulls = || Some(NullBuffer::from(vec![true, false, true]));
    let values: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"a", b"\xFF", b"b"]));
    let clean: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"a", b"b", b"c"]));
    // A value that no row has, or the row that is null.
    let unused: ArrayRef = Arc::new(DictionaryArray::new(
        Int8Array::from(vec![0, 2, 2]),
        Arc::new(BinaryArray::from_vec(vec![b"a", b"\xFF", b"b"])),
    ));
    let under: ArrayRef = Arc::new(DictionaryArray::new(Int8Array::from(vec![0, 1, 2]), values.clone()));
    let runs = runs_with_fields(vec![1, 2, 3], BinaryArray::from_vec(vec![b"a", b"\xFF", b"b"]));
    let field = |values: &ArrayRef| Arc::new(Field::new("x", values.data_type().clone(), false));
    let in_list = |values: &ArrayRef, nulls| -> ArrayRef {
        let ends = OffsetBuffer::from_lengths([1, 1, 1]);
        Arc::new(ListArray::new(field(values), ends, values.clone(), nulls))
    };
    let in_fixed = |values: &ArrayRef, nulls| -> ArrayRef {
        Arc::new(FixedSizeListArray::new(field(values), 1, values.clone(), nulls))
    };
    let in_struct = |values: &ArrayRef, nulls| -> ArrayRef {
        Arc::new(StructArray::new(vec![field(values)].into(), vec![values.clone()], nulls))
    };
    type Around<'a> = &'a dyn Fn(&ArrayRef, Option<NullBuffer>) -> ArrayRef;
    let around: [Around; 3] = [&in_list, &in_fixed, &in_struct];
    let rows = |array: &ArrayRef, expected: &[Option<&str>]| {
        let text = arrow_cast::display::ArrayFormatter::try_new(array, &Default::default()).unwrap();
        for (row, expected) in expected.iter().enumerate() {
            assert_eq!(array.is_valid(row), expected.is_some());
            assert!(expected.is_none_or(|expected| text.value(row).to_string().contains(expected)));
        }
    };
    for outer in around {
        let mut arrays = vec![(outer(&unused, None), [Some("a"), Some("b"), Some("b")])];
        for values in [&values, &under, &runs, &clean] {
            let under_null = [Some("a"), None, Some(if Arc::ptr_eq(values, &clean) { "c" } else { "b" })];
            arrays.push((outer(values, nulls()), under_null));
            for inner in around {
                // Under the outer null the inner one has a row of its own.
                arrays.push((outer(&inner(values, None), nulls()), under_null));
                for middle in around {
                    arrays.push((outer(&middle(&inner(values, None), None), nulls()), under_null));
                }
            }
        }
        for (array, expected) in arrays {
            for new in [
                check(&array),
                decode_or_null(&array, Scheme::Utf8),
                repair(&array, Replacement::Whatwg),
                decode_or_null(&array, Scheme::Ascii),
            ] {
                let new = new.unwrap();
                new.to_data().validate_full().unwrap();
                assert_eq!(Some(new.data_type()), text_type(array.data_type()).as_ref());
                rows(&new, &expected);
            }
        }
        // But a row that becomes null does.
        let new = decode_or_null(&outer(&values, None), Scheme::Utf8).unwrap();
        new.to_data().validate_full().unwrap();
        let (DataType::List(field) | DataType::FixedSizeList(field, _)) = new.data_type() else {
            let DataType::Struct(fields) = new.data_type() else { panic!("one of three") };
            assert!(fields[0].is_nullable());
            continue;
        };
        assert!(field.is_nullable());
    }
}

#[test]
fn errors_say_where_in_the_row() {
    let column = |name: &str| Step::Column(name.into());
    let mut tags = ListBuilder::new(BinaryBuilder::new());
    let mut pairs = FixedSizeListBuilder::new(BinaryBuilder::new(), 3);
    tags.append_value([Some(b"ok")]);
    tags.append_null();
    tags.append_value((0..40).map(|at| Some(if at == 38 { &b"\xFF"[..] } else { b"a" })));
    for at in 0..9 {
        pairs.values().append_value(if at == 7 { &b"\xFF"[..] } else { b"a" });
        if at % 3 == 2 {
            pairs.append(true);
        }
    }
    let (tags, pairs): (ArrayRef, ArrayRef) = (Arc::new(tags.finish()), Arc::new(pairs.finish()));
    let inner: ArrayRef = Arc::new(table(vec![("tags", tags.clone())]));
    let text = check(&tags).unwrap_err().to_string();
    assert!(text.starts_with("row 2, element 38: ill-formed at byte 0: "), "{text}");
    for (array, path) in [
        (tags.clone(), vec![Step::Element(38)]),
        (tags.slice(2, 1), vec![Step::Element(38)]),
        (pairs.clone(), vec![Step::Element(1)]),
        (inner.clone(), vec![column("tags"), Step::Element(38)]),
        (Arc::new(table(vec![("x", inner)])), vec![column("x"), column("tags"), Step::Element(38)]),
        (runs_with_fields(vec![2, 9], BinaryArray::from_vec(vec![b"a", b"\xFF"])), vec![]),
    ] {
        let error = check(&array).unwrap_err();
        assert_eq!((error.row(), error.path()), (Some(2 % array.len()), &path[..]));
        let error = transcode(&array, Scheme::Utf8, Scheme::Utf16Le, None).unwrap_err();
        assert_eq!(error.path(), path);
    }
    // Of a dictionary too, in which an error is looked for by its values.
    let values = BinaryArray::from_vec(vec![b"a", b"\xFF"]);
    let keys: ArrayRef = Arc::new(DictionaryArray::new(Int8Array::from(vec![0, 0, 1]), Arc::new(values)));
    let field = Arc::new(Field::new("item", keys.data_type().clone(), true));
    let list = ListArray::new(field, OffsetBuffer::from_lengths([1, 2]), keys, None);
    let error = check(&list).unwrap_err();
    assert_eq!((error.row(), error.path()), (Some(1), &[Step::Element(1)][..]));
    // An array that is not taken is told by its columns.
    let map = not_taken(&pairs.as_fixed_size_list().values().slice(0, 2)).remove(0);
    let error = check(&table(vec![("x", Arc::new(table(vec![("map", map)])))])).unwrap_err();
    assert_eq!(error.path(), [column("x"), column("map")]);
    assert!(error.to_string().starts_with("column \"x\", column \"map\": an array of Map("), "{error}");
}

/// Others than arrow-rs have nulls under a null list whose field has none.
#[test]
fn nulls_under_nulls_where_there_are_none() {
    let values: ArrayRef = Arc::new(BinaryArray::from(vec![Some(&b"a"[..]), None, Some(b"b")]));
    let field = |nulls| Arc::new(Field::new("x", DataType::Binary, nulls));
    let nulls = || Some(NullBuffer::from(vec![true, false, true]));
    let list = ListArray::new(field(true), OffsetBuffer::from_lengths([1, 1, 1]), values.clone(), nulls());
    let data = list.into_data().into_builder().data_type(DataType::List(field(false)));
    // SAFETY: it was a list before, and only its field says something else.
    let list = make_array(unsafe { data.build_unchecked() });
    let fixed = FixedSizeListArray::new(field(false), 1, values.clone(), nulls());
    let table = StructArray::new(vec![field(false)].into(), vec![values], nulls());
    for array in [&list as &dyn Array, &fixed, &table] {
        let text = check(array).unwrap();
        text.to_data().validate_full().unwrap();
        assert_eq!((text.len(), text.null_count()), (3, 1));
    }
}
