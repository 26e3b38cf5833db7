// Texts that come in chunks.
//
// There is no state of a decoder in WebAssembly. What has to wait for the next chunk is kept here, and goes in front of
// it.

import { copyOf, stringOf } from "./bytes.js";
import { IllFormedError, UnrepresentableError } from "./errors.js";
import { pieceEnd } from "./strings.js";

const NOTHING = new Uint8Array(0);

/** So many bytes wait only if they are one sequence: a character and a mark are shorter, a reserved sequence has any length. */
const SEQUENCE = 16;

/** What decoding and transcoding share: what waits, which scheme it is, and how far the text has been read. */
class Chunks {
  #begin;
  #step;
  #room = NOTHING; // what waits is the first `length` bytes of it
  #length = 0;
  #scheme; // once it is known
  #offset = 0; // of what waits, in the whole text

  /** `begin(head, last)` finds the scheme and its mark, `step(bytes, from, scheme, last)` gives `{ result, read }`. */
  constructor(begin, step) {
    this.#begin = begin;
    this.#step = step;
  }

  /** What comes out of a chunk, or undefined if more of the text must be seen. */
  push(chunk, last) {
    const waited = this.#length;
    const bytes = waited > 0 ? this.#append(chunk) : chunk;
    // To look at a long sequence again with each chunk would take time in proportion to the square of its length.
    if (waited >= SEQUENCE && !last && chunk.every(isContinuation)) return undefined;
    let from = 0;
    if (this.#scheme === undefined) {
      const known = this.#begin(bytes, last);
      if (known === undefined) {
        this.#keep(bytes, 0);
        return undefined;
      }
      this.#scheme = known.scheme;
      from = known.mark;
    }
    try {
      const { result, read } = this.#step(bytes, from, this.#scheme, last);
      if (last) {
        this.#reset();
      } else {
        this.#keep(bytes, read);
        this.#offset += read;
      }
      return result;
    } catch (error) {
      const offset = this.#offset;
      // The next text is another.
      this.#reset();
      throw offset === 0 ? error : further(error, offset);
    }
  }

  /** What waits, with this behind it. */
  #append(chunk) {
    const length = this.#length + chunk.length;
    if (length > this.#room.length) {
      const room = new Uint8Array(Math.max(length, 2 * this.#length));
      room.set(this.#room.subarray(0, this.#length));
      this.#room = room;
    }
    this.#room.set(chunk, this.#length);
    this.#length = length;
    return this.#room.subarray(0, length);
  }

  /** Lets the bytes from `from` on wait. */
  #keep(bytes, from) {
    if (from === 0 && bytes.buffer === this.#room.buffer) return;
    this.#room = copyOf(bytes, from);
    this.#length = this.#room.length;
  }

  #reset() {
    this.#room = NOTHING;
    this.#length = 0;
    this.#scheme = undefined;
    this.#offset = 0;
  }
}

/** Whether a byte can only continue a sequence, in all encodings in which a sequence may be longer than a character. */
function isContinuation(byte) {
  return (byte & 0xC0) === 0x80;
}

/** An error with its place in the whole text. */
function further(error, offset) {
  if (error instanceof IllFormedError) {
    const { at, len, kind } = error;
    // It begins with the place, in bytes or in units.
    const message = error.message.replace(` ${at}:`, ` ${at + offset}:`);
    return new IllFormedError({ at: at + offset, len, kind, message });
  }
  if (error instanceof UnrepresentableError) {
    const { at, codePoint, encoding } = error;
    return new UnrepresentableError({ at: at + offset, codePoint, encoding });
  }
  return error;
}

/** Bytes to strings; made by `decoder`, used like a TextDecoder. */
export class StreamDecoder {
  #bytesOf;
  #chunks;

  constructor({ encoding, fatal, ignoreBOM, errors }, bytesOf, begin, step) {
    this.encoding = encoding;
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
    this.errors = errors;
    this.#bytesOf = bytesOf;
    this.#chunks = new Chunks(begin, step);
  }

  decode(source, options) {
    const { stream = false } = options ?? {};
    return this.#chunks.push(source === undefined ? NOTHING : this.#bytesOf(source), !stream) ?? "";
  }
}

/** Bytes to bytes; made by `transcoder`. */
export class StreamTranscoder {
  #bytesOf;
  #chunks;

  constructor({ from, to, errors }, bytesOf, begin, step) {
    this.from = from;
    this.to = to;
    this.errors = errors;
    this.#bytesOf = bytesOf;
    this.#chunks = new Chunks(begin, step);
  }

  push(source) {
    return this.#chunks.push(this.#bytesOf(source), false) ?? NOTHING;
  }

  finish() {
    return this.#chunks.push(NOTHING, true) ?? NOTHING;
  }
}

/** Strings to bytes; made by `encoder`. */
export class StreamEncoder {
  #encode;
  #held = ""; // what may be the first half of a pair
  #offset = 0; // of that, in the whole text

  constructor({ encoding, errors }, encode) {
    this.encoding = encoding;
    this.errors = errors;
    this.#encode = encode;
  }

  encode(source, options) {
    const { stream = false } = options ?? {};
    const chunk = source === undefined ? "" : stringOf(source);
    const text = this.#held + chunk, offset = this.#offset;
    const end = stream ? pieceEnd(text, text.length) : text.length;
    // After the last chunk, and after an error, the next text is another.
    [this.#held, this.#offset] = ["", 0];
    try {
      const bytes = this.#encode(end === text.length ? text : text.slice(0, end));
      if (stream) [this.#held, this.#offset] = [text.slice(end), offset + end];
      return bytes;
    } catch (error) {
      throw offset === 0 ? error : further(error, offset);
    }
  }
}
