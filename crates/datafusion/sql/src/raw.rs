//! Files as bytes: CSV whose fields need not be UTF-8, and lines.
//!
//! DataFusion's readers of CSV and JSON make text, and so they end a query at the first byte that is not well-formed. The fields of CSV
//! do not need that: commas, quotes and line breaks are ASCII, and neither in UTF-8 nor in encodings of one byte, nor in Shift_JIS or
//! GB18030, is one of these values part of another character. So the crate `csv`, which DataFusion uses as well, cuts records of
//! bytes, and columns are Binary: nothing is replaced, nothing is null, an empty field is an empty value. (UTF-16 is another
//! matter: such a file is to be converted first, by `runecast convert`.)
//!
//! A line is what stands before a line feed; a carriage return before it belongs to the line. The last one may have no line feed. Lines
//! are numbered, from 1 in each file, so that an error can be found again.
//!
//! Each file is a partition, read by a thread of its own in batches of 8192 rows, and one of them is ahead.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::array::{ArrayRef, BinaryBuilder, Int64Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::datasource::TableProvider;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::PartitionStream;

/// How many rows there are in a batch, unless they are so long that [`BYTES`] are reached.
const ROWS: usize = 8192;

/// So many bytes end a batch.
const BYTES: usize = 8 << 20;

/// How many rows have been read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counter(Arc<AtomicU64>);

impl Counter {
    pub(crate) fn rows(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, rows: usize) {
        self.0.fetch_add(rows as u64, Ordering::Relaxed);
    }
}

/// What is made of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Records, with what is between their fields, and whether the first one has the names of the columns.
    Csv { delimiter: u8, header: bool },
    /// Lines, with their numbers.
    Lines,
}

/// A file, and how it is read.
#[derive(Clone, Debug)]
pub(crate) struct RawFile {
    pub(crate) path: PathBuf,
    pub(crate) compression: FileCompressionType,
}

impl RawFile {
    fn open(&self) -> Result<Box<dyn Read + Send>> {
        let named = |error| DataFusionError::IoError(error).context(self.path.display().to_string());
        self.compression.convert_read(File::open(&self.path).map_err(named)?)
    }
}

/// A table of files, which all have the same columns.
pub(crate) fn table(files: Vec<RawFile>, shape: Shape, read: &Counter) -> Result<Arc<dyn TableProvider>> {
    let mut schema: Option<(SchemaRef, &Path)> = None;
    for file in &files {
        let found = columns(file, shape)?;
        match &schema {
            None => schema = Some((found, &file.path)),
            Some((first, path)) if *first != found => {
                let message = format!("{} has other columns than {}", file.path.display(), path.display());
                return Err(DataFusionError::Execution(message));
            }
            Some(_) => {}
        }
    }
    let (schema, _) = schema.ok_or_else(|| DataFusionError::Plan("no files".into()))?;
    let partitions = files.into_iter().map(|file| {
        Arc::new(Partition { file, shape, schema: Arc::clone(&schema), read: read.clone() })
            as Arc<dyn PartitionStream>
    });
    let partitions = partitions.collect();
    Ok(Arc::new(StreamingTable::try_new(schema, partitions)?))
}

fn reader(input: Box<dyn Read + Send>, delimiter: u8, header: bool) -> csv::Reader<Box<dyn Read + Send>> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(header)
        .buffer_capacity(1 << 18)
        .from_reader(input)
}

/// The columns of a file. Their names are text, whatever a header has.
fn columns(file: &RawFile, shape: Shape) -> Result<SchemaRef> {
    let Shape::Csv { delimiter, header } = shape else {
        let fields =
            vec![Field::new("number", DataType::Int64, false), Field::new("line", DataType::Binary, false)];
        // It is there, and can be read.
        file.open()?;
        return Ok(Arc::new(Schema::new(fields)));
    };
    let mut reader = reader(file.open()?, delimiter, header);
    // Without a header this is the first record, which is read once more later.
    let first = reader.byte_headers().map_err(|error| told(file, error))?;
    let names = first.iter().enumerate().map(|(index, name)| {
        if header { String::from_utf8_lossy(name).into_owned() } else { format!("column_{}", index + 1) }
    });
    let fields: Vec<_> = names.map(|name| Field::new(name, DataType::Binary, false)).collect();
    Ok(Arc::new(Schema::new(fields)))
}

