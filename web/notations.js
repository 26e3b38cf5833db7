// The ways to write bytes down, and to read them: in hex, as a text, as units of UTF-16, with escapes.
//
// Bytes are what the page is about; a notation is a view of them. Not every view can hold all bytes, and so `write` says whether
// what it wrote gives the same bytes when it is read again.

import { hex, hexOf, parseHex } from "./hex.js";

/** An encoding that keeps surrogates without a partner, in place of one that does not. */
const WOBBLY = { "utf-8": "wtf-8", "utf-16le": "wtf-16le", "utf-16be": "wtf-16be", "cesu-8": "wobbly cesu-8", "modified utf-8": "wobbly modified utf-8" };
export const wobbly = (encoding) => WOBBLY[encoding] ?? encoding;

/** The bytes of a string. */
function encoded(text, encoding, runecast) {
  if (!runecast.knows(encoding)) {
    throw new Error(`A browser reads ${encoding}, but does not write it. Bytes can be given in hex.`);
  }
  return runecast.encode(text, { encoding: wobbly(encoding) });
}

/** Units of UTF-16, each in one to four digits. */
function parseUnits(value) {
  const units = [];
  for (const { 0: word } of value.replace(/\\u|0x|u\+/gi, " ").matchAll(/[^\s,;{}\[\]"']+/g)) {
    if (/^[0-9a-f]{1,4}$/i.test(word)) units.push(Number.parseInt(word, 16));
    else throw new Error(`“${word}” is no unit of UTF-16, which has one to four hexadecimal digits.`);
  }
  let text = "";
  for (let at = 0; at < units.length; at += 4096) text += String.fromCharCode(...units.slice(at, at + 4096));
  return text;
}

const SIMPLE = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7, e: 27, "\\": 92, "'": 39, "\"": 34, "/": 47, "?": 63 };

/** A text with escapes, as C, Python, JavaScript, Rust and JSON write them. \xNN is a byte, \uNNNN a unit of UTF-16. */
function parseEscapes(value, encoding, runecast) {
  // A whole literal: without its quotes and what stands before them.
  const literal = /^\s*(?:u8|br?|rb|[uULb])?(["'])((?:\\[^]|(?!\1)[^\\])*)\1[;,]?\s*$/u.exec(value);
  const source = literal ? literal[2] : value;
  const pieces = [];
  let text = "";
  const byte = (number) => {
    if (text !== "") pieces.push(encoded(text, encoding, runecast));
    text = "";
    pieces.push(Uint8Array.of(number));
  };
  const escape = /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([nrtbfvae\\'"/?])|(\r?\n)|([^]|$))|[^\\]+/gu;
  for (const [whole, two, braces, four, eight, octal, simple, line, other] of source.matchAll(escape)) {
    const point = braces ?? eight;
    if (two !== undefined) byte(Number.parseInt(two, 16));
    else if (octal !== undefined) byte(Number.parseInt(octal, 8) & 0xFF);
    else if (four !== undefined) text += String.fromCharCode(Number.parseInt(four, 16));
    else if (point !== undefined) {
      const number = Number.parseInt(point, 16);
      if (number > 0x10FFFF) throw new Error(`“${whole}” is above U+10FFFF.`);
      text += String.fromCodePoint(number);
    } else if (simple !== undefined) text += String.fromCharCode(SIMPLE[simple]);
    else if (other !== undefined) throw new Error(`“\\${other}” is no escape that is known here.`);
    else if (line === undefined) text += whole;
  }
  if (text !== "") pieces.push(encoded(text, encoding, runecast));
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** What a text field holds for the line ends that were wanted: a field has line feeds only. */
const withLineEnds = (value, ends) => (ends === "lf" ? value : value.replaceAll("\n", ends === "crlf" ? "\r\n" : "\r"));

/** The line ends of a text: the first one. */
export const lineEndsOf = (text) => ({ "\r\n": "crlf", "\r": "cr" })[/\r\n|\r|\n/.exec(text)?.[0]] ?? "lf";

/** The bytes that were written in a notation. Throws a sentence if they are none. */
export function read(notation, value, { encoding, lineEnds = "lf" }, runecast) {
  switch (notation) {
    case "hex": return parseHex(value);
    case "units": return encoded(parseUnits(value), encoding, runecast);
    case "escapes": return parseEscapes(value, encoding, runecast);
    default: return encoded(withLineEnds(value, lineEnds), encoding, runecast);
  }
}

/** Bytes in C: ASCII as itself, everything else as \xNN. */
export function escaped(bytes) {
  let text = "";
  for (const byte of bytes) {
    const simple = { 9: "\\t", 10: "\\n", 13: "\\r", 34: "\\\"", 92: "\\\\" }[byte];
    text += simple ?? (byte >= 0x20 && byte < 0x7F ? String.fromCharCode(byte) : `\\x${hex(byte)}`);
  }
  return text;
}

/** The string of bytes, and whether it says all of them. */
function stringOf(bytes, encoding, runecast) {
  if (!runecast.knows(encoding)) return { text: new TextDecoder(encoding).decode(bytes), lossless: false };
  try {
    return { text: runecast.decode(bytes, { encoding: wobbly(encoding) }), lossless: true };
  } catch {
    return { text: runecast.decode(bytes, { encoding, errors: "whatwg" }), lossless: false };
  }
}

/** Bytes in a notation: `{ value, lossless, lineEnds }`. */
export function write(notation, bytes, { encoding }, runecast) {
  if (notation === "hex") return { value: hexOf(bytes), lossless: true };
  if (notation === "escapes") return { value: escaped(bytes), lossless: true };
  const { text, lossless } = stringOf(bytes, encoding, runecast);
  if (notation === "units") {
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0"));
    return { value: units.join(" "), lossless };
  }
  const lineEnds = lineEndsOf(text);
  const value = text.replace(/\r\n?/g, "\n");
  return { value, lossless: lossless && withLineEnds(value, lineEnds) === text, lineEnds };
}
