// Bytes as people write them in hex: "F0 80", "f080", "\xF0\x80", "0xF0, 0x80", "%F0%80", "<F0><80>".

/** The bytes that a text stands for. Throws a sentence if it stands for none. */
export function parseHex(text) {
  const plain = text.replace(/\\x|0x|%/gi, " ");
  const stray = /[^0-9A-Fa-f\s,;:<>_\[\]{}()'"-]/u.exec(plain);
  if (stray) throw new Error(`“${stray[0]}” is no hexadecimal digit. Is this a text?`);
  const bytes = new Uint8Array(Math.ceil(plain.length / 2) + 1);
  let length = 0;
  for (const { 0: word } of plain.matchAll(/[0-9A-Fa-f]+/g)) {
    if (word.length === 1) {
      bytes[length++] = Number.parseInt(word, 16);
    } else if (word.length % 2 === 1) {
      const shown = word.length > 20 ? `${word.slice(0, 20)}…` : word;
      throw new Error(`“${shown}” has an odd number of digits: two make a byte.`);
    } else {
      for (let at = 0; at < word.length; at += 2) bytes[length++] = Number.parseInt(word.slice(at, at + 2), 16);
    }
  }
  return bytes.slice(0, length);
}

/** A byte in hex. */
export const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

/** Bytes in hex, apart by spaces. */
export const hexOf = (bytes) => Array.from(bytes, hex).join(" ");

/** A code point, as Unicode writes it. */
export const codePoint = (point) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;

/** Ranges of bytes, as the Unicode Standard writes them. */
export const rangesOf = (ranges) =>
  ranges.map(([first, last]) => (first === last ? hex(first) : `${hex(first)}..${hex(last)}`)).join(" ");
