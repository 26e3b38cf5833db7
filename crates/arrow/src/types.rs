//! Which types there is something to convert in, and which types come out of it.
//!
//! Types decide before an array is looked at. An array is converted, or it stays as it is, or it is refused; whatever arrays hold, the
//! answer is the same. An array that is not within another is refused as well if it would stay as it is, for then there is nothing to be
//! done, which is hardly what was meant. Within others:
//!
//! - **Fields that hold neither binary nor text** stay, and so does a field of nulls that have no type.
//! - **Fields with the name of an extension type** stay, whatever they hold: sixteen bytes that are a UUID are no text, and as text they
//!   would still claim to be one. The exception are those that are text by their definition ([`TEXTUAL`]). If the values of such a
//!   field become binary in another encoding, it loses the name, for then they are no longer what the name says.
//! - **Maps, list views, unions, and dictionaries of arrays around others** are not converted. If there is something in them to
//!   convert they are refused, since nobody would notice that it was passed by; otherwise they stay.

use std::sync::Arc;

use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use arrow_schema::{DataType, Field, FieldRef, Fields};

use crate::Error;
use crate::column::{BYTES, unsupported_type};
use crate::rows::is_text;

/// The extension types whose values are text.
const TEXTUAL: [&str; 1] = ["arrow.json"];

/// Which values a conversion is for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Takes {
    /// Binary; text is its own answer.
    Binary,
    /// Binary and text.
    Both,
    /// Text; within others binary stays as it is.
    Text,
}

/// What becomes of an array.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Fate {
    Converted,
    Kept,
    Refused,
}

impl Takes {
    /// What it is for, in errors.
    const fn name(self) -> &'static str {
        match self {
            Takes::Binary | Takes::Both => BYTES,
            Takes::Text => "text",
        }
    }

    /// What becomes of an array of this type.
    pub(crate) fn fate(self, found: &DataType) -> Fate {
        match found {
            DataType::List(field)
            | DataType::LargeList(field)
            | DataType::FixedSizeList(field, _)
            | DataType::RunEndEncoded(_, field) => self.fate_of_values(field),
            DataType::Struct(fields) => {
                let mut fate = Fate::Kept;
                for field in fields {
                    match self.fate_of_field(field) {
                        Fate::Refused => return Fate::Refused,
                        Fate::Converted => fate = Fate::Converted,
                        Fate::Kept if field.data_type() == &DataType::Null => fate = Fate::Converted,
                        Fate::Kept => {}
                    }
                }
                fate
            }
            DataType::Dictionary(_, values) if is_plain(values) => self.fate(values),
            DataType::Null => Fate::Converted,
            plain if is_text(plain) || self != Takes::Text && is_binary(plain) => Fate::Converted,
            other if self.is_within(other) => Fate::Refused,
            _ => Fate::Kept,
        }
    }

    /// The same for a field of a struct. If it is null and nothing else, it stays so.
    pub(crate) fn fate_of_field(self, field: &Field) -> Fate {
        if field.data_type() == &DataType::Null { Fate::Kept } else { self.fate_of_values(field) }
    }

    /// The same for the field of other values.
    fn fate_of_values(self, field: &Field) -> Fate {
        if is_something_else(field) { Fate::Kept } else { self.fate(field.data_type()) }
    }

    /// Whether there is something to convert in what has this field.
    pub(crate) fn is_in(self, field: &Field) -> bool {
        !is_something_else(field) && self.is_within(field.data_type())
    }

    /// Whether there is something to convert in an array of this type, wherever it is.
    fn is_within(self, found: &DataType) -> bool {
        let field = |field: &FieldRef| self.is_in(field);
        match found {
            DataType::List(values)
            | DataType::LargeList(values)
            | DataType::ListView(values)
            | DataType::LargeListView(values)
            | DataType::FixedSizeList(values, _)
            | DataType::RunEndEncoded(_, values)
            | DataType::Map(values, _) => field(values),
            DataType::Struct(fields) => fields.iter().any(field),
            DataType::Union(fields, _) => fields.iter().any(|(_, of_type)| field(of_type)),
            DataType::Dictionary(_, values) => self.is_within(values),
            plain => match self {
                Takes::Binary => is_binary(plain),
                Takes::Both => is_binary(plain) || is_text(plain),
                Takes::Text => is_text(plain),
            },
        }
    }

    /// The error for an array that is not converted.
    pub(crate) fn refusal(self, found: &DataType) -> Error {
        match found {
            DataType::List(field)
            | DataType::LargeList(field)
            | DataType::FixedSizeList(field, _)
            | DataType::RunEndEncoded(_, field)
                if !is_something_else(field) =>
            {
                self.refusal(field.data_type())
            }
            DataType::Struct(fields) => {
                match fields.iter().find(|field| self.fate_of_field(field) == Fate::Refused) {
                    Some(field) => self.refusal(field.data_type()).within_column(field.name()),
                    None => unsupported_type(found, self.name()),
                }
            }
            DataType::Dictionary(_, values) => unsupported_type(values, self.name()),
            other => unsupported_type(other, self.name()),
        }
    }

    /// The type of what an array becomes that is converted, where `plain` says it for types that are not around others.
    pub(crate) fn becomes(self, found: &DataType, plain: &dyn Fn(&DataType) -> DataType) -> DataType {
        let field = |field: &FieldRef| with_type(field, self.becomes(field.data_type(), plain), false);
        match found {
            DataType::List(values) => DataType::List(field(values)),
            DataType::LargeList(values) => DataType::LargeList(field(values)),
            DataType::FixedSizeList(values, size) => DataType::FixedSizeList(field(values), *size),
            DataType::RunEndEncoded(ends, values) => DataType::RunEndEncoded(ends.clone(), field(values)),
            DataType::Struct(fields) => {
                let new = fields.iter().map(|old| match self.fate_of_field(old) {
                    Fate::Converted => field(old),
                    Fate::Kept | Fate::Refused => old.clone(),
                });
                DataType::Struct(new.collect::<Fields>())
            }
            DataType::Dictionary(keys, values) => {
                DataType::Dictionary(keys.clone(), Box::new(self.becomes(values, plain)))
            }
            found => plain(found),
        }
    }
}

/// The field of values of another type, which may have nulls where the others had none.
pub(crate) fn with_type(old: &FieldRef, data_type: DataType, nulls: bool) -> FieldRef {
    let is_other = is_something_else(old) && old.data_type() != &data_type;
    let mut new = Field::clone(old).with_data_type(data_type);
    if is_other || is_binary(new.data_type()) {
        let metadata = new.metadata_mut();
        metadata.remove(EXTENSION_TYPE_NAME_KEY);
        metadata.remove(EXTENSION_TYPE_METADATA_KEY);
    }
    Arc::new(if nulls { new.with_nullable(true) } else { new })
}

/// Whether a field has the name of an extension type that is no text.
fn is_something_else(field: &Field) -> bool {
    let name = field.metadata().get(EXTENSION_TYPE_NAME_KEY);
    name.is_some_and(|name| !TEXTUAL.contains(&name.as_str()))
}

/// Whether an array of this type is binary.
const fn is_binary(data_type: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(data_type, Binary | LargeBinary | BinaryView | FixedSizeBinary(_))
}

/// Whether an array of this type is not around others: what a dictionary may have as values.
const fn is_plain(data_type: &DataType) -> bool {
    is_text(data_type) || is_binary(data_type) || matches!(data_type, DataType::Null)
}
