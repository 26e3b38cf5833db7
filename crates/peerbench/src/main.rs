//! peerbench: runecast and its peers side by side.
//!
//! Every peer runs on the same buffer, in the same run, in turn; see `runecast_clock` for why. A table
//! has a row for each text, a column for each peer, and then the ratios that are the
//! goals. This file reads the arguments; each topic has a file of its own.

mod around;
mod ascii;
mod batch;
mod corrected;
mod errors;
mod goals;
mod hostile;
mod lossy;
mod offsets;
mod parallel;
mod peer;
mod reading;
mod scan;
mod simdutf_by_name;
mod stream;
mod table;
mod texts;
mod transcode;
mod validate;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use runecast::{Engine, Isa};
use runecast_clock::Patience;

use around::Way;
use goals::Goal;
use lossy::Repair;
use offsets::Question;
use simdutf_by_name::Simdutf;
use stream::Stream;
use table::{Operation, Style};
use texts::Manuscript;
use transcode::Task;

/// Compares runecast with its peers: one row a text, one column a peer
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    operation: What,
    #[command(flatten)]
    options: Options,
}

#[derive(Subcommand)]
enum What {
    /// Is it UTF-8? Long texts, GB/s
    Validate {
        /// Files, or directories of files, to measure beside the generated texts
        #[arg(value_name = "DIR|FILE")]
        paths: Vec<PathBuf>,
        /// Leave the generated texts out
        #[arg(long)]
        only_files: bool,
    },
    /// What validation, counts, columns, conversion and repair are to reach: mean and worst of the ratios to the best peer, for each instruction set
    Goals {
        /// What to measure: by default everything
        #[arg(value_name = "GOAL")]
        goals: Vec<Goal>,
        /// Files of mixed text, or directories of files, to measure beside the generated documents
        #[arg(long, num_args = 1.., value_name = "DIR|FILE")]
        files: Vec<PathBuf>,
        /// KiB of input for conversion and repair, in place of `--size`
        #[arg(long, value_delimiter = ',', default_value = "8,160,1024", value_name = "KIB")]
        kib: Vec<usize>,
        /// Write what each peer has on each text to standard error
        #[arg(long)]
        tables: bool,
    },
    /// Is it UTF-8? Short strings, ns per call
    Short,
    /// Where is the error, where are all errors? ns per call and GB/s
    Errors,
    /// Is it ASCII, and where does ASCII end? GB/s
    Ascii,
    /// From one encoding to another, and lengths. Long texts, GB/s of input
    Transcode {
        /// What to measure: by default everything
        #[arg(value_name = "PAIR")]
        tasks: Vec<Task>,
        /// Files, or directories of files, to measure beside the generated texts
        #[arg(long, num_args = 1.., value_name = "DIR|FILE")]
        files: Vec<PathBuf>,
        /// Leave the generated texts out
        #[arg(long)]
        only_files: bool,
    },
    /// From one encoding to another. Short strings, ns per call
    TranscodeShort {
        /// What to measure: by default the pairs of UTF-8 with UTF-16 and UTF-32
        #[arg(value_name = "PAIR")]
        tasks: Vec<Task>,
    },
    /// Corrected UTF-8 against our own kernels of UTF-8. Long texts, ratios of times
    Corrected,
    /// The encodings around UTF-8: CESU-8, modified UTF-8, WTF-8. Long texts, GB/s of input
    Around {
        /// Instead, short strings, all different, of up to so many bytes as UTF-8: ns for each call
        #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u16).range(1..=4096))]
        strings: Option<u16>,
        /// What to measure: by default everything
        #[arg(value_name = "WAY")]
        ways: Vec<Way>,
    },
    /// Columns of values: is each of them UTF-8? GB/s
    Batch,
    /// One huge text, by one thread and by two. GB/s
    Parallel {
        /// MiB of the text
        #[arg(long, default_value_t = 256)]
        mib: usize,
    },
    /// Texts in chunks of 64 KiB, 4 KiB and 100 bytes, GB/s of input
    Stream {
        /// What to measure: by default everything
        #[arg(value_name = "STREAM")]
        streams: Vec<Stream>,
    },
    /// U+FFFD for what is ill-formed. Long texts, GB/s of input
    Lossy {
        /// What to measure: by default everything
        #[arg(value_name = "REPAIR")]
        repairs: Vec<Repair>,
    },
    /// What the worst text costs: ns per byte of every operation on hostile patterns, at two lengths
    Hostile {
        /// Print every row that takes more than so many percent of what it may: 100 are the rows that miss a goal
        #[arg(long, default_value_t = 100.0, value_name = "PERCENT")]
        above: f64,
    },
    /// Validation and search for bytes in one pass, against two; records and lines. GB/s, and ratios of times
    Scan,
    /// Offsets in bytes, characters, UTF-16 and lines. Texts of three sizes, GB/s
    Offsets {
        /// What to measure: by default everything
        #[arg(value_name = "QUESTION")]
        questions: Vec<Question>,
    },
    /// The index for offsets: to make it, its size, and ns per question
    OffsetMap {
        /// Bytes of each text: one that no cache holds is 1073741824
        #[arg(long, default_value_t = 64 << 20)]
        bytes: usize,
    },
}

