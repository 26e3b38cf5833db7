//! Every ordered pair of encodings, as a value.
//!
//! The library knows pairs as types. Here the types are erased, once and by a macro: a [`Pair`] is
//! a row of function pointers over bytes, so that a test is a loop over rows and is compiled
//! once. Bytes become units by a cast that is checked; who passes them sees to the alignment.
//!
//! To compile every function of the library for every pair takes many minutes, and proves little: a conversion into a
//! vector is the same few lines about the conversion into a slice, whatever the pair. So all pairs have the strict
//! conversion into a slice, and some of them, in which each encoding is read and written several times, have every
//! other form of it, repair among them: [`Pair::has_forms`]. Encodings that differ from another only in the order of
//! bytes, or in what they allow, are left out. What is compiled is decided by `RUNECAST_TEST_PAIRS` in the environment of
//! the compiler: `all` for every form of every pair of all encodings; `few` for the ten encodings that differ most,
//! which is enough for emulators; `0/8` for every form of the pairs in the first of eight parts, so that what compiles
//! slowly, with a sanitizer for example, comes by all of them in eight builds; and what is said above without it.
//!
//! In a part a pair has its reverse, and UTF-8 to itself is in all of them. More a test must not expect: it goes by the pairs
//! that there are.

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
pub type Replaced = Result<Repaired, TranscodeError>;

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
    /// `transcode`. Not all have it.
    pub current: fn(&[u8], &mut [u8]) -> Outcome,
    /// `transcode_uninit`. Not all have it.
    pub current_uninit: fn(&[u8], &mut [u8]) -> Outcome,
    /// `transcode_partial`: what was read and written. Not all have it.
    pub partial: fn(&[u8], &mut [u8]) -> Partial,
    /// `transcode_append`, to a vector that holds the bytes given. Not all have it.
    pub current_append: fn(&[u8], &[u8]) -> Appended,
    /// `transcode_to_vec`. Not all have it.
    pub to_vec: fn(&[u8]) -> Result<Vec<u8>, TranscodeError>,
    /// `transcode_cow`: the bytes, and whether they are borrowed. Not all have it.
    pub cow: fn(&[u8]) -> Lent<Vec<u8>>,
    /// `transcode_to_str` of the source: the text, and whether it is borrowed.
    pub to_str: fn(&[u8]) -> Lent<String>,
    /// `swap_byte_order` of the source.
    pub swap: fn(&mut [u8]),
    /// `Engine::transcode_lossy`. Not all have it.
    pub lossy: fn(Engine, &[u8], &mut [u8], Policy<'_>) -> Replaced,
    /// `Engine::transcode_lossy_append`, to a vector that holds the bytes given. Not all have it.
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
    pub current_len: fn(&[u8]) -> usize,
    /// `max_transcoded_len`.
    pub max_len: fn(usize) -> usize,
    /// `transcode_to_string` of the source.
    pub to_string: fn(&[u8]) -> Result<String, TranscodeError>,
    /// `Engine::count` of the source.
    pub count: fn(Engine, &[u8]) -> usize,
    /// `count` of the source.
    pub current_count: fn(&[u8]) -> usize,
    /// `Engine::repertoire` of the source.
    pub repertoire: fn(Engine, &[u8]) -> Repertoire,
    /// `Engine::fits` of the source.
    pub fits: fn(Engine, &[u8], Repertoire) -> bool,
    /// `Engine::validate` of the source.
    pub validate: fn(Engine, &[u8]) -> Result<(), IllFormed>,
    /// `validate` of the source.
    pub current_validate: fn(&[u8]) -> Result<(), IllFormed>,
}

/// Ties a type of the library to what the oracle knows of it.
trait Known: runecast::Encoding<Unit: bytemuck::Pod> {
    const ORACLE: Encoding;
    /// Its number, by which some pairs are chosen.
    const NUMBER: usize;
    /// Who wants it.
    const WANTED: Wanted;
}

macro_rules! known {
    ($($number:literal $type:ident $oracle:ident $wanted:ident)*) => {
        $(impl Known for $type {
            const ORACLE: Encoding = oracle::$oracle;
            const NUMBER: usize = $number;
            const WANTED: Wanted = Wanted::$wanted;
        })*
    };
}

/// What `RUNECAST_TEST_PAIRS` asked the compiler for.
#[derive(Clone, Copy)]
enum Wanted {
    Few,
    Default,
    All,
}

/// The part of all pairs that it asked for, and how many parts there are.
const PART: Option<(usize, usize)> = match option_env!("RUNECAST_TEST_PAIRS") {
    Some(wanted) => match *wanted.as_bytes() {
        [part @ b'0'..=b'9', b'/', parts @ b'1'..=b'9'] if part < parts => {
            Some(((part - b'0') as usize, (parts - b'0') as usize))
        }
        _ => None,
    },
    None => None,
};

