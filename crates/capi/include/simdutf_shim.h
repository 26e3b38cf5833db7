// The most used functions of simdutf, by their names and with their conventions, over runecast: a C++ program
// that calls them tries the other engine by including this instead of simdutf.h, and linking runecast.
//
//     #include <simdutf_shim.h>    // instead of <simdutf.h>
//
// Errors have simdutf's codes and positions. Differences:
//
// - simdutf's conversions are not told how much room there is. Here a text is converted to a buffer of some kilobytes,
//   and from there what has been converted is copied: so a conversion costs somewhat more than runecast_transcode() with the
//   room that you know, and nothing is ever written beyond what the text before the first error becomes, whatever is
//   behind it.
// - convert_valid_*() check the text all the same, and write nothing after an error.
// - Base64, find(), the choice of implementations and `span` overloads are not here; of functions with `_safe` there are two.
//
// Licensed under either of the Apache License 2.0 or the MIT License, as you choose.

#ifndef RUNECAST_SIMDUTF_SHIM_H
#define RUNECAST_SIMDUTF_SHIM_H

#ifdef SIMDUTF_H
#error "simdutf_shim.h stands in for simdutf.h: include one of them"
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "runecast.h"

namespace simdutf {

enum encoding_type {
    UTF8 = 1,
    UTF16_LE = 2,
    UTF16_BE = 4,
    UTF32_LE = 8,
    UTF32_BE = 16,
    Latin1 = 32,
    unspecified = 0
};

enum endianness { LITTLE = 0, BIG = 1 };

enum error_code {
    SUCCESS = 0,
    HEADER_BITS,
    TOO_SHORT,
    TOO_LONG,
    OVERLONG,
    TOO_LARGE,
    SURROGATE,
    INVALID_BASE64_CHARACTER,
    BASE64_INPUT_REMAINDER,
    BASE64_EXTRA_BITS,
    OUTPUT_BUFFER_TOO_SMALL,
    OTHER
};

/// What became of a text: with SUCCESS `count` is how many units were validated or written, otherwise it is the
/// place of the error in the input.
struct result {
    error_code error;
    std::size_t count;

