//! Errors in text of some thousand to some ten thousand bytes, at the edges of what a kernel takes at once.
//!
//! In long text a kernel keeps to what it has seen: that lines of ASCII alternate with others, that no character has
//! had more than two bytes so far. It may look at several thousand bytes before it asks whether there was an error, and
//! it looks back less far where characters have been short. So the texts here have lines of 64 bytes of one kind
//! between lines of another, in all proportions; they change their kind after some thousand bytes, and back; and
//! errors are put around the edges of lines, where a character of one line ends in the next.
//!
//! A text is well-formed but for one place, so the truth is found around it.

use runecast::scan::ByteSet;
use runecast::{Utf8, Utf16};

use crate::common::check::{Truth, engines, first_error};
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::place::{Place, UNIT};
use crate::common::reference::{self, Subpart};
use crate::common::scale;
use crate::common::texts::{Class, ILL_FORMED, Rng};

/// Bytes of a line.
const LINE: usize = 64;

/// The bytes that are put in, one of each class.
const BAD_BYTES: [u8; 12] = [0x41, 0x80, 0x9F, 0xBF, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF4, 0xFF];

/// How many lines of 64 are not ASCII, in text of a kind.
const SHARES: [usize; 6] = [1, 8, 24, 44, 58, 64];

/// Lines, of which `share` of 64 are of `class` and the others ASCII; and rarely, if at all, one of `rare`.
fn lines(class: Class, share: usize, rare: Option<Class>, count: usize, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..count {
        let class = match rare {
            Some(rare) if rng.below(150) == 0 => rare,
            _ if rng.below(64) < share => class,
            _ => Class::Ascii,
        };
        // Not always whole lines: characters lie across the edges as well.
        let len = LINE - rng.below(3);
        bytes.extend_from_slice(class.text(len, rng).as_bytes());
    }
    bytes
}

/// A text of every kind: of one, or of one after another.
fn texts(rng: &mut Rng) -> Vec<Vec<u8>> {
    let classes = [Class::Two, Class::Three, Class::Four, Class::Latin, Class::Words, Class::Mixed];
    let mut texts = Vec::new();
    for class in classes {
        for share in SHARES {
            texts.push(lines(class, share, None, 260, rng));
        }
        for rare in [Class::Three, Class::Four] {
            texts.push(lines(class, 30, Some(rare), 400, rng));
            texts.push(lines(class, 64, Some(rare), 400, rng));
        }
    }
    for first in classes {
        for second in classes {
            let mut text = lines(first, 64, None, 100, rng);
            text.extend(lines(second, 30, None, 240, rng));
            text.extend(lines(first, 40, None, 140, rng));
            texts.push(text);
        }
    }
    texts
}

/// The first error of `bytes` at or behind the character that was at `at` when the text was well-formed: none
/// can be before it.
fn error_around(whole: &[u8], bytes: &[u8], at: usize) -> Option<Subpart> {
    let begins = |at: &usize| whole[*at] & 0xC0 != 0x80;
    let from = (0..=at.saturating_sub(4)).rev().find(begins).unwrap_or(0);
    let to = (at + 8..whole.len()).find(begins).unwrap_or(whole.len());
    reference::first_from(&bytes[..to], from)
}

/// One byte beside the edge of a line is another.
#[test]
fn bytes_beside_the_edges_of_lines() {
    let mut rng = Rng::new(70);
    let engines = engines();
    for (number, whole) in texts(&mut rng).iter().enumerate() {
        let mut place = Place::new(whole.len());
        let offset = if number % 2 == 0 { 0 } else { rng.below(UNIT) };
        let bytes = place.at_mut(offset, whole);
        assert_eq!(std::str::from_utf8(bytes).err(), None);
        for engine in &engines {
            first_error(*engine, bytes, None);
        }
        let near = |at: &usize| (at + offset + 5) % LINE < 9;
        for at in (0..whole.len()).filter(near).step_by(scale::size(5, 23, 401)) {
            for bad in BAD_BYTES {
                bytes[at] = bad;
                let truth = error_around(whole, bytes, at);
                for engine in &engines {
                    first_error(*engine, bytes, truth);
                }
            }
            bytes[at] = whole[at];
        }
    }
}

