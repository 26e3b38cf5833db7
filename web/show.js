// The answer: verdict, errors, and what each of seven behaviours makes of them.
//
// Text of the input goes into the page as text only, and characters that could do something to their surroundings are shown by
// their numbers (warnings.js).

import { point } from "./cells.js";
import { button, element, number, plural, rowHead, table } from "./dom.js";
import { codePoint, hex } from "./hex.js";
import { SHORT_NAMES, glyphOf } from "./warnings.js";

/** Who does what: Henri Sivonen's survey, in the words of the library's documentation. */
export const WHO = {
  whatwg: ["Unicode’s recommendation", "browsers, Rust, Python 3, Ruby"],
  "per-byte": ["one for each byte", "Go; Edge, Internet Explorer and Safari of their time"],
  win32: ["Windows API", "MultiByteToWideChar of Windows 10 1607, .NET Framework"],
  openjdk8: ["Java", "OpenJDK 8"],
  python2: ["Python 2", "2.7, which decodes surrogates"],
  perl5: ["Perl 5", "5.22 Encode, which replaces noncharacters"],
  icu55: ["ICU", "55, as in UTC 151-C19"],
};

const at = (id) => document.getElementById(id);

/** The verdict: its kind ("fine", "wrong", "unclear", "busy"), its sentence, and one more. */
export function verdict(kind, sentence, more) {
  const sign = { fine: "✓", wrong: "✗", unclear: "?", busy: "…" }[kind];
  const view = at("verdict");
  view.className = `verdict ${kind}`;
  view.replaceChildren(
    element("p", "", element("span", "sign", sign), element("strong", "", sentence)),
    more ? element("p", "first", more) : "",
  );
}

/** Hides everything that is about an input. */
export function clear() {
  for (const id of ["bytes", "characters", "errors", "behaviours", "repair", "map", "looks"]) at(id).hidden = true;
}

/** A list of errors. `where` is what a click on a place does. */
export function errorList(errors, { more, total = errors.length }, where = point) {
  at("errors").hidden = errors.length === 0;
  const shown = errors.slice(0, 50);
  at("error-list").replaceChildren(...shown.map((error) => errorView(error, where)));
  const rest = total - shown.length;
  if (rest > 0 || more) {
    at("error-list").append(element("li", "rest", element("p", "", rest > 0 ? `And ${number(rest)} more.` : "There are more errors, further on.")));
  }
}

function errorView(error, where) {
  const place = button(`byte ${number(error.at)}`, () => where(error.at), "place");
  const first = element("p", "what", element("strong", "", error.kind ?? "ill-formed"), " at ", place);
  if (error.line !== undefined) first.append(element("span", "where", ` line ${number(error.line)}, column ${number(error.column)}`));
  const view = element("li", "", first);
  if (error.reason) view.append(element("p", "reason", `${error.reason.charAt(0).toUpperCase()}${error.reason.slice(1)}.`));
  if (error.rule !== undefined) {
    view.append(element("p", "rule", error.rule === null
      ? `Table 3-7: no row begins with ${hex(error.bytes[0])}`
      : `Table 3-7, row ${error.row}: ${error.rule}`));
  }
  return view;
}

/** What a behaviour wrote, in runs of the same character. */
function writtenView({ code_points: points }) {
  const view = element("span", "written");
  for (let from = 0; from < points.length;) {
    let end = from;
    while (end < points.length && points[end] === points[from]) end++;
    const times = end - from, shown = times > 8 ? 1 : times;
    for (let index = 0; index < shown; index++) {
      const piece = element("span", points[from] === 0xFFFD ? "piece fffd" : "piece",
        SHORT_NAMES[points[from]] ?? (glyphOf(points[from]) || codePoint(points[from])));
      piece.title = codePoint(points[from]);
      view.append(piece);
    }
    if (times > 8) view.append(element("span", "times", `× ${times}`));
    from = end;
  }
  if (points.length === 0) view.append(element("span", "times", "nothing"));
  return view;
}

function behavioursView({ written, span: [begin, end] }, several) {
  const most = Math.max(1, ...written.map(({ replaced }) => replaced));
  const range = end - begin === 1 ? `byte ${begin}` : `bytes ${begin} to ${end - 1}`;
  const usual = String(written.find(({ policy }) => policy === "whatwg")?.code_points);
  const view = table("behaviours", ["behaviour", "U+FFFD", `written for ${range}`], written.map((one) => {
    const [title, programs] = WHO[one.policy] ?? [one.policy, ""];
    const differs = String(one.code_points) !== usual;
    const name = rowHead("name", element("code", "", one.policy), " ", element("span", "title", title),
      differs ? element("span", "tag", "differs") : undefined, element("span", "programs", programs));
    const bar = element("span", "bar");
    bar.style.setProperty("--share", String(one.replaced / most));
    return element("tr", differs ? "differs" : "", name,
      element("td", "count", element("span", "number", String(one.replaced)), bar), element("td", "", writtenView(one)));
  }));
  view.prepend(element("caption", several ? "" : "hidden", `What is written for ${range}`));
  return view;
}

/** The tables of the behaviours, for stretches in which they have something to do. */
export function behaviours(stretches) {
  const told = stretches.filter(({ written }) => written.length > 0);
  at("behaviours").hidden = told.length === 0;
  at("behaviour-tables").replaceChildren(...told.map((stretch) => behavioursView(stretch, told.length > 1)));
}

/** What an amount of text is, in words. */
export const amount = (bytes, characters) => `${plural(bytes, "byte")}, ${plural(characters, "character")}`;
