//! Short texts as one to eight steps, without a loop.
//!
//! What costs most in short texts is what no predictor can guess: how long they are. The end of a loop depends on the length, and so does
//! the end of whatever deals with the units that the loop leaves over. Here only one thing depends on it, whether there are two steps, four
//! or eight: any step that would reach beyond the end is replaced by the one that ends with the text. So some units are read more than
//! once, and the same result is written again.

/// What is done at each step.
pub(super) trait Step {
    /// Takes the step that begins with unit number `at`. (A closure would not be inlined.)
    ///
    /// # Safety
    /// The CPU must have the instruction set; and the step must be within the text.
    unsafe fn step(&mut self, at: usize);
}

/// Whether `len` units are one to eight steps of `step` units, and go by [`few_steps`].
#[inline(always)]
pub(super) const fn are_few(len: usize, step: usize) -> bool {
    // (Modules for the web are to be small.)
    !cfg!(target_family = "wasm") && len >= step && len <= 8 * step
}

/// Takes all steps of `step` units of a text that has `len`.
///
/// # Safety
/// As for [`Step::step`]; and the steps must be [few](are_few).
#[inline(always)]
pub(super) unsafe fn few_steps<S: Step>(steps: &mut S, len: usize, step: usize) {
    let at = |index: usize| (len - step).min(index * step);
    // SAFETY: all steps are within the text, the last of them up to its end.
    unsafe {
        // (The first one first: who has asked it before has it in a register.)
        steps.step(0);
        steps.step(len - step);
        if len > 2 * step {
            steps.step(at(1));
            steps.step(at(2));
        }
        if len > 4 * step {
            steps.step(at(3));
            steps.step(at(4));
            steps.step(at(5));
            steps.step(at(6));
        }
    }
}
