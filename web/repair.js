// The text, repaired: in UTF-8, by one of the ways to replace or to escape what is ill-formed; to be copied, or downloaded.

import { copy, element, number, plural } from "./dom.js";
import { isTheirs } from "./encodings.js";
import { stop, run } from "./jobs.js";
import { WHO } from "./show.js";

/** Of a longer result, so many characters are shown. */
const PREVIEW = 2000;
/** Inputs up to this many bytes are repaired at once. */
const SHORT = 64 * 1024;

const ESCAPES = {
  backslash: "each byte as \\xNN", "windows-1252": "each byte as windows-1252", latin1: "each byte as Latin-1",
};

const at = (id) => document.getElementById(id);
let source; // { blob, bytes, encoding, name }
let result; // a Blob
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
  at("repair-copy").addEventListener("click", async ({ target }) => copy(await result.text(), target));
  at("repair-download").addEventListener("click", download);
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

async function update() {
  const { blob, bytes, encoding } = source, errors = at("repair-way").value;
  stop("repair");
  const enable = (able) => {
    for (const id of ["repair-copy", "repair-download"]) at(id).disabled = !able;
  };
  enable(false);
  try {
    if (bytes !== undefined && bytes.length <= SHORT) {
      result = new Blob([repaired(bytes, encoding, errors)], { type: "text/plain;charset=utf-8" });
    } else {
      at("repaired").textContent = "…";
      result = await run("repair", "repair", { blob, encoding, errors }, (share) => {
        at("repair-about").textContent = `${Math.round(100 * Math.min(1, share))} %`;
      });
    }
    const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await result.slice(0, 4 * PREVIEW).arrayBuffer());
    at("repaired").textContent = head.slice(0, PREVIEW);
    at("repair-about").textContent = head.length > PREVIEW || result.size > 4 * PREVIEW
      ? `The beginning of ${plural(result.size, "byte")}.`
      : `${plural(result.size, "byte")}.`;
    enable(true);
    // A clipboard is no place for a long file.
    at("repair-copy").disabled = result.size > 16 << 20;
  } catch (error) {
    at("repair-about").textContent = `It could not be repaired: ${error.message}`;
  }
}

function download() {
  const link = element("a", "");
  link.href = URL.createObjectURL(result);
  const name = source.name ?? "text.txt", dot = name.lastIndexOf(".");
  link.download = dot > 0 ? `${name.slice(0, dot)}.utf-8${name.slice(dot)}` : `${name}.utf-8.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  at("repair-about").textContent = `${link.download}, ${number(result.size)} bytes.`;
}