/// Texts of some hundred to sixteen thousand bytes, which a kernel may judge as a whole, or cut into a few parts: at
/// every alignment one byte is another, beside the edge of a line, by its address or counted from the start, or near
/// an end or where it may be cut; or the text is cut short.
#[test]
fn bytes_in_texts_of_a_few_kilobytes() {
    let mut rng = Rng::new(77);
    let engines = engines();
    let mut place = Place::new(17_000);
    for class in [Class::Two, Class::Three, Class::Four, Class::Latin, Class::Words, Class::Mixed] {
        for share in SHARES {
            let whole = lines(class, share, None, 275, &mut rng);
            for offset in (0..UNIT).step_by(scale::step(1, 11)) {
                let begins = |at: &usize| whole.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
                // Where one way ends and the next begins, and anything.
                let about = match rng.below(6) {
                    0 => [131, 132, 256, 257, 320, 1023, 1024, 1088][rng.below(8)],
                    1 => [4095, 4096, 4097, 4160, 8064, 8127, 8128, 8129][rng.below(8)],
                    2 => [12_160, 12_161, 16_192, 16_383, 16_384, 16_385, 16_386, 16_400][rng.below(8)],
                    3 => 131 + rng.below(1000),
                    4 => 1000 + rng.below(7500),
                    _ => 8000 + rng.below(8400),
                };
                let len = (0..=about).rev().find(begins).unwrap_or(0);
                let bytes = place.at_mut(offset, &whole[..len]);
                let edge = |at: usize| (at + 4) % LINE < 8 || (at + offset + 4) % LINE < 8;
                let cut = |at: usize| {
                    [0, 4032, 8064].into_iter().any(|from: usize| at.abs_diff((from + len) / 2) < 9)
                };
                let near = |at: &usize| edge(*at) || *at < 70 || *at + 70 > len || cut(*at);
                for at in (rng.below(40)..len).filter(near).step_by(scale::step(37, 97)) {
                    let good = bytes[at];
                    bytes[at] = BAD_BYTES[rng.below(BAD_BYTES.len())];
                    let truth = error_around(&whole[..len], bytes, at);
                    for engine in &engines {
                        first_error(*engine, bytes, truth);
                    }
                    bytes[at] = good;
                }
                for cut in (len - 70..=len).step_by(scale::step(1, 7)) {
                    let truth = std::str::from_utf8(&bytes[..cut]).err().map(|error| error.valid_up_to());
                    for engine in &engines {
                        let found = engine.validate::<Utf8>(&bytes[..cut]).err();
                        assert_eq!(found.map(|error| error.at), truth, "{}", engine.isa());
                    }
                }
            }
        }
    }
}

/// Text of some megabytes, for which a kernel may choose another way; scans as well.
#[test]
fn text_that_is_larger_than_caches() {
    let mut rng = Rng::new(75);
    let size = scale::size(17 << 20, 17 << 20, 70_000);
    for class in [Class::Two, Class::Three, Class::Four, Class::Words, Class::Mixed] {
        let part = lines(class, 64, None, 1000, &mut rng);
        let whole = part.repeat(size / part.len() + 1);
        let mut bytes = whole.clone();
        let text = std::str::from_utf8(&whole).expect("well-formed");
        let (characters, wide) = (text.chars().count(), text.encode_utf16().collect::<Vec<u16>>());
        for engine in engines() {
            assert_eq!(engine.count::<Utf8>(&bytes), characters, "{}", engine.isa());
            assert_eq!(engine.transcoded_len::<Utf8, Utf16>(&bytes), wide.len(), "{}", engine.isa());
            assert_eq!(engine.count::<Utf16>(&wide), characters, "{}", engine.isa());
            assert_eq!(engine.transcoded_len::<Utf16, Utf8>(&wide), whole.len(), "{}", engine.isa());
            let mut ends = 0;
            first_error(engine, &bytes, None);
            let scanned = engine.scan(&bytes, &[ByteSet::LINE_FEED], |_, [mask]| ends += mask.count_ones());
            assert_eq!((scanned, ends), (Ok(()), whole.iter().filter(|byte| **byte == b'\n').count() as u32));
        }
        let mut places: Vec<usize> = (0..scale::size(20, 10, 3)).map(|_| rng.below(bytes.len())).collect();
        // There the loops begin, and change.
        places.extend((0..scale::size(20_000, 5_000, 300)).step_by(29));
        for at in places {
            bytes[at] = BAD_BYTES[rng.below(BAD_BYTES.len())];
            // Whether all of a text is well-formed has been asked above.
            if let Some(truth) = error_around(&whole, &bytes, at) {
                for engine in engines() {
                    first_error(engine, &bytes, Some(truth));
                    let scanned = engine.scan(&bytes, &[ByteSet::LINE_FEED], |_, _| ());
                    assert_eq!(scanned.err().map(|error| error.at), Some(truth.at));
                }
            }
            bytes[at] = whole[at];
        }
        // Two at once, of which a kernel that reads several places in turns may see the later one first.
        for _ in 0..scale::size(20, 10, 3) {
            let first = rng.below(bytes.len() - 8);
            let most = [300, 5_000, 70_000, 300_000][rng.below(4)];
            let distance = 8 + rng.below(most);
            let second = (first + distance).min(bytes.len() - 1);
            for at in [first, second] {
                bytes[at] = BAD_BYTES[rng.below(BAD_BYTES.len())];
            }
            let truth = error_around(&whole, &bytes, first).or_else(|| error_around(&whole, &bytes, second));
            for engine in engines() {
                first_error(engine, &bytes, truth);
            }
            for at in [first, second] {
                bytes[at] = whole[at];
            }
        }
    }
}

