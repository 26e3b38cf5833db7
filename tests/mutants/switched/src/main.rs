//! All of cargo-mutants' changes in one build, of which the environment chooses one.
//!
//! A build for each mutant takes a quarter of a minute and more, and there are some five thousand outside of the kernels: a day. Here
//! cargo-mutants only says what it would change. Every change goes into a copy of the sources, behind a question to the environment
//! ([`rewrite`]); what the compiler refuses is taken out again until it refuses nothing; the tests are built once; and each
//! mutant meets those tests, the shortest first, that come by it. That takes an hour on a core.
//!
//! ```sh
//! cargo run --release --manifest-path tests/mutants/switched/Cargo.toml            # all
//! cargo run --release --manifest-path tests/mutants/switched/Cargo.toml -- 0/8     # every eighth
//! cargo run --release --manifest-path tests/mutants/switched/Cargo.toml -- 0/1 src/stream   # those of a folder
//! ```
//!
//! It needs cargo-mutants, and prints a line for each mutant that is not killed. `survived` was met by tests, and all passed; `unreached`
//! is come by in none of them (examples in the documentation are not among these tests). With one that `timed out` a test has not ended:
//! it never does, or the machine was busy. Those in constant functions, and those that do not compile, are counted. Tests have the size
//! of `RUNECAST_TEST_SCALE`, small if it is not there.

mod rewrite;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use serde_json::Value;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What the library is built with.
const FEATURES: &str = "dynamic,rayon,serde,tokio";

/// A number of no mutant, which only has the effect that a panic ends the process.
const NONE: usize = (1 << 14) - 1;

/// A change that cargo-mutants would make.
pub struct Mutant {
    /// From 1.
    pub number: usize,
    file: String,
    name: String,
    /// The return type of the function.
    returns: String,
    /// `FnValue`, `BinaryOperator` and so on.
    pub genre: String,
    /// Line and column, from 1.
    pub position: (usize, usize),
    /// What comes there.
    pub replacement: String,
}

/// Where changes are in a file that was rewritten, in bytes, and the numbers of these.
type Places = Vec<(std::ops::Range<usize>, Vec<usize>)>;

/// A test that passes.
struct Test {
    program: PathBuf,
    name: String,
    takes: Duration,
    reaches: BTreeSet<usize>,
}

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let part = arguments.next().unwrap_or_else(|| "0/1".into());
    let (part, parts) = part.split_once('/').ok_or("a part is K/N")?;
    let (part, parts): (usize, usize) = (part.parse()?, part_count(parts)?);
    let folder = arguments.next().unwrap_or_default();

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize()?;
    let tree = env::temp_dir().join("runecast-mutants");
    let mutants = list(&root)?;
    let switched = build(&root, &tree, &mutants)?;
    eprintln!(
        "{} mutants, {} of them switched; the others are constant or do not compile",
        mutants.len(),
        switched.len()
    );
    let tests = tests(&tree)?;
    let mut counts = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| switched.contains(&mutant.number)) {
        if mutant.number % parts == part && mutant.file.starts_with(&folder) {
            let outcome = meet(mutant, &tests, &tree)?;
            *counts.entry(outcome).or_insert(0) += 1;
            if outcome != "killed" {
                println!("{outcome}: {}", mutant.name);
            }
        }
    }
    println!("{counts:?}");
    Ok(())
}

fn part_count(text: &str) -> Result<usize> {
    match text.parse()? {
        0 => Err("there is no part of none".into()),
        count => Ok(count),
    }
}

