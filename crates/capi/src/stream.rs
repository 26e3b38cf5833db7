//! Streams: texts that come in chunks, behind a handle.
//!
//! A handle is an `AnyTranscoder` with two things besides: the caller's replacement, which the transcoder borrows
//! and which therefore has to live as long, and the last error, which quotes bytes of chunks that may be gone.
//! It is allocated in `runecast_stream_new` and nowhere else; if there is no memory, that says so with a null
//! pointer.
//!
//! The replacement is kept as a raw pointer. A `Box` beside the transcoder would assert, whenever the handle is
//! moved, that nothing else refers to what is in it.

use std::alloc::{Layout, alloc};
use std::ffi::{c_char, c_void};

use runecast::{AnyTranscoder, Bom, Label, Policy, Reason, Scheme, Step};

use crate::boundary::{guard, input, output, text};
use crate::encoding::{label, number, scheme};
use crate::message;
use crate::policy::policy;
use crate::types::{BomNumber, Boms, Code, Codes, EncodingNumber, Outcome, PolicyNumber};

/// A conversion of a text that comes in chunks. One thread at a time may use it.
pub struct Stream {
    transcoder: AnyTranscoder<'static>,
    /// What the transcoder borrows: owned by this handle.
    replacement: Option<*mut str>,
    /// The last error.
    error: Option<Reason>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(replacement) = self.replacement {
            // SAFETY: it came from a box, in `runecast_stream_new_with`. The transcoder, which alone looks at it
            // besides, is not asked any more.
            drop(unsafe { Box::from_raw(replacement) });
        }
    }
}

impl Stream {
    /// A handle, or a null pointer if there is no memory: then the replacement is freed, as when a stream is dropped.
    fn boxed(transcoder: AnyTranscoder<'static>, replacement: Option<*mut str>) -> *mut Stream {
        let stream = Stream { transcoder, replacement, error: None };
        // SAFETY: a stream has a size; and what is written to is memory for one, if there was some.
        unsafe {
            let place = alloc(Layout::new::<Stream>()).cast::<Stream>();
            if !place.is_null() {
                place.write(stream);
            }
            place
        }
    }

    /// Wrong arguments: what was said of a call before is not said of this one.
    fn refuse(&mut self) -> Outcome {
        self.error = None;
        Outcome::of(Codes::RunecastBadArgument)
    }

    /// One step, told as C has it.
    fn step(&mut self, src: &[u8], dst: &mut [std::mem::MaybeUninit<u8>], last: bool) -> Outcome {
        let step = self.transcoder.transcode_uninit(src, dst, last);
        let Step { reason, read, written, replaced, first, fault_len, .. } = step;
        self.error = step.error();
        let outcome = match reason {
            None => Outcome::default(),
            Some(Reason::OutputFull) => Outcome::of(Codes::RunecastOutputFull),
            Some(reason) => Outcome::stopped(reason, fault_len),
        };
        let outcome = Outcome { read, written, ..outcome };
        // Where the output is full there may be replacements before, whose place is worth knowing.
        match (self.error, first) {
            (None, Some(at)) => Outcome { replaced, at, ..outcome },
            _ => outcome.repaired(replaced, first),
        }
    }
}

/// The encodings of a stream.
fn pair(from: EncodingNumber, to: EncodingNumber) -> Option<(Label, Scheme)> {
    Some((label(from)?, scheme(to)?))
}

/// A stream that stops at whatever is wrong; or a null pointer, if a number is no encoding, or there is no memory.
/// The source may be one of RUNECAST_UTF16_MARKED, RUNECAST_UTF32_MARKED and RUNECAST_WTF16_MARKED too.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn runecast_stream_new(from: EncodingNumber, to: EncodingNumber) -> *mut Stream {
    guard(core::ptr::null_mut, || match pair(from, to) {
        Some((from, to)) => Stream::boxed(AnyTranscoder::strict(from, to), None),
        None => core::ptr::null_mut(),
    })
}

/// A stream that never stops, and writes by a policy where the text is ill-formed; or a null pointer, if
/// a number is no encoding or no policy, or there is no memory.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn runecast_stream_new_lossy(
    from: EncodingNumber,
    to: EncodingNumber,
    policy: PolicyNumber,
) -> *mut Stream {
    guard(core::ptr::null_mut, || match (pair(from, to), self::policy(policy)) {
        (Some((from, to)), Some(policy)) => Stream::boxed(AnyTranscoder::lossy(from, to, policy), None),
        _ => core::ptr::null_mut(),
    })
}

/// The same, with a text of your own, in UTF-8, for each maximal subpart or unit that is ill-formed. The stream
/// keeps a copy of it.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_new_with(
    from: EncodingNumber,
    to: EncodingNumber,
    replacement: *const c_char,
    replacement_len: usize,
) -> *mut Stream {
    guard(core::ptr::null_mut, || {
        // SAFETY: the contract of the header.
        let replacement = unsafe { text(replacement, replacement_len) };
        let (Some((from, to)), Some(replacement)) = (pair(from, to), replacement) else {
            return core::ptr::null_mut();
        };
        let mut copy = String::new();
        if copy.try_reserve_exact(replacement.len()).is_err() {
            return core::ptr::null_mut();
        }
        copy.push_str(replacement);
        let copy = Box::into_raw(copy.into_boxed_str());
        // SAFETY: it stays where it is, and as it is, until the stream is dropped.
        let policy = Policy::With(unsafe { &*copy });
        Stream::boxed(AnyTranscoder::lossy(from, to, policy), Some(copy))
    })
}

