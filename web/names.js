// The names of characters, from a module that is loaded when the first is wanted.

let loading;

async function loaded() {
  const response = await fetch(new URL("pkg/runecast.page.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const { instance: { exports } } = await WebAssembly.instantiate(await response.arrayBuffer());
  const text = (at) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, exports.length()));
  return {
    /** The name of a character; "" if it has none. */
    nameOf: (point) => text(exports.name(point)),
    /** All schemes of the seeds, with their tables. */
    schemes: () => JSON.parse(text(exports.schemes())),
    /** The form of a value in each of them. */
    formsOf: (value) => JSON.parse(text(exports.forms(value))),
  };
}

/** The module, once. */
export const pageModule = () => (loading ??= loaded().catch((error) => {
  loading = undefined;
  throw error;
}));
