//! `runecast-sql`: a query over files, in one command.
//!
//! Arguments become tables (`tables`), which DataFusion reads by itself, or, where it would demand well-formed UTF-8, the readers
//! in `raw`, which hand over bytes. The plan is run as a stream; `progress` looks at the counters of its scans meanwhile,
//! and `output` writes the rows. This file has the arguments, the order of these steps, and the exit code:
//!
//! | code | |
//! |--:|---|
//! | 0 | the query has ended |
//! | 1 | it has failed because of the data: ill-formed text under `'strict'`, a field that is no number, a file that is damaged |
//! | 2 | it has not begun, or could not be written: arguments, SQL, files that cannot be read, output |
//!
//! Which of the two is told by the kind of DataFusion's error, not by the moment: calls on literals fail while a query is
//! planned, and a file may be found out to be no CSV when its columns are named.

mod output;
mod progress;
mod raw;
mod tables;

use std::io::{ErrorKind, Write as _};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use datafusion::execution::context::SessionContext;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionConfig;
use datafusion::sql::sqlparser::parser::ParserError;
use futures::{FutureExt as _, TryStreamExt as _};

/// SQL on Parquet, CSV and NDJSON files, with functions that check, repair, decode and encode text
#[derive(Debug, Parser)]
#[command(name = "runecast-sql", version, after_long_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    /// The query; `SHOW FUNCTIONS LIKE 'text%'`, `SHOW TABLES`, `DESCRIBE table` and `COPY (query) TO 'file.parquet'` work as well
    sql: String,
    /// Files, folders and globs (in quotes), each a table
    ///
    /// A file is a table by the name that it has without extensions: logs.csv.gz is `logs`. A folder with all that is in it, and a
    /// glob in quotes, are one table. NAME=PATH calls it NAME. A name that is no plain word of small letters, as in
    /// My-Logs.csv, can be written in double quotes, "My-Logs", or as my_logs.
    ///
    /// Extensions say the format: .parquet; .csv, .tsv; .ndjson, .jsonl, .json; .log and .txt, which are tables of lines.
    /// All but Parquet may be compressed, .gz, .bz2, .xz, .zst. Standard input is not read.
    #[arg(value_name = "FILES")]
    files: Vec<String>,
    /// How rows are written
    #[arg(short, long, value_enum, default_value_t)]
    format: output::Format,
    /// The format of all files, whatever they are called
    #[arg(short, long, value_enum)]
    input: Option<tables::Input>,
    /// Read CSV with columns of bytes, as they are, so that ill-formed text is kept: `text_repair(name)`, `utf8_error(name)`
    #[arg(short, long)]
    bytes: bool,
    /// What is between the fields of CSV, one ASCII character [default: a comma, in .tsv a tab]
    #[arg(short, long, value_parser = delimiter)]
    delimiter: Option<u8>,
    /// The first line of CSV is no header; columns are column_1, column_2, …
    #[arg(long)]
    no_header: bool,
    /// Print how the query would be run, and do not run it
    #[arg(short, long)]
    explain: bool,
}

const EXAMPLES: &str = "\
Examples:
  Which lines of a log are no UTF-8, and why:
    runecast-sql \"SELECT number, utf8_error(line)['message'] FROM access
                  WHERE NOT utf8_valid(line)\" access.log
  The kinds of damage in a folder of Parquet files, which are one table:
    runecast-sql \"SELECT utf8_error(body)['kind'] AS kind, count(*)
                  FROM mails GROUP BY kind\" mails/
  CSV with some Latin-1 in it; without --bytes it would be refused:
    runecast-sql --bytes --format csv \"SELECT text_repair(name, 'latin1') FROM people\" people.csv
  Two files, one query:
    runecast-sql 'SELECT a.id, b.text FROM a JOIN b ON a.id = b.id' a.parquet b.ndjson
  Many files as one table (a glob in quotes), under a name of its own:
    runecast-sql 'SELECT count(*) FROM logs' 'logs=2026-*/app-*.ndjson.gz'
  Repaired, and written as Parquet:
    runecast-sql \"COPY (SELECT id, text_repair(body) AS body FROM mails)
                  TO 'clean.parquet'\" mails.parquet
  What functions there are:
    runecast-sql --format ndjson \"SHOW FUNCTIONS LIKE 'text%'\"

Binary columns of Parquet are read as bytes. Bytes are written in hexadecimal.

Exit codes: 0 done; 1 the query failed because of the data; 2 arguments, SQL, or a file that cannot be read or written.";

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [one] if one.is_ascii() => Ok(*one),
        _ => Err("one ASCII character, or \\t".into()),
    }
}

