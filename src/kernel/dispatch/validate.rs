//! How much of a text is in order: the kernels that write nothing.
//!
//! Those of UTF-8 and ASCII are operations of their own; those of UTF-16 and UTF-32 are the checked
//! copies of these forms, less the copying.

use super::Engine;
use super::cesu;
use super::convert::{Form, Form32, Scan, Shape};
use super::pairing::Pairing;
use super::straight::Straight;

impl Engine {
    /// How many units at `src`, of `len`, are in order, up to a character boundary; see the contract of
    /// the kernels.
    ///
    /// # Safety
    /// So many units of `S` must be readable there, at any alignment.
    #[inline]
    pub(crate) unsafe fn valid_prefix<S: Form>(self, src: *const u8, len: usize) -> usize {
        let dst = core::ptr::null_mut();
        // SAFETY: the caller's promise; nothing is written.
        let progress = unsafe {
            match (S::SHAPE, S::FOREIGN) {
                (Shape::Utf16, false) => self.walk(Pairing::<false, false, false>::new(src, len, dst, len)),
                (Shape::Utf16, true) => self.walk(Pairing::<true, true, false>::new(src, len, dst, len)),
                (Shape::Utf32, false) => {
                    self.walk(Straight::<Form32<false>, Form32<false>, false>::new(src, len, dst, len))
                }
                (Shape::Utf32, true) => {
                    self.walk(Straight::<Form32<true>, Form32<true>, false>::new(src, len, dst, len))
                }
                (Shape::Cesu, _) => return cesu::valid_prefix::<S>(self, src, len),
                _ => self.run_plain(Scan::<S>::new(src, len)),
            }
        };
        progress.read
    }
}
