//! A query on the cluster: its whole result, or an error, and never a part of it twice.
//!
//! Ballista's own client takes what the scheduler names for the result. Here the same requests are made, and between them stands
//! what makes a result certain:
//!
//! - each partition of the last stage is read once, from its last attempt ([`partitions`]), and there are as many as the stage has;
//! - a partition has as many rows as the task that wrote it has counted;
//! - **what cannot be had is computed again**: if a job fails, is forgotten by a scheduler that was restarted, does not end in time, or
//!   has output that cannot be fetched, it is submitted again, a bounded number of times. That is sound because functions are
//!   deterministic and the files do not change. Nothing of an attempt that has failed is used.
//!
//! A job that fails of itself (a division by zero) would fail each time: if the scheduler refuses a plan there is no second
//! attempt, and two failures in the same words are final, unless they speak of a connection. Ballista 55.0 takes a connection that
//! breaks *in the middle* of a shuffle's stream for an error of the query, and not for a lost executor ("h2 protocol error").

use std::sync::Arc;
use std::time::Duration;

use ballista::prelude::SessionConfigExt as _;
use ballista_core::client::BallistaClient;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::execute_query_result::Result as Submitted;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, ExecuteQueryParams, GetJobMetricsParams, GetJobStatusParams, KeyValuePair,
    PartitionLocation, SuccessfulJob,
};
use ballista_core::utils::create_grpc_client_endpoint;
use ballista_core::version::insert_version_header;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::prelude::SessionContext;
use datafusion_proto::logical_plan::AsLogicalPlan as _;
use datafusion_proto::protobuf::LogicalPlanNode;
use futures::TryStreamExt as _;
use tokio::time::{Instant, sleep, timeout};
use tonic::transport::Channel;

use crate::{Outcome, partitions};

/// How often a query is asked again how it is.
const POLL: Duration = Duration::from_millis(50);

/// For how long a scheduler may not be reachable, or know nothing of a job that was submitted.
const ABSENCE: Duration = Duration::from_secs(30);

/// What ends an attempt without a result.
enum Failure {
    /// The scheduler does not accept the query.
    Refused(String),
    /// The job has failed, says the scheduler.
    Failed(String),
    /// The job or its output is out of reach, or not whole.
    Lost(String),
}

impl Failure {
    fn lost(error: impl std::fmt::Display) -> Self {
        Self::Lost(error.to_string())
    }
}

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How often a job is submitted.
    pub(crate) attempts: u32,
    /// How long each of them may take.
    pub(crate) each: Duration,
    /// A pause before each partition is fetched, for tests that want to disturb it then.
    pub(crate) fetch_pause: Duration,
}

/// The result of a query on the cluster of the scheduler at `scheduler`, as df://HOST:PORT. What befalls the attempts goes to standard
/// error.
pub(crate) async fn collect(
    context: &SessionContext,
    scheduler: &str,
    query: &str,
    limits: Limits,
) -> Outcome<Vec<RecordBatch>> {
    let job = Job::new(context, scheduler, query).await?;
    let mut previous = None;
    for attempt in 1..=limits.attempts {
        let mut id = None;
        let outcome = match timeout(limits.each, job.attempt(attempt, &mut id, limits.fetch_pause)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(Failure::Lost(format!("no result within {} s", limits.each.as_secs()))),
        };
        let (text, again) = match outcome {
            Ok(batches) => return Ok(batches),
            Err(Failure::Refused(text)) => (text, false),
            Err(Failure::Failed(text)) => {
                let again = previous.as_ref() != Some(&text) || speaks_of_a_connection(&text);
                (text, again)
            }
            Err(Failure::Lost(text)) => (text, true),
        };
        if let Some(id) = id {
            job.cancel(id).await;
        }
        if !again {
            return Err(text.into());
        }
        eprintln!("attempt {attempt} of {}: {text}", limits.attempts);
        previous = Some(text);
    }
    let last = previous.unwrap_or_default();
    Err(format!("no result in {} attempts; of the last: {last}", limits.attempts).into())
}

