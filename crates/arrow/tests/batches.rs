//! Record batches: what is converted, what stays, and what is said of it.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, FixedSizeBinaryArray, Int32Array, RecordBatch, RecordBatchOptions,
    StringArray, StructArray,
};
use arrow_schema::{DataType, Field, Schema};
use runecast::{Replacement, Scheme};
use runecast_arrow::{
    Columns, Error, Step, binary_type, check, convert_batch, convert_schema, decode_or_null, encode, repair,
    text_type,
};

/// An id, a UUID, raw bytes, text, and a struct of raw bytes, with metadata all over.
fn batch(raw: Vec<&[u8]>) -> RecordBatch {
    let more = |key: &str, value: &str| [(key.to_owned(), value.to_owned())].into();
    let raw: ArrayRef = Arc::new(BinaryArray::from_vec(raw));
    let rows = raw.len();
    let inner = Field::new("raw", DataType::Binary, false);
    let inner = StructArray::new(vec![inner].into(), vec![raw.clone()], None);
    let id = Field::new("id", DataType::Int32, false).with_metadata(more("unit", "none"));
    let uuid = Field::new("uuid", DataType::FixedSizeBinary(16), false)
        .with_metadata(more("ARROW:extension:name", "arrow.uuid"));
    let fields = vec![
        id,
        uuid,
        Field::new("raw", DataType::Binary, false).with_metadata(more("from", "a log")),
        Field::new("text", DataType::Utf8, false),
        Field::new("inner", inner.data_type().clone(), false),
    ];
    let ids = FixedSizeBinaryArray::try_from_iter((0..rows).map(|_| [0x61; 16])).expect("one size");
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from_iter_values(0..rows as i32)),
        Arc::new(ids),
        raw,
        Arc::new(StringArray::from(vec!["ᚱ"; rows])),
        Arc::new(inner),
    ];
    let schema = Schema::new_with_metadata(fields, more("source", "a file"));
    RecordBatch::try_new(Arc::new(schema), columns).expect("a batch")
}

#[test]
fn all_binary_columns_and_no_other() {
    let batch = batch(vec![b"a", b"r\xC3\xBAn"]);
    let new = convert_batch(&batch, Columns::Binary, check).expect("text");
    let schema = convert_schema(&batch.schema(), Columns::Binary, text_type).expect("a schema");
    assert_eq!(*new.schema(), schema);
    assert_eq!(schema.metadata(), batch.schema().metadata());
    let changed: Vec<bool> = (0..5).map(|at| schema.field(at) != batch.schema().field(at)).collect();
    assert_eq!(changed, [false, false, true, false, true]);
    assert_eq!(schema.field(2).metadata().len(), 1);
    for at in [0, 1, 3] {
        assert!(Arc::ptr_eq(new.column(at), batch.column(at)));
    }
    assert_eq!(new["raw"].as_string::<i32>().value(1), "rún");
    assert_eq!(new["inner"].as_struct().column(0).as_string::<i32>().value(1), "rún");
    // Text becomes binary where it is asked for.
    let utf16 = |array: &dyn Array| encode(array, Scheme::Utf16Le, None);
    let wide = convert_batch(&batch, Columns::Text, utf16).expect("binary");
    assert_eq!(wide["text"].as_binary::<i32>().value(0), [0xB1, 0x16]);
    assert_eq!(
        *wide.schema(),
        convert_schema(&batch.schema(), Columns::Text, binary_type).expect("a schema")
    );
    assert_eq!(wide["raw"].as_ref(), batch["raw"].as_ref());
}

#[test]
fn columns_by_name() {
    let batch = batch(vec![b"a", b"r\xFAn"]);
    let new = convert_batch(&batch, Columns::Named(&["raw"]), |raw| repair(raw, Replacement::Whatwg));
    let new = new.expect("text");
    assert_eq!(new["raw"].as_string::<i32>().value(1), "r\u{FFFD}n");
    assert_eq!(new["inner"].as_ref(), batch["inner"].as_ref());
    // What is a UUID is none as text.
    let new = convert_batch(&batch, Columns::Named(&["uuid"]), check).expect("text");
    assert_eq!(new.schema().field(1), &Field::new("uuid", DataType::Utf8, false));
    // Only a row that becomes null makes a field one that may be.
    let null = |raw: &dyn Array| decode_or_null(raw, Scheme::Utf8);
    let new = convert_batch(&batch, Columns::Named(&["raw"]), null).expect("text");
    assert!(new.schema().field(2).is_nullable() && new["raw"].is_null(1));
    let new = convert_batch(&batch.slice(0, 1), Columns::Named(&["raw"]), null).expect("text");
    assert!(!new.schema().field(2).is_nullable());
}

#[test]
fn errors_name_the_column() {
    let batch = batch(vec![b"a", b"r\xFAn"]);
    let error = convert_batch(&batch, Columns::Binary, check).expect_err("ill-formed");
    assert_eq!((error.row(), error.path()), (Some(1), &[Step::Column("raw".into())][..]));
    assert!(error.to_string().starts_with("row 1, column \"raw\": ill-formed at byte 1: "), "{error}");
    let error = convert_batch(&batch, Columns::Named(&["inner"]), check).expect_err("ill-formed");
    assert_eq!(error.path(), [Step::Column("inner".into()), Step::Column("raw".into())]);
    let error = convert_batch(&batch, Columns::Named(&["id"]), check).expect_err("numbers");
    let expected = "column \"id\": an array of Int32, where binary or text is expected";
    assert_eq!(error.to_string(), expected);
    let error = convert_schema(&batch.schema(), Columns::Named(&["id"]), text_type).expect_err("numbers");
    assert_eq!(error.to_string(), expected);
    for error in [
        convert_batch(&batch, Columns::Named(&["raw", "row"]), check).expect_err("unknown"),
        convert_schema(&batch.schema(), Columns::Named(&["row"]), text_type).expect_err("unknown"),
    ] {
        assert!(matches!(&error, Error::NoColumn { name, .. } if name == "row"));
        assert_eq!(error.to_string(), "no column is called \"row\"");
    }
    let error = convert_batch(&batch, Columns::Named(&["raw"]), |raw| Ok(raw.slice(0, 1)));
    assert_eq!(error.expect_err("one row").to_string(), "column \"raw\": 1 rows, where 2 were handed over");
}

#[test]
fn batches_with_nothing_in_them() {
    let empty = batch(vec![b"a"]).slice(0, 0);
    let new = convert_batch(&empty, Columns::Binary, check).expect("text");
    assert_eq!(*new.schema(), convert_schema(&empty.schema(), Columns::Binary, text_type).expect("a schema"));
    let options = RecordBatchOptions::new().with_row_count(Some(3));
    let none = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &options).expect("rows");
    assert_eq!(convert_batch(&none, Columns::Binary, check).expect("nothing").num_rows(), 3);
}
