//! Measures which of several ways is faster, on a machine that is never quiet.
//!
//! A shared machine slows down and speeds up by tens of percent within a second. Measuring one
//! peer after the other would compare moments, not peers. So the lanes are *interleaved*: each
//! round runs every lane once, for some twenty microseconds, on the same input; and of each lane
//! the *minimum* over many rounds counts. Noise only ever adds time, so the minimum converges to
//! the undisturbed run, and it does so for all lanes under the same conditions.
//!
//! The median comes with it. Where the two are far apart, few rounds were undisturbed, and the minimum may not
//! have got there: see [`Times::spread`].
//!
//! Before each timed batch the lane runs once untimed: the lane before it left its own branches
//! and its own code in the predictors and caches. Work of more than two milliseconds is hardly touched by that, and is
//! not done twice.

use std::time::{Duration, Instant};

/// One measured thing: [`Lane::run`] repeats the work so many times.
pub trait Lane {
    /// Prepares a batch; this is not timed.
    fn prepare(&self) {}

    /// Does the work `times` times.
    fn run(&self, times: u32);
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The number of rounds.
    pub rounds: u32,
    /// The rounds end here even if some are left. Five are run in any case, or three where these take more than
    /// four times as long as this; or all, if there are fewer.
    pub limit: Duration,
}

/// The seconds that a lane needed for doing its work once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// In the best round: what counts.
    pub least: f64,
    /// In the middle of all rounds.
    pub median: f64,
    /// How many rounds there were.
    pub rounds: u32,
}

impl Times {
    /// Of these rounds.
    fn of(mut seconds: Vec<f64>) -> Times {
        seconds.sort_by(f64::total_cmp);
        let at = |index: usize| seconds.get(index).copied().unwrap_or(f64::INFINITY);
        Times { least: at(0), median: at(seconds.len() / 2), rounds: seconds.len() as u32 }
    }

    /// By how much the median is above the minimum, as a share of it.
    #[must_use]
    pub fn spread(&self) -> f64 {
        self.median / self.least - 1.0
    }
}

/// A batch takes at least this long: a thousand times the resolution of the timer.
const BATCH: Duration = Duration::from_micros(20);

/// Work that takes longer is not done once untimed before it is timed.
const LONG: Duration = Duration::from_millis(2);

/// How long each lane needs for doing its work once.
pub fn race(lanes: &[&dyn Lane], patience: Patience) -> Vec<Times> {
    let batches: Vec<Batch> = lanes.iter().map(|lane| Batch::of(*lane)).collect();
    let mut seconds = vec![Vec::new(); lanes.len()];
    let begin = Instant::now();
    for round in 0..patience.rounds {
        let taken = begin.elapsed();
        let enough = if taken / 4 > patience.limit { 3 } else { 5 };
        if round >= enough && taken > patience.limit {
            break;
        }
        // Each round begins with another lane, so that the breaks for other processes do not
        // always hit the same one.
        for turn in 0..lanes.len() {
            let index = (turn + round as usize) % lanes.len();
            let (lane, batch) = (lanes[index], batches[index]);
            lane.prepare();
            if !batch.long {
                lane.run(1);
            }
            seconds[index].push(time(lane, batch.times).as_secs_f64() / f64::from(batch.times));
        }
    }
    seconds.into_iter().map(Times::of).collect()
}

/// What is timed at once.
#[derive(Clone, Copy)]
struct Batch {
    /// How often the work must be repeated.
    times: u32,
    /// Whether doing it once takes long.
    long: bool,
}

impl Batch {
    fn of(lane: &dyn Lane) -> Batch {
        lane.prepare();
        if time(lane, 1) >= LONG {
            return Batch { times: 1, long: true };
        }
        let mut times = 1;
        while times < 1 << 24 && time(lane, times) < BATCH {
            times *= 2;
        }
        Batch { times, long: false }
    }
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
        let slow = Sleeper(Duration::from_millis(20), Cell::new(0));
        let patience = Patience { rounds: 4, limit: Duration::from_secs(5) };
        let times = race(&[&quick, &slow], patience);
        assert!(times[0].least < times[1].least, "{times:?}");
        assert!(times[0].least >= 100e-6 && times[1].least >= 20e-3, "{times:?}");
        // Once to find the batch, and then in each round once, for it is long. How long the other one really
        // slept is up to the system.
        assert_eq!(slow.1.get(), 1 + 4);
        assert!(quick.1.get() > 4);
    }

    #[test]
    fn times_are_those_of_the_best_and_of_the_middle_round() {
        let times = Times::of(vec![4.0, 2.0, 9.0, 3.0, 2.5]);
        assert_eq!(times, Times { least: 2.0, median: 3.0, rounds: 5 });
        assert!((times.spread() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn some_rounds_are_run_whatever_the_limit_but_not_more_than_asked_for() {
        let lane = Sleeper(Duration::from_millis(10), Cell::new(0));
        let rounds = |rounds, limit| race(&[&lane], Patience { rounds, limit })[0].rounds;
        assert_eq!(rounds(2, Duration::ZERO), 2);
        assert_eq!(rounds(50, Duration::ZERO), 3);
        assert_eq!(rounds(7, Duration::MAX), 7);
        // Three rounds cannot take less than thirty milliseconds, but may take more on a busy machine.
        assert!([3, 5].contains(&rounds(50, Duration::from_millis(29))));
    }
}
