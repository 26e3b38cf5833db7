#!/usr/bin/env python3
"""Cycles that processors should take for 64 bytes of input in each hot loop, by llvm-mca.

    benches/cycles.py [--mca llvm-mca-19] [--all] [PART…]

It builds a library that has the operations, for x86-64 and AArch64, as assembly; finds the innermost loops of the kernels, and how
many bytes of input a turn of each takes; and asks llvm-mca for the cycles of a turn. What it prints is a table in Markdown,
tests/instructions/cycles.md. With PARTs it prints only loops whose name has one of them; with --all also those with few vectors.

It is for processors that one does not have: their tables of instructions are in LLVM. Read it with these in mind:

- Branches are taken for free, and always into the next turn: what stands on the way of a loop counts, whether it runs or not. In a
  loop that asks something of each block, that is more than a turn takes; of mispredictions, which decide on mixed text, it sees none.
- Memory has the latency of the first level of cache, and any number of misaligned or forwarded loads.
- A loop that waits for its own pointer (its step depends on what it read) has no number of bytes for a turn, and is left out.
- LLVM's tables are not the processors: Zen 4's `vpcompressb` to a register, and masks that go to general registers, are
  cheaper there than they are; Apple's and Arm's come from one study each.

Needed: Rust with the target aarch64-unknown-linux-gnu, or that part is left out; llvm-mca, of LLVM 17 or later for all processors; c++filt.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Every operation, on every engine of the architecture.
PROGRAM = """
use runecast::{Engine, Latin1, Replacement, Utf8, Utf16Le, Utf32Le};

pub fn all(bytes: &[u8], dst: &mut [u8]) {
    for engine in Engine::available() {
        println!("{:?} {}", engine.validate::<Utf8>(bytes), engine.count::<Utf8>(bytes));
        println!("{:?} {}", engine.transcoded_len::<Utf8, Utf16Le>(bytes), engine.count::<Utf16Le>(bytes));
        println!("{:?}", engine.transcoded_len::<Utf16Le, Utf8>(bytes));
        println!("{:?}", engine.transcoded_len::<Utf32Le, Utf8>(bytes));
        println!("{:?}", engine.ascii_prefix(bytes));
        println!("{:?}", engine.validate::<Utf16Le>(bytes));
        println!("{:?}", engine.transcode::<Utf8, Utf16Le>(bytes, dst));
        println!("{:?}", engine.transcode::<Utf8, Utf32Le>(bytes, dst));
        println!("{:?}", engine.transcode::<Utf16Le, Utf8>(bytes, dst));
        println!("{:?}", engine.transcode::<Utf32Le, Utf8>(bytes, dst));
        println!("{:?}", engine.transcode::<Latin1, Utf8>(bytes, dst));
        println!("{:?}", engine.transcode_lossy::<Utf8, Utf8>(bytes, dst, Replacement::Whatwg));
    }
}
"""

MANIFEST = f"""
[package]
name = "cycles-probe"
version = "0.0.0"
edition = "2024"

[workspace]

[profile.release]
codegen-units = 1

