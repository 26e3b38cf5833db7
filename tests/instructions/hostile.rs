//! How instructions grow with hostile text: at most in proportion to its length.
//!
//! Every operation is counted on every pattern, of some bytes and of four times as many. Four times the work is expected, and up to
//! [`MOST`] times allowed: what is done once weighs more in the shorter text, so that less than four is nothing unusual. A loop
//! that looks at the rest of a text again at each error takes sixteen times as many.
//!
//! Between encodings chosen at run time no byte of a whole text may take more than [`MOST_OF_A_BYTE`] instructions on x86-64. `peerbench --
//! hostile` measures time, as a ratio to clean text; this is what notices without a clock that a loop for dense errors has become
//! slower. (When a slot of 32 bytes was written byte by byte, they were up to 167, and 138 since.)

use std::fmt::Write as _;
use std::mem::MaybeUninit;

use runecast::{
    AnyTranscoder, Cesu8, CorrectedUtf8, Encoding, Engine, Escape, Policy, Replacement, Scheme, Step,
    Transcoder, Utf8, Utf16Le, Utf32Le, Validator, ill_formed, validate,
};

use super::common::scale::size;
use super::{alone, count_instructions, engines};

/// Bytes of the shorter text.
const BYTES: usize = 256;

/// Times as many instructions, for four times as many bytes.
const MOST: f64 = 5.0;

/// The most instructions for a byte, in operations whose name begins with "dynamic, ": a seventh more than were counted.
const MOST_OF_A_BYTE: f64 = 158.0;

/// Patterns that errors, waiting units and reserved sequences are made of.
const PATTERNS: [(&str, &[u8]); 20] = [
    ("80", b"\x80"),
    ("BF", b"\xBF"),
    ("C3", b"\xC3"),
    ("C3 61", b"\xC3a"),
    ("E0 80", b"\xE0\x80"),
    ("ED A0 80", b"\xED\xA0\x80"),
    ("ED B0 80 ED A0 80", b"\xED\xB0\x80\xED\xA0\x80"),
    ("EF BF BF", b"\xEF\xBF\xBF"),
    ("EF B7 B0", b"\xEF\xB7\xB0"),
    ("F0 80 80 80", b"\xF0\x80\x80\x80"),
    ("F0 9F 92", b"\xF0\x9F\x92"),
    ("FD BF BF BF BF BF", b"\xFD\xBF\xBF\xBF\xBF\xBF"),
    ("FE", b"\xFE"),
    ("FF 61", b"\xFFa"),
    ("FF 80 x 12", b"\xFF\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"),
    ("FF in 32", b"a text, in which there is one\xFF, \n"),
    ("00 D8", b"\0\xD8"),
    ("00 DC 00 D8", b"\0\xDC\0\xD8"),
    ("00 00 11 00", b"\0\0\x11\0"),
    ("text", b"text. "),
];

/// What is done with a text. It neither allocates nor locks anything.
type Work = fn(&[u8], &mut [MaybeUninit<u8>]);

/// Drives a stream through `text`: chunks of so many bytes, and outputs of so many.
fn drive(
    text: &[u8],
    chunk: usize,
    room: &mut [MaybeUninit<u8>],
    mut step: impl FnMut(&[u8], &mut [MaybeUninit<u8>], bool) -> Step,
) {
    let mut chunks = text.chunks(chunk).peekable();
    while let Some(mut rest) = chunks.next() {
        let last = chunks.peek().is_none();
        loop {
            let step = step(rest, room, last);
            rest = &rest[step.read..];
            if step.reason.is_none() {
                break;
            }
        }
    }
}

/// A stream by this policy, or a strict one, with all of the text in a chunk and little room.
fn narrow<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(
    text: &[u8],
    room: &mut [MaybeUninit<u8>],
    policy: Option<Policy<'_>>,
) {
    let mut stream = policy.map_or_else(Transcoder::<S, D>::strict, Transcoder::lossy);
    drive(text, usize::MAX, &mut room[..64], |src, dst, last| stream.transcode_uninit(src, dst, last));
}

fn lossy<S: Encoding<Unit = u8>, D: Encoding<Unit = u8>>(
    text: &[u8],
    room: &mut [MaybeUninit<u8>],
    policy: Policy<'_>,
) {
    assert!(runecast::transcode_lossy_uninit::<S, D>(text, room, policy).is_ok());
}

