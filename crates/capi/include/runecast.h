// runecast: validates, repairs and transcodes Unicode text at the speed of memory.
//
// A text is an encoding, an address, and a length in bytes: always in bytes, whatever the unit, and at any
// address, aligned or not. A null pointer with length 0 is an empty text. Names and replacements are UTF-8, need
// no zero at their end, and have a length.
//
// - Inputs are read up to their length and no further; outputs are written up to their room and no further,
//   and need not be initialised. Behind what was written, the rest of an output may be changed too.
// - An output must not overlap its input: that is RUNECAST_BAD_ARGUMENT, and nothing is written.
// - Nothing is allocated but by runecast_stream_new() and its like, and runecast_map_new().
// - All functions may be called from any thread at any time; a stream, or a validator, by one at a time.
// - A number that is no encoding, a null pointer with a length, and a length above SIZE_MAX / 2 are
//   RUNECAST_BAD_ARGUMENT from functions that return a code, and 0 or false from the others.
// - No function has undefined behaviour for any text. All give the same results on every CPU.
// - Nobody may write to an input while a function reads it, be it a thread or, of shared memory, a process. That is a data
//   race, and the behaviour is undefined, for most functions look at a text more than once: to validate it and to copy it, or to
//   measure it and to convert it. As a second line of defence no kernel computes an address from a byte that it has read
//   twice, so that a text which changes becomes other bytes, within the room; but what was found to be well-formed need not
//   be any more. Of memory that others may write to, make a copy, and pass that.
//
// Licensed under either of the Apache License 2.0 or the MIT License, as you choose.
//
// This file is made by cbindgen, from crates/capi/src.

#ifndef RUNECAST_H
#define RUNECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version of this header. That of the library that runs is what runecast_version() returns.
#define RUNECAST_VERSION "0.1.0"
#define RUNECAST_VERSION_MAJOR 0
#define RUNECAST_VERSION_MINOR 1
#define RUNECAST_VERSION_PATCH 0

/// Before functions whose result says whether they have worked: who ignores it is warned, by compilers that can.
#ifndef RUNECAST_MUST_USE
#if defined(__cplusplus) && __cplusplus >= 201703L
#define RUNECAST_MUST_USE [[nodiscard]]
#elif defined(__GNUC__)
#define RUNECAST_MUST_USE __attribute__((warn_unused_result))
#elif defined(_MSC_VER) && _MSC_VER >= 1700
#define RUNECAST_MUST_USE _Check_return_
#else
#define RUNECAST_MUST_USE
#endif
#endif

/// The encoding of wchar_t: UTF-32, or UTF-16 where it has two bytes, as on Windows.
#if WCHAR_MAX > 0xFFFF
#define RUNECAST_WCHAR RUNECAST_UTF32
#else
#define RUNECAST_WCHAR RUNECAST_UTF16
#endif

/// No place in a text.
#define RUNECAST_NOWHERE SIZE_MAX

/// The version of this interface. It changes when a program compiled for an older one would not run any more:
/// compare it with what runecast_abi_version() returns.
#define RUNECAST_ABI_VERSION 1

