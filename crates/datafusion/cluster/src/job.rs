//! A query, and its result in an order that does not depend on who computed it.
//!
//! A result comes in as many pieces as there were tasks, in whatever order they ended. Each row is written as a line,
//! and the lines are sorted: two results are the same if the files are, byte for byte. The file appears when it is whole.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::{ParquetReadOptions, SessionContext};

use crate::cluster_job::{self, Limits};
use crate::{Outcome, nodes};

/// Runs the query of a file, and writes its result.
pub(crate) async fn run(
    directory: &Path,
    sql: &Path,
    output: &Path,
    scheduler: Option<&str>,
    limits: Limits,
) -> Outcome {
    let query = std::fs::read_to_string(sql)?;
    let context = match scheduler {
        Some(scheduler) => nodes::client(scheduler).await?,
        None => {
            let mut context = SessionContext::new();
            runecast_datafusion::register_all(&mut context)?;
            context
        }
    };
    let files = directory.to_str().ok_or("the name of the directory is not UTF-8")?;
    context.register_parquet("lines", files, ParquetReadOptions::default()).await?;
    let began = Instant::now();
    let batches = match scheduler {
        Some(scheduler) => cluster_job::collect(&context, scheduler, &query, limits).await?,
        None => context.sql(&query).await?.collect().await?,
    };
    let seconds = began.elapsed().as_secs_f64();

    let options = FormatOptions::default().with_null("NULL");
    let mut lines = Vec::new();
    for batch in &batches {
        let columns = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column, &options))
            .collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            let fields = columns.iter().map(|column| column.value(row).try_to_string());
            lines.push(fields.collect::<Result<Vec<_>, _>>()?.join("\t"));
        }
    }
    lines.sort_unstable();
    let unfinished = output.with_extension("unfinished");
    let mut file = BufWriter::new(File::create(&unfinished)?);
    for line in &lines {
        writeln!(file, "{line}")?;
    }
    file.flush()?;
    std::fs::rename(unfinished, output)?;
    println!("{} rows in {seconds:.1} s", lines.len());
    Ok(())
}
