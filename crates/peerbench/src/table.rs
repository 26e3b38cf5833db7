//! The table: one row a text, one column a peer, and what the numbers mean for us.
//!
//! An [`Operation`] is all that a table needs to know: peers, texts, a unit, and goals. A goal is
//! a ratio of speeds, ours over the best of those named; above 1 is faster. The table ends with
//! the geometric mean and the worst cell of each goal, the overall one last.
//!
//! Before a row is timed, all peers must give the same verdict on it, and write the same if they
//! write: a fast wrong answer is not measured.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _, stderr};

use anyhow::{Result, bail};
use runecast::Isa;
use runecast_clock::{Lane, Patience};
use serde_json::{Value, json};

use crate::peer::Peer;
use crate::reading;
use crate::texts::Text;

/// Something that several peers can do.
pub struct Operation {
    /// The name of the subcommand, or close to it.
    pub name: String,
    /// In what the cells are given.
    pub unit: Unit,
    /// The columns.
    pub peers: Vec<Peer>,
    /// The rows.
    pub texts: Vec<Text>,
    /// The ratios, the overall one first.
    pub goals: Vec<Goal>,
}

/// In what a cell is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 10⁹ bytes of input per second.
    GigabytesPerSecond,
    /// Nanoseconds for each call.
    NanosecondsPerCall,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::GigabytesPerSecond => "GB/s of input",
            Unit::NanosecondsPerCall => "ns/call",
        }
    }

    fn of(self, seconds: f64, text: &Text) -> f64 {
        match self {
            Unit::GigabytesPerSecond => text.input.bytes() as f64 / seconds * 1e-9,
            Unit::NanosecondsPerCall => seconds * 1e9 / text.input.calls() as f64,
        }
    }
}

/// A ratio that is printed after the columns.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The heading; a space breaks the line.
    pub name: &'static str,
    /// Which of our columns.
    pub ours: Ours,
    /// Against the best of which others; none means all.
    pub against: &'static [&'static str],
}

impl Goal {
    /// The best of ours against the best of everyone else.
    pub const fn best() -> Goal {
        Goal { name: "ours /best", ours: Ours::Best, against: &[] }
    }
}

/// The ratio of what only reads.
const READING: &str = "reading /best";

/// Which of our columns a goal is about.
#[derive(Clone, Copy, Debug)]
pub enum Ours {
    /// The kernel that is chosen on this CPU: the first of ours.
    Best,
    /// The slowest: what holds for it holds for each.
    Slowest,
    /// The one of this ISA.
    One(Isa),
    /// None: the fastest that only reads.
    Reading,
}

/// A measured row.
struct Row {
    name: String,
    bytes: usize,
    calls: usize,
    /// Parallel to the peers, in the operation's unit.
    cells: Vec<f64>,
    /// Parallel to the goals.
    ratios: Vec<Option<f64>>,
}

/// A measured table.
pub struct Table {
    name: String,
    unit: Unit,
    peers: Vec<String>,
    goals: Vec<&'static str>,
    rows: Vec<Row>,
}

/// How a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Aligned columns.
    Plain,
    /// A Markdown table.
    Markdown,
    /// One JSON object.
    Json,
}

impl Operation {
    /// Adds what the same texts take if they are only read, and the ratio of that, which is the limit of any of ours.
    #[must_use]
    pub fn beside_reading(mut self) -> Operation {
        self.peers.extend(reading::peers());
        self.goals.push(Goal { name: READING, ours: Ours::Reading, against: &[] });
        self
    }

    /// Leaves only the peers that compete with `isas` and the rows whose name contains `filter`.
    #[must_use]
    pub fn narrowed(mut self, isas: &[Isa], filter: &str) -> Operation {
        self.peers.retain(|peer| peer.competes(isas));
        self.texts.retain(|text| text.name.to_lowercase().contains(&filter.to_lowercase()));
        self
    }

