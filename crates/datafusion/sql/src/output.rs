//! Rows, written: a table for people, and three formats for programs.
//!
//! CSV and NDJSON are written batch by batch, JSON too; a table needs the widths of all rows, so it is kept in memory. Bytes are
//! written in hexadecimal everywhere. In a table control characters are escaped, so that no text of a file moves
//! the cursor of a terminal; the others keep what they are given, by their own rules of quoting.

use std::io::{self, BufWriter, StdoutLock, Write as _};
use std::sync::Arc;

use clap::ValueEnum;
use datafusion::arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray, cast::AsArray as _};
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches_with_options;

use crate::Failure;

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table, with NULL where there is nothing
    #[default]
    Table,
    /// CSV with a header; NULL is an empty field
    Csv,
    /// An array of objects
    Json,
    /// An object in each line
    Ndjson,
}

enum Rows {
    Table(Vec<RecordBatch>),
    /// Whether the header has been written.
    Csv(bool),
    Json(arrow_json::ArrayWriter<Vec<u8>>),
    Ndjson(arrow_json::LineDelimitedWriter<Vec<u8>>),
}

/// Writes batches to standard output. What they are in a format is made in memory first, so that an error of the output is never
/// taken for one of the data.
pub(crate) struct Writer {
    schema: SchemaRef,
    rows: Rows,
    output: BufWriter<StdoutLock<'static>>,
}

impl Writer {
    pub(crate) fn new(format: Format, schema: SchemaRef) -> Writer {
        let json = || arrow_json::WriterBuilder::new().with_explicit_nulls(true);
        let rows = match format {
            Format::Table => Rows::Table(Vec::new()),
            Format::Csv => Rows::Csv(false),
            Format::Json => Rows::Json(json().build(Vec::new())),
            Format::Ndjson => Rows::Ndjson(json().build(Vec::new())),
        };
        Writer { schema, rows, output: BufWriter::new(io::stdout().lock()) }
    }

    /// Whether rows are written as they come.
    pub(crate) const fn streams(&self) -> bool {
        !matches!(self.rows, Rows::Table(_))
    }

    pub(crate) fn write(&mut self, batch: RecordBatch) -> Result<(), Failure> {
        let bytes = match &mut self.rows {
            Rows::Table(batches) => {
                batches.push(batch);
                return Ok(());
            }
            Rows::Csv(begun) => {
                let mut bytes = Vec::new();
                let header = !std::mem::replace(begun, true);
                arrow_csv::WriterBuilder::new()
                    .with_header(header)
                    .build(&mut bytes)
                    .write(&flat(&batch)?)?;
                bytes
            }
            Rows::Json(writer) => {
                writer.write(&batch)?;
                std::mem::take(writer.get_mut())
            }
            Rows::Ndjson(writer) => {
                writer.write(&batch)?;
                std::mem::take(writer.get_mut())
            }
        };
        self.output.write_all(&bytes).map_err(Failure::Output)
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if matches!(self.rows, Rows::Csv(false)) {
            // A header also where there are no rows.
            self.write(RecordBatch::new_empty(self.schema.clone()))?;
        }
        let last = match self.rows {
            Rows::Table(batches) => {
                let mut text = match plans(&batches) {
                    Some(text) => text,
                    None => {
                        let options = FormatOptions::default().with_null("NULL");
                        // With the names of the columns, also where there are no rows.
                        let batches = [&[RecordBatch::new_empty(self.schema)], &batches[..]].concat();
                        pretty_format_batches_with_options(&batches, &options)?.to_string()
                    }
                };
                text.push('\n');
                plain(&text).into_bytes()
            }
            Rows::Csv(_) => Vec::new(),
            Rows::Json(mut writer) => {
                writer.finish()?;
                let mut bytes = writer.into_inner();
                bytes.push(b'\n');
                bytes
            }
            Rows::Ndjson(mut writer) => {
                writer.finish()?;
                writer.into_inner()
            }
        };
        self.output.write_all(&last).and_then(|()| self.output.flush()).map_err(Failure::Output)
    }
}

/// Rows for CSV, which has no form for lists and structs: they are text there, as in a table.
fn flat(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let options = FormatOptions::default();
    let columns = batch.columns().iter().map(|column| -> Result<ArrayRef, ArrowError> {
        if !column.data_type().is_nested() {
            return Ok(Arc::clone(column));
        }
        let shown = ArrayFormatter::try_new(column, &options)?;
        let text = (0..column.len()).map(|row| {
            if column.is_valid(row) { shown.value(row).try_to_string().map(Some) } else { Ok(None) }
        });
        Ok(Arc::new(text.collect::<Result<StringArray, _>>()?))
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let fields = batch
        .schema()
        .fields()
        .iter()
        .zip(&columns)
        .map(|(field, column)| field.as_ref().clone().with_data_type(column.data_type().clone()))
        .collect::<Vec<_>>();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

/// The text of EXPLAIN, which is a table of two columns, without lines around it.
fn plans(batches: &[RecordBatch]) -> Option<String> {
    let mut text = String::new();
    for batch in batches {
        let schema = batch.schema();
        let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let is_text = batch.columns().iter().all(|column| *column.data_type() == DataType::Utf8);
        if names != ["plan_type", "plan"] || !is_text {
            return None;
        }
        let column = |index: usize| -> &StringArray { batch.column(index).as_string() };
        for (kind, plan) in column(0).iter().zip(column(1)) {
            text.push_str(&format!(
                "-- {}\n{}\n",
                kind.unwrap_or_default(),
                plan.unwrap_or_default().trim_end()
            ));
        }
    }
    text.pop().map(|_| text)
}

/// Text without control characters, but for the ends of lines.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && character != '\n' {
            plain.extend(character.escape_unicode());
        } else {
            plain.push(character);
        }
    }
    plain
}
