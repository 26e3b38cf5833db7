// Every character, with its name, and what is odd about it.

import { button, element, plural, rowHead, table } from "./dom.js";
import { codePoint, hexOf } from "./hex.js";
import { pageModule } from "./names.js";
import { SHORT_NAMES, glyphOf, warningsOf } from "./warnings.js";

/** So many are shown before one asks for the others. */
const SHOWN = 24;

/** The rows of a text: its characters with what is odd about them. */
export function rowsOf(characters) {
  let before;
  return characters.filter(({ codePoint: point }) => point !== null).map(({ at, len, codePoint: point }) => {
    const warnings = warningsOf(point, before, at);
    before = point;
    return { at, len, point, warnings };
  });
}

/** Shows them. `cut` says that the text goes on. */
export function showCharacters(characters, bytes, base, cut) {
  const section = document.getElementById("characters"), rows = rowsOf(characters);
  section.hidden = rows.length === 0;
  const odd = rows.filter(({ warnings }) => warnings.length > 0).length;
  document.getElementById("oddities").textContent = odd === 0
    ? "Nothing odd: none is invisible, turns the direction, or looks like another kind of space."
    : `${plural(odd, "character is", "characters are")} not what a look at the text would tell.`;
  document.getElementById("oddities").className = odd === 0 ? "hint" : "hint odd";
  const view = document.getElementById("character-table");
  const fill = (all) => {
    // Those that are odd are never left out.
    const shown = all ? rows : rows.filter(({ warnings }, index) => index < SHOWN || warnings.length > 0);
    const made = table("characters", ["character", "code point", "name", "bytes"], shown.map(({ at, len, point, warnings }) => {
      const glyph = SHORT_NAMES[point] ? element("span", "glyph word", SHORT_NAMES[point]) : element("span", "glyph", glyphOf(point));
      const name = element("td", "name", element("span", "character-name", ""));
      name.dataset.point = String(point);
      for (const warning of warnings) name.append(element("span", "warning", warning));
      return element("tr", warnings.length > 0 ? "odd" : "", element("td", "", glyph), rowHead("point", codePoint(point)), name,
        element("td", "hex", hexOf(bytes.subarray(at, at + len))));
    }));
    view.replaceChildren(made);
    const left = rows.length - shown.length;
    if (left > 0) view.append(element("p", "", button(`Show ${left} more`, () => fill(true))));
    if (cut) view.append(element("p", "hint", "The text goes on; these are the characters of its beginning."));
    nameAll(made);
  };
  fill(false);
}

/** Puts in the names, when their module is there. Without it there are none. */
async function nameAll(view) {
  try {
    const { nameOf } = await pageModule();
    for (const cell of view.querySelectorAll("[data-point]")) {
      const point = Number(cell.dataset.point);
      cell.firstChild.textContent = nameOf(point).toLowerCase() || (point < 0x20 || point >= 0x7F && point < 0xA0 ? "control" : "no name");
    }
  } catch {
    // The numbers are there.
  }
}
