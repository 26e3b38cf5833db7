//! runecast as SQL functions for Apache DataFusion: columns of bytes checked, repaired, decoded, encoded, detected.
//!
//! One call registers them all:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! use datafusion::prelude::SessionContext;
//!
//! let mut context = SessionContext::new();
//! runecast_datafusion::register_all(&mut context)?;
//!
//! let rows = context.sql("SELECT text_decode(x'72006B01', 'utf-16le') AS word, utf8_valid(x'72C5') AS valid").await?;
//! assert_eq!(
//!     rows.to_string().await?,
//!     "\
//! +------+-------+
//! | word | valid |
//! +------+-------+
//! | rū   | false |
//! +------+-------+"
//! );
//! # Ok(())
//! # }
//! ```
//!
//! | function | what it returns |
//! |---|---|
//! | `utf8_valid(bytes)` | whether they are well-formed UTF-8 |
//! | `utf8_error(bytes)` | the first error, as a struct: `offset`, `length`, `kind`, `message`; null if there is none |
//! | `text_decode(bytes, from [, errors])` | the text that bytes in an encoding are |
//! | `text_encode(text, to [, errors])` | bytes in an encoding |
//! | `text_transcode(bytes, from, to [, errors])` | bytes in another encoding |
//! | `text_repair(bytes [, behaviour])` | text, with U+FFFD or an escape for what is ill-formed |
//! | `text_detect(bytes)` | the encoding that they appear to be in, value by value |
//! | `char_count(bytes)` | the number of characters |
//! | `text_encoded_length(text, to)` | the number of bytes in an encoding |
//!
//! The rules that hold for all of them:
//!
//! - **Types.** `bytes` are Binary, LargeBinary, BinaryView, FixedSizeBinary, or dictionaries of these. What comes out
//!   is as wide: Utf8, LargeUtf8, Utf8View, or a dictionary. Nothing is cast.
//! - **Null** in any argument makes null.
//! - **Names** of encodings and behaviours are those of runecast. Written out, they are looked up when the query is
//!   planned; they may also come from a column, and then each row has its own. (A dictionary stays one then, too. Of one value by
//!   several names there are several results, and if these are too many for its keys, the query ends with an error that says so.)
//! - **Errors** (`'strict'`, `'null'`, or a behaviour such as `'whatwg'`) say what becomes of a value that is
//!   ill-formed. `'strict'` ends the query with the row, the byte and the rule that is broken. Rows are counted in the
//!   batch in which they came.
//! - They are **immutable**: calls on literals are evaluated once, when the query is planned.
//!
//! This package depends on what functions are made of, not on the engine. `cluster`, beside it, runs them on
//! Apache Ballista.

mod documentation;
mod evaluate;
mod function;
mod names;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::ScalarUDF;
use datafusion_expr::registry::FunctionRegistry;

use function::{Function, TextFunction};

/// All functions, for whoever keeps them in a registry of another kind.
#[must_use]
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    let all = Function::ALL.into_iter().map(TextFunction::new);
    all.map(|function| Arc::new(ScalarUDF::new_from_impl(function))).collect()
}

/// Registers all functions: with a `SessionContext`, a `SessionState`, or another registry.
///
/// # Errors
/// Those of the registry; that of DataFusion has none. A function of the same name is replaced.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}
