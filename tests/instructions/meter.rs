//! The meter of an emulator: what it has counted since it began.
//!
//! An emulator lets no process go step by step, but it knows what it runs, and can be taught to count. How
//! a program asks is between the two, and nothing that any other system answers:
//!
//! - under QEMU, with the plugin `.ci/qemu-meter.rs`: a system call of a number that no system has, with the
//!   address for the answer;
//! - in WebAssembly: an import. `.ci/wasi-meter.py` counts WebAssembly's own instructions, of which an engine makes as
//!   many of the machine's as it sees fit; `.ci/wasi.mjs` has no meter, and says so.

/// Instructions so far, if there is a meter.
#[cfg(target_family = "wasm")]
pub fn reading() -> Option<u64> {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn runecast_instructions() -> u64;
    }
    // SAFETY: the runners of these tests define it, and it takes nothing.
    let count = unsafe { runecast_instructions() };
    (count != u64::MAX).then_some(count)
}

/// Instructions so far, if there is a meter.
#[cfg(target_os = "linux")]
pub fn reading() -> Option<u64> {
    /// The number of the system call; `.ci/qemu-meter.rs` has it, too.
    const ASK: libc::c_long = 0x7275_6E65;
    let mut count = u64::MAX;
    // SAFETY: a system without such a call refuses it, and the meter writes the eight bytes of `count`.
    unsafe { libc::syscall(ASK, &raw mut count) };
    (count != u64::MAX).then_some(count)
}
