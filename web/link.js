// The address: short inputs are in its fragment, none of their bytes lost.
//
//     #hex=F0808041   #text=r%C5%ABna   #units=D83D   #escapes=caf%5CxE9   &encoding=utf-16le
//     #deflate=…      what is longer: compressed, in base64url, with &as=text for the notation

/** Bytes up to this many are written out. */
const PLAIN = 400;
/** Longer fragments than this are not made: mail and chat cut them. */
const LONGEST = 8000;
const NOTATIONS = ["hex", "text", "units", "escapes"];

const piped = async (bytes, transform) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());

const toBase64 = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

/** The fragment of some bytes, or "" if they are too long for one. `text` is their string, if that says all of them. */
export async function fragmentOf({ bytes, notation, encoding, text }) {
  const parameters = new URLSearchParams();
  if (bytes.length <= PLAIN) {
    // Addresses are made of scalar values, so half a surrogate pair goes in hex.
    const speaks = notation === "text" && text !== undefined && text.isWellFormed();
    if (speaks) parameters.set("text", text);
    else parameters.set("hex", Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(""));
    if (!speaks && notation !== "hex") parameters.set("as", notation);
  } else {
    if (bytes.length > 64 * LONGEST) return "";
    parameters.set("deflate", toBase64(await piped(bytes, new CompressionStream("deflate-raw"))));
    parameters.set("as", notation);
  }
  if (encoding !== "utf-8") parameters.set("encoding", encoding);
  const fragment = `#${parameters}`;
  return fragment.length > LONGEST ? "" : fragment;
}

/** What a fragment holds: `{ notation, value }` to be read, or `{ notation, bytes }`; undefined if it is none of these. */
export async function parsed(fragment) {
  const parameters = new URLSearchParams(fragment.slice(1));
  const encoding = parameters.get("encoding") ?? "utf-8", as = parameters.get("as");
  const shown = NOTATIONS.includes(as) ? as : undefined;
  for (const notation of NOTATIONS) {
    const value = parameters.get(notation);
    if (value !== null) return { notation, value, encoding, shown: shown ?? notation };
  }
  const packed = parameters.get("deflate");
  if (packed === null) return undefined;
  try {
    const bytes = await piped(fromBase64(packed), new DecompressionStream("deflate-raw"));
    return { bytes, encoding, shown: shown ?? "hex" };
  } catch {
    return { notation: "hex", value: "", encoding, shown: "hex", complaint: "The address is damaged: what it holds cannot be unpacked." };
  }
}
