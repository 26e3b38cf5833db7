//! From the arguments of a call to a column of results.
//!
//! Usually there is one column, and the names are the same for all rows: then a call is one call of
//! `runecast-arrow`. Where names stand in a column of their own (a table of messages with their charsets), or where a
//! byte order mark decides (plain UTF-16), rows of the same choice are converted together: all others are null in
//! the column that is handed over, so that rows keep their numbers in messages, and the results are interleaved. That
//! costs one pass for each choice that occurs in a batch, and there are few. Of several rows that are wrong the first is told,
//! whatever its choice is.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, LargeBinaryArray, StringArray,
    new_null_array,
};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use arrow_select::interleave::interleave;
use arrow_select::nullif::nullif;
use datafusion_common::{DataFusionError, Result, ScalarValue, exec_datafusion_err, exec_err, internal_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs};
use runecast::batch::Defect;
use runecast::{Label, Reason, Replacement, Scheme};
use runecast_arrow::Error;

use crate::function::{Function, Parameter, value_of};
use crate::names::{self, Errors};

/// What the names say.
#[derive(Clone, Copy, PartialEq)]
struct Options {
    from: Label,
    to: Scheme,
    errors: Errors,
}

impl Options {
    /// `names` are as many as there are parameters after the column, or fewer.
    fn of<'a>(function: Function, names: impl Iterator<Item = &'a str>) -> Result<Options, String> {
        let errors = match function {
            Function::TextRepair => Errors::By(Replacement::Whatwg.into()),
            _ => Errors::Strict,
        };
        let mut options = Options { from: Scheme::Utf8.into(), to: Scheme::Utf8, errors };
        for (parameter, name) in function.parameters().0[1..].iter().zip(names) {
            match parameter {
                Parameter::From => options.from = names::encoding(name)?,
                Parameter::To => options.to = names::target(name)?,
                Parameter::Errors => options.errors = names::errors(name)?,
                Parameter::Behaviour => options.errors = names::behaviour(name)?,
                Parameter::Any | Parameter::Bytes | Parameter::Text => {}
            }
        }
        Ok(options)
    }
}

/// What is done with a row: the options, with the scheme that it is in, and whether a mark has to go.
#[derive(Clone, Copy, PartialEq)]
struct Choice {
    from: Scheme,
    marked: bool,
    to: Scheme,
    errors: Errors,
}

impl Choice {
    fn of(options: Options, value: &[u8]) -> Choice {
        let from = options.from.recognize(value);
        let marked = options.from.is_plain() && from.is_marked(value);
        Choice { from, marked, to: options.to, errors: options.errors }
    }
}

/// Calls a function.
pub(crate) fn evaluate(function: Function, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    let returned = args.return_type().clone();
    let name = args.arg_fields.first().map_or("", |field| field.name());
    let planned = Planned { returned: &returned, column: name };
    let is_null = |value: &ColumnarValue| matches!(value, ColumnarValue::Scalar(value) if value.is_null());
    if args.args.iter().any(is_null) {
        return Ok(ColumnarValue::Scalar(ScalarValue::try_new_null(&returned)?));
    }
    let Some((column, names)) = args.args.split_first() else {
        return internal_err!("{} without arguments", function.name());
    };
    let constants: Option<Vec<&str>> = names
        .iter()
        .map(|name| match name {
            ColumnarValue::Scalar(name) => value_of(name),
            ColumnarValue::Array(_) => None,
        })
        .collect();
    match (constants, column) {
        (Some(names), ColumnarValue::Scalar(value)) => {
            let options = Options::of(function, names.into_iter())
                .map_err(|problem| exec_datafusion_err!("{}: {problem}", function.name()))?;
            let result = all(function, &value.to_array_of_size(1)?, options, planned)
                .map_err(|failure| failure.of(function, false))?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?))
        }
        (Some(names), ColumnarValue::Array(column)) => {
            let options = Options::of(function, names.into_iter())
                .map_err(|problem| exec_datafusion_err!("{}: {problem}", function.name()))?;
            let result =
                all(function, column, options, planned).map_err(|failure| failure.of(function, true))?;
            Ok(ColumnarValue::Array(result))
        }
        (None, column) => {
            let column = unpacked(column.to_array(args.number_rows)?)?;
            let names: Vec<StringArray> = names
                .iter()
                .map(|names| {
                    Ok(cast(&names.to_array(args.number_rows)?, &DataType::Utf8)?.as_string().clone())
                })
                .collect::<Result<_>>()?;
            let values = values(&column)?;
            let mut choices = Vec::with_capacity(column.len());
            let mut unknown = None;
            for (row, value) in values.iter().enumerate() {
                let there = value.is_some() && names.iter().all(|names| names.is_valid(row));
                choices.push(match value.filter(|_| there) {
                    None => None,
                    Some(value) => {
                        let options = Options::of(function, names.iter().map(|names| names.value(row)));
                        match options {
                            Ok(options) => Some(Choice::of(options, value)),
                            Err(problem) => {
                                unknown = Some((row, problem));
                                break;
                            }
                        }
                    }
                });
            }
            // The rows before a name that is unknown are done all the same: one of them may be the first that is wrong.
            choices.resize(column.len(), None);
            match (apart(function, &column, &choices, planned), unknown) {
                (Err(failure @ Failure::Row(_)), _) | (Err(failure), None) => Err(failure.of(function, true)),
                (_, Some((row, problem))) => {
                    exec_err!("{}: row {row} of its batch: {problem}", function.name())
                }
                (Ok(result), None) => Ok(ColumnarValue::Array(result)),
            }
        }
    }
}

