//! Counts of the byte classes that detection needs.

use super::run_plain;
use crate::kernel::Engine;
use crate::kernel::portable::byte_classes::{ROW, Rows};
use crate::kernel::shared::Progress;

pub(crate) use crate::kernel::portable::byte_classes::ByteClasses;

/// Counts the bytes of `src`.
#[inline]
pub(crate) fn byte_classes(engine: Engine, src: &[u8]) -> ByteClasses {
    if src.len() < ROW {
        // Too short to be worth a call.
        return ByteClasses::byte_by_byte(src);
    }
    // SAFETY: the loop has no requirements.
    let Progress { read, written } = unsafe { run_plain(engine, Rows(src)) };
    ByteClasses { controls: read, leads: written }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_offset() {
        let is_odd = |byte: u8| byte.is_ascii_control() && !b"\x08\t\n\x0B\x0C\r\x1B".contains(&byte);
        for engine in Engine::available() {
            for len in [0, 1, 63, 64, 65, 255 * ROW, 256 * ROW + 7] {
                for byte in 0..=255 {
                    let counted = byte_classes(engine, &vec![byte; len]);
                    let leads = if byte >= 0xC0 { len } else { 0 };
                    assert_eq!(
                        counted,
                        ByteClasses { controls: if is_odd(byte) { len } else { 0 }, leads },
                        "{byte:02X}"
                    );
                }
            }
            let mut text = [b'a'; 200];
            for at in 0..200 {
                text[at] = 0;
                assert_eq!(byte_classes(engine, &text), ByteClasses { controls: 1, leads: 0 });
                text[at] = 0xC3;
                assert_eq!(byte_classes(engine, &text), ByteClasses { controls: 0, leads: 1 });
                text[at] = b'a';
            }
        }
    }
}
