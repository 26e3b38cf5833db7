// The module and its boundary: loading, arguments, memory, the explanation.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { runInNewContext } from "node:vm";

import { each, js, modules, scalar, simd } from "./common.mjs";

const place = new URL(`${process.env.RUNECAST_PKG ?? "../../../web/pkg"}/`, import.meta.url);

test("the modules are what they say", async () => {
  assert.deepEqual([simd.isa, scalar.isa], ["simd128", "scalar"]);
  assert.equal((await js.load()).isa, js.hasSimd() ? "simd128" : "scalar");
  const bytes = await readFile(new URL("runecast.scalar.wasm", place));
  assert.equal((await js.load({ bytes })).isa, "scalar");
  assert.equal(js.loadSync(bytes).isa, "scalar");
  assert.equal((await js.load({ module: new WebAssembly.Module(bytes) })).isa, "scalar");
  assert.equal((await js.load({ url: "runecast.scalar.wasm" })).isa, "scalar");
  await assert.rejects(js.load({ url: "not-there.wasm" }));
  const { version } = JSON.parse(await readFile(new URL("package.json", place), "utf8"));
  assert.equal(simd.version, version);
});

test("the test for vectors is a module with vectors in it", () => {
  // Where the engine has them, it must take it; `--no-wasm-simd` of old engines is not to be had here.
  assert.equal(js.hasSimd(), true);
});

/** What takes bytes. */
const READERS = [
  "validate", "isUtf8", "decode", "transcode", "transcodeToUtf16", "count", "explain", "detect", "illFormed", "characters",
];

each(test, "any bytes will do, and nothing else", (runecast) => {
  const buffer = new ArrayBuffer(8);
  new Uint8Array(buffer).set([0x41, 0xC3, 0xA9, 0x42, 0x43, 0x44, 0x45, 0x46]);
  const shared = new SharedArrayBuffer(8);
  new Uint8Array(shared).set(new Uint8Array(buffer));
  for (const bytes of [buffer, shared, new Uint8Array(buffer), new Uint16Array(buffer), new DataView(buffer), Buffer.from(buffer)]) {
    assert.equal(runecast.decode(bytes), "AéBCDEF");
  }
  assert.equal(runecast.decode(new DataView(buffer, 1, 2)), "é");
  for (const nothing of [undefined, null, 7, "text", [0x41], {}]) {
    for (const name of READERS) {
      assert.throws(() => runecast[name](nothing), TypeError, name);
    }
  }
  assert.throws(() => runecast.encode(7), TypeError);
  // Those of another realm are none of this one's classes.
  for (const made of ["new ArrayBuffer(3)", "new SharedArrayBuffer(3)", "new Uint8Array(3)", "new DataView(new ArrayBuffer(3))"]) {
    assert.equal(runecast.decode(runInNewContext(made)), "\0\0\0", made);
    assert.equal(runecast.encodeInto("abc", runInNewContext(made)).written, 3, made);
  }
  for (const name of ["ArrayBuffer", "SharedArrayBuffer"]) {
    assert.throws(() => runecast.decode({ [Symbol.toStringTag]: name, length: 3, byteLength: 3 }), TypeError);
  }
});

