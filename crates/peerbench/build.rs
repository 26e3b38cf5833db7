//! Builds the shim that calls one implementation of simdutf by name.
//!
//! The crate `simdutf` compiles the C++ library with every implementation that the architecture
//! knows, but offers only the automatic choice. The shim needs the library's header, which lies in
//! that crate's sources; where those are, `cargo metadata` says, for the very version that this
//! build links. Nothing is copied here, and the virtual table can never differ from the library's.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/simdutf_by_name.cpp");
    let header = simdutf_header_dir()?;
    println!("cargo::rerun-if-changed={}", header.display());
    let mut build = cc::Build::new();
    build.cpp(true).include(&header).file("src/simdutf_by_name.cpp");
    // The same dialect as the library was compiled in: both must see the same class.
    if !build.get_compiler().is_like_msvc() {
        build.flag("-std=c++11");
    }
    build.compile("peerbench_simdutf_by_name");
    Ok(())
}

/// The directory of `simdutf.h`, in the sources of the crate `simdutf` of this build.
fn simdutf_header_dir() -> Result<PathBuf> {
    // Everything that is needed has been downloaded by the build that runs this script; without
    // `--offline` a second answer might come from a newer index.
    let mut output = metadata(true)?;
    if !output.status.success() {
        output = metadata(false)?;
    }
    if !output.status.success() {
        bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("cargo metadata did not print JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let manifest = packages
        .iter()
        .find(|package| package["name"] == "simdutf")
        .and_then(|package| package["manifest_path"].as_str())
        .context("the crate simdutf is not among the dependencies")?;
    let directory = Path::new(manifest).with_file_name("cpp");
    if !directory.join("simdutf.h").is_file() {
        bail!("no simdutf.h in {}: has the crate simdutf moved its C++ sources?", directory.display());
    }
    Ok(directory)
}

fn metadata(offline: bool) -> Result<Output> {
    let cargo = env::var_os("CARGO").context("CARGO is not set: this is a build script")?;
    let target = env::var("TARGET").context("TARGET is not set")?;
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--filter-platform", &target]);
    if offline {
        command.arg("--offline");
    }
    command.output().context("cannot run cargo metadata")
}
