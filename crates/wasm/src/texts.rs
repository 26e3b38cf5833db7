//! Generated text, for benchmarks in browsers and in node: that of the other benchmarks.

use std::cell::RefCell;

use runecast_corpus::{Script, generate as text};

thread_local! {
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps a text, and says where it is.
fn keep(text: String) -> *const u8 {
    TEXT.replace(text);
    TEXT.with_borrow(|text| text.as_ptr())
}

/// How long the text is that was made last, in bytes.
#[unsafe(no_mangle)]
extern "C" fn length() -> usize {
    TEXT.with_borrow(String::len)
}

/// The names of the scripts, apart by spaces.
#[unsafe(no_mangle)]
extern "C" fn scripts() -> *const u8 {
    let names: Vec<_> = Script::ALL.iter().map(|script| script.name()).collect();
    keep(names.join(" "))
}

/// So many bytes of text, cut at a character, in the script of that place among [`scripts`].
#[unsafe(no_mangle)]
extern "C" fn generate(script: usize, bytes: usize) -> *const u8 {
    let script = Script::ALL.get(script).copied().unwrap_or(Script::Ascii);
    keep(text(script, bytes, 1))
}
