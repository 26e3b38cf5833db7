//! Repair: every behaviour, policy, pair and engine, against models that share nothing with `src/`.
//!
//! - `model`: the seven behaviours once more, as loops over bytes and not as rules for a rest.
//! - `tables`: what the real programs did: the survey "Broken UTF-8", and all strings of one to three
//!   boundary bytes.
//! - `ill_formed`: text with errors at every density, every pair, every policy; outputs of every size.
//! - `pieces`: repair piece by piece is repair at once.
//! - `well_formed`: UTF-16 in place, all strings of surrogates and others at the edges of blocks.
//! - `windows`: UTF-8 as UTF-8, with errors in each place of a chunk and at every distance.
//! - `omission`: UTF-8 without what cannot be converted, at the edges of windows.
//! - `names`: the names of the standard library, held to it; escapes and the way back.

mod ill_formed;
pub mod model;
mod names;
mod omission;
mod pieces;
mod tables;
mod well_formed;
mod windows;
