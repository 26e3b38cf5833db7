//! The functions: what each takes and returns.
//!
//! All are one implementation of DataFusion's trait, for they differ in a table only: which parameters there are,
//! which type comes out, and which function of `runecast-arrow` stands behind it (see `evaluate`). A column comes
//! out as wide as it went in (32-bit offsets, 64-bit offsets, views), and a dictionary stays one.
//!
//! Types are not coerced: each function takes every type that Arrow has for bytes or text, and a cast in front of it
//! would be a copy, or a check that is what the function is there to avoid. Names, too, may come in any type
//! of text, so that a literal reaches the planner as a literal, and not as a cast of one.
//!
//! **Signatures.** `SHOW FUNCTIONS` and `information_schema` list what a signature gives as examples, and a signature
//! that is `UserDefined` alone gives none. So the concrete types stand in it as well. They are for the lists only: DataFusion
//! would coerce to them, a number to text for instance, so `coerce_types` comes first and lets every type through as it
//! is, and `return_field_from_args` refuses what a function does not take. Its messages are also shown as they are,
//! while those of `coerce_types` come as an internal error, "failed to match any signature". The types that are listed are
//! those that need no parameter; FixedSizeBinary and dictionaries are taken, but not listed.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef};
use datafusion_common::{Result, ScalarValue, plan_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
    TypeSignature, Volatility,
};
use runecast_arrow::{binary_type, error_fields, text_type};

use crate::names::{self, Errors};
use crate::{documentation, evaluate};

/// Which function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    Utf8Valid,
    Utf8Error,
    TextDecode,
    TextEncode,
    TextTranscode,
    TextRepair,
    TextDetect,
    CharCount,
    EncodedLength,
}

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// Bytes, or text, which is bytes of UTF-8.
    Any,
    /// Bytes.
    Bytes,
    /// Text.
    Text,
    /// The name of an encoding to read.
    From,
    /// The name of an encoding to write.
    To,
    /// The name of a treatment of errors.
    Errors,
    /// The name of a behaviour.
    Behaviour,
}

impl Parameter {
    /// Whether it is a name, and no column of values.
    pub(crate) const fn is_name(self) -> bool {
        !matches!(self, Parameter::Any | Parameter::Bytes | Parameter::Text)
    }

    /// The types that are listed for it.
    const fn examples(self) -> &'static [DataType] {
        use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Utf8, Utf8View};
        match self {
            Parameter::Any => &[Binary, LargeBinary, BinaryView, Utf8, LargeUtf8, Utf8View],
            Parameter::Bytes => &[Binary, LargeBinary, BinaryView],
            Parameter::Text => &[Utf8, LargeUtf8, Utf8View],
            Parameter::From | Parameter::To | Parameter::Errors | Parameter::Behaviour => &[Utf8],
        }
    }

    /// Whether a name is one.
    fn insist(self, name: &str) -> Result<(), String> {
        match self {
            Parameter::From => names::encoding(name).map(drop),
            Parameter::To => names::target(name).map(drop),
            Parameter::Errors => names::errors(name).map(drop),
            Parameter::Behaviour => names::behaviour(name).map(drop),
            _ => Ok(()),
        }
    }

    /// What it should be, if it is not of type `found`.
    fn refuses(self, found: &DataType) -> Option<&'static str> {
        let plain = match found {
            // NULL as it is written.
            DataType::Null => return None,
            DataType::Dictionary(_, values) => values,
            plain => plain,
        };
        let (bytes, text) = (is_bytes(plain), is_text(plain));
        match self {
            Parameter::Any if !bytes && !text => Some("bytes or text"),
            Parameter::Bytes if text => {
                Some("bytes (this is text, which is well-formed already: text_encode makes bytes of it)")
            }
            Parameter::Bytes if !bytes => Some("bytes"),
            Parameter::Text if bytes => {
                Some("text (these are bytes: text_decode makes text of them, text_transcode other bytes)")
            }
            Parameter::Text if !text => Some("text"),
            Parameter::From | Parameter::To if !text => Some("the name of an encoding"),
            Parameter::Errors if !text => Some("'strict', 'null' or the name of a behaviour"),
            Parameter::Behaviour if !text => Some("the name of a behaviour"),
            _ => None,
        }
    }
}

impl Function {
    /// All of them.
    pub(crate) const ALL: [Function; 9] = [
        Function::Utf8Valid,
        Function::Utf8Error,
        Function::TextDecode,
        Function::TextEncode,
        Function::TextTranscode,
        Function::TextRepair,
        Function::TextDetect,
        Function::CharCount,
        Function::EncodedLength,
    ];

