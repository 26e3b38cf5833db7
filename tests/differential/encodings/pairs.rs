//! Every ordered pair of encodings, as a value.
//!
//! The library knows pairs as types. Here the types are erased, once and by a macro: a [`Pair`] is
//! a row of function pointers over bytes, so that a test is a loop over rows and is compiled
//! once. Bytes become units by a cast that is checked; who passes them sees to the alignment.
//!
//! To compile every function of the library for every pair takes minutes, and proves little: a conversion into a
//! vector is the same few lines about the conversion into a slice, whatever the pair. So all pairs have the functions
//! that do the work, and some of them, in which each encoding is read and written several times, have every form of
//! these: [`Pair::has_forms`]. What is compiled is decided by `RUNECAST_TEST_PAIRS` in the environment of the
//! compiler: `all` for every form of every pair; `few` for the encodings that differ most, which is enough for
//! emulators and sanitizers; and what is said above without it.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use bytemuck::{cast_slice, cast_slice_mut};
use runecast::{
    Ascii, Cesu8, Engine, GeneralizedUtf8, IllFormed, Latin1, Mutf8, Policy, Repaired, Repertoire,
    TranscodeError, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le, WobblyCesu8, WobblyMutf8, Wtf8,
    Wtf16, Wtf16Be,
};

use crate::common::oracle::{self, Encoding};

/// What a conversion into a slice says.
pub type Outcome = Result<usize, TranscodeError>;

/// The same, and the vector with what was appended.
pub type Appended = (Outcome, Vec<u8>);

/// Units read and written, where a full output is no error.
pub type Partial = Result<(usize, usize), TranscodeError>;

/// A whole text, and whether it is the input itself.
pub type Lent<T> = Result<(T, bool), TranscodeError>;

/// What a repair into a slice says.
pub type Mended = Result<Repaired, TranscodeError>;

/// What a repair amounted to, and the vector with what was appended.
pub type Grown = (Repaired, Vec<u8>);

