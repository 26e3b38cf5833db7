// The page: what is pasted, dropped or linked to is explained at once, by the very code of the command line.
//
// Bytes are the state. A notation in the field is a view of them: it makes new bytes only when somebody writes there, so changing
// the notation loses nothing. Short inputs are explained at once, here; long ones, and files, by a worker that reads them piece by
// piece (worker.js).

import { measure } from "./bench.js";
import { groupsOfCharacters, groupsOfStretch, groupsView, point } from "./cells.js";
import { showCharacters } from "./characters.js";
import { copy, element, button, number, plural } from "./dom.js";
import { OURS, THEIRS, charactersOf, isKnown, isTheirs, titleOf } from "./encodings.js";
import { hexOf } from "./hex.js";
import { run, stop } from "./jobs.js";
import { fragmentOf, parsed } from "./link.js";
import { goTo, showMap } from "./map.js";
import { escaped, read, wobbly, write } from "./notations.js";
import { load } from "./pkg/runecast.js";
import { offerRepair, prepare } from "./repair.js";
import { openSchemes } from "./schemes.js";
import { amount, behaviours, clear, errorList, verdict } from "./show.js";

/** Up to so many bytes are shown one by one; of a longer input, those about its first errors. */
const WHOLE = 512;
/** So many places of a longer input are shown. */
const STRETCHES = 8;
/** Up to so many bytes are examined at once, and shown in the field. */
const SHORT = 64 * 1024;

const form = document.getElementById("form");
const input = document.getElementById("input");
const complaint = document.getElementById("complaint");
const drop = document.getElementById("drop");
const encodingChoice = document.getElementById("encoding");
const lineEnds = document.getElementById("line-ends");

let runecast;
const state = { notation: "hex", encoding: "utf-8", bytes: undefined, file: undefined };

/** What is examined: bytes that are here, or a file. */
const blobOf = () => state.file ?? new Blob([state.bytes]);
/** What notations are read and written with. */
const engine = () => ({
  encode: (text, options) => runecast.encode(text, options),
  decode: (bytes, options) => runecast.decode(bytes, options),
  knows: (encoding) => !isTheirs(encoding),
});

// --- from the field, and to it -----------------------------------------------------------------

/** Reads the field: its bytes are those of the page from now on. */
function take() {
  state.file = undefined;
  try {
    state.bytes = read(state.notation, input.value, { encoding: state.encoding, lineEnds: lineEnds.value }, engine());
    complain("");
  } catch (error) {
    state.bytes = undefined;
    complain(error.message);
  }
}

/** Says what is wrong with the field itself. */
function complain(sentence) {
  complaint.textContent = sentence;
  input.setAttribute("aria-invalid", String(sentence !== ""));
}

/** Writes the bytes to the field, in its notation. */
function put() {
  const note = document.getElementById("note");
  note.textContent = "";
  input.placeholder = "";
  if (state.file || state.bytes.length > SHORT) {
    input.value = "";
    const what = state.file ? `the file ${state.file.name}` : plural(state.bytes.length, "byte");
    input.placeholder = `What is shown is ${what}. Whatever is written here takes its place.`;
  } else {
    const { value, lossless, lineEnds: ends } = write(state.notation, state.bytes, state, engine());
    input.value = value;
    if (ends !== undefined) lineEnds.value = ends;
    if (!lossless) note.textContent = "Not all of these bytes are shown here. They are kept as they are, until something is written.";
  }
  showLineEnds();
}

/** Line ends can be chosen where there are any. */
function showLineEnds() {
  document.getElementById("line-end-choice").hidden = state.notation !== "text" || !input.value.includes("\n");
}

/** Makes bytes the state, whatever the field held. */
function set({ bytes, file, notation, encoding = "utf-8" }) {
  Object.assign(state, { bytes, file, notation: notation ?? state.notation, encoding });
  form.elements.mode.value = state.notation;
  encodingChoice.value = encoding;
  complain("");
  put();
  examine();
}

// --- the answer --------------------------------------------------------------------------------

function examine() {
  stop("examine");
  if (state.file === undefined && state.bytes === undefined) {
    clear();
    verdict("unclear", "These are no bytes yet.", complaint.textContent);
    return;
  }
  if (state.file !== undefined || state.bytes.length > SHORT) {
    examineLong();
    return;
  }
  const { bytes, encoding } = state;
  document.getElementById("map").hidden = true;
  const explanation = encoding === "utf-8" ? runecast.explain(bytes, { whole: WHOLE, stretches: STRETCHES }) : undefined;
  const errors = isTheirs(encoding) ? { count: 0, places: [] } : runecast.illFormed(bytes, { encoding });
  const characters = isTheirs(encoding)
    ? [...new TextDecoder(encoding).decode(bytes)].length
    : runecast.count(bytes, { encoding }).characters;
  answer({ explanation, detection: runecast.detect(bytes), errors: errors.count, places: errors.places, characters }, bytes, bytes.length);
}

