//! `goals`: what validation, counts, columns, conversion and repair are to reach on real text, against the best of all peers, and what they do reach.
//!
//! One line for each goal and instruction set: the geometric mean of the ratios of all texts, and the worst with the text that it is
//! from. The peers are held to the instruction set as well, as far as they let themselves be; what has only one implementation that
//! is better (simdutf8, and encoding_rs, which asks it, with AVX2) does not compete with less.
//!
//! For validation of text without errors there is a limit beside it, in the mean and for the worst text: the ratio of a loop that does nothing but
//! [read](crate::reading) the same texts.
//!
//! Mixed texts come first: the files that are given, and the generated documents. They are made, measured and dropped one by one,
//! since at 64 MiB each they would not fit into the memory of every machine.

mod conversion;
mod damage;
mod repair;

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use runecast::Isa;
use runecast_clock::Patience;
use runecast_corpus::Script;

use crate::peer::Peer;
use crate::table::{Operation, Style};
use crate::texts::{self, Manuscript, Text};
use crate::transcode::{self, Task};
use crate::{batch, errors, validate};

/// A goal: some lines of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Goal {
    /// Mixed texts in buffers of 64 KiB, all different, and of 64 MiB; and the same 64 KiB and 1 MiB again and again
    Mixed,
    /// Texts of one script each
    Homogeneous,
    /// Texts of 64 bytes to 16 KiB, cut from mixed ones at random places
    Short,
    /// The first error of 64 KiB, at the start, in the middle or at the end; and one error in each KiB, all of them
    Errors,
    /// Characters, and lengths in other encodings
    Lengths,
    /// Columns of values, against one validation of all and a look at each boundary
    Columns,
    /// UTF-8 repaired into a new string, and into a slice
    Repair,
    /// UTF-16 to UTF-8 with replacements, and UTF-16 made well-formed in place
    Repair16,
    /// UTF-8 to UTF-16 and UTF-32
    #[value(name = "8-wide")]
    Widen,
    /// UTF-16 and UTF-32 to UTF-8
    #[value(name = "wide-8")]
    Narrow,
    /// UTF-16 to UTF-32, UTF-32 to UTF-16, and validation of both
    Wide,
    /// All pairs with Latin-1
    Latin1,
}

/// What was asked for on the command line.
pub struct Request<'a> {
    /// The goals; none means all.
    pub goals: &'a [Goal],
    /// Files of mixed text.
    pub files: &'a [PathBuf],
    /// The instruction sets.
    pub isas: &'a [Isa],
    /// Bytes of a text, where the goal says nothing about it.
    pub size: usize,
    /// KiB of a text, for conversion and repair.
    pub kib: &'a [usize],
    /// Where the buffers begin.
    pub align: usize,
    /// Only texts with names that contain this.
    pub filter: &'a str,
    /// Whether the tables behind each line are written to standard error.
    pub tables: bool,
    /// How long to measure.
    pub patience: Patience,
}

/// Measures, and prints each line as soon as it is there.
pub fn print(request: &Request<'_>) -> Result<()> {
    println!("| | texts | ISA | mean | worst | | read only |\n|---|--:|---|--:|--:|---|--:|");
    let goals = if request.goals.is_empty() { Goal::value_variants() } else { request.goals };
    for goal in goals {
        match goal {
            Goal::Mixed => mixed(request)?,
            Goal::Homogeneous => homogeneous(request)?,
            Goal::Short => short(request)?,
            Goal::Errors => with_errors(request)?,
            Goal::Lengths => lengths(request)?,
            Goal::Columns => columns(request)?,
            Goal::Repair | Goal::Repair16 | Goal::Widen | Goal::Narrow | Goal::Wide | Goal::Latin1 => {
                conversion::print(*goal, request)?;
            }
        }
    }
    Ok(())
}

/// The ratios of a line, those of only reading if it is a limit, and the texts that they are of.
type Ratios = Vec<(f64, Option<f64>, String)>;

/// The geometric mean.
fn mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

