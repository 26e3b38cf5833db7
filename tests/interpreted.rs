//! The library under an interpreter that sees undefined behaviour.
//!
//! Guard pages and sanitizers see accesses outside of memory. Miri also sees a read of bytes that nobody wrote, a pointer
//! that was made from another's address, a reference that lives beside one that writes, and each of them in machine
//! code that no test of results would notice. But it takes a thousand times as long as a CPU. So these are few texts, in
//! which everything that is `unsafe` is met once: kernels with each of their loops, the cursor of outputs, batches, offsets,
//! streams, text of WTF-8, shared bytes (with feature `bytes`), errors. Each input and each output is an allocation of exactly its length.
//!
//!     cargo +nightly miri test --test interpreted
//!
//! `.ci/miri` does that for each instruction set that Miri knows. Without Miri it is one more test.

#[path = "common/mod.rs"]
mod common;

use std::mem::MaybeUninit;

use bytemuck::Pod;
use common::check::{self, first_error};
use common::oracle;
use common::reference;
use common::texts::{Class, Rng};
use runecast::batch::{self, Validity};
use runecast::index::{OffsetMap, Position, Unit};
use runecast::scan::ByteSet;
use runecast::wtf8::Wtf8Buf;
use runecast::{
    Cesu8, Encoding, Engine, Isa, Latin1, Mutf8, Policy, Replacement, Transcoder, Utf8, Utf16, Utf16Be,
    Utf16Le, Utf32, Utf32Be, Validator, Wtf8, Wtf16,
};

/// Enough for the loops of the kernels that judge blocks of some kilobytes.
const LONG: usize = 9000;

/// Well-formed texts: a few, for Miri takes milliseconds for a byte, but each of the classes, and shorter and longer than a block.
fn texts() -> Vec<String> {
    let mut rng = Rng::new(35);
    [
        (Class::Ascii, 0),
        (Class::Ascii, 70),
        (Class::Two, 33),
        (Class::Three, 70),
        (Class::Four, 20),
        (Class::Latin, 130),
        (Class::Words, 17),
        (Class::Mixed, 3),
        (Class::Mixed, 130),
    ]
    .map(|(class, len)| class.text(len, &mut rng))
    .into()
}

/// All engines. Under Miri, where there are vectors, not the one without: it takes a third of the time, and has machines of its own, with 32 bits and
/// big-endian.
fn engines() -> Vec<Engine> {
    let mut engines = check::engines();
    if cfg!(miri) && engines.len() > 1 {
        engines.retain(|engine| engine.isa() != Isa::Scalar);
    }
    engines
}

/// An allocation of exactly this length, so that nothing lies behind it.
fn exact<T: Pod>(units: &[T]) -> Box<[T]> {
    units.into()
}

fn units<T: Pod>(bytes: &[u8]) -> Box<[T]> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

#[test]
fn validation() {
    let mut rng = Rng::new(1);
    let long = [Class::Latin].map(|class| class.text(LONG, &mut rng));
    for engine in engines() {
        for text in texts().iter().chain(&long) {
            let mut bytes = exact(text.as_bytes());
            first_error(engine, &bytes, None);
            if !bytes.is_empty() {
                let at = rng.below(bytes.len());
                bytes[at] = [0xFF, 0x80, 0xE1, 0xF4, 0xC0, b'a'][rng.below(6)];
                first_error(engine, &bytes, reference::first(&bytes));
            }
            // At another alignment, and cut off.
            if (8..LONG / 2).contains(&bytes.len()) {
                let cut = exact(&bytes[1..bytes.len() - 1 - rng.below(4)]);
                first_error(engine, &cut, reference::first(&cut));
                first_error(engine, &cut[3..], reference::first(&cut[3..]));
            }
        }
    }
}

