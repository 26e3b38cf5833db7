// runecast for JavaScript: Unicode text, checked, repaired and converted by WebAssembly.
//
//     import { load } from "./runecast.js";
//     const runecast = await load();
//     runecast.validate(bytes); // null, or { at, len, kind, message }
//     runecast.decode(bytes, { errors: "whatwg" });
//
// Works in browsers and in node, without dependencies. runecast.d.ts has every function with its meaning; how
// the border to WebAssembly is made, and why, is told in src/lib.rs of the same package.
//
// How strings are made decides about speed, for WebAssembly has none: it can only prepare their units. In node,
// Buffer copies units of Latin-1 or UTF-16 into a string, which is all that has to be done. In browsers there is
// TextDecoder("utf-16le"), which checks what needs no check. It cannot be used where units may be surrogates without
// a partner; for these, and for very short strings, String.fromCharCode is given some units at a time.

/** A text of any length goes through in pieces of this many bytes, so that memory stays small. */
const WINDOW = 256 * 1024;

/** Strings up to so many units are made by String.fromCharCode: a TextDecoder takes longer to be called. */
const FEW = 24;

// The numbers that a call leaves, by their places in `outcome`. src/memory.rs has the same list.
const OUTPUT = 0, WRITTEN = 1, READ = 2, WIDTH = 3, REPLACED = 4, FIRST = 5, AT = 6, LEN = 7;
const NOWHERE = 0xFFFFFFFF;
const FINE = 0, ILL_FORMED = 1;
const KEEP = 0, STRIP = 1, SNIFF = 2;

/** A module of one function with a vector in it: a host that takes it has simd128. */
const SIMD = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6D, 0x01, 0x00, 0x00, 0x00, // \0asm, version 1
  0x01, 0x04, 0x01, 0x60, 0x00, 0x00, // type 0: nothing to nothing
  0x03, 0x02, 0x01, 0x00, // one function of it
  0x0A, 0x09, 0x01, 0x07, 0x00, 0x41, 0x00, 0xFD, 0x0F, 0x1A, 0x0B, // i32.const 0, i8x16.splat, drop
);

/** Whether this host has WebAssembly's vectors. */
export function hasSimd() {
  return WebAssembly.validate(SIMD);
}

/** The text is ill-formed, and the policy is "fatal". */
export class IllFormedError extends TypeError {
  constructor({ at, len, kind, message }) {
    super(message);
    this.name = "IllFormedError";
    this.at = at;
    this.len = len;
    this.kind = kind;
  }
}

/** The target has no form for a character, and the policy is "fatal". */
export class UnrepresentableError extends RangeError {
  constructor({ at, codePoint, encoding }) {
    const point = codePoint.toString(16).toUpperCase().padStart(4, "0");
    super(`U+${point} at ${at} has no form in ${encoding}`);
    this.name = "UnrepresentableError";
    this.at = at;
    this.codePoint = codePoint;
  }
}

const buffer = globalThis.Buffer?.prototype;
/** Whether strings can be made by a copy of their units, and their units copied. */
const copies = typeof buffer?.latin1Slice === "function" && typeof buffer?.ucs2Slice === "function" &&
  typeof buffer?.ucs2Write === "function";
const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
const reader = new TextDecoder("utf-8", { ignoreBOM: true });
const writer = new TextEncoder();

/** The bytes of any buffer or view. */
function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer || globalThis.SharedArrayBuffer && source instanceof SharedArrayBuffer) {
    return new Uint8Array(source);
  }
  throw new TypeError("bytes must be an ArrayBuffer, a typed array or a DataView");
}

function stringOf(source) {
  if (typeof source !== "string") throw new TypeError("a string is expected");
  return source;
}

/** A string of units, any units; `units` is a Uint8Array or a Uint16Array. */
function fromUnits(units) {
  let text = "";
  for (let at = 0; at < units.length; at += 4096) {
    text += String.fromCharCode.apply(null, units.subarray(at, at + 4096));
  }
  return text;
}

/** Collects units of strings, in one byte each as long as that will do. */
class Units {
  constructor(room) {
    this.units = new Uint8Array(room);
    this.length = 0;
    this.wobbly = false;
  }

