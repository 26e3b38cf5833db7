// Streams: each step gives what TextDecoder gives, and all of them what the whole text is.

import assert from "node:assert/strict";
import test from "node:test";

import { chunkings, each, js, random, strings } from "./common.mjs";

const VECTORS = [
  "", "41", "C3A9", "E6BCA2", "F09FA680", "41C3A9E6BCA2", "F09FA68041", "EFBBBF41", "EFBB", "EFBBBFEFBBBF", "EF41",
  "F0808041", "EDA08041", "EDA0BDEDB080", "F4908080", "F0908080", "E0A0", "E09F41", "C0AF", "F5808041", "FBBFBFBFBF",
  "41FF42", "F09F92F09F92", "E28241", "FFFE4100", "FFFE3DD800DE", "3DD83DD800DE41", "FEFF0041", "D8004100", "00D800D8",
];

/** All steps of a stream, and what it threw at. */
function steps(decoder, chunks) {
  const results = [];
  try {
    for (const chunk of chunks) results.push(decoder.decode(chunk, { stream: true }));
    results.push(decoder.decode());
  } catch {
    results.push("threw");
  }
  return results;
}

for (const encoding of ["utf-8", "utf-16le"]) {
  each(test, `all chunkings of short texts are as in TextDecoder, ${encoding}`, (runecast) => {
    for (const hex of VECTORS) {
      const bytes = Buffer.from(hex, "hex");
      for (const options of [{}, { fatal: true }, { ignoreBOM: true }]) {
        for (const chunks of chunkings(bytes)) {
          const ours = runecast.decoder(encoding, options), theirs = new TextDecoder(encoding, options);
          const [got, expected] = [steps(ours, chunks), steps(theirs, chunks)];
          const cut = chunks.map((chunk) => chunk.length);
          // Half a surrogate pair: node's TextDecoder gives it out at different times, and so only the whole counts.
          if (encoding === "utf-16le" || bytes[0] === 0xEF) {
            assert.equal(got.join(""), expected.join(""), `${hex} cut ${cut} ${JSON.stringify(options)}`);
          } else {
            assert.deepEqual(got, expected, `${hex} cut ${cut} ${JSON.stringify(options)}`);
          }
        }
      }
    }
  });
}

each(test, "whatever the policy and the chunks, it is the whole text", (runecast) => {
  for (const hex of VECTORS) {
    const bytes = Buffer.from(hex, "hex");
    for (const encoding of ["utf-8", "utf-16", "utf-32be", "cesu-8", "wtf-8", "latin1", "corrected utf-8"]) {
      for (const errors of [...runecast.policies.filter((name) => name !== "fatal"), { text: "<?>" }]) {
        const whole = runecast.decode(bytes, { encoding, errors });
        for (const chunks of chunkings(bytes)) {
          if (chunks.length > 4) continue;
          const decoder = runecast.decoder(encoding, { errors, ignoreBOM: true });
          let text = "";
          for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
          assert.equal(text + decoder.decode(), whole, `${hex} ${encoding} ${JSON.stringify(errors)} ${chunks.length}`);
        }
      }
    }
  }
});

each(test, "long texts in chunks of all sizes", (runecast) => {
  const next = random(9);
  for (const text of strings(10, [200_000])) {
    const bytes = Buffer.from(text);
    const decoder = runecast.decoder("utf-8", { fatal: true, ignoreBOM: true });
    let got = "";
    for (let at = 0; at < bytes.length;) {
      const size = 1 + next() % (next() % 2 ? 300_000 : 50);
      got += decoder.decode(bytes.subarray(at, at + size), { stream: true });
      at += size;
    }
    assert.equal(got + decoder.decode(), text);
  }
});

each(test, "an error has its place in the whole text, and the next text is another", (runecast) => {
  const decoder = runecast.decoder("utf-8", { fatal: true });
  for (let times = 0; times < 2; times++) {
    decoder.decode(Buffer.from("EFBBBF41E6BC", "hex"), { stream: true });
    assert.throws(() => decoder.decode(Buffer.from("41", "hex"), { stream: true }), (error) => {
      assert.ok(error instanceof js.IllFormedError);
      assert.deepEqual([error.at, error.len, error.kind], [4, 2, "truncated"]);
      assert.match(error.message, /^ill-formed at byte 4: E6 BC begins/);
      return true;
    });
    assert.equal(decoder.decode(Buffer.from("41")), "A".replace("A", "41"));
  }
});

each(test, "a chunk is not kept: its bytes may change", (runecast) => {
  const decoder = runecast.decoder();
  const chunk = Uint8Array.of(0x41, 0xE6);
  assert.equal(decoder.decode(chunk, { stream: true }), "A");
  chunk.fill(0xFF);
  assert.equal(decoder.decode(Uint8Array.of(0xBC, 0xA2)), "漢");
});

