//! The interface from the other side: programs in C and C++ are compiled with the compilers of this machine,
//! linked with the library, and run.
//!
//! They are linked with what `install.sh` installs, where that can be. The library is what `cargo build` makes in the directory that these tests were built in: cargo does
//! not build a `cdylib` for tests by itself. Where there is no compiler for a language, or no valgrind, that part
//! is left out, and says so; its output is seen with `--nocapture`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What every compiler is told: all that projects ask of headers, whose warnings are theirs.
const WARNINGS: [&str; 9] = [
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Werror",
    "-pedantic",
    "-O1",
    "-g",
];

/// What a static library of Rust needs besides, as `rustc --print native-static-libs` says; but for `-lgcc_s`, which compilers link by
/// themselves in the form that is right.
const LIBRARIES: &[&str] =
    if cfg!(target_os = "linux") { &["-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"] } else { &[] };

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directory with the library.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // target/[TRIPLE/]PROFILE/deps/native-…
        let program = env::current_exe().expect("a path");
        let directory = program.parent().and_then(Path::parent).expect("a directory of a profile");
        let profile = directory.file_name().and_then(OsStr::to_str).expect("a name");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--offline", "-p", "runecast-capi", "--manifest-path"]);
        cargo.arg(root().join("Cargo.toml"));
        cargo.arg("--profile").arg(if profile == "debug" { "dev" } else { profile });
        // The triple, if there is one, is a directory more.
        let above = directory.parent().expect("a target directory");
        match above.file_name().and_then(OsStr::to_str) {
            Some(triple) if triple == host_triple() => cargo
                .arg("--target")
                .arg(triple)
                .arg("--target-dir")
                .arg(above.parent().expect("a directory")),
            _ => cargo.arg("--target-dir").arg(above),
        };
        run(&mut cargo);
        directory.to_path_buf()
    })
}

/// Whether `install.sh` can install here.
fn installs() -> bool {
    let tools = ["bash", "ld", "objcopy", "readelf"];
    let missing = tools.iter().find(|tool| !works(OsStr::new(tool)));
    if let Some(tool) = missing {
        println!("skipped: there is no {tool}");
    }
    cfg!(target_os = "linux") && missing.is_none()
}

/// The directory with the libraries that programs are linked with: as they are installed, or as they were built.
fn libraries() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        if !installs() {
            return built().to_path_buf();
        }
        let prefix = built().join("runecast-capi-installed");
        let mut command = Command::new("bash");
        command.arg(root().join("install.sh")).arg("--from").arg(built()).arg(&prefix);
        run(command.env_remove("DESTDIR"));
        prefix.join("lib")
    })
}

/// The compiler of Rust.
fn rustc() -> OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// The triple that the compiler calls its own.
fn host_triple() -> String {
    let output = Command::new(rustc()).arg("-vV").output().expect("rustc");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned()
}

/// Runs a command, which must succeed.
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn works(program: &OsStr) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The first of these programs that is there; or a word about it.
fn find(what: &str, variable: &str, names: &[&str]) -> Option<OsString> {
    let named = env::var_os(variable).into_iter();
    let found = named.chain(names.iter().map(OsString::from)).find(|name| works(name));
    if found.is_none() {
        println!("skipped: there is no {what}");
    }
    found
}

/// How the library is linked.
#[derive(Clone, Copy)]
enum Link {
    Static,
    Shared,
}

/// One program.
struct Program {
    directory: tempfile::TempDir,
    path: PathBuf,
}

impl Program {
    /// Compiles `source`; nothing if there is no compiler.
    fn compile(source: &str, standard: &str, link: Link) -> Option<Program> {
        let compiler = if source.ends_with(".c") {
            find("C compiler", "CC", &["cc", "gcc", "clang"])?
        } else {
            find("C++ compiler", "CXX", &["c++", "g++", "clang++"])?
        };
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("program");
        let mut command = Command::new(compiler);
        command.arg(format!("-std={standard}")).args(WARNINGS).arg("-I").arg(root().join("include"));
        command.arg(root().join(source)).arg("-o").arg(&path);
        match link {
            Link::Static => command.arg(libraries().join("librunecast.a")).args(LIBRARIES),
            Link::Shared => command.arg("-L").arg(libraries()).arg("-lrunecast"),
        };
        run(&mut command);
        Some(Program { directory, path })
    }

