//! What only the page needs: the names of characters, and the encodings that UTF-8 could have been, bit by bit.
//!
//! Names take more room than everything else together. So this is a module of its own, which the page loads when it shows the
//! first name.

use std::cell::RefCell;
use std::fmt::Write;

use runecast_schemes::{ALL, Scheme};
use serde_json::{Value, json};

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

/// The name of a character, as the Unicode Character Database has it; empty if it has none.
#[unsafe(no_mangle)]
extern "C" fn name(point: u32) -> *const u8 {
    let mut name = String::new();
    if let Some(found) = char::from_u32(point).and_then(unicode_names2::name) {
        // Writing to a String does not fail.
        let _ = write!(name, "{found}");
    }
    keep(name)
}

/// The form of a value in a scheme: its bytes, and of each how many bits at the top are not part of the value.
fn form(scheme: &dyn Scheme, value: u32) -> Value {
    scheme.encode(value).map_or(Value::Null, |form| {
        let bytes = form.bytes();
        let tags: Vec<_> = (0..bytes.len()).map(|index| scheme.tag_bits(bytes, index)).collect();
        json!({ "bytes": bytes, "tags": tags })
    })
}

/// How many bytes a value has in a scheme, 0 if it has none.
fn bytes(scheme: &dyn Scheme, value: u32) -> usize {
    scheme.encode(value).map_or(0, |form| form.bytes().len())
}

/// Writes all schemes, as JSON: name, title, and the rows of its table, each the first and the last value of a length and the
/// forms of these. Only what Unicode has is shown.
#[unsafe(no_mangle)]
extern "C" fn schemes() -> *const u8 {
    let all: Vec<_> = ALL
        .iter()
        .map(|scheme| {
            let mut rows = Vec::new();
            let mut first = 0;
            while first <= 0x10_FFFF {
                let length = bytes(*scheme, first);
                // Lengths grow with values, so the last of a length can be found by halves. (Surrogates have no form in some.)
                let (mut low, mut high) = (first, 0x10_FFFF);
                while low < high {
                    let middle = low.midpoint(high) + (high - low) % 2;
                    let middle_length = match middle {
                        0xD800..=0xDFFF => bytes(*scheme, 0xD7FF),
                        _ => bytes(*scheme, middle),
                    };
                    if middle_length == length { low = middle } else { high = middle - 1 }
                }
                rows.push(json!({
                    "first": first, "last": low, "from": form(*scheme, first), "to": form(*scheme, low),
                }));
                first = low + 1;
            }
            json!({ "name": scheme.name(), "title": scheme.title(), "rows": rows })
        })
        .collect();
    keep(Value::from(all).to_string())
}

/// Writes the form of a value in each scheme, as JSON; null where it has none.
#[unsafe(no_mangle)]
extern "C" fn forms(value: u32) -> *const u8 {
    let all: Vec<_> = ALL.iter().map(|scheme| form(*scheme, value)).collect();
    keep(Value::from(all).to_string())
}
