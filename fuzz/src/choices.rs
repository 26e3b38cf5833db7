//! What the first bytes of an input choose: an engine, a policy, a question, where texts lie and where they are cut.
//!
//! One execution asks one engine one question. To ask all of them of every input takes ten times as long, and finds nothing more: the
//! fuzzer comes by the same text with another first byte soon enough. What costs more than the question is made once, before the
//! first execution: the list of engines, and the texts that pieces are cut out of.
//!
//! A byte that is not there is 0, so that every input has a meaning.

use std::sync::OnceLock;

use runecast::{Engine, Escape, Policy, Replacement};

/// An input, whose first bytes choose.
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// Reads from the start of `input`.
    pub fn new(input: &'a [u8]) -> Choices<'a> {
        Choices(input)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let (byte, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *byte
    }

    /// The next two bytes.
    pub fn number(&mut self) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()]))
    }

    /// One of `list`, which is not empty.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::from(self.byte()) % list.len()]
    }

    /// An engine that this CPU has.
    pub fn engine(&mut self) -> Engine {
        static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
        self.of(ENGINES.get_or_init(|| Engine::available().collect()))
    }

    /// What is written for what is ill-formed.
    pub fn policy(&mut self) -> Policy<'static> {
        let byte = self.byte();
        match byte % 17 {
            // Not one number more: what the seeds choose would be something else.
            _ if byte == 0xFF => "nine char".into(),
            number @ 0..=6 => Replacement::ALL[usize::from(number)].into(),
            number @ 7..=10 => Escape::ALL[usize::from(number) - 7].into(),
            11 => "".into(),
            12 => "<Ж漢🦀>".into(),
            13 => "a text that is longer than what it stands for".into(),
            14 => "?".into(),
            15 => Policy::Omit,
            _ => Policy::DropAtTheRiskOfJoining,
        }
    }

    /// What is left.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