/// The encodings.
typedef enum {
  /// UTF-8.
  RUNECAST_UTF8 = 1,
  /// UTF-16, the least significant byte of each unit first.
  RUNECAST_UTF16_LE = 2,
  /// UTF-16, the most significant byte of each unit first.
  RUNECAST_UTF16_BE = 3,
  /// UTF-32, the least significant byte of each unit first.
  RUNECAST_UTF32_LE = 4,
  /// UTF-32, the most significant byte of each unit first.
  RUNECAST_UTF32_BE = 5,
  /// ISO/IEC 8859-1: U+0000..U+00FF as one byte each. (Not windows-1252.)
  RUNECAST_LATIN1 = 6,
  /// US-ASCII: U+0000..U+007F as one byte each.
  RUNECAST_ASCII = 7,
  /// WTF-8: UTF-8 with unpaired surrogates in three bytes.
  RUNECAST_WTF8 = 8,
  /// WTF-16: UTF-16 in which surrogates may be unpaired, the least significant byte of each unit first.
  RUNECAST_WTF16_LE = 9,
  /// WTF-16, the most significant byte of each unit first.
  RUNECAST_WTF16_BE = 10,
  /// UTF-8 with surrogates, paired or not, in three bytes each.
  RUNECAST_GENERALIZED_UTF8 = 11,
  /// CESU-8: the units of UTF-16 in one to three bytes each.
  RUNECAST_CESU8 = 12,
  /// CESU-8 in which surrogates may be unpaired.
  RUNECAST_WOBBLY_CESU8 = 13,
  /// Modified UTF-8: CESU-8 with C0 80 for U+0000, as in class files, JNI and DEX.
  RUNECAST_MUTF8 = 14,
  /// Modified UTF-8 in which surrogates may be unpaired, as Java virtual machines write it.
  RUNECAST_WOBBLY_MUTF8 = 15,
  /// Corrected UTF-8, without its magic number.
  RUNECAST_CORRECTED_UTF8 = 16,
  /// UTF-16 in units of this machine (uint16_t, char16_t): another name of one of the two above.
  RUNECAST_UTF16 = 32,
  /// UTF-32 in units of this machine (uint32_t, char32_t).
  RUNECAST_UTF32 = 33,
  /// WTF-16 in units of this machine.
  RUNECAST_WTF16 = 34,
  /// UTF-16 of which the byte order mark tells the byte order; without one it is big-endian. Such an encoding
  /// is what a name may mean ("UTF-16"), and the source of a stream. Besides these only runecast_encoding_name()
  /// takes it.
  RUNECAST_UTF16_MARKED = 48,
  /// UTF-32 of which the byte order mark tells the byte order.
  RUNECAST_UTF32_MARKED = 49,
  /// WTF-16 of which the byte order mark tells the byte order.
  RUNECAST_WTF16_MARKED = 50,
} runecast_encodings;

/// What became of a call.
typedef enum {
  /// All is well.
  RUNECAST_OK = 0,
  /// The next character does not fit into what is left of the output.
  RUNECAST_OUTPUT_FULL = 1,
  /// The target has no form for a character, as Latin-1 and ASCII have for few.
  RUNECAST_UNREPRESENTABLE = 2,
  /// A null pointer with a length, a number that is no encoding or policy, an output that overlaps its input,
  /// or a length above half of the address space. Nothing was done.
  RUNECAST_BAD_ARGUMENT = 3,
  /// This CPU does not run these kernels, or there are none of that name.
  RUNECAST_UNAVAILABLE = 4,
  /// There is an error in the library. Nothing about the output is known.
  RUNECAST_INTERNAL = 5,
  /// Not a code of its own, but the first of those for ill-formed text; also for rules that are younger than
  /// this interface.
  RUNECAST_ILL_FORMED = 16,
  /// A continuation byte (80..BF) where a character should begin.
  RUNECAST_UNEXPECTED_CONTINUATION = 17,
  /// C0 or C1, which could only begin an overlong form of an ASCII character.
  RUNECAST_OVERLONG_LEAD = 18,
  /// F5..FF: no character of Unicode begins with such a byte.
  RUNECAST_INVALID_LEAD = 19,
  /// A longer form than the character needs.
  RUNECAST_OVERLONG = 20,
  /// A surrogate code point, which is not a character.
  RUNECAST_SURROGATE = 21,
  /// A code point above U+10FFFF.
  RUNECAST_ABOVE_MAXIMUM = 22,
  /// The character is cut short by a byte that is no continuation byte.
  RUNECAST_TRUNCATED = 23,
  /// The input ends in the middle of a character. More input may complete it.
  RUNECAST_INCOMPLETE = 24,
  /// UTF-16: a high surrogate with no low one after it.
  RUNECAST_UNPAIRED_HIGH = 25,
  /// UTF-16: a low surrogate with no high one before it.
  RUNECAST_UNPAIRED_LOW = 26,
  /// ASCII: a byte above 7F.
  RUNECAST_NOT_ASCII = 27,
  /// WTF-8: a high surrogate and a low one after it, which together are a character of four bytes.
  RUNECAST_SURROGATE_PAIR = 28,
  /// CESU-8, modified UTF-8: F0..F4, which begin a character of four bytes in UTF-8.
  RUNECAST_FOUR_BYTE_LEAD = 29,
  /// Corrected UTF-8: a sequence that is reserved for future use, of any length. A stream or a validator says so at its first byte,
  /// with 1 for the length, and a stream passes over the rest by itself.
  RUNECAST_RESERVED = 30,
  /// Modified UTF-8: a byte 00. U+0000 is C0 80 there.
  RUNECAST_RAW_NUL = 31,
} runecast_codes;

