// runecast for JavaScript and TypeScript. `at` counts bytes from the beginning of the bytes that were given, its byte
// order mark included, unless something else is said; a text may be any number of bytes long.

/** Any bytes. Nothing keeps them, and nothing changes them. Those of a detached buffer are a TypeError. */
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

/**
 * How what is ill-formed is written, so that nothing is lost: `\xE9` for a byte, and `\uD800` for a unit of a string; a surrogate
 * U+DC80..U+DCFF for a byte, from which `unescapeSurrogates` gets it back; or the character that it would be in that encoding. ("surrogate"
 * is for strings: bytes of UTF-8 have no form for one, and have U+FFFD.)
 */
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
  constructor(error: IllFormed);
  readonly at: number;
  readonly len: number;
  readonly kind: string;
}

/** The target has no form for a character, and the policy is "fatal". */
export class UnrepresentableError extends RangeError {
  constructor(error: { at: number; codePoint: number; encoding: string });
  readonly at: number;
  readonly codePoint: number;
  /** The name of the target. */
  readonly encoding: string;
}

export interface Source {
  /** What the bytes are: UTF-8, unless said. */
  encoding?: Encoding;
  bom?: Bom;
}

/** A character, or an ill-formed sequence, whose `codePoint` is null. One beyond Unicode has null, too, and no `kind`. */
export interface Character {
  at: number;
  len: number;
  codePoint: number | null;
  /** The rule that was broken. */
  kind?: string;
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

export interface DecoderOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
  /** Takes precedence over `fatal`. */
  errors?: Errors;
}

/** A text in chunks, used like a TextDecoder, with the same results where both know the encoding. */
export interface Decoder {
  /** In lower case, as the platform writes it. */
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly errors: Errors;
  /**
   * The string of a chunk, and of what has waited for it. Without `stream` it was the last one, and the next call
   * begins another text. After an error, too. Offsets in errors are those in the whole text.
   */
  decode(chunk?: Bytes, options?: { stream?: boolean } | null): string;
}

/** A decoder as a transform, shaped like a TextDecoderStream: `stream.pipeThrough(runecast.decoderStream("utf-16"))`. */
export interface DecoderStream {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly errors: Errors;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

/** A string in chunks, which may be cut between the halves of a pair. */
export interface Encoder {
  /** In lower case, as the platform writes it. */
  readonly encoding: string;
  readonly errors: Errors;
  /**
   * The bytes of a chunk, and of what has waited for it: the first half of a pair waits for the second. Without `stream` it was the last
   * one, and the next call begins another text. After an error, too. `at` in errors counts units of the whole text.
   */
  encode(chunk?: string, options?: { stream?: boolean } | null): Uint8Array<ArrayBuffer>;
}

/** An encoder as a transform, shaped like a TextEncoderStream. */
export interface EncoderStream {
  readonly encoding: string;
  readonly errors: Errors;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<string>;
}

/** A text in chunks that becomes another encoding. */
export interface Transcoder {
  readonly from: string;
  readonly to: string;
  readonly errors: Errors;
  /** What is certain after this chunk. */
  push(chunk: Bytes): Uint8Array<ArrayBuffer>;
  /** The rest. The next chunk begins another text. */
  finish(): Uint8Array<ArrayBuffer>;
}

/** The same as a transform. */
export interface TranscoderStream {
  readonly from: string;
  readonly to: string;
  readonly errors: Errors;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Bytes>;
}

/** What bytes of unknown origin are. */
export interface Detection {
  /** Text in one encoding; text that is mostly UTF-8; text in an encoding that is not known here; no text. */
  content: "text" | "mixed" | "unknown" | "binary";
  /** The name of the encoding in lower case, if it is text in one. */
  encoding: string | null;
  /** From 0 to 100, which is beyond doubt. Not a probability. */
  confidence: number;
  /** What the answer is based on, in words. */
  evidence: string;
}

/** Bytes, or a function that gives the next of them, some `len` of them or any other number; none at the end. */
export type Readable = Bytes | ((len: number) => Bytes);

/** All functions throw a RangeError if there is no memory for what comes of a text. The instance serves on, with new memory. */
export interface Runecast {
  readonly version: string;
  /** The kernels: "simd128", "scalar". */
  readonly isa: string;
  readonly encodings: readonly Encoding[];
  readonly policies: readonly Exclude<Errors, { text: string }>[];

  /** The first error, or null. */
  validate(bytes: Bytes, options?: Source | null): IllFormed | null;

  /** Whether it is well-formed UTF-8: by the host's own function, where it has one. */
  isUtf8(bytes: Bytes): boolean;

  /** The string that these bytes are; "fatal" unless `errors` says otherwise. */
  decode(bytes: Bytes, options?: Source & { errors?: Errors } | null): string;

