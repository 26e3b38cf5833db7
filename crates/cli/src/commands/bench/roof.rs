//! Roofs: the speed of one operation against the size of the text, below the limit that the machine sets.
//!
//! Both axes are logarithmic: sizes go from 64 bytes to 64 MiB, and speeds over two or three powers of ten. The roof is
//! the line of reading, or of copying where something is written, measured on the same bytes in the same rounds; what is
//! above it is shaded. The nearer a line is to the shade, the less there is left to gain. Where the caches end
//! there are dotted lines, as far as the system tells.

use super::comparison::{nearness, ours};
use super::findings::Findings;
use super::measure::{Curve, find, speed};
use super::rival::Rival;
use super::style::{FAINT, NAME, Panel, of};
use crate::ui::console::push;
use crate::ui::picture::{Pixels, Type, text};
use crate::ui::size;

/// The margins of a plot, for its labels, and its height.
const LEFT: f64 = 30.0;
const RIGHT: f64 = 62.0;
const TOP: f64 = 62.0;
const PLOT: f64 = 214.0;

/// Lines of text are at least so far from each other.
const LINE: f64 = 13.0;

/// Where a plot shows a size and a speed.
struct Axes {
    width: f64,
    sizes: (f64, f64),
    speeds: (f64, f64),
}

impl Axes {
    fn of(curve: &Curve, width: f64) -> Option<Axes> {
        let (first, last) = (curve.points.first()?.bytes as f64, curve.points.last()?.bytes as f64);
        let speeds = curve.points.iter().flat_map(|point| {
            point.cells.iter().map(|cell| speed(point.bytes, cell.1.least)).filter(|speed| speed.is_finite())
        });
        let (least, most) = speeds
            .fold((f64::MAX, f64::MIN_POSITIVE), |(least, most), speed| (least.min(speed), most.max(speed)));
        // Some air below, and a sky above the roof.
        let speeds = (least.clamp(1e-6, 1e6).log10() - 0.1, most.clamp(1e-6, 1e6).log10() + 0.2);
        Some(Axes { width, sizes: (first.log2(), last.log2().max(first.log2() + 1.0)), speeds })
    }

    fn x(&self, bytes: f64) -> f64 {
        let (from, to) = self.sizes;
        LEFT + (self.width - LEFT - RIGHT) * (bytes.log2() - from) / (to - from)
    }

    fn y(&self, speed: f64) -> f64 {
        let (from, to) = self.speeds;
        TOP + PLOT * (1.0 - ((speed.max(1e-9).log10() - from) / (to - from)).clamp(0.0, 1.0))
    }

    fn ends(&self) -> (f64, f64) {
        (LEFT, self.width - RIGHT)
    }
}

/// A panel for each curve.
pub(super) fn panels(findings: &Findings, width: f64) -> Vec<Panel> {
    findings.curves.iter().filter_map(|curve| panel(findings, curve, width)).collect()
}

fn panel(findings: &Findings, curve: &Curve, width: f64) -> Option<Panel> {
    let axes = Axes::of(curve, width)?;
    let mut body = Vec::new();
    let out = &mut body;
    text(out, 0.0, 15.0, NAME, curve.operation.title);
    let (limit, verb) =
        if curve.operation.writes { (Rival::Copy, "copying") } else { (Rival::Read, "reading") };
    if let Some((share, bytes)) = nearness(curve) {
        let near = match 100.0 * share {
            percent if percent < 99.5 => format!("at best {percent:.0} % of {verb}"),
            _ => format!("at best as fast as {verb}"),
        };
        let finding = format!("{near}, at {}", size::shown(bytes as u64));
        text(out, 0.0, 32.0, FAINT, &finding);
    }
    grid(out, findings, &axes);
    sky(out, curve, limit, &axes);
    let other = if limit == Rival::Copy { Rival::Read } else { Rival::Copy };
    let mut labels = Vec::new();
    for (rival, class) in [
        (other, other.name()),
        (limit, limit.name()),
        (Rival::Std, "std"),
        (Rival::Simdutf8, "simdutf8"),
        (ours(), "us"),
    ] {
        let points: Vec<_> = points(curve, rival, &axes).collect();
        let Some(&(_, end)) = points.last() else { continue };
        let beside = if rival == other { " l-beside" } else { "" };
        push(out, format_args!("<path class=\"l-{class}{beside}\" d=\"{}\"/>\n", path(&points)));
        let label = if rival == ours() { "runecast" } else { rival.name() };
        let style = if rival == other { FAINT } else { of(class) };
        labels.push((end, label, style));
    }
    for (y, (_, label, style)) in spaced(&mut labels).into_iter().zip(&labels) {
        text(out, axes.ends().1 + 6.0, y + 4.0, *style, label);
    }
    let name = &findings.texts[curve.text].name;
    let label = format!("{}: GB/s against size, on {name}, below the limit of {verb}", curve.operation.title);
    Some(Panel { width, height: TOP + PLOT + 34.0, label, body })
}

