//! Everything that was measured: what tables, pictures and JSON are made from.

use super::machine::Machine;
use super::measure::{Curve, Row};
use super::texts::Text;

/// Everything that was measured.
pub(super) struct Findings {
    /// On which machine.
    pub(super) machine: Machine,
    /// With which texts.
    pub(super) texts: Vec<Text>,
    /// Each operation on each text.
    pub(super) rows: Vec<Row>,
    /// A few operations on texts of many sizes.
    pub(super) curves: Vec<Curve>,
}
