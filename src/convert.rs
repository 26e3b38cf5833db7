//! Conversions: kernel, codec, kernel.
//!
//! The kernel of a pair converts well-formed text; the codecs of both sides convert the one character at which it stopped, or say what
//! is wrong with it; and the kernel continues after it. All conversions are that loop.
//!
//! - [`strict`]: stops at the first error. [`error`]: what it then reports.
//! - [`lossy`]: writes something in place of ill-formed sequences, and continues; [`repair`](mod@repair): its public functions.
//! - [`policy`]: what is written in place of ill-formed sequences; [`replacement`]: how many U+FFFD, as seven families of software write
//!   them; [`escape`]: escapes, which can be undone.
//! - [`lengths`]: the length of an output, and the repertoire of a text.
//! - [`bulk`]: one call of a kernel, for any pair.

pub(crate) mod bulk;
mod error;
mod escape;
mod lengths;
mod lossy;
mod policy;
mod repair;
mod replacement;
mod strict;

pub use error::{Reason, TranscodeError};
#[cfg(feature = "alloc")]
pub use escape::unescape_surrogates;
pub use escape::{Escape, UnknownEscape};
#[cfg(feature = "dynamic")]
pub(crate) use lengths::bound;
pub use lengths::{Repertoire, count, fits, max_transcoded_len, repertoire, transcoded_len};
pub(crate) use lengths::{count_on, fits_on, repertoire_on, transcoded_len_on};
pub(crate) use lossy::{Carry, LossyState, character, convert_lossy, encode, holds_surrogates};
#[cfg(feature = "dynamic")]
pub(crate) use lossy::{Read, Reading, Write, Writes, convert_dense, read_pieces, write_pieces};
#[cfg(feature = "alloc")]
pub(crate) use lossy::{ShortTexts, short_texts};
pub use policy::Policy;
#[cfg(all(feature = "alloc", feature = "dynamic"))]
pub(crate) use repair::max_replacement_len;
#[cfg(feature = "alloc")]
pub(crate) use repair::transcode_lossy_append_on;
pub use repair::{Repaired, to_well_formed, transcode_lossy, transcode_lossy_len, transcode_lossy_uninit};
#[cfg(feature = "alloc")]
pub use repair::{
    from_utf8_lossy, from_utf8_lossy_owned, from_utf16_lossy, from_utf16be_lossy, from_utf16le_lossy, repair,
    transcode_lossy_append, transcode_lossy_cow, transcode_lossy_to_vec,
};
pub(crate) use repair::{
    to_well_formed_on, transcode_lossy_len_on, transcode_lossy_on, transcode_lossy_uninit_on,
};
pub use replacement::{Replacement, UnknownReplacement};
#[cfg(all(feature = "alloc", feature = "dynamic"))]
pub(crate) use strict::borrowed_text;
pub(crate) use strict::{drive, transcode_on, transcode_uninit_on};
pub use strict::{transcode, transcode_partial, transcode_uninit};
#[cfg(feature = "alloc")]
pub use strict::{
    transcode_append, transcode_append_to_string, transcode_cow, transcode_to_str, transcode_to_string,
    transcode_to_vec,
};
#[cfg(feature = "alloc")]
pub(crate) use strict::{transcode_append_on, transcode_cow_on};
