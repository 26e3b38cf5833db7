//! Validates, repairs and transcodes Unicode text at the speed of memory: is it well-formed, and if not, where and why?
//!
//! ```
//! let text = runecast::from_utf8("rūna".as_bytes())?; // like std's from_utf8, but faster
//!
//! let error = runecast::from_utf8(b"r\xC5").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.error_len()), (1, None)); // the same values as std's
//! assert_eq!(error.kind(), runecast::Kind::Incomplete); // and the rule that is broken
//! # Ok::<(), runecast::Utf8Error>(())
//! ```
//!
//! # Which function to call
//!
//! `transcode` means: convert from one encoding to another.
//!
//! | you want | call |
//! |---|---|
//! | a `&str` from bytes, or a `String` from a vector, as with std | [`from_utf8`], [`from_utf8_mut`]; [`from_utf8_owned`] |
//! | only a yes or no | [`is_utf8`], [`is_ascii`] |
//! | the length of the ASCII prefix | [`ascii_prefix`] |
//! | the first error, with the rule that it breaks | [`validate`](validate()), which returns an [`IllFormed`] |
//! | all errors | [`ill_formed`] |
//! | the text between the errors | [`utf8_chunks`] |
//! | characters one by one, from any encoding, without allocating | [`chars`](chars()) |
//! | another encoding | [`transcode`] into a slice, [`transcode_partial`] as far as it fits, [`transcode_to_vec`], [`transcode_append`] |
//! | another encoding, as text | [`transcode_to_string`], [`transcode_append_to_string`]; [`from_utf16`] and [`encode_utf16`], as with std |
//! | another encoding, without a copy where possible | [`transcode_cow`], [`transcode_to_str`] |
//! | strings for the JVM (modified UTF-8) and for old databases (CESU-8), and back | [`encode_mutf8`], [`encode_cesu8`]; [`transcode_to_str`] |
//! | strings that may hold unpaired surrogates, as `OsString` does | [`wtf8`] |
//! | the other byte order, in place | [`swap_byte_order`] |
//! | text from ill-formed bytes, with U+FFFD, as with std | [`from_utf8_lossy`], [`from_utf8_lossy_owned`], [`from_utf16_lossy`] |
//! | the same, with the replacements of Go, Java, Python, Perl, Windows or ICU, or with escapes | [`repair`], with a [`Replacement`] or another [`Policy`] |
//! | bytes that are probably text, in a message | [`display_lossy`], for `format!` and `println!` |
//! | another encoding from ill-formed text | [`transcode_lossy`], [`transcode_lossy_to_vec`], … |
//! | UTF-16 made well-formed in place: no unpaired surrogates | [`to_well_formed`] |
//! | the original bytes back that were escaped as surrogates (Python's `surrogateescape`) | [`unescape_surrogates`] |
//! | to check text that arrives in chunks | [`Validator`], eight bytes of state; [`AnyValidator`] if the encoding is chosen at run time |
//! | to convert text that arrives in chunks | [`Transcoder`], strict or with any [`Policy`]; [`AnyTranscoder`] if the encodings are chosen at run time |
//! | an encoding by its name or by a byte order mark, and text from it | [`Label`], [`Scheme`] |
//! | the magic number of Corrected UTF-8, and its lint | [`corrected`] |
//! | an encoding guessed from the bytes alone | [`detect`], with a confidence and its evidence; [`Detector`] says when it has read enough |
//! | a file as a `String`, or an error with path, line and column | [`read_to_string`] |
//! | a `Read` or `BufRead` of text | [`TranscodingReader`] from any encoding, [`Utf8Reader`] only to check UTF-8 |
//! | a `Write` for text | [`TranscodingWriter`] to any encoding |
//! | text in shared bytes, `bytes::Bytes` | [`Utf8Bytes`] |
//! | frames and lines of text for tokio's `Framed` | [`codec`]; with this feature the readers are asynchronous as well |
//! | lengths without converting | [`count`] of characters, [`transcoded_len`], [`max_transcoded_len`] |
//! | a byte offset as an offset in UTF-16 or in characters, or as line and column, and back | [`index`](mod@index), with an [`OffsetMap`](index::OffsetMap) for many questions about one text |
//! | to know whether one or two bytes per character are enough | [`repertoire`], [`fits`] |
//! | positions of quotes, delimiters and line ends, found while validating; lines and records as `&str` | [`scan`](mod@scan), with masks, positions, [`lines`](scan::lines()) and [`records`](scan::records()) |
//! | columns of text, with offsets or views, each value validated by itself | [`batch`] |
//! | one huge text on all cores | [`par_validate`], [`par_transcode_to_vec`], [`par_transcode_lossy_to_vec`] |
//! | to see or restrict which kernels run | [`Engine`], [`Isa`] |
//!
//! Some of these need a [feature](#features). Encodings are types: [`Utf8`], [`Utf16`], [`Utf16Le`], [`Utf16Be`], [`Utf32`],
//! [`Utf32Le`], [`Utf32Be`], [`Latin1`] and [`Ascii`]; their relatives, which allow unpaired surrogates or write supplementary
//! characters as two surrogates: [`Wtf8`], [`Wtf16`], [`Wtf16Le`], [`Wtf16Be`], [`GeneralizedUtf8`], [`Cesu8`], [`Mutf8`],
//! [`WobblyCesu8`], [`WobblyMutf8`]; and [`CorrectedUtf8`]. Any can be converted to any other: `transcode::<Utf16Be, Utf8>(src, dst)`.
//!
//! # What every function guarantees
//!
//! - The answer is the same on every CPU, and the same as the standard library's where that has one.
//! - It does not panic, whatever the input. (A vector that cannot grow aborts or panics, as in std.)
//! - Nothing is read outside of the input, and nothing is written outside of the output.
//! - Output ends with a whole character, even after an error or when the output is full. The number of units written is always
//!   reported. Units of an output slice behind them have unspecified values; vectors and strings are only appended to.
//! - Nothing is allocated except what is returned. Functions that take an output slice do not allocate, and neither do validation,
//!   counting, detection and the state of streams. (Readers and writers have buffers; the `par_` functions have lists of blocks.)
//!
//! # How the crate is built
//!
//! In layers. Each uses only the layers above it, and those in its own row. A *kernel* is the inner loop of one operation for one
//! instruction set; a *codec* reads or writes a single character of one encoding.
//!
//! | layer | what it does |
//! |---|---|
//! | `unicode` | says what text is: encodings as types, the rules that text can break, one reference codec per encoding |
//! | `kernel` | processes well-formed text in bulk, once for each instruction set |
//! | `bridge`, `text`, `output` | pass slices to kernels, and turn checked bytes into `&str`; all `unsafe` code outside of the kernels |
//! | `validate`, `blocks`, `convert` | the loops around kernel and codec: validation, alone or with a search for bytes; conversion; lengths |
//! | `stream`, `dynamic` | the same in chunks, and with encodings chosen at run time |
//! | the API | the functions in the table above |
//!
//! A kernel stops at a character boundary at or before the first ill-formed sequence, and does not say what is wrong. From there
//! the codec of the encoding takes one step: it either reads one character, after which the kernel continues, or says which rule
//! is broken. A [`Policy`] then decides what is written instead.
//!
//! Which kernels the CPU can run is detected at the first call, with or without `std`: AVX-512, AVX2, SSE4.2, NEON, WebAssembly's
//! simd128, or none of them. To compare kernels, restrict the choice with `RUNECAST_ISA=avx2` in the environment (feature `std`)
//! or with [`Engine::narrow`].
//!
//! # Features
//!
//! - `std` (default, implies `alloc`): readers and writers; reads `RUNECAST_ISA`. Without it the crate is `no_std`.
//! - `alloc`: functions that return vectors and strings.
//! - `dynamic`: encodings chosen at run time: [`Scheme`], [`Label`], [`AnyTranscoder`], [`AnyValidator`], [`detect`],
//!   [`TranscodingReader`] and [`TranscodingWriter`] (with `std`), columns by scheme. Off by default, because it compiles
//!   the conversions between all pairs of encodings.
//! - `rayon` (implies `std`): one huge text on all cores, with the `par_` functions.
//! - `bytes`: [`Utf8Bytes`], shared bytes that are text; `serde` (implies `bytes`): its serialisation.
//! - `tokio` (implies `std` and `bytes`): [`codec`], with decoders and encoders for `tokio_util::codec`; [`TranscodingReader`] and
//!   [`Utf8Reader`] implement `AsyncRead` and `AsyncBufRead`.
//!
// Documentation without a feature links its items to the list of features; without `std` some links are missing.
#![cfg_attr(feature = "dynamic", doc = "[`detect`]: fn@detect")]
#![cfg_attr(
    not(feature = "dynamic"),
    doc = "[`AnyTranscoder`]: #features
