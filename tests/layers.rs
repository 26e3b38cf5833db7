//! The layers of the library: what each part of `src/` may use.
//!
//! A file uses another one by a path that begins with `crate::` or `super::`, in a `use` line or anywhere in the code. The
//! table below lists the parts from the ground up; a file may use its own part, and those before it in the table. So there is
//! no arrow back up, and no cycle between parts. Comments, documentation and tests may look at everything.
//!
//! An item that a module re-exports belongs to where it is defined, so that `crate::kernel::Engine` leads to `kernel::cpu`.
#![cfg(not(target_family = "wasm"))] // There the sources cannot be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The parts, from the ground up. The longest one that begins a module's path is the part that it belongs to.
const LAYERS: [&str; 32] = [
    "unicode",
    "kernel::shared",
    "kernel::cpu",
    "kernel::vector",
    "kernel::portable",
    "kernel::generic",
    "kernel::avx512",
    "kernel::dispatch",
    "kernel",
    "output",
    "bridge",
    "validate",
    "blocks",
    "text",
    "convert",
    "chars",
    "chunks",
    "corrected",
    "index",
    "wtf8",
    "std_api",
    "stream",
    "scan",
    "dynamic",
    "parallel",
    "utf8_bytes",
    "batch",
    "detect",
    "io",
    "codec",
    "engine",
    "lib",
];

/// What may hold `unsafe` code, besides the kernels.
const UNSAFE: [&str; 3] = ["bridge", "text", "output"];

/// The text of every module by its path, without comments and tests.
type Sources = BTreeMap<String, String>;

fn read(directory: &Path, parent: &str, sources: &mut Sources) {
    for entry in fs::read_dir(directory).expect("a directory of sources") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
        let module = if parent.is_empty() { stem.to_owned() } else { format!("{parent}::{stem}") };
        if path.is_dir() {
            read(&path, &module, sources);
        } else if stem != "tests" {
            sources.insert(module, code(&fs::read_to_string(&path).expect("a source")));
        }
    }
}

/// A source without comments, documentation and tests, which end a file.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = text
        .lines()
        .filter(|line| !["//", "#[doc", "#![doc"].iter().any(|mark| line.trim_start().starts_with(mark)));
    lines.map(|line| line.split(" // ").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// All paths that a list such as `a::{b, c::{d, self}}` stands for; what follows it is left.
fn expand(text: &str) -> Vec<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let Some(list) = rest.strip_prefix('{').filter(|_| path.is_empty() || path.ends_with("::")) else {
        return vec![path.trim_end_matches(':').to_owned()];
    };
    let (mut depth, mut begin, mut all) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let item = list[begin..at].trim();
                all.extend(
                    expand(item).into_iter().filter(|_| !item.is_empty()).map(|one| format!("{path}{one}")),
                );
                begin = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    all
}

/// The module that a path leads to: the longest one that it begins with, or where that one has the item from.
fn resolve(path: &str, sources: &Sources) -> Option<String> {
    let path = path.trim_end_matches("::self");
    let mut module = path;
    while !sources.contains_key(module) {
        module = module.rsplit_once("::")?.0;
    }
    let item =
        path[module.len()..].trim_start_matches(':').split("::").next().filter(|item| !item.is_empty());
    let exported = item.and_then(|item| {
        let text = &sources[module];
        let uses = text.match_indices("use ").filter(|(at, _)| {
            let line = text[..*at].rsplit('\n').next().unwrap_or_default();
            line.starts_with("pub")
        });
        uses.flat_map(|(at, mark)| expand(&text[at + mark.len()..]))
            .find(|exported| exported.rsplit("::").next() == Some(item))
            .map(|exported| absolute(&exported, module))
    });
    match exported {
        Some(exported) if exported != path => resolve(&exported, sources),
        _ => Some(module.to_owned()),
    }
}

