// UTF-8 and the encodings that it could have been, bit by bit: a character in each of them, and the table of each.
//
// They are those of crates/schemes, by the very same code.

import { element, number, rowHead, table } from "./dom.js";
import { codePoint, hex } from "./hex.js";
import { pageModule } from "./names.js";

const at = (id) => document.getElementById(id);
let page, all;

/** A form, bit by bit: what says which byte it is, and what is the value. */
function formView(form) {
  if (form === null) return element("span", "times", "no form");
  const view = element("span", "form");
  form.bytes.forEach((byte, index) => {
    const bits = byte.toString(2).padStart(8, "0"), tags = form.tags[index];
    view.append(element("span", "form-byte", element("span", "form-hex", hex(byte)),
      element("span", "bits", tags > 0 ? element("b", "", bits.slice(0, tags)) : "", bits.slice(tags))));
  });
  return view;
}

/** The layout of a row: tags as they are, and a letter for each bit of the value. */
function layoutView({ bytes, tags }) {
  const view = element("span", "form");
  bytes.forEach((byte, index) => {
    const bits = byte.toString(2).padStart(8, "0");
    view.append(element("span", "form-byte", element("span", "bits", tags[index] > 0 ? element("b", "", bits.slice(0, tags[index])) : "", "x".repeat(8 - tags[index]))));
  });
  return view;
}

/** The code point that was written: a character, U+…, or a number. */
function wanted(value) {
  const text = value.trim();
  const match = /^(?:u\+|0x|\\u\{?)([0-9a-f]{1,6})\}?$/i.exec(text);
  const point = match ? Number.parseInt(match[1], 16)
    : /^[0-9]{2,7}$/.test(text) ? Number(text) : text === "" ? undefined : value.codePointAt(0);
  return point !== undefined && point <= 0x10FFFF ? point : undefined;
}

function update() {
  const value = wanted(at("scheme-character").value), about = at("scheme-about");
  if (value === undefined) {
    about.textContent = "A character, or its number: U+8329, 33577.";
    return;
  }
  about.textContent = `${codePoint(value)}, ${number(value)}${page.nameOf(value) ? `, ${page.nameOf(value).toLowerCase()}` : ""}`;
  const forms = page.formsOf(value);
  at("scheme-forms").replaceChildren(table("forms", ["encoding", "bytes", "form"], all.map(({ name, title }, index) => {
    const form = forms[index];
    return element("tr", name === "utf8" ? "this" : "", rowHead("", element("code", "", name), element("span", "programs", title)),
      element("td", "", form === null ? "–" : String(form.bytes.length)), element("td", "", formView(form)));
  })));
}

function layouts() {
  const { title, rows } = all[at("scheme-choice").selectedIndex];
  at("scheme-layout").replaceChildren(table("forms", ["values", "bytes", `layout in ${title}`], rows.filter(({ from }) => from !== null).map(({ first, last, from }) =>
    element("tr", "", rowHead("point", `${codePoint(first)} – ${codePoint(last)}`), element("td", "", String(from.bytes.length)), element("td", "", layoutView(from))))));
}

/** Loads what is needed, and listens. */
export async function openSchemes() {
  if (page !== undefined) return;
  try {
    page = await pageModule();
  } catch (error) {
    at("scheme-about").textContent = `It could not be loaded: ${error.message}`;
    return;
  }
  all = page.schemes();
  at("scheme-choice").replaceChildren(...all.map(({ name, title }) => {
    const option = element("option", "", title);
    option.value = name;
    option.selected = name === "utf8";
    return option;
  }));
  at("scheme-character").addEventListener("input", update);
  at("scheme-choice").addEventListener("change", layouts);
  update();
  layouts();
}