/// What cargo-mutants would change outside of the kernels.
fn list(root: &Path) -> Result<Vec<Mutant>> {
    let arguments = ["mutants", "--package", "runecast", "--exclude", "src/kernel/**", "--list", "--json"];
    let output = Command::new("cargo").args(arguments).current_dir(root).stderr(Stdio::inherit()).output()?;
    let list: Vec<Value> = serde_json::from_slice(&output.stdout)
        .map_err(|_| "cargo-mutants listed nothing: is it installed?")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let count = |value: &Value| value.as_u64().unwrap_or_default() as usize;
    let mutants = list.iter().enumerate().map(|(index, mutant)| Mutant {
        number: index + 1,
        file: text(&mutant["file"]),
        name: text(&mutant["name"]),
        returns: text(&mutant["function"]["return_type"]),
        genre: text(&mutant["genre"]),
        position: (count(&mutant["span"]["start"]["line"]), count(&mutant["span"]["start"]["column"])),
        replacement: text(&mutant["replacement"]),
    });
    Ok(mutants.collect())
}

/// Copies the sources and rewrites them, until they compile; returns what can be switched on.
fn build(root: &Path, tree: &Path, mutants: &[Mutant]) -> Result<BTreeSet<usize>> {
    let _ = fs::remove_dir_all(tree);
    fs::create_dir_all(tree)?;
    let files = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?.stdout;
    for file in String::from_utf8(files)?.split_terminator('\0') {
        fs::create_dir_all(tree.join(file).parent().unwrap_or(tree))?;
        fs::copy(root.join(file), tree.join(file))?;
    }
    fs::write(tree.join("src/mutant.rs"), include_str!("switch.rs"))?;
    let library = fs::read_to_string(root.join("src/lib.rs"))?;
    let library = library.replacen(
        "\nmod blocks;",
        "\n#[doc(hidden)] #[allow(missing_docs)] pub mod mutant;\nmod blocks;",
        1,
    );
    fs::write(tree.join("src/lib.rs"), library)?;

    // An early return of another type than the hidden one: no error of the compiler is at its place.
    let is_hidden = |mutant: &&Mutant| mutant.genre == "FnValue" && mutant.returns.contains("impl ");
    let mut refused: BTreeSet<usize> = mutants.iter().filter(is_hidden).map(|mutant| mutant.number).collect();
    loop {
        let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
        for mutant in mutants.iter().filter(|mutant| mutant.file != "src/lib.rs") {
            let those = by_file.entry(&mutant.file).or_default();
            if !refused.contains(&mutant.number) {
                those.push(mutant);
            }
        }
        let (mut switched, mut places) = (BTreeSet::new(), HashMap::new());
        for (file, mutants) in by_file {
            let rewritten = rewrite::rewrite(&fs::read_to_string(root.join(file))?, &mutants)?;
            fs::write(tree.join(file), rewritten.text)?;
            switched.extend(rewritten.switched);
            places.insert(file, rewritten.places);
        }
        let output = cargo(tree)
            .args(["check", "--lib", "--message-format=json"])
            .args(["--features", FEATURES])
            .output()?;
        if output.status.success() {
            return Ok(switched);
        }
        let before = refused.len();
        for message in String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            refused.extend(blamed(&message["message"], &places, mutants));
        }
        eprintln!("{} changes do not compile", refused.len());
        if refused.len() == before {
            return Err(format!(
                "the compiler refuses something else:\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
            .into());
        }
    }
}

/// The mutants that an error of the compiler is about: those of the innermost place with it.
fn blamed(message: &Value, places: &HashMap<&str, Places>, mutants: &[Mutant]) -> Vec<usize> {
    let mut blamed = Vec::new();
    if message["level"] != "error" {
        return blamed;
    }
    for span in message["spans"].as_array().into_iter().flatten().filter(|span| span["is_primary"] == true) {
        let (start, end) = (
            span["byte_start"].as_u64().unwrap_or(0) as usize,
            span["byte_end"].as_u64().unwrap_or(0) as usize,
        );
        let Some(places) = span["file_name"].as_str().and_then(|file| places.get(file)) else { continue };
        if message["code"]["code"] == "E0004" {
            // Not all values have an arm: one behind the start of the `match` must not be deleted.
            let near = places.iter().filter(|(place, _)| (end..end + 2500).contains(&place.start));
            let arms = near
                .flat_map(|(_, numbers)| numbers)
                .filter(|number| mutants[**number - 1].genre == "MatchArm");
            blamed.extend(arms);
            continue;
        }
        let around = places.iter().filter(|(place, _)| place.start <= start && end <= place.end);
        let beside = places.iter().filter(|(place, _)| place.start < end && start < place.end);
        let innermost = around
            .min_by_key(|(place, _)| place.len())
            .or_else(|| beside.min_by_key(|(place, _)| place.len()));
        blamed.extend(innermost.into_iter().flat_map(|(_, numbers)| numbers));
    }
    blamed
}