    result() noexcept : error(SUCCESS), count(0) {}
    result(error_code e, std::size_t n) noexcept : error(e), count(n) {}
    bool is_ok() const noexcept { return error == SUCCESS; }
    bool is_err() const noexcept { return error != SUCCESS; }
};

inline std::string to_string(encoding_type encoding) {
    switch (encoding) {
    case UTF8: return "UTF8";
    case UTF16_LE: return "UTF16 little-endian";
    case UTF16_BE: return "UTF16 big-endian";
    case UTF32_LE: return "UTF32 little-endian";
    case UTF32_BE: return "UTF32 big-endian";
    case Latin1: return "latin1";
    default: return "unknown";
    }
}

namespace runecast_detail {

using std::size_t;

// What simdutf calls the rule that UTF-8 breaks at a place: first whether there are as many continuation bytes as
// the lead byte announces, and only then what they would be. (The place is the same for all who look.)
inline error_code utf8_error(const unsigned char *s, size_t left, bool narrow) noexcept {
    const unsigned lead = s[0];
    if (lead < 0xC0) return TOO_LONG;
    if (lead >= 0xF8) return HEADER_BITS;
    // Latin-1 has nothing of three bytes and more, whatever they are.
    if (narrow && lead >= 0xE0) return TOO_LARGE;
    const size_t len = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = lead & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (i >= left || (s[i] & 0xC0) != 0x80) return TOO_SHORT;
        point = point << 6 | (s[i] & 0x3Fu);
    }
    if (point < (len == 2 ? 0x80u : len == 3 ? 0x800u : 0x10000u)) return OVERLONG;
    return point >= 0xD800 && point < 0xE000 ? SURROGATE : TOO_LARGE;
}

// The unit of an encoding.
inline size_t unit(runecast_encoding encoding) noexcept {
    switch (encoding) {
    case RUNECAST_UTF16_LE: case RUNECAST_UTF16_BE: case RUNECAST_UTF16: return 2;
    case RUNECAST_UTF32: return 4;
    default: return 1;
    }
}

inline error_code code(const runecast_result &found, runecast_encoding from, const void *src, size_t size,
                       bool narrow) noexcept {
    if (from == RUNECAST_UTF8 && found.at < size) {
        return utf8_error(static_cast<const unsigned char *>(src) + found.at, size - found.at, narrow);
    }
    const bool surrogate = found.code == RUNECAST_UNPAIRED_HIGH || found.code == RUNECAST_UNPAIRED_LOW ||
                           found.code == RUNECAST_SURROGATE || found.code == RUNECAST_INCOMPLETE;
    return surrogate && !narrow ? SURROGATE : TOO_LARGE;
}

inline result check(runecast_encoding encoding, const void *src, size_t len) noexcept {
    const size_t size = len * unit(encoding);
    const runecast_result found = runecast_validate(encoding, src, size);
    if (found.code == RUNECAST_OK) return result(SUCCESS, len);
    return result(code(found, encoding, src, size, false), found.at / unit(encoding));
}

inline size_t length(runecast_encoding from, const void *src, size_t len, runecast_encoding to) noexcept {
    return runecast_transcoded_len(from, src, len * unit(from), to) / unit(to);
}

// The functions below know nothing of the room of the output. A sum over all of the text, as length() gives it, is no bound
// for it: what is behind an error counts, too, and a conversion may write anything within the room that it is told.
inline result convert(runecast_encoding from, const void *src, size_t len, runecast_encoding to,
                      void *dst) noexcept {
    const unsigned char *const rest = static_cast<const unsigned char *>(src);
    unsigned char *const out = static_cast<unsigned char *>(dst);
    const size_t size = len * unit(from);
    // No byte becomes more than four.
    const size_t most = 4096;
    unsigned char piece[4 * most];
    for (size_t at = 0, written = 0;;) {
        const size_t some = size - at <= most ? size - at : runecast_complete_prefix(from, rest + at, most);
        const runecast_result done = runecast_transcode(from, rest + at, some, to, piece, sizeof piece);
        if (done.written > 0) std::memcpy(out + written, piece, done.written);
        written += done.written;
        if (done.code != RUNECAST_OK) {
            if (done.code < RUNECAST_ILL_FORMED && done.code != RUNECAST_UNREPRESENTABLE) return result(OTHER, 0);
            return result(code(done, from, rest + at, size - at, to == RUNECAST_LATIN1), (at + done.at) / unit(from));
        }
        at += some;
        if (at == size) return result(SUCCESS, written / unit(to));
    }
}

inline size_t convert_or_0(runecast_encoding from, const void *src, size_t len, runecast_encoding to,
                           void *dst) noexcept {
    const result done = convert(from, src, len, to, dst);
    return done.is_ok() ? done.count : 0;
}

// From `input` to `output`, which may be the same: by way of a buffer, in pieces that do not end within a pair.
template <class Convert>
void in_place(runecast_encoding encoding, const char16_t *input, size_t len, char16_t *output,
              Convert convert) noexcept {
    char16_t piece[1024];
    for (size_t at = 0; at < len;) {
        size_t units = len - at < 1024 ? len - at : 1024;
        std::memcpy(piece, input + at, units * 2);
        if (at + units < len) units = runecast_complete_prefix(encoding, piece, units * 2) / 2;
        convert(piece, units, output + at);
        at += units;
    }
}

inline void well_formed(runecast_encoding encoding, const char16_t *input, size_t len, char16_t *output) noexcept {
    in_place(encoding, input, len, output, [encoding](const char16_t *piece, size_t units, char16_t *to) {
        // A replacement is as long as what it stands for, so that there is room.
        const runecast_result done =
            runecast_transcode_lossy(encoding, piece, units * 2, encoding, to, units * 2, RUNECAST_REPLACE_WHATWG);
        static_cast<void>(done);
    });
}

// As much as there is room for: how many bytes were written. Nothing, if that is ill-formed up to there.
inline size_t convert_safe(runecast_encoding from, const void *src, size_t size, char *out, size_t room) noexcept {
    const runecast_result done = runecast_transcode(from, src, size, RUNECAST_UTF8, out, room);
    return done.code == RUNECAST_OK || done.code == RUNECAST_OUTPUT_FULL ? done.written : 0;
}

// The length in UTF-8 with U+FFFD for each surrogate that is alone; the code says whether there is any surrogate.
inline result length_with_replacement(runecast_encoding from, const char16_t *input, size_t length) noexcept {
    const runecast_result found =
        runecast_transcode_lossy_len(from, input, length * 2, RUNECAST_UTF8, RUNECAST_REPLACE_WHATWG);
    // A character of two units is no unit of UCS-2; what was replaced was a surrogate as well.
    const bool pairs = runecast_count(from, input, length * 2) != length;
    return result(found.replaced || pairs ? SURROGATE : SUCCESS, found.written);
}

inline size_t convert_with_replacement(runecast_encoding from, const char16_t *input, size_t length,
                                       char *out) noexcept {
    const unsigned char *const rest = reinterpret_cast<const unsigned char *>(input);
    const size_t size = length * 2, most = 4096;
    unsigned char piece[2 * most];
    size_t written = 0;
    for (size_t at = 0; at < size;) {
        const size_t some = size - at <= most ? size - at : runecast_complete_prefix(from, rest + at, most);
        // No unit becomes more than three bytes.
        const runecast_result done = runecast_transcode_lossy(from, rest + at, some, RUNECAST_UTF8, piece,
                                                              sizeof piece, RUNECAST_REPLACE_WHATWG);
        if (done.written > 0) std::memcpy(out + written, piece, done.written);
        written += done.written;
        at += some;
    }
    return written;
}

inline encoding_type of(runecast_encoding encoding) noexcept {
    switch (encoding) {
    case RUNECAST_UTF8: return UTF8;
    case RUNECAST_UTF16_LE: return UTF16_LE;
    case RUNECAST_UTF16_BE: return UTF16_BE;
    case RUNECAST_UTF32_LE: return UTF32_LE;
    case RUNECAST_UTF32_BE: return UTF32_BE;
    default: return unspecified;
    }
}

} // namespace runecast_detail

