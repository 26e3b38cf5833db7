//! What DataFusion shows of each function.

use datafusion_expr::scalar_doc_sections::{DOC_SECTION_OTHER, DOC_SECTION_STRING};
use datafusion_expr::{DocSection, Documentation};

use crate::function::{Function, Parameter};

/// The documentation of a function.
pub(crate) fn of(function: Function) -> Documentation {
    let (section, description, example): (DocSection, _, _) = match function {
        Function::Utf8Valid => (
            DOC_SECTION_OTHER,
            "Returns whether bytes are well-formed UTF-8.",
            r"SELECT count(*) FROM logs WHERE NOT utf8_valid(line)",
        ),
        Function::Utf8Error => (
            DOC_SECTION_OTHER,
            "Returns the first error of bytes that are not well-formed UTF-8, as a struct of `offset` and `length` in \
             bytes, the `kind` of the error, and a `message` that says which rule is broken; null where there is none.",
            r"SELECT utf8_error(line)['kind'] AS kind, count(*) FROM logs GROUP BY kind",
        ),
        Function::TextDecode => (
            DOC_SECTION_STRING,
            "Returns the text that bytes in an encoding are.",
            r"SELECT text_decode(body, 'utf-16le', 'whatwg') FROM messages",
        ),
        Function::TextEncode => (
            DOC_SECTION_STRING,
            "Returns text as bytes in an encoding.",
            r"SELECT text_encode(name, 'latin-1', 'null') FROM customers",
        ),
        Function::TextTranscode => (
            DOC_SECTION_STRING,
            "Returns bytes in one encoding as bytes in another.",
            r"SELECT text_transcode(name, 'cesu-8', 'utf-8') FROM exported",
        ),
        Function::TextRepair => (
            DOC_SECTION_STRING,
            "Returns the text that bytes of UTF-8 are, with U+FFFD, or an escape, for what is ill-formed. It never fails.",
            r"SELECT text_repair(line, 'perl5') FROM logs",
        ),
        Function::TextDetect => (
            DOC_SECTION_OTHER,
            "Returns the name of the encoding that bytes appear to be in, or 'mixed', 'unknown' or 'binary'.",
            r"SELECT text_detect(body) AS encoding, count(*) FROM messages GROUP BY encoding",
        ),
        Function::CharCount => (
            DOC_SECTION_STRING,
            "Returns the number of characters: the scalar values of UTF-8. In ill-formed bytes, those that are no \
             continuation bytes are counted.",
            r"SELECT max(char_count(line)) FROM logs",
        ),
        Function::EncodedLength => (
            DOC_SECTION_STRING,
            "Returns how many bytes text has in an encoding.",
            r"SELECT name FROM customers WHERE text_encoded_length(name, 'utf-16le') > 2 * 40",
        ),
    };
    let (parameters, least) = function.parameters();
    let names = parameters.iter().map(|parameter| name(*parameter)).collect::<Vec<_>>();
    let optional = names[least..].iter().map(|name| format!(" [, {name}]"));
    let syntax =
        format!("{}({}{})", function.name(), names[..least].join(", "), optional.collect::<String>());
    let mut builder = Documentation::builder(section, description, syntax).with_sql_example(example);
    for parameter in parameters {
        builder = builder.with_argument(name(*parameter), explanation(*parameter));
    }
    builder.build()
}

/// How a parameter is called.
const fn name(parameter: Parameter) -> &'static str {
    match parameter {
        Parameter::Any | Parameter::Bytes => "bytes",
        Parameter::Text => "text",
        Parameter::From => "from",
        Parameter::To => "to",
        Parameter::Errors => "errors",
        Parameter::Behaviour => "behaviour",
    }
}

/// What a parameter is.
const fn explanation(parameter: Parameter) -> &'static str {
    match parameter {
        Parameter::Any => {
            "Binary, LargeBinary, BinaryView, FixedSizeBinary, any type of text, or a dictionary of these."
        }
        Parameter::Bytes => "Binary, LargeBinary, BinaryView, FixedSizeBinary, or a dictionary of these.",
        Parameter::Text => "Utf8, LargeUtf8, Utf8View, or a dictionary of these.",
        Parameter::From => {
            "The encoding that the bytes are in. In plain UTF-16, UTF-32 and WTF-16 a byte order mark decides, value \
             by value, and is no part of the text; without one they are big-endian."
        }
        Parameter::To => "The encoding to write; of UTF-16, UTF-32 and WTF-16 with their order of bytes.",
        Parameter::Errors => {
            "What becomes of a value that is ill-formed or has no form in the other encoding: 'strict' (if nothing is \
             said) ends the query and names row and byte, 'null' makes it null, and a behaviour ('whatwg', \
             'per-byte', 'win32', 'openjdk8', 'python2', 'perl5', 'icu55') or an escape ('backslash', 'latin1', \
             'windows-1252') writes something in its place."
        }
        Parameter::Behaviour => {
            "As many U+FFFD as that software writes: 'whatwg' (if nothing is said), 'per-byte', 'win32', 'openjdk8', \
             'python2', 'perl5', 'icu55'; or an escape, 'backslash', 'latin1', 'windows-1252'."
        }
    }
}
