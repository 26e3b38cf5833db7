//! A query, and its result in an order that does not depend on who computed it.
//!
//! A result comes in as many pieces as there were tasks, in whatever order they ended. Each row is written as a line,
//! and the lines are sorted: two results are the same if the files are, byte for byte. The file appears when it is whole.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::ParquetReadOptions;

use crate::cluster_job::{self, Limits};
use crate::tls::Tls;
use crate::{Outcome, nodes};

/// Runs the query of a file, and writes its result. A cluster is the address of its scheduler, and the directory of certificates.
pub(crate) async fn run(
    directory: &Path,
    sql: &Path,
    output: &Path,
    cluster: Option<(&str, Option<&Path>)>,
    limits: Limits,
) -> Outcome {
    let query = std::fs::read_to_string(sql)?;
    let tls = cluster.and_then(|(_, directory)| directory).map(Tls::load).transpose()?;
    let context = match cluster {
        Some((scheduler, _)) => nodes::client(scheduler, tls.as_ref()).await?,
        None => nodes::local()?,
    };
    let files = directory.to_str().ok_or("the name of the directory is not UTF-8")?;
    context.register_parquet("lines", files, ParquetReadOptions::default()).await?;
    let began = Instant::now();
    let batches = match cluster {
        Some((scheduler, _)) => cluster_job::collect(&context, scheduler, &query, limits).await?,
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
