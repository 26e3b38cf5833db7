// Bytes as people write them.

import assert from "node:assert/strict";
import test from "node:test";

import { codePoint, hexOf, parseHex, rangesOf } from "../hex.js";

test("bytes are read however they are written", () => {
  for (const text of [
    "F0 80 80 41", "f0808041", "\\xF0\\x80\\x80\\x41", "0xF0, 0x80, 0x80, 0x41", "%F0%80%80%41", "<F0><80><80><41>",
    "{0xf0,0x80,0x80,0x41}", "F0:80:80:41", "F0-80-80-41", " F0\n80\t8041 ", "[\"F0\", '80', '80', \"41\"]",
  ]) {
    assert.equal(hexOf(parseHex(text)), "F0 80 80 41", text);
  }
  assert.equal(hexOf(parseHex("0 1 0xA")), "00 01 0A");
  assert.equal(parseHex("").length, 0);
  assert.equal(parseHex(" \n").length, 0);
});

test("what is no byte is refused", () => {
  assert.throws(() => parseHex("F0 8G"), /“G” is no hexadecimal digit/);
  assert.throws(() => parseHex("caf\u00E9 🪨"), /no hexadecimal digit/);
  assert.throws(() => parseHex("F08"), /“F08” has an odd number of digits/);
  assert.throws(() => parseHex("U+1F980"), /no hexadecimal digit/);
});

test("what is shown", () => {
  assert.equal(codePoint(0x41), "U+0041");
  assert.equal(codePoint(0x10FFFF), "U+10FFFF");
  assert.equal(rangesOf([[0, 0x7F], [0xC2, 0xF4], [0x80, 0x80]]), "00..7F C2..F4 80");
});
