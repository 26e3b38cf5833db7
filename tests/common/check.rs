//! What the library claims, asked of any bytes.
//!
//! [`Truth`] is what is so: the reference decoder's list of ill-formed pieces, confirmed by the
//! standard library. Then everyone is asked: each engine ([`Truth::ask`]), the functions of the
//! crate that take no engine ([`Truth::ask_functions`]), and simdutf8 as one more witness.
//!
//! Where millions of strings go by, [`first_error`] asks the few questions that matter.

use std::fmt::Write;
use std::str::Utf8Error as StdError;
use std::sync::OnceLock;

use runecast::{Engine, IllFormed, Isa, Kind, Utf8};

use super::reference::{self, Subpart};

/// Every engine that this CPU can run; or, to find out which of them is to blame, only the one
/// that the environment variable `RUNECAST_TEST_ONLY` names.
///
/// # Panics
/// If this CPU does not have that one: no loop over the engines would test anything.
pub fn engines() -> Vec<Engine> {
    match only() {
        Some(isa) => vec![Engine::new(isa).unwrap_or_else(|error| panic!("RUNECAST_TEST_ONLY: {error}"))],
        None => Engine::available().collect(),
    }
}

/// The one that `RUNECAST_TEST_ONLY` names, whether this CPU has it or not.
pub fn only() -> Option<Isa> {
    static ONLY: OnceLock<Option<Isa>> = OnceLock::new();
    *ONLY.get_or_init(|| {
        let name = std::env::var_os("RUNECAST_TEST_ONLY")?;
        let isa = name.to_str().unwrap_or_default().parse();
        Some(isa.unwrap_or_else(|error| panic!("RUNECAST_TEST_ONLY is {name:?}, {error}")))
    })
}

/// The instruction sets that exist on this architecture, whether this CPU has them or not.
pub fn isas_of_this_architecture() -> Vec<Isa> {
    let here = |isa: &Isa| match isa {
        Isa::Avx512 | Isa::Avx2 | Isa::Sse42 => cfg!(any(target_arch = "x86", target_arch = "x86_64")),
        Isa::Neon => cfg!(all(target_arch = "aarch64", target_endian = "little")),
        Isa::Simd128 => cfg!(target_family = "wasm"),
        _ => true,
    };
    Isa::ALL.into_iter().filter(here).collect()
}

/// What is so about some bytes.
#[derive(Debug)]
pub struct Truth {
    /// All ill-formed pieces.
    pub errors: Vec<Subpart>,
    /// The length of the ASCII prefix.
    pub ascii: usize,
    std: Result<(), StdError>,
}

impl Truth {
    /// Finds the truth about `bytes`, and makes sure that the standard library agrees.
    #[track_caller]
    pub fn about(bytes: &[u8]) -> Truth {
        let errors = reference::all(bytes);
        let ascii = bytes.iter().position(|byte| *byte >= 0x80).unwrap_or(bytes.len());
        let std = std::str::from_utf8(bytes).map(|_| ());
        let truth = Truth { errors, ascii, std };
        let first = truth.errors.first().map(|error| (error.at, std_len(error)));
        let std = truth.std.err().map(|error| (error.valid_up_to(), error.error_len()));
        assert_eq!(first, std, "the reference decoder and std disagree on {}", excerpt(bytes, truth.end()));
        truth
    }

    /// The end of the well-formed beginning, if it is not the end of the input.
    fn end(&self) -> usize {
        self.errors.first().map_or(0, |error| error.at)
    }

    /// Asks `engine` everything. `bytes` are those that the truth is about.
    #[track_caller]
    pub fn ask(&self, engine: Engine, bytes: &[u8]) {
        let isa = engine.isa();
        let blame = |what: &str| format!("{what} of {isa}: {}", excerpt(bytes, self.end()));

        let ascii = engine.ascii_prefix(bytes);
        assert_eq!(ascii, self.ascii, "{}", blame("ascii_prefix"));

        let first = self.errors.first().copied();
        first_error(engine, bytes, first);

        let error = engine.validate::<Utf8>(bytes).err();
        if let Some(error) = error {
            shows_its_bytes(&error, bytes);
        }

        // One more than there should be, so that an iterator without an end ends here.
        let found: Vec<Subpart> = engine.ill_formed(bytes).take(self.errors.len() + 1).map(plain).collect();
        assert_eq!(found, self.errors, "{}", blame("ill_formed"));
    }