/// ASCII of some megabytes, in which one byte is another.
#[test]
fn ascii_that_is_larger_than_caches() {
    let mut rng = Rng::new(77);
    let mut bytes = b"ascii, and more of it.\n".repeat(scale::size(17 << 20, 17 << 20, 70_000) / 23);
    let mut places: Vec<usize> = (0..scale::size(200, 50, 10)).map(|_| rng.below(bytes.len())).collect();
    places.extend([0, 65_400, 65_536, 65_600, bytes.len() - 1]);
    for at in places {
        let good = core::mem::replace(&mut bytes[at], 0xC3);
        for engine in engines() {
            assert_eq!(engine.ascii_prefix(&bytes), at, "{}", engine.isa());
            let error = engine.validate::<Utf8>(&bytes).map_err(|error| error.at);
            assert_eq!(error, Err(at), "{}", engine.isa());
        }
        bytes[at] = good;
    }
    for engine in engines() {
        assert_eq!(engine.ascii_prefix(&bytes), bytes.len(), "{}", engine.isa());
        assert_eq!(engine.validate::<Utf8>(&bytes), Ok(()), "{}", engine.isa());
    }
}

/// Any two bytes where the ASCII that a long text begins with ends, at every place in what a kernel skips at once.
#[test]
fn bytes_behind_the_first_ascii() {
    let mut rng = Rng::new(76);
    let engines = engines();
    let behind = Class::Mixed.text(6 << 10, &mut rng);
    for ascii in (0..4400).step_by(scale::size(7, 31, 401)).chain(0..scale::size(260, 260, 10)) {
        let whole = ["a".repeat(ascii).as_bytes(), b"bcd", behind.as_bytes()].concat();
        let mut place = Place::new(whole.len());
        let bytes = place.at_mut(rng.below(LINE), &whole);
        for first in BAD_BYTES {
            for second in BAD_BYTES {
                (bytes[ascii], bytes[ascii + 1]) = (first, second);
                let truth = reference::first_from(bytes, ascii.saturating_sub(1));
                for engine in &engines {
                    first_error(*engine, bytes, truth);
                }
            }
        }
    }
}

/// ASCII, as much as is skipped at the start of long text and a little less or more, then other text and an error.
#[test]
fn errors_behind_much_ascii() {
    let mut rng = Rng::new(73);
    let engines = engines();
    for class in [Class::Two, Class::Three, Class::Four, Class::Mixed] {
        let behind = class.text(8 << 10, &mut rng);
        for ascii in (4096 - 140..4096 + 140).step_by(scale::size(1, 7, 31)) {
            let whole = ["a".repeat(ascii).as_bytes(), behind.as_bytes()].concat();
            let mut place = Place::new(whole.len());
            let bytes = place.at_mut(ascii % LINE, &whole);
            for engine in &engines {
                first_error(*engine, bytes, None);
            }
            for at in (ascii - 3..ascii + 1400).step_by(scale::size(3, 11, 89)) {
                for bad in [b'a', 0x80, 0xE1, 0xFF] {
                    let good = core::mem::replace(&mut bytes[at], bad);
                    let truth = reference::first_from(bytes, ascii - 4);
                    for engine in &engines {
                        first_error(*engine, bytes, truth);
                    }
                    bytes[at] = good;
                }
            }
        }
    }
}

