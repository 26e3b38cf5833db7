//! Unicode text at the speed of memory: is it well-formed, and if not, where and why? And what is it
//! in another encoding?
//!
//! ```
//! let text = runecast::from_utf8("rūna".as_bytes())?; // std's from_utf8, faster
//!
//! let error = runecast::from_utf8(b"r\xC5").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.error_len()), (1, None)); // as std says it
//! assert_eq!(error.kind(), runecast::Kind::Incomplete); // and which rule was broken
//! # Ok::<(), runecast::Utf8Error>(())
//! ```
//!
//! # Which function for which need
//!
//! | you want | call |
//! |---|---|
//! | a `&str` from bytes, as with std | [`from_utf8`], [`from_utf8_mut`] |
//! | to know whether, no more | [`is_utf8`], [`is_ascii`] |
//! | the length of what is ASCII at the start | [`ascii_prefix`] |
//! | the first error, with the rule that it breaks | [`validate`], which gives an [`IllFormed`] |
//! | all errors | [`ill_formed`] |
//! | the text between the errors | [`utf8_chunks`] |
//! | another encoding | [`transcode`] into a slice, [`transcode_partial`] as far as it fits, [`transcode_to_vec`], [`transcode_append`] |
//! | another encoding, as text | [`transcode_to_string`], [`transcode_append_to_string`]; [`from_utf16`] and [`encode_utf16`], as with std |
//! | another encoding, and no copy where none is needed | [`transcode_cow`], [`transcode_to_str`] |
//! | strings for the JVM and for old databases, and back | [`encode_mutf8`], [`encode_cesu8`]; [`transcode_to_str`] |
//! | strings that may hold unpaired surrogates, as `OsString` does | [`wtf8`] |
//! | the other byte order, in place | [`swap_byte_order`] |
//! | text from bytes that are broken, as with std | [`from_utf8_lossy`], [`from_utf16_lossy`] |
//! | the same, as Go, Java, Python, Perl, Windows or ICU would have it, or escaped | [`repair`], with a [`Replacement`] or another [`Policy`] |
//! | another encoding from what is broken | [`transcode_lossy`], [`transcode_lossy_to_vec`], …; [`to_well_formed`] in place |
//! | to check a text that comes in chunks | [`Validator`], eight bytes of state; [`AnyValidator`] in an encoding that is known when the program runs |
//! | another encoding, chunk by chunk | [`Transcoder`], strict or by any [`Policy`]; [`AnyTranscoder`] between encodings that are known when the program runs |
//! | an encoding by its name or its byte order mark | [`Label`], [`Scheme`] |
//! | an encoding by the bytes of a text alone | [`detect`](fn@detect), with a confidence and a reason; [`Detector`] says when it has read enough |
//! | a `Read` or `BufRead` of text | [`TranscodingReader`] from any encoding, [`Utf8Reader`] that only checks |
//! | a `Write` for text | [`TranscodingWriter`] to any encoding |
//! | text in shared bytes, `bytes::Bytes` (feature `bytes`) | `Utf8Bytes` |
//! | frames and lines of text for tokio's `Framed` (feature `tokio`) | `codec`; the readers are asynchronous then, too |
//! | lengths | [`count`] of characters, [`transcoded_len`], [`max_transcoded_len`] |
//! | an offset in bytes as one in UTF-16, in characters, or as line and column, and back | [`index`](mod@index), with an [`OffsetMap`](index::OffsetMap) for many questions about one text |
//! | to know whether one or two bytes a character will do | [`repertoire`], [`fits`] |
//! | columns of text, with offsets or views: every value by itself | [`batch`] |
//! | one huge text on all cores (feature `rayon`) | `par_validate`, `par_transcode_to_vec`, `par_transcode_lossy_to_vec` |
//! | to see or narrow down which kernels run | [`Engine`], [`Isa`] |
//!
//! Encodings are types: [`Utf8`], [`Utf16`], [`Utf16Le`], [`Utf16Be`], [`Utf32`], [`Utf32Le`],
//! [`Utf32Be`], [`Latin1`], [`Ascii`]; and around them, where surrogates come alone or characters in two
//! halves, [`Wtf8`], [`Wtf16`], [`GeneralizedUtf8`], [`Cesu8`], [`Mutf8`] and the wobbly ones.
//! `transcode::<Utf16Be, Utf8>` converts between any two.
//!
//! Every function gives the same answer on every CPU, and the answer of the standard library
//! where it has one. None of them panics, whatever the input, and none reads a byte outside of it.
//!
//! # How the house is built
//!
//! *Kernels move. The machine judges. Policy decides. Faces show.* A kernel (`kernel/`) goes over
//! well-formed text in bulk, in the instructions of one CPU family, and stops at a character
//! boundary at or before whatever is not in order; it knows no errors. The machine (`machine/`)
//! reads and writes one character at a time, line by line beside its specification, and is the only place
//! that knows what makes a sequence ill-formed. Between them stands a loop of a few lines
//! (`validate.rs`, `transcode.rs`): kernel, machine, kernel. The functions above are faces of that loop;
//! and streams (`stream.rs`) lead a text through it in chunks, with what a cut leaves open carried over.
//!
//! Which kernels a CPU runs is found out at the first call, with or without `std`: AVX-512, AVX2,
//! SSE4.2, NEON, WebAssembly's simd128, or none. `RUNECAST_ISA=avx2` in the environment (with
//! feature `std`) or [`Engine::narrow`] narrow the choice, for comparisons.
//!
//! # Features
//!
//! - `std` (default): reads `RUNECAST_ISA`; readers and writers. Without it the crate is `no_std`.
//! - `alloc` (implied by `std`): what returns vectors and strings.
//! - `rayon`: one huge text on all cores, `par_validate` and its like.
//! - `bytes`: `Utf8Bytes`, shared bytes that are text; `serde`: the same for serde.
//! - `tokio`: `codec`, with decoders and encoders for `tokio_util::codec`; and [`TranscodingReader`] and [`Utf8Reader`]
//!   are `AsyncRead` and `AsyncBufRead`.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod bridge;
mod convert;
mod engine;
#[allow(unsafe_code, reason = "kernels are made of it")]
mod kernel;
mod output;
mod stream;
mod text;
mod unicode;
mod validate;

