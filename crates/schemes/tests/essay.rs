//! The worked examples of the essay *Inventing UTF-8*, digit for digit, and its slips.

use runecast_schemes::{
    Cleared, Corrected, Fault, Leb128, Naive, OneCounter, Scheme, StartBit, Strict, Tagged, Unary, Utf8,
    remarks::{REMARKS, WORKED},
    steps,
};

/// Bytes written as bits, with whatever between them.
fn bits(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text.chars().filter_map(|digit| digit.to_digit(2)).collect();
    assert_eq!(digits.len() % 8, 0, "{text}");
    digits.chunks(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | *bit as u8)).collect()
}

/// What a text reads as.
fn read(scheme: &dyn Scheme, bytes: &[u8]) -> Vec<Result<u32, Fault>> {
    let value = |step: runecast_schemes::Step| step.map(|it| it.value).map_err(|error| error.fault);
    steps(scheme, bytes).map(value).collect()
}

/// The bytes of a value.
fn written(scheme: &dyn Scheme, value: u32) -> Vec<u8> {
    scheme.encode(value).expect("a form").bytes().to_vec()
}

#[test]
fn leb128() {
    for (value, form) in [
        (41, "0010’1001"),
        (297, "0010’1001 1000’0010"),
        (809, "0010’1001 1000’0110"),
        (33577, "0010’1001 1000’0110 1000’0010"),
    ] {
        assert_eq!(written(&Tagged, value), bits(form));
        assert_eq!(read(&Tagged, &bits(form)), [Ok(value)]);
    }
    // Without its last chunk 33577 is 809, without the one before it 297, without both 41.
    assert_eq!(read(&Tagged, &[0x29, 0x86]), [Ok(809)]);
    assert_eq!(read(&Tagged, &[0x29, 0x82]), [Ok(297)]);
    assert_eq!(read(&Tagged, &[0x29]), [Ok(41)]);
}

#[test]
fn leb128_slips() {
    // The tag is the other way round.
    assert_eq!(written(&Leb128, 41), [0x29]);
    assert_eq!(written(&Leb128, 297), [0xA9, 0x02]);
    assert_eq!(written(&Leb128, 809), [0xA9, 0x06]);
    assert_eq!(written(&Leb128, 33577), [0xA9, 0x86, 0x02]);
    // The densest? There are forms to spare.
    assert_eq!(read(&Tagged, &[0x29, 0x80]), [Ok(41)]);
    assert_eq!(0x80 + 0x3FFF, 0x407F);
    // Without its first byte a sequence is no number, but it spoils the one before it.
    assert_eq!(read(&Tagged, &[0x86, 0x82]), [Err(Fault::Stray); 2]);
    let text = [written(&Tagged, 41), written(&Tagged, 33577)[1..].to_vec()].concat();
    assert_eq!(read(&Tagged, &text), [Ok(33577)]);
    let text = [written(&Tagged, 0x41), written(&Tagged, 33577)[1..].to_vec()].concat();
    assert_eq!(read(&Tagged, &text), [Ok(33601)]);
    // In real LEB128 what remains is a number.
    assert_eq!(read(&Leb128, &[0x86, 0x02]), [Ok(262)]);
}

#[test]
fn naive_counter() {
    let whole = bits("10111001 10100010 10010011 10001000");
    assert_eq!(33577, 0b10000011_00101001);
    assert_eq!(written(&Naive, 33577), whole);
    assert_eq!(read(&Naive, &whole), [Ok(33577)]);
    // Without the second byte: a hole. What is left of the counters reads on.
    let hole = bits("10111001 10010011 10001000");
    assert_eq!(read(&Naive, &hole), [Err(Fault::Truncated), Ok(0x83)]);
    // Without the first byte: another number.
    assert_eq!(read(&Naive, &whole[1..]), [Ok(2098)]);
    assert_eq!(2098, 0b1000_00110010);
    // With the second byte twice: an error, and that number again.
    let repeated = bits("10111001 10100010 10100010 10010011 10001000");
    assert_eq!(read(&Naive, &repeated), [Err(Fault::Truncated), Ok(2098)]);
}

