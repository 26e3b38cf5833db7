//! Client, scheduler and executor, each with the functions.
//!
//! - **Client**: its session, after `remote_with_state`, which replaces the functions that a state had before.
//! - **Scheduler**: a session is built for each client, by `override_session_builder`.
//! - **Executor**: no session, but a registry in which a plan looks for its functions, `override_function_registry`.
//!
//! What reads files in an object store is in [`object_stores`], what encrypts is in [`tls`](crate::tls).
//!
//! A missing function shows as "Invalid function" with the client, and as "There is no UDF named …" from the scheduler or as a
//! failed task.
//!
//! **When an executor dies** there is no message. It asks its scheduler for work at least every five seconds, however busy
//! it is; when it has not asked for some time, the scheduler considers it dead. Then it takes back the tasks that ran there,
//! and also those which were finished, if their output was lost with the executor and is still needed. If another
//! executor needs that output earlier, it reports the loss, with the same effect. Ballista's timeout is 180 seconds; here
//! it is 12, so that one request may be late.
//!
//! **What was tried and did not work**, in Ballista 55.0: the adaptive planner, its default, does not run a stage again
//! that was finished. With executors that are given work (`PushStaged`, the default) the tasks are taken back and
//! not given out any more; with those that ask for it they are run, and the scheduler refuses what they report: "Can't
//! find active stage to update stage outputs". Either way the query hangs. The static planner does it right, so that is
//! what the client asks for. `PushStaged` also has a heartbeat of its own, one in 60 seconds, which is too few for a
//! timeout of 12.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use ballista::prelude::{SessionConfigExt as _, SessionContextExt as _};
use ballista_core::config::{BALLISTA_ADAPTIVE_PLANNER_ENABLED, TaskSchedulingPolicy};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Args;
use datafusion::execution::SessionState;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::tls::Tls;
use crate::{Outcome, object_stores};

/// A session in this process.
pub(crate) fn local() -> Outcome<SessionContext> {
    Ok(SessionContext::new_with_state(session(object_stores::config())?))
}

/// A session on the cluster of a scheduler.
pub(crate) async fn client(scheduler: &str, tls: Option<&Tls>) -> Outcome<SessionContext> {
    // Output of a dead executor may lie on the disk of this very machine, where others would find it. A cluster of
    // many machines has no such luck: all that is another executor's comes through the network. And no adaptive planner.
    let config = config(tls)
        .with_ballista_shuffle_reader_force_remote_read(true)
        .set_bool(BALLISTA_ADAPTIVE_PLANNER_ENABLED, false);
    let state = object_stores::state(config)?;
    let mut context = SessionContext::remote_with_state(scheduler, state).await?;
    runecast_datafusion::register_all(&mut context)?;
    Ok(context)
}

/// How a session connects to executors.
fn config(tls: Option<&Tls>) -> SessionConfig {
    let config = object_stores::config();
    match tls {
        None => config,
        Some(tls) => config
            .with_ballista_use_tls(true)
            .with_ballista_override_create_grpc_client_endpoint(tls.endpoint()),
    }
}

/// What a scheduler makes for each client.
fn session(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    let mut state = object_stores::state(config)?;
    runecast_datafusion::register_all(&mut state)?;
    Ok(state)
}

/// Where a node is: the name that it gives to others, and the address that it listens at. They differ in a container, behind
/// a forwarded port, and where a machine is known by a name.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The name or address under which the others find this node
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The address to listen at; 0.0.0.0 are all [default: the host, if that is an address]
    #[arg(long)]
    bind: Option<IpAddr>,
    /// Encrypt, and know the others, by ca.pem, node.pem and node.key of this directory
    #[arg(long, value_name = "DIRECTORY")]
    tls: Option<PathBuf>,
}

impl Place {
    /// The address to listen at, if the host is one that others can connect to.
    fn bind(&self) -> Outcome<IpAddr> {
        let host = self.host.parse::<IpAddr>().ok();
        if host.is_some_and(|host| host.is_unspecified()) {
            return Err(format!(
                "nobody can connect to {0}: --bind {0}, and --host with the name of this machine",
                self.host
            )
            .into());
        }
        let missing = || {
            format!("{} is no address: say with --bind where to listen, such as --bind 0.0.0.0", self.host)
        };
        Ok(self.bind.or(host).ok_or_else(missing)?)
    }

    /// Its certificates, if it has any.
    fn tls(&self) -> Outcome<Option<Tls>> {
        self.tls.as_deref().map(Tls::load).transpose()
    }
}