/// All rows by the same names.
fn all(
    function: Function,
    column: &ArrayRef,
    options: Options,
    planned: Planned<'_>,
) -> Result<ArrayRef, Failure> {
    if let Label::Exactly(from) = options.from {
        return one(function, column, from, options.to, options.errors);
    }
    let column = unpacked(Arc::clone(column))?;
    let choices =
        values(&column)?.into_iter().map(|value| Some(Choice::of(options, value?))).collect::<Vec<_>>();
    apart(function, &column, &choices, planned)
}

/// The rows by their choices, those of the same together. The column is no dictionary.
fn apart(
    function: Function,
    column: &ArrayRef,
    choices: &[Option<Choice>],
    planned: Planned<'_>,
) -> Result<ArrayRef, Failure> {
    let mut distinct: Vec<Choice> = Vec::new();
    let mut indices = Vec::with_capacity(choices.len());
    for (row, choice) in choices.iter().enumerate() {
        indices.push(choice.map(|choice| {
            let group = distinct.iter().position(|known| *known == choice).unwrap_or_else(|| {
                distinct.push(choice);
                distinct.len() - 1
            });
            (group, row)
        }));
    }
    let mut results = Vec::with_capacity(distinct.len() + 1);
    let mut first: Option<Error> = None;
    for (group, choice) in distinct.iter().enumerate() {
        let elsewhere: BooleanArray =
            indices.iter().map(|index| Some(index.is_none_or(|(of, _)| of != group))).collect();
        let mut rows = nullif(column, &elsewhere)?;
        let mark = if choice.marked { choice.from.mark().len() } else { 0 };
        if mark > 0 {
            rows = behind(&rows, mark)?;
        }
        match one(function, &rows, choice.from, choice.to, choice.errors) {
            Ok(result) => results.push(result),
            Err(failure) => match failure.behind(mark) {
                // Others are done as well, for the first of all rows counts, whatever its choice is.
                Failure::Row(error) if first.as_ref().is_none_or(|first| error.row() < first.row()) => {
                    first = Some(error);
                }
                Failure::Row(_) => {}
                other => return Err(other),
            },
        }
    }
    if let Some(error) = first {
        return Err(Failure::Row(error));
    }
    // Without their dictionary; for the null rows there is one null.
    let plain = function.returns(column.data_type());
    results.push(new_null_array(&plain, 1));
    let null = (distinct.len(), 0);
    let indices: Vec<_> = indices.into_iter().map(|index| index.unwrap_or(null)).collect();
    let results: Vec<&dyn Array> = results.iter().map(AsRef::as_ref).collect();
    planned.of(function, interleave(&results, &indices)?)
}

/// What was planned for a column: the type of the results.
#[derive(Clone, Copy)]
struct Planned<'a> {
    returned: &'a DataType,
    /// The name of the column.
    column: &'a str,
}

impl Planned<'_> {
    /// These results in that type. A dictionary has each distinct one once; where names stand in a column there may be more of them
    /// than there were values, for a value has as many results as it has names, and then its keys may not suffice.
    fn of(self, function: Function, result: ArrayRef) -> Result<ArrayRef, Failure> {
        if result.data_type() == self.returned {
            return Ok(result);
        }
        cast(&result, self.returned).map_err(|error| match (error, self.returned) {
            (ArrowError::DictionaryKeyOverflowError, DataType::Dictionary(keys, _)) => {
                let (name, column) = (function.name(), self.column);
                Failure::Other(exec_datafusion_err!(
                    "{name}: column {column} has more distinct results in a batch than a dictionary with keys of {keys} \
                     can have, which is what it is: arrow_cast to the type of its values, as 'Binary', makes a column that \
                     has room for them"
                ))
            }
            (other, _) => other.into(),
        })
    }
}