each(test, "what is detached is no text of no bytes", (runecast) => {
  for (const View of [Uint8Array, Uint16Array, DataView, undefined]) {
    const buffer = new ArrayBuffer(100), bytes = View === undefined ? buffer : new View(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    const gone = { name: "TypeError", message: /^the buffer of these bytes is detached/ };
    for (const name of READERS) {
      assert.throws(() => runecast[name](bytes), gone, name);
    }
    for (const encoding of ["utf-8", "utf-16le", "latin1"]) assert.throws(() => runecast.encodeInto("a", bytes, { encoding }), gone);
    assert.throws(() => runecast.decoder().decode(bytes), gone);
    assert.throws(() => runecast.transcoder().push(bytes), gone);
  }
  for (const none of [new ArrayBuffer(0), new Uint8Array(0), new DataView(new ArrayBuffer(0)), new SharedArrayBuffer(0), Buffer.alloc(0)]) {
    assert.equal(runecast.decode(none), "");
  }
});

each(test, "units in its own memory are an argument like any other", async ({ isa }) => {
  const runecast = await js.load({ simd: isa === "simd128" }); // whose memory grows here
  const encoding = "utf-16le", raw = (units) => Buffer.from(units.buffer, units.byteOffset, units.byteLength);
  for (const times of [1, 10, 5000, 30_000, 300_000]) {
    const text = "héllo".repeat(times), bytes = Buffer.from(text);
    const units = () => {
      runecast.release();
      return runecast.transcodeToUtf16(bytes);
    };
    const elsewhere = units().slice();
    assert.equal(runecast.decode(units(), { encoding }), text);
    assert.equal(runecast.validate(units(), { encoding }), null);
    assert.equal(runecast.count(units(), { encoding }).utf16, text.length);
    assert.equal(runecast.illFormed(units(), { encoding }).count, 0);
    assert.equal(raw(runecast.transcodeToUtf16(units(), { encoding })).toString("utf16le"), text);
    assert.ok(bytes.equals(runecast.transcode(units(), { from: encoding, to: "utf-8" })));
    for (const name of ["explain", "detect"]) assert.deepEqual(runecast[name](units()), runecast[name](elsewhere), `${name} ${times}`);
    assert.equal(runecast.decoder(encoding).decode(units()), text);
    assert.ok(bytes.equals(runecast.transcoder({ from: encoding, to: "utf-8" }).push(units())));
    const old = units();
    if (times === 300_000) {
      runecast.transcodeToUtf16(new Uint8Array(runecast.memoryBytes));
      assert.throws(() => runecast.decode(old, { encoding }), { name: "TypeError", message: /its memory has grown/ });
    }
  }
});

each(test, "a reader may give more than it was asked for, and less", (runecast) => {
  const text = Buffer.concat([Buffer.from("naïve 漢字 ".repeat(60_000)), Buffer.of(0xFF), Buffer.from("é"), Buffer.of(0xFE)]);
  // How much `detect` has seen before it was certain depends on the pieces.
  const { content, encoding, confidence } = runecast.detect(text);
  for (const size of [5000, 70_000, 300_000, text.length]) {
    let at = 0;
    const memory = Buffer.alloc(size); // used again, as readers do
    const read = () => memory.subarray(0, at < text.length ? text.copy(memory, 0, at, at += size) : 0);
    assert.deepEqual(runecast.explain(read), runecast.explain(text), `${size}`);
    at = 0;
    const found = runecast.detect(read);
    assert.deepEqual([found.content, found.encoding, found.confidence], [content, encoding, confidence], `${size}`);
    const parts = [text.subarray(0, size), text.subarray(size)].map((part) => new DataView(part.buffer, part.byteOffset, part.length));
    assert.deepEqual(runecast.explain(() => parts.shift() ?? new ArrayBuffer(0)), runecast.explain(text));
  }
});

each(test, "names that nothing has are refused", (runecast) => {
  const bytes = Uint8Array.of(0x41);
  assert.throws(() => runecast.decode(bytes, { encoding: "utf-7" }), { name: "RangeError", message: /utf-7/ });
  assert.throws(() => runecast.decode(bytes, { encoding: "" }), RangeError);
  assert.throws(() => runecast.decode(bytes, { encoding: "\u{1F980}\uD800" }), RangeError);
  for (const errors of ["ignore", "text", "", 1, null, {}]) {
    assert.throws(() => runecast.decode(bytes, { errors }), { name: "RangeError" }, String(errors));
    assert.throws(() => runecast.decoder("utf-8", { errors }), { name: "RangeError" });
  }
  assert.throws(() => runecast.decode(bytes, { bom: "drop" }), { name: "RangeError", message: /sniff/ });
  assert.throws(() => runecast.decoder("utf-7"), RangeError);
  // All that are listed are known.
  for (const encoding of runecast.encodings) assert.equal(runecast.decode(new Uint8Array(0), { encoding }), "");
  for (const errors of runecast.policies) assert.equal(runecast.decode(bytes, { errors }), "A");
  assert.equal(runecast.policies.length, 1 + 7 + 4);
});

test("memory does not grow with the number of calls", () => {
  for (const [isa, runecast] of modules) {
    const good = Buffer.from("naïve 漢字 🦀 ".repeat(20)), bad = Buffer.concat([good, Buffer.of(0xFF)]);
    const round = (times) => {
      for (let index = 0; index < times; index++) {
        runecast.decode(good);
        runecast.validate(bad);
        try {
          runecast.decode(bad);
          assert.fail("an error is not noticed");
        } catch (error) {
          assert.equal(error.at, good.length);
        }
        if (index % 10 === 0) {
          runecast.decode(bad, { errors: { text: `<${index}>` } });
          runecast.encode("漢字", { encoding: "utf-16be" });
          runecast.decoder("utf-16").decode(bad, { stream: true });
          runecast.count(bad);
        }
        if (index % 100 === 0) runecast.explain(bad);
        if (index % 1000 === 0) runecast.release();
      }
    };
    round(1000);
    const before = runecast.memoryBytes;
    round(100_000);
    assert.equal(runecast.memoryBytes, before, isa);
  }
});

test("memory does not grow with the length of a text", async () => {
  for (const simd of [true, false]) {
    const runecast = await js.load({ simd });
    const bytes = Buffer.from("naïve 漢字 🦀 ".repeat(1_800_000));
    assert.equal(runecast.validate(bytes), null);
    assert.equal(runecast.decode(bytes), bytes.toString());
    const text = bytes.toString();
    assert.ok(Buffer.from(text, "utf16le").equals(runecast.encode(text, { encoding: "utf-16le" })));
    bytes[bytes.length - 1] = 0xC3;
    assert.equal(runecast.explain(bytes).stretches[0].errors[0].at, bytes.length - 1);
    assert.ok(runecast.memoryBytes < 6_000_000, `${runecast.memoryBytes}`);
  }
});

// The module with a memory of so many pages of 64 KiB at most: its section 5 says "no greatest number".
function limited(bytes, most) {
  const number = (value) => value < 0x80 ? [value] : [value & 0x7F | 0x80, ...number(value >>> 7)];
  const read = (at) => {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      value |= (byte & 0x7F) << shift;
      shift += 7;
    } while (byte >= 0x80);
    return [value, at];
  };
  for (let at = 8; ;) {
    const id = bytes[at], [size, begin] = read(at + 1);
    if (id === 5) {
      assert.deepEqual([...bytes.subarray(begin, begin + 2)], [1, 0]);
      const section = [1, 1, ...number(read(begin + 2)[0]), ...number(most)];
      return Buffer.concat([bytes.subarray(0, at), Buffer.of(5, section.length, ...section), bytes.subarray(begin + size)]);
    }
    at = begin + size;
  }
}

