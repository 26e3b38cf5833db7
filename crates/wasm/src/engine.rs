//! Validation, conversion, counts: each of the bytes in the input.

use runecast::{Kind, Policy, Reason, Replacement, Scheme, TranscodeError, ill_formed};

use crate::codes::{policy, scheme};
use crate::memory::{Field, Memory, NOWHERE, with};

/// All is well.
const FINE: u32 = 0;
/// The input is ill-formed: [`Field::At`], [`Field::Len`], and in the output the name of the rule and, on the next
/// line, a sentence.
const ILL_FORMED: u32 = 1;
/// The target has no form for a character: [`Field::At`], and the character is [`Field::Len`].
const UNREPRESENTABLE: u32 = 2;

/// Whether `len` bytes are well-formed. If more will follow, the beginning of a character at the end is not read.
#[unsafe(no_mangle)]
extern "C" fn validate(from: u32, len: usize, last: bool) -> u32 {
    with(|memory| {
        let src = memory.input(len);
        let src = if last { src } else { certain(scheme(from), src) };
        Field::Read.set(src.len());
        match scheme(from).validate(src) {
            Ok(()) => FINE,
            Err(error) if error.is_incomplete() && !last => {
                Field::Read.set(error.at);
                FINE
            }
            Err(error) => failed(&mut memory.output, Reason::IllFormed(error)),
        }
    })
}

/// Converts, by a policy or not at all where the input is ill-formed. What cannot be decided yet if more will follow
/// is not read.
#[unsafe(no_mangle)]
extern "C" fn transcode(from: u32, to: u32, errors: u32, len: usize, last: bool) -> u32 {
    with(|Memory { input, output, replacement, .. }| {
        let src = &input[..len.min(input.len())];
        convert(scheme(from), scheme(to), policy(errors, replacement), src, last, output)
    })
}

/// Converts to what a string is made of; [`Field::Width`] says which form that is. One byte for a unit only if the
/// text is ASCII, or if it is `narrow` that is wanted.
#[unsafe(no_mangle)]
extern "C" fn decode(from: u32, errors: u32, len: usize, last: bool, narrow: bool) -> u32 {
    with(|Memory { input, output, answer, replacement }| {
        let src = &input[..len.min(input.len())];
        let from = scheme(from);
        let ascii = matches!(from, Scheme::Utf8 | Scheme::Ascii | Scheme::Latin1)
            && Scheme::Ascii.validate(src).is_ok();
        let (to, width) = match from {
            _ if ascii => (None, 0),
            Scheme::Latin1 if narrow => (None, 1),
            // If there are other characters, that is mostly seen early.
            Scheme::Utf8 if narrow && !src.iter().take(32).any(|byte| *byte > LATIN1_LEAD) => {
                (Some(Scheme::Latin1), 1)
            }
            _ => (Some(Scheme::Utf16Le), 2),
        };
        Field::Width.set(width);
        let Some(to) = to else {
            Field::Read.set(src.len());
            Field::Replaced.set(0);
            Field::First.set(NOWHERE);
            *answer = Some(src.len());
            return FINE;
        };
        // Half a surrogate pair is a unit of a string like any other.
        let to = if to == Scheme::Utf16Le && from.has_surrogates() { Scheme::Wtf16Le } else { to };
        let policy = policy(errors, replacement);
        if width == 1 {
            // What is ill-formed, and what replaces it, may need the other form.
            if convert(from, to, None, src, last, output) == FINE {
                return FINE;
            }
            output.clear();
            Field::Width.set(2);
        }
        let to = if width == 1 { Scheme::Utf16Le } else { to };
        output.reserve(src.len().saturating_mul(2));
        convert(from, to, policy, src, last, output)
    })
}

/// The greatest lead byte of a character in Latin-1.
const LATIN1_LEAD: u8 = 0xC3;

/// Counts what the text is in characters ([`Field::Replaced`]), in UTF-16 ([`Field::First`]) and in UTF-8
/// ([`Field::At`]), with U+FFFD where it is ill-formed.
#[unsafe(no_mangle)]
extern "C" fn count(from: u32, len: usize, last: bool) -> u32 {
    with(|Memory { input, output, .. }| {
        let src = &input[..len.min(input.len())];
        let from = scheme(from);
        let text = if from == Scheme::Utf8 && from.validate(src).is_ok() {
            Field::Read.set(src.len());
            src
        } else {
            convert(from, Scheme::Utf8, Some(Policy::default()), src, last, output);
            &output[..]
        };
        let (characters, utf16) = characters_and_units(text);
        Field::Replaced.set(characters);
        Field::First.set(utf16);
        Field::At.set(text.len());
        FINE
    })
}

/// How many characters a text of well-formed UTF-8 has, and how many units of UTF-16.
fn characters_and_units(text: &[u8]) -> (usize, usize) {
    let (continuations, leads_of_four) = continuations_and_leads_of_four(text);
    let characters = text.len() - continuations;
    (characters, characters + leads_of_four)
}

