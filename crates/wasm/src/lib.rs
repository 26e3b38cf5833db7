//! runecast for JavaScript: the WebAssembly behind `js/runecast.js`.
//!
//! No pointer comes in here, and no memory is handed out to be freed. There is one input and one output, both kept
//! in this module ([`memory`]). JavaScript asks for room in the input, writes there, and calls a function with the
//! number of bytes; the function leaves numbers in [`outcome`] and its bytes in the output, where JavaScript
//! reads them. So there is nothing that can leak or be used after it was freed, and the boundary needs next to no
//! `unsafe`.
//!
//! Nor is there any state between calls. A text of any length goes through in windows. Of each window a call converts
//! all but an incomplete suffix, says how much that is, and JavaScript puts the rest in front of the next window. How
//! long the suffix is, the library knows (`Policy::incomplete_suffix`). A stream is the same, with the caller cutting the
//! windows. So memory stays at three times a window, however long a text is.
//!
//! Strings are what WebAssembly cannot make. The engines of JavaScript keep strings in one byte a character
//! (Latin-1) or in UTF-16, and turn bytes of either form into a string by a copy, at best. So `decode` says
//! which of the two a text fits, and writes it so; of ASCII it writes nothing, for the input is the answer.
//!
//! Other features make other modules: `utf8` a small one, for validation and repair of UTF-8 alone; `texts` generated text, for
//! benchmarks; `page` what only the page shows.

#[cfg(feature = "engine")]
mod codes;
#[cfg(feature = "engine")]
mod detect;
#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "engine")]
mod explain;
#[cfg(any(feature = "engine", feature = "utf8"))]
mod memory;
#[cfg(feature = "page")]
mod page;
#[cfg(feature = "engine")]
mod source;
#[cfg(feature = "engine")]
mod survey;
#[cfg(feature = "texts")]
mod texts;
#[cfg(feature = "utf8")]
mod utf8;