/// A text converted into room of exactly its length, and into less, by every engine.
fn conversion<S: Encoding<Unit: Pod>, D: Encoding<Unit: Pod>>(
    from: oracle::Encoding,
    to: oracle::Encoding,
    text: &str,
) {
    let text: String = text.chars().filter(|point| u32::from(*point) < from.limit.min(to.limit)).collect();
    let src: Box<[S::Unit]> = units(&from.encode_all(text.chars()));
    let expected: Box<[D::Unit]> = units(&to.encode_all(text.chars()));
    for engine in engines() {
        let blame = || format!("{} to {} by {engine:?}: {text:?}", from.name, to.name);

        let mut room = vec![MaybeUninit::uninit(); expected.len()].into_boxed_slice();
        let outcome = engine.transcode_uninit::<S, D>(&src, &mut room);
        assert_eq!(outcome, Ok(expected.len()), "{}", blame());
        assert!(written(&room)[..] == expected[..], "{}", blame());

        let mut room = vec![MaybeUninit::uninit(); expected.len() / 2].into_boxed_slice();
        if let Err(error) = engine.transcode_uninit::<S, D>(&src, &mut room) {
            assert!(written(&room[..error.written])[..] == expected[..error.written], "{}", blame());
        }
        assert_eq!(engine.transcoded_len::<S, D>(&src), expected.len(), "{}", blame());
        assert_eq!(engine.count::<S>(&src), text.chars().count(), "{}", blame());
    }
}

/// Units that the library says it has written.
fn written<T: Copy>(units: &[MaybeUninit<T>]) -> Vec<T> {
    // SAFETY: the library's promise, to which Miri holds it.
    units.iter().map(|unit| unsafe { unit.assume_init() }).collect()
}

macro_rules! conversions {
    ($($name:ident: $($source:ident $from:ident $target:ident $to:ident),*;)*) => {
        $(#[test]
        fn $name() {
            for text in texts() {
                $(conversion::<$source, $target>(oracle::$from, oracle::$to, &text);)*
            }
        })*
    };
}

conversions! {
    from_utf8: Utf8 UTF8 Utf16 UTF16, Utf8 UTF8 Utf16Be UTF16BE, Utf8 UTF8 Utf32 UTF32, Utf8 UTF8 Latin1 LATIN1, Utf8 UTF8 Utf8 UTF8;
    to_utf8: Utf16 UTF16 Utf8 UTF8, Utf16Be UTF16BE Utf8 UTF8, Utf32 UTF32 Utf8 UTF8, Latin1 LATIN1 Utf8 UTF8;
    wide: Utf16 UTF16 Utf32 UTF32, Utf32Be UTF32BE Utf16Le UTF16LE, Utf16Le UTF16LE Utf16Be UTF16BE, Latin1 LATIN1 Utf16 UTF16;
    around: Utf8 UTF8 Cesu8 CESU8, Cesu8 CESU8 Utf8 UTF8, Mutf8 MUTF8 Utf16 UTF16, Wtf8 WTF8 Wtf16 WTF16, Wtf16 WTF16 Mutf8 MUTF8;
}

/// Ill-formed text of some kilobytes, and what std makes of it.
fn ill_formed() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(2);
    let mut texts = Vec::new();
    for class in [Class::Latin, Class::Mixed] {
        for (len, gap) in [(40, 10), (200, 90), (700, 500)] {
            let mut bytes = class.text(len, &mut rng).into_bytes();
            let mut at = rng.below(gap);
            while at < bytes.len() {
                bytes[at] = [0xFF, 0x80, 0xE1, 0xF4][rng.below(4)];
                at += 1 + rng.below(2 * gap);
            }
            texts.push(bytes);
        }
    }
    texts
}

