//! A defect of Ballista 55.0, as small as it gets: a job that has succeeded names a partition of its result twice.
//!
//! A task of the last stage finishes on one executor; then another one is lost, with output of the first stage, so that both
//! stages are run again. `StaticExecutionGraph` appends the output of the second attempt of the last stage to that of the first, and
//! nothing has taken the first out (`update_stage_output_links` extends `output_locations`; `rollback_running_stage` and
//! `reset_tasks` leave them alone). A client reads all that is named: rows of that partition are there twice, without an error.
//! The remedy: entries of a stage that is rolled back, and of tasks that are reset, have to go.
//!
//! `partitions.rs` keeps our client safe from it. When this test fails, Ballista is right.

use std::sync::Arc;

use ballista::prelude::SessionConfigExt as _;
use ballista_core::serde::protobuf::task_status::Status;
use ballista_core::serde::protobuf::{ShuffleWritePartition, SuccessfulTask, TaskStatus};
use ballista_core::serde::scheduler::{
    ExecutorMetadata, ExecutorOperatingSystemSpecification, ExecutorSpecification,
};
use ballista_scheduler::planner::DefaultDistributedPlanner;
use ballista_scheduler::state::execution_graph::{ExecutionGraph, StaticExecutionGraph, create_task_info};
use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch};
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};

const PARTITIONS: usize = 2;

fn executor(id: &str) -> ExecutorMetadata {
    ExecutorMetadata {
        id: id.into(),
        host: "localhost".into(),
        port: 1,
        grpc_port: 2,
        specification: ExecutorSpecification::default().with_vcores(1),
        os_info: ExecutorOperatingSystemSpecification::default(),
    }
}

/// Hands the next task to an executor, which does it at once.
fn run_task(graph: &mut StaticExecutionGraph, executor: &ExecutorMetadata) {
    let stage = graph.fetch_running_stage(&[]).expect("a stage with tasks");
    let slice = stage.pending.next_slice(1);
    let task = stage.task_infos.len();
    let mut info = create_task_info(executor.id.clone(), task);
    info.global_input_partition_ids = slice.clone();
    info.vcores_consumed = 1;
    stage.task_infos.push(info);
    // The last stage writes a partition for each that it reads, the first one distributes rows over all.
    let written = if stage.output_links.is_empty() { slice } else { (0..PARTITIONS).collect() };
    let partitions = written
        .into_iter()
        .map(|partition| ShuffleWritePartition {
            partition_id: partition as u64,
            num_batches: 1,
            num_rows: 1,
            num_bytes: 1,
            file_id: Some(task as u64),
            is_sort_shuffle: false,
        })
        .collect();
    let status = TaskStatus {
        task_id: task as u32,
        stage_id: stage.stage_id as u32,
        stage_attempt_num: stage.stage_attempt_num as u32,
        job_id: graph.job_id().to_string(),
        launch_time: 0,
        start_exec_time: 0,
        end_exec_time: 0,
        metrics: vec![],
        status: Some(Status::Successful(SuccessfulTask {
            executor_id: executor.id.clone(),
            partitions,
            runtime_stats: vec![],
            task_column_stats: vec![],
            window_state: vec![],
        })),
    };
    graph.update_task_status(executor, vec![status], 4, 4).expect("the scheduler takes the report");
}

#[tokio::test]
async fn a_partition_of_the_result_is_named_twice() {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(PARTITIONS));
    let column: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let batch = RecordBatch::try_from_iter([("id", column)]).unwrap();
    let table = MemTable::try_new(batch.schema(), vec![vec![batch.clone()], vec![batch]]).unwrap();
    context.register_table("t", Arc::new(table)).unwrap();
    let query = context.sql("SELECT id, count(*) FROM t GROUP BY id").await.unwrap();
    let plan = query.create_physical_plan().await.unwrap();
    let mut graph = StaticExecutionGraph::new(
        "localhost:50050",
        &"job".into(),
        "",
        "session",
        plan,
        0,
        Arc::new(SessionConfig::new_with_ballista()),
        &mut DefaultDistributedPlanner::new(),
        None,
    )
    .unwrap();
    let (a, b) = (executor("a"), executor("b"));

    // The first stage, by both.
    run_task(&mut graph, &a);
    run_task(&mut graph, &b);
    // A partition of the last stage; then `a` is lost, and its output of the first with it.
    run_task(&mut graph, &b);
    graph.reset_stages_on_lost_executor("a").unwrap();
    // What is left is done by `b`: a task of the first stage, and both of the last.
    while !graph.is_successful() {
        run_task(&mut graph, &b);
    }

    let mut named: Vec<usize> =
        graph.output_locations().iter().map(|location| location.partition_id.partition_id).collect();
    named.sort_unstable();
    assert_eq!(named, [0, 0, 1], "of two partitions: if each is named once, Ballista is right");
}