// --- validation ------------------------------------------------------------------------------------------------

inline bool validate_utf8(const char *buf, std::size_t len) noexcept { return runecast_is_utf8(buf, len); }
inline bool validate_ascii(const char *buf, std::size_t len) noexcept { return runecast_is_ascii(buf, len); }

inline result validate_ascii_with_errors(const char *buf, std::size_t len) noexcept {
    const std::size_t prefix = runecast_ascii_prefix(buf, len);
    return result(prefix == len ? SUCCESS : TOO_LARGE, prefix);
}

#define RUNECAST_CHECK(name, type, encoding)                                                                   \
    inline result validate_##name##_with_errors(const type *buf, std::size_t len) noexcept {                   \
        return runecast_detail::check(encoding, buf, len);                                                     \
    }
#define RUNECAST_CHECK_BOTH(name, type, encoding)                                                              \
    RUNECAST_CHECK(name, type, encoding)                                                                       \
    inline bool validate_##name(const type *buf, std::size_t len) noexcept {                                   \
        return runecast_validate(encoding, buf, len * sizeof(type)).code == RUNECAST_OK;                       \
    }

RUNECAST_CHECK(utf8, char, RUNECAST_UTF8)
RUNECAST_CHECK_BOTH(utf16, char16_t, RUNECAST_UTF16)
RUNECAST_CHECK_BOTH(utf16le, char16_t, RUNECAST_UTF16_LE)
RUNECAST_CHECK_BOTH(utf16be, char16_t, RUNECAST_UTF16_BE)
RUNECAST_CHECK_BOTH(utf32, char32_t, RUNECAST_UTF32)

#undef RUNECAST_CHECK
#undef RUNECAST_CHECK_BOTH

// --- conversion ------------------------------------------------------------------------------------------------

#define RUNECAST_CONVERT(from, to, source, target, from_encoding, to_encoding)                                 \
    inline std::size_t convert_##from##_to_##to(const source *input, std::size_t length,                       \
                                                target *output) noexcept {                                     \
        return runecast_detail::convert_or_0(from_encoding, input, length, to_encoding, output);               \
    }
#define RUNECAST_CONVERT_ALL(from, to, source, target, from_encoding, to_encoding)                             \
    RUNECAST_CONVERT(from, to, source, target, from_encoding, to_encoding)                                     \
    inline result convert_##from##_to_##to##_with_errors(const source *input, std::size_t length,              \
                                                         target *output) noexcept {                            \
        return runecast_detail::convert(from_encoding, input, length, to_encoding, output);                    \
    }                                                                                                          \
    inline std::size_t convert_valid_##from##_to_##to(const source *input, std::size_t length,                 \
                                                      target *output) noexcept {                               \
        return runecast_detail::convert_or_0(from_encoding, input, length, to_encoding, output);               \
    }