/// What is written where text is ill-formed. The first seven write U+FFFD (or a question mark, where the target
/// has no form for it), and differ in how many.
typedef enum {
  /// One for each maximal subpart, as Unicode recommends and the WHATWG requires: browsers, Rust, Python 3.
  RUNECAST_REPLACE_WHATWG = 0,
  /// One for each byte: Go.
  RUNECAST_REPLACE_PER_BYTE = 1,
  /// As MultiByteToWideChar of Windows 10 and .NET Framework.
  RUNECAST_REPLACE_WIN32 = 2,
  /// As OpenJDK 8.
  RUNECAST_REPLACE_OPEN_JDK8 = 3,
  /// As Python 2.7, which decodes surrogates.
  RUNECAST_REPLACE_PYTHON2 = 4,
  /// As Perl 5.22, which replaces noncharacters too.
  RUNECAST_REPLACE_PERL5 = 5,
  /// As ICU 55: one for each run.
  RUNECAST_REPLACE_ICU55 = 6,
  /// A backslash and xE9 for each byte, as Python's backslashreplace but in capital letters.
  RUNECAST_ESCAPE_BACKSLASH = 16,
  /// U+DC80..U+DCFF for each byte of ill-formed UTF-8, as Python's surrogateescape. It is for targets of 16- or 32-bit
  /// units, whose text is then ill-formed: for others U+FFFD is written, and the bytes are lost.
  RUNECAST_ESCAPE_SURROGATE = 17,
  /// The character of Latin-1 for each byte of ill-formed UTF-8 or ASCII; U+FFFD for what is ill-formed in others.
  RUNECAST_ESCAPE_LATIN1 = 18,
  /// The character of windows-1252 for each of these bytes.
  RUNECAST_ESCAPE_WINDOWS1252 = 19,
  /// Nothing. A security hole wherever the text is looked at before it is repaired: what is dropped
  /// may have kept two harmless pieces from joining into a harmful one.
  RUNECAST_DROP_AT_THE_RISK_OF_JOINING = 32,
  /// Nothing, and nothing for characters that the target has no form for: what iconv -c does. A security
  /// hole as well.
  RUNECAST_OMIT = 33,
} runecast_policies;

/// What a stream does with a byte order mark at the very beginning of its text.
typedef enum {
  /// It is a character like any other; but RUNECAST_UTF16_MARKED and its like leave it out always.
  RUNECAST_BOM_KEEP = 0,
  /// If it is that of the source's encoding, it is left out.
  RUNECAST_BOM_STRIP = 1,
  /// If it is that of UTF-8, UTF-16 or UTF-32, then that is the source's encoding, and it is left out.
  RUNECAST_BOM_SNIFF = 2,
} runecast_bom_uses;

/// The characters that a text is made of. Each contains those before it.
typedef enum {
  /// U+0000..U+007F: a byte each, the same in UTF-8.
  RUNECAST_REPERTOIRE_ASCII = 1,
  /// U+0000..U+00FF: a byte each, in Latin-1.
  RUNECAST_REPERTOIRE_LATIN1 = 2,
  /// U+0000..U+FFFF without surrogates: two bytes each, in UTF-16.
  RUNECAST_REPERTOIRE_BMP = 3,
  /// All of Unicode: four bytes each, in UTF-32.
  RUNECAST_REPERTOIRE_UNICODE = 4,
} runecast_repertoires;