/// Characters cut short at the edge of a line, behind text that has no such character, or a few that are whole.
#[test]
fn characters_cut_short_at_every_line() {
    const CUT: [&[u8]; 6] = [b"\xC3", b"\xE1", b"\xE1\x80", b"\xF1", b"\xF1\x80", b"\xF1\x80\x80"];
    let mut rng = Rng::new(71);
    let engines = engines();
    for whole in texts(&mut rng) {
        let mut place = Place::new(whole.len());
        let bytes = place.at_mut(0, &whole);
        for line in (1..whole.len() / LINE).step_by(scale::size(3, 7, 97)) {
            // ASCII on both sides, or on one.
            for (before, behind) in [(0, 4), (0, LINE), (LINE, 4)] {
                for cut in CUT {
                    let begins = |at: &usize| whole[*at] & 0xC0 != 0x80;
                    let edge = LINE * line;
                    let from = (0..=edge - cut.len().max(before)).rev().find(begins).unwrap_or(0);
                    let to = (edge + behind..whole.len()).find(begins).unwrap_or(whole.len());
                    bytes[from..to].fill(b'a');
                    bytes[edge - cut.len()..edge].copy_from_slice(cut);
                    let truth = reference::first_from(&bytes[..to], from);
                    assert_eq!(truth.map(|error| error.at), Some(edge - cut.len()));
                    for engine in &engines {
                        first_error(*engine, bytes, truth);
                    }
                    // Well-formed, so that only the level is wrong.
                    let rest = match cut[0] {
                        0xC3 => 1,
                        0xE1 => 2,
                        _ => 3,
                    } + 1
                        - cut.len();
                    bytes[edge..edge + rest].fill(0x80);
                    for engine in &engines {
                        first_error(*engine, bytes, None);
                    }
                    bytes[from..to].copy_from_slice(&whole[from..to]);
                }
            }
        }
    }
}

/// Text with emoji, then text without, in which the only lead byte of four bytes is the last of all bytes that a
/// kernel may have looked at: the level must not fall there, however long ago the last emoji was.
#[test]
fn a_long_character_cut_short_when_there_were_none_for_long() {
    let engines = engines();
    let mut whole =
        "emoji \u{1F600} now and then, and some ASCII around it, so that it is a line of its own. "
            .repeat(200);
    let fading = whole.len();
    whole.push_str(&"a word in Swedish, \u{E5}ngstr\u{F6}m, in a line, and three more lines that have nothing of that kind. ".repeat(900));
    let whole = whole.into_bytes();
    let mut place = Place::new(whole.len());
    let bytes = place.at_mut(0, &whole);
    for line in fading / LINE + 1..whole.len() / LINE - 1 {
        let edge = LINE * line;
        for cut in [&b"\xF1\x80\x80"[..], b"\xF1\x80", b"\xF1"] {
            let (from, to) = in_ascii(bytes, &whole, edge - cut.len(), edge + 3);
            bytes[edge - cut.len()..edge].copy_from_slice(cut);
            // What a level of three bytes would accept.
            bytes[edge..edge + 3 - cut.len()].fill(0x80);
            let truth = reference::first_from(&bytes[..to], from);
            assert_eq!(truth.map(|error| error.at), Some(edge - cut.len()));
            for engine in &engines {
                first_error(*engine, bytes, truth);
            }
            bytes[from..to].copy_from_slice(&whole[from..to]);
        }
    }
}

/// Makes `from..to` of `bytes`, which are `whole`, ASCII, and of what is around it as much as belongs to the same
/// characters: from where to where.
fn in_ascii(bytes: &mut [u8], whole: &[u8], from: usize, to: usize) -> (usize, usize) {
    let begins = |at: &usize| whole[*at] & 0xC0 != 0x80;
    let from = (0..=from).rev().find(begins).unwrap_or(0);
    let to = (to + 1..whole.len()).find(begins).unwrap_or(whole.len());
    bytes[from..to].fill(b'a');
    (from, to)
}

