// What the host does quicker than any module, and what it is asked for.
//
// Node has native code for some of the questions that are asked here: whether bytes are ASCII, whether they are UTF-8, the
// bytes of a string in UTF-16. Whatever is passed to WebAssembly is copied there first, and what comes back is copied again; so
// these are asked first. Browsers have TextDecoder and TextEncoder alone. In each case it is the module that says what was wrong.

import { buffer, copies, reader, strict, windowEnd, writer } from "./strings.js";

/** Whether all bytes are ASCII, or well-formed UTF-8: by native code, if there is any. */
export let isAsciiByHost;
export let isUtf8ByHost;

/** Takes the functions of a host, once. */
export function useHost(functions) {
  isAsciiByHost = functions.isAscii;
  isUtf8ByHost = functions.isUtf8;
}

/** Texts shorter than this many bytes are decoded by the host, if it can. */
const SHORT = 64;

/**
 * Texts shorter than this many bytes are decoded by a host with native functions, if hardly any byte is not ASCII: the way to
 * WebAssembly and back takes longer.
 */
const MIDDLING = 2048;

/** Shorter ones than this are not asked whether they are ASCII: to ask takes as long as the decoder, which is quicker if it may repair. */
const BRIEF = { fatal: 1024, whatwg: 1280 };

/**
 * Whether the last one between the two was ASCII. Then the next one is asked, too, since ASCII only has to be copied; but to ask costs
 * one that nearly is ASCII more than it saves one that is.
 */
let wasAscii = true;

/** A browser decodes a text faster by itself if so much of it, in sixteenths, is ASCII … */
const MOSTLY = 9;
/** … or if so many bytes begin characters of four. */
const OFTEN = 2;

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

/** Whether four bytes of a text are ASCII. (A loop over eight takes a tenth of the time that a kilobyte does.) */
function seemsAscii(bytes) {
  const quarter = bytes.length >>> 2, at = quarter >>> 1;
  return (bytes[at] | bytes[at + quarter] | bytes[at + 2 * quarter] | bytes[at + 3 * quarter]) < 0x80;
}

/**
 * The string of some UTF-8, if it is quickest to ask the host, and if that finds nothing wrong; or else undefined. `errors` is
 * "fatal" or "whatwg".
 */
export function decodeByHost(bytes, errors) {
  if (copies && bytes.length >= SHORT && isAsciiByHost !== undefined) {
    if (!seemsAscii(bytes)) return undefined;
    const { length } = bytes, middling = length < MIDDLING;
    // ASCII is a string already.
    if ((!middling || wasAscii && length >= BRIEF[errors]) && isAsciiByHost(bytes)) return buffer.latin1Slice.call(bytes, 0, length);
    if (!middling) return undefined;
    const text = tried(errors === "fatal" ? strict : reader, bytes);
    // (Or each ill-formed byte has become a unit: then the next one is asked in vain.)
    wasAscii = text?.length === length;
    return text;
  }
  if (copies && bytes.length >= SHORT) return undefined;
  if (bytes.length >= SHORT && !isForBrowser(bytes)) return undefined;
  return tried(errors === "fatal" ? strict : reader, bytes);
}

/** The string that a TextDecoder makes, or undefined. */
function tried(decoder, bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    // Ill-formed; or memory that is shared, which browsers do not take.
    return undefined;
  }
}

/** Whether the host has this form of UTF-16; and whether its bytes then are in the other order: true or false, or undefined. */
function swappedByHost(encoding) {
  if (!copies) return undefined;
  if (encoding === "UTF-16LE" || encoding === "WTF-16LE") return false;
  return encoding === "UTF-16BE" || encoding === "WTF-16BE" ? true : undefined;
}

/** What is not in Latin-1. Engines know without a look that a string which they keep in one byte a unit has none of it. */
const NOT_LATIN1 = /[^\0-\xFF]/;

/** Whether the host writes this string in Latin-1: it writes the lower byte of any unit. */
function isLatin1ByHost(text, encoding) {
  return copies && encoding === "Latin-1" && !NOT_LATIN1.test(text);
}

/** Memory to be written to: not from the pool, whose memory others see; and not a Buffer, which has other methods. */
function fresh(length) {
  return new Uint8Array(globalThis.Buffer.allocUnsafeSlow(length).buffer);
}

/** The bytes of a string without lone surrogates, if the host has the encoding; or else undefined. */
export function encodeByHost(text, encoding) {
  if (encoding === "UTF-8") return writer.encode(text);
  if (isLatin1ByHost(text, encoding)) {
    const bytes = fresh(text.length);
    buffer.latin1Write.call(bytes, text, 0, bytes.length);
    return bytes;
  }
  const swapped = swappedByHost(encoding);
  if (swapped === undefined) return undefined;
  const bytes = fresh(2 * text.length);
  buffer.ucs2Write.call(bytes, text, 0, bytes.length);
  if (swapped) buffer.swap16.call(bytes);
  return bytes;
}

/** Writes as much of a string without lone surrogates as fits, if the host has the encoding; or else it is undefined. */
export function encodeIntoByHost(text, to, encoding) {
  if (encoding === "UTF-8") return writer.encodeInto(text, to);
  if (isLatin1ByHost(text, encoding)) {
    const length = Math.min(text.length, to.length);
    buffer.latin1Write.call(to, text, 0, length);
    return { read: length, written: length };
  }
  const swapped = swappedByHost(encoding);
  if (swapped === undefined) return undefined;
  const read = windowEnd(text, 0, to.length >>> 1), written = 2 * read;
  buffer.ucs2Write.call(to, read === text.length ? text : text.slice(0, read), 0, written);
  if (swapped) buffer.swap16.call(written === to.length ? to : to.subarray(0, written));
  return { read, written };
}