[dependencies]
runecast = {{ path = "{ROOT}" }}
"""

# Target, processors, and what a vector register is called there.
ARCHITECTURES = [
    ("x86_64-unknown-linux-gnu", ["znver4", "znver5", "sapphirerapids", "skylake-avx512"], r"%[xyz]mm\d"),
    ("aarch64-unknown-linux-gnu", ["neoverse-v2", "apple-m1"], r"\b[vq]\d+\b"),
]

# Fewer vector instructions than these are not a hot loop.
FEW = 6


def build(target, directory):
    """The assembly of the probe and of runecast; none if there is no std for the target."""
    for path, text in (("Cargo.toml", MANIFEST), ("src/lib.rs", PROGRAM)):
        path = os.path.join(directory, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    environment = dict(os.environ, RUSTFLAGS="-C symbol-mangling-version=v0 --emit=asm", CARGO_TARGET_DIR=os.path.join(directory, "target"))
    command = ["cargo", "build", "--quiet", "--release", "--target", target]
    if subprocess.run(command, cwd=directory, env=environment).returncode != 0:
        return []
    deps = os.path.join(directory, "target", target, "release", "deps")
    return glob.glob(os.path.join(deps, "cycles_probe*.s")) + glob.glob(os.path.join(deps, "runecast*.s"))


def functions(path):
    """Name and lines of each function of an assembly file."""
    name, lines = None, []
    with open(path) as file:
        for line in file:
            label = re.match(r"([A-Za-z_$][\w$.]*):", line)
            if label:
                if name:
                    yield name, lines
                name, lines = label[1], []
            elif name:
                lines.append(line.strip())
    if name:
        yield name, lines


def innermost_loops(lines):
    """The instructions of each stretch that ends with a branch back to its start and has no other such stretch in it."""
    labels = {line.split(":")[0]: at for at, line in enumerate(lines) if re.match(r"\.L\w+:", line)}
    loops = []
    for at, line in enumerate(lines):
        branch = re.match(r"(?:j\w+|b(?:\.\w+)?|cbn?z|tbn?z)\s.*?(\.L\w+)$", line)
        if branch and labels.get(branch[1], at) < at:
            loops.append((labels[branch[1]], at))
    for start, end in loops:
        if not any((a, b) != (start, end) and start <= a and b <= end for a, b in loops):
            yield [line for line in lines[start : end + 1] if re.match(r"[a-z]", line)]


def bytes_of_a_turn(code, vector):
    """By how many bytes the addresses advance from which vectors are loaded: the least that is certain, or None."""
    steps = {}
    for line in code:
        for pattern, sign in (
            (r"addq\s+\$(-?\d+), %(\w+)$", 1),
            (r"subq\s+\$(-?\d+), %(\w+)$", -1),
            (r"add\s+(x\d+), \1, #(\d+)$", 1),
            (r"sub\s+(x\d+), \1, #(\d+)$", -1),
        ):
            found = re.match(pattern, line)
            if found:
                step, register = sorted(found.groups(), key=lambda part: not re.fullmatch(r"-?\d+", part))
                steps[register] = steps.get(register, 0) + sign * int(step)
        lea = re.match(r"leaq\s+(-?\d+)\(%(\w+)\), %\2$", line)
        if lea:
            steps[lea[2]] = steps.get(lea[2], 0) + int(lea[1])
        after = re.match(r"ld\w+\s.*\[(x\d+)\], #(\d+)$", line)
        if after:
            steps[after[1]] = steps.get(after[1], 0) + int(after[2])
    found = set()
    for line in code:
        if not re.search(vector, line):
            continue
        # AT&T syntax: what stands before a register is read.
        x86 = re.search(r"\(%?(\w*)(?:,%(\w+)(?:,(\d))?)?\), ?%", line)
        if x86:
            for register, scale in ((x86[1], 1), (x86[2], int(x86[3] or 1))):
                if steps.get(register):
                    found.add(abs(steps[register]) * scale)
        arm = re.match(r"ld\w+\s.*\[(x\d+)(?:, (x\d+))?", line)
        if arm:
            found |= {abs(steps[register]) for register in arm.groups() if steps.get(register)}
    return min(found, default=None)


def cycles(mca, target, processor, code):
    """Cycles of a turn, in the mean of a hundred; None if llvm-mca does not know the processor."""
    text = "\n".join(re.sub(r"\.L\w+", "loop", line) for line in code)
    command = [mca, f"-mtriple={target}", f"-mcpu={processor}", "-iterations=100", "-instruction-info=0", "-resource-pressure=0"]
    result = subprocess.run(command, input=f"loop:\n{text}\n", text=True, capture_output=True)
    total = re.search(r"Total Cycles:\s+(\d+)", result.stdout)
    return int(total[1]) / 100 if total else None


def short(name):
    """The kernel and the instruction set, without the paths to both."""
    name = re.sub(r"\[[0-9a-f]+\]", "", name)
    name = re.sub(r"runecast::(kernel|unicode)::", "", name)
    engine = re.match(r"<vector::\w+::(\w+) as vector::Vector>::enter::<(.*)>$", name)
    if engine:
        name = f"{engine[1].lower()}: {engine[2]}"
    name = re.sub(r"^avx512::", "avx512: ", name)
    for long, brief in ((r"generic::|portable::|shared::|form::|encoding::", ""), (r": (bool|usize|u32)", ""), (r"::<", "<"), (r"\|", "/")):
        name = re.sub(long, brief, name)
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--mca", default="llvm-mca")
    parser.add_argument("--all", action="store_true", help="also loops with few vectors")
    options = parser.parse_args()
    print("# Cycles for 64 bytes of input, by llvm-mca\n")
    print("Made by [`benches/cycles.py`](../../benches/cycles.py), which says what these figures do not know. No processor was measured.")
    for target, processors, vector in ARCHITECTURES:
        with tempfile.TemporaryDirectory() as directory:
            found = [function for path in build(target, directory) for function in functions(path)]
        if not found:
            print(f"{target}: left out, it cannot be built here", file=sys.stderr)
            continue
        listing = "\n".join(name for name, _ in found)
        names = subprocess.run(["c++filt"], input=listing, text=True, capture_output=True, check=True).stdout.split("\n")
        rows, unknown = set(), 0
        for name, (_, lines) in zip(names, found):
            name = short(name)
            if not re.match(r"(avx512|avx2|sse42|neon): ", name) or not all(part in name for part in options.parts):
                continue
            for code in innermost_loops(lines):
                vectors = sum(bool(re.search(vector, line)) for line in code)
                if vectors < FEW and not options.all or any(re.match(r"(call|bl)\b", line) for line in code):
                    continue
                taken = bytes_of_a_turn(code, vector)
                if not taken or taken < 16:
                    unknown += 1
                    continue
                figures = [cycles(options.mca, target, processor, code) for processor in processors]
                shown = ["-" if figure is None else f"{figure * 64 / taken:.1f}" for figure in figures]
                rows.add((name, taken, f"{len(code) * 64 / taken:.1f}", *shown))
        print(f"\n## {target.split('-')[0]}\n")
        print(f"| loop | bytes a turn | instructions | {' | '.join(processors)} |")
        print(f"|---|--:|--:|{'--:|' * len(processors)}")
        for row in sorted(rows):
            print("| " + " | ".join(f"`{cell}`" if at == 0 else str(cell) for at, cell in enumerate(row)) + " |")
        print(f"\nLeft out, since their step depends on the text: {unknown} loops.")


if __name__ == "__main__":
    main()