/// Cargo in the copy.
fn cargo(tree: &Path) -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(tree)
        .env("RUSTFLAGS", "--cap-lints=warn")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0");
    command.env_remove("CARGO_MANIFEST_DIR").env("CARGO_TARGET_DIR", tree.join("target"));
    command.env("RUNECAST_TEST_PAIRS", env::var("RUNECAST_TEST_PAIRS").unwrap_or_else(|_| "few".into()));
    command
}

/// Builds the tests, and runs each by itself: how long it takes, and which mutants it comes by.
fn tests(tree: &Path) -> Result<Vec<Test>> {
    let targets = [
        "--lib",
        "--test",
        "interpreted",
        "--test",
        "differential",
        "--test",
        "engines",
        "--test",
        "features",
        "--test",
        "api",
    ];
    let output = cargo(tree)
        .args(["test", "--package", "runecast", "--no-run", "--message-format=json", "--features", FEATURES])
        .args(targets)
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let reached = tree.join("reached");
    let mut tests = Vec::new();
    for program in messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from)) {
        let list =
            Command::new(&program).args(["--list", "--format", "terse"]).current_dir(tree).output()?.stdout;
        for name in String::from_utf8(list)?.lines().filter_map(|line| line.strip_suffix(": test")) {
            let _ = fs::remove_file(&reached);
            let start = Instant::now();
            let passes = |mutant| {
                test(&program, name, tree, mutant, &reached, Duration::from_secs(200))
                    .map(|outcome| outcome == Some(true))
            };
            let without = passes(0)?;
            let takes = start.elapsed();
            // Some fail because they want a panic: they can't tell a mutant from none.
            if without && passes(NONE)? {
                let reaches = fs::read_to_string(&reached)
                    .unwrap_or_default()
                    .lines()
                    .filter_map(|line| line.parse().ok())
                    .collect();
                tests.push(Test { program: program.clone(), name: name.into(), takes, reaches });
            }
        }
    }
    tests.sort_by_key(|test| test.takes);
    eprintln!("{} tests", tests.len());
    Ok(tests)
}

/// Whether one test passes with a mutant; `None` if it does not end within a time.
fn test(
    program: &Path,
    name: &str,
    tree: &Path,
    mutant: usize,
    reached: &Path,
    limit: Duration,
) -> Result<Option<bool>> {
    let mut child = Command::new(program)
        .args(["--exact", name])
        .current_dir(tree)
        .env("RUNECAST_TEST_SCALE", env::var("RUNECAST_TEST_SCALE").unwrap_or_else(|_| "small".into()))
        .env("RUNECAST_MUTANT", mutant.to_string())
        .env("RUNECAST_MUTANTS_REACHED", reached)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// What becomes of a mutant.
fn meet(mutant: &Mutant, tests: &[Test], tree: &Path) -> Result<&'static str> {
    let mut outcome = "unreached";
    for Test { program, name, takes, .. } in tests.iter().filter(|test| test.reaches.contains(&mutant.number))
    {
        let limit = *takes * 8 + Duration::from_secs(3);
        outcome = match test(program, name, tree, mutant.number, &tree.join("reached"), limit)? {
            Some(true) => "survived",
            Some(false) => return Ok("killed"),
            None => return Ok("timed out"),
        };
    }
    Ok(outcome)
}