pub mod batch;
mod chunks;
#[cfg(feature = "tokio")]
pub mod codec;
pub mod corrected;
#[cfg(feature = "dynamic")]
mod detect;
#[cfg(feature = "dynamic")]
mod dynamic;
pub mod index;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "rayon")]
mod parallel;
mod std_api;
#[cfg(feature = "bytes")]
mod utf8_bytes;
pub mod wtf8;

pub use chunks::{Utf8Chunk, Utf8Chunks, utf8_chunks};
pub use convert::{
    Escape, Policy, Reason, Repaired, Repertoire, Replacement, TranscodeError, UnknownReplacement, count,
    fits, max_transcoded_len, repertoire, to_well_formed, transcode, transcode_lossy, transcode_lossy_len,
    transcode_lossy_uninit, transcode_partial, transcode_uninit, transcoded_len,
};
#[cfg(feature = "alloc")]
pub use convert::{
    from_utf8_lossy, from_utf8_lossy_owned, from_utf16_lossy, from_utf16be_lossy, from_utf16le_lossy, repair,
    transcode_append, transcode_append_to_string, transcode_cow, transcode_lossy_append, transcode_lossy_cow,
    transcode_lossy_to_vec, transcode_to_str, transcode_to_string, transcode_to_vec, unescape_surrogates,
};
#[cfg(feature = "dynamic")]
pub use detect::{Content, Detection, Detector, Evidence, detect};
#[cfg(feature = "dynamic")]
pub use dynamic::{AnyTranscoder, AnyValidator, Label, Scheme, UnknownLabel};
#[cfg(feature = "std")]
pub use io::Utf8Reader;
#[cfg(all(feature = "std", feature = "dynamic"))]
pub use io::{TranscodingReader, TranscodingWriter};
pub use kernel::{Engine, Isa, Progress, Unavailable, UnknownIsa};
#[cfg(feature = "rayon")]
pub use parallel::{par_transcode_lossy_to_vec, par_transcode_to_vec, par_validate};
pub use std_api::{Utf8Error, ascii_prefix, from_utf8, from_utf8_mut, is_ascii, is_utf8, swap_byte_order};
#[cfg(feature = "alloc")]
pub use std_api::{
    encode_cesu8, encode_mutf8, encode_utf16, encode_utf16be, encode_utf16le, from_utf16, from_utf16be,
    from_utf16le,
};
pub use stream::{Bom, LEAST_ROOM, Step, Transcoder, Validator};
pub use unicode::{
    Ascii, Cesu8, CodeUnit, CorrectedUtf8, Encoding, GeneralizedUtf8, IllFormed, Kind, Latin1, Mutf8, Utf8,
    Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16, Wtf16Be,
    Wtf16Le,
};
#[cfg(feature = "bytes")]
pub use utf8_bytes::{NotUtf8, Utf8Bytes};
pub use validate::{IllFormedSequences, ill_formed, validate};
