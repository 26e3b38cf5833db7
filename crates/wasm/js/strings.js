// Strings: how they are made of bytes, and taken apart.
//
// How strings are made decides about speed, for WebAssembly has none: it can only prepare their units. In node, Buffer
// copies units of Latin-1 or UTF-16 into a string, which is all that has to be done. Browsers have TextDecoder for
// UTF-16, which takes a nanosecond or two for each unit, about what it takes for a byte of UTF-8: so UTF-16 pays where
// characters have two or three bytes; where most are ASCII, or many have four, the browser decodes by itself. TextDecoder
// cannot be used where units may be surrogates without a partner; for these String.fromCharCode is given some units
// at a time, which is slower than anything else, but for very short strings.

/** The methods of Buffer, which take any bytes. */
export const buffer = globalThis.Buffer?.prototype;
/** Whether strings can be made by a copy of their units, and their units copied. */
export const copies = typeof buffer?.latin1Slice === "function" && typeof buffer?.ucs2Slice === "function" &&
  typeof buffer?.latin1Write === "function" && typeof buffer?.ucs2Write === "function";
const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
export const reader = new TextDecoder("utf-8", { ignoreBOM: true });
export const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
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

/** Where a piece of a string ends that would end here, if something follows: not between the halves of a pair. */
export function pieceEnd(text, end) {
  return (text.charCodeAt(end - 1) & 0xFC00) === 0xD800 ? end - 1 : end;
}

/** Where a window of a string ends. */
export function windowEnd(text, at, size) {
  const end = Math.min(at + size, text.length);
  return end < text.length ? pieceEnd(text, end) : end;
}

export const hasLoneSurrogates = typeof "".isWellFormed === "function"
  ? (text) => !text.isWellFormed()
  : (text) => /\p{Surrogate}/u.test(text);

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
