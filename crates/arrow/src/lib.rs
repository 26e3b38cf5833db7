//! Text in Arrow columns: checked, repaired, transcoded, counted.

mod error;
mod simple;

pub use error::Error;
pub use simple::*;