    /// A command that finds the shared library.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(self.directory.path()).env_remove("RUNECAST_ISA");
        for variable in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
            command.env(variable, libraries());
        }
        command
    }

    /// What it prints.
    fn says(&self) -> String {
        String::from_utf8(run(&mut self.command()).stdout).expect("text")
    }

    /// Runs it in valgrind, which must have nothing to say; or says that there is none.
    fn under_valgrind(&self, arguments: &[&str]) {
        if !works("valgrind".as_ref()) {
            println!("skipped: there is no valgrind");
            return;
        }
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=all"]);
        command.arg("--errors-for-leak-kinds=definite,indirect,possible");
        command.arg(&self.path).args(arguments);
        command.env("LD_LIBRARY_PATH", libraries()).env_remove("RUNECAST_ISA");
        run(&mut command);
    }
}

/// Everything, against a naive decoder; then some of it in valgrind.
#[test]
fn abi() {
    let Some(program) = Program::compile("tests/abi.c", "c99", Link::Static) else { return };
    let said = program.says();
    println!("{said}");
    assert!(said.contains("scalar") && said.ends_with("checks\n"), "{said}");
    program.under_valgrind(&["small"]);
}

/// The example in C, with the shared library.
#[test]
fn demo_in_c() {
    let Some(program) = Program::compile("examples/demo.c", "c99", Link::Shared) else { return };
    assert_eq!(program.says(), include_str!("demo.txt"));
}

/// The example in C++, and the wrapper, with both libraries.
#[test]
fn demo_in_cpp() {
    for link in [Link::Static, Link::Shared] {
        let Some(program) = Program::compile("examples/demo.cpp", "c++17", link) else { return };
        assert_eq!(program.says(), include_str!("demo.txt"));
    }
}

#[test]
fn wrapper() {
    for standard in ["c++17", "c++20"] {
        let Some(program) = Program::compile("tests/wrapper.cpp", standard, Link::Static) else { return };
        assert_eq!(program.says(), "wrapper: all is well\n");
        if standard == "c++17" {
            program.under_valgrind(&[]);
        }
    }
}

/// One unit of a program is compiled without exceptions, and one with them.
#[test]
fn wrapper_without_exceptions() {
    let Some(compiler) = find("C++ compiler", "CXX", &["c++", "g++", "clang++"]) else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let program = directory.path().join("program");
    let mut link = Command::new(&compiler);
    for (name, flags) in [("without.o", &["-fno-exceptions", "-fno-rtti"][..]), ("with.o", &[])] {
        let object = directory.path().join(name);
        let mut command = Command::new(&compiler);
        // Nothing is inlined, so that functions of one name would be one.
        command.arg("-std=c++17").args(WARNINGS).args(flags).arg("-O0").arg("-I").arg(root().join("include"));
        run(command.arg("-c").arg(root().join("tests/two_units.cpp")).arg("-o").arg(&object));
        link.arg(object);
    }
    run(link.arg(libraries().join("librunecast.a")).args(LIBRARIES).arg("-o").arg(&program));
    let said = run(&mut Command::new(&program)).stdout;
    assert_eq!(String::from_utf8_lossy(&said), "two units: all is well\n");
    let end = Command::new(&program).arg("to its end").output().expect("a program");
    assert!(!end.status.success());
    let last = String::from_utf8_lossy(&end.stderr);
    assert_eq!(last, "ill-formed at byte 1: no character of Unicode begins with FF\n");
}