  /** Appends bytes of Latin-1 (`width` 1, or 0 if they are ASCII) or of UTF-16. */
  push(bytes, width) {
    const count = width === 2 ? bytes.length >>> 1 : bytes.length;
    const wide = this.units instanceof Uint16Array;
    if (width === 2 && !wide) this.#room(Uint16Array, Math.max(this.units.length, this.length + count));
    if (this.length + count > this.units.length) {
      this.#room(this.units.constructor, Math.max(this.length + count, 2 * this.units.length));
    }
    if (width === 2) {
      new Uint8Array(this.units.buffer).set(bytes, 2 * this.length);
    } else {
      this.units.set(bytes, this.length);
    }
    this.length += count;
  }

  #room(kind, count) {
    const units = new kind(count);
    units.set(this.units.subarray(0, this.length));
    this.units = units;
  }

  toString() {
    const units = this.units.subarray(0, this.length);
    const bytes = new Uint8Array(units.buffer, 0, units.byteLength);
    return string(bytes, units instanceof Uint16Array ? 2 : 1, this.wobbly);
  }
}

/** Collects bytes. */
class Bytes {
  #pieces = [];

  push(bytes) {
    this.#pieces.push(bytes.slice());
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

/** The string of some units, as `decode` of the module leaves them; `wobbly` if there may be lone surrogates. */
function string(bytes, width, wobbly) {
  if (copies) {
    return width === 2
      ? buffer.ucs2Slice.call(bytes, 0, bytes.length)
      : buffer.latin1Slice.call(bytes, 0, bytes.length);
  }
  if (width === 2) {
    if (bytes.length <= 2 * FEW || wobbly) {
      const aligned = bytes.byteOffset & 1 ? bytes.slice() : bytes;
      return fromUnits(new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 1));
    }
    return utf16.decode(bytes);
  }
  if (bytes.length <= FEW || width === 1) return fromUnits(bytes);
  return reader.decode(bytes);
}

/** Where a window of a string ends: not between the halves of a pair. */
function windowEnd(text, at, size) {
  const end = Math.min(at + size, text.length);
  return end < text.length && (text.charCodeAt(end - 1) & 0xFC00) === 0xD800 ? end - 1 : end;
}

const hasLoneSurrogates = typeof "".isWellFormed === "function"
  ? (text) => !text.isWellFormed()
  : (text) => /\p{Surrogate}/u.test(text);

class Runecast {
  #wasm;
  #outcome;
  #numbers; // what the last call left
  #u8 = new Uint8Array(0); // all memory
  #room = 0; // of the input
  #inputAt = 0;
  #labels = new Map();
  #schemes;
  #policies;
  #text; // the replacement that the module holds
  #source; // what an explanation reads
  #read = 0; // how far the last string was
  #writing = "UTF-16"; // what a character may have no form in

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const read = (at, len) => this.#source(at, len);
    const instance = new WebAssembly.Instance(module, { text: { read } });
    this.#wasm = instance.exports;
    this.#outcome = this.#wasm.outcome();
    this.#wasm.names();
    const names = JSON.parse(reader.decode(this.#output()));
    this.#schemes = names.schemes;
    this.#policies = new Map(names.policies.map((name, code) => [name, code]));
    this.version = names.version;
    this.isa = names.isa;
    this.encodings = Object.freeze(names.labels);
    this.policies = Object.freeze(names.policies.filter((name) => name !== "text"));
  }

  // --- the border --------------------------------------------------------------------------------

  /** Memory, as it is now: when it grows, all views of it are void, and their length is 0. */
  get #memory() {
    if (this.#u8.length === 0) {
      this.#u8 = new Uint8Array(this.#wasm.memory.buffer);
      this.#numbers = new Uint32Array(this.#wasm.memory.buffer, this.#outcome, 8);
    }
    return this.#u8;
  }

  /** What the last call left. */
  get #left() {
    this.#memory;
    return this.#numbers;
  }

  /** The output of the last call: a view, until the next. */
  #output() {
    const memory = this.#memory, at = this.#numbers[OUTPUT];
    return memory.subarray(at, at + this.#numbers[WRITTEN]);
  }

