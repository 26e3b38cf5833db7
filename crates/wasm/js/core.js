// What an instance can do: texts go to the module and come back.
//
// How the boundary to WebAssembly is made, and why, is said in src/lib.rs of the same package; how strings are made, in
// strings.js; which functions of the host are quicker than any module, in host.js. The module itself comes from runecast.js
// (browsers, bundlers) or node.js.

import { Bytes, bytesOf, copyOf, stringOf } from "./bytes.js";
import { IllFormedError, UnrepresentableError } from "./errors.js";
import { decodeByHost, encodeByHost, encodeIntoByHost, isAsciiByHost, isUtf8ByHost } from "./host.js";
import { StreamDecoder, StreamEncoder, StreamTranscoder } from "./stream.js";
import { Units, copies, hasLoneSurrogates, reader, string, windowEnd, writeUnits, writer } from "./strings.js";
import { through } from "./transforms.js";

/** A text of any length goes through in pieces of this many bytes, so that memory stays small. */
const WINDOW = 256 * 1024;

/** From more bytes than these on, no memory is set aside ahead of need. */
const LARGE = 2 ** 20;

/** More than this a buffer there cannot have. */
const MOST = 0x7FFFFFFF;

// The numbers that a call leaves, by their places in `outcome`. src/memory.rs has the same list.
const OUTPUT = 0, WRITTEN = 1, READ = 2, WIDTH = 3, REPLACED = 4, FIRST = 5, AT = 6, LEN = 7;
const NOWHERE = 0xFFFFFFFF;
const FINE = 0, ILL_FORMED = 1;
const KEEP = 0, STRIP = 1, SNIFF = 2;

/** What there is of the module while it reads a text: nothing. */
const BUSY = new Proxy({}, {
  get() {
    throw busy();
  },
});

function busy() {
  return new Error("what gives the next bytes of a text must not call what reads them");
}