#[derive(Args)]
struct Options {
    /// Bytes of each text, as input: the default fits into any second-level cache
    #[arg(long, global = true, default_value_t = 256 << 10, value_parser = size)]
    size: usize,
    /// Where the buffers begin, counted from the start of a page
    #[arg(long, global = true, default_value_t = 17)]
    align: usize,
    /// Rounds: in each, every peer runs once
    #[arg(long, global = true, default_value_t = 400)]
    rounds: u32,
    /// Milliseconds after which a row ends, even if rounds are left
    #[arg(long, global = true, default_value_t = 2000)]
    limit: u64,
    /// Run on this core only
    #[arg(long, global = true, value_name = "CORE")]
    pin: Option<usize>,
    /// Only the columns of these ISAs: ours, and the peers narrowed alike
    #[arg(long, global = true, value_delimiter = ',', value_name = "ISA")]
    isa: Vec<Isa>,
    /// Only the rows whose name contains this
    #[arg(long, global = true, default_value = "", hide_default_value = true, value_name = "TEXT")]
    filter: String,
    /// Print a Markdown table
    #[arg(long, global = true)]
    markdown: bool,
    /// Print JSON
    #[arg(long, global = true, conflicts_with = "markdown")]
    json: bool,
}

/// A text's size: at least 64 KiB, below which the start and the end would weigh too much.
fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size) if size >= 64 << 10 => Ok(size),
        Ok(_) => Err("a text must have 65536 bytes at least".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peerbench: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let options = &arguments.options;
    if let Some(core) = options.pin {
        pin(core)?;
    }
    for &isa in &options.isa {
        Engine::new(isa).context("--isa")?;
    }
    let operations = match &arguments.operation {
        What::Validate { paths, only_files } => {
            let texts = manuscripts(paths, *only_files, options.size)?;
            vec![validate::long(texts.iter().map(|text| text.utf8(options.align)).collect())]
        }
        What::Goals { goals, files, kib, tables } => {
            println!("{}\n", machine());
            let every: Vec<Isa> =
                Engine::available().map(Engine::isa).filter(|&isa| isa != Isa::Scalar).collect();
            return goals::print(&goals::Request {
                goals,
                files,
                isas: if options.isa.is_empty() { &every } else { &options.isa },
                size: options.size,
                kib,
                align: options.align,
                filter: &options.filter,
                tables: *tables,
                patience: Patience { rounds: options.rounds, limit: Duration::from_millis(options.limit) },
            });
        }
        What::Transcode { tasks, files, only_files } => {
            // UTF-16 and Latin-1 may need half as many bytes as UTF-8, or as few.
            let texts = manuscripts(files, *only_files, 2 * options.size)?;
            transcode::long(tasks, texts, options.size, options.align)
        }
        What::TranscodeShort { tasks } => transcode::short(tasks, options.align),
        What::Corrected => {
            let patience = Patience { rounds: options.rounds, limit: Duration::from_millis(options.limit) };
            corrected::print(&texts::generated(options.size), &options.isa, &options.filter, patience);
            return Ok(());
        }
        What::Around { ways, strings } => {
            around::all(ways, options.size, strings.map(usize::from), options.align)
        }
        What::Offsets { questions } => offsets::long(questions, options.size, options.align),
        What::OffsetMap { bytes } => {
            offsets::map::measure(*bytes, &options.filter);
            return Ok(());
        }
        What::Scan => {
            println!("{}", machine());
            let patience = Patience { rounds: options.rounds, limit: Duration::from_millis(options.limit) };
            return scan::run(options.size, options.align, &options.filter, patience);
        }
        What::Stream { streams } => stream::long(streams, options.size, options.align),
        What::Lossy { repairs } => lossy::long(repairs, options.size, options.align),
        What::Hostile { above } => {
            println!("{}\n", machine());
            let current = [Engine::current().isa()];
            for &isa in if options.isa.is_empty() { &current[..] } else { &options.isa } {
                Engine::narrow(isa).context("--isa")?;
                println!("{}\n", isa.name());
                hostile::run(options.size, &options.filter, above / 100.0);
            }
            return Ok(());
        }
        What::Parallel { mib } => {
            println!("{}\n", machine());
            return parallel::run(mib << 20, options.rounds.min(10));
        }
        What::Batch => batch::long(options.size, options.align),
        What::Short => vec![validate::short(options.align)],
        What::Errors => {
            vec![errors::first(options.align), errors::all(options.size, options.align)]
        }
        What::Ascii => {
            vec![ascii::whole(options.size, options.align), ascii::prefix(options.size, options.align)]
        }
    };
    report(operations, options)
}

