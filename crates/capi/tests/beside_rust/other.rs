//! Another static library of Rust, which is linked with the one of runecast into one program. It allocates, panics and starts a thread,
//! so that it needs of the standard library what most do.

use std::collections::HashMap;

/// The sum of the numbers below `end`, and 1 for a panic that was caught.
#[unsafe(no_mangle)]
pub extern "C" fn other_sum(end: u32) -> u32 {
    let numbers: HashMap<String, u32> = (0..end).map(|number| (format!("{number:x}"), number)).collect();
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(|| numbers["no number"]).is_err();
    let thread = std::thread::spawn(move || numbers.values().sum::<u32>());
    thread.join().unwrap_or(0) + u32::from(caught)
}
