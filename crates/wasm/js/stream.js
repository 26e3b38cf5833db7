// Texts that come in chunks.
//
// There is no state of a decoder in WebAssembly. What has to wait for the next chunk is kept here, and goes in front of
// it.

import { IllFormedError } from "./errors.js";

/** A text that comes in chunks; made by `decoder`, used like a TextDecoder. */
export class StreamDecoder {
  #bytesOf;
  #begin;
  #step;
  #waiting = new Uint8Array(0);
  #scheme; // once it is known
  #offset = 0; // of what waits, in the whole text

  constructor({ encoding, fatal, ignoreBOM, errors }, bytesOf, begin, step) {
    this.encoding = encoding;
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
    this.errors = errors;
    this.#bytesOf = bytesOf;
    this.#begin = begin;
    this.#step = step;
  }

  decode(source = new Uint8Array(0), { stream = false } = {}) {
    const chunk = this.#bytesOf(source), last = !stream;
    let bytes = chunk;
    if (this.#waiting.length > 0) {
      bytes = new Uint8Array(this.#waiting.length + chunk.length);
      bytes.set(this.#waiting);
      bytes.set(chunk, this.#waiting.length);
    }
    let from = 0;
    if (this.#scheme === undefined) {
      const known = this.#begin(bytes, last);
      if (known === undefined) {
        this.#waiting = bytes === chunk ? chunk.slice() : bytes;
        return "";
      }
      this.#scheme = known.scheme;
      from = known.mark;
    }
    try {
      const { text, read } = this.#step(bytes, from, this.#scheme, last);
      if (last) {
        this.#reset();
      } else {
        this.#waiting = bytes.slice(read);
        this.#offset += read;
      }
      return text;
    } catch (error) {
      // In the whole text, and the next one is another.
      if (this.#offset > 0 && error instanceof IllFormedError) {
        const { at, len, kind } = error;
        const message = error.message.replace(`byte ${at}:`, `byte ${at + this.#offset}:`);
        error = new IllFormedError({ at: at + this.#offset, len, kind, message });
      }
      this.#reset();
      throw error;
    }
  }

  #reset() {
    this.#waiting = new Uint8Array(0);
    this.#scheme = undefined;
    this.#offset = 0;
  }
}
