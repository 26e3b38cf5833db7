// The C++ header: what it makes of views of every kind, what it throws, and that streams and strings fit together.
// Expectations are written out; what is right in general is the business of abi.c.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#include "runecast.hpp"

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

namespace rc = runecast;
using namespace std::string_literals;
using namespace std::string_view_literals;

// Compared one by one: glibc's wmemcmp reads whole vectors, of which valgrind, if they are not aligned, says that they end too late.
static bool same(const std::wstring &one, std::wstring_view other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

// What is thrown.
template <class Action> static rc::error thrown(Action action) {
    try {
        action();
    } catch (const rc::error &error) {
        return error;
    }
    CHECK(!"an error");
    std::abort();
}

template <class Action> static bool refuses(Action action) {
    try {
        action();
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

static void texts() {
    CHECK(rc::valid("r\xC5\xABna") && rc::valid("r\xC5\xABna"s) && rc::valid("r\xC5\xABna"sv) && !rc::valid("\xFF"));
    CHECK(rc::valid(u"\xD83E\xDEA8") && !rc::valid(u"\xD83E"s) && rc::valid(U"\x1FAA8"sv) && !rc::valid(U"\xD800"));
    CHECK(rc::valid("") && rc::valid(std::string_view()) && rc::valid(u""));
    const std::vector<unsigned char> latin1 = {'c', 'a', 'f', 0xE9};
    const std::vector<std::byte> nothing;
    CHECK(rc::convert({latin1, rc::encoding::latin1}) == "caf\xC3\xA9");
    CHECK(rc::convert({nothing, rc::encoding::utf16le}).empty());
    CHECK(rc::count("caf\xC3\xA9") == 4 && rc::count(u"\xD83E\xDEA8") == 1);
    CHECK(rc::length("caf\xC3\xA9", rc::encoding::utf16) == 8);
    // wchar_t is that of its size.
    CHECK(rc::valid(L"r\u016Bna") && rc::to_utf8(std::wstring(L"\u16B1")) == "\xE1\x9A\xB1");
    const std::wstring wide = rc::to_wide("r\xC5\xABna \xF0\x9F\xAA\xA8");
    CHECK(same(wide, L"r\u016Bna \U0001FAA8") && wide.size() == (sizeof(wchar_t) == 2 ? 7u : 6u));
    CHECK(same(rc::repair<std::wstring>("a\xFF"), L"a\uFFFD"));
    CHECK(rc::bytes(std::wstring(L"ab")).size() == 2 * sizeof(wchar_t));
    // Bytes as what comes out.
    CHECK((rc::to_bytes("r\xC5\xAB") == std::vector<unsigned char>{'r', 0xC5, 0xAB}));
    CHECK((rc::to_bytes(u"r\u016B", rc::encoding::utf16be) == std::vector<unsigned char>{0, 'r', 0x01, 0x6B}));
    CHECK((rc::repair<std::vector<std::byte>>("\xFF") == std::vector{std::byte{0xEF}, std::byte{0xBF}, std::byte{0xBD}}));
    CHECK(rc::to_bytes("").empty());
    CHECK(rc::to_utf8({rc::to_bytes("\xC5\xAB", rc::encoding::utf16le), rc::encoding::utf16le}) == "\xC5\xAB");
    static_assert(!std::is_convertible_v<std::vector<int>, rc::bytes>, "a row of numbers is not a text");
    static_assert(!std::is_convertible_v<std::vector<unsigned char>, rc::text>, "bytes have no encoding");
#ifdef __cpp_char8_t
    CHECK(rc::to_u8(u"r\u016Bna") == u8"r\u016Bna" && rc::repair<std::u8string>("\xFF") == u8"\uFFFD");
    CHECK(rc::bytes(u8"\u016B"s).size() == 2 && rc::to_utf8(u8"\u016B"s) == "\xC5\xAB");
    CHECK(rc::valid(u8"r\u016Bna") && rc::to_utf16(u8"\u16B1") == u"\u16B1");
    CHECK(rc::convert<std::u8string>(u"\u16B1") == u8"\u16B1");
#endif
}

// Vectors, arrays and spans of characters are texts, as strings are, and their zeros are characters.
static void pieces() {
    const std::vector<char> chars = {'a', '\0', '\xC5', '\xAB'};
    const std::vector<char16_t> units = {u'a', 0xD83E, 0xDEA8};
    const std::array<char32_t, 2> points = {U'a', 0x1FAA8};
    const std::vector<wchar_t> wide = {L'a', L'\u016B'};
    CHECK(rc::valid(chars) && rc::count(chars) == 3 && rc::to_utf16(chars) == u"a\0\u016B"s);
    CHECK(rc::to_utf8(units) == "a\xF0\x9F\xAA\xA8" && rc::to_utf8(points) == "a\xF0\x9F\xAA\xA8");
    CHECK(rc::to_utf8(wide) == "a\xC5\xAB" && rc::bytes(units).size() == 6 && rc::bytes(points).size() == 8);
    CHECK(rc::convert({chars, rc::encoding::latin1}) == "a\0\xC3\x85\xC2\xAB"s && rc::marked(std::vector<char>{'\xFE', '\xFF'}));
    CHECK(rc::detect(std::vector<char>{'h', 'i'}).encoding == rc::encoding::ascii && rc::valid(std::vector<char>()));
    CHECK(rc::convert<std::vector<char16_t>>(points) == units && rc::convert<std::vector<char>>(u"\u016B").size() == 2);
    CHECK(rc::count("a\0b") == 1 && rc::count("a\0b"sv) == 3 && rc::count("a\0b"s) == 3);
    // In and out of a stream as well.
    rc::stream stream(rc::encoding::utf8, rc::encoding::utf16);
    std::vector<char16_t> out;
    stream.push(chars, out);
    stream.finish(out);
    CHECK((out == std::vector<char16_t>{u'a', 0, 0x16B}));
    rc::validator validator(rc::encoding::utf8);
    validator.push(chars);
    validator.finish();
    struct own { // a string of somebody else
        const char *data() const { return "own and more"; }
        int size() const { return 3; }
    };
    CHECK(rc::to_utf16(own()) == u"own");
    static_assert(!std::is_convertible_v<std::vector<signed char>, rc::text>, "numbers are no characters");
    static_assert(!std::is_convertible_v<std::vector<const char *>, rc::bytes>, "nor are addresses");
    static_assert(!std::is_convertible_v<std::array<std::byte, 2>, rc::text>, "bytes have no encoding");
    static_assert(!std::is_convertible_v<std::nullptr_t, rc::text> && std::is_convertible_v<const char *, rc::text>);
    constexpr rc::text constant = u"abc";
    static_assert(constant.size() == 6);
#ifdef __cpp_lib_span
    const std::span<const char> view(chars);
    CHECK(rc::to_utf16(view) == u"a\0\u016B"s && rc::to_utf16(view.first<1>()) == u"a" && rc::valid(std::span<const char>()));
    CHECK(rc::to_utf8(std::span(units)) == "a\xF0\x9F\xAA\xA8" && rc::bytes(std::as_bytes(std::span(units))).size() == 6);
    CHECK(rc::to_utf8({std::as_bytes(std::span(points)), rc::encoding::utf32}) == "a\xF0\x9F\xAA\xA8");
    std::u16string more;
    rc::stream(rc::encoding::utf8, rc::encoding::utf16).push(view, more);
    CHECK(more.size() == 3);
#endif
#ifdef __cpp_char8_t
    CHECK(rc::to_utf16(std::vector<char8_t>{u8'a'}) == u"a");
#endif
}

// What is wrong comes back, and is not thrown; the string's memory is used again.
static void tried() {
    std::u16string wide(100, u'x');
    const char16_t *const memory = wide.data();
    CHECK(rc::try_convert("r\xC5\xAB", wide).code == RUNECAST_OK && wide == u"r\u016B" && wide.data() == memory);
    rc::result done = rc::try_convert("ab\xFFz", wide);
    CHECK(done.code == RUNECAST_INVALID_LEAD && done.at == 2 && wide == u"ab");
    CHECK(rc::explain(done, "ab\xFFz") == "ill-formed at byte 2: no character of Unicode begins with FF");
    done = rc::try_convert("a\xE1\x9A\xB1", wide, rc::encoding::utf8);
    CHECK(done.code == RUNECAST_BAD_ARGUMENT && wide.empty());
    done = rc::try_repair("a\xFF\xFFz", wide);
    CHECK(done.code == RUNECAST_OK && done.replaced == 2 && done.at == 1 && wide == u"a\xFFFD\xFFFDz");
    CHECK(rc::try_repair("a", wide, rc::policy::whatwg, rc::encoding::utf8).code == RUNECAST_BAD_ARGUMENT && wide.empty());
    std::string narrow;
    CHECK(rc::try_repair("a\xFF", narrow, rc::policy(99)).code == RUNECAST_BAD_ARGUMENT && narrow.empty());
    // With a text of one's own, however much longer it is.
    CHECK(rc::repair("a\xFFz", "<?>") == "a<?>z" && rc::repair<std::u16string>("a\xFFz", ""sv) == u"az");
    CHECK(rc::try_repair(std::string(100, '\xFF'), narrow, std::string(1000, '!')).replaced == 100);
    CHECK(narrow == std::string(100000, '!') && thrown([] { static_cast<void>(rc::repair("", "\xFF")); }).code() == RUNECAST_BAD_ARGUMENT);

    rc::stream strict(rc::encoding::utf8, rc::encoding::utf8);
    narrow.clear();
    done = strict.try_push("ab\xFFz"sv, narrow);
    CHECK(done.code == RUNECAST_INVALID_LEAD && done.at == 2 && done.len == 1 && done.read == 3 && done.written == 2);
    CHECK(strict.explain() == "ill-formed at byte 2: no character of Unicode begins with FF");
    CHECK(strict.try_push("z\xE1"sv, narrow).code == RUNECAST_OK && strict.explain().empty());
    done = strict.try_finish(narrow);
    CHECK(done.code == RUNECAST_INCOMPLETE && done.at == 4 && strict.try_finish(narrow).code == RUNECAST_OK);
    CHECK(narrow == "abz" && strict.offset() == 0 && strict.try_push("a"sv, wide).code == RUNECAST_BAD_ARGUMENT);
    // Replacements are counted, over all of a chunk.
    rc::stream lossy(rc::encoding::utf8, rc::encoding::utf8, rc::policy::whatwg);
    narrow.clear();
    done = lossy.push(std::string(5000, 'x') + std::string(5000, '\xFF') + "\xE1", narrow);
    CHECK(done.replaced == 5000 && done.at == 5000 && done.read == 10001 && done.written == 20000);
    CHECK(lossy.finish(narrow).replaced == 1 && narrow.size() == 20003);

    rc::validator validator(rc::encoding::utf8);
    CHECK(validator.try_push("a\xE1"sv).code == RUNECAST_OK && validator.try_finish().code == RUNECAST_INCOMPLETE);
    CHECK(validator.try_push("!"sv).at == 1 && validator.try_push("\x9A\xB1"sv).code == RUNECAST_OK);
}

// A stream that was moved from refuses, in words, and takes another's place.
static void moved() {
    rc::stream one(rc::encoding::utf8, rc::encoding::utf8), other = std::move(one);
    std::string out;
    CHECK(thrown([&] { one.push("a"sv, out); }).what() == "a wrong argument"sv && out.empty());
    CHECK(thrown([&] { one.finish(out); }).code() == RUNECAST_BAD_ARGUMENT && !one.source() && one.offset() == 0);
    CHECK(thrown([&] { other.push("\xFF"sv, out); }).code() == RUNECAST_INVALID_LEAD); // which is not said once more
    CHECK(thrown([&] { other.push(rc::bytes(nullptr, 3), out); }).what() == "a wrong argument"sv);
    one.restart();
    one = std::move(other);
    one.push("a"sv, out);
    CHECK(out == "a");
    rc::offset_map map("a\n"), taken = std::move(map);
    CHECK(taken.lines() == 2 && map.lines() == 0 && !map.offset(0, rc::unit::utf8));
    static_assert(std::is_nothrow_move_constructible_v<rc::stream> && !std::is_copy_constructible_v<rc::stream>);
    static_assert(!std::is_constructible_v<rc::offset_map, std::string>, "a string that is gone at once");
    static_assert(!std::is_constructible_v<rc::offset_map, std::vector<unsigned char>> && !std::is_constructible_v<rc::offset_map, int>);
    static_assert(std::is_constructible_v<rc::offset_map, const std::string &> && std::is_constructible_v<rc::offset_map, std::string &>);
    static_assert(!std::is_constructible_v<rc::offset_map, std::u16string &>, "offsets are those of UTF-8");
    std::vector<unsigned char> raw = {0xE1, 0x9A, 0xB1, '!'};
    CHECK(rc::offset_map(raw).offset(3, rc::unit::character) == 1u && rc::offset_map(std::string_view()).lines() == 1);
#ifdef __cpp_char8_t
    CHECK(rc::offset_map(u8"\u16B1!").offset(3, rc::unit::utf16) == 1u);
#endif
}

static void conversions() {
    CHECK(rc::to_utf16("\xE1\x9A\xB1\xF0\x9F\xAA\xA8") == u"\x16B1\xD83E\xDEA8");
    CHECK(rc::to_utf32("\xE1\x9A\xB1\xF0\x9F\xAA\xA8") == U"\x16B1\x1FAA8");
    CHECK(rc::to_utf8(u"\x16B1\xD83E\xDEA8") == "\xE1\x9A\xB1\xF0\x9F\xAA\xA8");
    CHECK(rc::to_utf8(U"\x16B1\x1FAA8"s) == "\xE1\x9A\xB1\xF0\x9F\xAA\xA8");
    CHECK(rc::convert("ab", rc::encoding::utf16be) == "\0a\0b"s);
    CHECK(rc::to_utf16("").empty() && rc::to_utf8(std::string(70000, 'x')) == std::string(70000, 'x'));
    CHECK(refuses([] { static_cast<void>(rc::convert<std::u16string>("a", rc::encoding::utf8)); }));
    CHECK(refuses([] { static_cast<void>(rc::convert<std::u32string>("a", rc::encoding::utf16)); }));
    const rc::error bad = thrown([] { static_cast<void>(rc::to_utf16("caf\xE9 noir")); });
    CHECK(bad.code() == RUNECAST_TRUNCATED && bad.at() == 3 && bad.size() == 1);
    CHECK(bad.what() == "ill-formed at byte 3: E9 begins a character of 3 bytes, but 20 follows, "
                        "which is no continuation byte"sv);
    const rc::error lacking = thrown([] { static_cast<void>(rc::convert("a\xE1\x9A\xB1", rc::encoding::latin1)); });
    CHECK(lacking.code() == RUNECAST_UNREPRESENTABLE && lacking.result().code_point == 0x16B1 && lacking.at() == 1);
    CHECK(thrown([] { rc::check(u"a\xDC00"); }).at() == 2);
    rc::check("fine");
}

static void repairs() {
    CHECK(rc::repair("a\xF0\x9F\xAA") == "a\xEF\xBF\xBD");
    CHECK(rc::repair("a\xF0\x9F\xAA", rc::policy::per_byte) == "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK(rc::repair<std::u16string>("a\xFF") == u"a\xFFFD" && rc::repair(u"a\xD800z") == "a\xEF\xBF\xBDz");
    // Far longer than a clean text would be.
    const std::string broken(1000, '\xFF');
    std::string escaped;
    for (int i = 0; i < 1000; i++) escaped += "\\xFF";
    CHECK(rc::repair(broken, rc::policy::escape_backslash) == escaped);
    CHECK(rc::repair("").empty());
}

static void streams() {
    rc::stream stream(rc::encoding::utf16_marked, rc::encoding::utf8);
    std::string out;
    CHECK(!stream.source());
    for (const char &byte : "\xFF\xFEr\0\x6B\x01"sv) stream.push(std::string_view(&byte, 1), out);
    CHECK(stream.source() == rc::encoding::utf16le && stream.offset() == 6 && stream.waiting() == 0);
    stream.finish(out);
    CHECK(out == "r\xC5\xAB");

    // More than goes into one step, in both directions.
    std::string text;
    for (int i = 0; i < 5000; i++) text += "\xE1\x9A\xB1!";
    rc::stream wide(rc::encoding::utf8, rc::encoding::utf16);
    std::u16string units;
    for (std::size_t at = 0; at < text.size(); at += 4999) wide.push(std::string_view(text).substr(at, 4999), units);
    wide.finish(units);
    CHECK(units.size() == 10000 && units == rc::to_utf16(text));

    // An error leaves what came before it; then it goes on.
    rc::stream strict(rc::encoding::utf8, rc::encoding::utf8);
    out.clear();
    const auto bad = thrown([&] { strict.push("ab\xFFz"sv, out); });
    CHECK(out == "ab" && bad.code() == RUNECAST_INVALID_LEAD && bad.at() == 2 && bad.result().read == 3);
    strict.push("ab\xFFz"sv.substr(bad.result().read), out);
    CHECK(out == "abz");
    strict.push("\xE1"sv, out);
    CHECK(thrown([&] { strict.finish(out); }).code() == RUNECAST_INCOMPLETE);
    // What is pushed then is another text, with a mark of its own.
    CHECK(strict.offset() == 0 && strict.waiting() == 0);
    rc::stream marked(rc::encoding::utf16_marked, rc::encoding::utf8);
    out.clear();
    marked.push("\xFE\xFF\0a\0"sv, out);
    CHECK(thrown([&] { marked.finish(out); }).at() == 4 && !marked.source());
    marked.push("\xFF\xFE\x62\0"sv, out);
    marked.finish(out);
    CHECK(out == "ab");

    rc::stream moved = std::move(strict);
    rc::stream lossy(rc::encoding::utf8, rc::encoding::utf8, rc::policy::icu55);
    rc::stream with(rc::encoding::utf8, rc::encoding::utf8, "<long replacement>"sv);
    out.clear();
    lossy.push("\xF0\x80\x80\x80"sv, out);
    lossy.finish(out);
    with.push("\xFF"sv, out);
    with.finish(out);
    moved.push("!"sv, out);
    CHECK(out == "\xEF\xBF\xBD<long replacement>!");

    out.clear();
    auto sniffing = rc::stream(rc::encoding::latin1, rc::encoding::utf8).with_bom(rc::bom::sniff);
    sniffing.push("\xEF\xBB\xBF\xC3\xA9"sv, out);
    sniffing.finish(out);
    CHECK(out == "\xC3\xA9");
    CHECK(refuses([] { rc::stream(rc::encoding::utf8, rc::encoding::utf16_marked); }));
    CHECK(refuses([] { rc::stream(rc::encoding(99), rc::encoding::utf8); }));
    CHECK(refuses([] { rc::stream(rc::encoding::utf8, rc::encoding::utf8, rc::policy(99)); }));
    CHECK(refuses([] { rc::stream(rc::encoding::utf8, rc::encoding::utf8, "\xFF"sv); }));
    CHECK(refuses([&] { lossy.push("a"sv, units); }));
}

static void the_rest() {
    rc::validator validator(rc::encoding::utf8);
    validator.push("ab\xE1\x9A"sv);
    const rc::validator before = validator;
    CHECK(validator.offset() == 2 && validator.waiting() == 2);
    CHECK(thrown([&] { validator.push("!"sv); }).at() == 2);
    CHECK(thrown([&] { before.finish(); }).code() == RUNECAST_INCOMPLETE);
    validator.push("\xB1"sv);
    validator.finish();
    CHECK(rc::encoding_named("utf-16le") == rc::encoding::utf16le && !rc::encoding_named("ebcdic"));
    CHECK(rc::name(rc::encoding::utf16le) == "UTF-16LE" && rc::name(rc::encoding(99)).empty());
    const rc::guess found = rc::detect("\xFF\xFEh\0"sv);
    CHECK(found.what == rc::content::text && found.encoding == rc::encoding::utf16le && found.confidence == 99);
    CHECK(!rc::detect("\x7F" "ELF\x02\x01\x01\0\0\0\0\0"sv).encoding);
    const rc::offset_map map("\xE1\x9A\xB1\n\xF0\x9F\xAA\xA8!"sv); // 3 bytes, LF, 4 bytes, 1
    CHECK(map.size(rc::unit::utf16) == 5 && map.lines() == 2 && map.offset(8, rc::unit::utf16) == 4u);
    CHECK(map.at_offset(3, rc::unit::character) == 8u && !map.offset(5, rc::unit::character));
    CHECK(map.position_of(8, rc::unit::utf16)->column == 2 && map.at_position({1, 2}, rc::unit::utf16) == 8u);
    CHECK(!map.position_of(5, rc::unit::utf8) && !map.at_offset(3, rc::unit::utf16) && !map.at_position({2, 0}, rc::unit::utf8));
    CHECK(thrown([] { rc::offset_map("a\xFF"sv); }).at() == 1);
    CHECK(rc::marked("\xFE\xFF"sv) == rc::encoding::utf16be && !rc::marked("plain"sv));
}

int main() {
    texts();
    pieces();
    tried();
    moved();
    conversions();
    repairs();
    streams();
    the_rest();
    std::printf("wrapper: all is well\n");
}