test("without memory there is an error, and the instance serves on", async () => {
  for (const name of ["runecast.simd128.wasm", "runecast.scalar.wasm"]) {
    const runecast = js.loadSync(limited(await readFile(new URL(name, place)), 256)); // 16 MiB
    const text = new Uint8Array(6_000_000).fill(0x61), bad = new Uint8Array(200_000).fill(0xFF);
    text.set([0xC3, 0xA9]);
    const errors = { text: "replacement ".repeat(20) };
    const failing = [
      () => runecast.transcodeToUtf16(text),
      () => runecast.characters(text),
      () => runecast.decode(bad, { errors }),
      () => runecast.count(new Uint8Array(20_000_000)) && runecast.transcodeToUtf16(new Uint8Array(20_000_000)),
    ];
    const decoder = runecast.decoder("utf-16le", { errors });
    assert.equal(decoder.decode(Buffer.of(0x61), { stream: true }), "");
    for (const fails of failing) {
      assert.throws(fails, { name: "RangeError", message: /no memory/ });
      assert.equal(runecast.decode(Buffer.from("漢字 é 漢字 é".repeat(50))), "漢字 é 漢字 é".repeat(50));
      assert.equal(runecast.validate(Buffer.of(0x61, 0xFF)).at, 1);
      assert.equal(runecast.decode(Buffer.of(0x61, 0xFF), { errors }), `a${errors.text}`);
      assert.equal(runecast.decode(Buffer.from("é"), { encoding: "utf-16" }), "\uC3A9");
      assert.equal(runecast.explain(bad).stretches.length, 3);
    }
    assert.throws(() => runecast.explain(bad, { stretches: Infinity }), { name: "RangeError", message: /no memory/ });
    assert.equal(runecast.explain(bad).stretches.length, 3);
    // What waited for the rest of its text still does.
    assert.equal(decoder.decode(Buffer.of(0, 0, 0xD8)), `a${errors.text}`);
  }
});

