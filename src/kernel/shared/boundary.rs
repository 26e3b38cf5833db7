//! From the byte at which a kernel noticed an error back to a character boundary.
//!
//! A vector kernel flags an error at the byte that broke the rule, which is up to three bytes after the lead byte of its sequence.
//! The contract requires a character boundary at or before that lead byte. Every kernel ends its search here, so all of them stop at
//! the same boundary.

/// The last character boundary of `src` that is certainly at or before the ill-formed sequence, where `flagged` is the first byte
/// that broke a rule.
///
/// All bytes before `flagged` must be free of errors, except that their last character may be incomplete: then the sequence begins
/// at its lead byte, one to three bytes back. `flagged` may be `src.len()`, for a character cut off by the end.
#[inline]
pub(in crate::kernel) fn boundary_before(src: &[u8], flagged: usize) -> usize {
    let is_continuation = |at: &usize| src.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let first = flagged.saturating_sub(3);
    // Three continuation bytes in a row end a whole character of four bytes. At the start of `src` nothing
    // precedes them, and they are the error themselves.
    (first..flagged).rev().find(|at| !is_continuation(at)).unwrap_or(if first == 0 { 0 } else { flagged })
}
