// Strings: how they are made of bytes, and taken apart.
//
// How strings are made decides about speed, for WebAssembly has none: it can only prepare their units. In node, Buffer
// copies units of Latin-1 or UTF-16 into a string, which is all that has to be done. Browsers have TextDecoder for
// UTF-16, which takes a nanosecond or two for each unit, about what it takes for a byte of UTF-8: so UTF-16 pays where
// characters have two or three bytes; where most are ASCII, or many have four, the browser decodes by itself. TextDecoder
// cannot be used where units may be surrogates without a partner; for these String.fromCharCode is given some units
// at a time, which is slower than anything else, but for very short strings. Short texts are left to the host as well
// (SHORT): the way to WebAssembly and back takes longer. In each case it is this module that says what was wrong.

/** Texts shorter than this many bytes are decoded by the host, if it can. */
const SHORT = 64;

/** A browser decodes a text faster by itself if so much of it, in sixteenths, is ASCII … */
const MOSTLY = 9;
/** … or if so many bytes begin characters of four. */
const OFTEN = 2;

const buffer = globalThis.Buffer?.prototype;
/** Whether strings can be made by a copy of their units, and their units copied. */
export const copies = typeof buffer?.latin1Slice === "function" && typeof buffer?.ucs2Slice === "function" &&
  typeof buffer?.ucs2Write === "function";
const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
export const reader = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
export const writer = new TextEncoder();

/** A string of any units. */
function fromUnits(units) {
  let text = "";
  for (let at = 0; at < units.length; at += 4096) {
    text += String.fromCharCode.apply(null, units.subarray(at, at + 4096));
  }
  return text;
}

/** Collects units of strings, in one byte each as long as that will do. */
export class Units {
  constructor(room) {
    this.units = new Uint8Array(room);
    this.length = 0;
    this.width = 0;
    this.wobbly = false;
  }

  /** Appends bytes of ASCII (`width` 0), Latin-1 (1) or UTF-16 (2). */
  push(bytes, width) {
    const count = width === 2 ? bytes.length >>> 1 : bytes.length;
    this.width = Math.max(this.width, width);
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
    const wide = this.units instanceof Uint16Array, all = new Uint8Array(this.units.buffer);
    return string(all, 0, wide ? 2 * this.length : this.length, wide ? 2 : this.width, this.wobbly);
  }
}

/** The string of some units, as `decode` of the module leaves them; `wobbly` if there may be lone surrogates. */
export function string(memory, begin, end, width, wobbly) {
  if (copies) {
    return width === 2
      ? buffer.ucs2Slice.call(memory, begin, end)
      : buffer.latin1Slice.call(memory, begin, end);
  }
  const bytes = memory.subarray(begin, end);
  if (width === 0) return reader.decode(bytes);
  if (!wobbly) return utf16.decode(bytes);
  const aligned = begin & 1 ? bytes.slice() : bytes;
  return fromUnits(new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 1));
}

/** Whether a browser should decode a text by itself: as 64 bytes of it suggest. */
function isForBrowser(bytes) {
  // An odd number, so that characters of two and four bytes are not always seen at the same place.
  const step = bytes.length >>> 6 | 1;
  let ascii = 0, long = 0, seen = 0;
  for (let at = 0; at < bytes.length; at += step) {
    ascii += Number(bytes[at] < 0x80);
    long += Number(bytes[at] >= 0xF0);
    seen++;
  }
  return 16 * ascii >= MOSTLY * seen || 16 * long >= OFTEN * seen;
}

/** Where a window of a string ends: not between the halves of a pair. */
export function windowEnd(text, at, size) {
  const end = Math.min(at + size, text.length);
  return end < text.length && (text.charCodeAt(end - 1) & 0xFC00) === 0xD800 ? end - 1 : end;
}

export const hasLoneSurrogates = typeof "".isWellFormed === "function"
  ? (text) => !text.isWellFormed()
  : (text) => /\p{Surrogate}/u.test(text);

/** The string of some UTF-8, if it is quickest to ask the host, and if that finds nothing wrong; or else undefined. */
export function byHost(bytes, errors) {
  const wanted = errors === "fatal" ? strict : errors === "whatwg" ? reader : undefined;
  if (wanted === undefined) return undefined;
  if (bytes.length >= SHORT && (copies || !isForBrowser(bytes))) return undefined;
  try {
    return wanted.decode(bytes);
  } catch {
    // Ill-formed; or memory that is shared, which browsers do not take.
    return undefined;
  }
}

/** Writes the units of `text` from `at` to `end` to memory. */
export function writeUnits(memory, to, text, at, end) {
  if (copies) {
    const piece = at === 0 && end === text.length ? text : text.slice(at, end);
    buffer.ucs2Write.call(memory, piece, to, 2 * (end - at));
    return;
  }
  const units = new Uint16Array(memory.buffer, to, end - at);
  for (let index = 0; index < units.length; index++) units[index] = text.charCodeAt(at + index);
}