each(test, "views are taken anew when memory grows", (runecast) => {
  const before = runecast.memoryBytes;
  const text = "漢字".repeat(2_000_000);
  const units = runecast.transcodeToUtf16(Buffer.from(text));
  assert.ok(runecast.memoryBytes > before);
  assert.equal(Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString("utf16le"), text);
  assert.equal(runecast.decode(Buffer.from("é🦀")), "é🦀");
  const replaced = () => runecast.decode(Buffer.from("a\xFF", "latin1"), { errors: { text: "é" } });
  assert.equal(replaced(), "aé");
  runecast.release();
  assert.equal(runecast.decode(Buffer.from("é🦀")), "é🦀");
  assert.equal(replaced(), "aé");
});

each(test, "the explanation of the README", (runecast) => {
  const { stretches, more, status, bytes_read } = runecast.explain(Buffer.from("F0808041", "hex"));
  assert.deepEqual([stretches.length, more, status, bytes_read], [1, false, "ill-formed", 4]);
  const [{ bytes, errors, span, written }] = stretches;
  assert.deepEqual(bytes, [
    { at: 0, byte: 0xF0, role: "lead of 4", ill_formed: true },
    { at: 1, byte: 0x80, role: "unexpected continuation", ill_formed: true, expected: [[0x90, 0xBF]] },
    { at: 2, byte: 0x80, role: "unexpected continuation", ill_formed: true, expected: [[0, 0x7F], [0xC2, 0xF4]] },
    { at: 3, byte: 0x41, role: "ASCII", ill_formed: false, code_point: 0x41 },
  ]);
  assert.deepEqual(errors.map(({ at, kind, line, column, row }) => [at, kind, line, column, row]), [
    [0, "overlong", 1, 1, 7],
    [1, "unexpected continuation", 1, 2, null],
    [2, "unexpected continuation", 1, 3, null],
  ]);
  assert.equal(errors[0].rule, "U+10000..U+3FFFF = F0 90..BF 80..BF 80..BF");
  assert.deepEqual(span, [0, 3]);
  assert.deepEqual(written.map(({ policy, replaced }) => [policy, replaced]), [
    ["whatwg", 3], ["per-byte", 3], ["win32", 2], ["openjdk8", 3], ["python2", 1], ["perl5", 3], ["icu55", 1],
  ]);
});

each(test, "what is explained, and how much of it", (runecast) => {
  const far = Buffer.concat(Array(5).fill([Buffer.alloc(300_000, "x"), Buffer.of(0xFF)]).flat());
  const some = runecast.explain(far);
  assert.deepEqual([some.stretches.length, some.more, some.status], [3, true, "ill-formed"]);
  assert.deepEqual(some.stretches.map(({ errors }) => errors[0].at), [300_000, 600_001, 900_002]);
  const all = runecast.explain(far, { stretches: 100 });
  assert.deepEqual([all.stretches.length, all.more, all.bytes_read], [5, false, far.length]);
  const whole = runecast.explain(Buffer.alloc(1000, "é"), { whole: 1000 });
  assert.deepEqual([whole.status, whole.stretches[0].bytes.length], ["well-formed", 1000]);
  assert.equal(runecast.explain(Buffer.alloc(1002, "é"), { whole: 100 }).stretches[0].bytes.length, 100);
  assert.deepEqual(runecast.explain(new Uint8Array(0)).stretches[0].bytes, []);
});

each(test, "options that are null are none", (runecast) => {
  const bytes = Buffer.from("aé");
  for (const name of ["validate", "decode", "transcode", "transcodeToUtf16", "count", "explain", "detect", "illFormed", "characters"]) {
    assert.deepEqual(runecast[name](bytes, null), runecast[name](bytes), name);
  }
  assert.deepEqual(runecast.encode("aé", null), runecast.encode("aé"));
  assert.equal(runecast.decoder("utf-8", null).decode(bytes, null), "aé");
});

each(test, "what is detected", (runecast) => {
  const text = "Ein Satz, in dem Größe und Übermut stehen, und noch einer. ".repeat(3);
  const found = (bytes, options) => runecast.detect(bytes, options);
  for (const [encoding, bytes] of [
    ["utf-8", Buffer.from(text)], ["utf-16le", Buffer.from(text, "utf16le")], ["latin-1", Buffer.from(text, "latin1")],
    ["utf-16be", Buffer.from(text, "utf16le").swap16()], ["ascii", Buffer.from("plain")], ["ascii", Buffer.alloc(0)],
  ]) {
    assert.deepEqual([found(bytes).content, found(bytes).encoding], ["text", encoding], encoding);
    assert.ok(found(bytes).confidence > 50 && found(bytes).evidence.length > 5);
  }
  assert.equal(found(Buffer.from("7F454C4602010100000000000000000003003E0001000000", "hex")).content, "binary");
  assert.equal(found(Buffer.from("plain")).confidence, 100);
  assert.ok(found(Buffer.from("plain"), { whole: false }).confidence < 100);
  // From a reader, and no more of it than has to be known.
  let read = 0;
  const endless = (len) => {
    const piece = new TextEncoder().encode("漢字").slice(0, len);
    read += piece.length;
    return piece;
  };
  assert.equal(runecast.detect(endless).encoding, "utf-8");
  assert.ok(read < 1_000_000);
});

