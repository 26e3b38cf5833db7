//! From arguments to tables.
//!
//! Files are found here and not by DataFusion: so a name with brackets in it is a name, a folder may have a `_SUCCESS` beside its
//! files, and whatever is wrong is told with the argument that it came from. DataFusion gets a list of URLs of files.
//!
//! CSV is read with line breaks in quoted fields allowed. That costs reading a large file in several places at once, and without
//! it such a file would be cut in the middle of a field.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use datafusion::common::TableReference;
use datafusion::datasource::TableProvider;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::execution::context::SessionContext;
use glob::MatchOptions;
use url::Url;

use crate::Failure;
use crate::raw::{self, Counter, RawFile, Shape};

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Input {
    /// Apache Parquet
    Parquet,
    /// Fields between commas, with a header
    Csv,
    /// Fields between tabs, with a header
    Tsv,
    /// Objects of JSON, one in a line, or in an array
    Json,
    /// Lines as bytes: columns `number` and `line`
    Lines,
}

/// By an extension in small letters.
fn input_of(extension: &str) -> Option<Input> {
    Some(match extension {
        "parquet" | "parq" | "pq" => Input::Parquet,
        "csv" => Input::Csv,
        "tsv" | "tab" => Input::Tsv,
        "ndjson" | "jsonl" | "json" => Input::Json,
        "log" | "txt" => Input::Lines,
        _ => return None,
    })
}

/// How files are read.
pub(crate) struct Reading {
    pub(crate) input: Option<Input>,
    pub(crate) bytes: bool,
    pub(crate) delimiter: Option<u8>,
    pub(crate) header: bool,
    pub(crate) read: Counter,
}

/// Registers a table for each argument.
pub(crate) async fn register(
    context: &SessionContext,
    arguments: &[String],
    reading: &Reading,
) -> Result<(), Failure> {
    let mut known: HashMap<String, &str> = HashMap::new();
    for argument in arguments {
        let (name, files) = find(argument, reading)?;
        let table = table(context, argument, &files, reading).await?;
        let word = word(&name);
        for name in [&name, &word] {
            match known.insert(name.clone(), argument) {
                Some(other) if other != argument => {
                    return Err(Failure::Usage(format!(
                        "{other} and {argument} would both be table {name}; call one of them otherwise: NAME={argument}"
                    )));
                }
                Some(_) => continue,
                None => context.register_table(TableReference::bare(name.as_str()), Arc::clone(&table))?,
            };
        }
    }
    Ok(())
}

/// Which tables there are, in words that go on after others.
pub(crate) fn named(context: &SessionContext) -> String {
    let mut names: Vec<String> = context
        .catalog_names()
        .iter()
        .filter_map(|name| context.catalog(name)?.schema("public"))
        .flat_map(|schema| schema.table_names())
        .collect();
    names.sort();
    match names.len() {
        0 => "; there are no tables, for no files are named".into(),
        1 => format!("; there is {}", names[0]),
        _ => format!("; there are {}", names.join(", ")),
    }
}

/// A name as a word that needs no quotes in SQL.
fn word(name: &str) -> String {
    let mut word = String::new();
    for character in name.chars() {
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        } else {
            word.push('_');
        }
    }
    if !word.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        word.insert(0, '_');
    }
    word
}

/// The name of a table and its files.
fn find(argument: &str, reading: &Reading) -> Result<(String, Vec<PathBuf>), Failure> {
    let path = Path::new(argument);
    let named = argument.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '\\']));
    match named {
        _ if argument == "-" => Err(Failure::Usage(
            "standard input is not read, as a query may read a table twice: give a file".into(),
        )),
        _ if path.is_dir() => {
            // `.` has a name too.
            let whole = path.canonicalize().unwrap_or_else(|_| path.into());
            let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, in_folder(argument, path, reading)?))
        }
        _ if path.exists() => Ok((stem(path), vec![path.into()])),
        Some((name, path)) => {
            let (_, files) = find(path, reading)?;
            Ok((name.into(), files))
        }
        None if argument.contains(['*', '?', '[']) => in_glob(argument),
        None => Err(Failure::Usage(format!("there is no file {argument}"))),
    }
}

/// A name without extensions.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = compression(&name).map_or(&*name, |(plain, _)| plain);
    match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && input_of(&extension.to_lowercase()).is_some() => {
            stem.into()
        }
        _ => plain.into(),
    }
}

/// What is left of a name without the extension of a compression, and that.
fn compression(name: &str) -> Option<(&str, FileCompressionType)> {
    let (plain, extension) = name.rsplit_once('.')?;
    let found = match extension.to_lowercase().as_str() {
        "gz" => FileCompressionType::GZIP,
        "bz2" => FileCompressionType::BZIP2,
        "xz" => FileCompressionType::XZ,
        "zst" => FileCompressionType::ZSTD,
        _ => return None,
    };
    Some((plain, found))
}

/// What a name says of its content.
fn content(path: &Path) -> (Option<Input>, FileCompressionType) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (plain, compressed) = compression(&name).unwrap_or((&name, FileCompressionType::UNCOMPRESSED));
    let input = plain.rsplit_once('.').and_then(|(_, extension)| input_of(&extension.to_lowercase()));
    (input, compressed)
}

