//! The functions as users call them: in SQL.

mod columns;
mod common;
mod lists;
mod literals;
