// The text, repaired: in UTF-8, by one of the ways to replace or to escape what is ill-formed; to be copied, or downloaded.

import { copy, element, plural } from "./dom.js";
import { isTheirs } from "./encodings.js";
import { stop, run } from "./jobs.js";
import { WHO } from "./show.js";

/** Of a longer result, so many characters are shown. */
const PREVIEW = 2000;
/** Inputs up to this many bytes are repaired at once. */
const SHORT = 64 * 1024;

const TYPE = "text/plain;charset=utf-8";

const ESCAPES = {
  backslash: "each byte as \\xNN", "windows-1252": "each byte as windows-1252", latin1: "each byte as Latin-1",
};

const at = (id) => document.getElementById(id);
let source; // { blob, bytes, encoding, name }
let result; // a Blob, when it is made
let runecast;

/** Fills the choices, once. */
export function prepare(engine) {
  runecast = engine;
  const ways = at("repair-way");
  const group = (label, entries) => {
    const made = element("optgroup", "");
    made.label = label;
    for (const [value, title] of entries) {
      const option = element("option", "", title);
      option.value = value;
      made.append(option);
    }
    return made;
  };
  ways.append(
    group("Replace by U+FFFD", Object.entries(WHO).map(([policy, [title]]) => [policy, `${policy}: ${title}`])),
    group("Keep", Object.entries(ESCAPES)),
  );
  ways.addEventListener("change", update);
  at("repair-copy").addEventListener("click", ({ target }) => use(async (blob) => copy(await blob.text(), target)));
  at("repair-download").addEventListener("click", () => use(download));
}

/** Offers the repair of an input. */
export function offerRepair(input, fine) {
  source = input;
  at("repair").hidden = input.blob.size === 0;
  at("repair-title").textContent = fine && input.encoding === "utf-8" ? "The text" : "Repaired, in UTF-8";
  at("repair-ways").hidden = fine || isTheirs(input.encoding);
  update();
}

function repaired(bytes, encoding, errors) {
  if (isTheirs(encoding)) return new TextEncoder().encode(new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes));
  return runecast.transcode(bytes, { from: encoding, to: "utf-8", errors });
}

/** The whole result, when it is wanted: of a long input it takes a while. */
async function whole() {
  const { blob, encoding } = source;
  return result ??= await run("repair", "repair", { blob, encoding, errors: at("repair-way").value }, (share) => {
    at("repair-about").textContent = `${Math.round(100 * Math.min(1, share))} %`;
  });
}

/** Does something with the result, once at a time. */
async function use(act) {
  const buttons = [at("repair-copy"), at("repair-download")];
  const able = buttons.map(({ disabled }) => disabled);
  for (const one of buttons) one.disabled = true;
  try {
    await act(await whole());
  } catch (error) {
    at("repair-about").textContent = `It could not be repaired: ${error.message}`;
  } finally {
    buttons.forEach((one, index) => (one.disabled = able[index]));
  }
}

async function update() {
  const mine = source, { blob, bytes, encoding } = source, errors = at("repair-way").value;
  stop("repair");
  result = undefined;
  at("repair-download").disabled = false;
  // A clipboard is no place for a long file.
  at("repair-copy").disabled = blob.size > 16 << 20;
  const long = bytes === undefined || bytes.length > SHORT;
  // Of a long input the beginning is shown; all of it is repaired when it is wanted.
  const head = long ? new Uint8Array(await blob.slice(0, 2 * PREVIEW).arrayBuffer()) : bytes;
  if (mine !== source) return;
  const text = repaired(head, encoding, errors);
  if (!long) result = new Blob([text], { type: TYPE });
  const characters = new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  at("repaired").textContent = characters.slice(0, PREVIEW);
  at("repair-about").textContent = long || characters.length > PREVIEW
    ? `The beginning; all of it is made of ${plural(blob.size, "byte")}.`
    : `${plural(text.length, "byte")}.`;
}

function download(blob) {
  const link = element("a", "");
  link.href = URL.createObjectURL(blob);
  const name = source.name ?? "text.txt", dot = name.lastIndexOf(".");
  link.download = dot > 0 ? `${name.slice(0, dot)}.utf-8${name.slice(dot)}` : `${name}.utf-8.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  at("repair-about").textContent = `${link.download}, ${plural(blob.size, "byte")}.`;
}
