// UTF-8 alone, checked and repaired: a module of a few kilobytes. The entry for browsers and bundlers.
//
//     import { load } from "runecast/utf8";
//     const utf8 = await load();
//     utf8.validate(bytes); // null, or { at, len, kind, message }
//     utf8.repair(bytes); // bytes, with U+FFFD as a browser would write it

import { bytesOf, sourceOf } from "./bytes.js";
import { compiled } from "./fetch.js";
import { Utf8 } from "./small.js";

/** Loads the module, which wants a host with WebAssembly's vectors. */
export async function load(options) {
  const { module, bytes, url } = sourceOf(options);
  if (module !== undefined) return new Utf8(module);
  if (bytes !== undefined) return new Utf8(await WebAssembly.compile(bytes));
  return new Utf8(await compiled(url ?? new URL("./runecast.utf8.wasm", import.meta.url)));
}

/** The same at once, from a module or its bytes. */
export function loadSync(source) {
  return new Utf8(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesOf(source)));
}
