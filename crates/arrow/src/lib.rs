//! Text in Arrow columns, as Parquet files and query engines have them: checked, repaired, transcoded, counted.
//!
//! ```
//! use arrow_array::BinaryArray;
//! use arrow_array::cast::AsArray;
//! use runecast::Replacement;
//!
//! let column = BinaryArray::from_vec(vec!["rún".as_bytes(), b"r\xFAn"]);
//! let error = runecast_arrow::check(&column).unwrap_err();
//! assert_eq!((error.row(), error.at()), (Some(1), Some(1)));
//! let text = runecast_arrow::repair(&column, Replacement::Whatwg)?;
//! assert_eq!(text.as_string::<i32>().value(1), "r\u{FFFD}n");
//! # Ok::<(), runecast_arrow::Error>(())
//! ```
//!
//! # Which function for which need
//!
//! | you want | call |
//! |---|---|
//! | text from binary, if all of it is | [`check`], without a copy; [`check_binary`], [`check_view`], [`check_fixed`] with types |
//! | text from binary, whatever it is | [`repair`], with a [`Replacement`](runecast::Replacement) or another [`Policy`](runecast::Policy) |
//! | text from another encoding | [`decode`]; [`decode_or_null`] with nulls for what is ill-formed |
//! | another encoding | [`encode`] from text, [`transcode`] from binary; [`encode_or_null`], [`transcode_or_null`] |
//! | which rows are well-formed | [`is_valid`] |
//! | which rule the others break, and where | [`errors`], a struct for each row |
//! | counts and lengths | [`char_count`], [`transcoded_len`] |
//! | the encoding of bytes that came without its name | [`detect`] for each row, [`detect_column`] |
//! | any of these for columns of a record batch | [`convert_batch`], with [`Columns`]; its schema is [`convert_schema`] |
//! | the type of what comes out | [`text_type`], [`binary_type`], [`error_fields`] |
//!
//! # Which arrays
//!
//! | binary | text |
//! |---|---|
//! | Binary, FixedSizeBinary, Null | Utf8 |
//! | LargeBinary | LargeUtf8 |
//! | BinaryView | Utf8View |
//! | Dictionary of any of these | Dictionary with the same keys |
//! | List, LargeList, FixedSizeList, Struct, RunEndEncoded with any of these | the same around text |
//!
//! All functions take the types on both sides. They take slices, and arrays with nothing in them. Rows that are null
//! stay null, and what bytes they have does not matter. A dictionary is worked on by its values, each once, and
//! keeps its keys; an ill-formed value is an error only if a row has it, and becomes null otherwise (in an array around others empty).
//!
//! Arrays around others keep their form, to any depth: so a whole record batch is repaired as the struct that it is. In them
//!
//! - fields that are neither binary nor text stay as they are, and fields that are Null stay Null;
//! - fields with the name of an [extension type](arrow_schema::extension) stay as they are, a UUID for instance; but text that is JSON
//!   (`arrow.json`) is text, and loses the name where it becomes binary;
//! - maps, list views, unions, and dictionaries of arrays around others are not taken. Where there is something in them to convert
//!   it is an error that names their type; otherwise they stay as they are.
//!
//! An error says where in the row it is ([`Error::path`]): `row 1, column "tags", element 38: …`.
//!
//! Questions ([`is_valid`], [`errors`], [`char_count`], [`transcoded_len`], [`detect`]) are answered for each row, of runs as well; of
//! lists and structs there is no answer to them.
//!
//! # Why not the cast that Arrow has
//!
//! `arrow_cast::cast` from Binary to Utf8 checks as well. It fails without saying where, or turns what is ill-formed
//! into null, and copies everything then; and it refuses a slice for what is outside of it. How it compares in
//! speed is in the README.

#![deny(unsafe_code)]

mod batch;
mod column;
mod convert;
mod detect;
mod dictionary;
mod error;
mod nested;
mod numbers;
mod rows;
mod text;
mod trusted;
mod types;

pub use batch::{Columns, convert_batch, convert_schema};
pub use column::Width;
pub use detect::{detect, detect_column};
pub use error::{Error, Step};
pub use numbers::{char_count, transcoded_len};
pub use rows::{error_fields, errors, is_valid};
pub use text::{
    binary_type, check, check_binary, check_fixed, check_view, decode, decode_or_null, encode,
    encode_or_null, repair, text_type, transcode, transcode_or_null,
};

/// The example of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