/// With vectors, 16 bytes at a time. They are written out, as compilers make none of loops where size counts; so the library's own
/// loops, which are plain, are no better here.
#[cfg(target_feature = "simd128")]
fn continuations_and_leads_of_four(text: &[u8]) -> (usize, usize) {
    use core::arch::wasm32 as simd;

    /// The sum of 16 numbers of 8 bits.
    fn sum(bytes: simd::v128) -> usize {
        let words = simd::u32x4_extadd_pairwise_u16x8(simd::u16x8_extadd_pairwise_u8x16(bytes));
        let halves = simd::u64x2_add(words, simd::i64x2_shuffle::<1, 0>(words, words));
        (simd::u32x4_extract_lane::<0>(halves) + simd::u32x4_extract_lane::<1>(halves)) as usize
    }

    let (vectors, rest) = text.as_chunks::<16>();
    let (mut continuations, mut leads_of_four) = plain(rest);
    // A lane counts to 255.
    for vectors in vectors.chunks(255) {
        let mut sums = [simd::u8x16_splat(0); 2];
        for vector in vectors {
            let word = u128::from_le_bytes(*vector);
            let bytes = simd::u64x2(word as u64, (word >> 64) as u64);
            sums[0] = simd::u8x16_sub(sums[0], simd::i8x16_lt(bytes, simd::i8x16_splat(-0x40)));
            sums[1] = simd::u8x16_sub(sums[1], simd::u8x16_ge(bytes, simd::u8x16_splat(0xF0)));
        }
        continuations += sum(sums[0]);
        leads_of_four += sum(sums[1]);
    }
    (continuations, leads_of_four)
}

/// Without vectors, eight bytes at a time.
#[cfg(not(target_feature = "simd128"))]
fn continuations_and_leads_of_four(text: &[u8]) -> (usize, usize) {
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = text.as_chunks::<8>();
    let (mut continuations, mut leads_of_four) = plain(rest);
    for word in words {
        let word = u64::from_le_bytes(*word);
        // 10xxxxxx, and 1111xxxx: what is shifted out of a byte goes to the lowest bits of the next.
        continuations += (word & !(word << 1) & TOPS).count_ones() as usize;
        leads_of_four += (word & word << 1 & word << 2 & word << 3 & TOPS).count_ones() as usize;
    }
    (continuations, leads_of_four)
}

/// One byte at a time.
fn plain(bytes: &[u8]) -> (usize, usize) {
    let continuations = bytes.iter().filter(|byte| **byte & 0xC0 == 0x80).count();
    (continuations, bytes.iter().filter(|byte| **byte >= 0xF0).count())
}

/// Converts `src` to the end of `output`.
fn convert(
    from: Scheme,
    to: Scheme,
    policy: Option<Policy<'_>>,
    src: &[u8],
    last: bool,
    output: &mut Vec<u8>,
) -> u32 {
    let Some(policy) = policy else {
        let src = if last { src } else { certain(from, src) };
        Field::Replaced.set(0);
        Field::First.set(NOWHERE);
        Field::Read.set(src.len());
        return match from.transcode_append(to, src, output) {
            Ok(_) => FINE,
            Err(TranscodeError { reason: Reason::IllFormed(error), .. })
                if error.is_incomplete() && !last =>
            {
                Field::Read.set(error.at);
                FINE
            }
            Err(TranscodeError { reason, .. }) => failed(output, reason),
        };
    };
    let read = if last { src.len() } else { src.len() - waiting(from, policy, src) };
    let repaired = from.transcode_lossy_append(to, &src[..read], output, policy);
    Field::Read.set(read);
    Field::Replaced.set(repaired.replaced);
    Field::First.set(repaired.first.unwrap_or(NOWHERE));
    FINE
}

/// The text without a high surrogate at its end, which may be the half of a pair, where it may stand alone as well: what is well-formed
/// need not be all that there is to be of it. (Elsewhere it is an incomplete character, like any other.) Nor need a reserved sequence of
/// Corrected UTF-8, which goes on as long as no other begins, be all of it at the end.
pub(crate) fn certain(from: Scheme, src: &[u8]) -> &[u8] {
    let may_go_on = from.has_surrogates() || from == Scheme::CorrectedUtf8;
    let waiting = if may_go_on { waiting(from, Policy::default(), src) } else { 0 };
    &src[..src.len() - waiting]
}

/// How many bytes at the end have to wait for the next ones. For what the WHATWG wants, it is no more than the
/// beginning of a character: then what comes out at each step is what a `TextDecoder` gives. (Once in the module, for all that ask.)
#[inline(never)]
fn waiting(from: Scheme, policy: Policy<'_>, src: &[u8]) -> usize {
    let incomplete = from.incomplete_suffix(policy, src);
    if incomplete == 0 || from != Scheme::Utf8 || policy != Policy::Replace(Replacement::Whatwg) {
        return incomplete;
    }
    let end = ill_formed(&src[src.len() - incomplete..]).last();
    end.filter(|error| error.kind == Kind::Incomplete).map_or(0, |error| error.len)
}

/// Reports an error.
#[cold]
fn failed(output: &mut Vec<u8>, reason: Reason) -> u32 {
    output.clear();
    match reason {
        Reason::IllFormed(error) => {
            Field::At.set(error.at);
            Field::Len.set(error.len);
            output.extend_from_slice(format!("{}\n{}", error.kind, error.reason()).as_bytes());
            ILL_FORMED
        }
        Reason::Unrepresentable { at, character } => {
            Field::At.set(at);
            Field::Len.set(character as usize);
            UNREPRESENTABLE
        }
        Reason::UnrepresentableCodePoint { at, code_point } => {
            Field::At.set(at);
            Field::Len.set(code_point as usize);
            UNREPRESENTABLE
        }
        // Outputs grow here; and of what may be added to the reasons, nothing is known but that it is one.
        _ => UNREPRESENTABLE,
    }
}
