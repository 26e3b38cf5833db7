// What an instance of the small module can do. It has one input and one output, as the large one (core.js).

import { Bytes, bytesOf } from "./bytes.js";

/** A text goes through in pieces of this many bytes. */
const WINDOW = 64 * 1024;

// The numbers that a call leaves, by their places in `outcome`. src/memory.rs has the same list.
const OUTPUT = 0, WRITTEN = 1, READ = 2, AT = 6, LEN = 7;

const reader = new TextDecoder();

/** An instance of the small module. */
export class Utf8 {
  #wasm;
  #outcome;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    // The other modules ask for imports, or have no `repair`.
    const names = WebAssembly.Module.imports(module).length === 0 ? WebAssembly.Module.exports(module).map(({ name }) => name) : [];
    if (!names.includes("repair")) throw new TypeError("this is not the module of this package for UTF-8 alone");
    this.#wasm = new WebAssembly.Instance(module, {}).exports;
    this.#outcome = this.#wasm.outcome();
    this.#wasm.input(WINDOW);
  }

  get #numbers() {
    return new Uint32Array(this.#wasm.memory.buffer, this.#outcome, 8);
  }

  #write(bytes) {
    const at = this.#wasm.input(WINDOW) >>> 0;
    new Uint8Array(this.#wasm.memory.buffer).set(bytes, at);
  }

  #output() {
    const numbers = this.#numbers;
    return new Uint8Array(this.#wasm.memory.buffer, numbers[OUTPUT], numbers[WRITTEN]);
  }

  validate(source) {
    const bytes = bytesOf(source);
    for (let at = 0; ;) {
      const window = bytes.subarray(at, at + WINDOW), last = at + window.length === bytes.length;
      this.#write(window);
      if (this.#wasm.validate(window.length, last) !== 0) {
        const numbers = this.#numbers, kind = reader.decode(this.#output());
        const place = at + numbers[AT];
        return { at: place, len: numbers[LEN], kind, message: `ill-formed at byte ${place}: ${kind}` };
      }
      if (last) return null;
      at += this.#numbers[READ];
    }
  }

  isUtf8(source) {
    return this.validate(source) === null;
  }

  repair(source) {
    const bytes = bytesOf(source), all = new Bytes();
    for (let at = 0; ;) {
      const window = bytes.subarray(at, at + WINDOW), last = at + window.length === bytes.length;
      this.#write(window);
      this.#wasm.repair(window.length, last);
      all.push(this.#output());
      if (last) return all.join();
      at += this.#numbers[READ];
    }
  }
}