/// All files of a folder and of those in it, in the order of their names, without those that begin with `.` or `_`.
fn in_folder(argument: &str, folder: &Path, reading: &Reading) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error| Failure::Usage(format!("cannot read {}: {error}", folder.display()));
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '_'])) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if reading.input.is_some() || content(&path).0.is_some() {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        Err(Failure::Usage(format!("there is no file to be read in {argument}")))
    } else {
        Ok(files)
    }
}

/// The files of a glob, and a name: what stands before the first wildcard, or the folder.
fn in_glob(argument: &str) -> Result<(String, Vec<PathBuf>), Failure> {
    let options = MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..MatchOptions::default()
    };
    let paths =
        glob::glob_with(argument, options).map_err(|error| Failure::Usage(format!("{argument}: {error}")))?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| Failure::Usage(error.to_string()))?;
        if path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::Usage(format!("no file is called like {argument}")));
    }
    let before = argument.split(['*', '?', '[']).next().unwrap_or_default();
    let before = before.trim_end_matches(|last: char| !last.is_alphanumeric());
    let name = Path::new(before).file_name().map(|name| name.to_string_lossy().into_owned());
    Ok((name.unwrap_or_else(|| "files".into()), files))
}

/// A table of files of one format.
async fn table(
    context: &SessionContext,
    argument: &str,
    files: &[PathBuf],
    reading: &Reading,
) -> Result<Arc<dyn TableProvider>, Failure> {
    let mut kind = None;
    for path in files {
        let (found, compressed) = content(path);
        let Some(input) = reading.input.or(found) else {
            return Err(Failure::Usage(format!(
                "the name of {} does not say its format: --input parquet, csv, tsv, json or lines",
                path.display()
            )));
        };
        let found = (input, compressed);
        if *kind.get_or_insert(found) != found {
            return Err(Failure::Usage(format!(
                "{argument} has files of several formats, one of them {}: give a glob for one, such as '{argument}/*.csv'",
                path.display()
            )));
        }
    }
    let (input, compression) = kind.ok_or_else(|| Failure::Usage(format!("no file in {argument}")))?;
    let delimiter = reading.delimiter.unwrap_or(if input == Input::Tsv { b'\t' } else { b',' });
    let raw = |shape| {
        let files = files.iter().map(|path| RawFile { path: path.clone(), compression });
        Ok(raw::table(files.collect(), shape, &reading.read)?)
    };
    let format: Arc<dyn FileFormat> = match input {
        Input::Lines => return raw(Shape::Lines),
        Input::Csv | Input::Tsv if reading.bytes => {
            return raw(Shape::Csv { delimiter, header: reading.header });
        }
        Input::Csv | Input::Tsv => Arc::new(
            CsvFormat::default()
                .with_has_header(reading.header)
                .with_delimiter(delimiter)
                .with_newlines_in_values(true)
                .with_file_compression_type(compression),
        ),
        Input::Json => Arc::new(
            JsonFormat::default()
                .with_newline_delimited(!begins_with_array(files, compression))
                .with_file_compression_type(compression),
        ),
        Input::Parquet => Arc::new(ParquetFormat::default()),
    };
    let options = ListingOptions::new(format).with_file_extension("");
    let urls = files.iter().map(|path| url(path)).collect::<Result<Vec<_>, _>>()?;
    let config = ListingTableConfig::new_with_multi_paths(urls).with_listing_options(options);
    let config = config.infer_schema(&context.state()).await.map_err(|error| error.context(argument))?;
    Ok(Arc::new(ListingTable::try_new(config)?))
}

/// A file as DataFusion names it: without wildcards.
fn url(path: &Path) -> Result<ListingTableUrl, Failure> {
    let unreadable = |error| Failure::Usage(format!("cannot read {}: {error}", path.display()));
    let whole = path.canonicalize().map_err(unreadable)?;
    // DataFusion would say it as well, in many more words.
    File::open(&whole).map_err(unreadable)?;
    let url =
        Url::from_file_path(&whole).map_err(|()| Failure::Usage(format!("{} is no path", path.display())))?;
    Ok(ListingTableUrl::try_new(url, None)?)
}

/// Whether the first file is an array of JSON and not lines of it.
fn begins_with_array(files: &[PathBuf], compression: FileCompressionType) -> bool {
    let mut beginning = Vec::new();
    let read = files.first().and_then(|path| {
        let input = compression.convert_read(File::open(path).ok()?).ok()?;
        input.take(1024).read_to_end(&mut beginning).ok()
    });
    read.is_some() && beginning.trim_ascii_start().starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (path, name, as_word) in [
            ("logs/access.csv", "access", "access"),
            ("My-Logs.CSV.gz", "My-Logs", "my_logs"),
            ("2026.ndjson.zst", "2026", "_2026"),
            ("a.b.parquet", "a.b", "a_b"),
            ("noextension", "noextension", "noextension"),
            (".csv", ".csv", "_csv"),
            ("odd.bin", "odd.bin", "odd_bin"),
        ] {
            assert_eq!(stem(Path::new(path)), name);
            assert_eq!(word(name), as_word);
        }
    }
}