  /** The input of the last call, as far as it was read: a view, where the input is the answer. */
  #answer() {
    return this.#memory.subarray(this.#inputAt, this.#inputAt + this.#left[READ]);
  }

  /** Where to write an input of so many bytes. */
  #input(len) {
    if (len > this.#room) {
      // Ahead of need, and a round number: short texts mostly come in many lengths.
      const room = Math.max(4096, 2 ** Math.ceil(Math.log2(len)));
      this.#room = 0;
      this.#inputAt = this.#wasm.input(room) >>> 0;
      if (this.#inputAt === 0) throw new RangeError(`no memory for ${room} bytes`);
      this.#room = room;
    }
    return this.#inputAt;
  }

  /** Writes these bytes to the input. */
  #write(bytes) {
    // In this order: memory may grow when room is made.
    const at = this.#input(bytes.length);
    this.#memory.set(bytes, at);
  }

  /** How much memory this instance has. */
  get memoryBytes() {
    return this.#wasm.memory.buffer.byteLength;
  }

  /** Gives the buffers back, so that other texts may use the memory. It stays with this instance. */
  release() {
    this.#wasm.release();
    this.#room = 0;
    this.#text = undefined;
  }

  #label(name) {
    name = String(name);
    let label = this.#labels.get(name);
    if (label === undefined) {
      const bytes = writer.encode(name);
      this.#write(bytes);
      label = this.#wasm.label(bytes.length) >>> 0;
      if (label === NOWHERE) throw new RangeError(`no encoding is named ${JSON.stringify(name)}`);
      this.#labels.set(name, label);
    }
    return label;
  }

  #policy(errors) {
    if (typeof errors === "object" && errors !== null && typeof errors.text === "string") {
      if (this.#text !== errors.text) {
        const bytes = writer.encode(errors.text);
        this.#write(bytes);
        this.#wasm.replacement(bytes.length);
        this.#text = errors.text;
      }
      return this.#policies.get("text");
    }
    const policy = errors === "text" ? undefined : this.#policies.get(errors);
    if (policy === undefined) throw new RangeError(`no policy is named ${JSON.stringify(errors)}`);
    return policy;
  }

  /** Which scheme the text is in, and how long its mark is; undefined if more of it must be seen. */
  #begin(label, bom, head, last) {
    const len = Math.min(head.length, 4);
    this.#write(head.subarray(0, len));
    const scheme = this.#wasm.begin(label, bom, len, last || head.length >= 4) >>> 0;
    return scheme === NOWHERE ? undefined : { scheme, mark: this.#left[READ] };
  }

  /** The scheme of a whole text, and where it begins behind its mark. */
  #sourceOf(bytes, { encoding = "utf-8", bom = "keep" }) {
    const mode = ["keep", "strip", "sniff"].indexOf(bom);
    if (mode < 0) throw new RangeError(`bom must be "keep", "strip" or "sniff", not ${JSON.stringify(bom)}`);
    return this.#begin(this.#label(encoding), mode, bytes, true);
  }

  /** The scheme to write. A plain UTF-16, UTF-32 or WTF-16 is the big-endian one, without a mark. */
  #target(encoding) {
    return this.#begin(this.#label(encoding), KEEP, new Uint8Array(0), true).scheme;
  }

  /**
   * Leads a text through the module, window by window. `call(len, last)` calls it, `take(view)` takes the output.
   * Returns how many bytes were read; those left over have to wait for the next ones.
   */
  #through(bytes, from, last, call, take) {
    let at = from, size = WINDOW;
    do {
      const len = Math.min(size, bytes.length - at);
      const ends = at + len === bytes.length;
      this.#write(len === bytes.length ? bytes : bytes.subarray(at, at + len));
      const status = call(len, ends && last);
      if (status !== FINE) this.#fail(status, at);
      const read = this.#left[READ];
      take(at);
      at += read;
      if (ends) break;
      // A sequence that is longer than the window: there are such, of reserved bytes.
      size = read === 0 ? 2 * size : WINDOW;
    } while (at < bytes.length);
    return at;
  }

  /** What the last call found to be wrong, in a text in which its input begins at `base`. */
  #wrong(base) {
    const at = base + this.#left[AT], len = this.#left[LEN];
    const [kind, reason] = reader.decode(this.#output()).split("\n");
    return { at, len, kind, message: `ill-formed at byte ${at}: ${reason}` };
  }

  #fail(status, base) {
    if (status === ILL_FORMED) throw new IllFormedError(this.#wrong(base));
    throw new UnrepresentableError({
      at: base + this.#left[AT],
      codePoint: this.#left[LEN],
      encoding: this.#writing,
    });
  }

  // --- what it can do ----------------------------------------------------------------------------

  validate(source, options = {}) {
    const bytes = bytesOf(source);
    const { scheme, mark } = this.#plain(options) ?? this.#sourceOf(bytes, options);
    let at = mark, size = WINDOW;
    for (;;) {
      const len = Math.min(size, bytes.length - at);
      const ends = at + len === bytes.length;
      this.#write(len === bytes.length ? bytes : bytes.subarray(at, at + len));
      if (this.#wasm.validate(scheme, len, ends) !== FINE) return this.#wrong(at);
      if (ends) return null;
      const read = this.#left[READ];
      at += read;
      size = read === 0 ? 2 * size : WINDOW;
    }
  }

  /** The common case, for which nothing has to be asked. */
  #plain({ encoding, bom }) {
    return (encoding === undefined || encoding === "utf-8") && (bom === undefined || bom === "keep")
      ? UTF8
      : undefined;
  }

  /** Whether what a policy writes, or a scheme contains, may be surrogates without a partner. */
  #isWobbly(scheme, errors) {
    return this.#schemes[scheme].wobbly || errors === "python2" || errors === "surrogate";
  }

  decode(source, options = {}) {
    const { errors = "fatal" } = options;
    const bytes = bytesOf(source);
    const policy = this.#policy(errors);
    const { scheme, mark } = this.#plain(options) ?? this.#sourceOf(bytes, options);
    return this.#string(bytes, mark, scheme, policy, this.#isWobbly(scheme, errors), true);
  }

  /** A string of what is behind `from`. How far that was read is in `#read`. */
  #string(bytes, from, scheme, policy, wobbly, last) {
    const len = bytes.length - from;
    if (len <= WINDOW) {
      this.#write(from === 0 ? bytes : bytes.subarray(from));
      const status = this.#wasm.decode(scheme, policy, len, last);
      if (status !== FINE) this.#fail(status, from);
      const numbers = this.#left;
      this.#read = from + numbers[READ];
      const width = numbers[WIDTH];
      return string(width === 0 ? this.#answer() : this.#output(), width, wobbly);
    }
    const units = new Units(len);
    units.wobbly = wobbly;
    const call = (len, ends) => this.#wasm.decode(scheme, policy, len, ends);
    this.#read = this.#through(bytes, from, last, call, () => {
      const width = this.#left[WIDTH];
      units.push(width === 0 ? this.#answer() : this.#output(), width);
    });
    return units.toString();
  }

  transcode(source, { from = "utf-8", to = "utf-8", errors = "fatal", bom = "keep" } = {}) {
    const bytes = bytesOf(source);
    const policy = this.#policy(errors);
    const target = this.#target(to);
    const { scheme, mark } = this.#sourceOf(bytes, { encoding: from, bom });
    return this.#bytes(bytes, mark, scheme, target, policy);
  }

  #bytes(bytes, from, scheme, target, policy) {
    const all = new Bytes();
    const call = (len, ends) => this.#wasm.transcode(scheme, target, policy, len, ends);
    this.#writing = this.#schemes[target].name;
    this.#through(bytes, from, true, call, () => all.push(this.#output()));
    return all.join();
  }

  transcodeToUtf16(source, { encoding = "utf-8", errors = "fatal", bom = "keep" } = {}) {
    const bytes = bytesOf(source);
    const policy = this.#policy(errors);
    const { scheme, mark } = this.#sourceOf(bytes, { encoding, bom });
    const target = this.#target(this.#schemes[scheme].wobbly ? "wtf-16le" : "utf-16le");
    const text = bytes.subarray(mark);
    this.#writing = this.#schemes[target].name;
    this.#write(text);
    const status = this.#wasm.transcode(scheme, target, policy, text.length, true);
    if (status !== FINE) this.#fail(status, mark);
    const output = this.#output();
    // The allocator gives aligned memory; a view of units can be had of nothing else.
    const aligned = output.byteOffset & 1 ? output.slice() : output;
    return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 1);
  }

  encode(source, { encoding = "utf-8", errors = "fatal" } = {}) {
    const text = stringOf(source);
    const policy = this.#policy(errors);
    const target = encoding === "utf-8" ? UTF8.scheme : this.#target(encoding);
    const lone = hasLoneSurrogates(text);
    // Nothing is faster than what the engine has for its own strings.
    if (target === UTF8.scheme && !lone) return writer.encode(text);
    // In UTF-16, a unit without its partner is ill-formed; where it has a form, it is WTF-16 that is read.
    const from = this.#target(lone && this.#schemes[target].wobbly ? "wtf-16le" : "utf-16le");
    const all = new Bytes();
    this.#writing = this.#schemes[target].name;
    let at = 0;
    do {
      const end = windowEnd(text, at, WINDOW / 2);
      const len = 2 * (end - at);
      const input = this.#input(len);
      this.#units(text, at, end, input);
      const status = this.#wasm.transcode(from, target, policy, len, true);
      if (status === ILL_FORMED) {
        const { kind } = this.#wrong(0);
        const unit = at + this.#left[AT] / 2;
        const message = `ill-formed at unit ${unit}: a surrogate without its partner`;
        throw new IllFormedError({ at: unit, len: 1, kind, message });
      }
      if (status !== FINE) {
        const unit = at + this.#left[AT] / 2;
        throw new UnrepresentableError({ at: unit, codePoint: this.#left[LEN], encoding: this.#writing });
      }
      all.push(this.#output());
      at = end;
    } while (at < text.length);
    return all.join();
  }

  /** Writes units of a string to memory. */
  #units(text, at, end, to) {
    const memory = this.#memory;
    if (copies) {
      const piece = at === 0 && end === text.length ? text : text.slice(at, end);
      buffer.ucs2Write.call(memory, piece, to, 2 * (end - at));
      return;
    }
    const units = new Uint16Array(memory.buffer, to, end - at);
    for (let index = 0; index < units.length; index++) units[index] = text.charCodeAt(at + index);
  }

  count(source, options = {}) {
    const bytes = bytesOf(source);
    const { scheme, mark } = this.#plain(options) ?? this.#sourceOf(bytes, options);
    const sum = { characters: 0, utf16: 0, utf8: 0 };
    const call = (len, ends) => this.#wasm.count(scheme, len, ends);
    this.#through(bytes, mark, true, call, () => {
      sum.characters += this.#left[REPLACED];
      sum.utf16 += this.#left[FIRST];
      sum.utf8 += this.#left[AT];
    });
    return sum;
  }

  explain(source, { whole = 64, stretches = 3 } = {}) {
    const bytes = bytesOf(source);
    let read = 0;
    // Called from the module, which calls nothing in between: memory may have grown since.
    this.#source = (at, len) => {
      const piece = bytes.subarray(read, read + len);
      this.#memory.set(piece, at >>> 0);
      read += piece.length;
      return piece.length;
    };
    this.#wasm.explain(whole, stretches);
    this.#source = undefined;
    return JSON.parse(reader.decode(this.#output()));
  }

  decoder(encoding = "utf-8", { fatal = false, ignoreBOM = false, errors = fatal ? "fatal" : "whatwg" } = {}) {
    const label = this.#label(encoding);
    const bom = ignoreBOM ? KEEP : STRIP;
    const begin = (head, last) => this.#begin(label, bom, head, last);
    const step = (bytes, from, scheme, last) => {
      const wobbly = this.#isWobbly(scheme, errors);
      const text = this.#string(bytes, from, scheme, this.#policy(errors), wobbly, last);
      return { text, read: this.#read };
    };
    this.#policy(errors); // known, or thrown for
    return new StreamDecoder(this.encodings[label], errors === "fatal", ignoreBOM, errors, begin, step);
  }
}

const UTF8 = Object.freeze({ scheme: 0, mark: 0 });

/** A text that comes in chunks; made by `decoder`, with the shape of a TextDecoder. */
class StreamDecoder {
  #begin;
  #step;
  #waiting = new Uint8Array(0);
  #scheme; // once it is known
  #offset = 0; // of what waits, in the whole text

  constructor(encoding, fatal, ignoreBOM, errors, begin, step) {
    this.encoding = encoding;
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
    this.errors = errors;
    this.#begin = begin;
    this.#step = step;
  }

  decode(source = new Uint8Array(0), { stream = false } = {}) {
    const chunk = bytesOf(source), last = !stream;
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

/** The bytes of a file: by `fetch`, or from the disk. */
async function bytesAt(url) {
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Loads the module that suits this host. */
export async function load({ module, bytes, url, simd = hasSimd() } = {}) {
  if (module === undefined && bytes === undefined) {
    const name = simd ? "runecast.simd128.wasm" : "runecast.scalar.wasm";
    bytes = await bytesAt(new URL(url ?? name, import.meta.url));
  }
  return new Runecast(module ?? await WebAssembly.compile(bytes));
}

/** The same at once, from a module or its bytes. */
export function loadSync(source) {
  return new Runecast(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesOf(source)));
}
