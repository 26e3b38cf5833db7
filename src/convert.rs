//! Conversions: kernel, codec, kernel.
//!
//! The kernel of a pair moves what is well-formed; the codecs of both sides move the one character at which it stopped, or say
//! what is wrong with it; and the kernel goes on behind it. All conversions are that loop.
//!
//! - [`strict`]: it stops at the first error. [`error`]: what it says then.
//! - [`lossy`]: it writes something in place of what is ill-formed, and goes on; [`repair`]: the functions that do so.
//! - [`policy`]: what is written there; [`replacement`]: how much of it, as seven families of software have it;
//!   [`escape`]: what is written so that it can be undone.
//! - [`lengths`]: how long an output will be, and what a text needs.
//! - [`bulk`]: one call of a kernel, whatever the pair.

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
pub use escape::Escape;
#[cfg(feature = "dynamic")]
pub(crate) use lengths::bound;
pub use lengths::{Repertoire, count, fits, max_transcoded_len, repertoire, transcoded_len};
pub(crate) use lengths::{count_on, fits_on, repertoire_on, transcoded_len_on};
#[cfg(any(feature = "alloc", feature = "dynamic"))]
pub(crate) use lossy::unpaired;
pub(crate) use lossy::{LossyState, character, convert_lossy};
#[cfg(feature = "dynamic")]
pub(crate) use lossy::{put_all, substitute, write_replacement_for};
pub use policy::Policy;
#[cfg(all(feature = "alloc", feature = "dynamic"))]
pub(crate) use repair::max_replacement_len;
#[cfg(feature = "alloc")]
pub(crate) use repair::transcode_lossy_append_on;
pub use repair::{Repaired, to_well_formed, transcode_lossy, transcode_lossy_len, transcode_lossy_uninit};
#[cfg(feature = "alloc")]
pub use repair::{
    from_utf8_lossy, from_utf8_lossy_owned, from_utf16_lossy, from_utf16be_lossy, from_utf16le_lossy, repair,
    transcode_lossy_append, transcode_lossy_cow, transcode_lossy_to_vec, unescape_surrogates,
};
pub(crate) use repair::{
    to_well_formed_on, transcode_lossy_len_on, transcode_lossy_on, transcode_lossy_uninit_on,
};
pub use replacement::{Replacement, UnknownReplacement};
pub(crate) use strict::{drive, transcode_on, transcode_uninit_on};
pub use strict::{transcode, transcode_partial, transcode_uninit};
#[cfg(feature = "alloc")]
pub use strict::{
    transcode_append, transcode_append_to_string, transcode_cow, transcode_to_str, transcode_to_string,
    transcode_to_vec,
};
#[cfg(feature = "alloc")]
pub(crate) use strict::{transcode_append_on, transcode_cow_on};
