// How fast, against what JavaScript has: node crates/wasm/bench.mjs [PKG] [--sizes 64,4096,…] [--rounds N]
//
// All ways take turns within one run, and of many rounds the fastest one counts. Numbers are GB/s of UTF-8 (of what is
// read or written), and ratios against the best of what comes with node. A string that was made is read at one place.
// Texts are those of the other benchmarks, generated.

import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { positionals: [pkg], values } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "16,64,1024,65536,1048576" },
    rounds: { type: "string", default: "15" },
    scripts: { type: "string", default: "world,markdown,ascii,english,german,vietnamese,cyrillic,hindi,chinese,emoji,json" },
    operations: { type: "string", default: "validate,decode,encode,into,count,repair" },
    scalar: { type: "boolean", default: false },
  },
});
const place = pkg === undefined ? new URL("../../web/pkg/", import.meta.url) : pathToFileURL(`${pkg}/`);
const { load } = await import(new URL("node.js", place));
const runecast = await load({ simd: !values.scalar });

const texts = await WebAssembly.instantiate(await readFile(new URL("runecast.texts.wasm", place)));
const { exports } = texts.instance;
const made = (at) => new Uint8Array(exports.memory.buffer, at, exports.length()).slice();
const scripts = Buffer.from(made(exports.scripts())).toString().split(" ");
const generated = (script, size) => made(exports.generate(scripts.indexOf(script), size));

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

let memory = Buffer.alloc(0);
/** Memory for a string in UTF-16: the same as long as strings have the same length. */
const room = (text) => (memory.length === 2 * text.length ? memory : (memory = Buffer.allocUnsafeSlow(2 * text.length)));

/** For each operation: its ways by name, ours first. Each takes bytes or their string, and returns a number. */
const OPERATIONS = {
  validate: {
    runecast: (bytes) => (runecast.validate(bytes) === null ? 1 : 0),
    isUtf8: (bytes) => (isUtf8(bytes) ? 1 : 0),
    TextDecoder: (bytes) => strict.decode(bytes).charCodeAt(0),
  },
  decode: {
    runecast: (bytes) => runecast.decode(bytes).charCodeAt(0),
    TextDecoder: (bytes) => strict.decode(bytes).charCodeAt(0),
    Buffer: (bytes) => bytes.toString().charCodeAt(0), // with U+FFFD where it is ill-formed
  },
  encode: {
    "runecast utf-16be": (_, text) => runecast.encode(text, { encoding: "utf-16be" }).length,
    // Which refuses what is no text, as the other does.
    "isWellFormed, Buffer, swap16": (_, text) => (text.isWellFormed() ? Buffer.from(text, "utf16le").swap16().length : 0),
  },
  // Into memory that is there, of just the right size.
  into: {
    "runecast utf-16be": (_, text) => runecast.encodeInto(text, room(text), { encoding: "utf-16be" }).written,
    "isWellFormed, write, swap16": (_, text) => {
      if (!text.isWellFormed()) return 0;
      const to = room(text);
      to.write(text, "utf16le");
      return to.swap16().length;
    },
  },
  repair: {
    runecast: (bytes) => runecast.decode(bytes, { errors: "whatwg" }).charCodeAt(0),
    TextDecoder: (bytes) => lenient.decode(bytes).charCodeAt(0),
    Buffer: (bytes) => bytes.toString().charCodeAt(0),
  },
  count: {
    "runecast utf16": (bytes) => runecast.count(bytes).utf16,
    "TextDecoder.length": (bytes) => strict.decode(bytes).length,
  },
};

let sink = 0;

function race(ways, bytes, text, rounds) {
  const best = ways.map(() => Infinity), calls = ways.map(() => 1);
  for (let round = 0; round < rounds; round++) {
    ways.forEach((way, index) => {
      for (;;) {
        const begin = process.hrtime.bigint();
        for (let call = 0; call < calls[index]; call++) sink ^= way(bytes, text);
        const took = Number(process.hrtime.bigint() - begin);
        if (took < 400_000 && round === 0) {
          calls[index] *= 2;
          continue;
        }
        best[index] = Math.min(best[index], took / calls[index]);
        break;
      }
    });
  }
  return best;
}

// Engines compile what is called often once more, and better: that is over before anything is measured.
for (const script of ["ascii", "german", "chinese"]) {
  for (const size of [40, 400, 40_000]) {
    const bytes = Buffer.from(generated(script, size)), text = bytes.toString();
    for (const ways of Object.values(OPERATIONS)) {
      for (let call = 0; call < 40_000_000 / (size + 4000); call++) {
        for (const way of Object.values(ways)) sink ^= way(bytes, text);
        if (size > 1000 && call > 300) break;
      }
    }
  }
}
console.log(`node ${process.version}, ${process.arch}, runecast with ${runecast.isa}`);
for (const operation of values.operations.split(",")) {
  const names = Object.keys(OPERATIONS[operation]), ways = Object.values(OPERATIONS[operation]);
  console.log(`\n${operation}\n| text | bytes | ${names.join(" | ")} | ÷ best other |`);
  console.log(`|---|--:|${names.map(() => "--:").join("|")}|--:|`);
  for (const size of values.sizes.split(",").map(Number)) {
    const ratios = [];
    for (const script of values.scripts.split(",")) {
      const bytes = Buffer.from(generated(script, size)), text = bytes.toString();
      const took = race(ways, bytes, text, Number(values.rounds));
      const ratio = Math.min(...took.slice(1)) / took[0];
      ratios.push(ratio);
      const speeds = took.map((time) => (bytes.length / time).toPrecision(3));
      console.log(`| ${script} | ${bytes.length} | ${speeds.join(" | ")} | ${ratio.toFixed(2)} |`);
    }
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    console.log(`| *mean* | ${size} | ${names.map(() => "").join(" | ")} | ${mean.toFixed(2)} |`);
  }
}
