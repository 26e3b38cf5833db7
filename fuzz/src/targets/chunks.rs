//! Text with holes, taken apart: `utf8_chunks` and `ill_formed` against std's `utf8_chunks`.
//!
//! This target says by itself what has to hold, piece by piece and without the checks of the
//! tests: what comes out, put together again, is the input; the offsets are those of the input;
//! a lossy reading is std's.

/// One execution.
pub fn run(bytes: &[u8]) {
    let mut rebuilt = Vec::new();
    let mut lossy = String::new();
    let mut errors = runecast::ill_formed(bytes);
    let mut std = bytes.utf8_chunks();

    for chunk in runecast::utf8_chunks(bytes) {
        let expected = std.next().expect("a chunk more than std has");
        assert_eq!((chunk.valid(), chunk.invalid()), (expected.valid(), expected.invalid()));

        rebuilt.extend_from_slice(chunk.valid().as_bytes());
        lossy.push_str(chunk.valid());
        match chunk.error() {
            None => assert!(chunk.invalid().is_empty() && !chunk.incomplete()),
            Some(error) => {
                assert_eq!(errors.next(), Some(error));
                assert_eq!(error.at, rebuilt.len());
                assert_eq!(error.subpart(), chunk.invalid());
                assert_eq!(error.len, chunk.invalid().len());
                assert_eq!(chunk.incomplete(), error.is_incomplete());
                let at_end = error.at + error.len == bytes.len();
                assert!(at_end || !error.is_incomplete(), "incomplete in the middle");
                // Its sentence has to be there for every error.
                assert!(!error.to_string().is_empty());
                lossy.push(char::REPLACEMENT_CHARACTER);
            }
        }
        rebuilt.extend_from_slice(chunk.invalid());
    }

    assert!(std.next().is_none(), "a chunk less than std has");
    assert_eq!(errors.next(), None, "an error in no chunk");
    assert_eq!(rebuilt, bytes);
    assert_eq!(lossy, String::from_utf8_lossy(bytes));
}
