//! The command line, end to end: the built binary, its streams and exit codes, one module for each command.
//!
//! It is one program, so that it is linked once.

mod scene;

mod bench;
mod check;
#[cfg(target_os = "linux")]
mod closed;
mod convert;
mod count;
mod cpu;
mod detect;
mod explain;
mod fallback;
mod forbid;
mod guess;
mod iconv;
#[cfg(unix)]
mod in_place;
mod inputs;
mod jobs;
mod lab;
mod layers;
mod legacy;
mod lines;
mod man;
mod mojibake;
mod order;
mod output_dir;
#[cfg(unix)]
mod rejects;
mod repair;
#[cfg(unix)]
mod robust;
mod short_texts;
mod usage;