each(test, "a chunk that is a Buffer is not kept, either: `slice` of it is a view", (runecast) => {
  const decoder = runecast.decoder(), transcoder = runecast.transcoder({ from: "utf-16", to: "utf-8" });
  const chunk = Buffer.alloc(2);
  chunk.set([0x41, 0xC3]);
  assert.equal(decoder.decode(chunk, { stream: true }), "A");
  chunk.set([0xA9, 0x42]);
  assert.equal(decoder.decode(chunk, { stream: true }), "éB");
  const one = Buffer.from([0xFE]);
  assert.equal(transcoder.push(one).length, 0);
  one[0] = 0xFF;
  assert.equal(transcoder.push(one).length, 0);
  one[0] = 0x00;
  transcoder.push(one);
  one[0] = 0x41;
  assert.deepEqual([...transcoder.push(one), ...transcoder.finish()], [0x41]);
});

each(test, "a pair of surrogates is one where halves may stand alone, wherever a chunk ends", (runecast) => {
  const text = Buffer.from("a🦀b", "utf16le");
  for (let cut = 0; cut <= text.length; cut++) {
    for (const to of ["utf-8", "wtf-8"]) {
      const transcoder = runecast.transcoder({ from: "wtf-16le", to });
      const pieces = [transcoder.push(text.subarray(0, cut)), transcoder.push(text.subarray(cut)), transcoder.finish()];
      assert.equal(Buffer.concat(pieces).toString(), "a🦀b", `${to}, ${cut}`);
    }
  }
  // And wherever a window ends: two surrogates of three bytes are no WTF-8.
  for (const before of [262140, 262141, 262142, 262143]) {
    const bytes = Buffer.concat([Buffer.alloc(before, 0x61), Buffer.from("EDA080EDB080", "hex")]);
    assert.equal(runecast.validate(bytes, { encoding: "wtf-8" })?.at, before);
    assert.equal(runecast.illFormed(bytes, { encoding: "wtf-8" }).count, 1);
    const wide = Buffer.from("a".repeat(before / 2) + "🦀", "utf16le");
    assert.equal(Buffer.from(runecast.transcode(wide, { from: "wtf-16le", to: "utf-8" })).length, (before >> 1) + 4);
  }
});

each(test, "what a reader throws reaches the caller, and nothing else is changed", (runecast) => {
  for (const method of ["detect", "explain"]) {
    assert.throws(() => runecast[method](() => { throw new Error("no more"); }), /no more/);
    const inner = [() => runecast.detect(new Uint8Array(1)), () => runecast.decode(Uint8Array.of(0xC3, 0xA9, 0, 0, 0xFF), { encoding: "cesu-8" })];
    for (const call of inner) assert.throws(() => runecast[method](call), /must not call/);
    assert.throws(() => runecast[method](() => "text"), TypeError);
    assert.equal(runecast.decode(Uint8Array.of(0x61, 0xC3, 0xA9)), "aé");
    assert.equal(runecast.detect(Uint8Array.of(0xEF, 0xBB, 0xBF, 0x61)).encoding, "utf-8");
  }
});

each(test, "encodeInto writes a lone surrogate that fits", (runecast) => {
  const to = new Uint8Array(3);
  assert.deepEqual(runecast.encodeInto("\uD800a", to, { errors: "whatwg" }), { read: 1, written: 3 });
  assert.deepEqual([...to], [0xEF, 0xBF, 0xBD]);
  assert.deepEqual(runecast.encodeInto("🦀", to, { errors: "whatwg" }), { read: 0, written: 0 });
});

each(test, "properties are those of TextDecoder", (runecast) => {
  const decoder = runecast.decoder("Utf8", { fatal: true, ignoreBOM: true });
  assert.deepEqual([decoder.encoding, decoder.fatal, decoder.ignoreBOM], ["utf-8", true, true]);
  const lossy = runecast.decoder();
  assert.deepEqual([lossy.fatal, lossy.ignoreBOM, lossy.errors], [false, false, "whatwg"]);
});

each(test, "transforms are shaped like TextDecoderStream", async (runecast) => {
  const text = "naïve 漢字 🦀".repeat(1000), bytes = new TextEncoder().encode(text);
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
  };
  const collect = async (stream) => {
    const all = [];
    for await (const piece of stream) all.push(piece);
    return all;
  };
  const decoding = runecast.decoderStream("UTF-8", { fatal: true });
  const theirs = new TextDecoderStream("UTF-8", { fatal: true });
  for (const name of ["encoding", "fatal", "ignoreBOM"]) assert.equal(decoding[name], theirs[name], name);
  assert.equal((await collect(ReadableStream.from(pieces()).pipeThrough(decoding))).join(""), text);
  const transcoding = runecast.transcoderStream({ from: "utf-8", to: "UTF-16LE" });
  assert.deepEqual([transcoding.from, transcoding.to], ["utf-8", "utf-16le"]);
  const written = await collect(ReadableStream.from(pieces()).pipeThrough(transcoding));
  assert.equal(Buffer.concat(written).toString("utf16le"), text);
  const broken = ReadableStream.from([Uint8Array.of(0x41, 0xE6), Uint8Array.of(0x41)]);
  await assert.rejects(collect(broken.pipeThrough(runecast.decoderStream("utf-8", { fatal: true }))), { name: "IllFormedError", at: 1 });
});

