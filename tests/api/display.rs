//! Bytes in a message: what std makes of a string from them, and of a path.

use std::fmt::Write;

use runecast::display_lossy;

use super::memory::allocations;

/// Text of characters of every width, with combining ones and controls, and ill-formed sequences of every kind.
const TEXTS: [&[u8]; 18] = [
    b"",
    b"a",
    b"\xFF",
    b"\xE9t\xE9",
    b"caf\xC3\xA9 \xF0\x9F\xAA\xA8\xF0\x9F\xAA",
    b"\xF0\x9F\xAA\xF0\x9F\xAA\xA8",
    b"\x80\x80\x80\xC3",
    b"\xED\xA0\x80\xED\xB0\x80",
    b"\xE2\x82\xAC\xE2\x82\xE2",
    b"a\xCC\x81\xFF\xCC\x81",
    b"it's \"quoted\" \\ and \\xFF",
    b"\0\n\r\t\x1B\x7F\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF",
    b"\xF4\x90\x80\x80\xC0\x80\xF8\x88\x80\x80\x80",
    b"\xEF\xBF\xBD\xFF\xEF\xBF\xBD",
    b"a longer one, with nothing wrong in it but this \xE1\x9A at the end",
    b"\xE1\x9A\xB1\xE1\x9A\xA2\xE1\x9A\xBE\xE1\x9A\xAA",
    b"\xE1\x9A\xB1\xE1\x9A\xE1\x9A\xBE\xE1\x9A\xAA",
    b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
];

#[test]
fn displayed_as_a_string_from_them_is() {
    for bytes in TEXTS {
        let (ours, string) = (display_lossy(bytes), String::from_utf8_lossy(bytes));
        assert_eq!(ours.to_string(), string);
        for width in [0, 1, 3, 10, 11, 80] {
            assert_eq!(format!("{ours:width$}|"), format!("{string:width$}|"), "{ours:?}");
            assert_eq!(format!("{ours:>width$}|"), format!("{string:>width$}|"), "{ours:?}");
            assert_eq!(format!("{ours:🪨^width$}|"), format!("{string:🪨^width$}|"), "{ours:?}");
            for most in [0, 1, 2, 4, 9, 100] {
                assert_eq!(format!("{ours:.most$}|"), format!("{string:.most$}|"), "{ours:?} {most}");
                assert_eq!(
                    format!("{ours:-<width$.most$}"),
                    format!("{string:-<width$.most$}"),
                    "{ours:?} {most}"
                );
                assert_eq!(
                    format!("{ours:^width$.most$}"),
                    format!("{string:^width$.most$}"),
                    "{ours:?} {most}"
                );
            }
        }
    }
}

/// In quotes, as a `str`; and where it is none, as std shows a path, which is the same text in pieces.
#[test]
fn shown_as_a_text_and_a_path_is() {
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    for characters in all.chunks(997) {
        let text: String = characters.iter().collect();
        assert_eq!(format!("{:?}", display_lossy(text.as_bytes())), format!("{text:?}"));
    }
    assert_eq!(
        format!("{:?}", display_lossy(b"\xE9 \\xE9 \"\xF0\x9F\xAA")),
        r#""\xE9 \\xE9 \"\xF0\x9F\xAA""#
    );
    #[cfg(unix)]
    for bytes in TEXTS {
        use std::os::unix::ffi::OsStrExt as _;
        let path = std::ffi::OsStr::from_bytes(bytes);
        assert_eq!(format!("{:?}", display_lossy(bytes)), format!("{path:?}"));
        assert_eq!(format!("{:#30.2?}", display_lossy(bytes)), format!("{path:#30.2?}"));
    }
}

/// Takes so many bytes, and then no more.
struct Short(usize);

impl Write for Short {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(std::fmt::Error)?;
        Ok(())
    }
}

#[test]
fn nothing_is_allocated_and_no_failure_is_lost() {
    for bytes in TEXTS {
        let bytes = display_lossy(bytes);
        let written =
            [format!("{bytes}"), format!("{bytes:?}"), format!("{bytes:>20}"), format!("{bytes:*^20.3}")];
        let write = |to: &mut Short, number: usize| match number {
            0 => write!(to, "{bytes}"),
            1 => write!(to, "{bytes:?}"),
            2 => write!(to, "{bytes:>20}"),
            _ => write!(to, "{bytes:*^20.3}"),
        };
        for (number, expected) in written.iter().enumerate() {
            let mut done = Ok(());
            let mut room = Short(expected.len());
            assert_eq!(allocations(|| done = write(&mut room, number)), 0);
            assert_eq!((done, room.0), (Ok(()), 0));
            for less in 0..expected.len() {
                assert!(write(&mut Short(less), number).is_err(), "{bytes:?} {number} {less}");
            }
        }
    }
}
