//! What DataFusion lists of the functions: SHOW FUNCTIONS and information_schema.

use datafusion::prelude::{SessionConfig, SessionContext};

use crate::common::rows;

fn session() -> SessionContext {
    let config = SessionConfig::new().with_information_schema(true);
    let mut context = SessionContext::new_with_config(config);
    runecast_datafusion::register_all(&mut context).unwrap();
    context
}

/// With every number of arguments, and for bytes and text where both are taken; written down by hand.
const SIGNATURES: &[(&str, &[&str])] = &[
    ("utf8_valid", &["[bytes] [Binary] Boolean", "[bytes] [String] Boolean"]),
    ("utf8_error", &["[bytes] [Binary] Struct", "[bytes] [String] Struct"]),
    (
        "text_decode",
        &["[bytes, from] [Binary, String] String", "[bytes, from, errors] [Binary, String, String] String"],
    ),
    (
        "text_encode",
        &["[text, to] [String, String] Binary", "[text, to, errors] [String, String, String] Binary"],
    ),
    (
        "text_transcode",
        &[
            "[bytes, from, to] [Binary, String, String] Binary",
            "[bytes, from, to, errors] [Binary, String, String, String] Binary",
        ],
    ),
    (
        "text_repair",
        &[
            "[bytes] [Binary] String",
            "[bytes] [String] String",
            "[bytes, behaviour] [Binary, String] String",
            "[bytes, behaviour] [String, String] String",
        ],
    ),
    ("text_detect", &["[bytes] [Binary] String", "[bytes] [String] String"]),
    (
        "char_count",
        &[
            "[bytes] [Binary] Int32",
            "[bytes] [Binary] Int64",
            "[bytes] [String] Int32",
            "[bytes] [String] Int64",
        ],
    ),
    ("text_encoded_length", &["[text, to] [String, String] Int64"]),
];

#[tokio::test]
async fn show_functions_lists_types_and_documentation() {
    let context = session();
    assert_eq!(SIGNATURES.len(), runecast_datafusion::functions().len());
    for (name, signatures) in SIGNATURES {
        let listed = rows(&context, &format!("SHOW FUNCTIONS LIKE '{name}'")).await;
        let mut found = Vec::new();
        for row in &listed {
            let fields: Vec<_> = row.split('|').collect();
            let [function, returned, parameters, types, kind, description, syntax] = fields[..] else {
                panic!("{row}");
            };
            assert_eq!((function, kind), (*name, "SCALAR"));
            assert!(description.len() > 20 && description.ends_with('.'), "{row}");
            assert!(syntax.starts_with(&format!("{name}(")), "{row}");
            // The fields of a struct are in its name.
            let returned = returned.split('(').next().unwrap();
            found.push(format!("{parameters} {types} {returned}"));
        }
        found.sort();
        let mut expected = signatures.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{name}");
    }
}

#[tokio::test]
async fn information_schema_lists_routines_and_parameters() {
    let context = session();
    for function in runecast_datafusion::functions() {
        let name = function.name();
        let routines = rows(
            &context,
            &format!(
                "SELECT DISTINCT function_type, is_deterministic, syntax_example FROM information_schema.routines \
                 WHERE routine_name = '{name}'"
            ),
        )
        .await;
        let syntax = &function.documentation().unwrap().syntax_example;
        assert_eq!(routines, [format!("SCALAR|true|{syntax}")]);
        // As many as the documentation has, each under its name; and what comes out has a type.
        let named = rows(
            &context,
            &format!(
                "SELECT DISTINCT ordinal_position, parameter_name FROM information_schema.parameters \
                 WHERE specific_name = '{name}' AND parameter_mode = 'IN' ORDER BY ordinal_position"
            ),
        )
        .await;
        let documented = function.documentation().unwrap().arguments.clone().unwrap();
        let documented: Vec<_> =
            documented.iter().enumerate().map(|(index, (name, _))| format!("{}|{name}", index + 1)).collect();
        assert_eq!(named, documented, "{name}");
        let without = format!(
            "SELECT count(*) FROM information_schema.parameters WHERE specific_name = '{name}' AND data_type IS NULL"
        );
        assert_eq!(rows(&context, &without).await, ["0"]);
    }
}
