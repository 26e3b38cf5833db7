// runecast for JavaScript: Unicode text, checked, repaired and converted by WebAssembly. The entry for browsers and bundlers.
//
//     import { load } from "runecast";
//     const runecast = await load();
//     runecast.validate(bytes); // null, or { at, len, kind, message }
//     runecast.decode(bytes, { errors: "whatwg" });
//
// Bundlers see two files by their literal URLs, and browsers fetch one of them. Node has an entry of its own (node.js), so that
// nothing of node is named here. runecast.d.ts has every function with its meaning.

import { bytesOf, sourceOf } from "./bytes.js";
import { Runecast } from "./core.js";
import { compiled } from "./fetch.js";
import { hasSimd } from "./simd.js";

export { IllFormedError, UnrepresentableError } from "./errors.js";
export { hasSimd };

/** Loads the module that suits this host. */
export async function load(options) {
  const { module, bytes, url, simd = hasSimd() } = sourceOf(options);
  if (module !== undefined) return new Runecast(module);
  if (bytes !== undefined) return new Runecast(await WebAssembly.compile(bytes));
  if (url !== undefined) return new Runecast(await compiled(url));
  return new Runecast(await compiled(simd
    ? new URL("./runecast.simd128.wasm", import.meta.url)
    : new URL("./runecast.scalar.wasm", import.meta.url)));
}

/** The same at once, from a module or its bytes. */
export function loadSync(source) {
  return new Runecast(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesOf(source)));
}