impl Request<'_> {
    /// Measures the texts that `operation` makes of each index below `count` with each ISA, and prints a line for each ISA.
    fn lines(
        &self,
        name: &str,
        count: usize,
        operation: impl Fn(usize) -> Result<Vec<Operation>>,
    ) -> Result<()> {
        self.lines_to(name, |_| 0.0, count, operation)
    }

    /// [`Self::lines`], which also name the other texts that are below the goal of the instruction set.
    fn lines_to(
        &self,
        name: &str,
        goal: impl Fn(Isa) -> f64,
        count: usize,
        operation: impl Fn(usize) -> Result<Vec<Operation>>,
    ) -> Result<()> {
        let mut lines: Vec<(Isa, Ratios)> = self.isas.iter().map(|&isa| (isa, Ratios::new())).collect();
        for index in 0..count {
            for (isa, ratios) in &mut lines {
                for operation in operation(index)? {
                    let operation = operation.narrowed(&[*isa], self.filter);
                    if operation.peers.iter().any(Peer::competes_with_us) {
                        let table = operation.measure(self.patience)?;
                        if self.tables && table.overall().next().is_some() {
                            eprintln!("{}", table.print(Style::Plain));
                        }
                        ratios.extend(table.overall());
                    }
                }
            }
        }
        for (isa, mut ratios) in lines {
            ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
            if let Some(((worst, limit, text), others)) = ratios.split_first() {
                let mean = mean(ratios.iter().map(|(ratio, ..)| *ratio));
                let limits: Option<Vec<f64>> = ratios.iter().map(|(_, limit, _)| *limit).collect();
                let limits = limits.zip(*limit).map_or_else(String::new, |(limits, limit)| {
                    format!("{:.2}, {limit:.2}", self::mean(limits.into_iter()))
                });
                let below = others.iter().filter(|(ratio, ..)| *ratio < goal(isa));
                let below: String = below
                    .map(|(ratio, limit, text)| {
                        let limit = limit.map_or_else(String::new, |limit| format!(" of {limit:.2}"));
                        format!(", {text} {ratio:.2}{limit}")
                    })
                    .collect();
                println!(
                    "| {name} | {} | {isa} | {mean:.2} | {worst:.2} | {text}{below} | {limits} |",
                    ratios.len()
                );
            }
        }
        Ok(())
    }

    /// How many mixed texts there are.
    fn mixed_texts(&self) -> Result<usize> {
        Ok(texts::listings(self.files)?.len() + Script::documents().len())
    }

    /// One of the mixed texts, of `size` bytes.
    fn mixed_text(&self, index: usize, size: usize) -> Result<Vec<Manuscript>> {
        let documents = Script::documents();
        match documents.get(index) {
            Some(&script) => Ok(vec![texts::of_script(script, size)]),
            None => texts::files(&texts::listings(self.files)?[index - documents.len()..][..1], size),
        }
    }

    /// One of the mixed texts, of `size` bytes and a few more, which does not repeat itself.
    fn new_text(&self, index: usize, size: usize) -> Result<Vec<Manuscript>> {
        let mut manuscripts = self.mixed_text(index, size)?;
        if index >= Script::documents().len() {
            for Manuscript { text, .. } in &mut manuscripts {
                *text = texts::shuffled(text, size);
            }
        }
        Ok(manuscripts)
    }
}

/// Mixed texts: first what no predictor has seen, in buffers that are in a cache, and from memory. Then texts that are read again and
/// again, so that it knows each branch by heart; who has most branches gains most by that.
fn mixed(request: &Request<'_>) -> Result<()> {
    let goal = |isa| if isa == Isa::Avx512 { 1.15 } else { 1.0 };
    let whole = |text: Manuscript| text.utf8(request.align);
    let buffers = |text: Manuscript| Text {
        input: texts::buffers(&text.text, 64 << 10, request.align),
        name: text.name,
    };
    request.lines_to("mixed, 64 KiB, all different", goal, request.mixed_texts()?, |index| {
        let texts = request.new_text(index, texts::BUFFERS)?;
        Ok(vec![validate::long(texts.into_iter().map(buffers).collect()).beside_reading()])
    })?;
    request.lines_to("mixed, 64 MiB", goal, request.mixed_texts()?, |index| {
        let texts = request.new_text(index, 64 << 20)?;
        Ok(vec![validate::long(texts.into_iter().map(whole).collect()).beside_reading()])
    })?;
    for (name, size) in [("64 KiB", 64 << 10), ("1 MiB", 1 << 20)] {
        request.lines_to(&format!("mixed, the same {name}"), goal, request.mixed_texts()?, |index| {
            let texts = request.mixed_text(index, size)?;
            Ok(vec![validate::long(texts.into_iter().map(whole).collect()).beside_reading()])
        })?;
    }
    Ok(())
}

