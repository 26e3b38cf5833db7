//! Which pieces of output are the result of a job.
//!
//! A job that has succeeded names the output of its last stage: partitions, and the executors that have them. In Ballista 55.0
//! that list only grows. `StaticExecutionGraph::update_stage_output_links` appends what a task of the last stage reports; when the
//! stage is rolled back, or an executor is lost, so that tasks are run again, nothing takes the earlier entries out. A client that reads
//! the whole list, as Ballista's does, then reads a partition twice if the executor of the earlier attempt lives, which is a
//! wrong result without an error; or it asks one that is dead, which is an error of a query that has succeeded.
//!
//! Entries stand in the order in which the scheduler has accepted them, and it accepts none of an attempt once there is a later one.
//! So the last entry of a partition is that of its last attempt, and each partition of the stage has one. Both are made sure of
//! here: a result has every partition exactly once, or there is none.

use ballista_core::serde::protobuf::PartitionLocation;

/// The entries of the last attempts, in the order of partitions. `partitions_of` tells how many partitions a stage has.
///
/// # Errors
/// Nothing is named, more than one stage is, or not every partition from 0 on: a text that says which.
pub(crate) fn last_attempts(
    locations: Vec<PartitionLocation>,
    partitions_of: impl Fn(u32) -> Option<u32>,
) -> Result<Vec<PartitionLocation>, String> {
    let mut stage = None;
    let mut last: Vec<Option<PartitionLocation>> = Vec::new();
    for location in locations {
        let id = location.partition_id.as_ref().ok_or("output without the number of its partition")?;
        match stage {
            None => {
                let partitions = partitions_of(id.stage_id)
                    .ok_or_else(|| format!("how many partitions stage {} has is not known", id.stage_id))?;
                stage = Some(id.stage_id);
                last.resize(partitions as usize, None);
            }
            Some(stage) if stage != id.stage_id => {
                return Err(format!("output of two stages, {stage} and {}", id.stage_id));
            }
            Some(_) => {}
        }
        let number = id.partition_id as usize;
        let partitions = last.len();
        let place = last
            .get_mut(number)
            .ok_or_else(|| format!("partition {number} of a stage that has {partitions}"))?;
        *place = Some(location);
    }
    if stage.is_none() {
        return Err("no output is named".into());
    }
    let of = last.len();
    last.into_iter()
        .enumerate()
        .map(|(number, location)| location.ok_or_else(|| format!("partition {number} of {of} is missing")))
        .collect()
}

#[cfg(test)]
mod tests {
    use ballista_core::serde::protobuf::{ExecutorMetadata, PartitionId, PartitionLocation};

    use super::last_attempts;

    fn output(stage_id: u32, partition_id: u32, executor: &str) -> PartitionLocation {
        PartitionLocation {
            partition_id: Some(PartitionId { job_id: "job".into(), stage_id, partition_id }),
            executor_meta: Some(ExecutorMetadata { id: executor.into(), ..Default::default() }),
            ..Default::default()
        }
    }

    fn executors(locations: Vec<PartitionLocation>) -> Vec<String> {
        locations.into_iter().map(|location| location.executor_meta.unwrap().id).collect()
    }

    fn check(locations: Vec<PartitionLocation>) -> Result<Vec<String>, String> {
        last_attempts(locations, |stage| (stage == 2).then_some(3)).map(executors)
    }

    #[test]
    fn each_partition_once_in_order() {
        assert_eq!(
            check(vec![output(2, 1, "b"), output(2, 0, "a"), output(2, 2, "b")]).unwrap(),
            ["a", "b", "b"]
        );
    }

    /// What Ballista names when partition 1 was finished by `a`, and again by `b`, since `a` had lost its input in the meantime.
    #[test]
    fn of_two_attempts_the_last() {
        let named = vec![output(2, 1, "a"), output(2, 0, "b"), output(2, 1, "b"), output(2, 2, "b")];
        assert_eq!(check(named).unwrap(), ["b", "b", "b"]);
    }

    #[test]
    fn anything_else_is_no_result() {
        for (named, why) in [
            (vec![], "no output is named"),
            (vec![output(2, 0, "a"), output(2, 1, "a")], "partition 2 of 3 is missing"),
            (vec![output(2, 0, "a"), output(2, 3, "a")], "partition 3 of a stage that has 3"),
            (vec![output(2, 0, "a"), output(1, 1, "a")], "output of two stages, 2 and 1"),
            (vec![output(1, 0, "a")], "how many partitions stage 1 has is not known"),
            (vec![PartitionLocation::default()], "output without the number of its partition"),
        ] {
            assert_eq!(check(named).unwrap_err(), why);
        }
    }
}