#[test]
fn repair() {
    for bytes in ill_formed() {
        let bytes = exact(&bytes);
        let expected = String::from_utf8_lossy(&bytes);
        assert_eq!(runecast::from_utf8_lossy(&bytes), expected);
        let truth = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty());
        let truth: Vec<_> = truth.map(|chunk| chunk.invalid()).collect();
        for engine in engines() {
            // (Miri lacks the instruction of NEON that narrows with saturation.)
            if !(cfg!(miri) && engine.isa() == Isa::Neon) {
                let errors = engine.ill_formed(&bytes).map(|error| &bytes[error.at..error.at + error.len]);
                assert!(errors.eq(truth.iter().copied()), "{engine:?}");
            }
            let mut appended = Vec::new();
            let repaired =
                engine.transcode_lossy_append::<Utf8, Utf8>(&bytes, &mut appended, Replacement::Whatwg);
            assert_eq!(appended, expected.as_bytes(), "{engine:?}");
            let mut room = vec![0; expected.len()].into_boxed_slice();
            assert_eq!(
                engine.transcode_lossy::<Utf8, Utf8>(&bytes, &mut room, Replacement::Whatwg),
                Ok(repaired)
            );
            assert_eq!(&room[..], expected.as_bytes(), "{engine:?}");

            let mut wide = Vec::new();
            engine.transcode_lossy_append::<Utf8, Utf16>(&bytes, &mut wide, Replacement::Whatwg);
            assert!(wide.iter().copied().eq(expected.encode_utf16()), "{engine:?}");
            // A low surrogate here and there.
            for unit in wide.iter_mut().step_by(45) {
                *unit = 0xDC00;
            }
            let wide = exact(&wide);
            let mut text = Vec::new();
            engine.transcode_lossy_append::<Utf16, Utf8>(&wide, &mut text, Replacement::Whatwg);
            assert_eq!(text, String::from_utf16_lossy(&wide).as_bytes(), "{engine:?}");

            // To Latin-1: without the others, and with question marks for them.
            let byte = |character| u8::try_from(u32::from(character)).ok();
            let kept: Vec<u8> = expected.chars().filter_map(byte).collect();
            let mut bytes_kept = Vec::new();
            engine.transcode_lossy_append::<Utf8, Latin1>(&bytes, &mut bytes_kept, Policy::Omit);
            assert_eq!(bytes_kept, kept, "{engine:?}");
            let marked: Vec<u8> = expected.chars().map(|character| byte(character).unwrap_or(b'?')).collect();
            let mut room = exact(&marked);
            let repaired = engine.transcode_lossy::<Utf8, Latin1>(&bytes, &mut room, Policy::default());
            assert!(repaired.is_ok() && room[..] == marked, "{engine:?}");
        }
        for replacement in Replacement::ALL {
            let repaired = runecast::repair::<Utf8>(&bytes, replacement);
            assert!(repaired.contains('\u{FFFD}') && std::str::from_utf8(repaired.as_bytes()).is_ok());
        }
    }
}

#[test]
fn in_place() {
    for text in texts() {
        let mut wide: Box<[u16]> = text.encode_utf16().collect();
        for unit in wide.iter_mut().step_by(31) {
            *unit = 0xD800;
        }
        let expected = String::from_utf16_lossy(&wide);
        runecast::to_well_formed(&mut wide);
        assert!(wide.iter().copied().eq(expected.encode_utf16()));
        let swapped: Vec<u16> = wide.iter().map(|unit| unit.swap_bytes()).collect();
        runecast::swap_byte_order::<Utf16>(&mut wide);
        assert_eq!(wide[..], swapped[..]);

        let mut bytes = exact(text.as_bytes());
        assert_eq!(runecast::from_utf8_mut(&mut bytes).map(|text| &*text).ok(), Some(&text[..]));
    }
}

#[test]
fn streams() {
    let mut rng = Rng::new(3);
    for engine in engines() {
        for bytes in ill_formed().iter().step_by(2) {
            let expected = String::from_utf8_lossy(bytes);
            let mut transcoder = Transcoder::<Utf8, Utf16Le>::lossy(Replacement::Whatwg).with_engine(engine);
            let mut validator = Validator::<Utf8>::new();
            let (mut wide, mut verdict, mut rest) = (Vec::new(), Ok(()), &bytes[..]);
            while !rest.is_empty() {
                let (chunk, behind) = rest.split_at(rest.len().min(1 + rng.below(100)));
                let chunk = exact(chunk);
                verdict = verdict.and_then(|()| validator.push(&chunk));
                let (mut done, mut room) = (0, vec![0; 4 + rng.below(80)].into_boxed_slice());
                while done < chunk.len() {
                    let step = transcoder.transcode(&chunk[done..], &mut room, false);
                    wide.extend_from_slice(&room[..step.written]);
                    done += step.read;
                }
                rest = behind;
            }
            transcoder.finish_to_vec(&mut wide).expect("a lossy stream has no errors");
            let units: Vec<u8> = expected.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(wide, units, "{engine:?}");
            assert_eq!(
                verdict.err().map(|error| error.at),
                std::str::from_utf8(bytes).err().map(|error| error.valid_up_to())
            );
        }
    }
}