    /// Measures every cell.
    pub fn measure(&self, patience: Patience) -> Result<Table> {
        let mut rows = Vec::new();
        for (index, text) in self.texts.iter().enumerate() {
            progress(&format!("{}: {} of {}: {}", self.name, index + 1, self.texts.len(), text.name));
            self.check(text)?;
            let lanes: Vec<Box<dyn Lane + '_>> =
                self.peers.iter().map(|peer| Box::new(peer.at(&text.input)) as Box<dyn Lane + '_>).collect();
            let lanes: Vec<&dyn Lane> = lanes.iter().map(|lane| &**lane).collect();
            let seconds: Vec<f64> =
                runecast_clock::race(&lanes, patience).iter().map(|times| times.least).collect();
            rows.push(Row {
                name: text.name.clone(),
                bytes: text.input.bytes(),
                calls: text.input.calls(),
                cells: seconds.iter().map(|&seconds| self.unit.of(seconds, text)).collect(),
                ratios: self.goals.iter().map(|goal| self.ratio(goal, &seconds)).collect(),
            });
        }
        progress("");
        Ok(Table {
            name: self.name.clone(),
            unit: self.unit,
            peers: self.peers.iter().map(|peer| peer.name.clone()).collect(),
            goals: self.goals.iter().map(|goal| goal.name).collect(),
            rows,
        })
    }

    /// All peers must agree.
    fn check(&self, text: &Text) -> Result<()> {
        let mut verdicts: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for peer in &self.peers {
            verdicts.entry(peer.verdict(&text.input)).or_default().push(&peer.name);
        }
        if verdicts.len() > 1 {
            let says = verdicts.iter().map(|(verdict, who)| format!("{verdict} ({})", who.join(", ")));
            bail!(
                "{}: the peers do not agree on \"{}\": {}",
                self.name,
                text.name,
                says.collect::<Vec<_>>().join("; ")
            );
        }
        self.check_output(text)
    }

    /// All peers that write must write the same.
    fn check_output(&self, text: &Text) -> Result<()> {
        let mut outputs = self.peers.iter().filter_map(|peer| Some((&peer.name, peer.writes(&text.input)?)));
        let Some((first, expected)) = outputs.next() else {
            return Ok(());
        };
        for (name, output) in outputs {
            if output != expected {
                let at = output.iter().zip(&expected).position(|(a, b)| a != b);
                let at = at.unwrap_or(output.len().min(expected.len()));
                bail!(
                    "{}: {first} and {name} write differently for \"{}\", from byte {at} on",
                    self.name,
                    text.name
                );
            }
        }
        Ok(())
    }

    /// The ratio of `goal`, if the table has the columns for it.
    fn ratio(&self, goal: &Goal, seconds: &[f64]) -> Option<f64> {
        let columns = || self.peers.iter().zip(seconds.iter().copied());
        let mut ours = columns().filter_map(|(peer, seconds)| peer.ours.map(|isa| (isa, seconds)));
        let ours = match goal.ours {
            Ours::Best => ours.next().map(|(_, seconds)| seconds),
            Ours::Slowest => ours.map(|(_, seconds)| seconds).reduce(f64::max),
            Ours::Reading => {
                columns().filter(|(peer, _)| peer.only_reads).map(|(_, seconds)| seconds).reduce(f64::min)
            }
            Ours::One(wanted) => ours.find(|&(isa, _)| isa == wanted).map(|(_, seconds)| seconds),
        };
        let theirs = columns()
            .filter(|(peer, _)| {
                peer.competes_with_us() && (goal.against.is_empty() || goal.against.contains(&&*peer.name))
            })
            .map(|(_, seconds)| seconds)
            .reduce(f64::min);
        Some(theirs? / ours?)
    }
}

/// A word on standard error about what is being measured, where someone is looking.
fn progress(what: &str) {
    if stderr().is_terminal() {
        // Progress that cannot be shown is no reason to fail.
        let _ = write!(stderr(), "\r\x1b[K{what}");
    }
}

impl Table {
    /// The table as text.
    pub fn print(&self, style: Style) -> String {
        match style {
            Style::Plain => self.plain(),
            Style::Markdown => self.markdown(),
            Style::Json => format!("{:#}\n", self.json()),
        }
    }

    /// Of each row that has the first goal: its ratio, that of what [only reads](Operation::beside_reading), and the name of the row.
    pub fn overall(&self) -> impl Iterator<Item = (f64, Option<f64>, String)> {
        let reading = self.goals.iter().position(|&goal| goal == READING);
        self.rows.iter().filter_map(move |row| {
            let limit = reading.and_then(|index| row.ratios[index]);
            Some((row.ratios.first().copied()??, limit, row.name.clone()))
        })
    }

