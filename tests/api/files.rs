//! A whole file, as std reads it; and where it is not text, the place that a naive count finds.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use runecast::{IllFormedFile, Kind, read_to_string};

/// A directory that is removed in the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("runecast-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory");
        Directory(path)
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.0.join("file.txt");
        fs::write(&path, bytes).expect("a file");
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn refused(path: &PathBuf) -> IllFormedFile {
    let error = read_to_string(path).expect_err("not UTF-8");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    *error.into_inner().expect("what is wrong").downcast().expect("a file")
}

#[test]
fn text_is_what_std_reads() {
    let directory = Directory::new("text");
    for text in ["", "a", "\u{FEFF}with a mark\r\n", "nul\0", "語\u{10FFFF}", &"ü\n".repeat(100_000)] {
        let path = directory.file(text.as_bytes());
        assert_eq!(read_to_string(&path).expect("text"), fs::read_to_string(&path).expect("text"));
        assert_eq!(read_to_string(&path).expect("text"), text);
    }
}

#[test]
fn errors_of_the_system_are_passed_on() {
    let directory = Directory::new("errors");
    for path in [directory.0.join("none"), directory.0.clone()] {
        let (ours, std) = (read_to_string(&path).unwrap_err(), fs::read(&path).unwrap_err());
        assert_eq!((ours.kind(), ours.raw_os_error()), (std.kind(), std.raw_os_error()));
        assert!(ours.raw_os_error().is_some());
    }
}

#[test]
fn an_error_says_where_and_why_and_has_the_bytes() {
    let directory = Directory::new("place");
    for (bytes, line, column) in [
        (&b"\xFF"[..], 1, 1),
        (b"a\xFF", 1, 2),
        (b"a\n\xFF", 2, 1),
        ("ü語🪨".as_bytes(), 0, 0),
        (b"\xC3\xBC\xE8\xAA\x9E\xF0\x9F\xAA\xA8\xFF", 1, 4),
        (b"one\r\ntwo\rthree\xE2\x80\xA8!\n\n \xED\xA0\x80", 5, 2),
        (b"\r\xFF\n", 2, 1),
        (b"cut\nshort\xF0\x9F\xAA", 2, 6),
    ] {
        let path = directory.file(bytes);
        if line == 0 {
            assert!(read_to_string(&path).is_ok());
            continue;
        }
        let error = refused(&path);
        assert_eq!((error.line(), error.column()), (line, column), "{bytes:X?}");
        assert_eq!(error.path(), path);
        let std = std::str::from_utf8(bytes).unwrap_err();
        let found = error.error().utf8_error();
        assert_eq!((found.valid_up_to(), found.error_len()), (std.valid_up_to(), std.error_len()));
        assert_eq!(error.error().as_bytes(), bytes);
        let message = error.to_string();
        assert_eq!(message, format!("{}:{line}:{column}: {found}", path.display()));
        assert_eq!(format!("{error:?}"), format!("IllFormedFile({message})"));
        assert_eq!(error.into_error().into_bytes(), bytes);
    }
    let error = refused(&directory.file(b"\xED\xA0\x80"));
    assert_eq!(error.error().utf8_error().kind(), Kind::Surrogate);
}

/// Each byte of a text of several lines is spoiled in turn.
#[test]
fn places_are_those_of_a_naive_count() {
    let directory = Directory::new("naive");
    let text = "ab\ncö\r\n\r語\n\n🪨 x\ry";
    for at in 0..text.len() {
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] = 0xFF;
        let error = refused(&directory.file(&bytes));
        let before = &text[..error.error().utf8_error().valid_up_to()];
        let plain = before.replace("\r\n", "\n").replace('\r', "\n");
        let last = plain.rsplit('\n').next().unwrap_or_default();
        let expected = (plain.matches('\n').count() + 1, last.chars().count() + 1);
        assert_eq!((error.line(), error.column()), expected, "byte {at}");
    }
}
