//! What detection counts in a text: control characters, and lead bytes of UTF-8.
//!
//! A plain loop, compiled once for each instruction set. NULs are counted among the controls; only where there
//! are controls at all, which is rare, they are counted again by themselves.

use super::convert::Plain;
use super::{Engine, Progress};

/// How many bytes of some kinds a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    /// Control characters that texts do not have, among them NUL.
    pub(crate) controls: usize,
    /// Bytes from C0 on: in well-formed UTF-8, characters of more than one byte.
    pub(crate) leads: usize,
}

/// Bytes in a row of lanes: a cache line.
const ROW: usize = 64;

impl Census {
    /// Counts the bytes of `src`.
    pub(crate) fn of(engine: Engine, src: &[u8]) -> Census {
        if src.len() < ROW {
            // Not worth a call.
            return Census::byte_by_byte(src);
        }
        // SAFETY: the loop asks for nothing.
        let Progress { read, written } = unsafe { engine.run_plain(Rows(src)) };
        Census { controls: read, leads: written }
    }

    #[inline(always)]
    fn byte_by_byte(src: &[u8]) -> Census {
        src.iter().fold(Census::default(), |Census { controls, leads }, byte| Census {
            controls: controls + usize::from(is_control(*byte)),
            leads: leads + usize::from(*byte >= 0xC0),
        })
    }
}

/// Control characters that texts do not have. Those that they do have are BS, TAB, LF, VT, FF, CR and ESC.
#[inline(always)]
fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte.wrapping_sub(0x08) > 0x05) & (byte != 0x1B) | (byte == 0x7F)
}

/// The loop. What was "read" are the controls, what was "written" the lead bytes.
struct Rows<'a>(&'a [u8]);

impl Plain for Rows<'_> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (rows, rest) = self.0.as_chunks::<ROW>();
        let mut census = Census::byte_by_byte(rest);
        // As many rows as a lane of a byte can count.
        for rows in rows.chunks(255) {
            let (mut controls, mut leads) = ([0_u8; ROW], [0_u8; ROW]);
            for row in rows {
                for lane in 0..ROW {
                    controls[lane] += u8::from(is_control(row[lane]));
                    leads[lane] += u8::from(row[lane] >= 0xC0);
                }
            }
            census.controls += controls.iter().map(|count| usize::from(*count)).sum::<usize>();
            census.leads += leads.iter().map(|count| usize::from(*count)).sum::<usize>();
        }
        Progress { read: census.controls, written: census.leads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        let is_odd = |byte: u8| byte.is_ascii_control() && !b"\x08\t\n\x0B\x0C\r\x1B".contains(&byte);
        for engine in Engine::available() {
            for len in [0, 1, 63, 64, 65, 255 * ROW, 256 * ROW + 7] {
                for byte in 0..=255 {
                    let census = Census::of(engine, &vec![byte; len]);
                    let leads = if byte >= 0xC0 { len } else { 0 };
                    assert_eq!(
                        census,
                        Census { controls: if is_odd(byte) { len } else { 0 }, leads },
                        "{byte:02X}"
                    );
                }
            }
            let mut text = [b'a'; 200];
            for at in 0..200 {
                text[at] = 0;
                assert_eq!(Census::of(engine, &text), Census { controls: 1, leads: 0 });
                text[at] = 0xC3;
                assert_eq!(Census::of(engine, &text), Census { controls: 0, leads: 1 });
                text[at] = b'a';
            }
        }
    }
}
