//! The lead bytes of the block before, whose characters may continue in the next.

use super::super::BLOCK;

/// The lead bytes of the block before: which character may be incomplete behind it.
#[derive(Clone, Copy, Default)]
pub(in crate::kernel::avx512) struct OpenLeads {
    pub(in crate::kernel::avx512) leads: u64,
    pub(in crate::kernel::avx512) threes: u64,
    pub(in crate::kernel::avx512) fours: u64,
}

impl OpenLeads {
    /// The lead bytes right before `at`.
    #[inline(always)]
    pub(in crate::kernel::avx512) fn before(src: &[u8], at: usize) -> OpenLeads {
        let bit = |back: usize, least: u8| u64::from(back <= at && src[at - back] >= least) << (BLOCK - back);
        OpenLeads {
            leads: bit(1, 0xC0),
            threes: bit(1, 0xE0) | bit(2, 0xE0),
            fours: bit(1, 0xF0) | bit(2, 0xF0) | bit(3, 0xF0),
        }
    }

    /// Whether no character is incomplete.
    #[inline(always)]
    pub(in crate::kernel::avx512) fn is_closed(&self) -> bool {
        self.leads >> 63 | self.threes >> 62 | self.fours >> 61 == 0
    }
}

/// `mask` shifted left by one to three bits, with the top bits of the mask of the block before shifted in.
#[inline(always)]
pub(in crate::kernel::avx512) fn shift_in<const N: u32>(mask: u64, before: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut later = mask;
        // SAFETY: arithmetic on registers. As assembly it is opaque to LLVM, which otherwise turns the masks of four
        // blocks into vectors.
        unsafe {
            core::arch::asm!(
                "shld {later}, {before}, {n}",
                later = inout(reg) later,
                before = in(reg) before,
                n = const N,
                options(pure, nomem, nostack)
            );
        }
        later
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        mask << N | before >> (64 - N)
    }
}