/// Texts of some thousand bytes at every address, with one character of four bytes cut short among shorter ones, near
/// the start, the edges of lines and the end: what is judged as if there were none may not be near it.
#[test]
fn one_long_character_cut_short_in_a_short_text() {
    let engines = engines();
    let line = "a word in Swedish, \u{E5}ngstr\u{F6}m, and three more lines that have nothing of that kind. ";
    for len in [1024, 1100, 2047, 4096, 5000] {
        let whole = line.repeat(len / 40);
        let end = (0..=len).rev().find(|&end| whole.is_char_boundary(end)).unwrap_or(0);
        let whole = &whole.as_bytes()[..end];
        let mut place = Place::new(len);
        for address in (0..LINE).step_by(scale::step(3, 9)) {
            let bytes = place.at_mut(address, whole);
            let (start, len) = (LINE - address, whole.len());
            let places = (0..start + 4).chain(len - 2 * LINE..len - 3).chain((start..len - 8).step_by(LINE));
            for at in places {
                let (from, to) = in_ascii(bytes, whole, at, at + 3);
                bytes[at..at + 3].copy_from_slice(b"\xF1\x80\x80");
                let truth = reference::first_from(&bytes[..to], from);
                assert_eq!(truth.map(|error| error.at), Some(at));
                for engine in &engines {
                    first_error(*engine, bytes, truth);
                }
                bytes[from..to].copy_from_slice(&whole[from..to]);
            }
        }
    }
}

/// Characters cut short near the start of long text, or near an error, with nothing but ASCII behind them: where a kernel goes on
/// to what is all ASCII, it may not forget them.
#[test]
fn characters_cut_short_before_much_ascii() {
    const CUT: [&[u8]; 4] = [b"\xC3", b"\xE1\x80", b"\xF1", b"\xF1\x80\x80"];
    let engines = engines();
    for start in ["\u{E9}", "\u{E9}\u{20AC}\u{1F600}"] {
        for edge in (LINE..3 * 1024).step_by(scale::size(16, 32, 64)) {
            for (cut, behind) in CUT.iter().flat_map(|cut| [0, 1, 3].map(|behind| (*cut, behind))) {
                let at = edge + behind - cut.len();
                let mut bytes = vec![b'a'; 20 << 10];
                bytes[1..=start.len()].copy_from_slice(start.as_bytes());
                bytes[at..at + cut.len()].copy_from_slice(cut);
                let truth = reference::first_from(&bytes, 0);
                assert_eq!(truth.map(|error| error.at), Some(at));
                for engine in &engines {
                    first_error(*engine, &bytes, truth);
                }
                bytes[0] = 0xFF;
                for engine in &engines {
                    let found: Vec<_> = engine.ill_formed(&bytes).map(|error| error.at).collect();
                    assert_eq!(found, [0, at], "{}", engine.isa());
                }
            }
        }
    }
}

/// Several errors, far from each other: each is found from where the one before ended.
#[test]
fn all_errors_of_long_text() {
    let mut rng = Rng::new(72);
    for whole in texts(&mut rng) {
        for gap in [100, 1000, 6000, 20_000].into_iter().skip(rng.below(2)).step_by(scale::step(1, 2)) {
            let mut bytes = Vec::new();
            let mut rest = &whole[..];
            while let Some(character) = rest.first() {
                let mut to = rest.len().min(1 + rng.below(2 * gap));
                while to < rest.len() && rest[to] & 0xC0 == 0x80 {
                    to += 1;
                }
                assert_ne!(character & 0xC0, 0x80);
                bytes.extend_from_slice(&rest[..to]);
                bytes.extend_from_slice(ILL_FORMED[rng.below(ILL_FORMED.len())]);
                rest = &rest[to..];
            }
            let truth = reference::all(&bytes);
            for engine in engines() {
                let found: Vec<_> = engine
                    .ill_formed(&bytes)
                    .map(|error| Subpart { at: error.at, len: error.len, kind: error.kind })
                    .collect();
                assert_eq!(found, truth, "{}", engine.isa());
            }
        }
    }
}

/// Beside pages that must not be touched, whole and with an error near the ends.
#[cfg(unix)]
#[test]
fn beside_forbidden_pages() {
    let mut rng = Rng::new(73);
    let mut room = Guarded::new(70_000);
    let engines = engines();
    for whole in texts(&mut rng) {
        let text = whole.repeat(1 + rng.below(3));
        for about in [700, 1024, 2500, 4096, 8192, 12_288, 16_384, 65_536] {
            let len = (about - 70 + rng.below(140)).min(text.len());
            let bytes = &text[..len];
            let truth = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
            for at_end in [true, false] {
                for engine in &engines {
                    let bytes = if at_end { room.at_end(bytes) } else { room.at_start(bytes) };
                    let found = engine.validate::<Utf8>(bytes).err().map(|error| error.at);
                    assert_eq!(found, truth, "{}, {len} bytes", engine.isa());
                }
            }
            let mut bytes = bytes.to_vec();
            let at = if rng.below(2) == 0 { rng.below(80) } else { len - 1 - rng.below(80) };
            bytes[at] = 0xFF;
            let truth = std::str::from_utf8(&bytes).err().map(|error| error.valid_up_to());
            for engine in &engines {
                let found = engine.validate::<Utf8>(room.at_end(&bytes)).err().map(|error| error.at);
                assert_eq!(found, truth, "{}, {len} bytes", engine.isa());
            }
        }
    }
}

