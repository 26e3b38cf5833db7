//! Lengths and counts.

use std::ffi::c_void;

use runecast::{Repertoire, Scheme};

use crate::boundary::{guard, input};
use crate::encoding::scheme;
use crate::policy::policy;
use crate::types::{Codes, EncodingNumber, Outcome, PolicyNumber, RepertoireNumber, Repertoires};

/// The encoding and the text.
///
/// # Safety
/// As for [`input`].
unsafe fn known<'a>(encoding: EncodingNumber, src: *const c_void, len: usize) -> Option<(Scheme, &'a [u8])> {
    // SAFETY: the caller's promise.
    Some((scheme(encoding)?, unsafe { input(src, len) }?))
}

/// The number of characters in a well-formed text. Of ill-formed text, the number of code units that may begin
/// a character. 0 for a bad argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_count(encoding: EncodingNumber, src: *const c_void, len: usize) -> usize {
    // SAFETY: the contract of the header.
    let known = unsafe { known(encoding, src, len) };
    guard(|| 0, || known.map_or(0, |(scheme, src)| scheme.count(src)))
}

/// The number of bytes that runecast_transcode() writes for a well-formed text whose characters all have a form
/// in `to`. For other text it is at least what is written before the error. 0 for a bad argument.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_transcoded_len(
    from: EncodingNumber,
    src: *const c_void,
    len: usize,
    to: EncodingNumber,
) -> usize {
    // SAFETY: the contract of the header.
    let known = unsafe { known(from, src, len) };
    let (Some((from, src)), Some(to)) = (known, scheme(to)) else { return 0 };
    guard(|| 0, || from.transcoded_len(to, src))
}

/// An upper bound of the bytes that any well-formed text of `len` bytes has in `to`; the greatest number there is
/// if it is beyond. 0 for a bad argument.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_max_transcoded_len(from: EncodingNumber, len: usize, to: EncodingNumber) -> usize {
    let (Some(from), Some(to)) = (scheme(from), scheme(to)) else { return 0 };
    from.max_transcoded_len(to, len)
}

/// What runecast_transcode_lossy() would write, without writing it: `written`, `replaced` and `at` are as it
/// would return them. It takes as long.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_transcode_lossy_len(
    from: EncodingNumber,
    src: *const c_void,
    len: usize,
    to: EncodingNumber,
    policy: PolicyNumber,
) -> Outcome {
    // SAFETY: the contract of the header.
    let known = unsafe { known(from, src, len) };
    let (Some((from, src)), Some(to), Some(policy)) = (known, scheme(to), self::policy(policy)) else {
        return Outcome::of(Codes::RunecastBadArgument);
    };
    guard(
        || Outcome::of(Codes::RunecastInternal),
        || Outcome::of_repair(src.len(), from.transcode_lossy_len(to, src, policy)),
    )
}

/// The numbers of the repertoires.
const REPERTOIRES: [(Repertoires, Repertoire); 4] = [
    (Repertoires::RunecastRepertoireAscii, Repertoire::Ascii),
    (Repertoires::RunecastRepertoireLatin1, Repertoire::Latin1),
    (Repertoires::RunecastRepertoireBmp, Repertoire::Bmp),
    (Repertoires::RunecastRepertoireUnicode, Repertoire::Unicode),
];

/// The smallest repertoire that holds a well-formed text. 0 for a bad argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_repertoire_of(
    encoding: EncodingNumber,
    src: *const c_void,
    len: usize,
) -> RepertoireNumber {
    // SAFETY: the contract of the header.
    let known = unsafe { known(encoding, src, len) };
    guard(
        || 0,
        || {
            let repertoire = known.map(|(scheme, src)| scheme.repertoire(src));
            REPERTOIRES
                .iter()
                .find(|(_, known)| Some(*known) == repertoire)
                .map_or(0, |(number, _)| *number as RepertoireNumber)
        },
    )
}

/// Whether all characters of a well-formed text are in a repertoire. It ends soon after the first that is not.
/// False for a bad argument.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_fits(
    encoding: EncodingNumber,
    src: *const c_void,
    len: usize,
    repertoire: RepertoireNumber,
) -> bool {
    // SAFETY: the contract of the header.
    let known = unsafe { known(encoding, src, len) };
    let repertoire = REPERTOIRES.iter().find(|(number, _)| *number as RepertoireNumber == repertoire);
    let (Some((scheme, src)), Some((_, repertoire))) = (known, repertoire) else { return false };
    guard(|| false, || scheme.fits(src, *repertoire))
}
