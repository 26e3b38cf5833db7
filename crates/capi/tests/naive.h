// What the tests hold the library to: one character at a time, written after the tables of the Unicode Standard,
// and without a look at the library. For UTF-8 that is Table 3-7, row by row.

#ifndef NAIVE_H
#define NAIVE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runecast.h"

// A character, or what is wrong there.
typedef struct naive {
    uint32_t code;  // RUNECAST_OK, or the rule that is broken
    uint32_t point; // the character
    size_t len;     // of the character, or of the ill-formed sequence
} naive;

static naive naive_of(uint32_t code, uint32_t point, size_t len) {
    naive found = {code, point, len};
    return found;
}

// The character at the start of UTF-8, of which there is at least a byte.
static naive naive_utf8(const uint8_t *s, size_t left) {
    uint8_t lead = s[0], low = 0x80, high = 0xBF;
    uint32_t wrong = RUNECAST_TRUNCATED, point;
    size_t len, i;
    if (lead < 0x80) return naive_of(RUNECAST_OK, lead, 1);
    if (lead < 0xC0) return naive_of(RUNECAST_UNEXPECTED_CONTINUATION, 0, 1);
    if (lead < 0xC2) return naive_of(RUNECAST_OVERLONG_LEAD, 0, 1);
    if (lead > 0xF4) return naive_of(RUNECAST_INVALID_LEAD, 0, 1);
    len = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    point = lead & (0xFFu >> (len + 1));
    switch (lead) { // the second byte has a narrower range in four rows
    case 0xE0: low = 0xA0; wrong = RUNECAST_OVERLONG; break;
    case 0xED: high = 0x9F; wrong = RUNECAST_SURROGATE; break;
    case 0xF0: low = 0x90; wrong = RUNECAST_OVERLONG; break;
    case 0xF4: high = 0x8F; wrong = RUNECAST_ABOVE_MAXIMUM; break;
    default: break;
    }
    for (i = 1; i < len; i++) {
        if (i == left) return naive_of(RUNECAST_INCOMPLETE, 0, i);
        if ((s[i] & 0xC0) != 0x80) return naive_of(RUNECAST_TRUNCATED, 0, i);
        if (i == 1 && (s[i] < low || s[i] > high)) return naive_of(wrong, 0, 1);
        point = point << 6 | (s[i] & 0x3Fu);
    }
    return naive_of(RUNECAST_OK, point, len);
}

static uint32_t naive_unit(const uint8_t *s, size_t bytes, int big) {
    uint32_t unit = 0;
    size_t i;
    for (i = 0; i < bytes; i++) unit = unit << 8 | s[big ? i : bytes - 1 - i];
    return unit;
}

// The character at the start of a text, of which there is at least a byte, in one of the encodings that are
// known here: UTF-8, UTF-16 and UTF-32 in both orders, Latin-1, ASCII.
static naive naive_decode(uint32_t encoding, const uint8_t *s, size_t left) {
    int big = encoding == RUNECAST_UTF16_BE || encoding == RUNECAST_UTF32_BE;
    uint32_t unit, low;
    switch (encoding) {
    case RUNECAST_UTF8: return naive_utf8(s, left);
    case RUNECAST_LATIN1: return naive_of(RUNECAST_OK, s[0], 1);
    case RUNECAST_ASCII: return naive_of(s[0] < 0x80 ? RUNECAST_OK : RUNECAST_NOT_ASCII, s[0], 1);
    case RUNECAST_UTF16_LE:
    case RUNECAST_UTF16_BE:
        if (left < 2) return naive_of(RUNECAST_INCOMPLETE, 0, left);
        unit = naive_unit(s, 2, big);
        if (unit < 0xD800 || unit > 0xDFFF) return naive_of(RUNECAST_OK, unit, 2);
        if (unit > 0xDBFF) return naive_of(RUNECAST_UNPAIRED_LOW, 0, 2);
        if (left < 4) return naive_of(RUNECAST_INCOMPLETE, 0, left);
        low = naive_unit(s + 2, 2, big);
        if (low < 0xDC00 || low > 0xDFFF) return naive_of(RUNECAST_UNPAIRED_HIGH, 0, 2);
        return naive_of(RUNECAST_OK, 0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00)), 4);
    default:
        if (left < 4) return naive_of(RUNECAST_INCOMPLETE, 0, left);
        unit = naive_unit(s, 4, big);
        if (unit >= 0xD800 && unit <= 0xDFFF) return naive_of(RUNECAST_SURROGATE, 0, 4);
        if (unit > 0x10FFFF) return naive_of(RUNECAST_ABOVE_MAXIMUM, 0, 4);
        return naive_of(RUNECAST_OK, unit, 4);
    }
}