fn speaks_of_a_connection(text: &str) -> bool {
    const WORDS: [&str; 9] = [
        "connection",
        "connect",
        "transport",
        "broken pipe",
        "h2 protocol",
        "fetch",
        "executor",
        "timed out",
        "grpc",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

type Scheduler = SchedulerGrpcClient<Channel>;

/// What all attempts share.
struct Job {
    scheduler: String,
    plan: Vec<u8>,
    settings: Vec<KeyValuePair>,
    session: String,
    message_size: usize,
    retries: u8,
    retry_wait: u64,
    /// Makes of an endpoint one that connects by TLS.
    secure: Option<Arc<BallistaConfigGrpcEndpoint>>,
}

impl Job {
    async fn new(context: &SessionContext, scheduler: &str, query: &str) -> Outcome<Self> {
        let address = scheduler.strip_prefix("df://").ok_or("a scheduler is df://HOST:PORT")?;
        let state = context.state();
        let plan = state.optimize(&state.create_logical_plan(query).await?)?;
        let config = context.copied_config();
        let mut message = Vec::new();
        LogicalPlanNode::try_from_logical_plan(&plan, config.ballista_logical_extension_codec().as_ref())?
            .try_encode(&mut message)?;
        let settings = config
            .options()
            .entries()
            .into_iter()
            .map(|entry| KeyValuePair { key: entry.key, value: entry.value })
            .collect();
        let ballista = config.ballista_config();
        Ok(Self {
            scheduler: format!("http://{address}"),
            plan: message,
            settings,
            session: context.session_id(),
            message_size: ballista.grpc_client_max_message_size(),
            retries: 2,
            retry_wait: 200,
            secure: config.ballista_override_create_grpc_client_endpoint(),
        })
    }

    async fn connect(&self) -> Result<Scheduler, Failure> {
        let began = Instant::now();
        loop {
            let mut endpoint =
                create_grpc_client_endpoint(self.scheduler.clone(), None).map_err(Failure::lost)?;
            if let Some(secure) = &self.secure {
                endpoint = secure.configure_endpoint(endpoint).map_err(Failure::lost)?;
            }
            match endpoint.connect().await {
                Ok(channel) => {
                    return Ok(SchedulerGrpcClient::new(channel)
                        .max_encoding_message_size(self.message_size)
                        .max_decoding_message_size(self.message_size));
                }
                Err(error) if began.elapsed() > ABSENCE => {
                    return Err(Failure::Lost(format!(
                        "the scheduler at {} does not answer: {error}",
                        self.scheduler
                    )));
                }
                Err(_) => sleep(4 * POLL).await,
            }
        }
    }

    /// Submits the job, waits for it and fetches its result. `id` becomes what the scheduler calls it.
    async fn attempt(
        &self,
        attempt: u32,
        id: &mut Option<String>,
        fetch_pause: Duration,
    ) -> Result<Vec<RecordBatch>, Failure> {
        let mut scheduler = self.connect().await?;
        let job = self.submit(&mut scheduler, attempt).await?;
        *id = Some(job.clone());
        let named = wait(&mut scheduler, &job).await?.partition_location;
        let stages = scheduler
            .get_job_metrics(GetJobMetricsParams { job_id: job })
            .await
            .map_err(Failure::lost)?
            .into_inner()
            .stages;
        let partitions_of = |stage| stages.iter().find(|one| one.stage_id == stage).map(|one| one.partitions);
        let named_in_all = named.len();
        let locations = partitions::last_attempts(named, partitions_of).map_err(Failure::Lost)?;
        eprintln!("fetching {} partitions, of {named_in_all} that are named", locations.len());
        let mut batches = Vec::new();
        for location in locations {
            sleep(fetch_pause).await;
            batches.extend(self.fetch(location).await?);
        }
        Ok(batches)
    }

    async fn submit(&self, scheduler: &mut Scheduler, attempt: u32) -> Result<String, Failure> {
        let mut request = tonic::Request::new(ExecuteQueryParams {
            query: Some(Query::LogicalPlan(self.plan.clone())),
            settings: self.settings.clone(),
            session_id: self.session.clone(),
            operation_id: format!("{}-{attempt}", self.session),
        });
        insert_version_header(request.metadata_mut());
        let answer = scheduler.execute_query(request).await.map_err(|status| match status.code() {
            tonic::Code::InvalidArgument | tonic::Code::FailedPrecondition => {
                Failure::Refused(status.message().into())
            }
            _ => Failure::lost(status),
        })?;
        match answer.into_inner().result {
            Some(Submitted::Success(success)) => Ok(success.job_id),
            Some(Submitted::Failure(failure)) => Err(Failure::Refused(format!("{:?}", failure.failure))),
            None => Err(Failure::Lost("an empty answer of the scheduler".into())),
        }
    }

    /// All batches of a partition, and not one row less or more than were written.
    async fn fetch(&self, location: PartitionLocation) -> Result<Vec<RecordBatch>, Failure> {
        let layout = location.layout();
        let (Some(executor), Some(id)) = (location.executor_meta, location.partition_id) else {
            return Err(Failure::Lost("output without a place".into()));
        };
        let number = id.partition_id;
        let place = format!("partition {number} at {}:{}", executor.host, executor.port);
        let broken = |error: &dyn std::fmt::Display| Failure::Lost(format!("{place}: {error}"));
        let port = u16::try_from(executor.port).map_err(|error| broken(&error))?;
        let mut client = BallistaClient::try_new(
            &executor.host,
            port,
            self.message_size,
            self.secure.is_some(),
            self.secure.clone(),
            self.retries,
            self.retry_wait,
            0,
            0,
        )
        .await
        .map_err(|error| broken(&error))?;
        let stream = client
            .fetch_partition(&executor.id, &id.into(), location.file_id, layout, true)
            .await
            .map_err(|error| broken(&error))?;
        let batches: Vec<RecordBatch> = stream.try_collect().await.map_err(|error| broken(&error))?;
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        match location.partition_stats {
            Some(written) if usize::try_from(written.num_rows).is_ok_and(|written| written != rows) => {
                Err(broken(&format_args!("{rows} rows instead of {}", written.num_rows)))
            }
            _ => Ok(batches),
        }
    }

    /// Tells the scheduler that nobody waits for a job any more, if it can be told.
    async fn cancel(&self, job_id: String) {
        let tell = async {
            let mut scheduler = self.connect().await.ok()?;
            scheduler.cancel_job(CancelJobParams { job_id }).await.ok()
        };
        let _ = timeout(Duration::from_secs(5), tell).await;
    }
}

/// Waits until a job has ended.
async fn wait(scheduler: &mut Scheduler, job: &str) -> Result<SuccessfulJob, Failure> {
    let began = Instant::now();
    let mut known = false;
    loop {
        let status = scheduler
            .get_job_status(GetJobStatusParams { job_id: job.into() })
            .await
            .map_err(Failure::lost)?
            .into_inner()
            .status
            .and_then(|status| status.status);
        match status {
            Some(Status::Successful(job)) => return Ok(job),
            // The number of the job is in it, and another one the next time.
            Some(Status::Failed(failed)) => return Err(Failure::Failed(failed.error.replace(job, "JOB"))),
            Some(Status::Queued(_) | Status::Running(_)) => known = true,
            None if known || began.elapsed() > ABSENCE => {
                return Err(Failure::Lost("the scheduler does not know the job any more".into()));
            }
            None => {}
        }
        sleep(POLL).await;
    }
}
