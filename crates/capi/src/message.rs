//! What went wrong, in words.
//!
//! A code has one sentence, a static string. The sentence about an error in a text,
//! with the place and the bytes, is the library's own; it is written to a buffer of the caller. For that
//! the text has to be passed again, since an [`Outcome`] does not hold the bytes; without the text,
//! the sentence has the offset and the rule alone.

use std::ffi::{CStr, c_char, c_void};
use std::fmt::{self, Write};

use runecast::Reason;

use crate::boundary::{guard, input, output};
use crate::encoding::scheme;
use crate::types::{Code, Codes, EncodingNumber, Outcome, code};

/// A name with the zero after it that C wants.
pub(crate) const fn terminated<const N: usize>(name: &str) -> [u8; N] {
    let (mut room, name) = ([0; N], name.as_bytes());
    assert!(name.len() < N);
    let mut at = 0;
    while at < name.len() {
        room[at] = name[at];
        at += 1;
    }
    room
}

/// The sentences.
const MESSAGES: [(Codes, &CStr); 22] = [
    (Codes::RunecastOk, c"all is well"),
    (Codes::RunecastOutputFull, c"the output is full"),
    (Codes::RunecastUnrepresentable, c"the target encoding has no form for a character"),
    (Codes::RunecastBadArgument, c"a wrong argument"),
    (Codes::RunecastUnavailable, c"this CPU does not run these kernels"),
    (Codes::RunecastInternal, c"an error in the library"),
    (Codes::RunecastIllFormed, c"ill-formed"),
    (Codes::RunecastUnexpectedContinuation, c"a continuation byte where a character should begin"),
    (Codes::RunecastOverlongLead, c"a lead byte that could only begin an overlong form"),
    (Codes::RunecastInvalidLead, c"a byte with which no character begins"),
    (Codes::RunecastOverlong, c"an overlong form"),
    (Codes::RunecastSurrogate, c"a surrogate, which is no character"),
    (Codes::RunecastAboveMaximum, c"a code point above U+10FFFF"),
    (Codes::RunecastTruncated, c"a character that is cut short"),
    (Codes::RunecastIncomplete, c"the input ends in the middle of a character"),
    (Codes::RunecastUnpairedHigh, c"a high surrogate with no low one behind it"),
    (Codes::RunecastUnpairedLow, c"a low surrogate with no high one before it"),
    (Codes::RunecastNotAscii, c"a byte above 7F, which is not ASCII"),
    (Codes::RunecastSurrogatePair, c"two surrogates that must be written as one character of four bytes"),
    (Codes::RunecastFourByteLead, c"a character of four bytes, which must be written as two surrogates"),
    (Codes::RunecastReserved, c"a sequence that is reserved for future use"),
    (Codes::RunecastRawNul, c"a byte 00, where U+0000 is C0 80"),
];

/// What a code means, in a few words of English that are never freed; "an unknown code" for numbers that are none.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_message(code: Code) -> *const c_char {
    message(code).as_ptr()
}

fn message(code: Code) -> &'static CStr {
    let known = MESSAGES.iter().find(|(known, _)| *known as Code == code);
    known.map_or(c"an unknown code", |(_, message)| message)
}

/// Writes a sentence about a result, with place and bytes, as a string with a zero at its end; returns its length
/// without the zero. If that is not less than `room`, it was cut, between characters, to what fits. With `room`
/// 0 nothing is written.
///
/// `src` is the text that the result is about, whose bytes are then quoted; it may be null, and is not
/// needed if the result is that of a stream, which has runecast_stream_explain(). Of a result that is null there is
/// nothing to say: an empty string. Where `out` overlaps `src`, 0 is returned and nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_explain(
    result: *const Outcome,
    encoding: EncodingNumber,
    src: *const c_void,
    len: usize,
    out: *mut c_char,
    room: usize,
) -> usize {
    guard(
        || 0,
        || {
            // SAFETY: the contract of the header: it is null, or a result is there to be read. It is copied, so that it may lie in `out`.
            let result = unsafe { result.as_ref() }.copied();
            // SAFETY: the contract of the header.
            let src = unsafe { input(src, if src.is_null() { 0 } else { len }) }.unwrap_or_default();
            let about =
                |out: &mut Line<'_>| result.map_or(Ok(()), |result| about(&result, encoding, src, out));
            // SAFETY: as above.
            unsafe { write(out, room, src, about) }
        },
    )
}

