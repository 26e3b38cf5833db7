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

// Ill-formed texts, whose errors make the sum over all of the text greater than any text before one: into outputs of exactly what the
// text before the error becomes, with canaries on both sides.
template <class Source, class Target, class Convert>
static void confined(const std::basic_string<Source> &text, std::size_t room, const char *what, Convert convert) {
    const std::size_t beside = 64;
    const Target canary = static_cast<Target>(0x5A);
    // In memory of its own, so that a tool sees reads beyond the text.
    const std::vector<Source> source(text.begin(), text.end());
    std::vector<Target> memory(beside + room + beside, canary);
    convert(source.data(), source.size(), memory.data() + beside);
    for (std::size_t at = 0; at < memory.size(); at++) {
        if ((at < beside || at >= beside + room) && memory[at] != canary) {
            std::fprintf(stderr, "%s of %zu units writes at %ld, and the room is %zu\n", what, text.size(),
                         static_cast<long>(at) - static_cast<long>(beside), room);
            std::exit(1);
        }
    }
}

// All conversions between two encodings, of `good` with `bad` in it at every place, before more of it.
#define CONFINED(pair, Source, Target, each)                                                                           \
    for (std::size_t count : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 31u, 33u, 64u, 100u, 1000u, 5000u}) {                        \
        for (std::size_t more : {0u, 1u, 8u, 40u, 200u}) {                                                             \
            std::basic_string<Source> text;                                                                            \
            for (std::size_t i = 0; i < count; i++) text += good;                                                      \
            text += bad;                                                                                               \
            for (std::size_t i = 0; i < more; i++) text += after;                                                      \
            const std::size_t room = count * (each);                                                                   \
            confined<Source, Target>(text, room, #pair, simdutf::convert_##pair);                                      \
            confined<Source, Target>(text, room, #pair, simdutf::convert_##pair##_with_errors);                        \
            confined<Source, Target>(text, room, #pair, simdutf::convert_valid_##pair);                                \
        }                                                                                                              \
    }

static void room() {
    {
        // Eight characters, of which the fourth is broken by the beginning of a longer one.
        std::string text;
        for (int i = 0; i < 8; i++) text += "\xE4\xB8\xAD";
        text[10] = '\xF8';
        confined<char, char16_t>(text, 3, "eight", simdutf::convert_utf8_to_utf16le);
        confined<char, char16_t>(text, 3, "eight", simdutf::convert_utf8_to_utf16be_with_errors);
        confined<char, char16_t>(text, 3, "eight", simdutf::convert_valid_utf8_to_utf16);
    }
    for (const char *bad : {"\xF8", "\xE4\xB8", "\xF0\xF0\xF0\xF0\xF0\xF0\xF0\xF0\xF0", "\x80", "\xED\xA0\x80", "\xFF\xFF"}) {
        for (const char *after : {"\xF0\x9F\xAA\xA8", "\xF0", "a", "\xC3\xA9"}) {
            std::string good = "\xE4\xB8\xAD";
            CONFINED(utf8_to_utf16, char, char16_t, 1)
            CONFINED(utf8_to_utf16le, char, char16_t, 1)
            CONFINED(utf8_to_utf16be, char, char16_t, 1)
            CONFINED(utf8_to_utf32, char, char32_t, 1)
            good = "\xC3\xA9";
            CONFINED(utf8_to_latin1, char, char, 1)
        }
    }
    // Well-formed, but without a form in Latin-1.
    for (const char *bad : {"\xE4\xB8\xAD", "\xF0\x9F\xAA\xA8", "\xC4\x80"}) {
        const std::string good = "\xC3\xA9", after = "a";
        CONFINED(utf8_to_latin1, char, char, 1)
    }
    for (const std::u16string &bad : {std::u16string(1, 0xD800), std::u16string(3, 0xDC00)}) {
        for (const std::u16string &after : {std::u16string(u"\x16B1"), std::u16string(1, 0xD83E), std::u16string(u"a")}) {
            std::u16string good = u"\xE9";
            CONFINED(utf16_to_utf8, char16_t, char, 2)
            CONFINED(utf16le_to_utf8, char16_t, char, 2)
            CONFINED(utf16_to_utf32, char16_t, char32_t, 1)
            CONFINED(utf16le_to_utf32, char16_t, char32_t, 1)
            CONFINED(utf16_to_latin1, char16_t, char, 1)
            CONFINED(utf16le_to_latin1, char16_t, char, 1)
        }
    }
    for (const std::u16string &bad : {std::u16string(1, 0x00D8), std::u16string(3, 0x00DC)}) {
        for (const std::u16string &after : {std::u16string(1, 0xB116), std::u16string(1, 0x3ED8), std::u16string(1, 0x6100)}) {
            const std::u16string good(1, 0xE900);
            CONFINED(utf16be_to_utf8, char16_t, char, 2)
            CONFINED(utf16be_to_utf32, char16_t, char32_t, 1)
            CONFINED(utf16be_to_latin1, char16_t, char, 1)
        }
    }
    for (const std::u32string &bad : {std::u32string(1, 0xD800), std::u32string(1, 0x110000), std::u32string(9, 0xFFFFFFFF)}) {
        for (const std::u32string &after : {std::u32string(1, 0x1FAA8), std::u32string(1, 'a'), std::u32string(1, 0x80000000)}) {
            const std::u32string good(1, 0xE9);
            CONFINED(utf32_to_utf8, char32_t, char, 2)
            CONFINED(utf32_to_utf16, char32_t, char16_t, 1)
            CONFINED(utf32_to_utf16le, char32_t, char16_t, 1)
            CONFINED(utf32_to_utf16be, char32_t, char16_t, 1)
            CONFINED(utf32_to_latin1, char32_t, char, 1)
        }
    }
    for (std::size_t count : {0u, 1u, 7u, 64u, 100u, 5000u, 40000u}) {
        const std::string text(count, '\xE9');
        confined<char, char>(text, 2 * count, "latin1_to_utf8", simdutf::convert_latin1_to_utf8);
        confined<char, char16_t>(text, count, "latin1_to_utf16", simdutf::convert_latin1_to_utf16);
        confined<char, char16_t>(text, count, "latin1_to_utf16le", simdutf::convert_latin1_to_utf16le);
        confined<char, char16_t>(text, count, "latin1_to_utf16be", simdutf::convert_latin1_to_utf16be);
        confined<char, char32_t>(text, count, "latin1_to_utf32", simdutf::convert_latin1_to_utf32);
    }
}

// Longer than the buffer that leads through, and each place of an error.
static void pieces() {
    std::string text;
    std::u16string units;
    while (text.size() < 50000) {
        text += "caf\xC3\xA9 \xE1\x9A\xB1 \xF0\x9F\xAA\xA8, ";
        units += u"caf\xE9 \x16B1 \xD83E\xDEA8, ";
    }
    std::u16string wide(units.size(), u'?');
    CHECK(simdutf::convert_utf8_to_utf16(text.data(), text.size(), &wide[0]) == units.size() && wide == units);
    std::string narrow(text.size(), '?');
    CHECK(simdutf::convert_utf16_to_utf8(units.data(), units.size(), &narrow[0]) == text.size() && narrow == text);
    for (std::size_t at = 1; at < text.size(); at += 997) {
        std::string broken = text;
        broken[at] = '\xFF';
        const auto valid = simdutf::validate_utf8_with_errors(broken.data(), broken.size());
        const auto done = simdutf::convert_utf8_to_utf16_with_errors(broken.data(), broken.size(), &wide[0]);
        CHECK(valid.error != simdutf::SUCCESS && is(done, valid.error, valid.count));
        CHECK(simdutf::convert_utf8_to_utf16(broken.data(), broken.size(), &wide[0]) == 0);
    }
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

static void newer() {
    using namespace simdutf;
    const char16_t text[] = {'a', 0xD83E, 0xDEA8, 0xDEA8, 0x16B1, 0xD83E};
    const std::string expected = "a\xF0\x9F\xAA\xA8\xEF\xBF\xBD\xE1\x9A\xB1\xEF\xBF\xBD";
    CHECK(!validate_utf16_as_ascii(text, 2) && validate_utf16_as_ascii(text, 1) && validate_utf16_as_ascii(nullptr, 0));
    const result length = utf8_length_from_utf16_with_replacement(text, 6);
    CHECK(length.count == expected.size() && length.error == SURROGATE);
    CHECK(utf8_length_from_utf16_with_replacement(text + 4, 1).error == SUCCESS);
    CHECK(utf8_length_from_utf16_with_replacement(text + 1, 2).error == SURROGATE);
    // Longer than the pieces that it is converted in, with pairs on their edges.
    std::u16string many;
    std::string much;
    for (int i = 0; i < 1500; i++) {
        many.append(text, 6);
        much += expected;
    }
    std::u16string turned = many;
    change_endianness_utf16(many.data(), many.size(), turned.data());
    std::vector<char> out(much.size());
    CHECK(convert_utf16_to_utf8_with_replacement(many.data(), many.size(), out.data()) == much.size());
    CHECK(std::string(out.data(), out.size()) == much);
    const auto other = [](auto... all) { return convert_utf16be_to_utf8_with_replacement(all...); };
    CHECK(other(turned.data(), turned.size(), out.data()) == much.size());
    CHECK(std::string(out.data(), out.size()) == much);
    CHECK(convert_utf16le_to_utf8_with_replacement(many.data(), 0, out.data()) == 0);
    CHECK(convert_utf16_to_utf8_safe(text, 3, out.data(), 4) == 1 && convert_utf16_to_utf8_safe(text, 3, out.data(), 5) == 5);
    CHECK(convert_latin1_to_utf8_safe("a\xE9", 2, out.data(), 2) == 1 && convert_latin1_to_utf8_safe("a\xE9", 2, out.data(), 3) == 3);
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
    newer();
    room();
    pieces();
    in_place();
    detection();
    std::printf("shim: all is well\n");
}