RUNECAST_CONVERT_ALL(utf8, utf16, char, char16_t, RUNECAST_UTF8, RUNECAST_UTF16)
RUNECAST_CONVERT_ALL(utf8, utf16le, char, char16_t, RUNECAST_UTF8, RUNECAST_UTF16_LE)
RUNECAST_CONVERT_ALL(utf8, utf16be, char, char16_t, RUNECAST_UTF8, RUNECAST_UTF16_BE)
RUNECAST_CONVERT_ALL(utf8, utf32, char, char32_t, RUNECAST_UTF8, RUNECAST_UTF32)
RUNECAST_CONVERT_ALL(utf8, latin1, char, char, RUNECAST_UTF8, RUNECAST_LATIN1)
RUNECAST_CONVERT_ALL(utf16, utf8, char16_t, char, RUNECAST_UTF16, RUNECAST_UTF8)
RUNECAST_CONVERT_ALL(utf16le, utf8, char16_t, char, RUNECAST_UTF16_LE, RUNECAST_UTF8)
RUNECAST_CONVERT_ALL(utf16be, utf8, char16_t, char, RUNECAST_UTF16_BE, RUNECAST_UTF8)
RUNECAST_CONVERT_ALL(utf16, utf32, char16_t, char32_t, RUNECAST_UTF16, RUNECAST_UTF32)
RUNECAST_CONVERT_ALL(utf16le, utf32, char16_t, char32_t, RUNECAST_UTF16_LE, RUNECAST_UTF32)
RUNECAST_CONVERT_ALL(utf16be, utf32, char16_t, char32_t, RUNECAST_UTF16_BE, RUNECAST_UTF32)
RUNECAST_CONVERT_ALL(utf16, latin1, char16_t, char, RUNECAST_UTF16, RUNECAST_LATIN1)
RUNECAST_CONVERT_ALL(utf16le, latin1, char16_t, char, RUNECAST_UTF16_LE, RUNECAST_LATIN1)
RUNECAST_CONVERT_ALL(utf16be, latin1, char16_t, char, RUNECAST_UTF16_BE, RUNECAST_LATIN1)
RUNECAST_CONVERT_ALL(utf32, utf8, char32_t, char, RUNECAST_UTF32, RUNECAST_UTF8)
RUNECAST_CONVERT_ALL(utf32, utf16, char32_t, char16_t, RUNECAST_UTF32, RUNECAST_UTF16)
RUNECAST_CONVERT_ALL(utf32, utf16le, char32_t, char16_t, RUNECAST_UTF32, RUNECAST_UTF16_LE)
RUNECAST_CONVERT_ALL(utf32, utf16be, char32_t, char16_t, RUNECAST_UTF32, RUNECAST_UTF16_BE)
RUNECAST_CONVERT_ALL(utf32, latin1, char32_t, char, RUNECAST_UTF32, RUNECAST_LATIN1)
RUNECAST_CONVERT(latin1, utf8, char, char, RUNECAST_LATIN1, RUNECAST_UTF8)
RUNECAST_CONVERT(latin1, utf16, char, char16_t, RUNECAST_LATIN1, RUNECAST_UTF16)
RUNECAST_CONVERT(latin1, utf16le, char, char16_t, RUNECAST_LATIN1, RUNECAST_UTF16_LE)
RUNECAST_CONVERT(latin1, utf16be, char, char16_t, RUNECAST_LATIN1, RUNECAST_UTF16_BE)
RUNECAST_CONVERT(latin1, utf32, char, char32_t, RUNECAST_LATIN1, RUNECAST_UTF32)

#undef RUNECAST_CONVERT
#undef RUNECAST_CONVERT_ALL

// Any units will do: so any encoding in which nothing waits.
inline void change_endianness_utf16(const char16_t *input, std::size_t length, char16_t *output) noexcept {
    runecast_detail::in_place(RUNECAST_LATIN1, input, length, output,
                              [](const char16_t *piece, std::size_t units, char16_t *to) {
                                  // There is room, and any units are well-formed.
                                  const runecast_result done = runecast_transcode(
                                      RUNECAST_WTF16_LE, piece, units * 2, RUNECAST_WTF16_BE, to, units * 2);
                                  static_cast<void>(done);
                              });
}

