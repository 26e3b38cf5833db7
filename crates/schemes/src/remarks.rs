//! Where the essays slip, and what is so instead.
//!
//! All the digits of the worked examples in *Inventing UTF-8* are right: the tests have them, one by one. The errors
//! are in the text around them. Each is proved by a test in `tests/essay.rs`, as far as it is
//! about bytes. The last two are about the essay on Corrected UTF-8.

/// A slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The heading under which it stands.
    pub section: &'static str,
    /// What it says.
    pub says: &'static str,
    /// What is so.
    pub is: &'static str,
    /// The worked examples that it is about, if it is about numbers.
    pub examples: &'static [u32],
}

/// A number that the essay writes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worked {
    /// The name of the scheme.
    pub scheme: &'static str,
    /// The number.
    pub value: u32,
    /// The bytes that it is given there.
    pub bytes: &'static [u8],
}

/// All numbers that the essay writes out in bytes.
pub const WORKED: [Worked; 7] = [
    Worked { scheme: "tagged", value: 41, bytes: &[0b0010_1001] },
    Worked { scheme: "tagged", value: 297, bytes: &[0b0010_1001, 0b1000_0010] },
    Worked { scheme: "tagged", value: 809, bytes: &[0b0010_1001, 0b1000_0110] },
    Worked { scheme: "tagged", value: 33577, bytes: &[0b0010_1001, 0b1000_0110, 0b1000_0010] },
    Worked { scheme: "naive", value: 33577, bytes: &[0b1011_1001, 0b1010_0010, 0b1001_0011, 0b1000_1000] },
    Worked { scheme: "start", value: 297, bytes: &[0b1001_0001, 0b1100_1101, 0b1100_0100] },
    Worked { scheme: "one", value: 297, bytes: &[0b1000_1001, 0b1110_0101] },
];

/// About *Inventing UTF-8* and the essay on Corrected UTF-8, in their order.
pub const REMARKS: [Remark; 15] = [
    Remark {
        section: "LEB128",
        says: "the tag is 0 in the first byte and 1 in all that follow",
        is: "LEB128 has it the other way round: 1 in all but the last. 297 is A9 02 there, not 29 82",
        examples: &[297, 809, 33577],
    },
    Remark {
        section: "LEB128",
        says: "it is the densest possible encoding in bytes of variable length",
        is: "every value has longer forms too (29 80 is 41); with an offset for each length, two bytes would \
             reach 407F instead of 3FFF",
        examples: &[41],
    },
    Remark {
        section: "LEB128",
        says: "a fault that cannot happen in LEB128: without its first bytes a sequence is still a number",
        is: "with the tag of the essay what remains is added to the sequence before it, and makes that \
             another number; in real LEB128 what remains is a number",
        examples: &[33577],
    },
    Remark {
        section: "A counter",
        says: "more bytes need more bits for the counter",
        is: "three digits count eight bytes, 32 bits here and 24 with a start bit; the limits of six and \
             seven bytes are chosen, not forced",
        examples: &[],
    },
    Remark {
        section: "A counter",
        says: "without its last byte, 33577 is detected",
        is: "true; but a lone last byte (88) says that none follow, and so it reads as 8, unless that form \
             is refused: in this scheme and the next two, eight or sixteen bytes that come in go unnoticed",
        examples: &[33577],
    },
    Remark {
        section: "A start bit",
        says: "the scheme works, at five bits of tags for three of the value",
        is: "it does; but two bytes hold six bits, less than ASCII has, so that no value is ever written in \
             two",
        examples: &[297],
    },
    Remark {
        section: "The start byte",
        says: "nine bits reach half of Latin Extended-B",
        is: "they reach U+01FF: 128 of its 208 characters, more than six tenths",
        examples: &[],
    },
    Remark {
        section: "A unary counter",
        says: "the start byte needs three bits of tags, which leaves five of the value",
        is: "the first table leaves six (10xxxxxx), and takes every pattern but FF: no byte that follows \
             could be told from a start byte, and the essay does not say what it looks like",
        examples: &[],
    },
    Remark {
        section: "A unary counter",
        says: "UTF-8 is what comes out",
        is: "up to here the lowest bits came first; UTF-8 has the highest first, and the change is not \
             mentioned",
        examples: &[],
    },
    Remark {
        section: "A unary counter",
        says: "the bytes to follow are the leading ones, less one if there are any",
        is: "for 10xxxxxx, which begins nothing, that is 0, as for ASCII; for FF it is 7, though the table \
             has no such row",
        examples: &[],
    },
    Remark {
        section: "Removing nonsense",
        says: "21 bits are what Unicode needs, so four bytes end the table",
        is: "they reach 1FFFFF: values above 10FFFF, and F5 to F7 altogether, have to be refused as well, as \
             have E0 80..9F and F0 80..8F",
        examples: &[],
    },
    Remark {
        section: "Removing nonsense",
        says: "an offset for each length would gain nothing",
        is: "it would save a byte for U+0800..U+087F and, with surrogates left out, for U+10000..U+1107F; \
             and nothing overlong would be left to look for",
        examples: &[],
    },
    Remark {
        section: "UTF-8 makes sense",
        says: "all error cases of the sections before are detected",
        is: "lost bytes are, always, and so are those that come in; a swap of two bytes that follow, which \
             was one of these cases, is not (E8 A9 8C is 35404), nor is one such byte in place of another",
        examples: &[],
    },
    Remark {
        section: "Corrected UTF-8",
        says: "C0 AF was 2F as originally specified",
        is: "the bits say so; but FSS-UTF was proposed with only the shortest form legal, and what let \
             others pass was that RFC 2044 did not tell decoders to look",
        examples: &[],
    },
    Remark {
        section: "Corrected UTF-8",
        says: "in the future an eight-byte sequence could begin 11111111 110xxxxx",
        is: "that has ten leading ones, where eight would do; and its second byte is a lead byte of two, at \
             which a decoder that skips what is reserved \"until the next recognized lead byte\" stops",
        examples: &[],
    },
];