/// What offsets are counted in.
typedef enum {
  /// Bytes of UTF-8.
  RUNECAST_UNIT_UTF8 = 1,
  /// Units of UTF-16.
  RUNECAST_UNIT_UTF16 = 2,
  /// Characters.
  RUNECAST_UNIT_CHAR = 3,
} runecast_units;

/// What bytes of unknown origin may be.
typedef enum {
  /// Text in an encoding that is known here.
  RUNECAST_TEXT = 1,
  /// Text that is mostly UTF-8, but not all of it.
  RUNECAST_MIXED = 2,
  /// Text in an encoding that is not known here, or something that looks like it.
  RUNECAST_UNKNOWN = 3,
  /// No text.
  RUNECAST_BINARY = 4,
} runecast_contents;

/// The offsets of a text, summed up: some 1.6 % of its size. Any number of threads may ask it.
typedef struct runecast_map runecast_map;

/// A conversion of a text that comes in chunks. One thread at a time may use it.
typedef struct runecast_stream runecast_stream;

/// What became of a call: one of the enumerators RUNECAST_OK and so on, or a number that a later version adds.
/// From RUNECAST_ILL_FORMED on, the text is ill-formed, and the number is the rule that is broken.
typedef uint32_t runecast_code;

/// An encoding: one of the enumerators RUNECAST_UTF8 and so on. 0 is none.
typedef uint32_t runecast_encoding;

/// What bytes are, as far as can be told: one of the enumerators RUNECAST_TEXT and so on.
typedef uint32_t runecast_content;

/// What bytes are, and how certain that is.
typedef struct {
  /// RUNECAST_TEXT, or what it is instead; 0 for a bad argument.
  runecast_content content;
  /// The encoding, if it is text in one that is known here; 0 otherwise.
  runecast_encoding encoding;
  /// From 0 to 100, which is beyond doubt. It orders the answers, and is no probability.
  uint32_t confidence;
} runecast_guess;

/// What became of a text. All numbers are of bytes, but for `replaced`. Those that a call has nothing to say
/// about are 0.
typedef struct {
  /// RUNECAST_OK, or why it stopped.
  runecast_code code;
  /// With RUNECAST_UNREPRESENTABLE: the code point for which the target has no form.
  uint32_t code_point;
  /// How much of the input is done with. Where the code is an error, the rest begins with what is wrong; but
  /// a stream is behind it already.
  size_t read;
  /// How much was written.
  size_t written;
  /// Where the first thing that is wrong begins; in a stream, counted from the beginning of the whole
  /// text, and the greatest number there is if it is beyond.
  size_t at;
  /// The length of what is wrong at `at`: of a maximal subpart, or of a character without a form. 0 where it
  /// was replaced.
  size_t len;
  /// How many replacements were made. If there are any, `at` is where the first of them was.
  size_t replaced;
} runecast_result;

/// What is written in place of what is ill-formed: one of the enumerators RUNECAST_REPLACE_WHATWG and so on.
typedef uint32_t runecast_policy;

/// The characters that a text is made of: one of the enumerators RUNECAST_REPERTOIRE_ASCII and so on.
typedef uint32_t runecast_repertoire;

/// What a stream does with a byte order mark: one of the enumerators RUNECAST_BOM_KEEP and so on.
typedef uint32_t runecast_bom_use;

/// Checks a text that comes in chunks. It is made by runecast_validator_new(), or by setting `encoding` and
/// all else to 0; it may be copied, and is never freed.
///
/// In eight bytes it counts those of a text in UTF-8 to 2^45, in UTF-16, UTF-32 and WTF-16 to 2^39, and in the other
/// encodings that write several bytes for a character (CESU-8, modified UTF-8, WTF-8, generalized UTF-8, the wobbly
/// ones, Corrected UTF-8) to 2^33. What is ill-formed behind that is found, but its place is said to be there: in texts
/// of more than 8 GiB count the chunks yourself, or use a stream.
typedef struct {
  /// The encoding of the text.
  runecast_encoding encoding;
  /// 0.
  uint32_t reserved;
  /// What the library has to know.
  uint64_t state;
} runecast_validator;

