// The other encodings: against Buffer, and against forms worked out by hand.

import assert from "node:assert/strict";
import test from "node:test";

import { each, js, modules, random, strings } from "./common.mjs";

/** A string in UTF-32, big-endian: from its code points. */
function utf32be(text) {
  const bytes = Buffer.alloc(4 * [...text].length);
  [...text].forEach((character, index) => bytes.writeUInt32BE(character.codePointAt(0), 4 * index));
  return bytes;
}

const swapped = (bytes, width) => (width === 2 ? Buffer.from(bytes).swap16() : Buffer.from(bytes).swap32());

/** A string in each encoding that has all of Unicode. */
const FORMS = {
  "utf-8": (text) => Buffer.from(text),
  "utf-16le": (text) => Buffer.from(text, "utf16le"),
  "utf-16be": (text) => swapped(Buffer.from(text, "utf16le"), 2),
  "utf-32be": utf32be,
  "utf-32le": (text) => swapped(utf32be(text), 4),
  "wtf-8": (text) => Buffer.from(text),
};

each(test, "every encoding to and from strings, and to every other", (runecast) => {
  for (const text of strings(7, [0, 1, 2, 7, 30, 200, 90_000])) {
    for (const [encoding, form] of Object.entries(FORMS)) {
      const bytes = form(text);
      assert.equal(runecast.decode(bytes, { encoding }), text, encoding);
      assert.equal(runecast.validate(bytes, { encoding }), null);
      assert.ok(bytes.equals(runecast.encode(text, { encoding })), encoding);
      if (text.length > 1000) continue;
      for (const [to, other] of Object.entries(FORMS)) {
        assert.ok(other(text).equals(runecast.transcode(bytes, { from: encoding, to })), `${encoding} to ${to}`);
      }
    }
  }
});

each(test, "no window of a string ends between the halves of a pair", (runecast) => {
  for (const begin of ["", "a"]) {
    const text = begin + "🦀".repeat(200_000);
    assert.ok(FORMS["utf-16be"](text).equals(runecast.encode(text, { encoding: "utf-16be" })));
    assert.ok(FORMS["utf-32le"](text).equals(runecast.encode(text, { encoding: "utf-32le" })));
  }
});

each(test, "texts in UTF-16 memory are those of Buffer", (runecast) => {
  for (const text of strings(8, [0, 1, 5, 1000, 500_000])) {
    const units = runecast.transcodeToUtf16(Buffer.from(text));
    assert.equal(units.length, text.length);
    const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
    assert.equal(bytes.toString("utf16le"), text);
  }
});

each(test, "Latin-1 is all bytes, ASCII half of them", (runecast) => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const bytes of [all, all.subarray(0, 128), all.subarray(100, 140), new Uint8Array(600_000).fill(0xE9)]) {
    const text = Buffer.from(bytes).toString("latin1");
    assert.equal(runecast.decode(bytes, { encoding: "latin1" }), text);
    assert.ok(Buffer.from(bytes).equals(runecast.encode(text, { encoding: "latin1" })));
    const bad = bytes.findIndex((byte) => byte > 0x7F);
    const error = runecast.validate(bytes, { encoding: "ascii" });
    assert.equal(error?.at, bad < 0 ? undefined : bad);
    assert.equal(runecast.decode(bytes, { encoding: "ascii", errors: "whatwg" }), text.replace(/[^\0-\x7F]/g, "\uFFFD"));
  }
});

// The host writes the lower byte of each unit, whatever it is.
each(test, "Latin-1 by the host is Latin-1, in any memory", (runecast) => {
  for (const size of [0, 1, 16, 1000, 300_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, at) => at * 7);
    // A string that had been one of two bytes a unit, and one that never was.
    for (const text of [Buffer.from(bytes).toString("latin1"), `${Buffer.from(bytes).toString("latin1")}漢`.slice(0, size)]) {
      assert.deepEqual(runecast.encode(text, { encoding: "latin1" }), bytes);
      for (const room of [0, size >> 1, size, size + 3]) {
        const into = new Uint8Array(new SharedArrayBuffer(room + 2), 1, room), length = Math.min(room, size);
        assert.deepEqual(runecast.encodeInto(text, into, { encoding: "latin1" }), { read: length, written: length });
        assert.deepEqual([...into], [...bytes.subarray(0, length), ...Array(room - length).fill(0)]);
      }
      for (const character of ["\u0100", "漢", "🦀", "\u2000"]) {
        const lossy = runecast.encode(text + character, { encoding: "latin1", errors: "whatwg" });
        const expected = new Uint8Array(size + 1).fill(0x3F);
        expected.set(bytes);
        assert.deepEqual(lossy, expected);
        assert.throws(() => runecast.encode(text + character, { encoding: "latin1" }), { at: size });
      }
      const shared = new Uint8Array(new SharedArrayBuffer(size + 1), 1);
      shared.set(bytes);
      assert.equal(runecast.decode(shared, { encoding: "latin1" }), text);
      const decoder = runecast.decoder("latin1", { fatal: true });
      const cut = size >> 1;
      assert.equal(decoder.decode(shared.subarray(0, cut), { stream: true }) + decoder.decode(shared.subarray(cut)), text);
    }
  }
});