each(test, "all that is ill-formed", (runecast) => {
  const places = (bytes, options) => runecast.illFormed(Buffer.from(bytes, "hex"), options).places.map(({ at, len }) => [at, len]);
  assert.deepEqual(places("F080804162"), [[0, 1], [1, 1], [2, 1]]);
  assert.deepEqual(places("41F09F9242E282"), [[1, 3], [5, 2]]);
  assert.deepEqual(places("41F09F9242E282", { last: false }), [[1, 3]]);
  assert.deepEqual(places("3DD84100", { encoding: "utf-16le" }), [[0, 2]]);
  assert.deepEqual(places("EDA080", { encoding: "wtf-8" }), []);
  // Windows, and a limit.
  const bytes = new Uint8Array(700_000).fill(0x61);
  const at = [0, 262_143, 262_144, 500_000, 699_999];
  for (const place of at) bytes[place] = 0xFF;
  const all = runecast.illFormed(bytes);
  assert.deepEqual([all.count, all.read, all.places.map((place) => place.at)], [5, 700_000, at]);
  const some = runecast.illFormed(bytes, { limit: 2 });
  assert.deepEqual([some.count, some.places.length], [5, 2]);
  // All of them, however that is said, and no fewer than none.
  for (const limit of [Infinity, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
    assert.equal(runecast.illFormed(bytes, { limit }).places.length, 5, `${limit}`);
    const { stretches, more } = runecast.explain(bytes, { whole: limit, stretches: limit });
    assert.deepEqual([stretches.flatMap(({ errors }) => errors).length, more], [5, false], `${limit}`);
  }
  assert.deepEqual(runecast.illFormed(bytes, { limit: 0 }), { count: 5, places: [], read: 700_000 });
  for (const wrong of [NaN, -1, -Infinity, "many"]) {
    assert.throws(() => runecast.illFormed(bytes, { limit: wrong }), { name: "RangeError", message: /limit/ });
    assert.throws(() => runecast.explain(bytes, { whole: wrong }), { name: "RangeError", message: /whole/ });
    assert.throws(() => runecast.explain(bytes, { stretches: wrong }), { name: "RangeError", message: /stretches/ });
  }
});

// A sequence that is reserved in Corrected UTF-8 ends where another begins, in whatever window that is.
each(test, "reserved sequences are one each", (runecast) => {
  const encoding = "corrected utf-8", window = 256 * 1024;
  for (const length of [3, window, 2 * window + 5]) {
    for (const before of [0, 1, 100, window - 4, window - 1, window, window + 1]) {
      for (const tail of ["", "b", "b\xFE\x80"]) {
        const bytes = new Uint8Array(before + length + tail.length).fill(0x61);
        bytes.fill(0x80, before, before + length)[before] = 0xFE;
        bytes.set(Buffer.from(tail, "latin1"), before + length);
        const places = [{ at: before, len: length }];
        if (tail.length > 1) places.push({ at: before + length + 1, len: 2 });
        assert.deepEqual(runecast.illFormed(bytes, { encoding }).places, places, `${length} at ${before}`);
        const { at, len } = runecast.validate(bytes, { encoding });
        assert.deepEqual([at, len], [before, length]);
        assert.throws(() => runecast.decode(bytes, { encoding }), { name: "IllFormedError", at: before, len: length });
        // In pieces, what may go on is not read.
        const piece = runecast.illFormed(bytes, { encoding, last: false });
        const open = tail === "b" ? undefined : places.pop();
        assert.deepEqual(piece, { count: places.length, places, read: open?.at ?? bytes.length });
      }
    }
  }
});

each(test, "a text character by character", (runecast) => {
  const characters = (hex, encoding) => runecast.characters(Buffer.from(hex, "hex"), { encoding })
    .map(({ at, len, codePoint, kind }) => [at, len, codePoint ?? kind]);
  assert.deepEqual(characters("41C3A9E6BCA2F09FA680"), [[0, 1, 0x41], [1, 2, 0xE9], [3, 3, 0x6F22], [6, 4, 0x1F980]]);
  assert.deepEqual(characters("F0804141"), [[0, 1, "overlong"], [1, 1, "unexpected continuation"], [2, 1, 0x41], [3, 1, 0x41]]);
  assert.deepEqual(characters("41003ED880DD00D8", "utf-16le"), [[0, 2, 0x41], [2, 4, 0x1F980], [6, 2, "incomplete"]]);
  assert.deepEqual(characters("EDA08041", "wtf-8"), [[0, 3, 0xD800], [3, 1, 0x41]]);
  assert.deepEqual(characters("E941", "latin1"), [[0, 1, 0xE9], [1, 1, 0x41]]);
});

each(test, "strings are written into bytes as far as they fit", (runecast) => {
  const texts = ["", "abc", "naïve 漢字 🦀🦀", "🦀".repeat(50), "é".repeat(300)];
  for (const text of texts) {
    for (const size of [0, 1, 2, 3, 4, 5, 7, 10, 33, 200, 1000]) {
      const ours = new Uint8Array(size), theirs = new Uint8Array(size);
      assert.deepEqual(runecast.encodeInto(text, ours), new TextEncoder().encodeInto(text, theirs), `${text} ${size}`);
      assert.deepEqual(ours, theirs);
      for (const encoding of ["utf-16be", "utf-32le"]) {
        const bytes = new Uint8Array(size);
        const { read, written } = runecast.encodeInto(text, bytes, { encoding });
        const whole = runecast.encode(text.slice(0, read), { encoding });
        assert.deepEqual(bytes.subarray(0, written), whole);
        // The next character does not fit.
        const next = text.slice(read).match(/^./su)?.[0];
        assert.ok(next === undefined || written + runecast.encode(next, { encoding }).length > size, `${encoding} ${text} ${size}`);
      }
    }
  }
  assert.throws(() => runecast.encodeInto("a\uD800", new Uint8Array(9)), { name: "IllFormedError", at: 1 });
});

// Which way a text of some kilobytes takes depends on its length, and on what the one before it was.
each(test, "texts that are ASCII, nearly, and ill-formed, in every order", (runecast) => {
  const kinds = [
    (size) => Buffer.alloc(size, "plain text "),
    (size) => Buffer.concat([Buffer.alloc(size - 2, "plain text "), Buffer.from("é")]),
    (size) => Buffer.from(Buffer.alloc(size, "plain text ")).fill(0xFF, 5, 6),
    (size) => Buffer.alloc(size, "é"),
  ];
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }), lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const size of [64, 1022, 1024, 1278, 1280, 1534, 2046, 2048, 2050]) {
    for (const before of kinds) {
      for (const kind of kinds) {
        runecast.decode(before(size), { errors: "whatwg" });
        const bytes = kind(size);
        assert.equal(runecast.decode(bytes, { errors: "whatwg" }), lenient.decode(bytes), `${size} bytes`);
        runecast.decode(before(size), { errors: "whatwg" });
        if (kind === kinds[2]) {
          assert.throws(() => runecast.decode(bytes), { name: "IllFormedError", at: 5 });
        } else {
          assert.equal(runecast.decode(bytes), strict.decode(bytes), `${size} bytes`);
        }
      }
    }
  }
});

