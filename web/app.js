// The page: what is pasted, dropped or linked to is explained at once, by the very code of the command line.
//
// The address holds short inputs (#hex=F0808041), so that an answer can be linked to and the button "back" works.

import { load } from "./pkg/runecast.js";
import { measure } from "./bench.js";
import { hexOf, parseHex } from "./hex.js";
import { show } from "./show.js";

/** Up to so many bytes are shown one by one; of a longer input, those about its first errors. */
const WHOLE = 512;
/** So many places of a longer input are shown. */
const STRETCHES = 8;
/** An address may be so long. */
const ADDRESS = 600;
/** A file has to fit into memory. */
const LARGEST = 2 ** 30;

const form = document.getElementById("form");
const input = document.getElementById("input");
const complaint = document.getElementById("complaint");
const drop = document.getElementById("drop");

let runecast;
let file; // { name, bytes }, if that is what is shown

const mode = () => form.elements.mode.value;

/** The bytes that are to be explained. */
function bytesOfInput() {
  if (file) return file.bytes;
  // Half a surrogate pair can be pasted, too: then it is seen in its three bytes.
  return mode() === "hex" ? parseHex(input.value) : runecast.encode(input.value, { encoding: "wtf-8" });
}

function explain() {
  complaint.textContent = "";
  let bytes;
  try {
    bytes = bytesOfInput();
  } catch (error) {
    complaint.textContent = error.message;
    return;
  }
  const explanation = runecast.explain(bytes, { whole: WHOLE, stretches: STRETCHES });
  show(explanation, { title: file?.name, count: runecast.count(bytes), whole: bytes.length });
}

/** Keeps a short input in the address. */
function remember() {
  const parameters = new URLSearchParams();
  if (!file && mode() === "text") parameters.set("text", input.value);
  if (!file && mode() === "hex") parameters.set("hex", input.value.replace(/\s+/g, ""));
  const address = `#${parameters}`;
  history.replaceState(null, "", address.length > ADDRESS || file ? location.pathname : address);
}

/** Takes what the address holds; says whether it holds anything. */
function recall() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const kind of ["hex", "text"]) {
    const value = parameters.get(kind);
    if (value === null) continue;
    set(kind, kind === "hex" ? spaced(value) : value);
    return true;
  }
  return false;
}

/** Hex with a space between bytes, if it was nothing but digits. */
const spaced = (value) => (/^([0-9a-f]{2})+$/i.test(value) ? value.match(/../g).join(" ") : value);

function set(kind, value) {
  file = undefined;
  form.elements.mode.value = kind;
  input.value = value;
  explain();
}

async function take(chosen) {
  if (!chosen) return;
  if (chosen.size > LARGEST) {
    complaint.textContent = `${chosen.name} has more than 1 GiB; the command line takes files of any size.`;
    return;
  }
  let bytes;
  try {
    bytes = new Uint8Array(await chosen.arrayBuffer());
  } catch (error) {
    complaint.textContent = `${chosen.name} cannot be read: ${error.message}`;
    return;
  }
  file = { name: chosen.name, bytes };
  input.value = "";
  input.placeholder = `What is shown is the file ${chosen.name}. Whatever is written here takes its place.`;
  explain();
  remember();
}

function listen() {
  let before = mode();
  input.addEventListener("input", () => {
    file = undefined;
    explain();
    remember();
  });
  form.addEventListener("change", ({ target }) => {
    if (target.name !== "mode") return;
    // The same bytes, written in the other way: as a text only if they are one.
    const now = mode();
    if (!file && now !== before) {
      try {
        const bytes = before === "hex" ? parseHex(input.value) : runecast.encode(input.value, { encoding: "wtf-8" });
        if (now === "hex") input.value = hexOf(bytes);
        else if (runecast.validate(bytes) === null) input.value = runecast.decode(bytes);
        else input.value = runecast.decode(bytes, { errors: "whatwg" });
      } catch {
        // It stays as it is, and will be complained about.
      }
    }
    before = now;
    file = undefined;
    explain();
    remember();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("file").addEventListener("change", ({ target }) => {
    take(target.files[0]);
    target.value = ""; // so that the same file can be chosen again
  });
  for (const button of document.querySelectorAll(".examples button")) {
    button.addEventListener("click", () => {
      const { hex, text } = button.dataset;
      set(hex === undefined ? "text" : "hex", hex ?? text);
      before = mode();
      remember();
    });
  }
  addEventListener("hashchange", () => {
    recall();
    before = mode();
  });
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
    take(event.dataTransfer.files[0]);
  });
  document.getElementById("measure").addEventListener("click", () => measure(runecast));
}

try {
  runecast = await load();
  document.getElementById("about").prepend(`Version ${runecast.version}, with ${runecast.isa} kernels: `);
  listen();
  if (!recall()) explain();
} catch (error) {
  const verdict = document.getElementById("verdict");
  verdict.className = "verdict wrong";
  verdict.textContent = `WebAssembly could not be loaded: ${error.message}`;
}

// Without a network the page comes from its own store. Where there is none (file:, an old browser), it is only a page.
navigator.serviceWorker?.register("sw.js").catch(() => {});