/// The generated texts, unless there are to be `only_files`, and those of files.
fn manuscripts(paths: &[PathBuf], only_files: bool, size: usize) -> Result<Vec<Manuscript>> {
    let mut texts = if only_files { Vec::new() } else { texts::generated(size) };
    texts.extend(texts::files(paths, size)?);
    Ok(texts)
}

/// Measures, and prints each table as soon as it is there.
fn report(operations: Vec<Operation>, options: &Options) -> Result<()> {
    let patience = Patience { rounds: options.rounds, limit: Duration::from_millis(options.limit) };
    let style = match (options.markdown, options.json) {
        (true, _) => Style::Markdown,
        (_, true) => Style::Json,
        _ => Style::Plain,
    };
    if style != Style::Json {
        println!("{}\n", machine());
    }
    let narrow = |operation: Operation| operation.narrowed(&options.isa, &options.filter);
    let mut operations: Vec<Operation> = operations.into_iter().map(narrow).collect();
    operations.retain(|operation| !operation.texts.is_empty());
    if operations.is_empty() {
        bail!("no text is left to measure");
    }
    for operation in operations {
        println!("{}", operation.measure(patience)?.print(style));
    }
    Ok(())
}

/// One line about where this was measured.
fn machine() -> String {
    let engines: Vec<&str> = Engine::available().map(|engine| engine.isa().name()).collect();
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
        let line = info.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    format!(
        "CPU: {}; runecast runs {}; simdutf chose {}",
        cpu.as_deref().unwrap_or(std::env::consts::ARCH),
        engines.join(", "),
        Simdutf::active().name()
    )
}

/// Keeps this thread on `core`.
fn pin(core: usize) -> Result<()> {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    let Some(id) = cores.iter().find(|id| id.id == core) else {
        bail!("--pin {core}: there is no such core for this process");
    };
    if !core_affinity::set_for_current(*id) {
        bail!("--pin {core}: the system did not allow it");
    }
    Ok(())
}