/// Frees a stream. A null pointer is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_free(stream: *mut Stream) {
    if !stream.is_null() {
        // SAFETY: the contract of the header: it came from `Stream::boxed`, whose memory is that of a box, and
        // is freed once.
        guard(|| (), || drop(unsafe { Box::from_raw(stream) }));
    }
}

/// Says what is done with a byte order mark, of this text and all that follow it: to be called before the text begins, for within
/// one it only says what is done with the mark of the next. RUNECAST_BAD_ARGUMENT if the number is none of RUNECAST_BOM_KEEP
/// and so on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_bom(stream: *mut Stream, bom: BomNumber) -> Code {
    const BOMS: [(Boms, Bom); 3] = [
        (Boms::RunecastBomKeep, Bom::Keep),
        (Boms::RunecastBomStrip, Bom::Strip),
        (Boms::RunecastBomSniff, Bom::Sniff),
    ];
    let bom = BOMS.iter().find(|(number, _)| *number as BomNumber == bom);
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    let (Some(stream), Some((_, bom))) = (unsafe { stream.as_mut() }, bom) else {
        return Codes::RunecastBadArgument as Code;
    };
    guard(
        || Codes::RunecastInternal as Code,
        || {
            stream.transcoder = stream.transcoder.clone().with_bom(*bom);
            Codes::RunecastOk as Code
        },
    )
}

/// Converts as much of the next chunk as fits into the output. RUNECAST_OK: all of the chunk was read, and what
/// is only the beginning of a character waits in the stream. RUNECAST_OUTPUT_FULL: call it again with what is
/// left of the chunk, and more room; with six bytes of room or more there is progress always.
///
/// With another code the text is wrong at `at`, for `len` bytes; what is before it was written, and the
/// stream is after it then: you may write something of your own, and go on with the rest.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_feed(
    stream: *mut Stream,
    src: *const c_void,
    len: usize,
    dst: *mut c_void,
    room: usize,
) -> Outcome {
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    let stream = unsafe { stream.as_mut() };
    // SAFETY: the contract of the header.
    let slices = unsafe { input(src, len).and_then(|src| Some((src, output(dst, room, src)?))) };
    let Some(stream) = stream else { return Outcome::of(Codes::RunecastBadArgument) };
    let Some((src, dst)) = slices else { return stream.refuse() };
    guard(|| Outcome::of(Codes::RunecastInternal), || stream.step(src, dst, false))
}

/// Says that there are no more chunks, and writes what waits. RUNECAST_OUTPUT_FULL: call it again, with more
/// room. Behind RUNECAST_OK the stream is at the beginning of another text.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_finish(
    stream: *mut Stream,
    dst: *mut c_void,
    room: usize,
) -> Outcome {
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    let stream = unsafe { stream.as_mut() };
    // SAFETY: the contract of the header.
    let dst = unsafe { output(dst, room, &[]) };
    let Some(stream) = stream else { return Outcome::of(Codes::RunecastBadArgument) };
    let Some(dst) = dst else { return stream.refuse() };
    guard(|| Outcome::of(Codes::RunecastInternal), || stream.step(&[], dst, true))
}

/// Forgets what the stream has seen: the next chunk is the first one of another text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_restart(stream: *mut Stream) {
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    if let Some(stream) = unsafe { stream.as_mut() } {
        stream.error = None;
        guard(|| (), || stream.transcoder.restart());
    }
}

/// The encoding of the text: known from the beginning, unless a byte order mark tells; then as soon as it has been
/// seen, and 0 until then. When a text has ended it is still that of the text, until the next begins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_source(stream: *const Stream) -> EncodingNumber {
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    let stream = unsafe { stream.as_ref() };
    guard(|| 0, || stream.and_then(|stream| stream.transcoder.source()).map_or(0, number))
}

/// How many bytes of the text are done with: all that were read, but for those that wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_offset(stream: *const Stream) -> u64 {
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    unsafe { stream.as_ref() }.map_or(0, |stream| stream.transcoder.offset())
}

/// How many bytes wait for the next chunk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_waiting(stream: *const Stream) -> usize {
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    unsafe { stream.as_ref() }.map_or(0, |stream| stream.transcoder.waiting())
}

/// Writes a sentence about the error in the text that the last call for this stream returned, as runecast_explain() does; its
/// bytes are quoted, wherever they were. An empty string if there was none, as with RUNECAST_BAD_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_stream_explain(
    stream: *const Stream,
    out: *mut c_char,
    room: usize,
) -> usize {
    // SAFETY: the contract of the header: it is null, or a stream that nobody else uses.
    let error = unsafe { stream.as_ref() }.and_then(|stream| stream.error);
    guard(
        || 0,
        || {
            // SAFETY: the contract of the header.
            unsafe {
                message::write(out, room, &[], |line| match error {
                    Some(error) => message::reason(error, line),
                    None => Ok(()),
                })
            }
        },
    )
}