fn homogeneous(request: &Request<'_>) -> Result<()> {
    let scripts: Vec<Script> =
        Script::ALL.into_iter().filter(|script| !Script::documents().contains(script)).collect();
    request.lines("homogeneous", scripts.len(), |index| {
        let text = texts::of_script(scripts[index], request.size);
        Ok(vec![validate::long(vec![text.utf8(request.align)]).beside_reading()])
    })
}

/// Texts cut from some megabytes of generated documents, or from files, which are shorter, so that the cuts overlap.
fn short(request: &Request<'_>) -> Result<()> {
    for (shortest, longest) in [(64, 256), (256, 1024), (1024, 4096), (4096, 16384)] {
        let name = format!("cut, {shortest} to {longest} bytes");
        request.lines(&name, request.mixed_texts()?, |index| {
            let cut = |text: Manuscript| Text {
                input: texts::cut(&text.text, shortest, longest, request.align),
                name: text.name,
            };
            let texts = request.mixed_text(index, texts::CUT_FROM)?.into_iter().map(cut).collect();
            Ok(vec![validate::long(texts).beside_reading()])
        })?;
    }
    Ok(())
}

/// std is left out: it is compiled into its caller, and finds the first byte of a text faster than any call.
fn with_errors(request: &Request<'_>) -> Result<()> {
    let peers = |mut operation: Operation| {
        operation.peers.retain(|peer| peer.ours.is_some() || peer.name.starts_with("simdutf"));
        operation
    };
    for (place, _) in errors::PLACES {
        request.lines(&format!("first error, {place}"), 1, |_| {
            Ok(vec![peers(errors::first(request.align).narrowed(&[], place))])
        })?;
    }
    for (name, what) in [
        ("one error in each KiB, all different", "each KiB"),
        ("as many at random", "at random"),
        ("one error in each KiB, the same", "by heart"),
    ] {
        request.lines(name, 1, |_| {
            Ok(vec![peers(errors::all(request.size, request.align).narrowed(&[], what))])
        })?;
    }
    Ok(())
}

fn lengths(request: &Request<'_>) -> Result<()> {
    for (name, task) in [
        ("characters of UTF-8", Task::CountUtf8),
        ("characters of UTF-16", Task::CountUtf16),
        ("UTF-8 in UTF-16", Task::LengthUtf8ToUtf16),
        ("UTF-16 in UTF-8", Task::LengthUtf16ToUtf8),
        ("UTF-32 in UTF-8", Task::LengthUtf32ToUtf8),
    ] {
        request.lines(name, request.mixed_texts()?, |index| {
            let texts = request.mixed_text(index, 2 * request.size)?;
            let mut operations = transcode::long(&[task], texts, request.size, request.align);
            for operation in &mut operations {
                operation.peers.retain(|peer| peer.ours.is_some() || peer.name.starts_with("simdutf"));
            }
            Ok(operations)
        })?;
    }
    Ok(())
}

/// The way of arrow-rs: all values as one text, and then each boundary.
fn columns(request: &Request<'_>) -> Result<()> {
    request.lines("columns", 1, |_| {
        let mut operations = batch::long(request.size, request.align);
        operations.retain(|operation| operation.peers.iter().any(|peer| peer.name.starts_with("whole")));
        for operation in &mut operations {
            operation.peers.retain(|peer| peer.ours.is_some() || peer.name.starts_with("whole"));
        }
        Ok(operations)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring for no time at all still compares what all peers say and write.
    #[test]
    fn all_peers_agree_on_conversion_and_repair() {
        let request = Request {
            tables: false,
            goals: &[Goal::Repair, Goal::Repair16, Goal::Widen, Goal::Narrow, Goal::Wide, Goal::Latin1],
            files: &[],
            isas: &Isa::ALL,
            size: 64 << 10,
            kib: &[8],
            align: 17,
            filter: "c",
            patience: Patience { rounds: 1, limit: std::time::Duration::ZERO },
        };
        if let Err(error) = print(&request) {
            panic!("{error:#}");
        }
    }
}
