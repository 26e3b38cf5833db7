//! A directory with files, in which the tool runs, and what came out.
//!
//! Each test makes its own files in a directory of its own and runs the tool inside it, so that
//! messages can be compared word for word. The streams are pipes here, never a terminal.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A directory with files, and the tool in it.
pub struct Scene {
    /// The directory.
    pub directory: TempDir,
    command: &'static str,
}

/// What came out of a run.
#[derive(Debug, PartialEq)]
pub struct Ran {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// Standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("the tool writes UTF-8")
    }

    /// Standard output as JSON Lines.
    pub fn objects(&self) -> Vec<Value> {
        let lines = self.text().lines();
        lines.map(|line| serde_json::from_str(line).expect("a JSON object on each line")).collect()
    }
}

impl Scene {
    /// For this command of the tool, with these files.
    pub fn new(command: &'static str, files: &[(&str, &[u8])]) -> Self {
        let scene = Scene { directory: tempfile::tempdir().expect("a temporary directory"), command };
        for (name, content) in files {
            scene.add(name, content);
        }
        scene
    }

    /// Adds a file.
    pub fn add(&self, name: impl AsRef<Path>, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("files have a directory")).expect("a directory");
        fs::write(path, content).expect("a file");
    }

    /// Where a file is.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The content of a file.
    pub fn content(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file is there")
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).expect("a directory");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The tool with its command.
    pub fn tool(&self) -> Command {
        let mut tool = Command::cargo_bin("runecast").expect("the tool is built with its tests");
        tool.current_dir(self.directory.path())
            .arg(self.command)
            .env_remove("RUNECAST_ISA")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE");
        tool
    }

    /// The tool without a command, for tests that need its streams while it runs. Nothing comes in, and what goes out
    /// can be read.
    pub fn process(&self, arguments: &[&str]) -> Process {
        let mut tool = Process::new(env!("CARGO_BIN_EXE_runecast"));
        tool.current_dir(self.directory.path()).args(arguments);
        tool.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        tool
    }

    /// Runs it.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.feed(arguments, b"")
    }

    /// Runs it with something to read.
    pub fn feed(&self, arguments: &[&str], input: &[u8]) -> Ran {
        ran(self.tool().args(arguments).write_stdin(input))
    }
}

/// What comes out of the tool.
pub fn ran(tool: &mut Command) -> Ran {
    let output = tool.output().expect("the tool starts");
    Ran {
        code: output.status.code().expect("the tool is not killed"),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// What should come out.
pub fn expect(code: i32, out: impl AsRef<[u8]>, err: &str) -> Ran {
    Ran { code, out: out.as_ref().to_vec(), err: err.to_owned() }
}

/// A text in little-endian UTF-16.
pub fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A text in big-endian UTF-16.
pub fn utf16be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// The elements of an array.
pub fn elements(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}