/// Characters and units of UTF-16, counted byte by byte: also of bytes that are no text, where sums grow fastest. (But no length is
/// greater than that of any text of so many bytes.)
#[test]
fn counts_of_long_text() {
    let mut rng = Rng::new(74);
    let mut texts = texts(&mut rng);
    for byte in [0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xEF, 0xF0, 0xF4, 0xFF] {
        texts.push(vec![byte; 70_000]);
    }
    for text in texts {
        for from in [0, 1, 63] {
            let text = &text[from..text.len() - rng.below(300)];
            let characters = text.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
            let pairs = text.iter().filter(|byte| **byte >= 0xF0).count();
            for engine in engines() {
                let isa = engine.isa();
                assert_eq!(engine.count::<Utf8>(text), characters, "{isa}");
                let units = engine.transcoded_len::<runecast::Utf8, runecast::Utf16>(text);
                assert_eq!(units, (characters + pairs).min(text.len()), "{isa}");
            }
        }
    }
}

/// Lengths in UTF-8 of UTF-16 and UTF-32, counted unit by unit: also of units that are no text.
#[test]
fn lengths_of_long_wide_text() {
    use runecast::{Utf8, Utf16, Utf32};
    const POINTS: [u32; 20] = [
        0,
        1,
        2,
        3,
        4,
        7,
        0x7F,
        0x80,
        0xFF,
        0x7FF,
        0x800,
        0xD7FF,
        0xD800,
        0xDFFF,
        0xE000,
        0xFFFF,
        0x1_0000,
        0x10_FFFF,
        0x80_0000,
        u32::MAX,
    ];
    let mut rng = Rng::new(78);
    for number in 0..40 {
        // Of one kind, so that sums grow fastest, or of all.
        let mut point = || POINTS.get(number).copied().unwrap_or_else(|| POINTS[rng.below(20)]);
        let points: Vec<u32> = (0..30_000).map(|_| point()).collect();
        let units: Vec<u16> = points.iter().map(|point| *point as u16).collect();
        let least = |point: u32, least: u32| usize::from(point >= least);
        for from in [0, 1, 15] {
            let (points, units) = (&points[from..], &units[from..points.len() - rng.below(300)]);
            let of_points: usize = points
                .iter()
                .map(|point| 1 + least(*point, 0x80) + least(*point, 0x800) + least(*point, 0x1_0000))
                .sum();
            let third = |unit: u16| usize::from(unit >= 0x800 && unit & 0xF800 != 0xD800);
            let of_units: usize =
                units.iter().map(|unit| 1 + least((*unit).into(), 0x80) + third(*unit)).sum();
            for engine in engines() {
                let isa = engine.isa();
                assert_eq!(engine.transcoded_len::<Utf32, Utf8>(points), of_points, "{isa}");
                assert_eq!(engine.transcoded_len::<Utf16, Utf8>(units), of_units, "{isa}");
            }
        }
    }
}

/// The search for the next error goes by what was behind ASCII at those before: so many errors, with ASCII alone between some of them,
/// and characters between others, in stretches of either and in turns.
#[test]
fn many_errors_with_ascii_and_characters_between() {
    let mut rng = Rng::new(29);
    for turn in 0..scale::size(2000, 200, 20) {
        let mut bytes = Vec::new();
        let mut plain = true;
        for _ in 0..60 {
            plain ^= rng.below(1 + turn % 7) == 0;
            let class = if plain { Class::Ascii } else { Class::Mixed };
            bytes.extend_from_slice(class.text(rng.below(200), &mut rng).as_bytes());
            bytes.extend_from_slice(ILL_FORMED[rng.below(ILL_FORMED.len())]);
        }
        bytes.extend_from_slice(Class::Ascii.text(rng.below(100), &mut rng).as_bytes());
        Truth::about(&bytes).ask_functions(&bytes);
        for engine in engines() {
            Truth::about(&bytes).ask(engine, &bytes);
        }
    }
}
