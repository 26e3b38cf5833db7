//! Text in lines of 64 bytes, as the loops for long text see it, and what is ill-formed at their ends.
//!
//! These loops change their way by what the last lines were: whether they were ASCII, how long their characters are, how many had to be
//! judged. Two faults were accepted text that only certain lines before it led to: a hundred that are dense, one of ASCII at the right
//! distance, then a character that is cut short, and ASCII again. No random bytes come by these. So here whole runs of lines are drawn, and
//! changes at the ends of lines.

use super::place::UNIT;
use super::texts::{Class, ILL_FORMED, Rng};

/// No text has more lines.
const MOST: usize = 320;

/// No text is longer.
pub const LONGEST: usize = MOST * UNIT;

/// Makes whole characters ASCII: those from `from` to `to`, and those that reach into that.
pub fn make_ascii(bytes: &mut [u8], from: usize, to: usize) {
    let continues = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xC0 == 0x80);
    let (mut from, mut to) = (from.min(bytes.len()), to.min(bytes.len()));
    while from > 0 && continues(bytes.get(from)) {
        from -= 1;
    }
    while continues(bytes.get(to)) {
        to += 1;
    }
    bytes[from..to].fill(b'a');
}

/// Lines of one kind, or in turns.
fn run(text: &mut Vec<u8>, lines: usize, below: &mut impl FnMut(usize) -> usize) {
    let (begin, end) = (text.len(), text.len() + lines * UNIT);
    let each = |line: &str| line.repeat(lines).into_bytes();
    let repeated = |character: &str| character.repeat(lines * UNIT / character.len()).into_bytes();
    let dense = |which: usize| repeated(["\u{E9}", "\u{8A9E}", "\u{1F600}", "\u{8A9E}\u{E9}"][which]);
    let kind = below(9);
    match kind {
        0 => text.resize(end, b'a'),
        1..=4 => text.extend(dense(kind - 1)),
        // Every second to fifth line is ASCII.
        5 => {
            text.extend(dense(below(4)));
            text.resize(end, b'a');
            let every = 2 + below(4);
            for line in (0..lines).step_by(every) {
                make_ascii(text, begin + line * UNIT, begin + (line + 1) * UNIT);
            }
        }
        6 => text.extend(each(&format!("{}\u{E9}", "a".repeat(UNIT - 2)))),
        7 => text.extend(each(&format!("\u{1F600}{}", "a".repeat(UNIT - 4)))),
        _ => text.extend(Class::Mixed.text(lines * UNIT, &mut Rng::new(below(1000) as u64)).bytes()),
    }
    text.resize(end, b'a');
}

/// A text of up to [`LONGEST`] bytes, mostly with one or two sequences that are ill-formed; `below` draws a number below another.
pub fn lines(mut below: impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..1 + below(6) {
        let most = [1, 8, 64, 200][below(4)];
        let lines = (1 + below(most)).min(MOST - text.len() / UNIT);
        run(&mut text, lines, &mut below);
    }
    for _ in 0..below(3) {
        let bad = ILL_FORMED[below(ILL_FORMED.len())];
        // It ends where a line does, or is a few bytes away from there.
        let lines = text.len() / UNIT;
        let end = (below(lines) + 1) * UNIT + [0, 0, 0, 1, 2, 3][below(6)];
        let (from, to) = ((end - bad.len()).min(text.len()), end.min(text.len()));
        let behind = [0, 1, 2, 3, 4, 8][below(6)] * UNIT;
        make_ascii(&mut text, from, to + behind);
        text[from..to].copy_from_slice(&bad[..to - from]);
    }
    text.truncate(text.len() - [0, 0, 1, 2, 3, 40][below(6)]);
    text
}
