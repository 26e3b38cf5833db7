//! How far a query is, on a terminal; nothing at all elsewhere.
//!
//! Each scan of a plan counts the rows that it has read, and Parquet says beforehand how many there are: if all scans
//! do, that is a bar, and else the number of rows. A scan that skips what a condition excludes never gets to the end of its bar.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use datafusion::common::stats::Precision;
use datafusion::physical_plan::{ExecutionPlan, StatisticsArgs, StatisticsContext};
use indicatif::{ProgressBar, ProgressStyle};

use crate::raw::Counter;

/// How often the scans are asked.
const INTERVAL: Duration = Duration::from_millis(100);

/// A bar that is gone when this is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    done: Arc<AtomicBool>,
    /// Whether rows and bar would be in the same window.
    shared: bool,
}

impl Progress {
    /// Begins to look at a plan which is then executed. `read` are the rows that are counted elsewhere.
    pub(crate) fn begin(plan: Arc<dyn ExecutionPlan>, read: Counter) -> Progress {
        let done = Arc::new(AtomicBool::new(false));
        let shared = std::io::stdout().is_terminal();
        if !std::io::stderr().is_terminal() {
            return Progress { bar: ProgressBar::hidden(), done, shared };
        }
        let mut scans = Vec::new();
        leaves(&plan, &mut scans);
        let bar = match rows_in_all(&scans) {
            Some(rows) => ProgressBar::new(rows)
                .with_style(style("{bar:40} {human_pos} of {human_len} rows read, {elapsed}")),
            None => {
                ProgressBar::new_spinner().with_style(style("{spinner} {human_pos} rows read, {elapsed}"))
            }
        };
        let (shown, ended) = (bar.clone(), Arc::clone(&done));
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(INTERVAL).await;
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let rows: usize = scans.iter().filter_map(|scan| scan.metrics()?.output_rows()).sum();
                shown.set_position(rows as u64 + read.rows());
                shown.tick();
            }
        });
        Progress { bar, done, shared }
    }

    /// Ends it, if rows are about to be written where it is.
    pub(crate) fn make_room(&self) {
        if self.shared {
            self.end();
        }
    }

    fn end(&self) {
        self.done.store(true, Ordering::Relaxed);
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The parts of a plan that read.
fn leaves(plan: &Arc<dyn ExecutionPlan>, found: &mut Vec<Arc<dyn ExecutionPlan>>) {
    let children = plan.children();
    if children.is_empty() {
        found.push(Arc::clone(plan));
    }
    for child in children {
        leaves(child, found);
    }
}

/// The rows of all scans, if each knows its own.
fn rows_in_all(scans: &[Arc<dyn ExecutionPlan>]) -> Option<u64> {
    let context = StatisticsContext::new();
    let rows = scans.iter().map(|scan| {
        match context.compute(scan.as_ref(), &StatisticsArgs::new()).ok()?.num_rows {
            // A scan to which a condition was pushed down is not sure of its rows, but says how many there are without it.
            Precision::Exact(rows) | Precision::Inexact(rows) => Some(rows as u64),
            Precision::Absent => None,
        }
    });
    rows.sum::<Option<u64>>().filter(|rows| *rows > 0)
}