  /**
   * The bytes of a string. A surrogate without its partner is ill-formed, but for encodings that have a form for it;
   * `at` counts units of the string. A character for which the target has no form becomes "?", unless
   * `errors` is "fatal". No byte order mark is written.
   */
  encode(text: string, options?: { encoding?: Encoding; errors?: Errors } | null): Uint8Array<ArrayBuffer>;

  /**
   * Writes as much of a string as fits, whole characters only, as TextEncoder.encodeInto does: `read` counts units of the
   * string, `written` bytes. The errors are those of `encode`, but only if there is room left after all that comes before the error in the
   * string; where the room ends first, `read` says where to go on.
   */
  encodeInto(
    text: string,
    destination: Bytes,
    options?: { encoding?: Encoding; errors?: Errors } | null,
  ): { read: number; written: number };

  /** The same text in another encoding. A target of plain UTF-16, UTF-32 or WTF-16 is big-endian. */
  transcode(bytes: Bytes, options?: { from?: Encoding; to?: Encoding; errors?: Errors; bom?: Bom } | null): Uint8Array<ArrayBuffer>;

  /**
   * The text in UTF-16, where it was written: a view of this instance's memory, and so only valid until the next call
   * of anything here. (A call that is given the view itself reads it first.) All of the text goes through at once, and takes
   * up to six times its size of memory.
   */
  transcodeToUtf16(bytes: Bytes, options?: Source & { errors?: Errors } | null): Uint16Array<ArrayBufferLike>;

  /**
   * The bytes of which `decode` made a string with "surrogate": UTF-8, and a byte for each U+DC80..U+DCFF that is not half of a pair. Throws
   * an IllFormedError for other surrogates without a partner.
   */
  unescapeSurrogates(text: string): Uint8Array<ArrayBuffer>;

  /** How long the text is, with the U+FFFD that "whatwg" writes where it is ill-formed. */
  count(bytes: Bytes, options?: Source | null): Count;

  /**
   * Why these bytes are not well-formed UTF-8. A text of up to `whole` bytes (64 by default) is explained as a whole, well-formed or
   * not. Of a longer one, `stretches` around the first errors are explained (3 by default), or its first bytes if it is
   * well-formed. Either number may be `Infinity`; a negative one is a RangeError.
   */
  explain(bytes: Readable, options?: { whole?: number; stretches?: number } | null): Explanation;

  /**
   * In which encoding a text of unknown origin is. No more of it is read than could change the answer. With `whole` false
   * the bytes are the beginning of a longer text.
   */
  detect(bytes: Readable, options?: { whole?: boolean } | null): Detection;

  /**
   * All that is ill-formed: how many sequences, and the places of the first `limit` (1000 by default, `Infinity` for all). With
   * `last` false the bytes are the beginning of a longer text: `read` says how many are done with, and the rest goes in front of the
   * next ones.
   */
  illFormed(
    bytes: Bytes,
    options?: Source & { limit?: number; last?: boolean } | null,
  ): { count: number; places: { at: number; len: number }[]; read: number };

  /** A text character by character; for short ones, as all of it goes through at once. */
  characters(bytes: Bytes, options?: Source | null): Character[];

  /** A decoder for a text that comes in chunks. `errors` takes precedence over `fatal`. */
  decoder(encoding?: Encoding, options?: DecoderOptions | null): Decoder;

  /** The same as a transform. */
  decoderStream(encoding?: Encoding, options?: DecoderOptions | null): DecoderStream;

  /**
   * An encoder for a string that comes in chunks. "fatal" unless `errors` says otherwise, as for `encode`; and no byte order
   * mark is written, either.
   */
  encoder(encoding?: Encoding, options?: { errors?: Errors } | null): Encoder;

  /** The same as a transform. */
  encoderStream(encoding?: Encoding, options?: { errors?: Errors } | null): EncoderStream;

  /** Another encoding for a text that comes in chunks. */
  transcoder(options?: { from?: Encoding; to?: Encoding; errors?: Errors; bom?: Bom } | null): Transcoder;

  /** The same as a transform. */
  transcoderStream(options?: { from?: Encoding; to?: Encoding; errors?: Errors; bom?: Bom } | null): TranscoderStream;

  /** The memory of this instance, which grows to what the largest call needs, and never shrinks. */
  readonly memoryBytes: number;

  /** Frees the buffers, so that later calls may use their memory. It stays as large as it is. */
  release(): void;
}

/** Whether this host has WebAssembly's vectors. */
export function hasSimd(): boolean;

/**
 * Loads the module that suits this host: from beside this file, from a URL (relative to the page in browsers, to this file in
 * node), from bytes, or one that is compiled.
 */
export function load(options?: {
  url?: string | URL;
  bytes?: BufferSource;
  module?: WebAssembly.Module;
  simd?: boolean;
} | null): Promise<Runecast>;

/** The same at once. Browsers refuse that for large modules outside of workers. */
export function loadSync(source: WebAssembly.Module | BufferSource): Runecast;
