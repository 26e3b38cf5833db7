// The stand-in beside simdutf itself: the same answers for random texts, whole and broken.
//
// Both are namespaces of one name, so the shim's gets another here. What is said of text that a function does not
// ask to be checked, and which is not well-formed, is left out where simdutf's own kernels differ.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "simdutf.h"

#undef SIMDUTF_H
#define simdutf shim
#include "simdutf_shim.h"
#undef simdutf

static unsigned long compared, different;
static std::mt19937 random_numbers(7);

static std::size_t below(std::size_t end) { return random_numbers() % end; }

template <class Real, class Shim, class Text>
static void same(const char *what, Real real, Shim shim, const Text &text) {
    const auto expected = static_cast<long long>(real), found = static_cast<long long>(shim);
    compared++;
    if (expected == found || different++ > 20) return;
    std::printf("%s: %lld, and the shim %lld:", what, expected, found);
    for (auto unit : text) std::printf(" %lX", static_cast<unsigned long>(static_cast<char32_t>(unit)));
    std::printf("\n");
}

template <class Real, class Shim, class Text>
static void same_result(const char *what, const Real &expected, const Shim &found, const Text &text) {
    same(what, expected.error, found.error, text);
    same(what, expected.count, found.count, text);
}

#define SAME(function) same(#function, simdutf::function(text.data(), text.size()), shim::function(text.data(), text.size()), text)
#define SAME_RESULT(function)                                                                                          \
    same_result(#function, simdutf::function(text.data(), text.size()), shim::function(text.data(), text.size()), text)

// All three functions of a conversion, and their outputs.
#define SAME_CONVERSION(pair, type)                                                                                    \
    do {                                                                                                               \
        std::vector<type> one(text.size() * 4 + 64), other(text.size() * 4 + 64);                                      \
        const auto expected = simdutf::convert_##pair##_with_errors(text.data(), text.size(), one.data());             \
        const auto found = shim::convert_##pair##_with_errors(text.data(), text.size(), other.data());                 \
        same_result(#pair, expected, found, text);                                                                     \
        same(#pair, simdutf::convert_##pair(text.data(), text.size(), one.data()),                                     \
             shim::convert_##pair(text.data(), text.size(), other.data()), text);                                      \
        if (expected.error != simdutf::SUCCESS || found.error != shim::SUCCESS) break;                                 \
        same(#pair ", what is written", 0, std::memcmp(one.data(), other.data(), expected.count * sizeof(type)), text); \
        same(#pair ", valid", simdutf::convert_valid_##pair(text.data(), text.size(), one.data()),                     \
             shim::convert_valid_##pair(text.data(), text.size(), other.data()), text);                                \
    } while (0)

static void utf8(const std::string &text) {
    SAME_RESULT(validate_utf8_with_errors);
    SAME_RESULT(validate_ascii_with_errors);
    SAME(validate_utf8);
    SAME(validate_ascii);
    SAME(count_utf8);
    SAME(utf16_length_from_utf8);
    SAME(utf32_length_from_utf8);
    SAME(latin1_length_from_utf8);
    SAME(utf8_length_from_latin1);
    SAME(detect_encodings);
    SAME(autodetect_encoding);
    SAME_CONVERSION(utf8_to_utf16, char16_t);
    SAME_CONVERSION(utf8_to_utf16le, char16_t);
    SAME_CONVERSION(utf8_to_utf16be, char16_t);
    SAME_CONVERSION(utf8_to_utf32, char32_t);
    SAME_CONVERSION(utf8_to_latin1, char);
    std::vector<char> one(text.size() * 2), other(text.size() * 2);
    same("latin1_to_utf8", simdutf::convert_latin1_to_utf8(text.data(), text.size(), one.data()),
         shim::convert_latin1_to_utf8(text.data(), text.size(), other.data()), text);
    same("latin1_to_utf8, what is written", 0, one != other, text);
    const std::size_t room = below(text.size() * 2 + 1);
    std::vector<char> wide(room + 256), exact(room);
    same("latin1_to_utf8_safe", simdutf::convert_latin1_to_utf8_safe(text.data(), text.size(), wide.data(), room),
         shim::convert_latin1_to_utf8_safe(text.data(), text.size(), exact.data(), room), text);
    if (!simdutf::validate_utf8(text.data(), text.size())) return;
    const std::size_t cut = below(text.size() + 1);
    same("trim_partial_utf8", simdutf::trim_partial_utf8(text.data(), cut), shim::trim_partial_utf8(text.data(), cut), text);
}

template <class Real, class Shim> static void rewritten(const char *what, const std::u16string &text, Real real, Shim shim) {
    std::u16string one = text, other = text;
    real(text.data(), text.size(), one.data());
    shim(other.data(), other.size(), other.data()); // in place
    same(what, 0, one != other, text);
}

static void utf16(const std::u16string &text) {
    SAME_RESULT(validate_utf16le_with_errors);
    SAME_RESULT(validate_utf16be_with_errors);
    SAME(validate_utf16);
    SAME(validate_utf16le);
    SAME(validate_utf16be);
    SAME(count_utf16);
    SAME(count_utf16le);
    SAME(count_utf16be);
    SAME(trim_partial_utf16le);
    SAME(trim_partial_utf16be);
    SAME(utf32_length_from_utf16le);
    SAME(utf32_length_from_utf16be);
    if (simdutf::validate_utf16le(text.data(), text.size())) SAME(utf8_length_from_utf16le);
    if (simdutf::validate_utf16be(text.data(), text.size())) SAME(utf8_length_from_utf16be);
    SAME(validate_utf16_as_ascii);
    SAME(validate_utf16le_as_ascii);
    SAME(validate_utf16be_as_ascii);
    SAME_RESULT(utf8_length_from_utf16_with_replacement);
    SAME_RESULT(utf8_length_from_utf16le_with_replacement);
    SAME_RESULT(utf8_length_from_utf16be_with_replacement);
    if (simdutf::validate_utf16(text.data(), text.size())) {
        // With room for all of it: with less, simdutf 7.7.1 writes more than there is room for.
        const std::size_t room = simdutf::utf8_length_from_utf16(text.data(), text.size()) + below(9);
        std::vector<char> one(room + 256), other(room);
        same("utf16_to_utf8_safe", simdutf::convert_utf16_to_utf8_safe(text.data(), text.size(), one.data(), room),
             shim::convert_utf16_to_utf8_safe(text.data(), text.size(), other.data(), room), text);
        one.resize(room);
        same("utf16_to_utf8_safe, what is written", 0, one != other, text);
        // With less, what there is room for.
        std::vector<char> less(below(room + 1));
        const std::size_t some = shim::convert_utf16_to_utf8_safe(text.data(), text.size(), less.data(), less.size());
        same("utf16_to_utf8_safe, in less room", 0, some > less.size() || !std::equal(less.data(), less.data() + some, one.data()), text);
    }
    SAME_CONVERSION(utf16le_to_utf8, char);
    SAME_CONVERSION(utf16be_to_utf8, char);
    SAME_CONVERSION(utf16le_to_utf32, char32_t);
    SAME_CONVERSION(utf16be_to_utf32, char32_t);
    SAME_CONVERSION(utf16le_to_latin1, char);
    SAME_CONVERSION(utf16be_to_latin1, char);
    rewritten("to_well_formed_utf16le", text, simdutf::to_well_formed_utf16le, shim::to_well_formed_utf16le);
    rewritten("to_well_formed_utf16be", text, simdutf::to_well_formed_utf16be, shim::to_well_formed_utf16be);
    using rewrite = void (*)(const char16_t *, std::size_t, char16_t *);
    rewritten("change_endianness_utf16", text, rewrite(simdutf::change_endianness_utf16), shim::change_endianness_utf16);
}

static void utf32(const std::u32string &text) {
    SAME_RESULT(validate_utf32_with_errors);
    SAME(validate_utf32);
    SAME_CONVERSION(utf32_to_utf8, char);
    SAME_CONVERSION(utf32_to_utf16le, char16_t);
    SAME_CONVERSION(utf32_to_utf16be, char16_t);
    SAME_CONVERSION(utf32_to_latin1, char);
    if (!simdutf::validate_utf32(text.data(), text.size())) return;
    SAME(utf8_length_from_utf32);
    SAME(utf16_length_from_utf32);
}

// A text of good pieces, and units where the rules change.
template <class Char, std::size_t Good, std::size_t Edges>
static std::basic_string<Char> text_of(const std::basic_string<Char> (&good)[Good], const Char (&edges)[Edges]) {
    std::basic_string<Char> text;
    for (std::size_t pieces = below(9); pieces-- > 0;) {
        if (below(3)) text += good[below(Good)];
        else text.append(1 + below(3), Char()).back() = edges[below(Edges)];
        if (below(10) == 0) text.append(below(90), Char('x'));
        if (below(600) == 0) text.append(2500, Char('y'));
    }
    return text;
}

int main() {
    static const std::string good8[] = {"a", "plain text of some length", "\xC3\xA9", "\xE6\xBC\xA2", "\xF0\x9F\xA6\x80"};
    static const char edges8[] = "\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xC3\xDF\xE0\xE1\xED\xEF\xF0\xF1\xF4\xF5\xF7\xF8\xFF";
    static const std::u16string good16[] = {u"a", u"caf\xE9", u"\x6F22", u"\xD83E\xDD80"};
    static const char16_t edges16[] = {0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFF};
    static const std::u32string good32[] = {U"a", U"caf\xE9", U"\x6F22", U"\x1F980"};
    static const char32_t edges32[] = {0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF, 0x110000, 0xFFFFFFFF};
    for (int turn = 0; turn < 30000; turn++) {
        utf8(text_of(good8, edges8));
        utf16(text_of(good16, edges16));
        utf32(text_of(good32, edges32));
    }
    std::printf("%lu compared, %lu different\n", compared, different);
    return different != 0;
}
