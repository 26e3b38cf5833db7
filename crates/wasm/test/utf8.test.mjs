// UTF-8, one text at a time: against TextDecoder, TextEncoder, and the table of the Unicode Standard.

import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import test from "node:test";

import { each, firstError, js, random, shortStrings, strings } from "./common.mjs";

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Each text is what TextDecoder makes of it, its error where the table has it. Short ones may be decoded by the host;
 * streams never are.
 */
function check(runecast, bytes) {
  const expected = firstError(bytes);
  assert.equal(expected === null, isUtf8(bytes), `the oracles differ: ${bytes}`);
  const error = runecast.validate(bytes);
  if (expected === null) {
    assert.equal(error, null, `${bytes}`);
    assert.equal(runecast.decode(bytes), lossy.decode(bytes));
    assert.equal(runecast.decoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), lossy.decode(bytes));
  } else {
    assert.deepEqual({ at: error.at, len: error.len }, expected, `${bytes}`);
    assert.throws(() => runecast.decode(bytes), (thrown) => {
      assert.ok(thrown instanceof js.IllFormedError && thrown instanceof TypeError);
      assert.deepEqual(
        { at: thrown.at, len: thrown.len, kind: thrown.kind, message: thrown.message },
        error,
      );
      return true;
    });
  }
  assert.equal(runecast.decode(bytes, { errors: "whatwg" }), lossy.decode(bytes), `${bytes}`);
  assert.equal(runecast.decoder("utf-8", { ignoreBOM: true }).decode(bytes), lossy.decode(bytes), `${bytes}`);
}

each(test, "short strings, all that there are", (runecast) => {
  for (const bytes of shortStrings()) check(runecast, Uint8Array.from(bytes));
});

each(test, "texts of every length up to a few vectors, whole and damaged", (runecast) => {
  const next = random(1);
  for (const text of strings(2, [...Array(70).keys(), 100, 127, 128, 129, 500])) {
    const bytes = new TextEncoder().encode(text);
    check(runecast, bytes);
    for (let times = 0; times < 3 && bytes.length > 0; times++) {
      const damaged = bytes.slice();
      damaged[next() % bytes.length] = next();
      check(runecast, damaged);
      check(runecast, bytes.subarray(0, next() % bytes.length));
    }
  }
});

each(test, "longer than a window, damaged around its boundaries", (runecast) => {
  const window = 256 * 1024;
  for (const text of strings(3, [window + 5])) {
    const bytes = new TextEncoder().encode(text);
    const long = new Uint8Array(3 * window + 100);
    for (let at = 0; at < long.length; at += bytes.length) {
      long.set(bytes.subarray(0, Math.min(bytes.length, long.length - at)), at);
    }
    check(runecast, long);
    for (const boundary of [window, 2 * window, 3 * window, long.length]) {
      for (const at of [boundary - 4, boundary - 1, boundary]) {
        const damaged = bytes.length > 3 * window ? bytes.slice(0, long.length) : long.slice();
        if (at < damaged.length) damaged[at] = 0xF0;
        check(runecast, damaged);
      }
    }
  }
});

each(test, "windows of different kinds make one string", (runecast) => {
  const window = 256 * 1024;
  const kinds = ["a", "\u00E9", "漢", "🦀"].map((character) => character.repeat(window / Buffer.byteLength(character) + 3));
  for (const first of kinds) {
    for (const second of kinds) {
      for (const third of kinds) {
        const text = `${first}${second}x${third}`;
        assert.equal(runecast.decode(Buffer.from(text)), text);
        // By a policy that hosts do not have, and so by the module wherever it runs.
        assert.equal(runecast.decode(Buffer.from(text), { errors: "per-byte" }), text);
      }
    }
  }
  // More units than bytes.
  const bad = new Uint8Array(2 * window + 7).fill(0xFF);
  assert.equal(runecast.decode(bad, { errors: "backslash" }), "\\xFF".repeat(bad.length));
  assert.equal(runecast.decode(bad, { errors: "latin1" }), "\xFF".repeat(bad.length));
  assert.equal(runecast.decode(bad, { errors: "surrogate" }), "\uDCFF".repeat(bad.length));
});

each(test, "an error after megabytes has its place, in sentences as well", (runecast) => {
  const bytes = new Uint8Array(5_000_000).fill(0x61);
  bytes[4_321_000] = 0xED;
  bytes[4_321_001] = 0xA0;
  const error = runecast.validate(bytes);
  assert.deepEqual([error.at, error.len, error.kind], [4_321_000, 1, "surrogate"]);
  assert.match(error.message, /^ill-formed at byte 4321000: ED A0 begins a surrogate/);
});

