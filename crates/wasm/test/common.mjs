// What the tests share: both modules, texts, and an oracle for where UTF-8 goes wrong.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

const place = new URL(`${process.env.RUNECAST_PKG ?? "../../../web/pkg"}/`, import.meta.url);
if (!existsSync(new URL("runecast.simd128.wasm", place))) {
  throw new Error(`nothing is built in ${place.pathname}: run crates/wasm/build.sh first`);
}

// Browsers have no Buffer, and strings are made in another way without it: RUNECAST_TEST_HOST=browser hides it.
const { Buffer } = globalThis;
if (process.env.RUNECAST_TEST_HOST === "browser") delete globalThis.Buffer;
export const js = await import(new URL(process.env.RUNECAST_TEST_HOST === "browser" ? "runecast.js" : "node.js", place));
globalThis.Buffer = Buffer;

const bytesOf = (name) => readFile(new URL(name, place));
export const simd = await js.load({ bytes: await bytesOf("runecast.simd128.wasm") });
export const scalar = await js.load({ bytes: await bytesOf("runecast.scalar.wasm") });

/** The modules, by what they call themselves. */
export const modules = [["simd128", simd], ["scalar", scalar]];

/** Runs a test for each module. */
export function each(test, name, body) {
  for (const [isa, runecast] of modules) test(`${name}, ${isa}`, () => body(runecast));
}

// The second bytes that Table 3-7 of the Unicode Standard allows, by the first: [from, to, length].
function row(lead) {
  if (lead <= 0x7F) return [0, 0, 1];
  if (lead >= 0xC2 && lead <= 0xDF) return [0x80, 0xBF, 2];
  if (lead === 0xE0) return [0xA0, 0xBF, 3];
  if (lead === 0xED) return [0x80, 0x9F, 3];
  if (lead >= 0xE1 && lead <= 0xEF) return [0x80, 0xBF, 3];
  if (lead === 0xF0) return [0x90, 0xBF, 4];
  if (lead >= 0xF1 && lead <= 0xF3) return [0x80, 0xBF, 4];
  if (lead === 0xF4) return [0x80, 0x8F, 4];
  return undefined;
}

/** The first ill-formed sequence of UTF-8, by the table: where it is, and how long its maximal subpart; or null. */
export function firstError(bytes) {
  for (let at = 0; at < bytes.length;) {
    const allowed = row(bytes[at]);
    if (allowed === undefined) return { at, len: 1 };
    const [from, to, length] = allowed;
    for (let index = 1; index < length; index++) {
      const [low, high] = index === 1 ? [from, to] : [0x80, 0xBF];
      const byte = bytes[at + index];
      if (byte === undefined || byte < low || byte > high) return { at, len: index };
    }
    at += length;
  }
  return null;
}

/** Bytes that are at the limits of the table. */
export const BORDERS = [
  0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0,
  0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
];

/** All strings of one or two bytes, those of three at the limits, and of four with a lead of four. */
export function* shortStrings() {
  yield [];
  for (let a = 0; a < 256; a++) {
    yield [a];
    for (let b = 0; b < 256; b++) yield [a, b];
  }
  for (const a of BORDERS) for (const b of BORDERS) for (const c of BORDERS) yield [a, b, c];
  for (const a of [0xF0, 0xF1, 0xF3, 0xF4, 0xF5]) {
    for (const b of BORDERS) for (const c of BORDERS) for (const d of [0x41, 0x80, 0xBF, 0xC3]) yield [a, b, c, d];
  }
}

/** Numbers from a seed (mulberry32). */
export function random(seed) {
  return () => {
    seed = seed + 0x6D2B79F5 | 0;
    let mixed = Math.imul(seed ^ seed >>> 15, 1 | seed);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return (mixed ^ mixed >>> 14) >>> 0;
  };
}

const ALPHABETS = [
  ["a", "b", " ", "\n", "z", "0"],
  ["a", " ", "é", "ü", "ÿ", "\u0080"],
  ["я", "ж", " ", "ω", "א"],
  ["漢", "字", "。", "\uFFFD", "ก"],
  ["🦀", "\u{10FFFF}", "\u{10000}", "a"],
  ["a", "é", "漢", "🦀", " ", "\uFEFF", "\uFFFF"],
];

/** Strings of many lengths in several scripts, without lone surrogates. */
export function* strings(seed, lengths) {
  const next = random(seed);
  for (const length of lengths) {
    for (const alphabet of ALPHABETS) {
      let text = "";
      for (let index = 0; index < length; index++) text += alphabet[next() % alphabet.length];
      yield text;
    }
  }
}

/** All ways to cut `bytes` into chunks. */
export function* chunkings(bytes) {
  for (let cuts = 0; cuts < 2 ** Math.max(0, bytes.length - 1); cuts++) {
    const chunks = [];
    let begin = 0;
    for (let at = 1; at <= bytes.length; at++) {
      if (at === bytes.length || cuts >> at - 1 & 1) {
        chunks.push(bytes.subarray(begin, at));
        begin = at;
      }
    }
    yield chunks;
  }
}