/// One encoding to another. Texts are bytes; all counts are in units, as the library has them.
#[derive(Clone, Copy)]
pub struct Pair {
    /// What is read.
    pub source: Encoding,
    /// What is written.
    pub target: Encoding,
    /// Whether it has the functions below that not all have; otherwise they panic.
    pub has_forms: bool,
    /// `Engine::transcode`.
    pub transcode: fn(Engine, &[u8], &mut [u8]) -> Outcome,
    /// `Engine::transcode_uninit`. Not all have it.
    pub uninit: fn(Engine, &[u8], &mut [u8]) -> Outcome,
    /// `Engine::transcode_append`, to a vector that holds the bytes given. Not all have it.
    pub append: fn(Engine, &[u8], &[u8]) -> Appended,
    /// `transcode`.
    pub face: fn(&[u8], &mut [u8]) -> Outcome,
    /// `transcode_uninit`. Not all have it.
    pub face_uninit: fn(&[u8], &mut [u8]) -> Outcome,
    /// `transcode_partial`: what was read and written. Not all have it.
    pub partial: fn(&[u8], &mut [u8]) -> Partial,
    /// `transcode_append`, to a vector that holds the bytes given. Not all have it.
    pub face_append: fn(&[u8], &[u8]) -> Appended,
    /// `transcode_to_vec`. Not all have it.
    pub to_vec: fn(&[u8]) -> Result<Vec<u8>, TranscodeError>,
    /// `transcode_cow`: the bytes, and whether they are borrowed. Not all have it.
    pub cow: fn(&[u8]) -> Lent<Vec<u8>>,
    /// `transcode_to_str` of the source: the text, and whether it is borrowed.
    pub to_str: fn(&[u8]) -> Lent<String>,
    /// `swap_byte_order` of the source.
    pub swap: fn(&mut [u8]),
    /// `Engine::transcode_lossy`. Not all have it.
    pub lossy: fn(Engine, &[u8], &mut [u8], Policy<'_>) -> Mended,
    /// `Engine::transcode_lossy_append`, to a vector that holds the bytes given.
    pub lossy_append: fn(Engine, &[u8], &[u8], Policy<'_>) -> Grown,
    /// `Engine::transcode_lossy_len`. Not all have it.
    pub lossy_len: fn(Engine, &[u8], Policy<'_>) -> Repaired,
    /// `transcode_lossy_cow`: the bytes, and whether they are borrowed. Not all have it.
    pub lossy_cow: fn(&[u8], Policy<'_>) -> (Vec<u8>, bool),
    /// `repair` of the source: the text, and whether it is borrowed.
    pub repair: fn(&[u8], Policy<'_>) -> (String, bool),
    /// `Policy::incomplete_suffix` of the source.
    pub incomplete_suffix: fn(&[u8], Policy<'_>) -> usize,
    /// `Engine::transcoded_len`.
    pub len: fn(Engine, &[u8]) -> usize,
    /// `transcoded_len`. Not all have it.
    pub face_len: fn(&[u8]) -> usize,
    /// `max_transcoded_len`.
    pub max_len: fn(usize) -> usize,
    /// `transcode_to_string` of the source.
    pub to_string: fn(&[u8]) -> Result<String, TranscodeError>,
    /// `Engine::count` of the source.
    pub count: fn(Engine, &[u8]) -> usize,
    /// `count` of the source.
    pub face_count: fn(&[u8]) -> usize,
    /// `Engine::repertoire` of the source.
    pub repertoire: fn(Engine, &[u8]) -> Repertoire,
    /// `Engine::fits` of the source.
    pub fits: fn(Engine, &[u8], Repertoire) -> bool,
    /// `Engine::validate` of the source.
    pub validate: fn(Engine, &[u8]) -> Result<(), IllFormed>,
    /// `validate` of the source.
    pub face_validate: fn(&[u8]) -> Result<(), IllFormed>,
}

/// Ties a type of the library to what the oracle knows of it.
trait Known: runecast::Encoding {
    const ORACLE: Encoding;
    /// Its number, by which some pairs are chosen.
    const NUMBER: usize;
    /// Whether it is among the few.
    const IS_OF_THE_FEW: bool;
}

macro_rules! known {
    ($($number:literal $type:ident $oracle:ident $few:literal)*) => {
        $(impl Known for $type {
            const ORACLE: Encoding = oracle::$oracle;
            const NUMBER: usize = $number;
            const IS_OF_THE_FEW: bool = $few;
        })*
    };
}

/// What `RUNECAST_TEST_PAIRS` asked the compiler for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Few,
    Default,
    All,
}

const WANTED: Wanted = match option_env!("RUNECAST_TEST_PAIRS") {
    None => Wanted::Default,
    Some(wanted) => match wanted.as_bytes() {
        b"all" => Wanted::All,
        b"default" => Wanted::Default,
        b"few" => Wanted::Few,
        _ => panic!("RUNECAST_TEST_PAIRS: expected all, default or few"),
    },
};

known! {
    0 Utf8 UTF8 true
    1 Utf16 UTF16 true
    2 Utf16Le UTF16LE true
    3 Utf16Be UTF16BE true
    4 Utf32 UTF32 true
    5 Utf32Le UTF32LE false
    6 Utf32Be UTF32BE false
    7 Latin1 LATIN1 true
    8 Ascii ASCII false
    9 Wtf8 WTF8 false
    10 Wtf16 WTF16 true
    11 Wtf16Be WTF16BE false
    12 GeneralizedUtf8 GENERALIZED true
    13 Cesu8 CESU8 true
    14 WobblyCesu8 WOBBLY_CESU8 false
    15 Mutf8 MUTF8 true
    16 WobblyMutf8 WOBBLY_MUTF8 false
}

macro_rules! pairs {
    (@flat [$($done:expr,)*] []) => { &[$($done,)*] };
    (@flat [$($done:expr,)*] [$sources:tt to $targets:tt; $($rest:tt)*]) => {
        pairs!(@each [$($done,)*] $sources $targets [$($rest)*])
    };
    (@each $done:tt [] $targets:tt $rest:tt) => { pairs!(@flat $done $rest) };
    (@each [$($done:expr,)*] [$source:ident $($more:ident)*] [$($target:ident)*] $rest:tt) => {
        pairs!(@each [$($done,)* $(pair::<$source, $target>(),)*] [$($more)*] [$($target)*] $rest)
    };
    ($($rows:tt)*) => { pairs!(@flat [] [$($rows)*]) };
}

/// Every pair of the encodings of Unicode, 81 of them, those from UTF-8 first; then those of the encodings
/// around them with each other, and with one of each kind; and whether they are pairs of the few.
///
/// Only the compiler looks at it, and compiles what it takes from it.
const TABLE: &[(Pair, bool)] = pairs! {
    [Utf8 Utf16 Utf16Le Utf16Be Utf32 Utf32Le Utf32Be Latin1 Ascii]
        to [Utf8 Utf16 Utf16Le Utf16Be Utf32 Utf32Le Utf32Be Latin1 Ascii];
    [Wtf8 Wtf16 GeneralizedUtf8 Cesu8 WobblyCesu8 WobblyMutf8]
        to [Wtf8 Wtf16 GeneralizedUtf8 Cesu8 WobblyCesu8 WobblyMutf8 Utf8 Utf16];
    [Utf8 Utf16] to [Wtf8 Wtf16 GeneralizedUtf8 Cesu8 WobblyCesu8 WobblyMutf8];
    [Mutf8] to [Mutf8 WobblyMutf8 Cesu8 GeneralizedUtf8 Utf8 Utf16 Latin1];
    [WobblyMutf8 Cesu8 GeneralizedUtf8 Utf8 Utf16 Latin1] to [Mutf8];
    [Wtf16Be] to [Wtf16Be Wtf16 Wtf8 GeneralizedUtf8 Utf8 Utf16Be];
    [Wtf16 Wtf8 GeneralizedUtf8 Utf8 Utf16Be] to [Wtf16Be];
    [Utf32 Latin1] to [Wtf8 Wtf16 Cesu8 WobblyMutf8];
    [Wtf8 Wtf16 Cesu8 WobblyMutf8] to [Utf32 Latin1];
};

/// How many of them are wanted.
const COUNT: usize = {
    let (mut at, mut count) = (0, 0);
    while at < TABLE.len() {
        count += if TABLE[at].1 || !matches!(WANTED, Wanted::Few) { 1 } else { 0 };
        at += 1;
    }
    count
};

/// The pairs. (As a constant it would be compiled once for each test that uses it; as a static in a program that does
/// not, for nothing.)
pub static PAIRS: &[Pair] = &{
    let mut pairs = [TABLE[0].0; COUNT];
    let (mut at, mut count) = (0, 0);
    while at < TABLE.len() {
        if TABLE[at].1 || !matches!(WANTED, Wanted::Few) {
            pairs[count] = TABLE[at].0;
            count += 1;
        }
        at += 1;
    }
    pairs
};

/// The pairs that have every form of every function.
pub fn with_forms() -> Vec<&'static Pair> {
    PAIRS.iter().filter(|pair| pair.has_forms).collect()
}

/// How many pairs from UTF-8 come first.
pub fn from_utf8() -> usize {
    PAIRS.iter().take_while(|pair| pair.source == oracle::UTF8).count()
}

/// Every encoding, by the pair of it with itself.
pub fn sources() -> impl Iterator<Item = &'static Pair> {
    PAIRS.iter().filter(|pair| pair.source == pair.target)
}

/// What stands in for a function that a pair does not have.
fn no_such_form() -> ! {
    panic!("this pair was not compiled in every form: see RUNECAST_TEST_PAIRS")
}

const fn pair<S: Known, D: Known>() -> (Pair, bool) {
    // As many pairs there as back.
    let is_chosen = (S::NUMBER + D::NUMBER) % 6 == 0 || S::NUMBER == 0 || D::NUMBER == 0;
    let has_forms = is_chosen || matches!(WANTED, Wanted::All);
    let pair = Pair {
        has_forms,
        source: S::ORACLE,
        target: D::ORACLE,
        transcode: |engine, src, dst| engine.transcode::<S, D>(cast_slice(src), cast_slice_mut(dst)),
        uninit: if has_forms {
            |engine, src, dst| engine.transcode_uninit::<S, D>(cast_slice(src), uninit(dst))
        } else {
            |_, _, _| no_such_form()
        },
        append: if has_forms {
            |engine, src, begin| {
                let mut dst = owned::<D>(begin);
                let outcome = engine.transcode_append::<S, D>(cast_slice(src), &mut dst);
                (outcome, cast_slice(&dst).to_vec())
            }
        } else {
            |_, _, _| no_such_form()
        },
        face: |src, dst| runecast::transcode::<S, D>(cast_slice(src), cast_slice_mut(dst)),
        face_uninit: if has_forms {
            |src, dst| runecast::transcode_uninit::<S, D>(cast_slice(src), uninit(dst))
        } else {
            |_, _| no_such_form()
        },
        partial: if has_forms {
            |src, dst| {
                let progress = runecast::transcode_partial::<S, D>(cast_slice(src), cast_slice_mut(dst))?;
                Ok((progress.read, progress.written))
            }
        } else {
            |_, _| no_such_form()
        },
        face_append: if has_forms {
            |src, begin| {
                let mut dst = owned::<D>(begin);
                let outcome = runecast::transcode_append::<S, D>(cast_slice(src), &mut dst);
                (outcome, cast_slice(&dst).to_vec())
            }
        } else {
            |_, _| no_such_form()
        },
        to_vec: if has_forms {
            |src| {
                let units = runecast::transcode_to_vec::<S, D>(cast_slice(src))?;
                Ok(cast_slice(&units).to_vec())
            }
        } else {
            |_| no_such_form()
        },
        cow: if has_forms {
            |src| {
                let units = runecast::transcode_cow::<S, D>(cast_slice(src))?;
                Ok((cast_slice(&units).to_vec(), matches!(units, Cow::Borrowed(_))))
            }
        } else {
            |_| no_such_form()
        },
        to_str: |src| {
            let text = runecast::transcode_to_str::<S>(cast_slice(src))?;
            let borrowed = matches!(text, Cow::Borrowed(_));
            Ok((text.into_owned(), borrowed))
        },
        lossy: if has_forms {
            |engine, src, dst, policy| {
                engine.transcode_lossy::<S, D>(cast_slice(src), cast_slice_mut(dst), policy)
            }
        } else {
            |_, _, _, _| no_such_form()
        },
        lossy_append: |engine, src, begin, policy| {
            let mut dst = owned::<D>(begin);
            let repaired = engine.transcode_lossy_append::<S, D>(cast_slice(src), &mut dst, policy);
            (repaired, cast_slice(&dst).to_vec())
        },
        lossy_len: if has_forms {
            |engine, src, policy| engine.transcode_lossy_len::<S, D>(cast_slice(src), policy)
        } else {
            |_, _, _| no_such_form()
        },
        lossy_cow: if has_forms {
            |src, policy| {
                let units = runecast::transcode_lossy_cow::<S, D>(cast_slice(src), policy);
                (cast_slice(&units).to_vec(), matches!(units, Cow::Borrowed(_)))
            }
        } else {
            |_, _| no_such_form()
        },
        repair: |src, policy| {
            let text = runecast::repair::<S>(cast_slice(src), policy);
            let borrowed = matches!(text, Cow::Borrowed(_));
            (text.into_owned(), borrowed)
        },
        incomplete_suffix: |src, policy| policy.incomplete_suffix::<S>(cast_slice(src)),
        swap: |text| runecast::swap_byte_order::<S>(cast_slice_mut(text)),
        len: |engine, src| engine.transcoded_len::<S, D>(cast_slice(src)),
        face_len: if has_forms {
            |src| runecast::transcoded_len::<S, D>(cast_slice(src))
        } else {
            |_| no_such_form()
        },
        max_len: runecast::max_transcoded_len::<S, D>,
        to_string: |src| runecast::transcode_to_string::<S>(cast_slice(src)),
        count: |engine, src| engine.count::<S>(cast_slice(src)),
        face_count: |src| runecast::count::<S>(cast_slice(src)),
        repertoire: |engine, src| engine.repertoire::<S>(cast_slice(src)),
        fits: |engine, src, repertoire| engine.fits::<S>(cast_slice(src), repertoire),
        validate: |engine, src| engine.validate::<S>(cast_slice(src)),
        face_validate: |src| runecast::validate::<S>(cast_slice(src)),
    };
    (pair, S::IS_OF_THE_FEW && D::IS_OF_THE_FEW)
}

/// A vector of units, with no spare capacity to speak of.
fn owned<D: Known>(bytes: &[u8]) -> Vec<D::Unit> {
    bytes.chunks_exact(size_of::<D::Unit>()).map(bytemuck::pod_read_unaligned).collect()
}

/// Bytes as units that need not be initialised.
fn uninit<U: bytemuck::Pod>(dst: &mut [u8]) -> &mut [MaybeUninit<U>] {
    let dst: &mut [U] = cast_slice_mut(dst);
    // SAFETY: the same memory and layout. Should the library write uninitialised units there, that
    // would be the bug that these tests are looking for.
    unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<U>]) }
}