// Where the host writes UTF-16 by itself, and where it does not: by what a DataView writes, at odd addresses too, past no end.
each(test, "encodeInto writes UTF-16 in both orders, in place", (runecast) => {
  const texts = ["", "a", "é水🦀", "🦀🦀🦀", "plain text ".repeat(40), "ab🦀水é".repeat(60)];
  for (const text of texts) {
    for (const size of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 127, 128, 129, 255, 256, 601, 2 * text.length, 2 * text.length + 3]) {
      for (const [encoding, little] of [["utf-16le", true], ["utf-16be", false], ["wtf-16le", true], ["utf-16", false]]) {
        for (const start of [0, 1]) {
          const all = new Uint8Array(size + start + 2).fill(0xEE), expected = all.slice(), view = new DataView(expected.buffer);
          const result = runecast.encodeInto(text, all.subarray(start, start + size), { encoding });
          let read = 0;
          for (const character of text) {
            if (2 * (read + character.length) > size) break;
            for (let unit = 0; unit < character.length; unit++, read++) view.setUint16(start + 2 * read, character.charCodeAt(unit), little);
          }
          assert.deepEqual(result, { read, written: 2 * read }, `${encoding} ${text.length} units, ${size} bytes`);
          assert.deepEqual(all, expected, `${encoding} ${text.length} units, ${size} bytes at ${start}`);
        }
      }
    }
  }
  // A surrogate without its partner has a form in WTF-16 alone.
  const into = new Uint8Array(4);
  assert.deepEqual(runecast.encodeInto("a\uD800", into, { encoding: "wtf-16be" }), { read: 2, written: 4 });
  assert.deepEqual([...into], [0, 0x61, 0xD8, 0]);
  assert.throws(() => runecast.encodeInto("a\uD800", into, { encoding: "utf-16be" }), { name: "IllFormedError", at: 1 });
});

