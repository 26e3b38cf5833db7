// A long text: a map of it with its errors marked, as beside the scroll bar of an editor, and a window of sixteen bytes a row.
//
// However long the text is, the page has as many elements as rows fit into the window, and no more of the text in memory: rows
// are read from the file when they are shown.

import { element, number, plural } from "./dom.js";
import { hex } from "./hex.js";

const ROWS = 20, WIDTH = 16, STRIPES = 200;

const slider = document.getElementById("map-bar");
const rows = document.getElementById("map-rows");
let shown; // { blob, map }
let top = 0; // the first row

const rowCount = () => Math.ceil(shown.blob.size / WIDTH);
const lastTop = () => Math.max(0, rowCount() - ROWS);

/** The stripes of the map: how many errors in each part of the text. */
function stripes({ counts }) {
  const wanted = Math.min(STRIPES, counts.length), sums = new Array(wanted).fill(0);
  counts.forEach((count, index) => (sums[Math.floor(index * wanted / counts.length)] += count));
  const most = Math.max(1, ...sums);
  return sums.map((sum) => {
    const stripe = element("span", sum > 0 ? "stripe bad" : "stripe");
    stripe.style.setProperty("--share", sum > 0 ? String(0.35 + 0.65 * Math.log1p(sum) / Math.log1p(most)) : "0");
    return stripe;
  });
}

/** Shows the map of a text, and its rows from `at` on. */
export function showMap(blob, map, at = 0) {
  shown = { blob, map };
  document.getElementById("map").hidden = false;
  slider.replaceChildren(...stripes(map), element("span", "view"));
  slider.setAttribute("aria-valuemax", String(blob.size));
  const marked = map.counts.reduce((sum, count) => sum + Number(count > 0), 0);
  document.getElementById("map-about").textContent = map.errors === 0
    ? `${plural(blob.size, "byte")}, none of them ill-formed.`
    : `${plural(map.errors, "ill-formed sequence")} in ${number(marked)} of ${number(map.counts.length)} parts of ${plural(map.step, "byte")}.`;
  for (const id of ["map-next", "map-previous"]) document.getElementById(id).disabled = map.places.length === 0;
  goTo(at);
}

/** Shows the rows about an offset, and marks its byte. */
export function goTo(at) {
  top = Math.min(lastTop(), Math.max(0, Math.floor(at / WIDTH) - 4));
  fill(at);
}

/** The offset of an error behind the middle of what is shown, or before it. */
function step(forward) {
  const from = top * WIDTH, here = Number(rows.dataset.at ?? from), { places } = shown.map;
  const next = forward ? places.find(({ at }) => at > here) : places.findLast(({ at }) => at < here);
  goTo((next ?? (forward ? places[0] : places.at(-1))).at);
}

async function fill(marked) {
  const { blob, map } = shown, from = top * WIDTH, to = Math.min(blob.size, from + ROWS * WIDTH);
  slider.setAttribute("aria-valuenow", String(from));
  slider.setAttribute("aria-valuetext", `byte ${number(from)} of ${number(blob.size)}`);
  slider.style.setProperty("--top", String(from / Math.max(1, blob.size)));
  slider.style.setProperty("--part", String(Math.max(0.004, (to - from) / Math.max(1, blob.size))));
  const bytes = new Uint8Array(await blob.slice(from, to).arrayBuffer());
  if (shown.blob !== blob || from !== top * WIDTH) return;
  const bad = new Set();
  for (const { at, len } of map.places) {
    for (let place = Math.max(at, from); place < Math.min(at + len, to); place++) bad.add(place);
  }
  if (marked !== undefined) rows.dataset.at = String(marked);
  const made = [];
  for (let row = 0; row * WIDTH < bytes.length; row++) {
    const line = element("li", "row", element("span", "offset", (from + row * WIDTH).toString(16).toUpperCase().padStart(8, "0")), " ");
    let text = "";
    for (let at = row * WIDTH; at < Math.min(bytes.length, (row + 1) * WIDTH); at++) {
      const place = from + at, isBad = bad.has(place);
      text += bytes[at] >= 0x20 && bytes[at] < 0x7F ? String.fromCharCode(bytes[at]) : "·";
      const digits = hex(bytes[at]);
      if (isBad || place === marked) line.append(element("span", `${isBad ? "bad" : ""}${place === marked ? " target" : ""}`.trim(), digits), " ");
      else line.append(`${digits} `);
    }
    line.append(element("span", "ascii-text", text));
    made.push(line);
  }
  rows.replaceChildren(...made);
}

function move(by) {
  top = Math.min(lastTop(), Math.max(0, top + by));
  fill();
}

function toShare(event) {
  const { left, width } = slider.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
  top = Math.min(lastTop(), Math.floor(share * rowCount()));
  fill();
}

slider.addEventListener("pointerdown", (event) => {
  slider.setPointerCapture(event.pointerId);
  toShare(event);
});
slider.addEventListener("pointermove", (event) => {
  if (slider.hasPointerCapture(event.pointerId)) toShare(event);
});
const keys = {
  ArrowDown: () => move(1), ArrowRight: () => move(1), ArrowUp: () => move(-1), ArrowLeft: () => move(-1),
  PageDown: () => move(ROWS - 2), PageUp: () => move(2 - ROWS), Home: () => move(-Infinity), End: () => move(Infinity),
};
for (const target of [slider, rows]) {
  target.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
}
rows.addEventListener("wheel", (event) => {
  event.preventDefault();
  move(Math.sign(event.deltaY) * 3);
}, { passive: false });
document.getElementById("map-next").addEventListener("click", () => step(true));
document.getElementById("map-previous").addEventListener("click", () => step(false));