const WANTED: Wanted = match option_env!("RUNECAST_TEST_PAIRS") {
    None => Wanted::Default,
    Some(wanted) => match wanted.as_bytes() {
        b"all" => Wanted::All,
        b"default" => Wanted::Default,
        b"few" => Wanted::Few,
        _ if PART.is_some() => Wanted::Few,
        _ => panic!("RUNECAST_TEST_PAIRS: expected all, default, few or a part like 0/8"),
    },
};

known! {
    0 Utf8 UTF8 Few
    1 Utf16 UTF16 Few
    2 Utf16Le UTF16LE Few
    3 Utf16Be UTF16BE Few
    4 Utf32 UTF32 Few
    5 Utf32Le UTF32LE All
    6 Utf32Be UTF32BE Default
    7 Latin1 LATIN1 Few
    8 Ascii ASCII Default
    9 Wtf8 WTF8 Default
    10 Wtf16 WTF16 Few
    11 Wtf16Be WTF16BE All
    12 GeneralizedUtf8 GENERALIZED Few
    13 Cesu8 CESU8 Few
    14 WobblyCesu8 WOBBLY_CESU8 All
    15 Mutf8 MUTF8 Few
    16 WobblyMutf8 WOBBLY_MUTF8 All
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
/// around them with each other, and with one of each kind; and who wants them.
///
/// Only the compiler looks at it, and compiles what it takes from it.
const TABLE: &[(Pair, Wanted)] = pairs! {
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
        count += if TABLE[at].1 as u8 <= WANTED as u8 { 1 } else { 0 };
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
        if TABLE[at].1 as u8 <= WANTED as u8 {
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

/// Every encoding that is read: by the pair of it with itself, or where a part of all pairs lacks that, by another.
pub fn sources() -> impl Iterator<Item = &'static Pair> {
    PAIRS.iter().enumerate().filter_map(|(at, pair)| {
        let is_first = || PAIRS[..at].iter().all(|before| before.source != pair.source);
        let has_itself = || PAIRS.iter().any(|other| other.source == pair.source && is_itself(other));
        (is_itself(pair) || (is_first() && !has_itself())).then_some(pair)
    })
}

fn is_itself(pair: &Pair) -> bool {
    pair.source == pair.target
}

/// The functions that take a pair of types, over bytes. (Functions and not closures: of a closure that becomes a
/// pointer the compiler makes two functions.)
mod of_pair {
    use super::*;

    pub fn transcode<S: Known, D: Known>(engine: Engine, src: &[u8], dst: &mut [u8]) -> Outcome {
        engine.transcode::<S, D>(cast_slice(src), cast_slice_mut(dst))
    }

    pub fn uninit<S: Known, D: Known>(engine: Engine, src: &[u8], dst: &mut [u8]) -> Outcome {
        engine.transcode_uninit::<S, D>(cast_slice(src), as_uninit(dst))
    }

    pub fn append<S: Known, D: Known>(engine: Engine, src: &[u8], begin: &[u8]) -> Appended {
        let mut dst = owned(begin);
        let outcome = engine.transcode_append::<S, D>(cast_slice(src), &mut dst);
        (outcome, cast_slice(&dst).to_vec())
    }

    pub fn current<S: Known, D: Known>(src: &[u8], dst: &mut [u8]) -> Outcome {
        runecast::transcode::<S, D>(cast_slice(src), cast_slice_mut(dst))
    }

    pub fn current_uninit<S: Known, D: Known>(src: &[u8], dst: &mut [u8]) -> Outcome {
        runecast::transcode_uninit::<S, D>(cast_slice(src), as_uninit(dst))
    }

    pub fn partial<S: Known, D: Known>(src: &[u8], dst: &mut [u8]) -> Partial {
        let progress = runecast::transcode_partial::<S, D>(cast_slice(src), cast_slice_mut(dst))?;
        Ok((progress.read, progress.written))
    }

    pub fn current_append<S: Known, D: Known>(src: &[u8], begin: &[u8]) -> Appended {
        let mut dst = owned(begin);
        let outcome = runecast::transcode_append::<S, D>(cast_slice(src), &mut dst);
        (outcome, cast_slice(&dst).to_vec())
    }

    pub fn to_vec<S: Known, D: Known>(src: &[u8]) -> Result<Vec<u8>, TranscodeError> {
        let units = runecast::transcode_to_vec::<S, D>(cast_slice(src))?;
        Ok(cast_slice(&units).to_vec())
    }

    pub fn cow<S: Known, D: Known>(src: &[u8]) -> Lent<Vec<u8>> {
        let units = runecast::transcode_cow::<S, D>(cast_slice(src))?;
        Ok((cast_slice(&units).to_vec(), matches!(units, Cow::Borrowed(_))))
    }

    pub fn lossy<S: Known, D: Known>(
        engine: Engine,
        src: &[u8],
        dst: &mut [u8],
        policy: Policy<'_>,
    ) -> Replaced {
        engine.transcode_lossy::<S, D>(cast_slice(src), cast_slice_mut(dst), policy)
    }

    pub fn lossy_append<S: Known, D: Known>(
        engine: Engine,
        src: &[u8],
        begin: &[u8],
        policy: Policy<'_>,
    ) -> Grown {
        let mut dst = owned(begin);
        let repaired = engine.transcode_lossy_append::<S, D>(cast_slice(src), &mut dst, policy);
        (repaired, cast_slice(&dst).to_vec())
    }

    pub fn lossy_len<S: Known, D: Known>(engine: Engine, src: &[u8], policy: Policy<'_>) -> Repaired {
        engine.transcode_lossy_len::<S, D>(cast_slice(src), policy)
    }

    pub fn lossy_cow<S: Known, D: Known>(src: &[u8], policy: Policy<'_>) -> (Vec<u8>, bool) {
        let units = runecast::transcode_lossy_cow::<S, D>(cast_slice(src), policy);
        (cast_slice(&units).to_vec(), matches!(units, Cow::Borrowed(_)))
    }

    pub fn len<S: Known, D: Known>(engine: Engine, src: &[u8]) -> usize {
        engine.transcoded_len::<S, D>(cast_slice(src))
    }

    pub fn current_len<S: Known, D: Known>(src: &[u8]) -> usize {
        runecast::transcoded_len::<S, D>(cast_slice(src))
    }
}

/// Those that take a source, so that there are as many of them as encodings.
mod of_source {
    use super::*;

    pub fn to_str<S: Known>(src: &[u8]) -> Lent<String> {
        let text = runecast::transcode_to_str::<S>(cast_slice(src))?;
        let borrowed = matches!(text, Cow::Borrowed(_));
        Ok((text.into_owned(), borrowed))
    }

    pub fn repair<S: Known>(src: &[u8], policy: Policy<'_>) -> (String, bool) {
        let text = runecast::repair::<S>(cast_slice(src), policy);
        let borrowed = matches!(text, Cow::Borrowed(_));
        (text.into_owned(), borrowed)
    }

    pub fn incomplete_suffix<S: Known>(src: &[u8], policy: Policy<'_>) -> usize {
        policy.incomplete_suffix::<S>(cast_slice(src))
    }

    pub fn swap<S: Known>(text: &mut [u8]) {
        runecast::swap_byte_order::<S>(cast_slice_mut(text));
    }

    pub fn to_string<S: Known>(src: &[u8]) -> Result<String, TranscodeError> {
        runecast::transcode_to_string::<S>(cast_slice(src))
    }

    pub fn count<S: Known>(engine: Engine, src: &[u8]) -> usize {
        engine.count::<S>(cast_slice(src))
    }

    pub fn current_count<S: Known>(src: &[u8]) -> usize {
        runecast::count::<S>(cast_slice(src))
    }

    pub fn repertoire<S: Known>(engine: Engine, src: &[u8]) -> Repertoire {
        engine.repertoire::<S>(cast_slice(src))
    }

    pub fn fits<S: Known>(engine: Engine, src: &[u8], repertoire: Repertoire) -> bool {
        engine.fits::<S>(cast_slice(src), repertoire)
    }

    pub fn validate<S: Known>(engine: Engine, src: &[u8]) -> Result<(), IllFormed> {
        engine.validate::<S>(cast_slice(src))
    }

    pub fn current_validate<S: Known>(src: &[u8]) -> Result<(), IllFormed> {
        runecast::validate::<S>(cast_slice(src))
    }
}

/// What stands in for the functions that a pair does not have.
mod absent {
    use super::*;

    const WHY: &str = "this pair was not compiled in every form: see RUNECAST_TEST_PAIRS";

    pub fn slice(_: Engine, _: &[u8], _: &mut [u8]) -> Outcome {
        panic!("{WHY}")
    }

    pub fn append(_: Engine, _: &[u8], _: &[u8]) -> Appended {
        panic!("{WHY}")
    }

    pub fn current(_: &[u8], _: &mut [u8]) -> Outcome {
        panic!("{WHY}")
    }

    pub fn partial(_: &[u8], _: &mut [u8]) -> Partial {
        panic!("{WHY}")
    }

    pub fn current_append(_: &[u8], _: &[u8]) -> Appended {
        panic!("{WHY}")
    }

    pub fn to_vec(_: &[u8]) -> Result<Vec<u8>, TranscodeError> {
        panic!("{WHY}")
    }

    pub fn cow(_: &[u8]) -> Lent<Vec<u8>> {
        panic!("{WHY}")
    }

    pub fn lossy(_: Engine, _: &[u8], _: &mut [u8], _: Policy<'_>) -> Replaced {
        panic!("{WHY}")
    }

    pub fn lossy_append(_: Engine, _: &[u8], _: &[u8], _: Policy<'_>) -> Grown {
        panic!("{WHY}")
    }

    pub fn lossy_len(_: Engine, _: &[u8], _: Policy<'_>) -> Repaired {
        panic!("{WHY}")
    }

    pub fn lossy_cow(_: &[u8], _: Policy<'_>) -> (Vec<u8>, bool) {
        panic!("{WHY}")
    }

    pub fn current_len(_: &[u8]) -> usize {
        panic!("{WHY}")
    }
}

const fn pair<S: Known, D: Known>() -> (Pair, Wanted) {
    let mut pair = Pair {
        source: S::ORACLE,
        target: D::ORACLE,
        has_forms: false,
        transcode: of_pair::transcode::<S, D>,
        uninit: absent::slice,
        append: absent::append,
        current: absent::current,
        current_uninit: absent::current,
        partial: absent::partial,
        current_append: absent::current_append,
        to_vec: absent::to_vec,
        cow: absent::cow,
        to_str: of_source::to_str::<S>,
        swap: of_source::swap::<S>,
        lossy: absent::lossy,
        lossy_append: absent::lossy_append,
        lossy_len: absent::lossy_len,
        lossy_cow: absent::lossy_cow,
        repair: of_source::repair::<S>,
        incomplete_suffix: of_source::incomplete_suffix::<S>,
        len: of_pair::len::<S, D>,
        current_len: absent::current_len,
        max_len: runecast::max_transcoded_len::<S, D>,
        to_string: of_source::to_string::<S>,
        count: of_source::count::<S>,
        current_count: of_source::current_count::<S>,
        repertoire: of_source::repertoire::<S>,
        fits: of_source::fits::<S>,
        validate: of_source::validate::<S>,
        current_validate: of_source::current_validate::<S>,
    };
    // As many pairs there as back.
    let is_chosen = (S::NUMBER + D::NUMBER) % 12 == 0 || S::NUMBER == 0 || D::NUMBER == 0;
    let is_in_part = match PART {
        Some((part, parts)) => (S::NUMBER + D::NUMBER) % parts == part || S::NUMBER + D::NUMBER == 0,
        None => false,
    };
    if is_in_part || (PART.is_none() && is_chosen) || matches!(WANTED, Wanted::All) {
        pair.has_forms = true;
        pair.uninit = of_pair::uninit::<S, D>;
        pair.append = of_pair::append::<S, D>;
        pair.current = of_pair::current::<S, D>;
        pair.current_uninit = of_pair::current_uninit::<S, D>;
        pair.partial = of_pair::partial::<S, D>;
        pair.current_append = of_pair::current_append::<S, D>;
        pair.to_vec = of_pair::to_vec::<S, D>;
        pair.cow = of_pair::cow::<S, D>;
        pair.lossy = of_pair::lossy::<S, D>;
        pair.lossy_append = of_pair::lossy_append::<S, D>;
        pair.lossy_len = of_pair::lossy_len::<S, D>;
        pair.lossy_cow = of_pair::lossy_cow::<S, D>;
        pair.current_len = of_pair::current_len::<S, D>;
    }
    let wanted = if PART.is_some() {
        if is_in_part { Wanted::Few } else { Wanted::All }
    } else if S::WANTED as u8 > D::WANTED as u8 {
        S::WANTED
    } else {
        D::WANTED
    };
    (pair, wanted)
}

/// A vector of units, with no spare capacity to speak of.
fn owned<U: bytemuck::Pod>(bytes: &[u8]) -> Vec<U> {
    bytes.chunks_exact(size_of::<U>()).map(bytemuck::pod_read_unaligned).collect()
}

/// Bytes as units that need not be initialised.
fn as_uninit<U: bytemuck::Pod>(dst: &mut [u8]) -> &mut [MaybeUninit<U>] {
    let dst: &mut [U] = cast_slice_mut(dst);
    // SAFETY: the same memory and layout. Should the library write uninitialised units there, that
    // would be the bug that these tests are looking for.
    unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<U>]) }
}