/// What offsets are counted in: one of the enumerators RUNECAST_UNIT_UTF8 and so on.
typedef uint32_t runecast_unit;

/// A line, and a place in it; both from 0.
typedef struct {
  /// How many line breaks (LF, CR LF, CR) there are before.
  size_t line;
  /// How much of the line there is before, in the unit that was asked for.
  size_t column;
} runecast_position;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// RUNECAST_ABI_VERSION of the library that runs.
uint32_t runecast_abi_version(void);

/// The version of the library that runs, such as "0.1.0". RUNECAST_VERSION is that of the header.
const char *runecast_version(void);

/// The instruction set whose kernels are in use: "avx512", "avx2", "sse42", "neon", "simd128" or "scalar".
/// It is found out at the first call of any function; RUNECAST_ISA in the environment may name a lesser one.
const char *runecast_engine(void);

/// The instruction sets that this CPU runs, the best first: with 0, 1, 2, ... until a null pointer.
const char *runecast_engine_available(size_t index);

/// Makes one of these instruction sets the choice of the whole process, for comparisons: all of them give the same
/// results. Calls under way in other threads end with the one that they began with. RUNECAST_UNAVAILABLE if this
/// CPU does not run it, or there is none of that name; nothing is changed then.
runecast_code runecast_narrow(const char *name,
                              size_t len);

/// The encoding of a name, such as "utf-8", "UTF-16LE", "latin1" or "cp65001": names of iconv, IANA and the
/// WHATWG, in any case, without regard to hyphens, underscores and spaces. 0 if there is none. Of "UTF-16",
/// "UTF-32" and "WTF-16" a text has to tell the byte order: these are RUNECAST_UTF16_MARKED and so on.
runecast_encoding runecast_encoding_named(const char *name,
                                          size_t len);

/// The name of an encoding, such as "UTF-16LE"; a null pointer if there is no such encoding.
const char *runecast_encoding_name(runecast_encoding encoding);

/// The encoding whose byte order mark a text begins with: UTF-8, UTF-16 or UTF-32; 0 if there is none. FF FE 00
/// 00 is taken for UTF-32LE. Four bytes of the text are enough.
runecast_encoding runecast_bom(const void *src,
                               size_t len);

/// The length of the byte order mark of an encoding: 0 if it has none.
size_t runecast_bom_len(runecast_encoding encoding);

/// What these bytes are: in which encoding, or no text at all. If they are not the `whole` of a text but its
/// beginning, a character that is cut at the end is no error. A byte order mark decides; that a whole text is
/// ASCII, or well-formed UTF-8, is a fact; all other answers are guesses, for which 4 KiB are mostly enough.
runecast_guess runecast_detect(const void *src,
                               size_t len,
                               bool whole);

/// The same in words, and the evidence: "UTF-16LE, 99 % sure: ...", as a C string of at most `room` bytes at `out`, cut
/// between characters if it is longer. Returns its whole length, without the zero at its end; 0 for a bad argument. Where `out`
/// overlaps `src`, nothing is written.
size_t runecast_detect_describe(const void *src,
                                size_t len,
                                bool whole,
                                char *out,
                                size_t room);

/// Whether a text is well-formed UTF-8.
RUNECAST_MUST_USE bool runecast_is_utf8(const void *src, size_t len);

/// Whether all bytes are up to 7F.
RUNECAST_MUST_USE bool runecast_is_ascii(const void *src, size_t len);

/// How many of the first bytes are up to 7F.
size_t runecast_ascii_prefix(const void *src, size_t len);