each(test, "strings are encoded as TextEncoder does it, unless that would lose something", (runecast) => {
  const encoder = new TextEncoder();
  for (const text of strings(4, [0, 1, 2, 3, 10, 100, 300_000])) {
    assert.ok(Buffer.from(runecast.encode(text)).equals(encoder.encode(text)));
  }
  const units = [0x61, 0xD83E, 0xDD80, 0xD83E, 0xDC00, 0x10FF];
  const next = random(5);
  for (let round = 0; round < 2000; round++) {
    const text = String.fromCharCode(...Array.from({ length: next() % 9 }, () => units[next() % units.length]));
    const bytes = runecast.encode(text, { errors: "whatwg" });
    assert.ok(Buffer.from(bytes).equals(encoder.encode(text)), JSON.stringify(text));
    if (text.isWellFormed()) {
      assert.equal(runecast.decode(runecast.encode(text)), text);
    } else {
      let at = 0;
      while (text.slice(0, at + 1).isWellFormed() || text.slice(0, at + 2).isWellFormed()) at++;
      assert.throws(() => runecast.encode(text), (error) => error instanceof js.IllFormedError && error.at === at);
    }
  }
});

each(test, "counts are those of the string", (runecast) => {
  for (const bytes of shortStrings()) {
    const text = lossy.decode(Uint8Array.from(bytes));
    const expected = { characters: [...text].length, utf16: text.length, utf8: Buffer.byteLength(text) };
    assert.deepEqual(runecast.count(Uint8Array.from(bytes)), expected, `${bytes}`);
  }
  // The same byte at the same place of every sixteen, as often as a lane of a vector cannot count.
  const alike = ["é", "ééé語語", "😀"].map((text) => text.repeat(9000));
  for (const text of [...strings(6, [50, 300_000]), ...alike]) {
    const expected = { characters: [...text].length, utf16: text.length, utf8: Buffer.byteLength(text) };
    assert.deepEqual(runecast.count(Buffer.from(text)), expected);
  }
});

each(test, "the seven behaviours", (runecast) => {
  // How many U+FFFD, from Henri Sivonen's survey "Broken UTF-8", 2016.
  const rows = {
    "F0 80 80 80": { whatwg: 4, "per-byte": 4, win32: 3, openjdk8: 4, python2: 2, perl5: 4, icu55: 1 },
    "F4 90 80 80": { whatwg: 4, "per-byte": 4, win32: 3, openjdk8: 4, python2: 2, perl5: 1, icu55: 1 },
    "FB BF BF BF BF": { whatwg: 5, "per-byte": 5, win32: 5, openjdk8: 5, python2: 5, perl5: 1, icu55: 1 },
    "F0 9F 92": { whatwg: 1, "per-byte": 3, win32: 1, openjdk8: 1, python2: 1, perl5: 3, icu55: 1 },
    "ED A0 80": { whatwg: 3, "per-byte": 3, win32: 2, openjdk8: 1, perl5: 1, icu55: 1 },
  };
  for (const [hex, counts] of Object.entries(rows)) {
    for (const [errors, count] of Object.entries(counts)) {
      const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
      assert.equal(runecast.decode(bytes, { errors }), "\uFFFD".repeat(count), `${hex} by ${errors}`);
    }
  }
  // Python 2 let surrogates pass: a string can hold them, a TextDecoder cannot.
  assert.equal(runecast.decode(Buffer.from("EDA080", "hex"), { errors: "python2" }), "\uD800");
});

each(test, "escapes, and texts", (runecast) => {
  const bytes = Buffer.from("caf\xE9 \x80 \u00FF", "latin1");
  const decode = (errors) => runecast.decode(bytes, { errors });
  assert.equal(decode("latin1"), "café \x80 ÿ");
  assert.equal(decode("windows-1252"), "café € ÿ");
  assert.equal(decode("backslash"), "caf\\xE9 \\x80 \\xFF");
  assert.equal(decode("surrogate"), "caf\uDCE9 \uDC80 \uDCFF");
  assert.equal(decode({ text: "<漢>" }), "caf<漢> <漢> <漢>");
  assert.equal(decode({ text: "" }), "caf  ");
  assert.equal(decode({ text: "é" }), "café é é");
});