async function examineLong() {
  const blob = blobOf(), name = state.file?.name, { encoding } = state;
  clear();
  const title = name ? `${name}: ` : "";
  const progress = (share) => verdict("busy", `${title}reading, ${Math.round(100 * Math.min(1, share))} %`);
  progress(0);
  try {
    const head = new Uint8Array(await blob.slice(0, WHOLE).arrayBuffer());
    const { explanation, detection, map } = await run("examine", "examine", { blob, encoding, whole: WHOLE, stretches: STRETCHES }, progress);
    answer({ explanation, detection, ...map }, head, blob.size);
    showMap(blob, map, map.places[0]?.at ?? 0);
  } catch (error) {
    verdict("unclear", `${title}it cannot be read: ${error.message}`);
  }
}

/** Shows what was found out. `head` is the beginning of the input, or all of it. */
function answer({ explanation, detection, errors, places, characters }, head, size) {
  const { encoding } = state, title = state.file ? `${state.file.name}: ` : "", name = titleOf(encoding);
  const shown = head.subarray(0, WHOLE);
  // A character that is cut is not shown.
  const whole = size <= WHOLE;
  const all = isTheirs(encoding) ? charactersOf(shown, encoding) : runecast.characters(shown, { encoding });
  const list = whole || all.at(-1)?.kind !== "incomplete" ? all : all.slice(0, -1);
  const wrong = isTheirs(encoding) ? list.filter(({ kind }) => kind !== undefined).length || errors : errors;
  const explained = explanation?.stretches.flatMap((stretch) => stretch.errors);
  const first = explained?.[0] ?? (encoding === "utf-8" ? undefined : firstError(list, places));
  if (wrong === 0) {
    verdict("fine", `${title}${size === 0 ? "Nothing, which is well-formed." : `Well-formed ${name}: ${amount(size, characters)}.`}`);
  } else {
    verdict("wrong", `${title}Ill-formed${encoding === "utf-8" ? "" : ` ${name}`}: ${plural(wrong, "error")} in ${plural(size, "byte")}.`,
      first && `The first is at byte ${number(first.at)}${first.kind ? `: ${first.kind}` : ""}.`);
  }
  suggest(detection, wrong);
  showBytes(explanation, list, shown, size);
  const jump = (at) => point(at) || document.getElementById("map").hidden || goTo(at);
  const listed = explained ?? list.filter(({ kind }) => kind !== undefined).map(({ at, kind }) => ({ at, kind }));
  errorList(listed.length > 0 ? listed : places, { total: wrong }, jump);
  behaviours(explanation?.stretches ?? []);
  showCharacters(list, shown, 0, !whole);
  offerRepair({ blob: blobOf(), bytes: state.file ? undefined : state.bytes, encoding, name: state.file?.name }, wrong === 0);
}

/** The first error of a text that is not in UTF-8. */
function firstError(list, places) {
  const seen = list.find(({ kind }) => kind !== undefined);
  return seen ?? (places.length > 0 ? { at: places[0].at } : undefined);
}

function showBytes(explanation, list, shown, size) {
  const section = document.getElementById("bytes"), view = document.getElementById("stretches");
  section.hidden = size === 0;
  if (explanation === undefined) {
    const title = size > shown.length ? [element("h3", "", `The first ${number(shown.length)} bytes`)] : [];
    view.replaceChildren(...title, groupsView(groupsOfCharacters(list, shown, state.encoding)));
    return;
  }
  const stretches = explanation.stretches.filter((stretch) => stretch.bytes.length > 0);
  view.replaceChildren(...stretches.flatMap((stretch) => {
    const first = stretch.bytes[0].at, last = stretch.bytes.at(-1).at;
    const title = stretches.length > 1 || stretch.bytes.length < size
      ? [element("h3", "", `Bytes ${number(first)} to ${number(last)}`)] : [];
    return [...title, groupsView(groupsOfStretch(stretch))];
  }));
}

/** Proposes another encoding, if these bytes look like one. */
function suggest(detection, wrong) {
  const view = document.getElementById("looks");
  // Latin-1 on the Web is windows-1252, which has quotes where the other has controls.
  const other = detection.encoding === "latin-1" ? "windows-1252" : detection.encoding;
  const nul = /^utf-(16|32)/.test(other ?? "");
  view.hidden = other === null || other === state.encoding || other === "ascii" || detection.confidence < 50 || !isKnown(other)
    || wrong === 0 && !(nul && state.encoding === "utf-8");
  if (view.hidden) return;
  view.replaceChildren(
    element("p", "", `This looks like ${titleOf(other)} (${detection.confidence} % sure: ${detection.evidence}). `,
      button("Read it as that", () => choose(other), "small primary-small")),
  );
}

/** Reads the same bytes in another encoding. */
function choose(encoding) {
  state.encoding = encoding;
  encodingChoice.value = encoding;
  if (state.bytes === undefined && state.file === undefined) take();
  else put();
  examine();
  remember();
}

// --- the address -------------------------------------------------------------------------------

let remembered = 0;