inline void to_well_formed_utf16(const char16_t *input, std::size_t len, char16_t *output) noexcept {
    runecast_detail::well_formed(RUNECAST_UTF16, input, len, output);
}
inline void to_well_formed_utf16le(const char16_t *input, std::size_t len, char16_t *output) noexcept {
    runecast_detail::well_formed(RUNECAST_UTF16_LE, input, len, output);
}
inline void to_well_formed_utf16be(const char16_t *input, std::size_t len, char16_t *output) noexcept {
    runecast_detail::well_formed(RUNECAST_UTF16_BE, input, len, output);
}

// --- lengths and counts ----------------------------------------------------------------------------------------

#define RUNECAST_LENGTH(name, source, from_encoding, to_encoding)                                              \
    inline std::size_t name(const source *input, std::size_t length) noexcept {                                \
        return runecast_detail::length(from_encoding, input, length, to_encoding);                             \
    }

// For ill-formed text runecast says no more than a text of this length can become, and simdutf adds up what the bytes stand for. As many
// units as bytes are an ASCII text, or such a one.
inline std::size_t utf16_length_from_utf8(const char *input, std::size_t length) noexcept {
    const std::size_t units = runecast_detail::length(RUNECAST_UTF8, input, length, RUNECAST_UTF16);
    if (units < length || runecast_is_ascii(input, length)) {
        return units;
    }
    std::size_t sum = 0;
    for (std::size_t at = 0; at < length; ++at) {
        const auto byte = static_cast<unsigned char>(input[at]);
        sum += (byte & 0xC0) == 0x80 ? 0u : byte < 0xF0 ? 1u : 2u;
    }
    return sum;
}
RUNECAST_LENGTH(utf32_length_from_utf8, char, RUNECAST_UTF8, RUNECAST_UTF32)
RUNECAST_LENGTH(latin1_length_from_utf8, char, RUNECAST_UTF8, RUNECAST_LATIN1)
RUNECAST_LENGTH(utf8_length_from_latin1, char, RUNECAST_LATIN1, RUNECAST_UTF8)
RUNECAST_LENGTH(utf8_length_from_utf16, char16_t, RUNECAST_UTF16, RUNECAST_UTF8)
RUNECAST_LENGTH(utf8_length_from_utf16le, char16_t, RUNECAST_UTF16_LE, RUNECAST_UTF8)
RUNECAST_LENGTH(utf8_length_from_utf16be, char16_t, RUNECAST_UTF16_BE, RUNECAST_UTF8)
RUNECAST_LENGTH(utf32_length_from_utf16, char16_t, RUNECAST_UTF16, RUNECAST_UTF32)
RUNECAST_LENGTH(utf32_length_from_utf16le, char16_t, RUNECAST_UTF16_LE, RUNECAST_UTF32)
RUNECAST_LENGTH(utf32_length_from_utf16be, char16_t, RUNECAST_UTF16_BE, RUNECAST_UTF32)
RUNECAST_LENGTH(utf8_length_from_utf32, char32_t, RUNECAST_UTF32, RUNECAST_UTF8)
RUNECAST_LENGTH(utf16_length_from_utf32, char32_t, RUNECAST_UTF32, RUNECAST_UTF16)

#undef RUNECAST_LENGTH

// What newer versions have, for UTF-16 in either order.
#define RUNECAST_NEWER(order, encoding)                                                                        \
    inline bool validate_utf16##order##_as_ascii(const char16_t *buf, std::size_t len) noexcept {              \
        return runecast_fits(encoding, buf, len * 2, RUNECAST_REPERTOIRE_ASCII);                                          \
    }                                                                                                          \
    inline result utf8_length_from_utf16##order##_with_replacement(const char16_t *input,                      \
                                                                   std::size_t length) noexcept {              \
        return runecast_detail::length_with_replacement(encoding, input, length);                              \
    }                                                                                                          \
    inline std::size_t convert_utf16##order##_to_utf8_with_replacement(const char16_t *input, std::size_t length, \
                                                                       char *utf8_output) noexcept {           \
        return runecast_detail::convert_with_replacement(encoding, input, length, utf8_output);                \
    }

RUNECAST_NEWER(, RUNECAST_UTF16)
RUNECAST_NEWER(le, RUNECAST_UTF16_LE)
RUNECAST_NEWER(be, RUNECAST_UTF16_BE)

