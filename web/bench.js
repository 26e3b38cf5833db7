// The benchmark: what a page has without runecast, and with it, on generated text.
//
// Each way gets as many calls in a row as fill some milliseconds, the ways take turns, and of many rounds the best one
// counts: whatever else the machine does only makes a round slower. Strings are read at one place, so that none is
// made in vain; that they are made at all costs most, in either way.

import { element } from "./dom.js";

const SIZE = 64 * 1024, ROUNDS = 9, MILLISECONDS = 4;
const WANTED = ["ascii", "english", "german", "vietnamese", "cyrillic", "hindi", "chinese", "emoji", "json"];

/** The generated texts, by their scripts. */
async function texts() {
  const response = await fetch(new URL("pkg/runecast.texts.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const { instance: { exports } } = await WebAssembly.instantiate(await response.arrayBuffer());
  const made = (at) => new Uint8Array(exports.memory.buffer, at, exports.length()).slice();
  const names = new TextDecoder().decode(made(exports.scripts())).split(" ");
  return WANTED.map((name) => ({ name, bytes: made(exports.generate(names.indexOf(name), SIZE)) }));
}

let sink = 0;

/** Bytes per nanosecond, which are GB/s, of each way. */
function race(ways, bytes) {
  const best = ways.map(() => Infinity), calls = ways.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    ways.forEach((way, index) => {
      for (;;) {
        const begin = performance.now();
        for (let call = 0; call < calls[index]; call++) sink ^= way(bytes);
        const took = performance.now() - begin;
        // Clocks of browsers are coarse.
        if (took < MILLISECONDS) {
          calls[index] = Math.max(calls[index] + 1, Math.ceil(calls[index] * Math.min(20, 1.3 * MILLISECONDS / Math.max(took, 0.1))));
          continue;
        }
        best[index] = Math.min(best[index], took / calls[index]);
        break;
      }
    });
  }
  return best.map((milliseconds) => bytes.length / milliseconds / 1e6);
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
const shown = (speed) => speed.toPrecision(3);

function bar(speed, most, name) {
  const view = element("span", `speed ${name}`, element("span", "number", shown(speed)));
  view.style.setProperty("--share", String(speed / most));
  return view;
}

function table(rows) {
  const made = element("table", "speeds");
  const titles = ["text", "well-formed? runecast", "string: runecast", "string: TextDecoder", "string, ratio"];
  made.append(element("caption", "hint", "GB/s; more is better. Strings of texts that are mostly ASCII, or emoji, runecast leaves to the browser."));
  made.append(element("thead", "", element("tr", "", ...titles.map((title) => {
    const cell = element("th", "", title);
    cell.scope = "col";
    return cell;
  }))));
  const checks = Math.max(...rows.map(({ speeds: [validate] }) => validate));
  const strings = Math.max(...rows.flatMap(({ speeds: [, ...others] }) => others));
  made.append(element("tbody", "", ...rows.map(({ name, speeds: [validate, decode, theirs] }) => {
    const head = element("th", "", name);
    head.scope = "row";
    const ratio = decode / theirs;
    return element("tr", "", head,
      element("td", "", bar(validate, checks, "ours")),
      element("td", "", bar(decode, strings, "ours")),
      element("td", "", bar(theirs, strings, "theirs")),
      element("td", ratio >= 1 ? "ratio ahead" : "ratio", `${ratio.toFixed(2)} ×`));
  })));
  return made;
}

/** Measures, and shows what came out. */
export async function measure(runecast) {
  const button = document.getElementById("measure"), progress = document.getElementById("progress");
  button.disabled = true;
  try {
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const ways = [
      (bytes) => (runecast.validate(bytes) === null ? 1 : 0),
      (bytes) => runecast.decode(bytes).charCodeAt(7),
      (bytes) => strict.decode(bytes).charCodeAt(7),
    ];
    const rows = [];
    for (const { name, bytes } of await texts()) {
      progress.textContent = `${name} …`;
      await pause();
      if (runecast.decode(bytes) !== strict.decode(bytes)) throw new Error(`${name}: the strings differ`);
      rows.push({ name, speeds: race(ways, bytes) });
    }
    document.getElementById("measured").replaceChildren(table(rows));
    progress.textContent = "Done.";
  } catch (error) {
    progress.textContent = `It could not be measured: ${error.message}`;
  } finally {
    button.disabled = false;
  }
}
