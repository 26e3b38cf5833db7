// The entry for node, deno and bun: as runecast.js, with the module from the disk, and with what these hosts have in native code.

import { isAscii, isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";

import { sourceOf } from "./bytes.js";
import { useHost } from "./host.js";
import { load as loadFetched, loadSync } from "./runecast.js";
import { hasSimd } from "./simd.js";

export { IllFormedError, UnrepresentableError } from "./errors.js";
export { hasSimd, loadSync };

useHost({ isAscii, isUtf8 });

/** Loads the module that suits this host. */
export async function load(options) {
  const { module, bytes, url, simd = hasSimd() } = sourceOf(options);
  if (module !== undefined || bytes !== undefined) return loadFetched({ module, bytes });
  const place = new URL(url ?? `./runecast.${simd ? "simd128" : "scalar"}.wasm`, import.meta.url);
  return place.protocol === "file:" ? loadFetched({ bytes: await readFile(place) }) : loadFetched({ url: place });
}
