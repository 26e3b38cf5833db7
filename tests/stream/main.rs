//! Streams: a text in chunks, cut anywhere, is the text at once. The one-shot calls, which other tests hold
//! to their models, are the truth here.
//!
//! - `model`: a stream without its types, how it is driven, and what it is held to.
//! - `vectors`: short texts of every encoding, good and bad, and all ways to cut them.
//! - `validator`: [`Validator`](runecast::Validator) of every encoding.
//! - `typed`: [`Transcoder`](runecast::Transcoder), by one pair of each kind.
//! - `any`: [`AnyTranscoder`](runecast::AnyTranscoder), all pairs of schemes.
//! - `once`: conversions at once between values, methods of [`Scheme`](runecast::Scheme).
//! - `io`: readers and writers, with short reads and writes and interrupted ones.

#[path = "../common/mod.rs"]
mod common;

mod any;
mod io;
mod model;
mod once;
mod typed;
mod validator;
mod vectors;