#[test]
fn arrays() {
    let mut rng = Rng::new(4);
    let texts = ill_formed();
    let (mut values, mut offsets) = (Vec::new(), vec![0_i32]);
    for at in 0..40 {
        let source = if at % 8 == 0 { &texts[at % texts.len()][..] } else { "añ語😀".as_bytes() };
        values.extend_from_slice(&source[..source.len().min(rng.below(60))]);
        offsets.push(values.len() as i32);
    }
    let (values, offsets) = (exact(&values), exact(&offsets));
    let value = |index: usize| &values[offsets[index] as usize..offsets[index + 1] as usize];
    let first = (0..40).find(|index| std::str::from_utf8(value(*index)).is_err());
    let validated = batch::validate_offsets::<Utf8>(&values, &offsets, None);
    assert_eq!(validated.err().map(|error| error.index), first);

    let all = [0xFF; 5];
    let validity = Validity::new(&all, 0);
    let repaired = batch::repair_offsets(&values, &offsets, Some(validity), Replacement::Whatwg);
    let repaired = repaired.expect("offsets in order").expect("something to replace");
    for index in 0..40 {
        let new = &repaired.values[repaired.offsets[index] as usize..repaired.offsets[index + 1] as usize];
        assert_eq!(new, String::from_utf8_lossy(value(index)).as_bytes());
    }
    let wide = batch::transcode_offsets::<Utf8, Utf16, i32>(&repaired.values, &repaired.offsets, None)
        .expect("text");
    assert_eq!(wide.offsets.len(), 41);
    let text = String::from_utf16(&wide.values).expect("text");
    assert_eq!(text.as_bytes(), &repaired.values[..]);
}

#[test]
fn offsets() {
    for text in texts().iter().filter(|text| text.len() < 100) {
        for engine in engines() {
            let text: Box<str> = text.as_str().into();
            let map = OffsetMap::with_engine(engine, &*text);
            assert_eq!(map.len(Unit::Utf16), text.encode_utf16().count());
            for (at, _) in text.char_indices().step_by(7) {
                let wide = text[..at].encode_utf16().count();
                assert_eq!(map.offset(&*text, at, Unit::Utf16), wide, "{engine:?}");
                assert_eq!(map.at_offset(&*text, wide, Unit::Utf16), at, "{engine:?}");
                let Position { line, .. } = map.position(&*text, at, Unit::Utf16);
                assert!(line <= map.lines());
            }
        }
    }
}

#[test]
fn strings() {
    let units = [0x61, 0xD83E, 0xDEA8, 0xDC00, 0xD800, 0x8A9E];
    let mut text = Wtf8Buf::from_wide(&units);
    assert!(text.encode_wide().eq(units));
    text.push_wide(0xD83E);
    text.push_wide(0xDEA8);
    assert_eq!(
        text.clone().into_string_lossy(),
        String::from_utf16_lossy(&[&units[..], &[0xD83E, 0xDEA8]].concat())
    );
    assert!(text.into_string().is_err());
}

#[test]
fn scans() {
    let mut rng = Rng::new(8);
    // Longer than the loop for 64 bytes needs; blocks of kilobytes would take Miri minutes.
    let long = [Class::Latin, Class::Three].map(|class| class.text(500, &mut rng));
    let (one, set) = (ByteSet::LINE_FEED, ByteSet::CONTROL);
    for engine in engines() {
        for text in texts().iter().chain(&long) {
            let mut bytes = exact(text.replace('\u{7F}', "\n").as_bytes());
            for _ in 0..2 {
                let error = reference::first(&bytes).map(|error| error.at);
                let end = error.unwrap_or(bytes.len());
                let expected: Vec<u32> =
                    (0..end).filter(|at| set.contains(bytes[*at])).map(|at| at as u32).collect();
                let mut found = Vec::new();
                let result = engine.positions_append(&bytes, set, &mut found);
                assert_eq!((result.error.map(|error| error.at), found), (error, expected));
                let mut count = 0;
                let result =
                    engine.scan(&bytes, &[one, set], |_, [a, b]| count += (a & b).count_ones() as usize);
                assert_eq!(result.err().map(|error| error.at), error);
                assert_eq!(count, bytes[..end].iter().filter(|byte| **byte == b'\n').count());
                let lines = bytes
                    .split_inclusive(|byte| *byte == b'\n')
                    .map(|line| std::str::from_utf8(line).is_ok());
                assert!(engine.lines(&bytes).map(|line| line.is_ok()).eq(lines));
                if !bytes.is_empty() {
                    let at = rng.below(bytes.len());
                    bytes[at] = [0xFF, 0x80, 0xE1, b'a'][rng.below(4)];
                }
            }
        }
    }
}