    /// The goals that have a number in any row, with mean and worst row.
    fn summary(&self) -> Vec<Summary<'_>> {
        let summary = |(index, &goal): (usize, &&'static str)| {
            let ratios: Vec<(f64, &str)> =
                self.rows.iter().filter_map(|row| Some((row.ratios[index]?, &*row.name))).collect();
            let worst = ratios.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0))?;
            let logarithms: f64 = ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
            Some(Summary { index, goal, mean: (logarithms / ratios.len() as f64).exp(), worst })
        };
        self.goals.iter().enumerate().filter_map(summary).collect()
    }

    fn title(&self) -> String {
        format!("{}, {}; ratios above 1: we are faster", self.name, self.unit.name())
    }

    /// All cells as text: the headings, then the rows, then mean and worst.
    fn grid(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let summary = self.summary();
        let mut headings = vec!["text".to_owned()];
        headings.extend(self.peers.iter().cloned());
        headings.extend(summary.iter().map(|summary| summary.goal.to_owned()));
        let mut grid = Vec::new();
        for row in &self.rows {
            let mut cells = vec![row.name.clone()];
            cells.extend(row.cells.iter().map(|&cell| number(cell)));
            cells.extend(summary.iter().map(|summary| ratio(row.ratios[summary.index])));
            grid.push(cells);
        }
        type Pick = fn(&Summary<'_>) -> f64;
        for (name, pick) in [("geometric mean", (|s| s.mean) as Pick), ("worst", |s| s.worst.0)] {
            let mut cells = vec![name.to_owned()];
            cells.extend(self.peers.iter().map(|_| String::new()));
            cells.extend(summary.iter().map(|summary| ratio(Some(pick(summary)))));
            grid.push(cells);
        }
        (headings, grid)
    }

    /// One line a goal, the overall one last.
    fn verdicts(&self) -> String {
        let mut lines = String::new();
        for Summary { goal, mean, worst: (worst, text), .. } in self.summary().iter().rev() {
            let goal = goal.replace(' ', "");
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{goal}: geometric mean {mean:.2}, worst {worst:.2} ({text})");
        }
        lines
    }

    fn plain(&self) -> String {
        let (headings, grid) = self.grid();
        // A heading of two words stands on two lines, so that the columns stay narrow.
        let headings: Vec<(&str, &str)> =
            headings.iter().map(|name| name.split_once(' ').unwrap_or((name, ""))).collect();
        let widths: Vec<usize> = (0..headings.len())
            .map(|column| {
                let cells = grid.iter().map(|row| row[column].chars().count());
                let heading = headings[column].0.len().max(headings[column].1.len());
                cells.chain([heading]).max().unwrap_or(0)
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for (column, (cell, &width)) in cells.zip(&widths).enumerate() {
                let space = width.saturating_sub(cell.chars().count());
                match column {
                    0 => line.extend([cell, &" ".repeat(space)]),
                    _ => line.extend(["  ", &" ".repeat(space), cell]),
                }
            }
            format!("{}\n", line.trim_end())
        };
        let mut out = format!("{}\n\n", self.title());
        out += &line(&mut headings.iter().map(|heading| heading.0));
        out += &line(&mut headings.iter().map(|heading| heading.1));
        for row in &grid {
            out += &line(&mut row.iter().map(|cell| &**cell));
        }
        format!("{out}\n{}", self.verdicts())
    }

    fn markdown(&self) -> String {
        let (headings, grid) = self.grid();
        let mut out = format!("{}\n\n| {} |\n", self.title(), headings.join(" | "));
        out += &format!("|---|{}\n", "---:|".repeat(headings.len() - 1));
        for row in grid {
            out += &format!("| {} |\n", row.join(" | "));
        }
        format!("{out}\n{}", self.verdicts())
    }

    /// The table as a JSON value.
    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let cells: serde_json::Map<_, _> =
                    self.peers.iter().cloned().zip(row.cells.iter().map(|&cell| json!(cell))).collect();
                let ratios: serde_json::Map<_, _> = (self.goals.iter().map(|&goal| goal.to_owned()))
                    .zip(row.ratios.iter().map(|&ratio| json!(ratio)))
                    .collect();
                json!({
                    "text": row.name, "bytes": row.bytes, "calls": row.calls,
                    "cells": cells, "ratios": ratios,
                })
            })
            .collect();
        let summary: Vec<Value> = self
            .summary()
            .iter()
            .map(|s| json!({"goal": s.goal, "mean": s.mean, "worst": s.worst.0, "text": s.worst.1}))
            .collect();
        json!({"operation": self.name, "unit": self.unit.name(), "rows": rows, "summary": summary})
    }
}

