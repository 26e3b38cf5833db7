//! Record batches: a conversion of some of their columns, with the schema that comes out.
//!
//! A batch is converted column by column, by whatever function of the crate takes an array. What is the batch's stays with it: names,
//! order, metadata of the schema and of each field, and the number of rows where there are no columns. Of a field the type changes, and it may
//! have nulls afterwards if a row of it has become null. An error names the column.
//!
//! Which columns: those in which there is binary, or text, as `types` knows it; or some by their names. A field with the name of an
//! extension type is not among the first two, for its bytes are something else. By its own name it is converted like any other, and
//! loses that of the extension type with the type of its values.

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, FieldRef, Schema};

use crate::error::{Error, Step};
use crate::types::{Takes, with_type};

/// Which columns of a record batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Columns<'a> {
    /// All in which there is binary: in dictionaries, lists, structs and runs, too.
    Binary,
    /// All in which there is text, likewise.
    Text,
    /// Those of these names.
    Named(&'a [&'a str]),
}

impl Columns<'_> {
    /// Whether a column is one of them.
    fn are(self, field: &Field) -> bool {
        match self {
            Columns::Binary => Takes::Binary.is_in(field),
            Columns::Text => Takes::Text.is_in(field),
            Columns::Named(names) => names.contains(&field.name().as_str()),
        }
    }

    /// An error, if there is no column of one of the names.
    fn are_all_in(self, schema: &Schema) -> Result<(), Error> {
        let Columns::Named(names) = self else { return Ok(()) };
        match names.iter().find(|name| schema.fields().find(name).is_none()) {
            Some(name) => Err(Error::NoColumn { name: (*name).to_owned() }),
            None => Ok(()),
        }
    }
}

/// The same record batch with some of its columns converted, by any function from arrays to arrays. The others are shared, not copied.
///
/// Names, order and metadata stay. The types are those that [`convert_schema`] says; a field that may not be null is one that may if a row
/// of it has become null, and only then. Columns that are not among `columns` are not looked at, whatever their types are.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::cast::AsArray;
/// use arrow_array::{ArrayRef, BinaryArray, Int32Array, RecordBatch};
/// use runecast::{Replacement, Scheme};
/// use runecast_arrow::{Columns, check, convert_batch, decode, repair};
///
/// let batch = RecordBatch::try_from_iter([
///     ("id", Arc::new(Int32Array::from(vec![1, 2])) as ArrayRef),
///     ("name", Arc::new(BinaryArray::from_vec(vec![b"r\xFAn", b"rune"]))),
///     ("text", Arc::new(BinaryArray::from_vec(vec![b"r\xC3\xBAn", b"r\xC3n"]))),
/// ])?;
/// let error = convert_batch(&batch, Columns::Named(&["text"]), check).unwrap_err();
/// assert!(error.to_string().starts_with("row 1, column \"text\": ill-formed at byte 1: "));
///
/// let batch = convert_batch(&batch, Columns::Named(&["name"]), |name| decode(name, Scheme::Latin1, None))?;
/// let batch = convert_batch(&batch, Columns::Binary, |text| repair(text, Replacement::Whatwg))?;
/// assert_eq!(batch["name"].as_string::<i32>().value(0), "rún");
/// assert_eq!(batch["text"].as_string::<i32>().value(1), "r\u{FFFD}n");
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// # Errors
/// The first that `convert` has, column by column, with the name of the column in front of its [path](Error::path); [`Error::NoColumn`];
/// [`Error::OtherLength`], if `convert` returns more or fewer rows than it was given.
pub fn convert_batch(
    batch: &RecordBatch,
    columns: Columns<'_>,
    mut convert: impl FnMut(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<RecordBatch, Error> {
    let old = batch.schema_ref();
    columns.are_all_in(old)?;
    let mut fields = old.fields().to_vec();
    let mut arrays = batch.columns().to_vec();
    for (field, array) in fields.iter_mut().zip(&mut arrays).filter(|(field, _)| columns.are(field)) {
        let new = convert(array).map_err(|error| error.within_column(field.name()))?;
        if new.len() != array.len() {
            let path = vec![Step::Column(field.name().clone())];
            return Err(Error::OtherLength { path, rows: array.len(), found: new.len() });
        }
        *field = with_type(field, new.data_type().clone(), new.logical_null_count() > 0);
        *array = new;
    }
    let schema = Schema::new_with_metadata(fields, old.metadata().clone());
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    // All is as the schema says, for it was made for the columns.
    RecordBatch::try_new_with_options(schema.into(), arrays, &options).map_err(|_| {
        crate::column::unsupported_type(&DataType::Struct(old.fields().clone()), "a record batch")
    })
}

/// The schema of what [`convert_batch`] makes of batches of a schema, before there is one: `type_of` says what becomes of a type, as
/// [`text_type`](crate::text_type) and [`binary_type`](crate::binary_type) do. (Fields that may not be null are such afterwards, unless a row becomes null.)
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use runecast_arrow::{Columns, convert_schema, text_type};
///
/// let id = Field::new("id", DataType::Int32, false);
/// let schema = Schema::new(vec![id.clone(), Field::new("raw", DataType::LargeBinary, false)]);
/// let expected = Schema::new(vec![id, Field::new("raw", DataType::LargeUtf8, false)]);
/// assert_eq!(convert_schema(&schema, Columns::Binary, text_type)?, expected);
///
/// let error = convert_schema(&schema, Columns::Named(&["id"]), text_type).unwrap_err();
/// assert_eq!(error.to_string(), "column \"id\": an array of Int32, where binary or text is expected");
/// # Ok::<(), runecast_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] with the first column of which `type_of` knows nothing; [`Error::NoColumn`].
pub fn convert_schema(
    schema: &Schema,
    columns: Columns<'_>,
    type_of: impl Fn(&DataType) -> Option<DataType>,
) -> Result<Schema, Error> {
    columns.are_all_in(schema)?;
    let new = |field: &FieldRef| {
        if !columns.are(field) {
            return Ok(field.clone());
        }
        let refused = || Takes::Both.refusal(field.data_type()).within_column(field.name());
        Ok(with_type(field, type_of(field.data_type()).ok_or_else(refused)?, false))
    };
    let fields: Vec<FieldRef> = schema.fields().iter().map(new).collect::<Result<_, Error>>()?;
    Ok(Schema::new_with_metadata(fields, schema.metadata().clone()))
}