/// Checks that a text is well-formed. `read` is the length of the well-formed prefix, of all the text if it is.
/// Where it is not, `code` is the rule that is broken, `at` and `len` are the place and length of the
/// first ill-formed sequence: in UTF-8 a maximal subpart.
RUNECAST_MUST_USE
runecast_result runecast_validate(runecast_encoding encoding,
                                  const void *src,
                                  size_t len);

/// The length of the longest prefix that is well-formed. 0 for a bad argument.
size_t runecast_valid_prefix(runecast_encoding encoding, const void *src, size_t len);

/// The length of a text without what is only the beginning of a character at its end: so much can be
/// converted or checked by itself if the rest is put in front of what comes next. Nothing is checked.
/// In encodings with unpaired surrogates, a high one at the end waits too. 0 for a bad argument.
size_t runecast_complete_prefix(runecast_encoding encoding,
                                const void *src,
                                size_t len);

/// The number of characters in a well-formed text. Of ill-formed text, the number of code units that may begin
/// a character. 0 for a bad argument.
size_t runecast_count(runecast_encoding encoding,
                      const void *src,
                      size_t len);

/// The number of bytes that runecast_transcode() writes for a well-formed text whose characters all have a form
/// in `to`. For other text it is at least what is written before the error. 0 for a bad argument.
RUNECAST_MUST_USE
size_t runecast_transcoded_len(runecast_encoding from,
                               const void *src,
                               size_t len,
                               runecast_encoding to);

/// An upper bound of the bytes that any well-formed text of `len` bytes has in `to`; the greatest number there is
/// if it is beyond. 0 for a bad argument.
size_t runecast_max_transcoded_len(runecast_encoding from,
                                   size_t len,
                                   runecast_encoding to);

/// What runecast_transcode_lossy() would write, without writing it: `written`, `replaced` and `at` are as it
/// would return them. It takes as long.
RUNECAST_MUST_USE
runecast_result runecast_transcode_lossy_len(runecast_encoding from,
                                             const void *src,
                                             size_t len,
                                             runecast_encoding to,
                                             runecast_policy policy);

/// The smallest repertoire that holds a well-formed text. 0 for a bad argument.
runecast_repertoire runecast_repertoire_of(runecast_encoding encoding, const void *src, size_t len);

/// Whether all characters of a well-formed text are in a repertoire. It ends soon after the first that is not.
/// False for a bad argument.
RUNECAST_MUST_USE
bool runecast_fits(runecast_encoding encoding,
                   const void *src,
                   size_t len,
                   runecast_repertoire repertoire);

/// Converts a text, strictly, into an output with room for `room` bytes. It stops where the text is ill-formed,
/// at a character that `to` has no form for, and where the output is full: `read` and `written` are then what
/// was converted up to there, always whole characters, and a later call may go on with the rest. Bytes
/// of the output after those written may be changed too, up to `room`.
///
/// runecast_transcoded_len() gives the exact length of the output, runecast_max_transcoded_len() an upper bound.
RUNECAST_MUST_USE
runecast_result runecast_transcode(runecast_encoding from,
                                   const void *src,
                                   size_t len,
                                   runecast_encoding to,
                                   void *dst,
                                   size_t room);

/// Converts a text, and writes by a policy where it is ill-formed; a character that `to` has no form for becomes
/// a question mark. `replaced` is how often that was, and `at` where first. The only code besides RUNECAST_OK is
/// RUNECAST_OUTPUT_FULL: `read` and `written` are then whole characters and whole replacements, and `replaced` and
/// `at` are about these. What it has to write in all is said by runecast_transcode_lossy_len(); to go on piece by piece, make a stream.
RUNECAST_MUST_USE
runecast_result runecast_transcode_lossy(runecast_encoding from,
                                         const void *src,
                                         size_t len,
                                         runecast_encoding to,
                                         void *dst,
                                         size_t room,
                                         runecast_policy policy);

/// The same, with a text of your own, in UTF-8, for each maximal subpart or unit that is ill-formed.
RUNECAST_MUST_USE
runecast_result runecast_transcode_with(runecast_encoding from,
                                        const void *src,
                                        size_t len,
                                        runecast_encoding to,
                                        void *dst,
                                        size_t room,
                                        const char *replacement,
                                        size_t replacement_len);

