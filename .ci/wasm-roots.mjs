// What tests/differential/codegen.rs asks where the machine is its own: has an intrinsic, or a step of a vector, become a call?
//
//     node .ci/wasm-roots.mjs PROGRAM.wasm
//
// A function that is called has a body, and a program for tests has the names of all of them. So no body may be named
// after an intrinsic, nor after a step of `kernel::vector` other than the roots, which are named `enter`, and the way
// there, `apart`. And the roots have to hold vector code: instructions with the prefix FD.

import { readFileSync } from "node:fs";

const bytes = readFileSync(process.argv[2]);
let at = 8; // behind the magic number and the version

function number() {
  let value = 0, shift = 0, byte;
  do {
    byte = bytes[at++];
    value += (byte & 0x7F) * 2 ** shift;
    shift += 7;
  } while (byte & 0x80);
  return value;
}

function text() {
  const length = number();
  at += length;
  return bytes.toString("latin1", at - length, at);
}

const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
const imported = imports.filter(({ kind }) => kind === "function").length;
const names = new Map();
const bodies = [];
while (at < bytes.length) {
  const id = bytes[at++], length = number(), end = at + length;
  if (id === 10) {
    for (let count = number(); count > 0; count--) {
      const size = number();
      bodies.push(bytes.subarray(at, at + size));
      at += size;
    }
  } else if (id === 0 && text() === "name") {
    while (at < end) {
      const part = bytes[at++], size = number(), behind = at + size;
      if (part === 1) {
        for (let count = number(); count > 0; count--) names.set(number(), text());
      }
      at = behind;
    }
  }
  at = end;
}

// Names are mangled (v0, which .ci/cross asks for): the path comes first, with the length before each part.
// Last comes the crate that it was compiled for: other crates may do as they like.
const intrinsic = /^_RI?Nv(Nt)*C\w+?_4core9core_arch\w*_(8runecast|12differential)$/;

/** The method of `Vector` or `Lanes` for simd128 that has this name. */
function method(name) {
  const found = /^_RI?NvX\w+?_8runecast6kernel6vector7simd128\w*?_(?:6Vector|5Lanes)(\d+)/.exec(name);
  return found && name.substr(found[0].length, Number(found[1]));
}

let roots = 0, wrong = 0;
bodies.forEach((body, index) => {
  const name = names.get(imported + index) ?? "";
  const step = method(name);
  if (intrinsic.test(name) || (step && step !== "enter" && step !== "apart")) {
    console.log(`a function of its own: ${name}`);
    wrong++;
  }
  if (step === "enter") {
    roots++;
    // A root that is nothing but a call has no loop, nor has the one that only chooses among the loops of validation; all others
    // have many vector instructions, but for the plain loops, which the compiler makes vectors of where it optimises more than
    // for tests.
    const plain = name.includes("9PlainLoop") || name.includes("4utf85Loops");
    if (body.length > 200 && !plain && body.filter((byte) => byte === 0xFD).length < 8) {
      console.log(`no vector code: ${name}`);
      wrong++;
    }
  }
});
console.log(`kernels looked at: ${roots}, intrinsics called or vectors missing: ${wrong}`);
process.exit(wrong > 0 || roots === 0 ? 1 : 0);
