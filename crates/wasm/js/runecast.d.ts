// runecast for JavaScript and TypeScript. `at` counts bytes from the beginning of the bytes that were given, its byte
// order mark included, unless something else is said; a text may be any number of bytes long.

/** Any bytes. Nothing keeps them, and nothing changes them. */
export type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/**
 * The name of an encoding, as iconv, IANA or the WHATWG have it: UTF-8, UTF-16 (by its mark, or else big-endian),
 * UTF-16LE, UTF-16BE, UTF-32, UTF-32LE, UTF-32BE, Latin-1 (which is ISO 8859-1, not windows-1252), ASCII, WTF-8,
 * WTF-16, WTF-16LE, WTF-16BE, generalized UTF-8, CESU-8, wobbly CESU-8, modified UTF-8, wobbly modified UTF-8,
 * Corrected UTF-8. Case, "-", "_" and spaces do not matter.
 */
export type Encoding = string;

/** How many U+FFFD are written where UTF-8 is ill-formed: as one of seven families of software would. */
export type Replacement = "whatwg" | "per-byte" | "win32" | "openjdk8" | "python2" | "perl5" | "icu55";

/** How each ill-formed byte is written, so that nothing is lost. */
export type Escape = "backslash" | "surrogate" | "latin1" | "windows-1252";

/** What to do where text is ill-formed: throw; write U+FFFD; escape; or write a text. */
export type Errors = "fatal" | Replacement | Escape | { text: string };

/**
 * What becomes of a byte order mark: it is a character like any other; it is left out if it is that of the encoding; or
 * it says what the encoding is, and is left out. A plain UTF-16, UTF-32 or WTF-16 goes by its mark always.
 */
export type Bom = "keep" | "strip" | "sniff";

/** An ill-formed sequence. */
export interface IllFormed {
  /** Where it begins. */
  at: number;
  /** How many bytes it has: for UTF-8, those of the maximal subpart of Unicode 3.9. */
  len: number;
  /** The rule that it breaks, in a few words: "overlong", "surrogate", "truncated". */
  kind: string;
  /** A sentence with the place, the bytes and the reason. */
  message: string;
}

/** The text is ill-formed, and the policy is "fatal". */
export class IllFormedError extends TypeError implements IllFormed {
  readonly at: number;
  readonly len: number;
  readonly kind: string;
}

/** The target has no form for a character, and the policy is "fatal". */
export class UnrepresentableError extends RangeError {
  readonly at: number;
  readonly codePoint: number;
}

export interface Source {
  /** What the bytes are: UTF-8, unless said. */
  encoding?: Encoding;
  bom?: Bom;
}

export interface Count {
  /** Unicode scalar values, in encodings that have them surrogates, too. */
  characters: number;
  /** Units of UTF-16: the length of the string. */
  utf16: number;
  /** Bytes of UTF-8. */
  utf8: number;
}

export interface Explanation {
  stretches: Stretch[];
  /** Whether there are errors that were not explained. */
  more: boolean;
  status: "well-formed" | "ill-formed";
  bytes_read: number;
}

/** Bytes, what is wrong with them, and what becomes of them; as `runecast explain --format json` has it. */
export interface Stretch {
  bytes: {
    at: number;
    byte: number;
    /** "ASCII", "lead of 3", "continuation 1 of 2", "unexpected continuation", "overlong lead", "never valid". */
    role: string;
    ill_formed: boolean;
    /** Ranges of bytes, first and last, that could have stood here: only where something else had to be. */
    expected?: [number, number][];
    /** Only where a character begins. */
    code_point?: number;
  }[];
  /** Only if the text ends too early. */
  expected_at_end?: [number, number][];
  errors: {
    at: number;
    len: number;
    kind: string;
    bytes: number[];
    line: number;
    column: number;
    reason: string;
    /** The row of Table 3-7 of the Unicode Standard; null if none begins with that byte. */
    row: number | null;
    rule: string | null;
    row_3_1b: number | null;
  }[];
  /** From the first error to the end of the last. */
  span: [number, number];
  /** What each behaviour writes for these bytes. Without errors, only those that replace something. */
  written: { policy: Replacement; replaced: number; code_points: number[] }[];
}

/** A text in chunks, used like a TextDecoder, with the same results where both know the encoding. */
export interface Decoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly errors: Errors;
  /**
   * The string of a chunk, and of what has waited for it. Without `stream` it was the last one, and the next call
   * begins another text. After an error, too. Offsets in errors are those in the whole text.
   */
  decode(chunk?: Bytes, options?: { stream?: boolean }): string;
}

export interface Runecast {
  readonly version: string;
  /** The kernels: "simd128", "scalar". */
  readonly isa: string;
  readonly encodings: readonly string[];
  readonly policies: readonly string[];

  /** The first error, or null. */
  validate(bytes: Bytes, options?: Source): IllFormed | null;

  /** The string that these bytes are; "fatal" unless `errors` says otherwise. */
  decode(bytes: Bytes, options?: Source & { errors?: Errors }): string;

  /**
   * The bytes of a string. A surrogate without its partner is ill-formed, but for encodings that have a form for it;
   * `at` counts units of the string. In place of a character for which the target has no form stands "?", unless
   * `errors` is "fatal". Nothing is written in front: no byte order mark.
   */
  encode(text: string, options?: { encoding?: Encoding; errors?: Errors }): Uint8Array;

  /** The same text in another encoding. A target of plain UTF-16, UTF-32 or WTF-16 is big-endian. */
  transcode(bytes: Bytes, options?: { from?: Encoding; to?: Encoding; errors?: Errors; bom?: Bom }): Uint8Array;

  /**
   * The text in UTF-16, where it was written: a view of this instance's memory, and so only valid until the next call
   * of anything here. All of the text goes through at once, and needs three times its size.
   */
  transcodeToUtf16(bytes: Bytes, options?: Source & { errors?: Errors }): Uint16Array;

  /** What the text amounts to, with U+FFFD where it is ill-formed, as "whatwg" has it. */
  count(bytes: Bytes, options?: Source): Count;

  /**
   * Why these bytes are not well-formed UTF-8. Up to `whole` bytes (64) are explained as a whole, well-formed or not; of a
   * longer text, `stretches` (3) around the first errors; or of a well-formed one the first bytes.
   */
  explain(bytes: Bytes, options?: { whole?: number; stretches?: number }): Explanation;

  /** A decoder for a text that comes in chunks. `errors` goes before `fatal`. */
  decoder(encoding?: Encoding, options?: { fatal?: boolean; ignoreBOM?: boolean; errors?: Errors }): Decoder;

  /** The memory of this instance, which grows to what the largest call needs, and never shrinks. */
  readonly memoryBytes: number;

  /** Gives the buffers back to that memory. */
  release(): void;
}

/** Whether this host has WebAssembly's vectors. */
export function hasSimd(): boolean;

/** Loads the module that suits this host: from beside this file, from a URL, from bytes, or one that is compiled. */
export function load(options?: {
  url?: string | URL;
  bytes?: BufferSource;
  module?: WebAssembly.Module;
  simd?: boolean;
}): Promise<Runecast>;

/** The same at once. Browsers refuse that for large modules outside of workers. */
export function loadSync(source: WebAssembly.Module | BufferSource): Runecast;
