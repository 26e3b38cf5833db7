//! Sentences in lines that fit a narrow terminal.

use crate::ui::console::push;

/// All lines are this wide at most.
pub(crate) const WIDTH: usize = 60;

/// Appends words in lines of [`WIDTH`] columns behind `indent` spaces.
pub(crate) fn wrapped(buffer: &mut Vec<u8>, text: &str, indent: usize) {
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column > 0 && column + 1 + width <= WIDTH {
            push(buffer, format_args!(" {word}"));
            column += 1 + width;
        } else {
            let end = if column > 0 { "\n" } else { "" };
            push(buffer, format_args!("{end}{:indent$}{word}", ""));
            column = indent + width;
        }
    }
    buffer.push(b'\n');
}
