// Bytes and strings as arguments, and bytes that come in pieces.

/** The bytes of any buffer or view. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer || globalThis.SharedArrayBuffer && source instanceof SharedArrayBuffer) {
    return new Uint8Array(source);
  }
  throw new TypeError("bytes must be an ArrayBuffer, a typed array or a DataView");
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