/// Why there is no result, or not all of it.
enum Failure {
    /// The arguments are wrong, or a file is not there.
    Usage(String),
    /// DataFusion says so.
    Query(DataFusionError),
    /// The output cannot be written.
    Output(std::io::Error),
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Self {
        Failure::Query(error)
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        Failure::Query(error.into())
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Some readers of DataFusion panic at a file that is damaged. That ends a query, and the message is one line.
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = AssertUnwindSafe(run(&arguments)).catch_unwind().await;
    let mut errors = std::io::stderr();
    let failure = match outcome {
        Ok(Ok(())) => return ExitCode::SUCCESS,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let said =
                panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            let said = output::plain(said.unwrap_or_default());
            let _ = writeln!(errors, "runecast-sql: a file is damaged, or a reader has an error: {said}");
            return ExitCode::from(1);
        }
    };
    let code = match failure {
        Failure::Usage(message) => {
            let _ = writeln!(errors, "runecast-sql: {message}");
            2
        }
        // A reader that has seen enough (`| head`) closes the pipe. That is not worth a message, but not all was written.
        Failure::Output(error) => {
            if error.kind() != ErrorKind::BrokenPipe {
                let _ = writeln!(errors, "runecast-sql: cannot write the output: {error}");
            }
            2
        }
        Failure::Query(error) => {
            let message = words(&error);
            let _ = writeln!(errors, "runecast-sql: {message}{}", hint(&message, &arguments));
            if is_of_the_data(&error) { 1 } else { 2 }
        }
    };
    ExitCode::from(code)
}

async fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = SessionConfig::new().with_information_schema(true);
    let mut context = SessionContext::new_with_config(config);
    runecast_datafusion::register_all(&mut context)?;
    let read = raw::Counter::default();
    let reading = tables::Reading {
        input: arguments.input,
        bytes: arguments.bytes,
        delimiter: arguments.delimiter,
        header: !arguments.no_header,
        read: read.clone(),
    };
    tables::register(&context, &arguments.files, &reading).await?;

    let sql = if arguments.explain {
        format!("EXPLAIN FORMAT INDENT {}", arguments.sql)
    } else {
        arguments.sql.clone()
    };
    let query = context.sql(&sql).await.map_err(|error| {
        let message = words(&error);
        let Some(name) = message.strip_prefix("table '").and_then(|rest| rest.strip_suffix("' not found"))
        else {
            return error.into();
        };
        Failure::Usage(if Path::new(name).exists() {
            format!(
                "{name} is a file: name it after the query, and in the query by its name without extensions"
            )
        } else {
            format!("{message}{}", tables::named(&context))
        })
    })?;
    let plan = query.create_physical_plan().await?;
    let progress = progress::Progress::begin(Arc::clone(&plan), read);
    let mut rows = execute_stream(plan, context.task_ctx())?;
    let mut writer = output::Writer::new(arguments.format, rows.schema());
    while let Some(batch) = rows.try_next().await? {
        if writer.streams() {
            progress.make_room();
        }
        writer.write(batch)?;
    }
    drop(progress);
    writer.finish()
}

/// An error in one line, without the words that say in which part of DataFusion it arose, and without a name that all tables have.
fn words(error: &DataFusionError) -> String {
    if let DataFusionError::SQL(error, _) = error.find_root() {
        let (ParserError::ParserError(message) | ParserError::TokenizerError(message)) = &**error else {
            return "the SQL is nested too deeply".into();
        };
        return output::plain(&format!("the SQL cannot be read: {message}"));
    }
    let mut message = error.strip_backtrace().replace("\ncaused by\n", ": ");
    if message.contains("only supports a single SQL statement") {
        return "one statement at a time".into();
    }
    for word in [
        "Error during planning: ",
        "Execution error: ",
        "SQL error: ",
        "External error: ",
        "Schema error: ",
        "Arrow error: ",
        "Parquet argument error: ",
        // There it says so twice.
        "Parquet error: Parquet error: ",
        "datafusion.public.",
    ] {
        message = message.replace(word, "");
    }
    output::plain(&message)
}

/// Whether a query has failed because of what stands in a file.
fn is_of_the_data(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::ArrowError(error, _) => !matches!(**error, ArrowError::IoError(..)),
        DataFusionError::ParquetError(_)
        | DataFusionError::Execution(_)
        | DataFusionError::ExecutionJoin(_)
        | DataFusionError::External(_)
        | DataFusionError::ResourcesExhausted(_) => true,
        _ => false,
    }
}

/// What may help: if the query has been left out; if all fields of CSV have become one; if a reader has met ill-formed text.
fn hint(message: &str, arguments: &Arguments) -> &'static str {
    let message = message.to_lowercase();
    if message.starts_with("the sql cannot be read: ") && Path::new(&arguments.sql).exists() {
        return "\nhint: that is a file; the query comes first, then the files";
    }
    if message.starts_with("no field named ") && arguments.delimiter.is_none() {
        if message.contains(';') {
            return "\nhint: --delimiter ';' is for CSV with semicolons between its fields";
        }
        // As it is written where it would move a cursor.
        if message.contains("\\u{9}") {
            return "\nhint: --delimiter '\\t' is for CSV with tabs between its fields";
        }
    }
    if !["valid utf-8", "non-utf-8", "non utf-8", "truncated utf-8"]
        .iter()
        .any(|words| message.contains(words))
    {
        ""
    } else if message.contains("csv") && !arguments.bytes {
        "\nhint: --bytes reads the columns of CSV as bytes; text_repair(column) is text, utf8_error(column) says what is wrong"
    } else if message.contains("json") {
        "\nhint: --input lines reads a file as a table of lines, as bytes; `runecast repair` makes well-formed JSON of it"
    } else if message.contains("parquet") {
        "\nhint: a column is text by its annotation in the file, and is none; only the other columns can be read"
    } else {
        ""
    }
}