/// What a goal came to, over all rows.
struct Summary<'a> {
    index: usize,
    goal: &'static str,
    mean: f64,
    worst: (f64, &'a str),
}

/// Three digits that matter.
fn number(value: f64) -> String {
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$}")
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |name: &str, cells: [f64; 2], ratio| Row {
            name: name.to_owned(),
            bytes: 65536,
            calls: 1,
            cells: cells.into(),
            ratios: vec![Some(ratio), None],
        };
        Table {
            name: "test".to_owned(),
            unit: Unit::GigabytesPerSecond,
            peers: vec!["std".to_owned(), "encoding rs".to_owned()],
            goals: vec!["ours /best", "absent"],
            rows: vec![row("one", [1.0, 20.0], 8.0), row("two", [100.0, 3.456], 0.5)],
        }
    }

    #[test]
    fn mean_and_worst_are_those_of_the_rows() {
        let table = table();
        let summary = table.summary();
        // The goal without a number is left out.
        assert_eq!(summary.len(), 1);
        assert!((summary[0].mean - 2.0).abs() < 1e-9);
        assert_eq!(summary[0].worst, (0.5, "two"));
    }

    #[test]
    fn the_plain_table_lines_up() {
        let expected = "\
test, GB/s of input; ratios above 1: we are faster

text             std  encoding   ours
                            rs  /best
one             1.00      20.0   8.00
two              100      3.46   0.50
geometric mean                   2.00
worst                            0.50

ours/best: geometric mean 2.00, worst 0.50 (two)
";
        assert_eq!(table().print(Style::Plain), expected);
    }

    #[test]
    fn the_other_styles_have_the_same_numbers() {
        let markdown = table().print(Style::Markdown);
        assert!(markdown.contains("\n| two | 100 | 3.46 | 0.50 |\n"), "{markdown}");
        let json = table().json();
        assert_eq!(json["rows"][1]["cells"]["encoding rs"], 3.456);
        assert_eq!(json["summary"][0]["text"], "two");
    }

    #[test]
    fn peers_that_disagree_are_not_measured() {
        use crate::peer::{Buffer, Input, Level};
        let operation = Operation {
            name: "test".to_owned(),
            unit: Unit::NanosecondsPerCall,
            peers: vec![
                Peer::new("right", Level::Every, |text| text.len()),
                Peer::new("wrong", Level::Every, |text| text.len() + 1),
            ],
            texts: vec![Text { name: "x".to_owned(), input: Input::Whole(Buffer::new(b"x", 0)) }],
            goals: vec![],
        };
        let patience = Patience { rounds: 1, limit: std::time::Duration::from_secs(1) };
        let error = operation.measure(patience).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("test: the peers do not agree on \"x\": 1 (right); 2 (wrong)"));
    }
    #[test]
    fn peers_that_write_differently_are_not_measured() {
        use crate::peer::{Buffer, Input, Level, Output};
        let output = Output::new(8, 0);
        let writer = |name, last: u8| {
            Peer::writing(name, Level::Every, output.clone(), move |_: &[u8], dst: &mut [u8]| {
                dst[..2].copy_from_slice(&[1, last]);
                2
            })
        };
        let operation = Operation {
            name: "test".to_owned(),
            unit: Unit::NanosecondsPerCall,
            peers: vec![writer("right", 2), Peer::new("silent", Level::Every, |_| 2), writer("wrong", 3)],
            texts: vec![Text { name: "x".to_owned(), input: Input::Whole(Buffer::new(b"x", 0)) }],
            goals: vec![],
        };
        let patience = Patience { rounds: 1, limit: std::time::Duration::from_secs(1) };
        let error = operation.measure(patience).err().map(|error| error.to_string());
        let expected = "test: right and wrong write differently for \"x\", from byte 1 on";
        assert_eq!(error.as_deref(), Some(expected));
    }
}