each(test, "what a target has no form for is said, or becomes a question mark", (runecast) => {
  const text = "naïve 漢🦀";
  assert.throws(() => runecast.encode(text, { encoding: "latin1" }), (error) => {
    assert.ok(error instanceof js.UnrepresentableError && error instanceof RangeError);
    assert.deepEqual([error.at, error.codePoint, error.message], [6, 0x6F22, "U+6F22 at 6 has no form in Latin-1"]);
    return true;
  });
  const bytes = runecast.encode(text, { encoding: "latin1", errors: "whatwg" });
  assert.equal(Buffer.from(bytes).toString("latin1"), "naïve ??");
  const long = "x".repeat(300_000) + "é".repeat(300_000) + "漢";
  assert.throws(() => runecast.encode(long, { encoding: "latin1" }), { at: 600_000, codePoint: 0x6F22 });
  assert.throws(() => runecast.transcode(Buffer.from(long), { to: "latin1" }), { at: 900_000, codePoint: 0x6F22 });
});

// As much as fits, and what is wrong only once all before it is written and there is room left: character by character.
each(test, "encodeInto stops where the room ends, whatever comes behind that", (runecast) => {
  const cases = [
    ["ab漢", 2, "latin1"], ["abcdef漢", 2, "latin1"], ["éééé\uD800", 5], ["éééééé\uD800", 5], ["ab\uD800", 2], ["\uD800", 0],
  ];
  for (const [text, room, encoding] of cases) {
    const to = new Uint8Array(room);
    const fits = Math.floor(room / (text[0] === "é" ? 2 : 1));
    assert.deepEqual(runecast.encodeInto(text, to, { encoding }), { read: fits, written: fits * (text[0] === "é" ? 2 : 1) }, text);
  }
  const long = "é".repeat(200_000) + "\uD800" + "é".repeat(10);
  for (const room of [0, 1, 399_999, 400_000]) {
    assert.equal(runecast.encodeInto(long, new Uint8Array(room)).read, room >> 1);
  }
  for (const room of [400_001, 400_010, 900_000]) {
    assert.throws(() => runecast.encodeInto(long, new Uint8Array(room)), { name: "IllFormedError", at: 200_000 });
    const ascii = () => runecast.encodeInto("a".repeat(room) + "漢b", new Uint8Array(room + 1), { encoding: "ascii" });
    assert.throws(ascii, { at: room, codePoint: 0x6F22 });
  }
  const next = random(31);
  const alphabet = ["a", "é", "漢", "🦀", "\uD800", "\uDC00", "\0"];
  for (let round = 0; round < 1500; round++) {
    const text = Array.from({ length: next() % 60 }, () => alphabet[next() % (next() % 2 ? 7 : 2)]).join("");
    const encoding = ["utf-8", "wtf-8", "cesu-8", "modified utf-8", "utf-16be", "wtf-16le", "utf-32le", "latin1", "ascii"][next() % 9];
    for (const errors of ["fatal", "whatwg", "backslash"]) {
      const room = next() % 90, to = new Uint8Array(room).fill(0xEE), expected = to.slice();
      let read = 0, written = 0, wrong;
      for (const character of text) {
        if (written === room) break;
        let bytes;
        try {
          bytes = runecast.encode(character, { encoding, errors });
        } catch {
          wrong = read;
          break;
        }
        if (bytes.length > room - written) break;
        expected.set(bytes, written);
        read += character.length;
        written += bytes.length;
      }
      const what = `${encoding} ${errors} ${room} ${JSON.stringify(text)}`;
      if (wrong === undefined) {
        assert.deepEqual(runecast.encodeInto(text, to, { encoding, errors }), { read, written }, what);
        assert.deepEqual(to, expected, what);
      } else {
        assert.throws(() => runecast.encodeInto(text, to, { encoding, errors }), { at: wrong }, what);
      }
    }
  }
});

