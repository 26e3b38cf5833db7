//! The byte classes that detection counts: control characters, and lead bytes of UTF-8.
//!
//! A plain loop, compiled once for each instruction set. NULs count as control characters; only if there are control characters at
//! all, which is rare, does detection count the NULs again by themselves.

use crate::kernel::shared::{Plain, Progress};

/// How many bytes of each class a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteClasses {
    /// Control characters that text does not contain, NUL among them.
    pub(crate) controls: usize,
    /// Bytes C0..FF: in well-formed UTF-8, the lead bytes of characters of more than one byte.
    pub(crate) leads: usize,
}

/// Bytes in a row of lanes: a cache line.
pub(in crate::kernel) const ROW: usize = 64;

impl ByteClasses {
    /// Counts the bytes of `src` one by one.
    #[inline(always)]
    pub(in crate::kernel) fn byte_by_byte(src: &[u8]) -> ByteClasses {
        src.iter().fold(ByteClasses::default(), |ByteClasses { controls, leads }, byte| ByteClasses {
            controls: controls + usize::from(is_control(*byte)),
            leads: leads + usize::from(*byte >= 0xC0),
        })
    }
}

/// Whether a byte is a control character that text does not contain: all but BS, TAB, LF, VT, FF, CR and ESC.
#[inline(always)]
fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte.wrapping_sub(0x08) > 0x05) & (byte != 0x1B) | (byte == 0x7F)
}

/// The loop. It returns the control characters as `read`, and the lead bytes as `written`.
pub(in crate::kernel) struct Rows<'a>(pub &'a [u8]);

impl Plain for Rows<'_> {
    #[inline(always)]
    unsafe fn run(self) -> Progress {
        let (rows, rest) = self.0.as_chunks::<ROW>();
        let mut byte_classes = ByteClasses::byte_by_byte(rest);
        // As many rows as a one-byte lane can count.
        for rows in rows.chunks(255) {
            let (mut controls, mut leads) = ([0_u8; ROW], [0_u8; ROW]);
            for row in rows {
                for lane in 0..ROW {
                    controls[lane] += u8::from(is_control(row[lane]));
                    leads[lane] += u8::from(row[lane] >= 0xC0);
                }
            }
            byte_classes.controls += controls.iter().map(|count| usize::from(*count)).sum::<usize>();
            byte_classes.leads += leads.iter().map(|count| usize::from(*count)).sum::<usize>();
        }
        Progress { read: byte_classes.controls, written: byte_classes.leads }
    }
}