each(test, "strings that become bytes, however they are cut", (runecast) => {
  const texts = ["", "a", "🦀", "a🦀b🦀", "\uD83E", "\uDD80\uD83E\uDD80\uD83E", "\uD83E\uD83E\uDD80a", "é漢\uDD80\uD83E"];
  for (const encoding of ["utf-8", "utf-16be", "wtf-8", "wtf-16le", "cesu-8", "utf-32le", "latin1"]) {
    for (const errors of ["whatwg", "backslash", { text: "<?>" }]) {
      const encoder = runecast.encoder(encoding, { errors });
      for (const text of texts) {
        const whole = Buffer.from(runecast.encode(text, { encoding, errors }));
        for (const chunks of chunkings(Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)))) {
          const pieces = chunks.map((units) => encoder.encode(String.fromCharCode(...units), { stream: true }));
          const what = `${encoding} ${JSON.stringify(text)} ${chunks.map(({ length }) => length)}`;
          assert.ok(whole.equals(Buffer.concat([...pieces, encoder.encode()])), what);
        }
      }
    }
  }
  // Places are those in the whole text, and the next text is another.
  const strict = runecast.encoder("utf-8"), narrow = runecast.encoder("latin1");
  for (let times = 0; times < 2; times++) {
    assert.equal(strict.encode("ab\uD83E", { stream: true }).length, 2);
    const message = /^ill-formed at unit 2: a surrogate/;
    assert.throws(() => strict.encode("c", { stream: true }), { name: "IllFormedError", at: 2, message });
    assert.equal(strict.encode("\uD83E", { stream: true }).length, 0);
    assert.throws(() => strict.encode(), { name: "IllFormedError", at: 0 });
    assert.equal(narrow.encode("aé\uD83E", { stream: true }).length, 2);
    assert.throws(() => narrow.encode("\uDD80", { stream: true }), { name: "UnrepresentableError", at: 2, codePoint: 0x1F980 });
  }
  assert.deepEqual([strict.encoding, strict.errors, narrow.encoding], ["utf-8", "fatal", "latin-1"]);
  assert.throws(() => strict.encode(7), TypeError);
  assert.throws(() => runecast.encoder("utf-7"), RangeError);
  assert.throws(() => runecast.encoder("utf-8", { errors: "ignore" }), RangeError);
  assert.throws(() => runecast.encoder("utf-8", "whatwg"), { name: "TypeError", message: /\{ errors: "whatwg" \}/ });
});

each(test, "a transform of strings is shaped like TextEncoderStream", async (runecast) => {
  const text = "naïve 漢字 🦀🦀 ".repeat(1000), pieces = text.match(/[^]{1,7}/g);
  const collect = async (stream) => {
    const all = [];
    for await (const piece of stream) all.push(piece);
    return Buffer.concat(all);
  };
  const ours = runecast.encoderStream();
  assert.equal(ours.encoding, new TextEncoderStream().encoding);
  const theirs = await collect(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()));
  assert.ok(theirs.equals(await collect(ReadableStream.from(pieces).pipeThrough(ours))));
  const wide = await collect(ReadableStream.from(pieces).pipeThrough(runecast.encoderStream("utf-16le")));
  assert.equal(wide.toString("utf16le"), text);
  const broken = ReadableStream.from(["ab\uD83E", "c"]).pipeThrough(runecast.encoderStream());
  await assert.rejects(collect(broken), { name: "IllFormedError", at: 2 });
});

each(test, "bytes that become other bytes, however they are cut", (runecast) => {
  for (const hex of VECTORS) {
    const bytes = Buffer.from(hex, "hex");
    for (const [from, to, bom] of [["utf-8", "utf-8", "keep"], ["utf-16", "utf-8", "sniff"], ["utf-8", "utf-16be", "strip"]]) {
      const options = { from, to, bom, errors: "whatwg" };
      const whole = Buffer.from(runecast.transcode(bytes, options));
      for (const chunks of chunkings(bytes)) {
        if (chunks.length > 4) continue;
        const transcoder = runecast.transcoder(options);
        const pieces = chunks.map((chunk) => transcoder.push(chunk));
        assert.ok(whole.equals(Buffer.concat([...pieces, transcoder.finish()])), `${hex} ${from} ${to} ${chunks.map(({ length }) => length)}`);
      }
    }
  }
});

each(test, "a reserved sequence of any length costs what its bytes cost, however it is cut", (runecast) => {
  const chunk = new Uint8Array(200).fill(0x80), count = 8000;
  const whole = new Uint8Array(1 + count * chunk.length + 1).fill(0x80);
  [whole[0], whole[whole.length - 1]] = [0xFE, 0x41];
  for (const errors of ["whatwg", "perl5"]) {
    const decoder = runecast.decoder("corrected-utf-8", { errors });
    let text = decoder.decode(Uint8Array.of(0xFE), { stream: true });
    for (let at = 0; at < count; at++) text += decoder.decode(chunk, { stream: true });
    text += decoder.decode(Uint8Array.of(0x41), { stream: true }) + decoder.decode();
    assert.equal(text, runecast.decode(whole, { encoding: "corrected-utf-8", errors }));
  }
});
