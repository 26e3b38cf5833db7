//! `corrected`: the kernels of Corrected UTF-8 against our own of UTF-8, on the same text.
//!
//! No other library has it. What can be measured is how much the offsets cost. So each number is
//! a ratio of times, of the conversion with Corrected UTF-8 on one side to the same one with UTF-8, both in
//! turn in one run; 1.0 is as fast, and 1.3 is the goal. Both directions with UTF-8 itself
//! have no counterpart: they are compared with UTF-8 to UTF-16, which is half of their work.

use bytemuck::Pod;
use runecast::{
    CorrectedUtf8, Encoding, Engine, Isa, Utf8, Utf16, Utf32, max_transcoded_len, transcode_to_vec,
};

use crate::texts::Manuscript;
use runecast_clock::{Lane, Patience, race};

/// A conversion, or the check if the two are the same.
struct Work<S: Encoding<Unit: Pod>, D: Encoding<Unit: Pod>> {
    engine: Engine,
    src: Vec<S::Unit>,
    dst: std::cell::RefCell<Vec<D::Unit>>,
    check: bool,
}

impl<S: Encoding<Unit: Pod>, D: Encoding<Unit: Pod>> Work<S, D> {
    /// Of `text`, at the engine.
    fn new(engine: Engine, text: &str, check: bool) -> Self {
        let src = transcode_to_vec::<Utf8, S>(text.as_bytes()).unwrap_or_default();
        let room = max_transcoded_len::<S, D>(src.len()) + 64;
        let dst = vec![<D::Unit as bytemuck::Zeroable>::zeroed(); room].into();
        Work { engine, src, dst, check }
    }
}

impl<S: Encoding<Unit: Pod>, D: Encoding<Unit: Pod>> Lane for Work<S, D> {
    fn run(&self, times: u32) {
        let mut dst = self.dst.borrow_mut();
        for _ in 0..times {
            let src = std::hint::black_box(&self.src[..]);
            let done = if self.check {
                self.engine.validate::<S>(src).is_ok()
            } else {
                self.engine.transcode::<S, D>(src, &mut dst).is_ok()
            };
            assert!(std::hint::black_box(done), "{} to {}", S::NAME, D::NAME);
        }
    }
}

/// The names of the columns.
const COLUMNS: [&str; 7] = ["validate", "to 16", "to 32", "from 16", "from 32", "to 8", "from 8"];

/// Prints a table for each engine, narrowed to `isas` if there are any.
pub fn print(texts: &[Manuscript], isas: &[Isa], filter: &str, patience: Patience) {
    for engine in Engine::available().filter(|engine| isas.is_empty() || isas.contains(&engine.isa())) {
        println!("{}: time with Corrected UTF-8 / time with UTF-8", engine.isa());
        println!("{:>20}{}", "", COLUMNS.map(|column| format!("{column:>10}")).concat());
        for Manuscript { name, text } in texts.iter().filter(|text| text.name.contains(filter)) {
            // Without C1 controls, which have no form there.
            let text: String = text.chars().filter(|c| !('\u{80}'..'\u{A0}').contains(c)).collect();
            let ratios = ratios(engine, &text, patience).map(|ratio| format!("{ratio:>10.2}"));
            println!("{name:>20}{}", ratios.concat());
        }
        println!();
    }
}

fn ratios(engine: Engine, text: &str, patience: Patience) -> [f64; 7] {
    let ratio = |ours: &dyn Lane, theirs: &dyn Lane| {
        let seconds: Vec<f64> = race(&[ours, theirs], patience).iter().map(|times| times.least).collect();
        seconds[0] / seconds[1]
    };
    macro_rules! pair {
        ($S:ident, $D:ident / $S2:ident, $D2:ident) => {
            ratio(&Work::<$S, $D>::new(engine, text, false), &Work::<$S2, $D2>::new(engine, text, false))
        };
    }
    [
        ratio(
            &Work::<CorrectedUtf8, CorrectedUtf8>::new(engine, text, true),
            &Work::<Utf8, Utf8>::new(engine, text, true),
        ),
        pair!(CorrectedUtf8, Utf16 / Utf8, Utf16),
        pair!(CorrectedUtf8, Utf32 / Utf8, Utf32),
        pair!(Utf16, CorrectedUtf8 / Utf16, Utf8),
        pair!(Utf32, CorrectedUtf8 / Utf32, Utf8),
        pair!(CorrectedUtf8, Utf8 / Utf8, Utf16),
        pair!(Utf8, CorrectedUtf8 / Utf8, Utf16),
    ]
}