/// Ballista puts a colon and the port behind the address of an executor.
fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Arguments of a scheduler.
#[derive(Debug, Args)]
pub(crate) struct Scheduler {
    #[command(flatten)]
    place: Place,
    /// The port to listen at
    #[arg(long, default_value_t = 50050)]
    port: u16,
    /// Seconds without a word after which an executor is taken for dead; more than 5, for that often they speak
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u64).range(6..))]
    executor_timeout: u64,
}

impl Scheduler {
    /// Listens, for good.
    pub(crate) async fn run(self) -> Outcome {
        let (bind, tls) = (self.place.bind()?, self.place.tls()?);
        let sessions = tls.clone();
        let config = SchedulerConfig {
            bind_host: bind.to_string(),
            external_host: self.place.host,
            bind_port: self.port,
            executor_timeout_seconds: self.executor_timeout,
            expire_dead_executor_interval_seconds: 1,
            no_executors_grace_period_seconds: self.executor_timeout,
            scheduling_policy: TaskSchedulingPolicy::PullStaged,
            override_config_producer: Some(Arc::new(move || self::config(sessions.as_ref()))),
            override_session_builder: Some(Arc::new(session)),
            override_create_grpc_client_endpoint: tls.as_ref().map(Tls::endpoint),
            use_tls: tls.is_some(),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_from_config(&config).await?;
        let (address, config) = (SocketAddr::new(bind, self.port), Arc::new(config));
        match tls {
            None => Ok(start_server(cluster, address, config).await?),
            Some(tls) => tls.schedule(cluster, address, config).await,
        }
    }
}

/// Arguments of an executor.
#[derive(Debug, Args)]
pub(crate) struct Executor {
    #[command(flatten)]
    place: Place,
    /// The port at which others fetch results
    #[arg(long, default_value_t = 50051)]
    port: u16,
    /// The port for orders
    #[arg(long, default_value_t = 50052)]
    grpc_port: u16,
    /// The scheduler's host
    #[arg(long, default_value = "127.0.0.1")]
    scheduler_host: String,
    /// The scheduler's port
    #[arg(long, default_value_t = 50050)]
    scheduler_port: u16,
    /// How many tasks at a time
    #[arg(long, default_value_t = 1)]
    cores: usize,
    /// The directory for results
    #[arg(long)]
    directory: PathBuf,
}

impl Executor {
    /// Works, until it is told to stop.
    pub(crate) async fn run(self) -> Outcome {
        let (bind, tls) = (self.place.bind()?, self.place.tls()?);
        std::fs::create_dir_all(&self.directory)?;
        let session = session(config(tls.as_ref()))?;
        let tasks = tls.clone();
        let defaults = ExecutorProcessConfig::default();
        let message_size = defaults.grpc_max_encoding_message_size as usize;
        let config = ExecutorProcessConfig {
            bind_host: bracketed(bind),
            external_host: Some(self.place.host),
            port: self.port,
            grpc_port: self.grpc_port,
            scheduler_host: self.scheduler_host,
            scheduler_port: self.scheduler_port,
            scheduler_connect_timeout_seconds: 60,
            vcores: self.cores,
            task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
            work_dir: Some(self.directory.display().to_string()),
            override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&session))),
            override_config_producer: Some(Arc::new(move || self::config(tasks.as_ref()))),
            override_runtime_producer: Some(object_stores::runtime(&self.directory)),
            override_arrow_flight_service: tls.as_ref().map(|tls| tls.flight(message_size)),
            override_create_grpc_client_endpoint: tls.as_ref().map(Tls::endpoint),
            ..defaults
        };
        Ok(start_executor_process(Arc::new(config)).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_advertised_and_what_is_listened_at() {
        let bind = |host: &str, bind: Option<&str>| {
            let place = Place { host: host.into(), bind: bind.map(|bind| bind.parse().unwrap()), tls: None };
            place.bind().map(bracketed).map_err(|error| error.to_string())
        };
        assert_eq!(bind("10.0.0.1", None), Ok("10.0.0.1".into()));
        assert_eq!(bind("10.0.0.1", Some("0.0.0.0")), Ok("0.0.0.0".into()));
        assert_eq!(bind("node-1", Some("0.0.0.0")), Ok("0.0.0.0".into()));
        assert_eq!(bind("node-1", Some("::")), Ok("[::]".into()));
        assert!(bind("node-1", None).unwrap_err().contains("--bind 0.0.0.0"));
        assert!(bind("0.0.0.0", None).unwrap_err().contains("--bind 0.0.0.0, and --host"));
        assert!(bind("::", Some("::")).is_err());
    }
}
