//! The methods of an engine return what the functions do.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use runecast::{Engine, Latin1, Reason, Repaired, Replacement, Utf8, Utf16, transcode_lossy_uninit};

#[test]
fn a_text_that_stays_is_borrowed() {
    for engine in Engine::available() {
        let text = "rūna".as_bytes();
        let same = engine.transcode_cow::<Utf8, Utf8>(text).expect("well-formed");
        assert!(matches!(same, Cow::Borrowed(same) if std::ptr::eq(same, text)), "{engine:?}");
        let units = engine.transcode_cow::<Utf8, Utf16>(text).expect("well-formed");
        assert!(matches!(units, Cow::Owned(units) if units.iter().copied().eq("rūna".encode_utf16())));
        let latin1 = engine.transcode_cow::<Latin1, Utf8>(b"caf\xE9").expect("well-formed");
        assert_eq!(latin1, "café".as_bytes());
        let error = engine.transcode_cow::<Utf8, Utf8>(b"ru\xFFna").expect_err("ill-formed");
        assert!(matches!(error.reason, Reason::IllFormed(error) if error.at == 2), "{error:?}");
    }
}

#[test]
fn memory_need_not_be_initialised() {
    let src = b"a\xE2\x82b";
    let expected = String::from_utf8_lossy(src);
    let check = |repaired: Repaired| {
        assert_eq!((repaired.written, repaired.replaced, repaired.first), (expected.len(), 1, Some(1)));
    };
    let mut room = [const { MaybeUninit::<u8>::uninit() }; 16];
    for engine in Engine::available() {
        check(
            engine.transcode_lossy_uninit::<Utf8, Utf8>(src, &mut room, Replacement::Whatwg).expect("room"),
        );
        let error = engine.transcode_lossy_uninit::<Utf8, Utf8>(src, &mut room[..2], Replacement::Whatwg);
        assert!(matches!(error, Err(error) if (error.read, error.written) == (1, 1)), "{error:?}");
    }
    check(transcode_lossy_uninit::<Utf8, Utf8>(src, &mut room, Replacement::Whatwg).expect("room"));
}