/// One call of `runecast-arrow`.
fn one(
    function: Function,
    column: &ArrayRef,
    from: Scheme,
    to: Scheme,
    errors: Errors,
) -> Result<ArrayRef, Failure> {
    let policy = match errors {
        Errors::By(policy) => Some(policy),
        Errors::Strict | Errors::Null => None,
    };
    Ok(match function {
        Function::Utf8Valid => Arc::new(runecast_arrow::is_valid(column)?),
        Function::Utf8Error => Arc::new(runecast_arrow::errors(column)?),
        Function::TextDetect => cast(&runecast_arrow::detect(column)?, &DataType::Utf8)?,
        Function::CharCount => runecast_arrow::char_count(column)?,
        Function::EncodedLength => Arc::new(runecast_arrow::transcoded_len(column, from, to)?),
        Function::TextRepair => runecast_arrow::repair(column, policy.unwrap_or_default())?,
        Function::TextDecode if errors == Errors::Null => runecast_arrow::decode_or_null(column, from)?,
        Function::TextDecode => runecast_arrow::decode(column, from, policy)?,
        Function::TextEncode if errors == Errors::Null => runecast_arrow::encode_or_null(column, to)?,
        Function::TextEncode => runecast_arrow::encode(column, to, policy)?,
        Function::TextTranscode if errors == Errors::Null => {
            runecast_arrow::transcode_or_null(column, from, to)?
        }
        Function::TextTranscode => runecast_arrow::transcode(column, from, to, policy)?,
    })
}

/// A dictionary as the column that it stands for.
fn unpacked(column: ArrayRef) -> Result<ArrayRef, DataFusionError> {
    Ok(match column.data_type() {
        DataType::Dictionary(_, values) => cast(&column, values)?,
        _ => column,
    })
}

/// The values of a column that is no dictionary.
fn values(column: &ArrayRef) -> Result<Vec<Option<&[u8]>>, DataFusionError> {
    Ok(match column.data_type() {
        DataType::Binary => column.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => column.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => column.as_binary_view().iter().collect(),
        DataType::FixedSizeBinary(_) => column.as_fixed_size_binary().iter().collect(),
        DataType::Utf8 => column.as_string::<i32>().iter().map(|text| text.map(str::as_bytes)).collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().map(|text| text.map(str::as_bytes)).collect(),
        DataType::Utf8View => column.as_string_view().iter().map(|text| text.map(str::as_bytes)).collect(),
        found => return internal_err!("a column of {found} where bytes or text should be"),
    })
}

/// The values without so many bytes in front, for a byte order mark is no part of a text.
fn behind(column: &ArrayRef, mark: usize) -> Result<ArrayRef, DataFusionError> {
    let rest =
        values(column)?.into_iter().map(|value| value.map(|value| value.get(mark..).unwrap_or_default()));
    Ok(match column.data_type() {
        DataType::LargeBinary => Arc::new(rest.collect::<LargeBinaryArray>()),
        DataType::BinaryView => Arc::new(rest.collect::<BinaryViewArray>()),
        _ => Arc::new(rest.collect::<BinaryArray>()),
    })
}

/// Why a call failed, before it is known what is to be said of it.
enum Failure {
    /// A row is ill-formed, or cannot be converted.
    Row(Error),
    /// Something else.
    Other(DataFusionError),
}

impl Failure {
    /// The same, where so many bytes in front of each value were not looked at.
    fn behind(self, mark: usize) -> Failure {
        match self {
            Failure::Row(mut error) => {
                if let Error::Row { defect: Defect::Text(reason), .. } = &mut error {
                    match reason {
                        Reason::IllFormed(error) => error.at += mark,
                        Reason::Unrepresentable { at, .. } | Reason::UnrepresentableCodePoint { at, .. } => {
                            *at += mark;
                        }
                        _ => {}
                    }
                }
                Failure::Row(error)
            }
            other => other,
        }
    }

    /// As it is told. A literal has no row.
    fn of(self, function: Function, rows: bool) -> DataFusionError {
        let name = function.name();
        match self {
            Failure::Row(error) => {
                let problem = error.problem();
                match error.row().filter(|_| rows) {
                    None => exec_datafusion_err!("{name}: {problem}"),
                    Some(row) => exec_datafusion_err!(
                        "{name}: row {row} of its batch: {problem} (with 'null' or 'whatwg' as last argument it goes on)"
                    ),
                }
            }
            Failure::Other(error) => error,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            row @ Error::Row { .. } => Failure::Row(row),
            other => Failure::Other(DataFusionError::Execution(other.to_string())),
        }
    }
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Failure {
        Failure::Other(error)
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Failure {
        Failure::Other(error.into())
    }
}
