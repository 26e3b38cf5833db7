//! Gives the shared library its SONAME, under which the dynamic linker looks for it: a program that was linked with one version finds
//! no other that it would not run with. It has the form that cargo-c gives it: before version 1.0 a minor version is as good as a
//! major one.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let of_cargo = |name: &str| env::var(name).unwrap_or_default();
    // cargo-c, which turns this feature on, does it by itself.
    let is_done = env::var_os("CARGO_FEATURE_CAPI").is_some();
    let is_elf = of_cargo("CARGO_CFG_TARGET_FAMILY").split(',').any(|family| family == "unix")
        && of_cargo("CARGO_CFG_TARGET_VENDOR") != "apple";
    if is_elf && !is_done {
        let (major, minor) = (of_cargo("CARGO_PKG_VERSION_MAJOR"), of_cargo("CARGO_PKG_VERSION_MINOR"));
        let version = if major == "0" { format!("0.{minor}") } else { major };
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,librunecast.so.{version}");
    }
}
