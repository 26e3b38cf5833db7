//! Apache Ballista with the text functions of runecast: the nodes of a cluster, and a job that is checked.
//!
//! Ballista sends a query as a plan in which functions stand by name. So all three parties have to have them: the
//! client, which plans; the scheduler, which plans again and cuts the plan into stages; each executor, which runs
//! them. `nodes` shows the three places where they are registered, and that is all there is to it. Files may be in an object store
//! (`object_stores`), and connections encrypted (`tls`). A cluster of one's
//! own is these few lines in its own programs, or these programs.
//!
//! `data` writes Parquet files, the same ones each time, full of damage; `job` runs a query over them, on a cluster or in
//! this process, and writes the result in an order of its own, so that two of them can be compared byte for
//! byte. `cluster_job` makes sure that a result of the cluster is whole, and nothing in it twice. `cluster.sh` puts it all
//! together, and kills nodes at random moments.

mod cluster_job;
mod data;
mod job;
mod nodes;
mod object_stores;
mod partitions;
mod tls;

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use cluster_job::Limits;

/// What may go wrong, as it is told.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Apache Ballista with the text functions of runecast
#[derive(Debug, Parser)]
#[command(name = "runecast-cluster", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write Parquet files of lines in several encodings, many of them damaged: the same ones each time
    Generate {
        /// The directory, which is made
        directory: PathBuf,
        /// How many rows in all
        #[arg(long, default_value_t = 10_000_000)]
        rows: u64,
        /// In how many files
        #[arg(long, default_value_t = 16)]
        files: u64,
    },
    /// Run a query over the files of a directory, as table `lines`, and write the sorted rows of its result
    Query {
        /// The directory, or s3://BUCKET/PREFIX/ if this was built with --features s3
        directory: PathBuf,
        /// The file with the query
        sql: PathBuf,
        /// Where the result goes
        #[arg(short, long)]
        output: PathBuf,
        /// The scheduler, as df://HOST:PORT; without it the query is run in this process
        #[arg(long)]
        scheduler: Option<String>,
        /// Connect by TLS, with ca.pem, node.pem and node.key of this directory
        #[arg(long, value_name = "DIRECTORY", requires = "scheduler")]
        tls: Option<PathBuf>,
        /// Give up after so many seconds
        #[arg(long, default_value_t = 600)]
        limit: u64,
        /// On a cluster: how often the job may be submitted before that is an error
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
        attempts: u32,
        /// On a cluster: after how many seconds an attempt is given up
        #[arg(long, default_value_t = 200)]
        attempt_limit: u64,
        /// On a cluster: milliseconds to wait before each partition of the result is fetched, for tests
        #[arg(long, default_value_t = 0, hide = true)]
        fetch_pause: u64,
    },
    /// Be a scheduler
    Scheduler(nodes::Scheduler),
    /// Be an executor
    Executor(nodes::Executor),
    /// Print the numbers of ports that are free
    Ports {
        /// How many
        count: usize,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let outcome = match Arguments::parse().command {
        Command::Generate { directory, rows, files } => data::generate(&directory, rows, files),
        Command::Query {
            directory,
            sql,
            output,
            scheduler,
            tls,
            limit,
            attempts,
            attempt_limit,
            fetch_pause,
        } => {
            let limits = Limits {
                attempts,
                each: Duration::from_secs(attempt_limit),
                fetch_pause: Duration::from_millis(fetch_pause),
            };
            let cluster = scheduler.as_deref().map(|scheduler| (scheduler, tls.as_deref()));
            let run = job::run(&directory, &sql, &output, cluster, limits);
            match tokio::time::timeout(Duration::from_secs(limit), run).await {
                Ok(outcome) => outcome,
                Err(_) => Err(format!("no result within {limit} s").into()),
            }
        }
        Command::Scheduler(scheduler) => scheduler.run().await,
        Command::Executor(executor) => executor.run().await,
        Command::Ports { count } => ports(count),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Ports that nobody listens at, all different. Somebody may, before they are used: then the node says so.
fn ports(count: usize) -> Outcome {
    let listeners =
        (0..count).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).collect::<Result<Vec<_>, _>>()?;
    for listener in listeners {
        println!("{}", listener.local_addr()?.port());
    }
    Ok(())
}
