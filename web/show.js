// The answer: what an explanation (crates/wasm/js/runecast.d.ts) looks like.
//
// Whatever a colour says is also said in words, and in the shape of an edge. Text of the input goes into the page as
// text only, and characters that could do something to their surroundings (controls, marks of direction, marks that
// attach themselves to others) are shown by their numbers.

import { codePoint, hex, rangesOf } from "./hex.js";

/** Who does what: Henri Sivonen's survey, in the words of the library's documentation. */
const WHO = {
  whatwg: ["Unicode’s recommendation", "browsers, Rust, Python 3, Ruby"],
  "per-byte": ["one for each byte", "Go; Edge, Internet Explorer and Safari of their time"],
  win32: ["Windows API", "MultiByteToWideChar of Windows 10 1607, .NET Framework"],
  openjdk8: ["Java", "OpenJDK 8"],
  python2: ["Python 2", "2.7, which decodes surrogates"],
  perl5: ["Perl 5", "5.22 Encode, which replaces noncharacters"],
  icu55: ["ICU", "55, as in UTC 151-C19"],
};

/** An element with a class, and children, which are elements or text. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Characters that have a name instead of a picture. */
const NAMES = { 0: "NUL", 9: "TAB", 10: "LF", 13: "CR", 27: "ESC", 32: "space", 127: "DEL", 0xA0: "NBSP", 0xFEFF: "BOM" };

/** What can be shown as itself. */
function glyph(point) {
  if (point >= 0xD800 && point <= 0xDFFF) return "";
  const character = String.fromCodePoint(point);
  return /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character) ? "" : character;
}

/** What kind of byte it is, for its colour. */
function kindOf({ role, ill_formed }) {
  if (ill_formed) return "bad";
  if (role === "ASCII") return "ascii";
  return role.startsWith("lead") ? "lead" : "continuation";
}

/** The bits of a byte: those that say what it is, and those that say which character. */
function bits(byte, role) {
  const all = byte.toString(2).padStart(8, "0");
  let prefix = 1;
  if (byte >= 0x80) prefix = Math.min(8, all.indexOf("0") < 0 ? 8 : all.indexOf("0") + 1);
  return element("span", "bits", element("b", "", all.slice(0, prefix)), all.slice(prefix));
}

function byteCell(byte, expected) {
  const { at, byte: value, role, ill_formed } = byte;
  const cell = element(
    "li", `byte ${kindOf(byte)}`,
    element("span", "offset", String(at)),
    element("span", "hex", ill_formed ? element("span", "mark", "!") : "", hex(value)),
    bits(value, role),
    element("span", "role", role),
  );
  cell.id = `byte-${at}`;
  if (ill_formed) cell.append(element("span", "hidden", " ill-formed"));
  if (expected) cell.append(element("span", "expected", `expected ${rangesOf(expected)}`));
  return cell;
}

/** The bytes of a stretch, by characters. */
function stretchView(stretch) {
  const { bytes, expected_at_end: missing } = stretch;
  const groups = [];
  for (const byte of bytes) {
    const begins = byte.code_point !== undefined || byte.ill_formed || groups.length === 0;
    const last = groups.at(-1);
    // Ill-formed bytes of one sequence stay together.
    const goesOn = byte.ill_formed && last && last.errorEnd !== undefined && byte.at < last.errorEnd;
    if (goesOn || !begins) {
      last.bytes.push(byte);
    } else {
      const error = byte.ill_formed ? stretch.errors.find(({ at }) => at === byte.at) : undefined;
      groups.push({ bytes: [byte], error, errorEnd: error && error.at + error.len });
    }
  }
  const list = element("ol", "groups");
  for (const { bytes, error } of groups) {
    const point = bytes[0].code_point;
    const caption = point === undefined
      ? element("span", "caption", element("span", "glyph", "�"), element("span", "point", error?.kind ?? "ill-formed"))
      : element("span", "caption",
        NAMES[point] ? element("span", "glyph word", NAMES[point]) : element("span", "glyph", glyph(point)),
        element("span", "point", codePoint(point)));
    const cells = element("ol", "cells", ...bytes.map((byte) => byteCell(byte, byte.expected)));
    list.append(element("li", point === undefined ? "group wrong" : "group", caption, cells));
  }
  if (missing) {
    const caption = element("span", "caption", element("span", "glyph", ""), element("span", "point", "end"));
    const cell = element("li", "byte end", element("span", "hex", "…"), element("span", "role", "end of the input"),
      element("span", "expected", `expected ${rangesOf(missing)}`));
    list.append(element("li", "group", caption, element("ol", "cells", cell)));
  }
  return list;
}

/** Where a stretch is, if there are several. */
function stretchTitle(stretch) {
  const first = stretch.bytes[0]?.at ?? 0, last = stretch.bytes.at(-1)?.at ?? 0;
  return `Bytes ${first.toLocaleString("en")} to ${last.toLocaleString("en")}`;
}

