// runecast from C++: the same as demo.c, with what C++ has for it.
//
//     c++ -std=c++17 -I crates/capi/include crates/capi/examples/demo.cpp -L target/release -lrunecast

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "runecast.hpp"

static void check(const char *name, std::string_view text) {
    try {
        runecast::check(text);
        std::printf("%s: well-formed\n", name);
    } catch (const runecast::error &error) {
        std::printf("%s: %s\n", name, error.what());
    }
}

int main() {
    using namespace std::string_view_literals;
    using runecast::policy;

    check("a text", "r\xC5\xABna");
    check("another", "caf\xE9 noir");

    std::printf("UTF-16:");
    for (char16_t unit : runecast::to_utf16("\xE1\x9A\xB1\xF0\x9F\xAA\xA8!")) std::printf(" %04X", unsigned(unit));
    std::printf("\n");

    const std::pair<const char *, policy> policies[] = {{"WHATWG", policy::whatwg},
                                                        {"per byte", policy::per_byte},
                                                        {"ICU 55", policy::icu55},
                                                        {"escaped", policy::escape_backslash}};
    for (const auto &[name, by] : policies) {
        std::string whole;
        const auto done = runecast::try_repair("a\xF0\x80\x80\x80z", whole, by);
        std::printf("%s: %s (%u replaced)\n", name, whole.c_str(), unsigned(done.replaced));
    }

    runecast::stream stream(runecast::encoding::utf16_marked, runecast::encoding::utf8);
    std::string out;
    for (const char &byte : "\xFF\xFEr\0\x6B\x01n\0a\0"sv) stream.push(std::string_view(&byte, 1), out);
    const auto source = stream.source();
    stream.finish(out);
    std::printf("stream: %s (%s)\n", out.c_str(), runecast::name(*source).data());
}