/// The longest sequence that an error looks at has six bytes, with one after it.
const LOOK: usize = 32;

/// The sentence about a result.
fn about(result: &Outcome, encoding: EncodingNumber, src: &[u8], out: &mut Line<'_>) -> fmt::Result {
    if result.code >= Codes::RunecastIllFormed as Code {
        let rest = src.get(result.at..).unwrap_or_default();
        let again = scheme(encoding).map(|scheme| scheme.validate(&rest[..rest.len().min(LOOK)]));
        return match again {
            Some(Err(mut error)) if error.at == 0 && code(error.kind) == result.code => {
                error.at = result.at;
                error.len = result.len;
                write!(out, "{error}")
            }
            // Another text, or none.
            _ => {
                let message = message(result.code).to_string_lossy();
                write!(out, "ill-formed at byte {}: {message}", result.at)
            }
        };
    }
    if result.code == Codes::RunecastUnrepresentable as Code {
        return unrepresentable(result.at, result.code_point, out);
    }
    if result.code == Codes::RunecastOutputFull as Code {
        let Outcome { read, written, .. } = *result;
        return write!(out, "the output is full after {written} bytes, with {read} of the input converted");
    }
    match (result.code, result.replaced) {
        (0, 1..) => write!(out, "{} replaced, the first at byte {}", result.replaced, result.at),
        _ => out.write_str(&message(result.code).to_string_lossy()),
    }
}

fn unrepresentable(at: usize, code_point: u32, out: &mut Line<'_>) -> fmt::Result {
    write!(out, "at byte {at}: the target encoding has no form for U+{code_point:04X}")
}

/// The sentence about why a conversion stopped.
pub(crate) fn reason(reason: Reason, out: &mut Line<'_>) -> fmt::Result {
    match reason {
        Reason::IllFormed(error) => write!(out, "{error}"),
        Reason::Unrepresentable { at, character } => unrepresentable(at, character.into(), out),
        Reason::UnrepresentableCodePoint { at, code_point } => unrepresentable(at, code_point, out),
        _ => out.write_str("the output is full"),
    }
}

/// A line of the caller's, written as far as it fits and counted beyond.
pub(crate) struct Line<'a> {
    room: &'a mut [std::mem::MaybeUninit<u8>],
    written: usize,
    len: usize,
}

impl Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // What follows a cut does not follow what was cut off.
        if self.written == self.len {
            let mut fits = text.len().min(self.room.len() - self.written);
            while !text.is_char_boundary(fits) {
                fits -= 1;
            }
            for (to, byte) in self.room[self.written..].iter_mut().zip(&text.as_bytes()[..fits]) {
                to.write(*byte);
            }
            self.written += fits;
        }
        self.len += text.len();
        Ok(())
    }
}

/// Lets `say`, which looks at `src`, write a C string into `room` bytes at `out`; returns the length of what it had to say, and 0 if
/// that is no [`output`].
///
/// # Safety
/// If `out` is not null, so many bytes must be writable there, and be touched by nobody else meanwhile.
pub(crate) unsafe fn write(
    out: *mut c_char,
    room: usize,
    src: &[u8],
    say: impl FnOnce(&mut Line<'_>) -> fmt::Result,
) -> usize {
    // Without a place the length alone is asked for.
    let room = if out.is_null() { 0 } else { room };
    // SAFETY: the caller's promise.
    let Some(room) = (unsafe { output(out.cast(), room, src) }) else { return 0 };
    match room.split_last_mut() {
        None => {
            let mut line = Line { room: &mut [], written: 0, len: 0 };
            // A line takes whatever it is given.
            let _ = say(&mut line);
            line.len
        }
        Some((_, most)) => {
            let mut line = Line { room: most, written: 0, len: 0 };
            let _ = say(&mut line);
            let (written, len) = (line.written, line.len);
            room[written].write(0);
            len
        }
    }
}