/// A stream that stops at whatever is wrong; or a null pointer, if a number is no encoding, or there is no memory.
/// The source may be one of RUNECAST_UTF16_MARKED, RUNECAST_UTF32_MARKED and RUNECAST_WTF16_MARKED too.
RUNECAST_MUST_USE
runecast_stream *runecast_stream_new(runecast_encoding from,
                                     runecast_encoding to);

/// A stream that never stops, and writes by a policy where the text is ill-formed; or a null pointer, if
/// a number is no encoding or no policy, or there is no memory.
RUNECAST_MUST_USE
runecast_stream *runecast_stream_new_lossy(runecast_encoding from,
                                           runecast_encoding to,
                                           runecast_policy policy);

/// The same, with a text of your own, in UTF-8, for each maximal subpart or unit that is ill-formed. The stream
/// keeps a copy of it.
RUNECAST_MUST_USE
runecast_stream *runecast_stream_new_with(runecast_encoding from,
                                          runecast_encoding to,
                                          const char *replacement,
                                          size_t replacement_len);

/// Frees a stream. A null pointer is left alone.
void runecast_stream_free(runecast_stream *stream);

/// Says what is done with a byte order mark, of this text and all that follow it: to be called before the text begins, for within
/// one it only says what is done with the mark of the next. RUNECAST_BAD_ARGUMENT if the number is none of RUNECAST_BOM_KEEP
/// and so on.
runecast_code runecast_stream_bom(runecast_stream *stream,
                                  runecast_bom_use bom);

/// Converts as much of the next chunk as fits into the output. RUNECAST_OK: all of the chunk was read, and what
/// is only the beginning of a character waits in the stream. RUNECAST_OUTPUT_FULL: call it again with what is
/// left of the chunk, and more room; with six bytes of room or more there is progress always.
///
/// With another code the text is wrong at `at`, for `len` bytes; what is before it was written, and the
/// stream is after it then: you may write something of your own, and go on with the rest.
RUNECAST_MUST_USE
runecast_result runecast_stream_feed(runecast_stream *stream,
                                     const void *src,
                                     size_t len,
                                     void *dst,
                                     size_t room);

/// Says that there are no more chunks, and writes what waits. RUNECAST_OUTPUT_FULL: call it again, with more
/// room. Behind RUNECAST_OK the stream is at the beginning of another text.
RUNECAST_MUST_USE
runecast_result runecast_stream_finish(runecast_stream *stream,
                                       void *dst,
                                       size_t room);

/// Forgets what the stream has seen: the next chunk is the first one of another text.
void runecast_stream_restart(runecast_stream *stream);

/// The encoding of the text: known from the beginning, unless a byte order mark tells; then as soon as it has been
/// seen, and 0 until then. When a text has ended it is still that of the text, until the next begins.
runecast_encoding runecast_stream_source(const runecast_stream *stream);

/// How many bytes of the text are done with: all that were read, but for those that wait.
uint64_t runecast_stream_offset(const runecast_stream *stream);

/// How many bytes wait for the next chunk.
size_t runecast_stream_waiting(const runecast_stream *stream);

/// Writes a sentence about the error in the text that the last call for this stream returned, as runecast_explain() does; its
/// bytes are quoted, wherever they were. An empty string if there was none, as with RUNECAST_BAD_ARGUMENT.
size_t runecast_stream_explain(const runecast_stream *stream,
                               char *out,
                               size_t room);

/// A validator at the beginning of a text.
runecast_validator runecast_validator_new(runecast_encoding encoding);

/// Checks the next chunk, which may end in the middle of a character. Where it is ill-formed, `at` is the place
/// in the whole text, as far as a validator counts, and may lie before this chunk; the validator is then as it was
/// before.
RUNECAST_MUST_USE
runecast_result runecast_validator_push(runecast_validator *validator,
                                        const void *src,
                                        size_t len);

