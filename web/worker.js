// What takes long: done beside the page, on a file that is read piece by piece, so that memory stays small however long it is.
//
// A message is one task. What is told meanwhile are messages with `progress`, and the last one has `result` or `error`. A task
// that nobody waits for any more is ended with its worker.

import { isTheirs } from "./encodings.js";
import { load } from "./pkg/runecast.js";

/** A map has about so many buckets. */
const BUCKETS = 512;
/** Pieces of a repair. */
const PIECE = 1 << 20;
/** So many places of errors are kept. */
const PLACES = 5000;

const runecast = load();

/** The bytes of a blob, from one place to another. */
const slice = (blob, from, to) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(from, to)));

/** A function that gives the next bytes of a blob, as runecast reads them. */
function readerOf(blob) {
  let at = 0;
  return (len) => {
    const piece = slice(blob, at, at + len);
    at += piece.length;
    return piece;
  };
}

let told = 0;
function tell(share) {
  const now = performance.now();
  if (now - told < 80) return;
  told = now;
  postMessage({ progress: share });
}

/** Where a text is ill-formed: for each bucket how often, and the first places. */
function survey(engine, blob, encoding) {
  const step = Math.max(1024, Math.ceil(blob.size / BUCKETS));
  const counts = new Uint32Array(Math.ceil(blob.size / step));
  const places = [];
  let errors = 0, characters = 0, waiting = new Uint8Array(0);
  const theirs = isTheirs(encoding) ? new TextDecoder(encoding) : undefined;
  for (let at = 0; at < blob.size; at += step) {
    const piece = slice(blob, at, at + step), last = at + step >= blob.size;
    if (theirs) {
      const text = theirs.decode(piece, { stream: !last });
      const found = text.split("\uFFFD").length - 1;
      counts[at / step] += found;
      errors += found;
      characters += text.length;
      tell((at + step) / blob.size);
      continue;
    }
    const bytes = waiting.length === 0 ? piece : new Uint8Array([...waiting, ...piece]);
    const base = at - waiting.length;
    const { count, places: some, read } = engine.illFormed(bytes, { encoding, last, limit: PLACES });
    errors += count;
    for (const place of some) {
      counts[Math.min(counts.length - 1, Math.floor((base + place.at) / step))]++;
      if (places.length < PLACES) places.push({ at: base + place.at, len: place.len });
    }
    counts[at / step] += count - some.length;
    characters += engine.count(bytes.subarray(0, read), { encoding }).characters;
    waiting = bytes.slice(read);
    tell((at + step) / blob.size);
  }
  return { step, counts, errors, characters, places };
}

const TASKS = {
  examine(engine, { blob, encoding, whole, stretches }) {
    const explanation = encoding === "utf-8" ? engine.explain(readerOf(blob), { whole, stretches }) : undefined;
    const detection = engine.detect(readerOf(blob));
    return { explanation, detection, map: survey(engine, blob, encoding) };
  },

  /** A text in UTF-8, as a blob, which a browser may keep on its disk. */
  repair(engine, { blob, encoding, errors }) {
    const decoder = isTheirs(encoding) ? new TextDecoder(encoding, { ignoreBOM: true }) : undefined;
    const transcoder = decoder ?? engine.transcoder({ from: encoding, to: "utf-8", errors });
    const writer = new TextEncoder();
    let all = new Blob([]), parts = [];
    const put = (bytes) => {
      parts.push(bytes);
      if (parts.length < 32) return;
      all = new Blob([all, ...parts]);
      parts = [];
    };
    for (let at = 0; at < blob.size; at += PIECE) {
      const piece = slice(blob, at, at + PIECE);
      put(decoder ? writer.encode(decoder.decode(piece, { stream: true })) : transcoder.push(piece));
      tell((at + PIECE) / blob.size);
    }
    put(decoder ? writer.encode(decoder.decode()) : transcoder.finish());
    return new Blob([all, ...parts], { type: "text/plain;charset=utf-8" });
  },
};

onmessage = async ({ data: { task, ...details } }) => {
  try {
    postMessage({ result: TASKS[task](await runecast, details) });
  } catch (error) {
    postMessage({ error: error.message });
  }
};
