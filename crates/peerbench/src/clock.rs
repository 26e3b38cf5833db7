//! The clock: who is faster, on a machine that is never quiet.
//!
//! A shared machine slows down and speeds up by tens of percent within a second. Measuring one
//! peer after the other would compare moments, not peers. So the lanes are *interleaved*: each
//! round runs every lane once, for some twenty microseconds, on the same input; and of each lane
//! the *minimum* over many rounds counts. Noise only ever adds time, so the minimum converges to
//! the undisturbed run, and it does so for all lanes in the same stretch of machine.
//!
//! Before each timed batch the lane runs once untimed: the lane before it left its own branches
//! and its own code in the predictors and caches.

use std::time::{Duration, Instant};

/// One measured thing: [`Lane::run`] repeats the work so many times.
pub trait Lane {
    /// What must be done before each batch, and is not timed.
    fn prepare(&self) {}

    /// Does the work `times` times.
    fn run(&self, times: u32);
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The number of rounds.
    pub rounds: u32,
    /// The rounds end here even if some are left; five are always run.
    pub limit: Duration,
}

/// A batch takes at least this long: a thousand times the resolution of the timer.
const BATCH: Duration = Duration::from_micros(20);

/// The seconds that each lane needs for doing its work once.
pub fn race(lanes: &[&dyn Lane], patience: Patience) -> Vec<f64> {
    let times: Vec<u32> = lanes.iter().map(|lane| batch(*lane)).collect();
    let mut best = vec![f64::INFINITY; lanes.len()];
    let begin = Instant::now();
    for round in 0..patience.rounds {
        if round >= 5 && begin.elapsed() > patience.limit {
            break;
        }
        // Each round begins with another lane, so that the breaks for other processes do not
        // always hit the same one.
        for turn in 0..lanes.len() {
            let index = (turn + round as usize) % lanes.len();
            let (lane, times) = (lanes[index], times[index]);
            lane.prepare();
            lane.run(1);
            let seconds = time(lane, times).as_secs_f64() / f64::from(times);
            best[index] = best[index].min(seconds);
        }
    }
    best
}

/// How often the work must be repeated to fill a batch.
fn batch(lane: &dyn Lane) -> u32 {
    lane.prepare();
    lane.run(1);
    let mut times = 1;
    while times < 1 << 24 && time(lane, times) < BATCH {
        times *= 2;
    }
    times
}

fn time(lane: &dyn Lane, times: u32) -> Duration {
    let begin = Instant::now();
    lane.run(times);
    begin.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    struct Sleeper(Duration, Cell<u32>);

    impl Lane for Sleeper {
        fn run(&self, times: u32) {
            self.1.set(self.1.get() + times);
            std::thread::sleep(self.0 * times);
        }
    }

    #[test]
    fn the_slower_lane_is_seen_to_be_slower() {
        let quick = Sleeper(Duration::from_micros(100), Cell::new(0));
        let slow = Sleeper(Duration::from_millis(2), Cell::new(0));
        let patience = Patience { rounds: 4, limit: Duration::from_secs(5) };
        let seconds = race(&[&quick, &slow], patience);
        assert!(seconds[0] < seconds[1], "{seconds:?}");
        assert!(seconds[0] >= 100e-6 && seconds[1] >= 2e-3, "{seconds:?}");
        assert_eq!(quick.1.get(), slow.1.get());
    }
}
