//! A stage for the tool: a directory with files in it, where it runs, and what came out.
//!
//! Each test makes its own files in a directory of its own and runs the tool inside it, so that
//! messages can be compared word for word. The streams are pipes here, never a terminal.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
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

impl Scene {
    /// For this command of the tool, with these files.
    pub fn new(command: &'static str, files: &[(&str, &[u8])]) -> Self {
        let scene = Scene { directory: tempfile::tempdir().expect("a temporary directory"), command };
        for (name, content) in files {
            let path = scene.path(name);
            fs::create_dir_all(path.parent().expect("files have a directory")).expect("a directory");
            fs::write(path, content).expect("a file");
        }
        scene
    }

    /// Where a file is.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The content of a file.
    #[allow(dead_code)] // not every command writes
    pub fn content(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file is there")
    }

    /// The names of all files, sorted.
    #[allow(dead_code)] // nor looks at what else is there
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).expect("a directory");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The tool.
    pub fn tool(&self) -> Command {
        let mut tool = Command::cargo_bin("runecast").expect("the tool is built with its tests");
        tool.current_dir(self.directory.path())
            .arg(self.command)
            .env_remove("RUNECAST_ISA")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE");
        tool
    }

    /// Runs it.
    #[allow(dead_code)] // some only feed
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.feed(arguments, b"")
    }

    /// Runs it with something to read.
    pub fn feed(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let output = self.tool().args(arguments).write_stdin(input).output().expect("the tool starts");
        Ran {
            code: output.status.code().expect("the tool is not killed"),
            out: output.stdout,
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// What should come out.
pub fn expect(code: i32, out: &[u8], err: &str) -> Ran {
    Ran { code, out: out.to_vec(), err: err.to_owned() }
}
