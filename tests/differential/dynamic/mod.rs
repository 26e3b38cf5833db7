//! Encodings that are known at run time only. The typed functions, which other tests hold to their models, are the
//! truth here.
//!
//! - `batch`: arrays.
//! - `corrected`: Corrected UTF-8 in chunks.
//! - `detect`: what an unknown text is.
//! - `io`: readers and writers that convert.
//! - `one_shot`: conversions at once, methods of [`Scheme`](runecast::Scheme).
//! - `transcoder`: [`AnyTranscoder`](runecast::AnyTranscoder), all pairs of schemes.
//! - `validator`: [`AnyValidator`](runecast::AnyValidator).

mod batch;
mod corrected;
mod detect;
mod io;
mod one_shot;
mod transcoder;
mod validator;
