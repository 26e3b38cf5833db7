//! How the rivals compare: ratios, who is the fastest, and the sentence on top of a picture.
//!
//! The kernel in use stands for runecast, not the best of all kernels, which a user does not get. Over several texts the
//! geometric mean of the ratios is taken: being twice as fast on one and half as fast on another comes to 1.

use runecast::Engine;
use runecast_clock::Times;

use super::findings::Findings;
use super::measure::{Cells, Curve, Point, Row, find, speed};
use super::rival::Rival;
use crate::ui::arguments::bench::OperationName;

/// A median that is further above the best round, as a share of it, makes a number doubtful.
const DOUBTFUL: f64 = 0.25;

/// Whether not much can be said of these times.
pub(super) fn is_doubtful(times: &Times) -> bool {
    // Not a number, which a clock that stands still leads to, is doubtful as well.
    !matches!(
        times.spread().partial_cmp(&DOUBTFUL),
        Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)
    )
}

/// How many times as fast one is as another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    /// Above 1 is faster.
    pub(super) times: f64,
    /// Whether it rests on doubtful numbers.
    pub(super) doubtful: bool,
}

impl Ratio {
    fn of(ours: &Times, theirs: &Times) -> Ratio {
        Ratio { times: theirs.least / ours.least, doubtful: is_doubtful(ours) || is_doubtful(theirs) }
    }

    /// The geometric mean.
    fn mean(ratios: &[Ratio]) -> Option<Ratio> {
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.times.ln()).sum();
        let times = (logarithms / ratios.len() as f64).exp();
        (!ratios.is_empty()).then(|| Ratio { times, doubtful: ratios.iter().any(|ratio| ratio.doubtful) })
    }

    /// As `2.4`, or `12`; with `~` before it if it is doubtful.
    pub(super) fn shown(self) -> String {
        let digits = usize::from(self.times < 9.95);
        format!("{}{:.digits$}", if self.doubtful { "~" } else { "" }, self.times)
    }
}

/// Runecast, as users get it.
pub(super) fn ours() -> Rival {
    Rival::Kernel(Engine::current())
}

/// How fast the kernel in use is beside a rival.
pub(super) fn against(cells: &Cells, rival: Rival) -> Option<Ratio> {
    Some(Ratio::of(&find(cells, ours())?, &find(cells, rival)?))
}

/// How fast the kernel in use is beside the best of those that are not ours.
pub(super) fn gain(cells: &Cells) -> Option<Ratio> {
    let ratios = [Rival::Std, Rival::Simdutf8].into_iter().filter_map(|rival| against(cells, rival));
    ratios.min_by(|a, b| a.times.total_cmp(&b.times))
}

/// The fastest, and those that cannot be told from it: whose best round is not slower than its median.
pub(super) fn is_among_the_fastest(cells: &Cells, times: &Times) -> bool {
    let best = cells.iter().map(|cell| cell.1).min_by(|a, b| a.least.total_cmp(&b.least));
    best.is_some_and(|best| times.least <= best.median)
}

/// Over all texts of an operation.
pub(super) fn overall(rows: &[Row], operation: OperationName, rival: Rival) -> Option<Ratio> {
    let rows = rows.iter().filter(|row| row.operation.name == operation);
    let ratios: Vec<_> = rows.filter_map(|row| against(&row.cells, rival)).collect();
    Ratio::mean(&ratios)
}