/// A path as one from the root, where it is read in `module`.
fn absolute(path: &str, module: &str) -> String {
    let (mut base, mut rest) = (module, path);
    if let Some(from_root) = rest.strip_prefix("crate::") {
        return from_root.to_owned();
    }
    while let Some(above) = rest.strip_prefix("super::") {
        (base, rest) = (base.rsplit_once("::").map_or("", |(above, _)| above), above);
    }
    let rest = rest.strip_prefix("self::").unwrap_or(rest);
    if base.is_empty() { rest.to_owned() } else { format!("{base}::{rest}") }
}

/// The number of the part that a module belongs to.
fn layer(module: &str) -> Option<usize> {
    let begins = |layer: &str| {
        module.strip_prefix(layer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let found = (0..LAYERS.len()).filter(|number| begins(LAYERS[*number]));
    found.max_by_key(|number| LAYERS[*number].len())
}

/// What is wrong with the layers of these sources.
fn arrows_up(sources: &Sources) -> Vec<String> {
    let mut wrong = Vec::new();
    for (module, text) in sources {
        let Some(own) = layer(module) else {
            wrong.push(format!("{module} is in no layer: add it to the table"));
            continue;
        };
        for mark in ["crate::", "super::"] {
            for (at, _) in text.match_indices(mark) {
                let before = text[..at].chars().next_back();
                // In the middle of a path, or how far something may be seen.
                let inside = before.is_some_and(|c| c.is_alphanumeric() || "_$:".contains(c));
                if inside || text[..at].ends_with("pub(in ") {
                    continue;
                }
                for path in expand(&text[at..]) {
                    let Some(used) = resolve(&absolute(&path, module), sources) else { continue };
                    if layer(&used).is_some_and(|used| used > own) {
                        let (own, used_layer) = (LAYERS[own], layer(&used).map_or("", |used| LAYERS[used]));
                        wrong.push(format!(
                            "{module} (layer {own}) uses {used} (layer {used_layer}), which stands above it"
                        ));
                    }
                }
            }
        }
    }
    wrong.dedup();
    wrong
}

fn sources() -> Sources {
    let mut sources = Sources::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    sources
}

#[test]
fn no_arrow_goes_up() {
    let sources = sources();
    assert!(sources.len() > 100, "{:?}", sources.keys());
    let wrong = arrows_up(&sources);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn unsafe_code_is_where_it_may_be() {
    for (module, text) in sources() {
        let may = layer(&module)
            .is_some_and(|layer| LAYERS[layer].starts_with("kernel") || UNSAFE.contains(&LAYERS[layer]));
        let has = text.contains("unsafe {") || text.contains("unsafe fn") || text.contains("unsafe impl");
        assert!(may || !has, "{module} has unsafe code");
    }
}

#[test]
fn an_arrow_that_goes_up_is_seen() {
    let tree = |convert: &str| {
        let module = |path: &str, text: &str| (path.to_owned(), code(text));
        Sources::from([
            module("unicode", "mod error;\npub use error::IllFormed;"),
            module("unicode::error", "pub struct IllFormed;"),
            module("kernel", "pub use cpu::{Engine, Isa};\nmod cpu;"),
            module("kernel::cpu", "use crate::unicode::IllFormed;"),
            module("convert", convert),
            module("stream", "use crate::convert::{self, Policy};\nuse super::kernel::Engine;"),
        ])
    };
    for fine in [
        "use crate::{kernel::Engine, unicode::{self, IllFormed}};",
        "// crate::stream::Step",
        "/// [`Step`](crate::stream::Step)",
        "use super::kernel::Isa;\n#[cfg(test)]\nmod tests { use crate::stream::Step; }",
    ] {
        assert_eq!(arrows_up(&tree(fine)), [""; 0], "{fine}");
    }
    for wrong in [
        "use crate::stream;",
        "use crate::{kernel::Engine, stream::{self, Step}};",
        "fn f() { super::stream::g() }",
        "fn f(step: crate::stream::Step) {}",
    ] {
        let expected = "convert (layer convert) uses stream (layer stream), which stands above it";
        assert_eq!(arrows_up(&tree(wrong)), [expected], "{wrong}");
    }
    let mut with_stranger = tree("");
    with_stranger.insert("stranger".to_owned(), String::new());
    assert_eq!(arrows_up(&with_stranger), ["stranger is in no layer: add it to the table"]);
}
