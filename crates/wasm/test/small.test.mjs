// The small module: UTF-8 alone, against TextDecoder and the table of the Unicode Standard.

import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import test from "node:test";
import { gzipSync } from "node:zlib";

import { firstError, random, shortStrings, simd, strings } from "./common.mjs";

const place = new URL(`${process.env.RUNECAST_PKG ?? "../../../web/pkg"}/`, import.meta.url);
const { load, loadSync } = await import(new URL("utf8.node.js", place));
const utf8 = await load();

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

function check(bytes) {
  const expected = firstError(bytes), error = utf8.validate(bytes);
  assert.deepEqual(error && { at: error.at, len: error.len }, expected, `${bytes}`);
  assert.equal(error?.kind, simd.validate(bytes)?.kind);
  assert.equal(utf8.isUtf8(bytes), expected === null);
  const repaired = utf8.repair(bytes);
  assert.ok(Buffer.from(repaired).equals(Buffer.from(lossy.decode(bytes))), `${bytes}`);
  assert.equal(firstError(repaired), null);
}

test("short strings, all that there are", () => {
  for (const bytes of shortStrings()) check(Uint8Array.from(bytes));
});

test("longer than a window, damaged around its boundaries", () => {
  const window = 64 * 1024, next = random(11);
  for (const text of strings(12, [100, window + 5])) {
    const bytes = Buffer.from(text);
    check(bytes);
    for (const boundary of [window, 2 * window, bytes.length]) {
      for (let at = boundary - 5; at < Math.min(boundary + 2, bytes.length); at++) {
        if (at < 0) continue;
        const damaged = Buffer.from(bytes);
        damaged[at] = [0xFF, 0x80, 0xF0, 0xE2, 0x41][next() % 5];
        check(damaged);
      }
    }
  }
});

test("it is loaded as the large one is", async () => {
  const bytes = await readFile(new URL("runecast.utf8.wasm", place));
  assert.equal(loadSync(bytes).isUtf8(Buffer.from("é")), true);
  assert.equal((await load({ bytes })).isUtf8(Buffer.of(0xE9)), false);
  for (const nothing of [undefined, null, "text", 7]) assert.throws(() => utf8.validate(nothing), TypeError);
});

test("the modules are as small as the README says", async () => {
  const size = async (name) => gzipSync(await readFile(new URL(name, place)), { level: 9 }).length;
  assert.ok(await size("runecast.utf8.wasm") <= 25_000, `${await size("runecast.utf8.wasm")}`);
  assert.ok(await size("runecast.simd128.wasm") <= 160 * 1024, `${await size("runecast.simd128.wasm")}`);
  assert.ok((await stat(new URL("README.md", place))).size > 1000);
});
