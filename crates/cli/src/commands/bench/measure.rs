//! The measurement: which cells there are, and how the time is shared among them.
//!
//! A cell is an operation on a text, or on a length of text; all rivals that can do it take turns, timed by
//! `runecast-clock`. All cells have the same share of the time, and within it as many rounds as fit, and
//! three at least, whatever they take.
//!
//! Two things are measured. *Rows*: texts of one size, which with what is made of them should fit into the second-level
//! cache, for there the engines differ and not the memory. *Curves*: a few operations on one text, from 64 bytes
//! to 64 MiB, beside reading and copying the same bytes.

use std::cell::RefCell;
use std::time::Duration;

use runecast::Engine;
use runecast_clock::{Lane, Patience, Times, race};

use crate::ui::console::Console;
use crate::ui::outcome::Outcome;

use super::operation::Operation;
use super::rival::{Rival, SourceText};
use super::texts::Text;
use crate::ui::arguments::bench::OperationName;

/// More rounds would not make a number better.
const MOST_ROUNDS: u32 = 2000;

/// The share of the time that the curves have, where there are both.
const SHARE_OF_CURVES: f64 = 0.4;

/// The operations that make good curves, the best first, and how many there are to be.
const CURVES: [OperationName; 3] =
    [OperationName::Validate, OperationName::Utf8ToUtf16, OperationName::Utf16ToUtf8];

/// What is to be measured, and for how long.
pub(super) struct Plan {
    /// The operations.
    pub(super) operations: Vec<&'static Operation>,
    /// The rounds of each cell; else as many as there is time for.
    pub(super) rounds: Option<u32>,
    /// The time for all.
    pub(super) time: Duration,
    /// The sizes of the curves, in bytes; none if there are to be no curves.
    pub(super) sizes: Vec<usize>,
}

/// How long each rival takes.
pub(super) type Cells = Vec<(Rival, Times)>;

/// An operation on a text.
pub(super) struct Row {
    /// The operation.
    pub(super) operation: &'static Operation,
    /// The text, as an index.
    pub(super) text: usize,
    /// Bytes that are read.
    pub(super) bytes: usize,
    /// The rivals, the kernel in use first.
    pub(super) cells: Cells,
}

/// An operation on texts of many sizes.
pub(super) struct Curve {
    /// The operation.
    pub(super) operation: &'static Operation,
    /// The text, as an index.
    pub(super) text: usize,
    /// From the shortest to the longest.
    pub(super) points: Vec<Point>,
}

/// A point of a curve.
pub(super) struct Point {
    /// Bytes that are read.
    pub(super) bytes: usize,
    /// The kernel in use, the peers, and the machine.
    pub(super) cells: Cells,
}

/// 10⁹ bytes per second.
pub(super) fn speed(bytes: usize, seconds: f64) -> f64 {
    bytes as f64 / seconds * 1e-9
}

/// The times of a rival.
pub(super) fn find(cells: &Cells, rival: Rival) -> Option<Times> {
    cells.iter().find(|cell| cell.0 == rival).map(|cell| cell.1)
}

/// A rival with what it reads and writes.
struct Contender<'a> {
    operation: &'static Operation,
    rival: Rival,
    source: SourceText<'a>,
    dst: &'a RefCell<Vec<u8>>,
}

impl Lane for Contender<'_> {
    fn run(&self, times: u32) {
        self.operation.run(self.rival, self.source, &mut self.dst.borrow_mut(), times);
    }
}

/// Measures.
pub(super) struct Stopwatch<'a> {
    plan: &'a Plan,
    texts: &'a [Text],
    console: &'a mut Console,
    /// Whether all rivals agreed everywhere.
    outcome: Outcome,
    cells: usize,
}

/// A step of the bar: large, for its speed is given in whole numbers.
const STEP: u64 = 1000;