fn dynamic(from: Scheme, to: Scheme, text: &[u8], room: &mut [MaybeUninit<u8>], policy: Policy<'_>) {
    assert!(from.transcode_lossy_uninit(to, text, room, policy).is_ok());
}

const WHATWG: Policy<'_> = Policy::Replace(Replacement::Whatwg);
const PERL: Policy<'_> = Policy::Replace(Replacement::Perl5);
const ICU: Policy<'_> = Policy::Replace(Replacement::Icu55);
const BACKSLASH: Policy<'_> = Policy::Escape(Escape::Backslash);

/// The operations.
const OPERATIONS: [(&str, Work); 32] = [
    ("ill_formed", |text, _| assert!(ill_formed(text).count() <= text.len())),
    ("validate Corrected UTF-8", |text, _| {
        let _ = validate::<CorrectedUtf8>(text);
    }),
    ("Validator, byte by byte", |text, _| {
        let mut validator = Validator::<Utf8>::new();
        assert!(
            text.iter().filter(|byte| validator.push(std::slice::from_ref(byte)).is_ok()).count()
                <= text.len()
        );
    }),
    ("UTF-8, whatwg", |text, room| lossy::<Utf8, Utf8>(text, room, WHATWG)),
    ("UTF-8, perl5", |text, room| lossy::<Utf8, Utf8>(text, room, PERL)),
    ("UTF-8, icu55", |text, room| lossy::<Utf8, Utf16Le>(text, room, ICU)),
    ("UTF-8, backslash", |text, room| lossy::<Utf8, Utf8>(text, room, BACKSLASH)),
    ("UTF-8, a text", |text, room| lossy::<Utf8, Utf32Le>(text, room, Policy::With("<?>"))),
    ("Corrected UTF-8, whatwg", |text, room| lossy::<CorrectedUtf8, Utf8>(text, room, WHATWG)),
    ("Corrected UTF-8, backslash", |text, room| lossy::<CorrectedUtf8, Utf8>(text, room, BACKSLASH)),
    ("UTF-16, whatwg", |text, room| lossy::<Utf16Le, Utf8>(text, room, WHATWG)),
    ("CESU-8, whatwg", |text, room| lossy::<Cesu8, Utf8>(text, room, WHATWG)),
    ("stream of UTF-8, whatwg", |text, room| narrow::<Utf8, Utf8>(text, room, Some(WHATWG))),
    ("stream of UTF-8, perl5", |text, room| narrow::<Utf8, Utf8>(text, room, Some(PERL))),
    ("stream of UTF-8, strict", |text, room| narrow::<Utf8, Utf16Le>(text, room, None)),
    ("stream of UTF-16, whatwg", |text, room| narrow::<Utf16Le, Utf8>(text, room, Some(WHATWG))),
    ("stream of Corrected UTF-8, whatwg", |text, room| {
        narrow::<CorrectedUtf8, Utf8>(text, room, Some(WHATWG))
    }),
    ("stream of Corrected UTF-8, backslash", |text, room| {
        narrow::<CorrectedUtf8, Utf16Le>(text, room, Some(BACKSLASH));
    }),
    ("stream of Corrected UTF-8, strict", |text, room| narrow::<CorrectedUtf8, Utf8>(text, room, None)),
    ("stream of UTF-8, byte by byte", |text, room| {
        let mut stream = Transcoder::<Utf8, Utf8>::lossy(ICU);
        drive(text, 1, room, |src, dst, last| stream.transcode_uninit(src, dst, last));
    }),
    ("dynamic, Corrected UTF-8 to CESU-8", |text, room| {
        dynamic(Scheme::CorrectedUtf8, Scheme::Cesu8, text, room, BACKSLASH);
    }),
    ("dynamic, UTF-16LE to ASCII", |text, room| dynamic(Scheme::Utf16Le, Scheme::Ascii, text, room, WHATWG)),
    ("dynamic, CESU-8 to Latin-1", |text, room| dynamic(Scheme::Cesu8, Scheme::Latin1, text, room, WHATWG)),
    ("dynamic stream, modified UTF-8", |text, room| {
        let mut stream = AnyTranscoder::lossy(Scheme::Mutf8, Scheme::Utf16Be, BACKSLASH);
        drive(text, usize::MAX, &mut room[..64], |src, dst, last| stream.transcode_uninit(src, dst, last));
    }),
    ("dynamic, UTF-16LE to UTF-16BE, backslash", |text, room| {
        dynamic(Scheme::Utf16Le, Scheme::Utf16Be, text, room, BACKSLASH);
    }),
    ("dynamic, CESU-8 to UTF-16LE, backslash", |text, room| {
        dynamic(Scheme::Cesu8, Scheme::Utf16Le, text, room, BACKSLASH);
    }),
    ("dynamic, Corrected UTF-8 to UTF-16LE", |text, room| {
        dynamic(Scheme::CorrectedUtf8, Scheme::Utf16Le, text, room, WHATWG);
    }),
    ("dynamic, WTF-8 to UTF-16BE, a text", |text, room| {
        dynamic(Scheme::Wtf8, Scheme::Utf16Be, text, room, Policy::With("<?>"));
    }),
    ("dynamic, Latin-1 to ASCII, surrogate", |text, room| {
        dynamic(Scheme::Latin1, Scheme::Ascii, text, room, Policy::Escape(Escape::Surrogate));
    }),
    ("dynamic stream, UTF-32LE, backslash", |text, room| {
        let mut stream = AnyTranscoder::lossy(Scheme::Utf32Le, Scheme::Latin1, BACKSLASH);
        drive(text, usize::MAX, &mut room[..64], |src, dst, last| stream.transcode_uninit(src, dst, last));
    }),
    ("dynamic stream, ASCII, a text", |text, room| {
        let mut stream = AnyTranscoder::lossy(Scheme::Ascii, Scheme::Utf16Le, Policy::With("<text>"));
        drive(text, usize::MAX, &mut room[..64], |src, dst, last| stream.transcode_uninit(src, dst, last));
    }),
    ("dynamic stream, byte by byte", |text, room| {
        let mut stream = AnyTranscoder::lossy(Scheme::CorrectedUtf8, Scheme::Utf16Le, BACKSLASH);
        drive(text, 1, room, |src, dst, last| stream.transcode_uninit(src, dst, last));
    }),
];

