//! The machines: one character at a time, readable beside the specification.
//!
//! A machine is the truth about its encoding. It reads the one character at the start of its
//! input and answers with its scalar value and length, or with the rule that is broken. Nothing
//! here tries to be fast: the kernels carry the bulk, and whatever they leave, the machine
//! judges. No other part of the library knows what makes a sequence ill-formed.

pub(crate) mod utf8;
