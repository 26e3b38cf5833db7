//! How many rows in a second, beside the cast that DataFusion has: `cargo run --locked --example speed`.
//!
//! One thread, a table in memory, a million rows in batches of 8192; the queries take turns, and of eleven rounds the
//! fastest of each counts. What the query costs without any function (`count(b)`) is subtracted. (Results are only
//! counted: the column can be null, so that they have to be made.)

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{ArrayRef, BinaryArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::datasource::MemTable;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};

const ROWS: usize = 1 << 20;
const BATCH: usize = 8192;
const ROUNDS: usize = 11;

const TEXTS: [(&str, &[&str]); 3] = [
    ("ASCII", &["the runes", "are cut in stone", "and read by those who know", "nothing is lost"]),
    ("Greek", &["οι ρούνοι", "σε πέτρα", "και διαβάζονται από όσους ξέρουν", "τίποτα"]),
    ("Chinese", &["符文", "刻在石头上", "只有懂的人才能读懂", "什么都没有丢失"]),
];

const QUERIES: [&str; 6] = [
    "count(b)",
    "count(arrow_cast(b, 'TEXT'))",
    "count(text_decode(b, 'utf-8'))",
    "count(text_decode(b, 'utf-8', 'null'))",
    "count(text_repair(b))",
    "count(utf8_valid(b))",
];

fn table(texts: &[&str], damaged: bool, views: bool) -> Result<MemTable> {
    let bytes = if views { DataType::BinaryView } else { DataType::Binary };
    let schema = Arc::new(Schema::new(vec![Field::new("b", bytes.clone(), true)]));
    let batches = (0..ROWS / BATCH).map(|batch| {
        let values = (0..BATCH).map(|row| {
            let mut value = texts[(batch + row * 7) % texts.len()].as_bytes().to_vec();
            if damaged && row % 10 == 0 {
                value.insert(value.len() / 2, 0xFF);
            }
            Some(value)
        });
        let array: ArrayRef = Arc::new(values.collect::<BinaryArray>());
        Ok(RecordBatch::try_new(Arc::clone(&schema), vec![cast(&array, &bytes)?])?)
    });
    let batches = batches.collect::<Result<Vec<_>>>()?;
    MemTable::try_new(schema, vec![batches])
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    println!("million rows in a second; TRY_CAST in place of arrow_cast where values are damaged");
    for views in [false, true] {
        for damaged in [false, true] {
            for (name, texts) in TEXTS {
                let mut context =
                    SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
                runecast_datafusion::register_all(&mut context)?;
                context.register_table("t", Arc::new(table(texts, damaged, views)?))?;
                let text = if views { "Utf8View" } else { "Utf8" };
                let mut fastest = [Duration::MAX; QUERIES.len()];
                for _ in 0..ROUNDS {
                    for (query, fastest) in QUERIES.iter().zip(&mut fastest) {
                        if damaged && query.contains("'utf-8')") {
                            continue;
                        }
                        let query = match damaged {
                            true => query.replace("arrow_cast(b, 'TEXT')", "TRY_CAST(b AS VARCHAR)"),
                            false => query.replace("TEXT", text),
                        };
                        let plan = context
                            .sql(&format!("SELECT {query} FROM t"))
                            .await?
                            .create_physical_plan()
                            .await?;
                        let began = Instant::now();
                        let rows = datafusion::physical_plan::collect(plan, context.task_ctx()).await?;
                        *fastest = began.elapsed().min(*fastest);
                        assert_eq!(rows[0].num_rows(), 1);
                    }
                }
                let kind = format!("{name}{}, {text}", if damaged { ", 1 of 10 damaged" } else { "" });
                for (query, time) in QUERIES.iter().zip(&fastest).skip(1) {
                    if *time < Duration::MAX {
                        let alone = time.saturating_sub(fastest[0]).as_secs_f64();
                        println!("{kind:38} {query:40} {:8.1}", ROWS as f64 / alone / 1e6);
                    }
                }
            }
        }
    }
    Ok(())
}
