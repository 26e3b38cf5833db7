//! Corrected UTF-8 as its table, and two sentences.
//!
//! The table is that of the specification: of each row the first and the last sequence, and the first
//! and the last code point. A sequence belongs to a row if it has the row's length and its lead, and the
//! bytes behind it are continuation bytes, and it is neither before the first nor behind the last. The
//! sequences of a row are counted in order: so many places behind the first of them is the code point so many
//! places behind the first one. No offset is ever added.
//!
//! The second sentence is about FE and FF: what begins with them reaches to the next lead byte of the table.

use runecast::Kind;

/// A row of the table.
pub struct Row {
    /// The first and the last sequence.
    pub bytes: (&'static [u8], &'static [u8]),
    /// The offset that the specification prints beside it, in decimal.
    pub offset: u32,
    /// The first and the last code point.
    pub points: (u32, u32),
}

const fn row(first: &'static [u8], last: &'static [u8], offset: u32, points: (u32, u32)) -> Row {
    Row { bytes: (first, last), offset, points }
}

/// The table.
pub const TABLE: [Row; 7] = [
    row(b"\x00", b"\x7F", 0, (0x0, 0x7F)),
    row(b"\xC0\x80", b"\xDF\xBF", 160, (0xA0, 0x89F)),
    row(b"\xE0\x80\x80", b"\xEC\xBD\x9F", 2_208, (0x8A0, 0xD7FF)),
    row(b"\xEC\xBD\xA0", b"\xEF\xBF\xBF", 4_256, (0xE000, 0x1_109F)),
    row(b"\xF0\x80\x80\x80", b"\xF7\xBF\xBF\xBF", 69_792, (0x1_10A0, 0x21_109F)),
    row(b"\xF8\x80\x80\x80\x80", b"\xFB\xBF\xBF\xBF\xBF", 2_166_944, (0x21_10A0, 0x421_109F)),
    row(b"\xFC\x80\x80\x80\x80\x80", b"\xFD\xBF\xBF\xBF\xBF\xBF", 69_275_808, (0x421_10A0, 0x8421_109F)),
];

fn is_continuation(byte: u8) -> bool {
    byte >> 6 == 0b10
}

/// The number of a sequence among all of its length: lead bytes count, and 64 for each place.
pub fn number(sequence: &[u8]) -> u64 {
    let lead = u64::from(sequence[0]);
    sequence[1..].iter().fold(lead, |number, byte| number * 64 + u64::from(byte & 0x3F))
}

/// What is at the start of `rest`, which is not empty: a code point and its length, or the length and the
/// kind of what is none.
pub fn next(rest: &[u8]) -> Result<(u32, usize), (usize, Kind)> {
    let lead = rest[0];
    if is_continuation(lead) {
        return Err((1, Kind::UnexpectedContinuation));
    }
    let Some(long) = TABLE.iter().find(|row| (row.bytes.0[0]..=row.bytes.1[0]).contains(&lead)) else {
        let begins = |byte: &u8| TABLE.iter().any(|row| (row.bytes.0[0]..=row.bytes.1[0]).contains(byte));
        return Err((rest.iter().position(begins).unwrap_or(rest.len()), Kind::Reserved));
    };
    let wanted = long.bytes.0.len();
    let tail = rest[1..].iter().take(wanted - 1).take_while(|byte| is_continuation(**byte)).count();
    if 1 + tail < wanted {
        return Err((1 + tail, if 1 + tail == rest.len() { Kind::Incomplete } else { Kind::Truncated }));
    }
    let this = number(&rest[..wanted]);
    let within = |row: &&Row| {
        row.bytes.0.len() == wanted && (number(row.bytes.0)..=number(row.bytes.1)).contains(&this)
    };
    let row = TABLE.iter().find(within).expect("a row");
    Ok((row.points.0 + (this - number(row.bytes.0)) as u32, wanted))
}

/// The sequence of a code point, if it has one.
pub fn encode(point: u32) -> Option<Vec<u8>> {
    let row = TABLE.iter().find(|row| (row.points.0..=row.points.1).contains(&point))?;
    let mut number = number(row.bytes.0) + u64::from(point - row.points.0);
    let mut bytes = Vec::new();
    for _ in 1..row.bytes.0.len() {
        bytes.push(0x80 + (number % 64) as u8);
        number /= 64;
    }
    bytes.push(number as u8);
    bytes.reverse();
    Some(bytes)
}

/// The code points and their lengths up to the first piece that is none, and that.
#[allow(clippy::type_complexity, reason = "what is said above")]
pub fn decode(bytes: &[u8]) -> (Vec<(u32, usize)>, Option<(usize, usize, Kind)>) {
    let (mut points, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match next(&bytes[at..]) {
            Ok((point, len)) => {
                points.push((point, len));
                at += len;
            }
            Err((len, kind)) => return (points, Some((at, len, kind))),
        }
    }
    (points, None)
}
