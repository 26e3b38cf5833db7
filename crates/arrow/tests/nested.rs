//! Lists, structs and runs: each row must become what its values become by themselves, one by one, with the standard
//! library's `from_utf8_lossy` and `from_utf8`.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, FixedSizeListBuilder, LargeListBuilder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, FixedSizeListArray, Int32Array, ListArray, RunArray, StringArray,
    StructArray, make_array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Fields};
use runecast::{Replacement, Scheme};
use runecast_arrow::{
    binary_type, check, decode_or_null, encode, errors, is_valid, repair, text_type, transcode,
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
