// The stand-in for simdutf: names, conventions and codes, as its documentation has them. Every expectation is
// written out. (With simdutf itself beside it the shim was compared once, on random strings: see the README.)

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "simdutf_shim.h"

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

using namespace std::string_literals;

static bool is(simdutf::result found, simdutf::error_code error, std::size_t count) {
    return found.error == error && found.count == count && found.is_ok() == (error == simdutf::SUCCESS);
}

static void utf8(const std::string &text, simdutf::error_code error, std::size_t count) {
    // A buffer of exactly what the length function says, so that a tool sees one unit too many.
    std::vector<char16_t> units(simdutf::utf16_length_from_utf8(text.data(), text.size()));
    CHECK(is(simdutf::validate_utf8_with_errors(text.data(), text.size()), error, count));
    CHECK(simdutf::validate_utf8(text.data(), text.size()) == (error == simdutf::SUCCESS));
    const auto done = simdutf::convert_utf8_to_utf16le_with_errors(text.data(), text.size(), units.data());
    CHECK(error == simdutf::SUCCESS ? is(done, error, units.size()) : is(done, error, count));
    const std::size_t written = simdutf::convert_utf8_to_utf16le(text.data(), text.size(), units.data());
    CHECK(written == (error == simdutf::SUCCESS ? units.size() : 0));
}

static void errors() {
    using namespace simdutf;
    utf8("", SUCCESS, 0);
    utf8("r\xC5\xABna \xF0\x9F\xAA\xA8", SUCCESS, 10);
    utf8("ab\x80", TOO_LONG, 2);
    utf8("ab\xC3\xA9\xA9", TOO_LONG, 4);
    utf8("ab\xC3", TOO_SHORT, 2);
    utf8("ab\xE2\x82!", TOO_SHORT, 2);
    utf8("ab\xC0\x80", OVERLONG, 2);
    utf8("ab\xC0!", TOO_SHORT, 2);
    utf8("\xE0\x80\x80", OVERLONG, 0);
    utf8("\xE0\x80!", TOO_SHORT, 0);
    utf8("\xF0\x80\x80\x80", OVERLONG, 0);
    utf8("\xED\xA0\x80", SURROGATE, 0);
    utf8("\xF4\x90\x80\x80", TOO_LARGE, 0);
    utf8("\xF5\x80\x80\x80", TOO_LARGE, 0);
    utf8("\xF8\x88\x80\x80\x80", HEADER_BITS, 0);
    utf8(std::string(70, 'x') + "\xFF", HEADER_BITS, 70);
    CHECK(is(validate_ascii_with_errors("abc\xC3", 4), TOO_LARGE, 3) && is(validate_ascii_with_errors("abc", 3), SUCCESS, 3));
    CHECK(validate_ascii("abc", 3) && !validate_ascii("\x80", 1));
    const char16_t pair[] = {'a', 0xD83E, 0xDEA8, 0xDC00, 'b'};
    CHECK(is(validate_utf16le_with_errors(pair, 3), SUCCESS, 3) && is(validate_utf16le_with_errors(pair, 5), SURROGATE, 3));
    CHECK(is(validate_utf16le_with_errors(pair, 2), SURROGATE, 1) && validate_utf16le(pair, 3) && !validate_utf16le(pair, 2));
    const char32_t wide[] = {'a', 0xD800, 0x110000, 0xE9, 0x16B1};
    CHECK(is(validate_utf32_with_errors(wide, 5), SURROGATE, 1) && is(validate_utf32_with_errors(wide + 2, 1), TOO_LARGE, 0));
    char latin1[8];
    CHECK(is(convert_utf32_to_latin1_with_errors(wide + 3, 2, latin1), TOO_LARGE, 1));
    CHECK(is(convert_utf8_to_latin1_with_errors("a\xE1\x9A\xB1", 4, latin1), TOO_LARGE, 1));
    CHECK(is(convert_utf8_to_latin1_with_errors("caf\xC3\xA9", 5, latin1), SUCCESS, 4) && latin1[3] == '\xE9');
    // More leads than such a text can have units: nothing is written beyond what one of its size may take.
    const std::string leads(9, '\xF0');
    std::vector<char16_t> room(9);
    CHECK(convert_utf8_to_utf16le(leads.data(), leads.size(), room.data()) == 0);
}