function errorView(error) {
  const place = element("a", "place", `byte ${error.at.toLocaleString("en")}`);
  place.href = `#byte-${error.at}`;
  const rule = error.rule === null
    ? `Table 3-7: no row begins with ${hex(error.bytes[0])}`
    : `Table 3-7, row ${error.row}: ${error.rule}`;
  return element("li", "",
    element("p", "what", element("strong", "", error.kind), " at ", place,
      element("span", "where", ` line ${error.line.toLocaleString("en")}, column ${error.column.toLocaleString("en")}`)),
    element("p", "reason", `${error.reason.charAt(0).toUpperCase()}${error.reason.slice(1)}.`),
    element("p", "rule", rule));
}

/** What a behaviour wrote, in runs of the same character. */
function writtenView({ code_points: points }) {
  const view = element("span", "written");
  for (let at = 0; at < points.length;) {
    let end = at;
    while (end < points.length && points[end] === points[at]) end++;
    const times = end - at, shown = times > 8 ? 1 : times;
    for (let index = 0; index < shown; index++) {
      const piece = element("span", points[at] === 0xFFFD ? "piece fffd" : "piece", NAMES[points[at]] ?? (glyph(points[at]) || codePoint(points[at])));
      piece.title = codePoint(points[at]);
      view.append(piece);
    }
    if (times > 8) view.append(element("span", "times", `× ${times}`));
    at = end;
  }
  if (points.length === 0) view.append(element("span", "times", "nothing"));
  return view;
}

function behavioursView(stretch, several) {
  const { written, span: [begin, end] } = stretch;
  const most = Math.max(1, ...written.map(({ replaced }) => replaced));
  const table = element("table", "behaviours");
  const range = end - begin === 1 ? `byte ${begin}` : `bytes ${begin} to ${end - 1}`;
  table.append(element("caption", several ? "" : "hidden", `What is written for ${range}`));
  const head = element("tr", "", ...["behaviour", "U+FFFD", `written for ${range}`].map((title) => {
    const cell = element("th", "", title);
    cell.scope = "col";
    return cell;
  }));
  table.append(element("thead", "", head));
  const body = element("tbody");
  for (const one of written) {
    const [title, programs] = WHO[one.policy] ?? [one.policy, ""];
    const name = element("th", "name", element("code", "", one.policy), " ", element("span", "title", title),
      element("span", "programs", programs));
    name.scope = "row";
    const bar = element("span", "bar");
    bar.style.setProperty("--share", String(one.replaced / most));
    const count = element("td", "count", element("span", "number", String(one.replaced)), bar);
    body.append(element("tr", "", name, count, element("td", "", writtenView(one))));
  }
  table.append(body);
  return table;
}

/** Shows an explanation. `about` says what was explained: { title, count }. */
export function show(explanation, { title, count, whole }) {
  const { stretches, status, more, bytes_read: read } = explanation;
  const errors = stretches.flatMap((stretch) => stretch.errors);
  const fine = status === "well-formed";
  const verdict = document.getElementById("verdict");
  verdict.className = `verdict ${fine ? "fine" : "wrong"}`;
  const amount = `${plural(whole, "byte")}, ${plural(count.characters, "character")}`;
  const sentence = fine
    ? whole === 0 ? "Nothing, which is well-formed." : `Well-formed UTF-8: ${amount}.`
    : `Ill-formed: ${more ? "more than " : ""}${plural(errors.length, "error")} in ${plural(whole, "byte")}.`;
  const first = errors[0];
  verdict.replaceChildren(
    element("p", "", element("span", "sign", fine ? "✓" : "✗"), element("strong", "", title ? `${title}: ` : "", sentence)),
    first ? element("p", "first", `The first is at byte ${first.at.toLocaleString("en")}: ${first.kind}.`) : "",
  );

  const bytes = document.getElementById("bytes");
  const places = stretches.filter((stretch) => stretch.bytes.length > 0);
  bytes.hidden = places.length === 0;
  const parts = places.flatMap((stretch) =>
    places.length > 1 || stretch.bytes.length < whole
      ? [element("h3", "", stretchTitle(stretch)), stretchView(stretch)]
      : [stretchView(stretch)]);
  document.getElementById("stretches").replaceChildren(...parts);

  document.getElementById("errors").hidden = errors.length === 0;
  const shown = errors.slice(0, 50);
  const list = document.getElementById("error-list");
  list.replaceChildren(...shown.map(errorView));
  if (errors.length > shown.length || more) {
    const rest = more ? "There are more errors, further on." : `And ${errors.length - shown.length} more.`;
    list.append(element("li", "rest", element("p", "", rest)));
  }

  const told = stretches.filter((stretch) => stretch.written.length > 0);
  document.getElementById("behaviours").hidden = told.length === 0;
  document.getElementById("behaviour-tables").replaceChildren(
    ...told.map((stretch) => behavioursView(stretch, told.length > 1)),
  );
  return read;
}