/** An instance of the module. */
export class Runecast {
  #module;
  #wasm;
  #buffer; // its memory
  #outcome;
  #numbers; // what the last call left
  #u8 = new Uint8Array(0); // all memory
  #room = 0; // of the input
  #inputAt = 0;
  #labels = new Map();
  #targets = new Map();
  #schemes;
  #plain; // whether the byte order of a label is told by the text
  #policies;
  #text; // the replacement that the module holds
  #source; // what an explanation reads
  #read = 0; // how far the last string was
  #writing = "UTF-16"; // what a character may have no form in

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
    this.#start();
    this.#wasm.names();
    const names = JSON.parse(reader.decode(this.#output()));
    this.#schemes = names.schemes;
    this.#policies = new Map(names.policies.map((name, code) => [name, code]));
    this.version = names.version;
    this.isa = names.isa;
    this.encodings = Object.freeze(names.labels.map(({ name }) => name));
    this.#plain = names.labels.map(({ plain }) => plain);
    this.policies = Object.freeze(names.policies.filter((name) => name !== "text"));
  }

  // --- the boundary --------------------------------------------------------------------------------

  /** Makes an instance, in which there is nothing yet. */
  #start() {
    const read = (at, len) => this.#source(at, len);
    const { exports } = new WebAssembly.Instance(this.#module, { text: { read } });
    if (typeof exports.names !== "function") throw new TypeError("this is not the module of this package with all encodings");
    this.#wasm = guarded(exports, () => this.#start());
    this.#buffer = exports.memory;
    this.#outcome = exports.outcome();
    this.#u8 = new Uint8Array(0);
    this.#room = 0;
    this.#text = undefined;
  }

  /** Memory, as it is now: when it grows, all views of it are void, and their length is 0. */
  get #memory() {
    if (this.#u8.length === 0) {
      this.#u8 = new Uint8Array(this.#buffer.buffer);
      this.#numbers = new Uint32Array(this.#buffer.buffer, this.#outcome, 8);
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

  /** Where to write an input of so many bytes. */
  #input(len) {
    if (len > this.#room) {
      if (len > MOST) throw new RangeError(`no memory for ${len} bytes`);
      // Ahead of need, and a round number: short texts mostly come in many lengths. Long ones are rounded up to a MiB.
      const room = len > LARGE ? LARGE * Math.ceil(len / LARGE) : Math.max(4096, 2 ** Math.ceil(Math.log2(len)));
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
    return this.#buffer.buffer.byteLength;
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
      if (label === NOWHERE) throw unknown("encoding", name, this.encodings);
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
    if (policy === undefined) throw unknown("policy", errors, this.policies);
    return policy;
  }

  /** Which scheme the text is in, and how long its mark is; undefined if more of it must be seen. */
  #begin(label, bom, head, last) {
    const len = Math.min(head.length, 4);
    this.#write(head.subarray(0, len));
    const scheme = this.#wasm.begin(label, bom, len, last || head.length >= 4) >>> 0;
    return scheme === NOWHERE ? undefined : { scheme, mark: this.#left[READ] };
  }

  /** The scheme of a whole text, and where it begins after its mark. */
  #sourceOf(bytes, options) {
    const { encoding = "utf-8", bom = "keep" } = optionsOf(options);
    if (encoding === "utf-8" && bom === "keep") return UTF8;
    const mode = bomOf(bom);
    const label = this.#label(encoding);
    // Nothing has to be looked at, mostly.
    if (mode === KEEP && !this.#plain[label]) return { scheme: this.#target(encoding), mark: 0 };
    return this.#begin(label, mode, bytes, true);
  }

  /** The scheme to write. A plain UTF-16, UTF-32 or WTF-16 is the big-endian one, without a mark. */
  #target(encoding) {
    let scheme = this.#targets.get(encoding);
    if (scheme === undefined) {
      scheme = this.#begin(this.#label(encoding), KEEP, new Uint8Array(0), true).scheme;
      this.#targets.set(encoding, scheme);
    }
    return scheme;
  }

  /**
   * Passes a text through the module, window by window. `call(len, last)` calls it, `take(view)` takes the output.
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

  /** The bytes of an argument. What `transcodeToUtf16` has returned is copied: the call writes to the memory that it is a view of. */
  #bytesOf(source) {
    const bytes = bytesOf(source);
    return bytes !== source && bytes.buffer === this.#u8.buffer ? copyOf(bytes) : bytes;
  }

  // --- what it can do ----------------------------------------------------------------------------

  validate(source, options) {
    const bytes = this.#bytesOf(source);
    if (isPlain(options) && isUtf8ByHost?.(bytes)) return null;
    const { scheme, mark } = this.#sourceOf(bytes, options);
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

  /** Whether what a policy writes, or a scheme contains, may be surrogates without a partner. */
  #isWobbly(scheme, errors) {
    return this.#schemes[scheme].wobbly || errors === "python2" || errors === "surrogate";
  }

  /** Whether it is well-formed UTF-8. */
  isUtf8(source) {
    const bytes = this.#bytesOf(source);
    return isUtf8ByHost === undefined ? this.validate(bytes) === null : isUtf8ByHost(bytes);
  }

  decode(source, options) {
    const bytes = this.#bytesOf(source);
    const { errors = "fatal" } = optionsOf(options);
    if ((errors === "fatal" || errors === "whatwg") && isPlain(options)) {
      const text = decodeByHost(bytes, errors);
      if (text !== undefined) return text;
    }
    const policy = this.#policy(errors);
    const { scheme, mark } = this.#sourceOf(bytes, options);
    return this.#string(bytes, mark, scheme, policy, this.#isWobbly(scheme, errors), true);
  }