    /// Its name in SQL.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Function::Utf8Valid => "utf8_valid",
            Function::Utf8Error => "utf8_error",
            Function::TextDecode => "text_decode",
            Function::TextEncode => "text_encode",
            Function::TextTranscode => "text_transcode",
            Function::TextRepair => "text_repair",
            Function::TextDetect => "text_detect",
            Function::CharCount => "char_count",
            Function::EncodedLength => "text_encoded_length",
        }
    }

    /// Its parameters, and how many of them have to be there.
    pub(crate) const fn parameters(self) -> (&'static [Parameter], usize) {
        use Parameter::{Any, Behaviour, Bytes, Errors, From, Text, To};
        match self {
            Function::Utf8Valid | Function::Utf8Error | Function::TextDetect | Function::CharCount => {
                (&[Any], 1)
            }
            Function::TextDecode => (&[Bytes, From, Errors], 2),
            Function::TextEncode => (&[Text, To, Errors], 2),
            Function::TextTranscode => (&[Bytes, From, To, Errors], 3),
            Function::TextRepair => (&[Any, Behaviour], 1),
            Function::EncodedLength => (&[Text, To], 2),
        }
    }

    /// The types that are listed: each of the column's, with every number of names.
    fn examples(self) -> impl Iterator<Item = Vec<DataType>> {
        let (parameters, least) = self.parameters();
        let columns = parameters.first().map_or(&[][..], |column| column.examples());
        columns.iter().flat_map(move |column| {
            let names = parameters.iter().skip(1).flat_map(|name| name.examples());
            let all: Vec<DataType> = [column].into_iter().chain(names).cloned().collect();
            (least..=all.len()).map(move |count| all[..count].to_vec())
        })
    }

    /// The type of what it makes of a column of that type.
    pub(crate) fn returns(self, column: &DataType) -> DataType {
        match self {
            Function::Utf8Valid => DataType::Boolean,
            Function::Utf8Error => DataType::Struct(error_fields()),
            // Other columns than of bytes or text have been refused before.
            Function::TextDecode | Function::TextRepair => text_type(column).unwrap_or(DataType::Utf8),
            Function::TextEncode | Function::TextTranscode => binary_type(column).unwrap_or(DataType::Binary),
            Function::TextDetect => DataType::Utf8,
            Function::CharCount => match column {
                DataType::Dictionary(_, values) => self.returns(values),
                DataType::LargeBinary | DataType::LargeUtf8 => DataType::Int64,
                _ => DataType::Int32,
            },
            Function::EncodedLength => DataType::Int64,
        }
    }
}

const fn is_bytes(data_type: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(data_type, Binary | LargeBinary | BinaryView | FixedSizeBinary(_))
}

const fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// A function as DataFusion wants it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextFunction {
    function: Function,
    signature: Signature,
    documentation: Documentation,
}

impl TextFunction {
    pub(crate) fn new(function: Function) -> TextFunction {
        let listed = function.examples().map(TypeSignature::Exact);
        let any_of = [TypeSignature::UserDefined].into_iter().chain(listed).collect();
        let signature = Signature::one_of(any_of, Volatility::Immutable);
        TextFunction { function, signature, documentation: documentation::of(function) }
    }

    /// An error, if there are too few or too many arguments, or one of a type that is not taken.
    fn refuse(&self, found: &[DataType]) -> Result<()> {
        let (name, (parameters, least)) = (self.name(), self.function.parameters());
        if !(least..=parameters.len()).contains(&found.len()) {
            return plan_err!("{}, not {} arguments", self.documentation.syntax_example, found.len());
        }
        for (index, (parameter, found)) in parameters.iter().zip(found).enumerate() {
            if let Some(expected) = parameter.refuses(found) {
                return plan_err!("argument {} of {name} is {found}, where it takes {expected}", index + 1);
            }
        }
        Ok(())
    }
}

impl ScalarUDFImpl for TextFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }

    // Null in, null out: the column's, and that of a name as well.
    fn is_strict(&self) -> bool {
        true
    }

    // Every type as it is, but for NULL, which has none; see `refuse`.
    fn coerce_types(&self, found: &[DataType]) -> Result<Vec<DataType>> {
        let (parameters, _) = self.function.parameters();
        let coerced = found.iter().enumerate().map(|(index, found)| match (found, parameters.get(index)) {
            (DataType::Null, Some(Parameter::Any | Parameter::Bytes)) => DataType::Binary,
            (DataType::Null, Some(_)) => DataType::Utf8,
            (found, _) => found.clone(),
        });
        Ok(coerced.collect())
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        self.refuse(arguments)?;
        // There is one, or it would have been refused.
        Ok(self.function.returns(arguments.first().unwrap_or(&DataType::Null)))
    }

    // Names that are written out are looked up here, when the query is planned.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<_> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let returned = self.return_type(&types)?;
        let (parameters, _) = self.function.parameters();
        let mut nullable =
            self.function == Function::Utf8Error || args.arg_fields.iter().any(|f| f.is_nullable());
        for (index, parameter) in parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_name()) {
            match args.scalar_arguments.get(index).copied() {
                // Left out.
                None => {}
                // Known later, row by row: `null` may be among them.
                Some(None) => nullable |= *parameter == Parameter::Errors,
                Some(Some(value)) => match value_of(value) {
                    None => nullable = true,
                    Some(written) => {
                        if let Err(problem) = parameter.insist(written) {
                            return plan_err!("{}: {problem}", self.name());
                        }
                        nullable |=
                            *parameter == Parameter::Errors && names::errors(written) == Ok(Errors::Null);
                    }
                },
            }
        }
        Ok(Arc::new(Field::new(self.name(), returned, nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        evaluate::evaluate(self.function, args)
    }
}

/// The text of a literal, of whatever type of text.
pub(crate) fn value_of(value: &ScalarValue) -> Option<&str> {
    value.try_as_str().flatten()
}
