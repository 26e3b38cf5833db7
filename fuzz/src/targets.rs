//! The targets, a module each: what it asks is a function of an input, which the program of the same name in `fuzz_targets` calls.

pub mod batch;
pub mod capi;
pub mod chunks;
pub mod corrected;
pub mod detect;
pub mod double_reads;
pub mod hostile;
pub mod index;
pub mod lines;
pub mod lossy;
pub mod readers;
pub mod scan;
pub mod segments;
pub mod stream;
pub mod transcode;
pub mod validate;
