//! Arrays: every value by itself, against std value by value.
//!
//! - `array`: arrays drawn at random, and the oracle that judges them.
//! - `checks`: validation by offsets and of slices, in every encoding.
//! - `views`: validation of views.
//! - `conversions`: repair and conversion.

pub mod array;
mod checks;
pub mod conversions;
mod views;
