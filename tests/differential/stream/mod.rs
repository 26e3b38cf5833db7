//! Streams: a text in chunks, cut anywhere, is the text at once. The one-shot calls, which other tests hold
//! to their models, are the truth here.
//!
//! - `model`: a stream without its types, how it is driven, and what it is held to.
//! - `vectors`: short texts of every encoding, well-formed and not, and all ways to cut them.
//! - `validator`: [`Validator`](runecast::Validator) of every encoding.
//! - `typed`: [`Transcoder`](runecast::Transcoder), by one pair of each kind.
//! - `earliest`: how much has been written after each chunk.
//! - `io`: a reader of UTF-8, with short reads and interrupted ones.

mod earliest;
pub mod io;
pub mod model;
pub mod typed;
mod validator;
pub mod vectors;
