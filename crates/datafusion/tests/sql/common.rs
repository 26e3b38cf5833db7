//! A session with the functions, tables from arrays, and results as strings.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::datasource::MemTable;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;

/// A session with all functions.
pub fn session() -> SessionContext {
    let mut context = SessionContext::new();
    runecast_datafusion::register_all(&mut context).unwrap();
    context
}

/// Registers table `t` with these columns: as many batches as each has arrays.
pub fn table(context: &SessionContext, columns: &[(&str, Vec<ArrayRef>)]) {
    let fields: Vec<_> =
        columns.iter().map(|(name, arrays)| Field::new(*name, arrays[0].data_type().clone(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let batches = (0..columns[0].1.len()).map(|batch| {
        let arrays = columns.iter().map(|(_, arrays)| Arc::clone(&arrays[batch])).collect();
        RecordBatch::try_new(Arc::clone(&schema), arrays).unwrap()
    });
    let batches = batches.collect();
    context.register_table("t", Arc::new(MemTable::try_new(schema, vec![batches]).unwrap())).unwrap();
}

/// The rows of a result, fields apart by `|`, with the types of the columns.
pub async fn ask(context: &SessionContext, sql: &str) -> Result<(Vec<DataType>, Vec<String>)> {
    let frame = context.sql(sql).await?;
    let types = frame.schema().fields().iter().map(|field| field.data_type().clone()).collect();
    let options = FormatOptions::default().with_null("NULL");
    let mut rows = Vec::new();
    for batch in frame.collect().await? {
        let columns: Vec<_> =
            batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
        for row in 0..batch.num_rows() {
            let fields: Vec<_> = columns.iter().map(|column| column.value(row).to_string()).collect();
            rows.push(fields.join("|"));
        }
    }
    Ok((types, rows))
}

/// The rows alone, of a query that succeeds.
pub async fn rows(context: &SessionContext, sql: &str) -> Vec<String> {
    ask(context, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}")).1
}