/// An error with the file in which it is: of the data, unless the file could not be read.
fn told(file: &RawFile, error: csv::Error) -> DataFusionError {
    let path = file.path.display();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => DataFusionError::IoError(error).context(path.to_string()),
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.map_or_else(String::new, |pos| format!(", line {}", pos.line()));
            DataFusionError::Execution(format!("{path}{line}: {len} fields, where there were {expected_len}"))
        }
        kind => DataFusionError::Execution(format!("{path}: {kind:?}")),
    }
}

/// One file of a table.
#[derive(Debug)]
struct Partition {
    file: RawFile,
    shape: Shape,
    schema: SchemaRef,
    read: Counter,
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut builder = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), 1);
        let (sender, read) = (builder.tx(), self.read.clone());
        let (file, shape, schema) = (self.file.clone(), self.shape, Arc::clone(&self.schema));
        builder.spawn_blocking(move || {
            // False if nobody wants more: a LIMIT has been reached.
            let mut send = |columns: Vec<ArrayRef>| {
                let batch = RecordBatch::try_new(Arc::clone(&schema), columns)?;
                read.add(batch.num_rows());
                Ok(sender.blocking_send(Ok(batch)).is_ok())
            };
            match shape {
                Shape::Csv { delimiter, header } => {
                    records(&file, delimiter, header, schema.fields().len(), &mut send)
                }
                Shape::Lines => lines(&file, &mut send),
            }
        });
        builder.build()
    }
}

/// Hands over the records of a file, in batches.
fn records(
    file: &RawFile,
    delimiter: u8,
    header: bool,
    width: usize,
    send: &mut dyn FnMut(Vec<ArrayRef>) -> Result<bool>,
) -> Result<()> {
    let mut reader = reader(file.open()?, delimiter, header);
    let mut record = csv::ByteRecord::new();
    let mut builders: Vec<BinaryBuilder> = (0..width).map(|_| BinaryBuilder::new()).collect();
    let (mut rows, mut bytes, mut more) = (0, 0, true);
    while more {
        more = reader.read_byte_record(&mut record).map_err(|error| told(file, error))?;
        if more {
            rows += 1;
            bytes += record.as_slice().len();
            for (builder, field) in builders.iter_mut().zip(&record) {
                builder.append_value(field);
            }
        }
        if rows == ROWS || bytes >= BYTES || (!more && rows > 0) {
            let columns = builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
            more &= send(columns)?;
            (rows, bytes) = (0, 0);
        }
    }
    Ok(())
}

/// Hands over the lines of a file, in batches.
fn lines(file: &RawFile, send: &mut dyn FnMut(Vec<ArrayRef>) -> Result<bool>) -> Result<()> {
    let mut reader = BufReader::with_capacity(1 << 18, file.open()?);
    let (mut line, mut next) = (Vec::new(), 1_i64);
    let (mut numbers, mut lines, mut bytes, mut more) = (Vec::new(), BinaryBuilder::new(), 0, true);
    while more {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let read =
            read.map_err(|error| DataFusionError::IoError(error).context(file.path.display().to_string()))?;
        more = read > 0;
        if more {
            lines.append_value(line.strip_suffix(b"\n").unwrap_or(&line));
            numbers.push(next);
            next += 1;
            bytes += read;
        }
        if numbers.len() == ROWS || bytes >= BYTES || (!more && !numbers.is_empty()) {
            let numbers = Int64Array::from(std::mem::take(&mut numbers));
            more &= send(vec![Arc::new(numbers), Arc::new(lines.finish())])?;
            bytes = 0;
        }
    }
    Ok(())
}