/// The points of a rival, in pixels.
fn points(curve: &Curve, rival: Rival, axes: &Axes) -> impl Iterator<Item = (f64, f64)> {
    curve.points.iter().filter_map(move |point| {
        let times = find(&point.cells, rival)?;
        Some((axes.x(point.bytes as f64), axes.y(speed(point.bytes, times.least))))
    })
}

fn path(points: &[(f64, f64)]) -> String {
    let steps: Vec<_> = points.iter().map(|&(x, y)| format!("{} {}", Pixels(x), Pixels(y))).collect();
    format!("M{}", steps.join("L"))
}

/// Ticks of speed, sizes, and the ends of the caches.
fn grid(out: &mut Vec<u8>, findings: &Findings, axes: &Axes) {
    let (left, right) = axes.ends();
    let bottom = TOP + PLOT;
    let small = Type { size: 10, ..FAINT };
    for (tick, label) in
        [(0.01, "0.01"), (0.1, "0.1"), (1.0, "1"), (10.0, "10"), (100.0, "100"), (1000.0, "1000")]
    {
        let (from, to) = axes.speeds;
        if (from..=to).contains(&f64::log10(tick)) {
            let y = axes.y(tick);
            let (l, r, y_) = (Pixels(left), Pixels(right), Pixels(y));
            push(out, format_args!("<path class=\"grid\" d=\"M{l} {y_}H{r}\"/>\n"));
            text(out, left - 6.0, y + 3.5, small.end(), label);
        }
    }
    text(out, 0.0, TOP - 8.0, small, "GB/s");
    // A label for each sixteenfold, from 64 bytes on.
    for tick in (0..8).map(|power| 64.0 * 16_f64.powi(power)) {
        let (from, to) = axes.sizes;
        if (from - 0.2..=to + 0.2).contains(&tick.log2()) {
            text(out, axes.x(tick), bottom + 16.0, small.middle(), &tight(tick as u64));
        }
    }
    text(out, right + 16.0, bottom + 16.0, small, "bytes");
    for (name, bytes) in &findings.machine.caches {
        let x = axes.x(*bytes as f64);
        if x > left && x < right {
            let (x_, top, bottom) = (Pixels(x), Pixels(TOP), Pixels(bottom));
            push(out, format_args!("<path class=\"cache\" d=\"M{x_} {top}V{bottom}\"/>\n"));
            text(out, x, TOP - 8.0, small.middle(), name);
        }
    }
}

/// Sizes where there is little room.
fn tight(bytes: u64) -> String {
    size::shown(bytes).replace(" KiB", "K").replace(" MiB", "M").replace(" GiB", "G").replace(" B", "")
}

/// The shade above the roof.
fn sky(out: &mut Vec<u8>, curve: &Curve, limit: Rival, axes: &Axes) {
    let roof: Vec<_> = points(curve, limit, axes).collect();
    if let (Some(first), Some(last)) = (roof.first(), roof.last()) {
        let (top, from, to) = (Pixels(TOP), Pixels(first.0), Pixels(last.0));
        push(out, format_args!("<path class=\"sky\" d=\"{}L{to} {top}L{from} {top}Z\"/>\n", path(&roof)));
    }
}

/// Sorts labels from above, and puts them where they should be, or as near as they do not touch.
fn spaced<T>(labels: &mut [(f64, &str, T)]) -> Vec<f64> {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut places: Vec<f64> = Vec::new();
    for (y, ..) in &*labels {
        let least = places.last().map_or(f64::MIN, |last| last + LINE);
        places.push(y.max(least));
    }
    // What was pushed out below goes up again, and takes with it what is in its way.
    let mut most = TOP + PLOT;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - LINE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_touch() {
        let places = |ys: &[f64]| {
            let mut labels: Vec<_> = ys.iter().map(|&y| (y, "", ())).collect();
            spaced(&mut labels)
        };
        assert_eq!(places(&[100.0, 200.0]), [100.0, 200.0]);
        assert_eq!(places(&[101.0, 100.0, 150.0]), [100.0, 113.0, 150.0]);
        let bottom = TOP + PLOT;
        assert_eq!(places(&[bottom, bottom - 1.0, bottom]), [bottom - 26.0, bottom - 13.0, bottom]);
    }

    #[test]
    fn sizes_are_short_on_the_axis() {
        assert_eq!([64, 1024, 16 << 10, 4 << 20].map(tight), ["64", "1K", "16K", "4M"]);
    }
}
