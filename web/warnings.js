// What is odd about characters that are well-formed: those that cannot be seen, that turn the direction of a text, that look
// like others, that attach themselves to what is before them.

/** Characters that have a short name instead of a picture. */
export const SHORT_NAMES = {
  0: "NUL", 9: "TAB", 10: "LF", 11: "VT", 12: "FF", 13: "CR", 27: "ESC", 32: "space", 127: "DEL", 0x85: "NEL", 0xA0: "NBSP", 0xAD: "SHY",
  0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF",
  0x202D: "LRO", 0x202E: "RLO", 0x2028: "LS", 0x2029: "PS", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFEFF: "BOM",
};

const is = (pattern) => (point) => pattern.test(String.fromCodePoint(point));
const isBidi = is(/\p{Bidi_Control}/u), isIgnorable = is(/\p{Default_Ignorable_Code_Point}/u), isMark = is(/\p{M}/u);
const isSpace = is(/\p{Zs}/u), isControl = is(/\p{Cc}/u), isPrivate = is(/\p{Co}/u), isUnassigned = is(/\p{Cn}/u);
const isNoncharacter = (point) => (point & 0xFFFE) === 0xFFFE || point >= 0xFDD0 && point <= 0xFDEF;

/** What a picture of a character would not show, in a few words each. `before` is the code point before it, if any. */
export function warningsOf(point, before, at) {
  if (point >= 0xD800 && point <= 0xDFFF) return ["surrogate without its partner: no character"];
  const found = [];
  if (point === 0xFFFD) found.push("replacement character: something was lost here before");
  else if (point === 0xFEFF) found.push(at === 0 ? "byte order mark" : "byte order mark inside a text: invisible");
  else if (isBidi(point)) found.push("turns the direction of what follows: the text may not be what it looks like");
  else if (isIgnorable(point)) found.push("invisible");
  else if (isNoncharacter(point)) found.push("noncharacter");
  else if (isPrivate(point)) found.push("private use: its meaning is agreed elsewhere");
  else if (isUnassigned(point)) found.push("not assigned, as far as this browser knows");
  else if (isControl(point) && ![9, 10, 13].includes(point)) found.push("control character");
  else if (isSpace(point) && point !== 0x20) found.push("looks like a space, and is another character");
  else if (point === 0x37E) found.push("looks like a semicolon, and is a Greek question mark");
  else if (point >= 0x2010 && point <= 0x2012) found.push("looks like a hyphen-minus, and is another character");
  if (isMark(point) && (before === undefined || before < 0x20 || isControl(before) || isSpace(before))) {
    found.push("combining mark with nothing before it to combine with");
  }
  return found;
}

/** The character as it can be shown beside others: "" if it would do something to them, or cannot be seen. */
export function glyphOf(point) {
  if (point >= 0xD800 && point <= 0xDFFF) return "";
  const character = String.fromCodePoint(point);
  if (/\p{M}/u.test(character)) return `\u25CC${character}`;
  return /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character) ? "" : character;
}
