// Bytes as people write them: "F0 80", "f080", "\xF0\x80", "0xF0, 0x80", "%F0%80", "<F0><80>".

/** The bytes that a text stands for. Throws a sentence if it stands for none. */
export function parseHex(text) {
  const plain = text.replace(/\\x|0x|%/gi, " ");
  const stray = /[^0-9A-Fa-f\s,;:<>_\[\]{}()'"-]/u.exec(plain);
  if (stray) throw new Error(`“${stray[0]}” is no hexadecimal digit. Is this a text?`);
  const bytes = [];
  for (const word of plain.match(/[0-9A-Fa-f]+/g) ?? []) {
    if (word.length === 1) {
      bytes.push(word);
    } else if (word.length % 2 === 1) {
      throw new Error(`“${word}” has an odd number of digits: two make a byte.`);
    } else {
      bytes.push(...word.match(/../g));
    }
  }
  return Uint8Array.from(bytes, (digits) => Number.parseInt(digits, 16));
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