#[test]
fn hostile_text_takes_time_in_proportion() {
    let _alone = alone();
    if cfg!(debug_assertions) {
        println!("skipped: not an optimised build");
        return;
    }
    if count_instructions(|| ()).is_none() {
        println!("skipped: no single steps (ptrace) here, and no meter of an emulator");
        return;
    }
    if engines().iter().all(|engine| engine.isa() != Engine::current().isa()) {
        println!("skipped: {} is not among those that are asked for", Engine::current().isa());
        return;
    }
    println!("instructions for a byte of {BYTES} and of {} bytes, of {}", 4 * BYTES, Engine::current().isa());
    // A byte becomes at most four characters of four bytes.
    let mut room = vec![MaybeUninit::uninit(); 4 * 16 * BYTES];
    let mut failures = String::new();
    // Each step takes microseconds, unless an emulator counts: so every operation on some patterns, or some on one, and all of
    // them at full scale. (3 shares no factor with these numbers.)
    let some = size(1, 10, 50);
    for (number, (name, work)) in OPERATIONS.into_iter().enumerate() {
        let mut worst = (0.0, String::new());
        for (pattern, unit) in PATTERNS.into_iter().skip(3 * number % some).step_by(some) {
            let text: Vec<u8> = unit.iter().copied().cycle().take(4 * BYTES).collect();
            // What is done only once is done before.
            work(&text, &mut room);
            let mut count = |text: &[u8]| {
                count_instructions(|| work(text, &mut room)).expect("steps can be counted") as f64
            };
            let (short, long) = (count(&text[..BYTES]), count(&text));
            let growth = long / short;
            let row = format!(
                "{name:>41}, {pattern:<20} {:>8.2} {:>8.2}  × {growth:.2}",
                short / BYTES as f64,
                long / (4 * BYTES) as f64
            );
            let of_a_byte = long / (4 * BYTES) as f64;
            let is_bounded = cfg!(target_arch = "x86_64") && name.starts_with("dynamic, ");
            if growth > MOST || (is_bounded && of_a_byte > MOST_OF_A_BYTE) {
                let _ = writeln!(failures, "{row}");
            }
            if growth > worst.0 {
                worst = (growth, row);
            }
        }
        if !worst.1.is_empty() {
            println!("{}", worst.1);
        }
    }
    assert!(
        failures.is_empty(),
        "more than {MOST} times as many for four times the text, or {MOST_OF_A_BYTE} for a byte:\n{failures}"
    );
}
