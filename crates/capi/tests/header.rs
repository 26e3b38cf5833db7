//! `include/runecast.h` is what cbindgen makes of the sources. To make it anew:
//!
//!     RUNECAST_WRITE_HEADER=1 cargo test -p runecast-capi --test header

use std::path::Path;

/// In the order of the header.
const SOURCES: [&str; 12] = [
    "types",
    "engine",
    "encoding",
    "detect",
    "check",
    "lengths",
    "convert",
    "stream",
    "validator",
    "offset",
    "map",
    "message",
];

#[test]
fn the_header_is_that_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    for (name, value) in [
        ("@VERSION@", env!("CARGO_PKG_VERSION")),
        ("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR")),
        ("@MINOR@", env!("CARGO_PKG_VERSION_MINOR")),
        ("@PATCH@", env!("CARGO_PKG_VERSION_PATCH")),
    ] {
        config.after_includes = config.after_includes.map(|text| text.replace(name, value));
    }
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(root.join("src").join(source).with_extension("rs"));
    }
    let mut made = Vec::new();
    builder.generate().expect("bindings").write(&mut made);
    let made = String::from_utf8(made).expect("text");
    let path = root.join("include/runecast.h");
    if std::env::var_os("RUNECAST_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("a writable header");
    }
    let there = std::fs::read_to_string(&path).expect("a header");
    // Compilers that take it for a code page of the machine warn of anything else.
    assert!(made.is_ascii(), "a comment in the header is not all ASCII");
    let differs = made.lines().zip(there.lines()).position(|(made, there)| made != there);
    assert!(
        made == there,
        "include/runecast.h differs from the sources, first in line {:?}; set RUNECAST_WRITE_HEADER=1 and run \
         this test to make it anew",
        differs.map(|line| line + 1)
    );
}