each(test, "surrogates without a partner are kept where there is a form for them", (runecast) => {
  const text = "a\uD800b\uDC00🦀\uDBFF";
  const bytes = runecast.encode(text, { encoding: "wtf-8" });
  assert.equal(Buffer.from(bytes).toString("hex"), "61eda08062edb080f09fa680edafbf");
  assert.equal(runecast.decode(bytes, { encoding: "wtf-8" }), text);
  assert.equal(runecast.decode(runecast.encode(text, { encoding: "wtf-16be" }), { encoding: "wtf-16be" }), text);
  assert.throws(() => runecast.encode(text, { encoding: "utf-16le" }), { name: "IllFormedError", at: 1 });
  const units = runecast.transcodeToUtf16(bytes, { encoding: "wtf-8" });
  assert.equal(String.fromCharCode(...units), text);
});

each(test, "strings of the JVM: surrogates in three bytes each, and two bytes for U+0000", (runecast) => {
  const text = "a\0🪨";
  const bytes = runecast.encode(text, { encoding: "modified utf-8" });
  assert.equal(Buffer.from(bytes).toString("hex"), "61c080eda0beedbaa8");
  assert.equal(runecast.decode(bytes, { encoding: "java-utf-8" }), text);
});

each(test, "byte order marks", (runecast) => {
  const decode = (hex, options) => runecast.decode(Buffer.from(hex, "hex"), options);
  assert.equal(decode("EFBBBF41"), "\uFEFFA");
  assert.equal(decode("EFBBBF41", { bom: "strip" }), "A");
  assert.equal(decode("EFBBBF", { bom: "strip" }), "");
  assert.equal(decode("FFFE4100", { bom: "sniff" }), "A");
  assert.equal(decode("FFFE0000410000000", { bom: "sniff" }), "A");
  assert.equal(decode("41", { bom: "sniff" }), "A");
  assert.equal(decode("FFFE4100", { encoding: "utf-16" }), "A");
  assert.equal(decode("FEFF0041", { encoding: "utf-16" }), "A");
  assert.equal(decode("0041", { encoding: "utf-16" }), "A");
  assert.equal(decode("FFFE4100", { encoding: "utf-16le" }), "\uFEFFA");
  // Places count from the mark.
  assert.equal(runecast.validate(Buffer.from("EFBBBFFF", "hex"), { bom: "strip" }).at, 3);
});

test("a sequence longer than any window", () => {
  // Reserved in Corrected UTF-8: everything from FE up to the next lead byte of another kind is one sequence.
  const bytes = new Uint8Array(700_000).fill(0x80);
  bytes[0] = 0x41;
  bytes[1] = 0xFE;
  for (const [isa, runecast] of modules) {
    const error = runecast.validate(bytes, { encoding: "corrected utf-8" });
    assert.deepEqual([error?.at, error?.kind], [1, "reserved"], isa);
    const whole = runecast.transcode(bytes, { from: "corrected utf-8", to: "utf-8", errors: "whatwg" });
    assert.equal(Buffer.from(whole).toString(), "A\uFFFD", isa);
  }
});

each(test, "what is ill-formed in any encoding is replaced sequence by sequence", (runecast) => {
  const next = random(21);
  const bytes = [0x00, 0x00, 0x00, 0x41, 0x7F, 0x80, 0xA0, 0xBF, 0xC0, 0xC3, 0xD8, 0xDC, 0xDF, 0xE2, 0xED, 0xEE, 0xF0, 0xF4, 0xFE, 0xFF];
  for (const encoding of [
    "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1", "ascii", "cesu-8", "modified utf-8", "wtf-8", "wtf-16le", "wtf-16be",
    "generalized utf-8", "wobbly cesu-8", "wobbly modified utf-8", "corrected utf-8",
  ]) {
    for (let round = 0; round < 1500; round++) {
      const text = Uint8Array.from({ length: next() % 40 }, () => bytes[next() % bytes.length]);
      const characters = runecast.characters(text, { encoding });
      // Every byte belongs to one of them.
      assert.equal(characters.reduce((end, { at, len }) => (assert.equal(at, end), at + len), 0), text.length);
      const isSurrogate = (point) => point >= 0xD800 && point <= 0xDFFF;
      const written = (replacement) => characters.map(({ codePoint: point }) =>
        point === null || isSurrogate(point) ? replacement : String.fromCodePoint(point)).join("");
      const decoded = (errors) => Buffer.from(runecast.transcode(text, { from: encoding, to: "utf-8", errors })).toString();
      assert.equal(decoded("whatwg"), written("\uFFFD"), `${encoding} ${Buffer.from(text).toString("hex")}`);
    }
  }
});
