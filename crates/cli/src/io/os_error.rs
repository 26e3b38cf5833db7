//! Errors of the operating system in words: what is wrong, and neither a number nor what a library says around it.

use std::error::Error as _;
use std::io;

/// An error of the operating system in words alone, without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(code) => text.strip_suffix(&format!(" (os error {code})")).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// The error of the operating system that a library has wrapped into one of its own; or that one, if there is none in it.
pub(crate) fn innermost(error: io::Error) -> io::Error {
    let inner = error.source().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.and_then(io::Error::raw_os_error).map(io::Error::from_raw_os_error).unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As libraries have it.
    #[derive(Debug)]
    struct Wrapped(io::Error);

    impl std::fmt::Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "IO error for operation on here: {}", self.0)
        }
    }

    impl std::error::Error for Wrapped {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn what_is_said_is_what_the_system_said() {
        let system = || io::Error::from_raw_os_error(13);
        let words = plain(&system());
        assert!(!words.is_empty() && !words.contains("os error"), "{words}");
        let wrapped = io::Error::new(system().kind(), Wrapped(system()));
        assert!(plain(&wrapped).contains("os error 13"));
        assert_eq!(plain(&innermost(wrapped)), words);
        for other in [io::Error::other("is a loop"), system()] {
            let same = other.to_string();
            assert_eq!(innermost(other).to_string(), same);
        }
    }
}