/// How near to the limit a curve is: the share of the speed of reading or copying, at its best; and at which size.
/// Doubtful points do not count.
pub(super) fn nearness(curve: &Curve) -> Option<(f64, usize)> {
    let limit = if curve.operation.writes { Rival::Copy } else { Rival::Read };
    let share = |point: &Point| {
        let share = against(&point.cells, limit)?;
        // Below this a call costs more than the work, for the limit as well.
        (point.bytes >= 4096 && !share.doubtful).then_some((share.times, point.bytes))
    };
    curve.points.iter().filter_map(share).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// One sentence, about the most telling operations.
pub(super) fn sentence(findings: &Findings) -> String {
    let mut parts = Vec::new();
    for (operation, verb) in [
        (OperationName::Validate, "checks UTF-8"),
        (OperationName::Utf8ToUtf16, "converts it to UTF-16"),
        (OperationName::Utf16ToUtf8, "converts it from UTF-16"),
    ] {
        let theirs: Vec<_> = [(Rival::Simdutf8, "simdutf8"), (Rival::Std, "std")]
            .into_iter()
            .filter_map(|(rival, name)| Some((overall(&findings.rows, operation, rival)?, name)))
            .map(|(ratio, name)| format!("{}\u{d7} as fast as {name}", about(ratio)))
            .collect();
        if !theirs.is_empty() && parts.len() < 2 {
            let verb = if parts.is_empty() { verb.replace("it", "UTF-8") } else { verb.to_owned() };
            parts.push(format!("{verb} {}", theirs.join(" and ")));
        }
    }
    if parts.is_empty() {
        let first = findings.rows.first().map(|row| row.operation.name);
        let ratio = first.and_then(|name| Some((name, overall(&findings.rows, name, Rival::Std)?)));
        return match ratio {
            Some((name, ratio)) => format!("runecast: {name} {}\u{d7} as fast as std", about(ratio)),
            None => "runecast, measured".to_owned(),
        };
    }
    format!("runecast {}", parts.join(", "))
}

/// A ratio in a sentence.
fn about(ratio: Ratio) -> String {
    let shown = Ratio { doubtful: false, ..ratio }.shown();
    if ratio.doubtful { format!("about {shown}") } else { shown }
}

/// A speed in three digits.
pub(super) fn digits(bytes: usize, times: &Times) -> String {
    let speed = speed(bytes, times.least);
    let digits = if speed < 9.995 { 2 } else { usize::from(speed < 99.95) };
    format!("{speed:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(least: f64, median: f64) -> Times {
        Times { least, median, rounds: 9 }
    }

    #[test]
    fn a_ratio_is_that_of_the_best_rounds() {
        let cells = vec![
            (ours(), times(2.0, 2.1)),
            (Rival::Std, times(9.0, 9.0)),
            (Rival::Simdutf8, times(5.0, 5.0)),
        ];
        assert_eq!(against(&cells, Rival::Std), Some(Ratio { times: 4.5, doubtful: false }));
        assert_eq!(gain(&cells), Some(Ratio { times: 2.5, doubtful: false }));
        assert_eq!(against(&cells, Rival::Copy), None);
    }

    #[test]
    fn what_rests_on_a_busy_machine_is_doubtful() {
        for (median, doubtful) in [(1.0, false), (1.25, false), (1.26, true), (f64::NAN, true)] {
            assert_eq!(is_doubtful(&times(1.0, median)), doubtful, "{median}");
        }
        assert!(is_doubtful(&times(0.0, 0.0)));
        let cells = vec![(ours(), times(1.0, 1.0)), (Rival::Std, times(2.0, 3.0))];
        let ratio = gain(&cells).expect("two rivals");
        assert_eq!((ratio.shown(), about(ratio)), ("~2.0".into(), "about 2.0".into()));
    }

    #[test]
    fn a_dead_heat_has_no_winner() {
        let cells =
            vec![(ours(), times(1.0, 1.2)), (Rival::Std, times(1.1, 1.5)), (Rival::Copy, times(1.3, 1.3))];
        let fastest: Vec<_> = cells.iter().map(|cell| is_among_the_fastest(&cells, &cell.1)).collect();
        assert_eq!(fastest, [true, true, false]);
    }

    #[test]
    fn the_nearest_point_is_a_long_one_that_can_be_trusted() {
        use super::super::operation::Operation;
        let point = |bytes, ours_: Times| Point {
            bytes,
            cells: vec![(ours(), ours_), (Rival::Read, times(1.0, 1.0)), (Rival::Copy, times(9.0, 9.0))],
        };
        let curve = |points| Curve { operation: Operation::named(OperationName::Validate), text: 0, points };
        let points = vec![
            point(64, times(1.0, 1.0)),
            point(4096, times(4.0, 4.0)),
            point(8192, times(2.0, 2.0)),
            point(16384, times(1.5, 3.0)),
        ];
        assert_eq!(nearness(&curve(points)), Some((0.5, 8192)));
        assert_eq!(nearness(&curve(vec![point(64, times(1.0, 1.0))])), None);
    }

    #[test]
    fn twice_and_half_is_a_draw() {
        let ratio = |times, doubtful| Ratio { times, doubtful };
        let mean = Ratio::mean(&[ratio(2.0, false), ratio(0.5, false)]).expect("two ratios");
        assert!((mean.times - 1.0).abs() < 1e-12 && !mean.doubtful);
        assert!(Ratio::mean(&[ratio(2.0, false), ratio(0.5, true)]).is_some_and(|mean| mean.doubtful));
        assert_eq!(Ratio::mean(&[]), None);
    }

    #[test]
    fn numbers_have_the_digits_that_matter() {
        for (bytes, text) in
            [(1_234, "1.23"), (12_340, "12.3"), (123_400, "123"), (9_999, "10.0"), (99_990, "100")]
        {
            assert_eq!(digits(bytes, &times(1e-6, 1e-6)), text);
        }
        for (number, text) in [(0.94, "0.9"), (2.44, "2.4"), (9.96, "10"), (12.5, "12")] {
            assert_eq!(Ratio { times: number, doubtful: false }.shown(), text);
        }
    }
}