#[test]
fn naive_counter_slips() {
    // "A numbered byte is missing" is detected, but not everything behind the hole is.
    let whole = written(&Naive, 33577);
    assert_eq!(read(&Naive, &whole[..3]), [Err(Fault::Truncated)]);
    assert_eq!(read(&Naive, &[whole[0], whole[1], whole[3]]), [Err(Fault::Truncated), Ok(8)]);
    // That last one is longer than it need be, which only a rule of the next sections refuses.
    let strict = read(&Strict(&Naive), &[whole[0], whole[1], whole[3]]);
    assert_eq!(strict, [Err(Fault::Truncated), Err(Fault::Overlong)]);
}

#[test]
fn start_bit_and_counter() {
    let whole = bits("10010001 11001101 11000100");
    assert_eq!(written(&StartBit, 297), whole);
    assert_eq!(read(&StartBit, &whole), [Ok(297)]);
    // Where is the start?
    assert_eq!(read(&StartBit, &bits("11001101 11000100")), [Err(Fault::Stray); 2]);
    // Something is missing in the middle.
    assert_eq!(read(&StartBit, &bits("10010001 11000100")), [Err(Fault::Truncated), Err(Fault::Stray)]);
    // Where is the rest?
    assert_eq!(read(&StartBit, &bits("10010001 11001101")), [Err(Fault::Truncated)]);
    // A hole in the middle, no start, no end.
    let swapped = read(&StartBit, &bits("10010001 11000100 11001101"));
    assert_eq!(swapped, [Err(Fault::Truncated), Err(Fault::Stray), Err(Fault::Stray)]);
    // The rest is missing, the start is missing.
    let repeated = read(&StartBit, &bits("10010001 11001101 11001101 11000100"));
    assert_eq!(repeated, [Err(Fault::Truncated), Err(Fault::Stray), Err(Fault::Stray)]);
}

#[test]
fn start_bit_slips() {
    // No value takes two bytes.
    assert!((0..0x20_0000).all(|value| written(&StartBit, value).len() != 2));
    // 21 bits in seven bytes are right; a counter of seven would go to 24.
    assert_eq!(written(&StartBit, 0x1F_FFFF).len(), 7);
    assert_eq!(StartBit.encode(0x20_0000), None);
}

#[test]
fn one_counter() {
    let whole = bits("10001001 11100101");
    assert_eq!(written(&OneCounter, 297), whole);
    assert_eq!(read(&OneCounter, &whole), [Ok(297)]);
    assert_eq!(read(&OneCounter, &whole[..1]), [Err(Fault::Truncated)]);
    assert_eq!(read(&OneCounter, &whole[1..]), [Err(Fault::Stray)]);
    // Two bytes reach U+01FF: 128 of the 208 characters of Latin Extended-B. With 128 added it is
    // U+027F, and so all of them.
    assert_eq!((written(&OneCounter, 0x1FF).len(), written(&OneCounter, 0x200).len()), (2, 3));
    assert_eq!((0x24F - 0x180 + 1, 0x1FF - 0x180 + 1), (208, 128));
    assert_eq!(0x1FF + 128, 0x27F);
}

#[test]
fn unary_counter() {
    // Before: the bytes to follow are the leading ones. FF is not in the table.
    for (lead, behind) in
        [(0x00, 0), (0x80, 1), (0xC0, 2), (0xE0, 3), (0xF0, 4), (0xF8, 5), (0xFC, 6), (0xFE, 7)]
    {
        let text = [lead, 1, 0, 0, 0, 0, 0, 0, 0];
        let step = Unary.decode(&text).expect("bytes");
        assert_eq!(runecast_schemes::length(step), behind + 1);
    }
    assert_eq!(read(&Unary, &[0xFF]), [Err(Fault::NeverUsed)]);
    // After: less one, if there are any.
    for lead in [0x00_u8, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE] {
        let ones = lead.leading_ones();
        let behind = ones - u32::from(ones > 0);
        let text = [lead, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80];
        let step = Cleared.decode(&text).expect("bytes");
        assert_eq!(runecast_schemes::length(step) as u32, behind + 1, "{lead:02X}");
    }
    // The slips: for a byte that follows the formula says 0, and for FF 7.
    assert_eq!(read(&Cleared, &[0x80]), [Err(Fault::Stray)]);
    assert_eq!(read(&Cleared, &[0xFF, 0x80]), [Err(Fault::NeverUsed), Err(Fault::Stray)]);
    // With two tags and 5, 4, 3 bits in the lead byte: 11, 16 and 21 bits.
    for (value, len) in [(0x7FF, 2), (0x800, 3), (0xFFFF, 3), (0x1_0000, 4), (0x1F_FFFF, 4), (0x20_0000, 5)] {
        assert_eq!(written(&Cleared, value).len(), len);
    }
}