/** Keeps a short input in the address. */
async function remember() {
  const turn = ++remembered, { bytes, notation, encoding } = state;
  let fragment = "";
  if (bytes === undefined && !state.file) {
    // No bytes yet, and kept as it was written.
    const written = `#${new URLSearchParams({ [notation]: input.value, encoding })}`;
    if (written.length < 1000) fragment = written;
  } else if (!state.file) {
    let text;
    if (notation === "text" && !isTheirs(encoding)) {
      try {
        text = runecast.decode(bytes, { encoding });
      } catch {
        // In hex, then.
      }
    }
    fragment = await fragmentOf({ bytes, notation, encoding, text });
  }
  if (turn === remembered) history.replaceState(null, "", fragment === "" ? location.pathname + location.search : fragment);
}

/** Takes what the address holds; says whether it holds anything. */
async function recall() {
  const found = await parsed(location.hash);
  if (found === undefined) return false;
  const encoding = isKnown(found.encoding) ? found.encoding : "utf-8";
  let { bytes } = found;
  let wrong = found.complaint;
  if (bytes === undefined) {
    try {
      bytes = read(found.notation, found.value, { encoding }, engine());
    } catch (error) {
      wrong = error.message;
    }
  }
  if (wrong === undefined) {
    set({ bytes, notation: found.shown, encoding });
    return true;
  }
  Object.assign(state, { bytes: undefined, file: undefined, notation: found.notation, encoding });
  form.elements.mode.value = found.notation;
  encodingChoice.value = encoding;
  input.value = found.value;
  complain(wrong);
  examine();
  return true;
}

// --- what people do ----------------------------------------------------------------------------

function openFile(file) {
  if (!file) return;
  set({ file, bytes: undefined, encoding: state.encoding });
  remember();
}

/** What can be copied of short inputs. */
const COPIES = {
  hex: () => hexOf(state.bytes),
  c: () => `"${escaped(state.bytes).replace(/(\\x[0-9A-F]{2})(?=[0-9a-fA-F])/g, "$1\"\"")}"`,
  python: () => `b"${escaped(state.bytes)}"`,
  json: () => JSON.stringify(isTheirs(state.encoding)
    ? new TextDecoder(state.encoding).decode(state.bytes)
    : runecast.decode(state.bytes, { encoding: wobbly(state.encoding), errors: "whatwg" })),
  link: () => location.href,
};

function listen() {
  const groups = [["runecast", OURS], ["your browser", THEIRS]];
  encodingChoice.replaceChildren(...groups.map(([label, entries]) => {
    const group = element("optgroup", "", ...entries.map(([value, title]) => {
      const option = element("option", "", title);
      option.value = value;
      return option;
    }));
    group.label = `by ${label}`;
    return group;
  }));
  input.addEventListener("input", () => {
    document.getElementById("note").textContent = "";
    input.placeholder = "";
    take();
    showLineEnds();
    examine();
    remember();
  });
  input.addEventListener("paste", ({ clipboardData }) => {
    // A field makes line feeds of them.
    const text = clipboardData?.getData("text/plain") ?? "";
    if (state.notation === "text" && /\r/.test(text)) lineEnds.value = text.includes("\r\n") ? "crlf" : "cr";
  });
  form.addEventListener("change", ({ target }) => {
    if (target.name === "mode") {
      state.notation = target.value;
      // The same bytes, in another notation. What is no notation of bytes is tried as the new one.
      if (state.bytes === undefined && state.file === undefined) take();
      else put();
      examine();
      remember();
    } else if (target === encodingChoice) {
      choose(target.value);
    } else if (target === lineEnds) {
      take();
      examine();
      remember();
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("file").addEventListener("change", ({ target }) => {
    openFile(target.files[0]);
    target.value = ""; // so that the same file can be chosen again
  });
  for (const example of document.querySelectorAll(".examples button:not([data-copy])")) {
    example.addEventListener("click", () => {
      const { hex, text, encoding = "utf-8" } = example.dataset;
      const notation = hex === undefined ? "text" : "hex";
      set({ bytes: read(notation, hex ?? text, { encoding }, engine()), notation, encoding });
      remember();
    });
  }
  for (const source of document.querySelectorAll("[data-copy]")) {
    source.addEventListener("click", () => {
      if (state.bytes !== undefined) copy(COPIES[source.dataset.copy](), source);
    });
  }
  addEventListener("hashchange", recall);
  // A file may be dropped anywhere.
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    drop.hidden = relatedTarget === null;
  });
  addEventListener("drop", (event) => {
    drop.hidden = true;
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    openFile(event.dataTransfer.files[0]);
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    // Its address would take the place of that of the text.
    event.preventDefault();
    document.getElementById("verdict").focus();
  });
  document.getElementById("measure").addEventListener("click", () => measure(runecast));
  document.getElementById("schemes").addEventListener("toggle", ({ target }) => {
    if (target.open) openSchemes();
  });
}

try {
  runecast = await load();
  document.getElementById("version").textContent = `Version ${runecast.version}, with ${runecast.isa} kernels.`;
  prepare(runecast);
  listen();
  if (!await recall()) {
    take();
    examine();
  }
} catch (error) {
  verdict("wrong", `WebAssembly could not be loaded: ${error.message}`);
}

// Without a network the page comes from its own store. Where there is none (file:, an old browser), it is only a page.
navigator.serviceWorker?.register("sw.js").catch(() => {});
