// Every function with its types, as a user in strict TypeScript writes them. It is compiled, and never run.

import { IllFormedError, UnrepresentableError, hasSimd, load, loadSync, type Runecast } from "runecast";
import { load as loadUtf8 } from "runecast/utf8";

const runecast: Runecast = await load({ simd: hasSimd() });
const bytes: Uint8Array<ArrayBuffer> = runecast.encode("text", { encoding: "utf-16le", errors: "whatwg" });

const text: string = runecast.decode(bytes, { encoding: "utf-16le", errors: { text: "?" }, bom: "strip" });
const error = runecast.validate(bytes, null);
if (error !== null) console.log(error.at, error.len, error.kind, error.message);
const valid: boolean = runecast.isUtf8(new DataView(bytes.buffer));
const { read, written } = runecast.encodeInto(text, bytes, { encoding: "latin1" });
// A Blob and a Response take nothing but bytes whose buffer is not shared.
new Blob([runecast.transcode(bytes, { from: "utf-16", to: "utf-8", bom: "sniff" })]);
new Response(runecast.encode(text));
const units: Uint16Array = runecast.transcodeToUtf16(bytes);
const { encoding, confidence, content, evidence } = runecast.detect(bytes);
const { characters, utf16, utf8 } = runecast.count(bytes);
const { count, places } = runecast.illFormed(bytes, { encoding: "utf-8", limit: 10 });
for (const { at, len, codePoint } of runecast.characters(bytes)) console.log(at + len, codePoint ?? -1);
const rules: (string | null)[] = runecast.explain(() => bytes).stretches.flatMap(({ errors }) => errors.map(({ rule }) => rule));

for (const errors of runecast.policies) console.log(errors === "fatal" || runecast.decode(bytes, { errors }));
console.log(runecast.detect((len) => new DataView(bytes.buffer, 0, Math.min(len, 2))).encoding);

const decoder = runecast.decoder("utf-16le", { fatal: true });
const piece: string = decoder.decode(bytes, { stream: true }) + decoder.decode();
const strings: ReadableStream<string> = new Blob([bytes]).stream().pipeThrough(runecast.decoderStream("utf-8"));
const pieces: ReadableStream<Uint8Array<ArrayBuffer>> =
  new Blob([bytes]).stream().pipeThrough(runecast.transcoderStream({ from: "utf-8", to: "utf-16be" }));
const written16: Uint8Array<ArrayBuffer> = runecast.encoder("utf-16le", { errors: "whatwg" }).encode(text, { stream: true });
const encoded: ReadableStream<Uint8Array<ArrayBuffer>> = strings.pipeThrough(runecast.encoderStream("utf-16le"));
try {
  runecast.encode("漢", { encoding: "latin1" });
} catch (thrown) {
  if (thrown instanceof IllFormedError) console.log(thrown.kind);
  if (thrown instanceof UnrepresentableError) console.log(thrown.codePoint, thrown.encoding);
}

const small = await loadUtf8();
new Blob([small.repair(bytes)]);
console.log(
  loadSync(bytes).version, valid, read, written, units, encoding, confidence, content, evidence, characters, utf16, utf8, count,
  places, rules, piece, strings, pieces, written16, encoded,
);
