//! What needs a feature that is off by default. (A plain `cargo test` has them on; `cargo test -p runecast` leaves this program out, without
//! `--features rayon,serde,tokio`.)
//!
//! - `codec`, `transcoded`: frames, lines and asynchronous readers (`tokio`).
//! - `parallel`: one text on all cores (`rayon`).
//! - `utf8_bytes`: shared bytes that are text (`bytes`, `serde`).

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/memory.rs"]
#[allow(dead_code, reason = "other programs use other parts of it")]
mod memory;

mod codec;
mod parallel;
#[cfg(feature = "dynamic")]
mod transcoded;
mod utf8_bytes;

#[global_allocator]
static ALLOCATOR: memory::Watched = memory::Watched;