[`AnyValidator`]: #features
[`Detector`]: #features
[`Label`]: #features
[`Scheme`]: #features
[`TranscodingReader`]: #features
[`TranscodingWriter`]: #features
[`detect`]: #features"
)]
#![cfg_attr(
    not(feature = "rayon"),
    doc = "[`par_transcode_lossy_to_vec`]: #features
[`par_transcode_to_vec`]: #features
[`par_validate`]: #features"
)]
#![cfg_attr(not(feature = "bytes"), doc = "[`Utf8Bytes`]: #features")]
#![cfg_attr(not(feature = "tokio"), doc = "[`codec`]: #features")]
#![cfg_attr(not(feature = "std"), allow(rustdoc::broken_intra_doc_links))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod blocks;
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
mod chars;
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
pub mod scan;
mod std_api;
#[cfg(feature = "bytes")]
mod utf8_bytes;
pub mod wtf8;

pub use chars::{Chars, chars};
pub use chunks::{DisplayLossy, Utf8Chunk, Utf8Chunks, display_lossy, utf8_chunks};
pub use convert::{
    Escape, Policy, Reason, Repaired, Repertoire, Replacement, TranscodeError, UnknownEscape,
    UnknownReplacement, count, fits, max_transcoded_len, repertoire, to_well_formed, transcode,
    transcode_lossy, transcode_lossy_len, transcode_lossy_uninit, transcode_partial, transcode_uninit,
    transcoded_len,
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
pub use io::{IllFormedFile, Utf8Reader, read_to_string};
#[cfg(all(feature = "std", feature = "dynamic"))]
pub use io::{TranscodingReader, TranscodingWriter};
pub use kernel::{Engine, Isa, Progress, Unavailable, UnknownIsa};
#[cfg(feature = "rayon")]
pub use parallel::{par_transcode_lossy_to_vec, par_transcode_to_vec, par_validate};
#[cfg(feature = "alloc")]
pub use std_api::{
    FromUtf8Error, encode_cesu8, encode_mutf8, encode_utf16, encode_utf16be, encode_utf16le, from_utf8_owned,
    from_utf16, from_utf16be, from_utf16le,
};
pub use std_api::{Utf8Error, ascii_prefix, from_utf8, from_utf8_mut, is_ascii, is_utf8, swap_byte_order};
pub use stream::{Bom, LEAST_ROOM, Step, Transcoder, Validator};
pub use unicode::{
    Ascii, Cesu8, CodeUnit, CorrectedUtf8, Encoding, GeneralizedUtf8, IllFormed, Kind, Latin1, Mutf8, Utf8,
    Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8, Wtf16, Wtf16Be,
    Wtf16Le,
};
#[cfg(feature = "bytes")]
pub use utf8_bytes::{NotUtf8, Utf8Bytes};
pub use validate::{IllFormedSequences, ill_formed, validate};
