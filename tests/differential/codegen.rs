//! No intrinsic has become a call.
//!
//! In Rust an intrinsic is a function of one instruction that is only inlined into code compiled
//! for the same instruction set. Where that is missed (a helper without `#[target_feature]`, a
//! closure, a vector handed through a function that was not inlined) nothing breaks and nothing is
//! said: the instruction becomes a call, and the kernel ten times slower. So this test reads the
//! machine code.
//!
//! It disassembles, with `objdump`, the program that it is a part of, and looks at every function of runecast for
//! a call, or a jump, to an intrinsic or to one of the small steps that the kernels are made of (`kernel::vector`),
//! which must have been inlined as well. Nor may anything else call one of those steps: a closure that an array's `map` was
//! given is compiled for the target's own instructions where `map` is not inlined, and then passes vectors through memory.
//! (So kernels write arrays of vectors out.)
//!
//! In a full run (`RUNECAST_TEST_SCALE=full`) it also builds a program as a user of the crate would, with each of the
//! profiles that users have: Cargo's ordinary release, that of this workspace, without link-time optimisation in one unit and in
//! sixteen, and for size.
//!
//! Where something it needs is missing, it says so and is content.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::scale::{Scale, scale};

/// The program: every operation on every engine, on bytes that the compiler does not know.
const PROGRAM: &str = "
use runecast::index::{OffsetMap, Unit};
use runecast::scan::{ByteSet, LineEnds};
use runecast::{Ascii, Engine, Latin1, Policy, Replacement, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};