impl<'a> Stopwatch<'a> {
    /// For these texts.
    pub(super) fn new(plan: &'a Plan, texts: &'a [Text], console: &'a mut Console) -> Stopwatch<'a> {
        Stopwatch { plan, texts, console, outcome: Outcome::Clean, cells: 0 }
    }

    /// Measures everything.
    pub(super) fn run(mut self) -> (Vec<Row>, Vec<Curve>, Outcome) {
        let plan = self.plan;
        let tasks: Vec<_> = plan
            .operations
            .iter()
            .flat_map(|&operation| (0..self.texts.len()).map(move |text| (operation, text)))
            .filter_map(|(operation, text)| Some((operation, text, self.texts[text].source(operation)?)))
            .collect();
        let curves = self.curves();
        let points = curves.len() * plan.sizes.len();
        self.cells = tasks.len() + points;
        let share = if points == 0 { 0.0 } else { SHARE_OF_CURVES };
        let patience = self.patience(1.0 - share, tasks.len());
        let mut rows = Vec::new();
        for (operation, text, source) in tasks {
            let name = format!("{} {}", operation.name, self.texts[text].name);
            let cells = self.race(operation, &source, &name, operation.rivals(), patience);
            rows.extend(cells.map(|cells| Row { operation, text, bytes: source.len(), cells }));
        }
        let patience = self.patience(share, points);
        let curves =
            curves.into_iter().map(|(operation, text)| self.curve(operation, text, patience)).collect();
        (rows, curves, self.outcome)
    }

    fn patience(&self, share: f64, cells: usize) -> Patience {
        match self.plan.rounds {
            Some(rounds) => Patience { rounds, limit: Duration::MAX },
            None => Patience {
                rounds: MOST_ROUNDS,
                limit: self.plan.time.mul_f64(share).div_f64(cells.max(1) as f64),
            },
        }
    }

    /// Which curves there will be, and on which text: the most ordinary one that is not mere ASCII, if there is one,
    /// for on ASCII all kernels leave their paths for the shortest.
    fn curves(&self) -> Vec<(&'static Operation, usize)> {
        if self.plan.sizes.is_empty() {
            return Vec::new();
        }
        let well_formed = |index: &usize| self.texts[*index].text().is_some();
        let foreign = |index: &usize| {
            let text = self.texts[*index].bytes();
            2 * text.iter().filter(|byte| byte.is_ascii()).count() < text.len()
        };
        let mut indices = (0..self.texts.len()).filter(well_formed);
        let Some(text) = indices.clone().find(foreign).or_else(|| indices.next()) else { return Vec::new() };
        let chosen =
            |name: &OperationName| self.plan.operations.iter().find(|operation| operation.name == *name);
        let mut curves: Vec<_> = CURVES.iter().filter_map(|name| chosen(name).copied()).collect();
        if curves.is_empty() {
            // Whatever there is, where it can read this text.
            let can = |operation: &&&Operation| self.texts[text].source(operation).is_some();
            curves.extend(self.plan.operations.iter().find(can));
        }
        curves.into_iter().map(|operation| (operation, text)).collect()
    }

    fn curve(&mut self, operation: &'static Operation, text: usize, patience: Patience) -> Curve {
        let texts = self.texts;
        let text_of = &texts[text];
        // A byte of UTF-8 may be two in what the operation reads.
        let whole = text_of.source(operation).map_or(1, |source| source.len().max(1));
        let share = text_of.bytes().len() as f64 / whole as f64;
        let mut rivals = vec![Rival::Kernel(Engine::current())];
        rivals.extend(operation.rivals().into_iter().filter(|rival| rival.kind() == "peer"));
        rivals.extend([Rival::Read, Rival::Copy]);
        let mut points = Vec::new();
        for &size in &self.plan.sizes {
            let piece = text_of.stretched((size as f64 * share).round() as usize);
            let Some(source) = (operation.source)(&piece).filter(|source| !source.is_empty()) else {
                continue;
            };
            let name = format!("{}, {}", operation.name, crate::ui::size::shown(size as u64));
            let cells = self.race(operation, &source, &name, rivals.clone(), patience);
            points.extend(cells.map(|cells| Point { bytes: source.len(), cells }));
        }
        Curve { operation, text, points }
    }

    /// Lets them run, if they agree.
    fn race(
        &mut self,
        operation: &'static Operation,
        source: &[u8],
        name: &str,
        rivals: Vec<Rival>,
        patience: Patience,
    ) -> Option<Cells> {
        let total = self.cells as u64 * STEP;
        self.console.progress.begin(&name);
        let source = SourceText::new(source);
        let mut dst = operation.room(source);
        if let Some(rival) = operation.dissenter(&rivals, source, &mut dst) {
            let what = format!("{} does not agree with the others, so nothing is measured", rival.name());
            self.console.complain(&name, &std::io::Error::other(what));
            self.outcome = Outcome::Failed;
            return None;
        }
        let dst = RefCell::new(dst);
        let contender = |rival| Contender { operation, rival, source, dst: &dst };
        let contenders: Vec<_> = rivals.iter().copied().map(contender).collect();
        let lanes: Vec<&dyn Lane> = contenders.iter().map(|contender| contender as &dyn Lane).collect();
        let times = race(&lanes, patience);
        self.console.progress.advance(STEP, &name, || Some(total));
        Some(rivals.into_iter().zip(times).collect())
    }
}