/// Says that there are no more chunks: an error if the text ends in the middle of a character.
RUNECAST_MUST_USE runecast_result runecast_validator_finish(const runecast_validator *validator);

/// How many bytes are known to be well-formed: all that were pushed, but for those of an incomplete character. Exact as
/// far as a validator counts.
uint64_t runecast_validator_offset(const runecast_validator *validator);

/// How many bytes wait for what comes after them: so many at the end of what was pushed are not text yet.
size_t runecast_validator_waiting(const runecast_validator *validator);

/// How much of a text in UTF-8 there is, in `unit`, before the byte `at`. RUNECAST_NOWHERE if that is beyond the
/// end or within a character, or the text is ill-formed.
size_t runecast_offset(const char *src,
                       size_t len,
                       size_t at,
                       runecast_unit unit);

/// The byte of a text in UTF-8 before which there is so much of it, in `unit`: the inverse of runecast_offset().
size_t runecast_at_offset(const char *src,
                          size_t len,
                          size_t offset,
                          runecast_unit unit);

/// Line and column of the byte `at` of a text in UTF-8, the column in `unit`. Both are RUNECAST_NOWHERE if there is
/// no such place.
runecast_position runecast_position_of(const char *src,
                                       size_t len,
                                       size_t at,
                                       runecast_unit unit);

/// The byte at a line and column of a text in UTF-8, the column in `unit`: the inverse of runecast_position_of().
size_t runecast_at_position(const char *src,
                            size_t len,
                            runecast_position place,
                            runecast_unit unit);

/// A map of a text in UTF-8, for many questions about it; a null pointer if the text is ill-formed, or there is no memory for
/// the map. It takes some 1.6 % of the text in memory, never more than 4 % and some hundred bytes.
RUNECAST_MUST_USE
runecast_map *runecast_map_new(const char *src,
                               size_t len);

/// Frees a map. A null pointer is none.
void runecast_map_free(runecast_map *map);

/// What a map takes in memory, in bytes.
size_t runecast_map_size(const runecast_map *map);

/// The length of a map's text, in `unit`; 0 if that is no unit.
size_t runecast_map_len(const runecast_map *map, runecast_unit unit);

/// How many lines a map's text has: one more than line breaks.
size_t runecast_map_lines(const runecast_map *map);

/// runecast_offset() of the text that the map was made of, which must be unchanged, wherever it is now. It is
/// RUNECAST_NOWHERE as well if the text has another length, or the map is null.
size_t runecast_map_offset(const runecast_map *map,
                           const char *src,
                           size_t len,
                           size_t at,
                           runecast_unit unit);

/// runecast_at_offset() of the text that the map was made of.
size_t runecast_map_at_offset(const runecast_map *map,
                              const char *src,
                              size_t len,
                              size_t offset,
                              runecast_unit unit);

/// runecast_position_of() of the text that the map was made of.
runecast_position runecast_map_position_of(const runecast_map *map,
                                           const char *src,
                                           size_t len,
                                           size_t at,
                                           runecast_unit unit);

/// runecast_at_position() of the text that the map was made of.
size_t runecast_map_at_position(const runecast_map *map,
                                const char *src,
                                size_t len,
                                runecast_position place,
                                runecast_unit unit);

/// What a code means, in a few words of English that are never freed; "an unknown code" for numbers that are none.
const char *runecast_message(runecast_code code);

/// Writes a sentence about a result, with place and bytes, as a string with a zero at its end; returns its length
/// without the zero. If that is not less than `room`, it was cut, between characters, to what fits. With `room`
/// 0 nothing is written.
///
/// `src` is the text that the result is about, whose bytes are then quoted; it may be null, and is not
/// needed if the result is that of a stream, which has runecast_stream_explain(). Of a result that is null there is
/// nothing to say: an empty string. Where `out` overlaps `src`, 0 is returned and nothing is written.
size_t runecast_explain(const runecast_result *result,
                        runecast_encoding encoding,
                        const void *src,
                        size_t len,
                        char *out,
                        size_t room);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RUNECAST_H */