each(test, "lone surrogates are escaped as units of the string, and bytes as surrogates come back", (runecast) => {
  const backslash = (text, encoding) => Buffer.from(runecast.encode(text, { encoding, errors: "backslash" })).toString("latin1");
  assert.equal(backslash("x\uD83D", "utf-8"), "x\\uD83D");
  assert.equal(backslash("\uDC00\u{1F600}\uD800", "utf-8"), "\\uDC00\xF0\x9F\x98\x80\\uD800");
  assert.equal(backslash("\xE9\uDFFF", "latin-1"), "\xE9\\uDFFF");
  assert.deepEqual([...runecast.encode("\uD800", { encoding: "wtf-8", errors: "backslash" })], [0xED, 0xA0, 0x80]);
  for (const hex of ["", "41", "FF", "E9", "41E9E942", "F09F9880", "F09F98", "EDA080", "80F09F988041BF"]) {
    const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
    const text = runecast.decode(bytes, { errors: "surrogate" });
    assert.deepEqual(runecast.unescapeSurrogates(text), bytes, hex);
  }
  assert.throws(() => runecast.unescapeSurrogates("a\uDCE9b\uD800"), { name: "IllFormedError", at: 3 });
});

test("what is no options, no name and no module is told from what is", async () => {
  const bytes = Uint8Array.of(0xE9);
  for (const call of ["decode", "validate", "count", "illFormed"]) {
    assert.throws(() => simd[call](bytes, "latin1"), { name: "TypeError", message: /\{ encoding: "latin1" \}/ }, call);
  }
  // Options that there are, where an encoding has another name, or is none of them.
  assert.throws(() => simd.transcode(bytes, "latin1"), { name: "TypeError", message: /\{ to: "latin1" \}/ });
  assert.throws(() => simd.transcoder("latin1"), { name: "TypeError", message: /\{ to: "latin1" \}/ });
  assert.throws(() => simd.decoder("utf-8", "fatal"), { name: "TypeError", message: /\{ errors: "fatal" \}/ });
  assert.throws(() => simd.encode("a", "latin1"), TypeError);
  assert.throws(() => simd.decode(bytes, { encoding: "utf-61le" }), { name: "RangeError", message: /"utf-61le"; there are .*utf-16le/i });
  assert.throws(() => simd.decode(bytes, { errors: "replace" }), { name: "RangeError", message: /"replace"; there are .*whatwg/ });
  const small = await readFile(new URL("runecast.utf8.wasm", place)), large = await readFile(new URL("runecast.scalar.wasm", place));
  await assert.rejects(js.load({ bytes: small }), TypeError);
  const utf8 = await import(new URL("utf8.node.js", place));
  for (const bytes of [large, await readFile(new URL("runecast.texts.wasm", place))]) {
    await assert.rejects(utf8.load({ bytes }), { name: "TypeError", message: /not the module of this package for UTF-8/ });
  }
  // Each is an option, and no options.
  const address = new URL("runecast.scalar.wasm", place);
  for (const [name, source] of [["url", "runecast.scalar.wasm"], ["url", address], ["bytes", large], ["module", new WebAssembly.Module(large)]]) {
    for (const { load } of [js, utf8]) {
      await assert.rejects(load(source), { name: "TypeError", message: `options must be an object, as in { ${name}: … }` });
    }
  }
  const error = new js.IllFormedError({ at: 1, len: 2, kind: "overlong", message: "m" });
  assert.deepEqual([error.at, error.len, error.kind, error.message], [1, 2, "overlong", "m"]);
});