static void conversions() {
    using namespace simdutf;
    const std::string text = "caf\xC3\xA9 \xE1\x9A\xB1 \xF0\x9F\xAA\xA8";
    const std::u16string units = u"caf\xE9 \x16B1 \xD83E\xDEA8";
    const std::u32string points = U"caf\xE9 \x16B1 \x1FAA8";
    std::u16string wide(units.size(), u'?');
    std::u32string wider(points.size(), U'?');
    std::string narrow(text.size(), '?');
    CHECK(utf16_length_from_utf8(text.data(), text.size()) == units.size());
    CHECK(utf32_length_from_utf8(text.data(), text.size()) == points.size());
    CHECK(utf8_length_from_utf16(units.data(), units.size()) == text.size());
    CHECK(utf32_length_from_utf16(units.data(), units.size()) == points.size());
    CHECK(utf8_length_from_utf32(points.data(), points.size()) == text.size());
    CHECK(utf16_length_from_utf32(points.data(), points.size()) == units.size());
    CHECK(count_utf8(text.data(), text.size()) == 8 && count_utf16(units.data(), units.size()) == 8);
    CHECK(convert_utf8_to_utf16(text.data(), text.size(), wide.data()) == units.size() && wide == units);
    CHECK(convert_valid_utf8_to_utf32(text.data(), text.size(), wider.data()) == points.size() && wider == points);
    CHECK(convert_utf16_to_utf8(units.data(), units.size(), narrow.data()) == text.size() && narrow == text);
    CHECK(convert_utf32_to_utf8(points.data(), points.size(), narrow.data()) == text.size() && narrow == text);
    CHECK(convert_utf32_to_utf16(points.data(), points.size(), wide.data()) == units.size() && wide == units);
    CHECK(convert_utf16_to_utf32(units.data(), units.size(), wider.data()) == points.size() && wider == points);
    CHECK(utf8_length_from_latin1("caf\xE9", 4) == 5 && latin1_length_from_utf8("caf\xC3\xA9", 5) == 4);
    CHECK(convert_latin1_to_utf8("caf\xE9", 4, narrow.data()) == 5 && narrow.substr(0, 5) == "caf\xC3\xA9");
    CHECK(convert_latin1_to_utf16("\xE9", 1, wide.data()) == 1 && wide[0] == 0xE9);
    CHECK(convert_latin1_to_utf32("\xE9", 1, wider.data()) == 1 && wider[0] == 0xE9);
    char16_t bytes[2];
    CHECK(convert_utf8_to_utf16be("\xE1\x9A\xB1", 3, bytes) == 1 && !std::memcmp(bytes, "\x16\xB1", 2));
}

// In place, and far longer than the buffer that leads through.
static void in_place() {
    for (std::size_t shift = 0; shift < 3; shift++) {
        std::u16string text(shift, u'x'), expected(shift, u'x');
        for (int i = 0; i < 1500; i++) {
            text += u"\xD83E\xDEA8";
            expected += u"\xD83E\xDEA8";
        }
        text += u"\xDC00z\xD800";
        expected += u"\xFFFDz\xFFFD";
        std::u16string fixed = text;
        simdutf::to_well_formed_utf16(fixed.data(), fixed.size(), fixed.data());
        CHECK(fixed == expected);
        std::u16string swapped = text;
        simdutf::change_endianness_utf16(swapped.data(), swapped.size(), swapped.data());
        for (std::size_t i = 0; i < text.size(); i++) {
            CHECK(swapped[i] == static_cast<char16_t>(text[i] << 8 | text[i] >> 8));
        }
    }
    simdutf::to_well_formed_utf16(nullptr, 0, nullptr);
}

static void detection() {
    using namespace simdutf;
    CHECK(BOM::check_bom("\xEF\xBB\xBF", 3) == UTF8 && BOM::check_bom("\xFF\xFE\0\0", 4) == UTF32_LE);
    CHECK(BOM::check_bom("\xFE\xFF", 2) == UTF16_BE && BOM::check_bom("ab", 2) == unspecified);
    CHECK(BOM::bom_byte_size(UTF8) == 3 && BOM::bom_byte_size(UTF16_LE) == 2 && BOM::bom_byte_size(UTF32_BE) == 4);
    CHECK(detect_encodings("abc", 3) == UTF8 && detect_encodings("abcd", 4) == (UTF8 | UTF16_LE));
    CHECK(detect_encodings("a\0\0\0", 4) == (UTF8 | UTF16_LE | UTF32_LE) && detect_encodings("\xFF", 1) == 0);
    CHECK(autodetect_encoding("abcd", 4) == UTF8 && autodetect_encoding("\xE9\0", 2) == UTF16_LE);
    CHECK(autodetect_encoding("\xFF", 1) == unspecified && to_string(UTF8) == "UTF8");
    CHECK(trim_partial_utf8("ab\xC3", 3) == 2 && trim_partial_utf8("ab\xC3\xA9", 4) == 4);
    const char16_t cut[] = {'a', 0xD83E};
    CHECK(trim_partial_utf16(cut, 2) == 1);
}

int main() {
    errors();
    conversions();
    in_place();
    detection();
    std::printf("shim: all is well\n");
}