/// A compiler that is told of an older C++ says what is wanted.
#[test]
fn wrapper_in_older_cpp() {
    let Some(compiler) = find("C++ compiler", "CXX", &["c++", "g++", "clang++"]) else { return };
    let mut command = Command::new(compiler);
    command.args(["-std=c++14", "-fsyntax-only"]).arg(root().join("include/runecast.hpp"));
    let said = command.output().expect("a compiler").stderr;
    assert!(String::from_utf8_lossy(&said).contains("wants C++17"), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn shim() {
    let Some(program) = Program::compile("tests/shim.cpp", "c++17", Link::Static) else { return };
    assert_eq!(program.says(), "shim: all is well\n");
    program.under_valgrind(&[]);
}

/// The shim beside simdutf, if the sources of the crate `simdutf` have been downloaded, as for `peerbench`.
#[test]
fn shim_beside_simdutf() {
    let Some(sources) = simdutf() else {
        println!("skipped: the sources of simdutf are not here");
        return;
    };
    let Some(compiler) = find("C++ compiler", "CXX", &["c++", "g++", "clang++"]) else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let (library, program) = (directory.path().join("simdutf.o"), directory.path().join("program"));
    // Each in its own dialect, and with no warnings from what is not ours.
    let compile = || {
        let mut command = Command::new(&compiler);
        command.args(["-std=c++17", "-O1", "-isystem"]).arg(&sources);
        command
    };
    run(compile().arg("-c").arg(sources.join("simdutf.cpp")).arg("-o").arg(&library));
    let mut command = compile();
    command.args(WARNINGS).arg("-I").arg(root().join("include"));
    command.arg(root().join("tests/beside_simdutf.cpp")).arg(&library).arg("-o").arg(&program);
    run(command.arg(libraries().join("librunecast.a")).args(LIBRARIES));
    let said = run(Command::new(&program).env_remove("RUNECAST_ISA")).stdout;
    let said = String::from_utf8(said).expect("text");
    println!("{said}");
    assert!(said.ends_with("compared, 0 different\n"), "{said}");
}

/// The directory of `simdutf.cpp`.
fn simdutf() -> Option<PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--offline", "--format-version=1", "--filter-platform"]).arg(host_triple());
    let output = cargo.arg("--manifest-path").arg(root().join("Cargo.toml")).output().ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let packages = metadata["packages"].as_array()?;
    let package = packages.iter().find(|package| package["name"] == "simdutf")?;
    let directory = Path::new(package["manifest_path"].as_str()?).with_file_name("cpp");
    directory.join("simdutf.cpp").is_file().then_some(directory)
}

/// The shared library exports what the header declares, and nothing else.
#[test]
fn exports() {
    if !cfg!(target_os = "linux") || !works("nm".as_ref()) {
        println!("skipped: no Linux, or no nm");
        return;
    }
    let mut command = Command::new("nm");
    command.args(["--dynamic", "--defined-only", "--format=just-symbols"]);
    command.arg(libraries().join("librunecast.so"));
    let output = String::from_utf8(run(&mut command).stdout).expect("text");
    let mut exported: Vec<_> = output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    exported.sort_unstable();
    let header = include_str!("../include/runecast.h");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut declared: Vec<_> = header
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .filter_map(|line| line.split_once('('))
        .filter_map(|(before, _)| before.rsplit(|c| !is_word(c)).next())
        .filter(|name| name.starts_with("runecast_"))
        .collect();
    declared.sort_unstable();
    declared.dedup();
    assert_eq!(exported, declared);
    assert!(declared.len() > 30);
}

/// A program has the static library and another one of Rust in it, in both orders, however that was optimised.
#[test]
fn beside_another_rust_library() {
    if !installs() {
        return;
    }
    let Some(compiler) = find("C compiler", "CC", &["cc", "gcc", "clang"]) else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let (other, program) = (directory.path().join("libother.a"), directory.path().join("program"));
    let ours = libraries().join("librunecast.a");
    for optimisation in ["lto=off", "lto=thin", "lto=fat"] {
        let mut command = Command::new(rustc());
        command.args([
            "--edition=2024",
            "--crate-type=staticlib",
            "--crate-name=other",
            "-O",
            "-C",
            optimisation,
        ]);
        run(command.arg(root().join("tests/beside_rust/other.rs")).arg("-o").arg(&other));
        for order in [[&ours, &other], [&other, &ours]] {
            let mut command = Command::new(&compiler);
            command.arg("-std=c99").args(WARNINGS).arg("-I").arg(root().join("include"));
            command.arg(root().join("tests/beside_rust/both.c")).args(order).arg("-o").arg(&program);
            run(command.args(LIBRARIES));
            let said = run(&mut Command::new(&program)).stdout;
            assert_eq!(String::from_utf8_lossy(&said), "1 1 46\n", "{optimisation}, {order:?}");
        }
    }
}

/// The shared library says its version, and lies where the dynamic linker looks for it.
#[test]
fn soname() {
    if !installs() {
        return;
    }
    let mut command = Command::new("readelf");
    command.arg("--dynamic").arg(libraries().join("librunecast.so"));
    let output = String::from_utf8(run(&mut command).stdout).expect("text");
    let name = output.lines().find(|line| line.contains("(SONAME)")).expect("a SONAME");
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    let version = if major == "0" { format!("0.{minor}") } else { major.to_owned() };
    assert!(name.contains(&format!("[librunecast.so.{version}]")), "{name}");
    let file = std::fs::canonicalize(libraries().join(format!("librunecast.so.{version}"))).expect("a file");
    let whole = format!("librunecast.so.{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(file.file_name(), Some(OsStr::new(&whole)));
}

/// The file for pkg-config lies beside the header, and names what is there.
#[test]
fn pkg_config() {
    let template = include_str!("../runecast.pc.in");
    assert!(template.contains("Libs: -L\"${libdir}\" -lrunecast\n"));
    let Some(tool) = find("pkg-config", "PKG_CONFIG", &["pkg-config", "pkgconf"]) else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let text = template.replace("@PREFIX@", "/opt/runecast").replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    std::fs::write(directory.path().join("runecast.pc"), text).expect("a file");
    let ask = |question: &[&str]| {
        let mut command = Command::new(&tool);
        command.env("PKG_CONFIG_PATH", directory.path()).args(question).arg("runecast");
        String::from_utf8(run(&mut command).stdout).expect("text").trim().to_owned()
    };
    assert_eq!(ask(&["--modversion"]), env!("CARGO_PKG_VERSION"));
    assert_eq!(ask(&["--libs"]), "-L/opt/runecast/lib -lrunecast");
    assert_eq!(ask(&["--cflags"]), "-I/opt/runecast/include");
    assert!(ask(&["--libs", "--static"]).contains("-lpthread"));
}

/// A prefix is a path of whoever calls, with whatever is in its name; below DESTDIR the files speak of where they will lie.
#[test]
fn prefixes() {
    if !installs() || find("pkg-config", "PKG_CONFIG", &["pkg-config"]).is_none() {
        return;
    }
    if find("C compiler", "CC", &["cc"]).is_none() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let install = |stage: Option<&str>, prefix: &str| {
        let mut command = Command::new("bash");
        command
            .current_dir(directory.path())
            .env_remove("DESTDIR")
            .envs(stage.map(|stage| ("DESTDIR", stage)));
        run(command.arg(root().join("install.sh")).arg("--from").arg(built()).arg(prefix));
    };
    install(None, "own & odd");
    std::fs::copy(root().join("examples/demo.c"), directory.path().join("program.c")).expect("a copy");
    let mut shell = Command::new("sh");
    shell.current_dir(directory.path()).env("PKG_CONFIG_PATH", "own & odd/lib/pkgconfig").arg("-ec");
    shell.arg("eval \"cc program.c $(pkg-config --cflags --libs runecast)\"; LD_LIBRARY_PATH='own & odd/lib' ./a.out");
    let said = run(&mut shell).stdout;
    assert_eq!(String::from_utf8_lossy(&said), include_str!("demo.txt"));

    install(Some("stage"), "/opt/runecast");
    let stage = directory.path().join("stage/opt/runecast");
    assert!(stage.join("lib/librunecast.so").exists() && stage.join("include/runecast.hpp").exists());
    let file =
        std::fs::read_to_string(stage.join("lib/pkgconfig/runecast.pc")).expect("a file for pkg-config");
    assert!(file.starts_with("prefix=/opt/runecast\n"), "{file}");
}

/// A program that is linked with nothing that is shared.
#[test]
fn all_static() {
    if !installs() {
        return;
    }
    let Some(compiler) = find("C compiler", "CC", &["cc", "gcc", "clang"]) else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let program = directory.path().join("program");
    let mut command = Command::new(compiler);
    command
        .args(["-std=c99", "-static", "-I"])
        .arg(root().join("include"))
        .arg(root().join("examples/demo.c"));
    command.arg("-o").arg(&program).arg(libraries().join("librunecast.a")).args(LIBRARIES);
    run(&mut command);
    assert_eq!(String::from_utf8_lossy(&run(&mut Command::new(&program)).stdout), include_str!("demo.txt"));
}

/// The commands of the README make a program that starts, with nothing in its environment.
#[test]
fn readme_commands() {
    if !installs() || find("pkg-config", "PKG_CONFIG", &["pkg-config"]).is_none() {
        return;
    }
    if find("C compiler", "CC", &["cc"]).is_none() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::copy(root().join("examples/demo.c"), directory.path().join("program.c")).expect("a copy");
    let readme = include_str!("../README.md");
    for (beginning, name) in [("    cc program.c", "a.out"), ("    cc -static program.c", "a.out")] {
        let line = readme.lines().find(|line| line.starts_with(beginning)).expect("the command");
        let mut shell = Command::new("sh");
        shell.current_dir(directory.path()).arg("-ec").arg(line.trim());
        run(shell.env("PKG_CONFIG_PATH", libraries().join("pkgconfig")));
        let mut program = Command::new(directory.path().join(name));
        let said = run(program.env_clear()).stdout;
        assert_eq!(String::from_utf8_lossy(&said), include_str!("demo.txt"), "{line}");
    }
}

/// Projects of CMake and Meson find what was installed, from a folder that has nothing else.
#[test]
fn build_systems() {
    if !installs() {
        return;
    }
    let prefix = libraries().parent().expect("a prefix");
    let cmake: [&[&str]; 2] = [&["cmake", "-S", ".", "-B", "built"], &["cmake", "--build", "built"]];
    let meson: [&[&str]; 2] = [&["meson", "setup", "built"], &["meson", "compile", "-C", "built"]];
    for (file, steps) in [("CMakeLists.txt", cmake), ("meson.build", meson)] {
        if find(steps[0][0], "", &[steps[0][0]]).is_none() {
            continue;
        }
        let directory = tempfile::tempdir().expect("a directory");
        for source in [
            "tests/consumer/CMakeLists.txt",
            "tests/consumer/meson.build",
            "examples/demo.c",
            "examples/demo.cpp",
        ] {
            let name = Path::new(source).file_name().expect("a name");
            std::fs::copy(root().join(source), directory.path().join(name)).expect("a copy");
        }
        for step in steps {
            let mut command = Command::new(step[0]);
            command.args(&step[1..]).current_dir(directory.path());
            command.env("CMAKE_PREFIX_PATH", prefix).env("PKG_CONFIG_PATH", libraries().join("pkgconfig"));
            run(&mut command);
        }
        for program in ["demo-shared", "demo-static", "demo-cpp"] {
            let mut command = Command::new(directory.path().join("built").join(program));
            // CMake writes a path for the build; so does Meson with what pkg-config says.
            let said = run(&mut command).stdout;
            assert_eq!(String::from_utf8_lossy(&said), include_str!("demo.txt"), "{file}, {program}");
        }
    }
}

/// Whoever ignores what says whether it has worked is warned.
#[test]
fn results_are_to_be_looked_at() {
    let c = find("C compiler", "CC", &["cc", "gcc", "clang"]);
    let cpp = find("C++ compiler", "CXX", &["c++", "g++", "clang++"]);
    for (compiler, standard, name, text) in [
        (
            &c,
            "-std=c99",
            "a.c",
            "#include <runecast.h>\nvoid f(void) { runecast_validate(RUNECAST_UTF8, \"\", 0); }\n",
        ),
        (&cpp, "-std=c++17", "a.cpp", "#include <runecast.hpp>\nvoid f() { runecast::valid(\"\"); }\n"),
        (&cpp, "-std=c++17", "b.cpp", "#include <runecast.hpp>\nvoid f() { runecast::convert(u\"\"); }\n"),
        // Who says that it is to be ignored is not.
        (
            &cpp,
            "-std=c++17",
            "c.cpp",
            "#include <runecast.h>\nvoid f() { (void)runecast_is_utf8(\"\", 0); }\n",
        ),
    ] {
        let Some(compiler) = compiler else { continue };
        let directory = tempfile::tempdir().expect("a directory");
        let source = directory.path().join(name);
        std::fs::write(&source, text).expect("a file");
        let mut command = Command::new(compiler);
        command.args([standard, "-Wall", "-I"]).arg(root().join("include")).arg("-c").arg(&source);
        command.arg("-o").arg(directory.path().join("program.o"));
        let said = run(&mut command).stderr;
        let said = String::from_utf8_lossy(&said);
        assert_eq!(said.contains("unused"), name != "c.cpp", "{name}: {said}");
    }
}

/// Without memory for a map there is none, and the program goes on.
#[test]
fn no_memory() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for (source, standard) in [("tests/memory.c", "gnu99"), ("tests/memory.cpp", "c++17")] {
        let Some(program) = Program::compile(source, standard, Link::Static) else { continue };
        assert_eq!(program.says(), "memory: all is well\n", "{source}");
    }
}
