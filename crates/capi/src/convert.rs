//! Conversions of a whole text at once.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;

use runecast::{Encoding, Policy, Reason, Scheme, TranscodeError, Utf8, Utf16Le, transcode_uninit};

use crate::boundary::{guard, input, output, overlap, text};
use crate::encoding::scheme;
use crate::policy::policy;
use crate::types::{Codes, EncodingNumber, Outcome, PolicyNumber};

/// What all conversions are given.
struct Job<'a> {
    from: Scheme,
    src: &'a [u8],
    to: Scheme,
    dst: &'a mut [MaybeUninit<u8>],
}

/// # Safety
/// As for [`input`] and [`output`].
#[inline]
unsafe fn job<'a>(
    (from, src, len): (EncodingNumber, *const c_void, usize),
    (to, dst, room): (EncodingNumber, *mut c_void, usize),
) -> Option<Job<'a>> {
    let (from, to) = (scheme(from)?, scheme(to)?);
    // SAFETY: the caller's promise.
    unsafe {
        let src = input(src, len)?;
        Some(Job { from, src, to, dst: output(dst, room, src)? })
    }
}

/// What is in the way, at `error.read`.
#[cold]
fn stopped(from: Scheme, src: &[u8], error: TranscodeError) -> Outcome {
    let TranscodeError { read, written, reason, .. } = error;
    let step = match reason {
        Reason::IllFormed(_) | Reason::OutputFull => 0,
        _ => src.get(read..).map_or(0, |rest| from.step(rest)),
    };
    Outcome { read, written, ..Outcome::stopped(reason, step) }
}

impl Job<'_> {
    fn repair(self, policy: Policy<'_>) -> Outcome {
        guard(
            || Outcome::of(Codes::RunecastInternal),
            || match self.from.transcode_lossy_uninit(self.to, self.src, self.dst, policy) {
                Ok(repaired) => Outcome::of_repair(self.src.len(), repaired),
                Err(error) => Outcome::of_partial_repair(error),
            },
        )
    }
}

/// A pair that is called most, by its types: by values, a text of 15 bytes takes a quarter longer.
#[inline]
fn typed<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(
    from: Scheme,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Outcome {
    match transcode_uninit::<S, D>(src, dst) {
        Ok(written) => Outcome::ok(src.len(), written),
        Err(error) => stopped(from, src, error),
    }
}

/// Converts a text, strictly, into an output with room for `room` bytes. It stops where the text is ill-formed,
/// at a character that `to` has no form for, and where the output is full: `read` and `written` are then what
/// was converted up to there, always whole characters, and a later call may go on with the rest. Bytes
/// of the output after those written may be changed too, up to `room`.
///
/// runecast_transcoded_len() gives the exact length of the output, runecast_max_transcoded_len() an upper bound.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_transcode(
    from: EncodingNumber,
    src: *const c_void,
    len: usize,
    to: EncodingNumber,
    dst: *mut c_void,
    room: usize,
) -> Outcome {
    // SAFETY: the contract of the header.
    let job = unsafe { job((from, src, len), (to, dst, room)) };
    let Some(Job { from, src, to, dst }) = job else { return Outcome::of(Codes::RunecastBadArgument) };
    guard(
        || Outcome::of(Codes::RunecastInternal),
        || match (from, to) {
            (Scheme::Utf8, Scheme::Utf16Le) => typed::<Utf8, Utf16Le>(from, src, dst),
            (Scheme::Utf16Le, Scheme::Utf8) => typed::<Utf16Le, Utf8>(from, src, dst),
            _ => match from.transcode_partial_uninit(to, src, dst) {
                Ok(progress) if progress.read == src.len() => Outcome::ok(progress.read, progress.written),
                Ok(progress) => Outcome {
                    code: Codes::RunecastOutputFull as u32,
                    ..Outcome::ok(progress.read, progress.written)
                },
                Err(error) => stopped(from, src, error),
            },
        },
    )
}

/// Converts a text, and writes by a policy where it is ill-formed; a character that `to` has no form for becomes
/// a question mark. `replaced` is how often that was, and `at` where first. The only code besides RUNECAST_OK is
/// RUNECAST_OUTPUT_FULL: `read` and `written` are then whole characters and whole replacements, and `replaced` and
/// `at` are about these. What it has to write in all is said by runecast_transcode_lossy_len(); to go on piece by piece, make a stream.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_transcode_lossy(
    from: EncodingNumber,
    src: *const c_void,
    len: usize,
    to: EncodingNumber,
    dst: *mut c_void,
    room: usize,
    policy: PolicyNumber,
) -> Outcome {
    // SAFETY: the contract of the header.
    let job = unsafe { job((from, src, len), (to, dst, room)) };
    let (Some(job), Some(policy)) = (job, self::policy(policy)) else {
        return Outcome::of(Codes::RunecastBadArgument);
    };
    job.repair(policy)
}

/// The same, with a text of your own, in UTF-8, for each maximal subpart or unit that is ill-formed.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_transcode_with(
    from: EncodingNumber,
    src: *const c_void,
    len: usize,
    to: EncodingNumber,
    dst: *mut c_void,
    room: usize,
    replacement: *const c_char,
    replacement_len: usize,
) -> Outcome {
    // SAFETY: the contract of the header.
    let (job, replacement) =
        unsafe { (job((from, src, len), (to, dst, room)), text(replacement, replacement_len)) };
    let (Some(job), Some(replacement)) = (job, replacement) else {
        return Outcome::of(Codes::RunecastBadArgument);
    };
    // It is read as long as something is written.
    if overlap(replacement.as_bytes(), dst, room) {
        return Outcome::of(Codes::RunecastBadArgument);
    }
    job.repair(Policy::With(replacement))
}