fn main() {
    for path in std::env::args_os().skip(1) {
        let Ok(mut bytes) = std::fs::read(path) else { continue };
        for engine in Engine::available() {
            println!(\"{}\", engine.ascii_prefix(&bytes));
            println!(\"{:?} {}\", engine.validate::<Utf8>(&bytes), engine.ill_formed(&bytes).count());
            let offsets = [0_i32, bytes.len() as i32 / 2, bytes.len() as i32];
            println!(\"{:?}\", engine.validate_offsets::<Utf8>(&bytes, &offsets, None));
            println!(\"{:?}\", engine.validate_each::<Utf8, [u8]>(bytes.chunks(20)));
            // Scans, of one byte, of sets, and of bytes that are not ASCII.
            let (one, set) = (ByteSet::LINE_FEED, ByteSet::CONTROL);
            println!(\"{:?} {}\", engine.scan(&bytes, &[one], |_, _| ()), engine.lines(&bytes).count());
            println!(\"{:?}\", engine.scan(&bytes, &[one, set], |at, masks| println!(\"{at} {masks:?}\")));
            println!(\"{}\", engine.records(&bytes, set).quoted(one).count());
            println!(\"{}\", engine.lines(&bytes).ends(LineEnds::UNICODE).count());
            let (mut narrow, mut wide) = (Vec::<u32>::new(), Vec::<usize>::new());
            println!(\"{:?}\", engine.positions_append(&bytes, set, &mut narrow));
            println!(\"{:?}\", engine.positions_append(&bytes, set, &mut wide));
            // To UTF-8.
            let mut dst = vec![0; 4 * bytes.len()];
            println!(\"{:?}\", engine.transcode::<Latin1, Utf8>(&bytes, &mut dst));
            println!(\"{:?}\", engine.transcode::<Utf16Le, Utf8>(&bytes, &mut dst));
            println!(\"{:?}\", engine.transcode::<Utf16Be, Utf8>(&bytes, &mut dst));
            println!(\"{:?}\", engine.transcode::<Utf32Le, Utf8>(&bytes, &mut dst));
            println!(\"{:?}\", engine.transcode::<Utf32Be, Utf8>(&bytes, &mut dst));
            // Repair of UTF-16.
            let mut wide: Vec<u16> = bytes.iter().map(|byte| u16::from(*byte) << 8).collect();
            println!(\"{}\", engine.to_well_formed(&mut wide));
            println!(\"{:?}\", engine.transcode_lossy::<Utf16Le, Utf8>(&bytes, &mut dst, Replacement::Whatwg));
            println!(\"{:?}\", engine.transcode_lossy::<Utf16Be, Utf8>(&bytes, &mut dst, Replacement::Whatwg));
            // Omission from UTF-8, and question marks.
            println!(\"{:?}\", engine.transcode_lossy::<Utf8, Utf8>(&bytes, &mut dst, Policy::Omit));
            for policy in [Policy::Omit, Policy::default()] {
                println!(\"{:?}\", engine.transcode_lossy::<Utf8, Latin1>(&bytes, &mut dst, policy));
                println!(\"{:?}\", engine.transcode_lossy::<Utf8, Ascii>(&bytes, &mut dst, policy));
            }
            // Offsets.
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            let units: Vec<u16> = text.encode_utf16().collect();
            let units = &units[..];
            println!(\"{}\", OffsetMap::with_engine(engine, text).at_line(text, 9));
            println!(\"{}\", OffsetMap::with_engine(engine, units).at_line(units, 9));
            println!(\"{} {}\", engine.utf16_offset(text, 9), engine.at_offset(text, 9, Unit::Char));
            println!(\"{} {}\", engine.utf8_offset(units, 9), engine.at_offset(units, 9, Unit::Char));
        }
        println!(\"{:?} {}\", runecast::from_utf8(&bytes), runecast::is_utf8(&bytes));
        println!(\"{} {}\", runecast::is_ascii(&bytes), runecast::ascii_prefix(&bytes));
        println!(\"{} {}\", runecast::utf8_chunks(&bytes).count(), runecast::ill_formed(&bytes).count());
        println!(\"{}\", runecast::from_utf8_mut(&mut bytes).is_ok());
    }
}
";

/// Its manifest, but for the path of the crate. `ordinary` is Cargo's release profile as it is.
const MANIFEST: &str = "
[package]
name = \"codegen-probe\"
version = \"0.0.0\"
edition = \"2024\"

[workspace]

[profile.ordinary]
inherits = \"release\"

[profile.whole]
inherits = \"release\"
codegen-units = 1
lto = \"thin\"

[profile.unit]
inherits = \"release\"
codegen-units = 1
lto = \"off\"

[profile.units]
inherits = \"release\"
codegen-units = 16
lto = \"off\"

[profile.small]
inherits = \"release\"
opt-level = \"s\"

[dependencies]
";

/// A function of a disassembled program.
#[derive(Debug, Default)]
struct Function {
    name: String,
    /// The functions that it calls or jumps to, itself left out.
    targets: Vec<String>,
    /// The widest registers seen in it: `x`, `y`, `z` (mm), or `v` on AArch64.
    registers: String,
}

/// Reads what `objdump -d -C --no-show-raw-insn` prints, in AT&T or Intel syntax, of GNU or LLVM.
fn functions(disassembly: &str) -> Vec<Function> {
    let mut found: Vec<Function> = Vec::new();
    for line in disassembly.lines() {
        // `0000000000001130 <core::fmt::write>:`
        if line.starts_with(|c: char| c.is_ascii_hexdigit()) {
            if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
                found.push(Function { name: without_hash(name).to_owned(), ..Function::default() });
            }
            continue;
        }
        // `    1134:	call   1130 <core::fmt::write>`
        let (Some(function), Some((_, instruction))) = (found.last_mut(), line.split_once(':')) else {
            continue;
        };
        for (mark, letter) in [("xmm", 'x'), ("ymm", 'y'), ("zmm", 'z'), (".16b", 'v')] {
            if instruction.contains(mark) && !function.registers.contains(letter) {
                function.registers.push(letter);
            }
        }
        let named = instruction.split_once('<').and_then(|(_, rest)| rest.rsplit_once('>'));
        if let Some((target, _)) = named {
            let target = without_hash(without_offset(target));
            if target != function.name {
                function.targets.push(target.to_owned());
            }
        }
    }
    found
}

/// `name+0x1f` is a place within `name`.
fn without_offset(target: &str) -> &str {
    match target.rsplit_once("+0x") {
        Some((name, offset)) if offset.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => target,
    }
}

/// Old symbols end with a hash, `::h0123456789abcdef`.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => name,
        _ => name,
    }
}

/// Whether the rule holds for calls made by this function: all of runecast and the program that it
/// is inlined into, except for the detection of the CPU, which asks it by intrinsics that may well
/// be calls.
fn is_ours(name: &str) -> bool {
    (name.contains("runecast::") || name.contains("codegen_probe::")) && !is_detection(name)
}

fn is_detection(name: &str) -> bool {
    name.contains("runecast::kernel::cpu")
}

/// Whether this is a kernel, or a part of one that was not inlined.
fn is_kernel(name: &str) -> bool {
    name.contains("runecast::kernel::") && !is_detection(name)
}

/// Whether this is an intrinsic.
fn is_intrinsic(name: &str) -> bool {
    let asks_the_cpu = name.contains("cpuid") || name.contains("xgetbv");
    let intrinsic = name.contains("core_arch::")
        || name.contains("stdarch::")
        || name.rsplit("::").next().is_some_and(|last| last.starts_with("_mm"));
    intrinsic && !asks_the_cpu
}

/// Whether this is one of the steps that kernels are made of.
fn is_step(name: &str) -> bool {
    // `enter` is where an instruction set begins: the root itself; and `apart` is the way to it.
    let root = name.ends_with("::enter") || name.ends_with("::apart");
    name.trim_start_matches('<').starts_with("runecast::kernel::vector::") && !root
}

/// The mistakes: caller and callee. Other crates may call intrinsics, but nobody calls a step.
fn calls_to_intrinsics(functions: &[Function]) -> Vec<String> {
    functions
        .iter()
        .flat_map(|function| {
            let ours = is_ours(&function.name);
            let wrong =
                function.targets.iter().filter(move |target| is_step(target) || ours && is_intrinsic(target));
            wrong.map(|target| format!("{} calls {target}", function.name))
        })
        .collect()
}

/// Builds the program with `profile`; where it is, or why it cannot be built here.
fn build(profile: &str) -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("codegen-{profile}"));
    let target = package.join("target");
    let write = |path: &str, text: &str| {
        let path = package.join(path);
        let same = fs::read_to_string(&path).is_ok_and(|old| old == text);
        let written = if same { Ok(()) } else { fs::write(&path, text) };
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(package.join("src"))
        .map_err(|error| format!("cannot make {}: {error}", package.display()))?;
    write("Cargo.toml", &format!("{MANIFEST}runecast = {{ path = {root:?} }}\n"))?;
    write("src/main.rs", PROGRAM)?;
    // The same versions as everywhere else, so nothing has to be fetched.
    if let Ok(lock) = fs::read_to_string(root.join("Cargo.lock")) {
        write("Cargo.lock", &lock)?;
    }

    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--offline", "--profile", profile])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    assert!(
        output.status.success(),
        "the program to be disassembled does not build:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(target.join(profile).join(format!("codegen-probe{}", std::env::consts::EXE_SUFFIX)))
}

/// The disassembly of `program`, or why there is none.
fn disassemble(program: &Path) -> Result<String, String> {
    let mut reasons = Vec::new();
    for tool in ["objdump", "llvm-objdump"] {
        let output = Command::new(tool).args(["-d", "-C", "--no-show-raw-insn"]).arg(program).output();
        match output {
            Ok(output) if output.status.success() => {
                return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
            }
            Ok(output) => reasons.push(format!("{tool} ended with {}", output.status)),
            Err(error) => reasons.push(format!("{tool}: {error}")),
        }
    }
    Err(reasons.join(", "))
}

/// Whether what cargo builds by default is for the architecture that this test runs on.
fn is_native() -> bool {
    let host = Command::new("rustc").arg("-vV").output().ok();
    let host = host.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    host.is_some_and(|text| text.contains(&format!("host: {}-", std::env::consts::ARCH)))
}

/// Builds the program with `profile`, and judges it.
fn inspect_release(profile: &str) -> Result<(), String> {
    if scale() != Scale::Full {
        return Err("RUNECAST_TEST_SCALE is not full".to_owned());
    }
    if !is_native() {
        return Err(FOREIGN.to_owned());
    }
    // Optimised as a whole, the scalar kernels may vanish into the program.
    inspect(profile, &build(profile)?, profile != "whole")
}

const FOREIGN: &str = "this architecture is not the one that rustc builds for by default";

/// Disassembles a program, and judges it.
fn inspect(name: &str, program: &Path, has_kernels: bool) -> Result<(), String> {
    let disassembly = disassemble(program)?;
    let functions = functions(&disassembly);
    let kernels: Vec<&Function> = functions.iter().filter(|function| is_kernel(&function.name)).collect();
    for function in &kernels {
        println!("{name}: {} [{}]", function.name, function.registers);
    }
    assert!(
        !kernels.is_empty() || !has_kernels,
        "no kernel in the program: has its module another name now?"
    );
    assert!(functions.iter().any(|function| is_ours(&function.name)), "nothing to look at");

    let mistakes = calls_to_intrinsics(&functions);
    assert!(mistakes.is_empty(), "intrinsics that are calls:\n{}", mistakes.join("\n"));

    // Where there is a kernel of this name, it is made of the registers of its instruction set.
    let widest = BTreeMap::from([("avx512", 'z'), ("avx2", 'y'), ("sse42", 'x'), ("neon", 'v')]);
    for (isa, register) in widest {
        let named = |function: &&&Function| function.name.contains(isa);
        let mut kernels = kernels.iter().filter(named).peekable();
        if kernels.peek().is_some() {
            assert!(
                kernels.any(|function| function.registers.contains(register)),
                "no kernel for {isa} uses its vectors"
            );
        }
    }
    Ok(())
}

#[test]
fn no_intrinsic_is_a_call_in_this_program() {
    let outcome = match std::env::current_exe() {
        Err(error) => Err(format!("the test cannot find itself: {error}")),
        Ok(_) if !is_native() => Err(FOREIGN.to_owned()),
        Ok(program) => inspect("this program", &program, true),
    };
    if let Err(reason) = outcome {
        println!("skipped: {reason}");
    }
}

#[test]
fn no_intrinsic_is_a_call_in_an_ordinary_release() {
    if let Err(reason) = inspect_release("ordinary") {
        println!("skipped: {reason}");
    }
}

#[test]
fn no_intrinsic_is_a_call_in_an_optimised_release() {
    for profile in ["whole", "unit", "units", "small"] {
        if let Err(reason) = inspect_release(profile) {
            println!("skipped: {profile}: {reason}");
        }
    }
}

/// The counter-proof: what must be found is found, and nothing else.
#[test]
fn a_call_is_seen_where_there_is_one() {
    let disassembly = "
program:     file format elf64-x86-64

Disassembly of section .text:

0000000000001000 <core::core_arch::x86::avx512bw::_mm512_add_epi8>:
    1000:\tvpaddb %zmm1,%zmm0,%zmm0
    1006:\tret

0000000000001010 <runecast::kernel::avx512::validate::root::h0123456789abcdef>:
    1010:\tvmovdqu64 (%rdi),%zmm0
    1016:\tcall   1000 <core::core_arch::x86::avx512bw::_mm512_add_epi8>
    101b:\tjmp    1016 <runecast::kernel::avx512::validate::root::h0123456789abcdef+0x6>

0000000000001030 <<runecast::kernel::vector::avx2::Avx2 as runecast::kernel::vector::Vector>::shift>:
    1030:\tvpslldq $0x1,%ymm0,%ymm0
    1036:\tret

0000000000001040 <runecast::kernel::generic::validate::root>:
    1040:\tjne    1030 <<runecast::kernel::vector::avx2::Avx2 as runecast::kernel::vector::Vector>::shift>
    1046:\tjmp    2000 <runecast::kernel::edge::boundary_before>
    104b:\tcall   1000 <core::core_arch::x86::avx512bw::_mm512_add_epi8+0x6>

0000000000001060 <runecast::kernel::cpu::choose>:
    1060:\tcall   3000 <core::core_arch::x86::cpuid::__cpuid_count>

0000000000001070 <other::simd::sum>:
    1070:\tcall   1000 <core::core_arch::x86::avx512bw::_mm512_add_epi8>

0000000000001080 <core::array::drain::drain_array_with>:
    1080:\tcall   1030 <<runecast::kernel::vector::avx2::Avx2 as runecast::kernel::vector::Vector>::shift>
";
    let functions = functions(disassembly);
    let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names.len(), 7, "{names:#?}");
    assert_eq!(functions[1].name, "runecast::kernel::avx512::validate::root");
    assert_eq!(functions[1].registers, "z");
    assert_eq!(functions[1].targets.len(), 1, "a jump within the function is no call");

    const ADD: &str = "core::core_arch::x86::avx512bw::_mm512_add_epi8";
    const SHIFT: &str = "<runecast::kernel::vector::avx2::Avx2 as runecast::kernel::vector::Vector>::shift";
    assert_eq!(
        calls_to_intrinsics(&functions),
        [
            format!("runecast::kernel::avx512::validate::root calls {ADD}"),
            format!("runecast::kernel::generic::validate::root calls {SHIFT}"),
            format!("runecast::kernel::generic::validate::root calls {ADD}"),
            format!("core::array::drain::drain_array_with calls {SHIFT}"),
        ]
    );
}

/// The same, in the words of LLVM's tool and of AArch64.
#[test]
fn a_call_is_seen_on_another_architecture() {
    let disassembly = "
0000000000001000 <runecast::kernel::generic::ascii::neon>:
    1000:      \tld1\t{ v0.16b }, [x0]
    1004:      \tbl\t0x2000 <core::core_arch::arm_shared::neon::generated::vld1q_u8>
    1008:      \tcbz\tx0, 0x1000 <runecast::kernel::generic::ascii::neon>
    100c:      \tb.eq\t0x1004 <runecast::kernel::generic::ascii::neon+0x4>
";
    let functions = functions(disassembly);
    assert_eq!(functions[0].registers, "v");
    assert_eq!(calls_to_intrinsics(&functions).len(), 1);
}