static size_t naive_put(uint8_t *out, uint32_t unit, size_t bytes, int big) {
    size_t i;
    for (i = 0; i < bytes; i++) out[big ? bytes - 1 - i : i] = (uint8_t)(unit >> (8 * i));
    return bytes;
}

// Writes a character, of four bytes at most; 0 if it has no form there.
static size_t naive_encode(uint32_t encoding, uint32_t point, uint8_t out[4]) {
    int big = encoding == RUNECAST_UTF16_BE || encoding == RUNECAST_UTF32_BE;
    size_t len, i;
    switch (encoding) {
    case RUNECAST_LATIN1: out[0] = (uint8_t)point; return point < 0x100;
    case RUNECAST_ASCII: out[0] = (uint8_t)point; return point < 0x80;
    case RUNECAST_UTF16_LE:
    case RUNECAST_UTF16_BE:
        if (point < 0x10000) return naive_put(out, point, 2, big);
        naive_put(out, 0xD7C0 + (point >> 10), 2, big);
        return 2 + naive_put(out + 2, 0xDC00 | (point & 0x3FF), 2, big);
    case RUNECAST_UTF8:
        if (point < 0x80) {
            out[0] = (uint8_t)point;
            return 1;
        }
        len = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        for (i = len; i-- > 1; point >>= 6) out[i] = (uint8_t)(0x80 | (point & 0x3F));
        out[0] = (uint8_t)((len == 2 ? 0xC0u : len == 3 ? 0xE0u : 0xF0u) | point);
        return len;
    default: return naive_put(out, point, 4, big);
    }
}

// The first thing that is wrong with a text, as runecast_validate() should say it.
static runecast_result naive_validate(uint32_t encoding, const uint8_t *s, size_t len) {
    runecast_result result;
    memset(&result, 0, sizeof result);
    while (result.read < len) {
        naive found = naive_decode(encoding, s + result.read, len - result.read);
        if (found.code != RUNECAST_OK) {
            result.code = found.code;
            result.at = result.read;
            result.len = found.len;
            break;
        }
        result.read += found.len;
    }
    return result;
}

// A conversion into so much room: strict, or with U+FFFD (or a question mark) for each maximal subpart.
static runecast_result naive_transcode(uint32_t from, const uint8_t *s, size_t len, uint32_t to, uint8_t *out,
                                       size_t room, int lossy) {
    runecast_result result;
    memset(&result, 0, sizeof result);
    while (result.read < len) {
        uint8_t form[4];
        naive found = naive_decode(from, s + result.read, len - result.read);
        size_t bytes = found.code == RUNECAST_OK ? naive_encode(to, found.point, form) : 0;
        int wrong = bytes == 0;
        if (wrong && !lossy) {
            result.code = found.code == RUNECAST_OK ? (uint32_t)RUNECAST_UNREPRESENTABLE : found.code;
            result.code_point = found.code == RUNECAST_OK ? found.point : 0;
            result.at = result.read;
            result.len = found.len;
            break;
        }
        if (wrong) bytes = naive_encode(to, to == RUNECAST_LATIN1 || to == RUNECAST_ASCII ? '?' : 0xFFFD, form);
        if (bytes > room - result.written) {
            result.code = RUNECAST_OUTPUT_FULL;
            break;
        }
        if (wrong && result.replaced++ == 0) result.at = result.read;
        memcpy(out + result.written, form, bytes);
        result.written += bytes;
        result.read += found.len;
    }
    return result;
}

#endif