    /// Asks the functions of the crate that choose their engine themselves, and simdutf8.
    #[track_caller]
    pub fn ask_functions(&self, bytes: &[u8]) {
        let blame = |what: &str| format!("{what}: {}", excerpt(bytes, self.end()));
        let well_formed = self.errors.is_empty();

        assert_eq!(runecast::is_utf8(bytes), well_formed, "{}", blame("is_utf8"));
        assert_eq!(runecast::ascii_prefix(bytes), self.ascii, "{}", blame("ascii_prefix"));
        assert_eq!(runecast::is_ascii(bytes), self.ascii == bytes.len(), "{}", blame("is_ascii"));

        match (runecast::from_utf8(bytes), self.errors.first(), self.std) {
            (Ok(text), None, Ok(())) => {
                assert_eq!(text.as_bytes().as_ptr_range(), bytes.as_ptr_range(), "{}", blame("from_utf8"));
            }
            (Err(error), Some(truth), Err(std)) => {
                let seen = (error.valid_up_to(), error.error_len(), error.kind());
                assert_eq!(seen, (truth.at, std_len(truth), truth.kind), "{}", blame("from_utf8"));
                assert_eq!(StdError::from(error), std, "{}", blame("conversion to std's error"));
                assert_eq!(plain(error.ill_formed()), *truth, "{}", blame("Utf8Error::ill_formed"));
                assert_eq!(plain(IllFormed::from(error)), *truth, "{}", blame("IllFormed::from"));
            }
            (said, _, _) => panic!("from_utf8 said {said:?}: {}", excerpt(bytes, self.end())),
        }
        let validated = runecast::validate::<Utf8>(bytes).err().map(plain);
        assert_eq!(validated, self.errors.first().copied(), "{}", blame("validate"));
        assert!(
            runecast::ill_formed(bytes)
                .take(self.errors.len() + 1)
                .map(plain)
                .eq(self.errors.iter().copied()),
            "{}",
            blame("ill_formed")
        );

        self.ask_chunks(bytes);

        let peer = simdutf8::compat::from_utf8(bytes).err().map(|e| (e.valid_up_to(), e.error_len()));
        let first = self.errors.first().map(|error| (error.at, std_len(error)));
        assert_eq!(peer, first, "{}", blame("simdutf8"));
    }

    /// Compares `utf8_chunks` with that of the standard library and with the truth.
    #[track_caller]
    fn ask_chunks(&self, bytes: &[u8]) {
        let mut ours = runecast::utf8_chunks(bytes);
        let mut errors = self.errors.iter();
        for std in bytes.utf8_chunks() {
            let chunk =
                ours.next().unwrap_or_else(|| panic!("a chunk too few: {}", excerpt(bytes, self.end())));
            assert_eq!((chunk.valid(), chunk.invalid()), (std.valid(), std.invalid()), "utf8_chunks");
            let error = if chunk.invalid().is_empty() { None } else { errors.next() };
            assert_eq!(chunk.error().map(plain).as_ref(), error, "error of a chunk");
            let incomplete = error.is_some_and(|error| error.kind == Kind::Incomplete);
            assert_eq!(chunk.incomplete(), incomplete, "incomplete() of a chunk");
        }
        assert_eq!(ours.next(), None, "a chunk too many: {}", excerpt(bytes, self.end()));
        assert_eq!(errors.next(), None, "an error in no chunk: {}", excerpt(bytes, self.end()));
    }
}

/// Asks every engine and every function everything about `bytes`.
#[track_caller]
pub fn check(bytes: &[u8]) {
    let truth = Truth::about(bytes);
    for engine in engines() {
        truth.ask(engine, bytes);
    }
    truth.ask_functions(bytes);
}

/// Asks `engine` for the first error alone, which must be `truth`.
///
/// This is the short form for loops over millions of strings: no allocation, no other witness.
#[inline]
#[track_caller]
pub fn first_error(engine: Engine, bytes: &[u8], truth: Option<Subpart>) {
    let error = engine.validate::<Utf8>(bytes).err().map(plain);
    if error != truth {
        contradiction(engine, bytes, truth, error);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn contradiction(engine: Engine, bytes: &[u8], truth: Option<Subpart>, error: Option<Subpart>) {
    let isa = engine.isa();
    let place = truth.or(error).map_or(0, |error| error.at);
    panic!(
        "{isa} contradicts the truth: first error {error:?}, should be {truth:?}: {}",
        excerpt(bytes, place)
    );
}

/// The bytes that an error carries are those of the input.
#[track_caller]
fn shows_its_bytes(error: &IllFormed, bytes: &[u8]) {
    let rest = &bytes[error.at..];
    assert_eq!(error.subpart(), &rest[..error.len], "subpart of {error:?}");
    let breaker = match error.kind {
        Kind::Overlong | Kind::Surrogate | Kind::AboveMaximum | Kind::Truncated => 1,
        _ => 0,
    };
    assert_eq!(error.evidence(), &rest[..error.len + breaker], "evidence of {error:?}");
    assert_eq!(error.is_incomplete(), error.kind == Kind::Incomplete);
}

/// The public fields of an error.
fn plain(error: IllFormed) -> Subpart {
    Subpart { at: error.at, len: error.len, kind: error.kind }
}

/// What the standard library calls the length of an error.
fn std_len(error: &Subpart) -> Option<usize> {
    (error.kind != Kind::Incomplete).then_some(error.len)
}

/// The bytes around `at`, in hexadecimal, with a mark before the one there.
pub fn excerpt(bytes: &[u8], at: usize) -> String {
    let from = at.saturating_sub(24);
    let to = bytes.len().min(at + 24);
    let mut text = format!("{} bytes, [{from}..{to}] =", bytes.len());
    for (i, byte) in (from..to).zip(&bytes[from..to]) {
        let gap = if i == at { " |" } else { " " };
        let _ = write!(text, "{gap}{byte:02X}");
    }
    text
}