#undef RUNECAST_NEWER

inline std::size_t convert_utf16_to_utf8_safe(const char16_t *input, std::size_t length, char *utf8_output,
                                              std::size_t utf8_len) noexcept {
    return runecast_detail::convert_safe(RUNECAST_UTF16, input, length * 2, utf8_output, utf8_len);
}
inline std::size_t convert_latin1_to_utf8_safe(const char *input, std::size_t length, char *utf8_output,
                                               std::size_t utf8_len) noexcept {
    return runecast_detail::convert_safe(RUNECAST_LATIN1, input, length, utf8_output, utf8_len);
}

inline std::size_t latin1_length_from_utf16(std::size_t length) noexcept { return length; }
inline std::size_t latin1_length_from_utf32(std::size_t length) noexcept { return length; }
inline std::size_t utf16_length_from_latin1(std::size_t length) noexcept { return length; }
inline std::size_t utf32_length_from_latin1(std::size_t length) noexcept { return length; }

inline std::size_t count_utf8(const char *input, std::size_t length) noexcept {
    return runecast_count(RUNECAST_UTF8, input, length);
}
inline std::size_t count_utf16(const char16_t *input, std::size_t length) noexcept {
    return runecast_count(RUNECAST_UTF16, input, length * 2);
}
inline std::size_t count_utf16le(const char16_t *input, std::size_t length) noexcept {
    return runecast_count(RUNECAST_UTF16_LE, input, length * 2);
}
inline std::size_t count_utf16be(const char16_t *input, std::size_t length) noexcept {
    return runecast_count(RUNECAST_UTF16_BE, input, length * 2);
}

inline std::size_t trim_partial_utf8(const char *input, std::size_t length) noexcept {
    return runecast_complete_prefix(RUNECAST_UTF8, input, length);
}
inline std::size_t trim_partial_utf16(const char16_t *input, std::size_t length) noexcept {
    return runecast_complete_prefix(RUNECAST_UTF16, input, length * 2) / 2;
}
inline std::size_t trim_partial_utf16le(const char16_t *input, std::size_t length) noexcept {
    return runecast_complete_prefix(RUNECAST_UTF16_LE, input, length * 2) / 2;
}
inline std::size_t trim_partial_utf16be(const char16_t *input, std::size_t length) noexcept {
    return runecast_complete_prefix(RUNECAST_UTF16_BE, input, length * 2) / 2;
}

// --- detection -------------------------------------------------------------------------------------------------

namespace BOM {

inline encoding_type check_bom(const char *bytes, std::size_t length) noexcept {
    return runecast_detail::of(runecast_bom(bytes, length));
}
inline encoding_type check_bom(const std::uint8_t *bytes, std::size_t length) noexcept {
    return runecast_detail::of(runecast_bom(bytes, length));
}
inline std::size_t bom_byte_size(encoding_type bom) noexcept {
    switch (bom) {
    case UTF8: return 3;
    case UTF16_LE: case UTF16_BE: return 2;
    case UTF32_LE: case UTF32_BE: return 4;
    default: return 0;
    }
}

} // namespace BOM

/// The encoding of the byte order mark, or all of UTF-8, UTF-16LE and UTF-32LE that the bytes are well-formed in.
inline int detect_encodings(const char *input, std::size_t length) noexcept {
    const encoding_type marked = BOM::check_bom(input, length);
    if (marked != unspecified) return marked;
    int found = 0;
    if (runecast_is_utf8(input, length)) found |= UTF8;
    if (runecast_validate(RUNECAST_UTF16_LE, input, length).code == RUNECAST_OK) found |= UTF16_LE;
    if (runecast_validate(RUNECAST_UTF32_LE, input, length).code == RUNECAST_OK) found |= UTF32_LE;
    return found;
}
inline int detect_encodings(const std::uint8_t *input, std::size_t length) noexcept {
    return detect_encodings(reinterpret_cast<const char *>(input), length);
}

/// The first of these.
inline encoding_type autodetect_encoding(const char *input, std::size_t length) noexcept {
    const int found = detect_encodings(input, length);
    return static_cast<encoding_type>(found & -found);
}
inline encoding_type autodetect_encoding(const std::uint8_t *input, std::size_t length) noexcept {
    return autodetect_encoding(reinterpret_cast<const char *>(input), length);
}

} // namespace simdutf

#endif
