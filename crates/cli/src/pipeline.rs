//! From open inputs to results in their order: chunks, threads, validation, conversion, repair.
//!
//! A command gives [`workers`] two things. Its [`work::Work`] is what can be done with a chunk without knowing
//! the others; many threads do it at once. Its [`work::OrderedOutput`] receives the results one at a time, in
//! the order of the inputs, whatever the number of threads.
//!
//! [`chunk_reader`] hands out the chunks of all [`opened`] inputs, and [`window`] is the memory in which a chunk
//! lies, so that the memory needed does not depend on the size of the inputs. [`validation`], [`conversion`] and
//! [`repair`] are what is done with them, each in two parts: a `Work` for the chunks, and what follows it through
//! one input in order. They share the [`route`] from one encoding to another, [`positions`] (lines and columns),
//! and [`character_counts`]; [`forbidden`] finds
//! what a validation may be asked not to accept; [`shifts`] joins what they write in an encoding with states. [`guess`] is about what an input is that is not Unicode,
//! and [`declaration`] about what it says itself; [`fallback`] reads single lines that are not Unicode.
//!
//! Nothing here knows the command line, or what is printed.

pub(crate) mod binaries;
pub(crate) mod character_counts;
mod chunk_reader;
mod code_points;
mod codes;
pub(crate) mod conversion;
pub(crate) mod declaration;
pub(crate) mod fallback;
pub(crate) mod forbidden;
pub(crate) mod guess;
pub(crate) mod legacy;
pub(crate) mod mojibake;
pub(crate) mod opened;
mod pairs;
mod positions;
pub(crate) mod repair;
mod retrace;
pub(crate) mod route;
pub(crate) mod shifts;
mod single_byte;
mod sync;
#[cfg(test)]
mod test_support;
mod transliteration;
pub(crate) mod validation;
pub(crate) mod window;
pub(crate) mod work;
pub(crate) mod workers;