/// Views: twelve bytes and fewer within them, longer ones elsewhere.
#[test]
fn views() {
    let long = exact("añ語😀 and more than fits".as_bytes());
    let mut bad = long.to_vec();
    bad[3] = 0xFF;
    let bad = exact(&bad);
    let view = |text: &[u8], buffer: u32| {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&(text.len() as u32).to_le_bytes());
        if text.len() > 12 {
            bytes[4..8].copy_from_slice(&text[..4]);
            bytes[8..12].copy_from_slice(&buffer.to_le_bytes());
        } else {
            bytes[4..4 + text.len()].copy_from_slice(text);
        }
        u128::from_le_bytes(bytes)
    };
    let well_formed =
        exact(&[view("語".as_bytes(), 0), view(&long, 0), view(b"", 0), view(b"twelve bytes", 0)]);
    let buffers = [&long[..], &bad[..]];
    for engine in engines() {
        let first = |views: &[u128]| {
            engine.validate_views::<Utf8>(views, &buffers, None).err().map(|error| error.index)
        };
        assert_eq!(first(&well_formed), None);
        let ill_formed = [well_formed[1], view(b"a\xE8", 0), well_formed[0]];
        assert_eq!(first(&exact(&ill_formed)), Some(1), "{engine:?}");
        assert_eq!(first(&exact(&[well_formed[0], view(&bad, 1)])), Some(1), "{engine:?}");
    }
}

/// Bytes that are shared, cut and given back, and are text all the time.
#[cfg(feature = "bytes")]
#[test]
fn shared_bytes() {
    use bytes::{Bytes, BytesMut};
    use runecast::Utf8Bytes;

    let text = Utf8Bytes::try_from("añ語😀".as_bytes().to_vec()).expect("text");
    let part = text.slice(1..6).expect("boundaries");
    assert_eq!((&part[..], text.slice(2..), text.slice_ref(&text[3..])), ("ñ語", None, text.slice(3..)));
    let mut first = text.clone();
    let rest = first.split_off(3).expect("a boundary");
    assert_eq!((&first[..], &rest[..]), ("añ", "語😀"));
    assert_eq!(first.split_to(2), None); // within a character
    drop(text);
    assert_eq!(String::from(part) + &String::from(first), "ñ語añ");
    assert_eq!(rest.into_bytes(), "語😀".as_bytes());

    let mut buffer = BytesMut::from(&"語\u{E9}".as_bytes()[..4]);
    assert_eq!(Utf8Bytes::take_complete(&mut buffer).as_deref(), Ok("語"));
    assert_eq!(buffer, b"\xC3"[..]);
    let error = Utf8Bytes::try_from(Bytes::from_static(b"a\xFFb")).expect_err("ill-formed");
    assert_eq!(&error.into_repaired(Replacement::Whatwg)[..], "a\u{FFFD}b");
}

#[test]
fn errors() {
    for bytes in
        ill_formed().iter().map(|bytes| &bytes[..]).chain([&b"a\xE1\x9A"[..], b"\xF0\x90\x80", b"\xC3"])
    {
        let ours = runecast::from_utf8(bytes).expect_err("it is ill-formed");
        assert_eq!(
            std::str::Utf8Error::from(ours),
            std::str::from_utf8(bytes).expect_err("it is ill-formed")
        );
    }
}
