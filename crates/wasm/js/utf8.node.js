// UTF-8 alone, for node, deno and bun: as utf8.js, with the module from the disk.

import { readFile } from "node:fs/promises";

import { sourceOf } from "./bytes.js";
import { load as loadFetched, loadSync } from "./utf8.js";

export { loadSync };

/** Loads the module. */
export async function load(options) {
  const { module, bytes, url } = sourceOf(options);
  if (module !== undefined || bytes !== undefined) return loadFetched({ module, bytes });
  const place = new URL(url ?? "./runecast.utf8.wasm", import.meta.url);
  return place.protocol === "file:" ? loadFetched({ bytes: await readFile(place) }) : loadFetched({ url: place });
}
