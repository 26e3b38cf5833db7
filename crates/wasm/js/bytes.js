// Bytes and strings as arguments, and bytes that come in pieces.

/** What buffers call themselves, those of other realms too: of frames, of node's `vm`. */
const BUFFERS = new Set(["[object ArrayBuffer]", "[object SharedArrayBuffer]"]);

/** The bytes of any buffer or view. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) {
    if (source.length === 0) attached(source.buffer);
    return source;
  }
  if (ArrayBuffer.isView(source)) {
    attached(source.buffer);
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  if (BUFFERS.has(Object.prototype.toString.call(source))) {
    const bytes = attached(source);
    // What only calls itself so is taken for a list, and copied.
    if (bytes.buffer === source) return bytes;
  }
  throw new TypeError("bytes must be an ArrayBuffer, a typed array or a DataView");
}

/**
 * The options of `load`. An address, a module and its bytes are none, though each would be one of them: they would be passed over, and
 * another module loaded.
 */
export function sourceOf(options) {
  let name;
  if (typeof options === "string" || options instanceof URL) name = "url";
  if (options instanceof WebAssembly.Module) name = "module";
  if (ArrayBuffer.isView(options) || BUFFERS.has(Object.prototype.toString.call(options))) name = "bytes";
  if (name !== undefined) throw new TypeError(`options must be an object, as in { ${name}: … }`);
  return options ?? {};
}

/** All bytes of a buffer. A view of one that is detached would be taken for no bytes. */
function attached(buffer) {
  try {
    return new Uint8Array(buffer);
  } catch (cause) {
    throw new TypeError("the buffer of these bytes is detached: it was transferred, or its memory has grown", { cause });
  }
}

/** A copy. (`slice` of node's Buffer is a view.) */
export function copyOf(bytes, from = 0) {
  return Uint8Array.prototype.slice.call(bytes, from);
}

/** A string, and nothing that could be made one. */
export function stringOf(source) {
  if (typeof source !== "string") throw new TypeError("a string is expected");
  return source;
}

/** Collects bytes. */
export class Bytes {
  #pieces = [];

  push(bytes) {
    this.#pieces.push(copyOf(bytes));
  }

  join() {
    if (this.#pieces.length === 1) return this.#pieces[0];
    const all = new Uint8Array(this.#pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}
