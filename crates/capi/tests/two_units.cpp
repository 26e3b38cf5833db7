// A program of two units, one of them compiled without exceptions and run-time types, as games are, and one with them: each has
// functions of the header as it was compiled. Both are this file.

#include <cstdio>
#include <string>

#include "runecast.hpp"

namespace rc = runecast;

bool throws_what_is_wrong();

#ifdef __cpp_exceptions

bool throws_what_is_wrong() {
    try {
        return rc::to_utf16("a\xFF").empty();
    } catch (const rc::error &error) {
        return error.at() == 1;
    }
}

#else

int main(int count, char **) {
    // What would be thrown ends the program.
    if (count > 1) return static_cast<int>(rc::to_utf16("a\xFF").size());
    std::u16string wide;
    if (!throws_what_is_wrong() || rc::to_utf16("ab") != u"ab") return 2;
    if (rc::try_convert("a\xFF", wide).at != 1 || wide != u"a") return 3;
    rc::stream stream(rc::encoding::utf8, rc::encoding::utf16);
    if (stream.try_push("b\xFF", wide).code != RUNECAST_INVALID_LEAD || wide != u"ab") return 4;
    if (stream.try_finish(wide).code != RUNECAST_OK) return 5;
    std::puts("two units: all is well");
}

#endif
