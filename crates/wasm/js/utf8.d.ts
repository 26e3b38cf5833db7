// UTF-8 alone, checked and repaired: a module of a few kilobytes.

import type { Bytes, IllFormed } from "./runecast.js";

export interface Utf8 {
  /** The first error, or null. `message` names the rule only. */
  validate(bytes: Bytes): IllFormed | null;
  /** Whether it is well-formed. */
  isUtf8(bytes: Bytes): boolean;
  /** The same bytes, with U+FFFD for each maximal subpart of what is ill-formed, as a TextDecoder has it. */
  repair(bytes: Bytes): Uint8Array<ArrayBuffer>;
}

/** Loads the module, which wants a host with WebAssembly's vectors: from beside this file, from a URL, from bytes, or one that is compiled. */
export function load(options?: {
  url?: string | URL;
  bytes?: BufferSource;
  module?: WebAssembly.Module;
} | null): Promise<Utf8>;

/** The same at once. Browsers refuse that for large modules outside of workers. */
export function loadSync(source: WebAssembly.Module | BufferSource): Utf8;
