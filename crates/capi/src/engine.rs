//! The version, and which kernels run.

use std::ffi::c_char;

use runecast::{Engine, Isa};

use crate::boundary::{guard, text};
use crate::message::terminated;
use crate::types::{Code, Codes, RUNECAST_ABI_VERSION};

/// The names of the instruction sets, as C strings, by their numbers in Rust.
static NAMES: [[u8; 16]; 16] = {
    let mut names = [[0; 16]; 16];
    let mut at = 0;
    while at < Isa::ALL.len() {
        names[Isa::ALL[at] as usize] = terminated(Isa::ALL[at].name());
        at += 1;
    }
    names
};

fn name(engine: Engine) -> *const c_char {
    NAMES.get(engine.isa() as usize).map_or(core::ptr::null(), |name| name.as_ptr().cast())
}

/// RUNECAST_ABI_VERSION of the library that runs.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_abi_version() -> u32 {
    RUNECAST_ABI_VERSION
}

/// The version of the library that runs, such as "0.1.0". RUNECAST_VERSION is that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The instruction set whose kernels are in use: "avx512", "avx2", "sse42", "neon", "simd128" or "scalar".
/// It is found out at the first call of any function; RUNECAST_ISA in the environment may name a lesser one.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_engine() -> *const c_char {
    guard(core::ptr::null, || name(Engine::current()))
}

/// The instruction sets that this CPU runs, the best first: with 0, 1, 2, ... until a null pointer.
#[unsafe(no_mangle)]
pub extern "C" fn runecast_engine_available(index: usize) -> *const c_char {
    guard(core::ptr::null, || Engine::available().nth(index).map_or(core::ptr::null(), name))
}

/// Makes one of these instruction sets the choice of the whole process, for comparisons: all of them give the same
/// results. Calls under way in other threads end with the one that they began with. RUNECAST_UNAVAILABLE if this
/// CPU does not run it, or there is none of that name; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runecast_narrow(name: *const c_char, len: usize) -> Code {
    guard(
        || Codes::RunecastInternal as Code,
        || {
            // SAFETY: the contract of the header.
            let Some(name) = (unsafe { text(name, len) }) else { return Codes::RunecastBadArgument as Code };
            match name.parse().ok().and_then(|isa| Engine::narrow(isa).ok()) {
                Some(_) => Codes::RunecastOk as Code,
                None => Codes::RunecastUnavailable as Code,
            }
        },
    )
}