  /** A string of the bytes from `from` on. How far that was read is in `#read`. */
  #string(bytes, from, scheme, policy, wobbly, last) {
    try {
      return this.#units(bytes, from, scheme, policy, wobbly, last);
    } catch (error) {
      throw ofString(error);
    }
  }

  #units(bytes, from, scheme, policy, wobbly, last) {
    const len = bytes.length - from;
    if (copies && this.#schemes[scheme].name === "Latin-1") {
      // Bytes of Latin-1 are the units that would come back.
      this.#read = bytes.length;
      return string(bytes, from, bytes.length, 1, false);
    }
    if (len <= WINDOW) {
      this.#write(from === 0 ? bytes : bytes.subarray(from));
      const status = this.#wasm.decode(scheme, policy, len, last, copies);
      if (status !== FINE) this.#fail(status, from);
      const memory = this.#memory, numbers = this.#numbers, at = numbers[OUTPUT];
      this.#read = from + numbers[READ];
      return string(memory, at, at + numbers[WRITTEN], numbers[WIDTH], wobbly);
    }
    const units = new Units(len);
    units.wobbly = wobbly;
    const call = (len, ends) => this.#wasm.decode(scheme, policy, len, ends, copies);
    this.#read = this.#through(bytes, from, last, call, () => units.push(this.#output(), this.#left[WIDTH]));
    return units.toString();
  }

  transcode(source, options) {
    const { from = "utf-8", to = "utf-8", errors = "fatal", bom = "keep" } = optionsOf(options, "to");
    const bytes = this.#bytesOf(source);
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

  transcodeToUtf16(source, options) {
    const { encoding = "utf-8", errors = "fatal", bom = "keep" } = optionsOf(options);
    const bytes = this.#bytesOf(source);
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

  encode(source, options) {
    const { encoding = "utf-8", errors = "fatal" } = optionsOf(options);
    const text = stringOf(source);
    const policy = this.#policy(errors);
    const target = encoding === "utf-8" ? UTF8.scheme : this.#target(encoding);
    const lone = hasLoneSurrogates(text);
    // Nothing is faster than what the engine has for its own strings.
    if (!lone) {
      const bytes = encodeByHost(text, this.#schemes[target].name);
      if (bytes !== undefined) return bytes;
    }
    const write = this.#encoder(target, policy, lone, errors);
    const all = new Bytes();
    let at = 0;
    do {
      const end = windowEnd(text, at, WINDOW / 2);
      const status = write(text, at, end);
      if (status !== FINE) this.#failAt(at + this.#left[AT] / 2, status);
      all.push(this.#output());
      at = end;
    } while (at < text.length);
    return all.join();
  }

  /**
   * What writes the units of a string from one place to another to the output, and returns a status. The window must not end between the
   * halves of a pair; `lone` says whether there are surrogates without a partner in the string.
   */
  #encoder(target, policy, lone, errors) {
    const { wobbly, name } = this.#schemes[target];
    // In UTF-16, a unit without its partner is ill-formed; where it has a form, it is WTF-16 that is read.
    const from = this.#target(lone && wobbly ? "wtf-16le" : "utf-16le");
    // The module has bytes of UTF-16 before it, and would write these.
    const escapes = lone && errors === "backslash" && !wobbly;
    this.#writing = name;
    return (text, at, end) => {
      if (escapes) {
        text = text.slice(at, end).replace(/\p{Surrogate}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase()}`);
        [at, end] = [0, text.length];
      }
      const len = 2 * (end - at);
      const input = this.#input(len);
      writeUnits(this.#memory, input, text, at, end);
      return this.#wasm.transcode(from, target, policy, len, true);
    };
  }

  /** Throws what the last call found to be wrong with a string, at this unit of it. */
  #failAt(unit, status) {
    if (status !== ILL_FORMED) {
      throw new UnrepresentableError({ at: unit, codePoint: this.#left[LEN], encoding: this.#writing });
    }
    const { kind } = this.#wrong(0);
    throw new IllFormedError({ at: unit, len: 1, kind, message: `ill-formed at unit ${unit}: a surrogate without its partner` });
  }

  /**
   * Writes as much of a string as fits, whole characters only. What is wrong is thrown for once all before it is written, if there is
   * room left: so it does not depend on windows.
   */
  encodeInto(source, destination, options) {
    const text = stringOf(source), to = bytesOf(destination);
    const { encoding = "utf-8", errors = "fatal" } = optionsOf(options);
    const policy = this.#policy(errors);
    const target = this.#target(encoding), lone = hasLoneSurrogates(text);
    if (!lone) {
      const done = encodeIntoByHost(text, to, this.#schemes[target].name);
      if (done !== undefined) return done;
    }
    const write = this.#encoder(target, policy, lone, errors);
    let read = 0, written = 0, size = WINDOW / 2, misses = 0;
    while (read < text.length && written < to.length) {
      const room = to.length - written, one = text.codePointAt(read) > 0xFFFF ? 2 : 1;
      let end = windowEnd(text, read, Math.min(size, room));
      // The first half of a pair is no character.
      if (end === read) end = read + one;
      const status = write(text, read, end), units = end - read;
      if (status !== FINE) {
        size = this.#left[AT] / 2;
        if (size === 0) this.#failAt(read, status);
        continue;
      }
      const bytes = this.#output();
      if (bytes.length <= room) {
        to.set(bytes, written);
        [read, written, misses] = [end, written + bytes.length, 0];
      } else if (units === one) {
        break;
      } else {
        // As many as fit if all are as long; or else half of them, for those in front may be longer.
        size = Math.max(1, Math.floor(misses++ === 0 ? units * room / bytes.length : units / 2));
      }
    }
    return { read, written };
  }

  unescapeSurrogates(source) {
    const text = stringOf(source), all = new Bytes();
    const rest = text.replace(ESCAPED, (units) => "?".repeat(units.length));
    // Other lone surrogates, if there are any, are ill-formed, and thrown for at their places in the string.
    if (hasLoneSurrogates(rest)) return this.encode(rest);
    let at = 0;
    for (const { 0: units, index } of text.matchAll(ESCAPED)) {
      if (at < index) all.push(this.encode(text.slice(at, index)));
      all.push(Uint8Array.from(units, (unit) => unit.charCodeAt(0) & 0xFF));
      at = index + units.length;
    }
    if (at < text.length) all.push(this.encode(text.slice(at)));
    return all.join();
  }

  count(source, options) {
    const bytes = this.#bytesOf(source);
    if (isPlain(options) && isAsciiByHost?.(bytes)) return { characters: bytes.length, utf16: bytes.length, utf8: bytes.length };
    const { scheme, mark } = this.#sourceOf(bytes, options);
    if (bytes.length - mark <= WINDOW) {
      // In one piece, as most texts are.
      this.#write(mark === 0 ? bytes : bytes.subarray(mark));
      const status = this.#wasm.count(scheme, bytes.length - mark, true);
      if (status !== FINE) this.#fail(status, mark);
      const left = this.#left;
      return { characters: left[REPLACED], utf16: left[FIRST], utf8: left[AT] };
    }
    const sum = { characters: 0, utf16: 0, utf8: 0 };
    const call = (len, ends) => this.#wasm.count(scheme, len, ends);
    this.#through(bytes, mark, true, call, () => {
      sum.characters += this.#left[REPLACED];
      sum.utf16 += this.#left[FIRST];
      sum.utf8 += this.#left[AT];
    });
    return sum;
  }

  /** Calls the module, which reads the text by itself; `source` is bytes, or a function that gives the next of them. */
  #reading(source, call) {
    const wasm = this.#wasm;
    if (wasm === BUSY) throw busy();
    let next = source;
    if (typeof source !== "function") {
      const bytes = this.#bytesOf(source);
      let read = 0;
      next = (len) => bytes.subarray(read, read += len);
    }
    // Called from the module, which calls nothing in between: memory may have grown since. What is thrown must not pass through the
    // module, whose buffers would stay in use for ever: the text ends there, and then it is thrown again.
    let failure, rest;
    this.#source = (at, len) => {
      try {
        if (failure) return 0;
        // What is more than was asked for waits.
        const all = rest?.length > 0 ? rest : this.#bytesOf(next(len));
        const piece = all.subarray(0, len);
        rest = all.subarray(len);
        this.#memory.set(piece, at >>> 0);
        return piece.length;
      } catch (error) {
        failure = { error };
        return 0;
      }
    };
    this.#wasm = BUSY;
    try {
      call(wasm);
    } finally {
      // Unless it was given up, and there is another.
      if (this.#wasm === BUSY) this.#wasm = wasm;
      this.#source = undefined;
    }
    if (failure) throw failure.error;
    return this.#json();
  }

  /** What the last call has written as JSON. */
  #json() {
    try {
      return JSON.parse(reader.decode(this.#output()));
    } catch (error) {
      throw ofString(error);
    }
  }

  explain(source, options) {
    const { whole = 64, stretches = 3 } = optionsOf(options);
    const limits = [limitOf("whole", whole), limitOf("stretches", stretches)];
    return this.#reading(source, (wasm) => wasm.explain(...limits));
  }

  detect(source, options) {
    const { whole = true } = optionsOf(options);
    const found = this.#reading(source, (wasm) => wasm.detect(whole));
    return { ...found, encoding: found.encoding?.toLowerCase() ?? null };
  }

  illFormed(source, options) {
    const bytes = this.#bytesOf(source), { limit = 1000, last = true } = optionsOf(options);
    const most = limitOf("limit", limit);
    const { scheme, mark } = this.#sourceOf(bytes, options);
    const found = { count: 0, places: [], read: 0 };
    const call = (len, ends) => {
      this.#wasm.survey(scheme, len, ends, Math.max(0, most - found.places.length));
      return FINE;
    };
    found.read = this.#through(bytes, mark, last, call, (base) => {
      found.count += this.#left[REPLACED];
      const output = this.#output();
      const view = new DataView(output.buffer, output.byteOffset, output.length);
      for (let at = 0; at < output.length; at += 8) {
        found.places.push({ at: base + view.getUint32(at, true), len: view.getUint32(at + 4, true) });
      }
    });
    return found;
  }

  characters(source, options) {
    const bytes = this.#bytesOf(source);
    const { scheme, mark } = this.#sourceOf(bytes, options);
    this.#write(bytes.subarray(mark));
    this.#wasm.characters(scheme, bytes.length - mark);
    return this.#json().map(([at, len, codePoint, kind]) =>
      kind === undefined ? { at: at + mark, len, codePoint } : { at: at + mark, len, codePoint: null, kind });
  }

  decoder(encoding = "utf-8", options) {
    const { fatal = false, ignoreBOM = false, errors = fatal ? "fatal" : "whatwg" } = optionsOf(options, "errors");
    const label = this.#label(encoding);
    const bom = ignoreBOM ? KEEP : STRIP;
    const begin = (head, last) => this.#begin(label, bom, head, last);
    const step = (bytes, from, scheme, last) => {
      const wobbly = this.#isWobbly(scheme, errors);
      const result = this.#string(bytes, from, scheme, this.#policy(errors), wobbly, last);
      return { result, read: this.#read };
    };
    this.#policy(errors); // known, or thrown for
    const settings = { encoding: this.encodings[label].toLowerCase(), fatal: errors === "fatal", ignoreBOM, errors };
    return new StreamDecoder(settings, (source) => this.#bytesOf(source), begin, step);
  }

  decoderStream(encoding, options) {
    const decoder = this.decoder(encoding, options);
    return through(decoder, (chunk) => decoder.decode(chunk, { stream: true }), () => decoder.decode());
  }

  encoder(encoding = "utf-8", options) {
    const { errors = "fatal" } = optionsOf(options, "errors");
    const label = this.#label(encoding);
    this.#policy(errors); // known, or thrown for
    const settings = { encoding: this.encodings[label].toLowerCase(), errors };
    return new StreamEncoder(settings, (text) => this.encode(text, { encoding, errors }));
  }

  encoderStream(encoding, options) {
    const encoder = this.encoder(encoding, options);
    return through(encoder, (chunk) => encoder.encode(chunk, { stream: true }), () => encoder.encode());
  }

  transcoder(options) {
    const { from = "utf-8", to = "utf-8", errors = "fatal", bom = "keep" } = optionsOf(options, "to");
    const mode = bomOf(bom), label = this.#label(from), target = this.#target(to);
    this.#policy(errors);
    const begin = (head, last) => this.#begin(label, mode, head, last);
    const step = (bytes, at, scheme, last) => {
      const all = new Bytes(), policy = this.#policy(errors);
      const call = (len, ends) => this.#wasm.transcode(scheme, target, policy, len, ends);
      this.#writing = this.#schemes[target].name;
      const read = this.#through(bytes, at, last, call, () => all.push(this.#output()));
      return { result: all.join(), read };
    };
    const settings = { from: this.encodings[label].toLowerCase(), to: this.#schemes[target].name.toLowerCase(), errors };
    return new StreamTranscoder(settings, (source) => this.#bytesOf(source), begin, step);
  }

  transcoderStream(options) {
    const transcoder = this.transcoder(options);
    return through(transcoder, (chunk) => transcoder.push(chunk), () => transcoder.finish());
  }
}

/** What "surrogate" writes for bytes; none that is half of a pair. */
const ESCAPED = /[\uDC80-\uDCFF]+/gu;

/** A dictionary without members, for `undefined` and for `null`, as the platform has it. */
const NONE = Object.freeze({});

/** Options as an object. A string, which would have none of them, is not taken for the one with this name. */
function optionsOf(options, name = "encoding") {
  if (options === undefined || options === null) return NONE;
  if (typeof options === "string") throw new TypeError(`options must be an object, as in { ${name}: ${JSON.stringify(options)} }`);
  return options;
}

/** Whether a text is UTF-8 as it is. */
const isPlain = (options) => {
  if (options === undefined) return true;
  const { encoding = "utf-8", bom = "keep" } = optionsOf(options);
  return encoding === "utf-8" && bom === "keep";
};

/** The error for a name that nothing has. */
function unknown(what, name, names) {
  return new RangeError(`no ${what} is named ${JSON.stringify(name)}; there are ${names.join(", ")}`);
}

/** The error for a string that the host cannot make: its own says nothing of texts, and may be no RangeError. */
function ofString(error) {
  const isOurs = error instanceof IllFormedError || error instanceof UnrepresentableError || !(error instanceof Error);
  const isLength = error instanceof RangeError || error?.code === "ERR_STRING_TOO_LONG" || error?.code === "ERR_BUFFER_TOO_LARGE";
  return isOurs || !isLength ? error : new RangeError(`no memory for the string of this text: ${error.message}`, { cause: error });
}

/** A number of things as the module takes it, in 32 bits; Infinity for all of them. */
function limitOf(name, limit) {
  if (!(limit >= 0)) throw new RangeError(`${name} must be a number from 0 on, not ${limit}`);
  return Math.min(limit, NOWHERE);
}

/**
 * The functions of an instance. One that traps, for want of memory, has left its buffers in use for ever: that instance is given up, and
 * `start` makes another.
 */
function guarded(exports, start) {
  const guard = (call) => (...all) => {
    try {
      return call(...all);
    } catch (cause) {
      start();
      throw cause instanceof WebAssembly.RuntimeError ? new RangeError("no memory for what comes of this text", { cause }) : cause;
    }
  };
  const functions = Object.entries(exports).filter(([, value]) => typeof value === "function");
  return Object.fromEntries(functions.map(([name, call]) => [name, guard(call)]));
}

/** The number of what becomes of a byte order mark. */
function bomOf(bom) {
  const mode = ["keep", "strip", "sniff"].indexOf(bom);
  if (mode < 0) throw new RangeError(`bom must be "keep", "strip" or "sniff", not ${JSON.stringify(bom)}`);
  return mode;
}

const UTF8 = Object.freeze({ scheme: 0, mark: 0 });
