//! The validators of `imp`: any text, cut in any way, gets the answer of the original's validators and of std.
#![cfg(all(feature = "public_imp", any(target_arch = "x86", target_arch = "x86_64")))]

use runecast_corpus::{Random, Script, generate};

macro_rules! streams {
    ($module:ident, $simdutf8:ident, $isa:ident) => {
        mod $module {
            use $simdutf8::basic::imp::x86::$isa::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
            use $simdutf8::basic::imp::{ChunkedUtf8Validator, Utf8Validator};

            /// Pieces of any size.
            pub fn chunks(pieces: &[&[u8]]) -> bool {
                // SAFETY: the tests ask for SSE4.2.
                unsafe {
                    let mut validator = Utf8ValidatorImp::new();
                    pieces.iter().for_each(|piece| validator.update(piece));
                    validator.finalize().is_ok()
                }
            }

            /// Pieces of whole blocks, and what remains.
            pub fn blocks(pieces: &[&[u8]], rest: Option<&[u8]>) -> bool {
                // SAFETY: as above.
                unsafe {
                    let mut validator = ChunkedUtf8ValidatorImp::new();
                    pieces.iter().for_each(|piece| validator.update_from_chunks(piece));
                    validator.finalize(rest).is_ok()
                }
            }
        }
    };
}

streams!(ours, simdutf8, sse42);
streams!(ours_avx2, simdutf8, avx2);
streams!(theirs, original, sse42);

/// `text` in all of the ways.
fn compare(text: &[u8], random: &mut Random) {
    assert!(std::is_x86_feature_detected!("sse4.2"), "the original cannot be called here");
    let expected = std::str::from_utf8(text).is_ok();

    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let longest = [1, 5, 64, 1000][random.below(4)];
        let (piece, after) = rest.split_at(random.below(longest + 1).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    assert_eq!(ours::chunks(&pieces), expected, "{pieces:X?}");
    assert_eq!(ours_avx2::chunks(&pieces), expected);
    assert_eq!(theirs::chunks(&pieces), expected);

    // One block at a time, as a parser does; or several.
    for most in [1, 3, 12] {
        let mut pieces = Vec::new();
        let mut rest = text;
        while rest.len() >= 64 && !random.per_mille(10) {
            let blocks = random.below(most + 1).min(rest.len() / 64);
            let (piece, after) = rest.split_at(64 * if most == 1 { 1 } else { blocks });
            pieces.push(piece);
            rest = after;
        }
        let rest = Some(rest).filter(|rest| !rest.is_empty());
        assert_eq!(ours::blocks(&pieces, rest), expected, "{pieces:X?}, {rest:X?}");
        assert_eq!(ours_avx2::blocks(&pieces, rest), expected);
        assert_eq!(theirs::blocks(&pieces, rest), expected);
    }
}

#[test]
fn texts_in_pieces() {
    let mut random = Random::new(21);
    for script in Script::ALL {
        for round in 0..300 {
            let mut text =
                generate(script, random.below(if round % 10 == 0 { 4000 } else { 700 }), round).into_bytes();
            compare(&text, &mut random);
            if !text.is_empty() {
                let at = random.below(text.len());
                text[at] = random.bits() as u8;
                compare(&text, &mut random);
                compare(&text[..at], &mut random);
            }
        }
    }
}

/// The end of a block, and of what is collected before a kernel sees it: characters that straddle it, and end there.
#[test]
fn characters_at_every_boundary() {
    let mut random = Random::new(22);
    for sequence in ["é", "字", "😀", "\u{FFFF}"].map(str::as_bytes) {
        for length in 0..=sequence.len() {
            for at in (50..70).chain(500..520).chain(560..580) {
                let mut text = vec![b'a'; at];
                text.extend_from_slice(&sequence[..length]);
                compare(&text, &mut random);
                text.resize(700, b'a');
                compare(&text, &mut random);
                text[3] = 0xC3; // something to collect, and an error long before
                compare(&text, &mut random);
                text[4] = 0xA9;
                compare(&text, &mut random);
            }
        }
    }
}

/// A character that is begun at the end of a block is not continued behind blocks of ASCII.
#[test]
fn blocks_of_ascii_inside_of_a_character() {
    let mut random = Random::new(23);
    for blocks in 1..20 {
        for between in 0..3 {
            let mut text = "é".repeat(32 * blocks).into_bytes();
            text.truncate(64 * blocks - 2);
            text.extend_from_slice(b"a\xC3");
            text.resize(64 * (blocks + between), b'a');
            text.push(0xA9);
            text.resize(64 * (blocks + between + 1), b'a');
            compare(&text, &mut random);
        }
    }
}

#[test]
#[should_panic = "Input size must be a multiple of 64."]
fn part_of_a_block_panics() {
    ours::blocks(&[&[b'a'; 65]], None);
}

#[test]
#[should_panic = "Input size must be a multiple of 64."]
fn part_of_a_block_panics_in_the_original() {
    theirs::blocks(&[&[b'a'; 65]], None);
}

/// Nothing is a text, too.
#[test]
fn nothing() {
    assert!(ours::chunks(&[]) && theirs::chunks(&[]));
    assert!(ours::blocks(&[], None) && theirs::blocks(&[], None));
    assert!(ours::blocks(&[b""], Some(b"")) && theirs::blocks(&[b""], Some(b"")));
}
