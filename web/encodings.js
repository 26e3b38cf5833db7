// Which encodings can be chosen: those of runecast, and those that a browser knows besides.

export const OURS = [
  ["utf-8", "UTF-8"], ["utf-16le", "UTF-16LE"], ["utf-16be", "UTF-16BE"], ["utf-32le", "UTF-32LE"], ["utf-32be", "UTF-32BE"],
  ["wtf-8", "WTF-8"], ["cesu-8", "CESU-8"], ["modified utf-8", "Modified UTF-8 (Java)"], ["corrected utf-8", "Corrected UTF-8"],
  ["latin-1", "Latin-1 (ISO 8859-1)"], ["ascii", "ASCII"],
];

export const THEIRS = [
  ["windows-1252", "windows-1252 (Western)"], ["windows-1250", "windows-1250 (Central European)"], ["windows-1251", "windows-1251 (Cyrillic)"],
  ["windows-1253", "windows-1253 (Greek)"], ["windows-1254", "windows-1254 (Turkish)"], ["iso-8859-2", "ISO 8859-2"],
  ["iso-8859-15", "ISO 8859-15"], ["koi8-r", "KOI8-R"], ["macintosh", "Mac Roman"], ["shift_jis", "Shift_JIS"], ["euc-jp", "EUC-JP"],
  ["gb18030", "GB18030"], ["big5", "Big5"], ["euc-kr", "EUC-KR"],
];

const TITLES = new Map([...OURS, ...THEIRS]);

/** Its name for people. */
export const titleOf = (encoding) => TITLES.get(encoding) ?? encoding.toUpperCase();

/** Whether there is such a choice. */
export const isKnown = (encoding) => TITLES.has(encoding);

/** Whether it is the browser that reads it. */
export const isTheirs = (encoding) => THEIRS.some(([name]) => name === encoding);

/**
 * A text character by character, as `characters` of runecast has it, by a TextDecoder: it is given one byte after the other, and
 * what comes out belongs to those since the last.
 */
export function charactersOf(bytes, encoding) {
  const decoder = new TextDecoder(encoding), found = [];
  let begin = 0;
  const take = (text, end) => {
    for (const character of text) {
      const point = character.codePointAt(0), len = Math.max(0, end - begin);
      found.push(point === 0xFFFD ? { at: begin, len, codePoint: null, kind: "no character" } : { at: begin, len, codePoint: point });
      begin = end;
    }
  };
  for (let at = 0; at < bytes.length; at++) take(decoder.decode(bytes.subarray(at, at + 1), { stream: true }), at + 1);
  take(decoder.decode(), bytes.length);
  return found;
}
