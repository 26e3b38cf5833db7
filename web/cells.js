// Bytes one by one, by characters: value, bits, role, and what should have been there.
//
// Whatever a colour says is also said in words, and in the shape of an edge.

import { element } from "./dom.js";
import { codePoint, hex, rangesOf } from "./hex.js";
import { SHORT_NAMES, glyphOf } from "./warnings.js";

/** How many bits at the top of a byte say what it is, and not which character. */
function tagBits(value, encoding, index, len) {
  if (/^utf-16/.test(encoding)) {
    const high = encoding === "utf-16le" ? 1 : 0;
    return len === 4 && index % 2 === high ? 6 : 0;
  }
  if (!/utf-8|cesu-8/.test(encoding)) return 0;
  if (value < 0x80) return 1;
  const ones = Math.clz32(~(value << 24));
  return Math.min(8, ones + 1);
}

/** What kind of byte it is, for its colour. */
function kindOf({ bad, role, value }) {
  if (bad) return "bad";
  if (role === "") return value < 0x80 ? "ascii" : "lead";
  if (role === "ASCII") return "ascii";
  return role.startsWith("lead") || role.startsWith("unit") && role.endsWith("1") ? "lead" : "continuation";
}

/** The groups of a stretch of an explanation (crates/wasm/js/runecast.d.ts). */
export function groupsOfStretch({ bytes, errors, expected_at_end: missing }) {
  const groups = [];
  for (const { at, byte: value, role, ill_formed: bad, expected, code_point: point } of bytes) {
    const cell = { at, value, role, bad, expected, tags: tagBits(value, "utf-8", 0, 1) };
    const last = groups.at(-1);
    // Ill-formed bytes of one sequence stay together.
    if (last && (bad ? at < (last.end ?? 0) : point === undefined)) {
      last.cells.push(cell);
    } else {
      const error = bad ? errors.find((error) => error.at === at) : undefined;
      groups.push({ cells: [cell], point: point ?? null, kind: bad ? error?.kind ?? "ill-formed" : undefined, end: error && error.at + error.len });
    }
  }
  if (missing) groups.push({ cells: [], missing });
  return groups;
}

/** The groups of a text in another encoding: its characters, and their bytes, of which the first is at `base`. */
export function groupsOfCharacters(characters, bytes, encoding, base = 0) {
  const width = /^utf-16/.test(encoding) ? 2 : /^utf-32/.test(encoding) ? 4 : 1;
  return characters.map(({ at, len, codePoint: point, kind }) => ({
    point, kind,
    cells: Array.from(bytes.subarray(at, at + len), (value, index) => {
      let role = "";
      if (width > 1) role = `unit ${Math.floor(index / width) + 1}`;
      else if (len > 1) role = index === 0 ? `lead of ${len}` : `byte ${index + 1} of ${len}`;
      else if (value < 0x80) role = "ASCII";
      return { at: base + at + index, value, role, bad: kind !== undefined, tags: tagBits(value, encoding, index, len) };
    }),
  }));
}

function cellView({ at, value, role, bad, expected, tags }) {
  const all = value.toString(2).padStart(8, "0");
  const cell = element("li", `byte ${kindOf({ bad, role, value })}`,
    element("span", "offset", String(at)),
    element("span", "hex", bad ? element("span", "mark", "!") : "", hex(value)),
    element("span", "bits", tags > 0 ? element("b", "", all.slice(0, tags)) : "", all.slice(tags)),
    element("span", "role", role));
  cell.id = `byte-${at}`;
  if (bad) cell.append(element("span", "hidden", " ill-formed"));
  if (expected) cell.append(element("span", "expected", `expected ${rangesOf(expected)}`));
  return cell;
}

function captionOf({ point, kind }) {
  if (kind !== undefined) return element("span", "caption", element("span", "glyph", "�"), element("span", "point", kind));
  if (point === null) return element("span", "caption", element("span", "glyph", ""), element("span", "point", "beyond Unicode"));
  return element("span", "caption",
    SHORT_NAMES[point] ? element("span", "glyph word", SHORT_NAMES[point]) : element("span", "glyph", glyphOf(point)),
    element("span", "point", codePoint(point)));
}

/** The bytes of some groups. */
export function groupsView(groups) {
  const list = element("ol", "groups");
  for (const group of groups) {
    if (group.missing) {
      const caption = element("span", "caption", element("span", "glyph", ""), element("span", "point", "end"));
      const cell = element("li", "byte end", element("span", "hex", "…"), element("span", "role", "end of the input"),
        element("span", "expected", `expected ${rangesOf(group.missing)}`));
      list.append(element("li", "group", caption, element("ol", "cells", cell)));
      continue;
    }
    list.append(element("li", group.kind === undefined ? "group" : "group wrong", captionOf(group),
      element("ol", "cells", ...group.cells.map(cellView))));
  }
  return list;
}

/** Shows a byte: brings it into view, marks it, and moves the focus there. Says whether it is shown at all. */
export function point(at) {
  const cell = document.getElementById(`byte-${at}`);
  if (!cell) return false;
  for (const other of document.querySelectorAll(".byte.target")) other.classList.remove("target");
  cell.classList.add("target");
  cell.tabIndex = -1;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ block: "center" });
  return true;
}