#[test]
fn the_order_of_bits_changes() {
    // The lowest bits are in the first byte as long as there are numbers to look at; in UTF-8 they are in
    // the last.
    for scheme in [&Tagged as &dyn Scheme, &Naive, &StartBit, &OneCounter] {
        let (low, high) = (written(scheme, 0x1000), written(scheme, 0x1001));
        assert_ne!(low[0], high[0]);
        assert_eq!(low[1..], high[1..]);
    }
    let (low, high) = (written(&Utf8, 0x1000), written(&Utf8, 0x1001));
    assert_ne!(low.last(), high.last());
    assert_eq!(low[..2], high[..2]);
}

#[test]
fn an_offset_would_gain_something() {
    // A byte less for U+0800..U+087F, and for supplementary characters, in the scheme that does it (which
    // leaves out C1 controls and surrogates as well, and so gets a little further).
    for value in [0x800, 0x87F, 0x1_0000, 0x1_107F] {
        assert_eq!(written(&Corrected, value).len() + 1, written(&Utf8, value).len());
    }
    // And 21 bits are more than enough.
    assert_eq!(read(&Cleared, b"\xF7\xBF\xBF\xBF"), [Ok(0x1F_FFFF)]);
    assert_eq!(read(&Utf8, b"\xF4\x90\x80\x80")[0], Err(Fault::TooLarge));
}

#[test]
fn corrected_utf8() {
    assert_eq!(read(&Corrected, b"\xC0\xAF"), [Ok(0xCF)]);
    assert_eq!(read(&Cleared, b"\xC0\xAF"), [Ok(0x2F)]);
    // The table, row by row.
    for (value, form) in [
        (0xA0, &b"\xC0\x80"[..]),
        (0x89F, b"\xDF\xBF"),
        (0x8A0, b"\xE0\x80\x80"),
        (0xD7FF, b"\xEC\xBD\x9F"),
        (0xE000, b"\xEC\xBD\xA0"),
        (0x1_109F, b"\xEF\xBF\xBF"),
        (0x1_10A0, b"\xF0\x80\x80\x80"),
        (0x21_109F, b"\xF7\xBF\xBF\xBF"),
        (0x21_10A0, b"\xF8\x80\x80\x80\x80"),
        (0x421_109F, b"\xFB\xBF\xBF\xBF\xBF"),
        (0x421_10A0, b"\xFC\x80\x80\x80\x80\x80"),
        (0x8421_109F, b"\xFD\xBF\xBF\xBF\xBF\xBF"),
    ] {
        assert_eq!(written(&Corrected, value), form);
        assert_eq!(read(&Corrected, form), [Ok(value)]);
    }
    // A future sequence of FF and a second byte 110xxxxx is not passed over as one.
    let future = read(&Corrected, b"\xFF\xC1\x80\x80\x80\x80\x80\x80");
    assert_eq!(future[..2], [Err(Fault::Reserved), Ok(0xE0)]);
}

#[test]
fn not_all_error_cases_are_detected() {
    // The swap that the start bit and its counters caught.
    assert_eq!(written(&Utf8, 33577), [0xE8, 0x8C, 0xA9]);
    assert_eq!(read(&Utf8, &[0xE8, 0xA9, 0x8C]), [Ok(35404)]);
}

#[test]
fn the_digits_of_the_essay_are_right() {
    for worked in WORKED {
        let scheme = runecast_schemes::by_name(worked.scheme).expect("a scheme");
        assert_eq!(written(scheme, worked.value), worked.bytes, "{worked:?}");
    }
}

#[test]
fn the_table_of_the_readme_is_right() {
    let readme = include_str!("../README.md");
    for scheme in runecast_schemes::ALL {
        let bytes: Vec<_> = written(scheme, 33577).iter().map(|byte| format!("{byte:02X}")).collect();
        let row = format!("| `{}` | {} | `{}` |", scheme.name(), scheme.title(), bytes.join(" "));
        assert!(readme.contains(&row), "{row}");
    }
}

#[test]
fn remarks_are_sentences() {
    for remark in REMARKS {
        for text in [remark.section, remark.says, remark.is] {
            assert!(!text.is_empty() && !text.contains("  ") && !text.ends_with('.'), "{text}");
        }
    }
}
