//! The order of the sources: which folder may use which, and that no file uses one that uses it.
//!
//! What a file uses is read from its text: the modules that it declares, and every path that begins with `crate::`
//! or `super::`. Tests may look at everything, and are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A folder, and those that it may use besides itself.
const LAYERS: [(&str, &[&str]); 4] =
    [("commands", &["pipeline", "io", "ui"]), ("pipeline", &["io"]), ("ui", &["io"]), ("io", &[])];

/// Every module by its path, with what it uses.
type Modules = BTreeMap<String, BTreeSet<String>>;

/// The texts of all modules below a directory, without comments and tests.
fn read(directory: &Path, parent: &str, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).expect("a directory of sources") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
        let module = if parent.is_empty() { stem.to_owned() } else { format!("{parent}::{stem}") };
        if path.is_dir() {
            read(&path, &module, texts);
        } else if !["tests", "test_support"].contains(&stem) {
            let text = fs::read_to_string(&path).expect("a source");
            let text = text.split("mod tests {").next().unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let text = lines.collect::<Vec<_>>().join("\n").replace("mod tests;", "");
            texts.insert(module, text.replace("mod test_support;", ""));
        }
    }
}

/// The paths at the beginning of `text`: one, or each of those in braces behind it.
fn paths(text: &str) -> Vec<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let path = path.trim_end_matches(':');
    match rest.strip_prefix('{').and_then(|list| list.split('}').next()) {
        Some(list) => list.split(',').map(|item| format!("{path}::{}", item.trim())).collect(),
        None => vec![path.to_owned()],
    }
}

/// The longest beginning of a path that is a module; `main` is the root.
fn resolve(path: &str, texts: &BTreeMap<String, String>) -> String {
    let path = path.replace("::::", "::");
    let mut path = path.trim_matches(':');
    while !texts.contains_key(path) {
        match path.rsplit_once("::") {
            Some((shorter, _)) => path = shorter,
            None => return "main".to_owned(),
        }
    }
    path.to_owned()
}

fn modules() -> Modules {
    let mut texts = BTreeMap::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut texts);
    let mut modules = Modules::new();
    for (module, text) in &texts {
        let below = if module == "main" { String::new() } else { format!("{module}::") };
        let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
        let declared = text.lines().filter_map(|line| {
            let line = line.trim_start_matches("pub(crate) ").strip_prefix("mod ")?;
            Some(format!("{below}{}", line.strip_suffix(';')?))
        });
        let mut uses: BTreeSet<_> = declared.collect();
        for (prefix, base) in [("crate::", ""), ("super::", parent)] {
            for (at, _) in text.match_indices(prefix) {
                let found = paths(&text[at + prefix.len()..]);
                uses.extend(found.iter().map(|path| resolve(&format!("{base}::{path}"), &texts)));
            }
        }
        uses.remove(module);
        modules.insert(module.clone(), uses);
    }
    modules
}

#[test]
fn folders_use_only_those_below_them() {
    let folder = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let modules = modules();
    assert!(modules.len() > 50 && modules["commands::check"].contains("pipeline::workers"), "{modules:?}");
    for (module, uses) in modules.iter().filter(|(module, _)| *module != "main") {
        let own = folder(module);
        let (_, allowed) = LAYERS.iter().find(|(layer, _)| *layer == own).expect("one of the four folders");
        for used in uses {
            let used_folder = folder(used);
            assert!(used_folder == own || allowed.contains(&used_folder.as_str()), "{module} uses {used}");
        }
    }
}

#[test]
fn no_file_uses_one_that_uses_it() {
    let mut modules = modules();
    // Takes away what uses nothing that is left; of circles something stays.
    while !modules.is_empty() {
        let free: Vec<_> =
            modules.iter().filter(|(_, uses)| uses.is_empty()).map(|(m, _)| m.clone()).collect();
        assert!(!free.is_empty(), "there is a circle among these: {modules:#?}");
        for module in &free {
            modules.remove(module);
        }
        for uses in modules.values_mut() {
            uses.retain(|used| !free.contains(used));
        }
    }
}
